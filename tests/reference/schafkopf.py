"""Slow and obvious reference of Schafkopf.

Strings, sets and lists only. It exists so that a faster program can be compared with it, so it shares nothing with one. A card is a text
such as ``EO`` or ``G10`` (suit letter, then rank), a bid a text such as ``pass``, ``Rufer E`` (with the called ace), ``Wenz``, ``Solo H``,
``Wenz Tout``, ``Solo Tout S`` or ``Sie``. Seats are 0 to 3; seat i + 1 is the left neighbour of seat i and play goes round that way.
"""

import copy
from itertools import takewhile

SUITS = ["E", "G", "H", "S"]
RANKS = ["A", "10", "K", "O", "U", "9", "8", "7"]
DECK = [suit + rank for suit in SUITS for rank in RANKS]
POINTS = {"A": 11, "10": 10, "K": 4, "O": 3, "U": 2, "9": 0, "8": 0, "7": 0}

KINDS = ["pass", "Rufer", "Wenz", "Solo", "Wenz Tout", "Solo Tout", "Sie"]  # lowest first
BIDS = (
    ["pass"]
    + ["Rufer " + suit for suit in ["E", "G", "S"]]
    + ["Wenz"]
    + ["Solo " + suit for suit in SUITS]
    + ["Wenz Tout"]
    + ["Solo Tout " + suit for suit in SUITS]
    + ["Sie"]
)


def suit_of(card):
    """Printed suit of a card."""
    return card[0]


def rank_of(card):
    """Rank of a card."""
    return card[1:]


def is_ordinary(card):
    """Whether a card is neither Ober nor Unter."""
    return rank_of(card) not in ("O", "U")


def kind_of(bid):
    """Kind of contract of a bid, without suit or called ace."""
    words = bid.split()
    if len(words) > 1 and words[-1] in SUITS:
        words = words[:-1]
    return " ".join(words)


def named_suit(bid):
    """Suit that a bid names: of the called ace or the trump suit, None in a Wenz."""
    last = bid.split()[-1]
    return last if last in SUITS else None


def can_bid(hand, bid):
    """Whether a hand of eight cards allows a bid.  Rule: schafkopf S2"""
    kind = kind_of(bid)
    suit = named_suit(bid)
    has_ordinary = any(suit_of(card) == suit and is_ordinary(card) for card in hand)
    if kind == "Rufer":
        return suit != "H" and suit + "A" not in hand and has_ordinary
    if kind in ("Solo", "Solo Tout"):
        return has_ordinary
    if kind == "Sie":
        return all(not is_ordinary(card) for card in hand)
    return True


def legal_bids(hand, bids_before):
    """Bids open to a hand after the bids of the earlier seats.  Rule: schafkopf S1, S2"""
    highest = max([KINDS.index(kind_of(bid)) for bid in bids_before] + [0])
    higher = [bid for bid in BIDS if KINDS.index(kind_of(bid)) > highest]
    return {"pass"} | {bid for bid in higher if can_bid(hand, bid)}


def trumps_of(contract):
    """All trumps of a contract, highest first.  Rule: schafkopf S12"""
    unters = [suit + "U" for suit in SUITS]
    if kind_of(contract) in ("Wenz", "Wenz Tout"):
        return unters
    obers = [suit + "O" for suit in SUITS]
    trump_suit = "H" if kind_of(contract) in ("Rufer", "Sie") else named_suit(contract)
    return obers + unters + [trump_suit + rank for rank in ["A", "10", "K", "9", "8", "7"]]


def effective_suit(card, contract):
    """``trump``, or the suit that a plain card belongs to.  Rule: schafkopf S5"""
    return "trump" if card in trumps_of(contract) else suit_of(card)


def trick_winner(cards, contract):
    """Place in the trick (0 is the lead) of the card that wins it."""
    trumps_played = [card for card in trumps_of(contract) if card in cards]
    if trumps_played:
        return cards.index(trumps_played[0])
    for rank in ["A", "10", "K", "O", "9", "8", "7"]:
        if suit_of(cards[0]) + rank in cards:
            return cards.index(suit_of(cards[0]) + rank)
    raise ValueError("no trick")


def called_ace(contract):
    """The ace that a Rufer calls, None in other contracts."""
    return named_suit(contract) + "A" if kind_of(contract) == "Rufer" else None


def legal_cards(hand, trick, contract, suit_was_led):
    """Cards of *hand* that may be played to *trick* (the cards so far).

    *suit_was_led* tells whether an earlier trick was led with an ordinary card of the called suit.

    Rule: schafkopf S5-S10
    """
    hand = set(hand)
    ace = called_ace(contract)
    is_bound = ace in hand and not suit_was_led
    if not trick:
        if not is_bound:
            return hand
        of_called_suit = {card for card in hand if effective_suit(card, contract) == suit_of(ace)}
        if len(of_called_suit) >= 4:
            return hand
        return {card for card in hand if card not in of_called_suit or card == ace}
    led = effective_suit(trick[0], contract)
    if is_bound and led == suit_of(ace):
        return {ace}
    following = {card for card in hand if effective_suit(card, contract) == led}
    if following:
        return following
    if is_bound and len(hand) > 1:
        return hand - {ace}
    return hand


def n_laufende(dealt, side, contract):
    """Number of highest trumps in an unbroken run that one side was dealt, or 0 below the least that counts.  Rule: schafkopf S16

    *side* are the seats of the declarer's side. The run belongs to the side that holds the highest trump.
    """
    declaring = set().union(*(dealt[seat] for seat in side))
    trumps = trumps_of(contract)
    owner_is_declarer = trumps[0] in declaring
    run = len(list(takewhile(lambda card: (card in declaring) == owner_is_declarer, trumps)))
    least = 2 if kind_of(contract) in ("Wenz", "Wenz Tout") else 3
    return run if run >= least else 0


def value_of_deal(contract, won, schneider, schwarz, laufende, count_sie_laufende=True):
    """Units that each loser pays.  Rule: schafkopf S13-S17"""
    kind = kind_of(contract)
    if kind == "Sie":
        return 20 + (4 * laufende if count_sie_laufende else 0)
    if kind in ("Wenz Tout", "Solo Tout"):
        return 10 + 2 * laufende
    base = 1 if kind == "Rufer" else 5
    extra = 2 if schwarz else 1 if schneider else 0
    return base + extra + laufende


class Deal:
    """One deal from the bidding to the last trick: *hands* are four sets of eight cards."""

    def __init__(self, hands, dealer):
        if [len(hand) for hand in hands] != [8, 8, 8, 8] or set().union(*hands) != set(DECK):
            raise ValueError("the four hands are not the whole deck")
        self.dealt = [set(hand) for hand in hands]
        self.hands = [set(hand) for hand in hands]
        self.dealer = dealer
        self.bids = []  # (seat, bid) in order
        self.trick = []  # (seat, card)
        self.tricks = []  # (list of (seat, card), winner)

    def forehand(self):
        """Seat at the dealer's left, who bids and leads first.  Rule: schafkopf S4"""
        return (self.dealer + 1) % 4

    def is_bidding(self):
        """Whether somebody has still to bid: each once, but a Sie ends everything."""
        return len(self.bids) < 4 and self.contract() != "Sie"

    def contract(self):
        """Highest bid so far, ``pass`` when nobody has bid."""
        return max([bid for _, bid in self.bids] + ["pass"], key=lambda bid: KINDS.index(kind_of(bid)))

    def declarer(self):
        """Seat that made the highest bid, None when nobody did."""
        for seat, bid in self.bids:
            if bid == self.contract() and bid != "pass":
                return seat
        return None

    def partner(self):
        """Seat that was dealt the called ace, None without a Rufer."""
        ace = called_ace(self.contract())
        for seat in range(4):
            if ace in self.dealt[seat]:
                return seat
        return None

    def side(self):
        """Seats of the declarer's side."""
        return [seat for seat in (self.declarer(), self.partner()) if seat is not None]

    def suit_was_led(self):
        """Whether an earlier trick was led with the called suit.  Rule: schafkopf S10"""
        ace = called_ace(self.contract())
        if ace is None:
            return False
        return any(effective_suit(trick[0][1], self.contract()) == suit_of(ace) for trick, _ in self.tricks)

    def is_over(self):
        """Whether nothing is left to decide."""
        if self.is_bidding():
            return False
        if self.contract() in ("pass", "Sie"):
            return True
        if kind_of(self.contract()).endswith("Tout") and any(winner != self.declarer() for _, winner in self.tricks):
            return True  # S14
        return len(self.tricks) == 8

    def seat_to_act(self):
        """Seat whose decision is next."""
        if self.is_bidding():
            return (self.forehand() + len(self.bids)) % 4
        if self.trick:
            return (self.trick[-1][0] + 1) % 4
        return self.tricks[-1][1] if self.tricks else self.forehand()

    def legal(self):
        """Bids or cards open to the seat to act."""
        hand = self.hands[self.seat_to_act()]
        if self.is_bidding():
            return legal_bids(hand, [bid for _, bid in self.bids])
        return legal_cards(hand, [card for _, card in self.trick], self.contract(), self.suit_was_led())

    def play(self, move):
        """Carry out a bid or a card. ValueError when it is not legal."""
        if move not in self.legal():
            raise ValueError(f"{move} is not legal")
        seat = self.seat_to_act()
        if self.is_bidding():
            self.bids.append((seat, move))
            return
        self.hands[seat].remove(move)
        self.trick.append((seat, move))
        if len(self.trick) == 4:
            winner = self.trick[trick_winner([card for _, card in self.trick], self.contract())][0]
            self.tricks.append((self.trick, winner))
            self.trick = []

    def card_points(self):
        """Card points that each seat has taken in tricks."""
        points = [0, 0, 0, 0]
        for trick, winner in self.tricks:
            points[winner] += sum(POINTS[rank_of(card)] for _, card in trick)
        return points

    def tricks_won(self):
        """Number of tricks of each seat."""
        return [sum(winner == seat for _, winner in self.tricks) for seat in range(4)]

    def result(self):
        """Outcome of a finished deal: a dict of names.  Rule: schafkopf S3, S13-S17, S20"""
        contract = self.contract()
        if contract == "pass":
            return {"kind": "pass", "units": [0, 0, 0, 0], "won": False, "schneider": False, "schwarz": False, "laufende": 0}
        side = self.side()
        kind = kind_of(contract)
        points = sum(self.card_points()[seat] for seat in side)
        tricks = sum(self.tricks_won()[seat] for seat in side)
        laufende = n_laufende(self.dealt, side, contract)
        schneider = schwarz = False
        if kind == "Sie":
            won = True
        elif kind.endswith("Tout"):
            won = tricks == 8
        else:
            won = points >= 61
            schneider = points >= 91 or points <= 30
            schwarz = tricks in (0, 8)
        value = value_of_deal(contract, won, schneider, schwarz, laufende)
        units = [value if (seat in side) == won else -value for seat in range(4)]
        if len(side) == 1:
            units[side[0]] *= 3
        return {"kind": kind, "units": units, "won": won, "schneider": schneider, "schwarz": schwarz, "laufende": laufende}


def perft(deal, depth):
    """Number of sequences of *depth* decisions, and a checksum: (seat + 1) x card points taken, summed over their ends."""
    if depth == 0 or deal.is_over():
        return 1, sum((seat + 1) * points for seat, points in enumerate(deal.card_points()))
    count = checksum = 0
    for move in deal.legal():
        after = copy.deepcopy(deal)
        after.play(move)
        below_count, below_checksum = perft(after, depth - 1)
        count += below_count
        checksum += below_checksum
    return count, checksum
