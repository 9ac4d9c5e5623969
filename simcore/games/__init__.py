"""The games, by number. The order is written to files: append only."""

from simcore.games import cosmos, eidex, eleusis, schafkopf
from simcore.games.eidex import cosmic

GAMES = (eidex, schafkopf, cosmos, eleusis, cosmic)
