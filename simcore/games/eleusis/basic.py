"""Players that reason about the secret rule.

All of them reckon with the rules of the library that no verdict, no-play or guess has refuted, weighted by their prior: each feature of
the language as likely as it is simple. They know every card type by the chance that it is right now: the weight of the possible rules by
which it is, as a share of all.
"""

import numpy as np

from simcore.bits import ONE, bit, lowest, nth, popcount
from simcore.games.eleusis.library import tables
from simcore.games.eleusis.play import accepting, legal_moves
from simcore.games.eleusis.state import DECLINE, DONE, GUESS, MORE, NAME, NO_PLAY, RIGHT, TURN, weight_of
from simcore.jit import kernel
from simcore.rng import below

_GUESS_FROM = 30  # percent


@kernel
def basic_move(state, word):
    """What is most probably right; guesses the most probable rule."""
    if state.decision == TURN:
        return _most_probable(state)
    if state.decision == GUESS:
        group = likeliest_word(state)
        return group if 100 * tables().weight[group] >= _GUESS_FROM * weight_of(state, state.possible) else np.int64(DECLINE)
    if state.decision == NAME:
        return np.int64(lowest(state.possible[state.word] if state.possible[state.word] else legal_moves(state)))
    if state.decision == MORE:
        return np.int64(DONE)
    return np.int64(RIGHT)


@kernel
def likeliest_word(state):
    """Word of the most probable rule: the first one with a possible rule, because simple ones come first."""
    best, chosen = np.int64(0), np.int64(DECLINE)
    for word in range(state.n_words):
        if state.possible[word] and tables().weight[word] > best:
            best, chosen = tables().weight[word], np.int64(word)
    return chosen


@kernel
def _most_probable(state):
    types = legal_moves(state) & ~bit(NO_PLAY)
    best, chosen = np.int64(-1), np.int64(NO_PLAY)
    while types:
        card = np.int64(lowest(types))
        types &= types - ONE
        weight = np.int64(0)
        for word in range(state.n_words):
            weight += tables().weight[word] * np.int64(popcount(state.possible[word] & accepting(state, card, word)))
        if weight > best:
            best, chosen = weight, card
    return chosen if best > 0 else np.int64(NO_PLAY)


@kernel
def playout_move(state, word, has_sense):
    """By the rules of thumb with sense; else a random card and no guess."""
    if has_sense:
        return basic_move(state, word)
    if state.decision == GUESS:
        return np.int64(DECLINE)
    moves = legal_moves(state)
    if state.decision == TURN:
        moves &= ~bit(NO_PLAY)
    return np.int64(nth(moves, below(word, popcount(moves))))
