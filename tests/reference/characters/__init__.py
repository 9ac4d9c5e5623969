from reference.characters.hand import Hand
from reference.characters.table import NAMES, RULES, USES
