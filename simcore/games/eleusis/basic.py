"""Players that reason about the secret rule.

What they assume: the secret rule is one of the library's words in use (`rules.library`), as likely as its prior weight says; no verdict,
no-play or guess so far has refuted it. They learn nothing from what others chose to play or to guess, nor from which card a dealer chose.
A card's *chance* is the weight of the possible rules by which it is right, as a share of all possible ones.

- ``basic:T`` confirms: it plays the card with the highest chance, and announces no-play only when every card is refuted. It guesses
  the most probable rule when that is at least T percent probable.
- ``scientist:T`` reckons in points: a card is worth its chance (one card less), six times the chance that the rule guessed behind it is the
  secret one, and a little for each bit that its verdict tells. It weighs no-play, which tests the whole hand, in the same way.
- ``tester:L`` is a scientist to whom a bit is worth L hundredths of a point, and who always guesses.
- ``seer:T`` is told the secret rule. It plays right cards, and guesses when the others may: when its rule is T percent probable to them.

Nobody of them becomes a Prophet, and in the full game they play one card a turn.
"""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest, nth, popcount
from simcore.games.eleusis.cards import types_in
from simcore.games.eleusis.library import WORD, right_cards, tables
from simcore.games.eleusis.play import accepting, legal_moves, sequence_accepting
from simcore.games.eleusis.scoring import SOLVED_POINTS
from simcore.games.eleusis.state import DECLINE, DONE, GUESS, NAME, NO_PLAY, RIGHT, TURN, VERDICT, WRONG, weight_of
from simcore.jit import kernel
from simcore.protocol import OWN_STEP, OwnPolicy
from simcore.rng import below

BASIC, SCIENTIST, TESTER, SEER = 0, 1, 2, 3
# Percent from which they guess, points for a bit.
_BASIC_GUESSES, _SCIENTIST_GUESSES, _SEER_GUESSES = 50, 0, 5
_BIT_POINTS = 0.05
_STEPS = 2.0**30
# Points by which a search's moves may be behind.
_NEARLY = 0.1
OWN_POLICIES = (
    OwnPolicy("basic", f"plays what is most probably right; guesses a rule that is T percent probable [{_BASIC_GUESSES}]", "T", 0, 100),
    OwnPolicy(
        "scientist",
        f"weighs being right, guessing then, and what a verdict tells, no-play too; guesses from T percent on [{_SCIENTIST_GUESSES}]",
        *("T", 0, 100),
    ),
    OwnPolicy("tester", "a scientist to whom a bit of information is worth L hundredths of a point [5]", "L", 0, 1000),
    OwnPolicy("seer", f"is told the secret rule, a cheat; guesses when it is T percent probable to others [{_SEER_GUESSES}]", "T", 0, 100),
)


@kernel
def basic_move(state, word):
    """What is most probably right; a guess that is at least as probable as not."""
    return _reasoned_move(state, word, False, 0.0, _BASIC_GUESSES)


@kernel
def own_move(state, number, word):
    """Move of the player of this *number*; see ``OWN_POLICIES``."""
    which, given = number // OWN_STEP, number % OWN_STEP - 1
    if which == SEER:
        return _seer_move(state, word, given if given >= 0 else _SEER_GUESSES)
    if which == TESTER:
        return _reasoned_move(state, word, True, given / 100 if given >= 0 else _BIT_POINTS, _SCIENTIST_GUESSES)
    if which == SCIENTIST:
        return _reasoned_move(state, word, True, _BIT_POINTS, given if given >= 0 else _SCIENTIST_GUESSES)
    return _reasoned_move(state, word, False, 0.0, given if given >= 0 else _BASIC_GUESSES)


@kernel
def _reasoned_move(state, bits, weighs, bit_points, guesses_from):
    if state.decision == TURN:
        return _most_worth(state, bit_points, guesses_from) if weighs else _most_probable(state)
    if state.decision == GUESS:
        word = likeliest_word(state, bits)
        return word if _is_sure(tables().weight[word], weight_of(state, state.possible), guesses_from) else np.int64(DECLINE)
    return _other_move(state, bits)


@kernel
def _other_move(state, bits):
    """Move where all reason alike: name a possible rule of the word, judge what is more probable, end a sequence."""
    if state.decision == NAME:
        rules = state.possible[state.word] if state.possible[state.word] else legal_moves(state)
        return np.int64(nth(rules, below(bits, popcount(rules))))
    if state.decision == VERDICT:
        weight = np.int64(0)
        for word in range(state.n_words):
            weight += tables().weight[word] * np.int64(popcount(state.possible[word] & sequence_accepting(state, word)))
        return np.int64(RIGHT if 2 * weight >= weight_of(state, state.possible) else WRONG)
    return np.int64(DONE)


@kernel
def _is_sure(weight, total, percent):
    return 100 * weight >= percent * total


@kernel
def likeliest_word(state, bits):
    """Word of a most probable rule, each such rule as likely by 64 random *bits*."""
    best, n = np.int64(-1), np.int64(0)
    for word in range(state.n_words):
        if state.possible[word]:
            weight = tables().weight[word]
            n = np.int64(popcount(state.possible[word])) + (n if weight == best else 0) if weight >= best else n
            best = max(best, weight)
    left = np.int64(below(bits, n))
    for word in range(state.n_words):
        if state.possible[word] and tables().weight[word] == best:
            left -= np.int64(popcount(state.possible[word]))
            if left < 0:
                return np.int64(word)
    return np.int64(0)


@kernel
def _most_probable(state):
    """The card that is right by most weight of rules, the first of equals; no-play where all are refuted."""
    cards = types_in(state.hands[state.seat])
    best, chosen = np.int64(0), np.int64(NO_PLAY)
    while cards:
        card = np.int64(lowest(cards))
        cards &= cards - ONE
        weight = np.int64(0)
        for word in range(state.n_words):
            weight += tables().weight[word] * np.int64(popcount(state.possible[word] & accepting(state, card, word)))
        if weight > best:
            best, chosen = weight, card
    return chosen


@kernel
def _most_worth(state, bit_points, guesses_from):
    """The card, or no-play, that is worth most points, the first of equals."""
    moves, best, chosen = legal_moves(state), -1.0, np.int64(NO_PLAY)
    while moves:
        move = np.int64(lowest(moves))
        moves &= moves - ONE
        worth = _worth_of(state, move, bit_points, guesses_from)
        if worth > best:
            best, chosen = worth, move
    return chosen


@kernel
def _worth_of(state, move, bit_points, guesses_from):
    """Points that a card or no-play is worth in a turn, in steps of 2**-30."""
    weight, top = np.int64(0), np.int64(0)
    for word in range(state.n_words):
        rules = state.possible[word] & (_refuting_all(state, word) if move == NO_PLAY else accepting(state, move, word))
        weight += tables().weight[word] * np.int64(popcount(rules))
        top = max(top, tables().weight[word] if rules else 0)
    return _worth(weight, top, weight_of(state, state.possible), bit_points, guesses_from)


@kernel
def _refuting_all(state, word):
    """Rules of the library's *word* by which no card of the hand is right, a uint64 set."""
    rules, cards = ~EMPTY, types_in(state.hands[state.seat])
    while cards:
        rules &= ~accepting(state, lowest(cards), word)
        cards &= cards - ONE
    return rules


@kernel
def _worth(weight, top, total, bit_points, guesses_from):
    """Points that a move is worth which is right by *weight* of the possible rules out of *total*, *top* that of the likeliest of them."""
    chance = weight / total
    solves = top / total if _is_sure(top, weight, guesses_from) else 0.0
    bits = 0.0
    if bit_points > 0.0 and 0 < weight < total:
        bits = -chance * np.log2(chance) - (1 - chance) * np.log2(1 - chance)
    # Cut to steps of 2**-30, so that processors whose logarithms differ in the last bit play alike.
    return np.floor((chance + SOLVED_POINTS * solves + bit_points * bits) * _STEPS)


@kernel
def _seer_move(state, bits, guesses_from):
    if state.decision == TURN:
        fitting = types_in(state.hands[state.seat]) & right_cards(state.secret, state.features, state.last)
        return np.int64(lowest(fitting)) if fitting else np.int64(NO_PLAY)
    word = state.secret // WORD
    if state.decision == GUESS:
        is_last = types_in(state.hands[state.seat]) == EMPTY
        is_known = _is_sure(tables().weight[word], weight_of(state, state.possible), guesses_from)
        return np.int64(word) if is_last or is_known else np.int64(DECLINE)
    if state.decision == NAME and state.word == word:
        return np.int64(state.secret % WORD)
    return _other_move(state, bits)


@kernel
def plausible_moves(state, moves, word):
    """Moves of a turn that a scientist finds nearly as good as the best one, and no guesses but that of the most probable rule.

    What it tells apart is finer than what a search sees in its worlds, where luck decides most.
    """
    if state.decision == GUESS:
        return moves & (bit(likeliest_word(state, EMPTY)) | ~state.guessable)
    if state.decision == NAME and state.possible[state.word]:
        return bit(lowest(state.possible[state.word]))
    if state.decision != TURN:
        return moves
    best = _worth_of(state, _most_worth(state, 0.0, _SCIENTIST_GUESSES), 0.0, _SCIENTIST_GUESSES)
    good, left = EMPTY, moves
    while left:
        move = np.int64(lowest(left))
        left &= left - ONE
        if _worth_of(state, move, 0.0, _SCIENTIST_GUESSES) >= best - _NEARLY * _STEPS:
            good |= bit(move)
    return good


@kernel
def playout_move(state, word, has_sense):
    """Like a scientist in every seat: with random players, who hardly ever find the rule, playouts last long and tell little."""
    return _reasoned_move(state, word, True, 0.0, _SCIENTIST_GUESSES)
