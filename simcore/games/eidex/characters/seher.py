"""Seher, the Stars Nine: presses last, having seen what the others pressed and what will be led."""

import numpy as np

from simcore.bits import EMPTY, bit
from simcore.games.eidex.powers.asking import lightest
from simcore.games.eidex.powers.character import BEFORE_SEHER, Character, Question
from simcore.games.eidex.powers.knowledge import DONATED, PRESSED, show
from simcore.games.eidex.powers.table import fellows
from simcore.games.eidex.state import NO_CARD
from simcore.jit import kernel


@kernel
def see_pressed(state, seher, laser):
    """The Seher looks at the pressed cards, but not at that of the Laser.  Rule: eidex K24"""
    for seat in fellows(seher):
        if seat == laser:
            continue
        if seat == state.initiator:
            show(state, seher, DONATED, state.donated)
        else:
            show(state, seher, PRESSED + seat, state.pressed[seat])


@kernel
def show_lead(state, seher, card):
    """The Seher is shown the first card to be led, which binds the leader."""
    state.shown_lead = card
    show(state, seher, np.int64(state.leader), bit(card))


@kernel
def _leads(state):
    """The leader chooses what he will lead, if he is not the Seher nor the Laser has drawn it."""
    if state.leader == state.owner or state.shown_lead != NO_CARD:
        return EMPTY
    state.seat = state.leader
    return state.hands[state.leader]


@kernel
def _show_lead(state, move):
    show_lead(state, np.int64(state.owner), np.int64(move))


@kernel
def _advise(state, word):
    """The lightest card that is not a trump, if there is one."""
    cards = state.moves & ~state.trumps
    return lightest(state, cards if cards else state.moves)


CHARACTER = Character(
    name="seher",
    title="Seher (Seer)",
    card="S9",
    when="at pressing",
    text="presses last, having seen the cards pressed by the others and the first card to be led",
    rule="K24",
    questions=(Question("seher lead", BEFORE_SEHER, "shows the card to be led", _leads, _show_lead, _advise, is_use=False),),
)
