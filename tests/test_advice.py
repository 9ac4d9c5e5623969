"""What the rules of thumb of the characters do with their powers."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from cosmic_reference import Pair, names_of
from test_characters import HANDS, follow, table_of

from simcore.bits import popcount
from simcore.games.eidex import cosmic
from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.powers.basic import basic_move
from simcore.games.eidex.powers.match import utility
from simcore.games.eidex.powers.scoring import award
from simcore.games.eidex.state import points_of
from simcore.protocol import is_over, play
from simcore.scenario import play_to

GUGGITALER = Path(__file__).parent / "golden" / "characters" / "guggitaler.json"
# Hearts are trump. Seat 0 has 62 points and two cards, and collects; the Ten and the Ace of Eidex are out.
COLLECTING = {
    "dealer": 0,
    "upcard": "H7",
    "hands": ["E6 EK", "EA S6", "E10 E7"],
    "pressed": ["H7", "H6", "R7"],
    "piles": ["HJ H9 HA H10 HK HQ S8 R8 E8", "RA RK RQ SJ S7 R6 H8 R9 E9", "SA S10 SK R10 RJ SQ S9 EJ EQ"],
}


def advised(state, word=1):
    """The basic player's move as a text."""
    return cosmic.move_text(state, int(basic_move(state, np.uint64(word))))


def basic_hands(name, n, seed=1):
    """Each decision of *n* hands in which *name* sits in seat 0 among players without a power: the state and the move."""
    rng = random.Random(seed)
    for _ in range(n):
        state = Pair([NAMES.index(name), -1, -1], rng.getrandbits(64), rng.randrange(3)).state
        while not is_over(state):
            text = advised(state, rng.getrandbits(64))
            yield state, text
            play(state, np.uint64(cosmic.parse_move(state, text)))


def test_the_korrektor_does_not_lay_the_card_again_that_he_has_rejected():
    rejected, n_replayed = set(), 0
    for state, text in basic_hands("korrektor", 100):
        if text == "korrektor: yes":
            rejected = names_of(state.trick)
        elif rejected and int(state.seat) == 0 and ":" not in text:
            assert text not in rejected
            rejected, n_replayed = set(), n_replayed + 1
    assert n_replayed > 5


def test_what_was_rejected_is_forgotten_with_the_trick():
    pair = table_of("korrektor", None, None)
    follow(pair, "press EK", "press E10", "press HA", "EA", "E6", "H9", "korrektor: yes")
    assert names_of(pair.state.rejected) == {"EA", "E6", "H9"}
    assert advised(pair.state) != "EA"
    follow(pair, "EQ", "E6")
    assert pair.state.rejected
    follow(pair, "H9")
    assert not pair.state.rejected


@pytest.mark.parametrize(
    ("turn", "moves", "advice"),
    [
        (2, ["E10", "E6", "EA"], "no"),  # it has beaten the Ten, not his card
        (2, ["E7", "EK", "EA"], "yes"),
    ],
)
def test_konsumentenschutz_rejects_what_beats_him_and_not_what_beats_another(turn, moves, advice):
    position = COLLECTING | {"characters": ["konsumentenschutz", None, None], "turn": turn}
    state = play_to({"game": "cosmic-eidex", "position": position, "moves": moves})[0]
    assert advised(state) == f"konsumentenschutz: {advice}"


def test_a_seat_that_collects_calls_its_lightest_card_back_from_the_dead():
    last_tricks = ["HJ HQ S8", "RA RQ R6", "SA SQ S9"]
    position = COLLECTING | {"characters": ["zombie", None, None], "turn": 0, "last_tricks": last_tricks}
    state = play_to({"game": "cosmic-eidex", "position": position, "moves": ["zombie: yes"]})[0]
    assert advised(state) == "zombie calls: S8"
    state = play_to({"game": "cosmic-eidex", "position": position, "moves": ["zombie: yes", "zombie calls: S8"]})[0]
    assert advised(state) == "zombie calls: RA"


def test_the_fledderer_pushes_a_high_trump_or_nothing():
    n_pushed = 0
    for state, text in basic_hands("fledderer", 200):
        if text.startswith("fledderer: ") and text.endswith("no"):
            assert all(points_of(state, state.hands[0] & state.trumps & np.uint64(1 << card)) < 11 for card in range(36))
        elif text.startswith("fledderer pushes: "):
            card = np.uint64(1 << cosmic.parse_move(state, text))
            assert card & state.trumps and points_of(state, card) >= 11
            n_pushed += 1
    assert n_pushed > 20


def test_gerechtigkeit_proclaims_near_the_limit_or_with_trumps_in_hand_and_the_lead():
    answers = {"no": 0, "yes": 0}
    for state, text in basic_hands("gerechtigkeit", 60):
        if text.startswith("gerechtigkeit: "):
            mine = points_of(state, state.piles[0] | state.pressed[0])
            is_strong = int(state.leader) == 0 and popcount(state.hands[0] & state.trumps) >= 3
            assert text.endswith("yes") == (60 <= mine < 90 or is_strong)
            answers[text.split()[-1]] += 1
    assert min(answers.values()) > 10


def test_guggitaler_is_not_declared_with_few_points():
    few, many = HANDS[1], "H6 H7 H8 H9 H10 HJ HQ HK HA SK SA EA"
    rest = " ".join(card for hand in HANDS for card in hand.split() if card not in {*few.split(), *many.split()})
    for hand, is_declared in ((few, False), (many, True)):
        pair = table_of("guggitaler", None, None, hands=(hand, many if hand == few else few, rest))
        options = follow(
            pair, f"press {hand.split()[-1]}", f"press {(many if hand == few else few).split()[-1]}", f"press {rest.split()[0]}"
        )
        assert "guggitaler: yes" in options and (advised(pair.state) == "guggitaler: yes") == is_declared


def test_under_guggitaler_a_hand_is_worth_what_its_thirteen_points_say():
    """A shift of some points, small beside a hundred, would decide a hand of thirteen."""
    state = play_to(json.loads(GUGGITALER.read_text(encoding="utf-8")))[0]
    points = [np.int64(number) for number in (4, 2, 7)]
    none = np.zeros(0)
    assert [utility(state, seat, none) for seat in range(3)] == [float(gain) for gain in award(state, *points)]
