"""Checked-in transcripts of the 36 characters, and what the rulebook says must happen in them."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from cosmic_reference import RULE_NAMES, Chance
from reference.characters import NAMES as REFERENCE_NAMES
from reference.characters import Hand

from simcore.bits import popcount
from simcore.games.eidex.cards import DECK, SUIT_CARDS, SUITS
from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.powers.table import beaters_of
from simcore.scenario import load_state, play_to, replay

FOLDER = Path(__file__).parent / "golden" / "characters"
# For each transcript: what the rulebook says, pieces of it that must follow one another, and the result or the legal moves at its end.
CLAIMS = {
    "dealer": (
        "Before every trick he may exchange his whole hand with a partner who agrees; nobody is obliged to (K1)",
        ["dealer: 0 · 0 dealer partner: no", "trick 1", "dealer: 2 · 2 dealer partner: yes", "seat 2 gives seat 1", "seat 1 gives seat 2"],
        {},
    ),
    "jiu_jitsu": ("A Nine played in this trick beats the Ten (K2)", ["0 H10 · 1 H9 · 2 H6", "trick 1 to seat 1, 10 points"], {}),
    "jiu_jitsu-trump-jack": ("The trump Nine beats the trump Jack, 14 + 20 points", ["0 HJ · 1 H9", "trick 1 to seat 1, 34 points"], {}),
    "jiu_jitsu-trump-queen": ("The trump Ten beats the trump Queen, 10 + 3 points", ["0 HQ · 1 H10", "trick 1 to seat 1, 13 points"], {}),
    "jiu_jitsu-korrektor": (
        "A rejected trick is played again in the usual order, and his one use is spent (K2, K29)",
        ["jiu-jitsu: yes · 0 korrektor: yes", "0 H10 · 1 H9 · 2 H6", "trick 1 to seat 0, 10 points"],
        {},
    ),
    "conflict": (
        "Nine beats Ten; Skater answers and they are no neighbours any more; the Sphinx cannot take her card back (Conflicts)",
        ["H10 · 1 H9 · 2 sphinx: yes · 2 H6 · 0 jiu-jitsu: yes · 1 skater: yes · 2 sphinx declares: 0", "trick 1 to seat 0, 10 points"],
        {},
    ),
    "ultimo": (
        "He takes over the last trick: 3 + 11 + 0 points, 5 for the last; that breaks the Match (K3)",
        ["trick 10 to seat 0", "1 ultimo: yes", "trick 11 to seat 1, 14 points"],
        {"match": [0, 0, 0], "card_points": [138, 19, 0], "victory_points": [0, 1, 1]},
    ),
    "ultimo-gerechtigkeit": (
        "With justice only the 5 points and his own card, the Ravens Ace (K3)",
        ["2 gerechtigkeit: yes", "justice for this trick", "1 ultimo: yes", "trick 11: each card to its player\nkind"],
        {"match": [0, 0, 0], "card_points": [141, 16, 0]},
    ),
    "trumphator": (
        "The second card from the bottom, unseen, makes the trump (K4)",
        ["E7 is turned up", "trick 1 to seat 1"],
        {},
    ),
    "computer": (
        "He takes 5 off his score of 103 and stays below 100 (K5)",
        ["1 computer: -5"],
        {"card_points": [32, 98, 22], "victory_points": [0, 1, 1]},
    ),
    "raeuber": (
        "He steals the trump card and gives any card for it before Radarkontrolle sets the limit (Conflicts, K6)",
        ["seat 2 gives seat 1 H8", "1 raeuber gives: E6", "seat 1 gives seat 2 E6", "0 radar tens: 80 · 0 radar units: 3"],
        {},
    ),
    "raeuber-as-dealer": ("The trump card is robbed by the trump Six (K6)", ["seat 2 gives seat 1 H8; seat 1 gives seat 2 H6"], {}),
    "voyeur": (
        "The fellow decides which five cards he shows (K7)",
        ["0 voyeur: 1"] + [f"1 voyeur sees: {card}" for card in "H6 H7 H9 E6 E7".split()],
        {},
    ),
    "quizmaster": (
        "After every trick a question, answered truly; a pressed card is not in the hand (K8)",
        ["trick 1", "E6  seat 1 answers yes", "trick 2", "EA  seat 1 answers no", "trick 3", "any R  seat 1 answers yes"],
        {},
    ),
    "feministin": (
        "A Queen lies with a man: her Ace loses its trick value and the King, then highest, wins (K9)",
        ["0 HA · 1 HQ · 2 HK · 0 feministin: yes", "trick 1 to seat 2, 18 points"],
        {},
    ),
    "schuechterne": (
        "She draws a lead out of a fellow's hand, who refuses once and plays the second card (K10)",
        ["0 schuechterne: 1", "seat 0 draws ", "1 schuechterne refused: yes", "seat 0 draws R9; seat 1 lays R9"],
        {"seat": 2},
    ),
    "teekraenzchen": (
        "A card from each fellow, and one back to each; it may be the same one (K11)",
        ["seat 1 gives seat 0 E6; seat 2 gives seat 0 S6", "seat 0 gives seat 1 E6", "seat 0 gives seat 2 H6"],
        {},
    ),
    "gerechtigkeit": (
        "For two tricks each player takes his own card; they keep their trick power (K12)",
        ["trick 1: each card to its player; seat 0 leads", "trick 2: each card to its player; seat 0 leads", "trick 3 to seat 0"],
        {},
    ),
    "skater": (
        "Skat in the face of a cut-in: with the suit in hand it must be followed (K13)",
        ["0 EA · 1 H6 · 0 skater: yes", "seat 1 takes up H6"],
        {"seat": 1, "legal": "E6 E7 EJ EQ EK"},
    ),
    "skater-ten": (
        "Skat before a trick with a Ten is collected: it ranks above the King (K13)",
        ["EK · 1 E10 · 2 E8 · 1 skater", "trick 1 to seat 1"],
        {},
    ),
    "schwarzpeter": (
        "Whoever gets the Ravens Jack, seat 0 in trick 1, comes away empty-handed even with the fewest points (K14)",
        ["1 schwarzpeter: yes", "2 RJ", "trick 1 to seat 0"],
        {"card_points": [16, 63, 78], "victory_points": [0, 1, 1]},
    ),
    "schwarzpeter-match": (
        "A Match takes precedence over Schwarzpeter (K14)",
        ["1 schwarzpeter: yes", "1 RJ", "to seat 0"],
        {"match": [1, 0, 0], "victory_points": [2, 0, 0]},
    ),
    "farbenfreund": (
        "Twice he orders a suit; without it the wish lapses (K15)",
        ["1 farbenfreund: E · 0 EA", "trick 1 to seat 0", "1 farbenfreund: R"],
        {"seat": 0, "legal": "H9 H10 HJ HQ HK E9 E10 EJ EQ EK"},
    ),
    "scharfmacher": (
        "Six cards are one trick, and the highest wins it: 3 + 11 points (K16)",
        ["0 E9 · 1 EQ · 2 E7 · 0 scharfmacher: yes · 0 E6 · 1 E8 · 2 EA", "trick 1 to seat 2, 14 points"],
        {},
    ),
    "differenzler": (
        "He hits the number exactly with a trick: both victory points, though he is in the middle (K17)",
        ["1 differenzler tens: 40 · 1 differenzler units: 7"],
        {"card_points": [41, 47, 69], "victory_points": [0, 2, 0]},
    ),
    "fahnder": (
        "Whoever has the demanded card must play it, although he could follow (K18)",
        ["0 EA · 0 fahnder: R9", "seat 1 lays R9", "trick 1 to seat 0"],
        {},
    ),
    "fuersorge": (
        "A trick of 3 points goes to the needy together with the lead (K19)",
        ["1 fuersorge: 2", "trick 1 to seat 2, 3 points"],
        {"seat": 2},
    ),
    "fuersorge-jackpot": (
        "A pure animal trick travels into the Jackpot, and she gives only the lead",
        ["0 jackpot: H7", "0 EQ · 1 E9 · 2 E6 · 1 fuersorge: 2", "trick 1 into the Jackpot; seat 2 leads"],
        {"seat": 2},
    ),
    "fuersorge-seven": (
        "She may give away a trick with the named Seven together with the Jackpot; seat 2's Queen had won it",
        ["0 H7 · 1 H9 · 2 HQ · 1 fuersorge: 0", "trick 1 to seat 0, 3 points; the Jackpot goes to seat 0, 11 points"],
        {"seat": 0},
    ),
    "fuersorge-gerechtigkeit": (
        "Below 4 points she gives away the right to lead, not the cards",
        ["1 fuersorge: 2", "trick 1: each card to its player; seat 2 leads"],
        {"seat": 2},
    ),
    "fuersorge-sphinx": (
        "A trick with a Sphinx card cannot be given away: she is not asked",
        ["0 EQ · 1 E9 · 2 sphinx: yes · 2 E6 · 2 sphinx declares: 0", "trick 1 to seat 0, 3 points"],
        {},
    ),
    "weisheit": (
        "She announces 10 for four cards in sequence and takes it off at the end (K20)",
        ["0 weisheit: 10", "seat 0 shows E6 E7 E8 E9", "0 weisheit adds: -10"],
        {"card_points": [53, 11, 83]},
    ),
    "laser": (
        "He presses for the fellows, blind, and draws the lead of another (K21)",
        ["seat 0 presses S7", "seat 2 presses E8", "1 press EJ", "seat 0 lays RA"],
        {"seat": 1},
    ),
    "radarkontrolle": (
        "The limit is 83, so 87 points are too many (K22)",
        ["1 radar tens: 80 · 1 radar units: 3 · 0 press"],
        {"card_points": [46, 87, 24], "victory_points": [1, 0, 1], "over_limit": [0, 1, 0]},
    ),
    "konsumentenschutz": (
        "A rejected lead does not count in this trick; its player plays another card and takes it back afterwards (K23)",
        ["0 EA · 2 konsumentenschutz: yes · 0 E9 · 1 E6 · 2 E8", "trick 1 to seat 0, 0 points; seat 0 takes up EA"],
        {},
    ),
    "seher": (
        "He presses last and is shown the first card to be led, which is then led (K24)",
        ["0 press SA · 2 press SQ", "0 seher lead: H7 · 1 press RA", "seat 0 lays H7"],
        {"seat": 1},
    ),
    "umwerter": (
        "The revalued Hearts Eight beats Ace and King; points are not affected: 11 + 4 (K25)",
        ["1 umwerter: H8 · 1 umwerter end: highest · 0 HA · 1 HK · 2 H8", "trick 1 to seat 2, 15 points"],
        {},
    ),
    "umwerter-trump": ("As trump it beats even Jack and Nine: 20 + 14", ["0 HJ · 1 H9 · 2 H8", "trick 1 to seat 2, 34 points"], {}),
    "umwerter-lowest": (
        "The Hearts Ace, made the lowest, loses to Six and Seven",
        ["0 H6 · 1 H7 · 2 HA", "trick 1 to seat 1, 11 points"],
        {},
    ),
    "zombie": (
        "Each calls back a card of his last trick; who has none, his pressed card; one more trick is played (K26)",
        ["trick 1 to seat 0", "trick 2 to seat 1", "seat 1 takes up EK; seat 2 takes up SA", "seat 0 takes up HQ", "trick 12"],
        {"tricks": 12, "card_points": [100, 36, 21], "victory_points": [0, 1, 1]},
    ),
    "excuse": (
        "He forgets to follow and discards a card of no value; the trick stays with the lead (K27)",
        ["0 EA · 1 R7", "seat 1 excuses itself", "2 E8", "trick 1 to seat 0, 11 points"],
        {},
    ),
    "taschenspieler": ("He exchanges his pressed card (K28)", ["trick 1", "seat 1 takes up RA; seat 1 presses S10"], {}),
    "korrektor": (
        "Everybody takes his card back, and he takes over the lead (K29)",
        ["1 korrektor: yes", "seat 0 takes up EA; seat 1 takes up E10; seat 2 takes up E8", "1 korrektor leads: yes · 1 E6"],
        {"seat": 2},
    ),
    "fledderer": (
        "He pushes a card over and takes the fellow's pressed card into his hand (K30)",
        ["0 fledderer: 1 · 0 fledderer pushes: H10", "seat 0 takes up RA; seat 0 pushes H10 to seat 1"],
        {},
    ),
    "guggitaler": (
        "Only Hearts count, and the Stars King 4, which may not be pressed: 13 in all (K31)",
        ["2 press SK", "1 guggitaler: yes", "seat 2 takes up SK", "2 press R8 · 0 EK"],
        {"card_points": [4, 2, 7], "victory_points": [0, 1, 1]},
    ),
    "jackpot": (
        "A pure animal trick travels into the Jackpot, and the trick with the named card wins it: 4 points and the donated Ace (K32)",
        [
            "0 jackpot: S7 · 0 press EA",
            "0 RK · 1 R7 · 2 R6",
            "trick 1 into the Jackpot; seat 0 leads",
            "2 S7",
            "trick 2 to seat 1, 0 points; the Jackpot goes to seat 1, 15 points",
        ],
        {},
    ),
    "kompass": (
        "He sets the direction before the lead, and changes it (K33)",
        ["0 kompass: left · 0 EA · 2 E8 · 1 E6", "0 kompass turns: yes · 0 EK · 1 E7 · 2 E9"],
        {},
    ),
    "black_friday": (
        "Stars, the trump, are devalued: the Ravens Jack counts 22, the Nine 14, the Ace 22 (K34)",
        ["1 black friday: S · 0 RA · 1 RJ · 2 R9", "trick 1 to seat 0, 58 points"],
        {},
    ),
    "wuenschelrute": (
        "He demands a card, and its holder draws one blind from his hand (K35)",
        ["0 wuenschelrute: RA", "seat 1 gives seat 0 RA; seat 0 gives seat 1"],
        {},
    ),
    "sphinx": (
        "She leads face down and declares whose the trick is, even against the higher card (K36)",
        ["0 sphinx: yes · 0 E10 · 1 EA · 2 E8 · 0 sphinx declares: 2", "trick 1 to seat 2, 11 points"],
        {"seat": 2},
    ),
}


def scenario_of(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def test_every_character_has_a_golden_transcript_and_every_transcript_a_claim():
    assert sorted(file.stem for file in FOLDER.glob("*.json")) == sorted(CLAIMS)
    assert {name.partition("-")[0] for name in CLAIMS} - {"conflict"} == set(NAMES)
    for name in set(CLAIMS) - {"conflict"}:
        assert name.partition("-")[0] in scenario_of(name)["characters"]


@pytest.mark.parametrize("name", CLAIMS)
def test_a_golden_hand_is_told_as_checked_in_and_as_the_rulebook_says(name):
    told = replay(scenario_of(name))
    assert told.lines == (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    claim, pieces, end = CLAIMS[name]
    text, place = "\n".join(told.lines), 0
    for piece in pieces:
        assert piece in text[place:], f"{claim}: {piece} is missing"
        place = text.index(piece, place) + len(piece)
    for key, expected in end.items():
        found = told.seat if key == "seat" else " ".join(told.legal) if key == "legal" else told.result[key]
        assert found == expected, claim
    if told.over:
        step = {"computer": -5, "weisheit": -10}.get(name, 0)
        assert sum(told.result["card_points"]) == (13 if name == "guggitaler" else 157) + step, claim


@pytest.mark.parametrize("name", CLAIMS)
def test_a_golden_hand_goes_as_in_the_reference(name):
    data = scenario_of(name)
    told, start = replay(data), load_state(data)[0]
    hand = Hand(
        [set(cards.split()) for cards in data["hands"]],
        data["dealer"],
        *data["bottom"],
        [who and REFERENCE_NAMES[NAMES.index(who)] for who in data["characters"]],
        Chance(data.get("chance", 0)),
        data.get("victory_points", [0, 0, 0]),
        {RULE_NAMES.get(rule, rule): value for rule, value in data.get("rules", {}).items()},
    )
    assert int(start.seat) == hand.decision()[0]
    for event in told.events:
        seat, _, text = event.partition(" ")
        if not seat.isdigit():
            continue  # what a move has brought about
        kind, _, option = text.rpartition(": ")
        asked_seat, asked, options = hand.decision()
        option = option.removeprefix("press ")
        assert (int(seat), kind or asked) == (asked_seat, asked) and option in options
        hand.choose(option)
    assert hand.over() == told.over
    if told.over:
        assert told.result["card_points"] == hand.card_points()
        assert told.result["victory_points"] == hand.result()
    else:
        assert told.seat == hand.decision()[0]
        assert {move.split(": ")[-1].removeprefix("press ") for move in told.legal} == set(hand.decision()[2])


@pytest.mark.parametrize(
    ("name", "ranks"),
    [
        ("umwerter", "8 A K Q J 10 9 7 6"),
        ("umwerter-trump", "8 J 9 A K Q 10 7 6"),
        ("umwerter-lowest", "K Q J 10 9 8 7 6 A"),
        ("skater-ten", "J 9 A 10 K Q 8 7 6"),
    ],
)
def test_the_order_of_hearts_is_as_the_rulebook_lists_it(name, ranks):
    """K25: the Umwerter's own examples; K13: the trump Ten under Skat."""
    data = scenario_of(name)
    state = play_to(data | {"moves": data["moves"][: -1 if name == "umwerter" else None]})[0]
    hearts = [card for card, text in enumerate(DECK.names) if text[0] == SUITS[0]]
    beaten_by = {DECK.names[card][1:]: int(popcount(beaters_of(state, int(state.order), card) & SUIT_CARDS[0])) for card in hearts}
    assert sorted(beaten_by, key=beaten_by.get) == ranks.split()
    assert sorted(beaten_by.values()) == list(range(9))


def test_the_excuse_may_discard_up_to_three_points_of_another_suit():
    """K27: from the hand with Eidex cards, which he could follow with."""
    data = scenario_of("excuse")
    legal = replay(data | {"moves": data["moves"][:4]}).legal
    held = set(data["hands"][1].split())
    assert {"R10", "RJ"} & held == {"R10"} and "R10" not in legal
    assert {"R6", "R7", "R8", "R9"} <= held and {"R6", "R7", "R8", "R9"} <= set(legal)


def test_a_pot_that_the_zombie_has_emptied_is_told_so_with_its_winner():
    """X7: seat 1 calls its donated card back and so leaves nothing in the Jackpot."""
    data = {
        "game": "cosmic-eidex",
        "characters": ["zombie", "jackpot", None],
        "dealer": 2,
        "hands": [
            "H6 H7 H8 S9 S10 SJ SQ SK SA EA EK EQ",
            "E6 E7 E8 E9 E10 EJ R6 R7 R8 R9 R10 RJ",
            "H9 H10 HJ HQ HK HA RQ RK RA S6 S7 S8",
        ],
        "bottom": ["S8", "S6"],
        "moves": "jackpot: H7,press EK,press E10,press HA,H8,R6,HQ,S6,SA,E6,zombie: yes,zombie calls: S6,zombie calls: H8,H7,R7,H9".split(
            ","
        ),
    }
    assert replay(data).lines[-2].endswith("trick 3 to seat 2, 0 points; the Jackpot goes to seat 2, but is empty")


def test_a_card_pressed_afresh_may_be_written_as_before():
    data = scenario_of("guggitaler")
    moves = [move.replace("press: ", "press ") for move in data["moves"]]
    assert moves != data["moves"] and replay(data | {"moves": moves}).lines == replay(data).lines


def test_the_radarkontrolle_keeps_the_limit_where_the_moves_do_not_set_another():
    data = scenario_of("radarkontrolle")
    start = data | {"moves": data["moves"][data["moves"].index("radar units: 3") + 1 :][:1]}
    assert int(play_to(start)[0].limit) == 100
    assert int(play_to(start | {"rules": {"points_limit": 110}})[0].limit) == 110
    with pytest.raises(ValueError, match="radar tens: 90"):
        play_to(start | {"rules": {"points_limit": 80, "radar_low": 90}})


def test_black_friday_leaves_the_trick_values():
    """K34: the Stars Jack is still the highest trump, though it counts nothing."""
    data = scenario_of("black_friday")
    state = play_to(data)[0]
    jack = DECK.card("SJ")
    assert beaters_of(state, int(state.order), jack) == 0
    rng = random.Random(1)
    assert all(np.uint64(1 << jack) & beaters_of(state, int(state.order), card) for card in rng.sample(range(27), 5))


if __name__ == "__main__":
    # Writes the transcripts anew, after a change of what they tell; read the difference before committing it.
    for name in CLAIMS:
        (FOLDER / f"{name}.txt").write_text("\n".join(replay(scenario_of(name)).lines) + "\n", encoding="utf-8")
