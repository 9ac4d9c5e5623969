"""The game: rounds until a total reaches the end."""

import numpy as np

from simcore.bits import EMPTY, bit, nth, popcount
from simcore.games.cosmos.basic import basic_move
from simcore.games.cosmos.cards import END_TRICKS
from simcore.games.cosmos.play import is_over, play
from simcore.games.cosmos.scoring import end_tricks, ends_game, score
from simcore.games.cosmos.state import STATE, deal, start
from simcore.jit import cached_table, kernel
from simcore.rng import MATCH, below, mix, step, stream

_FEWEST_SEATS = min(END_TRICKS)
_N_SAMPLED = 2000
_STEPS = 2.0**30
_WITH_ROUND, _WITHOUT = np.bool_(True), np.bool_(False)


@kernel
def _seats_with(state, total):
    """Set of the seats whose total is *total*."""
    seats = EMPTY
    for seat in range(state.n_seats):
        if state.totals[seat] == total:
            seats |= bit(seat)
    return seats


@kernel
def _extremes(state):
    """Fewest and most tricks of the totals."""
    fewest, most = np.int64(state.totals[0]), np.int64(state.totals[0])
    for seat in range(state.n_seats):
        fewest = min(fewest, np.int64(state.totals[seat]))
        most = max(most, np.int64(state.totals[seat]))
    return fewest, most


@kernel
def settle(state):
    """Add the round to the totals; who has the fewest tricks starts the next one, drawn among equals.  Rule: cosmos C15-C17"""
    for seat in range(state.n_seats):
        state.totals[seat] += score(state, seat)
    fewest, most = _extremes(state)
    starters = _seats_with(state, fewest)
    state.chance = step(state.chance)
    state.starter = nth(starters, below(mix(state.chance), popcount(starters)))
    if fewest < most:
        state.been_last |= _seats_with(state, most)


@kernel
def winners(state):
    """Seats with the fewest tricks once a total has reached the end, as a set.  Rule: cosmos C15, C16"""
    fewest, most = _extremes(state)
    return _seats_with(state, fewest) if most >= end_tricks(state) else EMPTY


@kernel
def standing(state, seat):
    """Tricks of *seat* in the rounds before."""
    return state.totals[seat]


@kernel
def deal_limit(state):
    """Rounds after which a game is given up.  Rule: cosmos C18"""
    return state.rules.max_rounds


@kernel
def utility(state, seat, values):
    """Tricks of the round, negative; in a game, about the chance to win it from the totals that the round leads to.

    A win that k seats share is worth 1/k.
    """
    if len(values) == 0:
        return -np.float64(score(state, seat))
    return _chance(state, seat, values, _WITH_ROUND)


@kernel
def win_chance(state, seat, values):
    """About the chance of *seat* to win the game from the totals between two rounds; a win that k seats share is worth 1/k."""
    return _chance(state, seat, values, _WITHOUT)


@kernel
def _total(state, seat, with_round):
    """Tricks of *seat* in the game, with those of the finished round or without."""
    return np.int64(state.totals[seat]) + (np.int64(score(state, seat)) if with_round else np.int64(0))


@kernel
def _chance(state, seat, values, with_round):
    own = _total(state, seat, with_round)
    fewest, most, n_fewest = own, own, 0
    for other in range(state.n_seats):
        total = _total(state, other, with_round)
        n_fewest = 1 if total < fewest else n_fewest + (total == fewest)
        fewest, most = min(fewest, total), max(most, total)
    if most >= end_tricks(state):
        return 1.0 / n_fewest if own == fewest else 0.0
    end = np.float64(end_tricks(state))
    row = 2 * (np.int64(state.n_seats) - _FEWEST_SEATS)
    slope = (values[row] + values[row + 1] * (most / end)) / end
    weights = 0.0
    for other in range(state.n_seats):
        weights += np.exp(slope * (own - _total(state, other, with_round)))
    # Cut to steps of 2**-30, so that processors which differ in the last bit play alike.
    return np.floor(_STEPS / weights) / _STEPS


def values(rules):
    """Numbers a, b for 3, 4, 5, 6 seats, for *utility*.

    The chance of a seat to win is taken to be its weight over the sum of all seats' weights, where a weight is
    ``exp(-(a + b * most / end) * total / end)`` and *most* the highest total. The numbers are a maximum likelihood fit (conditional logit)
    to the outcomes of sampled games of `basic` players: an approximation, that knows neither who starts nor how the players play.

    Returns
    -------
    float64 array of shape (8,), in units of 1e-4.
    """
    name = f"cosmos-chances-{'-'.join(map(str, rules.tolist()))}"
    return cached_table(name, (2 * len(END_TRICKS),), lambda: _fitted_numbers(rules))


def _fitted_numbers(rules):
    """The two numbers of each number of seats, one after the other."""
    numbers = [_fit(*_sampled_games(rules, seats), int(rules.end_tricks) or end) for seats, end in END_TRICKS.items()]
    return np.round(np.concatenate(numbers), 4)


def _sampled_games(rules, seats):
    """Totals after each round but the last of sampled games, and each seat's share of the win; both of shape (rounds, seats)."""
    totals, shares = np.zeros((50 * _N_SAMPLED, seats)), np.zeros((50 * _N_SAMPLED, seats))
    states = np.zeros(1, STATE)
    n = _sample_games(states[0], rules, seats, totals, shares)
    return totals[:n], shares[:n]


@kernel
def _sample_games(state, rules, seats, totals, shares):
    """Play games of `basic` players until the samples are many enough or the arrays are full; the number of rows."""
    row = 0
    for game in range(_N_SAMPLED):
        start(state, rules, seats, game % seats)
        first = row
        for number in range(rules.max_rounds):
            key = stream(game, number, MATCH)
            deal(state, key)
            while not is_over(state):
                key = mix(key)
                play(state, basic_move(state, key))
            is_last = ends_game(state)
            settle(state)
            if is_last or row == len(totals):
                break
            for seat in range(seats):
                totals[row, seat] = state.totals[seat]
            row += 1
        won = winners(state)
        if not won:
            row = first
        for earlier in range(first, row):
            for seat in range(seats):
                shares[earlier, seat] = np.float64(won >> np.uint64(seat) & np.uint64(1)) / np.float64(popcount(won))
    return row


def _fit(totals, shares, end):
    """Numbers a, b of the conditional logit that make the *shares* most likely, by Newton's method."""
    scaled = totals / end
    features = -np.stack([scaled, scaled * scaled.max(axis=1, keepdims=True, initial=0)], axis=2)
    numbers = np.zeros(2)
    for _ in range(30):
        chances = np.exp(features @ numbers)
        chances /= chances.sum(axis=1, keepdims=True)
        gradient = np.einsum("rs,rsf->f", shares - chances, features)
        centred = features - np.einsum("rs,rsf->rf", chances, features)[:, None]
        # The small ridge keeps a game of a single round, which has no rows to fit, solvable.
        information = np.einsum("rs,rsf,rsg->fg", chances, centred, centred) + 1e-6 * np.eye(2)
        numbers = numbers + np.linalg.solve(information, gradient)
    return numbers
