"""What every game must keep: one suite over all games and over a toy that registers from outside."""

import itertools
import random

import numpy as np
import pytest
import toy
from scipy import stats

from simcore import scenario
from simcore.bits import copy_record
from simcore.dispatch import game_of
from simcore.engine import Experiment, choose_move, new_table, play_units
from simcore.games import GAMES
from simcore.perft import perft
from simcore.policies import POLICIES
from simcore.protocol import (
    ATTRIBUTES,
    deal,
    deal_limit,
    determinize,
    effective_rules,
    is_over,
    kind,
    legal_moves,
    measure,
    n_seats,
    play,
    points_so_far,
    seat_to_act,
    settle,
    standing,
    start,
    winners,
)
from simcore.scenario import load_state, replay, result_of, transcript

MAX_MOVES = 1000
# Entries of a position that hold cards, each card of the deck once among them all (or as often as the game has copies of it); those that a
# seat sees only for itself; unseen ones; and what is no card and only some know.
PLACES = tuple("hands pressed piles trick stock played table gone row sidelines pending pot donated face_down aside".split())
OWN = ("hands", "pressed")
UNSEEN = ("stock",)
SECRET = ("rule",)
FACE_DOWN = ("donated", "face_down")
UNSEEN_DETAILS = ("laid", "drawn", "shown_lead", "chosen", "chance")
# Entries of a deal with one value for each seat.
BY_SEAT = ("hands", "victory_points")
POLICY_NUMBER = {policy.name: number for number, policy in enumerate(POLICIES)}

# The rounds of Eleusis are long, and the number of players changes little in them: its fewest, and among the slow tests its usual and most.
# Of COSMOS the odd and the even ones are alike.
SEATS = {"eleusis": (3, 5, 8)}
STEPS = {"eleusis": 5}
TABLES = [(game, seats) for game in (*GAMES, toy) for seats in SEATS.get(game.NAME, game.PLAYERS)]
SLOW = {("eleusis", 5), ("eleusis", 8), ("cosmos", 5), ("toy", 2)}


@pytest.fixture(
    params=[
        pytest.param((game, seats), id=f"{game.NAME}-{seats}", marks=[pytest.mark.slow] * ((game.NAME, seats) in SLOW))
        for game, seats in TABLES
    ]
)
def table(request):
    """A game and the number of seats at its table."""
    return request.param


@pytest.fixture(params=(*GAMES, toy), ids=lambda game: game.NAME)
def game(request):
    return request.param


def new_deal(table, key, dealer=0, **rules):
    """States of shape (1,) with one fresh deal."""
    game, seats = table
    states = np.zeros(1, game.STATE)
    start(states[0], effective_rules(game.SWITCHES, rules)[0], seats, dealer)
    deal(states[0], np.uint64(key))
    return states


def contents_of(states):
    """The bytes of all fields; those between the fields mean nothing and are copied or not as numpy likes."""
    return b"".join(states[name].tobytes() for name in states.dtype.names)


def open_moves(state):
    """The legal moves as a list."""
    moves = int(legal_moves(state))
    return [move for move in range(64) if moves >> move & 1]


def play_randomly(states, rng, n_moves=MAX_MOVES):
    """Play up to *n_moves* random moves; the moves."""
    made = []
    while not is_over(states[0]) and len(made) < n_moves:
        made.append(rng.choice(open_moves(states[0])))
        play(states[0], np.uint64(made[-1]))
    return made


def deals_of(table, rng, n):
    """Some fresh deals with random dealers."""
    for _ in range(n):
        yield new_deal(table, rng.getrandbits(64), rng.randrange(table[1]))


def plies_of(table, rng, n):
    """Positions of *n* random deals with a decision to make, a states array of shape (1,) that is played on afterwards.

    All of them, or in a game whose deals are long, one of every so many.
    """
    step = STEPS.get(table[0].NAME, 1)
    for states in deals_of(table, rng, n):
        play_randomly(states, rng, rng.randrange(step))
        while not is_over(states[0]):
            yield states
            play_randomly(states, rng, step)


def cards_of(deck, texts):
    """All cards named in a position's entry, as a list."""
    names = " ".join(text for text in texts if text).split()
    return [deck.card(name) for name in names]


def texts_of(value):
    """An entry of a position as a list of texts."""
    return [value] if isinstance(value, str) else value


def has_every_card_once(game, state):
    """Whether the position shows each card of the deck in exactly one place."""
    position = game.write_position(state)
    held = [card for key in PLACES for card in cards_of(game.DECK, texts_of(position.get(key, [])))]
    copies = getattr(game, "N_COPIES", {})
    return sorted(held) == [card for card, name in enumerate(game.DECK.names) for _ in range(copies.get(name, 1))]


def open_texts(state):
    """The legal moves as texts: two copies of one card are the same to people, but not the same move number."""
    return [game_of(state.dtype).move_text(state, move) for move in open_moves(state)]


def play_text(state, text):
    play(state, np.uint64(game_of(state.dtype).parse_move(state, text)))


def same_to_the_end(game, states, others, rng):
    """Whether two positions have the same seat to act and legal moves along one random way to the end, and the same figures."""
    first, second = states.copy(), others.copy()
    while not is_over(first[0]):
        if is_over(second[0]) or seat_to_act(first[0]) != seat_to_act(second[0]) or open_texts(first[0]) != open_texts(second[0]):
            return False
        text = rng.choice(open_texts(first[0]))
        play_text(first[0], text)
        play_text(second[0], text)
    return bool(is_over(second[0])) and result_of(first[0]) == result_of(second[0])


def experiment_of(table, policies, is_match=False, seatings=None, seed=1, **rules):
    game, seats = table
    seatings = seatings or (tuple(range(seats)),)
    return Experiment(game, effective_rules(game.SWITCHES, rules), tuple(policies), seatings, seed, is_match)


def mixed(policies, seats):
    """The *policies* in turn, one for each seat."""
    return list(itertools.islice(itertools.cycle(policies), seats))


def seated(table, policy, n_worlds=0):
    """Table of one thread where everybody plays one policy, so that `choose_move` chooses by it."""
    thread = new_table(experiment_of(table, ["search:1"] * table[1]))[0]
    thread.policies[:] = POLICY_NUMBER[policy]
    thread.n_worlds[:] = n_worlds
    return thread


def choice(thread, states, word):
    """Move that the policy at *thread* chooses in the position, with its choices drawn from the counter *word*."""
    copy_record(thread.deal, states[0])
    thread.words[:] = np.uint64(word)
    return int(choose_move(thread))


def test_a_game_has_every_attribute_of_the_protocol(game):
    assert [name for name in (*ATTRIBUTES, "DECK") if not hasattr(game, name)] == []
    assert game.NAME == game.NAME.lower()
    assert game.SEAT_MEASURES and game.KINDS and game.PLAYERS


def test_names_of_games_switches_and_measures_are_unique(game):
    assert [other.NAME for other in (*GAMES, toy)].count(game.NAME) == 1
    for things in (game.SWITCHES, game.DEAL_MEASURES, game.SEAT_MEASURES):
        names = [thing.name for thing in things]
        assert len(set(names)) == len(names)
    assert len(set(game.KINDS)) == len(game.KINDS)


def test_cards_are_conserved_after_every_move(table, seed):
    rng = random.Random(seed)
    for states in deals_of(table, rng, 30):
        assert has_every_card_once(table[0], states[0])
        while play_randomly(states, rng, 1):
            assert has_every_card_once(table[0], states[0])


def test_there_is_always_a_legal_move_until_the_deal_ends(table, seed):
    for states in deals_of(table, random.Random(seed), 100):
        for _ in range(MAX_MOVES):
            if is_over(states[0]):
                break
            assert 0 <= seat_to_act(states[0]) < table[1]
            assert open_moves(states[0])
            play_randomly(states, random.Random(seed), 1)
        assert is_over(states[0])


def test_playing_a_copy_leaves_the_original_alone(table, seed):
    rng = random.Random(seed)
    for states in plies_of(table, rng, 5):
        before, copies = contents_of(states), np.zeros_like(states)
        copy_record(copies[0], states[0])
        assert contents_of(copies) == before
        moves = play_randomly(copies, rng)
        assert contents_of(states) == before != contents_of(copies)
        again = states.copy()
        for move in moves:
            play(again[0], np.uint64(move))
        assert contents_of(again) == contents_of(copies)


def test_the_same_seed_gives_the_same_deal_whatever_was_played_before(table, seed):
    rng = random.Random(seed)
    for _ in range(50):
        key, other = rng.getrandbits(64), rng.getrandbits(64)
        fresh, used = new_deal(table, key), new_deal(table, other)
        play_randomly(used, rng, rng.randrange(40))
        deal(used[0], np.uint64(key))
        assert table[0].write_deal(used[0]) == table[0].write_deal(fresh[0])
        assert contents_of(used) == contents_of(fresh)


def test_different_seeds_give_different_deals(table, seed):
    rng = random.Random(seed)
    deals = {str(table[0].write_deal(new_deal(table, rng.getrandbits(64))[0])) for _ in range(100)}
    # The toy for two has only 34,650 deals: a few of a hundred may meet.
    assert len(deals) >= 96


def test_every_hand_is_dealt_from_the_whole_deck(table):
    seats, deck = table[1], table[0].DECK
    held = np.zeros((seats, len(deck.names)), bool)
    for key in range(200):
        for seat, hand in enumerate(table[0].write_deal(new_deal(table, key, key % seats)[0])["hands"]):
            held[seat, cards_of(deck, [hand])] = True
    assert held.all()


def test_every_legal_move_is_read_back_from_its_text(table, seed):
    game = table[0]
    for states in plies_of(table, random.Random(seed), 30):
        moves = open_moves(states[0])
        texts = [game.move_text(states[0], move) for move in moves]
        assert [game.parse_move(states[0], text) for text in texts] == moves
        assert len(set(texts)) == len(texts)
        assert game.decision_text(states[0])
        declined = game.decline_move(states[0])
        assert declined is None or declined in moves


def test_every_card_of_the_deck_is_read_back_from_its_name(game):
    deck = game.DECK
    assert [deck.card(name) for name in deck.names] == list(range(len(deck.names)))
    assert [deck.card(f" {name.lower()} ") for name in deck.names] == list(range(len(deck.names)))
    assert deck.cards(deck.text(deck.all_cards)) == deck.all_cards


def test_a_deal_comes_back_from_its_text(table, seed):
    game, seats = table
    rng = random.Random(seed)
    for states in deals_of(table, rng, 50):
        data = game.write_deal(states[0])
        assert set(data) <= set(game.DEAL_KEYS)
        read = load_deal(game, seats, data)
        assert game.write_deal(read[0]) == data
        assert game.write_position(read[0]) == game.write_position(states[0])
        assert same_to_the_end(game, states, read, rng)


def test_a_position_comes_back_from_its_text_at_every_ply(table, seed):
    game, seats = table
    rng = random.Random(seed)
    for states in plies_of(table, rng, 12):
        data = game.write_position(states[0])
        read = np.zeros(1, game.STATE)
        start(read[0], effective_rules(game.SWITCHES, {})[0], seats, 0)
        game.read_position(read[0], data)
        assert game.write_position(read[0]) == data
        assert same_to_the_end(game, states, read, rng)


def load_deal(game, seats, data):
    states = np.zeros(1, game.STATE)
    start(states[0], effective_rules(game.SWITCHES, {})[0], seats, 0)
    game.read_deal(states[0], data)
    return states


def test_rotating_the_seats_rotates_the_result(table, seed):
    game, seats = table
    rng = random.Random(seed)
    for states in deals_of(table, rng, 30):
        data = game.write_deal(states[0])
        texts = []
        while not is_over(states[0]):
            texts.append(rng.choice(open_texts(states[0])))
            play_text(states[0], texts[-1])
        result = result_of(states[0])
        for turn in range(1, seats):
            rotated = {key: value[-turn:] + value[:-turn] if key in BY_SEAT else value for key, value in data.items()}
            rotated[opener_of(data)] = (data[opener_of(data)] + turn) % seats
            turned = load_deal(game, seats, rotated)
            for text in texts:
                assert text in open_texts(turned[0])
                play_text(turned[0], text)
            expected = {key: value[-turn:] + value[:-turn] if isinstance(value, list) else value for key, value in result.items()}
            assert result_of(turned[0]) == expected


def opener_of(data):
    """The entry of a deal that names the seat from which the seats are counted."""
    return "dealer" if "dealer" in data else "starter"


def assert_within_bounds(names, measures, figures):
    for name, m, column in zip(names, measures, figures.T, strict=True):
        assert m.low <= column.min(), name
        assert column.max() <= m.high, name


def test_figures_stay_within_their_bounds(table):
    game, seats = table
    policies = mixed(["random", "basic"], seats)
    seatings = tuple(itertools.islice(itertools.permutations(range(seats)), 4))
    kinds = set()
    for setting in settings_of(game):
        experiment = experiment_of(table, policies, False, seatings, **setting)
        deals, _ = play_units(experiment, 0, 2000)
        measures = [*game.DEAL_MEASURES, *game.SEAT_MEASURES * seats]
        assert_within_bounds(experiment.deal_columns()[3:], measures, deals[:, 3:])
        assert (deals[:, 0] == np.arange(2000)).all()
        assert set(deals[:, 1]) == {0}
        kinds |= set(deals[:, 2])
        match = experiment_of(table, policies, True, seatings, **setting)
        deals, matches = play_units(match, 0, 40)
        whole, by_seat = match.match_measures
        assert_within_bounds(match.match_columns(), [*whole, *by_seat * seats], matches)
        assert (np.bincount(deals[:, 0], minlength=40) == matches[:, 0]).all()
        kinds |= set(deals[:, 2])
    # Random bids leave some kinds to chance, and a Sie to a miracle.
    assert 1 < len(kinds)
    assert kinds <= set(range(len(game.KINDS)))


def test_figures_do_not_depend_on_how_the_units_are_cut_into_chunks(table):
    seats = table[1]
    policies = mixed(["random", "basic", "search:2", "oracle:1"], seats)
    seatings = tuple(itertools.islice(itertools.permutations(range(seats)), 3))
    for is_match in (False, True):
        experiment = experiment_of(table, policies, is_match, seatings)
        deals, matches = play_units(experiment, 6, 9)
        first_deals, first_matches = play_units(experiment, 6, 4)
        rest_deals, rest_matches = play_units(experiment, 10, 5)
        rest_deals[:, 0] += 4
        assert (deals == np.concatenate([first_deals, rest_deals])).all()
        assert (matches == np.concatenate([first_matches, rest_matches])).all()
        assert len(matches) == (9 if is_match else 0)


def test_a_used_table_plays_as_a_new_one(table):
    experiment = experiment_of(table, mixed(["search:2", "random", "basic"], table[1]))
    thread = new_table(experiment)
    play_units(experiment, 100, 7, thread)
    assert (play_units(experiment, 3, 5, thread)[0] == play_units(experiment, 3, 5)[0]).all()


def test_players_of_one_block_share_its_cards_and_dealer(table):
    game, seats = table
    seatings = tuple(itertools.islice(itertools.permutations(range(seats)), 2))
    # What a player has for the whole match goes with him from seat to seat.
    rules = {switch.name: "none" for switch in game.SWITCHES if switch.name.startswith("character_")}
    experiment = experiment_of(table, mixed(["random", "basic", "search:1"], seats), False, seatings, seed=3, **rules)
    n_opening = len(game.deal_lines(new_deal(table, 0)[0]))
    openings = [transcript(experiment, unit)[1 : 1 + n_opening] for unit in range(8)]
    assert all(openings[unit] == openings[unit + 1] for unit in range(0, 8, 2))
    assert len({str(opening) for opening in openings}) == 4


def test_a_match_ends_with_its_winners_or_at_its_limit(table):
    game, seats = table
    rng = random.Random(5)
    for setting in settings_of(game):
        states = new_deal(table, 1, seats - 1, **setting)
        assert [int(standing(states[0], seat)) for seat in range(seats)] == [0] * seats
        assert winners(states[0]) == 0
        for number in range(min(int(deal_limit(states[0])), 500)):
            deal(states[0], np.uint64(number))
            assert n_seats(states[0]) == seats
            play_randomly(states, rng)
            assert 0 <= kind(states[0]) < len(game.KINDS)
            before = game.write_deal(states[0])
            settle(states[0])
            # Where the starting player is no dealer, who it is depends on the score.
            if "dealer" in before:
                assert game.write_deal(states[0])["dealer"] == (before["dealer"] + 1) % seats
            if winners(states[0]):
                break
        won = [seat for seat in range(seats) if int(winners(states[0])) >> seat & 1]
        standings = [int(standing(states[0], seat)) for seat in range(seats)]
        assert int(winners(states[0])) >> seats == 0
        assert len({standings[seat] for seat in won} & {standings[seat] for seat in range(seats) if seat not in won}) == 0


def bounds_of(switch):
    """The extreme values of a switch, or all its choices."""
    return switch.choices or (switch.low, switch.high)


def settings_of(game):
    """The default rules, and each switch at each of its bounds."""
    return [{}, *({switch.name: value} for switch in game.SWITCHES for value in bounds_of(switch))]


def test_every_switch_takes_its_bounds_and_refuses_what_is_beyond(game):
    for switch in game.SWITCHES:
        assert switch.default in (switch.choices or range(switch.low, switch.high + 1))
        for value in bounds_of(switch):
            assert switch.decode(switch.encode(value)) == value
            rules = effective_rules(game.SWITCHES, {switch.name: value})
            assert switch.decode(int(rules[switch.name][0])) == value
            # Many choices are only counted.
            assert str(value) in switch.allowed or f"({len(switch.choices)} names)" in switch.allowed
            for other in game.SWITCHES:
                assert other == switch or other.decode(int(rules[other.name][0])) == other.default
        beyond = ("no such choice", 0) if switch.choices else (switch.low - 1, switch.high + 1, "many", 1.5, None)
        for value in beyond:
            with pytest.raises(ValueError, match=f"rule {switch.name} is "):
                effective_rules(game.SWITCHES, {switch.name: value})


def test_an_unknown_switch_is_refused_with_the_nearest_one(game):
    name = game.SWITCHES[0].name
    with pytest.raises(ValueError, match=f"did you mean {name}"):
        effective_rules(game.SWITCHES, {name[:-1]: 1})


def seen_by(position, seat):
    """What *seat* sees of a position: everything but the hidden cards of the others, of which it sees the number."""
    seen = {}
    for key, value in position.items():
        if key in OWN + UNSEEN:
            value = [text if key in OWN and other == seat else len((text or "").split()) for other, text in enumerate(texts_of(value))]
        if key in FACE_DOWN:
            value = [len(text.split()) for text in texts_of(value)]
        if key == "details":
            value = {name: field for name, field in value.items() if name not in UNSEEN_DETAILS}
        if key not in SECRET:
            seen[key] = value
    return seen


def test_a_world_keeps_all_that_the_seat_sees(table, seed):
    game, seats = table
    rng = random.Random(seed)
    worlds = np.zeros(1, game.STATE)
    moved = 0
    for states in plies_of(table, rng, 6):
        before, position = contents_of(states), game.write_position(states[0])
        for seat in range(seats):
            for _ in range(3):
                determinize(states[0], seat, np.uint64(rng.getrandbits(64)), worlds[0])
                world = game.write_position(worlds[0])
                assert seen_by(world, seat) == seen_by(position, seat)
                assert has_every_card_once(game, worlds[0])
                # Reading refuses a hand with cards that its seat has been seen to lack.
                read = np.zeros(1, game.STATE)
                start(read[0], effective_rules(game.SWITCHES, {})[0], seats, 0)
                game.read_position(read[0], world)
                if seat_to_act(states[0]) == seat:
                    assert legal_moves(worlds[0]) == legal_moves(states[0])
                moved += world["hands"] != position["hands"]
        assert contents_of(states) == before
    assert moved > 20


def test_a_world_depends_on_nothing_that_the_seat_does_not_see(table, seed):
    game, seats = table
    rng = random.Random(seed)
    other_truth, first, second = (np.zeros(1, game.STATE) for _ in range(3))
    for states in plies_of(table, rng, 10):
        for seat in range(seats):
            determinize(states[0], seat, np.uint64(rng.getrandbits(64)), other_truth[0])
            key = np.uint64(rng.getrandbits(64))
            determinize(states[0], seat, key, first[0])
            determinize(other_truth[0], seat, key, second[0])
            assert contents_of(first) == contents_of(second)


@pytest.mark.parametrize("policy", ["basic", "search"])
def test_a_choice_does_not_change_when_hidden_cards_are_exchanged(table, policy, seed):
    rng = random.Random(seed)
    thread = seated(table, policy, 3)
    other_truth = np.zeros(1, table[0].STATE)
    permuted = 0
    for states in plies_of(table, rng, 30):
        seat = seat_to_act(states[0])
        word = rng.getrandbits(64)
        determinize(states[0], seat, np.uint64(rng.getrandbits(64)), other_truth[0])
        permuted += table[0].write_position(other_truth[0]) != table[0].write_position(states[0])
        assert choice(thread, states, word) == choice(thread, other_truth, word)
    assert permuted > 100


def test_the_choice_of_a_cheat_does_change_when_hidden_cards_are_exchanged(table, seed):
    rng = random.Random(seed)
    thread = seated(table, "oracle", 3)
    other_truth = np.zeros(1, table[0].STATE)
    changed = 0
    for states in plies_of(table, rng, 60):
        word = rng.getrandbits(64)
        determinize(states[0], seat_to_act(states[0]), np.uint64(rng.getrandbits(64)), other_truth[0])
        changed += choice(thread, states, word) != choice(thread, other_truth, word)
    assert changed > 0


@pytest.mark.parametrize("policy", [policy.name for policy in POLICIES])
def test_every_policy_chooses_a_legal_move(table, policy, seed):
    rng = random.Random(seed)
    thread = seated(table, policy, 1)
    for states in plies_of(table, rng, 5):
        assert choice(thread, states, rng.getrandbits(64)) in open_moves(states[0])


def test_random_play_chooses_every_legal_move_equally_often(table):
    rng = random.Random(1)
    thread = seated(table, "random")
    tested = 0
    for states in itertools.islice(plies_of(table, rng, 2), 0, None, 3):
        moves = open_moves(states[0])
        if len(moves) == 1:
            continue
        copy_record(thread.deal, states[0])
        thread.streams[:] = np.uint64(rng.getrandbits(64))
        chosen = np.array([int(choose_move(thread)) for _ in range(400 * len(moves))])
        counts = [int((chosen == move).sum()) for move in moves]
        assert sum(counts) == len(chosen)
        assert stats.chisquare(counts).pvalue > 1e-4
        tested += 1
    assert tested >= 2


def test_perft_counts_what_a_walk_over_all_moves_counts(table):
    game, seats = table

    def walk(states, depth):
        if depth == 0 or is_over(states[0]):
            return 1, sum((seat + 1) * int(points_so_far(states[0], seat)) for seat in range(seats))
        count = checksum = 0
        for move in open_moves(states[0]):
            after = states.copy()
            play(after[0], np.uint64(move))
            n, check = walk(after, depth - 1)
            count, checksum = count + n, checksum + check
        return count, checksum

    rng = random.Random(7)
    states = new_deal(table, 11)
    for depth in range(4):
        assert perft(states, depth, seats) == walk(states, depth)
    n_open, made, walked = [], [], states.copy()
    while not is_over(walked[0]):
        n_open.append(len(open_moves(walked[0])))
        made.append(play_randomly(walked, rng, 1)[0])
    # The tree from two rounds before the end, or from where it is still small: a deal that ends early does so with full hands.
    n_last = max(n for n in range(1, 2 * seats + 1) if n == 1 or np.prod(n_open[-n:]) <= 5000)
    for move in made[:-n_last]:
        play(states[0], np.uint64(move))
    before = contents_of(states)
    for depth in (n_last, n_last + 1):
        assert perft(states, depth, seats) == walk(states, depth)
    count = perft(states, n_last, seats)[0]
    assert count > 1
    assert contents_of(states) == before


def test_a_transcript_replays_to_itself(table, monkeypatch, seed):
    game, seats = table
    monkeypatch.setattr(scenario, "GAMES", (*GAMES, toy))
    rng = random.Random(seed)
    for states in deals_of(table, rng, 10):
        data = {"game": game.NAME, "players": seats, **game.write_deal(states[0])}
        texts, played = [], states.copy()
        while not is_over(played[0]):
            move = rng.choice(open_moves(played[0]))
            texts.append(game.move_text(played[0], move))
            play(played[0], np.uint64(move))
        told = replay(data | {"moves": texts})
        assert told.over
        assert told.result == result_of(played[0])
        assert [event.partition(" ")[2] for event in told.events if event[0].isdigit()] == texts
        half = len(texts) // 2
        stopped = replay(data | {"moves": texts[:half]})
        assert not stopped.over
        assert texts[half] in stopped.legal
        reached = load_state(data)
        for text in texts[:half]:
            play(reached[0], np.uint64(game.parse_move(reached[0], text)))
        position = {"game": game.NAME, "players": seats, "position": game.write_position(reached[0]), "moves": texts[half:]}
        assert replay(position).result == told.result


def test_a_replay_stops_at_the_first_illegal_move_and_says_what_is_legal(table, monkeypatch):
    game, seats = table
    monkeypatch.setattr(scenario, "GAMES", (*GAMES, toy))
    states = new_deal(table, 2)
    data = {"game": game.NAME, "players": seats, **game.write_deal(states[0])}
    while game.decline_move(states[0]) is not None:
        play(states[0], np.uint64(game.decline_move(states[0])))
    wrong = next(name for card, name in enumerate(game.DECK.names) if card not in open_moves(states[0]))
    with pytest.raises(ValueError, match=f"move 1 \\({wrong}\\) ") as caught:
        replay(data | {"moves": [wrong]})
    assert all(game.move_text(states[0], move) in str(caught.value) for move in open_moves(states[0]))


def test_a_transcript_of_a_unit_tells_the_figures_of_the_engine(table):
    game, seats = table
    for is_match in (False, True):
        experiment = experiment_of(table, mixed(["random", "basic", "search:1"], seats), is_match, seed=9)
        deals, _ = play_units(experiment, 4, 3)
        columns = experiment.deal_columns()
        for row in deals:
            lines = transcript(experiment, 4 + int(row[0]), int(row[1]))
            m = game.SEAT_MEASURES[0]
            told = next(line for line in lines if line.startswith(m.name.replace("_", " ") + ": "))
            figures = [str(row[columns.index(f"{m.name}_{seat}")]) for seat in range(seats)]
            assert told.partition(": ")[2].split() == figures


def test_an_optional_decision_is_declined_by_a_move_that_does_not_answer_it(monkeypatch):
    monkeypatch.setattr(scenario, "GAMES", (*GAMES, toy))
    states = new_deal((toy, 3), 4)
    data = {"game": "toy", **toy.write_deal(states[0])}
    card = toy.write_deal(states[0])["hands"][1].split()[0]
    assert replay(data | {"moves": [card]}).events == replay(data | {"moves": ["no", card]}).events
    assert replay(data | {"moves": [card]}).events != replay(data | {"moves": ["yes", card]}).events


def test_every_figure_of_a_finished_deal_is_written(table):
    game, seats = table
    states = new_deal(table, 8)
    play_randomly(states, random.Random(8))
    whole = np.full(len(game.DEAL_MEASURES), 99, np.int32)
    by_seat = np.full((seats, len(game.SEAT_MEASURES)), 9999, np.int32)
    measure(states[0], whole, by_seat)
    assert_within_bounds([m.name for m in game.DEAL_MEASURES], game.DEAL_MEASURES, whole[None])
    assert_within_bounds([m.name for m in game.SEAT_MEASURES], game.SEAT_MEASURES, by_seat)


def test_every_switch_and_measure_says_what_it_is(game):
    for thing in (*game.SWITCHES, *game.DEAL_MEASURES, *game.SEAT_MEASURES, game.STANDING):
        assert thing.text
    for m in (*game.DEAL_MEASURES, *game.SEAT_MEASURES, game.STANDING):
        assert m.low < m.high
