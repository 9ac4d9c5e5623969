"""Worlds: the deals that one seat must hold possible."""

import math

import numpy as np

from simcore.bits import EMPTY, copy_record, popcount
from simcore.games.schafkopf.bidding import called_ace
from simcore.games.schafkopf.cards import ACES, ORDINARY
from simcore.games.schafkopf.contracts import KIND_OF, RUFER, SUIT_OF
from simcore.games.schafkopf.state import NOBODY, next_seat
from simcore.jit import kernel
from simcore.rng import draw_cards, mix, step

_BINOMIAL = np.array([[math.comb(n, k) for k in range(25)] for n in range(25)], np.int64)
_ESCAPE_SIZE = np.uint64(4)
_MOST_DRAWS = 1 << 20


@kernel
def determinize(state, seat, key, world):
    """Deal the cards that *seat* cannot see anew into *world*.

    *seat* knows his own hand, who has played what, the suits that a hand has been shown to lack, that the bidder of a Rufer was dealt an
    ordinary card of its suit but not the ace, that the bidder of a Solo was dealt an ordinary card of its suit, and of the called ace:
    who follows its suit with another card has not got it, and who leads another card of it has it only with the four that an escape
    needs. A pass proves nothing. Hands are drawn uniformly among those that agree with the lacks, by counting, and drawn again
    until they agree with the rest, which leaves them uniform.
    """
    copy_record(world, state)
    first = next_seat(seat)
    second, third = next_seat(first), next_seat(next_seat(first))
    hidden = state.hands[first] | state.hands[second] | state.hands[third]
    in_first = hidden & ~lacks_of(state, first)
    in_second = hidden & ~lacks_of(state, second)
    in_third = hidden & ~lacks_of(state, third)
    n_first = np.int64(popcount(state.hands[first]))
    n_second = np.int64(popcount(state.hands[second]))
    counter = key
    for _ in range(_MOST_DRAWS):
        first_hand, second_hand, counter = _draw_hands(hidden, in_first, in_second, in_third, n_first, n_second, counter)
        _replace_hand(state, first, first_hand, world)
        _replace_hand(state, second, second_hand, world)
        _replace_hand(state, third, hidden ^ first_hand ^ second_hand, world)
        if agrees_with_bids(world) and agrees_with_search(world):
            return
    raise AssertionError("no deal agrees with the bids and the search for the called ace")


@kernel
def lacks_of(state, seat):
    """Cards that *seat* is known not to hold, from its play or because it has called their suit."""
    bid = state.bids[seat]
    return state.lacks[seat] | (ORDINARY[SUIT_OF[bid]] & ACES if KIND_OF[bid] == RUFER else EMPTY)


@kernel
def _replace_hand(state, seat, hand, world):
    world.hands[seat] = hand
    world.dealt[seat] = (state.dealt[seat] & ~state.hands[seat]) | hand


@kernel
def agrees_with_bids(world):
    """Whether every bidder was dealt an ordinary card of the suit that he named.  Rule: schafkopf S2"""
    for seat in range(4):
        needed = ORDINARY[SUIT_OF[world.bids[seat]]]
        if needed and not world.dealt[seat] & needed:
            return False
    return True


@kernel
def agrees_with_search(world):
    """Whether who has led the called suit without its ace either lacked it or might escape.  Rule: schafkopf S7"""
    if world.searcher == NOBODY:
        return True
    dealt = world.dealt[world.searcher]
    suit = ORDINARY[SUIT_OF[world.contract]]
    return not dealt & called_ace(world) or popcount(dealt & suit & ~world.early) >= _ESCAPE_SIZE


@kernel
def _draw_hands(hidden, in_first, in_second, in_third, n_first, n_second, counter):
    """First and second hand, uniform among all ways to deal *hidden* to three hands that may hold these cards; and the stream's counter.

    The cards fall into classes by the hands that may hold them. How many of each class the first hand gets is drawn with the
    number of deals as weight; then the cards themselves.
    """
    not_third = in_first & in_second & ~in_third
    not_second = in_first & in_third & ~in_second
    anywhere = in_first & in_second & in_third
    not_first = in_second & in_third & ~in_first
    only_first = in_first & ~in_second & ~in_third
    only_second = in_second & ~in_first & ~in_third
    wanted_first = n_first - np.int64(popcount(only_first))
    wanted_second = n_second - np.int64(popcount(only_second))
    n_not_third, n_not_second = np.int64(popcount(not_third)), np.int64(popcount(not_second))
    n_anywhere, n_not_first = np.int64(popcount(anywhere)), np.int64(popcount(not_first))
    x, y = 0, 0
    if n_not_third or n_not_second:
        x, y, counter = _draw_split(wanted_first, wanted_second, n_not_third, n_not_second, n_anywhere, n_not_first, counter)
    common, counter = draw_cards(not_third, x, counter)
    taken, counter = draw_cards(not_second, y, counter)
    others, counter = draw_cards(anywhere, wanted_first - x - y, counter)
    rest, counter = draw_cards(not_first | (anywhere ^ others), wanted_second - n_not_third + x, counter)
    return only_first | common | taken | others, only_second | (not_third ^ common) | rest, counter


@kernel
def _draw_split(wanted_first, wanted_second, n_not_third, n_not_second, n_anywhere, n_not_first, counter):
    """How many cards the first hand gets of those that the third and that the second cannot hold; and the stream's counter."""
    chosen = np.int64(-1)
    for is_draw in range(2):
        total = np.int64(0)
        for x in range(n_not_third + 1):
            for y in range(n_not_second + 1):
                z = wanted_first - x - y
                second_draws = wanted_second - n_not_third + x
                n_left = n_not_first + n_anywhere - z
                if z < 0 or z > n_anywhere or second_draws < 0 or second_draws > n_left:
                    continue
                ways = _BINOMIAL[n_not_third, x] * _BINOMIAL[n_not_second, y]
                total += ways * _BINOMIAL[n_anywhere, z] * _BINOMIAL[n_left, second_draws]
                if is_draw and total > chosen:
                    return x, y, counter
        # There may be more deals than `below` can tell apart: 53 random bits, exact up to 2**-53.
        counter = step(counter)
        chosen = np.int64(np.float64(mix(counter) >> np.uint64(11)) * 2.0**-53 * np.float64(total))
    raise AssertionError("no deal agrees with what the seat has seen")
