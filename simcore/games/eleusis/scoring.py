"""From the table at the end of a round to points."""

import numpy as np

from simcore.bits import EMPTY, popcount
from simcore.games.eleusis.cards import FULL_HAND_SIZE, MAX_SEATS, MOST_CARDS, n_cards
from simcore.games.eleusis.library import MAX_WORDS, WORD
from simcore.games.eleusis.state import NOBODY, hand_size, next_seat
from simcore.jit import kernel
from simcore.protocol import Measure

SOLVED_POINTS, EMPTIED_POINTS = 6, 3
_MOST_POINTS = FULL_HAND_SIZE + SOLVED_POINTS + EMPTIED_POINTS
_FEWEST_POINTS = FULL_HAND_SIZE - MOST_CARDS

SOLVED, EMPTIED, STOCK, STUCK = 0, 1, 2, 3
KINDS = ("solved", "hand emptied", "stock used up", "nobody left")
DEAL_MEASURES = (
    Measure("solved", 0, 1, "somebody guessed the rule"),
    Measure("cards_laid", 0, MOST_CARDS, "cards laid by the players until the end"),
    Measure("row", 1, MOST_CARDS, "cards of the row, the start card among them"),
    Measure("guesses", 0, 1000, "guesses, right and wrong"),
    Measure("dealer_points", _FEWEST_POINTS, _MOST_POINTS, "points of the dealer"),
    Measure("first_points", _FEWEST_POINTS, _MOST_POINTS, "points of the first player, at the dealer's left"),
    Measure("last_points", _FEWEST_POINTS, _MOST_POINTS, "points of the last player, at the dealer's right"),
    Measure("rules_left", 0, MAX_WORDS * WORD, "rules of the library that the verdicts have left possible"),
)
SEAT_MEASURES = (
    Measure("points", _FEWEST_POINTS, _MOST_POINTS, "points of the round, the dealer's too"),
    Measure("best", 0, 1, "had the most points of the players, alone or not"),
    Measure("solved", 0, 1, "guessed the rule"),
    Measure("emptied", 0, 1, "emptied his hand"),
    Measure("cards_held", 0, MOST_CARDS, "cards held at the end"),
    Measure("right", 0, MOST_CARDS, "cards laid right"),
    Measure("wrong", 0, MOST_CARDS, "cards laid wrong"),
    Measure("no_plays", 0, MOST_CARDS, "announcements that nothing fits, right or not"),
    Measure("guesses", 0, MOST_CARDS, "guesses, right or not"),
    Measure("dealt", 0, 1, "was the dealer"),
)
STANDING = Measure("score", MAX_SEATS * _FEWEST_POINTS, MAX_SEATS * _MOST_POINTS, "points of all rounds")


@kernel
def points_so_far(state, seat):
    """Points that *seat* would have if the round ended here; the dealer 0."""
    return 0 if seat == state.dealer else player_points(state, seat)


@kernel
def cards_held(state, seat):
    """Cards that *seat* holds or could not draw.  Rule: eleusis E10"""
    return n_cards(state.hands[seat]) + np.int64(state.owed[seat])


@kernel
def player_points(state, seat):
    """Points of *seat*, who is not the dealer.  Rule: eleusis, End of the Round, E6, E7, E18"""
    points = hand_size(state) - cards_held(state, seat)
    if state.solver == seat or state.prophet == seat:
        points += SOLVED_POINTS
    if state.emptied == seat and (state.by_no_play == 0 or state.rules.no_play_bonus == 1):
        points += EMPTIED_POINTS
    return points


@kernel
def best_points(state):
    """Points of the best player, which are the dealer's.  Rule: eleusis E12"""
    best = np.int64(-1000)
    for seat in range(state.n_seats):
        if seat != state.dealer:
            best = max(best, player_points(state, seat))
    return best


@kernel
def points(state, seat):
    """Points of *seat* for the finished round."""
    return best_points(state) if seat == state.dealer else player_points(state, seat)


@kernel
def kind(state):
    """Index into ``KINDS``: how the round ended."""
    if state.solver != NOBODY:
        return SOLVED
    if state.emptied != NOBODY:
        return EMPTIED
    return STOCK if state.stock_failed else STUCK


@kernel
def measure(state, deal_out, seat_out):
    """Write the figures of the finished round in the order of ``DEAL_MEASURES`` and ``SEAT_MEASURES``."""
    best, n_guesses, n_left = best_points(state), 0, EMPTY
    for seat in range(state.n_seats):
        n_guesses += state.n_guesses[seat]
        seat_out[seat, 0] = points(state, seat)
        seat_out[seat, 1] = seat != state.dealer and player_points(state, seat) == best
        seat_out[seat, 2] = state.solver == seat
        seat_out[seat, 3] = state.emptied == seat
        seat_out[seat, 4] = cards_held(state, seat)
        seat_out[seat, 5] = state.n_right[seat]
        seat_out[seat, 6] = state.n_wrong[seat]
        seat_out[seat, 7] = state.n_no_plays[seat]
        seat_out[seat, 8] = state.n_guesses[seat]
        seat_out[seat, 9] = state.dealer == seat
    for word in range(state.n_words):
        n_left += popcount(state.possible[word])
    deal_out[0] = state.solver != NOBODY
    deal_out[1] = state.n_laid - 1
    deal_out[2] = state.n_row
    deal_out[3] = n_guesses
    deal_out[4] = best
    deal_out[5] = player_points(state, next_seat(state, state.dealer))
    deal_out[6] = player_points(state, state.dealer - 1 if state.dealer else state.n_seats - 1)
    deal_out[7] = n_left
