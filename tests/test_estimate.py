"""Estimates of the moves of a position, seen from one seat."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from cli.__main__ import cosmic
from simcore.engine import Experiment
from simcore.estimate import open_moves, try_moves
from simcore.games import eidex
from simcore.protocol import effective_rules
from simcore.scenario import play_to

OPEN = {
    "game": "eidex",
    "position": {
        "dealer": 0,
        "upcard": "H7",
        "hands": ["EJ EQ H6", "E7 S9 S8", "R10 RK RA"],
        "pressed": ["H9", "HA", "R7"],
        "piles": ["E6 E9 H8", "HQ R6 R9", "H10 HK H7 S10 SA S6 RQ SK RJ HJ EA R8 E8 EK SJ S7 E10 SQ"],
        "turn": 0,
    },
}


def hidden(data):
    """The same position with all that seat 0 cannot see as null."""
    position = data["position"] | {"hands": [data["position"]["hands"][0], None, None], "pressed": ["H9", None, None]}
    return data | {"position": position}


def experiment_of(policies, seed=1):
    return Experiment(eidex, effective_rules(eidex.SWITCHES, {}), policies, ((0, 1, 2),), seed, False)


def estimate(tmp_path, data, *options):
    file = tmp_path / "position.json"
    file.write_text(json.dumps(data))
    return CliRunner().invoke(cosmic, ["estimate", "eidex", str(file), "--seed", "1", *options], standalone_mode=False)


@pytest.mark.parametrize("policies", [("random",) * 3, ("basic",) * 3, ("search:2", "basic", "random")])
def test_hidden_cards_do_not_change_an_estimate(policies):
    experiment = experiment_of(policies)
    seen = [next(try_moves(experiment, play_to(data, may_hide=True), 50))[0] for data in (OPEN, hidden(OPEN))]
    assert len(seen[0]) == 50 * 3
    assert np.array_equal(*seen)


def test_worlds_do_not_depend_on_the_size_of_the_chunks():
    experiment, states = experiment_of(("basic",) * 3), play_to(OPEN)
    whole, chances = next(try_moves(experiment, states, 40))
    parts = try_moves(experiment, states, 20)
    (first, early), (second, late) = next(parts), next(parts)
    assert np.array_equal(whole[:, 1:], np.concatenate([first, second])[:, 1:])
    assert np.array_equal(chances, np.concatenate([early, late]))


def test_every_world_keeps_the_points_together():
    rows, _ = next(try_moves(experiment_of(("random",) * 3), play_to(hidden(OPEN), may_hide=True), 100))
    names = experiment_of(("random",) * 3).deal_columns()
    points = sum(rows[:, names.index(f"card_points_{seat}")] for seat in range(3))
    assert set(points) == {157}
    assert len({tuple(row) for row in rows}) > 10


def test_the_best_move_comes_first_and_equal_moves_are_marked(tmp_path):
    result = estimate(tmp_path, hidden(OPEN), "--worlds", "400", "--json")
    assert result.exception is None
    answer = json.loads(result.output)
    means = [move["measures"]["victory_points"]["mean"] for move in answer["moves"]]
    assert means == sorted(means, reverse=True)
    assert answer["moves"][0]["is_best"]
    assert len(answer["moves"]) == len(open_moves(play_to(OPEN)))
    for move in answer["moves"]:
        assert sum(move["shares"].values()) == pytest.approx(1)
        for tenth, share in (("10%", 0.1), ("50%", 0.5), ("90%", 0.9)):
            below = [part for value, part in move["shares"].items() if int(value) < move["tenths"][tenth]]
            assert sum(below) < share <= sum(below) + move["shares"][str(move["tenths"][tenth])] + 1e-9
        assert move["difference"]["mean"] <= 0
        assert move["may_be_best"] == (move["is_best"] or move["difference"]["high"] >= 0)


def test_the_chance_to_win_the_tournament_is_that_of_the_standing_after_the_deal(tmp_path):
    data = hidden(OPEN) | {"position": hidden(OPEN)["position"] | {"victory_points": [6, 6, 0]}}
    experiment, states = experiment_of(("basic",) * 3), play_to(data, may_hide=True)
    rows, chances = next(try_moves(experiment, states, 200))
    points = rows[:, [experiment.deal_columns().index(f"victory_points_{seat}") for seat in range(3)]]
    # Whoever alone comes from 6 to 7 has won; of two who would, the higher result stays at 6 and goes on.
    assert (chances[(points[:, 0] > 0) & (points[:, 1] == 0)] == 1).all()
    assert (chances[(points[:, 0] == 0) & (points[:, 1] > 0)] == 0).all()
    both = (points[:, 0] == 1) & (points[:, 1] == 1)
    assert both.any() and ((0 < chances[both]) & (chances[both] < 1)).all()
    move = json.loads(estimate(tmp_path, data, "--worlds", "200", "--json").output)["moves"][0]
    assert move["match"]["low"] < move["match"]["mean"] < move["match"]["high"]


def test_until_goes_on_until_every_interval_is_narrow_enough(tmp_path):
    answer = json.loads(estimate(tmp_path, hidden(OPEN), "--until", "6%", "--json").output)
    assert all((m["measures"]["victory_points"]["high"] - m["measures"]["victory_points"]["low"]) / 4 <= 0.06 for m in answer["moves"])
    assert answer["worlds"] < 10_000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hands": [None, "E7 S9 S8", "R10 RK RA"]}, "seat 0, who is to act"),
        ({"hands": ["EJ EQ H6", "E7 S9", None]}, "S8 is nowhere"),
        ({"turn": 3}, "turn is a whole number from 0 to 2"),
        ({"hands": ["EJ EQ EQ", None, None]}, "EQ is there twice"),
        ({"pressed": ["E6", None, None]}, "there twice"),
    ],
)
def test_a_wrong_position_is_told_in_one_line(tmp_path, change, words):
    error = str(estimate(tmp_path, OPEN | {"position": OPEN["position"] | change}).exception)
    assert words in error
    assert "\n" not in error


def test_only_an_estimate_may_hide_cards():
    with pytest.raises(ValueError, match="hands of seat 1"):
        play_to(hidden(OPEN))
