"""Players: whatever chooses a move for the seat to act."""

import re
from dataclasses import dataclass
from types import ModuleType

from simcore.bits import nth, popcount
from simcore.deck import nearest
from simcore.jit import kernel
from simcore.protocol import OWN_STEP, OwnPolicy, own_move, plausible_moves
from simcore.rng import below
from simcore.search import search_move

MAX_WORLDS = 100_000


@dataclass(frozen=True)
class Policy:
    """A policy as data: its name, whether a number of worlds belongs to it, and what it does and may know."""

    name: str
    has_worlds: bool
    text: str


# Their numbers stand in `choose` and are written to files: append only.
POLICIES = (
    Policy("random", False, "uniform over the legal moves"),
    Policy("basic", False, "the game's own rules of thumb, no search; sees what its seat may see"),
    Policy("search", True, "tries the moves in worlds that its seat must hold possible, N worlds for each move; quick playouts"),
    Policy("oracle", True, "the same search given the real hidden cards: a cheat, as an upper bound"),
)
RANDOM, BASIC, _ORACLE = 0, 1, 3


def own_policies(game: ModuleType | None) -> tuple[OwnPolicy, ...]:
    """Policies that only *game* has."""
    return getattr(game, "OWN_POLICIES", ())


def parse_policy(text: str, game: ModuleType | None = None) -> tuple[int, int]:
    """Index into ``POLICIES`` and number of worlds (0 where none belongs) of a text like ``search:8``.

    A policy of *game*'s own has the index of ``basic`` and the number that `own_move` gets. Raises ValueError with what would be right.
    """
    own = own_policies(game)
    match = re.fullmatch(r"([a-z]+)(?::([0-9]{1,99}))?", text.strip().lower())
    name, number = match.groups() if match else (text, None)
    for k, mine in enumerate(own):
        if mine.name == name:
            if number is None:
                return BASIC, OWN_STEP * k
            if not mine.letter or not mine.low <= int(number) <= mine.high:
                more = f" or {name}:{mine.letter} with {mine.letter} from {mine.low} to {mine.high}" if mine.letter else ""
                raise ValueError(f"policy {text!r}: write plain {name}{more}")
            return BASIC, OWN_STEP * k + int(number) + 1
    for index, policy in enumerate(POLICIES):
        if policy.name != name:
            continue
        if policy.has_worlds != (number is not None) or (number is not None and not 1 <= int(number) <= MAX_WORLDS):
            right = f"{name}:N with N from 1 to {MAX_WORLDS}, for example {name}:32" if policy.has_worlds else f"plain {name}"
            raise ValueError(f"policy {text!r}: write {right}")
        return index, int(number or 0)
    known = policy_texts(game)
    names = [word.partition("[")[0].partition(":")[0] for word in known]
    raise ValueError(f"no policy {text!r}{nearest(name, names)}; policies are {', '.join(known)}")


def policy_texts(game: ModuleType | None = None) -> dict[str, str]:
    """What each policy does and may know, by how it is written: those of all games, and those of *game*'s own."""
    own = {policy.name: policy for policy in own_policies(game)}
    texts = {policy.name + ":N" * policy.has_worlds: policy.text for policy in POLICIES if policy.name not in own}
    return texts | {policy.name + f"[:{policy.letter}]" * bool(policy.letter): policy.text for policy in own.values()}


def policy_text(text: str, game: ModuleType | None = None) -> str:
    """What the policy written as *text* does and may know."""
    name = text.partition(":")[0]
    return next(about for known, about in policy_texts(game).items() if known.partition("[")[0].partition(":")[0] == name)


@kernel
def random_move(moves, word):
    """A uniformly random one of *moves*."""
    return nth(moves, below(word, popcount(moves)))


@kernel(is_part=True)
def choose(policy, state, seat, moves, word, table):
    """Move that policy number *policy* makes for *seat* among *moves*; *word* is 64 random bits."""
    if policy == RANDOM:
        return random_move(moves, word)
    if policy == BASIC:
        return own_move(state, table.n_worlds[seat], word)
    knows_all = policy == _ORACLE
    return search_move(state, seat, moves if knows_all else plausible_moves(state, moves, word), word, table, knows_all)
