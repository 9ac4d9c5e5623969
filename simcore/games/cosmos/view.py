"""COSMOS for people: moves as text, deals and positions as data, lines of a transcript."""

from typing import Any

import numpy as np

from simcore.games.cosmos.cards import (
    ALL_CARDS,
    BLACK,
    COPIES,
    DECK,
    N_TABLE_CARDS,
    NAMES,
    NINES,
    SAME_VALUE,
    SUIT_CARDS,
    SUITS,
    cards_text,
    read_card,
    read_cards,
)
from simcore.games.cosmos.play import suits_of
from simcore.games.cosmos.scoring import has_void
from simcore.games.cosmos.state import NOBODY, hand_size, lay_out
from simcore.games.cosmos.worlds import deal_hidden
from simcore.reading import check_keys, list_of, texts, whole_number

DEAL_KEYS = ("starter", "table", "hands", "totals")
_COUNTERS = ("collisions", "table_collisions", "black_tricks")
POSITION_KEYS = (
    *("starter", "totals", "table", "hands", "gone", "trick", "turn", "tricks", "nines", "big_bangs", "lacks"),
    *("is_broken", "break_trick", "breaker", *_COUNTERS),
)


def decision_text(state) -> str:
    """What the seat to act is asked."""
    return "play a card"


def move_text(state, move: int) -> str:
    """The move as a transcript prints it: the card, for both copies alike."""
    return NAMES[move]


def parse_move(state, text: str) -> int:
    """Inverse of `move_text`: the lowest copy of the card that the seat to act holds."""
    words = text.split()
    if len(words) == 2 and words[0].lower() == "play":
        words = words[1:]
    if len(words) != 1:
        raise ValueError(f"{text!r} is not a move; write a card like {NAMES[0]}")
    copies = COPIES[DECK.names[DECK.card(words[0])]]
    held = [card for card in copies if int(state.hands[state.seat]) >> card & 1]
    return held[0] if held else copies[0]


def decline_move(state) -> None:
    """Nothing may be declined."""


def deal_lines(state) -> list[str]:
    """Starting player, table cards and hands."""
    lines = [f"seat {state.starter} starts; on the table {cards_text(state.table)}"]
    lines += [f"seat {seat} holds {cards_text(state.hands[seat])}" for seat in range(state.n_seats)]
    laid = " · ".join(f"{(state.leader + k) % state.n_seats} {NAMES[card]}" for k, card in enumerate(_cards_of_trick(state)))
    return lines + ([f"in the trick {laid}"] if laid else [])


def narrate(before, move: int, after) -> list[str]:
    """The break, a collision, and a trick that *move* has completed."""
    happened = []
    if after.break_trick != before.break_trick:
        happened.append("the break")
    partner = int(before.face_up & SAME_VALUE[move])
    if partner:
        happened.append(f"{cards_text(partner)} and {NAMES[move]} collide")
    if after.tricks_left == before.tricks_left:
        return happened
    if used := int(before.table & ~after.table):
        happened.append(f"{cards_text(used)} of the table collides")
    is_big_bang = sum(after.big_bangs) > sum(before.big_bangs)
    number = int(hand_size(after) - after.tricks_left)
    happened.append(f"{'Big Bang: ' if is_big_bang else ''}trick {number} to seat {after.seat}")
    if after.tricks_left == 0:
        happened += [f"Void for seat {seat}" for seat in range(after.n_seats) if has_void(after, seat)]
    return happened


def _read_totals(state, data: dict[str, Any]) -> None:
    n = int(state.n_seats)
    end = int(state.rules.end_tricks) or int(hand_size(state))
    for seat, total in enumerate(list_of(data.get("totals", [0] * n), n, "totals")):
        state.totals[seat] = whole_number(total, 0, end - 1, f"totals of seat {seat}")


def _read_sets(values: Any, n: int, taken: int, where: str) -> list[int]:
    """*n* card sets that share no card with each other or with *taken*."""
    sets = []
    for seat, value in enumerate(list_of(values, n, where)):
        sets.append(read_cards(value, taken, f"{where} of seat {seat}"))
        taken |= sets[-1]
    return sets


def read_deal(state, data: dict[str, Any]) -> None:
    """Set up the round of a scenario.

    ``hands`` (a text for each seat), ``table`` (the four cards that the hands leave; optional), ``starter`` and ``totals``.
    """
    n = int(state.n_seats)
    state.starter = whole_number(data.get("starter", 0), 0, n - 1, "starter")
    _read_totals(state, data)
    if "hands" not in data:
        raise ValueError(f"a deal needs hands, {n} texts of {hand_size(state)} cards")
    hands = _read_sets(data["hands"], n, 0, "hands")
    for seat, hand in enumerate(hands):
        if hand.bit_count() != hand_size(state):
            raise ValueError(f"hands: seat {seat} has {hand.bit_count()} cards, not {hand_size(state)}")
        state.hands[seat] = hand
    rest = int(ALL_CARDS) & ~sum(hands)
    if "table" in data and read_cards(data["table"], sum(hands), "table") != rest:
        raise ValueError(f"table: the hands leave {cards_text(rest)}")
    lay_out(state, np.uint64(rest))


def write_deal(state) -> dict[str, Any]:
    """The deal as scenario data."""
    n = int(state.n_seats)
    return {
        "starter": int(state.starter),
        "totals": state.totals[:n].tolist(),
        "table": cards_text(state.table),
        "hands": [cards_text(hand) for hand in state.hands[:n]],
    }


def read_position(state, data: dict[str, Any], may_hide: bool = False) -> None:
    """Set up a position in mid-round.

    ``hands`` (a text for each seat), ``trick`` (list of the cards in the order in which they were played), ``turn`` (the seat to act),
    ``tricks`` and ``nines`` won by each seat, ``table`` (table cards that still lie face up), ``lacks`` (for each seat the suits that it
    has been seen not to hold, like ``"Sun Bla"``; what the trick shows is added), ``is_broken`` (unless given, as the cards that are gone
    tell), ``starter`` and ``totals``. With *may_hide*, the hands of seats that are not to act may be null; then ``gone`` (the cards of
    earlier tricks and table cards used up) is needed. The figures of the result that tell of the past (``break_trick``, ``breaker``,
    ``big_bangs`` by seat, ``collisions``, ``table_collisions``, ``black_tricks``) are 0 unless given.
    """
    check_keys(data, POSITION_KEYS, "position")
    for key in ("hands", "turn", "table"):
        if key not in data:
            raise ValueError(f"position: {key} is missing")
    n, size = int(state.n_seats), int(hand_size(state))
    state.starter = whole_number(data.get("starter", 0), 0, n - 1, "starter")
    _read_totals(state, data)
    turn = whole_number(data["turn"], 0, n - 1, "turn")
    table = read_cards(data["table"], 0, "table")
    used = N_TABLE_CARDS - table.bit_count()
    if used and not (state.table_acts and used > 0):
        raise ValueError(f"table: {table.bit_count()} cards, where {'at most ' * bool(state.table_acts)}{N_TABLE_CARDS} lie on the table")
    trick, taken = [], table
    for text in texts(data.get("trick", []), "trick"):
        trick.append(read_card(text, taken, "trick"))
        taken |= 1 << trick[-1]
    if len(trick) >= n:
        raise ValueError(f"position: a trick of {n} cards is complete")
    tricks = _read_counts(data, "tricks", n, size)
    left = size - sum(tricks)
    if left <= 0:
        raise ValueError(f"position: tricks are {sum(tricks)} of {size}, the round is over")
    played = [(seat - turn) % n >= n - len(trick) for seat in range(n)]
    sizes = [left - is_played for is_played in played]
    lay_out(state, np.uint64(table))
    state.tricks_left = left
    state.seat, state.leader = turn, (turn - len(trick)) % n
    _read_lacks(state, data, n)
    _lay_trick(state, trick, n)
    gone = _read_hands(state, data, taken, sizes, n, may_hide)
    nines = _read_nines(state, data, tricks, gone, used)
    big_bangs = [
        whole_number(value, 0, tricks[seat], f"big_bangs of seat {seat}")
        for seat, value in enumerate(list_of(data.get("big_bangs", [0] * n), n, "big_bangs"))
    ]
    for seat in range(n):
        state.tricks[seat], state.nines[seat], state.big_bangs[seat] = tricks[seat], nines[seat], big_bangs[seat]
    _read_break(state, data, (gone & int(BLACK)).bit_count() > used, n)
    n_played = n * (size - left) + len(trick)
    most = {"collisions": n_played // 2, "table_collisions": used, "black_tricks": min(sum(tricks), (gone & int(BLACK)).bit_count())}
    for name in _COUNTERS:
        state[name] = whole_number(data.get(name, 0), 0, most[name], name)


def _read_counts(data: dict[str, Any], key: str, n: int, most: int) -> list[int]:
    return [whole_number(value, 0, most, f"{key} of seat {seat}") for seat, value in enumerate(list_of(data.get(key, [0] * n), n, key))]


def _read_nines(state, data: dict[str, Any], tricks: list[int], gone: int, used: int) -> list[int]:
    """Nines in the tricks of each seat: those that are gone, but for the *used* table cards that may be among them."""
    most = (gone & int(NINES)).bit_count()
    least = max(most - used, 0)
    number = f"{most}" if least == most else f"{least} to {most}"
    winning = [seat for seat, n_tricks in enumerate(tricks) if n_tricks]
    if "nines" not in data:
        if least and len(winning) > 1 and state.rules.void:
            raise ValueError(f"position: nines is missing; {number} are in the tricks that seats {', '.join(map(str, winning))} have won")
        return [least * (seat in winning[:1]) for seat in range(len(tricks))]
    nines = _read_counts(data, "nines", len(tricks), most)
    if not least <= sum(nines) <= most:
        raise ValueError(f"nines: {number} ({cards_text(gone & int(NINES)) or 'none'}) are in tricks, not {sum(nines)}")
    for seat in range(len(tricks)):
        if nines[seat] and seat not in winning:
            raise ValueError(f"nines: seat {seat} has {nines[seat]}, but no trick")
    return nines


def _read_lacks(state, data: dict[str, Any], n: int) -> None:
    for seat, text in enumerate(list_of(data.get("lacks", [""] * n), n, "lacks")):
        suits = text.split() if isinstance(text, str) else [text]
        for suit in suits:
            if suit not in SUITS:
                raise ValueError(f"lacks of seat {seat} is a text of suits like 'Sun Bla' ({', '.join(SUITS)}), not {text!r}")
            state.lacks[seat] |= SUIT_CARDS[SUITS.index(suit)]


def _read_hands(state, data: dict[str, Any], taken: int, sizes: list[int], n: int, may_hide: bool) -> int:
    """Read the hands and deal the hidden ones; the cards that are gone."""
    given = list_of(data["hands"], n, "hands")
    for seat, text in enumerate(given):
        if text is None and not (may_hide and seat != state.seat):
            raise ValueError(f"hands of seat {seat} may not be null: " + ("who is to act sees its hand" if may_hide else "all play"))
    hands = _read_sets(["" if text is None else text for text in given], n, taken, "hands")
    taken |= sum(hands)
    room = 0
    for seat in range(n):
        if given[seat] is None:
            room |= sizes[seat] << 8 * seat
        elif hands[seat].bit_count() != sizes[seat]:
            raise ValueError(f"hands: seat {seat} has {hands[seat].bit_count()} cards, not the {sizes[seat]} that tricks and trick leave")
        if hands[seat] & int(state.lacks[seat]):
            raise ValueError(
                f"hands: seat {seat} holds {cards_text(hands[seat] & int(state.lacks[seat]))}, which lacks or the trick rule out"
            )
        state.hands[seat] = hands[seat]
    rest = int(ALL_CARDS) & ~taken
    if not room:
        if "gone" in data and read_cards(data["gone"], taken, "gone") != rest:
            raise ValueError(f"gone: hands, table and trick leave {cards_text(rest)}")
        return rest
    if "gone" not in data:
        raise ValueError("position: with a hidden hand, gone (the cards of earlier tricks and table cards used up) is needed")
    gone = read_cards(data["gone"], taken, "gone")
    hidden, n_hidden = rest & ~gone, sum(size for size, text in zip(sizes, given, strict=True) if text is None)
    if hidden.bit_count() != n_hidden:
        raise ValueError(f"position: {hidden.bit_count()} cards are left for hidden hands of {n_hidden} cards in all")
    _check_possible(state, hidden, [size if text is None else 0 for size, text in zip(sizes, given, strict=True)])
    deal_hidden(state, np.uint64(hidden), np.uint64(room), np.uint64(0))
    return gone


def _check_possible(state, hidden: int, sizes: list[int]) -> None:
    """Some deal of the hidden cards agrees with what the seats lack (Hall's condition over sets of suits)."""
    for chosen in range(1, 1 << len(SUITS)):
        cards = sum(int(suit) for k, suit in enumerate(SUIT_CARDS) if chosen >> k & 1) & hidden
        room = sum(size for seat, size in enumerate(sizes) if any(
            chosen >> k & 1 and not int(state.lacks[seat]) & int(suit) for k, suit in enumerate(SUIT_CARDS)))  # fmt: skip
        if cards.bit_count() > room:
            raise ValueError(f"lacks: there is no room for {cards_text(cards)}")


def _lay_trick(state, trick: list[int], n: int) -> None:
    """Lay the cards of the trick; who did not follow lacks what lay face up."""
    seat = int(state.leader)
    face_up = 0
    for card in trick:
        binding = suits_of(np.uint64(face_up))
        if not int(binding) >> card & 1:
            state.lacks[seat] |= binding
        state.cards |= np.uint64(card << 8 * seat)
        state.trick |= np.uint64(1 << card)
        partner = face_up & int(SAME_VALUE[card])
        face_up ^= partner or 1 << card
        state.colliding ^= SAME_VALUE[card]
        seat = (seat + 1) % n
    state.face_up = face_up
    state.binding = suits_of(np.uint64(face_up))


def _read_break(state, data: dict[str, Any], is_black_gone: bool, n: int) -> None:
    """Whether and where the break has come: for sure where more black cards are gone than can have been table cards."""
    number = int(hand_size(state) - state.tricks_left) + bool(state.trick)
    state.break_trick = whole_number(data.get("break_trick", 0), 0, number, "break_trick")
    breaker = data.get("breaker")
    state.breaker = NOBODY if breaker is None else whole_number(breaker, 0, n - 1, "breaker")
    is_shown = bool(state.trick & BLACK) or bool(state.break_trick) or breaker is not None
    is_broken = data.get("is_broken", is_shown or is_black_gone)
    if not isinstance(is_broken, bool):
        raise ValueError(f"is_broken is true or false, not {is_broken!r}")
    if is_broken < is_shown:
        raise ValueError("is_broken: a black card has been played")
    if is_broken:
        state.unbroken = 0


def _cards_of_trick(state) -> list[int]:
    """Cards of the trick on the table in the order in which they were played."""
    n, leader = int(state.n_seats), int(state.leader)
    return [int(state.cards) >> 8 * ((leader + k) % n) & 255 for k in range((int(state.seat) - leader) % n)]


def write_position(state) -> dict[str, Any]:
    """The position as data."""
    n = int(state.n_seats)
    seen = int(state.trick | state.table) | sum(map(int, state.hands[:n]))
    return {
        "starter": int(state.starter),
        "totals": state.totals[:n].tolist(),
        "table": cards_text(state.table),
        "hands": [cards_text(hand) for hand in state.hands[:n]],
        "gone": cards_text(int(ALL_CARDS) & ~seen),
        "trick": [NAMES[card] for card in _cards_of_trick(state)],
        "turn": int(state.seat),
        "tricks": state.tricks[:n].tolist(),
        "nines": state.nines[:n].tolist(),
        "big_bangs": state.big_bangs[:n].tolist(),
        "lacks": [" ".join(name for name, suit in zip(SUITS, SUIT_CARDS, strict=True) if lacks & suit) for lacks in state.lacks[:n]],
        "is_broken": not state.unbroken,
        "break_trick": int(state.break_trick),
        "breaker": None if state.breaker == NOBODY else int(state.breaker),
    } | {name: int(state[name]) for name in _COUNTERS}
