"""What `cosmic balance` finds of a character whose strength is known: planted in the game, played, judged."""

import json
import math

import pytest
from extended import extend, run_python

pytestmark = pytest.mark.slow

NULL = '''"""Null: no power."""

from simcore.games.eidex.powers.character import Character

CHARACTER = Character(name="NAME", title="Null", card="none", when="never", text="does nothing", rule="none")
'''
NULLS = ("null_a", "null_b", "null_c")
PLANTED = '''"""Planted: three points at the end."""

from simcore.bits import EMPTY, bit
from simcore.games.eidex.powers.asking import declines
from simcore.games.eidex.powers.character import AFTER_LAST_TRICK, Character, Question
from simcore.games.eidex.powers.orders import YES
from simcore.games.eidex.powers.table import can_use, spend
from simcore.jit import kernel


@kernel
def _gets(state):
    return bit(YES) if can_use(state) else EMPTY


@kernel
def _get(state, move):
    spend(state)
    state.adjustments[state.owner] += 3


CHARACTER = Character(
    name="planted",
    title="Planted",
    card="none",
    when="after the last trick",
    text="gets three points",
    rule="none",
    questions=(Question("planted", AFTER_LAST_TRICK, "gets points", _gets, _get, declines),),
    uses=1,
    max_uses=1,
)
'''


@pytest.fixture(scope="module")
def cosmic(tmp_path_factory):
    """`cosmic` of a game with these characters, its answer read from JSON."""
    folder = tmp_path_factory.mktemp("planted")
    extend(folder, {"planted": PLANTED} | {name: NULL.replace("NAME", name) for name in NULLS})
    return lambda *arguments: json.loads(run_python(folder, "-m", "cli", *arguments, "--policy", "basic", "--json", "-q"))


def balance(cosmic, out, *arguments):
    """The rows of the characters that `cosmic balance` judges."""
    found = cosmic("balance", *arguments, "--games", "60k", "--seed", 1, "--out", out)
    return {row["character"]: row for row in found["sides"][0]["characters"]}


def win_rate(cosmic, name):
    """By brute force, and its error: independent tournaments of other cards, the character in each seat against two drawn at random."""
    rates = []
    for seat in range(3):
        characters = ["random"] * 3
        characters[seat] = name
        call = ("--games", "60k", "--seed", 99, "--characters", ",".join(characters), "--out", f"{name}-{seat}")
        rows = cosmic("simulate", "eidex", *call)["statistics"]
        keys = {"level": "match seat", "grouping": "seat", "key": str(seat), "kind": "all", "measure": "won"}
        (row,) = [row for row in rows if all(str(row[key]) == value for key, value in keys.items())]
        rates.append((row["mean"], row["standard_error"]))
    means, errors = zip(*rates, strict=True)
    return sum(means) / 3, math.hypot(*errors) / 3


def assert_covers(row, value, error):
    """The interval holds a value that is itself known but for its error."""
    assert row["low"] - 2 * error < value < row["high"] + 2 * error


def test_a_planted_effect_is_found_with_its_sign_and_the_size_that_brute_force_finds(cosmic):
    """Three points at the end, against a character that is the same but for them."""
    row = balance(cosmic, "focus", "--focus", "planted")["planted"]
    (rate, error), (null_rate, null_error) = win_rate(cosmic, "planted"), win_rate(cosmic, "null_a")
    assert_covers(row, rate, error)
    assert_covers(row["lift"], rate - null_rate, math.hypot(error, null_error))
    assert row["lift"]["low"] * row["lift"]["high"] > 0, "the sign is not sure"
    assert 0.98 < row["uses"]["mean"] < 1  # after a Match nothing is added


def test_characters_without_a_power_are_within_the_margin_at_a_table_of_their_own(cosmic):
    rows = balance(cosmic, "nulls", "--triple", ",".join(NULLS))
    assert {rows[name]["verdict"] for name in NULLS} == {"within the margin"}
    assert all(rows[name]["lift"]["mean"] == rows[name]["uses"]["mean"] == 0 for name in NULLS)
