"""Weisheit, the Stars Ten: shows combinations of cards for points."""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, highest, popcount
from simcore.games.eidex.powers.asking import best_adjustment
from simcore.games.eidex.powers.character import AFTER_LAST_TRICK, BEFORE_FIRST_LEAD, Character, Question
from simcore.games.eidex.powers.knowledge import show_to_all
from simcore.games.eidex.powers.orders import KING_CARDS, MORE_OR_LESS, NO, NO_BIT, PLUS, QUEEN_CARDS, RANK_CARDS
from simcore.jit import kernel
from simcore.protocol import Switch

_SEQUENCE, _FOUR, _MARRIAGE = 0, 1, 2
_MAX_COMBINATIONS = 64


@kernel
def _runs(state, hand, suit, cards, points, kinds, groups, n, group):
    """Sequences of three, four and five cards within the runs of a suit; a longer run counts as five, and a run counts once."""
    rank = 0
    while rank < 9:
        length = 0
        while rank + length < 9 and hand & bit(9 * suit + rank + length):
            length += 1
        for size in range(3, min(length, 5) + 1):
            for first in range(rank, rank + length - size + 1):
                cards[n] = (bit(size) - ONE) << np.uint64(9 * suit + first)
                points[n] = (state.rules.weisheit_three, state.rules.weisheit_four, state.rules.weisheit_five)[size - 3]
                kinds[n], groups[n] = _SEQUENCE, group
                n += 1
        group += length >= 3
        rank += length + 1
    return n, group


@kernel
def _combinations(state, hand):
    """Combinations of *hand*: cards, points, kind and group of each, their number and that of the groups; one of a group may be shown."""
    cards, points = np.zeros(_MAX_COMBINATIONS, np.uint64), np.zeros(_MAX_COMBINATIONS, np.int64)
    kinds, groups = np.zeros(_MAX_COMBINATIONS, np.int64), np.zeros(_MAX_COMBINATIONS, np.int64)
    n, group = 0, 0
    for rank in range(3, 9):
        if not RANK_CARDS[rank] & ~hand:
            rules = state.rules
            cards[n], kinds[n], groups[n] = RANK_CARDS[rank], _FOUR, group
            points[n] = rules.weisheit_nines if rank == 3 else rules.weisheit_jacks if rank == 5 else rules.weisheit_fours
            n, group = n + 1, group + 1
    for suit in range(4):
        n, group = _runs(state, hand, suit, cards, points, kinds, groups, n, group)
    marriage = state.trumps & (QUEEN_CARDS | KING_CARDS)
    if marriage and not marriage & ~hand:
        cards[n], points[n], kinds[n], groups[n] = marriage, state.rules.weisheit_marriage, _MARRIAGE, group
        n, group = n + 1, group + 1
    return cards, points, kinds, groups, n, group


@kernel
def _fits(first, second, first_cards, second_cards):
    """Whether two combinations may be shown together: no card serves both, but King and Queen of trump may lie in a sequence."""
    return first + second == _SEQUENCE + _MARRIAGE and first != second or not first_cards & second_cards


@kernel
def sums(state, hand):
    """Sums that *hand* can show, ascending, the cards shown for each, and their number.

    The fewest cards are shown, and among those the first in deck order.  Rule: eidex K20
    """
    cards, points, kinds, groups, n, n_groups = _combinations(state, hand)
    totals, shown, n_sums = np.zeros(_MAX_COMBINATIONS, np.int64), np.zeros(_MAX_COMBINATIONS, np.uint64), 0
    chosen = np.full(max(n_groups, 1), -1)
    while True:
        # An odometer over the groups: in each nothing, or one of its combinations.
        place = 0
        while place < n_groups:
            k = chosen[place] + 1
            while k < n and groups[k] != place:
                k += 1
            chosen[place] = k if k < n else -1
            if k < n:
                break
            place += 1
        if place >= n_groups:
            return totals, shown, n_sums
        total, union, is_fitting = 0, EMPTY, True
        for first in range(n_groups):
            a = chosen[first]
            if a < 0:
                continue
            total += points[a]
            union |= cards[a]
            for second in range(first):
                b = chosen[second]
                if b >= 0 and not _fits(kinds[a], kinds[b], cards[a], cards[b]):
                    is_fitting = False
        if is_fitting and total > 0:
            n_sums = _keep(totals, shown, n_sums, total, union)


@kernel
def _keep(totals, shown, n_sums, total, cards):
    """Put a sum in its place, or replace the cards shown for it if these are better."""
    place = 0
    while place < n_sums and totals[place] < total:
        place += 1
    if place < n_sums and totals[place] == total:
        before, difference = shown[place], shown[place] ^ cards
        is_first = difference & ~(difference - ONE) & cards != EMPTY
        if popcount(cards) < popcount(before) or (popcount(cards) == popcount(before) and is_first):
            shown[place] = cards
        return n_sums
    for k in range(n_sums, place, -1):
        totals[k], shown[k] = totals[k - 1], shown[k - 1]
    totals[place], shown[place] = total, cards
    return n_sums + 1


@kernel
def _may_show(state):
    """The number of a sum, counted from the lowest."""
    n_sums = sums(state, state.hands[state.owner])[2]
    return NO_BIT | bit(n_sums) - ONE if n_sums else EMPTY


@kernel
def _show(state, move):
    if move == NO:
        return
    seat = np.int64(state.owner)
    totals, shown, _ = sums(state, state.hands[seat])
    state.declared = totals[move]
    show_to_all(state, seat, shown[move])


@kernel
def _may_adjust(state):
    return NO_BIT | MORE_OR_LESS if state.declared else EMPTY


@kernel
def _adjust(state, move):
    if move != NO:
        state.adjustments[state.owner] += state.declared if move == PLUS else -state.declared


@kernel
def _advise_show(state, word):
    """Always the most; she need not count it."""
    return highest(state.moves & ~NO_BIT)


@kernel
def _advise_adjust(state, word):
    """Whatever brings most."""
    return best_adjustment(state, np.int64(state.declared))


CHARACTER = Character(
    name="weisheit",
    title="Weisheit (Wisdom)",
    card="S10",
    when="before the first lead and after the last trick",
    text="may show combinations of cards and at the end add their points to her result or take them off",
    rule="K20",
    questions=(
        Question("weisheit", BEFORE_FIRST_LEAD, "may show combinations", _may_show, _show, _advise_show),
        Question("weisheit adds", AFTER_LAST_TRICK, "may add it or take it off", _may_adjust, _adjust, _advise_adjust, is_use=False),
    ),
    switches=(
        Switch("weisheit_jacks", 40, "Weisheit: four Jacks (K20)", 0, 157),
        Switch("weisheit_nines", 30, "Weisheit: four Nines (K20)", 0, 157),
        Switch("weisheit_fours", 20, "Weisheit: four Aces, Kings, Queens or Tens (K20)", 0, 157),
        Switch("weisheit_five", 20, "Weisheit: five cards in sequence (K20)", 0, 157),
        Switch("weisheit_four", 10, "Weisheit: four cards in sequence (K20)", 0, 157),
        Switch("weisheit_three", 4, "Weisheit: three cards in sequence (K20)", 0, 157),
        Switch("weisheit_marriage", 4, "Weisheit: King and Queen of trump (K20)", 0, 157),
    ),
)
