"""Trumphator, the Stars Ace: turns another card into the trump card."""

import numpy as np

from simcore.bits import bit, popcount
from simcore.games.eidex.cards import MODE_OF
from simcore.games.eidex.powers.asking import yes_if, yes_or_no
from simcore.games.eidex.powers.character import AFTER_DEAL, Character, Question
from simcore.games.eidex.powers.knowledge import show_to_all
from simcore.games.eidex.powers.orders import YES
from simcore.games.eidex.state import set_mode
from simcore.jit import kernel


@kernel
def _turn_up(state, move):
    """The second card from the bottom, still unseen, makes the mode.  Rule: eidex K4"""
    if move == YES:
        state.upcard = state.second
        set_mode(state, MODE_OF[state.second])
        state.order = state.mode
        show_to_all(state, np.int64(state.dealer), bit(state.upcard))


@kernel
def _advise(state, word):
    """Dislikes a trump of which he holds a middling number."""
    n_trumps = popcount(state.hands[state.owner] & state.trumps)
    return yes_if(n_trumps == 4 or n_trumps == 5)


CHARACTER = Character(
    name="trumphator",
    title="Trumphator",
    card="SA",
    when="after the deal",
    text="may make the second card from the bottom, unseen, the trump card",
    rule="K4",
    questions=(Question("trumphator", AFTER_DEAL, "may turn up the card above the last", yes_or_no, _turn_up, _advise),),
)
