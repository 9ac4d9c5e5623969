"""What `cosmic balance` finds of a character whose strength is known: planted in the game, played, judged."""

import json

import pytest
from extended import extend, run_python

pytestmark = pytest.mark.slow

NULL = '''"""Null: no power."""

from simcore.games.eidex.powers.character import Character

CHARACTER = Character(name="null", title="Null", card="none", when="never", text="does nothing", rule="none")
'''
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
    """`cosmic` of a game with both characters, its answer read from JSON."""
    folder = tmp_path_factory.mktemp("planted")
    extend(folder, {"null": NULL, "planted": PLANTED})
    return lambda *arguments: json.loads(run_python(folder, "-m", "cli", *arguments, "--json", "-q"))


def focus(cosmic, name):
    found = cosmic("balance", "--focus", name, "--games", "60k", "--policy", "basic", "--seed", 1, "--out", name)
    (row,) = [row for row in found["sides"][0]["characters"] if row["character"] == name]
    return row


def win_rate(cosmic, name):
    """By brute force: independent tournaments of other cards, the character in each seat."""
    rates = []
    for seat in range(3):
        characters = ["random"] * 3
        characters[seat] = name
        call = ("--games", "60k", "--policy", "basic", "--seed", 99, "--characters", ",".join(characters), "--out", f"{name}-{seat}")
        rows = cosmic("simulate", "eidex", *call)["statistics"]
        keys = {"level": "match seat", "grouping": "seat", "key": str(seat), "kind": "all", "measure": "won"}
        (row,) = [row for row in rows if all(str(row[key]) == value for key, value in keys.items())]
        rates.append(row["mean"])
    return sum(rates) / 3


def test_a_planted_character_is_found_with_its_sign_and_size_and_one_without_a_power_is_within_the_margin(cosmic):
    planted, null = focus(cosmic, "planted"), focus(cosmic, "null")
    true_planted, true_null = win_rate(cosmic, "planted"), win_rate(cosmic, "null")
    assert planted["low"] < true_planted < planted["high"]
    assert null["low"] < true_null < null["high"]
    size, lift = true_planted - true_null, planted["lift"]
    assert lift["low"] < size < lift["high"]
    assert lift["low"] * lift["high"] > 0, "the sign of the lift is not sure"
    assert null["verdict"] == "within the margin"
    assert null["lift"]["mean"] == 0 and null["uses"]["mean"] == 0
    assert planted["uses"]["mean"] == 1
