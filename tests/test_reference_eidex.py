"""The plain reference of base Eidex obeys the rulebook's own sentences."""

import itertools
import os
import random

import pytest
from reference import eidex
from reference.eidex import (
    DECK,
    MODES,
    SUITS,
    Deal,
    legal_cards,
    perft,
    points_of,
    standing_after,
    strength_order,
    trick_winner,
    victory_points,
)

SEED = int(os.environ.get("EIDEX_SEED", "20117"))
NO_MATCH = None


def cards(text):
    """Return the set of the cards named in `text`."""
    return set(text.split())


def legal(hand, trick, mode):
    """Return the legal cards of a hand and a trick given as text."""
    return legal_cards(cards(hand), trick.split(), mode)


def random_deal(rng):
    """Return a shuffled deal with a random dealer and upcard."""
    deck = list(DECK)
    rng.shuffle(deck)
    dealer = rng.randrange(3)
    hands = [set(deck[:12]), set(deck[12:24]), set(deck[24:])]
    return Deal(hands, dealer, rng.choice(sorted(hands[dealer])))


def play_at_random(deal, rng, cards_left=0):
    """Play until every hand holds `cards_left` cards before a lead."""
    while deal.pressing() or deal.trick or len(deal.hands[0]) > cards_left:
        deal.play(rng.choice(sorted(deal.legal())))


def play_script(deal, script):
    """Play the scripted cards first, afterwards any legal card."""
    for card in script.split():
        deal.play(card)
    while not deal.over():
        deal.play(sorted(deal.legal())[0])


def points_left(seat_points):
    """Return the three totals with 157 completed by the third seat."""
    return seat_points + [157 - sum(seat_points)]


# --- The deck, the deal and the pressing ---------------------------------


def test_the_deck_has_36_cards_suit_by_suit_from_the_six_to_the_ace():
    """Deck order is suit-major."""
    assert len(DECK) == len(set(DECK)) == 36
    assert DECK[:9] == ["H6", "H7", "H8", "H9", "H10", "HJ", "HQ", "HK", "HA"]
    assert [card[0] for card in DECK[::9]] == ["H", "E", "R", "S"]


@pytest.mark.parametrize(
    "upcard, mode, trump",
    [("EA", "Obenabe", None), ("R6", "Undenufe", None), ("S10", "S", "S"), ("HJ", "H", "H"), ("E7", "E", "E"), ("RK", "R", "R")],
)
def test_the_last_card_of_the_dealer_determines_the_trump(upcard, mode, trump):
    """Rule: eidex B5."""
    rest = [card for card in DECK if card != upcard]
    deal = Deal([set(rest[:12]), set(rest[12:24]), set(rest[24:]) | {upcard}], 2, upcard)
    assert (deal.mode, deal.trump) == (mode, trump)


def test_a_deal_that_is_not_three_times_twelve_different_cards_is_refused():
    """Rule: eidex B4, B6."""
    hands = [set(DECK[:12]), set(DECK[12:24]), set(DECK[24:])]
    with pytest.raises(ValueError):
        Deal([hands[0], hands[0], hands[2]], 0, "H6")
    with pytest.raises(ValueError):
        Deal([hands[0] - {"H6"}, hands[1] | {"H6"}, hands[2]], 0, "H7")
    with pytest.raises(ValueError):
        Deal(hands, 1, "H6")


def test_everybody_presses_one_card_of_their_choice_and_forehand_leads():
    """Rule: eidex B6-B10."""
    hands = [set(DECK[:12]), set(DECK[12:24]), set(DECK[24:])]
    deal = Deal(hands, 0, "H7")
    assert deal.pressed == [None, None, None]
    asked = []
    for card in ["E9", "S6", "H7"]:
        asked.append(deal.seat_to_act())
        assert deal.legal() == hands[deal.seat_to_act()]
        deal.play(card)
    assert asked == [1, 2, 0]
    # The dealer may press even the upcard.
    assert deal.pressed == ["H7", "E9", "S6"]
    assert deal.seat_to_act() == 1
    assert deal.legal() == hands[1] - {"E9"}
    assert [len(hand) for hand in deal.hands] == [11, 11, 11]
    # A pressed card is no trick, and the given hands are not touched.
    assert deal.tricks_won() == [0, 0, 0]
    assert [len(hand) for hand in hands] == [12, 12, 12]


def test_an_illegal_card_raises_and_changes_nothing():
    """Neither a card of somebody else nor a revoke is accepted."""
    hands = [set(DECK[:12]), set(DECK[12:24]), set(DECK[24:])]
    deal = Deal(hands, 0, "H7")
    with pytest.raises(ValueError):
        deal.play("H6")
    assert deal.pressed == [None, None, None]
    for card in ["E9", "S6", "H7", "RJ"]:
        deal.play(card)
    with pytest.raises(ValueError):
        deal.play("S9")
    assert deal.trick == [(1, "RJ")] and "S9" in deal.hands[2]
    assert deal.legal() == cards("RQ RK RA")


def test_the_winner_of_a_trick_takes_the_cards_and_leads_the_next():
    """Winner, pile, record and next leader after one trick."""
    hands = [set(DECK[:12]), set(DECK[12:24]), set(DECK[24:])]
    deal = Deal(hands, 0, "H7")
    for card in ["E9", "S6", "H7", "RJ", "RQ", "H6"]:
        deal.play(card)
    assert deal.trick == []
    assert deal.tricks == [(1, [(1, "RJ"), (2, "RQ"), (0, "H6")], 0)]
    assert deal.piles == [cards("RJ RQ H6"), set(), set()]
    assert deal.seat_to_act() == 0
    assert deal.tricks_won() == [1, 0, 0]


# --- Order and points -----------------------------------------------------


def test_the_trump_suit_ranks_jack_nine_ace_king_queen_ten_eight_seven_six():
    """Rule: eidex B15."""
    assert strength_order("E", "E") == "J 9 A K Q 10 8 7 6".split()


def test_the_other_suits_rank_ace_king_queen_jack_ten_nine_eight_seven_six():
    """Also every suit of Obenabe."""
    plain = "A K Q J 10 9 8 7 6".split()
    assert strength_order("E", "H") == plain
    for suit in SUITS:
        assert strength_order("Obenabe", suit) == plain


def test_in_undenufe_the_lowest_card_beats_the_higher_cards_of_its_suit():
    """Ten beats Jack, and so on. Rule: eidex B18."""
    order = "6 7 8 9 10 J Q K A".split()
    for suit in SUITS:
        assert strength_order("Undenufe", suit) == order
    for high, low in itertools.pairwise(order):
        assert trick_winner(["H" + low, "H" + high, "S6"], "Undenufe") == 1
    assert trick_winner(["H10", "HJ", "HA"], "Undenufe") == 0
    assert trick_winner(["HA", "S6", "R6"], "Undenufe") == 0


@pytest.mark.parametrize("mode", MODES)
def test_in_total_there_are_157_points_per_hand(mode):
    """Rule: eidex B19, B20."""
    assert sum(points_of(card, mode) for card in DECK) + 5 == 157


def test_the_value_table_of_the_rulebook():
    """One row per rank: trump, other suits, Obenabe, Undenufe."""
    table = {
        "J": (20, 2, 2, 2),
        "9": (14, 0, 0, 0),
        "A": (11, 11, 11, 0),
        "K": (4, 4, 4, 4),
        "Q": (3, 3, 3, 3),
        "10": (10, 10, 10, 10),
        "8": (0, 0, 8, 8),
        "7": (0, 0, 0, 0),
        "6": (0, 0, 0, 11),
    }
    for rank, row in table.items():
        card = "R" + rank
        assert row == (points_of(card, "R"), points_of(card, "S"), points_of(card, "Obenabe"), points_of(card, "Undenufe"))


@pytest.mark.parametrize(
    "trick, mode, winner",
    [
        ("H9 HA HK", "S", 1),
        ("H9 S6 HA", "S", 1),
        ("HA EA RA", "S", 0),
        ("HA S10 SQ", "S", 2),
        ("SA S9 SJ", "S", 2),
        ("SA S9 HA", "S", 1),
        ("H6 HA S6", "Obenabe", 1),
        ("H6 SA EA", "Obenabe", 0),
    ],
)
def test_higher_beats_lower_and_a_trump_beats_all_other_suits(trick, mode, winner):
    """The winner is the best trump, else the best of the suit led."""
    assert trick_winner(trick.split(), mode) == winner


# --- Which card may be played ---------------------------------------------


def test_any_card_may_be_led():
    """No exemption concerns a lead. Rule: eidex B10, B17."""
    for mode in MODES:
        assert legal("H6 SJ RA", "", mode) == cards("H6 SJ RA")


def test_the_suit_that_was_led_must_be_followed_but_one_may_cut_in():
    """Rule: eidex B11."""
    assert legal("H6 H9 EA S7", "HA", "S") == cards("H6 H9 S7")
    assert legal("H6 H9 EA", "HA", "S") == cards("H6 H9")


def test_without_the_suit_anything_goes_and_nobody_must_trump_or_win():
    """Rule: eidex B11."""
    assert legal("E6 EA S7", "HA", "S") == cards("E6 EA S7")
    assert legal("H6 HA", "HK", "S") == cards("H6 HA")


def test_b12_on_a_trump_lead_a_lower_trump_is_no_undertrump():
    """Rule: eidex B12."""
    assert legal("S6 S7 SJ HA", "S9 SA", "S") == cards("S6 S7 SJ")
    assert legal("S6 S7 HA", "S9 SA", "S") == cards("S6 S7")


def test_b13_with_nothing_but_trumps_in_hand_any_trump_is_legal():
    """Lower ones too, even when a higher one is there. Rule: eidex B13."""
    assert legal("S6 S7", "HA SQ", "S") == cards("S6 S7")
    assert legal("S6 S7 SJ", "HA SQ", "S") == cards("S6 S7 SJ")
    assert legal("S6", "HA SQ", "S") == cards("S6")


def test_b14_lower_trumps_and_the_suit_led_leave_only_the_suit_led():
    """A higher trump may cut in on top. Rule: eidex B14."""
    assert legal("H6 S6 S7 EA", "HA SQ", "S") == cards("H6")
    assert legal("H6 S6 SK EA", "HA SQ", "S") == cards("H6 SK")


def test_b14_lower_trumps_and_other_suits_leave_only_the_other_suits():
    """A higher trump may cut in on top. Rule: eidex B14."""
    assert legal("R6 EA S6 S7", "HA SQ", "S") == cards("R6 EA")
    assert legal("R6 EA S6 SK", "HA SQ", "S") == cards("R6 EA SK")
    # One other card is enough to make the ban bite.
    assert legal("R6 S6 S7", "HA SQ", "S") == cards("R6")


def test_b15_undertrumping_is_measured_by_trump_order_not_by_points():
    """The Nine (14) beats the Ace (11), the Queen (3) the Ten (10)."""
    assert legal("H6 S10 SQ SK", "HA SQ", "S") == cards("H6 SK")
    assert legal("H6 SA S9 S10", "HA SK", "S") == cards("H6 SA S9")
    assert legal("H6 SQ SK", "HA S10", "S") == cards("H6 SQ SK")
    assert legal("H6 SA SJ", "HA S9", "S") == cards("H6 SJ")


def test_b15_the_trump_that_counts_is_the_one_winning_at_present():
    """Not the last one: five cards, as if a trick went round twice."""
    assert legal("H6 S8 SK", "HA SQ H7 H8 S6", "S") == cards("H6 SK")


def test_the_second_seat_cannot_undertrump():
    """Nobody has cut in yet when only the lead lies there."""
    assert legal("H6 S6", "HA", "S") == cards("H6 S6")


def test_b16_the_trump_jack_does_not_have_to_follow_trump():
    """Only the lone Jack is exempt. Rule: eidex B16."""
    assert legal("SJ H6 RA", "S9", "S") == cards("SJ H6 RA")
    assert legal("SJ H6 RA", "S9 SA", "S") == cards("SJ H6 RA")
    assert legal("SJ S6 H6 RA", "S9", "S") == cards("SJ S6")
    assert legal("S6 H6 RA", "S9", "S") == cards("S6")
    assert legal("SJ", "S9", "S") == cards("SJ")


def test_b17_no_jack_is_exempt_where_it_is_no_trump():
    """Plain suits, Obenabe and Undenufe. Rule: eidex B17."""
    assert legal("HJ E6", "H9", "S") == cards("HJ")
    for mode in ["Obenabe", "Undenufe"]:
        for suit in SUITS:
            others = [s for s in SUITS if s != suit]
            hand = f"{suit}J {others[0]}6 {others[1]}A"
            assert legal(hand, suit + "9", mode) == {suit + "J"}


def test_b18_without_trump_there_is_only_following_suit():
    """Rule: eidex B18."""
    for mode in ["Obenabe", "Undenufe"]:
        assert legal("H6 SA EJ", "HA S6", mode) == cards("H6")
        assert legal("SA EJ", "HA S6", mode) == cards("SA EJ")


def test_an_undertrump_is_refused_in_a_running_hand():
    """The ban and the empty-handed exception through `Deal`."""
    deal = Deal(
        [
            cards("H8 H9 H10 HJ HQ HK HA E6 E7 E8 E9 SK"),
            cards("H6 S6 S7 R6 R7 R8 R9 R10 RJ RQ RK RA"),
            cards("H7 E10 EJ EQ EK EA S8 S9 S10 SJ SQ SA"),
        ],
        2,
        "SQ",
    )
    for card in ["E6", "R6", "E10", "HA", "H6", "H7", "HK"]:
        deal.play(card)
    # Void in Hearts: seat 1 may discard or cut in.
    assert deal.legal() == cards("S6 S7 R7 R8 R9 R10 RJ RQ RK RA")
    deal.play("S7")
    deal.hands[2] = cards("S6 EJ S8")
    assert deal.legal() == cards("EJ S8")
    with pytest.raises(ValueError):
        deal.play("S6")
    deal.hands[2] = cards("S6 S8")
    assert deal.legal() == cards("S6 S8")


def test_there_is_always_a_legal_card_and_every_choice_obeys_each_sentence():
    """Random hands and tricks, checked sentence by sentence. Rule: B14."""
    print("seed", SEED)
    rng = random.Random(SEED)
    for _ in range(20000):
        deck = list(DECK)
        rng.shuffle(deck)
        mode = rng.choice(MODES)
        size = rng.randrange(1, 12)
        trick = deck[: rng.randrange(0, 3)]
        hand = set(deck[3 : 3 + size])
        allowed = legal_cards(hand, trick, mode)
        assert allowed and allowed <= hand
        if not trick:
            assert allowed == hand
            continue
        led = trick[0][0]
        only_trumps = all(card[0] == mode for card in hand)
        in_suit = {card for card in hand if card[0] == led}
        for card in hand:
            revoke = card[0] not in (led, mode) and in_suit and in_suit != {mode + "J"}
            undertrump = (
                card[0] == mode
                and led != mode
                and not only_trumps
                and any(c[0] == mode and trick_winner([c, card], mode) == 0 for c in trick)
            )
            assert (card in allowed) == (not revoke and not undertrump)


# --- The end of a hand ----------------------------------------------------


def match_deal(hand_1, hand_2):
    """Return a deal of Obenabe by seat 0, who holds all the other cards."""
    first, second = cards(hand_1), cards(hand_2)
    return Deal([set(DECK) - first - second, first, second], 0, "HA")


def test_a_match_is_all_the_tricks_and_not_all_the_points():
    """The others keep their pressed cards. Rule: eidex B21."""
    deal = match_deal("EA EK EQ EJ E10 E9 E8 E7 E6 SA SK SQ", "H6 H7 H8 H9 H10 R6 R7 R8 R9 R10 RJ RQ")
    with pytest.raises(ValueError):
        deal.result()
    play_script(deal, "E6 H10 HA SA")
    assert deal.seat_to_act() is None and deal.legal() == set()
    with pytest.raises(ValueError):
        deal.play("E6")
    assert deal.tricks_won() == [0, 11, 0]
    assert deal.card_points() == [11, 136, 10]
    assert deal.result() == [0, 2, 0]


def test_all_157_points_with_one_lost_trick_are_no_match():
    """Rule: eidex B21."""
    deal = match_deal("EA EK EQ EJ E10 E9 E8 E7 E6 S6 SA SK", "S8 S9 S10 SJ H6 H7 H8 R6 R7 R8 R9 R10")
    play_script(deal, "E6 H6 H9 S6 S9 S7 S10 SQ SA SK")
    assert deal.tricks_won() == [0, 10, 1]
    assert deal.card_points() == [0, 157, 0]
    assert deal.result() == [1, 0, 1]


def test_the_winner_of_the_last_trick_receives_an_additional_5_points():
    """And not before it is collected. Rule: eidex B20."""
    rng = random.Random(SEED)
    deal = random_deal(rng)
    play_at_random(deal, rng, cards_left=1)
    assert sum(deal.card_points()) < 152
    play_at_random(deal, rng)
    without = [pile + points_of(card, deal.mode) for pile, card in zip(deal.pile_points(), deal.pressed, strict=True)]
    difference = [a - b for a, b in zip(deal.card_points(), without, strict=True)]
    assert difference == [5 if seat == deal.tricks[10][2] else 0 for seat in range(3)]


# --- Victory points -------------------------------------------------------


def test_a_match_receives_2_victory_points_before_anything_else():
    """Even with less than everything. Rule: eidex B21."""
    assert victory_points([146, 0, 11], 0) == [2, 0, 0]
    assert victory_points([0, 157, 0], 1) == [0, 2, 0]
    assert victory_points([30, 30, 97], 2) == [0, 0, 2]


def test_b22_exactly_100_comes_away_empty_handed():
    """Rule: eidex B22."""
    assert victory_points([100, 40, 17], NO_MATCH) == [0, 1, 1]
    assert victory_points([99, 40, 18], NO_MATCH) == [1, 0, 1]


def test_b22_the_limit_can_be_another_one():
    """Reaching it is already too much."""
    assert victory_points([80, 40, 37], NO_MATCH, limit=80) == [0, 1, 1]
    assert victory_points([79, 40, 38], NO_MATCH, limit=80) == [1, 0, 1]
    assert victory_points([119, 20, 18], NO_MATCH, limit=120) == [1, 0, 1]


def test_b23_beside_one_at_100_the_other_two_get_1_each_even_if_level():
    """Rule: eidex B23."""
    assert victory_points([27, 103, 27], NO_MATCH) == [1, 0, 1]
    assert victory_points([0, 157, 0], NO_MATCH) == [1, 0, 1]


def test_most_and_fewest_each_receive_1_victory_point():
    """All below the limit and all different."""
    for totals in itertools.permutations([30, 57, 70]):
        assert victory_points(list(totals), NO_MATCH) == [0 if total == 57 else 1 for total in totals]


def test_b24_if_two_are_level_the_lucky_third_receives_2():
    """Whether the two are level high or low. Rule: eidex B24."""
    assert victory_points([70, 70, 17], NO_MATCH) == [0, 0, 2]
    assert victory_points([70, 17, 70], NO_MATCH) == [0, 2, 0]
    assert victory_points([97, 30, 30], NO_MATCH) == [2, 0, 0]


def test_b25_three_level_receive_nothing():
    """Rule: eidex B25."""
    assert victory_points([54, 54, 54], NO_MATCH) == [0, 0, 0]


def test_b26_beside_two_over_the_limit_the_third_receives_2():
    """Also when the two are level. Rule: eidex B26."""
    assert victory_points([80, 82, 0], NO_MATCH, limit=80) == [0, 0, 2]
    assert victory_points([81, 0, 81], NO_MATCH, limit=80) == [0, 2, 0]


def test_b26_three_over_the_limit_receive_nothing():
    """Rule: eidex B26."""
    assert victory_points([100, 101, 102], NO_MATCH) == [0, 0, 0]
    assert victory_points([101, 101, 100], NO_MATCH) == [0, 0, 0]


def test_b27_exactly_0_to_28_and_79_to_99_are_always_safe():
    """Every split of 157 without a Match. Rule: eidex B27."""
    splits = [(a, b, 157 - a - b) for a in range(158) for b in range(158 - a)]
    assert len(splits) == 12561
    unsafe = set()
    for split in splits:
        gains = victory_points(list(split), NO_MATCH)
        assert sum(gains) == 2
        unsafe |= {split[seat] for seat in range(3) if gains[seat] == 0}
    safe = set(range(158)) - unsafe
    assert safe == set(range(0, 29)) | set(range(79, 100))


def test_b28_a_negative_total_is_simply_the_lowest():
    """Rule: eidex B28."""
    assert victory_points([-10, 67, 60], NO_MATCH) == [1, 1, 0]
    assert victory_points([-3, -3, 90], NO_MATCH) == [0, 0, 2]
    assert victory_points([-10, 5, 120], NO_MATCH) == [1, 1, 0]


def test_the_victory_points_do_not_depend_on_the_seats():
    """Permuting the totals permutes the victory points."""
    rng = random.Random(SEED)
    for _ in range(2000):
        totals = [rng.randrange(-20, 130) for _ in range(3)]
        gains = victory_points(totals, NO_MATCH)
        for order in itertools.permutations(range(3)):
            assert victory_points([totals[s] for s in order], NO_MATCH) == [gains[s] for s in order]


# --- The tournament -------------------------------------------------------


def test_victory_points_are_added_to_the_standing():
    """An ordinary hand; the given list is not changed."""
    before = [0, 3, 5]
    assert standing_after(before, [70, 57, 30], None) == ([1, 3, 6], None)
    assert before == [0, 3, 5]


def test_t1_the_first_to_reach_7_or_more_wins():
    """Six and two are eight. Rule: eidex T1."""
    assert standing_after([5, 0, 0], [17, 70, 70], None) == ([7, 0, 0], 0)
    assert standing_after([6, 0, 0], [17, 70, 70], None) == ([8, 0, 0], 0)
    assert standing_after([0, 6, 2], [57, 30, 70], None) == ([0, 7, 3], 1)
    with pytest.raises(ValueError):
        standing_after([7, 0, 0], [70, 57, 30], None)


def test_t2_of_two_at_6_the_higher_stays_and_the_lower_drops_back_to_5():
    """Most and fewest of the hand. Rule: eidex T2."""
    assert standing_after([6, 6, 2], [70, 30, 57], None) == ([6, 5, 2], None)
    assert standing_after([6, 2, 6], [30, 57, 70], None) == ([5, 2, 6], None)


def test_t2_beside_a_third_over_the_limit_the_higher_stays_too():
    """The third stays where he is. Rule: eidex T2."""
    assert standing_after([6, 4, 6], [20, 110, 27], None) == ([5, 4, 6], None)
    assert standing_after([5, 6, 6], [100, 57, 0], None) == ([5, 6, 5], None)


def test_t2_if_they_are_level_both_stay_at_6():
    """Only possible beside a third over the limit. Rule: eidex T2."""
    assert standing_after([6, 6, 4], [27, 27, 103], None) == ([6, 6, 4], None)


def test_t2_uses_the_adjusted_points_and_the_limit_in_force():
    """Negative totals and another limit."""
    assert standing_after([6, 6, 0], [-4, 67, 60], None) == ([5, 6, 0], None)
    assert standing_after([6, 6, 0], [40, 37, 80], None, limit=80) == ([6, 5, 0], None)


def test_t3_of_two_at_6_the_only_one_who_scores_wins():
    """Rule: eidex T3."""
    assert standing_after([6, 6, 3], [70, 57, 30], None) == ([7, 6, 4], 0)
    assert standing_after([6, 6, 3], [110, 27, 20], None) == ([6, 7, 4], 1)
    assert standing_after([6, 6, 3], [17, 70, 70], None) == ([8, 6, 3], 0)


def test_t4_beside_two_at_6_a_third_who_gets_2_simply_gets_them():
    """Rule: eidex T4."""
    assert standing_after([6, 6, 3], [70, 70, 17], None) == ([6, 6, 5], None)
    assert standing_after([6, 6, 5], [70, 70, 17], None) == ([6, 6, 7], 2)
    assert standing_after([6, 6, 3], [5, 5, 147], 2) == ([6, 6, 5], None)


def test_t5_with_three_at_6_the_middle_player_climbs_to_7_and_wins():
    """Nobody else changes. Rule: eidex T5."""
    assert standing_after([6, 6, 6], [70, 57, 30], None) == ([6, 7, 6], 1)
    assert standing_after([6, 6, 6], [57, 30, 70], None) == ([7, 6, 6], 0)


def test_t5_with_three_at_6_the_player_over_100_climbs_to_7_and_wins():
    """Even when the other two are level. Rule: eidex T5."""
    assert standing_after([6, 6, 6], [20, 27, 110], None) == ([6, 6, 7], 2)
    assert standing_after([6, 6, 6], [27, 103, 27], None) == ([6, 7, 6], 1)
    assert standing_after([6, 6, 6], [0, 157, 0], None) == ([6, 7, 6], 1)


def test_t6_exactly_100_counts_as_losing_the_round():
    """Rule: eidex T6."""
    assert standing_after([6, 6, 6], [100, 50, 7], None) == ([7, 6, 6], 0)
    assert standing_after([6, 6, 6], [99, 50, 8], None) == ([6, 7, 6], 1)


def test_t7_with_three_at_6_and_a_tie_the_lucky_third_wins():
    """Also beside two over the limit. Rule: eidex T7."""
    assert standing_after([6, 6, 6], [70, 17, 70], None) == ([6, 8, 6], 1)
    assert standing_after([6, 6, 6], [30, 30, 97], None) == ([6, 6, 8], 2)
    assert standing_after([6, 6, 6], [80, 82, 0], None, limit=80) == ([6, 6, 8], 2)


def test_t8_with_three_at_6_a_hand_without_victory_points_is_replayed():
    """Rule: eidex T8."""
    assert standing_after([6, 6, 6], [54, 54, 54], None) == ([6, 6, 6], None)
    assert standing_after([6, 6, 6], [100, 101, 102], None) == ([6, 6, 6], None)


def test_t9_with_three_at_6_a_match_wins():
    """Although both others lose the round. Rule: eidex T9."""
    assert standing_after([6, 6, 6], [11, 136, 10], 1) == ([6, 8, 6], 1)


def test_t10_with_three_at_6_nobody_drops_back():
    """The rule for three goes before the rule for two. Rule: eidex T10."""
    for totals in itertools.permutations([30, 57, 70]):
        standing, winner = standing_after([6, 6, 6], list(totals), None)
        assert sorted(standing) == [6, 6, 7]
        assert totals[winner] == 57


def test_another_goal_moves_the_special_cases_with_it():
    """The same clauses one short of four."""
    assert standing_after([3, 3, 0], [70, 30, 57], None, to_win=4) == ([3, 2, 0], None)
    assert standing_after([3, 3, 3], [70, 30, 57], None, to_win=4) == ([3, 3, 4], 2)
    assert standing_after([6, 6, 0], [70, 30, 57], None, to_win=10) == ([7, 7, 0], None)


def test_two_players_cannot_reach_7_victory_points_at_the_same_time():
    """Every standing with every kind of hand."""
    hands = [points_left([a, b]) for a in range(0, 158, 3) for b in range(0, 158 - a, 3)]
    hands += [[54, 54, 54], [100, 101, 102], [100, 120, 3]]
    outcomes = [(hand, None) for hand in hands]
    outcomes += [([10, 140, 7], seat) for seat in range(3)]
    for before in itertools.product(range(7), repeat=3):
        for points, match in outcomes:
            after, winner = standing_after(list(before), points, match)
            arrived = [seat for seat in range(3) if after[seat] >= 7]
            assert arrived == ([] if winner is None else [winner])
            assert all(0 <= total <= 8 for total in after)


# --- Counting and random play ---------------------------------------------


def test_the_pressing_can_go_in_12_times_12_times_12_ways():
    """The first three levels of the count; nothing is won yet."""
    deal = random_deal(random.Random(SEED))
    assert [perft(deal, depth) for depth in range(4)] == [(1, 0), (12, 0), (144, 0), (1728, 0)]
    assert deal.pressed == [None, None, None]


def test_the_count_of_an_ending_agrees_with_trying_every_permutation():
    """Three cards each, two independent ways of enumerating."""
    print("seed", SEED)
    rng = random.Random(SEED)
    for _ in range(12):
        start = random_deal(rng)
        play_at_random(start, rng, cards_left=3)
        count = checksum = 0
        for orders in itertools.product(*[itertools.permutations(sorted(h)) for h in start.hands]):
            # Rebuilt from the start, so copying plays no part in this.
            deal = Deal([set(DECK[:12]), set(DECK[12:24]), set(DECK[24:])], 0, "H6")
            deal.mode, deal.trump = start.mode, start.trump
            deal.dealer = start.dealer
            deal.pressed = list(start.pressed)
            deal.hands = [set(hand) for hand in start.hands]
            deal.piles = [set(pile) for pile in start.piles]
            deal.tricks = list(start.tricks)
            queues = [list(order) for order in orders]
            legal_so_far = True
            while legal_so_far and not deal.over():
                card = queues[deal.seat_to_act()].pop(0)
                legal_so_far = card in deal.legal()
                if legal_so_far:
                    deal.play(card)
            if legal_so_far:
                count += 1
                for seat, pile in enumerate(deal.piles):
                    checksum += (seat + 1) * sum(points_of(card, deal.mode) for card in pile)
        assert perft(start, 9) == (count, checksum)
        # A hand that is over counts once, however deep one asks.
        assert perft(start, 12) == (count, checksum)


def test_the_count_is_the_sum_over_the_first_moves():
    """One step by hand agrees with the recursion."""
    rng = random.Random(SEED)
    deal = random_deal(rng)
    play_at_random(deal, rng, cards_left=7)
    parts = []
    for card in deal.legal():
        after = eidex.copy.deepcopy(deal)
        after.play(card)
        parts.append(perft(after, 2))
    assert perft(deal, 3) == (sum(p[0] for p in parts), sum(p[1] for p in parts))


def test_300_random_deals_keep_the_invariants():
    """Every card in one place, equal hands, 157 points, two awards."""
    print("seed", SEED)
    rng = random.Random(SEED)
    modes_seen = set()
    for _ in range(300):
        deal = random_deal(rng)
        modes_seen.add(deal.mode)
        decisions = 0
        while not deal.over():
            places = [*deal.hands, *deal.piles, {card for card in deal.pressed if card is not None}, {card for _, card in deal.trick}]
            assert sum(len(place) for place in places) == 36
            assert set().union(*places) == set(DECK)
            if not deal.pressing() and not deal.trick:
                sizes = {len(hand) for hand in deal.hands}
                assert sizes == {11 - len(deal.tricks)}
            seat = deal.seat_to_act()
            allowed = deal.legal()
            assert allowed and allowed <= deal.hands[seat]
            deal.play(rng.choice(sorted(allowed)))
            decisions += 1
        assert decisions == 36
        assert len(deal.tricks) == sum(deal.tricks_won()) == 11
        leader = (deal.dealer + 1) % 3
        for first, played, winner in deal.tricks:
            assert first == leader
            assert [s for s, _ in played] == [(first + i) % 3 for i in range(3)]
            leader = winner
        assert sum(deal.card_points()) == 157
        assert sum(deal.result()) == 2
        assert deal.result() == victory_points(deal.card_points(), deal.match_seat())
    assert modes_seen == set(MODES)


def test_random_tournaments_end_with_one_winner():
    """Totals may fall back, so the number of hands is only capped."""
    print("seed", SEED)
    rng = random.Random(SEED)
    for _ in range(300):
        standing, winner = [0, 0, 0], None
        for _ in range(200):
            cuts = sorted([rng.randrange(158), rng.randrange(158)])
            points = points_left([cuts[0], cuts[1] - cuts[0]])
            standing, winner = standing_after(standing, points, None)
            if winner is not None:
                break
        assert winner is not None
        assert standing[winner] in (7, 8)
