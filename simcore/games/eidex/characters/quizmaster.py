"""Quizmaster, the Stars King: asks a fellow about his cards after every trick."""

import numpy as np

from simcore.bits import EMPTY, bit, popcount
from simcore.games.eidex.cards import SUIT_CARDS
from simcore.games.eidex.powers.asking import no_or_fellows, picks_any, seat_in, then
from simcore.games.eidex.powers.character import BEFORE_LEAD, FOLLOWS, Character, Question
from simcore.games.eidex.powers.knowledge import deny, learn_any_of, show_to_all
from simcore.games.eidex.powers.orders import FIRST_RANK, FIRST_SUIT, NO, RANK_CARDS
from simcore.games.eidex.powers.table import unknown_to
from simcore.jit import kernel


@kernel
def _may_ask(state):
    """Not before the first trick.  Rule: eidex K8"""
    return no_or_fellows(state) if state.n_tricks else EMPTY


@kernel
def _ask(state, move):
    if move != NO:
        state.target = seat_in(move)
        then(state)


@kernel
def _questions(state):
    """One card that he does not know, or any of a suit or rank of which he does not know two or more."""
    unknown = unknown_to(state, np.int64(state.owner))
    moves = unknown
    for suit in range(4):
        if popcount(unknown & SUIT_CARDS[suit]) > 1:
            moves |= bit(FIRST_SUIT + suit)
    for rank in range(9):
        if popcount(unknown & RANK_CARDS[rank]) > 1:
            moves |= bit(FIRST_RANK + rank)
    return moves


@kernel
def asked_cards(move):
    """Cards that the question is about."""
    if move < NO:
        return bit(move)
    return SUIT_CARDS[move - FIRST_SUIT] if move < FIRST_RANK else RANK_CARDS[move - FIRST_RANK]


@kernel
def _answer(state, move):
    """The fellow answers truthfully, for all to hear."""
    number, target = np.int64(move), np.int64(state.target)
    cards = asked_cards(number)
    if not state.hands[target] & cards:
        deny(state, target, cards)
    elif number < NO:
        show_to_all(state, target, cards)
    else:
        learn_any_of(state, target, cards)


CHARACTER = Character(
    name="quizmaster",
    title="Quizmaster",
    card="SK",
    when="after each trick",
    text="may ask a fellow whether he holds a certain card, or any of a suit or rank, to be answered truly with yes or no",
    rule="K8",
    questions=(
        Question("quizmaster", BEFORE_LEAD, "may ask a fellow", _may_ask, _ask, picks_any, is_inquiry=True),
        Question("quizmaster asks", FOLLOWS, "asks about cards", _questions, _answer, picks_any, is_inquiry=True),
    ),
)
