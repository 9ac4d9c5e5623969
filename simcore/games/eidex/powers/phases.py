"""The steps of a hand between its questions, and how a power turns back to one of them."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.eidex.powers.character import (
    AFTER_CARD,
    AFTER_DEAL,
    AFTER_LAST_TRICK,
    AFTER_PRESSING,
    BEFORE_FIRST_LEAD,
    BEFORE_LEAD,
    BEFORE_PRESSING,
    BEFORE_SEHER,
    LEAD_DRAWN,
    TRICK_COMPLETE,
    TRICK_SETTLED,
)
from simcore.jit import kernel

# In the order of a hand, each with the moment whose questions it asks before the next phase. A step is taken once no question is left.
PHASES = (
    ("after the deal", AFTER_DEAL),
    ("before pressing", BEFORE_PRESSING),
    ("the Laser presses", None),
    ("pressing", None),
    ("showing to the Seher", BEFORE_SEHER),
    ("the Seher presses", None),
    ("after pressing", AFTER_PRESSING),
    ("before the first lead", BEFORE_FIRST_LEAD),
    ("before a lead", BEFORE_LEAD),
    ("before a lead that is played again", None),
    ("drawing a lead", LEAD_DRAWN),
    ("next card", None),
    ("choosing a card", None),
    ("card laid", AFTER_CARD),
    ("card stands", TRICK_COMPLETE),
    ("trick complete", TRICK_SETTLED),
    ("trick settled", None),
    ("after the last trick", AFTER_LAST_TRICK),
    ("over", None),
)
(DEALT, CALLS, LASER_PRESSES, PRESSING, SHOWING, SEHER_PRESSES, CHANGES, DECLARING, BEFORE_TRICK, REPLAYING, DRAWING, NEXT_CARD, CHOOSING,
 LAID, STANDS, COMPLETE, COLLECTING, ADJUSTING, ENDED) = range(len(PHASES))  # fmt: skip
MOMENT_OF_PHASE = np.array([-1 if moment is None else moment for _, moment in PHASES])


@kernel
def lay_next(state):
    """Go on with the next card of the trick: the last one again, or one of a second round."""
    state.agenda, state.phase = EMPTY, NEXT_CARD


@kernel
def play_again(state):
    """Go on with the trick from its lead, before which some may act anew."""
    state.agenda, state.phase = EMPTY, REPLAYING
