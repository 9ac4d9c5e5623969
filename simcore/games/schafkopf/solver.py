"""Exact result of a Solo or Wenz with open cards: alpha-beta with a transposition table.

The solver numbers the cards by mode, so that a higher number beats a lower one of the same suit and every trump every plain card: the
plain suits, then the trumps, each weakest first. A position between two tricks is the set of cards that are left and the leader, for
who holds which card was settled by the deal; the table keeps bounds on what the declarer still takes from there.
"""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest, popcount
from simcore.games.schafkopf.basic import CARD_POINTS
from simcore.games.schafkopf.cards import ALL_CARDS, BEATERS, N_MODES, N_SEATS, SUIT_CARDS
from simcore.games.schafkopf.contracts import KIND_OF, PASSED, RUFER, SIE
from simcore.games.schafkopf.state import CARD
from simcore.jit import kernel

_TABLE_BITS = 18
_TABLE_SIZE = 1 << _TABLE_BITS
_HASH = np.uint64(0x9E3779B97F4A7C15)
_HASH_SHIFT = np.uint64(64 - _TABLE_BITS)
_LEADER_SHIFT = np.uint64(32)
_DEAL_SHIFT = np.uint64(34)
_NO_MOVE = 32


def _numbering(mode: int) -> list[int]:
    """Cards in the order of their numbers in *mode*."""
    groups = sorted({int(cards) for cards in SUIT_CARDS[mode]}, key=lambda cards: (cards >> 4 & 1, cards))
    order: list[int] = []
    for cards in groups:
        order += sorted((card for card in range(32) if cards >> card & 1), key=lambda card: -(int(BEATERS[mode, card]) & cards).bit_count())
    return order


_CARD_OF = np.array([_numbering(mode) for mode in range(N_MODES)], np.uint8)
_NUMBER_OF = np.argsort(_CARD_OF, axis=1).astype(np.uint8)


def _numbered(mode: int, cards: int) -> int:
    return sum(1 << int(_NUMBER_OF[mode, card]) for card in range(32) if cards >> card & 1)


# By mode and number: the suit of a card as a set, and its points. TRUMPS by mode.
_SUITS = np.array([[_numbered(m, int(SUIT_CARDS[m, c])) for c in _CARD_OF[m]] for m in range(N_MODES)], np.uint64)
_POINTS = CARD_POINTS[_CARD_OF]
_TRUMPS = _SUITS[:, 31].copy()
_FAT = np.array([sum(1 << n for n in range(32) if _POINTS[m, n] >= 10) for m in range(N_MODES)], np.uint64)
_WORTHLESS = np.array([sum(1 << n for n in range(32) if _POINTS[m, n] == 0) for m in range(N_MODES)], np.uint64)

# Runs of cards that are next to each other in rank and equal in points, by mode: number of the lowest, and length.
_MAX_RUNS = 6


def _runs(mode: int) -> list[tuple[int, int]]:
    runs, first = [], 0
    for number in range(1, 33):
        if number == 32 or _SUITS[mode, number] != _SUITS[mode, first] or _POINTS[mode, number] != _POINTS[mode, first]:
            runs += [(first, number - first)] if number - first > 1 else []
            first = number
    return runs + [(0, 0)] * (_MAX_RUNS - len(runs))


_RUNS = np.array([_runs(mode) for mode in range(N_MODES)], np.uint8)

# Working memory: the deal by numbers, and the bounds on the declarer's points to come in positions between tricks.
SOLVER = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hands", "u8", (4,)),
                ("deal", "u8"),  # number of the deal, part of every key: entries of earlier deals are never taken for its own
                ("mode", "u1"),
                ("declarer", "u1"),
                ("same", "u8", (_MAX_RUNS, 16)),  # what is left of a run, as a set -> the set that stands for all that are as good
                ("keys", "u8", (_TABLE_SIZE,)),
                ("low", "u1", (_TABLE_SIZE,)),
                ("high", "u1", (_TABLE_SIZE,)),
                ("move", "u1", (_TABLE_SIZE,)),
            ],
            align=True,
        ),
    )
)


def new_solver() -> np.ndarray:
    """Working memory for `solve`, records of shape (1,); one may serve for any number of deals."""
    return np.zeros(1, SOLVER)


@kernel
def solve(state, solver):
    """Card points that the declarer of a Solo or Wenz takes in all, from this position on with best play of both sides.

    A Tout counts like its plain contract: the points, played to the end. Unchecked: a contract of one against three in the play.

    Parameters
    ----------
    state : record
        Any position in the play, also within a trick; it is not changed.
    solver : record of `SOLVER`
        Working memory.
    """
    mode = state.mode
    solver.mode = mode
    solver.declarer = state.declarer
    solver.deal += ONE
    left = np.int64(0)
    for seat in range(N_SEATS):
        solver.hands[seat] = _renumber(state.hands[seat], mode)
        left += _points_of(solver.hands[seat], mode)
    _find_same(solver)
    led, trick = _renumber(state.led, mode), _renumber(state.trick, mode)
    on_table = _points_of(trick, mode)
    beaters = _renumber(state.beaters, mode)
    taken = np.int64(state.points[state.declarer])
    low, high, guess = np.int64(0), left + on_table, (left + on_table) // 2
    # Windows of no width, each placed where the last one failed: far more cut-offs than with one wide window.
    while low < high:
        bound = max(guess, low + 1)
        guess = _value(solver, state.seat, led, trick, beaters, state.best_seat, on_table, left, bound - 1, bound)
        if guess < bound:
            high = guess
        else:
            low = guess
    return taken + low


def has_solution(state) -> bool:
    """Whether `solve` takes the position: cards are being played, one against three."""
    return bool(state.decision == CARD and KIND_OF[state.contract] not in (PASSED, RUFER, SIE))


@kernel
def _find_same(solver):
    """Find for what may be left of each run the lowest set whose cards, in order of rank, belong to the same seats."""
    for run in range(_MAX_RUNS):
        first, length = np.uint64(_RUNS[solver.mode, run, 0]), _RUNS[solver.mode, run, 1]
        for cards in range(1 << length):
            owners = _owners(solver, np.uint64(cards), first)
            for candidate in range(cards + 1):
                if _owners(solver, np.uint64(candidate), first) == owners:
                    solver.same[run, cards] = np.uint64(candidate) << first
                    break


@kernel
def _owners(solver, cards, first):
    """Who holds the cards of a set shifted up by *first*, as digits; 4 for cards that nobody holds."""
    owners = np.int64(0)
    while cards:
        card = bit(lowest(cards) + first)
        cards &= cards - ONE
        owner = 4
        for seat in range(N_SEATS):
            owner = seat if solver.hands[seat] & card else owner
        owners = 8 * owners + owner + 1
    return owners


@kernel
def _standing_for(solver, live):
    """The set of cards that stands for all sets which are as good as *live*: a 7 for an 8 of the same seat when nothing is between."""
    mode = solver.mode
    for run in range(_MAX_RUNS):
        first, length = np.uint64(_RUNS[mode, run, 0]), np.uint64(_RUNS[mode, run, 1])
        cards = (ONE << length) - ONE
        live = (live & ~(cards << first)) | solver.same[run, live >> first & cards]
    return live


@kernel
def _renumber(cards, mode):
    """A set of cards as a set of their numbers."""
    numbers = EMPTY
    while cards:
        numbers |= bit(_NUMBER_OF[mode, lowest(cards)])
        cards &= cards - ONE
    return numbers


@kernel
def _points_of(numbers, mode):
    points = np.int64(0)
    while numbers:
        points += _POINTS[mode, lowest(numbers)]
        numbers &= numbers - ONE
    return points


@kernel
def _value(solver, seat, led, trick, beaters, winner, on_table, left, alpha, beta):
    """Points of the declarer to come, those on the table included, if between *alpha* and *beta*; else a bound on them beyond.

    *left* are the points in the hands, *winner* the seat that is winning the trick.
    """
    mode, declarer = solver.mode, solver.declarer
    is_lead = trick == EMPTY
    slot, key, low, high, first = np.uint64(0), np.uint64(0), np.int64(0), left, np.uint64(_NO_MOVE)
    live = solver.hands[0] | solver.hands[1] | solver.hands[2] | solver.hands[3]
    if is_lead:
        if not live or alpha >= left:
            return left
        if beta <= 0:
            return np.int64(0)
        if popcount(live) == np.uint64(4):
            return left if _wins_last(solver, seat) else np.int64(0)
        key = _standing_for(solver, live) | np.uint64(seat) << _LEADER_SHIFT | solver.deal << _DEAL_SHIFT
        slot = key * _HASH >> _HASH_SHIFT
        if solver.keys[slot] == key:
            low, high, first = np.int64(solver.low[slot]), np.int64(solver.high[slot]), np.uint64(solver.move[slot])
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
    is_max = seat == declarer
    hand = solver.hands[seat]
    moves = _following(hand, led)
    old_alpha, old_beta = alpha, beta
    best, best_move = np.int64(-1 if is_max else 1000), first
    is_last = popcount(trick) == np.uint64(3)
    groups = (moves, moves, moves, moves, moves)
    if moves & (moves - ONE):
        moves = _distinct(moves, live | trick, mode)
        groups = _ranked(solver, seat, moves, led, trick, beaters, winner)
    for turn in range(6):
        group = groups[turn - 1] & moves if turn else moves & bit(first) if first < np.uint64(_NO_MOVE) else EMPTY
        moves &= ~group
        while group:
            card = lowest(group)
            group &= group - ONE
            played = bit(card)
            points = _POINTS[mode, card]
            takes = played & beaters != EMPTY
            now_winner = seat if takes else winner
            solver.hands[seat] = hand ^ played
            if is_last:
                gain = on_table + points if now_winner == declarer else np.int64(0)
                value = gain + _value(
                    solver, now_winner, EMPTY, EMPTY, ALL_CARDS, now_winner, np.int64(0), left - points, alpha - gain, beta - gain
                )
            else:
                now_led = _SUITS[mode, card] if is_lead else led
                now_beaters = _beaters(card, mode) if takes else beaters
                value = _value(
                    solver, (seat + 1) & 3, now_led, trick | played, now_beaters, now_winner, on_table + points, left - points, alpha, beta
                )
            if is_max and value > best or not is_max and value < best:
                best, best_move = value, card
            alpha = max(alpha, best) if is_max else alpha
            beta = beta if is_max else min(beta, best)
            if alpha >= beta:
                moves, group = EMPTY, EMPTY
        if not moves:
            break
    solver.hands[seat] = hand
    if is_lead:
        # Best beyond the window is a bound on one side only.
        if best > old_alpha:
            low = max(low, best)
        if best < old_beta:
            high = min(high, best)
        solver.keys[slot] = key
        solver.low[slot] = low
        solver.high[slot] = high
        solver.move[slot] = best_move
    return best


@kernel
def _wins_last(solver, leader):
    """Whether the declarer wins the last trick, in which nobody has a choice."""
    mode, winner = solver.mode, np.int64(leader)
    beaters = _beaters(lowest(solver.hands[leader]), mode)
    for turn in range(1, N_SEATS):
        seat = (np.int64(leader) + turn) & 3
        if solver.hands[seat] & beaters:
            winner, beaters = seat, _beaters(lowest(solver.hands[seat]), mode)
    return winner == solver.declarer


@kernel
def _following(hand, led):
    """Cards of the hand that may be played."""
    return hand & led if hand & led else hand


@kernel
def _beaters(card, mode):
    """Cards that beat *card*, by number."""
    above = ~((bit(card) << ONE) - ONE)
    suit, trumps = _SUITS[mode, card], _TRUMPS[mode]
    return suit & above if suit == trumps else (suit & above) | trumps


@kernel
def _distinct(moves, live, mode):
    """One of all moves that are the same: equal points, and no card between them that is still in play."""
    rest, distinct = moves, EMPTY
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        above = live & _SUITS[mode, card] & ~((bit(card) << ONE) - ONE)
        next_above = lowest(above)
        if not above or not bit(next_above) & moves or _POINTS[mode, next_above] != _POINTS[mode, card]:
            distinct |= bit(card)
    return distinct


@kernel
def _ranked(solver, seat, moves, led, trick, beaters, winner):
    """Groups of moves (five sets, the last with all), the likely best first, which is what makes alpha-beta fast."""
    mode, declarer = solver.mode, solver.declarer
    fat, worthless, trumps = _FAT[mode], _WORTHLESS[mode], _TRUMPS[mode]
    n_after = 3 - np.int64(popcount(trick))
    # What the other side may still play to this trick; on a lead by suit, for that depends on it.
    if trick:
        threats, helpers, other = EMPTY, EMPTY, (seat + 1) & 3
        for _ in range(n_after):
            if seat == declarer or other == declarer:
                threats |= _following(solver.hands[other], led)
            else:
                helpers |= _following(solver.hands[other], led)
            other = (other + 1) & 3
        is_taken = winner != declarer or helpers & beaters != EMPTY
        if seat != declarer and is_taken and not threats & beaters:
            return moves & fat & ~beaters, moves & fat, moves & ~beaters & ~worthless, moves & ~beaters, moves
        safe, rest = EMPTY, moves & beaters
        while rest:
            card = lowest(rest)
            rest &= rest - ONE
            safe |= EMPTY if _beaters(card, mode) & threats else bit(card)
        return safe & fat, safe, moves & worthless & ~beaters, moves & ~fat & ~beaters, moves
    safe, rest = EMPTY, moves
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        threats, suit = EMPTY, _SUITS[mode, card]
        for other in range(N_SEATS):
            if other != seat and (seat == declarer or other == declarer):
                threats |= _following(solver.hands[other], suit)
        safe |= EMPTY if _beaters(card, mode) & threats else bit(card)
    if seat == declarer:
        return safe & trumps, safe, moves & trumps & ~fat, moves & worthless, moves
    return safe & fat, safe & ~trumps, moves & ~trumps & worthless, moves & ~trumps & ~fat, moves
