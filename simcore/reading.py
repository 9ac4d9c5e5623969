"""Reading data that people write: every error is a ValueError of one line that says what would be right."""

from collections.abc import Iterable
from typing import Any

from simcore.deck import Deck, nearest


def check_keys(data: Any, allowed: Iterable[str], where: str) -> None:
    """*data* is an object whose keys are all *allowed*."""
    allowed = tuple(allowed)
    if not isinstance(data, dict):
        raise ValueError(f"{where} is an object with {', '.join(allowed)}")
    for key in data:
        if key not in allowed:
            raise ValueError(f"{where} has no {key!r}{nearest(str(key), allowed)}; it may have {', '.join(allowed)}")


def whole_number(value: Any, low: int, high: int, where: str) -> int:
    """*value* as an integer from *low* to *high*."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{where} is {f'a whole number from {low} to {high}' if low < high else low}, not {value!r}")
    return value


def texts(value: Any, where: str) -> list[str]:
    """*value* as a list of texts of any length."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{where} is a list of texts, not {value!r}")
    return value


def list_of(value: Any, n: int, where: str) -> list:
    """*value* as a list of *n* things."""
    if not isinstance(value, list) or len(value) != n:
        raise ValueError(f"{where} is a list of {n}")
    return value


def disjoint_sets(deck: Deck, value: Any, n: int, where: str) -> list[int]:
    """*value* as *n* texts of cards, by seat, no card twice among them: their card sets."""
    sets, seen = [], 0
    for seat, text in enumerate(list_of(value, n, where)):
        if not isinstance(text, str):
            raise ValueError(f"{where} of seat {seat} is a text of cards like '{deck.names[0]} {deck.names[-1]}', not {text!r}")
        cards = int(deck.cards(text))
        if cards & seen:
            raise ValueError(f"{where}: {deck.text(cards & seen)} is there twice")
        seen |= cards
        sets.append(cards)
    return sets
