"""Laying cards, their verdicts, no-play, guessing: the moves of a round, and what all learn from them."""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest, nth, popcount
from simcore.games.eleusis.cards import N_TYPES, add_card, clear_pile, n_cards, remove_card, take_lowest, types_in
from simcore.games.eleusis.library import WORD, next_features, right_cards, tables
from simcore.games.eleusis.state import (
    DECLINE,
    DONE,
    GUESS,
    LAID_WRONG,
    MORE,
    NAME,
    NO_PLAY,
    NOBODY,
    OVER,
    PROPHET,
    RIGHT,
    TURN,
    VERDICT,
    WRONG,
    extend_row,
    next_seat,
    put_under,
    shuffle_stock,
    take_top,
)
from simcore.jit import kernel
from simcore.rng import below, mix

# The fourth marker lies on this card, not counting the start card.  Rule: eleusis E18d
_MARKED = 40
_PENALTY = 5


@kernel
def seat_to_act(state):
    """Seat that decides now."""
    return state.prophet if state.decision == VERDICT else state.seat


@kernel
def is_over(state):
    """Whether the round is finished."""
    return state.decision == OVER


@kernel
def legal_moves(state):
    """Moves open to the seat to act.  Rule: eleusis E1, E3, E5, E18"""
    if state.decision == TURN:
        return types_in(state.hands[state.seat]) | bit(NO_PLAY)
    if state.decision == MORE:
        return types_in(state.hands[state.seat]) | bit(DONE)
    if state.decision == GUESS:
        return state.guessable | bit(DECLINE) | (bit(PROPHET) if _may_be_prophet(state) else EMPTY)
    if state.decision == NAME:
        return tables().rules[state.word]
    return bit(RIGHT) | bit(WRONG)


@kernel
def _may_be_prophet(state):
    """Who has just laid right, not announced a no-play: he marks his card.  Rule: eleusis E18b"""
    return state.rules.prophet == 1 and state.prophet == NOBODY and not state.by_no_play and types_in(state.hands[state.seat]) != EMPTY


@kernel
def play(state, move):
    """Carry out *move* for the seat to act."""
    if state.decision == GUESS:
        _answer(state, move)
    elif state.decision == NAME:
        _name_rule(state, move)
    elif state.decision == VERDICT:
        _hear_prophet(state, move == RIGHT)
    elif move == NO_PLAY:
        _announce_no_play(state)
    elif move == DONE:
        _end_sequence(state)
    else:
        _lay(state, move)


@kernel
def _lay(state, card):
    """Lay *card* at the end of the row; in the full game more may follow.  Rule: eleusis E1, E18a"""
    seat = state.seat
    hand, shown = state.hands[seat], state.shown[seat]
    remove_card(hand, card)
    if types_in(shown) & bit(card):
        remove_card(shown, card)
    state.laid[state.n_laid] = card
    state.n_laid += 1
    state.n_pending += 1
    if state.rules.full == 1 and types_in(hand):
        state.decision = MORE
    else:
        _end_sequence(state)


@kernel
def _end_sequence(state):
    """Have the cards of the turn judged.  Rule: eleusis E18b"""
    if state.prophet != NOBODY:
        state.decision = VERDICT
    else:
        _judge(state, True)


@kernel
def _hear_prophet(state, says_right):
    """The Prophet judges; if the dealer corrects him he is overthrown.  Rule: eleusis E18b"""
    goes_on = True
    if says_right != sequence_is_right(state):
        seat = state.prophet
        state.prophet = NOBODY
        goes_on = _draw(state, seat, _PENALTY)
    _judge(state, goes_on)


@kernel
def sequence_is_right(state):
    """Whether all cards that wait for their verdict are right, one after the other."""
    features, last = state.features, state.last
    for k in range(state.n_pending):
        card = state.laid[state.n_laid - state.n_pending + k]
        if not right_cards(state.secret, features, last) & bit(card):
            return False
        features = next_features(features, state.n_row + k + 1, last, card)
        last = card
    return True


@kernel
def _judge(state, goes_on):
    """The dealer's verdict on the sequence, and what it brings about.  Rule: eleusis E2, E3, E18a"""
    seat, n = state.seat, np.int64(state.n_pending)
    is_right = sequence_is_right(state)
    _learn(state, is_right)
    state.n_pending = 0
    first = state.n_laid - n
    if is_right:
        for k in range(first, state.n_laid):
            extend_row(state, state.laid[k])
        state.n_right[seat] += n
        _was_right(state, goes_on, False)
        return
    for k in range(first, state.n_laid):
        state.laid[k] |= LAID_WRONG
    state.n_wrong[seat] += n
    if state.rules.expulsion == 1 and state.n_laid - 1 > _MARKED:
        state.out |= bit(seat)
    if _draw(state, seat, 2 * n if state.rules.full == 1 else n) and goes_on:
        _pass_on(state)
    else:
        state.decision = OVER


@kernel
def sequence_accepting(state, word):
    """Rules of the library's *word* by which all cards that wait for their verdict are right, a uint64 set."""
    features, last = state.features, state.last
    first = state.n_laid - state.n_pending
    rules = ~EMPTY
    for k in range(state.n_pending):
        card = state.laid[first + k]
        rules &= tables().accept[features >> tables().feature[word] & ONE, last, card, word]
        if state.n_pending > 1:
            features = next_features(features, state.n_row + k + 1, last, card)
            last = card
    return rules


@kernel
def _learn(state, is_right):
    """Narrow the possible rules by the verdict on the sequence: to those by which all of it is right, or to the others."""
    for word in range(state.n_words):
        rules = sequence_accepting(state, word)
        state.possible[word] &= rules if is_right else ~rules


@kernel
def accepting(state, card, word):
    """Rules of the library's *word* by which *card* is right now, a uint64 set."""
    return tables().accept[state.features >> tables().feature[word] & ONE, state.last, card, word]


@kernel
def _was_right(state, goes_on, by_no_play):
    """The seat whose turn it is may guess, unless the round stops here.  Rule: eleusis E3, E5, E7"""
    state.by_no_play = by_no_play
    if not types_in(state.hands[state.seat]):
        state.emptied = state.seat
    state.decision = GUESS if goes_on else OVER


@kernel
def _announce_no_play(state):
    """The player shows his hand; the dealer finds a card that fits, or it goes under the stock.  Rule: eleusis E4, E5, E18c"""
    seat = state.seat
    hand, shown = state.hands[seat], state.shown[seat]
    state.n_no_plays[seat] += 1
    shown[:] = hand
    types = types_in(hand)
    fitting = types & right_cards(state.secret, state.features, state.last)
    if fitting:
        # Chance by what lies on the table, so that a round which is told again goes the same way.
        bits = mix(hand[0] ^ mix(hand[1] ^ mix(np.uint64(state.n_laid))))
        card = nth(fitting, below(bits, popcount(fitting)))
        for word in range(state.n_words):
            state.possible[word] &= accepting(state, card, word)
        remove_card(hand, card)
        remove_card(shown, card)
        state.laid[state.n_laid] = card
        state.n_laid += 1
        extend_row(state, card)
        if _draw(state, seat, _PENALTY if state.rules.full_no_play == 1 else 1):
            _pass_on(state)
        else:
            state.decision = OVER
        return
    while types:
        card = lowest(types)
        types &= types - ONE
        for word in range(state.n_words):
            state.possible[word] &= ~accepting(state, card, word)
    n = n_cards(hand)
    for _ in range(n):
        put_under(state, take_lowest(hand))
    clear_pile(shown)
    _draw(state, seat, max(n - (4 if state.rules.full_no_play == 1 else 1), 0))
    _was_right(state, True, True)


@kernel
def _answer(state, move):
    """Guess, decline, or become the Prophet.  Rule: eleusis E3, E9, E18b"""
    if move < WORD - 2:
        state.word = move
        state.decision = NAME
        return
    if move == PROPHET:
        state.prophet = state.seat
    _after_guess(state)


@kernel
def _name_rule(state, move):
    """Whether the guess is the secret rule; a wrong one is heard by all.  Rule: eleusis E8, E9"""
    state.n_guesses[state.seat] += 1
    if WORD * np.int64(state.word) + np.int64(move) == state.secret:
        state.solver = state.seat
    else:
        state.possible[state.word] &= ~bit(move)
    _after_guess(state)


@kernel
def _after_guess(state):
    """The round ends with a right guess or an emptied hand.  Rule: eleusis E7"""
    if state.solver != NOBODY or state.emptied != NOBODY:
        state.decision = OVER
    else:
        _pass_on(state)


@kernel
def _pass_on(state):
    """The turn goes to the next one who plays; without one the round ends."""
    seat = np.int64(state.seat)
    for _ in range(state.n_seats):
        seat = next_seat(state, seat)
        if seat != state.dealer and seat != state.prophet and not state.out >> seat & 1:
            state.seat = seat
            state.decision = TURN
            return
    state.decision = OVER


@kernel
def _draw(state, seat, n):
    """Draw *n* cards; False where the stock does not suffice: what is missing counts as held.  Rule: eleusis E10"""
    for k in range(n):
        if state.n_stock == 0 and state.third_pack:
            _open_third_pack(state)
        if state.n_stock == 0:
            state.owed[seat] += n - k
            state.stock_failed = 1
            return False
        # The order of the cards that went under the stock is known to all.
        is_seen = state.n_unseen == 0
        card = take_top(state)
        add_card(state.hands[seat], card)
        if is_seen:
            add_card(state.shown[seat], card)
    return True


@kernel
def _open_third_pack(state):
    for k in range(N_TYPES):
        state.stock[k] = k
    state.top = 0
    state.n_stock = N_TYPES
    state.n_unseen = N_TYPES
    state.chance = shuffle_stock(state, N_TYPES, state.chance)
    state.third_pack = 0
