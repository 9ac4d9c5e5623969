"""The steps of a hand between its questions, and how a power turns back to one of them."""

from simcore.bits import EMPTY
from simcore.jit import kernel

# In the order of a hand. A step is taken once no question is left to be asked.
PHASES = (
    "after the deal",
    "before pressing",
    "the Laser presses",
    "pressing",
    "showing to the Seher",
    "the Seher presses",
    "after pressing",
    "before the first lead",
    "before a lead",
    "drawing a lead",
    "next card",
    "choosing a card",
    "card laid",
    "card stands",
    "trick complete",
    "trick settled",
    "after the last trick",
    "over",
)
(DEALT, CALLS, LASER_PRESSES, PRESSING, SHOWING, SEHER_PRESSES, CHANGES, DECLARING, BEFORE_TRICK, DRAWING, NEXT_CARD, CHOOSING, LAID,
 STANDS, COMPLETE, COLLECTING, ADJUSTING, ENDED) = range(len(PHASES))  # fmt: skip


@kernel
def lay_next(state):
    """Go on with the next card of the trick: its first one after a Korrektor, the last one again, or one of a second round."""
    state.agenda, state.phase = EMPTY, NEXT_CARD
