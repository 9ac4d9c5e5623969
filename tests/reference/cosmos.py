"""Slow and obvious reference of the card game COSMOS.

No speed: strings, sets and lists only. It exists so that a faster program can
be compared with it, so it shares nothing with one. Cards are strings such as
``'Sun7'`` or ``'Bla3'``; the two copies of a 4 to 8 are equal strings, so a
hand is a sorted list. Seats are 0 to n - 1 and play goes 0 -> 1 -> ... -> 0.

Rule: cosmos C1-C17. Outside this file: drawing the first starter and the cap
on rounds (C18).
"""

import copy

PLANETS = ["Sat", "Ear", "Sun", "Moo"]
BLACK = "Bla"
SINGLE_VALUES = [1, 2, 3, 9]
DOUBLE_VALUES = [4, 5, 6, 7, 8]
DECK = (
    [suit + str(value) for suit in PLANETS for value in SINGLE_VALUES]
    + 2 * [suit + str(value) for suit in PLANETS for value in DOUBLE_VALUES]
    + [BLACK + str(value) for value in range(1, 9)]
)
NINES = [suit + "9" for suit in PLANETS]
N_TABLE_CARDS = 4
END_TRICKS = {3: 20, 4: 15, 5: 12, 6: 10}


def suit_of(card):
    """Return the suit's three letters."""
    return card[:3]


def value_of(card):
    """Return the value, 1 to 9."""
    return int(card[3:])


def is_black(card):
    """Tell whether the card is of the suit Collapsar."""
    return suit_of(card) == BLACK


def legal_cards(hand, face_up, broken):
    """Return the set of different cards that may be played.

    `face_up` are the face-up cards of this trick. Rule: cosmos C5-C8.
    """
    suits = {suit_of(card) for card in face_up}
    following = {card for card in hand if suit_of(card) in suits}
    if following:
        return following
    if not face_up and not broken:
        planets = {card for card in hand if not is_black(card)}
        if planets:
            return planets
    return set(hand)


def best_card(face_up):
    """Return the card that wins among the face-up ones, None without any.

    Rule: cosmos C10.
    """
    if not face_up:
        return None
    blacks = [card for card in face_up if is_black(card)]
    if blacks:
        return max(blacks, key=value_of)
    suits = [suit_of(card) for card in face_up]
    most = max(suits.count(suit) for suit in suits)
    rivals = [card for card in face_up if suits.count(suit_of(card)) == most]
    values = [value_of(card) for card in rivals]
    assert len(set(values)) == len(values)
    return max(rivals, key=value_of)


class Round:
    """One round: four table cards, a hand for each seat, and the play."""

    def __init__(self, hands, table, starter, void=True, table_cards=True):
        self.n = len(hands)
        self.hands = [sorted(hand) for hand in hands]
        self.table = sorted(table)
        everything = sorted(sum(self.hands, []) + self.table)
        assert everything == sorted(DECK)
        assert len(self.table) == N_TABLE_CARDS
        assert {len(hand) for hand in hands} == {60 // self.n}
        self.void = void
        self.table_cards = table_cards
        self.starter = self.leader = self.turn = starter
        self.broken = False
        self.trick = []  # [seat, card, is face up], in playing order
        self.piles = [[] for _ in hands]  # cards won
        self.tricks = [0] * self.n
        self.log = []  # for each trick: winner, is Big Bang, black won
        self.collisions = 0
        self.table_collisions = 0
        self.break_trick = 0
        self.breaker = None
        self.lacks = [set() for _ in hands]  # suits that a seat has been seen not to hold

    def over(self):
        """Tell whether all cards have been played."""
        return not self.trick and not any(self.hands)

    def face_up(self):
        """Return the face-up cards of the trick on the table."""
        return [card for _, card, is_up in self.trick if is_up]

    def legal(self):
        """Return the cards the seat whose turn it is may play."""
        return legal_cards(self.hands[self.turn], self.face_up(), self.broken)

    def play(self, card):
        """Play a card for the seat whose turn it is."""
        assert card in self.legal()
        seat = self.turn
        self._note_lacks(card)
        self.hands[seat].remove(card)
        if is_black(card) and not self.broken:
            self.broken = True
            self.breaker = seat
            self.break_trick = len(self.log) + 1
        partners = [entry for entry in self.trick if entry[2] and value_of(entry[1]) == value_of(card)]
        assert len(partners) <= 1
        self.trick.append([seat, card, not partners])
        for partner in partners:
            partner[2] = False
            self.collisions += 1
        self.turn = (seat + 1) % self.n
        if len(self.trick) == self.n:
            self._take()

    def _note_lacks(self, card):
        """Note which suits this card shows that its player does not hold."""
        suits = {suit_of(other) for other in self.face_up()}
        if suits and suit_of(card) not in suits:
            self.lacks[self.turn] |= suits
        if not suits and not self.broken and is_black(card):
            self.lacks[self.turn] |= set(PLANETS)

    def _take(self):
        """Let the table cards act, then give the trick to its winner."""
        face_up = self.face_up()
        if self.n % 2 == 1 and self.table_cards and len(face_up) == 1:
            equal = [card for card in self.table if value_of(card) == value_of(face_up[0])]
            if equal:
                self.table.remove(equal[0])
                face_up = []
                self.table_collisions += 1
        best = best_card(face_up)
        if best is None:
            winner = self.leader
        else:
            winner = [seat for seat, card, is_up in self.trick if is_up and card == best][0]
        self.piles[winner] += [card for _, card, _ in self.trick]
        self.tricks[winner] += 1
        self.log.append((winner, best is None, best is not None and is_black(best)))
        self.trick = []
        self.leader = self.turn = winner

    def nines(self, seat):
        """Return the number of nines in the tricks of a seat."""
        return len([card for card in self.piles[seat] if card in NINES])

    def has_void(self, seat):
        """Tell whether a seat scores nothing for its four nines. Rule: cosmos C14."""
        return self.void and self.nines(seat) == 4

    def scores(self):
        """Return the tricks that each seat scores for the round."""
        return [0 if self.has_void(seat) else self.tricks[seat] for seat in range(self.n)]

    def clone(self):
        """Return an independent copy."""
        return copy.deepcopy(self)


def game_winners(totals, end=None):
    """Return the seats that have won, an empty set while the game goes on.

    Rule: cosmos C15, C16.
    """
    if max(totals) < (end or END_TRICKS[len(totals)]):
        return set()
    return {seat for seat, total in enumerate(totals) if total == min(totals)}


def possible_starters(totals):
    """Return the seats of which one, drawn at random, starts the next round. Rule: cosmos C16, C17."""
    return {seat for seat, total in enumerate(totals) if total == min(totals)}


def perft(round_, depth):
    """Return the number of sequences of `depth` moves, and a checksum.

    The checksum sums (seat + 1) * tricks over the ends of all sequences.
    """
    if depth == 0 or round_.over():
        return 1, sum((seat + 1) * tricks for seat, tricks in enumerate(round_.tricks))
    count = checksum = 0
    for card in sorted(round_.legal()):
        child = round_.clone()
        child.play(card)
        more, points = perft(child, depth - 1)
        count += more
        checksum += points
    return count, checksum
