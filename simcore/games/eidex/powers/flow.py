"""The flow of a hand: questions in their order, and the steps between them.

While any question is left on the agenda it is asked; a question with one option is answered unasked. Then the next step of the hand is
taken (see `phases`), which may lay a card, ask for one, or put the questions of the next moment on the agenda: those of the characters at
the table alone, so that a moment at which nobody acts costs one comparison.
"""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest
from simcore.games.eidex.cards import SUIT_CARDS
from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.characters.laser import LASER, SEHER, press_for, presses_for
from simcore.games.eidex.characters.schuechterne import draw_lead
from simcore.games.eidex.characters.seher import see_pressed, show_lead
from simcore.games.eidex.powers.character import (
    AFTER_CARD,
    AFTER_LAST_TRICK,
    BEFORE_CARD,
    BEFORE_LEAD,
    LEAD_DRAWN,
    TRICK_COMPLETE,
    TRICK_SETTLED,
)
from simcore.games.eidex.powers.knowledge import DONATED, FACE_DOWN, PRESSED, show_to_all
from simcore.games.eidex.powers.orders import NO, NO_BIT, RIGHT
from simcore.games.eidex.powers.phases import (
    ADJUSTING,
    BEFORE_TRICK,
    CHANGES,
    CHOOSING,
    COLLECTING,
    COMPLETE,
    DRAWING,
    ENDED,
    LAID,
    LASER_PRESSES,
    MOMENT_OF_PHASE,
    NEXT_CARD,
    PRESSING,
    REPLAYING,
    SEHER_PRESSES,
    SHOWING,
    STANDS,
)
from simcore.games.eidex.powers.questions import AGAIN, AT_MOMENT, NEEDS_USE, OWNERS, USES, answer, options
from simcore.games.eidex.powers.table import (
    BROKEN,
    collect,
    draw,
    excused_cards,
    lay,
    legal_cards,
    press,
    pressable,
    seat_at,
    seat_of,
    win_pot,
)
from simcore.games.eidex.state import CARD, NO_CARD, NOBODY, OVER, PRESS
from simcore.jit import kernel

# The questions of the moments of a trick.
_AFTER_CARD, _TRICK_COMPLETE, _TRICK_SETTLED, _BEFORE_LEAD, _LEAD_DRAWN, _BEFORE_CARD, _AFTER_LAST_TRICK = (
    AT_MOMENT[moment] for moment in (AFTER_CARD, TRICK_COMPLETE, TRICK_SETTLED, BEFORE_LEAD, LEAD_DRAWN, BEFORE_CARD, AFTER_LAST_TRICK)
)
_BETWEEN_CARDS = _AFTER_CARD | _BEFORE_CARD
# Decisions: PRESS, CARD, OVER, then the questions by their number.
FIRST_QUESTION = OVER + 1
# As numpy numbers, because numba compiles a function anew for every Python number written in a call.
_NO_EXCUSE, _FREE, _DEMANDED = np.bool_(False), np.bool_(True), np.bool_(False)
EXCUSE = np.int64(NAMES.index("excuse"))


@kernel
def legal_moves(state):
    """What the seat to act may answer."""
    return state.moves


@kernel
def play(state, move):
    """Carry out *move* and go on to the next decision."""
    decision = state.decision
    if decision == CARD:
        is_excuse = state.active[state.seat] == EXCUSE and bit(move) & excused_cards(state, state.hands[state.seat]) != EMPTY
        _lay(state, move, is_excuse, _FREE)
        if state.n_laid != 3 and state.n_laid != 6 and state.demanded == NO_CARD and not state.powers & _BETWEEN_CARDS:
            # The short way of most cards: the next seat follows and nobody has anything to ask.
            state.seat = seat_at(state, np.int64(state.n_laid))
            state.moves = _following(state, np.int64(state.seat))
            return
    elif decision == PRESS:
        press(state, np.int64(state.seat), np.int64(move))
    else:
        _answer(state, decision - FIRST_QUESTION, move)
    advance(state)


@kernel
def advance(state):
    """Go on until somebody has to decide, or the hand is over."""
    while True:
        while state.agenda:
            number = np.int64(lowest(state.agenda))
            state.agenda &= state.agenda - ONE
            if _pose(state, number):
                return
        if _take_step(state):
            return


@kernel(is_part=True)
def _seat_of_owner(state, number):
    """Seat whose power question *number* belongs to; that it is at the table needs no test, and which seat no branch."""
    owner = OWNERS[np.uint64(number)]
    return np.int64(state.active[1] == owner) + 2 * np.int64(state.active[2] == owner)


@kernel(is_part=True)
def _pose(state, number):
    """Put a question; false when there is nothing to ask or one answer only, which is then given."""
    owner = _seat_of_owner(state, number)
    if NEEDS_USE >> np.uint64(number) & ONE and not state.uses_left[owner]:
        # Spent: it need not be put again in this hand.
        state.powers &= ~bit(number)
        return False
    state.owner, state.seat, state.number = owner, owner, number
    moves = options(number, state)
    if not moves & (moves - ONE):
        if moves:
            _answer(state, number, lowest(moves))
        return False
    state.decision = FIRST_QUESTION + number
    state.moves = moves
    return True


@kernel
def _answer(state, number, move):
    if USES >> np.uint64(number) & ONE and move != NO and move != RIGHT:
        state.used[state.owner] += 1
    answer(number, state, move)


@kernel(is_part=True)
def _asks(state, questions, phase):
    """Put those of *questions* that the characters at the table may raise on the agenda, if any; *phase* comes after them."""
    agenda = state.powers & questions
    if agenda:
        state.agenda = agenda
        state.phase = phase
    return agenda != EMPTY


@kernel(is_part=True)
def _take_step(state):
    """Go on until there is a question; true when somebody has to press or play a card, or the hand is over.

    Each phase of a trick falls into the next when nobody has anything to ask: the way of most cards.
    """
    phase = np.int64(state.phase)
    if phase < BEFORE_TRICK:
        return _take_early_step(state)
    if phase == CHOOSING:
        return _ask_card(state)
    if phase == LAID:
        if _asks(state, _AFTER_CARD, STANDS):
            return False
        phase = STANDS
    if phase == NEXT_CARD or (phase == STANDS and state.n_laid != 3 and state.n_laid != 6):
        return _next_card(state)
    if phase == STANDS:
        if _asks(state, _TRICK_COMPLETE, COMPLETE):
            return False
        phase = COMPLETE
    if phase == COMPLETE:
        if _asks(state, _TRICK_SETTLED, COLLECTING):
            return False
        phase = COLLECTING
    if phase == COLLECTING:
        collect(state)
        phase = BEFORE_TRICK
    if phase == BEFORE_TRICK:
        if not state.hands[state.leader]:
            return _end_tricks(state)
        if _asks(state, _BEFORE_LEAD, DRAWING):
            return False
        phase = DRAWING
    if phase == REPLAYING:
        if _asks(state, AGAIN, DRAWING):
            return False
        phase = DRAWING
    if phase > DRAWING:
        return _finish(state)
    if state.refused_for != NOBODY:
        draw_lead(state)
        if _asks(state, _LEAD_DRAWN, NEXT_CARD):
            return False
    return _next_card(state)


@kernel(is_part=True)
def _finish(state):
    """Ask for the adjustments, then the hand is over."""
    if state.phase == ADJUSTING and _asks(state, _AFTER_LAST_TRICK, ENDED):
        return False
    state.decision = OVER
    state.moves = EMPTY
    return True


@kernel(is_part=True)
def _take_early_step(state):
    """A step before the first trick."""
    phase = np.int64(state.phase)
    if phase == LASER_PRESSES:
        return _press_for_others(state)
    if phase == PRESSING:
        return _ask_press(state)
    if phase == SEHER_PRESSES:
        seher = seat_of(state, SEHER)
        state.phase = CHANGES
        return False if seher == NOBODY else _let_press(state, seher)
    if phase == SHOWING:
        _show_seher(state)
    state.agenda = state.powers & AT_MOMENT[MOMENT_OF_PHASE[phase]]
    state.phase = phase + 1
    return False


# Pressing


@kernel
def _press_for_others(state):
    """The Laser presses first, for all but the Seher.  Rule: eidex K21"""
    laser = seat_of(state, LASER)
    state.phase = PRESSING
    if laser == NOBODY:
        return False
    for n in range(3):
        seat = seat_at(state, n)
        if presses_for(state, seat) and not state.has_pressed >> seat & 1:
            press_for(state, seat)
    state.laser_leads = state.leader != laser
    state.used[laser] += 1
    return False


@kernel
def _ask_press(state):
    """The next seat that has not pressed, from forehand; the Seher last.  Rule: eidex B8, K24"""
    seher = seat_of(state, SEHER)
    for n in range(3):
        seat = seat_at(state, n)
        if seat != seher and not state.has_pressed >> seat & 1:
            return _let_press(state, seat)
    state.phase = SHOWING
    return False


@kernel
def _let_press(state, seat):
    state.seat = seat
    state.decision = PRESS
    state.moves = pressable(state, seat)
    return True


@kernel
def _show_seher(state):
    """The Seher sees the pressed cards and the first lead, which the Laser may have to draw.  Rule: eidex K24"""
    seher, laser = seat_of(state, SEHER), seat_of(state, LASER)
    if seher == NOBODY:
        return
    see_pressed(state, seher, laser)
    state.used[seher] += 1
    if state.laser_leads and state.leader != seher:
        state.laser_leads = False
        show_lead(state, seher, np.int64(draw(state, state.hands[state.leader])))


# Tricks


@kernel
def _end_tricks(state):
    """With no cards left, an open pot goes to whoever pressed its card; a Match leaves nothing to adjust.  Rule: eidex K32"""
    if state.is_pot_open:
        for seat in range(3):
            if state.pressed[seat] & bit(state.named):
                win_pot(state, seat)
    state.phase = ADJUSTING if state.sweeper == BROKEN else ENDED
    if state.phase == ADJUSTING and state.powers & _AFTER_LAST_TRICK:
        _reveal(state)
    return False


@kernel
def _reveal(state):
    """All points are known before anybody adjusts his, and with them what lies face down.  Rule: eidex K5"""
    for seat in range(3):
        show_to_all(state, PRESSED + seat, state.pressed[seat])
    show_to_all(state, DONATED, state.donated)
    for slot in range(2):
        show_to_all(state, FACE_DOWN + slot, state.face_down[slot])


@kernel(inline=True)
def _next_card(state):
    """The next seat lays a card: one that a power forces, or one of its choice."""
    n = np.int64(state.n_laid)
    seat = seat_at(state, n)
    if n == 0:
        hand = state.hands[seat]
        drawn, laser_leads = np.int64(state.drawn), state.laser_leads
        state.drawn, state.laser_leads = NO_CARD, False
        if drawn != NO_CARD:
            state.shown_lead = NO_CARD
            return _lay_forced(state, seat, drawn, _FREE)
        if laser_leads:
            state.shown_lead = NO_CARD
            return _lay_forced(state, seat, np.int64(draw(state, _leads(state, hand))), _FREE)
    elif state.demanded != NO_CARD and bit(state.demanded) & state.hands[seat]:
        return _lay_forced(state, seat, np.int64(state.demanded), _DEMANDED)
    if _asks(state, _BEFORE_CARD, CHOOSING):
        return False
    return _ask_card(state)


@kernel(inline=True)
def _leads(state, hand):
    """Cards that may be led: of the ordered suit, if there are any.  Rule: eidex K15"""
    ordered = hand & SUIT_CARDS[state.ordered]
    return ordered if ordered else hand


@kernel(inline=True)
def _ask_card(state):
    """Ask for a card, or lay the one that the Seher has been shown."""
    seat = seat_at(state, np.int64(state.n_laid))
    state.seat = seat
    hand = state.hands[seat]
    if state.n_laid == 0:
        shown, state.shown_lead = np.int64(state.shown_lead), NO_CARD
        if shown != NO_CARD and bit(shown) & hand:
            return _lay_forced(state, seat, shown, _FREE)
    state.moves = _playable(state, seat)
    state.decision = CARD
    return True


@kernel(inline=True)
def _playable(state, seat):
    """Cards that *seat* may lay."""
    return _following(state, seat) if state.n_laid else _leads(state, state.hands[seat])


@kernel(inline=True)
def _following(state, seat):
    """Cards that *seat* may add to a trick."""
    hand = state.hands[seat]
    cards = legal_cards(state, hand)
    return cards | excused_cards(state, hand) if state.active[seat] == EXCUSE and state.uses_left[seat] else cards


@kernel
def refresh_moves(state):
    """Find anew what the seat to act may answer, after its cards have been drawn for another seat's world."""
    decision = state.decision
    if decision == CARD:
        state.moves = _playable(state, np.int64(state.seat))
    elif decision == PRESS:
        state.moves = pressable(state, np.int64(state.seat))
    elif decision != OVER:
        moves = options(decision - FIRST_QUESTION, state)
        # What the owner was asked because of his cards, another one may not be asked.
        state.moves = moves if moves else NO_BIT


@kernel
def _lay_forced(state, seat, card, is_free):
    """*seat* lays a card that it has no choice about; false, as it is asked nothing."""
    state.seat = seat
    _lay(state, card, _NO_EXCUSE, is_free)
    return False


@kernel(is_part=True)
def _lay(state, card, is_excuse, is_free):
    is_face_down = state.is_face_down
    state.is_face_down = False
    lay(state, np.uint64(card), is_face_down, is_excuse, is_free)
    state.phase = LAID
