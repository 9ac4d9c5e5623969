"""A toy game that registers as any game does: the proof that a game needs nothing but its own module.

Twelve cards, ranks 1 to 4 of the suits a, b and c, are dealt to three or four players, or four each to two, with four left face down.
Forehand, at the dealer's right, may first double the stake; then the tricks are played: follow suit, and the highest card of the suit led
takes the trick, or the lowest where a rule says so. A trick pays the stake, and a rubber goes to whoever first has enough tricks.
"""

import sys
from typing import Any

import numpy as np

from simcore.bits import EMPTY, bit, copy_record, lowest, nth, popcount
from simcore.deck import Deck
from simcore.dispatch import register
from simcore.jit import kernel
from simcore.protocol import Measure, Switch, record, rules_dtype
from simcore.reading import check_keys, list_of, whole_number
from simcore.rng import below, draw_cards, mix, step

DECK = Deck(tuple(suit + rank for suit in "abc" for rank in "1234"))
ALL_CARDS = DECK.all_cards
SUIT_CARDS_OF = np.repeat(np.array([0xF, 0xF0, 0xF00], np.uint64), 4)
MAX_SEATS = 4

NAME = "toy"
TITLE = "Toy"
MATCH = "rubber"
RULES_VERSION = 1
PLAYERS = (3, 2, 4)
SWITCHES = (
    Switch("stake", 1, "what a trick pays", 1, 200),
    Switch("to_win", 7, "tricks that win the rubber", 1, 30),
    Switch("takes", "highest", "card of the suit led that takes the trick", choices=("highest", "lowest")),
)
RULES = rules_dtype(SWITCHES)
KINDS = ("single", "doubled")
DEAL_MEASURES = (Measure("swept", 0, 1, "one seat took all the tricks"),)
SEAT_MEASURES = (
    Measure("payout", 0, 1600, "stake of the tricks taken; too wide for a histogram"),
    Measure("balance", -4, 9, "tricks taken, times the seats, less all tricks"),
)
STANDING = Measure("tricks", 0, 16, "tricks taken in the rubber")

DOUBLE, CARD, OVER = 0, 1, 2
# The highest bits that a move can be: cards share the set with other answers.
NO, YES = 62, 63

STATE = record(
    ("hands", "u8", (MAX_SEATS,)),
    ("piles", "u8", (MAX_SEATS,)),
    ("lacks", "u8", (MAX_SEATS,)),  # cards that the hand of the seat has been seen not to hold
    ("stock", "u8"),  # left face down
    ("chance", "u8"),
    ("rules", RULES),
    ("total", "i2", (MAX_SEATS,)),  # tricks taken in the rubber
    ("trick", "u1", (MAX_SEATS,)),  # cards in the order in which they were played
    ("n_trick", "u1"),
    ("seats", "u1"),
    ("seat", "u1"),
    ("dealer", "u1"),
    ("decision", "u1"),
    ("stake_times", "u1"),
)


@kernel
def start(state, rules, seats, dealer):
    """Begin a rubber."""
    for seat in range(MAX_SEATS):
        state.total[seat] = 0
    state.rules.stake = rules.stake
    state.rules.to_win = rules.to_win
    state.rules.takes = rules.takes
    state.seats = seats
    state.dealer = dealer


@kernel
def n_seats(state):
    """Number of seats at the table."""
    return np.int64(state.seats)


@kernel
def deal(state, key):
    """Deal the hands, forehand first."""
    left, counter = ALL_CARDS, key
    _lay_out(state)
    hand_size = 12 // max(n_seats(state), 3)
    for k in range(n_seats(state)):
        hand, counter = draw_cards(left, hand_size, counter)
        state.hands[_seat_after(state, state.seat, k)] = hand
        left ^= hand
    state.stock = left
    state.chance = counter


@kernel
def _seat_after(state, seat, k):
    """The seat *k* places to the right of *seat*."""
    return (np.int64(seat) + np.int64(k)) % np.int64(state.seats)


@kernel
def _lay_out(state):
    for seat in range(MAX_SEATS):
        state.hands[seat] = EMPTY
        state.piles[seat] = EMPTY
        state.lacks[seat] = EMPTY
        state.trick[seat] = 0
    state.stock = EMPTY
    state.n_trick = 0
    state.stake_times = 1
    state.decision = DOUBLE
    state.seat = _seat_after(state, state.dealer, 1)


@kernel
def seat_to_act(state):
    """Seat that decides now."""
    return state.seat


@kernel
def is_over(state):
    """Whether the last trick is taken."""
    return state.decision == OVER


@kernel
def legal_moves(state):
    """The two answers, or the cards that follow suit."""
    if state.decision == DOUBLE:
        return bit(NO) | bit(YES)
    hand = state.hands[state.seat]
    follow = hand & SUIT_CARDS_OF[state.trick[0]] if state.n_trick else EMPTY
    return follow if follow else hand


@kernel
def play(state, move):
    """Answer, or play a card."""
    if state.decision == DOUBLE:
        state.stake_times = 2 if move == YES else 1
        state.decision = CARD
        return
    seat = state.seat
    led = SUIT_CARDS_OF[state.trick[0]] if state.n_trick else EMPTY
    if led and not bit(move) & led:
        state.lacks[seat] |= led
    state.hands[seat] ^= bit(move)
    state.trick[state.n_trick] = move
    state.n_trick += 1
    state.seat = _seat_after(state, seat, 1)
    if state.n_trick == state.seats:
        _take_trick(state)


@kernel
def _take_trick(state):
    """The best card of the suit led takes the trick; the seat to act is its leader again."""
    best = np.int64(0)
    cards = EMPTY
    for k in range(n_seats(state)):
        card, other = state.trick[k], state.trick[best]
        cards |= bit(card)
        is_better = card < other if state.rules.takes == 1 else card > other
        if is_better and bit(card) & SUIT_CARDS_OF[state.trick[0]]:
            best = k
    for k in range(MAX_SEATS):
        state.trick[k] = 0
    state.n_trick = 0
    state.seat = _seat_after(state, state.seat, best)
    state.piles[state.seat] |= cards
    if not state.hands[state.seat]:
        state.decision = OVER


@kernel
def points_so_far(state, seat):
    """Tricks taken."""
    return np.int64(popcount(state.piles[seat])) // np.int64(state.seats)


@kernel
def kind(state):
    """Whether the stake was doubled."""
    return np.int64(state.stake_times) - 1


@kernel
def measure(state, deal_out, seat_out):
    """Write the figures of the finished deal."""
    n_tricks = 0
    for seat in range(n_seats(state)):
        n_tricks += points_so_far(state, seat)
    deal_out[0] = 0
    for seat in range(n_seats(state)):
        tricks = points_so_far(state, seat)
        if tricks == n_tricks:
            deal_out[0] = 1
        seat_out[seat, 0] = tricks * state.rules.stake * state.stake_times
        seat_out[seat, 1] = tricks * np.int64(state.seats) - n_tricks


@kernel
def settle(state):
    """Add the tricks to the totals and pass the deal on."""
    for seat in range(n_seats(state)):
        state.total[seat] += points_so_far(state, seat)
    state.dealer = _seat_after(state, state.dealer, 1)


@kernel
def winners(state):
    """Seats that have enough tricks; there may be several."""
    seats = EMPTY
    for seat in range(n_seats(state)):
        if state.total[seat] >= state.rules.to_win:
            seats |= bit(seat)
    return seats


@kernel
def standing(state, seat):
    """Tricks taken in the rubber."""
    return np.int64(state.total[seat])


@kernel
def deal_limit(state):
    """A rubber of fewer deals than some need, so that capped ones occur."""
    return 4


@kernel
def determinize(state, seat, key, world):
    """Deal the hidden cards anew until nobody holds what he has been seen to lack."""
    copy_record(world, state)
    hidden = state.stock
    for other in range(n_seats(state)):
        if other != seat:
            hidden |= state.hands[other]
    counter = key
    agrees = False
    while not agrees:
        agrees = True
        left = hidden
        for other in range(n_seats(state)):
            if other != seat:
                hand, counter = draw_cards(left, np.int64(popcount(state.hands[other])), counter)
                world.hands[other] = hand
                left ^= hand
                if hand & state.lacks[other]:
                    agrees = False
        world.stock = left
    world.chance = mix(key)


@kernel
def utility(state, seat, values):
    """Payout of the deal, or in a rubber what its tricks are worth."""
    tricks = np.float64(points_so_far(state, seat))
    return tricks * values[0] if len(values) else tricks * np.float64(state.stake_times)


@kernel
def playout_move(state, word, has_sense):
    """A random card: the toy knows no better for playouts."""
    moves = legal_moves(state)
    return nth(moves, below(word, popcount(moves)))


@kernel
def basic_move(state, word):
    """Never double; lead a random card, else play the lowest one."""
    moves = legal_moves(state)
    if state.decision == CARD and state.n_trick == 0:
        return nth(moves, below(mix(step(word)), popcount(moves)))
    return lowest(moves)


def values(rules) -> np.ndarray:
    """What a trick is worth in a rubber."""
    return np.array([1.0 / rules.to_win])


DEAL_KEYS = ("dealer", "hands")
POSITION_KEYS = ("dealer", "hands", "stock", "piles", "lacks", "trick", "turn", "doubled", "asked")


def decision_text(state) -> str:
    """What the seat to act is asked."""
    return "double or not" if state.decision == DOUBLE else "play a card"


def move_text(state, move: int) -> str:
    """The answer or the card."""
    return {NO: "no", YES: "yes"}[int(move)] if state.decision == DOUBLE else DECK.names[move]


def parse_move(state, text: str) -> int:
    """Inverse of `move_text`."""
    if state.decision == CARD:
        return DECK.card(text)
    if text not in ("no", "yes"):
        raise ValueError(f"{text!r} is neither yes nor no")
    return YES if text == "yes" else NO


def decline_move(state) -> int | None:
    """Not to double; a card must be played."""
    return NO if state.decision == DOUBLE else None


def deal_lines(state) -> list[str]:
    """The hands."""
    return [f"seat {seat} holds {DECK.text(state.hands[seat])}" for seat in range(n_seats(state))]


def narrate(before, move: int, after) -> list[str]:
    """Who has taken the trick."""
    return [f"trick to seat {after.seat}"] if before.n_trick and not after.n_trick else []


def _read_sets(state, data: dict[str, Any], key: str) -> None:
    for seat, text in enumerate(list_of(data[key], int(state.seats), key)):
        state[key][seat] = DECK.cards(text)


def read_deal(state, data: dict[str, Any]) -> None:
    """Set up the deal of a scenario."""
    state.dealer = whole_number(data.get("dealer", 0), 0, int(state.seats) - 1, "dealer")
    _lay_out(state)
    _read_sets(state, data, "hands")
    state.stock = DECK.all_cards & ~np.bitwise_or.reduce(state.hands)


def write_deal(state) -> dict[str, Any]:
    """Inverse of `read_deal`."""
    return {"dealer": int(state.dealer), "hands": [DECK.text(hand) for hand in state.hands[: state.seats]]}


def read_position(state, data: dict[str, Any], may_hide: bool = False) -> None:
    """Set up a position in mid-deal."""
    check_keys(data, POSITION_KEYS, "position")
    state.dealer = whole_number(data["dealer"], 0, int(state.seats) - 1, "dealer")
    _lay_out(state)
    for key in ("hands", "piles", "lacks"):
        _read_sets(state, data, key)
    state.stock = DECK.cards(list_of(data["stock"], 1, "stock")[0])
    for k, name in enumerate(data["trick"]):
        state.trick[k] = DECK.card(name)
    state.n_trick = len(data["trick"])
    state.seat = whole_number(data["turn"], 0, int(state.seats) - 1, "turn")
    state.decision = DOUBLE if data["asked"] else CARD
    state.stake_times = 2 if data["doubled"] else 1


def write_position(state) -> dict[str, Any]:
    """Inverse of `read_position`."""
    return {
        "dealer": int(state.dealer),
        "hands": [DECK.text(hand) for hand in state.hands[: state.seats]],
        "stock": [DECK.text(state.stock)],
        "piles": [DECK.text(pile) for pile in state.piles[: state.seats]],
        "lacks": [DECK.text(cards) for cards in state.lacks[: state.seats]],
        "trick": [DECK.names[card] for card in state.trick[: state.n_trick]],
        "turn": int(state.seat),
        "doubled": bool(state.stake_times == 2),
        "asked": bool(state.decision == DOUBLE),
    }


register(sys.modules[__name__])
