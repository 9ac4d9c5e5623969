"""Whatever is fed to a parser, it answers or says in one line what is wrong: no traceback, no hang, no harm."""

import copy
import json
import sys
import tomllib
from functools import cache

import click
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cli import __main__ as cli
from cli.options import Count, Part, Percentage, make_experiment, read_rules
from cli.plan import read_plan
from simcore.engine import choose_move, deal_out
from simcore.games import GAMES
from simcore.policies import parse_policy
from simcore.protocol import is_over, legal_moves, play
from simcore.results import carry_on, create, open_run
from simcore.results.chunks import Chunks
from simcore.scenario import load_state, play_to, replay

PLAN = """
[defaults]
deals = "1k"
seed = 7
policy = ["random", "search:8"]

[run.limits]
game = "eidex"
points_limit = [90, 110]

[run.space]
game = "cosmos"
players = 3
until = "1%"
"""
# Numbers that a parser may believe, texts that are nearly right, and what JSON has besides.
WORDS = [game.NAME for game in GAMES] + ["", "H7", "press HA", "yes", "no", "search:8", "0.5%", "../../etc/passwd", "\x00", "٣", "é" * 300]
NUMBERS = st.integers(-2, 70) | st.sampled_from([-(2**63), 2**31, 2**63, 2**64, 10**30, 10**300])
SCALARS = st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=20) | st.sampled_from(WORDS)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=4))
fuzz = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
thorough = settings(fuzz, max_examples=5000)


@cache
def scenarios():
    """A deal and a position of every game for every number of seats, with the moves of random play."""
    found = []
    for game in GAMES:
        for seats in game.PLAYERS:
            options = {"players": seats, "policy": "random", "policies": None, "settings": (), "seed": 3, "is_match": False}
            experiment = make_experiment(game.NAME, **options)
            deal, moves = max((random_play(experiment, unit) for unit in range(5)), key=lambda played: len(played[1]))
            about, half = {"game": game.NAME, "players": seats}, len(moves) // 2
            found.append(about | deal | {"moves": moves})
            found.append(about | {"position": game.write_position(play_to(found[-1] | {"moves": moves[:half]})[0]), "moves": moves[half:]})
    return found


def random_play(experiment, unit):
    """A deal as a scenario has it, and the moves of random play to its end."""
    table = deal_out(experiment, unit)[0]
    deal, moves = experiment.game.write_deal(table.deal), []
    while not is_over(table.deal):
        move = int(choose_move(table))
        moves.append(experiment.game.move_text(table.deal, move))
        play(table.deal, np.uint64(move))
    return deal, moves


def places(data, at=()):
    """Paths of all that is in *data*."""
    yield at
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(value, (*at, key))


@st.composite
def damaged(draw, wholes):
    """One of the documents that *wholes* gives, some of its parts replaced, taken out, or with a bit more."""
    data = copy.deepcopy(draw(st.sampled_from(wholes())))
    for _ in range(draw(st.integers(1, 3))):
        *path, last = draw(st.sampled_from(list(places(data))[1:] or [(None,)]))
        inner = data
        for key in path:
            inner = inner[key]
        change = draw(st.sampled_from(["replace", "remove", "twice", "text"]))
        if last is None:
            return draw(VALUES)
        if change == "remove":
            del inner[last]
        elif change == "twice" and isinstance(inner, list):
            inner.insert(last, inner[last])
        elif change == "text" and isinstance(inner[last], str):
            text = inner[last]
            cut = draw(st.integers(0, len(text)))
            inner[last] = text[:cut] + draw(st.text(max_size=3)) + text[cut + draw(st.integers(0, 2)) :]
        else:
            inner[last] = draw(VALUES)
    return data


def refused_in_one_line(function, *arguments, expected=(ValueError, click.UsageError)):
    """Call a parser: whether it accepted. Only the errors that the command line tells in one line may come."""
    try:
        function(*arguments)
    except expected as error:
        message = error.format_message() if isinstance(error, click.UsageError) else str(error)
        assert message.strip()
        return False
    return True


def test_the_scenarios_that_are_damaged_below_are_sound():
    assert all(replay(data).over for data in scenarios())


@fuzz
@given(damaged(scenarios) | VALUES)
def test_a_damaged_scenario_is_played_or_refused(data):
    for parser in (replay, play_to, load_state):
        refused_in_one_line(parser, copy.deepcopy(data))
    refused_in_one_line(play_to, copy.deepcopy(data), True)


@pytest.mark.slow
@thorough
@given(damaged(scenarios) | VALUES)
def test_many_damaged_scenarios_are_played_or_refused(data):
    refused_in_one_line(replay, copy.deepcopy(data))
    refused_in_one_line(play_to, data, True)


@fuzz
@given(st.data(), st.text(max_size=12) | st.sampled_from(WORDS))
def test_any_text_is_a_move_or_none(draw, text):
    data = draw.draw(st.sampled_from(scenarios()))
    states = play_to(data | {"moves": data["moves"][:3]})
    game = next(game for game in GAMES if game.NAME == data["game"])
    try:
        move = game.parse_move(states[0], text)
    except ValueError:
        return
    assert 0 <= move < 64
    if int(legal_moves(states[0])) >> move & 1:
        assert game.parse_move(states[0], game.move_text(states[0], move)) == move


watching: list[str] | None = None


def watch(event, arguments):
    if watching is not None and event in ("open", "os.listdir", "os.remove", "os.rename", "os.mkdir", "subprocess.Popen", "socket.connect"):
        watching.append(f"{event} {arguments}")


def test_a_scenario_is_data_that_reads_and_writes_nothing():
    global watching
    sys.addaudithook(watch)

    def check(data):
        global watching
        watching = []
        try:
            refused_in_one_line(replay, data)
            assert watching == []
        finally:
            watching = None

    for data in scenarios():
        replay(data)  # whatever is imported or compiled for a sound one
    check(scenarios()[0] | {"game": "../../../etc/passwd"})
    check(scenarios()[0] | {"moves": ["__import__('os').system('id')", "/etc/passwd"]})
    fuzz(given(damaged(scenarios))(check))()


def as_toml(data):
    """A plan as TOML; JSON writes its texts, numbers and lists like TOML does."""
    lines = []
    for key, table in data.items():
        for name, options in ({key: table} if key == "defaults" else {f"run.{name}": run for name, run in table.items()}).items():
            lines += [f"[{name}]", *(f"{option} = {json.dumps(value)}" for option, value in options.items())]
    return "\n".join(lines).encode()


KEYS = "game deals games until seconds players policy policies seed chunk rows points_limit to_win void nothing".split()
CHOICES = st.dictionaries(st.sampled_from(KEYS), SCALARS | st.lists(SCALARS, max_size=4), max_size=3)


@st.composite
def plans(draw):
    """The sound plan with some options changed, or its text with some bytes changed."""
    data = tomllib.loads(PLAN)
    data["defaults"] |= draw(CHOICES)
    data["run"]["limits"] |= draw(CHOICES)
    text = bytearray(as_toml(data))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text) - 1))
        text[at : at + draw(st.integers(0, 9))] = draw(st.binary(max_size=4) | st.sampled_from([b"[", b"]", b'"', b"\n", b"=", b"[["]))
    return bytes(text)


@fuzz
@given(plans() | st.binary(max_size=200))
@example(as_toml(tomllib.loads(PLAN)))
@example(b"a = " + b"{a = " * 3000)
@example(b"[run.a]\n" + b"".join(b"%c = [%s]\n" % (97 + k, b"1," * 1000) for k in range(20)))
def test_any_plan_is_read_or_refused(tmp_path_factory, text):
    file = tmp_path_factory.getbasetemp() / "plan.toml"
    file.write_bytes(text)
    refused_in_one_line(read_plan, file, expected=ValueError)


def test_the_plan_that_is_damaged_above_is_sound(tmp_path):
    (tmp_path / "plan.toml").write_bytes(as_toml(tomllib.loads(PLAN)))
    assert len(read_plan(tmp_path / "plan.toml").runs) == 6


@fuzz
@given(st.text(max_size=12) | st.sampled_from(["1e99", "1e12", "9" * 400, "0.1%", "1/1", "999999/999999", "1e-5", "search:99999999999"]))
def test_any_text_is_an_option_or_refused(text):
    for kind in (Count(), Percentage(), Part()):
        refused_in_one_line(kind.convert, text, None, None)
    refused_in_one_line(parse_policy, text)
    for game in GAMES:
        refused_in_one_line(read_rules, game, (text,))
        refused_in_one_line(read_rules, game, (f"{game.SWITCHES[0].name}={text}",))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of two chunks with rows."""
    options = {"players": None, "policy": "random", "policies": None, "settings": (), "seed": 3, "is_match": False}
    run = create(make_experiment("eidex", **options), tmp_path_factory.mktemp("runs") / "run", 50, 100, rows=True)
    carry_on(run, 1)
    return run


@fuzz
@given(data=st.data())
def test_a_damaged_run_json_is_refused_or_says_the_same(run, tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp() / "damaged"
    folder.mkdir(exist_ok=True)
    if data.draw(st.booleans()):
        text = json.dumps(data.draw(damaged(lambda: [run.info]))).encode()
    else:
        text = bytearray(json.dumps(run.info).encode())
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
    (folder / "run.json").write_bytes(text)
    try:
        found = open_run(folder)
    except ValueError as error:
        assert str(error).startswith(str(folder))
        return
    assert found.configuration == run.configuration


@fuzz
@given(data=st.data())
def test_a_damaged_chunk_is_sound_or_none(run, data):
    chunks = Chunks(run)
    expected = chunks.read(1).flat()
    file = run.chunk_file(1) if data.draw(st.booleans()) else run.rows_file(1)
    sound = file.read_bytes()
    damaged = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 50))] = data.draw(st.binary(max_size=50))
    try:
        file.write_bytes(damaged)
        counts = chunks.read(1)
        assert counts is None or (counts.flat() == expected).all()
    finally:
        file.write_bytes(sound)


@pytest.mark.parametrize("command", ["replay", "estimate", "perft"])
def test_the_commands_tell_it_in_one_line(command, tmp_path, capsys):
    file = tmp_path / "file.json"
    arguments = {
        "replay": [str(file)],
        "estimate": ["eidex", str(file), "--worlds", "2"],
        "perft": ["eidex", "--depth", "1", "--position", str(file)],
    }

    @settings(fuzz, max_examples=60)
    @given(damaged(lambda: scenarios()[:2]) | VALUES)
    def check(data):
        file.write_text(json.dumps(data))
        code = cli._run([command, *arguments[command]])
        out, err = capsys.readouterr()
        assert code in (0, 2), err
        assert (err.count("\n"), bool(out)) == ((0, True) if code == 0 else (1, False))

    check()
