"""The tournament to seven victory points."""

import numpy as np

from simcore.bits import EMPTY, bit
from simcore.games.eidex.basic import basic_move
from simcore.games.eidex.cards import N_SEATS, SEATS
from simcore.games.eidex.play import is_over, play
from simcore.games.eidex.scoring import card_points, hand_points, match_seat, victory_points
from simcore.games.eidex.state import STATE, deal, next_seat, start
from simcore.jit import cached_table, kernel
from simcore.rng import MATCH, mix, stream

_N_SAMPLED = 4000
_SHIFT = 3  # card points


@kernel
def standing_after(standing, hand, points, is_match, to_win, replay_tie):
    """Standing after a hand, three tuples of seats: standing before, victory points and card points of the hand.

    "If two players have 6 victory points and each of them would receive a victory point, then the player with the higher result
    stays at 6 and the one with the lower result drops back to 5; if they are level, both stay at 6." With three players at 6
    and no Match, "the player who loses the round climbs to 7 and wins".
    Rule: eidex T1-T10
    """
    a, b, c = standing
    near = to_win - 1
    if a == near and b == near and c == near and not is_match and hand[0] < 2 and hand[1] < 2 and hand[2] < 2:
        # The one loser climbs (T5); a hand that gave nothing to anybody is played again (T8).
        is_scored = hand[0] + hand[1] + hand[2] > 0
        return a + (is_scored and not hand[0]), b + (is_scored and not hand[1]), c + (is_scored and not hand[2])
    if a == near and b == near and c == near and not is_match and replay_tie:
        return a, b, c
    contested_ab = a == near and b == near and hand[0] == 1 and hand[1] == 1
    contested_ac = a == near and c == near and hand[0] == 1 and hand[2] == 1
    contested_bc = b == near and c == near and hand[1] == 1 and hand[2] == 1
    if contested_ab:
        return a - (points[0] < points[1]), b - (points[1] < points[0]), c + hand[2]
    if contested_ac:
        return a - (points[0] < points[2]), b + hand[1], c - (points[2] < points[0])
    if contested_bc:
        return a + hand[0], b - (points[1] < points[2]), c - (points[2] < points[1])
    return a + hand[0], b + hand[1], c + hand[2]


@kernel
def _standing_after(state):
    """Standing after the finished deal of *state*."""
    return standing_after(
        (state.victory_points[0], state.victory_points[1], state.victory_points[2]),
        (victory_points(state, SEATS[0]), victory_points(state, SEATS[1]), victory_points(state, SEATS[2])),
        (card_points(state, SEATS[0]), card_points(state, SEATS[1]), card_points(state, SEATS[2])),
        match_seat(state) >= 0,
        state.rules.to_win,
        state.rules.three_at_six_tie == 1,
    )


@kernel
def settle(state):
    """Add the hand to the standing and pass the deal to the right.  Rule: eidex B2, T2-T10"""
    a, b, c = _standing_after(state)
    state.victory_points[0] = a
    state.victory_points[1] = b
    state.victory_points[2] = c
    state.dealer = next_seat(state.dealer)


@kernel
def winners(state):
    """The seat that has reached the victory points to win, as a set.  Rule: eidex T1"""
    cards = EMPTY
    for seat in range(N_SEATS):
        if state.victory_points[seat] >= state.rules.to_win:
            cards |= bit(seat)
    return cards


@kernel
def standing(state, seat):
    """Victory points of *seat* in the tournament."""
    return state.victory_points[seat]


@kernel
def deal_limit(state):
    """Hands after which a tournament is given up.  Rule: eidex T11"""
    return state.rules.max_hands


@kernel
def utility(state, seat, values):
    """Victory points of the hand; in a tournament, the chance to win it from the standing that the hand leads to.

    A playout ends on one of many card points that it might as well have ended on: the worth is averaged over shifts of some points
    between the seat and the others, which takes much of the luck out of few worlds.
    """
    match = match_seat(state)
    right, left = (seat + 1) % 3, (seat + 2) % 3
    own, first, second = card_points(state, seat), card_points(state, right), card_points(state, left)
    if match >= 0:
        hand = (2, 0, 0) if match == seat else (0, 2, 0) if match == right else (0, 0, 2)
        return _worth(state, seat, hand, (own, first, second), values) if len(values) else np.float64(hand[0])
    total = 0.0
    for k in range(-2, 3):
        a, b, c = own + 2 * _SHIFT * k, first - _SHIFT * k, second - _SHIFT * k
        worth = np.float64(hand_points(a, b, c, state.limit))
        if len(values):
            hand = (np.int64(worth), hand_points(b, c, a, state.limit), hand_points(c, a, b, state.limit))
            worth = _worth(state, seat, hand, (a, b, c), values)
        total += (3 - abs(k)) * worth
    return total / 9.0


@kernel
def _worth(state, seat, hand, points, values):
    """Chance to win the tournament after a hand: tuples of victory points and card points from *seat* to the right."""
    to_win = np.int64(state.rules.to_win)
    before = (
        np.int64(state.victory_points[seat]),
        np.int64(state.victory_points[(seat + 1) % 3]),
        np.int64(state.victory_points[(seat + 2) % 3]),
    )
    is_match = match_seat(state) >= 0
    own, right, left = standing_after(before, hand, points, is_match, to_win, state.rules.three_at_six_tie == 1)
    return worth_of_standing(own, right, left, to_win, values)


@kernel
def win_chance(state, seat, values):
    """Chance of *seat* to win the tournament from the standing between two hands."""
    standing = state.victory_points
    own, right, left = np.int64(standing[seat]), np.int64(standing[(seat + 1) % 3]), np.int64(standing[(seat + 2) % 3])
    return worth_of_standing(own, right, left, np.int64(state.rules.to_win), values)


@kernel
def worth_of_standing(own, right, left, to_win, values):
    """Chance to win the tournament from a standing."""
    if own >= to_win:
        return 1.0
    if right >= to_win or left >= to_win:
        return 0.0
    return values[(own * to_win + right) * to_win + left]


def values(rules):
    """Chance to win a tournament from every standing, for *utility*.

    Computed once for each rules record and kept in the cache folder: hands of three `basic` players are sampled, each
    with its seats permuted in all six ways, and the chances solve the linear equations of the standings.

    Returns
    -------
    float64 array of shape (to_win**3,), in units of 1e-6: own, right neighbour's, left neighbour's victory points.
    """
    points_limit, to_win, _, replay_tie = (int(number) for number in rules.tolist())
    name = f"standings-{points_limit}-{to_win}-{replay_tie}"
    return cached_table(name, (to_win**3,), lambda: _solve_standings(rules, to_win))


def _solve_standings(rules, to_win):
    """Solve ``chance = moves @ chance + wins`` over the standings."""
    n = to_win**3
    counts, wins = np.zeros((n, n), np.int64), np.zeros(n, np.int64)
    hands = np.empty((_N_SAMPLED, 7), np.int64)
    states = np.zeros(1, STATE)
    _sample_hands(states[0], rules, hands)
    _count_moves(hands, to_win, rules.three_at_six_tie == 1, counts, wins)
    total = 6 * _N_SAMPLED
    chance = np.linalg.solve(np.eye(n) - counts / total, wins / total)
    # Rounded, so that processors which differ in the last bit play alike.
    return np.round(chance, 6)


@kernel
def _sample_hands(state, rules, hands):
    """Play deals of three `basic` players; a row has victory points, card points and whether it was a Match."""
    for row in range(len(hands)):
        start(state, rules, N_SEATS, row % 3)
        deal(state, stream(0, row, MATCH))
        key = stream(1, row, MATCH)
        while not is_over(state):
            key = mix(key)
            play(state, basic_move(state, key))
        for seat in range(N_SEATS):
            hands[row, seat] = victory_points(state, seat)
            hands[row, 3 + seat] = card_points(state, seat)
        hands[row, 6] = match_seat(state) >= 0


@kernel
def _count_moves(hands, to_win, replay_tie, counts, wins):
    """Count where the sampled hands lead from every standing, and how often the first seat wins at once."""
    for start_ in range(to_win**3):
        before = (start_ // to_win**2, start_ // to_win % to_win, start_ % to_win)
        for row in range(len(hands)):
            for a in range(N_SEATS):
                for turn in range(1, N_SEATS):
                    b, c = (a + turn) % 3, (a + 2 * turn) % 3
                    after = standing_after(
                        before,
                        (hands[row, a], hands[row, b], hands[row, c]),
                        (hands[row, 3 + a], hands[row, 3 + b], hands[row, 3 + c]),
                        hands[row, 6] == 1,
                        to_win,
                        replay_tie,
                    )
                    if after[0] >= to_win:
                        wins[start_] += 1
                    elif after[1] < to_win and after[2] < to_win:
                        counts[start_, (after[0] * to_win + after[1]) * to_win + after[2]] += 1
