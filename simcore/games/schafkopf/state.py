"""The state of a game and of the deal on the table, and dealing."""

import numpy as np

from simcore.bits import EMPTY, popcount
from simcore.games.schafkopf.cards import ALL_CARDS, HAND_SIZE, HEARTS, N_SEATS, PLANES
from simcore.games.schafkopf.contracts import PASS
from simcore.jit import kernel
from simcore.protocol import Switch, record, rules_dtype
from simcore.rng import draw_cards

SWITCHES = (
    Switch("deals_per_game", 32, "deals of a game; a deal that all pass is one of them (S3)", 1, 10_000),
    Switch("rufer_base", 1, "units of a Rufer", 0, 50),
    Switch("solo_base", 5, "units of a Wenz or Solo", 0, 50),
    Switch("tout_base", 10, "units of a Wenz Tout or Solo Tout", 0, 50),
    Switch("sie_base", 20, "units of a Sie", 0, 50),
    Switch("schneider", 1, "units added for Schneider", 0, 10),
    Switch("schwarz", 2, "units added for Schwarz, instead of Schneider", 0, 10),
    Switch("laufende", 1, "units of each of the Laufende, before doubling", 0, 3),
    Switch("sie_laufende", "count", "whether a Sie is paid its eight Laufende (S15)", choices=("count", "none")),
)  # fmt: skip
RULES = rules_dtype(SWITCHES)

# What the seat to act is asked.
BID, CARD, OVER = 0, 1, 2

NOBODY = 4

STATE = record(
    ("hands", "u8", (4,)),
    ("dealt", "u8", (4,)),  # the hands as dealt: Laufende, and what a seat has played
    ("lacks", "u8", (4,)),  # cards that the hand of the seat has been shown not to hold
    ("trick", "u8"),
    ("led", "u8"),  # all cards of the effective suit led; empty before the lead
    ("beaters", "u8"),  # cards that would win the trick as it stands; before the lead, all
    ("called", "u8"),  # ordinary cards of the called suit until a trick was led with it: as long as the ace is bound
    ("early", "u8"),  # cards of the called suit that `searcher` had played before
    ("rules", RULES),
    ("score", "i4", (4,)),
    ("n_deals", "u2"),  # finished deals of the game
    ("points", "u1", (4,)),  # card points taken
    ("tricks", "u1", (4,)),
    ("bids", "u1", (4,)),
    ("mode", "u1"),
    ("contract", "u1"),  # the highest bid
    ("declarer", "u1"),
    ("searcher", "u1"),  # who first led the called suit, with another card than the ace
    ("tout", "u1"),  # 1 when one lost trick ends the deal
    ("decision", "u1"),
    ("seat", "u1"),
    ("dealer", "u1"),
    ("best_seat", "u1"),  # seat that is winning the trick
)


@kernel
def next_seat(seat):
    """Left neighbour."""
    return (seat + 1) & 3


@kernel
def n_seats(state):
    """Schafkopf is for four."""
    return N_SEATS


@kernel
def start(state, rules, seats, dealer):
    """Begin a game with all scores at 0."""
    for seat in range(N_SEATS):
        state.score[seat] = 0
    state.n_deals = 0
    state.rules.deals_per_game = rules.deals_per_game
    state.rules.rufer_base = rules.rufer_base
    state.rules.solo_base = rules.solo_base
    state.rules.tout_base = rules.tout_base
    state.rules.sie_base = rules.sie_base
    state.rules.schneider = rules.schneider
    state.rules.schwarz = rules.schwarz
    state.rules.laufende = rules.laufende
    state.rules.sie_laufende = rules.sie_laufende
    state.dealer = dealer


@kernel
def deal(state, key):
    """Deal eight cards to each seat. A hand is a set, so the two rounds of four are one draw of eight."""
    seat = next_seat(state.dealer)
    left, counter = ALL_CARDS, key
    for _ in range(N_SEATS - 1):
        hand, counter = draw_cards(left, HAND_SIZE, counter)
        state.hands[seat] = hand
        left ^= hand
        seat = next_seat(seat)
    state.hands[seat] = left
    lay_out(state)


@kernel
def lay_out(state):
    """Begin the deal whose hands have been dealt: the dealer's left bids first."""
    for seat in range(N_SEATS):
        state.dealt[seat] = state.hands[seat]
        state.lacks[seat] = EMPTY
        state.points[seat] = 0
        state.tricks[seat] = 0
        state.bids[seat] = PASS
    state.trick = EMPTY
    state.led = EMPTY
    state.beaters = ALL_CARDS
    state.called = EMPTY
    state.early = EMPTY
    state.mode = HEARTS
    state.contract = PASS
    state.declarer = NOBODY
    state.searcher = NOBODY
    state.tout = 0
    state.decision = BID
    state.seat = next_seat(state.dealer)
    state.best_seat = NOBODY


@kernel
def points_of(cards):
    """Card points of a set of cards, uint64.  Rule: schafkopf, Setup"""
    points = popcount(cards & PLANES[0])
    points += popcount(cards & PLANES[1]) << np.uint64(1)
    points += popcount(cards & PLANES[2]) << np.uint64(2)
    return points + (popcount(cards & PLANES[3]) << np.uint64(3))
