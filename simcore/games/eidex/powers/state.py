"""The state of a tournament with characters, and how a hand begins."""

import numpy as np

from simcore.bits import EMPTY, bit, copy_record
from simcore.games.eidex import state as base
from simcore.games.eidex.cards import MODE_OF, N_PLANES, N_SEATS
from simcore.games.eidex.characters import CHARACTERS, NAMES
from simcore.games.eidex.characters.guggitaler import BARRED
from simcore.games.eidex.powers.flow import advance
from simcore.games.eidex.powers.knowledge import MAX_ANY_OF, N_PLACES, begin_knowledge, show_to_all
from simcore.games.eidex.powers.phases import DEALT
from simcore.games.eidex.powers.questions import OF_CHARACTER, uses_of
from simcore.games.eidex.powers.table import NOWHERE, UNDECIDED, clear_trick, seat_of
from simcore.games.eidex.state import NO_CARD, NO_CHARACTER, NOBODY, deal_hands, next_seat, set_mode
from simcore.jit import kernel
from simcore.protocol import Switch, record, rules_dtype
from simcore.rng import below, mix, step

# Who may be in a seat: by number in `CHARACTERS` behind these.
NONE, DRAWN = 0, 1
GUGGITALER = np.int64(NAMES.index("guggitaler"))
SEATED = ("none", "random", *NAMES)

SWITCHES = (
    *base.SWITCHES,
    *(Switch(f"character_{player}", "random", f"character of player {player}", choices=SEATED) for player in range(N_SEATS)),
    Switch("muted", "nobody", "player whose character has no power", choices=("nobody", "0", "1", "2")),
    Switch("three_way_tie", "nobody", "who gets the victory points when all are level (B25)", choices=("nobody", "lowest seat")),
    *(switch for character in CHARACTERS for switch in character.uses_switch + character.switches),
)
RULES = rules_dtype(SWITCHES)

STATE = record(
    ("hands", "u8", (3,)),
    ("pressed", "u8", (3,)),  # the pressed card, as a set
    ("piles", "u8", (3,)),  # open cards that count for the seat
    ("trick", "u8"),  # open cards of the trick
    ("led", "u8"),  # all cards of the suit led; empty before the lead
    ("beaters", "u8"),  # cards that would win the trick as it stands: before the lead, all
    ("trumps", "u8"),
    ("trump_jack", "u8"),
    ("planes", "u8", (N_PLANES,)),  # card points, bit-sliced
    ("chance", "u8"),  # counter of the deal's stream
    ("moves", "u8"),  # what the seat to act may answer
    ("powers", "u8"),  # questions that the characters at the table may raise
    ("agenda", "u8"),  # questions still to be asked at this moment
    ("pot", "u8"),  # open cards of the Jackpot
    ("donated", "u8"),  # the card that opened the Jackpot
    ("face_down", "u8", (2,)),  # the Sphinx's cards
    ("rejected", "u8"),  # open cards of the trick that the Korrektor has rejected, until it has been played again
    ("aside", "u8", (3,)),  # open cards that the Konsumentenschutz has rejected in this trick
    ("last_entry", "u8", (3,)),  # open cards of the last trick in the pile
    ("revalued", "u8"),  # the Umwerter's card
    ("may", "u8", (3, N_PLACES)),  # see `knowledge`
    ("any_of", "u8", (MAX_ANY_OF,)),
    ("rules", RULES),
    ("limit", "i2"),  # card points that must not be reached
    ("announced", "i2"),  # by the Differenzler, -1 for nothing
    ("declared", "i2"),  # by Weisheit
    ("adjustments", "i2", (3,)),
    ("victory_points", "u1", (3,)),
    ("characters", "i1", (3,)),
    ("active", "i1", (3,)),  # the characters that have their powers
    ("uses_left", "u1", (3,)),
    ("used", "u1", (3,)),
    ("tricks_won", "u1", (3,)),  # tricks that came to the seat
    ("laid", "u1", (6,)),  # cards of the trick in their order
    ("swapped", "u1", (2,)),  # Jiu-Jitsu's two cards
    ("face_down_at", "u1", (2,)),
    ("is_last_entry", "u1", (2,)),  # whether a face-down card lies in the last trick of its pile
    ("mode", "u1"),
    ("order", "u1"),  # of the cards: the mode, and more under Skat
    ("decision", "u1"),
    ("number", "u1"),  # of the question
    ("phase", "u1"),
    ("seat", "u1"),
    ("owner", "u1"),  # seat whose power the question belongs to
    ("dealer", "u1"),
    ("leader", "u1"),
    ("direction", "u1"),  # 1 to the right, 2 to the left
    ("upcard", "u1"),
    ("second", "u1"),  # second card from the bottom
    # What begins anew with each trick stands together, which makes one store of many.
    ("n_laid", "u1"),
    ("worthless", "u1"),  # numbers in the trick of the cards that have lost their value, as a set
    ("face_down_in_trick", "u1"),  # those that lie face down
    ("best_seat", "u1"),
    ("drawn", "u1"),  # the lead that she has drawn
    ("demanded", "u1"),  # card that the Fahnder demanded
    ("ordered", "u1"),  # suit that must be led
    ("refused_for", "u1"),  # seat from which the Schuechterne draws the lead
    ("gift_to", "u1"),
    ("owner_declared", "u1"),  # by the Sphinx
    ("is_claimed", "u1"),  # Ultimo takes the trick
    ("best", "u1"),  # number in the trick of the card that is winning it
    ("face_down_seat", "u1"),
    ("is_face_down", "u1"),  # the next card will be
    ("n_tricks", "u1"),
    ("sweeper", "u1"),  # who has won every trick so far
    ("bonus_seat", "u1"),
    ("has_pressed", "u1"),  # seats, as a set
    ("has_entry", "u1"),  # seats that own a trick, as a set
    ("is_bent", "u1"),  # the order differs from that of Skat or the mode
    ("is_highest", "u1"),  # the Umwerter's card is the highest, not the lowest
    ("is_skat", "u1"),
    ("is_schwarzpeter", "u1"),
    ("is_guggitaler", "u1"),
    ("is_king_barred", "u1"),  # the Stars King may not be pressed in this hand
    ("is_pot_open", "u1"),
    ("initiator", "u1"),  # of the Jackpot
    ("named", "u1"),  # card that wins it
    ("donated_at", "u1"),
    ("pushed_to", "u1"),  # seat whose pressed card the Fledderer pushed
    ("shown_lead", "u1"),  # the first lead as shown to the Seher
    ("laser_leads", "u1"),  # the Laser has still to draw the first lead
    ("justice_left", "u1"),
    ("shy_seat", "u1"),
    ("claimant", "u1"),
    ("target", "u1"),  # of a power in several steps
    ("chosen", "u1"),
    ("n_left", "u1"),
    ("n_any_of", "u1"),
)


def labels_in_play(rules) -> list[int]:
    """Numbers (from 1) of the characters that may be at the table under *rules*."""
    chosen = [int(rules[f"character_{player}"]) for player in range(N_SEATS)]
    return list(range(1, len(NAMES) + 1)) if DRAWN in chosen else sorted(number - DRAWN for number in chosen if number > DRAWN)


@kernel
def start(state, rules, seats, dealer):
    """Begin a tournament at 0:0:0.  Rule: eidex T1"""
    copy_record(state.rules, rules)
    for seat in range(N_SEATS):
        state.victory_points[seat] = 0
        state.characters[seat] = NO_CHARACTER
        state.active[seat] = NO_CHARACTER
    state.dealer = dealer


@kernel
def cast(state, seating, key):
    """Give each seat the character of the player who sits there, by *seating*; random ones are drawn without return.  Rule: eidex T12

    Where a player sits in several seats, the characters belong to the seats instead.
    """
    is_by_seat = seating[0] == seating[1] or seating[1] == seating[2] or seating[0] == seating[2]
    players = (state.rules.character_0, state.rules.character_1, state.rules.character_2)
    taken = EMPTY
    for player in players:
        if player > DRAWN:
            taken |= bit(player)
    counter = key
    for player in range(N_SEATS):
        number = np.int64(players[player])
        if number == DRAWN:
            while True:
                counter = step(counter)
                number = np.int64(below(mix(counter), len(NAMES))) + DRAWN + 1
                if not bit(number) & taken:
                    break
            taken |= bit(number)
        for seat in range(N_SEATS):
            if (seat if is_by_seat else seating[seat]) == player:
                state.characters[seat] = number - DRAWN - 1 if number != NONE else NO_CHARACTER
                state.active[seat] = NO_CHARACTER if state.rules.muted == player + 1 else state.characters[seat]


@kernel
def deal(state, key):
    """Deal twelve cards to each seat and turn up the dealer's last."""
    upcard, second = deal_hands(state, key)
    lay_out(state, np.int64(upcard), np.int64(second))
    advance(state)


@kernel
def lay_out(state, upcard, second):
    """The hand whose cards have been dealt, before its first question."""
    state.powers = EMPTY
    for seat in range(N_SEATS):
        state.pressed[seat] = EMPTY
        state.piles[seat] = EMPTY
        state.aside[seat] = EMPTY
        state.last_entry[seat] = EMPTY
        state.tricks_won[seat] = 0
        state.adjustments[seat] = 0
        state.used[seat] = 0
        state.uses_left[seat] = 0
        character = state.active[seat]
        if character != NO_CHARACTER:
            state.powers |= OF_CHARACTER[character]
            state.uses_left[seat] = uses_of(character, state.rules)
    state.upcard = upcard
    state.second = second
    set_mode(state, MODE_OF[upcard])
    state.order = state.mode
    state.limit = state.rules.points_limit
    state.pot, state.donated, state.revalued, state.rejected = EMPTY, EMPTY, EMPTY, EMPTY
    for slot in range(2):
        state.face_down[slot] = EMPTY
        state.face_down_at[slot] = NOWHERE
        state.is_last_entry[slot] = False
        state.swapped[slot] = NO_CARD
    state.announced, state.declared = -1, 0
    state.leader = next_seat(state.dealer)
    state.direction = 1
    state.face_down_seat, state.is_face_down = NOBODY, False
    state.n_tricks, state.sweeper, state.bonus_seat = 0, UNDECIDED, NOBODY
    state.has_pressed, state.has_entry = 0, 0
    state.is_bent, state.is_highest, state.is_skat = False, False, False
    state.is_schwarzpeter, state.is_guggitaler = False, False
    state.is_king_barred = state.rules.guggitaler_king == BARRED and seat_of(state, GUGGITALER) != NOBODY
    state.is_pot_open, state.initiator, state.named, state.donated_at = False, NOBODY, NO_CARD, NOWHERE
    state.pushed_to, state.shown_lead, state.laser_leads, state.justice_left = NOBODY, NO_CARD, False, 0
    state.owner, state.number, state.best, state.seat = NOBODY, 0, 0, NOBODY
    state.shy_seat, state.claimant, state.target, state.chosen, state.n_left = NOBODY, NOBODY, NOBODY, NO_CARD, 0
    state.laid[:] = 0
    clear_trick(state)
    begin_knowledge(state)
    show_to_all(state, np.int64(state.dealer), bit(upcard))
    state.agenda, state.phase = EMPTY, DEALT
