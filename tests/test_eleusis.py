"""Eleusis: the kernels against the plain reference, the rulebook's own examples, the library of rules, players, worlds and texts."""

import random
from collections import Counter

import numpy as np
import pytest
from reference import eleusis as reference

from simcore.games import eleusis
from simcore.games.eleusis.cards import pile_cards
from simcore.games.eleusis.library import WORD, library
from simcore.games.eleusis.play import sequence_is_right
from simcore.games.eleusis.state import DECLINE, LAID_WRONG, NOBODY, PROPHET
from simcore.protocol import deal, effective_rules, is_over, legal_moves, play, seat_to_act, start
from simcore.scenario import result_of

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
        assert result["cards_laid"] == twin.n_laid
