"""The figures of the first deals of seed 1, hashed: any change of what is played shows here.

A hash that changed against your intention is a bug. Where the change is meant (a rule, a policy, a stream), raise the game's
``RULES_VERSION``, say so in the CHANGELOG, and pin what ``python tests/test_signature.py`` prints.
"""

import hashlib

import numpy as np
import pytest

from simcore.engine import Experiment, play_units
from simcore.games import GAMES
from simcore.protocol import effective_rules

BY_NAME = {game.NAME: game for game in GAMES}

# Game, policy at all seats, deals or matches, their number, hash.
SIGNATURES = [
    ("eidex", "random", "deals", 10_000, "656732076fa85c84"),
    ("eidex", "basic", "deals", 2_000, "cd7a93fe5c797738"),
    ("eidex", "search:4", "deals", 100, "8a658fed3b45a0b0"),
    ("eidex", "random", "matches", 300, "b2b7bd96cf91bec3"),
    ("eidex", "search:1", "matches", 20, "2bbd7ac65a3537f9"),
    ("schafkopf", "random", "deals", 10_000, "7458334ea06961f3"),
    ("schafkopf", "basic", "deals", 2_000, "0baeb8e0a6efdd41"),
    ("schafkopf", "search:4", "deals", 30, "f6ed91adf5039797"),
    ("schafkopf", "random", "matches", 100, "b2121effea57964b"),
    ("schafkopf", "search:1", "matches", 2, "64bb89ca9fceedd8"),
    ("cosmos", "random", "deals", 10_000, "8aaa52325a3b6915"),
    ("cosmos", "basic", "deals", 2_000, "600ca085e533608e"),
    ("cosmos", "search:4", "deals", 50, "c373097b16eef31d"),
    ("cosmos", "random", "matches", 300, "86e2939f21907547"),
    ("cosmos", "search:1", "matches", 10, "328877e4ff4ccaf9"),
    ("eleusis", "random", "deals", 10_000, "48d312b4df5fa7a8"),
    ("eleusis", "basic", "deals", 2_000, "b907f94e7396fbcd"),
    ("eleusis", "scientist", "deals", 2_000, "00dede050c9336e7"),
    ("eleusis", "search:4", "deals", 20, "da260c74ad870ce4"),
    ("eleusis", "random", "matches", 300, "1ae91ef112a18365"),
    ("eleusis", "search:1", "matches", 4, "757a7dbde049f7f6"),
    ("cosmic-eidex", "random", "deals", 10_000, "f0d5974fa0a89ce8"),
    ("cosmic-eidex", "basic", "deals", 2_000, "b480c3006294cf91"),
    ("cosmic-eidex", "search:4", "deals", 50, "27c4f10fa5d8bde9"),
    ("cosmic-eidex", "random", "matches", 300, "c2bb143357f57484"),
    ("cosmic-eidex", "search:1", "matches", 10, "0fba95151e4a76fe"),
]


def signature_of(game, policy, level, n):
    """Hash of the figures of *n* units."""
    seats = game.PLAYERS[0]
    rules = effective_rules(game.SWITCHES, {})
    experiment = Experiment(game, rules, (policy,) * seats, (tuple(range(seats)),), 1, level == "matches")
    digest = hashlib.blake2b(digest_size=8)
    for figures in play_units(experiment, 0, n):
        digest.update(np.ascontiguousarray(figures, "<i4").tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize(("name", "policy", "level", "n", "pinned"), SIGNATURES, ids=lambda value: str(value))
def test_what_is_played_has_not_changed(name, policy, level, n, pinned):
    assert signature_of(BY_NAME[name], policy, level, n) == pinned


def test_every_game_has_signatures_of_all_its_honest_policies():
    for game in GAMES:
        policies = {policy.partition(":")[0] for name, policy, level, _, _ in SIGNATURES if name == game.NAME and level == "deals"}
        own = {policy.name for policy in getattr(game, "OWN_POLICIES", ())}
        assert {"random", "basic", "search"} <= policies <= {"random", "basic", "search"} | own


if __name__ == "__main__":
    for name, policy, level, n, _ in SIGNATURES:
        print(f'    ("{name}", "{policy}", "{level}", {n:_}, "{signature_of(BY_NAME[name], policy, level, n)}"),')
