"""What questions have in common: follow-ups, the usual sets of answers, and rules of thumb."""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest, nth, popcount
from simcore.games.eidex.basic import press_score
from simcore.games.eidex.cards import ALL_CARDS, SUIT_CARDS
from simcore.games.eidex.powers.orders import FIRST_SEAT, MINUS, NO, NO_BIT, PLUS, RANK_CARDS, SEAT_BITS, YES, YES_OR_NO
from simcore.games.eidex.powers.table import bound_lead, card_points, fellows, open_cards
from simcore.games.eidex.scoring import hand_points
from simcore.games.eidex.state import points_of
from simcore.jit import kernel
from simcore.rng import below

# A lead over the mean of the others of this many points for each card left makes the highest place the aim.
_LEAD_PER_CARD = 2.7
_SAFE_DISTANCE = 21  # below the limit
_FEW_CARDS = 3  # in hand, with which a Match is near for whoever has won every trick
_ACES, _KINGS = RANK_CARDS[8], RANK_CARDS[7]


@kernel
def then(state):
    """Ask the question that follows in the character's file next."""
    state.agenda |= ONE << np.uint64(state.number + 1)


@kernel
def again(state):
    """Ask this question once more."""
    state.agenda |= ONE << np.uint64(state.number)


@kernel
def yes_or_no(state):
    """Always asked: yes or no."""
    return YES_OR_NO


@kernel
def no_or_fellows(state):
    """No, or one of the two others."""
    return NO_BIT | (SEAT_BITS[0] | SEAT_BITS[1] | SEAT_BITS[2]) ^ SEAT_BITS[state.owner]


@kernel
def seat_in(move):
    """Seat that the answer *move* names."""
    return np.int64(move) - FIRST_SEAT


@kernel
def declines(state, word):
    """Never."""
    return np.uint64(NO)


@kernel
def picks_any(state, word):
    """Any answer but no."""
    moves = state.moves & ~NO_BIT
    return nth(moves, below(word, popcount(moves)))


@kernel
def yes_if(condition):
    """Yes or no as a move."""
    return np.uint64(YES) if condition else np.uint64(NO)


@kernel
def collects(state, seat):
    """Whether *seat* aims at the highest place: its lead is large for the cards that are left, and the limit is not near.

    Or at a Match: it has won every trick, and is over the limit without one or near the last trick.
    """
    first, second = fellows(seat)
    mine = points_of(state, state.piles[seat] | state.pressed[seat])
    others = points_of(state, state.piles[first]) + points_of(state, state.piles[second])
    n_cards = np.int64(popcount(state.hands[seat]))
    if state.sweeper == seat and (mine >= state.limit or n_cards <= _FEW_CARDS):
        return True
    return mine - 0.5 * others > _LEAD_PER_CARD * n_cards and mine < state.limit - _SAFE_DISTANCE


@kernel
def rival(state, seat):
    """The fellow with fewer points in his pile, who contends for the lowest place."""
    first, second = fellows(seat)
    return first if points_of(state, state.piles[first]) <= points_of(state, state.piles[second]) else second


@kernel
def unseen_by(state, seat):
    """Cards that *seat* has not seen: in the hands of the others or hidden on the table."""
    return ALL_CARDS & ~(state.hands[seat] | state.pressed[seat] | open_cards(state))


@kernel
def most_dangerous(state, seat, cards):
    """Of *cards*, the one that a player who aims low would press."""
    unseen, best, best_score = unseen_by(state, seat), lowest(cards), np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        score = press_score(state, card, unseen)
        if score > best_score:
            best, best_score = card, score
    return best


@kernel
def heaviest(state, cards):
    """Of *cards*, the first with the most points."""
    best, best_points = lowest(cards), np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        points = points_of(state, bit(card))
        if points > best_points:
            best, best_points = card, points
    return best


@kernel
def lightest(state, cards):
    """Of *cards*, the first with the fewest points."""
    best, best_points = lowest(cards), np.int64(99)
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        points = points_of(state, bit(card))
        if points < best_points:
            best, best_points = card, points
    return best


@kernel
def strength(state, seat):
    """How strong the hand of *seat* is: two for each trump, Ace and King; about 9 on average with twelve cards and a trump."""
    hand = state.hands[seat]
    high = hand & ~state.trumps & (_ACES | _KINGS)
    return 2 * np.int64(popcount(hand & state.trumps)) + np.int64(popcount(high))


@kernel
def void_suit(state, seat):
    """A suit of which *seat* holds nothing while others have some, -1 when there is none."""
    unseen = unseen_by(state, seat)
    for suit in range(4):
        cards = SUIT_CARDS[suit]
        if not state.hands[seat] & cards and unseen & cards and cards != state.trumps:
            return suit
    return -1


@kernel
def likely_points(state, seat):
    """Points of *seat* and of its fellows at the end as *seat* can tell: what it has not seen is split between the two others."""
    first, second = fellows(seat)
    mine = points_of(state, state.piles[seat] | state.pressed[seat]) + state.adjustments[seat]
    hidden = points_of(state, unseen_by(state, seat))
    a = points_of(state, state.piles[first]) + hidden // 2 + state.adjustments[first]
    b = points_of(state, state.piles[second]) + hidden - hidden // 2 + state.adjustments[second]
    bonus = np.int64(0 if state.is_guggitaler else 5)
    return mine + bonus * (state.bonus_seat == seat), a + bonus * (state.bonus_seat == first), b + bonus * (state.bonus_seat == second)


@kernel
def best_adjustment(state, points):
    """Add, take off or leave *points*: whatever brings the owner most victory points, now that all points are known."""
    seat = np.int64(state.owner)
    right, left = fellows(seat)
    mine, first, second = card_points(state, seat), card_points(state, right), card_points(state, left)
    none = hand_points(mine, first, second, state.limit)
    more = hand_points(mine + points, first, second, state.limit)
    less = hand_points(mine - points, first, second, state.limit)
    if more > none and more >= less:
        return np.uint64(PLUS)
    return np.uint64(MINUS) if less > none else np.uint64(NO)


@kernel
def lead_is_shown(state):
    """Whether the leader is bound to the card that was shown to the Seher."""
    return bound_lead(state, np.int64(state.leader)) != EMPTY
