"""The plain reference of the 36 characters obeys the rulebook's own sentences."""

import os
import random
from collections import Counter

import pytest
from reference import eidex
from reference.characters import NAMES, Hand
from reference.characters.before import weisheit_sums
from reference.characters.table import RULES, SEATS, Entry, Laid, Table, in_order
from reference.eidex import DECK, RANKS

N_RANDOM_HANDS = int(os.environ.get("EIDEX_HANDS", "1500"))


class Draws:
    """Blind draws from a list of numbers, afterwards the first card."""

    def __init__(self, numbers=()):
        self.numbers = list(numbers)

    def below(self, n):
        number = self.numbers.pop(0) if self.numbers else 0
        assert 0 <= number < n
        return number


class RandomDraws:
    """Blind draws from a seeded generator."""

    def __init__(self, rng):
        self.rng = rng

    def below(self, n):
        return self.rng.randrange(n)


def hold(*texts, up, dealer=2):
    """Return three hands with the named cards; the other cards fill them, the highest first."""
    hands = [set(text.split()) for text in texts]
    hands[dealer].add(up)
    rest = [card for card in reversed(DECK) if not any(card in hand for hand in hands)]
    for hand in hands:
        while len(hand) < 12:
            hand.add(rest.pop(0))
    return hands


def start(*texts, who, press="", up="H8", second=None, dealer=2, draws=(), standing=(0, 0, 0), **rules):
    """Return a hand in which the seats hold at least the named cards, those to press too; forehand is seat 0."""
    for seat, card in enumerate(press.split()):
        texts = [f"{text} {card}" if seat == place else text for place, text in enumerate(texts)]
    hands = hold(*texts, up=up, dealer=dealer)
    assert sum(len(held) for held in hands) == 36
    second = second or next(card for card in in_order(hands[dealer]) if card != up)
    characters = [who.get(seat) for seat in SEATS]
    return Hand(hands, dealer, up, second, characters, Draws(draws), standing, rules)


def play(hand, cards="", presses="", **powers):
    """Answer with the scripted presses, cards and powers; stop before the first card without a script.

    A power is named with _ for blank and hyphen, its value is one answer or a
    list of answers; without a script the first option (mostly "no") is taken.
    Stops also before a power that is scripted as "?".
    """
    cards, presses = cards.split(), presses.split()
    powers = {kind: list(answers) if isinstance(answers, list) else [answers] for kind, answers in powers.items()}
    while not hand.over():
        seat, kind, options = hand.decision()
        script = {"card": cards, "press": presses}.get(kind, powers.get(kind.replace(" ", "_").replace("-", "_"), []))
        if script:
            answer = script.pop(0)
            if answer == "?":
                break
            assert answer in options, f"{answer} is no answer to {hand.decision()}"
        elif kind == "card":
            break
        else:
            answer = options[0]
        hand.choose(answer)
    assert not cards and not presses and not any(powers.values()), f"unused: {cards} {presses} {powers}; now {hand.decision()}"
    return hand


def finish(hand, **powers):
    """Play the rest with the first legal cards and the scripted powers."""
    powers = {kind: list(answers) if isinstance(answers, list) else [answers] for kind, answers in powers.items()}
    while not hand.over():
        seat, kind, options = hand.decision()
        script = powers.get(kind.replace(" ", "_").replace("-", "_"), [])
        hand.choose(script.pop(0) if script else options[0])
    assert not any(powers.values()), f"unused: {powers}"
    return hand


def asked(hand):
    """Return the kind of the next question."""
    return hand.decision()[1]


def options(hand):
    """Return the options of the next question."""
    return hand.decision()[2]


def piles(hand):
    """Return the cards of the three piles as sets."""
    return [set(hand.table.pile_cards(seat)) for seat in SEATS]


def cards(text):
    """Return the set of the cards named in a text."""
    return set(text.split())


def ended(points_of_seat, who=None, winners=(0, 1, 2), standing=(0, 0, 0), **rules):
    """Return a finished hand whose points are as given, for the tests of the award."""
    hand = start("", "", "", who=who or {}, standing=standing, **rules)
    table = hand.table
    hand._decision = None
    table.hands = [set(), set(), set()]
    table.piles = [[Entry([])], [Entry([])], [Entry([])]]
    table.piles[0] = [Entry(list(DECK))]
    table.is_over = True
    table.winners = list(winners)
    table.taken = [1, 1, 1]
    table.adjustments = [points_of_seat[0] - 152, points_of_seat[1], points_of_seat[2]]
    return hand


# Without characters -----------------------------------------------------------


def test_without_characters_a_hand_is_the_base_game(seed):
    rng = random.Random(seed)
    for _ in range(100):
        hands, dealer, upcard, second = random_deal(rng)
        base = eidex.Deal(hands, dealer, upcard)
        hand = Hand(hands, dealer, upcard, second, [None] * 3, None)
        while not hand.over():
            seat, kind, offered = hand.decision()
            assert seat == base.seat_to_act() and set(offered) == base.legal()
            assert kind == ("press" if base.pressing() else "card")
            card = rng.choice(offered)
            hand.choose(card)
            base.play(card)
        assert base.over()
        assert hand.card_points() == base.card_points()
        assert hand.result() == base.result()
        for standing in ([0, 0, 0], [6, 6, 1], [6, 6, 6]):
            hand.table.standing = standing
            assert hand.standing_after() == eidex.standing_after(standing, base.card_points(), base.match_seat())


# The characters in listing order ------------------------------------------------


def test_the_dealer_exchanges_his_whole_hand_with_a_partner_who_agrees():
    hand = start("H6 EA", "RA", "SA", press="H6 RA SA", who={1: "Dealer"})
    play(hand, presses="H6 RA SA", dealer=["?"])
    before = [set(held) for held in hand.table.hands]
    assert options(hand) == ["no", "2", "0"]
    play(hand, dealer=["2"], dealer_partner="yes")
    assert hand.table.hands == [before[0], before[2], before[1]]
    assert hand.table.pressed == ["H6", "RA", "SA"]
    assert ("holds", 2, in_order(before[1])[0]) in hand.seen[1]
    assert ("hands exchanged", 1, 2) in hand.seen[0]


def test_nobody_is_obliged_to_exchange_with_the_dealer_who_may_ask_again_before_every_trick():
    hand = start("H6 EA E6", "RA E8", "SA E9", press="H6 RA SA", who={1: "Dealer"})
    play(hand, "EA E8 E9", presses="H6 RA SA", dealer=["2", "0"], dealer_partner=["no", "no"])
    assert "E6" in hand.table.hands[0]
    assert "1 and 2 exchange hands" not in hand.log


def test_jiu_jitsu_lets_the_nine_beat_the_ten():
    hand = start("H10", "H9", "H6", press="RA EA SA", who={1: "Jiu-Jitsu"}, up="S8")
    play(hand, "H10 H9 H6", presses="RA EA SA", jiu_jitsu="yes")
    assert hand.table.winners == [1]


def test_jiu_jitsu_lets_the_trump_nine_beat_the_trump_jack():
    hand = start("HJ", "H9", "H6", press="RA EA SA", who={1: "Jiu-Jitsu"})
    play(hand, "HJ H9 H6", presses="RA EA SA", jiu_jitsu="yes")
    assert hand.table.winners == [1]


def test_jiu_jitsu_lets_the_trump_ten_beat_the_trump_queen():
    hand = start("HQ", "H10", "H6", press="RA EA SA", who={1: "Jiu-Jitsu"})
    play(hand, "HQ H10 H6", presses="RA EA SA", jiu_jitsu="yes")
    assert hand.table.winners == [1]


def test_jiu_jitsu_needs_neighbours_in_the_full_order_and_acts_for_one_trick_only():
    hand = start("H10 HA", "H8 HK", "H6 HQ", press="RA EA SA", who={1: "Jiu-Jitsu"}, up="S8")
    # Between Ten and Eight lies the Nine, so nothing is asked.
    play(hand, "H10 H8 H6", presses="RA EA SA")
    assert hand.table.winners == [0]
    play(hand, "HA HK HQ", jiu_jitsu="yes")
    assert hand.table.winners == [0, 1]
    assert hand.table.order("H")[:2] == ["A", "K"]


def ultimo_at_the_last_trick(who):
    hand = start("SA SK SQ SJ S10 S9 S7 S6 EA EK EQ H6", "EJ E10 E9 E8 E7 E6 RA RK RQ RJ R10 R9", "", who=who, up="S8")
    while not hand.over() and asked(hand) not in ("ultimo",):
        if asked(hand) == "gerechtigkeit":
            hand.choose("yes" if len(hand.table.hands[0]) == 1 else "no")
        else:
            hand.choose("H6" if "H6" in options(hand) and asked(hand) == "press" else options(hand)[-1])
    return hand


def test_ultimo_takes_over_the_last_trick_and_breaks_the_match():
    hand = ultimo_at_the_last_trick({1: "Ultimo"})
    last = {laid.card for laid in hand.table.trick}
    assert hand.table.winners == [0] * 10
    hand.choose("yes")
    assert piles(hand)[1] == last
    assert hand.match_seat() is None and hand.table.bonus_seat == 1


def test_ultimo_may_leave_the_last_trick():
    hand = ultimo_at_the_last_trick({1: "Ultimo"})
    hand.choose("no")
    assert hand.match_seat() == 0 and hand.result() == [2, 0, 0]


def test_with_gerechtigkeit_ultimo_gets_only_the_five_points_and_his_own_card():
    hand = ultimo_at_the_last_trick({1: "Ultimo", 2: "Gerechtigkeit"})
    own = {laid.card for laid in hand.table.trick if laid.seat == 1}
    hand.choose("yes")
    assert piles(hand)[1] == own
    assert hand.table.bonus_seat == 1


def test_trumphator_makes_the_second_card_from_the_bottom_the_trump_unseen():
    hand = start("", "", "", who={0: "Trumphator"}, up="H8", second="E7")
    assert asked(hand) == "trumphator" and not any(fact[-1] == "E7" for fact in hand.seen[0])
    hand.choose("yes")
    assert hand.table.mode == "E"
    assert ("holds", 2, "E7") in hand.seen[0]


@pytest.mark.parametrize("second, mode", [("EA", "Obenabe"), ("E6", "Undenufe")])
def test_trumphator_may_land_in_a_hand_without_trump(second, mode):
    hand = start("", "", second, who={0: "Trumphator"}, up="H8", second=second)
    hand.choose("yes")
    assert hand.table.mode == mode


def shuffled(who, **rules):
    """Return a hand of one fixed shuffled deal."""
    deal = random_deal(random.Random(7))
    return Hand(*deal, [who.get(seat) for seat in SEATS], Draws(), (0, 0, 0), rules)


@pytest.mark.parametrize("answer, step", [("0", 0), ("+5", 5), ("-5", -5)])
def test_computer_adds_or_subtracts_five_at_the_end(answer, step):
    hand = finish(shuffled({1: "Computer"}), computer=answer)
    plain = finish(shuffled({}))
    assert hand.card_points()[1] == plain.card_points()[1] + step
    assert sum(hand.card_points()) == 157 + step


@pytest.mark.parametrize("distance, answer, over", [(5, "0", False), (5, "+5", True), (0, "0", True), (0, "-5", False)])
def test_computer_crosses_the_limit_in_both_directions(distance, answer, over):
    hand = shuffled({1: "Computer"})
    while asked(hand) != "computer":
        hand.choose(options(hand)[0])
    points = hand.card_points()
    # The limit is moved near his points; the other two are then over it or not.
    hand.table.limit = points[1] + distance
    hand.choose(answer)
    others_over = [seat for seat in (0, 2) if points[seat] >= hand.table.limit]
    assert (hand.card_points()[1] >= hand.table.limit) == over
    if over and not others_over:
        assert hand.result() == [1, 0, 1]


def test_the_computer_is_not_asked_after_a_match():
    hand = finish(start("", "", "", who={1: "Computer"}))
    assert hand.match_seat() is not None and not any("computer" in event for event in hand.log)


def test_raeuber_robs_the_trump_card_and_hands_over_any_card():
    hand = start("E6", "", "", who={0: "Räuber"}, up="H8")
    hand.choose("yes")
    assert "H8" not in options(hand)
    hand.choose("E6")
    assert "H8" in hand.table.hands[0] and "E6" in hand.table.hands[2]
    assert ("holds", 2, "E6") in hand.seen[2] and ("holds", 2, "E6") not in hand.seen[1]
    assert hand.table.mode == "H"


def test_raeuber_as_dealer_has_his_trump_card_robbed_by_the_trump_six():
    hand = start("", "H6", "", who={2: "Räuber"}, up="H8")
    hand.choose("yes")
    assert "H6" in hand.table.hands[2] and "H8" in hand.table.hands[1]


@pytest.mark.parametrize("up, own", [("HA", ""), ("H8", "H6")])
def test_raeuber_as_dealer_is_idle_without_a_trump_or_with_the_six_in_hand(up, own):
    assert asked(start("", "", own, who={2: "Räuber"}, up=up)) == "press"


def test_raeuber_robs_what_trumphator_made_the_trump_card():
    hand = start("", "", "E7", who={0: "Trumphator", 1: "Räuber"}, up="H8", second="E7")
    hand.choose("yes")
    hand.choose("yes")
    assert "E7" in hand.table.hands[1] and "H8" in hand.table.hands[2]


def test_raeuber_steals_before_radarkontrolle_sets_the_limit():
    hand = start("", "", "", who={0: "Radarkontrolle", 1: "Räuber"})
    hand.choose("yes")
    hand.choose(options(hand)[0])
    assert asked(hand) == "radar tens"


def test_voyeur_is_shown_five_cards_of_his_targets_choice():
    hand = start("", "H6 H7 H9 E6 E7 RA", "", press="EA RA SA", who={0: "Voyeur"})
    play(hand, presses="EA RA SA", voyeur=["1"], voyeur_sees=["H6", "H7", "H9", "E6", "E7"])
    shown = [fact for fact in hand.seen[0] if fact[0] == "holds" and fact[1] == 1]
    assert [fact[2] for fact in shown] == "H6 H7 H9 E6 E7".split()
    assert ("holds", 1, "H6") not in hand.seen[2]
    assert not hand.table.can_use("Voyeur")


def test_a_target_with_five_cards_shows_the_voyeur_all_of_them():
    hand = start("", "", "", who={0: "Voyeur"})
    while not (asked(hand) == "voyeur" and len(hand.table.hands[1]) == 5):
        hand.choose(options(hand)[0])
    held = set(hand.table.hands[1])
    hand.choose("1")
    assert asked(hand) == "card"
    assert held == {fact[2] for fact in hand.seen[0] if fact[:2] == ("holds", 1)} & held


def test_quizmaster_asks_after_every_trick_and_is_answered_truthfully():
    hand = start("HA RA", "HK EA E6 R7", "HQ SA", press="RA EA SA", who={0: "Quizmaster"}, up="S8")
    play(hand, presses="RA EA SA")
    assert asked(hand) == "card"
    play(hand, "HA HK HQ", quizmaster="1", quizmaster_asks="E6")
    assert ("holds", 1, "E6") in hand.seen[2]
    assert hand.log[-1] == "1 answers yes"
    play(hand, " ".join(lowest_trick(hand)), quizmaster="1", quizmaster_asks="any R")
    assert any(fact[0] == "any of" and fact[1] == 1 for fact in hand.seen[0])


def lowest_trick(hand):
    """Return the cards that the three seats lay next if all take their first option; the hand stays as it is."""
    table = hand.table
    laid = []
    for seat in table.from_seat(table.leader):
        card = in_order(table.legal(table.hands[seat]))[0]
        laid.append(card)
        table.trick.append(Laid(seat, card))
    table.trick = []
    return laid


def test_a_no_to_the_quizmaster_denies_the_pressed_card_too():
    hand = start("HA RA", "HK EA", "HQ SA", press="RA EA SA", who={0: "Quizmaster"}, up="S8")
    play(hand, "HA HK HQ", presses="RA EA SA", quizmaster="1", quizmaster_asks="EA")
    assert hand.log[-1] == "1 answers no"
    assert ("not in hand", 1, ["EA"]) in hand.seen[2]


def test_feministin_need_not_take_a_queen_with_a_man():
    hand = start("HA", "HQ", "HK", press="RA EA SA", who={0: "Feministin"}, up="S8")
    play(hand, "HA HQ HK", presses="RA EA SA", feministin="yes")
    assert hand.table.winners == [2]
    assert piles(hand)[2] == cards("HA HQ HK")


def test_feministin_may_take_it_and_is_not_asked_without_a_man_or_without_winning():
    hand = start("HA H10 EK", "HQ H7 EQ", "HK H6 EA", press="RA R6 SA", who={0: "Feministin"}, up="S8")
    play(hand, "HA HQ HK", presses="RA R6 SA", feministin="no")
    assert hand.table.winners == [0]
    play(hand, "H10 H7 H6")
    play(hand, "EK EQ EA")
    assert hand.table.winners == [0, 0, 2]


def test_when_the_feministins_lead_is_withdrawn_the_next_card_sets_the_suit():
    all_hearts = " ".join("H" + rank for rank in RANKS)
    hand = start(all_hearts, "EK", "RA", who={0: "Feministin"}, press="SA SK SQ", up="S8")
    play(hand, "HQ EK RA", presses="SA SK SQ", feministin="yes")
    assert hand.table.winners == [1]


def test_schuechterne_draws_the_lead_from_a_fellow_who_may_refuse_once():
    hand = start("HA", "E6 EA", "S9", press="HA EA S9", who={0: "Schüchterne"}, draws=[0, 1])
    play(hand, presses="HA EA S9", schuechterne="1", schuechterne_refused=["?"])
    held = in_order(hand.table.hands[1])
    play(hand, schuechterne_refused="yes")
    assert [(laid.seat, laid.card) for laid in hand.table.trick] == [(1, [c for c in held if c != held[0]][1])]
    assert ("holds", 1, held[0]) in hand.seen[0] and ("holds", 1, held[0]) not in hand.seen[2]
    assert hand.decision()[0] == 2 and not hand.table.can_use("Schüchterne")


def test_teekraenzchen_gets_a_card_from_each_and_returns_one_each_perhaps_the_same():
    for returned in (["S6", "H6"], ["E6", "S6"], ["S6", "E6"]):
        hand = start("H6", "E6 R6", "S6", who={0: "Teekränzchen"}, press="SA RA HQ")
        play(hand, presses="SA RA HQ", teekraenzchen_gift=["E6", "S6"], teekraenzchen_returns=returned)
        assert returned[0] in hand.table.hands[1] and returned[1] in hand.table.hands[2]
        assert [len(held) for held in hand.table.hands] == [11, 11, 11]
        assert ("holds", 1, returned[0]) in hand.seen[0] and ("holds", 1, returned[0]) not in hand.seen[2]


def test_gerechtigkeit_leaves_everybody_his_own_card_for_two_tricks():
    hand = start("HA EA", "HK EK E6", "HQ EQ E7", press="RA R6 SA", who={1: "Gerechtigkeit"}, up="S8")
    play(hand, "HA HK HQ EA EK EQ", presses="RA R6 SA", gerechtigkeit="yes")
    assert piles(hand) == [cards("HA EA"), cards("HK EK"), cards("HQ EQ")]
    assert hand.table.winners == [0, 0]
    play(hand, " ".join(lowest_trick(hand)))
    assert sorted(len(pile) for pile in piles(hand)) == [2, 2, 5]


def test_skater_in_the_face_of_a_cut_in_makes_the_suit_binding():
    hand = start("EA", "E6 E7 H6", "E8", press="SA RA SQ", who={0: "Skater"})
    play(hand, "EA H6", presses="SA RA SQ", skater=["no", "yes"])
    assert hand.decision()[0] == 1 and cards("E6 E7") <= set(options(hand))
    assert all(card[0] == "E" for card in options(hand))
    assert ("holds", 1, "H6") in hand.seen[2]


def test_skater_ranks_the_ten_above_the_king_before_the_trick_is_collected():
    hand = start("EK E6", "E10", "E8", press="SA RA SQ", who={1: "Skater"})
    play(hand, "EK E10 E8", presses="SA RA SQ", skater=["no", "yes"])
    assert hand.table.winners == [1]
    assert hand.table.order("H") == "J 9 A 10 K Q 8 7 6".split()
    assert hand.table.order("E") == "A 10 K Q J 9 8 7 6".split()


def test_a_cut_in_without_the_suit_stands_under_skat():
    hand = start("EA", "H6", "E6 E7 E8", press="SA R6 RA", who={0: "Skater"})
    hand.table.hands = [
        cards("EA EK EQ EJ E10 E9 SA SK SQ SJ S10 S9"),
        cards("H6 H7 H9 H10 HJ HQ R6 R7 R9 R10 RJ RQ"),
        cards("E6 E7 E8 H8 HA HK R8 RK RA S6 S7 S8"),
    ]
    play(hand, "EA H6", presses="SA R6 RA", skater=["no", "yes"])
    assert hand.decision()[0] == 2
    assert ("not in hand", 1, ["E" + rank for rank in RANKS]) in hand.seen[0]


def test_the_order_under_skat_is_reversed_in_undenufe():
    hand = start("", "", "", who={0: "Skater"}, up="H6")
    hand.table.is_skat = True
    assert hand.table.order("H") == "6 7 8 9 J Q K 10 A".split()


def test_skater_kills_jiu_jitsus_nine_and_ten_and_the_sphinx_comes_too_late():
    hand = start("H10", "H9", "HK H6", press="RA EA SA", who={0: "Jiu-Jitsu", 1: "Skater", 2: "Sphinx"}, up="S8")
    play(hand, "H10 H9 H6", presses="RA EA SA", sphinx="yes", jiu_jitsu="yes", skater=["no", "?"])
    assert hand.table.best_laid().seat == 1
    play(hand, skater="yes", sphinx_declares=["?"])
    assert hand.table.best_laid().seat == 0 and hand.table.is_skat
    # Her card stays face down; all that is left to her is to name the owner.
    assert options(hand) == ["0", "1", "2"]
    assert not hand.table.can_use("Jiu-Jitsu")


def test_whoever_gets_the_ravens_jack_loses_under_schwarzpeter():
    hand = ended([50, 57, 50])
    hand.table.is_schwarzpeter = True
    assert hand.result() == [0, 1, 1]
    hand = ended([20, 120, 17])
    hand.table.is_schwarzpeter = True
    assert hand.result() == [0, 0, 2], "the taker and the one over the limit come away empty"


def test_a_match_takes_precedence_over_schwarzpeter():
    hand = ended([157, 0, 0], winners=[0, 0, 0])
    hand.table.is_schwarzpeter = True
    assert hand.result() == [2, 0, 0]


@pytest.mark.parametrize("up, standing, allowed", [("R8", (0, 0, 0), False), ("H8", (6, 6, 0), False), ("H8", (6, 5, 0), True)])
def test_schwarzpeter_is_forbidden_with_ravens_trump_and_with_two_at_six(up, standing, allowed):
    hand = start("", "", "", who={0: "Schwarzpeter"}, up=up, standing=standing)
    assert (asked(hand) == "schwarzpeter") == allowed


def test_the_ravens_jack_may_not_be_pressed_under_schwarzpeter():
    hand = start("RJ", "", "", who={1: "Schwarzpeter"})
    hand.choose("yes")
    assert asked(hand) == "press" and "RJ" not in options(hand)


def test_farbenfreund_orders_a_suit_twice():
    hand = start("EA E6 HA", "E7", "E8", press="HA RA SA", who={1: "Farbenfreund"}, up="S8")
    play(hand, presses="HA RA SA", farbenfreund="E")
    assert all(card[0] == "E" for card in options(hand))
    play(hand, "EA E7 E8", farbenfreund=["H"])
    assert hand.table.left["Farbenfreund"] == 0


def test_a_wish_for_a_missing_suit_lapses_and_is_used_up():
    hand = start("EA EK EQ EJ E10 E9 HA HK HQ HJ H10 H9", "E7", "E8", press="EA RA SA", who={1: "Farbenfreund"}, up="S8")
    play(hand, "HA", presses="EA RA SA", farbenfreund="R")
    assert hand.table.left["Farbenfreund"] == 1
    assert ("not in hand", 0, ["R" + rank for rank in RANKS]) in hand.seen[2]


def test_scharfmacher_makes_six_cards_one_trick_and_the_highest_wins():
    hand = start("E9 E6", "EQ E8", "EA E7", press="HA HK HQ", who={0: "Scharfmacher"}, up="S8")
    play(hand, "E9 EQ E7 E6 E8 EA", presses="HA HK HQ", scharfmacher="yes")
    assert hand.table.winners == [2]
    assert piles(hand)[2] == cards("E9 EQ E7 E6 E8 EA")
    finish(hand)
    assert len(hand.table.winners) == 10


def test_the_second_card_follows_the_first_lead_and_may_not_undertrump():
    hand = start("E9 E6", "H9 H6 E7", "E8 EA", press="RA SA RQ", who={0: "Scharfmacher"})
    play(hand, "E9 H9 E8 E6", presses="RA SA RQ", scharfmacher="yes")
    assert hand.decision()[0] == 1 and "H6" not in options(hand) and "E7" in options(hand)


def test_differenzler_gets_both_points_for_the_exact_number():
    hand = ended([60, 50, 47], who={0: "Differenzler"})
    hand.table.announced = 60
    assert hand.result() == [2, 0, 0]
    hand.table.announced = 61
    assert hand.result() == [1, 0, 1]
    hand.table.announced = 60
    hand.table.taken = [0, 2, 2]
    assert hand.result() == [1, 0, 1], "without a trick there is no hit"


def test_differenzler_yields_to_match_and_schwarzpeter_and_beats_the_limit():
    hand = ended([0, 157, 0], who={0: "Differenzler"}, winners=[1, 1])
    hand.table.announced = 0
    assert hand.result() == [0, 2, 0]
    hand = ended([60, 50, 47], who={0: "Differenzler"})
    hand.table.announced, hand.table.is_schwarzpeter = 60, True
    assert hand.result() == [0, 1, 1]
    hand = ended([110, 40, 7], who={0: "Differenzler"})
    hand.table.announced = 110
    assert hand.result() == [2, 0, 0]


def test_differenzler_announces_before_the_first_lead():
    hand = start("", "", "", who={1: "Differenzler"})
    play(hand, presses=" ".join(in_order(h)[0] for h in hand.table.hands), differenzler_tens="150", differenzler_units=["?"])
    assert options(hand) == list("01234567")
    hand.choose("7")
    assert hand.table.announced == 157 and asked(hand) == "card"


def test_fahnder_demands_a_card_that_must_be_played():
    hand = start("EA", "E6 R9", "E7", press="HA HK HQ", who={0: "Fahnder"})
    play(hand, "EA", presses="HA HK HQ", fahnder="R9")
    assert [laid.card for laid in hand.table.trick] == ["EA", "R9"]


def test_fahnder_has_bad_luck_with_a_pressed_card():
    hand = start("EA", "E6 R9", "E7", press="HA R9 HQ", who={0: "Fahnder"})
    play(hand, "EA E6 E7", presses="HA R9 HQ", fahnder="R9")
    assert not hand.table.can_use("Fahnder")
    assert ("not in hand", 1, ["R9"]) in hand.seen[0] and ("not in hand", 2, ["R9"]) in hand.seen[0]


def test_fahnder_may_not_demand_the_ravens_jack_under_schwarzpeter():
    hand = start("EA", "RJ", "E7", press="HA HK HQ", who={0: "Fahnder", 1: "Schwarzpeter"})
    play(hand, "EA", presses="HA HK HQ", schwarzpeter="yes", fahnder=["?"])
    assert "RJ" not in options(hand) and "R9" in options(hand)


def test_fuersorge_gives_a_trick_of_three_points_with_the_lead_to_the_needy():
    hand = start("EQ", "E9", "E6", press="HA HK HQ", who={1: "Fürsorge"}, up="S8")
    play(hand, "EQ E9 E6", presses="HA HK HQ", fuersorge="2")
    assert piles(hand)[2] == cards("EQ E9 E6") and hand.decision()[0] == 2
    assert hand.table.winners == [None] and hand.table.taken == [0, 0, 1]


def test_fuersorge_cannot_give_a_trick_of_four_points_or_one_with_a_sphinx_card():
    hand = start("EK EQ", "E9 E7", "E6 E8", press="HA HK HQ", who={1: "Fürsorge", 2: "Sphinx"}, up="S8")
    play(hand, "EK E9 E6", presses="HA HK HQ")
    assert hand.decision()[:2] == (0, "card")
    play(hand, "EQ E7 E8", sphinx="yes", sphinx_declares=["?"])
    assert asked(hand) == "sphinx declares"


def test_fuersorge_cannot_give_away_the_last_trick():
    hand = start("", "", "", who={1: "Fürsorge"})
    while len(hand.table.winners) < 10:
        hand.choose(options(hand)[0])
    while not hand.over():
        assert asked(hand) == "card"
        hand.choose(options(hand)[0])


def test_fuersorge_gives_only_the_lead_of_an_animal_trick_under_jackpot():
    hand = start("EQ", "E9", "E6", press="HA HK HQ", who={0: "Jackpot", 1: "Fürsorge"}, up="S8")
    play(hand, "EQ E9 E6", presses="HA HK HQ", jackpot="H7", fuersorge="2")
    assert set(hand.table.pot) == cards("HA EQ E9 E6") and hand.decision()[0] == 2
    assert hand.table.winners == [0]


def test_fuersorge_gives_the_seven_together_with_the_jackpot():
    hand = start("H7", "H9", "HQ", press="HA HK RA", who={0: "Jackpot", 1: "Fürsorge"}, up="S8")
    play(hand, "H7 H9 HQ", presses="HA HK RA", jackpot="H7", fuersorge="0")
    assert piles(hand)[0] == cards("HA H7 H9 HQ") and hand.table.pot is None


def test_below_four_points_fuersorge_gives_only_the_lead_under_gerechtigkeit():
    hand = start("EQ", "E9", "E6", press="HA HK HQ", who={0: "Gerechtigkeit", 1: "Fürsorge"}, up="S8")
    play(hand, "EQ E9 E6", presses="HA HK HQ", gerechtigkeit="yes", fuersorge="2")
    assert piles(hand) == [{"EQ"}, {"E9"}, {"E6"}] and hand.decision()[0] == 2


def test_weisheit_announces_ten_with_four_cards_in_sequence():
    hand = start("E6 E7 E8 E9 RA", "", "", who={0: "Weisheit"})
    hand.table.hands[0] = cards("E6 E7 E8 E9 RA RQ S6 S8 H6 HA H9 EK")
    hand.table.hands[1] = cards("E10 EJ EQ EA R6 R7 R8 R9 S7 S9 S10 SJ")
    hand.table.hands[2] = set(DECK) - hand.table.hands[0] - hand.table.hands[1]
    play(hand, presses="RA EA " + in_order(hand.table.hands[2])[0], weisheit=["?"])
    assert options(hand) == ["no", "4", "10"]
    hand.choose("10")
    assert "0 shows E6 E7 E8 E9" in hand.log
    before = None
    while not hand.over():
        if asked(hand) == "weisheit adds":
            before = hand.card_points()[0]
            assert options(hand) == ["0", "+10", "-10"]
            hand.choose("-10")
        else:
            hand.choose(options(hand)[0])
    assert hand.card_points()[0] == before - 10 and sum(hand.card_points()) == 147


@pytest.mark.parametrize(
    "held, trump, best",
    [
        ("HJ EJ RJ SJ", "H", 40),
        ("H9 E9 R9 S9", "H", 30),
        ("HA EA RA SA", None, 20),
        ("H10 E10 R10 S10 HQ EQ RQ SQ", "E", 40),
        ("H8 E8 R8 S8", "H", None),
        ("H6 H7 H8 H9 H10", "E", 20),
        ("H6 H7 H8 H9 H10 HJ HQ HK HA", "E", 20),
        ("H6 H7 H8", "E", 4),
        ("HK HQ", "H", 4),
        ("HK HQ", "E", None),
        ("HJ HQ HK", "H", 8),
        ("H6 H7 H8 H9 H10 HJ EJ RJ SJ", "E", 60),
        ("HQ HK EK RK SK", "H", 20),
    ],
)
def test_weisheits_combinations_have_the_listed_points(held, trump, best):
    sums = weisheit_sums(cards(held), trump, RULES)
    assert max(sums, default=None) == best
    assert all(set(shown) <= cards(held) for shown in sums.values())


def test_laser_presses_for_the_others_and_draws_the_first_lead():
    held = [in_order(h) for h in hold("H6 H7", "", "E6 E7", up="H8")]
    hand = start("H6 H7", "", "E6 E7", who={1: "Laser"}, draws=[1, 0, 2])
    assert hand.decision()[:2] == (1, "press")
    assert hand.table.pressed == [held[0][1], None, held[2][0]]
    hand.choose(held[1][0])
    left = [card for card in held[0] if card != held[0][1]]
    assert [laid.card for laid in hand.table.trick] == [left[2]] and hand.decision()[:2] == (1, "card")


def test_the_laser_chooses_his_own_lead():
    hand = start("H6", "", "", who={0: "Laser"}, press="H6")
    play(hand, presses="H6")
    assert hand.decision()[:2] == (0, "card") and len(options(hand)) == 11


def test_the_laser_redraws_a_card_that_may_not_be_pressed():
    held = in_order(hold("RJ", "", "", up="H8")[0])
    hand = start("RJ", "", "", who={1: "Laser", 2: "Schwarzpeter"}, draws=[held.index("RJ")])
    play(hand, schwarzpeter="yes", press=[])
    assert hand.table.pressed[0] == held[held.index("RJ") + 1]


def test_a_farbenfreund_orders_what_the_laser_draws():
    hand = start("H6 E7", "", "", who={1: "Laser", 2: "Farbenfreund"}, press="SA RA HQ")
    play(hand, presses="RA", farbenfreund="E")
    assert hand.table.trick[0].card == "E7"


def test_radarkontrolle_sets_the_limit_between_80_and_120():
    hand = start("", "", "", who={0: "Radarkontrolle"})
    assert options(hand) == ["80", "90", "100", "110", "120"]
    play(hand, radar_tens="80", radar_units="3")
    assert hand.table.limit == 83
    hand = start("", "", "", who={0: "Radarkontrolle"})
    hand.choose("120")
    assert hand.table.limit == 120 and asked(hand) == "press"
    hand = ended([82, 60, 15])
    hand.table.limit = 83
    assert hand.result() == [1, 0, 1]
    hand.table.limit = 82
    assert hand.result() == [0, 1, 1]


def test_konsumentenschutz_rejects_a_card_that_returns_after_the_trick():
    hand = start("EA", "EK E6", "E7", press="HA HK HQ", who={0: "Konsumentenschutz"}, up="S8")
    play(hand, "EA EK", presses="HA HK HQ", konsumentenschutz="yes")
    assert hand.decision()[0] == 1 and "EK" not in options(hand) and "E6" in options(hand)
    play(hand, "E6 E7")
    assert "EK" in hand.table.hands[1] and [len(h) for h in hand.table.hands] == [10, 10, 10]
    assert ("holds", 1, "EK") in hand.seen[2]


def test_a_rejected_lead_is_led_afresh():
    hand = start("EA SJ", "E6", "E7", press="HA HK HQ", who={1: "Konsumentenschutz"}, up="S8")
    play(hand, "EA", presses="HA HK HQ", konsumentenschutz="yes")
    assert hand.decision()[:2] == (0, "card") and len(options(hand)) == 10


def test_seher_sees_the_pressed_cards_and_the_first_lead_before_he_presses():
    hand = start("HA", "HK", "HQ", who={1: "Seher"}, up="S8")
    play(hand, presses="HA HQ", seher_lead=["?"])
    hand.choose("E9" if "E9" in options(hand) else options(hand)[0])
    lead = hand.table.shown_lead
    assert hand.decision()[:2] == (1, "press")
    assert {("pressed", 0, "HA"), ("pressed", 2, "HQ"), ("holds", 0, lead)} <= set(hand.seen[1])
    hand.choose("HK")
    assert hand.table.trick[0].card == lead and hand.decision()[:2] == (1, "card")


def test_laser_does_not_press_for_the_seher_nor_show_him_his_pressed_card():
    hand = start("", "", "", who={1: "Laser", 2: "Seher"}, draws=[0, 0])
    hand.choose(options(hand)[0])
    assert hand.decision()[:2] == (2, "press")
    assert not any(fact[:2] == ("pressed", 1) for fact in hand.seen[2])
    assert any(fact[:2] == ("pressed", 0) for fact in hand.seen[2])
    assert hand.table.shown_lead is not None
    finish(hand)


def test_umwerter_makes_the_hearts_eight_the_highest_heart():
    for up, order in (("S8", "8 A K Q J 10 9 7 6"), ("H7", "8 J 9 A K Q 10 7 6")):
        hand = start("", "H8", "", who={0: "Umwerter"}, up=up)
        play(hand, presses=" ".join(in_order(h)[-1] for h in hand.table.hands), umwerter="H8", umwerter_end="highest")
        assert hand.table.order("H") == order.split()
        assert hand.table.value("H8") == 0


def test_umwerter_may_not_choose_a_card_of_his_own():
    hand = start("", "", "", who={0: "Umwerter"})
    own = set(hand.table.hands[0])
    play(hand, presses=" ".join(in_order(h)[0] for h in hand.table.hands), umwerter=["?"])
    assert len(options(hand)) == 25 and not own & set(options(hand))


def test_zombie_has_everybody_call_back_a_card_of_his_last_trick_or_his_pressed_card():
    hand = start("EA R6", "E6 RA", "E7 R7", press="HA HK HQ", who={2: "Zombie"}, up="S8")
    play(hand, "EA E6 E7 R6 RA R7", presses="HA HK HQ", zombie=["?"])
    play(hand, zombie="yes", zombie_calls=["RA", "E6"] if hand.table.leader == 1 else [])
    assert "RA" in hand.table.hands[1] and "E6" in hand.table.hands[0] and "HQ" in hand.table.hands[2]
    assert hand.table.pressed == ["HA", "HK", None]
    assert ("holds", 2, "HQ") not in hand.seen[0]
    finish(hand)
    assert len(hand.table.winners) == 12


def test_the_cards_of_gerechtigkeit_count_as_a_trick_for_the_zombie():
    hand = start("EA", "E6", "E7", press="HA HK HQ", who={2: "Zombie", 0: "Gerechtigkeit"}, up="S8")
    play(hand, "EA E6 E7", presses="HA HK HQ", gerechtigkeit="yes", zombie="yes")
    assert "EA" in hand.table.hands[0] and "E6" in hand.table.hands[1] and "E7" in hand.table.hands[2]


def test_a_jackpot_initiator_without_tricks_calls_back_the_card_he_donated():
    hand = start("HA S9", "H6 S6", "H9 SJ", who={0: "Zombie", 1: "Jackpot"}, press="E6 EA HQ", up="S8")
    play(hand, "HA H6 H9 S9 S6 SJ", presses="E6 EA HQ", jackpot="H7", zombie="yes", zombie_calls=["SJ", "HA"])
    assert "EA" in hand.table.hands[1] and hand.table.pot == []
    assert [len(held) for held in hand.table.hands] == [10, 10, 10]


def test_a_donated_card_that_another_has_won_cannot_be_called_back():
    hand = start("H7 SA", "R6 E6", "H9 S6", who={0: "Zombie", 1: "Jackpot"}, press="E7 EA HQ", up="S8")
    play(hand, "H7 R6 H9 S6 SA E6", presses="E7 EA HQ", jackpot="H7")
    assert "EA" in hand.table.pile_cards(2) and hand.table.taken == [1, 0, 1]
    assert hand.decision()[:2] == (0, "card")


def test_an_excused_card_does_not_win_where_the_lead_has_lost_its_value():
    hand = start("EQ E6 E7 E8", "EA EK EJ E10 E9 RJ", "H9", press="HA HK HQ", who={0: "Feministin", 1: "Excuse"}, up="S8")
    play(hand, "EQ RJ H9", presses="HA HK HQ", feministin="yes")
    assert hand.table.winners == [2]
    assert ("any of", 1, ["E" + rank for rank in RANKS]) in hand.seen[2]


def test_excuse_forgets_a_suit_with_a_card_of_three_points_or_less():
    hand = start("EA", "E6 RQ RK R8", "E7", press="HA HK HQ", who={1: "Excuse"}, up="S8")
    play(hand, "EA", presses="HA HK HQ")
    assert {"RQ", "R8", "E6"} <= set(options(hand)) and "RK" not in options(hand)
    play(hand, "RQ E7")
    assert "1 lays RQ with an excuse" in hand.log and hand.table.winners == [0]
    assert not hand.table.can_use("Excuse")
    assert not any(fact[:2] == ("not in hand", 1) for fact in hand.seen[0])


def test_taschenspieler_exchanges_his_pressed_card_up_to_his_fourth_from_last():
    hand = start("EA E6", "", "", who={0: "Taschenspieler"}, up="S8")
    play(hand, presses="EA " + " ".join(in_order(hand.table.hands[s])[0] for s in (1, 2)), taschenspieler="E6")
    assert hand.table.pressed[0] == "E6" and "EA" in hand.table.hands[0]
    hand = start("", "", "", who={0: "Taschenspieler"}, up="S8")
    sizes = []
    while not hand.over():
        if asked(hand) == "taschenspieler":
            sizes.append((len(hand.table.hands[0]), len(hand.table.trick) > 0))
        hand.choose(options(hand)[0])
    assert [size for size, is_in_trick in sizes if not is_in_trick] == [11, 10, 9, 8, 7, 6, 5, 4]
    in_trick = [size for size, is_in_trick in sizes if is_in_trick]
    assert in_trick and in_trick == sorted(set(in_trick), reverse=True) and min(in_trick) >= 4


def test_taschenspieler_lays_a_demanded_card_that_he_takes_up_in_mid_trick():
    hand = start("EA", "E6 R9 R6", "E7", press="HA R9 HQ", who={0: "Fahnder", 1: "Taschenspieler"}, up="S8")
    play(hand, "EA", presses="HA R9 HQ", fahnder="R9", taschenspieler=["no", "R6"])
    assert [laid.card for laid in hand.table.trick] == ["EA", "R9"]


def test_korrektor_rejects_a_trick_and_may_take_over_the_lead():
    hand = start("EA", "E6", "E7", press="HA HK HQ", who={1: "Korrektor"}, up="S8")
    play(hand, "EA E6 E7", presses="HA HK HQ", korrektor="yes", korrektor_leads="yes")
    assert hand.decision()[:2] == (1, "card") and [len(h) for h in hand.table.hands] == [11, 11, 11]
    assert hand.table.winners == [] and not hand.table.can_use("Korrektor")


def test_a_rejected_trick_does_not_count_down_gerechtigkeit_and_spends_what_was_used():
    hand = start("H10", "H9", "H6", press="RA EA SA", who={0: "Gerechtigkeit", 1: "Jiu-Jitsu", 2: "Korrektor"}, up="S8")
    play(hand, "H10 H9 H6", presses="RA EA SA", gerechtigkeit="yes", jiu_jitsu="yes", korrektor="yes", korrektor_leads="no")
    assert hand.table.justice_left == 2
    play(hand, "H10 H9 H6")
    assert hand.table.winners == [0]


def test_korrektor_may_reject_the_last_trick():
    hand = start("", "", "", who={1: "Korrektor"})
    while not (asked(hand) == "korrektor" and hand.table.is_last_trick()):
        hand.choose(options(hand)[0])
    hand.choose("yes")
    finish(hand)
    assert len(hand.table.winners) == 11


def test_fledderer_pushes_a_second_card_and_takes_the_pressed_one():
    hand = start("E6", "", "", who={0: "Fledderer"}, up="S8")
    pressed = [in_order(h)[-1] for h in hand.table.hands]
    play(hand, presses=" ".join(pressed), fledderer="1", fledderer_pushes="E6")
    assert hand.table.pressed == [pressed[0], "E6", pressed[2]] and pressed[1] in hand.table.hands[0]
    assert ("pressed", 1, "E6") in hand.seen[1] and ("pressed", 1, "E6") not in hand.seen[2]


def test_the_taschenspieler_may_not_take_up_a_pushed_card():
    hand = start("E6", "", "", who={0: "Fledderer", 1: "Taschenspieler"}, up="S8")
    play(hand, presses=" ".join(in_order(h)[-1] for h in hand.table.hands), fledderer="1", fledderer_pushes="E6")
    assert hand.decision()[:2] == (0, "card")
    assert not any("taschenspieler" in event for event in hand.log)


def test_guggitaler_counts_only_hearts_and_the_stars_king():
    hand = start("", "", "", who={0: "Guggitaler"}, up="S8")
    presses = [next(c for c in in_order(h) if c != "SK") for h in hand.table.hands]
    play(hand, presses=" ".join(presses), guggitaler="yes")
    assert [card for card in DECK if hand.table.value(card) == 1] == ["H" + rank for rank in RANKS]
    assert hand.table.value("SK") == 4
    finish(hand)
    assert sum(hand.card_points()) == 13


def test_thirteen_points_without_a_match_come_away_empty():
    for points, award in (([13, 0, 0], [0, 1, 1]), ([6, 6, 1], [0, 0, 2]), ([7, 4, 2], [1, 0, 1])):
        hand = ended([0, 0, 0])
        hand.table.is_guggitaler = hand.table.is_schwarzpeter = True
        hand.table.adjustments = [points[0] - 13, points[1], points[2]]
        assert hand.result() == award


@pytest.mark.parametrize("rule", ["swap", "void", "barred"])
def test_a_pressed_stars_king_meets_guggitaler_by_the_rule_switch(rule):
    hand = start("", "SK", "", who={0: "Guggitaler"}, up="S8", guggitaler_king=rule)
    first = [in_order(h)[0] for h in hand.table.hands]
    if rule == "barred":
        hand.choose(first[0])
        assert "SK" not in options(hand)
        return
    play(hand, presses=f"{first[0]} SK {first[2]}", guggitaler=["?"])
    hand.choose("yes")
    if rule == "void":
        assert not hand.table.is_guggitaler and hand.table.pressed[1] == "SK"
        assert asked(hand) == "card" and ("pressed", 1, "SK") in hand.seen[2]
    else:
        assert hand.decision()[:2] == (1, "press") and "SK" not in options(hand)
        hand.choose(first[1])
        assert "SK" in hand.table.hands[1] and hand.table.pressed[1] == first[1]


def test_the_laser_presses_afresh_for_a_fellow_who_takes_the_stars_king_back():
    hand = start("", "", "SK S8 S7", who={0: "Laser", 1: "Guggitaler"}, up="S8", draws=[0, 11, 0, 0])
    assert hand.table.pressed[2] == "SK"
    play(hand, presses=in_order(hand.table.hands[0])[0], guggitaler="yes")
    assert asked(hand) == "card" and hand.table.pressed[2] not in (None, "SK") and "SK" in hand.table.hands[2]


def test_guggitaler_puts_schwarzpeter_out_of_action():
    hand = ended([50, 57, 50])
    hand.table.is_schwarzpeter = hand.table.is_guggitaler = True
    hand.table.adjustments = [0 - 13 + 3, 4, 6]
    assert hand.result() == [1, 0, 1]


def test_jackpot_collects_animal_tricks_for_the_winner_of_the_seven():
    hand = start("EA H7", "E6 HA", "E7 H9", who={0: "Jackpot"}, press="SA HK HQ", up="S8")
    play(hand, "EA E6 E7", presses="SA HK HQ", jackpot="H7")
    assert hand.decision()[0] == 0, "the winner of a potted trick leads"
    assert hand.table.pot == ["SA", "EA", "E6", "E7"] and hand.table.winners == [0]
    play(hand, "H7 HA H9")
    assert piles(hand)[1] == cards("SA EA E6 E7 H7 HA H9") and hand.table.pot is None
    assert ("donated", 0, "SA") in hand.seen[0] and ("donated", 0, "SA") not in hand.seen[1]


def test_the_initiator_may_not_press_the_named_card_and_its_presser_wins_the_pot():
    hand = start("H7 S7", "", "", who={0: "Jackpot"}, up="S8")
    hand.choose("H7")
    assert "H7" not in options(hand) and "S7" in options(hand)
    hand = start("S6", "H7", "", who={0: "Jackpot"}, up="S8")
    play(hand, presses=f"S6 H7 {in_order(hand.table.hands[2])[-1]}", jackpot="H7")
    finish(hand)
    assert "S6" in piles(hand)[1]


def test_animal_tricks_do_not_travel_into_the_jackpot_under_gerechtigkeit():
    hand = start("EA", "E6", "E7", press="HA HK HQ", who={0: "Jackpot", 1: "Gerechtigkeit"}, up="S8")
    play(hand, "EA E6 E7", presses="HA HK HQ", jackpot="H7", gerechtigkeit="yes")
    assert hand.table.pot == ["HA"] and piles(hand) == [{"EA"}, {"E6"}, {"E7"}]


def test_kompass_chooses_the_direction_and_changes_it_twice():
    hand = start("HA EA", "HK E6", "HQ E7", press="RA R6 SA", who={1: "Kompass"}, up="S8")
    play(hand, "HA HQ HK EA E6 E7", presses="RA R6 SA", kompass="left", kompass_turns=["yes", "yes"])
    assert hand.table.left["Kompass"] == 0 and hand.table.direction == -1


def test_black_friday_moves_the_stars_points_to_the_ravens():
    hand = start("", "", "", who={0: "Black Friday"}, up="S8")
    play(hand, presses=" ".join(in_order(h)[-1] for h in hand.table.hands), black_friday="S")
    assert [hand.table.value(card) for card in ("RJ", "R9", "RA")] == [22, 14, 22]
    assert all(hand.table.value("S" + rank) == 0 for rank in RANKS)
    assert hand.table.order("S")[0] == "J"
    finish(hand)
    assert sum(hand.card_points()) == 157


def test_black_friday_after_guggitaler_leaves_thirteen_points():
    hand = start("", "", "", who={0: "Black Friday", 1: "Guggitaler"}, up="S8")
    presses = [next(c for c in in_order(h) if c != "SK") for h in hand.table.hands]
    play(hand, presses=" ".join(presses), guggitaler="yes", black_friday=["?"])
    assert options(hand) == ["no", "H", "S"]
    hand.choose("S")
    assert hand.table.value("RK") == 4 and hand.table.value("SK") == 0
    finish(hand)
    assert sum(hand.card_points()) == 13


def test_wuenschelrute_demands_a_card_and_the_donor_draws_blind():
    hand = start("H6 E7", "RJ", "", who={0: "Wünschelrute"}, draws=[3])
    held = in_order(hand.table.hands[0])
    assert asked(hand) == "wuenschelrute" and not set(held) & set(options(hand))
    hand.choose("RJ")
    assert "RJ" in hand.table.hands[0] and held[3] in hand.table.hands[1]
    assert ("holds", 0, "RJ") in hand.seen[2] and ("holds", 1, held[3]) not in hand.seen[2]
    assert [len(h) for h in hand.table.hands] == [12, 12, 12]


def test_sphinx_plays_face_down_twice_and_declares_whose_the_trick_is():
    hand = start("EA RA", "E6 R6 E8", "E7 R7", press="HA HK HQ", who={1: "Sphinx"}, up="S8")
    play(hand, "EA E6 E7", presses="HA HK HQ", sphinx="yes", sphinx_declares="2")
    # The trick is seat 2's, but it has not won it by rank.
    assert hand.table.winners == [None] and hand.decision()[0] == 2
    assert "E6" in hand.table.hidden and ("laid", 1, "E6") not in hand.seen[0]
    play(hand, " ".join(lowest_trick(hand)), sphinx="yes", sphinx_declares="1")
    assert not hand.table.can_use("Sphinx")


def test_a_face_down_lead_names_the_suit_that_must_be_followed():
    hand = start("E6", "EA E8", "E7", press="HA HK HQ", who={0: "Sphinx"}, up="S8")
    play(hand, "E6", presses="HA HK HQ", sphinx="yes")
    assert "0 lays E6 face down and names E" in hand.log
    assert {card[0] for card in options(hand)} <= {"E", "S"}


def test_a_truthful_sphinx_announces_the_winner_by_rank():
    hand = start("EA", "E6", "E7", press="HA HK HQ", who={1: "Sphinx"}, up="S8", sphinx="truthful")
    play(hand, "EA E6 E7", presses="HA HK HQ", sphinx="yes")
    assert hand.table.winners == [0] and "the sphinx announces 0" in hand.log
    assert next(fact for fact in hand.seen[2] if fact[0] == "laid one of")[2].count("E6") == 1


# Interactions ---------------------------------------------------------------------


def test_the_characters_of_one_moment_are_asked_in_listing_order():
    order = {name: index for index, name in enumerate(NAMES)}
    hand = start("", "", "", who={0: "Wünschelrute", 1: "Jackpot", 2: "Schwarzpeter"})
    seats = []
    while asked(hand) != "press":
        seats.append(order[hand.table.characters[hand.decision()[0]]])
        hand.choose(options(hand)[0])
    assert seats == sorted(seats) and len(seats) == 3


def test_the_ravens_jack_stays_with_its_player_under_gerechtigkeit():
    hand = start("RA", "RJ", "R6", press="HA HK HQ", who={0: "Gerechtigkeit", 1: "Schwarzpeter"}, up="S8")
    play(hand, "RA RJ R6", presses="HA HK HQ", schwarzpeter="yes", gerechtigkeit="yes")
    assert "RJ" in piles(hand)[1]
    assert finish(hand).result()[1] == 0


def test_the_ravens_jack_belongs_to_the_winner_of_the_jackpot():
    hand = start("RA H7", "RJ HA", "R6 H9", who={0: "Jackpot", 1: "Schwarzpeter"}, press="SA HK HQ", up="S8")
    play(hand, "RA RJ R6 H7 HA H9", presses="SA HK HQ", jackpot="H7", schwarzpeter="yes")
    assert "RJ" in piles(hand)[1]
    assert finish(hand).result()[1] == 0


def test_fuersorge_may_give_away_the_ravens_jack():
    hand = start("R9", "RJ", "R6", press="HA HK HQ", who={0: "Fürsorge", 1: "Schwarzpeter"}, up="S8")
    play(hand, "R9 RJ R6", presses="HA HK HQ", schwarzpeter="yes", fuersorge="0")
    assert "RJ" in piles(hand)[0]


def test_only_the_final_owner_of_the_ravens_jack_counts_after_the_zombie():
    hand = start("EQ RA", "E6 RJ", "EK R6", who={0: "Zombie", 1: "Schwarzpeter"}, press="HA HK HQ", up="S8")
    play(hand, "EQ E6 EK R6 RA RJ", presses="HA HK HQ", schwarzpeter="yes", zombie=["?"])
    assert "RJ" in piles(hand)[0]
    play(hand, zombie="yes", zombie_calls=["RJ", "E6"])
    assert "RJ" in hand.table.hands[0] and "RJ" not in piles(hand)[0]
    finish(hand)
    owner = next(seat for seat in SEATS if "RJ" in piles(hand)[seat])
    assert hand.match_seat() is not None or hand.result()[owner] == 0


def test_a_demanded_card_may_be_rejected_and_the_demand_is_spent():
    hand = start("EA", "E6 EK", "E7", press="HA HK HQ", who={0: "Fahnder", 2: "Konsumentenschutz"}, up="S8")
    play(hand, "EA", presses="HA HK HQ", fahnder="EK", konsumentenschutz=["no", "yes"])
    assert hand.decision()[:2] == (1, "card") and "EK" not in options(hand)
    assert hand.table.wishes.demanded is None and not hand.table.can_use("Fahnder")


def test_a_rejected_face_down_card_returns_and_its_use_is_spent():
    hand = start("EA", "E6 E8", "E7", press="HA HK HQ", who={0: "Konsumentenschutz", 1: "Sphinx"}, up="S8")
    play(hand, "EA E6 E8 E7", presses="HA HK HQ", sphinx=["yes", "no"], konsumentenschutz=["yes"])
    assert "E6" in hand.table.hands[1] and "E6" not in hand.table.hidden
    assert hand.table.left["Sphinx"] == 1
    assert ("holds", 1, "E6") not in hand.seen[0]


def test_the_thresholds_of_fuersorge_and_excuse_use_the_current_values():
    hand = start("HA EQ", "HK", "HQ", who={0: "Fürsorge", 1: "Guggitaler"}, up="S8")
    presses = [next(c for c in in_order(h) if c not in cards("HA HK HQ SK")) for h in hand.table.hands]
    play(hand, "HA HK HQ", presses=" ".join(presses), guggitaler="yes", fuersorge="2")
    assert piles(hand)[2] == cards("HA HK HQ")


@pytest.mark.parametrize(
    "who, powers, winner",
    [
        ({1: "Jackpot"}, {"jackpot": "H7"}, 0),
        ({1: "Gerechtigkeit"}, {"gerechtigkeit": "yes"}, 0),
        ({1: "Fürsorge"}, {"fuersorge": "1"}, None),
        ({1: "Jackpot", 2: "Fürsorge"}, {"jackpot": "H7", "fuersorge": "1"}, 0),
    ],
)
def test_a_jackpot_or_gerechtigkeit_does_not_break_a_match_but_a_gift_of_cards_does(who, powers, winner):
    hand = start("EQ", "E6", "E7", who=who, press="HA HK HQ", up="S8")
    play(hand, "EQ E6 E7", presses="HA HK HQ", **powers)
    assert hand.table.winners == [winner]


def test_the_sphinx_has_the_last_word_over_ultimo_when_she_is_free():
    for rule, owner in (("free", 2), ("truthful", 0)):
        hand = start("", "", "", who={0: "Ultimo", 1: "Sphinx"}, up="S8", sphinx=rule)
        while not (asked(hand) == "sphinx" and len(hand.table.hands[1]) == 1):
            hand.choose(options(hand)[0])
        hand.choose("yes")
        finish(hand, ultimo="yes", **({"sphinx_declares": "2"} if rule == "free" else {}))
        assert hand.table.bonus_seat == owner


def test_guggitaler_makes_the_initiator_take_a_donated_stars_king_back():
    hand = start("SK", "", "", who={0: "Jackpot", 1: "Guggitaler"}, press="SK HK HQ", up="S8")
    play(hand, presses="SK HK HQ", jackpot="H7", guggitaler=["?"])
    hand.choose("yes")
    assert hand.decision()[:2] == (0, "press") and not {"SK", "H7"} & set(options(hand))
    hand.choose("SA")
    assert hand.table.pot == ["SA"] and "SK" in hand.table.hands[0]


def test_the_victim_of_a_pushed_stars_king_takes_it_up_under_guggitaler():
    hand = start("SK", "", "", who={0: "Fledderer", 1: "Guggitaler"}, press="SA HK HQ", up="S8")
    play(hand, presses="SA HK HQ", fledderer="1", fledderer_pushes="SK", guggitaler=["?"])
    hand.choose("yes")
    assert hand.decision()[:2] == (1, "press")
    hand.choose(options(hand)[0])
    assert "SK" in hand.table.hands[1] and "HK" in hand.table.hands[0]


def test_the_fledderer_cannot_take_the_card_that_opened_the_jackpot():
    hand = start("", "", "", who={0: "Fledderer", 1: "Jackpot"}, press="SA HK HQ", up="S8")
    play(hand, presses="SA HK HQ", jackpot="H7", fledderer=["?"])
    assert options(hand) == ["no", "2"]


def test_a_lead_shown_to_the_seher_can_neither_be_ordered_nor_refused():
    hand = start("EA HA", "", "", who={0: "Schüchterne", 1: "Seher", 2: "Farbenfreund"}, press="SA HK HQ", up="S8")
    play(hand, presses="SA HQ HK", seher_lead="EA")
    assert [laid.card for laid in hand.table.trick] == ["EA"] and hand.decision()[:2] == (1, "card")
    assert not any("schuechterne" in event or "farbenfreund" in event for event in hand.log)


def test_the_shown_lead_cannot_be_given_away_pushed_or_pressed():
    hand = start("EA HA", "", "", who={1: "Seher", 2: "Teekränzchen"}, press="SA HK HQ", up="S8")
    play(hand, presses="SA HQ HK", seher_lead="EA", teekraenzchen_gift="?")
    assert hand.decision()[0] == 0 and "EA" not in options(hand) and len(options(hand)) == 10
    for name, question in (
        ("Teekränzchen", "teekraenzchen_returns"),
        ("Fledderer", "fledderer_pushes"),
        ("Taschenspieler", "taschenspieler"),
    ):
        hand = start("EA HA", "", "", who={1: "Seher", 0: name}, press="SA HK HQ", up="S8")
        play(hand, presses="SA HQ HK", seher_lead="EA", fledderer=["1"] if name == "Fledderer" else [], **{question: "?"})
        assert "EA" in hand.table.hands[0] and "EA" not in options(hand)


def test_the_winner_of_a_double_trick_under_gerechtigkeit_leaves_two_cards_to_everybody():
    hand = start("E9 E6", "EQ E8", "EA E7", who={0: "Scharfmacher", 1: "Gerechtigkeit"}, press="HA HK HQ", up="S8")
    play(hand, "E9 EQ E7 E6 E8 EA", presses="HA HK HQ", gerechtigkeit="yes", scharfmacher="yes")
    assert piles(hand) == [cards("E9 E6"), cards("EQ E8"), cards("EA E7")]


# The award ------------------------------------------------------------------------


def test_two_over_the_limit_leave_both_points_to_the_third():
    hand = ended([85, 90, 2])
    hand.table.limit = 80
    assert hand.result() == [0, 0, 2]


def test_three_level_totals_follow_the_rule_switch():
    assert ended([52, 52, 52]).result() == [0, 0, 0]
    assert ended([52, 52, 52], three_way_tie="lowest seat").result() == [2, 0, 0]


def test_three_at_six_let_the_loser_climb_but_a_hit_of_the_differenzler_wins():
    assert ended([60, 50, 47], standing=(6, 6, 6)).standing_after() == ([6, 7, 6], 1)
    hand = ended([60, 50, 47], who={0: "Differenzler"}, standing=(6, 6, 6))
    hand.table.announced = 60
    assert hand.standing_after() == ([8, 6, 6], 0)


def test_three_at_six_replay_a_tie_by_the_rule_switch_but_neither_a_hit_nor_two_over_the_limit():
    for rule, after in (("third", ([6, 6, 8], 2)), ("replay", ([6, 6, 6], None))):
        tie = ended([70, 70, 17], standing=(6, 6, 6), three_at_six_tie=rule)
        assert tie.standing_after() == after
        over = ended([80, 75, 2], standing=(6, 6, 6), three_at_six_tie=rule)
        over.table.limit = 75
        assert over.standing_after() == ([6, 6, 8], 2)
        hit = ended([17, 70, 70], who={0: "Differenzler"}, standing=(6, 6, 6), three_at_six_tie=rule)
        hit.table.announced = 17
        assert hit.standing_after() == ([8, 6, 6], 0)


# Random play ------------------------------------------------------------------------


def random_deal(rng):
    """Return hands, dealer, upcard and second card of a shuffled deck."""
    deck = list(DECK)
    rng.shuffle(deck)
    hands = [set(deck[:12]), set(deck[12:24]), set(deck[24:])]
    dealer = rng.randrange(3)
    upcard, second = rng.sample(in_order(hands[dealer]), 2)
    return hands, dealer, upcard, second


def assert_true(table, fact):
    """Assert that a fact is true at the time when it is noted."""
    kind, *rest = fact
    if kind == "holds":
        assert rest[1] in table.hands[rest[0]], fact
    elif kind == "pressed":
        assert table.pressed[rest[0]] == rest[1], fact
    elif kind == "donated":
        assert table.donated == rest[1], fact
    elif kind == "not in hand":
        assert not table.hands[rest[0]] & set(rest[1]), fact
    elif kind == "any of":
        assert table.hands[rest[0]] & set(rest[1]), fact
    elif kind == "laid one of":
        laid = [laid.card for laid in table.trick if laid.seat == rest[0]]
        assert not laid or set(laid) & set(rest[1]), fact
    elif kind == "lay face down":
        assert table.is_over and rest[0] in table.hidden, fact
    else:
        assert kind in ("laid", "laid face down", "unseen move", "hands exchanged"), fact


def test_random_hands_keep_the_invariants_and_reach_every_branch(seed, monkeypatch):
    def learn(table, seat, *fact):
        assert_true(table, fact)
        table.seen[seat].append(fact)

    monkeypatch.setattr(Table, "learn", learn)
    rng = random.Random(seed)
    answers = Counter()
    names = []
    for index in range(N_RANDOM_HANDS):
        if len(names) < 3:
            names = rng.sample(NAMES, len(NAMES))
        triple = [names.pop() for _ in SEATS]
        rules = {"sphinx": rng.choice(["free", "truthful"]), "guggitaler_king": rng.choice(["swap", "swap", "barred", "void"])}
        standing = [rng.choice([0, 0, 6]) for _ in SEATS]
        hand = Hand(*random_deal(rng), triple, RandomDraws(rng), standing, rules)
        try:
            while not hand.over():
                _, kind, offered = hand.decision()
                answer = rng.choice(offered)
                hand.choose(answer)
                if kind not in ("card", "press"):
                    answers[kind, "no" if answer in ("no", "0") else "used"] += 1
            hand.standing_after()
        except AssertionError:
            print(f"hand {index} of seed {seed}: {triple}", *hand.log, sep="\n")
            raise
        answers["excuse", "used"] += any("with an excuse" in event for event in hand.log)
        answers["laser", "used"] += "Laser" in triple
        answers["seher", "used"] += any("seher lead" in event for event in hand.log)
    print(*sorted(answers.items()), sep="\n")
    kinds = {kind for kind, _ in answers}
    assert kinds == EVERY_KIND
    unused = [kind for kind in kinds if not answers[kind, "used"]]
    assert not unused, unused
    refused = [kind for kind in OPTIONAL_KINDS if not answers[kind, "no"]]
    assert not refused, refused


@pytest.mark.parametrize(
    "triple",
    [
        ["Zombie", "Jackpot", "Gerechtigkeit"],
        ["Zombie", "Sphinx", "Scharfmacher"],
        ["Zombie", "Taschenspieler", "Fledderer"],
        ["Guggitaler", "Jackpot", "Fledderer"],
        ["Guggitaler", "Seher", "Laser"],
        ["Sphinx", "Konsumentenschutz", "Korrektor"],
        ["Sphinx", "Jackpot", "Ultimo"],
        ["Skater", "Konsumentenschutz", "Scharfmacher"],
        ["Skater", "Jiu-Jitsu", "Feministin"],
        ["Laser", "Seher", "Schüchterne"],
        ["Dealer", "Seher", "Farbenfreund"],
        ["Fahnder", "Sphinx", "Schwarzpeter"],
        ["Fahnder", "Excuse", "Konsumentenschutz"],
        ["Fürsorge", "Gerechtigkeit", "Jackpot"],
    ],
)
def test_the_invariants_hold_where_powers_meet(triple, seed, monkeypatch):
    def learn(table, seat, *fact):
        assert_true(table, fact)
        table.seen[seat].append(fact)

    monkeypatch.setattr(Table, "learn", learn)
    rng = random.Random(seed)
    for _ in range(40):
        rng.shuffle(triple)
        rules = {"sphinx": rng.choice(["free", "truthful"]), "guggitaler_king": rng.choice(["swap", "void"])}
        hand = Hand(*random_deal(rng), triple, RandomDraws(rng), (0, 0, 0), rules)
        while not hand.over():
            _, kind, offered = hand.decision()
            # The Stars King is pressed and pushed on purpose, and powers are used more often than not.
            eager = [option for option in offered if option == "SK"] if kind in ("press", "fledderer pushes") else offered[1:]
            hand.choose(rng.choice(eager if eager and kind != "card" and rng.random() < 0.8 else offered))


OPTIONAL_KINDS = set(
    "trumphator,raeuber,schwarzpeter,jackpot,wuenschelrute,umwerter,fledderer,guggitaler,black friday,weisheit,dealer,"
    "dealer partner,voyeur,quizmaster,schuechterne,schuechterne refused,gerechtigkeit,skater,farbenfreund,zombie,"
    "taschenspieler,kompass turns,sphinx,fahnder,konsumentenschutz,jiu-jitsu,ultimo,feministin,scharfmacher,fuersorge,"
    "korrektor,korrektor leads,computer,weisheit adds".split(",")
)
EVERY_KIND = OPTIONAL_KINDS | set(
    "raeuber gives,radar tens,radar units,seher lead,teekraenzchen gift,teekraenzchen returns,umwerter end,"
    "fledderer pushes,differenzler tens,differenzler units,kompass,voyeur sees,quizmaster asks,zombie calls,"
    "sphinx declares,excuse,laser,seher".split(",")
)


def test_every_character_has_a_name_and_a_power_here():
    assert len(NAMES) == len(set(NAMES)) == 36
