"""The language of secret rules: from texts to which cards are right.

A rule has up to three texts. *then* says what the next card must be: one requirement, or several of them joined by ``and`` or by ``or``.
With *when*, a condition on the row as it lies, *then* holds if the condition does and *otherwise* if not. Conditions on the last card alone
melt into the table of the rule; the others, on the last two or three cards or on the length of the row, are *features* of the row, so that
a rule is an automaton whose state is one feature: for each value of it and each last card, the set of cards that are right.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from simcore.deck import nearest
from simcore.games.eleusis.cards import N_RANKS, N_TYPES, SUITS

_CARDS = np.arange(N_TYPES)
_SUIT = _CARDS // N_RANKS
_VALUE = _CARDS % N_RANKS + 1
_RED = (_SUIT == SUITS.index("H")) | (_SUIT == SUITS.index("D"))
_ODD = _VALUE % 2 == 1
_LOW = _VALUE <= 7
_FACE = _VALUE > 10

# Requirements on the card alone: bool (52,).
_ALONE = {
    "red": _RED,
    "black": ~_RED,
    "spades": _SUIT == 0,
    "hearts": _SUIT == 1,
    "diamonds": _SUIT == 2,
    "clubs": _SUIT == 3,
    "odd": _ODD,
    "even": ~_ODD,
    "low": _LOW,
    "high": ~_LOW,
    "face": _FACE,
    "number": ~_FACE,
}


def _beside(relation: Callable, of: np.ndarray) -> np.ndarray:
    """Requirement that compares the last card (first axis) with the next one (second axis); bool (52, 52)."""
    return relation(of[:, None], of[None, :])


_STEP = (_VALUE[None, :] - _VALUE[:, None]) % N_RANKS
_APART = np.abs(_VALUE[None, :] - _VALUE[:, None])
_ORDERS = ("SHDC", "SHCD", "SDHC", "SDCH", "SCHD", "SCDH")


def _next_suit(order: str) -> np.ndarray:
    place = np.array([order.index(suit) for suit in SUITS])[_SUIT]
    return (place[None, :] - place[:, None]) % len(SUITS) == 1


REQUIREMENTS: dict[str, np.ndarray] = (
    {text: np.broadcast_to(cards, (N_TYPES, N_TYPES)) for text, cards in _ALONE.items()}
    | {
        "same colour": _beside(np.equal, _RED),
        "other colour": _beside(np.not_equal, _RED),
        "same suit": _beside(np.equal, _SUIT),
        "other suit": _beside(np.not_equal, _SUIT),
        "same parity": _beside(np.equal, _ODD),
        "other parity": _beside(np.not_equal, _ODD),
        "same half": _beside(np.equal, _LOW),
        "other half": _beside(np.not_equal, _LOW),
        "same value": _beside(np.equal, _VALUE),
        "other value": _beside(np.not_equal, _VALUE),
        "higher": _beside(np.less, _VALUE),
        "lower": _beside(np.greater, _VALUE),
        "not higher": _beside(np.greater_equal, _VALUE),
        "not lower": _beside(np.less_equal, _VALUE),
    }
    | {f"next suit in {order}": _next_suit(order) for order in _ORDERS}
    | {f"up 1 to {n}": (_STEP >= 1) & (_STEP <= n) for n in range(1, 7)}
    | {f"down 1 to {n}": _STEP >= N_RANKS - n for n in range(1, 7)}
    | {f"at most {n} apart": _APART <= n for n in range(1, 7)}
    | {f"at least {n} apart": _APART >= n for n in range(2, 8)}
)
# Conditions on the last card: bool (52,).
LAST = {"last is red": _RED, "last is odd": _ODD, "last is low": _LOW, "last is face": _FACE}
# Conditions on the row before: their number is the bit of the feature; bit 0 always holds. The first ones, by the length of the row; then
# those of the last two cards; then runs, each with the pair that makes it.
_BY_LENGTH = {"after every second card": 2, "after every third card": 3, "after every fourth card": 4}
_BY_PAIR = {
    "last two same colour": _beside(np.equal, _RED),
    "last two same suit": _beside(np.equal, _SUIT),
    "last two same parity": _beside(np.equal, _ODD),
    "last two same half": _beside(np.equal, _LOW),
    "last rose": _beside(np.less, _VALUE),
    "last fell": _beside(np.greater, _VALUE),
    "last two at most 3 apart": _APART <= 3,
    "one before red": np.broadcast_to(_RED[:, None], (N_TYPES, N_TYPES)),
    "one before odd": np.broadcast_to(_ODD[:, None], (N_TYPES, N_TYPES)),
    "one before low": np.broadcast_to(_LOW[:, None], (N_TYPES, N_TYPES)),
}
_BY_RUN = {"last three same colour": "last two same colour", "last three same parity": "last two same parity"}
ALWAYS = "always"
FEATURES = (ALWAYS, *_BY_LENGTH, *_BY_PAIR, *_BY_RUN)
CYCLE = 12  # rows whose lengths differ by this look alike to all conditions by length


def _bit_of(feature: str) -> int:
    return 1 << FEATURES.index(feature)


# Features by the length of the row, uint64 (CYCLE,); and by the last two cards, uint64 (52, 52).
LENGTH_FEATURES = np.array(
    [_bit_of(ALWAYS) + sum(_bit_of(text) for text, n in _BY_LENGTH.items() if length % n == 0) for length in range(CYCLE)], np.uint64
)
PAIR_FEATURES = sum(np.uint64(_bit_of(text)) * holds.astype(np.uint64) for text, holds in _BY_PAIR.items())
# A run goes on where the pair before was alike and the new one is.
RUNS = tuple((np.uint64(_bit_of(pair)), np.uint64(_bit_of(text))) for text, pair in _BY_RUN.items())


@dataclass(frozen=True)
class Rule:
    """A secret rule as its texts; *name* is how it is called."""

    name: str
    then: str
    when: str = ""
    otherwise: str = ""

    @property
    def text(self) -> str:
        """The rule in plain words."""
        if not self.when:
            return f"next card: {self.then}"
        return f"if {self.when}: {self.then}; else: {self.otherwise}"

    @property
    def feature(self) -> int:
        """Number of the feature that chooses between *then* and *otherwise*; 0 where there is none."""
        return FEATURES.index(self.when) if self.when in FEATURES else 0

    @property
    def size(self) -> int:
        """How complicated it is: the number of requirements, one more for a condition on the last card, two for one on the row."""
        parts = [part for text in (self.then, self.otherwise) if text for part in re.split(" and | or ", text)]
        return len(parts) + (2 if self.feature else 1 if self.when else 0)

    def tables(self) -> np.ndarray:
        """Whether each card is right after each last card, where the feature holds and where not; bool (2, 52, 52), last card first.

        ValueError for a text that is not in the language.
        """
        then = _read(self.then, "then")
        if not self.when:
            if self.otherwise:
                raise ValueError("otherwise needs a when")
            return np.stack([then, then])
        if not self.otherwise:
            raise ValueError("when needs an otherwise: what holds if the condition does not")
        otherwise = _read(self.otherwise, "otherwise")
        if self.when in LAST:
            both = np.where(LAST[self.when][:, None], then, otherwise)
            return np.stack([both, both])
        if self.when not in FEATURES[1:]:
            known = (*LAST, *FEATURES[1:])
            raise ValueError(f"when is no {self.when!r}{nearest(self.when, known)}; it is one of: {', '.join(known)}")
        return np.stack([then, otherwise])


@functools.cache
def _read(text: str, where: str) -> np.ndarray:
    """Table of an expression; bool (52, 52)."""
    words = [word for word in ("and", "or") if f" {word} " in text]
    if len(words) == 2:
        raise ValueError(f"{where} joins its parts by 'and' or by 'or', not by both: {text!r}")
    parts = text.split(f" {words[0]} ") if words else [text]
    for part in parts:
        if part not in REQUIREMENTS:
            raise ValueError(f"{where} has no {part!r}{nearest(part, REQUIREMENTS)}; requirements are: {', '.join(REQUIREMENTS)}")
    tables = [REQUIREMENTS[part] for part in parts]
    return np.logical_or.reduce(tables) if words == ["or"] else np.logical_and.reduce(tables)
