"""Eleusis: the kernels against the plain reference, the rulebook's own examples, the library of rules, players, worlds and texts."""

import itertools
import json
import random
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from reference import eleusis as reference

from cli.__main__ import cosmic
from simcore.engine import Experiment, play_units
from simcore.games import eleusis
from simcore.games.eleusis.cards import pile_cards
from simcore.games.eleusis.grammar import FEATURES, LAST, LENGTH_FEATURES, PAIR_FEATURES, REQUIREMENTS, Rule
from simcore.games.eleusis.library import (
    LAST_RULE,
    N_WORDS,
    WORD,
    _behave_alike,
    _features_of,
    _walk,
    first_features,
    library,
    next_features,
    read_rules,
    right_cards,
    standard_library,
    use,
    with_rules,
)
from simcore.games.eleusis.state import DECLINE, LAID_WRONG, PROPHET
from simcore.perft import perft
from simcore.policies import parse_policy
from simcore.protocol import deal, determinize, effective_rules, is_over, legal_moves, play, seat_to_act, start
from simcore.scenario import load_state, play_to, replay, result_of

VARIANTS = [
    {},
    {"third_pack": "on"},
    {"no_play_bonus": "off"},
    {"full": "on"},
    {"prophet": "on"},
    {"full_no_play": "on"},
    {"expulsion": "on"},
    {"full": "on", "prophet": "on", "full_no_play": "on", "expulsion": "on", "third_pack": "on"},
]
LIBRARY = library()
RULES = [rule for rule in LIBRARY.rules if rule]


def new_round(seats, key, dealer=0, **rules):
    """States of shape (1,) with a fresh round."""
    states = np.zeros(1, eleusis.STATE)
    start(states[0], effective_rules(eleusis.SWITCHES, rules)[0], seats, dealer)
    deal(states[0], np.uint64(key))
    return states


def predicate_of(rule):
    """The rule as plain Python: the rulebook's own words for its nine, else the texts read by the reference."""
    return reference.RULEBOOK.get(rule.name) or reference.predicate(rule.when, rule.then, rule.otherwise)


def twin_of(state, **rules):
    """The same fresh round in the reference."""
    data = eleusis.write_deal(state)
    flags = {name: value == "on" for name, value in rules.items()}
    return reference.Round(
        [hand.split() for hand in data["hands"]],
        data["stock"].split(),
        data["start"],
        predicate_of(LIBRARY.rules[state.secret]),
        int(state.dealer),
        **flags | {"third_pack": list(eleusis.DECK.names) if flags.get("third_pack") else None},
    )


def names_of(cards):
    return [eleusis.DECK.names[card] for card in cards]


def hand_of(state, seat):
    return names_of(pile_cards(state.hands[seat]))


def open_moves(state):
    return [move for move in range(64) if int(legal_moves(state)) >> move & 1]


def row_of(state):
    return names_of(card for card in map(int, state.laid[: state.n_laid - state.n_pending]) if card < LAID_WRONG)


def assert_same(state, twin):
    """The round stands as in the reference."""
    assert bool(is_over(state)) == twin.is_over
    assert [hand_of(state, seat) for seat in range(twin.n)] == [sorted(hand, key=reference.CARDS.index) for hand in twin.hands]
    position = eleusis.write_position(state)
    assert position["row"].split() == twin.row
    assert [text.split() for text in position["sidelines"]] == twin.sidelines
    assert position["stock"].split() == twin.stock
    assert position["owed"] == twin.owed
    if not twin.is_over:
        assert seat_to_act(state) == twin.who()
        texts = {eleusis.move_text(state, move) for move in open_moves(state)}
        assert {"guess" if text.startswith("guess") else text for text in texts} == twin.legal()


def choose(state, rng):
    """A random move; a guess, or to be the Prophet, as often as to decline."""
    moves = open_moves(state)
    if DECLINE in moves:
        moves = [DECLINE, rng.choice(moves), *(move for move in moves if move == PROPHET)]
    return rng.choice(moves)


def play_both(states, twin, rng):
    """One random move in both, a guess with its two steps as one."""
    state = states[0]
    move = choose(state, rng)
    text = eleusis.move_text(state, move)
    fits, n_row = twin.fits(), len(twin.row)
    play(state, np.uint64(move))
    if twin.third_pack and not state.third_pack:
        # The order of the third pack is chance, of which the reference has to be told.
        twin.third_pack = names_of(map(int, state.stock[:52]))
    if text in reference.CARDS:
        twin.play(text)
    elif text == "no play":
        twin.no_play(row_of(state)[n_row] if fits else None)
    elif text.startswith("guess"):
        in_word = [state.secret % WORD] if state.secret // WORD == state.word else []
        named = rng.choice(in_word * 5 + open_moves(state))
        play(state, np.uint64(named))
        twin.guess(WORD * int(state.word) + named == state.secret)
    elif text in ("right", "wrong"):
        twin.verdict(text == "right")
    else:
        {"done": twin.done, "decline": twin.decline, "prophet": twin.become_prophet}[text]()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("seats", [3, 5, 8])
def test_random_rounds_go_as_in_the_reference(seats, variant, seed):
    rng = random.Random(seed)
    for _ in range(8):
        states = new_round(seats, rng.getrandbits(64), rng.randrange(seats), **variant)
        twin = twin_of(states[0], **variant)
        assert_same(states[0], twin)
        while not twin.is_over:
            play_both(states, twin, rng)
            assert_same(states[0], twin)
        result = result_of(states[0])
        assert result["points"] == twin.scores()
        assert result["dealer_points"] == twin.scores()[twin.dealer]
        assert result["solved"] == [int(seat == twin.solver) for seat in range(seats)]
        assert result["emptied"] == [int(seat == twin.emptied) for seat in range(seats)]
        assert result["row"] == len(twin.row)
        assert result["first_points"] == twin.scores()[(twin.dealer + 1) % seats]
        assert result["last_points"] == twin.scores()[twin.dealer - 1]
        assert result["cards_laid"] == twin.n_laid


def test_cards_are_conserved_and_hands_never_grow_in_express(seed):
    """Rule: eleusis E2, E3, E4, E5, E11"""
    rng = random.Random(seed)
    for variant, copies in (({}, 2), ({"third_pack": "on"}, 3)):
        for _ in range(6):
            states = new_round(5, rng.getrandbits(64), **variant)
            twin = twin_of(states[0], **variant)
            sizes = [len(hand) for hand in twin.hands]
            while not twin.is_over:
                play_both(states, twin, rng)
                now = [len(hand_of(states[0], seat)) + int(states[0].owed[seat]) for seat in range(5)]
                assert all(after <= before for after, before in zip(now, sizes, strict=True))
                sizes = now
                cards = Counter(" ".join(texts_of_cards(states[0])).split())
                packs = copies if not states[0].third_pack and copies == 3 else 2
                assert cards == dict.fromkeys(reference.CARDS, packs)


def texts_of_cards(state):
    """All texts of cards in the position."""
    position = eleusis.write_position(state)
    return [position["row"], *position["sidelines"], position["pending"], *position["hands"], position["stock"]]


def test_perft_counts_the_moves_of_the_reference():
    states = new_round(4, 3, rule="red_black")
    twin = twin_of(states[0])
    words = len(LIBRARY.rules) // WORD
    first = len(twin.legal())
    count = 0
    for text in sorted(twin.legal()):
        after = twin_of(states[0])
        if text == "no play":
            fits = after.fits()
            after.no_play(min(fits) if fits else None)
        else:
            after.play(text)
        count += words + 1 if after.asks == "guess" else len(after.legal())
    assert perft(states, 1, 4)[0] == first
    assert perft(states, 2, 4)[0] == count


# The rulebook's examples.

EXAMPLE_HANDS = [
    "",  # Dan deals
    "D4 SA S2 S3 S4 S5 S6 H2 H3 H4 C2 C3",  # Anna
    "SQ S7 S8 S9 S10 H5 H6 H8 D2 D3 C4 C5",  # Ben
    "D9 SA S2 S3 S4 S5 S6 C6 C7 C8 C9 C10",  # Carla
]


def example(moves, rule="red_black", **entries):
    return {"game": "eleusis", "players": 4, "rule": rule, "start": "H7", "hands": EXAMPLE_HANDS, "moves": list(moves)} | entries


def test_example_of_the_row_with_the_seven_of_hearts():
    """Rule: eleusis, How to Play: D4 on H7 is red on red, SQ is black on red, and now a red card is needed."""
    told = replay(example(["D4", "SQ", "decline", "SA"]))
    happened = [event for event in told.events if "draws" not in event]
    assert happened[:7] == ["1 D4", "wrong", "2 SQ", "right", "2 decline", "3 SA", "wrong"]
    assert len(told.events) - len(happened) == 2
    state = play_to(example(["D4", "SQ", "decline"]))[0]
    assert row_of(state) == ["H7", "SQ"]
    assert eleusis.write_position(state)["sidelines"] == ["D4", ""]
    assert len(hand_of(state, 1)) == 12
    assert len(hand_of(state, 2)) == 11
    red = {name for name in hand_of(state, 3) if name[0] in "HD"}
    assert {name for name in hand_of(state, 3) if predicate_of(LIBRARY.rules[state.secret])(row_of(state), name)} == red == {"D9"}


def position(hands, **entries):
    entries = {"rule": "red_black", "row": "H7", "turn": 1, "hands": hands} | entries
    moves = entries.pop("moves", [])
    rules = entries.pop("rules", {})
    return {"game": "eleusis", "players": len(hands), "rules": rules, "position": entries, "moves": moves}


EIGHT, FIVE, NINE = "S2 S3 S4 S5 S6 S7 S8 S9", "H2 H3 H4 H5 H6", "C2 C3 C4 C5 C6 C7 C8 C9 C10"


def test_example_of_the_scores_when_anna_guesses_the_rule():
    """Rule: eleusis, End of the Round: Anna guesses with 8 cards, Ben holds 5, Carla 9, and Dan deals."""
    told = replay(position(["", f"{EIGHT} SK", FIVE, NINE], moves=["SK", "guess red_black", "red_black"]))
    assert told.over
    assert told.result["points"] == [10, 10, 7, 3]
    assert told.result["dealer_points"] == 10


def test_a_last_card_and_a_guess_in_one_turn_are_both_paid():
    """Rule: eleusis E7"""
    told = replay(position(["", "SK", FIVE, NINE], moves=["SK", "guess red_black", "red_black"]))
    assert told.result["points"] == [21, 21, 7, 3]
    told = replay(position(["", "SK", FIVE, NINE], moves=["SK", "decline"]))
    assert told.over and told.result["points"] == [15, 15, 7, 3]


@pytest.mark.parametrize(("bonus", "points"), [("on", 15), ("off", 12)])
def test_a_right_no_play_with_one_card_ends_the_round(bonus, points):
    """Rule: eleusis E5, E6"""
    told = replay(position(["", "HK", FIVE, NINE], moves=["no play", "decline"], rules={"no_play_bonus": bonus}))
    assert told.over
    assert told.result["points"][1] == points


def test_a_wrong_no_play_lets_the_dealer_lay_a_card_and_the_player_stays_in():
    """Rule: eleusis E4"""
    state = play_to(position(["", "SK", FIVE, NINE], moves=["no play"]))[0]
    assert row_of(state) == ["H7", "SK"]
    assert len(hand_of(state, 1)) == 1
    assert seat_to_act(state) == 2


def test_a_hand_goes_under_the_stock_before_the_new_one_is_drawn():
    """Rule: eleusis E5: with an empty stock the player draws of his own hand."""
    hands = ["", "HK HQ HJ", FIVE, NINE]
    rest = [name for name in reference.CARDS for _ in range(2)]
    for name in " ".join(["H7", *hands]).split():
        rest.remove(name)
    # All other cards lie wrong below the start card: the secret rule finds none of those right.
    data = position(hands, sidelines=[" ".join(rest)], rule="up 1 to 1", stock="", possible=full_library())
    state = play_to(data | {"moves": ["no play"]})[0]
    assert len(hand_of(state, 1)) == 2
    assert set(hand_of(state, 1)) < {"HK", "HQ", "HJ"}
    assert len(eleusis.write_position(state)["stock"].split()) == 1


def full_library():
    """All rules as the words of a position."""
    return " ".join(f"{int(word):x}" for word in LIBRARY.tables["rules"][0][: LIBRARY.n_words])


def test_the_round_ends_when_a_wrong_card_cannot_be_replaced():
    """Rule: eleusis E10: it counts as held."""
    hands = ["", "HK HQ HJ", FIVE, NINE]
    rest = [name for name in reference.CARDS for _ in range(2)]
    for name in " ".join(["H7", *hands]).split():
        rest.remove(name)
    told = replay(position(hands, sidelines=[" ".join(rest)], stock="", possible=full_library(), moves=["HK"]))
    assert told.over
    assert told.result["kind"] == "stock used up"
    assert told.result["cards_held"] == [0, 3, 5, 9]
    assert told.result["points"] == [9, 9, 7, 3]


# The library.


def test_the_rules_of_the_rulebook_are_in_the_library_under_their_names():
    """Rule: eleusis, Rules for Beginners; E13, E15"""
    for name in reference.RULEBOOK:
        assert LIBRARY.rules[LIBRARY.number(name)].name == name


def test_the_library_is_large_and_filled_as_its_constants_say():
    assert len(RULES) > 2000
    assert len(LIBRARY.rules) == N_WORDS * WORD
    assert max(number for number, rule in enumerate(LIBRARY.rules) if rule) == LAST_RULE
    for word in range(N_WORDS):
        members = [rule for rule in LIBRARY.rules[WORD * word : WORD * (word + 1)] if rule]
        assert len({(rule.size, rule.feature) for rule in members}) == 1


def contexts(rng, n):
    """Rows of many kinds: all pairs of cards, and longer ones at random."""
    pairs = [[one, other] for one in reference.CARDS for other in reference.CARDS]
    return pairs + [[card] for card in reference.CARDS] + [rng.choices(reference.CARDS, k=rng.randrange(3, 30)) for _ in range(n)]


def features_of(row):
    """Features that the kernels find in a row."""
    features = first_features()
    for n in range(2, len(row) + 1):
        last, card = (eleusis.DECK.card(name) for name in row[n - 2 : n])
        features = next_features(features, n, last, card)
    return int(features)


def test_the_features_of_every_row_are_those_of_the_reference(seed):
    for row in contexts(random.Random(seed), 2000):
        features = features_of(row)
        assert features & 1
        for number, text in enumerate(FEATURES[1:], 1):
            assert features >> number & 1 == reference.WHEN[text](row), (text, row)


def test_the_table_of_every_rule_is_its_plain_predicate_on_all_contexts(seed):
    """What is right depends on the last card and on whether the rule's condition holds: all of these, for all rules and cards."""
    rng = random.Random(seed)
    rows = {(last, number, holds): None for last in reference.CARDS for number in range(1, len(FEATURES)) for holds in (False, True)}
    for row in contexts(rng, 60_000):
        for number, text in enumerate(FEATURES[1:], 1):
            rows[row[-1], number, bool(reference.WHEN[text](row))] = row
    # Nothing rises to an Ace or falls to a King.
    assert {key for key, row in rows.items() if row is None} == {
        (suit + rank, FEATURES.index(text), True) for suit in "SHDC" for rank, text in (("A", "last rose"), ("K", "last fell"))
    }
    right = LIBRARY.tables["right"][0]
    known: dict = {}
    for number, rule in enumerate(LIBRARY.rules):
        if rule is None:
            continue
        for holds in (False, True):
            for last in range(52):
                row = rows[reference.CARDS[last], rule.feature, holds] if rule.feature else [reference.CARDS[last]]
                if row is None:
                    continue
                text = rule.then
                if rule.when:
                    condition = reference.WHEN.get(rule.when) or (lambda row, rule=rule: reference.LAST_IS[rule.when.split()[-1]](row[-1]))
                    text = rule.then if condition(row) else rule.otherwise
                if (text, last) not in known:
                    plain = reference.predicate("", text, "")
                    known[text, last] = sum(1 << k for k, card in enumerate(reference.CARDS) if plain([reference.CARDS[last]], card))
                assert int(right[number, int(holds), last]) == known[text, last], (rule, last, holds)


def test_the_rules_of_the_rulebook_judge_every_row_as_its_words_do(seed):
    """Also the whole predicate of some generated rules, on rows of any length."""
    rng = random.Random(seed)
    rows = [(row, features_of(row)) for row in contexts(rng, 1500)]
    rules = [LIBRARY.number(name) for name in reference.RULEBOOK]
    for number in rules + rng.sample([k for k, rule in enumerate(LIBRARY.rules) if rule], 60):
        judge = predicate_of(LIBRARY.rules[number])
        for row, features in rng.sample(rows, 300 if number in rules else 40):
            if number == LIBRARY.number("three_three"):
                # The rulebook's triples begin with the start card: only rows that obey so far are rows of the game.
                row = obedient(row, judge)
                features = features_of(row)
            cards = int(right_cards(number, np.uint64(features), eleusis.DECK.card(row[-1])))
            assert eleusis.DECK.text(cards).split() == [card for card in reference.CARDS if judge(row, card)], LIBRARY.rules[number]


def obedient(row, judge):
    """The cards of *row* that may follow each other."""
    kept = row[:1]
    for card in row[1:]:
        if judge(kept, card):
            kept.append(card)
    return kept


def test_no_two_rules_of_the_library_behave_alike():
    """Rule: eleusis E8: on rows that one of them lets grow, each pair differs somewhere."""
    right, features = LIBRARY.tables["right"][0][: len(LIBRARY.rules)], _features_of(LIBRARY.rules)
    prints, _, _ = _walk(right, features)
    by_print: dict[int, list[int]] = {}
    for number, rule in enumerate(LIBRARY.rules):
        if rule:
            by_print.setdefault(int(prints[number]), []).append(number)
    assert len(by_print) > len(RULES) - 10
    # Few are told apart by places alone that a random row seldom reaches.
    for numbers in by_print.values():
        for one, other in itertools.combinations(numbers, 2):
            assert not _behave_alike(right[one], features[one], right[other], features[other], PAIR_FEATURES, LENGTH_FEATURES)


@pytest.mark.parametrize(
    ("rule", "twin"),
    [
        (Rule("mine", "black", "last is red", "red"), "red_black"),
        (Rule("mine", "same colour", "last two same colour", "same colour"), "same colour"),
        (Rule("mine", "not odd red", "", ""), None),
        (Rule("mine", "low", "last is low", "low"), "low"),
        (Rule("mine", "red", "one before red", "black"), None),
    ],
)
def test_a_rule_that_behaves_like_one_of_the_library_is_that_rule(rule, twin):
    """Rule: eleusis E8"""
    if rule.then == "not odd red":
        with pytest.raises(ValueError, match="then has no 'not odd red'"):
            with_rules([rule])
        return
    found = with_rules([rule])
    if twin:
        assert found.number("mine") == LIBRARY.number(twin)
    else:
        assert found.rules[found.number("mine")].text == rule.text


def test_strictness_is_the_share_of_right_cards_and_dead_ends_are_counted():
    number = LIBRARY.number
    assert LIBRARY.strictness[number("red_black")] == pytest.approx(0.5)
    assert LIBRARY.strictness[number("suit_order")] == pytest.approx(0.25)
    assert LIBRARY.strictness[number("plus123")] == pytest.approx(3 / 13)
    assert LIBRARY.strictness[number("suit_or_value")] == pytest.approx(16 / 52)
    assert LIBRARY.dead_ends[number("red_black")] == 0
    # Nothing is 7 apart from a 7.
    assert 0 < LIBRARY.dead_ends[number("at least 7 apart")] < 0.5


# What is known.


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_true_rule_is_never_excluded(variant, seed):
    rng = random.Random(seed)
    for _ in range(30):
        state = new_round(4, rng.getrandbits(64), **variant)[0]
        while not is_over(state):
            secret = int(state.secret)
            assert int(state.possible[secret // WORD]) >> secret % WORD & 1
            play(state, np.uint64(choose(state, rng)))


def test_the_possible_rules_are_those_that_agree_with_all_verdicts(seed):
    rng = random.Random(seed)
    for _ in range(3):
        states = new_round(4, rng.getrandbits(64))
        twin = twin_of(states[0])
        refuted, verdicts = set(), []
        while not twin.is_over and len(verdicts) < 12:
            n_row, row, seat, hand = len(twin.row), list(twin.row), twin.turn, list(twin.hands[twin.turn])
            asks = twin.asks
            possible = set(possible_rules(states[0]))
            play_both(states, twin, rng)
            if asks == "turn":
                shown = states[0].n_no_plays[seat] > 0
                if len(twin.row) > n_row:
                    verdicts.append((row, [twin.row[-1]], True))
                elif shown and sorted(twin.stock[-len(hand) :]) == sorted(hand):
                    verdicts.append((row, hand, False))
                elif len(twin.sidelines[-1]):
                    verdicts.append((row, [twin.sidelines[-1][-1]], False))
            else:
                refuted |= possible - set(possible_rules(states[0]))
        expected = []
        for number, rule in enumerate(LIBRARY.rules):
            if rule and number not in refuted:
                judge = reference.predicate(rule.when, rule.then, rule.otherwise)
                if all(judge(row, card) == is_right for row, cards, is_right in verdicts for card in cards):
                    expected.append(number)
        assert possible_rules(states[0]) == expected


def possible_rules(state):
    return [number for number in range(WORD * int(state.n_words)) if int(state.possible[number // WORD]) >> number % WORD & 1]


def test_the_secret_rule_of_a_world_is_drawn_by_prior_weight(seed):
    """Rule: eleusis E19"""
    states = play_to(example(["D4", "SQ", "decline", "SA", "S2"]))
    possible, world = possible_rules(states[0]), np.zeros(1, eleusis.STATE)
    weights = np.array([int(LIBRARY.tables["weight"][0, number // WORD]) for number in possible])
    n = 4000
    drawn = Counter()
    for key in range(n):
        determinize(states[0], int(seat_to_act(states[0])), np.uint64(key), world[0])
        drawn[int(world[0].secret)] += 1
    assert set(drawn) <= set(possible)
    simple = sum(drawn[number] for number, weight in zip(possible, weights, strict=True) if weight == weights.max())
    share = weights[weights == weights.max()].sum() / weights.sum()
    assert abs(simple / n - share) < 5 * np.sqrt(share * (1 - share) / n)


def test_the_dealer_knows_his_rule_in_every_world():
    states, world = new_round(4, 5), np.zeros(1, eleusis.STATE)
    for key in range(50):
        determinize(states[0], 0, np.uint64(key), world[0])
        assert world[0].secret == states[0].secret


# Players.


def lead(one, others, n, **rules):
    """Points of *one* above the mean of the *others* on the same cards, in standard errors."""
    seatings = tuple(tuple(int(seat != alone) for seat in range(5)) for alone in range(5))
    experiment = Experiment(eleusis, effective_rules(eleusis.SWITCHES, rules), (one, others), seatings, 11, False)
    rows, _ = play_units(experiment, 0, 5 * n)
    columns = experiment.deal_columns()
    points = rows[:, [columns.index(f"points_{seat}") for seat in range(5)]].reshape(n, 5, 5)
    mine = np.trace(points, axis1=1, axis2=2) / 5
    rest = (points.sum(axis=(1, 2)) - 5 * mine) / 20
    return (mine - rest).mean() / ((mine - rest).std(ddof=1) / np.sqrt(n))


@pytest.mark.parametrize(
    ("stronger", "weaker", "n"),
    [
        *(("basic", "random", 100), ("scientist", "basic", 300), ("scientist:50", "basic:50", 600), ("basic:0", "basic:50", 300)),
        *(("seer", "basic", 100), ("seer", "scientist", 100), ("oracle:2", "scientist", 30), ("tester:0", "tester:100", 300)),
    ],
)
def test_one_player_beats_another(stronger, weaker, n):
    assert lead(stronger, weaker, n) > 4


def test_a_player_may_have_a_number_and_wrong_ones_are_told():
    assert parse_policy("basic", eleusis) == (1, 0)
    assert parse_policy("scientist:0", eleusis) == (1, 1024 + 1)
    for text, right in [("scientist:101", "T from 0 to 100"), ("scientis", "did you mean scientist"), ("search", "search:N")]:
        with pytest.raises(ValueError, match=right):
            parse_policy(text, eleusis)
    with pytest.raises(ValueError, match="no policy 'scientist'"):
        parse_policy("scientist")


# Texts.


@pytest.mark.parametrize("value", ["red_blak", 2900, "77777", 1.5, None])
def test_a_wrong_secret_rule_is_refused_with_the_nearest_name(value):
    with pytest.raises(ValueError, match="rule rule is -1, or a name or number") as caught:
        effective_rules(eleusis.SWITCHES, {"rule": value})
    assert ("did you mean red_black?" in str(caught.value)) == (value == "red_blak")


def test_a_secret_rule_is_chosen_by_name_or_number():
    for name in reference.RULEBOOK:
        number = LIBRARY.number(name)
        for value in (name, number, str(number)):
            assert int(effective_rules(eleusis.SWITCHES, {"rule": value})["rule"][0]) == number
            assert LIBRARY.rules[new_round(3, 1, rule=value)[0].secret].name == name


@pytest.mark.parametrize("file", sorted((Path(__file__).parent / "golden").glob("eleusis-*.json")), ids=lambda file: file.stem)
def test_a_golden_round_is_told_as_it_was(file):
    assert replay(json.loads(file.read_text())).lines == file.with_suffix(".txt").read_text().splitlines()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": None}, "rule, the name of the secret rule, is missing"),
        ({"rule": "red_blak"}, "did you mean red_black"),
        ({"rule": 3}, "rule is the name of a secret rule, not 3"),
        ({"row": ""}, "row has at least the start card"),
        ({"row": "H7 D4", "turn": 1}, "rule red_black: .* refute it"),
        ({"row": "H7 H7 H7"}, "H7 is there 3 times, there are 2"),
        ({"turn": 0}, "turn: seat 0 is the dealer"),
        ({"hands": ["", None, FIVE, NINE]}, "hands of seat 1 may not be hidden"),
        ({"hands": ["S2", EIGHT, FIVE, NINE]}, "seat 0 deals and holds no cards"),
        ({"asked": "gues"}, "did you mean guess"),
        ({"sidelines": ["", ""]}, "sidelines is a list of 1"),
        ({"possible": "1 2"}, "possible is a text of the 45 words"),
        ({"stock": "H2"}, "stock is all that the other cards leave"),
        ({"refuted": 3}, "refuted is a list of texts, not 3"),
        ({"refuted": "red_black"}, "refuted is a list of texts"),
        ({"shown_no_plays": 3}, "shown_no_plays is a list of objects"),
        ({"asked": [3]}, "asked is turn, .* not"),
        ({"third_pack": True}, "third_pack: the rule third_pack is off"),
        ({"prophet": 3}, "prophet: the rule prophet is off"),
        ({"out": [2]}, "out: the rule expulsion is off"),
        ({"pending": "S9"}, "pending: cards wait for a verdict"),
        ({"asked": "more"}, "pending: no card waits"),
        ({"hands": ["", "", FIVE, NINE]}, "hands: seat 1 has no cards to play"),
        ({"hands": ["", EIGHT, FIVE, f"{NINE} CJ CQ CK CA"]}, "seat 3 has 13 cards; none grows beyond the 12"),
        ({"emptied": 3}, "emptied: seat 3 holds 9 cards"),
        ({"right": [0, 1, 0, 0]}, "right: 1 cards in all, and 0 lie on the table"),
        ({"wrong": [0, 1, 0, 0]}, "wrong: 1 cards in all, and 0 lie on the table"),
        ({"shown": ["", "S2 S2", "", ""]}, "shown: seat 1 does not hold S2"),
    ],
)
def test_a_wrong_position_is_refused_in_one_line(change, message):
    data = position(["", EIGHT, FIVE, NINE])
    data["position"] |= change
    with pytest.raises(ValueError, match=message) as caught:
        load_state(data)
    assert "\n" not in str(caught.value)


def test_the_rule_of_a_position_and_of_its_switches_may_not_differ():
    with pytest.raises(ValueError, match="rule is red_black, but another one among the rules"):
        load_state(position(["", EIGHT, FIVE, NINE], rules={"rule": "odd_even"}))


def test_a_prophet_of_a_position_does_not_play():
    data = position(["", EIGHT, FIVE, NINE], rules={"prophet": "on"}, prophet=1)
    with pytest.raises(ValueError, match="prophet: seat 1 is to play"):
        load_state(data)


def test_a_prophet_marks_a_card_that_he_has_laid():
    """Rule: eleusis E18b: not after a no-play."""
    data = position(["", EIGHT, "H2 H3", NINE], rules={"prophet": "on"})
    asked = replay(data | {"moves": ["S2"]})
    assert "prophet" in asked.legal
    data["position"]["turn"] = 2
    asked = replay(data | {"moves": ["no play"]})
    assert asked.seat == 2 and "decline" in asked.legal and "prophet" not in asked.legal


@pytest.mark.parametrize("full", ["off", "on"])
def test_what_the_sidelines_of_a_position_refute_is_what_the_moves_refuted(full):
    hands = ["", f"{EIGHT} D4 C3", FIVE, NINE]
    data = position(hands, rules={"full": full}, rule="same colour", moves=["C3", "done"] if full == "on" else ["C3"])
    after = position(["", f"{EIGHT} D4", FIVE, NINE], rules={"full": full}, rule="same colour", sidelines=["C3"], turn=2)
    assert possible_rules(load_state(after)[0]) == possible_rules(play_to(data)[0])


def test_of_a_wrong_sequence_only_the_whole_is_known_to_be_wrong():
    both = position(["", EIGHT, FIVE, NINE], rules={"full": "on"}, row="H7", rule=None, sidelines=["S10 H9"], stock=None)
    parted = position(["", EIGHT, FIVE, NINE], rules={"full": "on"}, row="H7", rule=None, sidelines=["S10 / H9"], stock=None)
    one, two = (set(possible_rules(load_state(data, may_hide=True)[0])) for data in (both, parted))
    assert two < one
    assert LIBRARY.number("red_black") not in one  # S10 and then H9 would have been right
    assert LIBRARY.number("same colour") in one and LIBRARY.number("same colour") not in two


def test_evidence_of_guesses_and_no_plays_narrows_a_position():
    data = position(["", EIGHT, FIVE, NINE])
    before = set(possible_rules(load_state(data)[0]))
    data["position"] |= {"refuted": ["suit_order", "odd_even"], "shown_no_plays": [{"row": 1, "hand": "HK D2"}]}
    after = set(possible_rules(load_state(data)[0]))
    assert LIBRARY.number("red_black") in after < before
    assert not {LIBRARY.number("suit_order"), LIBRARY.number("odd_even"), LIBRARY.number("same colour")} & after


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has .*rule.* tables"),
        ("[[rule]]\nthen = 'red'", "rule 1 lacks name"),
        ("[[rule]]\nname = 'a'\nthen = 3", "rule 1: then is a text, not 3"),
        ("[[rule]]\nname = 'a'\nthen = 'redd'", "rule 'a': then has no 'redd', did you mean red"),
        ("[[rule]]\nname = 'a'\nthen = 'red or odd and low'", "joins its parts by 'and' or by 'or', not by both"),
        ("[[rule]]\nname = 'a'\nthen = 'red'\notherwise = 'odd'", "otherwise needs a when"),
        ("[[rule]]\nname = 'a'\nwhen = 'last is reed'\nthen = 'red'\notherwise = 'odd'", "did you mean last is red"),
        ("[[rule]]\nname = 'red_black'\nthen = 'red'", "this name is taken"),
        ("[[rule]]\nname = 'a'\nwhen = 'last is red'\nthen = 'red'", "when needs an otherwise"),
        ("".join(f"[[rule]]\nname = 'a{k}'\nthen = 'red'\n" for k in range(3000)), "3,000 rules are too many"),
        ("[[rule]]\nname = 'a'\nthen = 'red'\nwhy = 'x'", "rule 1 has no 'why'"),
    ],
)
def test_a_wrong_file_of_rules_is_refused_in_one_line(text, message):
    with pytest.raises(ValueError, match=message) as caught:
        with_rules(read_rules(tomllib.loads(text)))
    assert "\n" not in str(caught.value)


@pytest.fixture
def own_rule(tmp_path):
    """A TOML file with a rule of one's own; the library is the usual one afterwards."""
    file = tmp_path / "mine.toml"
    file.write_text("[[rule]]\nname = 'waves'\nwhen = 'last rose'\nthen = 'lower or same value'\notherwise = 'higher or same value'\n")
    yield file
    use(standard_library())


def call(*arguments):
    """Output of a command that succeeds."""
    result = CliRunner().invoke(cosmic, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_rule_of_ones_own_is_played_and_resumed(own_rule, tmp_path):
    out = tmp_path / "run"
    call("simulate", "eleusis", "--rules", own_rule, "--rule", "waves", "--deals", 40, "--chunk", 20, "--seed", 3, "--out", out, "-q")
    before = (out / "statistics.parquet").read_bytes()
    (out / "chunks" / "000001.parquet").unlink()
    use(standard_library())
    assert "waves" in call("resume", out)
    assert (out / "statistics.parquet").read_bytes() == before
    assert "secret rule waves" in call("show", out, "--deal", 7)


def test_another_name_of_a_rule_is_listed_with_it(own_rule):
    own_rule.write_text("[[rule]]\nname = 'my zebra'\nthen = 'other colour'\n")
    assert "(also called my zebra)" in call("rules", "--rules", own_rule, "--like", "zebra")


def test_hundreds_of_own_rules_are_taken_up():
    requirements = [text for text in REQUIREMENTS if " to " not in text]
    own = [Rule(f"own {a}/{b}", f"{a} and {b}", "last rose", a) for a in requirements[:20] for b in requirements[20:30]]
    found = with_rules(own)
    assert len(found.numbers) == len(LIBRARY.numbers) + len(own)
    assert {found.rules[found.number(rule.name)].text for rule in own} >= {rule.text for rule in own if rule.name not in found.aliases}


def test_a_secret_rule_may_be_named_where_other_rules_are_compared(tmp_path):
    arguments = ("--deals", 20, "--seed", 1, "--rule", "odd_even", "--against", "third_pack=on", "--out", tmp_path / "run")
    assert "this run less third_pack=on" in call("simulate", "eleusis", *arguments)


def test_the_language_of_rules_is_listed():
    told = call("rules", "--language")
    assert all(f"  {text}\n" in told for text in (*REQUIREMENTS, *LAST, *FEATURES[1:]))


def test_rules_are_listed_and_ranked(own_rule):
    listed = call("rules", "--like", "suit_or_value")
    assert "same suit or same value" in listed
    found = json.loads(call("rules", "--rank", "--like", "suit_", "--deals", 20, "--top", 2, "--seed", 1, "--policy", "basic", "--json"))
    assert {entry["name"] for entry in found} == {"suit_order", "suit_or_value"}
    best, other = found
    assert best["dealer_points"]["mean"] >= other["dealer_points"]["mean"]
    assert best["dealer_points"]["n"] == 200
    assert other["difference"]["mean"] == pytest.approx(other["dealer_points"]["mean"] - best["dealer_points"]["mean"])


def test_an_estimate_tells_what_is_known_of_the_rule(tmp_path):
    file = tmp_path / "position.json"
    hidden = position(["", EIGHT, 5, None], rule=None, row="H7 S2 D9", sidelines=["D4", "SA", ""], turn=1, stock=None, right=[0, 1, 0, 1])
    file.write_text(json.dumps(hidden))
    told = call("estimate", "eleusis", file, "--worlds", 20, "--seed", 1, "--policy", "scientist")
    assert "secret rules are possible" in told
    assert "other colour" in told
    assert "no play" in told
    hidden["moves"] = ["S3"]
    file.write_text(json.dumps(hidden))
    moves = json.loads(call("estimate", "eleusis", file, "--worlds", 20, "--seed", 1, "--json"))["moves"]
    texts = [move["move"] for move in moves]
    assert any(text.startswith("guess 0: red_black, ") for text in texts) and "decline" in texts
    assert len(texts) < 45
