"""Cosmic Eidex with characters: the game as it is meant, each player with a power of its own."""

import sys

from simcore.dispatch import register
from simcore.games.eidex.cards import DECK
from simcore.games.eidex.characters import NAMES
from simcore.games.eidex.match import deal_limit, standing, win_chance, winners
from simcore.games.eidex.play import is_over, seat_to_act
from simcore.games.eidex.powers.basic import basic_move, plausible_moves, playout_move
from simcore.games.eidex.powers.flow import legal_moves, play
from simcore.games.eidex.powers.match import settle, utility, values
from simcore.games.eidex.powers.scoring import DEAL_MEASURES, KINDS, SEAT_MEASURES, kind, measure, points_so_far
from simcore.games.eidex.powers.state import STATE, SWITCHES, cast, deal, labels_in_play, start
from simcore.games.eidex.powers.view import (
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
from simcore.games.eidex.powers.worlds import determinize, strip
from simcore.games.eidex.scoring import STANDING
from simcore.games.eidex.state import n_seats

NAME = "cosmic-eidex"
TITLE = "Cosmic Eidex with characters"
BASE = "eidex"
MATCH = "tournament"
PLAYERS = (3,)
RULES_VERSION = 2
# Statistics by character: their names, and the figures of a seat that hold its number and whether the power was used.
LABELS = NAMES
LABEL_MEASURE, USE_MEASURE = "character", "used"
# The rule that takes a player's power away, to see what it is worth.
MUTE_RULE = "muted"

register(sys.modules[__name__])
