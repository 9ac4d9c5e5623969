"""The cards on the table: their order, their points, what is legal, and how they get from place to place."""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, highest, lowest, nth, popcount
from simcore.games.eidex.cards import ALL_CARDS, LAST_TRICK_POINTS, N_PLANES, RANKS, SUIT_CARDS, SUIT_CARDS_OF
from simcore.games.eidex.powers.knowledge import (
    DONATED,
    FACE_DOWN,
    PRESSED,
    deny,
    learn_any_of,
    leave_hand,
    move_unseen,
    show,
    show_to_all,
)
from simcore.games.eidex.powers.orders import ANIMALS, BEATERS_BY_ORDER, N_MODES, RAVENS_JACK
from simcore.games.eidex.state import NO_CARD, NOBODY, points_of
from simcore.jit import kernel
from simcore.rng import below, mix, step

# Where a face-down card lies: in the pile of a seat, in the pot, aside, or in the trick from IN_TRICK on, by its number there.
IN_POT, ASIDE, NOWHERE, IN_TRICK = 3, 4, 5, 8
NO_SUIT = 4
# Who has won every trick so far: a seat, nobody yet, or no longer anybody.
UNDECIDED, BROKEN = 3, 4
# As numpy numbers, because numba compiles a function anew for every Python number written in a call.
OPEN_ONLY, WITH_HIDDEN = np.bool_(False), np.bool_(True)
_NO_SLOT = np.int64(-1)
_MOD_3 = np.arange(16, dtype=np.uint8) % 3  # a look-up takes less time than a division
_STARS_KING = bit(27 + RANKS.index("K"))


# Characters and chance


@kernel
def seat_of(state, character):
    """Seat whose power is that of *character*, NOBODY when nobody has it. Added up: which seat it is no processor can predict."""
    active = state.active
    return np.int64(NOBODY) - 3 * np.int64(active[0] == character) - 2 * np.int64(active[1] == character) - np.int64(active[2] == character)


@kernel
def fellows(seat):
    """The two other seats, the right neighbour first."""
    return (seat + 1) % 3, (seat + 2) % 3


@kernel(inline=True)
def seat_at(state, n):
    """Seat that lays the n-th card of the trick."""
    return np.int64(_MOD_3[np.uint64(state.leader) + np.uint64(state.direction) * np.uint64(n)])


@kernel
def draw(state, cards):
    """A card of the set *cards* drawn blind."""
    state.chance = step(state.chance)
    return nth(cards, below(mix(state.chance), popcount(cards)))


@kernel
def spend(state):
    """Count one use of the power of the owner."""
    state.uses_left[state.owner] -= 1


# Order


@kernel(inline=True)
def beaters_of(state, order, card):
    """Cards that beat *card* in *order*: Skat comes first, then the Umwerter's card, then Jiu-Jitsu's two.  Rule: eidex K2, K13, K25"""
    if not state.is_bent:
        return BEATERS_BY_ORDER[order, card]
    first, second = state.swapped[0], state.swapped[1]
    beaters = _unswapped(state, order, card)
    if card != first and card != second:
        return beaters
    other = np.uint64(first + second) - card
    suit = SUIT_CARDS_OF[card]
    distance = np.int64(popcount(beaters & suit)) - np.int64(popcount(_unswapped(state, order, other) & suit))
    return beaters ^ bit(other) if abs(distance) == 1 else beaters


@kernel
def _unswapped(state, order, card):
    beaters, suit, revalued = BEATERS_BY_ORDER[order, card], SUIT_CARDS_OF[card], state.revalued
    if not revalued & suit:
        return beaters
    above = beaters & ~suit
    if revalued == bit(card):
        return above if state.is_highest else above | (suit ^ revalued)
    inside = beaters & suit & ~revalued
    return above | inside | revalued if state.is_highest else above | inside


@kernel
def best_laid(state, order, counts_hidden):
    """Number of the card that wins the trick as it lies, and the cards that would beat it, in *order*.

    The strongest trump, else the strongest card of the suit led; where that has lost its value and nobody has followed, the first card
    that still counts sets the suit. Face-down cards count only on demand.  Rule: eidex K9
    """
    best, beaters = NOBODY, ALL_CARDS
    uncounted = state.worthless if counts_hidden else state.worthless | state.face_down_in_trick
    for n in range(np.int64(state.n_laid)):
        card = np.uint64(state.laid[n])
        if not uncounted >> n & 1 and bit(card) & beaters:
            best, beaters = n, beaters_of(state, np.uint64(order), card) | _beaten_by_suit_led(state, bit(card))
    return best, beaters


@kernel(inline=True)
def _beaten_by_suit_led(state, cards):
    """The suit led, if *cards* is one card that is neither of it nor a trump: only where the lead does not count can it be the best."""
    led = state.led
    return EMPTY if cards & (led | state.trumps) else led


@kernel
def judge(state):
    """Find anew who wins the trick as it lies."""
    best, beaters = best_laid(state, np.int64(state.order), OPEN_ONLY)
    state.beaters = beaters
    state.best_seat = seat_at(state, best) if best < state.n_laid else NOBODY
    state.best = best


@kernel
def winner_before_last(state):
    """Seat that was winning the trick before its last card. Unchecked: two cards lie or more."""
    n_laid = state.n_laid
    state.n_laid = n_laid - 1
    best, _ = best_laid(state, np.int64(state.order), OPEN_ONLY)
    state.n_laid = n_laid
    return seat_at(state, best)


@kernel
def call_skat(state):
    """Skat holds from now on for the rest of the hand.  Rule: eidex K13"""
    state.is_skat = True
    state.order = state.mode + N_MODES
    judge(state)


# What is legal


@kernel(inline=True)
def legal_cards(state, hand):
    """Cards of *hand* that may be added to the trick.

    As in the base game; under Skat a trump on another lead is allowed only without the suit. Only open trumps forbid undertrumping.
    Rule: eidex B10-B18, K13
    """
    follow, trumps = hand & state.led, hand & state.trumps
    plain = hand & ~trumps
    is_trump_led = state.led == state.trumps
    free = hand if is_trump_led | (plain == EMPTY) else plain
    # The trump Jack need not follow: alone, he leaves every card free.
    cards = follow if follow & ~state.trump_jack else free
    cut = trumps & state.beaters
    return cards if (state.is_skat != 0) & (follow != EMPTY) else cards | cut


@kernel
def excused_cards(state, hand):
    """Cards of *hand* that only an Excuse allows.  Rule: eidex K27, X9"""
    if state.n_laid == 0 or not hand & state.led:
        return EMPTY
    left = hand & ~(legal_cards(state, hand) | state.led | state.trumps)
    cards = EMPTY
    while left:
        card = left & ~(left - ONE)
        left ^= card
        if points_of(state, card) <= state.rules.excuse_points:
            cards |= card
    return cards


@kernel
def bound_lead(state, seat):
    """The card that *seat* holds and has to lead since the Seher was shown it, as a set.  Rule: eidex K24"""
    if state.shown_lead == NO_CARD or state.leader != seat:
        return EMPTY
    return bit(state.shown_lead) & state.hands[seat]


@kernel
def black_peter(state):
    """The Ravens Jack as a set where whoever gets it loses the hand, else nothing.  Rule: eidex K14, X5"""
    return RAVENS_JACK if state.is_schwarzpeter and not state.is_guggitaler else EMPTY


@kernel
def barred_from_press(state, seat):
    """Cards that *seat* may not press.  Rule: eidex K14, K31, K32"""
    cards = black_peter(state)
    if state.is_guggitaler or state.is_king_barred:
        cards |= _STARS_KING
    return cards | bit(state.named) if seat == state.initiator else cards


@kernel
def pressable(state, seat):
    """Cards in the hand of *seat* that it may press; not the one that it has to lead."""
    return state.hands[seat] & ~(barred_from_press(state, seat) | bound_lead(state, seat))


@kernel
def open_cards(state):
    """Cards that have been played openly and lie on the table."""
    return state.trick | state.aside[0] | state.aside[1] | state.aside[2] | state.piles[0] | state.piles[1] | state.piles[2] | state.pot


@kernel
def unknown_to(state, seat):
    """Cards that are neither the seat's own nor openly played."""
    return ALL_CARDS & ~(state.hands[seat] | state.pressed[seat] | open_cards(state))


# Pressing


@kernel
def press(state, seat, card):
    """Lay a card face down; the Jackpot's initiator opens the pot with it.  Rule: eidex B8, K32"""
    cards, place = bit(card), PRESSED + seat
    state.hands[seat] ^= cards
    if seat == state.initiator:
        state.donated, state.donated_at, place = cards, IN_POT, DONATED
    else:
        state.pressed[seat] = cards
    state.has_pressed |= 1 << seat
    barred = barred_from_press(state, seat)
    for other in range(3):
        if other == seat:
            show(state, other, place, cards)
        else:
            state.may[other, place] = state.may[other, seat] & ~barred
    if state.n_any_of:
        leave_hand(state, seat, ALL_CARDS)


# Laying cards


@kernel(inline=True)
def lay(state, card, is_face_down, is_excuse, is_free):
    """The seat to act adds *card* to the trick; everybody notes what that tells.

    *is_free* is false for a card that the Fahnder demanded.
    """
    seat, cards, n = np.int64(state.seat), bit(card), state.n_laid
    lack = _lack_shown(state, cards)
    if is_face_down or is_excuse or not is_free:
        lack = EMPTY
    if n == 0:
        state.led = SUIT_CARDS_OF[card]
        if state.ordered != NO_SUIT and SUIT_CARDS[state.ordered] != state.led:
            lack |= SUIT_CARDS[state.ordered]
    elif is_free and state.demanded != NO_CARD:
        lack |= bit(state.demanded)
    state.hands[seat] ^= cards
    if is_excuse:
        _excuse(state, seat, n)
    state.laid[n] = card
    state.n_laid = n + 1
    deny(state, seat, lack)
    if is_face_down:
        _lay_face_down(state, seat, cards, n)
    else:
        state.trick |= cards
        # Whether the card is the best no processor can predict: all ones or zeros choose without a branch.
        is_best = np.uint64(0) - np.uint64((cards & state.beaters != EMPTY) & (not is_excuse))
        beaters = beaters_of(state, np.uint64(state.order), card) | _beaten_by_suit_led(state, cards)
        state.beaters ^= (state.beaters ^ beaters) & is_best
        state.best_seat ^= (np.uint64(state.best_seat) ^ np.uint64(seat)) & is_best
        state.best ^= (np.uint64(state.best) ^ np.uint64(n)) & is_best
    if state.n_any_of:
        leave_hand(state, seat, ALL_CARDS if is_face_down else cards)


@kernel
def _excuse(state, seat, n):
    """The n-th card never wins, and tells that *seat* could follow with more than the trump Jack.  Rule: eidex B16, K27"""
    state.uses_left[seat] -= 1
    state.used[seat] += 1
    state.worthless |= 1 << n
    learn_any_of(state, seat, state.led & ~state.trump_jack)


@kernel
def _lay_face_down(state, seat, cards, n):
    state.uses_left[seat] -= 1
    state.used[seat] += 1
    state.face_down_seat = seat
    state.face_down_in_trick |= 1 << n
    slot = 1 if state.face_down[0] else 0
    state.face_down[slot] = cards
    state.face_down_at[slot] = IN_TRICK + n
    for other in range(3):
        if other != seat:
            move_unseen(state, other, seat, FACE_DOWN + slot)
            if n == 0:
                # She names the suit of a card that she leads.
                state.may[other, FACE_DOWN + slot] &= state.led
        else:
            show(state, other, FACE_DOWN + slot, cards)


@kernel(inline=True)
def _lack_shown(state, card):
    """What the open *card* (a set of one) proves missing in the hand that it came from.

    A cut-in proves nothing without Skat, but an undertrump proves that nothing but trumps is left; a discard proves that the suit led is
    missing, except the trump Jack.  Rule: eidex B11, B13, B16, K13
    """
    led, trumps, beaters = state.led, state.trumps, state.beaters
    obliging, plain = led & ~state.trump_jack, ALL_CARDS & ~trumps
    is_cut = card & trumps & ~led != EMPTY
    lack = obliging if card & ~(led | trumps) else EMPTY
    lack = led if is_cut & (state.is_skat != 0) else lack
    return plain if is_cut & (card & beaters == EMPTY) else lack


@kernel
def take_back_last(state):
    """The card laid last leaves the trick; as a set, and the slot of a face-down card or -1."""
    n = np.int64(state.n_laid) - 1
    card, slot = bit(state.laid[n]), _slot_in_trick(state, n)
    state.trick &= ~card
    state.n_laid = n
    state.face_down_in_trick &= ~(1 << n)
    state.worthless &= ~(1 << n)
    if n == 0:
        state.led = EMPTY
    judge(state)
    return card, slot


@kernel
def _slot_in_trick(state, n):
    """Slot of the face-down card that is the n-th of the trick, -1 if that lies open."""
    for slot in range(2):
        if state.face_down[slot] and state.face_down_at[slot] == IN_TRICK + n:
            return slot
    return _NO_SLOT


@kernel
def take_up(state, seat, cards, slot):
    """A card that had been laid returns to the hand of *seat*: open, or from a slot of face-down cards."""
    state.hands[seat] |= cards
    if slot < 0:
        show_to_all(state, seat, cards)
        return
    state.face_down[slot], state.face_down_at[slot] = EMPTY, NOWHERE
    for other in range(3):
        if other == seat:
            show(state, other, seat, cards)
        else:
            move_unseen(state, other, FACE_DOWN + slot, seat)


@kernel
def put_aside(state):
    """The card laid last is rejected: it lies aside until the trick ends.  Rule: eidex K23"""
    card, slot = take_back_last(state)
    if slot < 0:
        state.aside[state.seat] |= card
    else:
        state.face_down_at[slot] = ASIDE
    if state.demanded != NO_CARD and card == bit(state.demanded):
        state.demanded = NO_CARD


@kernel
def take_up_aside(state):
    """The rejected cards return to the hands that they came from."""
    for seat in range(3):
        if state.aside[seat]:
            take_up(state, seat, state.aside[seat], _NO_SLOT)
            state.aside[seat] = EMPTY
    for slot in range(2):
        if state.face_down_at[slot] == ASIDE:
            take_up(state, np.int64(state.face_down_seat), state.face_down[slot], slot)


@kernel
def take_up_trick(state):
    """All cards of the trick, and the rejected ones, return to the hands.  Rule: eidex K29"""
    for n in range(np.int64(state.n_laid)):
        take_up(state, seat_at(state, n), bit(state.laid[n]), _slot_in_trick(state, n))
    take_up_aside(state)
    clear_trick(state)


@kernel
def clear_trick(state):
    """No trick lies on the table, and no wish of the last one holds."""
    state.n_laid = 0
    state.trick = EMPTY
    state.led = EMPTY
    state.beaters = ALL_CARDS
    state.worthless = 0
    state.face_down_in_trick = 0
    state.best_seat = NOBODY
    state.drawn = NO_CARD
    state.demanded = NO_CARD
    state.ordered = NO_SUIT
    state.refused_for = NOBODY
    state.gift_to = NOBODY
    state.owner_declared = NOBODY
    state.is_claimed = False
    if state.swapped[0] != NO_CARD:
        state.swapped[0], state.swapped[1] = NO_CARD, NO_CARD
        state.is_bent = state.revalued != EMPTY


# Points


@kernel
def set_planes(state, values):
    """Make *values* (36 numbers) the points of the cards."""
    for plane in range(N_PLANES):
        cards = EMPTY
        for card in range(36):
            if values[card] >> plane & 1:
                cards |= bit(card)
        state.planes[plane] = cards


@kernel
def own_cards(state, seat):
    """Cards that count for *seat*: its pile, its pressed card, and what lies face down in its pile."""
    cards = state.piles[seat] | state.pressed[seat]
    if state.donated_at == seat:
        cards |= state.donated
    for slot in range(2):
        if state.face_down_at[slot] == seat:
            cards |= state.face_down[slot]
    return cards


@kernel
def card_points(state, seat):
    """Points of the cards of *seat* so far, of the last trick, and what was added or taken off.  Rule: eidex K5, K20"""
    points = points_of(state, own_cards(state, seat)) + state.adjustments[seat]
    if state.bonus_seat == seat and not state.is_guggitaler:
        points += LAST_TRICK_POINTS
    return points


@kernel
def is_last_trick(state):
    """Whether nobody will hold a card after this trick."""
    aside = state.aside[0] | state.aside[1] | state.aside[2]
    is_hidden_aside = state.face_down_at[0] == ASIDE or state.face_down_at[1] == ASIDE
    return not (state.hands[0] | state.hands[1] | state.hands[2] | aside) and not is_hidden_aside


# Collecting


@kernel
def trick_cards(state):
    """All cards of the trick, open and face down."""
    cards = EMPTY
    for n in range(np.int64(state.n_laid)):
        cards |= bit(state.laid[n])
    return cards


@kernel
def trick_winner(state):
    """Seat that wins the trick, and whether the Sphinx had the last word on whose it is.  Rule: eidex K36"""
    if not state.face_down_in_trick:
        return np.int64(state.best_seat), False
    if state.owner_declared != NOBODY:
        return np.int64(state.owner_declared), True
    winner = _true_winner(state)
    _note_announced(state, winner)
    return winner, False


@kernel
def _true_winner(state):
    """Seat that wins the trick by the rank of all its cards."""
    best, _ = best_laid(state, np.int64(state.order), WITH_HIDDEN)
    return seat_at(state, best)


@kernel
def _note_announced(state, winner):
    """Keep for a face-down card only what agrees with the winner that the Sphinx truly announced."""
    hidden = state.face_down_in_trick
    if hidden & (hidden - 1):
        return
    n = 0
    while not hidden >> n & 1:
        n += 1
    true_card, cards = state.laid[n], EMPTY
    left = ALL_CARDS & ~state.trick
    if n == 0:
        left &= state.led
    while left:
        card = lowest(left)
        left &= left - ONE
        state.laid[n] = card
        if _true_winner(state) == winner:
            cards |= bit(card)
    state.laid[n] = true_card
    slot = _slot_in_trick(state, n)
    for seat in range(3):
        state.may[seat, FACE_DOWN + slot] &= cards


@kernel
def win_pot(state, seat):
    """Give the Jackpot to *seat* and close it.  Rule: eidex K32"""
    state.piles[seat] |= state.pot
    state.pot = EMPTY
    state.is_pot_open = False
    if state.donated_at == IN_POT:
        state.donated_at = seat
    for slot in range(2):
        if state.face_down_at[slot] == IN_POT:
            state.face_down_at[slot] = seat


@kernel(inline=True)
def collect(state):
    """Put the cards of the trick where they belong and settle who leads next."""
    is_moved = state.is_claimed or state.gift_to != NOBODY or state.justice_left or state.is_pot_open
    if is_moved or state.face_down_seat != NOBODY or state.aside[0] | state.aside[1] | state.aside[2]:
        _collect_specially(state)
        return
    # No power has touched the trick: the way of most.
    winner = np.int64(state.best_seat)
    state.piles[winner] |= state.trick
    state.last_entry[winner] = state.trick
    state.has_entry |= 1 << winner
    _count_trick(state, winner, winner)
    if not state.hands[0] | state.hands[1] | state.hands[2]:
        state.bonus_seat = winner
    state.leader = winner
    clear_trick(state)


@kernel(inline=True)
def _count_trick(state, receiver, sweeper):
    """One trick more for *receiver*; *sweeper* is who has won it for a Match."""
    state.tricks_won[receiver] += 1
    state.rejected = EMPTY
    state.sweeper = sweeper if state.sweeper == UNDECIDED or state.sweeper == sweeper else BROKEN
    state.n_tricks += 1


@kernel
def _collect_specially(state):
    """The same where a power may have moved the trick.  Rule: eidex K3, K12, K19, K32, X1, X11"""
    is_last = is_last_trick(state)
    cards = trick_cards(state) if state.face_down_in_trick else state.trick
    winner, has_spoken = trick_winner(state)
    owner = np.int64(state.claimant) if state.is_claimed and not has_spoken else winner
    is_by_rank = not has_spoken or _true_winner(state) == owner
    is_justice = state.justice_left > 0
    is_potted = state.is_pot_open and not is_justice and not cards & ~ANIMALS
    gift_to = np.int64(state.gift_to)
    is_given = gift_to != NOBODY and not is_justice and not is_potted
    receiver = gift_to if is_given else owner
    if state.face_down_in_trick and state.is_pot_open and not is_justice and not state.trick & ~ANIMALS:
        _note_kind(state, is_potted)
    is_pot_won = state.is_pot_open and cards & bit(state.named) != EMPTY
    if state.face_down_in_trick and state.is_pot_open:
        _note_named(state, is_pot_won)
    if is_justice:
        for n in range(np.int64(state.n_laid)):
            _put_in_pile(state, n, seat_at(state, n), n >= 3)
        state.justice_left -= 1
    elif is_potted:
        state.pot |= state.trick
        for slot in range(2):
            if state.face_down[slot] and state.face_down_at[slot] >= IN_TRICK:
                state.face_down_at[slot] = IN_POT
                state.is_last_entry[slot] = False
    else:
        for n in range(np.int64(state.n_laid)):
            _put_in_pile(state, n, receiver, n > 0)
    if is_pot_won:
        win_pot(state, _layer_of(state, state.named) if is_justice else receiver)
    _count_trick(state, receiver, winner if owner == winner and is_by_rank and not is_given else BROKEN)
    if is_last:
        state.bonus_seat = owner
    state.leader = owner if gift_to == NOBODY else gift_to
    if not is_last:
        take_up_aside(state)
    clear_trick(state)


@kernel
def _layer_of(state, card):
    """Seat that laid *card* to the trick."""
    for n in range(np.int64(state.n_laid)):
        if state.laid[n] == card:
            return seat_at(state, n)
    return NOBODY


@kernel
def _put_in_pile(state, n, seat, is_same_entry):
    """Put the n-th card of the trick into the pile of *seat*, where it begins an entry or joins the one before."""
    if not is_same_entry:
        state.last_entry[seat] = EMPTY
        for slot in range(2):
            if state.face_down_at[slot] == seat:
                state.is_last_entry[slot] = False
    slot = _slot_in_trick(state, n)
    if slot >= 0:
        state.face_down_at[slot] = seat
        state.is_last_entry[slot] = True
    else:
        state.piles[seat] |= bit(state.laid[n])
        state.last_entry[seat] |= bit(state.laid[n])
    state.has_entry |= 1 << seat


@kernel
def _note_kind(state, is_potted):
    """Where the trick goes tells whether the one card that lies face down in it is an animal."""
    hidden = state.face_down_in_trick
    if hidden & (hidden - 1):
        return
    for slot in range(2):
        if state.face_down[slot] and state.face_down_at[slot] >= IN_TRICK:
            deny(state, FACE_DOWN + slot, ~ANIMALS if is_potted else ANIMALS)


@kernel
def _note_named(state, is_pot_won):
    """Whether the Jackpot is won tells whether the one card that lies face down is the named Seven, if that does not lie open."""
    hidden, named = state.face_down_in_trick, bit(state.named)
    if hidden & (hidden - 1) or state.trick & named:
        return
    for slot in range(2):
        if state.face_down[slot] and state.face_down_at[slot] >= IN_TRICK:
            if is_pot_won:
                show_to_all(state, FACE_DOWN + slot, named)
            else:
                deny(state, FACE_DOWN + slot, named)


@kernel
def drop_highest(cards, n):
    """*cards* without the *n* last of them in deck order."""
    for _ in range(n):
        cards ^= bit(highest(cards))
    return cards
