"""What a character is: a row of data, and for each question its kernels."""

from collections.abc import Callable
from dataclasses import dataclass

from simcore.protocol import Switch

# Moments at which questions are asked, in the order of a hand; within a moment the characters act in listing order.  Rule: eidex X1-X3
MOMENTS = (
    "after the deal",
    "before pressing",
    "before the Seher presses",
    "after pressing",
    "before the first lead",
    "before each lead",
    "when a lead is drawn",
    "before each card",
    "after each card",
    "when the trick is complete",
    "when the trick is settled",
    "after the last trick",
)
(AFTER_DEAL, BEFORE_PRESSING, BEFORE_SEHER, AFTER_PRESSING, BEFORE_FIRST_LEAD, BEFORE_LEAD, LEAD_DRAWN, BEFORE_CARD, AFTER_CARD,
 TRICK_COMPLETE, TRICK_SETTLED, AFTER_LAST_TRICK) = range(len(MOMENTS))  # fmt: skip
FOLLOWS = -1


@dataclass(frozen=True)
class Question:
    """A decision that a power gives, to its owner or to somebody else.

    Kernels: ``options(state)`` is the set of answers, empty when there is nothing to ask; it finds ``state.owner`` and
    ``state.seat`` set to the owner's seat and names another seat to be asked in ``state.seat``. ``answer(state, move)`` carries
    the answer out. ``advise(state, word)`` is the answer by a rule of thumb. A question with one option is answered unasked, and one
    whose power has no use left is not asked.
    """

    name: str  # as in transcripts
    moment: int  # or FOLLOWS: asked only when an answer to the question before it in the same file asks for it
    text: str  # what the seat may do
    options: Callable
    answer: Callable
    advise: Callable
    is_use: bool = True  # whether an answer other than no counts as a use of the power; only for questions that have a moment
    is_free: bool = False  # asked even when no use of the power is left
    is_inquiry: bool = False  # whatever the answer, it changes only what somebody knows
    again: bool = False  # whether it is asked anew when a trick is played again; only for questions before a lead


@dataclass(frozen=True)
class Character:
    """One of the cosmic characters."""

    name: str  # lower case, as on the command line
    title: str  # for people
    card: str
    when: str  # when it acts
    text: str  # what it does
    rule: str  # number of the ruling
    questions: tuple[Question, ...] = ()
    uses: int = 0  # how often the power may be used in one hand; 0 where no number limits it
    max_uses: int = 0  # the largest value of the switch for that number
    switches: tuple[Switch, ...] = ()

    @property
    def uses_switch(self) -> tuple[Switch, ...]:
        """The switch for the number of uses, if there is one."""
        text = f"uses of {self.title} in one hand ({self.rule})"
        return (Switch(f"{self.name}_uses", self.uses, text, 0, self.max_uses),) if self.uses else ()
