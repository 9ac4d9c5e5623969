"""The games, by number. The order is written to files: append only."""

from simcore.games import cosmos, eidex, eleusis, schafkopf

GAMES = (eidex, schafkopf, cosmos, eleusis)
