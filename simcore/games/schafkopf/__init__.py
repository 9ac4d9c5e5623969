"""Schafkopf: four players, 32 cards, the Bavarian game of called aces, Wenz and Solo."""

import sys

from simcore.dispatch import register
from simcore.games.schafkopf.basic import basic_move, playout_move
from simcore.games.schafkopf.cards import DECK
from simcore.games.schafkopf.contracts import KINDS
from simcore.games.schafkopf.hands import HAND_CONDITION, OPEN_NOTE, hand_features, open_values
from simcore.games.schafkopf.match import deal_limit, settle, standing, utility, values, winners
from simcore.games.schafkopf.play import is_over, legal_moves, play, seat_to_act
from simcore.games.schafkopf.scoring import DEAL_MEASURES, SEAT_MEASURES, STANDING, kind, measure, points_so_far, unit_bounds
from simcore.games.schafkopf.solver import finish
from simcore.games.schafkopf.state import STATE, SWITCHES, deal, n_seats, start
from simcore.games.schafkopf.view import (
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
from simcore.games.schafkopf.worlds import determinize

NAME = "schafkopf"
TITLE = "Schafkopf"
MATCH = "game"
PLAYERS = (4,)
RULES_VERSION = 2

register(sys.modules[__name__])
