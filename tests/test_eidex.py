"""Base Eidex against its plain reference, exact combinatorics, the C baseline and checked-in transcripts."""

import itertools
import json
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from reference import eidex as reference
from scipy import stats

from simcore import jit
from simcore.engine import Experiment, play_units
from simcore.games import eidex
from simcore.games.eidex import match
from simcore.games.eidex.scoring import card_points, hand_points, match_seat, victory_points
from simcore.games.eidex.state import points_of, set_mode
from simcore.perft import perft
from simcore.protocol import (
    deal,
    determinize,
    effective_rules,
    is_over,
    legal_moves,
    play,
    points_so_far,
    seat_to_act,
    settle,
    start,
    winners,
)
from simcore.rng import DEAL, WORLD, stream
from simcore.scenario import load_state, replay

SEATS = (0, 1, 2)
NAMES = eidex.DECK.names
NUMBER = {name: card for card, name in enumerate(NAMES)}
ALL_CARDS = int(eidex.DECK.all_cards)
GOLDEN = Path(__file__).parent / "golden"
BASELINE = Path(__file__).parents[1] / "benchmarks" / "baseline" / "eidex.c"
# Statistics draw from fixed seeds: they hold for good once they have held.
SURE = 1e-4


def names_of(cards):
    return {NAMES[card] for card in range(36) if int(cards) >> card & 1}


def set_of(names):
    return sum(1 << NUMBER[name] for name in names)


def rules_of(**rules):
    return effective_rules(eidex.SWITCHES, rules)[0]


def new_deal(rng, dealer=None, standing=(0, 0, 0), **rules):
    """A random deal as the kernels hold it, and the same deal in the reference."""
    states = np.zeros(1, eidex.STATE)
    start(states[0], rules_of(**rules), 3, rng.randrange(3) if dealer is None else dealer)
    states[0].victory_points[:] = standing
    deal(states[0], np.uint64(rng.getrandbits(64)))
    hands = [names_of(hand) for hand in states[0].hands]
    return states, reference.Deal(hands, int(states[0].dealer), NAMES[states[0].upcard])


def key_of(seed, index, purpose):
    """Starting point of a stream."""
    return np.uint64(stream(np.uint64(seed), index, purpose))


def play_both(states, twin, card):
    """Play a card, by name, in both."""
    twin.play(card)
    play(states[0], np.uint64(NUMBER[card]))


def play_both_randomly(states, twin, rng, n_cards_left=0):
    """Play on until *n_cards_left* cards are in each hand and a new trick begins."""
    while len(twin.hands[0]) > n_cards_left or twin.trick or twin.pressing():
        play_both(states, twin, rng.choice(sorted(twin.legal())))


def experiment_of(policies, seatings=((0, 1, 2),), seed=1, is_match=False, **rules):
    return Experiment(eidex, effective_rules(eidex.SWITCHES, rules), policies, seatings, seed, is_match)


def column(experiment, deals, name):
    return deals[:, experiment.deal_columns().index(name)]


# Against the reference


def test_a_thousand_random_deals_go_as_in_the_reference(seed):
    rng = random.Random(seed)
    for _ in range(1000):
        limit = rng.choice([100, 100, 80, 120])
        to_win = rng.choice([7, 7, 1, 3])
        standing = [max(0, to_win - 1 - rng.choice([0, 0, 0, 1, 2])) for _ in SEATS]
        states, twin = new_deal(rng, standing=standing, points_limit=limit, to_win=to_win)
        state = states[0]
        while not twin.over():
            assert not is_over(state)
            assert seat_to_act(state) == twin.seat_to_act()
            legal = twin.legal()
            assert int(legal_moves(state)) == set_of(legal)
            play_both(states, twin, rng.choice(sorted(legal)))
            if not twin.trick:
                assert state.tricks_won.tolist() == twin.tricks_won()
                assert state.piles.tolist() == [set_of(pile) for pile in twin.piles]
                assert [points_so_far(state, seat) for seat in SEATS] == twin.pile_points()
        assert is_over(state)
        points, sweeper = twin.card_points(), twin.match_seat()
        assert [card_points(state, seat) for seat in SEATS] == points
        assert match_seat(state) == (-1 if sweeper is None else sweeper)
        assert [victory_points(state, seat) for seat in SEATS] == reference.victory_points(points, sweeper, limit)
        after, winner = reference.standing_after(standing, points, sweeper, limit, to_win)
        settle(state)
        assert state.victory_points.tolist() == after
        assert int(winners(state)) == (0 if winner is None else 1 << winner)


def test_last_tricks_over_any_piles_are_scored_as_in_the_reference(seed):
    """Random play hardly ever takes all the tricks or exactly 100 points; piles that are made up do."""
    rng = random.Random(seed)
    seen = Counter()
    for _ in range(1500):
        deck = rng.sample(NAMES, 36)
        # The upcard lies in a pile, whoever is the dealer.
        pressed, hands, rest, upcard = deck[:3], deck[3:6], deck[6:], deck[6]
        weights = rng.choice([(1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (5, 1, 1), (1, 1, 9)])
        takers = rng.choices(SEATS, weights, k=10)
        piles = [[card for k in range(10) if takers[k] == seat for card in rest[3 * k : 3 * k + 3]] for seat in SEATS]
        leader = rng.randrange(3)
        states = np.zeros(1, eidex.STATE)
        start(states[0], rules_of(), 3, 0)
        position = {"dealer": rng.randrange(3), "upcard": upcard, "turn": leader}
        position |= {"hands": hands, "pressed": pressed, "piles": [" ".join(pile) for pile in piles]}
        eidex.read_position(states[0], position)
        order = [(leader + k) % 3 for k in SEATS]
        for seat in order:
            play(states[0], np.uint64(NUMBER[hands[seat]]))
        mode = reference.mode_of_upcard(upcard)
        winner = order[reference.trick_winner([hands[seat] for seat in order], mode)]
        takers.append(winner)
        piles[winner] += hands
        points = [sum(reference.points_of(card, mode) for card in piles[seat] + [pressed[seat]]) for seat in SEATS]
        points[winner] += reference.LAST_TRICK_BONUS
        sweeper = takers[0] if len(set(takers)) == 1 else None
        expected = reference.victory_points(points, sweeper)
        assert [card_points(states[0], seat) for seat in SEATS] == points
        assert [victory_points(states[0], seat) for seat in SEATS] == expected
        assert match_seat(states[0]) == (-1 if sweeper is None else sweeper)
        told = replay({"game": "eidex", "position": position, "moves": [hands[seat] for seat in order]}).result
        below = sweeper is None and max(points) < 100
        assert told == {
            "kind": mode,
            "victory_points": expected,
            "card_points": points,
            "match": [int(seat == sweeper) for seat in SEATS],
            "over_limit": [int(sweeper is None and points[seat] >= 100) for seat in SEATS],
            "tie": [int(below and points.count(points[seat]) > 1) for seat in SEATS],
        }
        seen["match"] += sweeper is not None
        seen["over"] += max(points) >= 100 and sweeper is None
    assert min(seen["match"], seen["over"]) > 100


@pytest.mark.parametrize("limit", [80, 100, 120])
def test_every_split_of_157_points_is_paid_as_in_the_reference(limit):
    for first in range(158):
        for second in range(158 - first):
            points = [first, second, 157 - first - second]
            paid = [hand_points(points[seat], points[(seat + 1) % 3], points[(seat + 2) % 3], limit) for seat in SEATS]
            assert paid == reference.victory_points(points, None, limit)


def test_points_that_powers_may_change_are_paid_as_in_the_reference():
    for points in itertools.product((-12, 0, 30, 31, 52, 79, 80, 99, 100, 101, 160), repeat=3):
        for limit in (80, 100):
            paid = [hand_points(points[seat], points[(seat + 1) % 3], points[(seat + 2) % 3], limit) for seat in SEATS]
            assert paid == reference.victory_points(list(points), None, limit)


def test_exactly_0_to_28_and_79_to_99_points_are_always_safe():
    safe = set(range(158))
    for first in range(158):
        if any(hand_points(first, second, 157 - first - second, 100) == 0 for second in range(158 - first)):
            safe.discard(first)
    assert safe == {*range(29), *range(79, 100)}


HANDS = [
    *itertools.permutations((30, 57, 70)),
    *itertools.permutations((50, 50, 57)),
    *itertools.permutations((70, 70, 17)),
    *itertools.permutations((100, 30, 27)),
    *itertools.permutations((120, 37, 0)),
    (52, 52, 52),
    *itertools.permutations((85, 85, -13)),
    *itertools.permutations((101, 100, -44)),
    (110, 110, 110),
]


@pytest.mark.parametrize("to_win", [7, 1, 2, 4])
def test_every_standing_and_hand_lead_where_the_reference_says(to_win):
    for points in sorted(set(HANDS)):
        for sweeper in (None, *SEATS):
            hand = tuple(reference.victory_points(list(points), sweeper))
            for before in itertools.product(range(to_win), repeat=3):
                after = match.standing_after(before, hand, points, sweeper is not None, to_win, False)
                expected, winner = reference.standing_after(list(before), list(points), sweeper, 100, to_win)
                assert list(after) == expected, (before, points, sweeper)
                assert [seat for seat in SEATS if after[seat] >= to_win] == ([] if winner is None else [winner])


def test_three_one_short_and_two_level_play_again_where_the_rule_says_so():
    for points in {(50, 50, 57), (17, 70, 70), (70, 17, 70)}:
        hand = tuple(reference.victory_points(list(points), None))
        assert sorted(hand) == [0, 0, 2]
        assert match.standing_after((6, 6, 6), hand, points, False, 7, True) == (6, 6, 6)
        assert max(match.standing_after((6, 6, 6), hand, points, False, 7, False)) == 8
        assert max(match.standing_after((6, 6, 5), hand, points, False, 7, True)) >= 7


def test_perft_from_the_deal_counts_what_the_reference_counts(seed):
    rng = random.Random(seed)
    for depth in (1, 2, 3):
        states, twin = new_deal(rng)
        assert perft(states, depth, 3) == reference.perft(twin, depth)
    for depth in (1, 2, 3):
        states, twin = new_deal(rng)
        while twin.pressing():
            play_both(states, twin, rng.choice(sorted(twin.legal())))
        assert perft(states, depth, 3) == reference.perft(twin, depth)


@pytest.mark.parametrize(("n_cards", "n_positions"), [(2, 30), (3, 8), pytest.param(4, 8, marks=pytest.mark.slow)])
def test_perft_to_the_end_counts_what_the_reference_counts(n_cards, n_positions, seed):
    rng = random.Random(seed)
    for _ in range(n_positions):
        states, twin = new_deal(rng)
        play_both_randomly(states, twin, rng, n_cards)
        assert perft(states, 3 * n_cards, 3) == reference.perft(twin, 3 * n_cards)


# Counted once with the reference; the first deals of seed 1, pressing included. A new count means new rules.
PERFT = (
    (0, 6, 816_992, 18_945_333),
    (1, 6, 574_145, 14_724_611),
    (2, 6, 553_696, 21_590_151),
)


@pytest.mark.parametrize(("number", "depth", "count", "checksum"), PERFT)
def test_perft_of_the_golden_deals_is_the_pinned_one(number, depth, count, checksum):
    assert perft(golden_deal(number), depth, 3) == (count, checksum)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "depth", "count", "checksum"), PERFT)
def test_the_pinned_perft_is_that_of_the_reference(number, depth, count, checksum):
    states = golden_deal(number)
    twin = reference.Deal([names_of(hand) for hand in states[0].hands], number, NAMES[states[0].upcard])
    assert reference.perft(twin, depth) == (count, checksum)


def golden_deal(number):
    states = np.zeros(1, eidex.STATE)
    start(states[0], rules_of(), 3, number)
    deal(states[0], key_of(1, number, DEAL))
    return states


# Cards and points


def test_cards_and_the_last_trick_make_157_points_in_every_mode():
    state = np.zeros(1, eidex.STATE)[0]
    for mode in range(6):
        set_mode(state, mode)
        assert points_of(state, np.uint64(ALL_CARDS)) + 5 == 157
        for card in range(36):
            assert points_of(state, np.uint64(1 << card)) == reference.points_of(NAMES[card], reference.MODES[mode])


def test_a_deal_of_any_mode_shares_out_157_points():
    experiment = experiment_of(("random", "basic", "random"))
    deals, _ = play_units(experiment, 0, 20_000)
    points = sum(column(experiment, deals, f"card_points_{seat}") for seat in SEATS)
    assert set(column(experiment, deals, "kind")) == set(range(6))
    assert (points == 157).all()


def test_victory_points_of_a_deal_add_up_to_two_or_all_are_level():
    experiment = experiment_of(("random", "basic", "random"))
    deals, _ = play_units(experiment, 0, 20_000)
    paid = sum(column(experiment, deals, f"victory_points_{seat}") for seat in SEATS)
    # 157 is no multiple of three: without powers, nobody is level with both the others.
    assert (paid == 2).all()


def test_obenabe_and_undenufe_each_come_in_4_of_36_deals():
    experiment = experiment_of(("random",) * 3, seed=36)
    deals, _ = play_units(experiment, 0, 100_000)
    counts = np.bincount(column(experiment, deals, "kind"), minlength=6)
    expected = 100_000 * np.array([7, 7, 7, 7, 4, 4]) / 36
    assert stats.chisquare(counts, expected).pvalue > SURE


def dealt(n, seed):
    """*n* deals in turn by the three dealers: hands by role (dealer, forehand, third) as a 0/1 array, upcards, second cards."""
    states, rules = np.zeros(1, eidex.STATE), rules_of()
    hands = np.empty((n, 3), np.uint64)
    upcards, seconds = np.empty((2, n), np.int64)
    for number in range(n):
        start(states[0], rules, 3, number % 3)
        deal(states[0], key_of(seed, number, DEAL))
        hands[number] = np.roll(states["hands"][0], -(number % 3))
        upcards[number], seconds[number] = states["upcard"][0], states["second"][0]
    return hands[:, :, None] >> np.arange(36, dtype=np.uint64) & np.uint64(1), upcards, seconds


def test_every_card_comes_to_every_seat_equally_often():
    n = 30_000
    held, upcards, seconds = dealt(n, 7)
    assert (held.sum(axis=1) == 1).all()
    assert (held.sum(axis=2) == 12).all()
    counts = held.sum(axis=0).astype(np.int64)
    # Hands of fixed size make the counts vary by 36/35 more than independent draws would, in 35 x 2 directions.
    statistic = ((counts - n / 3) ** 2 / (n / 3)).sum() * 35 / 36
    assert SURE < stats.chi2.sf(statistic, 70) < 1 - SURE
    assert stats.chisquare(np.bincount(upcards, minlength=36)).pvalue > SURE
    assert stats.chisquare(np.bincount(seconds, minlength=36)).pvalue > SURE
    assert (held[np.arange(n), 0, upcards] == 1).all()
    assert (held[np.arange(n), 0, seconds] == 1).all()
    assert (upcards != seconds).all()


def test_two_cards_meet_in_a_hand_as_often_as_combinatorics_says():
    held, _, _ = dealt(30_000, 8)
    together = sum(held[:, role, :].astype(np.int64).T @ held[:, role, :].astype(np.int64) for role in range(3))
    pairs = together[np.triu_indices(36, 1)]
    expected = 30_000 * 11 / 35
    spread = np.sqrt(expected * (1 - 11 / 35))
    assert np.abs(pairs - expected).max() < 5 * spread
    assert 0.8 < pairs.std() / spread < 1.2


# What a seat knows


def agreeing_deals(twin, observer):
    """Every way to place the cards that *observer* does not see so that all that was played was legal: (pressed, hand, pressed, hand).

    Independent of what the kernels keep: each card that another has played is judged again by the rules, with the hand that the
    placing would have given him at that moment.
    """
    left, right = ((observer + k) % 3 for k in (1, 2))
    hidden = sorted(twin.hands[left] | twin.hands[right] | {twin.pressed[left], twin.pressed[right]} - {None})
    tricks = [cards for _, cards, _ in twin.tricks] + [twin.trick]
    for press_left in hidden if twin.pressed[left] else [None]:
        for press_right in hidden if twin.pressed[right] else [None]:
            rest = [card for card in hidden if card not in (press_left, press_right)]
            if press_left is not None and press_left == press_right:
                continue
            for hand in itertools.combinations(rest, len(twin.hands[left])):
                placed = {left: (press_left, set(hand)), right: (press_right, set(rest) - set(hand))}
                if all(could_have_played(twin, tricks, seat, *placed[seat]) for seat in (left, right)):
                    yield (press_left, frozenset(placed[left][1]), press_right, frozenset(placed[right][1]))


def could_have_played(twin, tricks, seat, press, hand):
    """Whether *seat* with that pressed card and that hand now may have played as it did."""
    played = [card for trick in tricks for who, card in trick if who == seat]
    if (twin.upcard in hand or twin.upcard == press) and seat != twin.dealer:
        return False
    held = hand | set(played)
    for trick in tricks:
        before = []
        for who, card in trick:
            if who == seat:
                if card not in reference.legal_cards(held, before, twin.mode):
                    return False
                held = held - {card}
            before.append(card)
    return True


def placing_of(state, observer):
    """The hidden cards of a state in the form of `agreeing_deals`."""
    left, right = ((observer + k) % 3 for k in (1, 2))
    pressed = [next(iter(names_of(state.pressed[seat])), None) for seat in (left, right)]
    return (pressed[0], frozenset(names_of(state.hands[left])), pressed[1], frozenset(names_of(state.hands[right])))


def endings(seed, n, n_cards, low, high):
    """Random endings with *n_cards* in the longest hand that leave an observer from *low* to *high* agreeing deals."""
    rng = random.Random(seed)
    found = 0
    while found < n:
        states, twin = new_deal(rng)
        play_both_randomly(states, twin, rng, n_cards)
        for _ in range(rng.randrange(3)):
            play_both(states, twin, rng.choice(sorted(twin.legal())))
        observer = twin.seat_to_act() if rng.random() < 0.7 else rng.randrange(3)
        deals = list(agreeing_deals(twin, observer))
        if low <= len(deals) <= high:
            found += 1
            yield states, observer, deals


@pytest.mark.parametrize(("n_cards", "n_positions", "low", "high"), [(1, 6, 2, 12), (2, 12, 5, 90), (3, 8, 20, 250)])
def test_worlds_are_uniform_over_the_deals_that_agree_with_the_play(n_cards, n_positions, low, high):
    worlds = np.zeros(1, eidex.STATE)
    restricted = 0
    for states, observer, deals in endings(n_cards, n_positions, n_cards, low, high):
        assert len(set(deals)) == len(deals)
        n_worlds = 40 * len(deals)
        counts = Counter()
        for k in range(n_worlds):
            determinize(states[0], observer, key_of(n_cards, k, WORLD), worlds[0])
            counts[placing_of(worlds[0], observer)] += 1
        assert set(counts) == set(deals)
        assert placing_of(states[0], observer) in counts
        assert stats.chisquare([counts[placing] for placing in deals]).pvalue > SURE
        restricted += any(int(states[0].lacks[seat]) for seat in SEATS if seat != observer)
    assert restricted > n_positions // 2


def test_an_undertrump_tells_that_only_trumps_are_left():
    data = json.loads((GOLDEN / "eidex-trump.json").read_text())
    states = load_state(data | {"moves": []})
    for text in data["moves"][:27]:
        play(states[0], np.uint64(eidex.parse_move(states[0], text)))
    assert data["moves"][26] == "R8"
    assert names_of(states[0].lacks[1]) >= {name for name in NAMES if name[0] != "R"}
    worlds = np.zeros(1, eidex.STATE)
    hands = set()
    for k in range(200):
        determinize(states[0], 0, np.uint64(k), worlds[0])
        hands.add(frozenset(names_of(worlds[0].hands[1])))
    assert all(card[0] == "R" for hand in hands for card in hand)
    assert len(hands) > 1


def test_a_withheld_trump_jack_stays_possible_and_other_trumps_do_not():
    data = json.loads((GOLDEN / "eidex-trump.json").read_text())
    states = load_state(data | {"moves": []})
    for text in data["moves"][:32]:
        play(states[0], np.uint64(eidex.parse_move(states[0], text)))
    # Ravens are trump and led, and seat 2 has discarded a heart.
    assert data["moves"][30:32] == ["R9", "HQ"]
    lacks = names_of(states[0].lacks[2])
    assert "RJ" not in lacks
    assert {name for name in NAMES if name[0] == "R"} - {"RJ"} <= lacks


def test_the_truth_is_always_among_the_possible_deals(seed):
    rng = random.Random(seed)
    for _ in range(200):
        states, twin = new_deal(rng)
        while not twin.over():
            for seat in SEATS:
                assert int(states[0].lacks[seat]) & int(states[0].hands[seat]) == 0
            play_both(states, twin, rng.choice(sorted(twin.legal())))


def test_before_anything_is_shown_every_hidden_card_is_anywhere_with_its_exact_chance():
    n = 20_000
    for n_pressed in (0, 1, 2, 3):
        states, twin = new_deal(random.Random(n_pressed), dealer=0)
        for _ in range(n_pressed):
            play_both(states, twin, sorted(twin.legal() - {twin.upcard})[0])
        # Forehand looks on: seat 0 is the dealer and holds the upcard, seat 2 is the third.
        observer, dealer, third = 1, 0, 2
        places = {"hand 0": 0, "hand 2": 0, "pressed 0": 0, "pressed 2": 0}
        upcard_pressed = 0
        hidden = sorted(names_of(ALL_CARDS) - twin.hands[observer] - {twin.pressed[observer]} - {twin.upcard})
        card = NUMBER[hidden[5]]
        worlds = np.zeros(1, eidex.STATE)
        for k in range(n):
            determinize(states[0], observer, key_of(n_pressed, k, WORLD), worlds[0])
            for seat in (dealer, third):
                places[f"hand {seat}"] += int(worlds["hands"][0, seat]) >> card & 1
                places[f"pressed {seat}"] += int(worlds["pressed"][0, seat]) >> card & 1
            upcard_pressed += int(worlds["pressed"][0, dealer]) >> int(states[0].upcard) & 1
        has_pressed = [twin.pressed[seat] is not None for seat in (dealer, third)]
        # The dealer was dealt the upcard and 11 of the other 23 hidden cards; he has pressed any one of his twelve.
        expected = {
            "hand 0": 11 / 23 * (11 / 12 if has_pressed[0] else 1),
            "pressed 0": 11 / 23 / 12 if has_pressed[0] else 0,
            "hand 2": 12 / 23 * (11 / 12 if has_pressed[1] else 1),
            "pressed 2": 12 / 23 / 12 if has_pressed[1] else 0,
        }
        assert sum(places.values()) == n
        for place, chance in expected.items():
            assert stats.binomtest(places[place], n, chance).pvalue > SURE, place
        assert stats.binomtest(upcard_pressed, n, 1 / 12 if has_pressed[0] else 0).pvalue > SURE


# Play in a tournament


@pytest.fixture(scope="module")
def chances():
    """Chance to win from every standing: own, right and left neighbour's victory points."""
    return match.values(rules_of()).reshape(7, 7, 7)


def test_the_three_seats_chances_to_win_add_up_to_one(chances):
    assert chances[0, 0, 0] == pytest.approx(1 / 3, abs=1e-6)
    assert chances[6, 6, 6] == pytest.approx(1 / 3, abs=1e-6)
    for a, b, c in itertools.product(range(7), repeat=3):
        assert chances[a, b, c] + chances[b, c, a] + chances[c, a, b] == pytest.approx(1, abs=1e-3)
        assert chances[a, b, c] == pytest.approx(chances[a, c, b], abs=1e-6)
        assert 0 < chances[a, b, c] < 1


def test_more_victory_points_raise_the_own_chance_and_lower_that_of_others(chances):
    assert (np.diff(chances, axis=0) > 0).mean() > 0.95
    assert (np.diff(chances, axis=1) < 0).mean() > 0.95
    assert chances[6, 0, 0] > 0.9
    # Two at 6 cannot both arrive, so the third at 5 is not as far behind as he looks; but 6 is better than 5.
    assert chances[6, 6, 5] > chances[5, 6, 6] > 0


def test_the_chances_agree_with_tournaments_that_are_played(chances):
    n = 20_000
    experiment = experiment_of(("basic",) * 3, is_match=True, seed=5)
    _, matches = play_units(experiment, 0, n)
    wins = [matches[:, experiment.match_columns().index(f"won_{seat}")].sum() for seat in SEATS]
    assert sum(wins) == n
    assert stats.chisquare(wins).pvalue > SURE
    # From 2:0:0 on, after the first deal of a tournament that gave both points to one seat.
    deals, matches = play_units(experiment, 0, n)
    first = deals[column(experiment, deals, "number") == 0]
    ahead = column(experiment, first, "victory_points_0") == 2
    won = matches[ahead, experiment.match_columns().index("won_0")]
    # The table samples 4,000 hands: that is its own error, of about a percent.
    assert abs(won.mean() - chances[2, 0, 0]) < 4 * np.sqrt(0.25 / len(won)) + 0.01


def test_the_table_of_chances_is_computed_once_and_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    rules = rules_of(to_win=2)
    table = match.values(rules)
    assert table.shape == (8,)
    (file,) = tmp_path.iterdir()
    with monkeypatch.context() as patch:
        patch.delattr(match, "_solve_standings")
        assert (match.values(rules) == table).all()
        with pytest.raises(NameError):
            match.values(rules_of(to_win=2, points_limit=90))
    file.write_bytes(b"not a table")
    assert (match.values(rules) == table).all()
    assert (np.load(file) == table).all()
    assert list(tmp_path.iterdir()) == [file]


def test_the_table_of_chances_needs_no_folder_to_be_kept_in(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path / "file")
    rules = rules_of(to_win=1)
    assert match.values(rules) == pytest.approx([1 / 3], abs=1e-6)


# Strength


def gain_of_first_player(policies, n_blocks, seed):
    """Mean victory points of the first player beyond the fair 2/3 in all seatings on the same cards, and its standard error."""
    seatings = tuple(itertools.permutations(SEATS))
    experiment = experiment_of(policies, seatings, seed)
    deals, _ = play_units(experiment, 0, n_blocks * len(seatings))
    points = np.stack([column(experiment, deals, f"victory_points_{seat}") for seat in SEATS], axis=1)
    seats = [seatings[unit % len(seatings)].index(0) for unit in column(experiment, deals, "unit")]
    blocks = points[np.arange(len(points)), seats].reshape(n_blocks, -1).mean(axis=1)
    return blocks.mean() - 2 / 3, blocks.std(ddof=1) / np.sqrt(n_blocks)


def test_a_cheat_who_knows_all_cards_beats_the_honest_searcher():
    gain, error = gain_of_first_player(("oracle:8", "search:8", "search:8"), 150, 2)
    assert gain > 4 * error


def test_equal_players_share_equally():
    gain, error = gain_of_first_player(("random",) * 3, 3000, 3)
    assert abs(gain) < 4 * error + 1e-9


@pytest.mark.parametrize(("better", "worse"), [("basic", "random"), ("search:8", "random")])
def test_a_better_policy_wins_more_than_its_share(better, worse):
    gain, error = gain_of_first_player((better, worse, worse), 200, 4)
    assert gain > 4 * error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policies", "least"),
    [
        (("basic", "random", "random"), 0.80),
        (("search:32", "random", "random"), 0.92),
        (("search:32", "basic", "basic"), 0.72),
    ],
)
def test_a_policy_is_as_strong_as_it_must_be(policies, least):
    # So many that two standard errors fit between what was measured and what is asked.
    gain, error = gain_of_first_player(policies, 10_000, 5)
    assert gain + 2 / 3 - 2 * error > least


@pytest.mark.slow
def test_more_worlds_are_stronger():
    gain, error = gain_of_first_player(("search:128", "search:8", "search:8"), 2500, 6)
    assert gain > 3 * error


# Checked-in transcripts, which a rules expert can read

TRANSCRIPTS = sorted(file.stem for file in GOLDEN.glob("eidex-*.json"))


def test_there_is_a_golden_transcript_of_every_mode():
    kinds = {replay(json.loads((GOLDEN / f"{name}.json").read_text())).result["kind"] for name in TRANSCRIPTS}
    assert kinds > {"Obenabe", "Undenufe"}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_golden_deal_is_told_as_checked_in(name):
    told = replay(json.loads((GOLDEN / f"{name}.json").read_text()))
    assert told.lines == (GOLDEN / f"{name}.txt").read_text().splitlines()


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_golden_deal_goes_as_in_the_reference(name):
    data = json.loads((GOLDEN / f"{name}.json").read_text())
    twin = reference.Deal([set(hand.split()) for hand in data["hands"]], data["dealer"], data["bottom"][0])
    for text in data["moves"]:
        twin.play(text.removeprefix("press "))
    result = replay(data).result
    assert result["kind"] == twin.mode
    assert result["card_points"] == twin.card_points()
    assert result["victory_points"] == twin.result()


@pytest.mark.parametrize(
    ("n_moves", "trick", "legal", "rule"),
    [
        (13, "EQ", "E6 RJ RK RA", "B11: with a card of the suit led, cutting in is allowed"),
        (14, "EQ RA", "EJ EK EA", "B14: the R10 would undertrump the RA, and there are cards of the suit led"),
        (20, "SJ H9", "EA EK HJ H7 HA R10", "B11: void in the suit led, anything goes"),
        (26, "E6 R10", "R6 R7 R8 R9", "B13: with nothing but trumps, lower ones may be played too"),
        (31, "R9", "HQ RJ", "B16: the Jack, the only trump, need not follow"),
        (32, "R9 HQ", "HJ HA", "B11: void in trumps, anything goes"),
    ],
)
def test_the_golden_trump_deal_shows_what_may_be_played(n_moves, trick, legal, rule):
    data = json.loads((GOLDEN / "eidex-trump.json").read_text())
    assert data["moves"][n_moves - len(trick.split()) : n_moves] == trick.split()
    told = replay(data | {"moves": data["moves"][:n_moves]})
    assert set(told.legal) == set(legal.split()), rule


def test_the_trump_jack_must_follow_beside_another_trump():
    """B16: with the Jack and another trump, a trump must be played, and the Jack is one of them."""
    data = json.loads((GOLDEN / "eidex-trump.json").read_text())
    # Seat 2 holds RJ and RK when seat 1 leads a trump.
    moves = ["press HK", "press RQ", "press H6", "E8", "E10", "E9", "R9"]
    assert set(replay(data | {"moves": moves}).legal) == {"RJ", "RK", "RA"}


# The baseline in C


@pytest.mark.skipif(not (shutil.which("cc") or shutil.which("gcc")), reason="no C compiler (cc, gcc) is installed")
def test_the_baseline_in_c_gives_the_same_rows(tmp_path):
    n, program = 20_000, str(tmp_path / "eidex")
    compiler = shutil.which("cc") or shutil.which("gcc")
    subprocess.run([compiler, "-O2", "-o", program, str(BASELINE)], check=True)
    output = subprocess.run([program, str(n), "11", "rows"], check=True, capture_output=True, text=True).stdout
    rows = np.array(output.split(), np.int64).reshape(n, -1)
    experiment = experiment_of(("random",) * 3, seed=11)
    deals, _ = play_units(experiment, 0, n)
    names = ["kind", "match", "over_limit", "tie"]
    names += [f"card_points_{seat}" for seat in SEATS] + [f"victory_points_{seat}" for seat in SEATS]
    seats = range(3)
    whole = {name: np.max([column(experiment, deals, f"{name}_{seat}") for seat in seats], axis=0) for name in names[1:4]}
    ours = np.stack([whole[name] if name in whole else column(experiment, deals, name) for name in names], axis=1)
    assert (rows[:, : len(names)] == ours).all()


if __name__ == "__main__":
    # Writes the golden transcripts anew, after a change of what they tell; read the difference before committing it.
    for name in TRANSCRIPTS:
        (GOLDEN / f"{name}.txt").write_text("\n".join(replay(json.loads((GOLDEN / f"{name}.json").read_text())).lines) + "\n")
