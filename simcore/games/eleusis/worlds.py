"""Worlds: the hands, stocks and secret rules that one seat must hold possible."""

import numpy as np

from simcore.bits import copy_record
from simcore.games.eleusis.cards import add_card, n_cards, remove_card, take_lowest, types_in
from simcore.games.eleusis.state import ROOM, draw_rule, shuffle_stock, take_top
from simcore.jit import kernel
from simcore.rng import mix


@kernel
def determinize(state, seat, key, world):
    """Deal the cards that *seat* cannot see anew into *world*, and draw the secret rule.

    *seat* knows its hand, all cards laid, those of the other hands that have been shown, and the cards that went under the stock; all deals
    of the others are equally likely. The rule is drawn by prior weight from those that the verdicts have left possible; the dealer
    knows it.
    """
    copy_record(world, state)
    world.chance = mix(key)
    hidden = np.zeros(2, np.uint64)
    for k in range(state.n_unseen):
        add_card(hidden, state.stock[(np.int64(state.top) + k) % ROOM])
    for other in range(state.n_seats):
        if other != seat:
            _hide(state, other, hidden)
    _lay_stock(state, hidden, key, world)
    for other in range(state.n_seats):
        if other != seat:
            n_hidden = n_cards(state.hands[other]) - n_cards(state.shown[other])
            world.hands[other, :] = state.shown[other]
            for _ in range(n_hidden):
                add_card(world.hands[other], take_top(world))
    if seat != state.dealer:
        world.secret = draw_rule(state, mix(~key))


@kernel
def _hide(state, seat, hidden):
    """Add the cards that *seat* has not shown to the pile *hidden*."""
    hand, shown = state.hands[seat].copy(), state.shown[seat].copy()
    while types_in(shown):
        remove_card(hand, take_lowest(shown))
    while types_in(hand):
        add_card(hidden, take_lowest(hand))


@kernel
def _lay_stock(state, hidden, key, world):
    """Make the stock of *world* of the *hidden* cards, shuffled, above those whose places are known."""
    n_hidden, n_known = n_cards(hidden), np.int64(state.n_stock) - np.int64(state.n_unseen)
    for k in range(ROOM):
        world.stock[k] = 0
    for k in range(n_hidden):
        world.stock[k] = take_lowest(hidden)
    shuffle_stock(world, n_hidden, key)
    for k in range(n_known):
        world.stock[n_hidden + k] = state.stock[(np.int64(state.top) + np.int64(state.n_unseen) + k) % ROOM]
    world.top = 0
    world.n_stock = n_hidden + n_known
    world.n_unseen = n_hidden
