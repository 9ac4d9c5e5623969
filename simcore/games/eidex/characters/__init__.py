"""The 36 cosmic characters, one file each.

To add one: write its file, and append its name here. The order is the listing order of the rulebook, which is the order of acting; a
character's number, its place here, is compiled into kernels and written to files.
"""

from importlib import import_module

from simcore.games.eidex.powers.character import Character

NAMES = (
    "dealer",
    "jiu_jitsu",
    "ultimo",
    "trumphator",
    "computer",
    "raeuber",
    "voyeur",
    "quizmaster",
    "feministin",
    "schuechterne",
    "teekraenzchen",
    "gerechtigkeit",
    "skater",
    "schwarzpeter",
    "farbenfreund",
    "scharfmacher",
    "differenzler",
    "fahnder",
    "fuersorge",
    "weisheit",
    "laser",
    "radarkontrolle",
    "konsumentenschutz",
    "seher",
    "umwerter",
    "zombie",
    "excuse",
    "taschenspieler",
    "korrektor",
    "fledderer",
    "guggitaler",
    "jackpot",
    "kompass",
    "black_friday",
    "wuenschelrute",
    "sphinx",
)
CHARACTERS: tuple[Character, ...] = tuple(import_module(f"{__name__}.{name}").CHARACTER for name in NAMES)
