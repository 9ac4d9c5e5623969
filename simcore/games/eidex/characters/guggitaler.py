"""Guggitaler, the Hearts Seven: only Hearts and the Stars King count."""

import numpy as np

from simcore.bits import EMPTY, popcount
from simcore.games.eidex.cards import DECK, SUIT_CARDS
from simcore.games.eidex.characters.laser import press_for, presses_for
from simcore.games.eidex.powers.asking import most_dangerous, then, yes_if, yes_or_no
from simcore.games.eidex.powers.character import AFTER_PRESSING, FOLLOWS, Character, Question
from simcore.games.eidex.powers.knowledge import DONATED, PRESSED, deny, show_to_all
from simcore.games.eidex.powers.orders import KING_CARDS, YES
from simcore.games.eidex.powers.table import NOWHERE, press, pressable, set_planes
from simcore.games.eidex.state import NOBODY
from simcore.jit import kernel
from simcore.protocol import Switch

_STARS_KING = KING_CARDS & SUIT_CARDS[3]
_VALUES = np.array([1 if card < 9 else 4 if DECK.names[card] == "SK" else 0 for card in range(36)])
BARRED, VOID = 1, 2


@kernel
def _declare(state, move):
    """Hearts count 1, the Stars King 4.  Rule: eidex K31

    The Stars King may not be pressed: whoever has done so takes it back and presses afresh, or the Laser does that for him; or, by the
    rule switch, the declaration is void and everybody learns who has.
    """
    if move != YES:
        return
    presser = np.int64(NOBODY)
    for seat in range(3):
        if state.pressed[seat] == _STARS_KING or (seat == state.initiator and state.donated == _STARS_KING):
            presser = seat
    place = DONATED if presser == state.initiator else PRESSED + presser
    if presser != NOBODY and state.rules.guggitaler_king == VOID:
        show_to_all(state, place, _STARS_KING)
        return
    state.is_guggitaler = True
    state.limit = 13
    set_planes(state, _VALUES)
    for seat in range(3):
        deny(state, PRESSED + seat, _STARS_KING)
    deny(state, DONATED, _STARS_KING)
    if presser == NOBODY:
        return
    if presser == state.initiator:
        state.donated, state.donated_at = EMPTY, NOWHERE
    else:
        state.pressed[presser] = EMPTY
    if state.pushed_to == presser:
        state.pushed_to = NOBODY
    state.hands[presser] |= _STARS_KING
    show_to_all(state, presser, _STARS_KING)
    state.target = presser
    if presses_for(state, presser):
        press_for(state, presser)
    else:
        then(state)


@kernel
def _cards(state):
    state.seat = state.target
    return pressable(state, np.int64(state.target))


@kernel
def _press(state, move):
    press(state, np.int64(state.seat), np.int64(move))


@kernel
def _advise(state, word):
    """Declares it with very many of the points."""
    hand = state.hands[state.owner]
    n = popcount(hand & SUIT_CARDS[0]) + np.uint64(4) * popcount(hand & _STARS_KING)
    return yes_if(n >= np.uint64(7))


@kernel
def _advise_card(state, word):
    return most_dangerous(state, np.int64(state.seat), state.moves)


CHARACTER = Character(
    name="guggitaler",
    title="Guggitaler",
    card="H7",
    when="after pressing",
    text="may declare that only Hearts count, 1 point each, and the Stars King, 4",
    rule="K31",
    questions=(
        Question("guggitaler", AFTER_PRESSING, "may declare Guggitaler", yes_or_no, _declare, _advise),
        Question("press", FOLLOWS, "presses afresh", _cards, _press, _advise_card),
    ),
    switches=(
        Switch("guggitaler_king", "swap", "what a pressed Stars King does under Guggitaler (K31)", choices=("swap", "barred", "void")),
    ),
)
