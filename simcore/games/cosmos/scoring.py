"""From the tricks of a finished round to what they score."""

from simcore.games.cosmos.cards import N_TABLE_CARDS
from simcore.games.cosmos.state import SWITCHES, hand_size
from simcore.jit import kernel
from simcore.protocol import Measure

_MOST_TRICKS = 20
_HIGHEST_END = next(switch.high for switch in SWITCHES if switch.name == "end_tricks")

ROUND, VOID_ROUND, LAST_ROUND = 0, 1, 2
KINDS = ("round", "void round", "last round")
DEAL_MEASURES = (
    Measure("collisions", 0, 30, "pairs of played cards turned down"),
    Measure("table_collisions", 0, N_TABLE_CARDS, "table cards turned down"),
    Measure("big_bangs", 0, _MOST_TRICKS, "tricks with no card left face up"),
    Measure("black_tricks", 0, 8, "tricks won by a black card"),
    Measure("break_trick", 0, _MOST_TRICKS, "number of the trick in which the break came, 0: never"),
    Measure("void", 0, 1, "a seat scored nothing for its four nines"),
    Measure("void_tricks", 0, _MOST_TRICKS, "tricks that Void took off"),
    Measure("starter_tricks", 0, _MOST_TRICKS, "tricks scored by the starting player"),
    Measure("comeback", 0, 1, "the game ended and a winner had been last after an earlier round"),
)
SEAT_MEASURES = (
    Measure("tricks", 0, _MOST_TRICKS, "tricks scored, fewer are better", is_cost=True),
    Measure("fewest", 0, 1, "scored the fewest tricks, alone or not"),
    Measure("tricks_won", 0, _MOST_TRICKS, "tricks won, before Void"),
    Measure("nines", 0, 4, "nines in the tricks won"),
    Measure("void", 0, 1, "scored nothing for four nines"),
    Measure("big_bangs", 0, _MOST_TRICKS, "Big Bangs won as the leader"),
    Measure("broke", 0, 1, "played the card of the break"),
    Measure("started", 0, 1, "was the starting player"),
)
STANDING = Measure("standing", 0, _HIGHEST_END + _MOST_TRICKS - 1, "tricks in the game, fewer are better", is_cost=True)


@kernel
def points_so_far(state, seat):
    """Tricks that *seat* has won in the round."""
    return state.tricks[seat]


@kernel
def has_void(state, seat):
    """Whether *seat* holds all four nines in its tricks of the round and the rule is on.  Rule: cosmos C14"""
    return state.nines[seat] == 4 and state.rules.void == 1


@kernel
def score(state, seat):
    """Tricks that *seat* scores for the finished round.  Rule: cosmos, End of the Game, Void"""
    return 0 if has_void(state, seat) else state.tricks[seat]


@kernel
def end_tricks(state):
    """Total number of tricks that ends the game.  Rule: cosmos C15"""
    return state.rules.end_tricks if state.rules.end_tricks else hand_size(state)


@kernel
def ends_game(state):
    """Whether a total reaches the end with the finished round.  Rule: cosmos C15"""
    is_end = False
    for seat in range(state.n_seats):
        is_end |= state.totals[seat] + score(state, seat) >= end_tricks(state)
    return is_end


@kernel
def kind(state):
    """Index into ``KINDS``: a round that ends the game, else one with a Void, else any other."""
    if ends_game(state):
        return LAST_ROUND
    for seat in range(state.n_seats):
        if has_void(state, seat):
            return VOID_ROUND
    return ROUND


@kernel
def measure(state, deal_out, seat_out):
    """Write the figures of the finished round in the order of ``DEAL_MEASURES`` and ``SEAT_MEASURES``."""
    n_seats = state.n_seats
    fewest, least_total, n_big_bangs, void_tricks, is_void = _MOST_TRICKS, 1000, 0, 0, False
    for seat in range(n_seats):
        tricks = score(state, seat)
        fewest = min(fewest, tricks)
        least_total = min(least_total, state.totals[seat] + tricks)
        n_big_bangs += state.big_bangs[seat]
        void_tricks += state.tricks[seat] - tricks
        is_void |= has_void(state, seat)
    is_comeback = False
    for seat in range(n_seats):
        tricks = score(state, seat)
        is_comeback |= state.totals[seat] + tricks == least_total and state.been_last >> seat & 1 == 1
        seat_out[seat, 0] = tricks
        seat_out[seat, 1] = tricks == fewest
        seat_out[seat, 2] = state.tricks[seat]
        seat_out[seat, 3] = state.nines[seat]
        seat_out[seat, 4] = has_void(state, seat)
        seat_out[seat, 5] = state.big_bangs[seat]
        seat_out[seat, 6] = state.breaker == seat
        seat_out[seat, 7] = state.starter == seat
    deal_out[0] = state.collisions
    deal_out[1] = state.table_collisions
    deal_out[2] = n_big_bangs
    deal_out[3] = state.black_tricks
    deal_out[4] = state.break_trick
    deal_out[5] = is_void
    deal_out[6] = void_tricks
    deal_out[7] = score(state, state.starter)
    deal_out[8] = is_comeback and ends_game(state)
