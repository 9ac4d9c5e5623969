"""Exact result of a Solo or Wenz with open cards: alpha-beta with a transposition table.

The solver numbers the cards by mode, so that a higher number beats a lower one of the same suit and every trump every plain card: the
plain suits, then the trumps, each weakest first. A position between two tricks is the set of cards that are left and the leader, for
who holds which card was settled by the deal; the table keeps bounds on what the declarer still takes from there.
"""

from collections import namedtuple

import numpy as np

from simcore.bits import EMPTY, ONE, bit, highest, lowest, popcount
from simcore.games.schafkopf.basic import CARD_POINTS
from simcore.games.schafkopf.cards import ALL_CARDS, BEATERS, N_MODES, N_SEATS, N_TRICKS, SUIT_CARDS
from simcore.games.schafkopf.contracts import KIND_OF, PASSED, RUFER, SIE, SOLO, WENZ_KIND
from simcore.games.schafkopf.state import CARD, OVER
from simcore.jit import kernel

# An entry of the table, and how many there are; they lie in pairs, and an empty one is 0.
#
#     bit    63 ... 54   53 ... 48   47 ... 41   40 ... 34   33 32    31 ... 0
#            search      move        most        least       leader   cards left
_TABLE_BITS = 19
_HASH = np.uint64(0x9E3779B97F4A7C15)
_LEADER_SHIFT, _LEAST_SHIFT, _MOST_SHIFT, _MOVE_SHIFT, _SEARCH_SHIFT = map(np.uint64, (32, 34, 41, 48, 54))
_SEVEN_BITS, _SIX_BITS, _CARDS = np.uint64(127), np.uint64(63), np.uint64(2**32 - 1)
_N_SEARCHES = 1 << 10
_IDENTITY = np.uint64((1 << 34) - 1 | (_N_SEARCHES - 1) << 54)
_NO_MOVE = 32

# For `finish`: the most cards that it takes for a search with many worlds and for others, and its small memory.
_MOST_FINISHED, _MOST_CHEAPLY_FINISHED = np.uint64(12), np.uint64(8)
_MANY_WORLDS = 100
_FEW_BITS = 8


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
_WORTHS = tuple(sorted({int(points) for points in _POINTS[0]} - {0}, reverse=True))
_WORTH_CARDS = np.array(
    [[sum(1 << n for n in range(32) if _POINTS[m, n] == worth) for worth in _WORTHS] for m in range(N_MODES)], np.uint64
)
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

# The deal by numbers, and the bounds on the declarer's points to come in positions between tricks.
_MEMORY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hands", "u8", (4,)),
                ("search", "u8"),  # number of the search, part of every entry: those of other deals are never taken for its own
                ("mode", "u1"),
                ("declarer", "u1"),
                ("same", "u8", (_MAX_RUNS, 16)),  # what is left of a run, as a set -> the set that stands for all that are as good
                ("shift", "u8"),  # of a hash, which leaves the index of an entry
            ],
            align=True,
        ),
    )
)

# A position on the way down: an explicit stack, because numba does not load recursive functions from its cache.
_FRAME = np.dtype(
    (
        np.record,
        np.dtype(
            [
                *((name, "u8") for name in ("hand", "led", "trick", "beaters", "moves", "group", "key")),
                ("groups", "u8", (6,)),
                *((name, "i2") for name in ("on_table", "left", "alpha", "beta", "window_low", "window_high")),
                *((name, "i2") for name in ("low", "high", "best", "gain")),
                *((name, "u1") for name in ("seat", "winner", "turn", "card", "best_move")),
            ],
            align=True,
        ),
    )
)

Solver = namedtuple("Solver", "memory frames table")


def new_solver(table_bits: int = _TABLE_BITS) -> Solver:
    """Working memory for `solve`; one may serve for any number of deals, in one thread."""
    solver = Solver(np.zeros(1, _MEMORY), np.zeros(34, _FRAME), np.zeros(1 << table_bits, np.uint64))
    solver.memory["shift"] = 64 - table_bits
    return solver


@kernel
def solve(state, solver):
    """Card points that the declarer of a Solo or Wenz takes in all, from this position on with best play of both sides.

    A Tout counts like its plain contract: the points, played to the end. Unchecked: a contract of one against three in the play.

    Parameters
    ----------
    state : record
        Any position in the play, also within a trick; it is not changed.
    solver : Solver
        Working memory.
    """
    _set_up(state, solver)
    low = np.int64(0)
    high = np.int64(solver.frames[0].left + solver.frames[0].on_table)
    # Windows of no width, each in the middle of what is left: far more cut-offs than with one wide window.
    while low < high:
        bound = (low + high + 1) // 2
        value = _value(state, solver, bound)
        if value < bound:
            high = value
        else:
            low = value
    return np.int64(state.points[state.declarer]) + low


@kernel
def _set_up(state, solver):
    """Renumber the position, and forget what was found out about others."""
    memory, root = solver.memory[0], solver.frames[0]
    mode = state.mode
    memory.mode = mode
    memory.declarer = state.declarer
    _forget(memory, solver.table)
    left = np.int64(0)
    for seat in range(N_SEATS):
        memory.hands[seat] = _renumber(state.hands[seat], mode)
        left += _points_of(memory.hands[seat], mode)
    _find_same(memory)
    root.left = left
    root.on_table = _points_of(_renumber(state.trick, mode), mode)


@kernel
def _value(state, solver, bound):
    """Points of the declarer to come, if they are just below or just at *bound*; else a bound on them on the same side of it."""
    root, mode = solver.frames[0], state.mode
    root.led = _renumber(state.led, mode)
    root.trick = _renumber(state.trick, mode)
    root.beaters = _renumber(state.beaters, mode)
    root.seat = state.seat
    root.winner = state.best_seat
    root.alpha = bound - 1
    root.beta = bound
    return _search(solver.memory[0], solver.frames, solver.table)


@kernel
def finish(state, n_worlds):
    """End a Solo or Wenz in its last tricks as best play with open cards ends it; whether that was done.

    Found out is only what is paid: won, Schneider, Schwarz. A side that can be kept from every point is taken to be kept from every
    trick. The last two tricks cost a search next to nothing; the third last is worth its price to one that has many worlds, since one
    with few is stronger for more worlds at the same price.
    """
    contract_kind = KIND_OF[state.contract]
    n_cards = popcount(state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3])
    most = _MOST_FINISHED if n_worlds >= _MANY_WORLDS else _MOST_CHEAPLY_FINISHED
    if (contract_kind != SOLO and contract_kind != WENZ_KIND) or state.decision != CARD or n_cards > most:
        return False
    memory = np.zeros(1, _MEMORY)
    memory[0].shift = 64 - _FEW_BITS
    solver = Solver(memory, np.empty(14, _FRAME), np.zeros(1 << _FEW_BITS, np.uint64))
    _set_up(state, solver)
    end_deal(state, _graded_points(state, solver))
    return True


@kernel
def _graded_points(state, solver):
    """The least card points that are paid like those which the declarer takes in all."""
    if not _reaches(state, solver, 61):
        if _reaches(state, solver, 31):
            return np.int64(31)
        return np.int64(_reaches(state, solver, 1))
    if not _reaches(state, solver, 91):
        return np.int64(61)
    return np.int64(120 if _reaches(state, solver, 120) else 91)


@kernel
def _reaches(state, solver, points):
    """Whether the declarer takes so many card points in all."""
    bound = np.int64(points) - np.int64(state.points[state.declarer])
    return bound <= 0 or _value(state, solver, bound) >= bound


@kernel
def end_deal(state, points):
    """End the deal with so many card points of the declarer; who took all of them has taken every trick that was left."""
    declarer, tricks, n_played = np.int64(state.declarer), np.int64(state.tricks[state.declarer]), np.int64(0)
    for seat in range(N_SEATS):
        n_played += np.int64(state.tricks[seat])
        state.points[seat] = 0
        state.tricks[seat] = 0
    if points == 120:
        tricks += N_TRICKS - n_played
    elif points > 0:
        tricks = min(max(tricks, 1), N_TRICKS - 1)
    other = (declarer + 1) & 3
    state.points[declarer], state.points[other] = points, 120 - points
    state.tricks[declarer], state.tricks[other] = tricks, N_TRICKS - tricks
    state.decision = OVER


@kernel
def _forget(memory, table):
    """Begin a new search: what the table holds is no longer valid."""
    memory.search += ONE
    if memory.search == _N_SEARCHES:
        memory.search = 1
        table[:] = EMPTY


def has_solution(state) -> bool:
    """Whether `solve` takes the position: cards are being played, one against three."""
    return bool(state.decision == CARD and KIND_OF[state.contract] not in (PASSED, RUFER, SIE))


@kernel
def _find_same(memory):
    """Find for what may be left of each run the lowest set whose cards, in order of rank, belong to the same seats."""
    live = memory.hands[0] | memory.hands[1] | memory.hands[2] | memory.hands[3]
    for run in range(_MAX_RUNS):
        first, length = np.uint64(_RUNS[memory.mode, run, 0]), _RUNS[memory.mode, run, 1]
        left = live >> first & ((ONE << np.uint64(length)) - ONE)
        for cards in range(1 << length):
            if np.uint64(cards) & ~left:
                continue  # Cards that have been played do not come back.
            owners = _owners(memory, np.uint64(cards), first)
            for candidate in range(cards + 1):
                if _owners(memory, np.uint64(candidate), first) == owners:
                    memory.same[run, cards] = np.uint64(candidate) << first
                    break


@kernel
def _owners(memory, cards, first):
    """Who holds the cards of a set shifted up by *first*, as digits; 4 for cards that nobody holds."""
    owners = np.int64(0)
    while cards:
        card = bit(lowest(cards) + first)
        cards &= cards - ONE
        owner = 4
        for seat in range(N_SEATS):
            owner = seat if memory.hands[seat] & card else owner
        owners = 8 * owners + owner + 1
    return owners


@kernel
def _standing_for(memory, live):
    """The set of cards that stands for all sets which are as good as *live*: a 7 for an 8 of the same seat when nothing is between."""
    mode = memory.mode
    for run in range(_MAX_RUNS):
        first, length = np.uint64(_RUNS[mode, run, 0]), np.uint64(_RUNS[mode, run, 1])
        cards = (ONE << length) - ONE
        live = (live & ~(cards << first)) | memory.same[run, live >> first & cards]
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
def _search(memory, frames, table):
    """Points of the declarer to come from the first frame on, those on the table included, or a bound on them beyond its window."""
    ply, is_new, value = 0, True, np.int64(0)
    while ply >= 0:
        frame = frames[ply]
        if is_new:
            value = _enter(memory, frame, table)
            if value >= 0:
                ply, is_new = ply - 1, False
                continue
        else:
            _learn(memory, frame, value)
        if _choose(frame):
            _descend(memory, frame, frames[ply + 1])
            ply, is_new = ply + 1, True
        else:
            value = _leave(memory, frame, table)
            ply, is_new = ply - 1, False
    return value


@kernel
def _enter(memory, frame, table):
    """The value of the position if it is known, or its moves are got ready and -1."""
    mode, seat, left = memory.mode, frame.seat, np.int64(frame.left)
    live = memory.hands[0] | memory.hands[1] | memory.hands[2] | memory.hands[3]
    first = np.uint64(_NO_MOVE)
    if not frame.trick:
        if not live or frame.alpha >= left:
            return left
        if frame.beta <= 0:
            return np.int64(0)
        if popcount(live) == np.uint64(N_SEATS):
            return left if _wins_last(memory, seat) else np.int64(0)
        low, high = _certain(memory, live, seat, left)
        if low >= frame.beta or low == high:
            return low
        if high <= frame.alpha:
            return high
        key = _standing_for(memory, live) | np.uint64(seat) << _LEADER_SHIFT | memory.search << _SEARCH_SHIFT
        entry = table[_slot(memory, table, key)]
        if (entry ^ key) & _IDENTITY == EMPTY:
            low = max(low, np.int64(entry >> _LEAST_SHIFT & _SEVEN_BITS))
            high = min(high, np.int64(entry >> _MOST_SHIFT & _SEVEN_BITS))
            first = entry >> _MOVE_SHIFT & _SIX_BITS
            if low >= frame.beta or low == high:
                return low
            if high <= frame.alpha:
                return high
        frame.key = key
        frame.low = low
        frame.high = high
    hand = memory.hands[seat]
    moves = _following(hand, frame.led)
    frame.hand = hand
    frame.groups[0] = moves & bit(first) if first < np.uint64(_NO_MOVE) else EMPTY
    frame.groups[1] = moves
    if moves & (moves - ONE):
        sure, lost, groups = _ranked(memory, seat, moves, frame.led, frame.trick, frame.beaters, frame.winner)
        for turn in range(4):
            frame.groups[turn + 1] = groups[turn]
        frame.groups[5] = moves
        moves = _distinct(moves, live | frame.trick, sure, lost, mode)
    frame.moves = moves
    frame.group = EMPTY
    frame.turn = 0
    frame.best = -1 if seat == memory.declarer else 1000
    frame.best_move = first
    frame.window_low = frame.alpha
    frame.window_high = frame.beta
    return np.int64(-1)


@kernel
def _choose(frame):
    """Take the next move to try; False when none is left or the window has closed."""
    if frame.alpha >= frame.beta:
        return False
    while not frame.group:
        if not frame.moves:
            return False
        frame.group = frame.groups[frame.turn] & frame.moves
        frame.moves &= ~frame.group
        frame.turn += 1
    frame.card = lowest(frame.group)
    frame.group &= frame.group - ONE
    return True


@kernel
def _descend(memory, frame, after):
    """Play the chosen card: the position *after* it."""
    mode, declarer, seat, card = memory.mode, memory.declarer, frame.seat, frame.card
    played, points = bit(card), _POINTS[mode, card]
    takes = played & frame.beaters != EMPTY
    winner = seat if takes else frame.winner
    memory.hands[seat] = frame.hand ^ played
    after.left = frame.left - points
    after.winner = winner
    if popcount(frame.trick) == np.uint64(3):
        gain = frame.on_table + points if winner == declarer else np.int64(0)
        frame.gain = gain
        after.seat = winner
        after.led = EMPTY
        after.trick = EMPTY
        after.beaters = ALL_CARDS
        after.on_table = 0
        after.alpha = frame.alpha - gain
        after.beta = frame.beta - gain
    else:
        frame.gain = 0
        after.seat = (seat + 1) & 3
        after.led = frame.led if frame.trick else _SUITS[mode, card]
        after.trick = frame.trick | played
        after.beaters = _beaters(card, mode) if takes else frame.beaters
        after.on_table = frame.on_table + points
        after.alpha = frame.alpha
        after.beta = frame.beta


@kernel
def _learn(memory, frame, value):
    """Take back the card that was tried, knowing its value."""
    value += frame.gain
    memory.hands[frame.seat] = frame.hand
    if frame.seat == memory.declarer:
        if value > frame.best:
            frame.best = value
            frame.best_move = frame.card
        frame.alpha = max(np.int64(frame.alpha), value)
    else:
        if value < frame.best:
            frame.best = value
            frame.best_move = frame.card
        frame.beta = min(np.int64(frame.beta), value)


@kernel
def _leave(memory, frame, table):
    """Value of the position after its moves; between tricks, the table is told."""
    if not frame.trick:
        # Best beyond the window is a bound on one side only.
        least = max(frame.low, frame.best) if frame.best > frame.window_low else frame.low
        most = min(frame.high, frame.best) if frame.best < frame.window_high else frame.high
        bounds = np.uint64(least) << _LEAST_SHIFT | np.uint64(most) << _MOST_SHIFT
        table[_slot(memory, table, frame.key)] = frame.key | bounds | np.uint64(frame.best_move) << _MOVE_SHIFT
    return np.int64(frame.best)


@kernel
def _slot(memory, table, key):
    """Where the entry with this *key* is, or where it would go: of the pair, the one of another search or with fewer cards left."""
    slot = key * _HASH >> memory.shift & ~ONE
    first, second = table[slot], table[slot ^ ONE]
    if (first ^ key) & _IDENTITY == EMPTY:
        return slot
    if (second ^ key) & _IDENTITY == EMPTY or second >> _SEARCH_SHIFT != memory.search:
        return slot ^ ONE
    if first >> _SEARCH_SHIFT != memory.search or popcount(first & _CARDS) < popcount(second & _CARDS):
        return slot
    return slot ^ ONE


@kernel
def _certain(memory, live, leader, left):
    """Least and most that the declarer still takes, by what needs no search; the leader is about to lead.

    Whoever leads can cash all his cards that nobody can beat, one after another. Of the tricks that remain after these, nothing is
    known but what each hand can still hold then.
    """
    mode, hand = memory.mode, memory.hands[leader]
    others = live ^ hand
    top = bit(highest(others))
    beaten = top - ONE
    if not top & _TRUMPS[mode]:
        beaten, rest = EMPTY, others
        while rest:
            top = bit(highest(rest))
            suit = _SUITS[mode, highest(rest)]
            beaten |= suit & (top - ONE)
            rest &= ~suit
    unsure = hand & beaten
    low, high = np.int64(0), left
    if unsure != hand:
        n = np.int64(popcount(unsure))
        rest_points = np.int64(0)
        for seat in range(N_SEATS):
            rest_points += _most_points(unsure if seat == leader else memory.hands[seat], n, mode)
        if leader == memory.declarer:
            low = left - rest_points
        else:
            high = rest_points
    return low, high


@kernel
def _most_points(cards, n, mode):
    """Points of the *n* cards that are worth most."""
    points = np.int64(0)
    for place, worth in enumerate(_WORTHS):
        here = min(n, np.int64(popcount(cards & _WORTH_CARDS[mode, place])))
        points += here * worth
        n -= here
    return points


@kernel
def _wins_last(memory, leader):
    """Whether the declarer wins the last trick, in which nobody has a choice."""
    mode, winner = memory.mode, np.int64(leader)
    beaters = _beaters(lowest(memory.hands[leader]), mode)
    for turn in range(1, N_SEATS):
        seat = (np.int64(leader) + turn) & 3
        if memory.hands[seat] & beaters:
            winner, beaters = seat, _beaters(lowest(memory.hands[seat]), mode)
    return winner == memory.declarer


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
def _distinct(moves, live, sure, lost, mode):
    """Moves without those that another one makes superfluous.

    Of two cards with none between them that is still in play, one is enough if they are worth the same, or if both take the trick for
    one's side for *sure*, or both mean that it is *lost*: then the dear one, or the cheap one. Whoever plays the other one can do no
    better, for the two may change places in all that follows.
    """
    rest, distinct = moves, moves
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        above = live & _SUITS[mode, card] & ~((bit(card) << ONE) - ONE)
        other = lowest(above)
        pair = bit(card) | bit(other)
        if above and bit(other) & moves:
            gain = _POINTS[mode, other] - _POINTS[mode, card]
            is_sure, is_lost = not pair & ~sure, not pair & ~lost
            if gain == 0 or (gain > 0 and is_sure) or (gain < 0 and is_lost):
                distinct &= ~bit(card)
            elif is_sure or is_lost:
                distinct &= ~bit(other)
    return distinct


@kernel
def _ranked(memory, seat, moves, led, trick, beaters, winner):
    """Sets of the moves that take the trick for one's side for sure and of those that mean it is lost, and four groups of moves.

    The groups have the likely best moves first, which is what makes alpha-beta fast.
    """
    mode, declarer = memory.mode, memory.declarer
    fat, worthless, trumps = _FAT[mode], _WORTHLESS[mode], _TRUMPS[mode]
    n_after = 3 - np.int64(popcount(trick))
    safe = EMPTY
    if trick:
        # What the other side may still play to this trick; on a lead by suit, for that depends on it.
        threats, helpers, other = EMPTY, EMPTY, (seat + 1) & 3
        for _ in range(n_after):
            if seat == declarer or other == declarer:
                threats |= _following(memory.hands[other], led)
            else:
                helpers |= _following(memory.hands[other], led)
            other = (other + 1) & 3
        rest = moves & beaters
        while rest:
            card = lowest(rest)
            rest &= rest - ONE
            safe |= EMPTY if _beaters(card, mode) & threats else bit(card)
        is_taken = winner != declarer or helpers & beaters != EMPTY
        lost = moves & ~beaters if seat == declarer or not is_taken else EMPTY
        if seat == declarer or winner == declarer or threats & beaters:
            sure = safe
        else:
            sure = safe | (moves & ~beaters)
        if seat != declarer and is_taken and not threats & beaters:
            return sure, lost, (moves & fat & ~beaters, moves & fat, moves & ~beaters & ~worthless, moves & ~beaters)
        return sure, lost, (safe & fat, safe, moves & worthless & ~beaters, moves & ~fat & ~beaters)
    rest = moves
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        threats, suit = EMPTY, _SUITS[mode, card]
        for other in range(N_SEATS):
            if other != seat and (seat == declarer or other == declarer):
                threats |= _following(memory.hands[other], suit)
        safe |= EMPTY if _beaters(card, mode) & threats else bit(card)
    if seat == declarer:
        return safe, EMPTY, (safe & trumps, safe, moves & trumps & ~fat, moves & worthless)
    return safe, EMPTY, (safe & fat, safe & ~trumps, moves & ~trumps & worthless, moves & ~trumps & ~fat)
