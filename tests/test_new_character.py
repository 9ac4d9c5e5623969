"""A 37th character takes one new file and one appended name."""

from extended import extend, run_python

# Once, or as often as a switch says, he turns a trick's lead to himself and gets a point for it.
CHARACTER = '''"""Vordrängler: takes over a lead."""

from simcore.bits import EMPTY
from simcore.games.eidex.powers.asking import declines
from simcore.games.eidex.powers.character import BEFORE_LEAD, Character, Question
from simcore.games.eidex.powers.orders import YES, YES_OR_NO
from simcore.games.eidex.powers.table import spend
from simcore.jit import kernel
from simcore.protocol import Switch


@kernel
def _may_lead(state):
    return YES_OR_NO if state.leader != state.owner and state.n_tricks else EMPTY


@kernel
def _lead(state, move):
    if move == YES:
        spend(state)
        state.leader = state.owner
        state.adjustments[state.owner] += state.rules.vordraengler_points


CHARACTER = Character(
    name="vordraengler",
    title="Vordrängler",
    card="none",
    when="before each trick but the first",
    text="may once take over the lead and gets a point for it",
    rule="none",
    questions=(Question("vordraengler", BEFORE_LEAD, "may take over the lead", _may_lead, _lead, declines),),
    uses=1,
    max_uses=4,
    switches=(Switch("vordraengler_points", 1, "points for a lead taken over", 0, 9),),
)
'''
PLAY = """
import random
import numpy as np
from simcore.games.eidex import cosmic
from simcore.games.eidex.powers.table import card_points
from simcore.protocol import deal, determinize, effective_rules, is_over, legal_moves, play, start
from simcore.scenario import replay

assert cosmic.NAMES[-1] == "vordraengler" and len(cosmic.NAMES) == 37
rules = {"character_0": "vordraengler", "character_1": "quizmaster", "vordraengler_uses": 2, "vordraengler_points": 3}
states, worlds = np.zeros(1, cosmic.STATE), np.zeros(1, cosmic.STATE)
state, rng, used = states[0], random.Random(1), set()
for hand in range(12):
    start(state, effective_rules(cosmic.SWITCHES, rules)[0], 3, hand % 3)
    for seat, name in enumerate(("vordraengler", "quizmaster", "sphinx")):
        state.characters[seat] = state.active[seat] = cosmic.NAMES.index(name)
    deal(state, np.uint64(hand))
    while not is_over(state):
        moves = [move for move in range(64) if int(legal_moves(state)) >> move & 1]
        move = rng.choice(moves)
        text = cosmic.move_text(state, move)
        determinize(state, 1, np.uint64(hand), worlds[0])
        assert cosmic.parse_move(state, text) == move
        before = int(state.seat), int(state.adjustments[0])
        play(state, np.uint64(move))
        if text == "vordraengler: yes":
            assert before[0] == 0 and state.leader == 0 and state.adjustments[0] == before[1] + 3
    assert sum(int(card_points(state, seat)) for seat in range(3)) == 157 + int(state.adjustments[0])
    assert state.adjustments[0] == 3 * state.used[0]
    used.add(int(state.used[0]))
assert max(used) == 2, used

start(state, effective_rules(cosmic.SWITCHES, {})[0], 3, 0)
deal(state, np.uint64(5))
data = {"game": "cosmic-eidex", **cosmic.write_deal(state), "characters": [None, None, "vordraengler"]}
told = replay(data)
while not any("vordraengler" in text for text in told.legal):
    data["moves"] = data.get("moves", []) + told.legal[:1]
    told = replay(data)
told = replay(data | {"moves": data["moves"] + ["vordraengler: yes"]})
assert told.seat == 2 and told.lines[1] == "seat 2 is Vordrängler", told.lines
print("played")
"""


def test_a_character_is_added_by_one_file_and_one_name(tmp_path):
    extend(tmp_path, {"vordraengler": CHARACTER})
    # Uncompiled, the random numbers overflow as they should, and numpy says so.
    assert run_python(tmp_path, "-W", "ignore::RuntimeWarning", "-c", PLAY, NUMBA_DISABLE_JIT="1") == "played\n"
