"""From the tricks of a finished deal to the units that are paid."""

import numpy as np

from simcore.bits import EMPTY, ONE, bit, lowest
from simcore.games.schafkopf.bidding import called_ace
from simcore.games.schafkopf.cards import ALL_CARDS, COURTS, N_SEATS, N_TRICKS, ORDINARY, WENZ
from simcore.games.schafkopf.contracts import (
    BIDS,
    HIGHER,
    IS_TOUT,
    KIND_OF,
    LAUFENDE_FACTOR,
    LAUFENDE_MINIMUM,
    N_PAYERS,
    PASSED,
    RUFER,
    SIE,
    WENZ_KIND,
    WENZ_TOUT,
)
from simcore.games.schafkopf.state import BID, NOBODY
from simcore.jit import kernel
from simcore.protocol import Measure

# Most that a seat wins or loses under any tariff: a Sie with its Laufende, from three payers.
_MAX_UNITS = N_PAYERS * (50 + 4 * 8 * 3)
DEAL_MEASURES = (
    Measure("declarer_side_won", 0, 1, "the declarer's side won"),
    Measure("schneider", 0, 1, "one side is Schneider (a Schwarz included)"),
    Measure("schwarz", 0, 1, "one side took no trick"),
    Measure("laufende", 0, 14, "Laufende that were paid"),
    Measure("tout", 0, 1, "a Tout was played"),
    Measure("sie", 0, 1, "a Sie was shown"),
    Measure("passed", 0, 1, "all four passed"),
)
SEAT_MEASURES = (
    Measure("units", -_MAX_UNITS, _MAX_UNITS, "units won (lost) in the deal"),
    Measure("card_points", 0, 120, "card points taken in tricks"),
    Measure("tricks", 0, N_TRICKS, "tricks taken"),
    Measure("declarer", 0, 1, "played the contract"),
    Measure("declarer_won", 0, 1, "played the contract and won"),
    Measure("partner", 0, 1, "held the called ace"),
    Measure("won", 0, 1, "was on the winning side"),
)
STANDING = Measure("score", -(2**31), 2**31 - 1, "units in the game")


def _most_units(rules, kind):
    """Most units that a seat can win or lose in a contract of this kind."""
    if kind == PASSED:
        return 0
    run = {WENZ_KIND: 4, WENZ_TOUT: 4, SIE: 8, RUFER: 14}.get(kind, 13)
    extra = int(rules.laufende) * int(LAUFENDE_FACTOR[kind]) * run
    if kind == SIE:
        return N_PAYERS * (int(rules.sie_base) + (extra if rules.sie_laufende == 0 else 0))
    if IS_TOUT[kind]:
        return N_PAYERS * (int(rules.tout_base) + extra)
    base, payers = (rules.rufer_base, 1) if kind == RUFER else (rules.solo_base, N_PAYERS)
    return payers * (int(base) + int(max(rules.schneider, rules.schwarz)) + extra)


def unit_bounds(state) -> tuple[int, int]:
    """Least and most units that a seat can win, by the rules and by the contracts that are still possible.

    A Solo's declarer holds a card of its suit, so that no side has more than 13 Laufende in it. A Sie is out of the question for who
    sees some of the courts in the hand of the seat to act, but not all.
    """
    is_open = state.decision == BID
    kinds = {int(KIND_OF[state.contract])} | {bid.kind for n, bid in enumerate(BIDS) if is_open and int(HIGHER[state.contract]) >> n & 1}
    if int(state.hands[state.seat]) & int(COURTS) not in (0, int(COURTS)):
        kinds -= {SIE}
    most = max(1, *(_most_units(state.rules, kind) for kind in kinds))
    return -most, most


@kernel
def points_so_far(state, seat):
    """Card points that *seat* has taken in tricks."""
    return np.int64(state.points[seat])


@kernel
def kind(state):
    """Kind of contract, as index into ``KINDS``."""
    return KIND_OF[state.contract]


@kernel
def partner(state):
    """Seat that was dealt the called ace; NOBODY in other contracts.  Rule: schafkopf S19"""
    ace = called_ace(state)
    for seat in range(N_SEATS):
        if state.dealt[seat] & ace:
            return seat
    return NOBODY


@kernel
def side(state):
    """Seats of the declarer's side, as a set."""
    ace, seats = called_ace(state), bit(state.declarer)
    for seat in range(N_SEATS):
        seats |= bit(seat) if state.dealt[seat] & ace else EMPTY
    return seats


@kernel
def run_length(cards, mode):
    """Length of the unbroken run of highest trumps in *cards*.  Rule: schafkopf S16"""
    if mode == WENZ:
        return np.int64(min(lowest(~(cards >> np.uint64(4))), np.uint64(4)))
    run = lowest(~(cards & COURTS))
    if run == np.uint64(8):
        run += lowest(~((cards & ORDINARY[mode]) >> np.uint64(8 + 6 * mode)))
    return np.int64(run)


@kernel
def laufende(state, declaring):
    """Laufende that are paid, whichever side was dealt them: *declaring* are the cards dealt to the declarer's side."""
    run = max(run_length(declaring, state.mode), run_length(ALL_CARDS ^ declaring, state.mode))
    return run if run >= LAUFENDE_MINIMUM[KIND_OF[state.contract]] else 0


@kernel(inline=True)
def outcome(state):
    """What a finished deal that was not passed has come to.

    Returns
    -------
    seats of the declarer's side (set), whether it won, Schneider, Schwarz, Laufende, and the units that each loser pays.

    Rule: schafkopf S13-S17, S20
    """
    contract_kind = KIND_OF[state.contract]
    seats = side(state)
    declaring, points, tricks = EMPTY, 0, 0
    for seat in range(N_SEATS):
        # All computed and then masked: whose side a seat is on, no processor can predict.
        is_declaring = np.int64(seats >> np.uint64(seat) & ONE)
        declaring |= state.dealt[seat] if is_declaring else EMPTY
        points += is_declaring * np.int64(state.points[seat])
        tricks += is_declaring * np.int64(state.tricks[seat])
    run = laufende(state, declaring)
    rules = state.rules
    extra = rules.laufende * LAUFENDE_FACTOR[contract_kind] * run
    if contract_kind == SIE:
        return seats, True, False, False, run, rules.sie_base + (extra if rules.sie_laufende == 0 else 0)
    if IS_TOUT[contract_kind]:
        return seats, tricks == N_TRICKS, False, False, run, rules.tout_base + extra
    base = rules.rufer_base if contract_kind == RUFER else rules.solo_base
    is_schneider = points >= 91 or points <= 30
    is_schwarz = tricks == 0 or tricks == N_TRICKS
    bonus = rules.schwarz if is_schwarz else rules.schneider if is_schneider else 0
    return seats, points >= 61, is_schneider, is_schwarz, run, base + bonus + extra


@kernel
def units(state, seat):
    """Units that *seat* wins (or loses) in the finished deal; they sum to zero over the seats.  Rule: schafkopf, Scoring"""
    if state.declarer == NOBODY:
        return 0
    seats, is_won, _, _, _, value = outcome(state)
    return _units_of(seat, seats, value if is_won else -value)


@kernel
def _units_of(seat, seats, share):
    """Units of *seat* when the *seats* of the declarer's side win *share* from each payer (or lose it, below zero)."""
    n_payers = N_PAYERS if not seats & (seats - ONE) else 1
    return np.int64(n_payers * share if seats & bit(seat) else -share)


@kernel
def measure(state, deal_out, seat_out):
    """Write the figures of the finished deal in the order of ``DEAL_MEASURES`` and ``SEAT_MEASURES``."""
    if state.declarer == NOBODY:
        deal_out[:] = 0
        seat_out[:, :] = 0
        deal_out[6] = 1
        return
    seats, is_won, is_schneider, is_schwarz, run, value = outcome(state)
    contract_kind, share = KIND_OF[state.contract], value if is_won else -value
    deal_out[0] = is_won
    deal_out[1] = is_schneider
    deal_out[2] = is_schwarz
    deal_out[3] = run
    deal_out[4] = IS_TOUT[contract_kind]
    deal_out[5] = contract_kind == SIE
    deal_out[6] = 0
    for seat in range(N_SEATS):
        is_declaring = seats & bit(seat) != EMPTY
        seat_out[seat, 0] = _units_of(seat, seats, share)
        seat_out[seat, 1] = state.points[seat]
        seat_out[seat, 2] = state.tricks[seat]
        seat_out[seat, 3] = seat == state.declarer
        seat_out[seat, 4] = seat == state.declarer and is_won
        seat_out[seat, 5] = is_declaring and seat != state.declarer
        seat_out[seat, 6] = is_declaring == is_won
