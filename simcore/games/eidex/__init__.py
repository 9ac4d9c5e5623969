"""Cosmic Eidex: three players, 36 cards, a relative of the Swiss Jass."""

import sys

from simcore.dispatch import register
from simcore.games.eidex.basic import basic_move, playout_move
from simcore.games.eidex.cards import DECK
from simcore.games.eidex.match import deal_limit, settle, standing, utility, values, win_chance, winners
from simcore.games.eidex.play import is_over, legal_moves, play, seat_to_act
from simcore.games.eidex.scoring import DEAL_MEASURES, KINDS, SEAT_MEASURES, STANDING, kind, measure, points_so_far
from simcore.games.eidex.state import STATE, SWITCHES, deal, n_seats, start
from simcore.games.eidex.view import (
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
from simcore.games.eidex.worlds import determinize

NAME = "eidex"
TITLE = "Cosmic Eidex"
MATCH = "tournament"
PLAYERS = (3,)
RULES_VERSION = 1

register(sys.modules[__name__])
