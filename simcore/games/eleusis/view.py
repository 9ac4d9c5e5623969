"""Eleusis for people: moves as text, deals and positions as data, lines of a transcript."""

from collections import Counter
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np

from simcore.bits import copy_record
from simcore.deck import nearest
from simcore.games.eleusis.cards import DECK, N_CARDS, N_TYPES, add_card, cards_text, pile_cards, read_cards
from simcore.games.eleusis.grammar import Rule
from simcore.games.eleusis.library import WORD, library, standard_library, use, with_rules
from simcore.games.eleusis.state import (
    DECLINE,
    DONE,
    DRAWN,
    GUESS,
    LAID_WRONG,
    MORE,
    NAME,
    NO_PLAY,
    NOBODY,
    OVER,
    PROPHET,
    RIGHT,
    ROOM,
    TURN,
    VERDICT,
    WRONG,
    choose_secret,
    extend_row,
    hand_size,
    lay_out,
    open_rules,
    turn_up,
)
from simcore.reading import check_keys, list_of, texts, whole_number

DEAL_KEYS = ("dealer", "rule", "start", "hands", "stock", "totals", "dealt")
_WORDS = {NO_PLAY: "no play", DONE: "done", RIGHT: "right", WRONG: "wrong", PROPHET: "prophet", DECLINE: "decline"}
_N_SHOWN = 8
_ASKED = {TURN: "play a card", MORE: "play another card", GUESS: "guess the rule", NAME: "name the rule", VERDICT: "judge as the Prophet"}


def decision_text(state) -> str:
    """What the seat to act is asked."""
    return _ASKED[int(state.decision)]


def move_text(state, move: int) -> str:
    """The move as a transcript prints it: a card, an answer, or a guess in two steps: the word of the library, then the rule's name."""
    move = int(move)
    if state.decision == NAME:
        rule = library().rules[WORD * int(state.word) + move]
        return rule.name if rule else str(move)
    if state.decision == GUESS and move < PROPHET:
        return f"guess {move}"
    return DECK.names[move] if move < N_TYPES else _WORDS[move]


def parse_move(state, text: str) -> int:
    """Inverse of `move_text`; ``guess NAME`` stands for the word of that rule, too, whose name must follow."""
    plain = " ".join(text.split())
    for move, name in _WORDS.items():
        if plain.lower() == name:
            return move
    if state.decision == NAME:
        number = library().number(plain)
        if number // WORD != state.word:
            raise ValueError(f"rule {plain!r} is in word {number // WORD} of the library, not {state.word}")
        return number % WORD
    if state.decision == GUESS:
        first, _, rest = plain.partition(" ")
        if first.lower() != "guess" or not rest:
            raise ValueError(f"{text!r} is not an answer; write 'decline', or 'guess' and the name of a rule")
        return int(rest) if rest.isdecimal() and int(rest) < PROPHET else library().number(rest) // WORD
    return DECK.card(plain)


def decline_move(state) -> int | None:
    """Nobody has to guess; a sequence ends where no other card of it follows."""
    return {GUESS: DECLINE, MORE: DONE}.get(int(state.decision))


def deal_lines(state) -> list[str]:
    """The dealer and his secret, the start card and the hands."""
    rule = library().rules[state.secret]
    lines = [f"seat {state.dealer} deals; secret rule {rule.name}: {rule.text}", f"start card {DECK.names[state.last]}"]
    return lines + [f"seat {seat} holds {cards_text(pile_cards(state.hands[seat]))}" for seat in _players(state)]


def _players(state) -> list[int]:
    return [seat for seat in range(int(state.n_seats)) if seat != state.dealer]


def narrate(before, move: int, after) -> list[str]:
    """The verdict, what the dealer does, who was right about the rule."""
    move, seat = int(move), int(before.seat)
    happened: list[str] = []
    if before.decision == NAME:
        happened.append("that is the rule" if after.solver == seat else "that is not the rule")
    elif move == PROPHET and before.decision == GUESS:
        happened.append(f"seat {seat} is the Prophet")
    elif before.decision == TURN and move == NO_PLAY:
        if after.n_row > before.n_row:
            happened.append(f"wrong: {DECK.names[after.last]} fits; seat {seat} shows {cards_text(pile_cards(before.hands[seat]))}")
        else:
            happened.append(f"right: {cards_text(pile_cards(before.hands[seat]))} under the stock")
    elif before.decision in (TURN, MORE, VERDICT) and after.n_pending == 0:
        if before.decision == VERDICT and after.prophet == NOBODY:
            happened.append("the dealer corrects the Prophet")
        happened.append("right" if after.n_right[seat] > before.n_right[seat] else "wrong")
    happened += _drawn(before, after)
    if before.third_pack and not after.third_pack:
        happened.append("a third pack comes in")
    if after.decision == OVER and after.stock_failed:
        happened.append("the stock is used up")
    if after.decision == OVER and after.emptied != NOBODY:
        happened.append(f"seat {after.emptied} has emptied his hand")
    if int(after.out) != int(before.out):
        happened.append(f"seat {seat} is out")
    return happened


def _drawn(before, after) -> list[str]:
    """Who has drawn which cards."""
    found = []
    for seat in _players(after):
        if cards := Counter(pile_cards(after.hands[seat])) - Counter(pile_cards(before.hands[seat])):
            found.append(f"seat {seat} draws {cards_text(list(cards.elements()))}")
    return found


def _read_rule(state, data: dict[str, Any], may_hide: bool) -> int:
    """Number of the secret rule; any possible one where it is hidden."""
    if data.get("rule") is None:
        if int(state.rules.rule) != DRAWN:
            return int(state.rules.rule)
        if not may_hide:
            raise ValueError("rule, the name of the secret rule, is missing")
        return DRAWN
    if not isinstance(data["rule"], str):
        raise ValueError(f"rule is the name of a secret rule, not {data['rule']!r}")
    number = library().number(data["rule"])
    if int(state.rules.rule) not in (DRAWN, number):
        raise ValueError(f"rule is {data['rule']}, but another one among the rules")
    return number


def _read_common(state, data: dict[str, Any]) -> None:
    n = int(state.n_seats)
    state.dealer = whole_number(data.get("dealer", 0), 0, n - 1, "dealer")
    lay_out(state)
    state.n_dealt = whole_number(data.get("dealt", 0), 0, n - 1, "dealt")
    for seat, total in enumerate(list_of(data.get("totals", [0] * n), n, "totals")):
        state.total[seat] = whole_number(total, -9999, 9999, f"totals of seat {seat}")


class _Pack:
    """The cards that are still to be found somewhere."""

    def __init__(self, n_packs: int) -> None:
        self.left = [n_packs] * N_TYPES
        self.n_packs = n_packs

    def take(self, cards: list[int], where: str) -> list[int]:
        """*cards*, which are gone from now on. ValueError when there are not so many."""
        for card in cards:
            if not self.left[card]:
                raise ValueError(f"{where}: {DECK.names[card]} is there {self.n_packs + 1} times, there are {self.n_packs}")
            self.left[card] -= 1
        return cards

    def rest(self) -> list[int]:
        """All cards that are left, ascending."""
        return [card for card in range(N_TYPES) for _ in range(self.left[card])]


def _fill_stock(state, cards: list[int], n_unseen: int) -> None:
    state.stock[: len(cards)] = cards
    state.n_stock, state.n_unseen = len(cards), n_unseen


def _read_stock(state, data: dict[str, Any], pack: _Pack) -> None:
    """The stock as given, top card first, or all cards that are nowhere else."""
    rest = pack.rest()
    cards = rest if data.get("stock") is None else read_cards(data["stock"], "stock")
    if sorted(cards) != rest:
        few = cards_text(rest[:_N_SHOWN]) + (" ..." if len(rest) > _N_SHOWN else "")
        raise ValueError(f"stock is all that the other cards leave, {len(rest)} cards in the order of drawing: {few}")
    _fill_stock(state, cards, len(cards))


def read_deal(state, data: dict[str, Any]) -> None:
    """Set up the round of a scenario.

    ``rule`` (name of the secret rule), ``start`` (the start card), ``hands`` (a text for each seat, empty for the dealer), ``stock`` (top
    card first; else all other cards, sorted), ``dealer``, and of a game ``totals`` and ``dealt`` (rounds before this one).
    """
    _read_common(state, data)
    n, size = int(state.n_seats), int(hand_size(state))
    for key in ("start", "hands"):
        if key not in data:
            raise ValueError(f"a deal needs {key}")
    pack = _Pack(2)
    for seat, text in enumerate(list_of(data["hands"], n, "hands")):
        cards = pack.take(read_cards(text, f"hands of seat {seat}"), f"hands of seat {seat}")
        if len(cards) != (0 if seat == state.dealer else size):
            right = "no cards: it deals" if seat == state.dealer else f"{size}"
            raise ValueError(f"hands: seat {seat} has {len(cards)} cards, not {right}")
        for card in cards:
            add_card(state.hands[seat], card)
    turn_up(state, pack.take([DECK.card(data["start"])], "start")[0])
    _read_stock(state, data, pack)
    open_rules(state, state.rules.library)
    choose_secret(state, _read_rule(state, data, False))


def write_deal(state) -> dict[str, Any]:
    """The deal as scenario data."""
    return _write_common(state) | {"start": DECK.names[state.last], "hands": _hands(state.hands, state), "stock": cards_text(_stock(state))}


def _write_common(state) -> dict[str, Any]:
    return {
        "dealer": int(state.dealer),
        "rule": library().rules[state.secret].name,
        "totals": state.total[: state.n_seats].tolist(),
        "dealt": int(state.n_dealt),
    }


def _hands(piles, state) -> list[str]:
    return [cards_text(pile_cards(pile)) for pile in piles[: state.n_seats]]


def _stock(state) -> list[int]:
    return [int(state.stock[(int(state.top) + k) % ROOM]) for k in range(state.n_stock)]


_BY_SEAT = {"right": "n_right", "wrong": "n_wrong", "no_plays": "n_no_plays", "guesses": "n_guesses", "owed": "owed"}
_FLAGS = ("by_no_play", "third_pack")
_SEATS = ("prophet", "emptied")
POSITION_KEYS = (
    *("dealer", "rule", "totals", "dealt", "row", "sidelines", "pending", "hands", "shown", "stock", "unseen", "turn", "asked"),
    *("refuted", "shown_no_plays", "possible", "out", *_SEATS, *_FLAGS, *_BY_SEAT),
)
_ASKS = {"turn": TURN, "more": MORE, "guess": GUESS, "verdict": VERDICT}


def write_position(state) -> dict[str, Any]:
    """The position as data."""
    n = int(state.n_seats)
    row, sidelines, pending = _row_of(state)
    asked = next((name for name, decision in _ASKS.items() if decision == state.decision), f"name {state.word}")
    data = _write_common(state) | {
        "row": cards_text(row),
        "sidelines": [cards_text(cards) for cards in sidelines],
        "pending": cards_text(pending),
        "hands": _hands(state.hands, state),
        "shown": _hands(state.shown, state),
        "stock": cards_text(_stock(state)),
        "unseen": int(state.n_unseen),
        "turn": int(state.seat),
        "asked": asked,
        "possible": " ".join(f"{int(state.possible[word]):x}" for word in range(state.n_words)),
        "out": [seat for seat in range(n) if int(state.out) >> seat & 1],
    }
    data |= {name: None if state[name] == NOBODY else int(state[name]) for name in _SEATS}
    data |= {name: bool(state[name]) for name in _FLAGS}
    return data | {name: state[field][:n].tolist() for name, field in _BY_SEAT.items()}


def _row_of(state) -> tuple[list[int], list[list[int]], list[int]]:
    """Main row, the sideline below each of its cards, and the cards that wait for their verdict."""
    row: list[int] = []
    sidelines: list[list[int]] = []
    n_judged = int(state.n_laid) - int(state.n_pending)
    for card in map(int, state.laid[:n_judged]):
        if card < LAID_WRONG:
            row.append(card)
            sidelines.append([])
        else:
            sidelines[-1].append(card - LAID_WRONG)
    return row, sidelines, [int(card) for card in state.laid[n_judged : state.n_laid]]


def read_position(state, data: dict[str, Any], may_hide: bool = False) -> None:
    """Set up a position in mid-round.

    ``row`` (text of the main row), ``sidelines`` (a text for each card of the row: the wrong ones below it; in the full game with ``/``
    between the sequences that were laid), ``hands`` (a text for each
    seat, empty for the dealer), ``turn``, ``asked`` (turn, more, guess, verdict, or ``name W``, the second step of a guess), ``rule``.
    With *may_hide*, ``rule``, ``stock`` and the hands of others may be null; a hidden hand may as well be its number of cards, and null
    is a hand that has shrunk by the seat's ``right`` cards. What else is known of the rule: ``refuted`` (names of rules that were
    guessed in vain), ``shown_no_plays`` (objects with ``row``, its length then, and ``hand``); or ``possible``, all of it as the
    library's words.
    """
    check_keys(data, POSITION_KEYS, "position")
    for key in ("row", "hands", "turn"):
        if key not in data:
            raise ValueError(f"position: {key} is missing")
    _read_common(state, data)
    n = int(state.n_seats)
    third_pack = data.get("third_pack", bool(state.rules.third_pack))
    is_opened = bool(state.rules.third_pack) and not third_pack
    pack = _Pack(3 if is_opened else 2)
    row = pack.take(read_cards(data["row"], "row"), "row")
    if not row:
        raise ValueError("row has at least the start card")
    sequences = [
        [pack.take(read_cards(part, "sidelines"), "sidelines") for part in _parts(text, bool(state.rules.full))]
        for text in list_of(data.get("sidelines", [""] * len(row)), len(row), "sidelines")
    ]
    sidelines = [[card for sequence in below for card in sequence] for below in sequences]
    pending = pack.take(read_cards(data.get("pending", ""), "pending"), "pending")
    _lay_row(state, row, sidelines, pending)
    for name, field in _BY_SEAT.items():
        for seat, value in enumerate(list_of(data.get(name, [0] * n), n, name)):
            state[field][seat] = whole_number(value, 0, N_CARDS, f"{name} of seat {seat}")
    for name, most in (("right", len(row) - 1), ("wrong", sum(map(len, sidelines)))):
        if (n_told := int(state[_BY_SEAT[name]][:n].sum())) > most:
            raise ValueError(f"{name}: {n_told} cards in all, and {most} lie on the table")
    _read_flags(state, data, third_pack)
    _check_asked(state, len(pending))
    open_rules(state, state.rules.library)
    secret = _read_rule(state, data, may_hide)
    if secret != DRAWN:
        choose_secret(state, secret)
    _read_possible(state, data, row, sequences)
    if secret == DRAWN:
        choose_secret(state, _first_possible(state))
    elif not int(state.possible[secret // WORD]) >> secret % WORD & 1:
        raise ValueError(f"rule {data['rule']}: the row, the sidelines and what else is known refute it")
    _read_hands(state, data, pack, may_hide)


def _parts(text: Any, is_full: bool) -> list[Any]:
    """The sequences of a sideline: single cards, but in the full game, where ``/`` parts them."""
    if not isinstance(text, str):
        return [text]
    return text.split("/") if is_full else text.split()


def _check_asked(state, n_pending: int) -> None:
    """Who is asked what the rules allow at all. ValueError when not."""
    seat, prophet = int(state.seat), int(state.prophet)
    if state.third_pack and not state.rules.third_pack:
        raise ValueError("third_pack: the rule third_pack is off")
    if prophet != NOBODY:
        if not state.rules.prophet:
            raise ValueError("prophet: the rule prophet is off")
        if prophet in (int(state.dealer), seat):
            raise ValueError(f"prophet: seat {prophet} {'deals' if prophet == state.dealer else 'is to play'}")
    if state.out and not state.rules.expulsion:
        raise ValueError("out: the rule expulsion is off")
    if int(state.out) >> seat & 1:
        raise ValueError(f"out: seat {seat} is to play")
    has_pending = state.decision in (MORE, VERDICT)
    if has_pending != (n_pending > 0):
        raise ValueError(f"pending: {'no card waits' if has_pending else 'cards wait'} for a verdict, and none but 'more' and 'verdict' do")
    if state.decision == MORE and not state.rules.full:
        raise ValueError("asked: the rule full is off, a turn is one card")


def _lay_row(state, row: list[int], sidelines: list[list[int]], pending: list[int]) -> None:
    laid = []
    turn_up(state, row[0])
    for k, (card, wrong) in enumerate(zip(row, sidelines, strict=True)):
        if k:
            extend_row(state, card)
        laid += [card, *(other + LAID_WRONG for other in wrong)]
    laid += pending
    state.laid[: len(laid)] = laid
    state.n_laid, state.n_pending = len(laid), len(pending)


def _read_flags(state, data: dict[str, Any], third_pack: Any) -> None:
    n = int(state.n_seats)
    state.seat = whole_number(data["turn"], 0, n - 1, "turn")
    if state.seat == state.dealer:
        raise ValueError(f"turn: seat {state.seat} is the dealer, who does not play")
    for seat in list_of_seats(data.get("out", []), n):
        state.out |= 1 << seat
    for name in _SEATS:
        value = data.get(name)
        state[name] = NOBODY if value is None else whole_number(value, 0, n - 1, name)
    for name, value in (("by_no_play", data.get("by_no_play", False)), ("third_pack", third_pack)):
        if not isinstance(value, bool):
            raise ValueError(f"{name} is true or false, not {value!r}")
        state[name] = value
    asked = data.get("asked", "turn")
    if not isinstance(asked, str):
        raise ValueError(f"asked is {', '.join(_ASKS)} or 'name W', not {asked!r}")
    first, _, word = asked.partition(" ")
    if asked in _ASKS:
        state.decision = _ASKS[asked]
    elif first == "name" and word.isdecimal() and int(word) < PROPHET:
        state.decision, state.word = NAME, int(word)
    else:
        raise ValueError(f"asked is {', '.join(_ASKS)} or 'name W', not {asked!r}{nearest(asked, _ASKS)}")
    if state.decision == VERDICT and state.prophet == NOBODY:
        raise ValueError("asked: there is no prophet to give a verdict")


def list_of_seats(value: Any, n: int) -> list[int]:
    """*value* as a list of seats."""
    if not isinstance(value, list):
        raise ValueError(f"out is a list of seats, not {value!r}")
    return [whole_number(seat, 0, n - 1, "out") for seat in value]


def _read_possible(state, data: dict[str, Any], row: list[int], sequences: list[list[list[int]]]) -> None:
    """The rules that are possible: as given, or by the row, the wrong sequences below its cards, the no-plays and the guesses."""
    if "possible" in data:
        words = str(data["possible"]).split()
        try:
            values = [int(word, 16) for word in words]
        except ValueError:
            values = []
        if len(values) != state.n_words or any(value >> WORD for value in values):
            raise ValueError(f"possible is a text of the {state.n_words} words of the library in hexadecimal digits")
        state.possible[: len(values)] = np.array(values, np.uint64) & state.possible[: len(values)]
        return
    table, possible = library().tables[0], state.possible
    seen = np.zeros(1, state.dtype)[0]
    turn_up(seen, row[0])
    no_plays = _read_no_plays(data, len(row))
    for k, wrong in enumerate(sequences):
        if k:
            possible &= _accepting(table, seen, row[k])
            extend_row(seen, row[k])
        for sequence in [[card] for length, hand in no_plays for card in hand if length == k + 1] + wrong:
            if sequence:
                possible &= ~_accepting_all(table, seen, sequence)
    for name in texts(data.get("refuted", []), "refuted"):
        number = library().number(name)
        possible[number // WORD] &= ~np.uint64(1 << number % WORD)


def _read_no_plays(data: dict[str, Any], n_row: int) -> list[tuple[int, list[int]]]:
    found, entries = [], data.get("shown_no_plays", [])
    if not isinstance(entries, list):
        raise ValueError(f"shown_no_plays is a list of objects with row and hand, not {entries!r}")
    for entry in entries:
        check_keys(entry, ("row", "hand"), "shown_no_plays")
        found.append(
            (whole_number(entry.get("row"), 1, n_row, "row of shown_no_plays"), read_cards(entry.get("hand"), "hand of shown_no_plays"))
        )
    return found


def _accepting(table, seen, card: int) -> np.ndarray:
    """Rules by which *card* is right now; uint64 (64,)."""
    holds = (seen.features >> table.feature & np.uint64(1)).astype(int)
    return table.accept[holds, int(seen.last), card, np.arange(WORD)]


def _accepting_all(table, seen, sequence: list[int]) -> np.ndarray:
    """Rules by which all cards of a sequence are right, one after the other; which of them was wrong, nobody is told."""
    rules = _accepting(table, seen, sequence[0])
    after = np.zeros(1, seen.dtype)[0]
    copy_record(after, seen)
    for before, card in pairwise(sequence):
        extend_row(after, before)
        rules &= _accepting(table, after, card)
    return rules


def _first_possible(state) -> int:
    for word in range(state.n_words):
        if state.possible[word]:
            return WORD * word + (int(state.possible[word]) & -int(state.possible[word])).bit_length() - 1
    raise ValueError("position: no rule of the library agrees with the row, the sidelines and what else is known")


def _read_hands(state, data: dict[str, Any], pack: _Pack, may_hide: bool) -> None:
    """The hands and the stock; what is hidden is dealt from the cards that are left."""
    n = int(state.n_seats)
    hidden: dict[int, int] = {}
    who = int(state.prophet if state.decision == VERDICT else state.seat)
    for seat, text in enumerate(list_of(data["hands"], n, "hands")):
        if text is None or (isinstance(text, int) and not isinstance(text, bool)):
            if not may_hide or seat == who:
                raise ValueError(f"hands of seat {seat} may not be hidden: " + ("who is to act sees its hand" if may_hide else "all play"))
            size = max(int(hand_size(state)) - int(state.n_right[seat]), 1) if seat != state.dealer else 0
            hidden[seat] = size if text is None else whole_number(text, 0, N_CARDS, f"hands of seat {seat}")
            continue
        for card in pack.take(read_cards(text, f"hands of seat {seat}"), f"hands of seat {seat}"):
            add_card(state.hands[seat], card)
    if data["hands"][state.dealer]:
        raise ValueError(f"hands: seat {state.dealer} deals and holds no cards")
    for seat, text in enumerate(list_of(data.get("shown", [""] * n), n, "shown")):
        cards = read_cards(text, "shown")
        for card in cards:
            add_card(state.shown[seat], card)
        if seat in hidden:
            if len(cards) > hidden[seat]:
                raise ValueError(f"shown: seat {seat} has shown {len(cards)} cards and holds {hidden[seat]}")
            hidden[seat] -= len(cards)
            for card in pack.take(cards, "shown"):
                add_card(state.hands[seat], card)
        elif missing := Counter(cards) - Counter(pile_cards(state.hands[seat])):
            raise ValueError(f"shown: seat {seat} does not hold {cards_text(list(missing.elements()))}")
    _check_hands(state, hidden)
    rest = pack.rest()
    if data.get("stock") is None and not may_hide and any(hidden.values()):
        raise ValueError("stock is missing")
    for seat, size in hidden.items():
        if size > len(rest):
            raise ValueError(f"hands: {len(rest)} cards are left for the hidden hands")
        for card in rest[:size]:
            add_card(state.hands[seat], pack.take([card], "hands")[0])
        rest = rest[size:]
    _read_stock(state, data, pack)
    state.n_unseen = whole_number(data.get("unseen", int(state.n_stock)), 0, int(state.n_stock), "unseen")


def _check_hands(state, hidden: dict[int, int]) -> None:
    """Whether hands are as large as they may be; *hidden* cards of them are not there yet."""
    rules, size = state.rules, int(hand_size(state))
    held = {seat: len(pile_cards(state.hands[seat])) + hidden.get(seat, 0) for seat in range(int(state.n_seats))}
    for seat, n_held in held.items():
        if n_held > size and not (rules.full or rules.full_no_play or rules.prophet):
            raise ValueError(f"hands: seat {seat} has {n_held} cards; none grows beyond the {size} that were dealt")
    if state.decision == TURN and not held[int(state.seat)]:
        raise ValueError(f"hands: seat {state.seat} has no cards to play; the round is over")
    if state.emptied != NOBODY and held[int(state.emptied)]:
        raise ValueError(f"emptied: seat {state.emptied} holds {held[int(state.emptied)]} cards")


def worth_trying(state) -> int:
    """Moves that an estimate tries: no guess of a rule that is known not to be the secret one."""
    if state.decision == NAME:
        return int(state.possible[state.word])
    words = sum(1 << word for word in range(PROPHET) if word >= state.n_words or not state.possible[word])
    return ~words if state.decision == GUESS else -1


def hint(state, move: int) -> str:
    """Of a guess, which is the word of a rule first: the most probable one there, and its chance by the prior weights."""
    if state.decision != GUESS or move >= PROPHET:
        return ""
    known = library()
    weights = known.tables["weight"][0]
    total = sum(int(state.possible[word]).bit_count() * int(weights[word]) for word in range(state.n_words))
    rules, possible = known.rules[WORD * move : WORD * (move + 1)], int(state.possible[move])
    here = [rule.name for number, rule in enumerate(rules) if rule and possible >> number & 1]
    others = f", or {len(here) - 1} others alike" if len(here) > 1 else ""
    return f": {here[0]}, {int(weights[move]) / total:.1%}{others}"


def insight(state) -> list[str]:
    """What all at the table may conclude: how many rules are possible, and the most probable ones."""
    known = library()
    weights = known.tables["weight"][0]
    possible = [
        (int(weights[number // WORD]), rule)
        for number, rule in enumerate(known.rules)
        if rule and int(state.possible[number // WORD]) >> number % WORD & 1
    ]
    total = sum(weight for weight, _ in possible)
    likeliest = sorted(possible, key=lambda pair: -pair[0])[:_N_SHOWN]
    lines = [f"{len(possible)} secret rules are possible; the most probable, by their prior weight:"]
    return lines + [f"  {weight / total:6.1%}  {rule.name} ({rule.text})" for weight, rule in likeliest]


def definitions() -> list[dict[str, str]]:
    """A user's own rules that are in use, as data; the inverse of `define`."""
    return [asdict(rule) for rule in library().own]


def define(data: list[dict[str, str]]) -> None:
    """Use the library with the rules of *data* added."""
    use(with_rules([Rule(**entry) for entry in data]) if data else standard_library())
