"""Rules of thumb with characters: cards as in the base game, powers as each character's file advises."""

import numpy as np

from simcore.bits import EMPTY, bit, nth, popcount
from simcore.games.eidex.basic import choose_card
from simcore.games.eidex.cards import HEAVY
from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.powers.flow import FIRST_QUESTION
from simcore.games.eidex.powers.questions import INQUIRIES, advise
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
    moves = state.moves
    if state.is_schwarzpeter and state.decision == CARD:
        moves = _shunning(state, black_peter(state))
    if state.rejected and state.active[state.seat] == KORREKTOR:
        # The others lay the same cards again: a trick goes another way only if he does not.
        others = moves & ~state.rejected
        moves = others if others else moves
    return choose_card(state, moves)


@kernel
def plausible_moves(state, moves, word):
    """All moves, but of an inquiry only what the rule of thumb asks: in a world all answers are worth the same."""
    if state.decision > OVER and bit(state.decision - FIRST_QUESTION) & INQUIRIES:
        return bit(advise(state.decision - FIRST_QUESTION, state, word))
    return moves


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
    if state.decision > OVER:
        return _answer_in_playout(state, word, has_sense)
    moves = state.moves
    losing = moves & ~state.beaters
    heavy = losing & HEAVY[state.mode]
    sensible = heavy if heavy else losing
    cards = sensible if has_sense & (losing != EMPTY) else moves
    return nth(cards, below(word, popcount(cards)))


@kernel
def _answer_in_playout(state, word, has_sense):
    if has_sense:
        return advise(state.decision - FIRST_QUESTION, state, word)
    return nth(state.moves, below(word, popcount(state.moves)))
