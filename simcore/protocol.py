"""What a game is: the functions and the data that each game's module supplies.

A state is one numpy record. Every decision is one bit of a uint64: ``legal_moves`` is the set of open bits and a move
is the index of one of them (a card, a card to press, a bid, "yes", a seat, a suit, a number). Whatever understands
these functions works for every game: random play, search, perft, transcripts, statistics.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simcore.dispatch import by_state
from simcore.jit import source_hash

# Data and Python functions that a game's module has besides the kernels below.
#   NAME            lower case, as on the command line
#   TITLE           for people
#   RULES_VERSION   int, raised whenever the same seed may give another result
#   STATE           record dtype, from `record`
#   SWITCHES        tuple of Switch: the rule switches
#   PLAYERS         tuple of the possible numbers of seats, the default first
#   KINDS           names of the kinds of deal that statistics are split by (trump suit, contract)
#   DEAL_MEASURES   tuple of Measure: figures of a deal as a whole
#   SEAT_MEASURES   tuple of Measure: figures of each seat; the first is the game's own unit
#   STANDING        Measure of a seat's score in a match
#   MATCH           name of a match ("tournament"), for people
#   values(rules)                  array that `utility` may need for play in a match; float64, 1-D
#   DEAL_KEYS       keys of a scenario that describe its deal
#   move_text(state, move)         the move as a transcript prints it
#   parse_move(state, text)        its inverse; ValueError says what would be right
#   decision_text(state)           what is asked, e.g. "press a card"
#   decline_move(state)            the move that declines what is asked, or None where one must answer
#   read_deal(state, data)         set up a person's deal from a scenario; ValueError in one line
#   write_deal(state)              its inverse, right after `deal`
#   read_position(state, data, may_hide)  set up a person's position in mid-deal, hidden parts null if allowed; ValueError in one line
#   write_position(state)          its inverse
#   deal_lines(state)              opening lines of a transcript
#   narrate(before, move, after)   what a move has brought about (a trick taken), for people; mostly nothing
# And what it may have:
#   OWN_POLICIES    tuple of OwnPolicy: players of its own beside those of `simcore.policies`; with `own_move` below
#   plausible_moves(state, moves, word), strip(world)  see below
#   definitions()   what a user has defined for the game, as JSON data for run.json; define(data) is its inverse
# and where the seats are given something for a whole match (a character), for statistics by it:
#   LABELS           its names
#   LABEL_MEASURE    figure of a seat that holds its number in LABELS, from 1, or 0
#   USE_MEASURE      figure of a seat that tells whether it was used
#   labels_in_play(rules)   numbers of those that may come up
#   MUTE_RULE        rule that takes a player's label away: "nobody", or the player's number
# and for `estimate`:
#   insight(state)                 lines of what the seat to act in a position may conclude
#   worth_trying(state)            set of the moves that are tried, where some are legal but senseless
#   hint(state, move)              what to say of a move behind its text
#   unit_bounds(state)             least and most of its own unit that a seat can still get in the deal; else the bounds of the measure
#   open_values(states, moves)     what each move is worth when all cards are open, by best play of both sides, see `simcore.estimate`
#   OPEN_NOTE                      in what these values are not exact
#   hand_features(hands, moves)    what a table of opening hands is sorted by, columns by name, from arrays of hands and of first moves
#   HAND_CONDITION                 measure of a seat without which a deal does not belong in that table
ATTRIBUTES = (
    "NAME TITLE RULES_VERSION STATE SWITCHES PLAYERS KINDS DEAL_MEASURES SEAT_MEASURES STANDING MATCH DEAL_KEYS values move_text "
    "parse_move decision_text decline_move read_deal write_deal read_position write_position deal_lines narrate"
).split()


# More choices than these are not listed in a line.
_MANY = 8


@dataclass(frozen=True)
class Switch:
    """A rule that may be set: an integer between two bounds, or one of some named choices."""

    name: str
    default: int | str
    text: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The allowed values, for people."""
        if len(self.choices) > _MANY:
            return f"{' | '.join(self.choices[:3])} | ... ({len(self.choices)} names)"
        return " | ".join(self.choices) if self.choices else f"{self.low}..{self.high}"

    def encode(self, value: int | str) -> int:
        """*value* as the integer in a rules record. ValueError when it is not allowed."""
        if self.choices:
            if value not in self.choices:
                from simcore.deck import nearest

                raise ValueError(f"rule {self.name} is {self.allowed}, not {value!r}{nearest(str(value), self.choices)}")
            return self.choices.index(str(value))
        if not re.fullmatch(r"-?[0-9]{1,18}", str(value)):
            raise ValueError(f"rule {self.name} is a whole number in {self.allowed}, not {value!r}")
        number = int(value)
        if not self.low <= number <= self.high:
            raise ValueError(f"rule {self.name} is in {self.allowed}, not {number}")
        return number

    def decode(self, number: int) -> int | str:
        """Inverse of `encode`."""
        return self.choices[number] if self.choices else int(number)

    def text_of(self, number: int) -> str:
        """The value, for people."""
        return str(self.decode(number))


@dataclass(frozen=True)
class Measure:
    """An integer figure of a deal or of a seat in it, between two bounds (both included)."""

    name: str
    low: int
    high: int
    text: str
    is_cost: bool = False  # whether less of it is better

    @property
    def is_rate(self) -> bool:
        """Whether its mean is a share of deals."""
        return (self.low, self.high) == (0, 1)


@dataclass(frozen=True)
class OwnPolicy:
    """A policy of one game, which may have a number, as in ``name:60``.

    Its place k in the game's ``OWN_POLICIES`` and its number make the number that `own_move` gets: ``OWN_STEP * k``, and one more than the
    number written behind the name if there is one. One called ``basic`` stands for that of all games, whose kernel number 0 is.
    """

    name: str
    text: str
    letter: str = ""  # what the number is called, "" for none
    low: int = 0
    high: int = 0


OWN_STEP = 1024


def rules_dtype(switches: tuple[Switch, ...]) -> np.dtype:
    """Record dtype with one int32 per rule switch."""
    return np.dtype((np.record, [(switch.name, "i4") for switch in switches]))


def record(*fields: tuple) -> np.dtype:
    """State dtype of the game in whose package this is called, from ``(name, dtype[, shape])`` fields.

    A last field of one byte is named after a hash of the sources beside the caller: it gives each game a dtype of its own, by
    which kernels are dispatched, and it keys their disk cache for games that live outside this package.
    """
    file = Path(sys._getframe(1).f_code.co_filename)
    files = [file] if not (file.parent / "__init__.py").exists() else file.parent.rglob("*.py")
    layout = np.dtype([*fields, (f"rules_{source_hash(files)}", "i1")], align=True)
    return np.dtype((np.record, layout))


def effective_rules(switches: tuple[Switch, ...], given: dict[str, Any]) -> np.ndarray:
    """Rules record (shape (1,)) with the *given* switches set and the others at their defaults.

    Raises ValueError for an unknown switch or a value out of range.
    """
    from simcore.deck import nearest

    names = [switch.name for switch in switches]
    for name in given:
        if name not in names:
            raise ValueError(f"no rule {name!r}{nearest(name, names)}; the rules are {', '.join(names)}")
    rules = np.zeros(1, rules_dtype(switches))
    for switch in switches:
        rules[switch.name] = switch.encode(given.get(switch.name, switch.default))
    return rules


@by_state
def start(state, rules, seats, dealer):
    """Clear *state* for a match: rules (a record), seats at the table, first dealer, standing 0."""


@by_state
def n_seats(state):
    """Number of seats at the table."""


@by_state
def deal(state, key):
    """Shuffle and deal; everything random of this deal comes from the stream that starts at *key* (uint64)."""


@by_state
def seat_to_act(state):
    """Seat that decides now. Unchecked: the deal is not over."""


@by_state
def legal_moves(state):
    """Moves open to the seat to act, a uint64 set, never empty. Unchecked: the deal is not over."""


@by_state(inline=True)
def play(state, move):
    """Carry out *move* for the seat to act. Unchecked: it is one of the legal moves."""


@by_state
def is_over(state):
    """Whether the deal is finished."""


@by_state
def kind(state):
    """Index into ``KINDS`` of a finished deal."""


@by_state
def measure(state, deal_out, seat_out):
    """Write the figures of a finished deal: int32 arrays of shapes (deal measures,) and (seats, seat measures)."""


@by_state
def points_so_far(state, seat):
    """Points that *seat* has taken in the deal up to now."""


@by_state
def settle(state):
    """Add a finished deal to the standing of the match and pass the deal on."""


@by_state
def winners(state):
    """Set of seats that have won the match; empty while it goes on."""


@by_state
def standing(state, seat):
    """Score of *seat* in the match."""


@by_state
def deal_limit(state):
    """Number of deals after which a match ends without a winner."""


@by_state
def determinize(state, seat, key, world):
    """Write into *world* a copy of *state* with all that *seat* does not know drawn anew, consistent with all it knows.

    Every consistent place of the hidden cards is equally likely. The draw uses the stream that starts at *key*, which also
    becomes the world's source of chance.
    """


@by_state
def utility(state, seat, values):
    """What the finished deal is worth to *seat*, float64; *values* as the game's ``values`` made it, empty for a single deal."""


@by_state(is_optional=True)
def win_chance(state, seat, values):
    """Chance of *seat* to win the match from its standing between two deals, float64; nan where the game cannot tell."""
    return np.nan


@by_state
def playout_move(state, word, has_sense):
    """Move for the playouts of a search: uniformly random, or with a little sense at the same price; *word* is 64 random bits."""


@by_state(is_optional=True)
def finish(state, n_worlds):
    """Bring the deal to the end that best play with open cards gives it, if few cards are left and the game can; whether it has.

    *n_worlds* is the number of worlds of the search that asks: the more of them, the more this may cost.
    """
    return False


@by_state
def basic_move(state, word):
    """Move by the game's own rules of thumb for the seat to act; *word* is 64 random bits for tie-breaks."""


@by_state(is_optional=True)
def cast(state, seating, key):
    """Give the seats what they have for a whole match beside the cards (characters), for the players in *seating*.

    Drawn from the stream that starts at *key*. Most games have nothing of the kind.
    """
    return


@by_state(is_optional=True)
def own_move(state, number, word):
    """Move by the game's own policy of this *number*, see `OwnPolicy`; number 0 is `basic_move`."""
    return basic_move(state, word)


@by_state(is_optional=True)
def strip(world):
    """Leave out of a *world* that is only played out what its players would do to learn more. Most games have nothing of the kind."""
    return


@by_state(is_optional=True)
def plausible_moves(state, moves, word):
    """Those of *moves* that a search tries: a game may leave out what it takes for no better; uint64 set, not empty.

    *word* is 64 random bits for tie-breaks.
    """
    return moves
