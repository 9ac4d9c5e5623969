"""Rules of thumb: what to bid on a hand, what to lead, and what to play to a trick.

The player sees what its seat may see: its own hand, the cards played, and the bids. It knows its partner only when it holds the called
ace itself or when the play has shown who holds it.
"""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest, nth, popcount
from simcore.games.schafkopf.bidding import called_ace, legal_bids
from simcore.games.schafkopf.cards import (
    ACES,
    ALL_CARDS,
    BEATERS,
    DECK,
    OBERS,
    ORDINARY,
    POINTS,
    SUIT_CARDS,
    TRUMPS,
    UNTERS,
    WENZ,
)
from simcore.games.schafkopf.contracts import IS_TOUT, KIND_OF, MODE_OF, PASS, RUFER, SIE, SUIT_OF
from simcore.games.schafkopf.play import legal_moves
from simcore.games.schafkopf.state import BID, points_of
from simcore.jit import kernel
from simcore.rng import below

CARD_POINTS = np.array([POINTS.get(name[1:], 0) for name in DECK.names], np.int64)
_TENS = DECK.cards(suit + "10" for suit in "EGHS")
_HIGH_OBERS = DECK.cards("EO GO")


@kernel
def basic_move(state, word):
    """Bid or card by the rules of thumb; *word* (64 random bits) chooses among cards that they like equally."""
    moves = legal_bids(state) if state.decision == BID else legal_moves(state)
    if not moves & (moves - ONE):
        return lowest(moves)
    if state.decision == BID:
        return _best_bid(state.hands[state.seat], moves)
    if state.led:
        return _follow(state, moves, word)
    return _lead(state, moves, word)


@kernel
def playout_move(state, word, has_sense):
    """The same, always with sense: random players overbid, and worlds that they play out tell nothing about a bid."""
    return basic_move(state, word)


@kernel
def hand_value(hand, bid):
    """What a hand is worth as declarer of *bid*; 0 is the least on which it is bid.

    Rufer and Solo: 6 for each trump, 5 more for an Ober (8 for the two highest) and 2 more for an Unter, 4 for a plain ace, and 3 off for
    each plain suit without its ace; a Rufer needs 28 and 2 for each card of the called suit, a Solo 54. Wenz: 10 for an Unter
    (15 for the highest), 9 for an ace and 4 more with its ten, 3 off for a suit without its ace; it needs 41. The least values are where
    hands played out by these rules began to bring more than a pass, over 400 000 deals.
    """
    mode = MODE_OF[bid]
    trumps = hand & TRUMPS[mode]
    plain = hand & ~TRUMPS[mode]
    n_trumps, n_aces = np.int64(popcount(trumps)), np.int64(popcount(plain & ACES))
    losers = 0
    for suit in range(4):
        cards = plain & SUIT_CARDS[mode, 8 + 6 * suit]
        if cards and not cards & ACES:
            losers += 1
    if mode == WENZ:
        guarded = 0
        for suit in range(4):
            cards = plain & SUIT_CARDS[mode, 8 + 6 * suit]
            if cards & ACES and cards & _TENS:
                guarded += 1
        top = 5 if hand & bit(4) else 0
        return 10 * n_trumps + top + 9 * n_aces + 4 * guarded - 3 * losers - 41
    n_obers, n_unters = np.int64(popcount(hand & OBERS)), np.int64(popcount(hand & UNTERS))
    high = np.int64(popcount(hand & _HIGH_OBERS))
    strength = 6 * n_trumps + 5 * n_obers + 2 * n_unters + 3 * high + 4 * n_aces - 3 * losers
    if KIND_OF[bid] == RUFER:
        return strength - 2 * np.int64(popcount(plain & ORDINARY[SUIT_OF[bid]])) - 28
    return strength - 54


_TOUT_PREMIUM = 27  # value above a Wenz or Solo on which the Tout is bid


@kernel
def _best_bid(hand, moves):
    """The bid of the highest value among those worth bidding, the more expensive kind first; else pass."""
    best, best_value, best_kind = np.uint64(PASS), -1, 0
    bids = moves & ~ONE
    while bids:
        bid = lowest(bids)
        bids &= bids - ONE
        kind = KIND_OF[bid]
        if kind == SIE:
            return bid
        value = hand_value(hand, bid) - (_TOUT_PREMIUM if IS_TOUT[kind] else 0)
        if value >= 0 and (kind > best_kind or value > best_value):
            best, best_value, best_kind = bid, value, kind
    return best


@kernel
def known_partner(state, seat):
    """Seat that *seat* knows to hold or to have held the called ace; 4 when it does not know, or in other contracts."""
    ace = called_ace(state)
    if not ace:
        return 4
    if state.dealt[seat] & ace:
        return np.int64(seat)
    for other in range(4):
        if state.dealt[other] & ~state.hands[other] & ace:
            return other
    # The suit has been led and its ace did not fall: who led it has escaped.
    return np.int64(state.searcher) if not state.called else 4


@kernel
def _allies(state, seat):
    """Seats that *seat* knows to be on its side, itself included, as a set."""
    declarer, partner = np.int64(state.declarer), known_partner(state, seat)
    attackers = bit(declarer) | (bit(partner) if partner < 4 else EMPTY)
    if attackers & bit(seat):
        return attackers
    if partner < 4 or KIND_OF[state.contract] != RUFER:
        return np.uint64(15) ^ attackers
    return bit(seat)


@kernel
def _lead(state, moves, word):
    """Declarer's side draws trumps; the others lead aces, search the called ace, and keep their trumps."""
    seat, mode = state.seat, state.mode
    hand, trumps = state.hands[seat], TRUMPS[mode]
    unseen = ALL_CARDS & ~hand
    for other in range(4):
        unseen &= ~(state.dealt[other] & ~state.hands[other])
    is_declarer = seat == state.declarer
    is_attacker = is_declarer or (hand | state.dealt[seat]) & called_ace(state) != EMPTY
    n_trumps, trumps_out = np.int64(popcount(hand & trumps)), np.int64(popcount(unseen & trumps))
    best, best_score = EMPTY, np.int64(-1000)
    cards = moves
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        points = CARD_POINTS[card]
        suit = SUIT_CARDS[mode, card]
        is_master = not suit & BEATERS[mode, card] & unseen
        n_out = np.int64(popcount(unseen & suit))
        if bit(card) & trumps:
            if not is_attacker:
                score = -20 - points
            elif not trumps_out:
                score = 10 - points
            elif is_master:
                score = 100 - points
            elif n_trumps > trumps_out // 3 or not is_declarer:
                score = 60 - 3 * points + (12 if bit(card) & UNTERS else 0)
            else:
                score = 15 - 2 * points
        elif is_master:
            score = (50 if n_out >= 3 or not trumps_out else 5) + points
        elif state.called & bit(card) and not is_attacker:
            score = 70 - points
        else:
            score = 25 - 3 * points - 2 * np.int64(popcount(hand & suit))
        best, best_score = _better(best, best_score, card, score)
    return nth(best, below(word, popcount(best)))


@kernel
def _follow(state, moves, word):
    """Give points to a trick that is safe with one's side, take a dear trick cheaply, and throw away what is worth least."""
    seat, mode = state.seat, state.mode
    hand, trumps = state.hands[seat], TRUMPS[mode]
    unseen = ALL_CARDS & ~hand & ~state.trick
    for other in range(4):
        unseen &= ~(state.dealt[other] & ~state.hands[other])
    n_after = 3 - np.int64(popcount(state.trick))
    allies = _allies(state, seat)
    is_ours = allies & bit(state.best_seat) != EMPTY
    foes_after = 0
    other = (seat + 1) & 3
    for _ in range(n_after):
        foes_after += not allies & bit(other)
        other = (other + 1) & 3
    on_table = np.int64(points_of(state.trick))
    is_safe = is_ours and (not foes_after or not state.beaters & unseen)
    is_likely = is_ours and np.int64(popcount(state.beaters & unseen)) <= 3
    best, best_score = EMPTY, np.int64(-1000)
    cards = moves
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        points = CARD_POINTS[card]
        # What the card is worth besides its points: a high trump takes later tricks.
        keep = _keep_value(bit(card), trumps, mode)
        takes = bit(card) & state.beaters != EMPTY
        if is_safe or (is_likely and not takes):
            score = 4 * points - 3 * keep if is_safe else 2 * points - 3 * keep
        elif takes:
            threats = np.int64(popcount(BEATERS[mode, card] & unseen)) if foes_after else 0
            if bit(card) & ~trumps and state.led & trumps == EMPTY:
                # Within a plain suit only trumps of who is void are to be feared.
                threats = np.int64(popcount(BEATERS[mode, card] & unseen & ~trumps)) * (foes_after > 0)
                risk = 0 if threats == 0 else 60
            else:
                risk = 0 if threats == 0 else 10 + 4 * threats
            gain = on_table + points
            score = 3 * gain - 3 * keep - (risk * (points + 2)) // 8 + (8 if not is_ours else -10)
        else:
            score = -4 * points - 2 * keep
        best, best_score = _better(best, best_score, card, score)
    return nth(best, below(word, popcount(best)))


@kernel
def _keep_value(card, trumps, mode):
    """What a card is worth for later tricks."""
    if card & trumps:
        if card & OBERS:
            return 9
        if card & UNTERS:
            return 9 if mode == WENZ else 6
        return 3
    return 2 if card & ACES else 0


@kernel
def _better(best, best_score, card, score):
    """Set of the cards with the highest score so far, and that score."""
    if score > best_score:
        return bit(card), np.int64(score)
    return (best | bit(card) if score == best_score else best), best_score
