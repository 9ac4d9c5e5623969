"""Worlds: the deals that one seat must hold possible."""

import math

import numpy as np

from simcore.bits import EMPTY, bit, copy_record, nth, popcount
from simcore.games.eidex.state import next_seat
from simcore.jit import kernel
from simcore.rng import below, draw_cards, mix, step

_BINOMIAL = np.array([[math.comb(n, k) for k in range(25)] for n in range(25)], np.int64)


@kernel
def determinize(state, seat, key, world):
    """Deal the cards that *seat* cannot see anew into *world*.

    *seat* knows his hand and his pressed card, the cards played, the upturned card and that it was the dealer's, and what the other
    hands have been seen to lack. The other two hands and pressed cards are drawn uniformly among all deals that agree.
    """
    copy_record(world, state)
    world.chance = mix(key)
    left, right = next_seat(seat), next_seat(next_seat(seat))
    hidden = state.hands[left] | state.hands[right] | state.pressed[left] | state.pressed[right]
    upcard = bit(state.upcard) & hidden
    not_left = upcard if right == state.dealer else EMPTY
    not_right = upcard if left == state.dealer else EMPTY
    # Only a hand is seen to lack a suit, never the pressed card, which had been laid down before.
    in_left = hidden & ~state.lacks[left] & ~not_left
    in_right = hidden & ~state.lacks[right] & ~not_right
    press_left = hidden & ~not_left if state.pressed[left] else EMPTY
    press_right = hidden & ~not_right if state.pressed[right] else EMPTY
    n_left = np.int64(popcount(state.hands[left]))

    pressed, counter = _draw_pressed(hidden, in_left, in_right, press_left, press_right, n_left, key)
    rest = hidden & ~pressed[0] & ~pressed[1]
    only_left = rest & ~in_right
    drawn, counter = draw_cards(rest & in_left & in_right, n_left - np.int64(popcount(only_left)), counter)
    world.hands[left] = only_left | drawn
    world.hands[right] = rest ^ only_left ^ drawn
    world.pressed[left] = pressed[0]
    world.pressed[right] = pressed[1]


@kernel
def _class_of(index, hidden, in_left, in_right):
    """Hidden cards that may be in both hands (0), in the left one only (1), in the right one only (2), in neither (3)."""
    if index == 0:
        return hidden & in_left & in_right
    if index == 1:
        return hidden & in_left & ~in_right
    if index == 2:
        return hidden & ~in_left & in_right
    return hidden & ~in_left & ~in_right


@kernel
def _n_pairs(first, second):
    """Number of ordered pairs of different cards, one of each set; an empty set stands for no card at all."""
    n_first, n_second = np.int64(popcount(first)), np.int64(popcount(second))
    return max(n_first, 1) * max(n_second, 1) - np.int64(popcount(first & second))


@kernel
def _n_splits(hidden, in_left, in_right, n_left, left_class, right_class):
    """Ways to deal the hidden cards to the two hands after a card of each class has been pressed (-1: none was)."""
    n_both = np.int64(popcount(hidden & in_left & in_right)) - (left_class == 0) - (right_class == 0)
    n_only_left = np.int64(popcount(hidden & in_left & ~in_right)) - (left_class == 1) - (right_class == 1)
    n_only_right = np.int64(popcount(hidden & ~in_left & in_right)) - (left_class == 2) - (right_class == 2)
    n_neither = np.int64(popcount(hidden & ~in_left & ~in_right)) - (left_class == 3) - (right_class == 3)
    wanted = n_left - n_only_left
    if n_neither or n_only_right < 0 or wanted < 0 or wanted > n_both:
        return 0
    return _BINOMIAL[n_both, wanted]


@kernel
def _draw_pressed(hidden, in_left, in_right, press_left, press_right, n_left, counter):
    """The two pressed cards, as sets, each pair weighted by the number of ways to deal the rest; and the stream's counter."""
    chosen = np.int64(-1)
    for is_draw in range(2):
        total = np.int64(0)
        for left_class in range(4):
            left_cards = press_left & _class_of(left_class, hidden, in_left, in_right)
            if not left_cards and (press_left or left_class):
                continue
            for right_class in range(4):
                right_cards = press_right & _class_of(right_class, hidden, in_left, in_right)
                if not right_cards and (press_right or right_class):
                    continue
                total += _n_pairs(left_cards, right_cards) * _n_splits(
                    hidden, in_left, in_right, n_left, left_class if press_left else -1, right_class if press_right else -1
                )
                if is_draw and total > chosen:
                    return _draw_pair(left_cards, right_cards, counter)
        counter = step(counter)
        chosen = np.int64(below(mix(counter), total))
    raise AssertionError("no deal agrees with what the seat has seen")


@kernel
def _draw_pair(first, second, counter):
    """A uniform pair of different cards, one of each set; nothing is drawn from an empty set."""
    while True:
        card, other = EMPTY, EMPTY
        if first:
            counter = step(counter)
            card = bit(nth(first, below(mix(counter), popcount(first))))
        if second:
            counter = step(counter)
            other = bit(nth(second, below(mix(counter), popcount(second))))
        if not card & other:
            return (card, other), counter
