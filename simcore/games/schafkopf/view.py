"""Schafkopf for people: moves as text, deals and positions as data, lines of a transcript."""

from typing import Any

import numpy as np

from simcore.bits import bit
from simcore.deck import nearest
from simcore.games.schafkopf.bidding import called_ace, play_bid
from simcore.games.schafkopf.cards import ACES, DECK, HAND_SIZE, N_SEATS, ORDINARY
from simcore.games.schafkopf.contracts import BID_TEXTS, HIGHER, KIND_OF, PASS, RUFER, SIE_BID, SUIT_OF
from simcore.games.schafkopf.play import legal_moves, play
from simcore.games.schafkopf.scoring import kind, outcome, partner
from simcore.games.schafkopf.state import BID, NOBODY, OVER, STATE, lay_out, next_seat, points_of
from simcore.games.schafkopf.worlds import agrees_with_bids, agrees_with_search, determinize, lacks_of
from simcore.reading import check_keys, disjoint_sets, list_of, texts, whole_number

DEAL_KEYS = ("dealer", "hands", "score")
POSITION_KEYS = (
    *("dealer", "score", "bids", "hands", "played", "trick", "turn", "points", "tricks"),
    *("lacks", "called_led", "searcher", "searcher_discards"),
)
EMPTY_TEXTS = [""] * N_SEATS
MAX_SCORE = 10**6


def decision_text(state) -> str:
    """What the seat to act is asked."""
    return "bid" if state.decision == BID else "play a card"


def move_text(state, move: int) -> str:
    """The move as a transcript prints it: ``Rufer E``, or ``EO``."""
    return BID_TEXTS[move] if state.decision == BID else DECK.names[move]


def parse_move(state, text: str) -> int:
    """Inverse of `move_text`, in any case."""
    return _bid(text) if state.decision == BID else DECK.card(text)


def _bid(text: Any) -> int:
    by_lower = {name.lower(): bid for bid, name in enumerate(BID_TEXTS)}
    words = " ".join(text.lower().split()) if isinstance(text, str) else ""
    if words not in by_lower:
        raise ValueError(f"no bid {text!r}{nearest(str(text), BID_TEXTS)}; bids are {', '.join(BID_TEXTS)}")
    return by_lower[words]


def decline_move(state) -> None:
    """Nothing may be declined silently: a pass is a bid like any other."""


def deal_lines(state) -> list[str]:
    """Dealer and hands; in mid-deal the contract, what has been taken, and the trick on the table."""
    lines = [f"seat {state.dealer} deals"] + [f"seat {seat} holds {DECK.text(state.hands[seat])}" for seat in range(N_SEATS)]
    if state.decision == BID:
        return lines
    lines.append(_contract_text(state))
    if sum(state.tricks):
        lines.append(f"tricks {' '.join(map(str, state.tricks))}, points {' '.join(map(str, state.points))}")
    trick = _cards_of_trick(state)
    laid = " · ".join(f"{(int(state.seat) - len(trick) + k) % N_SEATS} {card}" for k, card in enumerate(trick))
    return lines + ([f"in the trick {laid}"] if laid else [])


def _cards_of_trick(state) -> list[str]:
    """Cards of the trick on the table in the order of play."""
    n, trick = int(state.trick).bit_count(), int(state.trick)
    seats = [(int(state.seat) - n + k) % N_SEATS for k in range(n)]
    return [DECK.text(int(state.dealt[seat] & ~state.hands[seat]) & trick) for seat in seats]


def narrate(before, move: int, after) -> list[str]:
    """The contract when it stands, the called ace when it falls or escapes, a trick that *move* has completed, and the end."""
    happened = []
    if before.decision == BID:
        return [_contract_text(after)] if after.decision != BID else []
    if after.searcher != before.searcher and after.searcher == partner(after):
        happened.append(f"seat {after.searcher} escapes with the called ace")
    if kind(after) == RUFER and bit(move) & ORDINARY[SUIT_OF[after.contract]] and DECK.names[move].endswith("A"):
        happened.append(f"seat {before.seat} plays the called ace")
    if not after.trick:
        trick = before.trick | bit(move)
        happened.append(f"trick {int(sum(after.tricks))} to seat {after.seat}, {int(points_of(trick))} points")
    if after.decision == OVER:
        happened.append(_result_text(after))
    return happened


def _contract_text(state) -> str:
    if state.contract == PASS:
        return "all pass"
    text = f"seat {state.declarer} plays {BID_TEXTS[state.contract]}"
    return f"{text}; {_result_text(state)}" if state.contract == SIE_BID else text


def _result_text(state) -> str:
    _, is_won, is_schneider, is_schwarz, run, value = outcome(state)
    extras = [name for name, holds in (("Schwarz", is_schwarz), ("Schneider", is_schneider and not is_schwarz)) if holds]
    extras += [f"{int(run)} Laufende"] if run else []
    return f"declarer's side {'wins' if is_won else 'loses'} {int(value)}" + (f" ({', '.join(extras)})" if extras else "")


def _read_score(state, data: dict[str, Any]) -> None:
    for seat, score in enumerate(list_of(data.get("score", [0] * N_SEATS), N_SEATS, "score")):
        state.score[seat] = whole_number(score, -MAX_SCORE, MAX_SCORE, f"score of seat {seat}")


def read_deal(state, data: dict[str, Any]) -> None:
    """Set up the deal of a scenario: ``dealer`` and ``hands`` (four texts of eight cards)."""
    state.dealer = whole_number(data.get("dealer", 0), 0, N_SEATS - 1, "dealer")
    _read_score(state, data)
    if "hands" not in data:
        raise ValueError("a deal needs hands (four texts of eight cards)")
    for seat, hand in enumerate(disjoint_sets(DECK, data["hands"], N_SEATS, "hands")):
        if hand.bit_count() != HAND_SIZE:
            raise ValueError(f"hands: seat {seat} has {hand.bit_count()} cards, not {HAND_SIZE}")
        state.hands[seat] = hand
    lay_out(state)


def write_deal(state) -> dict[str, Any]:
    """The deal as scenario data."""
    return {
        "dealer": int(state.dealer),
        "hands": [DECK.text(hand) for hand in state.hands],
        "score": [int(score) for score in state.score],
    }


def read_position(state, data: dict[str, Any], may_hide: bool = False) -> None:
    """Set up a position in mid-deal.

    ``bids`` from the dealer's left, ``hands`` (with *may_hide*, null for the unknown: they are drawn), and once cards are played ``played``
    (by seat, the cards of finished tricks), ``trick`` (in the order of play), ``turn``, ``points`` and ``tricks`` by seat. What finished
    tricks have shown besides may be told: ``lacks`` (cards, by seat), ``called_led`` (the called suit has been led), ``searcher`` (the
    seat that led it first with another card than the ace) and ``searcher_discards`` (cards of the suit that this seat had played before).
    """
    check_keys(data, POSITION_KEYS, "position")
    if "hands" not in data:
        raise ValueError("position: hands is missing")
    state.dealer = whole_number(data.get("dealer", 0), 0, N_SEATS - 1, "dealer")
    _read_score(state, data)
    hands = list_of(data["hands"], N_SEATS, "hands")
    if None in hands and not may_hide:
        raise ValueError("hands: a hand is null, which only a position for estimate may have")
    known = disjoint_sets(DECK, ["" if hand is None else hand for hand in hands], N_SEATS, "hands")
    played = disjoint_sets(DECK, data.get("played", EMPTY_TEXTS), N_SEATS, "played")
    cards = data.get("trick", [])
    if not isinstance(cards, list) or len(cards) >= N_SEATS:
        raise ValueError("position: trick is a list of at most three cards")
    trick = [DECK.card(name) for name in texts(cards, "trick")]
    first = next_seat(state.dealer)
    bids = data.get("bids", [])
    if not isinstance(bids, list) or len(bids) > N_SEATS:
        raise ValueError("position: bids is a list of at most four bids, from the dealer's left")
    turn = whole_number(data.get("turn", (first + len(bids)) % N_SEATS), 0, N_SEATS - 1, "turn")
    in_trick = [0] * N_SEATS
    for place, card in enumerate(trick):
        in_trick[(turn - len(trick) + place) % N_SEATS] = 1 << card
    state.hands[:] = _fill(known, [hand is None for hand in hands], played, in_trick)
    is_bidding = len(bids) < N_SEATS
    if is_bidding and (trick or any(played)):
        raise ValueError("position: cards are played after four bids")
    for seat in range(N_SEATS):
        state.hands[seat] |= np.uint64(played[seat] | in_trick[seat])
    lay_out(state)
    _read_bids(state, bids, [hand is not None for hand in hands])
    if state.decision == OVER:
        raise ValueError("position: the deal is over")
    _read_tricks(state, data, played, trick, turn)
    _read_knowledge(state, data, played)
    _lay_trick(state, trick, [hand is not None for hand in hands])
    _complete(state, [hand is None for hand in hands])


def _fill(known: list[int], is_hidden: list[bool], played: list[int], in_trick: list[int]) -> list[int]:
    """Hands of the right sizes: where they are not known, any of the cards that are nowhere else."""
    seen = 0
    for cards in (*known, *played, *in_trick):
        if cards & seen:
            raise ValueError(f"position: {DECK.text(cards & seen)} is there twice")
        seen |= cards
    rest = [card for card in range(len(DECK.names)) if not seen >> card & 1]
    hands = list(known)
    for seat in range(N_SEATS):
        size = HAND_SIZE - (played[seat] | in_trick[seat]).bit_count()
        if is_hidden[seat]:
            hands[seat], rest = sum(1 << card for card in rest[:size]), rest[size:]
        if hands[seat].bit_count() != size:
            raise ValueError(f"position: seat {seat} has {hands[seat].bit_count()} cards, not {size}")
    return hands


def _read_bids(state, bids: list, is_known: list[bool]) -> None:
    for text in bids:
        bid, seat = _bid(text), int(state.seat)
        if state.decision != BID:
            raise ValueError("position: no bids after a Sie")
        # A hand that is not known is drawn later, so that it allows the bid; but a bid must be higher than those before.
        allowed = legal_moves(state) if is_known[seat] else HIGHER[state.contract]
        if not int(allowed) >> bid & 1:
            raise ValueError(f"position: seat {seat} may not bid {BID_TEXTS[bid]}")
        play_bid(state, bid)


def _read_tricks(state, data: dict[str, Any], played: list[int], trick: list[int], turn: int) -> None:
    """Lay out the finished tricks, and who leads to the next one."""
    if state.decision == BID and turn != state.seat:
        raise ValueError(f"position: seat {state.seat} bids next, not seat {turn}")
    n_tricks = {cards.bit_count() for cards in played}
    if len(n_tricks) > 1:
        raise ValueError("position: all seats have played the same number of cards to finished tricks")
    tricks = list_of(data.get("tricks", [0] * N_SEATS), N_SEATS, "tricks")
    points = list_of(data.get("points", [0] * N_SEATS), N_SEATS, "points")
    for seat in range(N_SEATS):
        state.tricks[seat] = whole_number(tricks[seat], 0, HAND_SIZE, f"tricks of seat {seat}")
        state.points[seat] = whole_number(points[seat], 0, 120, f"points of seat {seat}")
        if points[seat] and not tricks[seat]:
            raise ValueError(f"position: seat {seat} has {points[seat]} points, but no trick")
        state.hands[seat] &= ~np.uint64(played[seat])
    if sum(tricks) != n_tricks.pop():
        raise ValueError("position: tricks do not add up to the cards in played")
    if sum(points) != int(points_of(np.uint64(sum(played)))):
        raise ValueError("position: points do not add up to those of the cards in played")
    if not state.hands[turn]:
        raise ValueError(f"position: seat {turn} has no card to play")
    if state.decision == BID:
        return
    leader = (turn - len(trick)) % N_SEATS
    if sum(tricks) == 0 and leader != state.seat:
        raise ValueError(f"position: seat {state.seat} leads to the first trick, not seat {leader}")
    if sum(tricks) and not tricks[leader]:
        raise ValueError(f"position: seat {leader} leads, but has no trick")
    if state.tout and sum(tricks) > tricks[state.declarer]:
        raise ValueError("position: the declarer of a Tout has lost a trick: the deal is over")
    state.seat = leader


def _read_knowledge(state, data: dict[str, Any], played: list[int]) -> None:
    """What the finished tricks have shown of the hidden hands."""
    for seat, text in enumerate(texts(list_of(data.get("lacks", EMPTY_TEXTS), N_SEATS, "lacks"), "lacks")):
        state.lacks[seat] = DECK.cards(text)
    is_led = data.get("called_led", False)
    if not isinstance(is_led, bool):
        raise ValueError(f"called_led is true or false, not {is_led!r}")
    # The called ace falls when its suit is led, or as the last card of a hand.
    if is_led or sum(played) & int(called_ace(state)):
        state.called = np.uint64(0)
    searcher, discards = data.get("searcher"), data.get("searcher_discards", "")
    if not isinstance(discards, str):
        raise ValueError(f"searcher_discards is a text of cards, not {discards!r}")
    if discards and searcher is None:
        raise ValueError("searcher_discards: there is no searcher")
    state.searcher = NOBODY if searcher is None else whole_number(searcher, 0, N_SEATS - 1, "searcher")
    state.early = DECK.cards(discards) & ORDINARY[SUIT_OF[state.contract]]


def _lay_trick(state, trick: list[int], is_known: list[bool]) -> None:
    """Play the cards that lie on the table, which shows what any play shows."""
    for card in trick:
        seat = int(state.seat)
        if is_known[seat] and not int(legal_moves(state)) >> card & 1:
            raise ValueError(f"trick: seat {seat} may not play {DECK.names[card]}; legal: {DECK.text(legal_moves(state))}")
        play(state, np.uint64(card))


def _complete(state, is_hidden: list[bool]) -> None:
    """Draw the hands that are not known, and check that the others agree with what has been shown."""
    hidden = [seat for seat in range(N_SEATS) if is_hidden[seat]]
    for seat in range(N_SEATS):
        bid = state.bids[seat]
        if KIND_OF[bid] == RUFER and int(state.dealt[seat] & ~state.hands[seat] & ORDINARY[SUIT_OF[bid]] & ACES):
            raise ValueError(f"position: seat {seat} has called the ace that it has played")
    if not hidden:
        for seat in range(N_SEATS):
            if wrong := int(state.hands[seat] & lacks_of(state, seat)):
                raise ValueError(f"position: seat {seat} holds {DECK.text(wrong)}, but its bid or lacks exclude that")
        if not agrees_with_bids(state) or not agrees_with_search(state):
            raise ValueError("position: a hand does not agree with its bid or with the search for the called ace")
        return
    if len(hidden) != N_SEATS - 1:
        raise ValueError("position: all hands are known, or only that of one seat")
    worlds = np.zeros(1, STATE)
    (seat,) = set(range(N_SEATS)) - set(hidden)
    try:
        determinize(state, seat, np.uint64(0), worlds[0])
    except AssertionError as error:
        raise ValueError(f"position: {error}") from None
    state.hands[:], state.dealt[:] = worlds[0].hands, worlds[0].dealt


def write_position(state) -> dict[str, Any]:
    """The position as data."""
    turn, trick = int(state.seat), int(state.trick)
    played = [int(state.dealt[seat]) & ~int(state.hands[seat]) for seat in range(N_SEATS)]
    n_bids = (turn - int(state.dealer) - 1) % N_SEATS if state.decision == BID else N_SEATS
    return {
        "dealer": int(state.dealer),
        "score": [int(score) for score in state.score],
        "bids": [BID_TEXTS[state.bids[(state.dealer + 1 + k) % N_SEATS]] for k in range(n_bids)],
        "hands": [DECK.text(hand) for hand in state.hands],
        "played": [DECK.text(cards & ~trick) for cards in played],
        "trick": _cards_of_trick(state),
        "turn": turn,
        "points": [int(points) for points in state.points],
        "tricks": [int(tricks) for tricks in state.tricks],
        "lacks": [DECK.text(cards) for cards in state.lacks],
        "called_led": bool(kind(state) == RUFER and state.called == 0),
        "searcher": None if state.searcher == NOBODY else int(state.searcher),
        "searcher_discards": DECK.text(state.early),
    }
