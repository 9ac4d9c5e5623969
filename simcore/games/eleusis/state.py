"""The state of a game and of the round on the table, and dealing.

All that is public lies in the state, and with it what follows from it: the rules that are still possible, a vector of the library's words.
It is the same for every player, because a hand says nothing about the secret rule.
"""

import re

import numpy as np

from simcore.bits import EMPTY, bit, nth, popcount
from simcore.deck import nearest
from simcore.games.eleusis.cards import FULL_HAND_SIZE, HAND_SIZE, MAX_SEATS, N_CARDS, N_TYPES, add_card, clear_pile
from simcore.games.eleusis.library import LAST_RULE, N_WORDS, WORD, first_features, library, next_features, tables
from simcore.jit import kernel
from simcore.protocol import Switch, record, rules_dtype
from simcore.rng import below, mix, step

DRAWN = -1


class _RuleSwitch(Switch):
    """The secret rule by its number, -1 for one drawn in each round; a name will do as well."""

    def encode(self, value: int | str) -> int:
        known = library()
        if str(value) in known.numbers:
            return known.numbers[str(value)]
        # A user's own rules have numbers beyond those of the library here.
        number = int(value) if re.fullmatch("-1|[0-9]{1,4}", str(value)) else None
        if number is None or not (number == DRAWN or known.is_rule(number)):
            hint = nearest(str(value), known.numbers)
            raise ValueError(f"rule {self.name} is -1, or a name or number that `cosmic rules` lists, not {value!r}{hint}")
        return number

    def text_of(self, number: int) -> str:
        """The name of the rule, for people."""
        rule = library().rules[number] if number != DRAWN else None
        return repr(rule.name) if rule else str(number)


def _flag(name: str, text: str) -> Switch:
    return Switch(name, "off", text, choices=("off", "on"))


SWITCHES = (
    _RuleSwitch("rule", DRAWN, "the secret rule by number or name, see `cosmic rules`; -1: drawn in every round", -1, LAST_RULE),
    Switch("library", N_WORDS, "words of 64 rules, simple ones first, that the players reckon with and the dealer draws from", 1, N_WORDS),
    _flag("third_pack", "mix in a third pack when the stock is used up, instead of ending the round (E10)"),
    Switch("no_play_bonus", "on", "an emptied hand is paid after a right no-play, too (E6)", choices=("off", "on")),
    _flag("full", "14 cards, and turns of several cards that are judged as a whole (E18a)"),
    _flag("prophet", "who has just played right may declare himself Prophet (E18b)"),
    _flag("full_no_play", "no-play wins four cards or costs five (E18c)"),
    _flag("expulsion", "from the 41st card laid on, who plays wrong is out of the round (E18d)"),
)
RULES = rules_dtype(SWITCHES)
NOBODY = 255

TURN, MORE, GUESS, NAME, VERDICT, OVER = 0, 1, 2, 3, 4, 5
# Moves beside the cards 0 to 51; a guess is first the word of the rule, then its bit.
NO_PLAY, DONE, RIGHT, WRONG = 52, 53, 54, 55
PROPHET, DECLINE = 62, 63
ROOM = 160  # for the stock and the row
LAID_WRONG = 64

STATE = record(
    ("hands", "u8", (MAX_SEATS, 2)),  # a pile for each seat
    ("shown", "u8", (MAX_SEATS, 2)),  # cards of the hand that all have seen
    ("possible", "u8", (WORD,)),  # rules that are possible after all that was said
    ("guessable", "u8"),  # words of the library that are in use
    ("features", "u8"),  # of the row
    ("chance", "u8"),  # counter of the deal's stream
    ("rules", RULES),
    ("total", "i2", (MAX_SEATS,)),  # points in the rounds before
    ("secret", "i2"),  # number of the secret rule
    ("stock", "u1", (ROOM,)),  # a ring, drawn from `top` on
    ("laid", "u1", (ROOM,)),  # all cards of row and sidelines in their order; wrong ones with 64 added
    ("top", "u1"),
    ("n_stock", "u1"),
    ("n_unseen", "u1"),  # cards of the stock, from the top, whose places nobody knows
    ("n_laid", "u1"),
    ("n_pending", "u1"),  # the last ones of those laid: not judged yet
    ("n_row", "u1"),
    ("last", "u1"),  # last card of the row
    ("n_words", "u1"),  # words of the library in use
    ("n_seats", "u1"),
    ("dealer", "u1"),
    ("seat", "u1"),  # whose turn it is
    ("decision", "u1"),
    ("word", "u1"),  # of the rule that is being guessed
    ("prophet", "u1"),
    ("solver", "u1"),  # who guessed the rule
    ("emptied", "u1"),  # who emptied his hand
    ("by_no_play", "u1"),  # whether the last one who was right was so by a no-play
    ("stock_failed", "u1"),  # whether the round ended because a card could not be drawn
    ("out", "u1"),  # set of the seats that were expelled
    ("third_pack", "u1"),  # whether it is still to come
    ("n_dealt", "u1"),  # rounds of the game before this one
    ("owed", "u1", (MAX_SEATS,)),  # cards that could not be drawn and count as held
    ("n_right", "u1", (MAX_SEATS,)),  # cards that each seat laid right
    ("n_wrong", "u1", (MAX_SEATS,)),
    ("n_no_plays", "u1", (MAX_SEATS,)),  # announcements, right or not
    ("n_guesses", "u1", (MAX_SEATS,)),
)


@kernel
def n_seats(state):
    """Number of seats, 3 to 8, the dealer's among them."""
    return np.int64(state.n_seats)


@kernel
def next_seat(state, seat):
    """Seat to the left of *seat*."""
    after = np.int64(seat) + 1
    return 0 if after == state.n_seats else after


@kernel
def hand_size(state):
    """Cards dealt to each player."""
    return FULL_HAND_SIZE if state.rules.full == 1 else HAND_SIZE


@kernel
def start(state, rules, seats, dealer):
    """Begin a game."""
    for seat in range(MAX_SEATS):
        state.total[seat] = 0
    state.rules.rule = rules.rule
    state.rules.library = rules.library
    state.rules.third_pack = rules.third_pack
    state.rules.no_play_bonus = rules.no_play_bonus
    state.rules.full = rules.full
    state.rules.prophet = rules.prophet
    state.rules.full_no_play = rules.full_no_play
    state.rules.expulsion = rules.expulsion
    state.n_seats = seats
    state.dealer = dealer
    state.n_dealt = 0


@kernel
def deal(state, key):
    """Shuffle two packs, deal from the dealer's left on, turn up the start card and choose the secret rule.  Rule: eleusis, Preparation"""
    lay_out(state)
    for k in range(N_CARDS):
        state.stock[k] = k % N_TYPES
    state.n_stock = N_CARDS
    state.chance = shuffle_stock(state, N_CARDS, key)
    state.n_unseen = N_CARDS
    seat = np.int64(state.dealer)
    for _ in range(state.n_seats - 1):
        seat = next_seat(state, seat)
        for _ in range(hand_size(state)):
            add_card(state.hands[seat], take_top(state))
    turn_up(state, take_top(state))
    state.chance = step(state.chance)
    open_rules(state, state.rules.library)
    choose_secret(state, np.int64(state.rules.rule) if state.rules.rule >= 0 else draw_rule(state, mix(state.chance)))


@kernel
def lay_out(state):
    """An empty table."""
    for seat in range(MAX_SEATS):
        clear_pile(state.hands[seat])
        clear_pile(state.shown[seat])
        state.owed[seat] = 0
        state.n_right[seat] = 0
        state.n_wrong[seat] = 0
        state.n_no_plays[seat] = 0
        state.n_guesses[seat] = 0
    for k in range(ROOM):
        state.stock[k] = 0
        state.laid[k] = 0
    state.top = 0
    state.n_stock = 0
    state.n_unseen = 0
    state.n_laid = 0
    state.n_pending = 0
    state.n_row = 0
    state.seat = next_seat(state, state.dealer)
    state.decision = TURN
    state.word = 0
    state.prophet = NOBODY
    state.solver = NOBODY
    state.emptied = NOBODY
    state.by_no_play = 0
    state.stock_failed = 0
    state.out = 0
    state.third_pack = state.rules.third_pack


@kernel
def shuffle_stock(state, n, counter):
    """Shuffle the first *n* cards of the stock's array; the counter afterwards."""
    for k in range(n - 1, 0, -1):
        counter = step(counter)
        other = below(mix(counter), k + 1)
        card = state.stock[k]
        state.stock[k] = state.stock[other]
        state.stock[other] = card
    return counter


@kernel
def turn_up(state, card):
    """Begin the row with *card*, which no rule judges.  Rule: eleusis E13"""
    state.laid[0] = card
    state.n_laid = 1
    state.n_row = 1
    state.last = card
    state.features = first_features()


@kernel
def extend_row(state, card):
    """*card* becomes the last card of the row."""
    state.n_row += 1
    state.features = next_features(state.features, state.n_row, state.last, card)
    state.last = card


@kernel
def take_top(state):
    """Take the top card off the stock; the card.  Unchecked: there is one."""
    card = state.stock[state.top]
    state.top = 0 if state.top + 1 == ROOM else state.top + 1
    state.n_stock -= 1
    if state.n_unseen:
        state.n_unseen -= 1
    return card


@kernel
def put_under(state, card):
    """Put *card*, which all have seen, under the stock."""
    state.stock[(np.int64(state.top) + np.int64(state.n_stock)) % ROOM] = card
    state.n_stock += 1


@kernel
def open_rules(state, n_words):
    """Make every rule of the first *n_words* words possible, and every one of a user's own."""
    state.n_words = n_words if tables().n_words <= N_WORDS else tables().n_words
    state.guessable = EMPTY
    for word in range(WORD):
        is_in_use = word < n_words or word >= N_WORDS
        state.possible[word] = tables().rules[word] if is_in_use else EMPTY
        if state.possible[word]:
            state.guessable |= bit(word)


@kernel
def choose_secret(state, number):
    """Make *number* the secret rule.

    One beyond the words in use brings all words up to its own into use, lest the players think it impossible.
    """
    state.secret = number
    if not state.guessable & bit(number // WORD):
        open_rules(state, number // WORD + 1)


@kernel
def weight_of(state, possible):
    """Prior weight of the rules in *possible*, a vector of words; an integer."""
    total = np.int64(0)
    for word in range(state.n_words):
        total += tables().weight[word] * np.int64(popcount(possible[word]))
    return total


@kernel
def draw_rule(state, bits):
    """Number of a possible rule, drawn by its prior weight from 64 random *bits*.  Unchecked: one is possible."""
    left = np.int64(below(bits, weight_of(state, state.possible)))
    word = 0
    while True:
        weight = tables().weight[word]
        here = weight * np.int64(popcount(state.possible[word]))
        if left < here:
            return WORD * word + np.int64(nth(state.possible[word], np.uint64(left // weight)))
        left -= here
        word += 1
