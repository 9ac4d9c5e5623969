"""Eleusis, slow and obvious, written from the rulebook.

Cards are texts like ``H7``, a hand is a list, and a secret rule is a function of the whole main row and the next card (E14). A rule of the
library is told by its three texts, *when*, *then* and *otherwise*, which `predicate` reads word by word.
"""

from collections import Counter

SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CARDS = [suit + rank for suit in SUITS for rank in RANKS]
BEST_HAND, SOLVED, EMPTIED = 12, 6, 3


def value(card):
    """Ace 1, Jack 11, Queen 12, King 13."""
    return RANKS.index(card[1:]) + 1


def is_red(card):
    return card[0] in "HD"


def is_odd(card):
    return value(card) % 2 == 1


def is_low(card):
    return value(card) <= 7


def is_face(card):
    return value(card) > 10


# The rulebook's rules, beginners' first, as it tells them.


def red_black(row, card):
    return is_red(card) if not is_red(row[-1]) else not is_red(card)


def suit_order(row, card):
    follower = {"S": "H", "H": "D", "D": "C", "C": "S"}
    return card[0] == follower[row[-1][0]]


def three_three(row, card):
    triple = len(row) // 3
    start_is_red = is_red(row[0])
    return is_red(card) == (start_is_red if triple % 2 == 0 else not start_is_red)


def odd_even(row, card):
    return is_odd(card) != is_odd(row[-1])


def low_high(row, card):
    return value(card) >= 8 if value(row[-1]) <= 7 else value(card) <= 7


def plus123(row, card):
    followers = []
    for step in (1, 2, 3):
        follower = value(row[-1]) + step
        followers.append(follower - 13 if follower > 13 else follower)
    return value(card) in followers


def odd_red(row, card):
    return is_red(card) if is_odd(row[-1]) else not is_red(card)


def suit_or_value(row, card):
    return card[0] == row[-1][0] or value(card) == value(row[-1])


def black_down(row, card):
    return value(card) >= value(row[-1]) if is_red(row[-1]) else value(card) <= value(row[-1])


RULEBOOK = {f.__name__: f for f in (red_black, suit_order, three_three, odd_even, low_high, plus123, odd_red, suit_or_value, black_down)}

# What a card may be required to be, by itself or beside the last card.
ALONE = {
    "red": is_red,
    "black": lambda card: not is_red(card),
    "spades": lambda card: card[0] == "S",
    "hearts": lambda card: card[0] == "H",
    "diamonds": lambda card: card[0] == "D",
    "clubs": lambda card: card[0] == "C",
    "odd": is_odd,
    "even": lambda card: not is_odd(card),
    "low": is_low,
    "high": lambda card: not is_low(card),
    "face": is_face,
    "number": lambda card: not is_face(card),
}
BESIDE = {
    "same colour": lambda last, card: is_red(last) == is_red(card),
    "other colour": lambda last, card: is_red(last) != is_red(card),
    "same suit": lambda last, card: last[0] == card[0],
    "other suit": lambda last, card: last[0] != card[0],
    "same parity": lambda last, card: is_odd(last) == is_odd(card),
    "other parity": lambda last, card: is_odd(last) != is_odd(card),
    "same half": lambda last, card: is_low(last) == is_low(card),
    "other half": lambda last, card: is_low(last) != is_low(card),
    "same value": lambda last, card: value(last) == value(card),
    "other value": lambda last, card: value(last) != value(card),
    "higher": lambda last, card: value(card) > value(last),
    "lower": lambda last, card: value(card) < value(last),
    "not higher": lambda last, card: value(card) <= value(last),
    "not lower": lambda last, card: value(card) >= value(last),
}
# What the row may look like before the next card comes.
LAST_IS = {"red": is_red, "odd": is_odd, "low": is_low, "face": is_face}


def _alike(f, n):
    """The last *n* cards have one value of *f*; never so in a shorter row."""
    return lambda row: len(row) >= n and len({f(card) for card in row[-n:]}) == 1


WHEN = {
    "after every second card": lambda row: len(row) % 2 == 0,
    "after every third card": lambda row: len(row) % 3 == 0,
    "after every fourth card": lambda row: len(row) % 4 == 0,
    "last two same colour": _alike(is_red, 2),
    "last two same suit": _alike(lambda card: card[0], 2),
    "last two same parity": _alike(is_odd, 2),
    "last two same half": _alike(is_low, 2),
    "last three same colour": _alike(is_red, 3),
    "last three same parity": _alike(is_odd, 3),
    "last rose": lambda row: len(row) >= 2 and value(row[-1]) > value(row[-2]),
    "last fell": lambda row: len(row) >= 2 and value(row[-1]) < value(row[-2]),
    "last two at most 3 apart": lambda row: len(row) >= 2 and abs(value(row[-1]) - value(row[-2])) <= 3,
    "one before red": lambda row: len(row) >= 2 and is_red(row[-2]),
    "one before odd": lambda row: len(row) >= 2 and is_odd(row[-2]),
    "one before low": lambda row: len(row) >= 2 and is_low(row[-2]),
}


def _atom(text, row, card):
    last = row[-1]
    if text in ALONE:
        return ALONE[text](card)
    if text in BESIDE:
        return BESIDE[text](last, card)
    words = text.split()
    if words[:3] == ["next", "suit", "in"]:
        order = words[3]
        return card[0] == order[(order.index(last[0]) + 1) % 4]
    if words[0] == "up":  # "up 1 to 3": around the corner from King to Ace
        return card[1:] in [RANKS[(RANKS.index(last[1:]) + step) % 13] for step in range(1, int(words[3]) + 1)]
    if words[0] == "down":
        return card[1:] in [RANKS[(RANKS.index(last[1:]) - step) % 13] for step in range(1, int(words[3]) + 1)]
    distance = abs(value(card) - value(last))
    if words[:2] == ["at", "most"]:  # "at most 3 apart"
        return distance <= int(words[2])
    if words[:2] == ["at", "least"]:
        return distance >= int(words[2])
    raise ValueError(text)


def _expression(text, row, card):
    if " or " in text:
        return any(_atom(part, row, card) for part in text.split(" or "))
    return all(_atom(part, row, card) for part in text.split(" and "))


def predicate(when, then, otherwise):
    """The secret rule of three texts as a function of row and card."""

    def judge(row, card):
        if not when:
            return _expression(then, row, card)
        if when.startswith("last is "):
            holds = LAST_IS[when.removeprefix("last is ")](row[-1])
        else:
            holds = WHEN[when](row)
        return _expression(then if holds else otherwise, row, card)

    return judge


class Round:
    """One round. *dealer* holds no cards; *stock* is drawn from its front.

    Variants by their names: third_pack (a list of 52 cards, in the order of drawing, or None), no_play_bonus, full, prophet, full_no_play,
    expulsion.
    """

    def __init__(self, hands, stock, start, rule, dealer=0, **variants):
        self.n = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.stock = list(stock)
        self.rule, self.dealer = rule, dealer
        self.row, self.sidelines = [start], [[]]
        self.third_pack = variants.get("third_pack")
        self.no_play_bonus = variants.get("no_play_bonus", True)
        self.full = variants.get("full", False)
        self.may_prophesy = variants.get("prophet", False)
        self.full_no_play = variants.get("full_no_play", False)
        self.expulsion = variants.get("expulsion", False)
        self.size = 14 if self.full else BEST_HAND
        self.owed = [0] * self.n
        self.solver = self.emptied = self.prophet = None
        self.by_no_play = False
        self.out = set()
        self.sequence = []  # cards laid in this turn that have not been judged
        self.n_laid = 0
        self.is_over = False
        self.turn = (dealer + 1) % self.n
        self.asks = "turn"

    # What may be done.

    def who(self):
        """Seat to act."""
        return self.prophet if self.asks == "verdict" else self.turn

    def legal(self):
        """Set of what the seat to act may do; a guess is just ``guess`` here."""
        hand = set(self.hands[self.turn])
        if self.asks == "turn":
            return hand | {"no play"}
        if self.asks == "more":
            return hand | {"done"}
        if self.asks == "guess":
            return {"guess", "decline"} | ({"prophet"} if self._may_be_prophet() else set())
        return {"right", "wrong"}

    def _may_be_prophet(self):
        return self.may_prophesy and self.prophet is None and not self.by_no_play and self.hands[self.turn] != []

    def fits(self):
        """Cards of the player's hand that are right now."""
        return {card for card in self.hands[self.turn] if self.rule(self.row, card)}

    def is_right(self):
        """Whether the whole sequence is right."""
        row = list(self.row)
        for card in self.sequence:
            if not self.rule(row, card):
                return False
            row.append(card)
        return True

    # Doing it.

    def play(self, card):
        """Lay a card."""
        self.hands[self.turn].remove(card)
        self.sequence.append(card)
        self.n_laid += 1
        if self.full and self.hands[self.turn]:
            self.asks = "more"
        else:
            self.done()

    def done(self):
        """End the turn's sequence: have it judged."""
        if self.prophet is not None:
            self.asks = "verdict"
        else:
            self._judged()

    def verdict(self, says_right):
        """The Prophet judges; the dealer corrects him."""
        goes_on = True
        if says_right != self.is_right():
            seat, self.prophet = self.prophet, None
            goes_on = self._draw(seat, 5)
        self._judged(goes_on)

    def _judged(self, goes_on=True):
        seat, n = self.turn, len(self.sequence)
        if self.is_right():
            self.row += self.sequence
            self.sidelines += [[] for _ in self.sequence]
            self.sequence = []
            self._was_right(goes_on)
            return
        self.sidelines[-1] += self.sequence
        self.sequence = []
        # The fourth marker lies on the fortieth card.
        if self.expulsion and self.n_laid > 40:
            self.out.add(seat)
        if self._draw(seat, 2 * n if self.full else n) and goes_on:
            self._next()
        else:
            self._end()

    def _was_right(self, goes_on=True, by_no_play=False):
        self.by_no_play = by_no_play
        if not self.hands[self.turn]:
            self.emptied = self.turn
        if goes_on:
            self.asks = "guess"
        else:
            self._end()

    def no_play(self, chosen=None):
        """Announce that nothing fits; *chosen* is the dealer's card where that is wrong."""
        seat, hand = self.turn, self.hands[self.turn]
        if chosen is not None:
            assert chosen in self.fits()
            hand.remove(chosen)
            self.row.append(chosen)
            self.sidelines.append([])
            self.n_laid += 1
            if not self._draw(seat, 5 if self.full_no_play else 1):
                return self._end()
            return self._next()
        assert not self.fits()
        n = len(hand)
        self.stock += sorted(hand, key=CARDS.index)
        hand.clear()
        self._draw(seat, max(n - (4 if self.full_no_play else 1), 0))
        self._was_right(by_no_play=True)

    def guess(self, is_right):
        """Guess the rule."""
        if is_right:
            self.solver = self.turn
        self._after_guess()

    def decline(self):
        """Not to guess."""
        self._after_guess()

    def become_prophet(self):
        """Declare oneself Prophet."""
        self.prophet = self.turn
        self._after_guess()

    def _after_guess(self):
        if self.solver is not None or not self.hands[self.turn]:
            return self._end()
        self._next()

    def _draw(self, seat, n):
        """Draw *n* cards; False where the stock does not suffice: what is missing counts as held."""
        for k in range(n):
            if not self.stock and self.third_pack:
                self.stock, self.third_pack = list(self.third_pack), None
            if not self.stock:
                self.owed[seat] += n - k
                return False
            self.hands[seat].append(self.stock.pop(0))
        return True

    def _next(self):
        for k in range(1, self.n + 1):
            seat = (self.turn + k) % self.n
            if seat != self.dealer and seat != self.prophet and seat not in self.out:
                self.turn, self.asks = seat, "turn"
                return
        self._end()

    def _end(self):
        self.is_over = True

    # The end.

    def scores(self):
        """Points of each seat."""
        points = []
        for seat in range(self.n):
            held = len(self.hands[seat]) + self.owed[seat]
            own = self.size - held
            own += SOLVED if seat == self.solver or seat == self.prophet else 0
            own += EMPTIED if seat == self.emptied and (self.no_play_bonus or not self.by_no_play) else 0
            points.append(own)
        players = [points[seat] for seat in range(self.n) if seat != self.dealer]
        points[self.dealer] = max(players)
        return points

    def cards(self):
        """How often each card is anywhere."""
        return Counter(sum([*self.hands, self.stock, self.row, *self.sidelines, self.sequence], []))
