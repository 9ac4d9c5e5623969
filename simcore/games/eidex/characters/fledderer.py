"""Fledderer, the Ravens Seven: pushes a second pressed card over to a fellow and takes his."""

import numpy as np

from simcore.bits import bit
from simcore.games.eidex.powers.asking import heaviest, picks_any, seat_in, then
from simcore.games.eidex.powers.character import AFTER_PRESSING, FOLLOWS, Character, Question
from simcore.games.eidex.powers.knowledge import PRESSED, show, swap_unseen
from simcore.games.eidex.powers.orders import NO, NO_BIT, SEAT_BITS
from simcore.games.eidex.powers.table import barred_from_press, fellows, pressable
from simcore.games.eidex.state import points_of
from simcore.jit import kernel


@kernel
def _victims(state):
    """Fellows with a pressed card; the Jackpot's initiator has none."""
    moves = NO_BIT
    for seat in fellows(np.int64(state.owner)):
        if state.pressed[seat]:
            moves |= SEAT_BITS[seat]
    return moves


@kernel
def _choose(state, move):
    if move != NO:
        state.target = seat_in(move)
        then(state)


@kernel
def _cards(state):
    return pressable(state, np.int64(state.owner))


@kernel
def _push(state, move):
    """Both see both cards.  Rule: eidex K30"""
    seat, victim, cards = np.int64(state.owner), np.int64(state.target), bit(move)
    taken = state.pressed[victim]
    state.hands[seat] ^= cards | taken
    state.pressed[victim] = cards
    state.pushed_to = victim
    swap_unseen(state, 3 - seat - victim, seat, PRESSED + victim, barred_from_press(state, seat))
    for knower in (seat, victim):
        show(state, knower, PRESSED + victim, cards)
        show(state, knower, seat, taken)


@kernel
def _advise_victim(state, word):
    """Pushes a trump of eleven points or more onto either fellow: it would take tricks for him; what he takes up is seldom as bad."""
    trumps = pressable(state, np.int64(state.owner)) & state.trumps
    if state.moves == NO_BIT or not trumps or points_of(state, bit(heaviest(state, trumps))) < 11:
        return np.uint64(NO)
    return picks_any(state, word)


@kernel
def _advise_card(state, word):
    trumps = state.moves & state.trumps
    return heaviest(state, trumps if trumps else state.moves)


CHARACTER = Character(
    name="fledderer",
    title="Fledderer (Grave Robber)",
    card="R7",
    when="after pressing",
    text="may push a card over to a fellow as his pressed card and takes the one that he had pressed",
    rule="K30",
    questions=(
        Question("fledderer", AFTER_PRESSING, "may push a card over", _victims, _choose, _advise_victim),
        Question("fledderer pushes", FOLLOWS, "pushes a card", _cards, _push, _advise_card),
    ),
)
