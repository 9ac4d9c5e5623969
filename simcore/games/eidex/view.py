"""Eidex for people: moves as text, deals and positions as data, lines of a transcript."""

from collections.abc import Iterable
from typing import Any

from simcore.bits import bit
from simcore.games.eidex.cards import ALL_CARDS, BEATERS, DECK, HAND_SIZE, MODES, N_SEATS, SUIT_CARDS_OF
from simcore.games.eidex.state import CARD, NO_CARD, PRESS, lay_out, next_seat, points_of
from simcore.reading import check_keys, disjoint_sets, list_of, texts, whole_number

DEAL_KEYS = ("dealer", "hands", "bottom", "victory_points")
POSITION_KEYS = ("dealer", "hands", "pressed", "piles", "lacks", "upcard", "trick", "turn", "victory_points")


def decision_text(state) -> str:
    """What the seat to act is asked."""
    return "press a card" if state.decision == PRESS else "play a card"


def move_text(state, move: int) -> str:
    """The move as a transcript prints it: ``press H6``, or ``H6`` for a card that is played."""
    return ("press " if state.decision == PRESS else "") + DECK.names[move]


def parse_move(state, text: str) -> int:
    """Inverse of `move_text`; a bare card will do for pressing as well."""
    words = text.split()
    if len(words) == 2 and words[0].lower() == ("press" if state.decision == PRESS else "play"):
        words = words[1:]
    if len(words) != 1:
        raise ValueError(f"{text!r} is not a move; write a card like {DECK.names[0]}")
    return DECK.card(words[0])


def decline_move(state) -> None:
    """Nothing in base Eidex may be declined."""


def deal_lines(state, laid: Iterable[int] | None = None) -> list[str]:
    """Dealer, upturned card, hands, and the trick: the cards *laid* in their order, if they are known."""
    lines = [f"seat {state.dealer} deals and turns up {DECK.names[state.upcard]}: {mode_text(state)}"]
    lines += [f"seat {seat} holds {DECK.text(state.hands[seat])}" for seat in range(N_SEATS)]
    trick = " ".join(DECK.names[card] for card in (cards_of_trick(state) if laid is None else laid))
    return lines + ([f"in the trick {trick}"] if trick else [])


def narrate(before, move: int, after) -> list[str]:
    """A trick that *move* has completed, and its points."""
    if before.decision == PRESS:
        return ["all have pressed"] if after.decision == CARD else []
    if after.trick:
        return []
    trick = before.trick | bit(move)
    return [f"trick {int(sum(after.tricks_won))} to seat {after.seat}, {points_of(after, trick)} points"]


def mode_text(state) -> str:
    """What is played, for people."""
    return f"{MODES[state.mode]} is trump" if state.trumps else MODES[state.mode]


def read_standing(state, data: dict[str, Any]) -> None:
    """Victory points before the hand, 0 where none are given."""
    standing = list_of(data.get("victory_points", [0] * N_SEATS), N_SEATS, "victory_points")
    for seat, points in enumerate(standing):
        state.victory_points[seat] = whole_number(points, 0, int(state.rules.to_win) - 1, f"victory_points of seat {seat}")


def read_deal(state, data: dict[str, Any]) -> None:
    """Set up the deal of a scenario: ``dealer``, ``hands`` (three texts), ``bottom`` (the last card and the one above it)."""
    state.dealer = whole_number(data.get("dealer", 0), 0, N_SEATS - 1, "dealer")
    read_standing(state, data)
    if "hands" not in data or "bottom" not in data:
        raise ValueError("a deal needs hands (three texts of twelve cards) and bottom (the dealer's last card and the one above it)")
    hands = disjoint_sets(DECK, data["hands"], N_SEATS, "hands")
    for seat, hand in enumerate(hands):
        if hand.bit_count() != HAND_SIZE:
            raise ValueError(f"hands: seat {seat} has {hand.bit_count()} cards, not {HAND_SIZE}")
        state.hands[seat] = hand
    bottom = [DECK.card(name) for name in list_of(data["bottom"], 2, "bottom")]
    for card in bottom:
        if not hands[state.dealer] >> card & 1:
            raise ValueError(f"bottom: {DECK.names[card]} is not in the hand of the dealer, seat {state.dealer}")
    if bottom[0] == bottom[1]:
        raise ValueError(f"bottom: {DECK.names[bottom[0]]} is there twice")
    lay_out(state, *bottom)


def write_deal(state) -> dict[str, Any]:
    """The deal as scenario data."""
    return {
        "dealer": int(state.dealer),
        "hands": [DECK.text(hand) for hand in state.hands],
        "bottom": [DECK.names[state.upcard], DECK.names[state.second]],
        "victory_points": [int(points) for points in state.victory_points],
    }


def read_position(state, data: dict[str, Any], may_hide: bool = False) -> None:
    """Set up a position in mid-deal.

    ``hands``, ``pressed`` (a card, or null for a seat that has yet to press), ``piles``, ``upcard``, ``trick`` (cards in the order in
    which they were played), ``turn`` (the seat to act), and ``lacks`` (cards that a hand has been seen not to hold; optional). With
    *may_hide*, the hands and pressed cards of the seats that are not to act may be null.
    """
    check_keys(data, POSITION_KEYS, "position")
    for key in ("hands", "upcard", "turn"):
        if key not in data:
            raise ValueError(f"position: {key} is missing")
    state.dealer = whole_number(data.get("dealer", 0), 0, N_SEATS - 1, "dealer")
    read_standing(state, data)
    if may_hide:
        data = data | _with_hidden(data, int(state.dealer))
    pressed = ["" if card is None else card for card in list_of(data.get("pressed", [None] * N_SEATS), N_SEATS, "pressed")]
    hands, piles = (
        disjoint_sets(DECK, data["hands"], N_SEATS, "hands"),
        disjoint_sets(DECK, data.get("piles", [""] * N_SEATS), N_SEATS, "piles"),
    )
    lays, trick = disjoint_sets(DECK, pressed, N_SEATS, "pressed"), [DECK.card(name) for name in texts(data.get("trick", []), "trick")]
    turn = whole_number(data["turn"], 0, N_SEATS - 1, "turn")
    _check_cards([*hands, *piles, *lays, *(1 << card for card in trick)])
    lay_out(state, DECK.card(data["upcard"]), NO_CARD)
    _check_counts(state, hands, lays, piles, trick, turn)
    for seat in range(N_SEATS):
        if seat != state.dealer and (hands[seat] | lays[seat]) >> int(state.upcard) & 1:
            raise ValueError(f"position: the upcard {DECK.names[state.upcard]} is the dealer's, not that of seat {seat}")
    for seat in range(N_SEATS):
        state.hands[seat], state.pressed[seat], state.piles[seat] = hands[seat], lays[seat], piles[seat]
        state.tricks_won[seat] = piles[seat].bit_count() // N_SEATS
    for seat, lacked in enumerate(list_of(data.get("lacks", [""] * N_SEATS), N_SEATS, "lacks")):
        if not isinstance(lacked, str):
            raise ValueError(f"lacks of seat {seat} is a text of cards like 'H6 SA', not {lacked!r}")
        state.lacks[seat] = DECK.cards(lacked)
        if state.lacks[seat] & state.hands[seat]:
            raise ValueError(f"lacks: seat {seat} holds {DECK.text(state.lacks[seat] & state.hands[seat])}")
    state.decision = CARD if all(lays) else PRESS
    state.seat = turn
    _lay_trick(state, trick, (turn - len(trick)) % N_SEATS)


def _with_hidden(data: dict[str, Any], dealer: int) -> dict[str, Any]:
    """Hands and pressed cards with some unseen cards in the place of every null that hides one.

    A pressed card is hidden when its seat must have pressed by now: all have once a card is played, else those before the turn.
    """
    turn = whole_number(data["turn"], 0, N_SEATS - 1, "turn")
    hands = list(list_of(data["hands"], N_SEATS, "hands"))
    pressed = list(list_of(data.get("pressed", [None] * N_SEATS), N_SEATS, "pressed"))
    piles, trick = list_of(data.get("piles", [""] * N_SEATS), N_SEATS, "piles"), texts(data.get("trick", []), "trick")
    if hands[turn] is None:
        raise ValueError(f"hands: that of seat {turn}, who is to act, is not hidden from it")
    order = [(dealer + k) % N_SEATS for k in (1, 2, 3)]
    all_pressed = bool(trick or any(piles) or pressed[turn])
    if all_pressed and pressed[turn] is None:
        raise ValueError(f"pressed: that of seat {turn}, who is to act, is not hidden from it")
    hidden = [seat for seat in range(N_SEATS) if pressed[seat] is None and (all_pressed or order.index(seat) < order.index(turn))]
    seen = [text for text in (*hands, *pressed, *piles) if text is not None] + trick
    unseen = [name for name in DECK.names if not int(DECK.cards(" ".join(map(str, seen)))) >> DECK.card(name) & 1]
    # The upcard is the dealer's: it comes first, and to him first.
    upcard = DECK.names[DECK.card(data["upcard"])]
    unseen.sort(key=lambda name: name != upcard)
    lacked = list_of(data.get("lacks", [""] * N_SEATS), N_SEATS, "lacks")
    lacks = [int(DECK.cards(cards)) if isinstance(cards, str) else 0 for cards in lacked]
    n_own = len(str(hands[turn]).split())
    for seat in sorted((seat for seat in range(N_SEATS) if hands[seat] is None), key=lambda seat: seat != dealer):
        has_played = (seat - turn) % N_SEATS >= N_SEATS - len(trick)
        has_only_pressed = pressed[turn] is None and (pressed[seat] is not None or seat in hidden)
        size = n_own - has_played - has_only_pressed
        # First what the other hidden hand is known to lack.
        elsewhere = [other for other in range(N_SEATS) if other != seat and hands[other] is None]
        mine = [name for name in unseen if not lacks[seat] >> DECK.card(name) & 1 and (seat == dealer or name != upcard)]
        mine.sort(key=lambda name: not any(lacks[other] >> DECK.card(name) & 1 for other in elsewhere) and (name, seat) != (upcard, dealer))
        if len(mine) < size:
            raise ValueError(f"lacks: only {len(mine)} unseen cards are left for the {size} in the hand of seat {seat}")
        hands[seat] = " ".join(mine[:size])
        unseen = [name for name in unseen if name not in mine[:size]]
    for seat in sorted(hidden, key=lambda seat: seat != dealer):
        pressed[seat], unseen = unseen[0] if unseen else None, unseen[1:]
    return {"hands": hands, "pressed": pressed}


def _check_cards(sets: list[int]) -> None:
    seen = 0
    for cards in sets:
        if seen & cards:
            raise ValueError(f"position: {DECK.text(seen & cards)} is there twice")
        seen |= cards
    if missing := int(ALL_CARDS) & ~seen:
        raise ValueError(f"position: {DECK.text(missing)} is nowhere")


def _check_counts(state, hands: list[int], lays: list[int], piles: list[int], trick: list[int], turn: int) -> None:
    """The hands are as long as the turn of play makes them."""
    if len(trick) >= N_SEATS:
        raise ValueError("position: a trick of three cards belongs in a pile")
    if any(lays) and not all(lays) and (trick or any(piles)):
        raise ValueError("position: all press before the first lead")
    for seat in range(N_SEATS):
        if lays[seat].bit_count() > 1:
            raise ValueError(f"position: seat {seat} has pressed more than one card")
        if piles[seat].bit_count() % N_SEATS:
            raise ValueError(f"position: the pile of seat {seat} is not whole tricks")
    played = [(seat - turn) % N_SEATS >= N_SEATS - len(trick) for seat in range(N_SEATS)]
    sizes = [hands[seat].bit_count() + lays[seat].bit_count() + played[seat] for seat in range(N_SEATS)]
    if len(set(sizes)) > 1:
        raise ValueError(f"position: with seat {turn} to act the hands cannot have {', '.join(str(h.bit_count()) for h in hands)} cards")
    if not hands[turn]:
        raise ValueError(f"position: seat {turn} has no card to play")
    leader, forehand = (turn - len(trick)) % N_SEATS, (state.dealer + 1) % N_SEATS
    if all(lays) and not any(piles) and leader != forehand:
        raise ValueError(f"position: seat {forehand} leads to the first trick, not seat {leader}")
    asked = [seat for seat in ((state.dealer + k) % N_SEATS for k in (1, 2, 3)) if not lays[seat]]
    if asked and turn != asked[0]:
        raise ValueError(f"position: seat {asked[0]} presses next, not seat {turn}")


def _lay_trick(state, trick: list[int], leader: int) -> None:
    seat = leader
    for card in trick:
        if not state.trick:
            state.led = SUIT_CARDS_OF[card]
        if bit(card) & state.beaters:
            state.beaters, state.best_seat = BEATERS[state.mode, card], seat
        state.trick |= bit(card)
        seat = next_seat(seat)


def cards_of_trick(state) -> list[int]:
    """Cards of the trick on the table in the order in which they were played."""
    cards = [card for card in range(len(DECK.names)) if int(state.trick) >> card & 1]
    first_seat = (int(state.seat) - len(cards)) % N_SEATS
    is_best_first = state.best_seat == first_seat

    def loses(card: int) -> bool:
        return bool(BEATERS[state.mode, card] & state.trick) or not bit(card) & (state.led | state.trumps)

    return sorted(cards, key=lambda card: loses(card) == is_best_first)


def write_position(state) -> dict[str, Any]:
    """The position as data."""
    return {
        "dealer": int(state.dealer),
        "victory_points": [int(points) for points in state.victory_points],
        "upcard": DECK.names[state.upcard],
        "hands": [DECK.text(hand) for hand in state.hands],
        "pressed": [DECK.text(card) or None for card in state.pressed],
        "piles": [DECK.text(pile) for pile in state.piles],
        "lacks": [DECK.text(cards) for cards in state.lacks],
        "trick": [DECK.names[card] for card in cards_of_trick(state)],
        "turn": int(state.seat),
    }
