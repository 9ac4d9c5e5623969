"""Rules of thumb with characters: cards as in the base game, powers as each character's file advises."""

import numpy as np

from simcore.bits import EMPTY, nth, popcount
from simcore.games.eidex.basic import choose_card
from simcore.games.eidex.cards import HEAVY
from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.powers.flow import FIRST_QUESTION
from simcore.games.eidex.powers.questions import advise
from simcore.games.eidex.powers.table import black_peter
from simcore.games.eidex.state import CARD, OVER
from simcore.jit import kernel
from simcore.rng import below

KORREKTOR = np.int64(NAMES.index("korrektor"))


@kernel
def basic_move(state, word):
    """Move by rules of thumb for the seat to act."""
    if state.decision > OVER:
        return advise(state.decision - FIRST_QUESTION, state, word)
    if state.is_schwarzpeter and state.decision == CARD:
        return choose_card(state, _shunning(state, black_peter(state)))
    return choose_card(state, state.moves)


@kernel
def _shunning(state, jack):
    """Moves that keep the Ravens Jack away where it loses the hand, if there are any.

    Whoever holds it is rid of it as soon as he does not win the trick with it, and neither leads nor wins with it; a trick in which it
    lies is left to others.
    """
    moves = state.moves
    losing = moves & ~state.beaters if state.n_laid else EMPTY
    if jack & losing:
        return jack
    cards = losing if jack & state.trick else moves & ~jack
    return cards if cards else moves


@kernel
def playout_move(state, word, has_sense):
    """As in the base game: a random card, or with sense one that leaves the trick to another; powers by their rules of thumb."""
    moves = state.moves
    if state.decision > OVER:
        if has_sense:
            return advise(state.decision - FIRST_QUESTION, state, word)
        return nth(moves, below(word, popcount(moves)))
    losing = moves & ~state.beaters
    heavy = losing & HEAVY[state.mode]
    sensible = heavy if heavy else losing
    cards = sensible if has_sense & (losing != EMPTY) else moves
    return nth(cards, below(word, popcount(cards)))
