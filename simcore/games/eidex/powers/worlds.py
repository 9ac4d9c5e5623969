"""Worlds: the deals that one seat must hold possible, with characters."""

import math

import numpy as np

from simcore.bits import EMPTY, ONE, bit, copy_record, lowest, nth, popcount
from simcore.games.eidex.powers.flow import FIRST_QUESTION, SEHER, refresh_moves
from simcore.games.eidex.powers.knowledge import DONATED, FACE_DOWN, N_PLACES, PRESSED, SEAT_SHIFT
from simcore.games.eidex.powers.questions import INQUIRIES, QUESTIONS
from simcore.games.eidex.powers.table import IN_TRICK, bound_lead, fellows, seat_of
from simcore.games.eidex.state import NO_CARD
from simcore.jit import kernel
from simcore.rng import below, draw_cards, mix, step

_BINOMIAL = np.array([[math.comb(n, k) for k in range(37)] for n in range(37)], np.int64)
_MAX_SINGLES = N_PLACES - PRESSED
_CLASSES = 4
_NAMES = [question.name for question in QUESTIONS]
_TURNS_UP, _GIFT = (FIRST_QUESTION + _NAMES.index(name) for name in ("trumphator", "teekraenzchen gift"))
_SHOWS_EARLY, _SHOWS = (FIRST_QUESTION + number for number, name in enumerate(_NAMES) if name == "voyeur sees")
_UNIT = 2.0**-53


@kernel
def determinize(state, seat, key, world):
    """Draw into *world* anew all that *seat* does not know; every deal that agrees with its knowledge is equally likely.

    The places of one card are filled first: each is given a class of cards (those that may be in both unseen hands, in the left one only,
    in the right one only, in neither), by the number of choices within the classes and of ways to deal the rest. A draw that takes a card
    twice, or breaks an "at least one of these", is made again, which keeps the others equally likely.
    """
    copy_record(world, state)
    world.chance = mix(key)
    left, right = fellows(seat)
    hidden = state.hands[left] | state.hands[right]
    places, n_places = np.zeros(_MAX_SINGLES, np.int64), 0
    sets, singles = np.zeros(_MAX_SINGLES, np.uint64), np.zeros(_MAX_SINGLES, np.uint64)
    for place in range(PRESSED, N_PLACES):
        hidden |= EMPTY if place == PRESSED + seat else _card_in(state, place)
    for place in range(PRESSED, N_PLACES):
        if place == PRESSED + seat or not _card_in(state, place):
            continue
        cards = state.may[seat, place] & hidden
        if cards & (cards - ONE):
            places[n_places], sets[n_places] = place, cards
            n_places += 1
        else:
            hidden ^= cards  # known
    in_left, in_right = state.may[seat, left], state.may[seat, right]
    n_left = np.int64(popcount(state.hands[left]))
    weights = np.zeros(_CLASSES**n_places, np.float64)
    _weigh(sets[:n_places], hidden, in_left, in_right, n_left, weights)
    total, counter = weights.sum(), key
    while True:
        taken, counter = _draw_singles(sets[:n_places], hidden, in_left, in_right, weights, total, counter, singles)
        if popcount(taken) < n_places:
            continue
        rest = hidden & ~taken
        only_left = rest & in_left & ~in_right
        drawn, counter = draw_cards(rest & in_left & in_right, n_left - np.int64(popcount(only_left)), counter)
        world.hands[left] = only_left | drawn
        world.hands[right] = rest ^ only_left ^ drawn
        if _agrees(state, world):
            break
    for k in range(n_places):
        _put(world, places[k], singles[k])
    _redraw_pending(state, seat, world, counter)
    if state.seat != seat:
        refresh_moves(world)


@kernel
def strip(world):
    """In a playout nobody acts on what he knows: what tells something and changes nothing else need not be asked, nor be kept."""
    world.powers &= ~INQUIRIES
    world.n_any_of = 0


@kernel
def _card_in(state, place):
    """The card in a place of one card, as a set."""
    if place < DONATED:
        return state.pressed[place - PRESSED]
    return state.donated if place == DONATED else state.face_down[place - FACE_DOWN]


@kernel
def _put(world, place, card):
    """Lay *card* (a set of one) into a place of one card."""
    if place < DONATED:
        world.pressed[place - PRESSED] = card
    elif place == DONATED:
        world.donated = card
    else:
        slot = place - FACE_DOWN
        world.face_down[slot] = card
        if world.face_down_at[slot] >= IN_TRICK:
            world.laid[world.face_down_at[slot] - IN_TRICK] = lowest(card)


@kernel
def _class_of(index, in_left, in_right):
    """Cards that may be in both hands (0), in the left one only (1), in the right one only (2), in neither (3)."""
    if index == 0:
        return in_left & in_right
    if index == 1:
        return in_left & ~in_right
    return ~in_left & in_right if index == 2 else ~(in_left | in_right)


@kernel
def _weigh(sets, hidden, in_left, in_right, n_left, weights):
    """Weight of every way to give the places classes, numbered with two bits for each place."""
    sizes = np.zeros(_CLASSES, np.int64)
    choices = np.zeros((len(sets), _CLASSES), np.int64)
    for index in range(_CLASSES):
        cards = hidden & _class_of(index, in_left, in_right)
        sizes[index] = popcount(cards)
        for k in range(len(sets)):
            choices[k, index] = popcount(cards & sets[k])
    left = np.zeros(_CLASSES, np.int64)
    for number in range(len(weights)):
        left[:] = sizes
        weight = 1.0
        for k in range(len(sets)):
            index = number >> 2 * k & 3
            left[index] -= 1
            weight *= choices[k, index]
        wanted = n_left - left[1]
        if weight and not left[3] and left[2] >= 0 and 0 <= wanted <= left[0]:
            weights[number] = weight * _BINOMIAL[left[0], wanted]


@kernel
def _draw_singles(sets, hidden, in_left, in_right, weights, total, counter, singles):
    """Draw a card for each place into *singles*; all of them as one set, which is too small when one was drawn twice."""
    taken = EMPTY
    if not len(sets):
        return taken, counter
    counter = step(counter)
    left = np.float64(mix(counter) >> np.uint64(11)) * _UNIT * total
    number = 0
    for k in range(len(weights)):
        if weights[k] > 0:
            number = k
            if left < weights[k]:
                break
            left -= weights[k]
    for k in range(len(sets)):
        cards = sets[k] & hidden & _class_of(number >> 2 * k & 3, in_left, in_right)
        counter = step(counter)
        singles[k] = bit(nth(cards, below(mix(counter), popcount(cards))))
        taken |= singles[k]
    return taken, counter


@kernel
def _agrees(state, world):
    """Whether the hands hold what they have been seen to hold."""
    for k in range(np.int64(state.n_any_of)):
        fact = state.any_of[k]
        for hand in range(3):
            if fact & bit(hand) << SEAT_SHIFT and not world.hands[hand] & fact:
                return False
    return True


@kernel
def _redraw_pending(state, seat, world, counter):
    """Draw anew the cards of a power in several steps that *seat* has not seen."""
    if state.decision == _TURNS_UP:
        # Nobody has seen which card lay second, not even the dealer, who holds it.
        cards = world.hands[state.dealer] & ~bit(state.upcard)
        world.second = nth(cards, below(mix(step(counter)), popcount(cards)))
    leader = np.int64(state.leader)
    if leader != seat:
        hand = world.hands[leader]
        if state.shown_lead != NO_CARD and bit(state.shown_lead) & state.hands[leader] and seat_of(state, SEHER) != seat:
            world.shown_lead = nth(hand, below(mix(step(counter)), popcount(hand)))
        if state.drawn != NO_CARD and state.shy_seat != seat:
            world.drawn = nth(hand, below(mix(step(counter)), popcount(hand)))
    if state.decision == _GIFT and state.chosen != NO_CARD:
        giver, _ = fellows(state.owner)
        if giver != seat:
            hand = world.hands[giver] & ~bound_lead(world, giver)
            world.chosen = nth(hand, below(mix(step(counter)), popcount(hand)))
    if (state.decision == _SHOWS_EARLY or state.decision == _SHOWS) and state.target != seat and state.chosen != NO_CARD:
        target = state.target
        if popcount(world.hands[target] & ~((bit(state.chosen) << ONE) - ONE)) < state.n_left:
            # Too few cards are left behind the one shown last: in this world he shows from the beginning.
            world.chosen = NO_CARD
