"""One hand with characters, driven by questions and answers."""

from reference.characters.after import after_the_last_trick, gains, standing_after
from reference.characters.before import before_the_first_lead
from reference.characters.table import SEATS, Table
from reference.characters.tricks import play_all_tricks
from reference.eidex import DECK


def whole_hand(t):
    """Ask every question of a hand, from the deal to the adjustments."""
    yield from before_the_first_lead(t)
    yield from play_all_tricks(t)
    t.is_over = True
    yield from after_the_last_trick(t)


class Hand:
    """One hand of Cosmic Eidex with characters.

    Parameters
    ----------
    hands : list of set of str
        The three dealt hands.
    dealer : int
        The dealer's seat.
    upcard, second : str
        The bottom card and the one above it, both the dealer's.
    characters : list of str or None
        Three names of `NAMES`, or None.
    chance : object with ``below(n)``
        Source of the blind draws.
    standing : list of int
        The victory points before the hand.
    rules : dict
        What differs from `RULES`.
    """

    def __init__(self, hands, dealer, upcard, second, characters, chance, standing=(0, 0, 0), rules=None):
        self.table = Table(hands, dealer, upcard, second, list(characters), list(standing), chance, rules or {})
        self._questions = whole_hand(self.table)
        self._decision = None
        self._checked_worth = None
        self._advance(None)

    @property
    def log(self):
        """The events so far, one text each."""
        return self.table.log

    @property
    def seen(self):
        """The facts that each seat has learnt."""
        return self.table.seen

    def _advance(self, answer):
        try:
            self._decision = self._questions.send(answer)
        except StopIteration:
            self._decision = None
        self.check()

    def over(self):
        """Tell whether the hand is finished."""
        return self._decision is None

    def decision(self):
        """Return the seat, the kind and the options of the next question."""
        return self._decision

    def choose(self, option):
        """Answer the next question.

        Raises
        ------
        ValueError
            When the hand is over or the option is not offered.
        """
        if self.over() or option not in self._decision[2]:
            raise ValueError(f"{option} is not offered: {self._decision}")
        self._advance(option)

    def card_points(self):
        """Return each seat's points so far."""
        return self.table.card_points()

    def match_seat(self):
        """Return who won every trick, or None."""
        return self.table.match_seat()

    def result(self):
        """Return the victory points of the finished hand at standing 0:0:0."""
        if not self.over():
            raise ValueError("the hand is not over")
        return gains(self.table)

    def standing_after(self):
        """Return the standing after the hand and the winner of the tournament, if any."""
        if not self.over():
            raise ValueError("the hand is not over")
        return standing_after(self.table)

    def check(self):
        """Assert what holds under all powers. Rule: eidex X12."""
        t = self.table
        places = [card for hand in t.hands for card in hand]
        places += [card for card in t.pressed if card is not None]
        places += [laid.card for laid in t.trick]
        places += [laid.card for laid in t.aside]
        places += t.pot or []
        places += [card for seat in SEATS for card in t.pile_cards(seat)]
        assert len(set(places)) == len(places) == 36, "every card is in one place"

        total = 13 if t.is_guggitaler else 157
        worth = (t.mode, t.is_guggitaler, t.devalued)
        if worth != self._checked_worth:
            assert sum(t.value(card) for card in DECK) + t.bonus() == total, "the values add up"
            self._checked_worth = worth
        if self._decision is not None:
            _, _, options = self._decision
            assert 1 <= len(options) == len(set(options)) <= 64, "between one and 64 answers"
        else:
            assert sum(self.card_points()) == total + sum(t.adjustments), "the points add up"
            assert sorted(self.result()) in ([0, 1, 1], [0, 0, 2], [0, 0, 0]), "the victory points are as listed"
