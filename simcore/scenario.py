"""Deals that a person writes down, and deals of a run, played move by move with everything checked and told."""

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from simcore.bits import copy_record
from simcore.deck import nearest
from simcore.dispatch import game_of
from simcore.engine import Experiment, choose_move, deal_out
from simcore.games import GAMES
from simcore.protocol import (
    effective_rules,
    is_over,
    kind,
    legal_moves,
    measure,
    n_seats,
    play,
    seat_to_act,
    settle,
    standing,
    start,
    winners,
)
from simcore.reading import check_keys, texts, whole_number

COMMON_KEYS = ("game", "rules", "players", "position", "moves")
MAX_MOVES = 10_000


@dataclass
class Replay:
    """A deal that has been played up to some point."""

    lines: list[str]  # the transcript
    events: list[str] = field(default_factory=list)  # every move, and what it brought about
    over: bool = False
    seat: int | None = None  # who is to act
    legal: list[str] = field(default_factory=list)
    result: dict[str, Any] = field(default_factory=dict)


def find_game(name: str) -> ModuleType:
    """The game called *name*. ValueError names the nearest."""
    for game in GAMES:
        if game.NAME == name:
            return game
    names = [game.NAME for game in GAMES]
    raise ValueError(f"no game {name!r}{nearest(str(name), names)}; games are {', '.join(names)}")


def with_characters(game: ModuleType) -> ModuleType:
    """The game that is *game* played with characters. ValueError when there is none."""
    for other in GAMES:
        if hasattr(other, "LABELS") and game.NAME in (other.NAME, other.BASE):
            return other
    raise ValueError(f"{game.NAME} has no characters")


def character_name(game: ModuleType, text: str) -> str:
    """Name of a character as the command line spells it: in any case, with umlauts or without. ValueError names the nearest."""
    name = text.strip().lower().replace(" ", "_").replace("-", "_").replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    if name not in (*game.LABELS, "random", "none"):
        raise ValueError(f"no character {text!r}{nearest(name, game.LABELS)}; `cosmic characters` lists them")
    return name


def load_state(data: Any, may_hide: bool = False) -> np.ndarray:
    """State that a scenario (a deal or a position) describes, before its moves; records of shape (1,). ValueError in one line.

    With *may_hide*, what the seat to act in a position cannot see may be null: some cards that may be there are put in its place.
    """
    if not isinstance(data, dict) or "game" not in data:
        raise ValueError('a scenario is an object with at least "game" and "hands" or "position"')
    game = find_game(data["game"])
    position = data.get("position")
    if "characters" in data or (isinstance(position, dict) and "characters" in position):
        game = with_characters(game)
    check_keys(data, (*COMMON_KEYS, *game.DEAL_KEYS), "a scenario")
    rules = data.get("rules", {})
    check_keys(rules, [switch.name for switch in game.SWITCHES], "rules")
    seats = whole_number(data.get("players", game.PLAYERS[0]), min(game.PLAYERS), max(game.PLAYERS), "players")
    states = np.zeros(1, game.STATE)
    start(states[0], effective_rules(game.SWITCHES, rules)[0], seats, 0)
    if "position" in data:
        if extra := [key for key in data if key in game.DEAL_KEYS]:
            raise ValueError(f"a scenario has a deal or a position, not both: {', '.join(extra)} belongs inside the position")
        game.read_position(states[0], data["position"], may_hide)
    else:
        game.read_deal(states[0], data)
    return states


def replay(data: Any) -> Replay:
    """Play the moves of a scenario by the rules.

    A decision that may be declined is declined by itself when the next move does not answer it. ValueError tells the number of an illegal
    move, the decision asked and the legal moves.
    """
    return _play_moves(data, load_state(data)).finish()


def play_to(data: Any, may_hide: bool = False) -> np.ndarray:
    """State after the moves of a scenario; records of shape (1,). See `load_state` and `replay`."""
    return _play_moves(data, load_state(data, may_hide)).states


def _play_moves(data: dict[str, Any], states: np.ndarray) -> "_Teller":
    moves = texts(data.get("moves", []), "moves")
    if len(moves) > MAX_MOVES:
        raise ValueError(f"moves is a list of at most {MAX_MOVES} texts")
    teller = _Teller(states)
    for number, text in enumerate(moves, 1):
        teller.play(_next_move(teller, number, text))
    return teller


def _next_move(teller: "_Teller", number: int, text: str) -> int:
    """Move number *number*, after declining what it does not answer."""
    state, game = teller.states[0], teller.game
    while True:
        if is_over(state):
            raise ValueError(f"move {number} ({text}): the deal is over")
        try:
            move = game.parse_move(state, text)
            if int(legal_moves(state)) >> move & 1:
                return move
            problem = "is not legal"
        except ValueError as error:
            problem = str(error)
        declined = game.decline_move(state)
        if declined is None:
            asked = f"seat {seat_to_act(state)} is to {game.decision_text(state)}"
            raise ValueError(f"move {number} ({text}) {problem}: {asked}; legal: {', '.join(_legal_texts(state))}")
        teller.play(declined)


def transcript(experiment: Experiment, unit: int, number: int = 0) -> list[str]:
    """Lines of deal *number* (from 0) of a unit of *experiment*. ValueError when the match was over before."""
    tables = deal_out(experiment, unit, number)
    table, state = tables[0], tables["deal"][0]
    seating = experiment.seatings[unit % len(experiment.seatings)]
    players = ", ".join(f"{seat} {experiment.policies[player]}" for seat, player in enumerate(seating))
    title = f"{experiment.game.TITLE}, seed {experiment.seed}, unit {unit}, deal {number}: seats {players}"
    before = _standing_line(state)
    teller = _Teller(tables["deal"], title)
    while not is_over(state):
        teller.play(int(choose_move(table)))
    lines = teller.finish().lines
    if not experiment.is_match:
        return lines
    settle(state)
    won = int(winners(state))
    names = " and ".join(f"seat {seat}" for seat in range(experiment.n_seats) if won >> seat & 1)
    return [lines[0], before, *lines[1:], _standing_line(state), *([f"the {experiment.game.MATCH} is won by {names}"] if won else [])]


def _standing_line(state) -> str:
    text = game_of(state.dtype).STANDING.text.split(",")[0]
    return f"{text}: {' '.join(str(standing(state, seat)) for seat in range(n_seats(state)))}"


def _legal_texts(state) -> list[str]:
    moves = int(legal_moves(state))
    return [game_of(state.dtype).move_text(state, move) for move in range(64) if moves >> move & 1]


class _Teller:
    """Plays moves on a state and tells them: one line for the moves up to each event."""

    def __init__(self, states: np.ndarray, title: str = "") -> None:
        self.states = states
        self.before = states.copy()
        self.game = game_of(states.dtype)
        self.lines = [title] if title else [self.game.TITLE]
        self.lines += self.game.deal_lines(states[0])
        self.events: list[str] = []
        self.row: list[str] = []

    def play(self, move: int) -> None:
        state = self.states[0]
        text = f"{seat_to_act(state)} {self.game.move_text(state, move)}"
        copy_record(self.before[0], state)
        play(state, np.uint64(move))
        happened = self.game.narrate(self.before[0], move, state)
        self.row.append(text)
        self.events += [text, *happened]
        if happened:
            self._end_row("; ".join(happened))

    def _end_row(self, happened: str) -> None:
        moves = " · ".join(self.row)
        self.lines.append(f"  {moves:<28}  {happened}".rstrip())
        self.row = []

    def finish(self) -> Replay:
        state = self.states[0]
        if self.row:
            self._end_row("")
        if not is_over(state):
            seat, legal = int(seat_to_act(state)), _legal_texts(state)
            self.lines.append(f"seat {seat} is to {self.game.decision_text(state)}: {', '.join(legal)}")
            return Replay(self.lines, self.events, False, seat, legal)
        result = result_of(state)
        self.lines += [f"{name.replace('_', ' ')}: {_result_text(value)}" for name, value in result.items()]
        return Replay(self.lines, self.events, True, result=result)


def _result_text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def result_of(state) -> dict[str, Any]:
    """Figures of a finished deal by name: the kind, each figure of the deal, and for each seat's figure a list by seat."""
    game = game_of(state.dtype)
    whole = np.zeros(len(game.DEAL_MEASURES), np.int32)
    by_seat = np.zeros((n_seats(state), len(game.SEAT_MEASURES)), np.int32)
    measure(state, whole, by_seat)
    result: dict[str, Any] = {"kind": game.KINDS[int(kind(state))]}
    result |= {m.name: int(value) for m, value in zip(game.DEAL_MEASURES, whole, strict=True) if not _is_by_seat(game, m.name)}
    result |= {m.name: by_seat[:, k].tolist() for k, m in enumerate(game.SEAT_MEASURES)}
    return result


def _is_by_seat(game: ModuleType, name: str) -> bool:
    return any(m.name == name for m in game.SEAT_MEASURES)
