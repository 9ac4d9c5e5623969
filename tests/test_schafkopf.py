"""Schafkopf: the kernels against the plain reference and the rules, worlds, statistics, and the solver."""

import math
import random
from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pytest

from simcore.engine import Experiment, play_units
from simcore.games import schafkopf as game
from simcore.games.schafkopf.bidding import biddable
from simcore.games.schafkopf.cards import ALL_CARDS, COURTS, DECK, WENZ
from simcore.games.schafkopf.contracts import BID_TEXTS, SIE_BID
from simcore.games.schafkopf.scoring import outcome, run_length, units
from simcore.games.schafkopf.state import STATE
from simcore.perft import perft
from simcore.protocol import determinize, effective_rules, is_over, legal_moves, measure, play, seat_to_act, start
from simcore.scenario import load_state, replay
from reference import schafkopf as reference

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
