"""COSMOS: the kernels against the plain reference, the rulebook's own examples, worlds, games and texts."""

import itertools
import json
import random
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner
from reference import cosmos as reference
from scipy import stats

from cli.__main__ import cosmic
from simcore.bits import highest, nth
from simcore.engine import Experiment, play_units
from simcore.games import cosmos
from simcore.games.cosmos import match
from simcore.games.cosmos.basic import _taking_cards
from simcore.games.cosmos.cards import ALL_CARDS, BLACK, COPIES, FIRST_COPIES, NAMES, NINES, PLANETS, SUIT_CARDS, SUITS, VALUES, cards_text
from simcore.games.cosmos.play import best_card, suits_of, table_partner
from simcore.games.cosmos.worlds import deal_hidden
from simcore.perft import perft
from simcore.policies import POLICIES
from simcore.protocol import (
    deal,
    determinize,
    effective_rules,
    is_over,
    kind,
    legal_moves,
    play,
    seat_to_act,
    settle,
    start,
    utility,
    winners,
)
from simcore.scenario import load_state, replay, result_of, transcript

PLAYERS = (3, 4, 5, 6)


def new_round(seats, key, starter=0, **rules):
    """States of shape (1,) with a fresh round."""
    states = np.zeros(1, cosmos.STATE)
    start(states[0], effective_rules(cosmos.SWITCHES, rules)[0], seats, starter)
    deal(states[0], np.uint64(key))
    return states


def names_of(cards):
    return sorted(cards_text(cards).split())


def twin_of(state, **rules):
    """The same fresh round in the reference."""
    data = cosmos.write_deal(state)
    flags = {key: value == "on" for key, value in rules.items()}
    return reference.Round([hand.split() for hand in data["hands"]], data["table"].split(), data["starter"], **flags)


def open_names(state):
    return [cosmos.move_text(state, move) for move in range(64) if int(legal_moves(state)) >> move & 1]


def play_name(state, name):
    play(state, np.uint64(cosmos.parse_move(state, name)))


def assert_same(state, twin):
    """The round stands as in the reference."""
    n = twin.n
    assert bool(is_over(state)) == twin.over()
    # Which of several equal table cards is used up is the same to everybody.
    assert sorted(name[3:] for name in names_of(state.table)) == sorted(name[3:] for name in twin.table)
    assert [names_of(hand) for hand in state.hands[:n]] == twin.hands
    assert names_of(state.face_up) == sorted(twin.face_up())
    assert names_of(state.trick) == sorted(card for _, card, _ in twin.trick)
    assert state.tricks[:n].tolist() == twin.tricks
    assert state.nines[:n].tolist() == [twin.nines(seat) for seat in range(n)]
    assert [{SUITS[k] for k in range(5) if lacks & SUIT_CARDS[k]} for lacks in state.lacks[:n]] == twin.lacks
    if not twin.over():
        assert seat_to_act(state) == twin.turn
        names = open_names(state)
        assert set(names) == twin.legal()
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("setting", [{}, {"void": "off"}, {"table_cards": "off"}], ids=str)
@pytest.mark.parametrize("seats", PLAYERS)
def test_random_rounds_go_as_in_the_reference(seats, setting, seed):
    rng = random.Random(seed)
    for _ in range(40):
        states = new_round(seats, rng.getrandbits(64), rng.randrange(seats), **setting)
        state, twin = states[0], twin_of(states[0], **setting)
        assert_same(state, twin)
        while not twin.over():
            name = rng.choice(sorted(twin.legal()))
            play_name(state, name)
            twin.play(name)
            assert_same(state, twin)
        result = result_of(state)
        scores = twin.scores()
        assert result["tricks"] == scores
        assert result["tricks_won"] == twin.tricks
        assert result["fewest"] == [int(score == min(scores)) for score in scores]
        assert result["nines"] == [twin.nines(seat) for seat in range(seats)]
        assert result["void"] == [int(twin.has_void(seat)) for seat in range(seats)]
        assert result["big_bangs"] == [sum(seat == winner and bang for winner, bang, _ in twin.log) for seat in range(seats)]
        assert result["broke"] == [int(twin.breaker == seat) for seat in range(seats)]
        assert result["started"] == [int(twin.starter == seat) for seat in range(seats)]
        assert result["collisions"] == twin.collisions
        assert result["table_collisions"] == twin.table_collisions
        assert result["black_tricks"] == sum(is_black for _, _, is_black in twin.log)
        assert result["break_trick"] == twin.break_trick
        assert result["void_tricks"] == sum(twin.tricks) - sum(scores)
        assert result["starter_tricks"] == scores[twin.starter]


@pytest.mark.parametrize("seats", PLAYERS)
def test_a_round_keeps_its_tricks_values_cards_and_nines(seats, seed):
    rng = random.Random(seed)
    for _ in range(100):
        state = new_round(seats, rng.getrandbits(64))[0]
        n_played = 0
        while not is_over(state):
            move = rng.choice([move for move in range(64) if int(legal_moves(state)) >> move & 1])
            play(state, np.uint64(move))
            n_played += 1
            up = [VALUES[card] for card in range(64) if int(state.face_up) >> card & 1]
            assert len(set(up)) == len(up)
            hands = [int(hand) for hand in state.hands]
            assert sum(map(int.bit_count, hands)) == sum(hands).bit_count() == 60 - n_played
            assert sum(hands) & int(state.table | state.trick) == 0
            gone = int(ALL_CARDS) & ~sum(hands) & ~int(state.table | state.trick)
            assert sum(state.nines) + state.table_collisions >= (gone & int(NINES)).bit_count() >= sum(state.nines)
        assert sum(state.tricks) == 60 // seats == reference.END_TRICKS[seats]


@pytest.mark.parametrize("seats", PLAYERS)
def test_perft_counts_what_the_reference_counts(seats):
    states = new_round(seats, 5)
    twin = twin_of(states[0])
    assert perft(states, 3, seats) == reference.perft(twin, 3)
    rng = random.Random(5)
    while len(twin.log) < 60 // seats - 2:
        name = rng.choice(sorted(twin.legal()))
        play_name(states[0], name)
        twin.play(name)
    assert perft(states, 2 * seats, seats) == reference.perft(twin, 2 * seats)


# The rulebook's worked examples.

TABLE = "Ear1 Ear2 Ear3 Moo1"  # meets no card of the examples for an odd number of players, except where said


def position(hands, moves=(), table=TABLE, **entries):
    """Scenario of the last tricks of a round, whose earlier tricks seat 0 has won; without Void unless *rules* say otherwise."""
    seats, size = len(hands), 60 // len(hands)
    left = max(len(hand.split()) for hand in hands)
    entries = {"tricks": [size - left] + [0] * (seats - 1), "is_broken": False, "turn": 0, "table": table, "hands": hands} | entries
    rules = {"void": "off"} | entries.pop("rules", {})
    return {"game": "cosmos", "players": seats, "rules": rules, "position": entries, "moves": list(moves)}


def test_example_of_the_winner_with_two_suits_of_two_cards_each():
    """Rule: cosmos, Who Wins the Trick, example 1 (C10)"""
    told = replay(position(["Sat5", "Sun4", "Sun8", "Sat6"], ["Sat5", "Sun4", "Sun8", "Sat6"]))
    assert told.events[-1] == "trick 15 to seat 2"


def test_example_of_the_winner_in_the_most_numerous_suit():
    """Rule: cosmos, Who Wins the Trick, example 2 (C10): the 9 of another suit does not win."""
    told = replay(position(["Sun4", "Sun8", "Moo9", "Sat6"], ["Sun4", "Sun8", "Moo9", "Sat6"]))
    assert told.events[-1] == "trick 15 to seat 1"


def test_example_of_the_winner_with_black_cards():
    """Rule: cosmos, Who Wins the Trick, example 3 (C10)"""
    told = replay(position(["Sun4", "Sun8", "Bla2", "Bla3"], ["Sun4", "Sun8", "Bla2", "Bla3"]))
    assert told.events == ["0 Sun4", "1 Sun8", "2 Bla2", "the break", "3 Bla3", "trick 15 to seat 3"]
    assert told.result["black_tricks"] == 1


def test_example_of_a_collision_that_frees_from_following_its_suit():
    """Rule: cosmos, Collision, example 1 (C3, C6, C19)"""
    hands = ["Sun7 Moo2", "Sun5 Moo4", "Sat7 Moo5", "Sat6 Moo6"]
    told = replay(position(hands, ["Sun7", "Sun5", "Sat7"]))
    assert told.events[-1] == "Sun7 and Sat7 collide"
    # No Sun in hand to follow the 5 that still lies face up.
    assert (told.seat, told.legal) == (3, ["Sat6", "Moo6"])
    hands[3] = "Sat6 Bla6"
    assert replay(position(hands, ["Sun7", "Sun5", "Sat7"])).legal == ["Sat6", "Bla6"]


def test_example_of_a_collision_after_which_the_table_is_empty():
    """Rule: cosmos, Collision, example 2 (C7)"""
    hands = ["Sun7 Moo2", "Sun7 Moo4", "Sat3 Bla5", "Sat6 Moo6"]
    told = replay(position(hands, ["Sun7", "Sun7"]))
    assert told.events[-1] == "Sun7 and Sun7 collide"
    assert told.legal == ["Sat3"]
    assert replay(position(hands, ["Sun7", "Sun7"], is_broken=True)).legal == ["Sat3", "Bla5"]


def test_example_of_black_cards_before_the_break():
    """Rule: cosmos, Black Card Restrictions, example 1 (C7, C8, C9)"""
    hands = ["Sun7 Bla2", "Moo4 Bla1", "Sat3 Bla5", "Sat6 Moo6"]
    assert replay(position(hands)).legal == ["Sun7"]
    told = replay(position(hands, ["Sun7", "Bla1"]))
    assert told.events[-1] == "the break"
    assert told.legal == ["Bla5"]


def test_a_hand_of_black_cards_alone_may_lead_one_and_breaks():
    """Rule: cosmos C7, C9"""
    told = replay(position(["Bla2 Bla8", "Moo4 Bla1", "Sat3 Bla5", "Sat6 Moo6"], ["Bla2"]))
    assert told.events == ["0 Bla2", "the break"]
    assert told.legal == ["Bla1"]


def test_example_of_black_cards_after_the_break():
    """Rule: cosmos, Black Card Restrictions, example 2 (C5, C7)"""
    hands = ["Sun7 Bla2", "Moo4 Bla1", "Sat3 Bla5", "Sat6 Moo6"]
    assert replay(position(hands, is_broken=True)).legal == ["Sun7", "Bla2"]
    assert replay(position(hands, ["Bla2"], is_broken=True)).legal == ["Bla1"]


def test_example_of_a_big_bang_with_an_even_number_of_players():
    """Rule: cosmos, Big Bang, example 1 (C4, C9, C13): the black card breaks although it collides at once."""
    told = replay(position(["Sun7", "Sun5", "Sat7", "Bla5"], ["Sun7", "Sun5", "Sat7", "Bla5"]))
    assert told.events[-3:] == ["the break", "Sun5 and Bla5 collide", "Big Bang: trick 15 to seat 0"]
    assert told.result["big_bangs"] == [1, 0, 0, 0]
    assert told.result["collisions"] == 2


def test_example_of_a_big_bang_with_an_odd_number_of_players():
    """Rule: cosmos, Big Bang, example 2 (C11, C12)"""
    hands, moves = ["Sun7", "Sun6", "Sat7"], ["Sun7", "Sun6", "Sat7"]
    told = replay(position(hands, moves, table="Ear1 Ear6 Ear3 Moo6"))
    assert told.events[-2:] == ["Ear6 of the table collides", "Big Bang: trick 20 to seat 0"]
    assert told.result["table_collisions"] == 1
    assert replay(position(hands, moves)).events[-1] == "trick 20 to seat 1"
    off = position(hands, moves, table="Ear1 Ear6 Ear3 Moo6", rules={"table_cards": "off"})
    assert replay(off).events[-1] == "trick 20 to seat 1"


def test_a_table_card_is_used_up_and_a_second_one_may_act_later():
    """Rule: cosmos C12"""
    states = load_state(position(["Sun7 Sat5", "Sun6 Sat6", "Sat7 Moo5"], table="Ear1 Ear6 Ear3 Moo6"))
    for name in ["Sun7", "Sun6", "Sat7"]:
        play_name(states[0], name)
    assert cards_text(states[0].table) == "Ear1 Ear3 Moo6"
    for name in ["Sat5", "Sat6", "Moo5"]:
        play_name(states[0], name)
    assert cards_text(states[0].table) == "Ear1 Ear3"
    assert result_of(states[0])["big_bangs"] == [2, 0, 0]


def test_table_cards_do_nothing_with_three_cards_face_up():
    """Rule: cosmos C11"""
    moves = ["Sun7", "Sun6", "Sat7", "Sun4", "Sun8"]
    told = replay(position(moves, moves, table="Ear6 Ear4 Ear8 Moo6"))
    assert told.events[-1] == "trick 12 to seat 4"
    assert told.result["table_collisions"] == 0


def test_table_cards_are_not_used_with_an_even_number_of_players():
    """Rule: cosmos C2"""
    moves = ["Sun7", "Sat7", "Sun6", "Sat2"]
    told = replay(position(moves, moves, table="Ear6 Ear4 Ear2 Moo2"))
    assert told.events[-1] == "trick 15 to seat 2"
    assert told.result["table_collisions"] == 0


def test_the_third_of_equal_values_stays_and_the_fourth_collides_with_it():
    """Rule: cosmos C3"""
    moves = ["Sun7", "Sat7", "Ear7", "Moo7"]
    told = replay(position(moves, moves))
    assert told.events[-2:] == ["Ear7 and Moo7 collide", "Big Bang: trick 15 to seat 0"]
    assert replay(position([*moves[:3], "Moo2"], [*moves[:3], "Moo2"])).events[-1] == "trick 15 to seat 2"


def test_any_suit_that_lies_face_up_may_be_followed():
    """Rule: cosmos C5"""
    hands = ["Sun7 Moo2", "Moo4 Ear8", "Sun3 Moo5", "Sat6 Bla6"]
    assert replay(position(hands, ["Sun7", "Moo4"])).legal == ["Sun3", "Moo5"]
    hands[3] = "Bla6 Ear5"
    told = replay(position(["Sun7 Moo2", "Bla4 Ear8", "Sat3 Moo5", "Bla6 Ear5"], ["Sun7", "Ear8", "Sat3"], is_broken=True))
    assert told.legal == ["Ear5"]


def test_example_of_void_leaves_the_total_of_the_earlier_rounds():
    """Rule: cosmos, Void, example (C14): 5 + 0 = 5 tricks."""
    hands = ["Sun5", "Sun9", "Sun3", "Sun2"]
    entries = {"nines": [0, 3, 0, 0], "tricks": [5, 6, 3, 0], "totals": [0, 5, 1, 2]}
    scenario = position(hands, ["Sun5", "Sun9", "Sun3", "Sun2"], rules={"void": "on"}, **entries)
    told = replay(scenario)
    assert told.events[-2:] == ["trick 15 to seat 1", "Void for seat 1"]
    assert told.result["tricks"] == [5, 0, 3, 0]
    assert told.result["tricks_won"] == [5, 7, 3, 0]
    assert (told.result["void"], told.result["void_tricks"]) == ([0, 1, 0, 0], 7)
    assert told.result["kind"] == "void round"
    states = load_state(scenario)
    for name in scenario["moves"]:
        play_name(states[0], name)
    settle(states[0])
    assert states[0].totals[:4].tolist() == [5, 5, 4, 2]
    assert replay(scenario | {"rules": {"void": "off"}}).result["tricks"] == [5, 7, 3, 0]


# Sets of cards.


def test_the_deck_has_each_card_as_often_as_the_rulebook_says():
    """Rule: cosmos C1"""
    assert Counter(NAMES) == Counter(reference.DECK)
    assert names_of(FIRST_COPIES) == sorted(name for name, copies in COPIES.items() if len(copies) == 2)
    assert int(PLANETS).bit_count() == 56
    assert int(BLACK).bit_count() == 8
    assert names_of(NINES) == sorted(reference.NINES)


def random_face_up(rng, n):
    """A set of *n* cards of different values."""
    return sum(1 << rng.choice([card for card in range(64) if VALUES[card] == value]) for value in rng.sample(range(1, 10), n))


def test_sets_of_face_up_cards_are_judged_as_in_the_reference(seed):
    rng = random.Random(seed)
    for _ in range(3000):
        cards = np.uint64(random_face_up(rng, rng.randrange(7)))
        names = cards_text(cards).split()
        suits = {name[:3] for name in names}
        assert names_of(suits_of(cards)) == sorted(name for name in reference.DECK if name[:3] in suits)
        best = int(best_card(cards))
        assert reference.best_card(names) == (NAMES[best] if names else None)
        assert best < 64 or not names


def test_basic_knows_which_cards_would_be_the_best(seed):
    rng = random.Random(seed)
    state = new_round(4, 1)[0]
    for _ in range(1000):
        names = cards_text(random_face_up(rng, rng.randrange(6))).split()
        up = sum(1 << COPIES[name][0] for name in names)
        takes = int(_taking_cards(state, np.uint64(up), False))
        for card in range(64):
            if VALUES[card] not in [reference.value_of(name) for name in names]:
                assert bool(takes >> card & 1) == (reference.best_card([*names, NAMES[card]]) == NAMES[card])


def test_the_highest_card_of_a_set_is_its_last(seed):
    rng = random.Random(seed)
    for _ in range(200):
        cards = np.uint64(rng.getrandbits(64) | 1)
        assert highest(cards) == nth(cards, int(cards).bit_count() - 1)


def test_one_equal_table_card_is_taken():
    state = new_round(3, 1)[0]
    state.table = np.uint64(1 << COPIES["Ear6"][0] | 1 << COPIES["Moo6"][1] | 1 << COPIES["Sat1"][0])
    assert cards_text(table_partner(state, np.uint64(1 << COPIES["Bla6"][0]))) == "Ear6"
    assert table_partner(state, np.uint64(1 << COPIES["Bla5"][0])) == 0


def test_the_two_copies_of_a_card_are_one_move_with_one_name():
    states = load_state(position(["Sun7 Sun7 Moo4", "Sun6 Sat6 Sat5", "Sat7 Moo5 Sat8"]))
    assert open_names(states[0]) == ["Sun7", "Moo4"]
    low, high = COPIES["Sun7"]
    assert cosmos.parse_move(states[0], "play sun7") == low
    states[0].hands[0] ^= np.uint64(1 << low)
    assert cosmos.parse_move(states[0], "Sun7") == high
    assert cosmos.move_text(states[0], high) == "Sun7"


# Worlds.


def worlds_by_enumeration(hidden, sizes, lacks):
    """All deals of the *hidden* cards to hands of these sizes that avoid the suits in *lacks*, as tuples of frozensets."""
    if not sizes:
        return [()]
    found = []
    allowed = [card for card in hidden if NAMES[card][:3] not in lacks[0]]
    for hand in itertools.combinations(allowed, sizes[0]):
        rest = [card for card in hidden if card not in hand]
        found += [(frozenset(hand), *others) for others in worlds_by_enumeration(rest, sizes[1:], lacks[1:])]
    return found


CASES = [
    ("Sun4 Sun5 Sat4 Sat5 Ear1 Bla1", [3, 3], [{"Sun"}, set()]),
    ("Sun4 Sun4 Sat4 Sat5 Ear1 Ear2", [2, 2, 2], [{"Sun"}, {"Sat"}, set()]),
    ("Sun4 Sun5 Sat4 Sat5 Ear1 Ear2", [2, 2, 2], [{"Sun"}, {"Sat"}, {"Ear"}]),
    ("Sun4 Sun5 Sat4 Sat5 Ear1 Moo2 Bla1", [3, 2, 2], [{"Sun", "Ear"}, {"Sat"}, {"Ear", "Bla"}]),
    ("Bla1 Bla2 Sat4 Sat5 Ear1 Ear2 Moo1", [2, 2, 1, 2], [{"Sun", "Ear", "Sat", "Moo"}, {"Sat"}, {"Ear"}, {"Bla"}]),
    ("Sun4 Sun5 Sat4 Sat5 Ear1 Ear2 Moo1", [2, 1, 1, 2, 1], [{"Sun"}, {"Sun", "Sat"}, {"Sat", "Moo"}, {"Ear"}, set()]),
]


@pytest.mark.parametrize("names, sizes, lacks", CASES)
def test_every_deal_of_the_hidden_cards_is_equally_likely(names, sizes, lacks):
    hidden, taken = [], Counter()
    for name in names.split():
        hidden.append(COPIES[name][taken[name]])
        taken[name] += 1
    possible = worlds_by_enumeration(hidden, sizes, lacks)
    state = new_round(6, 1)[0]
    state.hands[:] = 0
    room = 0
    for seat, (size, suits) in enumerate(zip(sizes, lacks, strict=True)):
        room |= size << 8 * seat
        state.lacks[seat] = sum(int(SUIT_CARDS[SUITS.index(suit)]) for suit in suits)
    counts = dict.fromkeys(possible, 0)
    for key in range(60 * len(possible)):
        deal_hidden(state, np.uint64(sum(1 << card for card in hidden)), np.uint64(room), np.uint64(key * 7919))
        hands = tuple(frozenset(card for card in range(64) if int(hand) >> card & 1) for hand in state.hands[: len(sizes)])
        counts[hands] += 1
    assert min(counts.values()) > 0
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


@pytest.mark.parametrize("seats", PLAYERS)
def test_the_truth_is_always_possible_and_every_consistent_place_occurs(seats, seed):
    rng = random.Random(seed)
    worlds = np.zeros(1, cosmos.STATE)
    for _ in range(6):
        state = new_round(seats, rng.getrandbits(64))[0]
        while state.tricks_left > 3 or state.trick:
            play_name(state, rng.choice(open_names(state)))
        for _ in range(rng.randrange(seats)):
            play_name(state, rng.choice(open_names(state)))
        seat = int(seat_to_act(state))
        others = [other for other in range(seats) if other != seat]
        assert all(not state.lacks[other] & state.hands[other] for other in range(seats))
        hidden = [card for card in range(64) if any(int(state.hands[other]) >> card & 1 for other in others)]
        lacks = [{suit for suit, cards in zip(SUITS, SUIT_CARDS, strict=True) if state.lacks[other] & cards} for other in others]
        sizes = [int(state.hands[other]).bit_count() for other in others]
        wanted = {(card, others[k]) for card in hidden for k in range(len(others)) if can_be(card, k, hidden, sizes, lacks)}
        seen = set()
        for _ in range(1500):
            determinize(state, seat, np.uint64(rng.getrandbits(64)), worlds[0])
            world = worlds[0]
            assert world.hands[seat] == state.hands[seat]
            assert all(not state.lacks[other] & world.hands[other] for other in others)
            seen |= {(card, other) for other in others for card in hidden if int(world.hands[other]) >> card & 1}
        assert seen == wanted
        assert {(card, other) for other in others for card in hidden if int(state.hands[other]) >> card & 1} <= wanted


def can_be(card, place, hidden, sizes, lacks):
    """Whether some deal puts *card* into hand number *place*: a matching of cards and open places, by augmenting paths."""
    if NAMES[card][:3] in lacks[place] or not sizes[place]:
        return False
    places = [k for k, size in enumerate(sizes) for _ in range(size - (k == place))]
    holder = {}

    def find(one, tried):
        for slot, hand in enumerate(places):
            if slot not in tried and NAMES[one][:3] not in lacks[hand]:
                tried.add(slot)
                if slot not in holder or find(holder[slot], tried):
                    holder[slot] = one
                    return True
        return False

    return all(find(one, set()) for one in hidden if one != card)


def test_who_does_not_follow_shows_what_he_lacks_at_that_moment_and_only_that():
    """Rule: cosmos C5, C7, C19"""
    hands = ["Sun7 Moo2", "Sun7 Ear8", "Sat3 Moo5", "Sat6 Moo6"]
    states = load_state(position(hands))
    for name, expected in zip(["Sun7", "Sun7", "Sat3", "Moo6"], ["", "", "", "Sat"], strict=True):
        state, seat = states[0], int(seat_to_act(states[0]))
        if name == "Moo6":
            hands_before = state.hands.copy()
            state.hands[seat] = np.uint64(1 << COPIES["Moo6"][0] | 1 << COPIES["Ear6"][0])
            assert hands_before[seat] != state.hands[seat]
        play_name(state, name)
        assert cosmos.write_position(state)["lacks"][seat] == expected
    led_black = load_state(position(["Bla2 Bla8", "Moo4 Bla1", "Sat3 Bla5", "Sat6 Moo6"], is_broken=False))
    play_name(led_black[0], "Bla2")
    assert cosmos.write_position(led_black[0])["lacks"][0] == "Sat Ear Sun Moo"


# The game.


def finished_round(tricks, totals, nines=None, seats=4, **rules):
    """State of a finished round with these figures."""
    state = new_round(seats, 1, **rules)[0]
    state.tricks_left = 0
    state.tricks[:seats] = tricks
    state.totals[:seats] = totals
    state.nines[:seats] = nines or [0] * seats
    return state


def test_a_game_ends_when_a_total_reaches_the_end_and_the_fewest_win():
    """Rule: cosmos C15, C16"""
    state = finished_round([3, 4, 4, 4], [5, 11, 4, 3])
    assert kind(state) == cosmos.KINDS.index("last round")
    settle(state)
    assert winners(state) == 1 << 3
    assert reference.game_winners(state.totals[:4].tolist()) == {3}
    shared = finished_round([4, 4, 3, 4], [5, 11, 4, 3])
    settle(shared)
    assert winners(shared) == 1 << 2 | 1 << 3
    short = finished_round([3, 4, 4, 4], [5, 10, 4, 3])
    settle(short)
    assert winners(short) == 0
    assert state.rules.end_tricks == 0
    for seats, end in reference.END_TRICKS.items():
        others = [0] * (seats - 1)
        for total, is_end in ((end, True), (end - 1, False)):
            last = finished_round([1, *others], [total - 1, *others], seats=seats)
            settle(last)
            assert bool(winners(last)) == is_end
    longer = finished_round([4, 4, 3, 4], [5, 11, 4, 3], end_tricks=30)
    settle(longer)
    assert winners(longer) == 0


def test_void_comes_before_the_end_of_the_game():
    """Rule: cosmos C14, C15"""
    state = finished_round([9, 2, 2, 2], [13, 0, 0, 0], nines=[4, 0, 0, 0])
    settle(state)
    assert winners(state) == 0
    assert state.totals[:4].tolist() == [13, 2, 2, 2]
    without = finished_round([9, 2, 2, 2], [13, 0, 0, 0], nines=[4, 0, 0, 0], void="off")
    settle(without)
    assert winners(without) == 0b1110


def test_the_fewest_tricks_start_the_next_round_and_equals_are_drawn():
    """Rule: cosmos C16, C17"""
    starters = Counter()
    for key in range(300):
        state = finished_round([4, 5, 2, 4], [1, 3, 3, 7])
        state.chance = np.uint64(key * 12345)
        settle(state)
        starters[int(state.starter)] += 1
    assert set(starters) == reference.possible_starters([5, 8, 5, 11]) == {0, 2}
    assert stats.chisquare(list(starters.values())).pvalue > 1e-4


@pytest.mark.parametrize("seats", PLAYERS)
def test_a_game_is_played_to_its_end_and_a_cap_is_reported(seats):
    policies, seating = ("basic",) * seats, (tuple(range(seats)),)
    experiment = Experiment(cosmos, effective_rules(cosmos.SWITCHES, {}), policies, seating, 3, True)
    deals, matches = play_units(experiment, 0, 200)
    columns, names = experiment.deal_columns(), experiment.match_columns()
    figures = dict(zip(names, matches.T, strict=True))
    assert not figures["capped"].any()
    for unit in range(200):
        rounds = deals[deals[:, 0] == unit]
        totals = [int(rounds[:, columns.index(f"tricks_{seat}")].sum()) for seat in range(seats)]
        assert [int(figures[f"standing_{seat}"][unit]) for seat in range(seats)] == totals
        assert {seat for seat in range(seats) if figures[f"won_{seat}"][unit]} == reference.game_winners(totals)
        assert (rounds[:-1, 2] != cosmos.KINDS.index("last round")).all()
        assert rounds[-1, 2] == cosmos.KINDS.index("last round")
        assert rounds[-1, columns.index("comeback")] == has_comeback(rounds, columns, seats)
        for before, after in itertools.pairwise(range(len(rounds))):
            sums = [int(rounds[: before + 1, columns.index(f"tricks_{seat}")].sum()) for seat in range(seats)]
            started = [seat for seat in range(seats) if rounds[after, columns.index(f"started_{seat}")]]
            assert len(started) == 1
            assert started[0] in reference.possible_starters(sums)
    capped = Experiment(cosmos, effective_rules(cosmos.SWITCHES, {"max_rounds": 1}), policies, seating, 3, True)
    figures = dict(zip(names, play_units(capped, 0, 50)[1].T, strict=True))
    assert figures["capped"].sum() > 25
    assert (figures["deals"] == 1).all()


def has_comeback(rounds, columns, seats):
    """Whether a winner has had the most tricks, and not all the same, after an earlier round."""
    totals, been_last = np.zeros(seats, int), set()
    for number, row in enumerate(rounds):
        totals += [row[columns.index(f"tricks_{seat}")] for seat in range(seats)]
        if number + 1 < len(rounds) and totals.min() < totals.max():
            been_last |= set(np.flatnonzero(totals == totals.max()))
    return bool(been_last & set(np.flatnonzero(totals == totals.min())))


def test_the_worth_of_a_round_is_its_tricks_and_in_a_game_about_the_chance_to_win():
    none, values = np.zeros(0), cosmos.values(effective_rules(cosmos.SWITCHES, {})[0])
    state = finished_round([3, 4, 4, 4], [5, 2, 4, 3], nines=[0, 4, 0, 0])
    assert [utility(state, seat, none) for seat in range(4)] == [-3, 0, -4, -4]
    chances = [utility(state, seat, values) for seat in range(4)]
    assert sum(chances) == pytest.approx(1, abs=1e-6)
    assert chances[1] > chances[3] > chances[0] == chances[2]
    won = finished_round([3, 4, 4, 4], [12, 2, 4, 3], nines=[0, 4, 0, 0])
    assert [utility(won, seat, values) for seat in range(4)] == [0, 1, 0, 0]
    shared = finished_round([3, 4, 4, 4], [12, 2, 4, 2])
    assert [utility(shared, seat, values) for seat in range(4)] == [0, 0.5, 0, 0.5]


@pytest.mark.parametrize("seats", PLAYERS)
def test_the_chances_of_standings_are_calibrated(seats):
    rules = effective_rules(cosmos.SWITCHES, {})[0]
    totals, shares = match._sampled_games(rules, seats)
    row = 2 * (seats - 3)
    numbers = cosmos.values(rules)[row : row + 2]
    assert numbers == pytest.approx(match._fit(totals, shares, reference.END_TRICKS[seats]), abs=1e-4)
    scaled = totals / reference.END_TRICKS[seats]
    weights = np.exp(-(numbers[0] + numbers[1] * scaled.max(1, keepdims=True)) * scaled)
    chances = weights / weights.sum(1, keepdims=True)
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.6), (0.6, 1)):
        here = (chances >= low) & (chances < high)
        if here.sum() > 200:
            assert shares[here].mean() == pytest.approx(chances[here].mean(), abs=0.06)


def test_the_policies_are_ranked_on_the_same_cards():
    assert [policy.name for policy in POLICIES[:3]] == ["random", "basic", "search"]
    for better, worse, seats, n_cards in (("basic", "random", 3, 200), ("basic", "random", 4, 200), ("basic", "random", 6, 200),
                                          ("search:8", "random", 4, 20)):  # fmt: skip
        seatings = tuple(tuple(int(seat != mine) for seat in range(seats)) for mine in range(seats))
        experiment = Experiment(cosmos, effective_rules(cosmos.SWITCHES, {}), (better, worse), seatings, 2, False)
        deals, columns = play_units(experiment, 0, n_cards * seats)[0], experiment.deal_columns()
        tricks = np.array([row[columns.index(f"tricks_{unit % seats}")] for unit, row in enumerate(deals)])
        assert tricks.mean() < 0.75 * 60 / seats / seats


# Texts.


def test_a_position_with_hidden_hands_is_filled_with_cards_that_may_be_there():
    states = new_round(5, 3)
    rng = random.Random(3)
    while states[0].tricks_left > 6 or not states[0].trick:
        play_name(states[0], rng.choice(open_names(states[0])))
    data = cosmos.write_position(states[0])
    seat = int(seat_to_act(states[0]))
    hidden = data | {"hands": [hand if other == seat else None for other, hand in enumerate(data["hands"])]}
    read = load_state({"game": "cosmos", "players": 5, "position": hidden}, may_hide=True)
    assert cosmos.write_position(read[0]) | {"hands": None} == data | {"hands": None}
    assert names_of(sum(map(int, read[0].hands))) == names_of(sum(map(int, states[0].hands)))
    assert not any(read[0].lacks & read[0].hands)
    with pytest.raises(ValueError, match="may not be null"):
        load_state({"game": "cosmos", "players": 5, "position": hidden})
    with pytest.raises(ValueError, match="gone"):
        load_state({"game": "cosmos", "players": 5, "position": {k: v for k, v in hidden.items() if k != "gone"}}, may_hide=True)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"hands": ["Sun7", "Sun7", "Sun7", "Sat1"]}, "Sun7 is there 3 times, the deck has 2"),
        ({"hands": ["Sun7", "Sun6", "Sun10", "Sat1"]}, "no card 'Sun10'"),
        ({"hands": ["Sun7 Sun8", "Sun6", "Sun5", "Sat1"]}, "seat 0 has 2 cards, not the 1"),
        ({"hands": ["Sun7", "Sun6", "Sun5"]}, "hands is a list of 4"),
        ({"tricks": [15, 0, 0, 0]}, "the round is over"),
        ({"nines": [4, 1, 0, 0]}, "4 .Sat9 Ear9 Sun9 Moo9. are in tricks, not 5"),
        ({"nines": [5, 0, 0, 0]}, "whole number from 0 to 4"),
        ({"lacks": ["Sun", "", "", ""]}, "hands: seat 0 holds Sun7, which lacks or the trick rule out"),
        ({"trick": ["Sun2"], "turn": 1, "hands": ["", "Sun6", "Sun5", "Sat1"], "gone": "Sat9"}, "hands, table and trick leave"),
        ({"trick": None}, "trick is a list of texts, not None"),
        ({"trick": "Sun7"}, "trick is a list of texts, not 'Sun7'"),
        ({"table": "Ear1"}, "table: 1 cards, where 4 lie on the table"),
        ({"nines": [3, 1, 0, 0]}, "nines: seat 1 has 1, but no trick"),
        ({"big_bangs": [15, 0, 0, 0]}, "big_bangs of seat 0 is a whole number from 0 to 14"),
        ({"collisions": 29}, "collisions is a whole number from 0 to 28"),
        ({"black_tricks": 9}, "black_tricks is a whole number from 0 to 8"),
        ({"break_trick": 15}, "break_trick is a whole number from 0 to 14"),
        ({"lacks": ["Stars", "", "", ""]}, "lacks of seat 0 is a text of suits"),
        ({"trick": ["Sun2", "Sun3", "Sun4", "Sun5"]}, "a trick of 4 cards is complete"),
        ({"turn": 4}, "turn is a whole number from 0 to 3"),
        ({"totals": [15, 0, 0, 0]}, "totals of seat 0 is a whole number from 0 to 14"),
        ({"is_broken": False, "break_trick": 3}, "a black card has been played"),
        ({"is_broken": "no"}, "is_broken is true or false"),
        ({"tabel": "Ear1"}, "did you mean table"),
        ({"gone": "Ear9"}, "hands, table and trick leave"),
    ],
)
def test_a_wrong_position_is_refused_in_one_line(entries, message):
    data = position(["Sun7", "Sun6", "Sun5", "Sat1"])
    data["position"] |= entries
    with pytest.raises(ValueError, match=message) as caught:
        replay(data)
    assert "\n" not in str(caught.value)


def test_the_nines_are_asked_for_where_void_hangs_on_them():
    data = position(["Sun7", "Sun6", "Sun5", "Sat1"], tricks=[10, 4, 0, 0], rules={"void": "on"})
    with pytest.raises(ValueError, match="nines is missing; 4 are in the tricks that seats 0, 1 have won"):
        replay(data)
    assert load_state(data | {"rules": {"void": "off"}})[0].tricks[1] == 4
    data["position"]["tricks"] = [14, 0, 0, 0]
    assert load_state(data)[0].nines[0] == 4


def test_a_card_that_did_not_follow_is_known_of_its_seat():
    data = position(["Sun7", "", "Sun5 Ear4", "Sat2 Moo2"], turn=2, trick=["Sun2", "Ear6"], tricks=[13, 0, 0, 0])
    with pytest.raises(ValueError, match="hands: seat 1 has 0 cards, not the 1"):
        replay(data)
    data["position"]["hands"] = ["Sun7", "Sun8", "Sun5 Ear4", "Sat2 Moo2"]
    with pytest.raises(ValueError, match="hands: seat 1 holds Sun8, which lacks or the trick rule out"):
        replay(data)
    data["position"]["hands"][1] = "Moo8"
    state = load_state(data)[0]
    assert int(state.lacks[1]) == int(SUIT_CARDS[SUITS.index("Sun")]) and replay(data).legal == ["Ear4", "Sun5"]


def test_a_position_finds_out_whether_black_cards_are_free():
    black = "Bla1 Bla2 Bla3 Bla4 Bla5 Bla6 Bla7 Bla8"
    gone = position(["Sun7", "Sun6", "Sun5", "Sat1"])
    del gone["position"]["is_broken"]
    assert not load_state(gone)[0].unbroken  # all of them are gone, and of the table cards none has ever been used
    held = position(
        [
            f"Sun7 {black}",
            "Sun6 Ear8 Ear7 Ear4 Ear4 Ear5 Ear5 Ear6 Ear6",
            "Sun5 Moo7 Moo2 Moo3 Moo4 Moo4 Moo5 Moo5 Moo6",
            "Sat1 Sat2 Sat3 Sat4 Sat4 Sat5 Sat5 Sat6 Sat6",
        ]
    )
    del held["position"]["is_broken"]
    assert load_state(held)[0].unbroken and replay(held).legal == ["Sun7"]


def test_a_wrong_deal_is_refused_in_one_line():
    good = cosmos.write_deal(new_round(4, 1)[0])
    for change, message in (
        ({"hands": [*good["hands"][:3], "Sun7"]}, "seat 3 has 1 cards, not 15|is there"),
        ({"table": ""}, "the hands leave"),
        ({"table": good["hands"][0]}, "is there"),
        ({"starter": 4}, "starter is a whole number from 0 to 3"),
        ({"hands": None}, "hands is a list of 4"),
    ):
        with pytest.raises(ValueError, match=message):
            replay({"game": "cosmos", **good, **change})
    with pytest.raises(ValueError, match="a deal needs hands"):
        replay({"game": "cosmos"})


def told(seats, unit):
    experiment = Experiment(cosmos, effective_rules(cosmos.SWITCHES, {}), ("random",), ((0,) * seats,), 1, False)
    return "\n".join(transcript(experiment, unit)) + "\n"


THREE = """\
COSMOS, seed 1, unit 3, deal 0: seats 0 random, 1 random, 2 random
seat 0 starts; on the table Sat3 Ear2 Moo5 Bla2
seat 0 holds Sat2 Sat4 Sat6 Sat6 Sat8 Ear4 Ear5 Sun2 Sun4 Sun4 Sun5 Sun9 Moo4 Moo6 Moo7 Moo8 Moo9 Bla1 Bla4 Bla6
seat 1 holds Sat4 Sat5 Sat5 Sat7 Sat8 Ear4 Ear5 Ear6 Ear7 Ear9 Sun3 Sun5 Sun7 Sun7 Sun8 Sun8 Moo1 Moo4 Moo5 Moo8
seat 2 holds Sat1 Sat7 Sat9 Ear1 Ear3 Ear6 Ear7 Ear8 Ear8 Sun1 Sun6 Sun6 Moo2 Moo3 Moo6 Moo7 Bla3 Bla5 Bla7 Bla8
  0 Sat4 · 1 Sat5 · 2 Sat1      trick 1 to seat 1
  1 Ear6 · 2 Ear8 · 0 Ear5      trick 2 to seat 2
  2 Ear3 · 0 Ear4 · 1 Ear5      trick 3 to seat 1
  1 Moo8 · 2 Moo2 · 0 Moo4      trick 4 to seat 1
  1 Ear4 · 2 Ear6 · 0 Sun5      trick 5 to seat 2
  2 Moo3 · 0 Moo9 · 1 Moo1      trick 6 to seat 0
  0 Sun9 · 1 Sun7 · 2 Sun1      trick 7 to seat 0
  0 Moo7 · 1 Moo5 · 2 Moo6      trick 8 to seat 0
  0 Sat6 · 1 Sat4 · 2 Sat9      trick 9 to seat 2
  2 Sun6 · 0 Sun4 · 1 Sun8      trick 10 to seat 1
  1 Sun8 · 2 Sun6 · 0 Sun4      trick 11 to seat 1
  1 Sun5 · 2 Moo7 · 0 Moo8      trick 12 to seat 0
  0 Sun2 · 1 Sun7 · 2 Bla5      the break; trick 13 to seat 2
  2 Sat7 · 0 Sat8 · 1 Sat8      Sat8 and Sat8 collide; trick 14 to seat 2
  2 Bla7 · 0 Bla6 · 1 Sun3      trick 15 to seat 2
  2 Ear1 · 0 Sat6 · 1 Ear7      trick 16 to seat 1
  1 Sat7 · 2 Ear8 · 0 Sat2      trick 17 to seat 1
  1 Moo4 · 2 Bla3 · 0 Bla4      Moo4 and Bla4 collide; Sat3 of the table collides; Big Bang: trick 18 to seat 1
  1 Ear9 · 2 Ear7 · 0 Moo6      trick 19 to seat 1
  1 Sat5 · 2 Bla8 · 0 Bla1      trick 20 to seat 2
kind: round
collisions: 2
table collisions: 1
black tricks: 3
break trick: 13
void tricks: 0
starter tricks: 4
comeback: 0
tricks: 4 9 7
fewest: 1 0 0
tricks won: 4 9 7
nines: 2 1 1
void: 0 0 0
big bangs: 0 1 0
broke: 0 0 1
started: 1 0 0
"""

FOUR = """\
COSMOS, seed 1, unit 3, deal 0: seats 0 random, 1 random, 2 random, 3 random
seat 3 starts; on the table Sat3 Ear2 Moo5 Bla2
seat 0 holds Sat4 Sat4 Sat5 Ear6 Ear9 Sun2 Sun4 Sun4 Sun7 Sun7 Sun8 Moo1 Moo4 Moo8 Moo8
seat 1 holds Sat1 Sat5 Sat7 Sat8 Ear1 Ear4 Ear5 Ear7 Ear8 Sun3 Sun5 Sun8 Moo3 Moo5 Moo6
seat 2 holds Sat7 Sat9 Ear3 Ear6 Ear7 Ear8 Sun1 Sun6 Sun6 Moo2 Moo7 Bla3 Bla5 Bla7 Bla8
seat 3 holds Sat2 Sat6 Sat6 Sat8 Ear4 Ear5 Sun5 Sun9 Moo4 Moo6 Moo7 Moo9 Bla1 Bla4 Bla6
  3 Ear5 · 0 Ear6 · 1 Ear4 · 2 Ear3  trick 1 to seat 0
  0 Sun7 · 1 Sun5 · 2 Sun6 · 3 Sun9  trick 2 to seat 3
  3 Sat6 · 0 Sat5 · 1 Sat5      Sat5 and Sat5 collide
  2 Sat7                        trick 3 to seat 2
  2 Ear6 · 3 Ear4 · 0 Ear9 · 1 Ear8  trick 4 to seat 0
  0 Sun7 · 1 Sun3 · 2 Sun1 · 3 Sun5  trick 5 to seat 0
  0 Moo8 · 1 Moo3 · 2 Moo7 · 3 Moo4  trick 6 to seat 0
  0 Moo1 · 1 Moo6 · 2 Moo2 · 3 Moo6  Moo6 and Moo6 collide; trick 7 to seat 2
  2 Sat9 · 3 Sat6 · 0 Sat4 · 1 Sat7  trick 8 to seat 2
  2 Ear8 · 3 Bla1               the break
  0 Sun2 · 1 Ear1               Bla1 and Ear1 collide; trick 9 to seat 2
  2 Bla7 · 3 Bla6 · 0 Moo8 · 1 Moo5  trick 10 to seat 2
  2 Bla8 · 3 Bla4 · 0 Sun8      Bla8 and Sun8 collide
  1 Sun8                        trick 11 to seat 3
  3 Sat2 · 0 Sat4 · 1 Sat8 · 2 Bla3  trick 12 to seat 2
  2 Bla5 · 3 Moo9 · 0 Moo4 · 1 Ear7  trick 13 to seat 2
  2 Ear7 · 3 Sat8 · 0 Sun4 · 1 Ear5  trick 14 to seat 2
  2 Sun6 · 3 Moo7 · 0 Sun4 · 1 Sat1  trick 15 to seat 2
kind: round
collisions: 4
table collisions: 0
black tricks: 4
break trick: 9
void tricks: 0
starter tricks: 2
comeback: 0
tricks: 4 0 9 2
fewest: 0 1 0 0
tricks won: 4 0 9 2
nines: 1 0 2 1
void: 0 0 0 0
big bangs: 0 0 0 0
broke: 0 0 0 1
started: 0 0 0 1
"""


def test_a_random_round_of_three_is_told_as_it_was():
    """With a black card met by another, a table card, and a Big Bang."""
    assert told(3, 3) == THREE


def test_a_random_round_of_four_is_told_as_it_was():
    assert told(4, 3) == FOUR


def test_the_best_move_of_an_estimate_takes_the_fewest_tricks(tmp_path):
    data = cosmos.write_position(new_round(4, 5)[0])
    data["hands"] = [data["hands"][0], None, None, None]
    (tmp_path / "round.json").write_text(json.dumps({"game": "cosmos", "position": data}))
    call = ["estimate", "cosmos", str(tmp_path / "round.json"), "--worlds", "300", "--seed", "1", "--json"]
    moves = json.loads(CliRunner().invoke(cosmic, call, standalone_mode=False).output)["moves"]
    tricks = [move["measures"]["tricks"]["mean"] for move in moves]
    assert tricks == sorted(tricks) and moves[0]["is_best"] and sum(move["is_best"] for move in moves) == 1
    assert tricks[-1] - tricks[0] > 0.3
    assert all(move["difference"]["mean"] >= 0 for move in moves)
    assert not moves[-1]["may_be_best"]
