"""COSMOS (2024): three to six players, 64 cards, collisions of equal values."""

import sys

from simcore.dispatch import register
from simcore.games.cosmos.basic import basic_move, playout_move
from simcore.games.cosmos.cards import DECK, N_COPIES
from simcore.games.cosmos.match import deal_limit, settle, standing, utility, values, win_chance, winners
from simcore.games.cosmos.play import is_over, legal_moves, play, seat_to_act
from simcore.games.cosmos.scoring import DEAL_MEASURES, KINDS, SEAT_MEASURES, STANDING, kind, measure, points_so_far
from simcore.games.cosmos.state import STATE, SWITCHES, deal, n_seats, start
from simcore.games.cosmos.view import (
    DEAL_KEYS,
    deal_lines,
    decision_text,
    decline_move,
    move_text,
    narrate,
    parse_move,
    read_deal,
    read_position,
    write_deal,
    write_position,
)
from simcore.games.cosmos.worlds import determinize

NAME = "cosmos"
TITLE = "COSMOS"
MATCH = "game"
PLAYERS = (4, 3, 5, 6)
RULES_VERSION = 1

register(sys.modules[__name__])
