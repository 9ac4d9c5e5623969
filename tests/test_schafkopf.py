"""Schafkopf: the kernels against the plain reference and the rules, worlds, statistics, and the solver."""

import json
import math
import random
from collections import Counter
from itertools import combinations
from pathlib import Path

import numba
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from reference import schafkopf as reference

from cli.__main__ import cosmic
from simcore.bits import ONE, copy_record, lowest, popcount
from simcore.engine import NUMBER, Experiment, begin_unit, choose_move, new_table, play_units, start_streams
from simcore.estimate import open_moves, try_openings
from simcore.games import schafkopf as game
from simcore.games.schafkopf.basic import basic_move
from simcore.games.schafkopf.bidding import biddable, called_ace
from simcore.games.schafkopf.cards import COURTS, DECK, HEARTS, TRUMPS, WENZ
from simcore.games.schafkopf.contracts import BID_TEXTS, SIE_BID
from simcore.games.schafkopf.scoring import laufende, run_length, units
from simcore.games.schafkopf.solver import has_solution, new_solver, solve
from simcore.games.schafkopf.state import NOBODY, OVER, STATE
from simcore.jit import kernel
from simcore.perft import perft
from simcore.protocol import deal, determinize, effective_rules, is_over, legal_moves, measure, play, seat_to_act, start
from simcore.rng import DEAL, stream
from simcore.scenario import load_state, play_to, replay

GOLDEN = json.loads((Path(__file__).parent / "golden" / "schafkopf.json").read_text(encoding="utf-8"))
RULES = effective_rules(game.SWITCHES, {})


def random_hands(rng):
    """Four hands of the shuffled deck, as lists of card names."""
    deck = list(reference.DECK)
    rng.shuffle(deck)
    return [deck[8 * seat : 8 * seat + 8] for seat in range(4)]


def new_state(hands, dealer=0):
    """State (records of shape (1,)) of a deal with these hands."""
    return load_state({"game": "schafkopf", "dealer": dealer, "hands": [" ".join(sorted(hand)) for hand in hands]})


def texts(state, moves):
    """Moves of a set as texts."""
    return {game.move_text(state, move) for move in range(64) if int(moves) >> move & 1}


def random_move(rng, legal, ceiling):
    """One of the legal moves; a bid of at most kind number *ceiling*, so that every contract gets its turn."""
    bids = [move for move in legal if move in reference.BIDS and reference.KINDS.index(reference.kind_of(move)) <= ceiling]
    return rng.choice(sorted(bids or legal))


def play_both(rng, hands, dealer, ceiling):
    """A random deal on the kernels and on the reference, compared after every move; finished states of both."""
    states, deal = new_state(hands, dealer), reference.Deal([set(hand) for hand in hands], dealer)
    state = states[0]
    while not deal.is_over():
        assert not is_over(state)
        assert seat_to_act(state) == deal.seat_to_act()
        assert texts(state, legal_moves(state)) == deal.legal()
        move = random_move(rng, deal.legal(), ceiling)
        play(state, np.uint64(game.parse_move(state, move)))
        deal.play(move)
        assert [set(DECK.text(hand).split()) for hand in state.hands] == deal.hands
        assert state.points.tolist() == deal.card_points()
        assert state.tricks.tolist() == deal.tricks_won()
    assert is_over(state)
    return states, deal


def result_of(state):
    """Figures of a finished deal by name."""
    whole, by_seat = np.zeros(len(game.DEAL_MEASURES), np.int32), np.zeros((4, len(game.SEAT_MEASURES)), np.int32)
    measure(state, whole, by_seat)
    figures = {m.name: int(value) for m, value in zip(game.DEAL_MEASURES, whole, strict=True)}
    return figures | {m.name: by_seat[:, k].tolist() for k, m in enumerate(game.SEAT_MEASURES) if m.name not in figures}


def check_result(state, deal):
    """The settlement of both is the same, and sums to zero."""
    expected, result = deal.result(), result_of(state)
    assert game.KINDS[int(game.kind(state))] == {"pass": "all pass"}.get(expected["kind"], expected["kind"])
    assert result["units"] == expected["units"] == [int(units(state, seat)) for seat in range(4)]
    assert sum(result["units"]) == 0
    assert result["laufende"] == expected["laufende"]
    assert result["declarer_side_won"] == expected["won"]
    assert result["schneider"] == (expected["schneider"] or expected["schwarz"])
    assert result["schwarz"] == expected["schwarz"]
    assert [seat for seat in range(4) if result["declarer"][seat]] == [seat for seat in [deal.declarer()] if seat is not None]
    assert [seat for seat in range(4) if result["partner"][seat]] == [seat for seat in [deal.partner()] if seat is not None]
    for figures, measures in ((result, game.DEAL_MEASURES), (result, game.SEAT_MEASURES)):
        for m in measures:
            values = figures[m.name]
            assert all(m.low <= value <= m.high for value in (values if isinstance(values, list) else [values]))


@pytest.mark.parametrize("ceiling", range(7))
def test_random_deals_agree_with_the_reference(ceiling):
    rng = random.Random(ceiling)
    for number in range(150):
        states, deal = play_both(rng, random_hands(rng), number % 4, ceiling)
        check_result(states[0], deal)


def test_hands_with_a_sie_agree_with_the_reference():
    rng = random.Random(0)
    courts = [card for card in reference.DECK if not reference.is_ordinary(card)]
    kinds = Counter()
    for number in range(30):
        others = [card for card in reference.DECK if card not in courts]
        rng.shuffle(others)
        hands = [others[:8], others[8:16], others[16:]]
        hands.insert(rng.randrange(4), courts)
        states, deal = play_both(rng, hands, number % 4, 6)
        check_result(states[0], deal)
        kinds[deal.result()["kind"]] += 1
    assert kinds["Sie"]


@pytest.mark.parametrize("contract", ["Rufer E", "Wenz", "Solo H"])
def test_perft_agrees_with_the_reference(contract):
    rng = random.Random(7)
    hands = random_hands(rng)
    while not reference.can_bid(set(hands[1]), contract):
        hands = random_hands(rng)
    states, deal = new_state(hands), reference.Deal([set(hand) for hand in hands], 0)
    for move in [contract, "pass", "pass", "pass"]:
        play(states[0], np.uint64(game.parse_move(states[0], move)))
        deal.play(move)
    assert perft(states, 5, 4) == reference.perft(deal, 5)


def test_perft_of_the_bidding_agrees_with_the_reference():
    hands = random_hands(random.Random(3))
    assert perft(new_state(hands), 4, 4) == reference.perft(reference.Deal([set(hand) for hand in hands], 0), 4)


# Settlement: hands with a given run of highest trumps, and tricks as one wants them.


def hands_with_run(contract, n, is_declarers):
    """Hands in which seat 1 declares, seat 3 holds the called ace, and one side holds just the *n* highest trumps."""
    trumps, ace = reference.trumps_of(contract), reference.called_ace(contract)
    side = [1] if ace is None else [1, 3]
    others = [seat for seat in range(4) if seat not in side]
    owners, breakers = (side, others) if is_declarers else (others, side)
    hands = [set() for _ in range(4)]
    if ace:
        hands[3].add(ace)
        hands[1].add(ace[0] + "7")
    for place, card in enumerate(trumps[: n + 1]):
        free = [seat for seat in (owners if place < n else breakers) if len(hands[seat]) < 8]
        hands[free[0]].add(card)
    rest = [card for card in reference.DECK if not any(card in hand for hand in hands)]
    for card in rest:
        next(hand for hand in hands if len(hand) < 8).add(card)
    return hands


def settlement(contract, points, tricks, n_run=0, is_declarers=True, **rules):
    """Units by seat when seat 1 has declared *contract* and its side has taken so many points and tricks."""
    states = new_state(hands_with_run(contract, n_run, is_declarers))
    state = states[0]
    for name, value in rules.items():
        state.rules[name] = effective_rules(game.SWITCHES, {name: value})[name][0]
    for bid in (BID_TEXTS.index(contract), 0, 0, 0):
        play(state, np.uint64(bid))
    state.points[:] = [120 - points, points, 0, 0]
    state.tricks[:] = [8 - tricks, tricks, 0, 0]
    state.decision = OVER
    result = [int(units(state, seat)) for seat in range(4)]
    assert sum(result) == 0
    return result


@pytest.mark.parametrize(
    ("contract", "points", "tricks", "run", "is_declarers", "expected"),
    [
        ("Rufer E", 61, 5, 2, True, [-1, 1, -1, 1]),
        ("Rufer E", 91, 5, 2, True, [-2, 2, -2, 2]),
        ("Rufer E", 120, 8, 2, True, [-3, 3, -3, 3]),
        ("Rufer E", 120, 8, 4, True, [-7, 7, -7, 7]),
        ("Solo G", 61, 5, 3, True, [-8, 24, -8, -8]),
        ("Solo G", 60, 5, 4, True, [9, -27, 9, 9]),
        ("Wenz", 91, 6, 2, True, [-8, 24, -8, -8]),
        ("Solo Tout H", 120, 8, 5, True, [-20, 60, -20, -20]),
        ("Wenz Tout", 20, 3, 2, True, [14, -42, 14, 14]),
    ],
)
def test_settlement_examples_of_s17(contract, points, tricks, run, is_declarers, expected):
    assert settlement(contract, points, tricks, run, is_declarers) == expected


def test_sie_pays_twenty_and_four_for_each_of_eight_laufende():
    others = [card for card in reference.DECK if reference.is_ordinary(card)]
    hands = [others[:8], [card for card in reference.DECK if not reference.is_ordinary(card)], others[8:16], others[16:]]
    for sie_laufende, value in (("count", 52), ("none", 20)):
        states = load_state({"game": "schafkopf", "rules": {"sie_laufende": sie_laufende}, "hands": [" ".join(hand) for hand in hands]})
        play(states[0], np.uint64(SIE_BID))
        assert is_over(states[0])
        assert [int(units(states[0], seat)) for seat in range(4)] == [-value, 3 * value, -value, -value]


def test_base_is_one_for_a_rufer_and_five_for_wenz_and_solo():
    assert settlement("Rufer S", 61, 5)[1] == 1
    assert settlement("Wenz", 61, 5)[1] == settlement("Solo H", 61, 5)[1] == 15


def test_sixty_points_lose():
    assert settlement("Rufer G", 60, 4) == [1, -1, 1, -1]
    assert settlement("Solo E", 60, 4)[1] == -15


@pytest.mark.parametrize(("points", "extra"), [(30, 1), (31, 0), (90, 0), (91, 1)])
def test_schneider_is_91_for_the_declarer_and_90_for_the_defenders(points, extra):
    assert abs(settlement("Rufer G", points, 4)[0]) == 1 + extra
    assert abs(settlement("Solo E", points, 4)[0]) == 5 + extra


def test_schwarz_is_about_tricks_and_adds_two_instead_of_one():
    assert settlement("Solo E", 120, 8)[0] == -7
    assert settlement("Solo E", 120, 7)[0] == -6
    assert settlement("Solo E", 0, 0)[0] == 7
    assert settlement("Solo E", 0, 1)[0] == 6


def test_tout_has_no_schneider_or_schwarz():
    assert settlement("Solo Tout E", 120, 8)[0] == -10
    assert settlement("Solo Tout E", 0, 0)[0] == settlement("Wenz Tout", 110, 7)[0] == 10


@pytest.mark.parametrize(("contract", "least"), [("Rufer E", 3), ("Solo G", 3), ("Wenz", 2), ("Wenz Tout", 2), ("Solo Tout S", 3)])
def test_laufende_count_from_their_least_number_and_double_in_a_tout(contract, least):
    base, factor = (10, 2) if "Tout" in contract else (1 if "Rufer" in contract else 5, 1)
    for n in range(1, 5):
        expected = base + (factor * n if n >= least else 0)
        assert settlement(contract, 61, 8 if "Tout" in contract else 5, n)[0] == -expected


def test_laufende_of_the_losers_are_paid_to_the_winners():
    for contract in ("Rufer E", "Solo G", "Wenz"):
        base = 1 if "Rufer" in contract else 5
        assert settlement(contract, 61, 5, 4, is_declarers=False)[0] == -base - 4
        assert settlement(contract, 60, 5, 4, is_declarers=False)[0] == base + 4


def test_laufende_of_two_partners_are_not_capped():
    assert settlement("Rufer E", 61, 5, 13)[1] == 1 + 13


def test_a_tariff_is_a_set_of_switches():
    tariff = {"rufer_base": 20, "schneider": 10, "schwarz": 10, "laufende": 3}
    assert settlement("Rufer E", 91, 7, 3, **tariff)[1] == 20 + 10 + 9


def test_four_passes_are_an_outcome_of_their_own():
    result = replay(GOLDEN["all pass"]["scenario"]).result
    assert result["kind"] == "all pass" and result["passed"] == 1 and result["units"] == [0, 0, 0, 0]


# Transcripts


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_transcript(name):
    scenario = GOLDEN[name]["scenario"]
    told = replay(scenario)
    assert told.lines == GOLDEN[name]["transcript"]
    other = reference.Deal([set(hand.split()) for hand in scenario["hands"]], scenario["dealer"])
    for move in scenario["moves"]:
        other.play(move)
    assert other.is_over() and other.result()["units"] == told.result["units"]


def test_moves_and_their_texts_are_inverse():
    state = new_state(random_hands(random.Random(1)))[0]
    assert [game.parse_move(state, text) for text in BID_TEXTS] == list(range(len(BID_TEXTS)))
    for _ in range(4):
        play(state, np.uint64(4 if state.contract == 0 else 0))
    assert [game.parse_move(state, name) for name in DECK.names] == list(range(32))


@pytest.mark.parametrize(("text", "problem"), [("Rufer H", "no bid"), ("Solo", "no bid"), ("X7", "no bid")])
def test_a_wrong_bid_is_refused_with_the_right_ones(text, problem):
    with pytest.raises(ValueError, match=problem):
        replay({**GOLDEN["Rufer"]["scenario"], "moves": [text]})


# What a seat may know


def history(rng, ceiling, n_moves):
    """Dealer's hands, moves so far and the state after *n_moves* moves (or fewer: never the last) of a random deal."""
    hands = random_hands(rng)
    states = new_state(hands, rng.randrange(4))
    moves = []
    while len(moves) < n_moves:
        move = random_move(rng, texts(states[0], legal_moves(states[0])), ceiling)
        before = states.copy()
        play(states[0], np.uint64(game.parse_move(states[0], move)))
        if is_over(states[0]):
            return before, moves
        moves.append(move)
    return states, moves


def is_possible(dealt, dealer, moves):
    """Whether the moves were legal with these hands: just what can be known about hidden cards, by the reference."""
    other = reference.Deal(dealt, dealer)
    try:
        for move in moves:
            other.play(move)
    except ValueError:
        return False
    return True


def names(cards):
    """A set of cards as a set of names."""
    return set(DECK.text(cards).split())


@pytest.mark.parametrize("ceiling", [1, 2, 3, 5])
def test_worlds_allow_all_moves_that_were_made(ceiling):
    rng = random.Random(ceiling)
    world = np.zeros(1, STATE)
    for _ in range(60):
        states, moves = history(rng, ceiling, rng.randrange(32))
        seat = rng.randrange(4)
        for key in range(5):
            determinize(states[0], seat, np.uint64(rng.getrandbits(64)), world[0])
            assert world[0].hands[seat] == states[0].hands[seat], key
            assert is_possible([names(hand) for hand in world[0].dealt], int(states[0].dealer), moves)
            assert [int(popcount(hand)) for hand in world[0].hands] == [int(popcount(hand)) for hand in states[0].hands]
            assert sum(map(int, world[0].hands)) == sum(map(int, states[0].hands))


def possible_hands(state, moves, seat):
    """Every way to deal the cards that *seat* cannot see which allows all moves made, as tuples of three hands."""
    others = [(seat + k) % 4 for k in (1, 2, 3)]
    hidden = set().union(*(names(state.hands[other]) for other in others))
    played = [names(int(state.dealt[s]) & ~int(state.hands[s])) for s in range(4)]
    sizes = [len(names(state.hands[other])) for other in others]
    found = set()
    for first in combinations(sorted(hidden), sizes[0]):
        for second in combinations(sorted(hidden - set(first)), sizes[1]):
            hands = [set(first), set(second), hidden - set(first) - set(second)]
            dealt = [set() for _ in range(4)]
            dealt[seat] = names(state.dealt[seat])
            for other, hand in zip(others, hands, strict=True):
                dealt[other] = hand | played[other]
            if is_possible(dealt, int(state.dealer), moves):
                found.add(tuple(frozenset(hand) for hand in hands))
    return found


def small_positions(wanted, seed, n, **kwargs):
    """Positions with few hidden cards in which *wanted(state, seat)* holds."""
    rng = random.Random(seed)
    while n:
        states, moves = history(rng, kwargs.get("ceiling", 1), rng.randrange(16, 30))
        state, seat = states[0], rng.randrange(4)
        n_hidden = sum(int(popcount(state.hands[other])) for other in range(4) if other != seat)
        if n_hidden <= 9 and len(moves) > 4 and wanted(state, seat):
            n -= 1
            yield states, moves, seat


def has_open_search(state, seat):
    return state.searcher not in (NOBODY, seat) and not names(state.hands[seat]) & {reference.called_ace(BID_TEXTS[state.contract])}


@pytest.mark.parametrize(
    ("wanted", "ceiling", "seed"),
    [(lambda state, seat: state.contract > 0, 1, 1), (has_open_search, 1, 2), (lambda state, seat: state.contract > 0, 3, 3)],
    ids=["Rufer", "Rufer after a search", "any contract"],
)
def test_worlds_are_uniform_over_all_possible_deals(wanted, ceiling, seed):
    world = np.zeros(1, STATE)
    rng = random.Random(seed)
    for states, moves, seat in small_positions(wanted, seed, 6, ceiling=ceiling):
        possible = possible_hands(states[0], moves, seat)
        n = 40 * len(possible)
        counts = Counter()
        for _ in range(n):
            determinize(states[0], seat, np.uint64(rng.getrandbits(64)), world[0])
            counts[tuple(frozenset(names(world[0].hands[(seat + k) % 4])) for k in (1, 2, 3))] += 1
        assert set(counts) == possible
        chi2 = sum((counts[hands] - 40) ** 2 / 40 for hands in possible)
        # Mean of chi2 is its degrees of freedom, variance twice that.
        assert abs(chi2 - (len(possible) - 1)) <= 5 * math.sqrt(2 * len(possible))


def test_worlds_and_rules_of_thumb_do_not_depend_on_hidden_cards():
    rng = random.Random(5)
    world, again, first = np.zeros(1, STATE), np.zeros(1, STATE), np.zeros(1, STATE)
    for number in range(150):
        states, _ = history(rng, number % 4, rng.randrange(30))
        seat, key = seat_to_act(states[0]), np.uint64(rng.getrandbits(64))
        determinize(states[0], seat, np.uint64(rng.getrandbits(64)), world[0])
        assert basic_move(states[0], key) == basic_move(world[0], key)
        determinize(states[0], seat, key, first[0])
        determinize(world[0], seat, key, again[0])
        assert first.tobytes() == again.tobytes()


def test_positions_survive_being_written_and_read():
    rng = random.Random(8)
    for number in range(60):
        states, _ = history(rng, number % 6, rng.randrange(30))
        position = game.write_position(states[0])
        back = load_state({"game": "schafkopf", "position": position})
        assert game.write_position(back[0]) == position
        assert legal_moves(back[0]) == legal_moves(states[0])


def test_a_position_may_leave_hidden_hands_open():
    rng = random.Random(9)
    for number in range(30):
        states, moves = history(rng, number % 4, rng.randrange(28))
        position, seat = game.write_position(states[0]), int(seat_to_act(states[0]))
        position["hands"] = [hand if other == seat else None for other, hand in enumerate(position["hands"])]
        with pytest.raises(ValueError, match="null"):
            load_state({"game": "schafkopf", "position": position})
        back = load_state({"game": "schafkopf", "position": position}, may_hide=True)[0]
        assert back.hands[seat] == states[0].hands[seat]
        assert is_possible([names(hand) for hand in back.dealt], int(back.dealer), moves)


# Combinatorics


@kernel
def count_hands(n_trumps, n_run, counts):
    """Over all hands of eight cards: how many allow a Sie, have so many trumps, and so many highest trumps in a row."""
    hand = np.uint64(0xFF)
    while hand < ONE << np.uint64(32):
        counts[0] += 1
        counts[1] += (biddable(hand) >> np.uint64(SIE_BID)) & ONE
        n_trumps[0, popcount(hand & TRUMPS[HEARTS])] += 1
        n_trumps[1, popcount(hand & TRUMPS[WENZ])] += 1
        n_run[0, run_length(hand, HEARTS)] += 1
        n_run[1, run_length(hand, WENZ)] += 1
        # The next higher number with as many bits.
        low = hand & (~hand + ONE)
        ripple = hand + low
        hand = ripple | (((hand ^ ripple) >> np.uint64(2)) >> lowest(low))


def test_all_hands_of_eight_cards_agree_with_combinatorics():
    n_trumps, n_run, counts = np.zeros((2, 15), np.int64), np.zeros((2, 15), np.int64), np.zeros(2, np.int64)
    count_hands(n_trumps, n_run, counts)
    total = math.comb(32, 8)
    assert counts.tolist() == [total, 1]
    for row, n in enumerate((14, 4)):
        assert n_trumps[row].tolist() == [math.comb(n, k) * math.comb(32 - n, 8 - k) if k <= 8 else 0 for k in range(15)]
        longest = min(n, 8)
        # The k highest are held and the next is not; with the longest run there is no next one.
        exact = [math.comb(32 - k - 1, 8 - k) if k < longest else math.comb(32 - k, 8 - k) if k == longest else 0 for k in range(15)]
        assert n_run[row].tolist() == exact


@kernel
def sample_deals(state, n, n_trumps, n_run, n_sie):
    """Trumps of every seat, and the Laufende of a Solo in hearts by seat 0, over dealt hands."""
    for number in range(n):
        deal(state, stream(np.uint64(3), number, DEAL))
        state.contract = 7
        for seat in range(4):
            n_trumps[seat, popcount(state.dealt[seat] & TRUMPS[HEARTS])] += 1
            n_sie[0] += state.dealt[seat] == COURTS
        n_run[laufende(state, state.dealt[0])] += 1


@pytest.mark.slow
def test_dealt_trumps_and_laufende_agree_with_combinatorics():
    n, state = 2_000_000, np.zeros(1, STATE)
    start(state[0], RULES[0], 4, 0)
    n_trumps, n_run, n_sie = np.zeros((4, 15), np.int64), np.zeros(15, np.int64), np.zeros(1, np.int64)
    sample_deals(state[0], n, n_trumps, n_run, n_sie)
    total = math.comb(32, 8)
    for k in range(9):
        expected = math.comb(14, k) * math.comb(18, 8 - k) / total
        assert np.all(abs(n_trumps[:, k] / n - expected) <= 5 * math.sqrt(expected / n))
    for k in range(3, 12):
        mine = math.comb(31 - k, 8 - k) if k < 8 else int(k == 8)
        expected = (mine + math.comb(31 - k, 7)) / total
        assert abs(n_run[k] / n - expected) <= 5 * math.sqrt(expected / n) + 1 / n


def test_deals_of_all_policies_sum_to_zero():
    for policies, seating in ((("random",), (0, 0, 0, 0)), (("basic", "random"), (0, 1, 0, 1))):
        experiment = Experiment(game, RULES, policies, (seating,), 1, False)
        deals, _ = play_units(experiment, 0, 2000)
        columns = experiment.deal_columns()
        assert not deals[:, [columns.index(f"units_{seat}") for seat in range(4)]].sum(axis=1).any()
        points = deals[:, [columns.index(f"card_points_{seat}") for seat in range(4)]].sum(axis=1)
        assert set(points[np.isin(deals[:, 2], [1, 2, 3])]) <= {120}


def test_a_game_ends_after_its_deals_with_the_sum_of_their_units():
    rules = effective_rules(game.SWITCHES, {"deals_per_game": 8})
    experiment = Experiment(game, rules, ("basic",), ((0, 0, 0, 0),), 1, True)
    deals, matches = play_units(experiment, 0, 20)
    columns, match_columns = experiment.deal_columns(), experiment.match_columns()
    assert len(deals) == 160 and not matches[:, match_columns.index("capped")].any()
    for seat in range(4):
        total = deals[:, columns.index(f"units_{seat}")].reshape(20, 8).sum(axis=1)
        assert np.array_equal(total, matches[:, match_columns.index(f"score_{seat}")])


def test_basic_beats_random_on_duplicate_deals():
    seatings = tuple(tuple(0 if seat in team else 1 for seat in range(4)) for team in combinations(range(4), 2))
    experiment = Experiment(game, RULES, ("basic", "random"), seatings, 2, False)
    deals, _ = play_units(experiment, 0, 300 * len(seatings))
    by_seat = deals[:, [experiment.deal_columns().index(f"units_{seat}") for seat in range(4)]]
    won = (by_seat * (np.array(seatings)[deals[:, 0] % len(seatings)] == 0)).sum(axis=1)
    assert won.mean() > 10


# Solver


@numba.njit  # not cached: numba does not load recursive functions from its cache
def exhaustive(stack, ply):
    """Card points of the declarer with best play of both sides, by trying everything."""
    state = stack[ply]
    if is_over(state):
        return np.int64(state.points[state.declarer])
    is_declarer = state.seat == state.declarer
    best = np.int64(-1 if is_declarer else 1000)
    moves = legal_moves(state)
    while moves:
        copy_record(stack[ply + 1], state)
        play(stack[ply + 1], lowest(moves))
        moves &= moves - ONE
        value = exhaustive(stack, ply + 1)
        best = max(best, value) if is_declarer else min(best, value)
    return best


def test_solver_agrees_with_exhaustive_search_of_200_endings():
    rng, solver, stack = random.Random(4), new_solver(), np.zeros(21, STATE)
    done = 0
    while done < 200:
        n_left = rng.choice([4, 8, 12, 12, 16, 16, 20]) - rng.randrange(4)
        states, _ = history(rng, 3, 36 - n_left)
        if not has_solution(states[0]) or not any(states[0].hands):
            continue
        stack[0] = states[0]
        assert solve(states[0], solver) == exhaustive(stack, 0)
        done += 1


def endings(rng, n, sizes):
    """Positions of a Solo or Wenz in the play with so many cards left."""
    while n:
        states, _ = history(rng, 3, 36 - rng.choice(sizes))
        if has_solution(states[0]) and all(states[0].hands):
            n -= 1
            yield states


@pytest.mark.parametrize("is_searching_declarer", [True, False])
def test_a_search_with_open_cards_is_never_better_than_the_solver(is_searching_declarer):
    rng, solver = random.Random(6), new_solver()
    experiment = Experiment(game, RULES, ("oracle:4",) * 4, (tuple(range(4)),), 1, False)
    table, seating = new_table(experiment), np.arange(4)
    for number, states in enumerate(endings(rng, 40, [12, 16, 20])):
        begin_unit(table[0], RULES[0], np.uint64(1), experiment.players, seating, number, False)
        start_streams(table[0], np.uint64(rng.getrandbits(64)))
        table["deal"][0] = states[0]
        state, best = table["deal"][0], int(solve(states[0], solver))
        declarer = int(state.declarer)
        while not is_over(state):
            if (state.seat == declarer) == is_searching_declarer:
                move = choose_move(table[0])
            else:
                moves = open_moves(table["deal"])
                values = [solved_after(table["deal"], move, solver) for move in moves]
                move = moves[int(np.argmin(values) if is_searching_declarer else np.argmax(values))]
            play(state, np.uint64(move))
        result = int(state.points[declarer])
        assert result <= best if is_searching_declarer else result >= best


def solved_after(states, move, solver):
    """Card points of the declarer after *move* with best play."""
    after = states.copy()
    play(after[0], np.uint64(move))
    return int(after[0].points[after[0].declarer]) if is_over(after[0]) else int(solve(after[0], solver))


def test_open_values_are_those_of_exhaustive_search():
    rng, stack = random.Random(11), np.zeros(21, STATE)
    for states in endings(rng, 40, [8, 12, 13, 14]):
        moves = open_moves(states)
        for move, value in zip(moves, game.open_values(states, moves), strict=True):
            copy_record(stack[0], states[0])
            play(stack[0], np.uint64(move))
            assert value["declarer_points"] == exhaustive(stack, 0)
            sign = 1 if int(states[0].seat) == int(states[0].declarer) else -1
            assert (value["units"] * sign > 0) == (value["declarer_points"] >= 61)


def test_the_last_tricks_of_a_search_end_as_best_play_ends_them():
    rng, solver, n = random.Random(13), new_solver(), 0
    for states in endings(rng, 120, [5, 6, 8, 11, 12, 13]):
        n_cards = sum(int(popcount(hand)) for hand in states[0].hands)
        declarer = int(states[0].declarer)
        exact, done = int(solve(states[0], solver)), states.copy()
        is_done = game.finish(done[0], 100)
        assert is_done == (n_cards <= 12)
        assert game.finish(states.copy()[0], 8) == (n_cards <= 8)
        if not is_done:
            continue
        n += 1
        assert is_over(done[0])
        grades = [np.searchsorted([1, 31, 61, 91, 120], points, side="right") for points in (exact, int(done[0].points[declarer]))]
        assert grades[0] == grades[1]
        # A side that had a trick before is not Schwarz.
        for seat in range(4):
            if states[0].tricks[seat]:
                assert sum(done[0].tricks[other] for other in range(4) if (other == declarer) == (seat == declarer))
    assert n > 50


def test_a_rufer_is_not_finished():
    rng, n = random.Random(14), 0
    while n < 20:
        states, _ = history(rng, 1, 30)
        if BID_TEXTS[states[0].contract].startswith("Rufer"):
            n += 1
            assert not game.finish(states[0], 1000)


# Estimates


def test_units_stay_within_the_bounds_of_the_contracts_that_are_possible():
    assert Experiment(game, RULES, ("basic",), ((0,) * 4,), 1, False).unit_bounds == (-156, 156)
    rng = random.Random(12)
    for ceiling, most in ((1, 17), (2, 3 * (5 + 2 + 4)), (3, 3 * (5 + 2 + 13)), (5, 3 * (10 + 2 * 13))):
        for number in range(30):
            states, deal = play_both(rng, random_hands(rng), number % 4, ceiling)
            bound = game.unit_bounds(states[0])[1]
            assert max(map(abs, deal.result()["units"])) <= bound <= most


def test_features_of_a_hand_count_its_cards_under_the_bid():
    hand = DECK.cards("EO HO GU HU HA H10 EA E7")
    bids = [BID_TEXTS.index(text) for text in ("Wenz", "Solo H", "Solo E", "Rufer G")]
    found = game.hand_features(np.full(4, hand, np.uint64), np.array(bids))
    assert found["contract"].tolist() == ["Wenz", "Solo", "Solo", "Rufer"]
    assert found["trumps"].tolist() == [2, 6, 6, 6]
    assert found["obers"].tolist() == [2] * 4
    assert found["aces"].tolist() == [2, 1, 1, 1]


def test_a_table_of_opening_hands_counts_every_hand_and_agrees_with_single_deals(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call = ["estimate", "schafkopf", "--table", "hands.parquet", "--worlds", "300", "--policy", "random", "--seed", "5"]
    assert CliRunner().invoke(cosmic, call).exit_code == 0
    table = pd.read_parquet("hands.parquet")
    won, declared = (table[table["measure"] == name] for name in ("declarer_won", "declarer"))
    assert (declared["mean"] == 1).all() and (table["low"] <= table["mean"]).all() and (table["mean"] <= table["high"]).all()
    experiment = Experiment(game, RULES, ("random",) * 4, (tuple(range(4)),), 5, False)
    hands, moves, rows = try_openings(experiment, 0, 300)
    seats, columns = rows[:, NUMBER], experiment.deal_columns()
    is_solo = np.array([rows[k, columns.index(f"declarer_{seat}")] == 1 and 5 <= moves[k] <= 8 for k, seat in enumerate(seats)])
    assert won[won["contract"] == "Solo"]["n"].sum() == is_solo.sum() > 0
    wins = sum(rows[k, columns.index(f"declarer_won_{seats[k]}")] for k in np.flatnonzero(is_solo))
    solos = won[won["contract"] == "Solo"]
    assert round((solos["mean"] * solos["n"]).sum()) == wins


def test_estimate_with_open_cards_needs_all_cards_and_a_solver(tmp_path):
    file = tmp_path / "position.json"
    hands = ["SO SU EK E9 G10 GK S10 S9", "EO HO GU HU HA H10 EA E7", "GO EU H9 H8 GA G9 SA S8", "HK H7 E10 E8 G8 G7 SK S7"]
    file.write_text(json.dumps({"game": "schafkopf", "hands": hands, "moves": ["Solo H", "pass", "pass", "pass"]}))
    answer = json.loads(CliRunner().invoke(cosmic, ["estimate", "schafkopf", str(file), "--open", "--json"]).output)
    values = [entry["units"] for entry in answer["moves"]]
    assert len(values) == 8 and values == sorted(values, reverse=True)
    file.write_text(json.dumps({"game": "schafkopf", "position": {"hands": [None, hands[1], None, None], "turn": 1}}))
    error = CliRunner().invoke(cosmic, ["estimate", "schafkopf", str(file), "--open"], standalone_mode=False).exception
    assert "null" in str(error)


def test_solver_leaves_the_position_alone_and_solves_whole_deals():
    scenario = GOLDEN["Solo won Schwarz"]["scenario"]
    states = load_state({**scenario, "moves": []})
    for text in scenario["moves"][:4]:
        play(states[0], np.uint64(game.parse_move(states[0], text)))
    before = states.tobytes()
    assert solve(states[0], new_solver()) == 120
    assert states.tobytes() == before


TRICK = {"dealer": 0, "bids": ["Rufer E", "pass", "pass", "pass"], "trick": ["E10", "E7"], "turn": 3}
HANDS = ["EA EK E9 E8 H7 H8 SA S10", "EO GO HO SO H9 GA G10", "EU GU HU SU G9 G8 S7", "HA H10 HK GK SK S9 S8 G7"]


def test_the_trick_of_a_position_shows_what_its_moves_show():
    """Seat 2 has followed the called suit and has not the ace; so it is in every world."""
    told = {"game": "schafkopf", "position": TRICK | {"hands": [None, None, None, HANDS[3]]}}
    deal = {"dealer": 0, "hands": [HANDS[0], f"{HANDS[1]} E10", f"{HANDS[2]} E7", HANDS[3]]}
    moves = ["Rufer E", "pass", "pass", "pass", "E10", "E7"]
    state, played = load_state(told, may_hide=True), play_to({"game": "schafkopf", **deal, "moves": moves})
    worlds = np.zeros(1, STATE)
    for name in ("lacks", "called", "searcher", "early", "led", "trick", "beaters", "best_seat", "seat"):
        assert np.array_equal(state[name], played[name]), name
    for key in range(200):
        determinize(state[0], 3, np.uint64(key), worlds[0])
        assert int(worlds[0].hands[0]) & int(called_ace(state[0]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": [HANDS[0], HANDS[1], f"{HANDS[2]} GA", HANDS[3]]}, "GA is there twice|seat 2 has 8"),
        (
            {"trick": ["SO", "E7"], "hands": [HANDS[0], "EO GO HO E10 H9 GA G10", HANDS[2], HANDS[3]]},
            "trick: seat 2 may not play E7; legal: EU",
        ),
        ({"turn": 0, "trick": ["E10", "E7", "HA"], "hands": [*HANDS[:3], "H10 HK GK SK S9 S8 G7 GK"]}, "there twice"),
        ({"bids": ["Wenz", "Rufer E", "pass", "pass"]}, "seat 2 may not bid Rufer E"),
        ({"trick": ["E7"], "hands": [HANDS[0], f"{HANDS[1]} E10", HANDS[2], HANDS[3]]}, "seat 1 leads to the first trick, not seat 2"),
        ({"trick": None}, "trick is a list"),
        ({"trick": [1]}, "trick is a list of texts"),
        ({"lacks": [1, 2, 3, 4]}, "lacks is a list of texts"),
        ({"searcher_discards": 3}, "searcher_discards is a text of cards"),
        ({"searcher_discards": "E9"}, "there is no searcher"),
        ({"called_led": "yes"}, "called_led is true or false"),
        ({"points": [0, 10, 0, 0]}, "seat 1 has 10 points, but no trick"),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_one_line(change, message):
    with pytest.raises(ValueError, match=message) as caught:
        load_state({"game": "schafkopf", "position": TRICK | {"hands": HANDS} | change})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bids", [["Solo E"], ["Rufer E"]])
def test_a_bid_that_no_deal_allows_is_refused(bids):
    position = {"dealer": 3, "bids": bids, "hands": [None, "EA E10 EK E9 E8 E7 S7 S8", None, None]}
    with pytest.raises(ValueError, match="no deal agrees with the bids"):
        load_state({"game": "schafkopf", "position": position}, may_hide=True)
