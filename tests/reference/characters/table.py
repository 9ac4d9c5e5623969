"""The cards on the table: places, order, values, legality, and who has seen what.

Nothing is decided here. The modules of the phases ask the questions and call
these methods for the effects.
"""

from dataclasses import dataclass, field

from reference.eidex import (
    DECK,
    LAST_TRICK_BONUS,
    mode_of_upcard,
    points_of,
    rank_of,
    strength_order,
    suit_of,
    trump_of_mode,
)

SEATS = (0, 1, 2)

# In listing order, which is also the order of acting. Rule: eidex, Conflicts.
NAMES = [
    "Dealer",
    "Jiu-Jitsu",
    "Ultimo",
    "Trumphator",
    "Computer",
    "Räuber",
    "Voyeur",
    "Quizmaster",
    "Feministin",
    "Schüchterne",
    "Teekränzchen",
    "Gerechtigkeit",
    "Skater",
    "Schwarzpeter",
    "Farbenfreund",
    "Scharfmacher",
    "Differenzler",
    "Fahnder",
    "Fürsorge",
    "Weisheit",
    "Laser",
    "Radarkontrolle",
    "Konsumentenschutz",
    "Seher",
    "Umwerter",
    "Zombie",
    "Excuse",
    "Taschenspieler",
    "Korrektor",
    "Fledderer",
    "Guggitaler",
    "Jackpot",
    "Kompass",
    "Black Friday",
    "Wünschelrute",
    "Sphinx",
]

# How often a power may be used in one hand; the others have no such limit.
USES = {
    "Jiu-Jitsu": 1,
    "Voyeur": 1,
    "Schüchterne": 1,
    "Gerechtigkeit": 1,
    "Farbenfreund": 2,
    "Scharfmacher": 1,
    "Fahnder": 1,
    "Konsumentenschutz": 1,
    "Zombie": 1,
    "Excuse": 1,
    "Taschenspieler": 1,
    "Korrektor": 1,
    "Kompass": 2,
    "Sphinx": 2,
}

# The rule switches and the numbers a designer may turn.
RULES = {
    "sphinx": "free",  # or "truthful": K36
    "guggitaler_king": "swap",  # or "barred", "void": K31
    "three_way_tie": "nobody",  # or "lowest seat": B25
    "three_at_six_tie": "third",  # or "replay": T7
    "points_limit": 100,
    "points_to_win": 7,
    "radar_low": 80,
    "radar_high": 120,
    "computer_step": 5,
    "fuersorge_threshold": 3,
    "excuse_threshold": 3,
    "voyeur_cards": 5,
    "justice_tricks": 2,
    "weisheit_jacks": 40,
    "weisheit_nines": 30,
    "weisheit_fours": 20,
    "weisheit_five": 20,
    "weisheit_four": 10,
    "weisheit_three": 4,
    "weisheit_marriage": 4,
    "uses": {},  # by name, where it differs from USES
}

# Skat ranks the Ten above King, Queen and plain Jack. Rule: eidex K13.
SKAT_ORDER = {
    "trump": ["J", "9", "A", "10", "K", "Q", "8", "7", "6"],
    "plain": ["A", "10", "K", "Q", "J", "9", "8", "7", "6"],
    "Undenufe": ["6", "7", "8", "9", "J", "Q", "K", "10", "A"],
}


def in_order(cards):
    """Return cards as a list in the order of the deck."""
    return sorted(cards, key=DECK.index)


def is_animal(card):
    """Tell whether a card is an animal, that is Ravens or Eidex."""
    return suit_of(card) in ("R", "E")


@dataclass
class Laid:
    """One card of the trick on the table."""

    seat: int
    card: str
    is_hidden: bool = False
    has_value: bool = True  # False once the Feministin has withdrawn it, and for an Excuse


@dataclass
class Entry:
    """One trick, or the pot, in somebody's pile."""

    cards: list
    is_trick: bool = True


@dataclass
class Wishes:
    """What holds for one trick only."""

    swap: tuple = ()  # Jiu-Jitsu's two cards
    ultimo: bool = False
    ordered_suit: str | None = None  # Farbenfreund
    refused_for: int | None = None  # the seat from which the Schüchterne draws
    demanded: str | None = None  # Fahnder
    gift_to: int | None = None  # Fürsorge


@dataclass
class Table:
    """All the cards and declarations of one hand.

    Parameters
    ----------
    hands : list of set of str
        The three dealt hands, twelve cards each.
    dealer : int
        The dealer's seat; both bottom cards are his. Rule: eidex B4.
    upcard, second : str
        The face-up bottom card and the one above it.
    characters : list of str or None
        A name of `NAMES` for each seat, or None.
    standing : list of int
        The victory points before the hand.
    chance : object with ``below(n)``
        Returns the index of a card that is drawn blind.
    rules : dict
        What differs from `RULES`.
    """

    hands: list
    dealer: int
    upcard: str
    second: str
    characters: list
    standing: list
    chance: object
    rules: dict
    log: list = field(default_factory=list)
    seen: list = field(default_factory=lambda: [[], [], []])

    def __post_init__(self):
        if [len(hand) for hand in self.hands] != [12, 12, 12] or set().union(*self.hands) != set(DECK):
            raise ValueError("the hands are twelve cards each of one deck")
        if not {self.upcard, self.second} <= set(self.hands[self.dealer]) or self.upcard == self.second:
            raise ValueError("the two bottom cards are the dealer's")
        named = [name for name in self.characters if name is not None]
        if len(self.characters) != 3 or len(set(named)) != len(named) or not set(named) <= set(NAMES):
            raise ValueError("every seat has a character of its own, or None")
        unknown = set(self.rules) - set(RULES)
        if unknown:
            raise ValueError(f"unknown rules: {sorted(unknown)}")
        self.rules = {**RULES, **self.rules}
        self.left = {**USES, **self.rules["uses"]}
        self.hands = [set(hand) for hand in self.hands]
        self.pressed = [None, None, None]
        self.pushed_to = None  # the seat whose pressed card the Fledderer pushed
        self.trick = []
        self.aside = []  # Laid cards that the Konsumentenschutz has rejected in this trick
        self.piles = [[], [], []]
        self.hidden = set()  # face-down cards of the Sphinx that lie in trick, pot or pile
        self.pot = None  # list of potted cards while the Jackpot is open
        self.donated = None  # the pressed card that opened the Jackpot
        self.initiator = None
        self.named = None  # "H7" or "S7"
        self.mode = mode_of_upcard(self.upcard)
        self.is_skat = False
        self.is_schwarzpeter = False
        self.is_guggitaler = False
        self.devalued = None  # the suit that Black Friday empties
        self.revalued = None  # (card, "highest" or "lowest")
        self.limit = self.rules["points_limit"]
        self.announced = None  # Differenzler's number
        self.declared = 0  # Weisheit's sum
        self.adjustments = [0, 0, 0]
        self.direction = 1
        self.leader = (self.dealer + 1) % 3
        self.shown_lead = None  # the first lead as shown to the Seher
        self.laser_leads = False  # the Laser has still to draw the first lead
        self.justice_left = 0
        self.wishes = Wishes()
        self.winners = []  # per trick: who won it for the Match, or None
        self.taken = [0, 0, 0]  # tricks that came to each seat
        self.bonus_seat = None
        self.is_over = False
        for seat in SEATS:
            self.learn(seat, "holds", self.dealer, self.upcard)

    # Characters -----------------------------------------------------------

    def seat_of(self, name):
        """Return the seat of a character, None when nobody has it."""
        return self.characters.index(name) if name in self.characters else None

    def can_use(self, name):
        """Tell whether a character plays and has a use left."""
        return self.seat_of(name) is not None and self.left.get(name, 1) > 0

    def spend(self, name):
        """Count one use of a power."""
        if name in self.left:
            self.left[name] -= 1

    def from_seat(self, first):
        """Return the three seats in playing order from `first`."""
        return [(first + step * self.direction) % 3 for step in SEATS]

    def fellows(self, seat):
        """Return the two other seats, the right neighbour first."""
        return [(seat + 1) % 3, (seat + 2) % 3]

    # Questions and chance -------------------------------------------------

    def ask(self, seat, kind, options):
        """Yield one question and return its answer.

        A question with a single option is asked only where a player presses
        or plays a card, as in the base game.
        """
        options = [str(option) for option in options]
        if len(options) == 1 and kind not in ("press", "card"):
            return options[0]
        answer = yield seat, kind, options
        self.log.append(f"{seat} {kind}: {answer}")
        return answer

    def ask_yes(self, seat, kind):
        """Yield one question and tell whether the answer is yes."""
        answer = yield from self.ask(seat, kind, ["no", "yes"])
        return answer == "yes"

    def draw(self, cards):
        """Return a card drawn blind."""
        cards = in_order(cards)
        return cards[self.chance.below(len(cards))]

    # Knowledge ------------------------------------------------------------

    def learn(self, seat, *fact):
        """Note what one seat has learnt."""
        self.seen[seat].append(fact)

    def learn_all(self, *fact):
        """Note what everybody has learnt."""
        for seat in SEATS:
            self.learn(seat, *fact)

    def pass_card(self, card, giver, taker, is_public=False):
        """Move a card from hand to hand and note who saw it."""
        self.hands[giver].remove(card)
        self.hands[taker].add(card)
        for seat in SEATS:
            if is_public or seat in (giver, taker):
                self.learn(seat, "holds", taker, card)
            else:
                self.learn(seat, "unseen move", giver, taker)

    def bound_lead(self, seat):
        """Return the card that a seat has to lead since the Seher was shown it, or None. Rule: eidex K24."""
        return self.shown_lead if seat == self.leader and self.shown_lead in self.hands[seat] else None

    def free_cards(self, seat):
        """Return the cards of a hand without the lead that binds it."""
        return self.hands[seat] - {self.bound_lead(seat)}

    def open_cards(self):
        """Return the cards that have been played openly and lie on the table."""
        lying = [laid.card for laid in self.trick + self.aside]
        lying += [card for pile in self.piles for entry in pile for card in entry.cards]
        lying += self.pot or []
        return set(lying) - self.hidden - {self.donated}

    def unknown_to(self, seat):
        """Return the cards that are neither the seat's own nor openly played."""
        own = self.hands[seat] | {self.pressed[seat]}
        return [card for card in DECK if card not in own | self.open_cards()]

    # Values ---------------------------------------------------------------

    @property
    def trump(self):
        """The trump suit's letter, or None."""
        return trump_of_mode(self.mode)

    def value(self, card):
        """Return a card's current points. Rule: eidex K31, K34."""
        own = self._value_before_friday(card)
        if self.devalued is None:
            return own
        if suit_of(card) == self.devalued:
            return 0
        if suit_of(card) == "R":
            return own + self._value_before_friday(self.devalued + rank_of(card))
        return own

    def _value_before_friday(self, card):
        if self.is_guggitaler:
            return 4 if card == "SK" else int(suit_of(card) == "H")
        return points_of(card, self.mode)

    def bonus(self):
        """Return the points of the last trick; Guggitaler has none."""
        return 0 if self.is_guggitaler else LAST_TRICK_BONUS

    # Order ----------------------------------------------------------------

    def order(self, suit, is_skat=None):
        """Return the ranks of a suit, strongest first.

        Skat comes first, then the Umwerter's card moves to an end, then
        Jiu-Jitsu's two cards change places if they are neighbours.
        Rule: eidex K2, K13, K25.
        """
        if is_skat is None:
            is_skat = self.is_skat
        if not is_skat:
            ranks = strength_order(self.mode, suit)
        elif self.mode == "Undenufe":
            ranks = list(SKAT_ORDER["Undenufe"])
        else:
            ranks = list(SKAT_ORDER["trump" if suit == self.trump else "plain"])
        if self.revalued and suit_of(self.revalued[0]) == suit:
            card, end = self.revalued
            ranks.remove(rank_of(card))
            ranks.insert(0 if end == "highest" else len(ranks), rank_of(card))
        if self.wishes.swap and suit_of(self.wishes.swap[0]) == suit:
            first, second = (ranks.index(rank_of(card)) for card in self.wishes.swap)
            if abs(first - second) == 1:
                ranks[first], ranks[second] = ranks[second], ranks[first]
        return ranks

    def strongest(self, cards, is_skat=None):
        """Return the strongest of some cards of one suit."""
        ranks = self.order(suit_of(cards[0]), is_skat)
        return min(cards, key=lambda card: ranks.index(rank_of(card)))

    def best_laid(self, is_skat=None, counts_hidden=False):
        """Return the Laid that wins the trick as it lies.

        The strongest trump, else the strongest card of the led suit. Where
        the lead lost its value and nobody followed it, the first card that
        still counts sets the suit. Face-down cards count only on demand.
        Rule: eidex K9.
        """
        counting = [laid for laid in self.trick if laid.has_value and (counts_hidden or not laid.is_hidden)]
        suits = [suit_of(laid.card) for laid in counting]
        led = suit_of(self.trick[0].card)
        deciding = next(suit for suit in (self.trump, led, suits[0]) if suit in suits)
        best = self.strongest([laid.card for laid in counting if suit_of(laid.card) == deciding], is_skat)
        return next(laid for laid in counting if laid.card == best)

    # Legality -------------------------------------------------------------

    def legal(self, hand):
        """Return the cards of a hand that may be added to the trick.

        As in the base game; under Skat a trump on another lead is allowed
        only without the suit. A face-down trump is nobody's business, so
        only open trumps forbid undertrumping. Rule: eidex B10-B18, K13.
        """
        hand = set(hand)
        if not self.trick:
            return hand
        led = suit_of(self.trick[0].card)
        followers = {card for card in hand if suit_of(card) == led}
        if self.trump is None:
            return followers or hand
        trumps = {card for card in hand if suit_of(card) == self.trump}
        if led == self.trump:
            return hand if trumps <= {self.trump + "J"} else trumps
        if trumps == hand:
            return hand
        if followers and self.is_skat:
            return followers
        allowed = followers | trumps if followers else hand
        laid = [x.card for x in self.trick if suit_of(x.card) == self.trump and x.has_value and not x.is_hidden]
        if laid:
            best = self.strongest(laid)
            lower = {card for card in trumps if self.strongest([card, best]) == best}
            allowed = allowed - lower
        return allowed

    def excuses(self, hand):
        """Return the cards that only an Excuse allows. Rule: eidex K27, X9."""
        if not self.trick or not any(suit_of(card) == suit_of(self.trick[0].card) for card in hand):
            return set()
        led = suit_of(self.trick[0].card)
        return {
            card
            for card in hand - self.legal(hand)
            if suit_of(card) not in (led, self.trump) and self.value(card) <= self.rules["excuse_threshold"]
        }

    def impossible_beside(self, card):
        """Return the cards that nobody holds who lawfully adds `card` to the trick.

        For each other card: would `card` be illegal in a hand of these two?
        Then it is illegal in every larger hand too.
        """
        if suit_of(card) == suit_of(self.trick[0].card):
            return []
        return [other for other in DECK if other != card and card not in self.legal({card, other})]

    def may_press(self, seat, cards):
        """Return the cards that a seat may press. Rule: eidex K14, K31, K32."""
        allowed = set(cards)
        if self.is_schwarzpeter and not self.is_guggitaler:
            allowed.discard("RJ")
        if self.is_guggitaler or (self.rules["guggitaler_king"] == "barred" and self.seat_of("Guggitaler") is not None):
            allowed.discard("SK")
        if seat == self.initiator:
            allowed.discard(self.named)
        return in_order(allowed)

    # The end --------------------------------------------------------------

    def is_last_trick(self):
        """Tell whether nobody will hold a card after this trick."""
        return self.hands == [set(), set(), set()] and not self.aside

    def pile_cards(self, seat):
        """Return all the cards of a pile."""
        return [card for entry in self.piles[seat] for card in entry.cards]

    def card_points(self):
        """Return each seat's points so far, adjustments included."""
        points = list(self.adjustments)
        for seat in SEATS:
            points[seat] += sum(self.value(card) for card in self.pile_cards(seat))
            if self.pressed[seat] is not None:
                points[seat] += self.value(self.pressed[seat])
        if self.bonus_seat is not None:
            points[self.bonus_seat] += self.bonus()
        return points

    def match_seat(self):
        """Return who won every trick of a finished hand. Rule: eidex X11."""
        for seat in SEATS:
            if self.is_over and self.winners == [seat] * len(self.winners):
                return seat
        return None
