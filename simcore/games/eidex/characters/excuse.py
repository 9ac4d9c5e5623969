"""Excuse, the Hearts Eight: forgets once to follow suit."""

from simcore.games.eidex.powers.character import Character
from simcore.protocol import Switch

CHARACTER = Character(
    name="excuse",
    title="Excuse",
    card="H8",
    when="when he plays a card",
    text="may once discard a card of at most 3 points although he could follow",
    rule="K27",
    uses=1,
    max_uses=12,
    switches=(Switch("excuse_points", 3, "points up to which a card may be discarded with an Excuse (K27)", 0, 30),),
)
