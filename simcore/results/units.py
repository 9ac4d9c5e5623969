"""Rows of whole units, deals or matches: what is known of each player, and of the same unit without a player's power."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from simcore.engine import N_FIXED, N_MATCH_FIXED, UNIT, Experiment, play_units
from simcore.tally import labelling_of


def muted_players(experiment: Experiment) -> tuple[int, ...]:
    """Players whose power is taken away, one after the other, to see what it is worth.

    Where the labels are drawn one player is as good as another, and a player who has been given a label goes first; where all are given,
    each in turn.
    """
    labelling = labelling_of(experiment)
    is_given = labelling is not None and len(labelling.names) == experiment.n_seats
    return tuple(range(experiment.n_seats)) if is_given else (0,)


def without_power(experiment: Experiment, player: int) -> Experiment:
    """The same cards and labels with the power of one player taken away."""
    rules = experiment.rules.copy()
    switch = next(s for s in experiment.game.SWITCHES if s.name == experiment.game.MUTE_RULE)
    rules[switch.name] = switch.encode(str(player))
    return replace(experiment, rules=rules)


def units_frame(
    experiment: Experiment, first: int, deals: np.ndarray, matches: np.ndarray, has_muted: bool, tables: np.ndarray
) -> pd.DataFrame:
    """A row for each unit, from the figures that `play_units` returned for the units from *first*.

    Columns ``unit``, ``seating``, ``hands`` of the unit and ``matches`` among them; for each player its ``label`` (0 for none), its
    ``score`` (1 for a match won, or the victory points of a single deal), ``points`` and ``uses`` in all hands; and with *has_muted*
    ``muted_score`` of each of `muted_players`, from playing the unit once more without that player's power.
    """
    whole, by_player = unit_figures(experiment, deals, matches)
    columns: dict[str, Any] = {"unit": first + np.arange(len(whole)), "seating": np.arange(len(whole)) % len(experiment.seatings)}
    columns["seating"] = columns["seating"].astype(np.int8)
    columns |= {name: whole[:, k].astype(np.int16) for k, name in enumerate(("hands", "matches"))}
    for k, (name, dtype) in enumerate((("label", np.int16), ("score", np.int16), ("points", np.int32), ("uses", np.int32))):
        columns |= {f"{name}_{player}": by_player[:, player, k].astype(dtype) for player in range(experiment.n_seats)}
    for player in muted_players(experiment) if has_muted else ():
        _, muted = unit_figures(experiment, *play_units(without_power(experiment, player), first, len(whole), tables))
        columns[f"muted_score_{player}"] = muted[:, player, 1].astype(np.int16)
    return pd.DataFrame(columns)


def unit_figures(experiment: Experiment, deals: np.ndarray, matches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Hands and Matches of each unit, int64 (units, 2), and label, score, points and uses of each player, int64 (units, players, 4)."""
    game, n_seats = experiment.game, experiment.n_seats
    names = [m.name for m in game.SEAT_MEASURES]
    starts = np.flatnonzero(np.diff(deals[:, UNIT], prepend=-1))
    begin = N_FIXED + len(game.DEAL_MEASURES)
    figures = deals[:, begin:].astype(np.int64).reshape(len(deals), n_seats, -1)
    points, uses = (np.add.reduceat(figures[:, :, names.index(name)], starts) for name in (names[0], "uses"))
    label = figures[starts][:, :, names.index(game.LABEL_MEASURE)]
    score = matches[:, N_MATCH_FIXED:].reshape(len(matches), n_seats, -1)[:, :, 0] if experiment.is_match else points
    by_seat = np.stack([label, score, points, uses], axis=2)
    # Who sits where differs from unit to unit: seat of each player.
    seats = np.argsort(np.array(experiment.seatings), axis=1)[np.arange(len(starts)) % len(experiment.seatings)]
    sweeps = np.add.reduceat(deals[:, N_FIXED].astype(np.int64), starts)
    hands = np.diff(np.append(starts, len(deals)))
    return np.stack([hands, sweeps], axis=1), np.take_along_axis(by_seat, seats[:, :, None], axis=1)
