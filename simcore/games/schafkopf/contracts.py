"""The bids as data: what may be bid, what is trump, and what is paid are columns of one row each."""

from dataclasses import dataclass

import numpy as np

from simcore.games.schafkopf.cards import HEARTS, N_SEATS, SUITS, WENZ

KINDS = ("all pass", "Rufer", "Wenz", "Solo", "Wenz Tout", "Solo Tout", "Sie")
PASSED, RUFER, WENZ_KIND, SOLO, WENZ_TOUT, SOLO_TOUT, SIE = range(len(KINDS))
NO_SUIT = 4


@dataclass(frozen=True)
class Bid:
    """One bid: its kind (which alone outranks), the suit that it names (of the called ace, or trump) and the mode it is played in."""

    kind: int
    suit: int
    mode: int

    @property
    def text(self) -> str:
        """The bid as a transcript prints it."""
        return "pass" if self.kind == PASSED else KINDS[self.kind] + (f" {SUITS[self.suit]}" if self.suit != NO_SUIT else "")


# A bid is a move: its index here is the bit in the set of legal moves.  Rule: schafkopf S1
BIDS = (
    Bid(PASSED, NO_SUIT, HEARTS),
    *(Bid(RUFER, suit, HEARTS) for suit in range(4) if suit != HEARTS),
    Bid(WENZ_KIND, NO_SUIT, WENZ),
    *(Bid(SOLO, suit, suit) for suit in range(4)),
    Bid(WENZ_TOUT, NO_SUIT, WENZ),
    *(Bid(SOLO_TOUT, suit, suit) for suit in range(4)),
    Bid(SIE, NO_SUIT, HEARTS),
)
PASS = 0
SIE_BID = len(BIDS) - 1
BID_TEXTS = tuple(bid.text for bid in BIDS)
KIND_OF = np.array([bid.kind for bid in BIDS], np.uint8)
SUIT_OF = np.array([bid.suit for bid in BIDS], np.uint8)
MODE_OF = np.array([bid.mode for bid in BIDS], np.uint8)


def bids_of(kind: int) -> np.uint64:
    """All bids of a kind, as a set."""
    return np.uint64(sum(1 << move for move, bid in enumerate(BIDS) if bid.kind == kind))


# HIGHER[bid]: pass, and the bids of higher kinds.
HIGHER = np.array([1 | sum(1 << move for move, other in enumerate(BIDS) if other.kind > bid.kind) for bid in BIDS], np.uint64)
WENZ_BIDS = bids_of(PASSED) | bids_of(WENZ_KIND) | bids_of(WENZ_TOUT)  # what every hand may bid

# What is paid, by kind: the rule switch of the base, least number of Laufende that count, what multiplies each of them.
LAUFENDE_MINIMUM = np.array([0, 3, 2, 3, 2, 3, 3], np.int64)
LAUFENDE_FACTOR = np.array([0, 1, 1, 1, 2, 2, 4], np.int64)
IS_TOUT = np.array([False, False, False, False, True, True, False])
N_PAYERS = N_SEATS - 1
