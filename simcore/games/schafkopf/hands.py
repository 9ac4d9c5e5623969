"""Opening hands and open cards: what `estimate` shows besides chances."""

from typing import Any

import numpy as np

from simcore.games.schafkopf.bidding import play_bid
from simcore.games.schafkopf.cards import ACES, OBERS, TRUMPS
from simcore.games.schafkopf.contracts import IS_TOUT, KIND_OF, KINDS, MODE_OF, PASS
from simcore.games.schafkopf.play import play
from simcore.games.schafkopf.scoring import units
from simcore.games.schafkopf.solver import end_deal, has_solution, new_solver, solve
from simcore.games.schafkopf.state import BID, OVER

HAND_CONDITION = "declarer"


def hand_features(hands: np.ndarray, moves: np.ndarray) -> dict[str, np.ndarray]:
    """What a table of opening hands is sorted by: the contract that was bid, and how many trumps, Obers and plain aces the hand has in it.

    Parameters
    ----------
    hands : uint64 array of shape (n,)
    moves : integer array of shape (n,)
        The bid on each hand.
    """
    trumps = TRUMPS[MODE_OF[moves]]
    return {
        "contract": np.array(KINDS)[KIND_OF[moves]],
        "trumps": np.bitwise_count(hands & trumps),
        "obers": np.bitwise_count(hands & OBERS),
        "aces": np.bitwise_count(hands & ~trumps & ACES),
    }


# What is not exact about the values of open cards.
OPEN_NOTE = "card points are exact, and so are the units, but that a side without a card point is taken to have no trick (Schwarz)"


def open_values(states: np.ndarray, moves: list[int]) -> list[dict[str, Any] | None]:
    """What each move is worth when all cards are open and both sides play their best, None for what the solver does not take.

    A bid is played as if all others passed. The solver maximises the declarer's card points; the units follow from them. A side
    without points may still take a trick: only who takes all points is counted as Schwarz. Of a Tout it tells nothing.

    Returns
    -------
    for each move ``declarer_points`` (card points) and ``units`` of the seat to act.
    """
    solver, seat, found = new_solver(), int(states[0].seat), []
    for move in moves:
        after = states.copy()
        state = after[0]
        play(state, np.uint64(move))
        while state.decision == BID:
            play_bid(state, np.uint64(PASS))
        if state.decision == OVER:
            found.append({"declarer_points": int(state.points[state.declarer]), "units": int(units(state, seat))} if move else None)
        elif has_solution(state) and not IS_TOUT[KIND_OF[state.contract]]:
            points = int(solve(state, solver))
            end_deal(state, points)
            found.append({"declarer_points": points, "units": int(units(state, seat))})
        else:
            found.append(None)
    return found
