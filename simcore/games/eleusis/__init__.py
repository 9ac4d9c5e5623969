"""Eleusis Express: three to eight players find out the dealer's secret rule."""

import sys

from simcore.dispatch import register
from simcore.games.eleusis.basic import OWN_POLICIES, basic_move, own_move, plausible_moves, playout_move
from simcore.games.eleusis.cards import DECK, N_COPIES
from simcore.games.eleusis.match import deal_limit, settle, standing, utility, values, winners
from simcore.games.eleusis.play import is_over, legal_moves, play, seat_to_act
from simcore.games.eleusis.scoring import DEAL_MEASURES, KINDS, SEAT_MEASURES, STANDING, kind, measure, points_so_far
from simcore.games.eleusis.state import STATE, SWITCHES, deal, n_seats, start
from simcore.games.eleusis.view import (
    DEAL_KEYS,
    deal_lines,
    decision_text,
    decline_move,
    define,
    definitions,
    hint,
    insight,
    move_text,
    narrate,
    parse_move,
    read_deal,
    read_position,
    worth_trying,
    write_deal,
    write_position,
)
from simcore.games.eleusis.worlds import determinize

NAME = "eleusis"
TITLE = "Eleusis Express"
MATCH = "game"
PLAYERS = (5, 3, 4, 6, 7, 8)
RULES_VERSION = 2

register(sys.modules[__name__])
