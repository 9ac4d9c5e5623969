"""What the seats know of hidden cards when characters show, ask, exchange and hide: the worlds of `determinize` keep to it."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from cosmic_reference import Pair, names_of
from test_characters import follow, table_of, triples

from simcore.games.eidex import cosmic
from simcore.games.eidex.cards import DECK
from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.powers.knowledge import DONATED, FACE_DOWN, PRESSED, SEAT_SHIFT
from simcore.protocol import determinize, is_over, play, strip
from simcore.scenario import play_to

FOLDER = Path(__file__).parent / "golden" / "characters"
N_WORLDS = 200


def after(name, last):
    """States of a golden scenario right after the first move *last*."""
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    n_moves = data["moves"].index(last) + 1
    return play_to(data | {"moves": data["moves"][:n_moves]})


def worlds_of(states, seat, n=N_WORLDS):
    """Worlds that *seat* holds possible; records of shape (n,)."""
    worlds = np.zeros(n, cosmic.STATE)
    for number in range(n):
        determinize(states[0], seat, np.uint64(number), worlds[number])
    return worlds


def hands_of(worlds, seat):
    """The sets of names that *seat* holds in each world."""
    return [names_of(cards) for cards in worlds["hands"][:, seat]]


def share(hands, card):
    """Share of the hands with the card."""
    return sum(card in hand for hand in hands) / len(hands)


def assert_world_agrees(state, world, seat):
    """All that lies hidden in *world* may lie there as far as *seat* knows in *state*."""
    for other in {0, 1, 2} - {seat}:
        assert not int(world.hands[other]) & ~int(state.may[seat, other])
        assert not int(world.pressed[other]) & ~int(state.may[seat, PRESSED + other])
        assert int(world.hands[other]).bit_count() == int(state.hands[other]).bit_count()
    assert not int(world.donated) & ~int(state.may[seat, DONATED])
    for slot in range(2):
        assert not int(world.face_down[slot]) & ~int(state.may[seat, FACE_DOWN + slot])
    for fact in (int(fact) for fact in state.any_of[: state.n_any_of]):
        hand = next(k for k in range(3) if fact >> int(SEAT_SHIFT) + k & 1)
        assert int(world.hands[hand]) & fact


def test_truth_and_worlds_agree_with_all_that_each_seat_knows(seed):
    rng = random.Random(seed)
    world = np.zeros(1, cosmic.STATE)
    for numbers in triples(rng, 48):
        pair = Pair(numbers, rng.getrandbits(64), rng.randrange(3))
        while not is_over(pair.state):
            pair.check_knowledge()
            for seat in range(3):
                assert_world_agrees(pair.state, pair.state, seat)
                if rng.random() < 0.2:
                    determinize(pair.state, seat, np.uint64(rng.getrandbits(64)), world[0])
                    assert_world_agrees(pair.state, world[0], seat)
            pair.play(rng)


def test_only_the_voyeur_knows_what_he_was_shown():
    states = after("voyeur", "voyeur sees: E7")
    shown = "H6 H7 H9 E6 E7".split()
    seen, unseen = (hands_of(worlds_of(states, seat), 1) for seat in (0, 2))
    assert all(set(shown) <= hand for hand in seen)
    for card in shown:
        assert 0 < share(unseen, card) < 1
    # What he was not shown stays open.
    assert 0 < share(seen, "R6") < 1


def test_a_no_to_the_quizmaster_never_leaves_the_card_in_that_hand():
    states = after("quizmaster", "quizmaster asks: EA")
    for seat in (0, 2):
        worlds = worlds_of(states, seat)
        assert share(hands_of(worlds, 1), "EA") == 0
        # The answer is about the hand: he may have pressed it, as he has, or the third may have it.
        pressed = [names_of(cards) for cards in worlds["pressed"][:, 1]]
        assert 0 < share(pressed, "EA") < 1
        if seat == 0:
            assert 0 < share(hands_of(worlds, 2), "EA") < 1


def test_a_yes_to_the_quizmaster_puts_the_card_or_one_of_the_suit_into_that_hand():
    states = after("quizmaster", "quizmaster asks: E6")
    for seat in (0, 2):
        assert share(hands_of(worlds_of(states, seat), 1), "E6") == 1
    states = after("quizmaster", "quizmaster asks: any R")
    for seat in (0, 2):
        hands = hands_of(worlds_of(states, seat), 1)
        assert all(any(card[0] == "R" for card in hand) for hand in hands)
        assert 0 < share(hands, "R9") < 1


def test_a_world_keeps_what_its_players_know_and_may_ask_and_only_a_playout_goes_without():
    state = after("quizmaster", "quizmaster asks: any R")[0]
    worlds = np.zeros(1, cosmic.STATE)
    determinize(state, 0, np.uint64(1), worlds[0])
    assert worlds[0].powers == state.powers and worlds[0].n_any_of == state.n_any_of == 1
    strip(worlds[0])
    assert worlds[0].powers == 0 and worlds[0].n_any_of == 0


def test_only_the_seher_knows_the_pressed_cards_and_the_lead():
    states = after("seher", "seher lead: H7")
    worlds = worlds_of(states, 1)
    assert {tuple(map(str, map(DECK.text, row[[0, 2]]))) for row in worlds["pressed"]} == {("SA", "SQ")}
    assert set(worlds["shown_lead"]) == {DECK.card("H7")}
    assert share(hands_of(worlds, 0), "H7") == 1
    worlds = worlds_of(states, 2)
    assert len(set(worlds["pressed"][:, 0])) > 5
    assert len(set(worlds["shown_lead"])) > 5


def test_partners_of_the_dealer_know_the_hands_that_they_gave_and_the_third_does_not():
    states = after("dealer", "dealer partner: yes")
    truth = [names_of(cards) for cards in states[0].hands]
    for seat, other in ((1, 2), (2, 1)):
        assert all(hand == truth[other] for hand in hands_of(worlds_of(states, seat), other))
    third = hands_of(worlds_of(states, 0), 1)
    assert len({frozenset(hand) for hand in third}) > N_WORLDS / 2


def test_what_was_known_of_a_hand_goes_with_it_when_hands_are_exchanged():
    """The trump card was the dealer's: he has pressed it, or it is in the hand that he gave away."""
    states = after("dealer", "dealer partner: yes")
    assert "H8" in names_of(states[0].hands[1])
    worlds = worlds_of(states, 0)
    in_hand, pressed = (["H8" in names_of(cards) for cards in worlds[field][:, seat]] for field, seat in (("hands", 1), ("pressed", 2)))
    assert [a + b for a, b in zip(in_hand, pressed, strict=True)] == [1] * N_WORLDS
    assert 0 < sum(pressed) < N_WORLDS / 2
    # Who gave the hand away knows more.
    assert share(hands_of(worlds_of(states, 2), 1), "H8") == 1


def test_the_dead_that_lay_open_are_known_and_a_recalled_pressed_card_is_not():
    states = after("zombie", "zombie calls: HQ")
    for seat in (0, 2):
        assert share(hands_of(worlds_of(states, seat), 1), "EK") == 1
    for seat in (1, 2):
        assert share(hands_of(worlds_of(states, seat), 0), "HQ") == 1
    for seat in (0, 1):
        worlds = worlds_of(states, seat)
        assert not worlds["pressed"][:, 2].any()
        assert 0 < share(hands_of(worlds, 2), "SA") < 1
        # It is one card of the hand now, nothing more is known of it.
        assert 0 < share(hands_of(worlds, 2), "E9") < 1
    assert share(hands_of(worlds_of(states, 2), 2), "SA") == 1


@pytest.mark.parametrize(("card", "is_known"), [("H7", True), ("H6", False)])
def test_whether_the_jackpot_is_won_tells_whether_the_hidden_card_is_the_seven(card, is_known):
    """K32: everybody sees that it is."""
    pair = table_of("sphinx", "jackpot", None)
    follow(pair, "jackpot: H7", "press EA", "press E10", "press HA", "sphinx: yes", card, "E6", "H9", "sphinx declares: 0")
    assert bool(pair.state.is_pot_open) != is_known
    for seat in (1, 2):
        may = names_of(pair.state.may[seat, FACE_DOWN])
        assert may == {"H7"} if is_known else {"H6", "H8"} <= may and "H7" not in may


def test_an_excuse_tells_that_the_suit_could_have_been_followed():
    """K27: with the trump Jack alone no excuse would be needed."""
    for seat in (0, 2):
        hands = hands_of(worlds_of(after("excuse", "R7"), seat), 1)
        assert all(any(card[0] == "E" for card in hand) for hand in hands)
        assert 0 < share(hands, "E9") < 1


def test_a_card_that_the_sphinx_leads_face_down_is_of_the_suit_that_she_names():
    for last in ("E10", "sphinx declares: 2"):
        states = after("sphinx", last)
        assert {DECK.text(cards) for cards in worlds_of(states, 0)["face_down"][:, 0]} == {"E10"}
        for seat in (1, 2):
            hidden = {DECK.text(cards) for cards in worlds_of(states, seat)["face_down"][:, 0]}
            assert "E10" in hidden and len(hidden) > 1
            assert all(card[0] == "E" for card in hidden)
            assert not hidden & names_of(states[0].hands[seat])
            assert not hidden & ({"EA", "E8"} if last != "E10" else set())


def before_the_trumphator(second):
    """States in which the Trumphator, seat 0, is asked; the Räuber sits on his right."""
    hands = ["H6 H7 H8 H9 H10 HJ E6 E7 E8 E9 E10 EJ", "HQ HK HA EQ EK EA R6 R7 R8 SQ SK SA", "R9 R10 RJ RQ RK RA S6 S7 S8 S9 S10 SJ"]
    who = ["trumphator", "raeuber", None]
    return play_to({"game": "cosmic-eidex", "dealer": 2, "hands": hands, "bottom": ["SJ", second], "characters": who})


def test_nobody_knows_the_unseen_second_card_while_the_trumphator_may_turn_it_up():
    """K4: it is one of the dealer's other cards, each as likely as the next."""
    states = before_the_trumphator("S6")
    dealers = names_of(states[0].hands[2]) - {"SJ"}
    for seat in range(3):
        worlds = worlds_of(states, seat, 1100)
        for world in worlds:
            assert DECK.names[world.second] in names_of(world.hands[2]) - {"SJ"}
        seconds = [DECK.names[card] for card in worlds["second"]]
        if seat == 2:
            # About a hundred each.
            assert set(seconds) == dealers and all(60 < seconds.count(card) < 150 for card in dealers)
        else:
            own = names_of(states[0].hands[seat])
            assert len(set(seconds)) == 23 and not set(seconds) & own


def test_worlds_do_not_depend_on_the_unseen_second_card():
    one, other = before_the_trumphator("S6"), before_the_trumphator("RA")
    for seat in range(3):
        for first, second in zip(worlds_of(one, seat), worlds_of(other, seat), strict=True):
            assert first.second == second.second and (first.hands == second.hands).all()


def test_a_world_in_which_the_second_card_is_turned_up_keeps_the_hands_equal_when_it_is_robbed():
    states = before_the_trumphator("S6")
    for seat in (0, 1):
        for world in worlds_of(states, seat):
            for text in ("trumphator: yes", "raeuber: yes"):
                play(world, np.uint64(cosmic.parse_move(world, text)))
            assert [int(hand).bit_count() for hand in world.hands] == [12, 13, 11]


def test_everybody_still_knows_who_has_the_robbed_card_after_the_raeuber_gave_one_for_it():
    """K6: he may give any card but the robbed one."""
    states = after("raeuber", "raeuber gives: E6")
    robber, dealer, third = 1, 2, 0
    for seat in (third, dealer):
        worlds = worlds_of(states, seat)
        assert share(hands_of(worlds, robber), "H8") == 1
    # What was given the third has not seen.
    assert 0 < share(hands_of(worlds_of(states, third), dealer), "E6") < 1


def test_all_that_lies_face_down_is_known_before_anybody_adjusts_his_points():
    """K5: the Computer chooses when all points are known."""
    states = after("computer", "RJ")
    for seat in range(3):
        for world in worlds_of(states, seat, 20):
            assert (world.pressed == states[0].pressed).all()
    rng = random.Random(5)
    for key in range(30):
        pair = Pair([NAMES.index("weisheit"), NAMES.index("jackpot"), NAMES.index("sphinx")], key)
        while not is_over(pair.state) and "weisheit adds: 0" not in pair.options().values():
            pair.play(rng, ("jackpot: H7", "sphinx: yes"))
        for seat in range(3):
            for world in worlds_of(pair.states, seat, 5) if not is_over(pair.state) else ():
                for name in ("pressed", "donated", "face_down"):
                    assert (world[name] == pair.state[name]).all()


def test_the_voyeur_may_look_before_pressing():
    """K7: at some point; what he has seen is then in the fellow's hand or pressed."""
    pair, rng = Pair([NAMES.index("voyeur"), -1, -1], 3), random.Random(3)
    assert set(pair.options().values()) == {"voyeur: no", "voyeur: 1", "voyeur: 2"}
    pair.play(rng, ("voyeur: 1",))
    while "voyeur sees" in min(pair.options().values()):
        pair.play(rng)
    shown = {fact[2] for fact in pair.reference.seen[0] if fact[:2] == ("holds", 1)}
    assert len(shown) == 5
    assert all(shown <= hand for hand in hands_of(worlds_of(pair.states, 0), 1))
    assert not all(shown <= hand for hand in hands_of(worlds_of(pair.states, 2), 1))
    while "press" in min(pair.options().values()):
        pair.play(rng)
        pair.check()
    worlds = worlds_of(pair.states, 0)
    for world in worlds:
        assert shown <= names_of(world.hands[1]) | names_of(world.pressed[1])
    assert any(names_of(world.pressed[1]) <= shown for world in worlds)
