"""Positions of hands with characters as a person writes them down: nobody loses a power by it."""

import numpy as np
import pytest

from simcore.games.eidex.cards import DECK
from simcore.protocol import determinize
from simcore.scenario import load_state, play_to, replay

DEALT = [
    "H6 H7 H8 H9 E8 E10 EJ EQ R6 S6 S7 SK",
    "H10 HQ HA E6 E7 EK EA RJ S8 S9 S10 SQ",
    "HJ HK E9 R7 R8 R9 R10 RQ RK RA SJ SA",
]
PRESSED = ["H9", "HA", "R7"]
BETWEEN = {
    "hands": ["EJ EQ E8 E10", "E7 S9 EK EA", "R10 RK R8 E9"],
    "pressed": PRESSED,
    "piles": ["E6 H8 HQ R6 R9 SQ", "H10 HK H6 S10 SA S6 RQ SK RJ", "SJ S7 S8 RA HJ H7"],
    "turn": 0,
}
LAST_TRICKS = ["R6 R9 SQ", "RQ SK RJ", "RA HJ H7"]


def position(*names, **changes):
    """A scenario with characters of these names or None; before pressing, or as *changes* say."""
    whole = {"characters": list(names), "dealer": 0, "upcard": "H7", "hands": DEALT, "turn": 1} | changes
    return {"game": "cosmic-eidex", "position": whole}


def asked(data, *moves):
    """What is asked after these moves."""
    return replay(data | {"moves": list(moves)}).legal


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("trumphator", "trumphator: yes"),
        ("raeuber", "raeuber: yes"),
        ("schwarzpeter", "schwarzpeter: yes"),
        ("radarkontrolle", "radar tens: 80"),
        ("jackpot", "jackpot: S7"),
        ("wuenschelrute", "wuenschelrute: H6"),
    ],
)
def test_where_nobody_has_pressed_the_questions_before_pressing_are_asked(name, first):
    assert first in asked(position(None, name, None))
    assert asked(position(None, name, None), "press HQ")[0].startswith("press ")


def test_the_laser_presses_for_the_others_in_a_position_too():
    data = position("laser", None, None)
    state = load_state(data)[0]
    assert int(state.seat) == 0 and [cards.bit_count() for cards in map(int, state.pressed)] == [0, 1, 1]
    # What one has pressed is left as it is; when all have, the Laser has still to draw the lead of a fellow.
    hands = [DEALT[0], DEALT[1].replace("HA ", ""), DEALT[2]]
    state = play_to(position("laser", None, None, hands=hands, pressed=[None, "HA", None], turn=2))[0]
    assert DECK.text(state.pressed[1]) == "HA" and int(state.seat) == 0 and state.pressed[2] != 0
    hands = [text.replace(f"{card} ", "") for text, card in zip(DEALT, PRESSED, strict=True)]
    state = load_state(position("laser", None, None, hands=hands, pressed=PRESSED))[0]
    assert state.n_laid == 1 and int(state.seat) == 2


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("teekraenzchen", "teekraenzchen gift: SJ"),
        ("umwerter", "umwerter: H6"),
        ("fledderer", "fledderer: 0"),
        ("guggitaler", "guggitaler: yes"),
        ("black_friday", "black friday: S"),
        ("differenzler", "differenzler tens: 40"),
        ("weisheit", "weisheit: 4"),
        ("kompass", "kompass: left"),
        ("voyeur", "voyeur: 0"),
    ],
)
def test_where_all_have_pressed_the_questions_before_the_first_trick_are_asked(name, first):
    hands = [text.replace(f"{card} ", "") for text, card in zip(DEALT, PRESSED, strict=True)]
    assert first in asked(position(None, name, None, hands=hands, pressed=PRESSED))


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("dealer", "dealer: 0"),
        ("voyeur", "voyeur: 2"),
        ("quizmaster", "quizmaster: 2"),
        ("gerechtigkeit", "gerechtigkeit: yes"),
        ("skater", "skater: yes"),
        ("farbenfreund", "farbenfreund: E"),
        ("zombie", "zombie: yes"),
        ("taschenspieler", "taschenspieler: E7"),
        ("kompass", "kompass turns: yes"),
    ],
)
def test_between_tricks_the_questions_before_a_lead_are_asked(name, first):
    data = position(None, name, None, **BETWEEN, last_tricks=LAST_TRICKS)
    assert first in asked(data)
    assert asked(data, "E8", "EK") == ["E9"]


def test_without_last_tricks_the_zombie_waits_until_every_owner_of_a_pile_has_won_another():
    assert "zombie: yes" in asked(position("zombie", None, None, **BETWEEN, last_tricks=LAST_TRICKS))
    data = position("zombie", None, None, **BETWEEN)
    assert "zombie: yes" not in asked(data)
    assert "zombie: yes" not in asked(data, "E8", "EK", "E9")
    two = {"hands": ["EJ EQ E8", "E7 S9 EA", "R10 RK E9"], "piles": ["E6 H8 HQ R6 R9 SQ", "H10 HK H6 S10 SA S6 RQ SK RJ E10 EK R8", ""]}
    two["piles"][1] += " SJ S7 S8 RA HJ H7"
    data = position("zombie", None, None, **BETWEEN | two)
    assert "zombie: yes" not in asked(data, "E8", "E7", "E9")
    assert "zombie: yes" in asked(data, "EQ", "EA", "E9", "E7", "RK", "EJ")


@pytest.mark.parametrize(
    ("last_tricks", "words"),
    [
        (["R6 R9 SQ", "RQ SK RJ", "RA HJ EJ"], "EJ is not in the pile of seat 2"),
        (["R6 R9", "RQ SK RJ", "RA HJ H7"], "seat 0 has 2 cards"),
        (["R6 R9 SQ", "", "RA HJ H7"], "seat 1 has 0 cards"),
        ("R6 R9 SQ", "last_tricks"),
    ],
)
def test_last_tricks_that_cannot_be_are_refused(last_tricks, words):
    with pytest.raises(ValueError, match=words):
        load_state(position(None, None, None, **BETWEEN, last_tricks=last_tricks))


def test_hidden_seats_decline_until_one_is_asked_whose_hand_is_known():
    hidden = [None, DEALT[1], None]
    state = load_state(position("trumphator", None, "radarkontrolle", hands=hidden), may_hide=True)[0]
    assert int(state.seat) == 1 and int(state.limit) == 100
    state = load_state(position("trumphator", "jackpot", None, hands=hidden), may_hide=True)[0]
    assert int(state.seat) == 1 and state.decision > 2
    worlds = np.zeros(1, state.dtype)
    determinize(state, 1, np.uint64(1), worlds[0])
    assert worlds[0].hands[1] == state.hands[1]


def test_a_hidden_seat_that_cannot_decline_is_told():
    hands = [None, DEALT[1].replace("HA ", ""), None]
    with pytest.raises(ValueError, match='seat 2 is first to decide on "differenzler tens"'):
        load_state(position(None, None, "differenzler", hands=hands, pressed=[None, "HA", None]), may_hide=True)
    # The Seher presses last: the others have to before him.
    with pytest.raises(ValueError, match="seat 2 is first to press"):
        load_state(position(None, "seher", None, hands=[None, DEALT[1], None]), may_hide=True)


def test_whoever_is_asked_while_others_press_forehand_leads_as_in_the_base_game():
    hands = [DEALT[0], DEALT[1].replace("HA ", ""), DEALT[2]]
    data = position("excuse", None, None, hands=hands, pressed=[None, "HA", None], turn=2) | {"moves": ["press R7", "press H9"]}
    assert play_to(data)[0].seat == 1


def test_the_trumphator_of_a_position_turns_up_any_card_of_the_dealer():
    turned = set()
    for chance in range(60):
        state = play_to(position(None, "trumphator", None, chance=chance) | {"moves": ["trumphator: yes"]})[0]
        turned.add(DECK.names[state.upcard])
    assert turned == set(DEALT[0].split()) - {"H7"}


def test_a_rule_of_a_scenario_takes_a_power_away():
    assert asked(position(None, "trumphator", None))[0].startswith("trumphator")
    assert asked(position(None, "trumphator", None) | {"rules": {"muted": "1"}})[0].startswith("press")


def test_a_position_of_eidex_with_characters_is_one_of_cosmic_eidex():
    data = position(None, "trumphator", None)
    assert (load_state(data | {"game": "eidex"}) == load_state(data)).all()


@pytest.mark.parametrize("lacks", [["H6", "", ""], ["E6 E7 E8 E9 E10 EJ", "", "R6 R7 R8 H6"], ["", "", "H8 H9"]])
@pytest.mark.parametrize("game", ["eidex", "cosmic-eidex"])
def test_a_hidden_hand_may_be_known_to_lack_cards(game, lacks):
    data = {"game": game, "position": BETWEEN | {"dealer": 0, "upcard": "H9", "hands": [None, BETWEEN["hands"][1], None]}}
    data["position"] |= {"turn": 1, "lacks": lacks}
    state, world = load_state(data, may_hide=True)[0], load_state(data, may_hide=True)[0]
    for seat in (0, 2):
        assert not int(state.hands[seat]) & int(DECK.cards(lacks[seat]))
    for key in range(20):
        determinize(state, 1, np.uint64(key), world)
        for seat in (0, 2):
            assert not int(world.hands[seat]) & int(DECK.cards(lacks[seat]))


def test_the_trick_of_a_position_and_a_hidden_card_in_one_are_told():
    data = position("sphinx", None, None, **BETWEEN | {"trick": ["E7"], "turn": 2, "hands": ["EJ EQ E8 E10", "S9 EK EA", "R10 RK R8 E9"]})
    lines = replay(data | {"moves": ["E9", "sphinx: yes", "E8", "sphinx declares: 0"]}).lines
    assert "in the trick E7" in lines
    assert any("to seat 0, 0 points and a hidden card" in line for line in lines), lines


def hidden_hand(*names, **changes):
    """The position of a player in seat 1 of a hand in which all have pressed, the others' hands unseen."""
    hands = [None, DEALT[1].replace("HA ", ""), None]
    return position(*names, **{"hands": hands, "pressed": [None, "HA", None]} | changes)


@pytest.mark.parametrize(
    "hands", [[None, DEALT[1].replace("HA ", ""), None], [DEALT[0].replace("H7 ", ""), DEALT[1].replace("HA ", ""), None]]
)
def test_an_upcard_that_is_in_no_hand_is_what_the_dealer_has_pressed(hands):
    lacks = ["H7", "", ""]
    state = load_state(hidden_hand("excuse", None, None, hands=hands, lacks=lacks), may_hide=True)[0]
    assert DECK.text(state.pressed[0]) == "H7" and not int(state.hands[2]) >> DECK.card("H7") & 1


def test_the_seher_of_a_position_knows_what_the_others_have_pressed():
    written = hidden_hand(None, "seher", None, pressed=["H9", "HA", "R7"])
    state = load_state(written, may_hide=True)[0]
    world = state.copy()
    for key in range(20):
        determinize(state, 1, np.uint64(key), world)
        assert [DECK.text(cards) for cards in world.pressed] == ["H9", "HA", "R7"]
    with pytest.raises(ValueError, match="pressed: that of seat 0 is missing; the Seher"):
        load_state(hidden_hand(None, "seher", None), may_hide=True)


def test_a_seat_whose_pressed_card_is_hidden_is_not_asked_before_the_turn():
    hands = [None, *BETWEEN["hands"][1:]]
    changes = BETWEEN | {"hands": hands, "pressed": [None, "HA", None], "turn": 1}
    assert load_state(position(None, None, "skater", **changes), may_hide=True)[0].seat == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pressed": PRESSED, "hands": [DEALT[0].replace("H9 ", ""), DEALT[1].replace("HA ", ""), DEALT[2].replace("R7 ", "")], "turn": 2},
         "position: seat 1 leads to the first trick, not seat 2"),
        (BETWEEN | {"pressed": [None] * 3, "hands": [None, BETWEEN["hands"][1], None], "turn": 1},
         "pressed: that of seat 1, who is to act, is not hidden from it"),
        (BETWEEN | {"pressed": [None, "HA", None], "hands": [None, BETWEEN["hands"][1], None], "turn": 1,
                    "lacks": ["R10 RK R8 E9 EJ EQ E8", "", ""]},
         "lacks: only "),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", [None, "excuse"])
def test_an_impossible_position_is_told_what_is_wrong(name, changes, message):
    with pytest.raises(ValueError) as caught:
        load_state(position(name, None, None, **changes), may_hide=True)
    assert str(caught.value).startswith(message)
