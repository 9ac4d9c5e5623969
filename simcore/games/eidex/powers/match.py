"""The tournament with characters, and what a hand is worth in it."""

import numpy as np

from simcore.games.eidex import match as base
from simcore.games.eidex.cards import SEATS
from simcore.games.eidex.match import standing_after, worth_of_standing
from simcore.games.eidex.powers.scoring import award, is_tie, match_seat
from simcore.games.eidex.powers.table import card_points
from simcore.games.eidex.state import RULES, next_seat
from simcore.jit import kernel

_SHIFT = 3  # in hundredths of the limit


@kernel
def settle(state):
    """Add the hand to the standing and pass the deal to the right.  Rule: eidex B2, T2-T10"""
    points = card_points(state, SEATS[0]), card_points(state, SEATS[1]), card_points(state, SEATS[2])
    hand = award(state, points[0], points[1], points[2])
    replays = _replays(state, points[0], points[1], points[2])
    a, b, c = standing_after(_standing(state), hand, points, match_seat(state) >= 0, state.rules.to_win, replays)
    state.victory_points[0] = a
    state.victory_points[1] = b
    state.victory_points[2] = c
    state.dealer = next_seat(state.dealer)


@kernel
def _replays(state, a, b, c):
    """Whether three who are one short play such a hand again: for a tie alone, not for a Differenzler's hit.  Rule: eidex T7, T8"""
    return state.rules.three_at_six_tie == 1 and is_tie(state, a, b, c)


@kernel
def _standing(state):
    return np.int64(state.victory_points[0]), np.int64(state.victory_points[1]), np.int64(state.victory_points[2])


@kernel
def utility(state, seat, values):
    """Victory points of the hand; in a tournament, the chance to win it from the standing that the hand leads to.

    Averaged over shifts of some points between the seat and the others, as in the base game: of as many as the limit makes small ones, of
    none under Guggitaler.
    """
    a, b, c = card_points(state, SEATS[0]), card_points(state, SEATS[1]), card_points(state, SEATS[2])
    if match_seat(state) >= 0:
        return _worth(state, seat, a, b, c, values)
    total, step = 0.0, _SHIFT * np.int64(state.limit) // 100
    for k in range(-2, 3):
        shift = step * k
        own, other = 2 * shift, -shift
        total += (3 - abs(k)) * _worth(
            state, seat, a + (own if seat == 0 else other), b + (own if seat == 1 else other), c + (own if seat == 2 else other), values
        )
    return total / 9.0


@kernel
def _worth(state, seat, a, b, c, values):
    hand = award(state, a, b, c)
    if not len(values):
        return np.float64(hand[seat])
    to_win = np.int64(state.rules.to_win)
    after = standing_after(_standing(state), hand, (a, b, c), match_seat(state) >= 0, to_win, _replays(state, a, b, c))
    return worth_of_standing(after[seat], after[(seat + 1) % 3], after[(seat + 2) % 3], to_win, values)


def values(rules):
    """Chance to win a tournament from every standing, as in the base game under the same rules: the characters are left out of it."""
    plain = np.zeros(1, RULES)
    for name in RULES.names:
        plain[name] = rules[name]
    return base.values(plain[0])
