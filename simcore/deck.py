"""A deck as data: the names of its cards, and texts to card sets and back."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


def nearest(word: str, words: Iterable[str]) -> str:
    """``", did you mean X?"`` for the closest of *words*, or nothing."""
    by_lower = {known.lower(): known for known in words}
    found = difflib.get_close_matches(word.lower(), by_lower, 1, 0.6)
    return f", did you mean {by_lower[found[0]]}?" if found else ""


@dataclass(frozen=True)
class Deck:
    """Names of the cards; card ``c`` is bit ``c`` of a set and is called ``names[c]``."""

    names: tuple[str, ...]

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name.lower(): card for card, name in enumerate(self.names)}

    @property
    def all_cards(self) -> np.uint64:
        """The whole deck as a set."""
        return np.uint64((1 << len(self.names)) - 1)

    def card(self, text: str) -> int:
        """Index of the card called *text*, in any case. ValueError names the nearest card."""
        if not isinstance(text, str) or text.strip().lower() not in self._index:
            raise ValueError(f"no card {text!r}{nearest(str(text), self.names)}; cards are like {self.names[0]}, {self.names[-1]}")
        return self._index[text.strip().lower()]

    def cards(self, text: str | Iterable[str]) -> np.uint64:
        """Set of the cards in *text* (names between blanks or commas). ValueError for a card named twice."""
        cards = 0
        for name in text.replace(",", " ").split() if isinstance(text, str) else text:
            card = self.card(name)
            if cards >> card & 1:
                raise ValueError(f"{self.names[card]} is there twice")
            cards |= 1 << card
        return np.uint64(cards)

    def text(self, cards: int | np.uint64) -> str:
        """Names of the cards of a set, ascending."""
        return " ".join(name for card, name in enumerate(self.names) if int(cards) >> card & 1)
