"""Slow and obvious reference of the base card game Cosmic Eidex.

No characters, no speed: strings, sets and lists only. It exists so that a
faster program can be compared with it, so it shares nothing with one. Cards
are strings such as ``'H6'`` or ``'E10'`` (suit letter, then rank). A mode is
the trump suit's letter, or ``'Obenabe'`` or ``'Undenufe'`` when there is no
trump. Seats are 0, 1, 2; seat i + 1 is the right neighbour and play goes
0 -> 1 -> 2 -> 0.

Rule: eidex B2-B28 and T1-T10. Outside this file: choosing the first dealer
(B1), the cap on hands (T11) and the characters (T12).
"""

import copy
from dataclasses import dataclass, field

SUITS = ["H", "E", "R", "S"]
RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
DECK = [suit + rank for suit in SUITS for rank in RANKS]
MODES = SUITS + ["Obenabe", "Undenufe"]

LAST_TRICK_BONUS = 5

TRUMP_ORDER = ["J", "9", "A", "K", "Q", "10", "8", "7", "6"]
PLAIN_ORDER = ["A", "K", "Q", "J", "10", "9", "8", "7", "6"]
UNDENUFE_ORDER = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]

TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "K": 4, "Q": 3, "10": 10, "8": 0, "7": 0, "6": 0}
PLAIN_POINTS = {"A": 11, "K": 4, "Q": 3, "J": 2, "10": 10, "9": 0, "8": 0, "7": 0, "6": 0}
OBENABE_POINTS = {"A": 11, "K": 4, "Q": 3, "J": 2, "10": 10, "9": 0, "8": 8, "7": 0, "6": 0}
UNDENUFE_POINTS = {"A": 0, "K": 4, "Q": 3, "J": 2, "10": 10, "9": 0, "8": 8, "7": 0, "6": 11}


def suit_of(card):
    """Return the suit letter of a card."""
    return card[0]


def rank_of(card):
    """Return the rank of a card."""
    return card[1:]


def mode_of_upcard(upcard):
    """Return the mode that the dealer's last, face-up card determines.

    An Ace means Obenabe, a Six means Undenufe, anything else makes its own
    suit trump. Rule: eidex B5, B18.
    """
    if rank_of(upcard) == "A":
        return "Obenabe"
    if rank_of(upcard) == "6":
        return "Undenufe"
    return suit_of(upcard)


def trump_of_mode(mode):
    """Return the trump suit's letter, or None without trump."""
    return mode if mode in SUITS else None


def strength_order(mode, suit):
    """Return the ranks of one suit, strongest first.

    Rule: eidex B15 (trump), B18 (Obenabe and Undenufe).
    """
    if mode == "Undenufe":
        return list(UNDENUFE_ORDER)
    if mode == suit:
        return list(TRUMP_ORDER)
    return list(PLAIN_ORDER)


def points_of(card, mode):
    """Return the point value of a card. Rule: eidex B19."""
    if mode == "Obenabe":
        return OBENABE_POINTS[rank_of(card)]
    if mode == "Undenufe":
        return UNDENUFE_POINTS[rank_of(card)]
    if suit_of(card) == mode:
        return TRUMP_POINTS[rank_of(card)]
    return PLAIN_POINTS[rank_of(card)]


def stronger(card, other, mode):
    """Tell whether `card` is the stronger of two cards of the same suit."""
    if suit_of(card) != suit_of(other):
        raise ValueError("only cards of one suit can be ranked")
    order = strength_order(mode, suit_of(card))
    return order.index(rank_of(card)) < order.index(rank_of(other))


def trick_winner(cards_played, mode):
    """Return the index of the winning card among the cards of one trick.

    Parameters
    ----------
    cards_played : list of str
        Cards in the order in which they were played, the lead first.
    mode : str
        The mode of the hand.

    Notes
    -----
    The strongest trump wins; without a trump in the trick the strongest
    card of the suit that was led wins.
    """
    trump = trump_of_mode(mode)
    suits_played = [suit_of(card) for card in cards_played]
    deciding = trump if trump in suits_played else suits_played[0]
    best = None
    for index, card in enumerate(cards_played):
        if suit_of(card) != deciding:
            continue
        if best is None or stronger(card, cards_played[best], mode):
            best = index
    return best


def legal_cards(hand, cards_played, mode):
    """Return the cards of `hand` that may be added to the trick.

    Parameters
    ----------
    hand : set of str
        The cards still in hand.
    cards_played : list of str
        The cards already in the trick, the lead first; empty for a lead.
    mode : str
        The mode of the hand.

    Notes
    -----
    Rule: eidex B10-B18. The cases below are in the order of the rulebook.
    """
    hand = set(hand)
    # B10: anything may be led.
    if not cards_played:
        return hand

    trump = trump_of_mode(mode)
    led = suit_of(cards_played[0])
    followers = {card for card in hand if suit_of(card) == led}

    # B18: without trump there is only the duty to follow.
    if trump is None:
        return followers if followers else hand

    trumps = {card for card in hand if suit_of(card) == trump}

    if led == trump:
        # B16: the Jack need not follow, so a lone Jack binds nobody.
        if trumps == set() or trumps == {trump + "J"}:
            return hand
        # B12: nobody cuts into a trump lead, so lower trumps are fine.
        return trumps

    # B13: with nothing but trumps in hand there are no other cards to hold
    # to, so even an undertrump is allowed.
    if trumps == hand:
        return hand

    # B11: follow, or cut in at any time; without the suit, anything.
    allowed = followers | trumps if followers else set(hand)

    # B14, B15: never below the trump that wins the trick at present.
    trumps_in_trick = [c for c in cards_played if suit_of(c) == trump]
    if trumps_in_trick:
        winning = cards_played[trick_winner(cards_played, mode)]
        allowed = {card for card in allowed if suit_of(card) != trump or stronger(card, winning, mode)}
    return allowed


@dataclass
class Deal:
    """One hand of the base game, from the pressing to the last trick.

    Parameters
    ----------
    hands : list of set of str
        The three dealt hands, twelve cards each. The upcard is in the
        dealer's hand like any other card. Rule: eidex B6, B7.
    dealer : int
        The dealer's seat.
    upcard : str
        The face-up card that determines the mode.

    Attributes
    ----------
    pressed : list
        The pressed card of each seat, None until that seat has pressed.
    trick : list of (int, str)
        The unfinished trick as (seat, card).
    tricks : list of (int, list, int)
        The finished tricks as (leader, [(seat, card), ...], winner).
    piles : list of set of str
        The cards that each seat has won in tricks.
    mode : str
        The trump suit's letter, 'Obenabe' or 'Undenufe'.
    trump : str or None
        The trump suit's letter, None without trump.
    """

    hands: list
    dealer: int
    upcard: str
    pressed: list = field(init=False)
    trick: list = field(init=False)
    tricks: list = field(init=False)
    piles: list = field(init=False)
    mode: str = field(init=False)
    trump: str | None = field(init=False)

    def __post_init__(self):
        if self.dealer not in (0, 1, 2):
            raise ValueError("the dealer is seat 0, 1 or 2")
        if [len(hand) for hand in self.hands] != [12, 12, 12]:
            raise ValueError("everybody is dealt 12 cards")
        if set().union(*self.hands) != set(DECK):
            raise ValueError("the three hands are not the whole deck")
        if self.upcard not in self.hands[self.dealer]:
            raise ValueError("the upcard is one of the dealer's cards")
        # Own copies, so that playing does not empty the caller's sets.
        self.hands = [set(hand) for hand in self.hands]
        self.pressed = [None, None, None]
        self.trick = []
        self.tricks = []
        self.piles = [set(), set(), set()]
        self.mode = mode_of_upcard(self.upcard)
        self.trump = trump_of_mode(self.mode)

    def forehand(self):
        """Return the seat at the dealer's right, who leads. Rule: eidex B9."""
        return (self.dealer + 1) % 3

    def pressing(self):
        """Tell whether somebody has still to press a card."""
        return None in self.pressed

    def over(self):
        """Tell whether the last trick has been collected."""
        return not self.pressing() and self.trick == [] and self.hands == [set(), set(), set()]

    def seat_to_act(self):
        """Return the seat whose decision is next, None when all is over.

        Pressing is hidden, so the order in which it is asked is only a
        convention: forehand, the next seat, the dealer. Rule: eidex B8, B9.
        """
        if self.over():
            return None
        if self.pressing():
            for step in (1, 2, 3):
                seat = (self.dealer + step) % 3
                if self.pressed[seat] is None:
                    return seat
        if self.trick:
            last_seat = self.trick[-1][0]
            return (last_seat + 1) % 3
        if self.tricks:
            return self.tricks[-1][2]
        return self.forehand()

    def legal(self):
        """Return the set of cards that the seat to act may press or play."""
        if self.over():
            return set()
        hand = self.hands[self.seat_to_act()]
        # B7, B8: any card may be pressed, the upcard too.
        if self.pressing():
            return set(hand)
        return legal_cards(hand, [card for _, card in self.trick], self.mode)

    def play(self, card):
        """Press or play a card for the seat to act.

        Raises
        ------
        ValueError
            When the card is not legal.
        """
        if card not in self.legal():
            raise ValueError(f"{card} is not legal")
        seat = self.seat_to_act()
        was_pressing = self.pressing()
        self.hands[seat].remove(card)
        if was_pressing:
            self.pressed[seat] = card
            return
        self.trick.append((seat, card))
        if len(self.trick) == 3:
            self._collect()

    def _collect(self):
        """Give the finished trick to its winner."""
        cards = [card for _, card in self.trick]
        winner = self.trick[trick_winner(cards, self.mode)][0]
        self.tricks.append((self.trick[0][0], self.trick, winner))
        self.piles[winner] |= set(cards)
        self.trick = []

    def pile_points(self):
        """Return the points of the cards won in tricks, nothing else."""
        return [sum(points_of(card, self.mode) for card in pile) for pile in self.piles]

    def card_points(self):
        """Return each seat's points so far.

        Cards won in tricks, the own pressed card and, once the last trick
        has been collected, the 5 for it. Rule: eidex B8, B19, B20.
        """
        points = self.pile_points()
        for seat, card in enumerate(self.pressed):
            if card is not None:
                points[seat] += points_of(card, self.mode)
        if self.over():
            points[self.tricks[-1][2]] += LAST_TRICK_BONUS
        return points

    def tricks_won(self):
        """Return the number of tricks of each seat."""
        winners = [winner for _, _, winner in self.tricks]
        return [winners.count(seat) for seat in (0, 1, 2)]

    def match_seat(self):
        """Return the seat that won all the tricks of a finished hand.

        Only tricks count, never points: the others keep their pressed cards
        in a Match, and one lost trick without points spoils it. Rule: eidex
        B21.
        """
        if not self.over():
            return None
        for seat, won in enumerate(self.tricks_won()):
            if won == len(self.tricks):
                return seat
        return None

    def result(self):
        """Return the three seats' victory points at standing 0:0:0."""
        if not self.over():
            raise ValueError("the hand is not over")
        return victory_points(self.card_points(), self.match_seat())


def victory_points(card_points, match_seat_or_None, limit=100):
    """Return the victory points of one hand.

    Parameters
    ----------
    card_points : list of int
        The final points of the three seats; may be negative (B28).
    match_seat_or_None : int or None
        The seat that won all the tricks, if there is one.
    limit : int
        The total that must not be reached.

    Notes
    -----
    Rule: eidex B21-B26, B28. A Match comes before everything else.
    """
    if match_seat_or_None is not None:
        return [2 if seat == match_seat_or_None else 0 for seat in (0, 1, 2)]

    # B22: reaching the limit exactly is already too much.
    over = [seat for seat in (0, 1, 2) if card_points[seat] >= limit]
    if len(over) == 3:
        return [0, 0, 0]
    if len(over) == 2:
        # B26: the only one below the limit takes both points.
        return [0 if seat in over else 2 for seat in (0, 1, 2)]
    if len(over) == 1:
        # B23: even if the other two are level.
        return [0 if seat in over else 1 for seat in (0, 1, 2)]

    different_totals = len(set(card_points))
    if different_totals == 1:
        # B25: all level, nobody is the lucky third.
        return [0, 0, 0]
    if different_totals == 2:
        # B24: the one who is not level, whether above or below.
        return [2 if card_points.count(total) == 1 else 0 for total in card_points]
    best = max(card_points)
    least = min(card_points)
    return [1 if total in (best, least) else 0 for total in card_points]


def standing_after(standing, card_points, match_seat_or_None, limit=100, to_win=7):
    """Return the tournament standing after a hand, and the winner if any.

    Parameters
    ----------
    standing : list of int
        The victory points of the three seats before the hand.
    card_points : list of int
        The points of this hand, after all adjustments.
    match_seat_or_None : int or None
        The seat that won all the tricks, if there is one.
    limit : int
        The total that must not be reached.
    to_win : int
        The victory points that win the tournament.

    Returns
    -------
    (list of int, int or None)
        The new standing and the winner's seat. A standing that has not
        changed and no winner mean that the next hand is simply played.

    Notes
    -----
    Rule: eidex T1-T10. "One short" below is the rulebook's "six victory
    points".
    """
    if max(standing) >= to_win:
        raise ValueError("the tournament is already won")
    gains = victory_points(card_points, match_seat_or_None, limit)
    new = list(standing)
    one_short = [seat for seat in (0, 1, 2) if standing[seat] == to_win - 1]

    # T5, T6, T10: all three one short and exactly one gets nothing. He is
    # the one who climbs. A Match (T9), a lucky third (T7) and a hand without
    # victory points (T8) have no single loser and are counted normally.
    if len(one_short) == 3 and sorted(gains) == [0, 1, 1]:
        loser = gains.index(0)
        new[loser] += 1
        return new, loser

    # T2: two seats cannot arrive together. Nobody else scores in such a hand.
    arriving = [seat for seat in one_short if gains[seat] == 1]
    if len(arriving) == 2:
        first, second = arriving
        if card_points[first] < card_points[second]:
            new[first] -= 1
        elif card_points[second] < card_points[first]:
            new[second] -= 1
        return new, None

    # T1, T3, T4: otherwise the victory points are simply added.
    new = [before + gain for before, gain in zip(standing, gains, strict=True)]
    # T1: a total may jump past the goal, so "at least" and not "equal".
    winners = [seat for seat in (0, 1, 2) if new[seat] >= to_win]
    return new, (winners[0] if winners else None)


def perft(deal, depth):
    """Count the sequences of legal decisions, with a checksum.

    Parameters
    ----------
    deal : Deal
        Where to start; it is not changed.
    depth : int
        The number of decisions, pressing included. A hand that is over
        earlier counts as one leaf.

    Returns
    -------
    (int, int)
        The number of leaves, and the sum over all leaves of
        (seat + 1) * points, where points are those of the cards that the
        seat has won in tricks (no pressed card, no 5 for the last trick).
    """
    if depth == 0 or deal.over():
        points = deal.pile_points()
        return 1, sum((seat + 1) * points[seat] for seat in (0, 1, 2))
    count = 0
    checksum = 0
    for card in deal.legal():
        after = copy.deepcopy(deal)
        after.play(card)
        below_count, below_checksum = perft(after, depth - 1)
        count += below_count
        checksum += below_checksum
    return count, checksum
