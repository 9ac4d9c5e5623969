"""Zombie, the Ravens Eight: everybody calls a card back to life."""

import numpy as np

from simcore.bits import EMPTY, bit
from simcore.games.eidex.cards import SEATS
from simcore.games.eidex.powers.asking import again, collects, heaviest, lightest, then, yes_if
from simcore.games.eidex.powers.character import BEFORE_LEAD, FOLLOWS, Character, Question
from simcore.games.eidex.powers.knowledge import DONATED, PRESSED, move_unseen, show, show_to_all
from simcore.games.eidex.powers.orders import YES, YES_OR_NO
from simcore.games.eidex.powers.table import IN_POT, NOWHERE, fellows, seat_at, spend, take_up
from simcore.games.eidex.state import points_of
from simcore.jit import kernel


@kernel
def recallable(state, seat):
    """Cards that *seat* may call back: of the last trick in its pile; else its pressed card; else the one that opened the Jackpot.

    That one only as long as it lies in the pot: whoever has won it keeps it. Nobody may pick what the Sphinx has laid face down, but she
    herself.  Rule: eidex K26, X7
    """
    if state.has_entry >> seat & 1:
        cards = state.last_entry[seat]
        if seat == state.face_down_seat:
            for slot in range(2):
                if state.face_down_at[slot] == seat and state.is_last_entry[slot]:
                    cards |= state.face_down[slot]
        return cards
    return state.donated if seat == state.initiator and state.donated_at == IN_POT else state.pressed[seat]


@kernel
def _may_raise(state):
    """Two players must own a trick."""
    owners = state.has_entry
    is_enough = owners & (owners - 1) != 0
    has_all = recallable(state, SEATS[0]) != EMPTY and recallable(state, SEATS[1]) != EMPTY and recallable(state, SEATS[2]) != EMPTY
    return YES_OR_NO if is_enough and has_all else EMPTY


@kernel
def _raise(state, move):
    if move == YES:
        spend(state)
        state.n_left = 3
        then(state)


@kernel
def _cards(state):
    seat = seat_at(state, 3 - np.int64(state.n_left))
    state.seat = seat
    return recallable(state, seat)


@kernel
def _call_back(state, move):
    """The card returns to the hand; everybody sees one that lay open."""
    seat, cards = np.int64(state.seat), bit(move)
    if cards & state.piles[seat]:
        state.piles[seat] ^= cards
        state.last_entry[seat] ^= cards
        state.hands[seat] |= cards
        show_to_all(state, seat, cards)
    elif cards & state.pressed[seat]:
        state.pressed[seat] = EMPTY
        _return_unseen(state, seat, PRESSED + seat, cards)
    elif cards & state.donated and seat == state.initiator:
        state.donated = EMPTY
        state.donated_at = NOWHERE
        _return_unseen(state, seat, DONATED, cards)
    else:
        slot = 0 if cards & state.face_down[0] else 1
        take_up(state, seat, cards, slot)
    state.n_left -= 1
    if state.n_left:
        again(state)


@kernel
def _return_unseen(state, seat, place, cards):
    state.hands[seat] |= cards
    for other in range(3):
        if other == seat:
            show(state, other, seat, cards)
        else:
            move_unseen(state, other, place, seat)


@kernel
def _advise_raise(state, word):
    """Raises the dead when that takes points off him: he has most, and his last trick is worth something."""
    seat = np.int64(state.owner)
    first, second = fellows(seat)
    mine = points_of(state, state.piles[seat])
    has_most = mine > points_of(state, state.piles[first]) and mine > points_of(state, state.piles[second])
    return yes_if(has_most and not collects(state, seat) and points_of(state, state.last_entry[seat]) >= 10)


@kernel
def _advise_card(state, word):
    """The heaviest card leaves the pile, the lightest that of a seat that collects."""
    cards = state.moves
    return lightest(state, cards) if collects(state, np.int64(state.seat)) else heaviest(state, cards)


CHARACTER = Character(
    name="zombie",
    title="Zombie",
    card="R8",
    when="before each trick",
    text="may once, when two have taken tricks, have everybody take a card of his last trick, or else his pressed card, into his hand",
    rule="K26",
    questions=(
        Question("zombie", BEFORE_LEAD, "may raise the dead", _may_raise, _raise, _advise_raise),
        Question("zombie calls", FOLLOWS, "calls a card back", _cards, _call_back, _advise_card),
    ),
    uses=1,
    max_uses=1,
)
