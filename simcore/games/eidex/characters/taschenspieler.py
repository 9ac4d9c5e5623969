"""Taschenspieler, the Stars Eight: exchanges his pressed card."""

import numpy as np

from simcore.bits import EMPTY, bit, popcount
from simcore.games.eidex.cards import ALL_CARDS
from simcore.games.eidex.powers.asking import most_dangerous
from simcore.games.eidex.powers.character import BEFORE_CARD, BEFORE_LEAD, Character, Question
from simcore.games.eidex.powers.knowledge import PRESSED, leave_hand, swap_unseen
from simcore.games.eidex.powers.orders import NO, NO_BIT
from simcore.games.eidex.powers.phases import lay_next
from simcore.games.eidex.powers.table import barred_from_press, fellows, pressable, seat_at, spend
from simcore.games.eidex.state import NO_CARD, points_of
from simcore.jit import kernel


@kernel
def _may_exchange(state):
    """Before the fourth card from the last is played, and not a card that the Fledderer pushed.  Rule: eidex K28"""
    seat = np.int64(state.owner)
    if popcount(state.hands[seat]) < 4 or not state.pressed[seat] or state.pushed_to == seat:
        return EMPTY
    return NO_BIT | pressable(state, seat)


@kernel
def _may_exchange_in_trick(state):
    """Before he adds a card to a trick; before a lead all are asked."""
    n = np.int64(state.n_laid)
    return _may_exchange(state) if n and seat_at(state, n) == state.owner else EMPTY


@kernel
def _exchange(state, move):
    """A card that the Fahnder demands and he takes up, he lays."""
    if move == NO:
        return
    spend(state)
    seat, cards = np.int64(state.owner), bit(move)
    taken = state.pressed[seat]
    state.hands[seat] ^= cards | taken
    state.pressed[seat] = cards
    for other in fellows(seat):
        swap_unseen(state, other, seat, PRESSED + seat, barred_from_press(state, seat))
    if state.n_any_of:
        leave_hand(state, seat, ALL_CARDS)
    if state.demanded != NO_CARD and taken == bit(state.demanded):
        lay_next(state)


@kernel
def _advise(state, word):
    """At the last chance, presses the most dangerous card of his hand if it is worse than the pressed one."""
    seat = np.int64(state.owner)
    if popcount(state.hands[seat]) > 4:
        return np.uint64(NO)
    worst = most_dangerous(state, seat, state.moves & ~NO_BIT)
    both = bit(worst) | state.pressed[seat]
    return worst if most_dangerous(state, seat, both) == worst and points_of(state, bit(worst)) < 10 else np.uint64(NO)


CHARACTER = Character(
    name="taschenspieler",
    title="Taschenspieler (Sleight-of-Hand Artist)",
    card="S8",
    when="before each trick and each card that he adds to one, with four cards or more",
    text="may once exchange his pressed card for one of his hand",
    rule="K28",
    questions=(
        Question("taschenspieler", BEFORE_LEAD, "may exchange his pressed card", _may_exchange, _exchange, _advise, again=True),
        Question("taschenspieler", BEFORE_CARD, "may exchange his pressed card", _may_exchange_in_trick, _exchange, _advise),
    ),
    uses=1,
    max_uses=3,
)
