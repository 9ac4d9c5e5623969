"""Korrektor, the Eidex Seven: rejects a whole trick."""

import numpy as np

from simcore.bits import popcount
from simcore.games.eidex.powers.asking import collects, declines, then, yes_if, yes_or_no
from simcore.games.eidex.powers.character import FOLLOWS, TRICK_SETTLED, Character, Question
from simcore.games.eidex.powers.orders import YES
from simcore.games.eidex.powers.phases import play_again
from simcore.games.eidex.powers.table import spend, take_up_trick
from simcore.games.eidex.state import points_of
from simcore.jit import kernel

_HEAVY = 4  # card points


@kernel
def _reject(state, move):
    """Everybody takes his cards back; the trick is played again, and who may act at any time before a lead may so now.  Rule: eidex K29"""
    if move != YES:
        return
    spend(state)
    state.rejected = state.trick
    take_up_trick(state)
    play_again(state)
    if state.owner != state.leader:
        then(state)


@kernel
def _lead(state, move):
    if move == YES:
        state.leader = state.owner


@kernel
def _advise_reject(state, word):
    """Rejects a heavy trick that he has led and won against his aim, if he has another card to lead.

    The others lay the same cards again, so that only a lead changes much; the more cards he has left, the heavier the trick must be.
    """
    seat = np.int64(state.owner)
    n_cards = np.int64(popcount(state.hands[seat]))
    is_bad = state.leader == seat and state.best_seat == seat and not collects(state, seat)
    return yes_if(is_bad and n_cards > 0 and points_of(state, state.trick) >= 2 * n_cards + _HEAVY)


CHARACTER = Character(
    name="korrektor",
    title="Korrektor (Corrector)",
    card="E7",
    when="when the trick is settled",
    text="may once reject a trick, which is played again; he may take over the lead",
    rule="K29",
    questions=(
        Question("korrektor", TRICK_SETTLED, "may reject the trick", yes_or_no, _reject, _advise_reject),
        Question("korrektor leads", FOLLOWS, "may take over the lead", yes_or_no, _lead, declines),
    ),
    uses=1,
    max_uses=3,
)
