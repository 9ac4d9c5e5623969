"""Card sets, random streams, dispatch, decks, rule switches, and the disk cache of compiled kernels."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import simcore
from simcore import bits, dispatch, protocol, rng
from simcore.deck import Deck, nearest
from simcore.engine import Experiment, deal_key, play_units
from simcore.games import GAMES, eidex
from simcore.jit import kernel
from simcore.policies import parse_policy
from simcore.protocol import deal, effective_rules, legal_moves, record, start
from simcore.reading import check_keys, list_of, whole_number

PACKAGE = Path(simcore.__file__).parent
FULL = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15

WORDS = st.one_of(st.integers(0, FULL), st.sets(st.integers(0, 63)).map(lambda cards: sum(1 << card for card in cards)))
NON_EMPTY = WORDS.filter(bool)
SEEDS = st.integers(0, FULL)


def run_program(program, *arguments, package=PACKAGE, **environment):
    """Output of *program* in a new Python process with warnings as errors."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), **environment}
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    done = subprocess.run(command, cwd=package.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@kernel
def compiled_bit(card):
    return bits.bit(card)


@kernel
def compiled_popcount(cards):
    return bits.popcount(cards)


@kernel
def compiled_lowest(cards):
    return bits.lowest(cards)


@kernel
def compiled_nth(cards, n):
    return bits.nth(cards, n)


@kernel
def compiled_copy(target, source):
    bits.copy_record(target, source)


def members(cards):
    return [card for card in range(64) if cards >> card & 1]


@given(st.integers(0, 63))
def test_the_set_of_one_card_is_one_bit(card):
    assert int(compiled_bit(card)) == int(bits.bit(card)) == 1 << card


@given(WORDS)
def test_counting_a_set_agrees_with_python(cards):
    word = np.uint64(cards)
    assert int(compiled_popcount(word)) == int(bits.popcount(word)) == len(members(cards))


@given(WORDS)
def test_the_lowest_card_agrees_with_python(cards):
    word = np.uint64(cards)
    assert int(compiled_lowest(word)) == int(bits.lowest(word)) == min(members(cards), default=64)


@given(NON_EMPTY, st.data())
def test_the_nth_card_agrees_with_python(cards, data):
    n = data.draw(st.integers(0, len(members(cards)) - 1))
    word = np.uint64(cards)
    assert int(compiled_nth(word, n)) == int(bits.nth(word, n)) == members(cards)[n]


def test_the_nth_card_is_the_same_on_a_processor_without_bit_deposit():
    program = """
import random
import numpy as np
from simcore import bits
from simcore.jit import kernel
@kernel
def nth(cards, n):
    return bits.nth(cards, n)
assert not bits._has_fast_pdep()
draw = random.Random(1)
for _ in range(2000):
    cards = draw.getrandbits(64) & draw.getrandbits(64) | 1 << draw.randrange(64)
    members = [card for card in range(64) if cards >> card & 1]
    n = draw.randrange(len(members))
    assert int(nth(np.uint64(cards), np.uint64(n))) == members[n], (cards, n)
print("done")
"""
    # The kernel of a program on the command line has no file to be cached by.
    program = program.replace("@kernel", "@__import__('numba').njit")
    assert run_program(program, NUMBA_CPU_NAME="generic") == "done\n"


PADDED = np.dtype((np.record, np.dtype([("a", "u1"), ("b", "u8", (3,)), ("c", [("x", "i4"), ("y", "u1")])], align=True)))


def test_copying_a_record_copies_every_byte(seed):
    source, target = np.zeros(1, PADDED), np.zeros(1, PADDED)
    source.view(np.uint8)[:] = np.random.default_rng(seed).integers(0, 256, PADDED.itemsize)
    compiled_copy(target[0], source[0])
    assert target.tobytes() == source.tobytes()
    again = np.zeros(1, PADDED)
    bits.copy_record(again[0], source[0])
    assert again[0] == source[0]


def test_only_records_of_one_dtype_are_copied():
    with pytest.raises((TypeError, numba.core.errors.TypingError), match="copy_record needs two records of one dtype"):
        compiled_copy(np.zeros(1, PADDED)[0], np.zeros(1, eidex.STATE)[0])


def python_mix(word):
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & FULL
    word = (word ^ word >> 27) * 0x94D049BB133111EB & FULL
    return word ^ word >> 31


def python_stream(seed, index, purpose):
    return python_mix(python_mix(seed + GOLDEN * purpose & FULL) ^ python_mix(index * GOLDEN + purpose & FULL))


def test_the_generator_gives_the_published_numbers_of_splitmix64():
    counter, words = np.uint64(0), []
    for _ in range(3):
        counter = np.uint64(rng.step(counter))
        words.append(int(rng.mix(counter)))
    assert words == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_streams_start_at_pinned_points():
    starts = [int(rng.stream(np.uint64(seed), index, purpose)) for seed, index, purpose in [(0, 0, 1), (1, 0, 1), (1, 1, 2), (FULL, 5, 16)]]
    assert starts == [0x48294F70CCF5E4FC, 0x39B4332FD4168839, 0x2FA49690873A68C2, 0xC688B3D403296040]


@given(SEEDS, st.integers(0, 2**62), st.integers(1, 40))
def test_streams_agree_with_python_integers(seed, index, purpose):
    assert int(rng.stream(np.uint64(seed), index, purpose)) == python_stream(seed, index, purpose)


def test_streams_of_one_seed_all_differ():
    for seed in (0, 1, 2, 16, 12345):
        starts = {int(rng.stream(np.uint64(seed), index, purpose)) for index in range(1000) for purpose in range(1, 20)}
        assert len(starts) == 1000 * 19


@given(SEEDS, st.integers(1, 2**32 - 1))
def test_a_bounded_draw_stays_below_its_bound(word, n):
    drawn = int(rng.below(np.uint64(word), n))
    assert drawn == (word >> 32) * n >> 32
    assert 0 <= drawn < n
    assert int(rng.below(np.uint64(FULL), n)) == n - 1
    assert int(rng.below(np.uint64(0), n)) == 0


def test_drawn_cards_are_a_uniform_subset():
    cards = [3, 8, 31, 32, 47, 63]
    deck = np.uint64(sum(1 << card for card in cards))
    counter = rng.stream(np.uint64(5), 0, rng.WORLD)
    counts = Counter()
    for _ in range(20_000):
        drawn, counter = rng.draw_cards(deck, 3, np.uint64(counter))
        counts[int(drawn)] += 1
    subsets = [sum(1 << card for card in subset) for subset in combinations(cards, 3)]
    assert set(counts) == set(subsets)
    assert stats.chisquare([counts[subset] for subset in subsets]).pvalue > 1e-3


@given(WORDS, SEEDS, st.data())
def test_drawing_takes_so_many_cards_of_the_set_and_moves_on_the_stream(cards, counter, data):
    n = data.draw(st.integers(0, len(members(cards))))
    drawn, after = rng.draw_cards(np.uint64(cards), n, np.uint64(counter))
    assert int(drawn).bit_count() == n
    assert int(drawn) & ~cards == 0
    assert int(after) == counter + n * GOLDEN & FULL


GOLDEN_DEALS = (
    {
        "hands": [
            "H6 HJ HK HA E7 E8 EJ EQ RA S7 S8 SK",
            "H8 H9 H10 E6 E9 E10 EK EA R6 RJ RK S9",
            "H7 HQ R7 R8 R9 R10 RQ S6 S10 SJ SQ SA",
        ],
        "bottom": ["S8", "HA"],
    },
    {
        "hands": [
            "HJ HA EJ EA R7 R8 R9 RQ S7 S8 S9 SK",
            "H7 H8 H9 HQ E7 E8 E10 R6 R10 RJ RK SJ",
            "H6 H10 HK E6 E9 EQ EK RA S6 S10 SQ SA",
        ],
        "bottom": ["RK", "E10"],
    },
    {
        "hands": [
            "H7 E6 E7 E8 EJ EK R8 R9 RA S7 S9 SK",
            "H9 H10 HJ HA R6 R10 RQ RK S8 S10 SJ SQ",
            "H6 H8 HQ HK E9 E10 EQ EA R7 RJ S6 SA",
        ],
        "bottom": ["E10", "HK"],
    },
)


@pytest.mark.parametrize("number", range(3))
def test_the_first_deals_of_seed_1_are_the_checked_in_ones(number):
    states = np.zeros(1, eidex.STATE)
    start(states[0], effective_rules(eidex.SWITCHES, {})[0], 3, number)
    deal(states[0], np.uint64(deal_key(np.uint64(1), number, 0)))
    assert eidex.write_deal(states[0]) == GOLDEN_DEALS[number] | {"dealer": number, "victory_points": [0, 0, 0]}


def test_a_game_that_lacks_a_function_is_refused():
    game = SimpleNamespace(__name__="half_a_game", STATE=record(("x", "u8")), deal=None, play=None)
    with pytest.raises(TypeError, match="half_a_game lacks .*seat_to_act, legal_moves, is_over"):
        dispatch.register(game)
    with pytest.raises(KeyError):
        dispatch.game_of(game.STATE)


def test_two_games_cannot_share_one_state():
    twin = SimpleNamespace(**vars(eidex))
    twin.__name__ = "twin"
    with pytest.raises(TypeError, match="twin and simcore.games.eidex share one state dtype"):
        dispatch.register(twin)
    assert dispatch.game_of(eidex.STATE) is eidex
    dispatch.register(eidex)


def test_a_record_that_is_no_game_has_no_rules():
    @numba.njit
    def legal(state):
        return legal_moves(state)

    with pytest.raises(numba.core.errors.TypingError):
        legal(np.zeros(1, PADDED)[0])
    with pytest.raises(KeyError):
        legal_moves(np.zeros(1, PADDED)[0])


def test_a_state_is_named_after_the_sources_beside_it(tmp_path):
    def state_of(name, text):
        path, scope = tmp_path / name, {}
        path.write_text(text)
        exec(compile(text, str(path), "exec"), scope)
        return scope["STATE"]

    text = 'from simcore.protocol import record\nSTATE = record(("hands", "u8", (3,)), ("seat", "u1"))\n'
    one = state_of("one.py", text)
    assert state_of("one.py", text) == one
    assert state_of("one.py", text + "# another rule\n") != one
    assert state_of("two.py", text) != one


@pytest.mark.parametrize("n", [1, 8, 9, 20, 64])
def test_a_choice_by_index_calls_that_function_however_many_there_are(n):
    @dispatch.by_index([numba.njit(lambda x, step=step: x + 10 * step) for step in range(n)])
    def add(index, x):
        """The stub of a choice at run time."""

    @numba.njit
    def compiled(index, x):
        return add(index, x)

    for index in range(n):
        assert add(index, 1) == compiled(index, 1) == 1 + 10 * index


DECK = Deck(("H6", "H10", "HJ", "SA"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("H1", "no card 'H1', did you mean H10?; cards are like H6, SA"),
        ("sax", "no card 'sax', did you mean SA?; cards are like H6, SA"),
        ("", "no card ''; cards are like H6, SA"),
        (7, "no card 7; cards are like H6, SA"),
        (None, "no card None; cards are like H6, SA"),
    ],
)
def test_a_wrong_card_is_refused_with_the_nearest_name(text, message):
    with pytest.raises(ValueError) as caught:
        DECK.card(text)
    assert str(caught.value) == message


def test_a_set_is_read_from_names_between_blanks_and_commas():
    assert DECK.cards("sa, h6  HJ") == DECK.cards(["HJ", "SA", "H6"]) == 0b1101
    assert DECK.text(0b1101) == "H6 HJ SA"
    assert DECK.cards("") == 0
    assert DECK.all_cards == 0b1111
    assert Deck(tuple(f"c{card}" for card in range(64))).all_cards == FULL


def test_a_card_named_twice_is_refused():
    with pytest.raises(ValueError, match="^H10 is there twice$"):
        DECK.cards("H10 H6 h10")


def test_a_far_word_has_no_nearest_one():
    assert nearest("basik", ["random", "basic"]) == ", did you mean basic?"
    assert nearest("xyzzy", ["random", "basic"]) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("serch:4", "no policy 'serch:4', did you mean search?"),
        ("search", "policy 'search': write search:N with N from 1 to 100000"),
        ("search:0", "write search:N"),
        ("search:100001", "write search:N"),
        ("search:-3", "no policy"),
        ("basic:2", "write plain basic"),
        ("", "no policy ''"),
    ],
)
def test_a_wrong_policy_is_refused_with_what_would_be_right(text, message):
    with pytest.raises(ValueError) as caught:
        parse_policy(text)
    assert message in str(caught.value)


def test_policies_are_read_in_any_case():
    assert parse_policy(" Random ") == (0, 0)
    assert parse_policy("SEARCH:100000")[1] == 100_000


def test_wrong_data_is_refused_in_one_line():
    for call, message in (
        (lambda: check_keys([], "ab", "a deal"), "a deal is an object with a, b"),
        (lambda: check_keys({"hand": 1}, ["hands"], "a deal"), "a deal has no 'hand', did you mean hands?; it may have hands"),
        (lambda: whole_number(True, 0, 2, "dealer"), "dealer is a whole number from 0 to 2, not True"),
        (lambda: whole_number(3, 0, 2, "dealer"), "dealer is a whole number from 0 to 2, not 3"),
        (lambda: whole_number("1", 0, 2, "dealer"), "dealer is a whole number from 0 to 2, not '1'"),
        (lambda: list_of([1], 3, "hands"), "hands is a list of 3"),
        (lambda: list_of("abc", 3, "hands"), "hands is a list of 3"),
    ):
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value) == message


def test_a_switch_with_choices_and_one_with_bounds_say_what_is_allowed():
    bounded, chosen = protocol.Switch("limit", 100, "", 80, 120), protocol.Switch("tie", "third", "", choices=("third", "replay"))
    assert (bounded.allowed, chosen.allowed) == ("80..120", "third | replay")
    with pytest.raises(ValueError, match="^rule limit is in 80..120, not 79$"):
        bounded.encode(79)
    with pytest.raises(ValueError, match="^rule limit is a whole number in 80..120, not 'x'$"):
        bounded.encode("x")
    with pytest.raises(ValueError, match="^rule tie is third | replay, not 'none'$"):
        chosen.encode("none")


COUNT_LAST_TRICK = """
import numpy as np
from simcore.games import eidex
from simcore.games.eidex.scoring import card_points
state = np.zeros(1, eidex.STATE)[0]
print(int(card_points(state, 0)), sum(card_points.stats.cache_hits.values()))
"""


# `random_move` calls `below` in another file, and knows no state whose dtype could tell one version of the rules from another.
DRAW_FIRST_CARD = """
import numpy as np
from simcore.policies import random_move
print(int(random_move(np.uint64(0b1110), np.uint64(0))), sum(random_move.stats.cache_hits.values()))
"""
DRAW_LAST = """

@kernel
def below(word, n):
    return np.uint64(n) - np.uint64(1)
"""


@pytest.mark.parametrize(
    ("program", "before", "file", "edit", "after"),
    [
        (
            COUNT_LAST_TRICK,
            "5",
            "games/eidex/cards.py",
            lambda text: text.replace("LAST_TRICK_POINTS = 5\n", "LAST_TRICK_POINTS = 6\n"),
            "6",
        ),
        (DRAW_FIRST_CARD, "1", "rng.py", lambda text: text + DRAW_LAST, "3"),
    ],
    ids=["a rule", "the core"],
)
def test_an_edit_of_another_file_is_obeyed_by_the_next_process(program, before, file, edit, after, tmp_path):
    package = tmp_path / "simcore"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))

    def run():
        return run_program(program, package=package, NUMBA_CACHE_DIR=str(tmp_path / "cache")).split()

    assert run() == [before, "0"]
    assert run() == [before, "1"]
    text = (package / file).read_text()
    (package / file).write_text(edit(text))
    assert run() == [after, "0"]
    (package / file).write_text(text)
    assert run() == [before, "1"]


@pytest.mark.parametrize("variable", ["HOME", "NUMBA_CACHE_DIR"])
def test_a_cache_folder_that_cannot_be_written_to_is_done_without(variable, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    environment = {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": "", "LOCALAPPDATA": str(file), "TMPDIR": str(tmp_path), variable: str(file)}
    program = COUNT_LAST_TRICK + "from simcore.jit import cache_folder\nprint(cache_folder())"
    points, folder = run_program(program, **environment).splitlines()
    assert points == "5 0"
    assert Path(folder).parent == tmp_path
    assert not Path(folder).exists()
    assert file.read_text() == ""


PLAY = """
import json, sys
import numpy as np
from simcore.engine import Experiment, play_units
from simcore.games import GAMES
from simcore.protocol import effective_rules
number, policies, n = json.loads(sys.argv[1]) if len(sys.argv) > 1 else ARGUMENTS
game = GAMES[number]
experiment = Experiment(game, effective_rules(game.SWITCHES, {}), tuple(policies), (tuple(range(len(policies))),), 3, False)
with np.errstate(over="ignore"):
    print(json.dumps(play_units(experiment, 0, n)[0].tolist()))
"""


def players(game, policies):
    """As many of *policies* as the game has seats, in turn."""
    return [policies[seat % len(policies)] for seat in range(game.PLAYERS[0])]


def rows_of(number, policies, n):
    game = GAMES[number]
    seating = tuple(range(len(policies)))
    experiment = Experiment(game, effective_rules(game.SWITCHES, {}), tuple(policies), (seating,), 3, False)
    return play_units(experiment, 0, n)[0].tolist()


# The tables of Eleusis' thousands of rules take minutes to make without compiling.
PLAIN = [number for number, game in enumerate(GAMES) if game.NAME != "eleusis"]


@pytest.mark.parametrize("number", PLAIN, ids=[GAMES[number].NAME for number in PLAIN])
def test_plain_python_plays_as_the_compiled_kernels_do(number):
    arguments = (number, players(GAMES[number], ["random", "basic", "search:2"]), 2)
    rows = json.loads(run_program(f"ARGUMENTS = {arguments!r}\n{PLAY}", NUMBA_DISABLE_JIT="1"))
    assert rows == rows_of(*arguments)


# Games that are compiled for so long that their bounds are checked among the slow tests.
LONG = dict.fromkeys(("eleusis", "cosmic-eidex", "cosmos", "schafkopf"), pytest.mark.slow)
RULES_ONLY = """
import random
import numpy as np
from simcore import protocol as p
from simcore.games import GAMES
game = GAMES[NUMBER]
draw = random.Random(NUMBER)
states, worlds = np.zeros(1, game.STATE), np.zeros(1, game.STATE)
state, seats = states[0], game.PLAYERS[0]
p.start(state, p.effective_rules(game.SWITCHES, {})[0], seats, 0)
whole, by_seat = np.zeros(len(game.DEAL_MEASURES), np.int32), np.zeros((seats, len(game.SEAT_MEASURES)), np.int32)
for _ in range(N_DEALS):
    p.deal(state, np.uint64(draw.getrandbits(64)))
    while not p.is_over(state):
        moves = int(p.legal_moves(state))
        p.basic_move(state, np.uint64(draw.getrandbits(64)))
        for seat in range(seats):
            p.determinize(state, seat, np.uint64(draw.getrandbits(64)), worlds[0])
            p.points_so_far(state, seat)
        p.play(state, np.uint64(draw.choice([move for move in range(64) if moves >> move & 1])))
    p.kind(state)
    p.measure(state, whole, by_seat)
    p.settle(state)
    if p.winners(state):
        p.start(state, p.effective_rules(game.SWITCHES, {})[0], seats, 0)
print("done")
"""


@pytest.mark.parametrize("number", [pytest.param(k, id=game.NAME, marks=LONG.get(game.NAME, ())) for k, game in enumerate(GAMES)])
def test_the_rules_never_index_out_of_bounds(number):
    assert run_program(f"NUMBER, N_DEALS = {number}, 300\n{RULES_ONLY}", NUMBA_BOUNDSCHECK="1") == "done\n"


RECORD_NAMES = """
import sys
import numba
import numpy as np
from simcore import jit
for size in map(int, sys.argv[1:]):
    record = numba.from_dtype(np.dtype([("before", "u1", (size,)), ("x", "i8")]))
    print(size, record[:].mangling_args[1][0].mangling_args)
"""
SUM_OF_ROUNDS = """
import sys
from simcore.engine import Experiment, play_units
from simcore.games import cosmos
from simcore.protocol import effective_rules
for seats in map(int, sys.argv[1:]):
    rules = effective_rules(cosmos.SWITCHES, {})
    experiment = Experiment(cosmos, rules, ("random",) * seats, (tuple(range(seats)),), 1, False)
    print(seats, play_units(experiment, 0, 50)[0].sum())
"""


def test_a_record_has_one_name_in_the_cache_whatever_a_process_has_compiled_before():
    """Kernels of the same name for different records, left by two processes, would be taken for each other by a third."""
    alone, after_others = run_program(RECORD_NAMES, "3"), run_program(RECORD_NAMES, "1", "2", "3")
    lines = after_others.splitlines()
    assert lines[-1:] == alone.splitlines()
    assert len({line.partition(" ")[2] for line in lines}) == 3


@pytest.mark.slow
def test_kernels_that_two_processes_have_compiled_serve_a_third(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)}
    alone = run_program(SUM_OF_ROUNDS, "5", **cache) + run_program(SUM_OF_ROUNDS, "6", **cache)
    assert run_program(SUM_OF_ROUNDS, "5", "6", **cache) == alone


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(GAMES)), ids=[game.NAME for game in GAMES])
def test_the_engine_never_indexes_out_of_bounds(number):
    arguments = (number, players(GAMES[number], ["random", "basic", "search:4"]), 2000)
    rows = json.loads(run_program(f"ARGUMENTS = {arguments!r}\n{PLAY}", NUMBA_BOUNDSCHECK="1"))
    assert rows == rows_of(*arguments)


def test_bounds_checks_would_be_noticed():
    program = "import numba, numpy as np\n@numba.njit\ndef at(a, i):\n    return a[i]\n"
    program += "try:\n    at(np.zeros(3), 7)\nexcept IndexError:\n    print('out of bounds')"
    assert run_program(program, NUMBA_BOUNDSCHECK="1") == "out of bounds\n"


def test_the_number_of_a_deal_and_not_its_neighbours_decides_its_figures(seed):
    draw = random.Random(seed)
    whole = rows_of(0, ["random"] * 3, 100)
    game = GAMES[0]
    experiment = Experiment(game, effective_rules(game.SWITCHES, {}), ("random",) * 3, ((0, 1, 2),), 3, False)
    for number in draw.sample(range(100), 10):
        alone = play_units(experiment, number, 1)[0].tolist()
        assert alone[0][1:] == whole[number][1:]
