"""The state of a tournament and of the deal on the table, and dealing."""

import numpy as np

from simcore.bits import EMPTY, bit, nth, popcount
from simcore.games.eidex.cards import ALL_CARDS, HAND_SIZE, JACKS, MODE_OF, N_PLANES, N_SEATS, PLANES, SUIT_CARDS
from simcore.jit import kernel
from simcore.protocol import Switch, record, rules_dtype
from simcore.rng import below, draw_cards, mix, step

SWITCHES = (
    Switch("points_limit", 100, "card points that must not be reached (B22)", 80, 120),
    Switch("to_win", 7, "victory points that win the tournament (T1)", 1, 7),
    Switch("max_hands", 200, "hands after which a tournament ends without a winner (T11)", 1, 10_000),
    Switch("three_at_six_tie", "third", "all one short of winning, two level: the third wins, or the hand is played again (T7)",
           choices=("third", "replay")),
)  # fmt: skip
RULES = rules_dtype(SWITCHES)

# What the seat to act is asked.
PRESS, CARD, OVER = 0, 1, 2

NO_CHARACTER = -1
NO_CARD = 63
NOBODY = 3

STATE = record(
    ("hands", "u8", (3,)),
    ("pressed", "u8", (3,)),  # the pressed card, as a set
    ("piles", "u8", (3,)),  # cards won in tricks
    ("lacks", "u8", (3,)),  # cards that the hand of the seat has been seen not to hold
    ("trick", "u8"),
    ("led", "u8"),  # all cards of the suit led; empty before the lead
    ("beaters", "u8"),  # cards that would win the trick as it stands: before the lead, all
    ("trumps", "u8"),
    ("trump_jack", "u8"),
    ("planes", "u8", (N_PLANES,)),  # card points, bit-sliced
    ("chance", "u8"),  # counter of the deal's stream
    ("rules", RULES),
    ("limit", "i2"),  # card points that must not be reached
    ("victory_points", "u1", (3,)),
    ("characters", "i1", (3,)),
    ("tricks_won", "u1", (3,)),
    ("mode", "u1"),
    ("decision", "u1"),
    ("seat", "u1"),
    ("dealer", "u1"),
    ("best_seat", "u1"),  # seat that is winning the trick
    ("upcard", "u1"),
    ("second", "u1"),  # second card from the bottom
)


@kernel
def next_seat(seat):
    """Right neighbour.  Rule: eidex B2"""
    return 0 if seat == 2 else seat + 1


@kernel
def n_seats(state):
    """Eidex is for three."""
    return N_SEATS


@kernel
def start(state, rules, seats, dealer):
    """Begin a tournament at 0:0:0.  Rule: eidex T1"""
    for seat in range(N_SEATS):
        state.victory_points[seat] = 0
        state.characters[seat] = NO_CHARACTER
    state.rules.points_limit = rules.points_limit
    state.rules.to_win = rules.to_win
    state.rules.max_hands = rules.max_hands
    state.rules.three_at_six_tie = rules.three_at_six_tie
    state.dealer = dealer


@kernel
def deal(state, key):
    """Deal twelve cards to each seat and turn up the dealer's last."""
    upcard, second = deal_hands(state, key)
    lay_out(state, upcard, second)


@kernel
def deal_hands(state, key):
    """Deal twelve cards to each seat; the last card and the one above it, both the dealer's.  Rule: eidex B3-B6

    A hand is a set, so the three packets of four are one draw of twelve; the last and the second-from-bottom card are drawn
    from the dealer's twelve.
    """
    forehand = next_seat(state.dealer)
    second_hand, counter = draw_cards(ALL_CARDS, HAND_SIZE, key)
    third_hand, counter = draw_cards(ALL_CARDS ^ second_hand, HAND_SIZE, counter)
    dealers_hand = ALL_CARDS ^ second_hand ^ third_hand
    state.hands[forehand] = second_hand
    state.hands[next_seat(forehand)] = third_hand
    state.hands[state.dealer] = dealers_hand
    counter = step(counter)
    upcard = nth(dealers_hand, below(mix(counter), HAND_SIZE))
    rest = dealers_hand ^ bit(upcard)
    counter = step(counter)
    second = nth(rest, below(mix(counter), HAND_SIZE - 1))
    state.chance = counter
    return upcard, second


@kernel
def lay_out(state, upcard, second):
    """Begin the deal whose hands have been dealt: the upturned card makes the mode, forehand presses first."""
    for seat in range(3):
        state.pressed[seat] = EMPTY
        state.piles[seat] = EMPTY
        state.lacks[seat] = EMPTY
        state.tricks_won[seat] = 0
    state.upcard = upcard
    state.second = second
    set_mode(state, MODE_OF[upcard])
    state.limit = state.rules.points_limit
    state.trick = EMPTY
    state.led = EMPTY
    state.beaters = ALL_CARDS
    state.best_seat = NOBODY
    state.decision = PRESS
    state.seat = next_seat(state.dealer)


@kernel
def set_mode(state, mode):
    """Make *mode* what this deal is played in: trumps and card points.  Rule: eidex B18, B19"""
    state.mode = mode
    state.trumps = SUIT_CARDS[mode]
    state.trump_jack = JACKS[mode]
    for plane in range(N_PLANES):
        state.planes[plane] = PLANES[mode, plane]


@kernel
def points_of(state, cards):
    """Card points of a set of cards."""
    points = np.uint64(0)
    for plane in range(N_PLANES):
        points += popcount(cards & state.planes[plane]) << np.uint64(plane)
    return np.int64(points)
