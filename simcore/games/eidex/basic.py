"""Rules of thumb for base Eidex, and the moves of playouts.

The aim is to end lowest, or highest below the limit, never in the middle. Being lowest is the aim by default; a seat turns to the highest
place once its lead over the mean of the others is large for the number of cards that are left, and stops collecting where it is safe
(79 of the 157 points cannot be passed by anybody). Each card is then judged by three things: how likely it takes the trick, what the
trick is worth, and how dangerous the card would be to keep. The weights were found by playing against random and basic players.
"""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest, nth, popcount
from simcore.games.eidex.cards import ALL_CARDS, BEATERS, HEAVY, LAST_TRICK_POINTS, SUIT_CARDS_OF
from simcore.games.eidex.play import legal_moves
from simcore.games.eidex.state import PRESS, next_seat, points_of
from simcore.jit import kernel
from simcore.rng import below

# A lead over the mean of the others of this many points for each card left makes highest the aim.
_LEAD_PER_CARD = 2.7
_SAFELY_HIGHEST = 79

# Tables by the number of higher cards of the suit that are still unseen: 0, 1, 2, more.
_PRESS = np.array([35, 35, 11, 1])
_DANGER = np.array([333, 280, 75, 0])
_LEAD_TAKES = np.array([86, 28, 15, 5])  # chance to take the trick, in 64ths
_SECOND_TAKES = np.array([48, 80, 45, 84])
_PRESS_TRUMP, _DANGER_TRUMP = 103, 529
_LEAD_CUT = 5  # chance that a plain lead is cut, in 64ths
_SURELY = 64

_ADDED_TO_LEAD, _ADDED_TO_SECOND = 16, 2  # points that those who play later will add
_TRICK, _POINT, _GIFT = 1, 15, 2


@kernel
def basic_move(state, word):
    """Move by rules of thumb for the seat to act; it draws no lots."""
    return choose_card(state, legal_moves(state))


@kernel
def choose_card(state, moves):
    """The card of *moves* to press or play."""
    if not moves & (moves - ONE):
        return lowest(moves)
    seat = state.seat
    hand, trick = state.hands[seat], state.trick
    left, right = next_seat(seat), next_seat(next_seat(seat))
    seen = state.piles[0] | state.piles[1] | state.piles[2] | trick | hand | state.pressed[seat]
    unseen = ALL_CARDS & ~seen
    mine = points_of(state, state.piles[seat] | state.pressed[seat])
    a, b = points_of(state, state.piles[left]), points_of(state, state.piles[right])
    n_cards = np.int64(popcount(hand))
    n_in_trick = np.int64(popcount(trick))
    trick_points = points_of(state, trick) + (LAST_TRICK_POINTS if n_cards == 1 else 0)
    collects = mine - 0.5 * (a + b) > _LEAD_PER_CARD * n_cards and mine < _SAFELY_HIGHEST
    # Points are better given to the lower of the others, who is the rival for the lowest place.
    gift = _GIFT if (a <= b) == (state.best_seat == left) and n_in_trick == 2 else 0
    best, best_score = lowest(moves), np.int64(-(1 << 60))
    while moves:
        card = lowest(moves)
        moves &= moves - ONE
        score = _judge(state, card, unseen, n_in_trick, trick_points, collects, mine, gift)
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def _judge(state, card, unseen, n_in_trick, trick_points, collects, mine, gift):
    """How good it is to press or play *card*, in no particular unit."""
    if state.decision == PRESS:
        return press_score(state, card, unseen)
    is_trump = bit(card) & state.trumps != EMPTY
    n_higher = _n_higher(state, card, unseen)
    points = points_of(state, bit(card))
    value = trick_points + points
    if n_in_trick == 0:
        takes = _LEAD_TAKES[n_higher] - (_LEAD_CUT if unseen & state.trumps and not is_trump else 0)
        value += _ADDED_TO_LEAD
    elif not bit(card) & state.beaters:
        takes = 0
    elif n_in_trick == 1:
        takes = _SECOND_TAKES[n_higher]
        value += _ADDED_TO_SECOND
    else:
        takes = _SURELY
    danger = _DANGER[n_higher] + (_DANGER_TRUMP if is_trump else 0)
    if collects and mine + value < state.limit:
        return takes * value - (_SURELY - takes) * points * 3 // 4 - danger // 8
    return danger + _POINT * points - takes * (value + _TRICK) + (0 if takes else gift * points)


@kernel
def press_score(state, card, unseen):
    """How good it is to press *card*: the more so the more surely it would take a trick."""
    return _PRESS[_n_higher(state, card, unseen)] + (_PRESS_TRUMP if bit(card) & state.trumps else 0)


@kernel
def _n_higher(state, card, unseen):
    """Number of higher cards of the suit that are still unseen, at most 3."""
    return min(np.int64(popcount(SUIT_CARDS_OF[card] & unseen & BEATERS[state.mode, card])), 3)


@kernel
def playout_move(state, word, has_sense):
    """A random card; with sense, one that leaves the trick to another where that is possible, and rather one with points.

    All ways are computed before the choice, which no processor can predict.
    """
    moves = legal_moves(state)
    losing = moves & ~state.beaters
    heavy = losing & HEAVY[state.mode]
    sensible = heavy if heavy else losing
    cards = sensible if has_sense & (losing != EMPTY) else moves
    return nth(cards, below(word, popcount(cards)))
