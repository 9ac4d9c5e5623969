"""Eidex with characters for people: moves as text, deals and positions as data, lines of a transcript."""

from typing import Any

import numpy as np

from simcore.bits import EMPTY, bit
from simcore.deck import nearest
from simcore.games.eidex import state as base_state
from simcore.games.eidex import view as base
from simcore.games.eidex.cards import DECK, N_SEATS, RANKS, SUITS
from simcore.games.eidex.characters import CHARACTERS, NAMES
from simcore.games.eidex.characters.laser import LASER, SEHER
from simcore.games.eidex.characters.quizmaster import asked_cards
from simcore.games.eidex.characters.seher import see_pressed
from simcore.games.eidex.characters.weisheit import sums
from simcore.games.eidex.powers.flow import FIRST_QUESTION, advance, play, refresh_moves
from simcore.games.eidex.powers.knowledge import PRESSED
from simcore.games.eidex.powers.orders import (
    ANIMALS,
    FIRST_RANK,
    FIRST_SEAT,
    FIRST_SUIT,
    HIGHEST,
    LEFT,
    LOWEST,
    MINUS,
    NO,
    PLUS,
    RIGHT,
    YES,
)
from simcore.games.eidex.powers.phases import BEFORE_TRICK, CHANGES, DEALT, ENDED, LASER_PRESSES, NEXT_CARD
from simcore.games.eidex.powers.questions import QUESTIONS
from simcore.games.eidex.powers.state import STATE, lay_out
from simcore.games.eidex.powers.table import BROKEN, IN_POT, UNDECIDED, draw, excused_cards, judge, own_cards, seat_of, trick_cards
from simcore.games.eidex.state import CARD, NO_CARD, NO_CHARACTER, NOBODY, OVER, PRESS, points_of
from simcore.reading import check_keys, disjoint_sets, list_of, whole_number

DEAL_KEYS = (*base.DEAL_KEYS, "characters", "chance")
_ALL_SEATS = (1 << N_SEATS) - 1
PRESS_AFRESH = "press"  # a question that is told like the pressing of any other card
_ANSWERS = {NO: "no", YES: "yes", HIGHEST: "highest", LOWEST: "lowest", RIGHT: "right", LEFT: "left"}
_ANSWERS |= dict(enumerate(DECK.names))
_ANSWERS |= {FIRST_SEAT + seat: str(seat) for seat in range(N_SEATS)}
_ANSWERS |= {FIRST_SUIT + k: suit for k, suit in enumerate(SUITS)}
_ANSWERS |= {FIRST_RANK + k: f"any {rank}" for k, rank in enumerate(RANKS)}


# Moves


def _question(state):
    return QUESTIONS[int(state.decision) - FIRST_QUESTION]


def answer_text(state, move: int) -> str:
    """Answer *move* to the question that is asked."""
    name = _question(state).name
    if name.endswith(" tens"):
        return str(10 * move)
    if name.endswith(" units"):
        return str(move)
    if name == "weisheit" and move != NO:
        return str(int(sums(state, state.hands[state.owner])[0][move]))
    if name in ("computer", "weisheit adds"):
        points = int(state.rules.computer_step if name == "computer" else state.declared)
        return {NO: "0", PLUS: f"+{points}", MINUS: f"-{points}"}[move]
    if name == "quizmaster asks" and FIRST_SUIT <= move < FIRST_RANK:
        return f"any {SUITS[move - FIRST_SUIT]}"
    return _ANSWERS[move]


def decision_text(state) -> str:
    """What the seat to act is asked."""
    if state.decision > OVER:
        question = _question(state)
        return f'decide on "{question.name}": {question.text}'
    return base.decision_text(state)


def move_text(state, move: int) -> str:
    """The move as a transcript prints it: ``press H6``, ``H6`` for a card that is played, ``raeuber: yes`` for a power."""
    if state.decision > OVER:
        name = _question(state).name
        return f"{name}{' ' if name == PRESS_AFRESH else ': '}{answer_text(state, move)}"
    return base.move_text(state, move)


def parse_move(state, text: str) -> int:
    """Inverse of `move_text`."""
    if state.decision <= OVER:
        if ":" in text:
            raise ValueError(f"{text!r} answers no question that is asked here")
        return base.parse_move(state, text)
    question = _question(state)
    name, _, answer = text.partition(":" if ":" in text or question.name != PRESS_AFRESH else " ")
    if name.strip().lower() != question.name:
        raise ValueError(f"{text!r} does not answer {question.name!r}")
    answers = {answer_text(state, move).lower(): move for move in range(64) if int(state.moves) >> move & 1}
    answer = answer.strip().lower()
    if answer not in answers:
        raise ValueError(f"{answer!r} is no answer to {question.name!r}{nearest(answer, answers)}")
    return answers[answer]


def decline_move(state) -> int | None:
    """No, where one may say so; to the right, where a direction is asked; the limit in force, where the Radarkontrolle sets one."""
    if state.decision > OVER:
        name, limit = _question(state).name, int(state.limit)
        if name.startswith("radar "):
            kept = limit // 10 if name == "radar tens" else limit - 10 * int(state.n_left)
            return kept if 0 <= kept and int(state.moves) >> kept & 1 else None
        for move in (NO, RIGHT):
            if int(state.moves) >> move & 1:
                return move
    return None


# Transcripts


def deal_lines(state) -> list[str]:
    """Characters, dealer, upturned card, hands, and what the Laser has pressed already."""
    lines = [f"seat {seat} is {CHARACTERS[number].title}" for seat, number in enumerate(state.characters) if number != NO_CHARACTER]
    lines += base.deal_lines(state, state.laid[: state.n_laid])
    return lines + [f"seat {seat} presses {DECK.text(cards)}" for seat, cards in enumerate(state.pressed) if cards]


def narrate(before, move: int, after) -> list[str]:
    """What *move* has brought about beside itself: cards drawn, forced, exchanged or shown, a new trump card, a trick or pot won, and
    what is taken up: after a trick, if the move has ended one.
    """
    name = _question(before).name if before.decision > OVER else ""
    played = move if name in ("", PRESS_AFRESH) else None
    lines: list[str] = []
    taken_up: list[str] = []
    if before.upcard != after.upcard:
        lines.append(f"{DECK.names[after.upcard]} is turned up: {base.mode_text(after)}")
    for seat in range(N_SEATS):
        left, come = (int(cards) for cards in (before.hands[seat] & ~after.hands[seat], after.hands[seat] & ~before.hands[seat]))
        for other in range(N_SEATS):
            if passed := come & int(before.hands[other]):
                lines.append(f"seat {other} gives seat {seat} {DECK.text(passed)}")
            left &= ~int(after.hands[other])
        if taken := come & ~int(before.hands[0] | before.hands[1] | before.hands[2]):
            (taken_up if after.n_tricks > before.n_tricks else lines).append(f"seat {seat} takes up {DECK.text(taken)}")
        if played is not None and seat == before.seat:
            left &= ~(1 << played)
        for other in range(N_SEATS):
            if pressed := left & int(after.pressed[other]):
                text = f"presses {DECK.text(pressed)}" if other == seat else f"pushes {DECK.text(pressed)} to seat {other}"
                lines.append(f"seat {seat} {text}")
                left ^= pressed
        if laid := left & ~int(after.donated):
            lines.append(f"seat {seat} lays {DECK.text(laid)}")
    if played is None and (drawn := _drawn_lead(before, move, after)) is not None:
        lines.insert(0, f"seat {after.shy_seat} draws {DECK.names[drawn]}")
    if before.decision == CARD and int(excused_cards(before, before.hands[before.seat])) >> move & 1:
        lines.append(f"seat {before.seat} excuses itself")
    if name == "weisheit" and move != NO:
        lines.append(f"seat {before.owner} shows {DECK.text(sums(before, before.hands[before.owner])[1][move])}")
    if name == "quizmaster asks":
        has_any = bool(int(before.hands[before.target]) & int(asked_cards(move)))
        lines.append(f"seat {before.target} answers {'yes' if has_any else 'no'}")
    if before.has_pressed != _ALL_SEATS and after.has_pressed == _ALL_SEATS:
        lines.insert(0, "all have pressed")
    if before.justice_left < after.justice_left:
        n_tricks = min(int(after.justice_left), int(before.hands[before.owner]).bit_count())
        lines.append(f"justice for {n_tricks} tricks" if n_tricks > 1 else "justice for this trick")
    if after.n_tricks > before.n_tricks:
        lines.append(_trick_text(before, after))
    if before.is_pot_open and not after.is_pot_open:
        lines.append(_pot_text(before, after))
    return lines + taken_up


def _drawn_lead(before, move: int, after) -> int | None:
    """The card that the Schüchterne has drawn, which lies already unless its holder may refuse it."""
    if after.refused_for == NOBODY or (before.drawn != NO_CARD and (_question(before).name != "schuechterne refused" or move != YES)):
        return None
    if after.drawn != NO_CARD:
        return int(after.drawn) if after.drawn != before.drawn else None
    return int(after.laid[0]) if after.n_laid and not before.n_laid else None


def _trick_text(before, after) -> str:
    number = int(after.n_tricks)
    # After the last trick nobody leads.
    leads = f"; seat {after.leader} leads" if after.hands.any() else ""
    if before.justice_left > after.justice_left:
        return f"trick {number}: each card to its player{leads}"
    if _potted(before, after):
        return f"trick {number} into the Jackpot{leads}"
    receivers = [seat for seat in range(N_SEATS) if after.tricks_won[seat] > before.tricks_won[seat]]
    cards = after.piles[receivers[0]] & ~(before.piles[receivers[0]] | before.pot)
    is_hidden = any(after.face_down_at[slot] == receivers[0] != before.face_down_at[slot] for slot in range(2))
    worth = f"{int(points_of(after, cards))} points{' and a hidden card' if is_hidden else ''}"
    return f"trick {number} to seat {receivers[0]}, {worth}{'' if after.leader == receivers[0] else leads}"


def _pot_text(before, after) -> str:
    """Whoever has got the named card has got the Jackpot."""
    winner = next(seat for seat in range(N_SEATS) if int(own_cards(after, seat)) >> int(after.named) & 1)
    cards = before.pot | _potted(before, after)
    if before.donated_at == IN_POT:
        cards |= before.donated
    for slot in range(2):
        if before.face_down_at[slot] == IN_POT:
            cards |= before.face_down[slot]
    worth = f"{int(points_of(after, cards))} points" if cards else "but is empty"
    return f"the Jackpot goes to seat {winner}, {worth}"


def _potted(before, after):
    """Cards of the trick that has ended, if it went into the Jackpot: all of them are animals."""
    if after.n_tricks == before.n_tricks or before.justice_left or not before.is_pot_open:
        return EMPTY
    lay, lie = (state.hands[0] | state.hands[1] | state.hands[2] | trick_cards(state) for state in (before, after))
    cards = lay & ~lie
    return EMPTY if cards & ~ANIMALS else cards


# Deals and positions


def _read_characters(state, data: dict[str, Any]) -> None:
    """Characters, and the number from which blind draws come."""
    state.chance = whole_number(data.get("chance", 0), 0, 2**64 - 1, "chance")
    names = list_of(data.get("characters", [None] * N_SEATS), N_SEATS, "characters")
    for seat, name in enumerate(names):
        if name is not None and name not in NAMES:
            raise ValueError(f"characters: no character {name!r}{nearest(str(name), NAMES)}; cosmic characters lists them")
        state.characters[seat] = NO_CHARACTER if name is None else NAMES.index(name)
        state.active[seat] = NO_CHARACTER if state.rules.muted == seat + 1 else state.characters[seat]
    named = [name for name in names if name is not None]
    if len(set(named)) < len(named):
        raise ValueError(f"characters: {next(name for name in named if named.count(name) > 1)} is there twice")


def _write_characters(state) -> list[str | None]:
    return [None if number == NO_CHARACTER else NAMES[number] for number in state.characters]


def read_deal(state, data: dict[str, Any]) -> None:
    """Set up the deal of a scenario.

    As in the base game, with ``characters``, a list of three names or nulls, and ``chance``, the number from which blind draws come.
    """
    _read_characters(state, data)
    plain = np.zeros(1, base_state.STATE)[0]
    plain.rules.to_win = state.rules.to_win
    base.read_deal(plain, {key: data[key] for key in base.DEAL_KEYS if key in data})
    state.dealer = plain.dealer
    for seat in range(N_SEATS):
        state.hands[seat] = plain.hands[seat]
        state.victory_points[seat] = plain.victory_points[seat]
    lay_out(state, np.int64(plain.upcard), np.int64(plain.second))
    advance(state)


def write_deal(state) -> dict[str, Any]:
    """The deal as scenario data."""
    return base.write_deal(state) | {"characters": _write_characters(state), "chance": int(state.chance)}


# A position has what a person would write down, and under "details" every other field of the state, so that it can be gone on with.
_CARD_SETS = ("hands", "pressed", "piles", "trick", "pot", "donated", "face_down", "aside")
_DERIVED = ("rules", "characters", "victory_points", "dealer", "upcard", "moves")
_COSMIC_KEYS = ("characters", "chance", "last_tricks")
_DETAILS = tuple(name for name in STATE.names or () if name not in (*_CARD_SETS, *_DERIVED) and not name.startswith("rules"))
POSITION_KEYS = (*_COSMIC_KEYS, "dealer", "victory_points", "upcard", *_CARD_SETS, "lacks", "turn", "details")


def write_position(state) -> dict[str, Any]:
    """The position as data: cards as texts, the rest as numbers."""
    position: dict[str, Any] = {
        "characters": _write_characters(state),
        "dealer": int(state.dealer),
        "victory_points": [int(points) for points in state.victory_points],
        "upcard": DECK.names[state.upcard],
    }
    for name in _CARD_SETS:
        cards = state[name]
        position[name] = DECK.text(cards) if cards.ndim == 0 else [DECK.text(part) for part in cards]
    position["turn"] = int(state.seat)
    position["details"] = {name: state[name].tolist() for name in _DETAILS}
    return position


def read_position(state, data: dict[str, Any], may_hide: bool = False) -> None:
    """Set up a position in mid-hand.

    With ``details`` it is one that `write_position` has written. A person leaves them out: then the keys are those of the base game,
    ``characters``, ``chance`` as in a deal, and ``last_tricks``: for each seat the cards of its last trick, which lie in its pile too. No
    power has been used so far. A position in which nobody has pressed begins after the deal, one in which all have and no trick was played
    after pressing, one between tricks before the lead, each with the questions of that moment; the Laser presses for whoever has not.
    Without ``last_tricks`` the Zombie cannot be called until every owner of a pile has won another trick.

    With *may_hide* hands and pressed cards of the seats other than ``turn`` may be null. What a hidden seat is asked before a seat that is
    not hidden, it declines; nor is a seat asked whose pressed card alone is hidden.
    """
    check_keys(data, POSITION_KEYS, "position")
    _read_characters(state, data)
    if "details" in data:
        _read_whole(state, data)
    else:
        _read_plain(state, data, may_hide)


def _read_plain(state, data: dict[str, Any], may_hide: bool) -> None:
    """A position of the base game, with characters whose powers are still unused."""
    plain = np.zeros(1, base_state.STATE)[0]
    plain.rules.to_win = state.rules.to_win
    base.read_position(plain, {key: value for key, value in data.items() if key not in _COSMIC_KEYS}, may_hide)
    state.dealer = plain.dealer
    cards_in_hand = [int(hand) for hand in plain.hands]
    for seat in range(N_SEATS):
        state.hands[seat], state.victory_points[seat] = plain.hands[seat], plain.victory_points[seat]
    lay_out(state, np.int64(plain.upcard), np.int64(plain.second))
    if plain.decision == PRESS:
        # Nobody has seen which of the dealer's cards lay above the upcard: the Trumphator turns one of them up blind.
        state.second = draw(state, (plain.hands[plain.dealer] | plain.pressed[plain.dealer]) & ~bit(plain.upcard))
    for seat in range(N_SEATS):
        state.hands[seat], state.pressed[seat], state.piles[seat] = cards_in_hand[seat], plain.pressed[seat], plain.piles[seat]
        state.tricks_won[seat] = plain.tricks_won[seat]
        state.has_pressed |= int(plain.pressed[seat] != 0) << seat
        state.has_entry |= int(plain.piles[seat] != 0) << seat
        for other in range(N_SEATS):
            if other != seat:
                state.may[other, seat] &= ~plain.lacks[seat]
                state.may[other, PRESSED + seat] = int(DECK.all_cards) if plain.pressed[seat] else 0
                if seat != plain.dealer:
                    state.may[other, PRESSED + seat] &= ~np.uint64(1 << int(plain.upcard))
                elif plain.pressed[seat]:
                    state.may[other, PRESSED + seat] |= state.may[other, seat]
    if plain.decision == CARD:
        _show_to_seher(state, list(data.get("pressed", [None] * N_SEATS)), int(plain.seat))
    state.n_tricks = int(sum(plain.tricks_won))
    owners = [seat for seat in range(N_SEATS) if plain.tricks_won[seat]]
    state.sweeper = UNDECIDED if not owners else owners[0] if len(owners) == 1 else BROKEN
    cards = base.cards_of_trick(plain)
    if plain.decision == CARD:
        state.leader = (int(plain.seat) - len(cards)) % N_SEATS
    _read_last_tricks(state, data)
    state.agenda, state.phase = 0, _phase_of(plain)
    if plain.decision == CARD and not state.n_tricks and not cards:
        laser = seat_of(state, LASER)
        state.laser_leads = laser not in (NOBODY, state.leader)
    for card in cards:
        state.laid[state.n_laid] = card
        state.n_laid += 1
        state.trick |= np.uint64(1 << card)
        state.led = plain.led
    judge(state)
    advance(state)
    written = data.get("pressed", [None] * N_SEATS)
    hidden = [seat for seat in range(N_SEATS) if data["hands"][seat] is None or (plain.pressed[seat] and written[seat] is None)]
    _decline_for(state, hidden)


def _show_to_seher(state, written: list, turn: int) -> None:
    """The Seher has seen what the others have pressed, as far as it is *written*; to act he must know it."""
    seher, laser = (int(seat_of(state, character)) for character in (SEHER, LASER))
    if seher == NOBODY:
        return
    unknown = [seat for seat in range(N_SEATS) if seat not in (seher, laser) and written[seat] is None]
    if not unknown:
        see_pressed(state, seher, laser)
    elif seher == turn:
        raise ValueError(f"pressed: that of seat {unknown[0]} is missing; the Seher, who is to act, has seen it")


def _phase_of(plain) -> int:
    """The step of the hand at which a position of the base game stands."""
    if plain.decision == PRESS:
        return LASER_PRESSES if any(plain.pressed) else DEALT
    if plain.trick:
        return NEXT_CARD
    return BEFORE_TRICK if any(plain.piles) else CHANGES


def _read_last_tricks(state, data: dict[str, Any]) -> None:
    if "last_tricks" not in data:
        return
    for seat, cards in enumerate(disjoint_sets(DECK, data["last_tricks"], N_SEATS, "last_tricks")):
        if cards & ~int(state.piles[seat]):
            raise ValueError(f"last_tricks: {DECK.text(cards & ~int(state.piles[seat]))} is not in the pile of seat {seat}")
        if cards.bit_count() != (N_SEATS if state.piles[seat] else 0):
            raise ValueError(f"last_tricks: seat {seat} has {cards.bit_count()} cards, not the three of a trick, or none without a pile")
        state.last_entry[seat] = cards


def _decline_for(state, hidden: list[int]) -> None:
    """Decline what *hidden* seats are asked: the hands that stand for theirs cannot answer."""
    while state.decision != OVER and state.seat in hidden:
        move = decline_move(state)
        if move is None:
            raise ValueError(f"position: seat {state.seat} is first to {decision_text(state)}, but its hand is hidden")
        play(state, np.uint64(move))


def _read_whole(state, data: dict[str, Any]) -> None:
    if missing := [key for key in (*_CARD_SETS, "upcard", "details") if key not in data]:
        raise ValueError(f"position: {missing[0]} is missing")
    details = data["details"]
    check_keys(details, _DETAILS, "details")
    if missing := [name for name in _DETAILS if name not in details]:
        raise ValueError(f"details: {missing[0]} is missing")
    state.dealer = whole_number(data.get("dealer", 0), 0, N_SEATS - 1, "dealer")
    base.read_standing(state, data)
    state.upcard = DECK.card(data["upcard"])
    seen = 0
    for name in _CARD_SETS:
        shape = state[name].shape
        parts = [data[name]] if not shape else list_of(data[name], shape[0], name)
        for place, text in enumerate(parts):
            cards = int(DECK.cards(text)) if isinstance(text, str) else None
            if cards is None:
                raise ValueError(f"{name} has texts of cards, not {text!r}")
            if cards & seen:
                raise ValueError(f"position: {DECK.text(cards & seen)} is there twice")
            seen |= cards
            if shape:
                state[name][place] = cards
            else:
                state[name] = cards
    if missing_cards := int(DECK.all_cards) & ~seen:
        raise ValueError(f"position: {DECK.text(missing_cards)} is nowhere")
    for name in _DETAILS:
        kind = state[name].dtype
        limits = np.iinfo(kind)
        values = np.array(details[name], object)
        if values.shape != state[name].shape:
            raise ValueError(f"details: {name} has the shape {list(state[name].shape)}")
        for value in values.ravel():
            whole_number(value, int(limits.min), int(limits.max), f"details: {name}")
        state[name] = values.astype(kind) if values.shape else kind.type(int(values))
    for name, top in (("decision", FIRST_QUESTION + len(QUESTIONS) - 1), ("seat", N_SEATS - 1), ("leader", N_SEATS - 1), ("phase", ENDED)):
        whole_number(int(state[name]), 0, top, f"details: {name}")
    refresh_moves(state)
