"""Sphinx, the Stars Six: lays cards face down and declares whose the trick is."""

import numpy as np

from simcore.bits import EMPTY, lowest, popcount
from simcore.games.eidex.powers.asking import collects, rival, seat_in, yes_if
from simcore.games.eidex.powers.character import BEFORE_CARD, TRICK_SETTLED, Character, Question
from simcore.games.eidex.powers.orders import ALL_SEATS, SEAT_BITS, YES, YES_OR_NO
from simcore.games.eidex.powers.table import seat_at
from simcore.games.eidex.state import points_of
from simcore.jit import kernel
from simcore.protocol import Switch


@kernel
def _may_hide(state):
    return YES_OR_NO if seat_at(state, np.int64(state.n_laid)) == state.owner else EMPTY


@kernel
def _hide(state, move):
    """The card that she lays next lies face down; a lead names its suit.  Rule: eidex K36"""
    state.is_face_down = move == YES


@kernel
def _owners(state):
    """She says whose the trick is; under the rule switch she has to tell the truth and is not asked."""
    return ALL_SEATS if state.face_down_in_trick and state.rules.sphinx == 0 else EMPTY


@kernel
def _declare(state, move):
    state.owner_declared = seat_in(move)


@kernel
def _advise_hide(state, word):
    """Hides a card when she plays last to a trick of ten points or more, or when few cards are left."""
    seat = np.int64(state.owner)
    n_cards = np.int64(popcount(state.hands[seat]))
    return yes_if((state.n_laid == 2 and points_of(state, state.trick) >= 10) or n_cards <= state.uses_left[seat])


@kernel
def _advise_owner(state, word):
    """Keeps the trick when she collects, else gives it to the rival."""
    seat = np.int64(state.owner)
    return lowest(SEAT_BITS[seat if collects(state, seat) else rival(state, seat)])


CHARACTER = Character(
    name="sphinx",
    title="Sphinx",
    card="S6",
    when="before she plays a card, and when the trick is settled",
    text="may twice lay a card face down; who gets such a trick is for her to say",
    rule="K36",
    questions=(
        Question("sphinx", BEFORE_CARD, "may lay the card face down", _may_hide, _hide, _advise_hide, is_use=False),
        Question(
            "sphinx declares", TRICK_SETTLED, "declares whose the trick is", _owners, _declare, _advise_owner, is_use=False, is_free=True
        ),
    ),
    uses=2,
    max_uses=2,
    switches=(Switch("sphinx", "free", "whose trick the Sphinx declares it to be (K36)", choices=("free", "truthful")),),
)
