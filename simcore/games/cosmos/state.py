"""The state of a game and of the round on the table, and dealing."""

import numpy as np

from simcore.bits import EMPTY
from simcore.games.cosmos.cards import ALL_CARDS, BLACK, HAND_SIZE, MAX_SEATS, N_TABLE_CARDS
from simcore.jit import kernel
from simcore.protocol import Switch, record, rules_dtype
from simcore.rng import draw_cards

SWITCHES = (
    Switch("void", "on", "all four nines score 0 tricks for the round (C14)", choices=("off", "on")),
    Switch("table_cards", "on", "the four table cards collide for odd numbers of players (C11)", choices=("off", "on")),
    Switch("end_tricks", 0, "tricks that end the game; 0: 20, 15, 12, 10 for 3, 4, 5, 6 players (C15)", 0, 200),
    Switch("max_rounds", 200, "rounds after which a game ends without a winner (C18)", 1, 10_000),
)
RULES = rules_dtype(SWITCHES)
NOBODY = 255

STATE = record(
    ("hands", "u8", (MAX_SEATS,)),
    ("lacks", "u8", (MAX_SEATS,)),  # whole suits that the seat has been seen not to hold
    ("face_up", "u8"),  # face-up cards of the trick: their values differ
    ("binding", "u8"),  # all cards of the suits that lie face up
    ("colliding", "u8"),  # all cards of the values that lie face up
    ("trick", "u8"),  # all cards of the trick
    ("cards", "u8"),  # card that each seat has played to the trick, in byte number seat; 0 before
    ("unbroken", "u8"),  # the black cards until the break, then nothing
    ("table", "u8"),  # table cards that still lie face up
    ("chance", "u8"),  # counter of the deal's stream
    ("rules", RULES),
    ("tricks", "u1", (MAX_SEATS,)),  # tricks won in this round
    ("nines", "u1", (MAX_SEATS,)),  # nines in them
    ("big_bangs", "u1", (MAX_SEATS,)),  # Big Bangs among them
    ("totals", "u1", (MAX_SEATS,)),  # tricks scored in the rounds before
    ("n_seats", "u1"),
    ("starter", "u1"),  # starting player of the round
    ("leader", "u1"),  # of the trick
    ("seat", "u1"),
    ("tricks_left", "u1"),
    ("table_acts", "u1"),  # whether the table cards count in this game
    ("break_trick", "u1"),  # number of the trick of the break, 0 before
    ("breaker", "u1"),
    ("collisions", "u1"),
    ("table_collisions", "u1"),
    ("black_tricks", "u1"),
    ("been_last", "u1"),  # set of seats that had the most tricks after an earlier round
)

_HAND_SIZE = np.array([HAND_SIZE.get(seats, 0) for seats in range(MAX_SEATS + 1)])


@kernel
def next_seat(state, seat):
    """Seat clockwise of *seat*.  Rule: cosmos, Turn Sequence"""
    after = seat + 1
    return 0 if after == state.n_seats else after


@kernel
def n_seats(state):
    """Number of seats at the table, 3 to 6."""
    return state.n_seats


@kernel
def hand_size(state):
    """Cards dealt to each seat, which is the number of tricks of a round.  Rule: cosmos, Number of Cards"""
    return _HAND_SIZE[state.n_seats]


@kernel
def start(state, rules, seats, dealer):
    """Begin a game; *dealer* is the starting player of the first round."""
    for seat in range(MAX_SEATS):
        state.totals[seat] = 0
        state.hands[seat] = EMPTY
    state.rules.void = rules.void
    state.rules.table_cards = rules.table_cards
    state.rules.end_tricks = rules.end_tricks
    state.rules.max_rounds = rules.max_rounds
    state.n_seats = seats
    state.table_acts = seats % 2 == 1 and rules.table_cards == 1
    state.starter = dealer
    state.been_last = 0


@kernel
def deal(state, key):
    """Set four cards aside and deal the other sixty, from the starting player on.  Rule: cosmos C1, C2"""
    size = hand_size(state)
    table, counter = draw_cards(ALL_CARDS, N_TABLE_CARDS, key)
    rest = ALL_CARDS ^ table
    seat = state.starter
    for _ in range(state.n_seats - 1):
        hand, counter = draw_cards(rest, size, counter)
        state.hands[seat] = hand
        rest ^= hand
        seat = next_seat(state, seat)
    state.hands[seat] = rest
    state.chance = counter
    lay_out(state, table)


@kernel
def lay_out(state, table):
    """Begin the round whose hands have been dealt.  Rule: cosmos, Preparing a Round, C9"""
    for seat in range(MAX_SEATS):
        state.lacks[seat] = EMPTY
        state.tricks[seat] = 0
        state.nines[seat] = 0
        state.big_bangs[seat] = 0
    state.table = table
    state.face_up = EMPTY
    state.binding = EMPTY
    state.colliding = EMPTY
    state.trick = EMPTY
    state.cards = EMPTY
    state.unbroken = BLACK
    state.leader = state.starter
    state.seat = state.starter
    state.tricks_left = hand_size(state)
    state.break_trick = 0
    state.breaker = NOBODY
    state.collisions = 0
    state.table_collisions = 0
    state.black_tricks = 0
