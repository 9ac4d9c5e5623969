"""How often each power of the 36 characters acts in random play of all triples in all seatings, with the invariants checked at every move.

    python benchmarks/coverage_of_characters.py [HANDS] [--seed S] [--every K] [--set RULE=VALUE]

Plays HANDS hands (default 3, the deal rotating) of every triple of characters in each of the six seatings: 3 are 128,520 hands. Prints
for each character how often each of its questions was asked and each kind of answer given, and how often its effects that nobody is asked
about came up. Exit code 1 if any of these is zero, or if an invariant failed.  Rule: eidex X12
"""

import argparse
import itertools
import sys
import time

import numpy as np

from simcore.bits import EMPTY, bit, copy_record, nth, popcount
from simcore.games.eidex import cosmic
from simcore.games.eidex.cards import ALL_CARDS, DECK, LAST_TRICK_POINTS, SEATS
from simcore.games.eidex.characters import CHARACTERS, NAMES
from simcore.games.eidex.characters.quizmaster import asked_cards
from simcore.games.eidex.powers.character import AFTER_CARD
from simcore.games.eidex.powers.flow import FIRST_QUESTION
from simcore.games.eidex.powers.orders import ANIMALS, FIRST_RANK, FIRST_SEAT, FIRST_SUIT, HIGHEST, NO, YES
from simcore.games.eidex.powers.phases import BEFORE_TRICK, COLLECTING, NEXT_CARD
from simcore.games.eidex.powers.questions import OWNERS, QUESTIONS
from simcore.games.eidex.powers.scoring import DIFFERENZLER, award, match_seat
from simcore.games.eidex.powers.table import ASIDE, BROKEN, SUIT_CARDS, card_points, own_cards, seat_at, seat_of
from simcore.games.eidex.state import CARD, NO_CARD, NOBODY, points_of
from simcore.jit import kernel
from simcore.protocol import deal, effective_rules, is_over, legal_moves, play, start
from simcore.rng import DEAL, SEAT, below, mix, step, stream

# Kinds of answers by their first bit, see `orders`; cards are numbers where a number is asked.
ANSWERS = (
    (0, "card"), (NO, "no"), (YES, "yes"), (FIRST_SEAT, "seat"), (FIRST_SUIT, "suit"), (FIRST_RANK, "rank"), (HIGHEST, "highest"),
    (HIGHEST + 1, "lowest"), (HIGHEST + 2, "right"), (HIGHEST + 3, "left"), (HIGHEST + 4, "plus"), (HIGHEST + 5, "minus"),
)  # fmt: skip
FIRST_OF = [first for first, _ in ANSWERS]
# Answers that the rules give for each question; `no` stands for all that may be declined.
EXPECTED = {
    "trumphator": "no yes", "raeuber": "no yes", "raeuber gives": "card", "schwarzpeter": "no yes", "radar tens": "card",
    "radar units": "card", "jackpot": "no card", "wuenschelrute": "no card", "seher lead": "card", "teekraenzchen gift": "card",
    "teekraenzchen returns": "card", "umwerter": "no card", "umwerter end": "highest lowest", "fledderer": "no seat",
    "fledderer pushes": "card", "guggitaler": "no yes", "press": "card", "black friday": "no suit", "differenzler tens": "card",
    "differenzler units": "card", "weisheit": "no card", "kompass": "right left", "dealer": "no seat", "dealer partner": "no yes",
    "voyeur": "no seat", "voyeur sees": "card", "quizmaster": "no seat", "quizmaster asks": "card suit rank", "schuechterne": "no seat",
    "schuechterne refused": "no yes", "gerechtigkeit": "no yes", "skater": "no yes", "farbenfreund": "no suit", "zombie": "no yes",
    "zombie calls": "card", "taschenspieler": "no card", "kompass turns": "no yes", "sphinx": "no yes", "sphinx declares": "seat",
    "fahnder": "no card", "konsumentenschutz": "no yes", "jiu-jitsu": "no yes", "ultimo": "no yes", "feministin": "no yes",
    "scharfmacher": "no yes", "fuersorge": "no seat", "korrektor": "no yes", "korrektor leads": "no yes", "computer": "no plus minus",
    "weisheit adds": "no plus minus",
}  # fmt: skip
EFFECTS = (
    ("trumphator", "turned to a game without trump"),
    ("raeuber", "as dealer, was robbed by the trump Six"),
    ("ultimo", "took the last trick"),
    ("quizmaster", "heard yes"),
    ("quizmaster", "heard no"),
    ("gerechtigkeit", "each card to its player"),
    ("skater", "a cut-in was taken back"),
    ("skater", "a cut-in without the suit stood"),
    ("schwarzpeter", "decided the hand"),
    ("farbenfreund", "the wish was granted"),
    ("farbenfreund", "the wish lapsed"),
    ("scharfmacher", "six cards in a trick"),
    ("differenzler", "made the number"),
    ("fahnder", "found the card"),
    ("fahnder", "had bad luck"),
    ("fuersorge", "gave a trick"),
    ("fuersorge", "gave the lead only, under justice"),
    ("fuersorge", "gave the lead only, before the Jackpot"),
    ("laser", "pressed for a fellow"),
    ("laser", "drew the first lead"),
    ("konsumentenschutz", "rejected a lead"),
    ("konsumentenschutz", "a rejected card was taken up"),
    ("seher", "saw pressed cards"),
    ("seher", "was shown the lead"),
    ("zombie", "a pressed card came back"),
    ("zombie", "the Jackpot's first card came back"),
    ("zombie", "a face-down card came back"),
    ("zombie", "twelve tricks"),
    ("excuse", "did not follow"),
    ("jackpot", "an animal trick was put in"),
    ("jackpot", "was won in a trick"),
    ("jackpot", "went to whoever had pressed the card"),
    ("sphinx", "led face down"),
    ("sphinx", "added a card face down"),
)
(NO_TRUMP, DEALER_ROBBED, CLAIMED, HEARD_YES, HEARD_NO, JUSTICE, TAKEN_BACK, STOOD, PETER, GRANTED, LAPSED, SIX_CARDS, HIT,
 FOUND, BAD_LUCK, GIVEN, LEAD_IN_JUSTICE, LEAD_OF_POT, LASER_PRESSED, LASER_LED, LEAD_REJECTED, TAKEN_UP, SAW, SHOWN, PRESSED_BACK,
 DONATED_BACK, HIDDEN_BACK, TWELVE, EXCUSED, POTTED, POT_WON, POT_PRESSED, LED_HIDDEN, ADDED_HIDDEN) = range(len(EFFECTS))  # fmt: skip
INVARIANTS = (
    "36 cards, each in one place",
    "equal hands before every lead",
    "157 points among the cards, or 13",
    "157 points for the seats, or 13, and what was added or taken off",
    "victory points 2-0-0, 1-1-0, or 0-0-0 with all level or over the limit",
    "there is a legal move",
)

_QUESTION = {question.name: np.int64(k) for k, question in enumerate(QUESTIONS)}
Q_RAEUBER, Q_FARBENFREUND, Q_FAHNDER, Q_FUERSORGE, Q_REJECT, Q_ASKS = (
    _QUESTION[name] for name in ("raeuber", "farbenfreund", "fahnder", "fuersorge", "konsumentenschutz", "quizmaster asks")
)
Q_CUT = np.int64(next(k for k, question in enumerate(QUESTIONS) if question.name == "skater" and question.moment == AFTER_CARD))
LASER, SEHER, EXCUSE = (np.int64(NAMES.index(name)) for name in ("laser", "seher", "excuse"))
N_SUITED_MODES = 4
RAVENS_JACK = np.uint64(DECK.cards("RJ"))


@kernel
def note_answer(before, move, state, effects):
    """Count what an answer to a question has brought about."""
    question = np.int64(before.decision) - FIRST_QUESTION
    if move == NO:
        return
    if question == Q_RAEUBER:
        effects[DEALER_ROBBED] += before.owner == before.dealer
    elif question == Q_ASKS:
        has = before.hands[before.target] & asked_cards(np.int64(move)) != EMPTY
        effects[HEARD_YES if has else HEARD_NO] += 1
    elif question == Q_CUT:
        effects[TAKEN_BACK if state.n_laid < before.n_laid else STOOD] += 1
    elif question == Q_FARBENFREUND:
        has = before.hands[before.leader] & SUIT_CARDS[np.int64(move) - FIRST_SUIT] != EMPTY
        effects[GRANTED if has else LAPSED] += 1
    elif question == Q_FAHNDER:
        others = (before.hands[0] | before.hands[1] | before.hands[2]) & ~before.hands[before.owner]
        effects[FOUND if others & bit(move) else BAD_LUCK] += 1
    elif question == Q_FUERSORGE:
        is_animal = before.is_pot_open and not before.trick & ~ANIMALS
        effects[LEAD_IN_JUSTICE if before.justice_left else LEAD_OF_POT if is_animal else GIVEN] += 1
    elif question == Q_REJECT:
        effects[LEAD_REJECTED] += before.n_laid == 1


@kernel
def note_effects(before, state, effects):
    """Count what has happened without a question."""
    effects[NO_TRUMP] += before.upcard != state.upcard and state.mode >= N_SUITED_MODES
    effects[JUSTICE] += state.justice_left < before.justice_left
    effects[SIX_CARDS] += before.decision == CARD and before.n_laid == 5
    effects[LASER_LED] += before.laser_leads and not state.laser_leads
    effects[SHOWN] += before.shown_lead == NO_CARD and state.shown_lead != NO_CARD
    effects[TAKEN_UP] += aside_of(before) > 0 and aside_of(state) == 0
    effects[POTTED] += state.pot & ~before.pot != EMPTY
    if before.is_pot_open and not state.is_pot_open:
        pressed = state.pressed[0] | state.pressed[1] | state.pressed[2]
        effects[POT_PRESSED if pressed & bit(state.named) else POT_WON] += 1
    if before.phase >= BEFORE_TRICK:
        for seat in range(3):
            effects[PRESSED_BACK] += before.pressed[seat] != EMPTY and state.pressed[seat] == EMPTY
        effects[DONATED_BACK] += before.donated != EMPTY and state.donated == EMPTY
    for slot in range(2):
        effects[HIDDEN_BACK] += before.face_down_at[slot] < 3 and state.face_down[slot] == EMPTY
    if before.is_face_down and before.decision == CARD:
        effects[LED_HIDDEN if before.n_laid == 0 else ADDED_HIDDEN] += 1


@kernel
def note_end(state, effects):
    """Count what shows at the end of the hand."""
    laser, seher, excuse, differenzler = seat_of(state, LASER), seat_of(state, SEHER), seat_of(state, EXCUSE), seat_of(state, DIFFERENZLER)
    effects[LASER_PRESSED] += laser != NOBODY and state.used[laser] > 0
    effects[SAW] += seher != NOBODY and state.used[seher] > 0
    effects[EXCUSED] += excuse != NOBODY and state.used[excuse] > 0
    effects[CLAIMED] += state.claimant != NOBODY and state.bonus_seat == state.claimant
    effects[TWELVE] += state.n_tricks == 12
    effects[PETER] += state.is_schwarzpeter and not state.is_guggitaler and state.sweeper == BROKEN
    if differenzler != NOBODY and not (state.is_schwarzpeter and not state.is_guggitaler):
        is_hit = card_points(state, differenzler) == state.announced and state.tricks_won[differenzler] > 0
        effects[HIT] += state.sweeper == BROKEN and is_hit


@kernel
def aside_of(state):
    """Number of rejected cards that lie aside."""
    n = np.int64(popcount(state.aside[0] | state.aside[1] | state.aside[2]))
    return n + (state.face_down_at[0] == ASIDE) + (state.face_down_at[1] == ASIDE)


@kernel
def check_cards(state, failures):
    """Count broken invariants of the cards."""
    cards, n = state.trick | state.pot | state.donated, popcount(state.trick) + popcount(state.pot) + popcount(state.donated)
    for slot in range(2):
        cards |= state.face_down[slot]
        n += popcount(state.face_down[slot])
    for seat in range(3):
        cards |= state.hands[seat] | state.pressed[seat] | state.piles[seat] | state.aside[seat]
        n += popcount(state.hands[seat]) + popcount(state.pressed[seat]) + popcount(state.piles[seat]) + popcount(state.aside[seat])
    failures[0] += n != 36 or cards != ALL_CARDS
    if state.decision == CARD or NEXT_CARD <= state.phase < COLLECTING:
        sizes = np.zeros(3, np.int64)
        for seat in range(3):
            sizes[seat] = popcount(state.hands[seat] | state.aside[seat])
        for slot in range(2):
            if state.face_down_at[slot] == ASIDE:
                sizes[state.face_down_seat] += 1
        for n_before in range(np.int64(state.n_laid)):
            sizes[seat_at(state, n_before)] += 1
        failures[1] += sizes[0] != sizes[1] or sizes[1] != sizes[2]
    total = 13 if state.is_guggitaler else 157 - LAST_TRICK_POINTS
    failures[2] += points_of(state, ALL_CARDS) != total
    failures[5] += not is_over(state) and not legal_moves(state)


@kernel
def check_end(state, failures):
    """Count broken invariants of the points."""
    a, b, c = card_points(state, SEATS[0]), card_points(state, SEATS[1]), card_points(state, SEATS[2])
    total = np.int64(13 if state.is_guggitaler else 157)
    failures[3] += a + b + c != total + state.adjustments[0] + state.adjustments[1] + state.adjustments[2]
    first, second, third = award(state, a, b, c)
    n, most = first + second + third, max(first, second, third)
    is_peter = state.is_schwarzpeter and not state.is_guggitaler
    n_losers = 0
    for seat in range(3):
        has_jack = own_cards(state, seat) & RAVENS_JACK != EMPTY
        n_losers += card_points(state, seat) >= state.limit or (is_peter and has_jack)
    is_empty = n_losers == 3 or (a == b and b == c)
    failures[4] += min(first, second, third) < 0 or most > 2 or n != (0 if match_seat(state) < 0 and is_empty else 2)


@kernel
def sweep(tables, rules, seatings, n_hands, seed, answers, effects, failures):
    """Play *n_hands* random hands in each of *seatings*; counts of questions' answers, effects and failures.

    *answers* has a row for each question and a column for each of the 64 answers.
    """
    state, before = tables[0], tables[1]
    for number in range(len(seatings) * n_hands):
        start(state, rules, 3, number % 3)
        for seat in range(3):
            state.characters[seat] = seatings[number // n_hands, seat]
            state.active[seat] = state.characters[seat]
        key = stream(seed, number, DEAL)
        counter = stream(seed, number, SEAT)
        deal(state, key)
        check_cards(state, failures)
        while not is_over(state):
            counter = step(counter)
            moves = legal_moves(state)
            move = nth(moves, below(mix(counter), popcount(moves)))
            copy_record(before, state)
            play(state, move)
            if before.decision >= FIRST_QUESTION:
                answers[before.decision - FIRST_QUESTION, move] += 1
                note_answer(before, move, state, effects)
            note_effects(before, state, effects)
            check_cards(state, failures)
        note_end(state, effects)
        check_end(state, failures)


def rows_of(answers, effects):
    """Rows of the table: character, what, how often; questions with how often they were asked, then each kind of answer and effect."""
    rows = []
    for number, character in enumerate(CHARACTERS):
        for k, question in enumerate(QUESTIONS):
            if OWNERS[k] != number:
                continue
            rows.append((character.title, f'"{question.name}" asked', int(answers[k].sum())))
            by_kind = np.add.reduceat(answers[k], FIRST_OF)
            expected = EXPECTED.get(question.name, "").split()
            for (_, name), n in zip(ANSWERS, by_kind, strict=True):
                if n or name in expected:
                    rows.append(("", f"  {name}", int(n)))
        rows += [(character.title, text, int(n)) for (name, text), n in zip(EFFECTS, effects, strict=True) if name == character.name]
    return rows


def main():
    """Play, print the table, and leave with 1 if there is a hole in it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hands", nargs="?", type=int, default=3, help="hands of each triple in each seating (default 3)")
    parser.add_argument("--seed", type=int, default=1, help="seed of deals and play (default 1)")
    parser.add_argument("--every", type=int, default=1, help="play every K-th seating only, for a quick look")
    parser.add_argument("--set", action="append", default=[], metavar="RULE=VALUE", help="set a rule; some leave rows at zero")
    given = parser.parse_args()
    if given.hands < 1 or given.every < 1 or given.seed < 0:
        parser.error("hands and --every are at least 1, --seed at least 0")
    triples = itertools.combinations(range(len(NAMES)), 3)
    seatings = np.array([seating for triple in triples for seating in itertools.permutations(triple)], np.int8)[:: given.every]
    try:
        rules = effective_rules(cosmic.SWITCHES, dict(rule.split("=", 1) for rule in given.set))
    except ValueError as error:
        parser.error(f"--set takes RULE=VALUE: {error}")
    tables = np.zeros(2, cosmic.STATE)
    answers, effects = np.zeros((len(QUESTIONS), 64), np.int64), np.zeros(len(EFFECTS), np.int64)
    failures = np.zeros(len(INVARIANTS), np.int64)
    seed = np.uint64(given.seed)
    sweep(tables, rules[0], seatings[:0], given.hands, seed, answers, effects, failures)  # compiles
    began = time.perf_counter()
    sweep(tables, rules[0], seatings, given.hands, seed, answers, effects, failures)
    seconds = time.perf_counter() - began
    rows = rows_of(answers, effects)
    before = None
    for title, what, n in rows:
        print(f"{'' if not title or title == before else title:<40} {what:<44} {n:>10,}{'  NEVER' if not n else ''}")
        before = title or before
    n_hands = len(seatings) * given.hands
    print(f"\n{n_hands:,} hands, {answers.sum():,} answers to questions, seed {given.seed}, {seconds:.1f} s")
    for text, n in zip(INVARIANTS, failures, strict=True):
        print(f"{'held' if not n else f'FAILED {n:,} times'}: {text}")
    holes = sum(not n for _, _, n in rows)
    print(f"{holes} of {len(rows)} rows are zero")
    sys.exit(1 if holes or failures.any() else 0)


if __name__ == "__main__":
    main()
