"""Räuber, the Ravens King: robs the trump card."""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest
from simcore.games.eidex.powers.asking import most_dangerous, then, yes_if
from simcore.games.eidex.powers.character import AFTER_DEAL, FOLLOWS, Character, Question
from simcore.games.eidex.powers.knowledge import PRIVATE, PUBLIC, pass_card, show_to_all
from simcore.games.eidex.powers.orders import YES, YES_OR_NO
from simcore.games.eidex.powers.table import fellows
from simcore.jit import kernel


@kernel
def _may_rob(state):
    """The dealer himself may only have it robbed by the trump Six.  Rule: eidex K6"""
    if state.owner != state.dealer:
        return YES_OR_NO
    six = state.trumps & ~(state.trumps - ONE)
    return YES_OR_NO if six & ~state.hands[state.owner] else EMPTY


@kernel
def _rob(state, move):
    if move != YES:
        return
    robber, dealer, card = np.int64(state.owner), np.int64(state.dealer), np.int64(state.upcard)
    if robber != dealer:
        pass_card(state, card, dealer, robber, PUBLIC)
        then(state)
        return
    six = state.trumps & ~(state.trumps - ONE)
    holder, other = fellows(dealer)
    if state.hands[other] & six:
        holder = other
    pass_card(state, card, dealer, holder, PUBLIC)
    pass_card(state, np.int64(lowest(six)), holder, dealer, PUBLIC)


@kernel
def _cards_to_give(state):
    """Any card of his hand but the robbed one."""
    return state.hands[state.owner] & ~bit(state.upcard)


@kernel
def _give(state, move):
    robber = np.int64(state.owner)
    pass_card(state, np.int64(move), robber, np.int64(state.dealer), PRIVATE)
    # What he gives is hidden from the third, but not that it is another card than the robbed one.
    show_to_all(state, robber, bit(state.upcard))


@kernel
def _advise_rob(state, word):
    """Robs to get rid of a card, unless the trump card is worse; as dealer he gladly parts with a high trump."""
    card = np.int64(state.upcard)
    if state.owner == state.dealer:
        return np.uint64(YES)
    cards = state.hands[state.owner] | bit(card)
    return yes_if(most_dangerous(state, np.int64(state.owner), cards) != np.uint64(card))


@kernel
def _advise_give(state, word):
    return most_dangerous(state, np.int64(state.owner), state.moves)


CHARACTER = Character(
    name="raeuber",
    title="Räuber (Robber)",
    card="RK",
    when="after the deal",
    text="may rob the trump card and gives the dealer any card for it; as dealer he may have it robbed by the trump Six",
    rule="K6",
    questions=(
        Question("raeuber", AFTER_DEAL, "may rob the trump card", _may_rob, _rob, _advise_rob),
        Question("raeuber gives", FOLLOWS, "gives a card for it", _cards_to_give, _give, _advise_give),
    ),
)
