"""Options that commands share, and what they mean."""

import math
import os
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from simcore.engine import Experiment

DEFAULT_POLICY = "basic"
DEFAULT_AMOUNT = 100_000
MAX_AMOUNT = 10**12
MAX_SEED = 2**64 - 1
_SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}

Decorator = Callable[[Callable], Callable]


class Count(click.ParamType):
    """A whole number like ``250``, ``100_000``, ``10k``, ``5M`` or ``1e6``."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"([0-9]+(?:_[0-9]+)*(?:\.[0-9]+)?)(e[0-9]{1,2}|[kmg]?)", value.strip().lower())
        number = Decimal(0)
        if match:
            digits, suffix = match[1].replace("_", ""), match[2]
            number = Decimal(digits + suffix) if suffix.startswith("e") else Decimal(digits) * _SUFFIXES[suffix]
        if not 1 <= number <= MAX_AMOUNT or number % 1:
            self.fail(f"{value!r} is no number from 1 to {MAX_AMOUNT:,}; write it like 250, 100_000, 10k, 5M or 1e6", param, ctx)
        return int(number)


class Percentage(click.ParamType):
    """A half-width like ``0.5%``, as a share."""

    name = "percentage"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"([0-9]*\.?[0-9]+) *%", value.strip())
        percent = float(match[1]) if match else 0.0
        if not 0.001 <= percent < 50:
            self.fail(f"{value!r} is no percentage from 0.001% to 50%; write it like 0.5%", param, ctx)
        return percent / 100


class Seconds(click.FloatRange):
    """A time in seconds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value!r} is no number of seconds", param, ctx)
        return seconds


class Part(click.ParamType):
    """A part like ``3/16``, as the pair (3, 16)."""

    name = "part"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", value.strip())
        part, n_parts = map(int, match.groups()) if match else (0, 0)
        if not 1 <= part <= n_parts:
            self.fail(f"{value!r} is no part; write 3/16 for the third of sixteen", param, ctx)
        return part, n_parts


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from simcore.games import GAMES

    return [game.NAME for game in GAMES if game.NAME.startswith(incomplete)]


game_argument = click.argument("game", shell_complete=complete_game)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
threads_option = click.option("--threads", type=click.IntRange(1, 1024), help="Chunks played at once [default: all cores].")
scheduler_option = click.option(
    "--scheduler", metavar="ADDRESS", help="Play the chunks on the Dask cluster of this scheduler, like tcp://host:8786, not on threads."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress bar; print the run folder only.")
seed_option = click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Where all chance comes from [default: drawn, and printed].")
players_option = click.option("--players", type=int, help="Seats at the table [default: the game's usual number].")
characters_option = click.option(
    "--characters", metavar="A,B,C|random|none", help="Eidex with characters: three names (see `cosmic characters`), or drawn ones."
)


def together(*decorators: Decorator) -> Decorator:
    """One decorator for several options, shown in this order."""

    def decorate(function: Callable) -> Callable:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def _add_setting(ctx: click.Context, param: click.Parameter, name: str | None) -> None:
    """``--rule NAME`` stands for ``--set rule=NAME``."""
    if name is not None:
        ctx.meta[_RULE] = name


def _use_rules(ctx: click.Context, param: click.Parameter, file: Path | None) -> None:
    """Add the secret rules of a TOML file to the library of Eleusis."""
    import tomllib

    if file is None:
        return
    from simcore.games.eleusis.library import read_rules, use, with_rules

    try:
        use(with_rules(read_rules(tomllib.loads(file.read_text(encoding="utf-8")))))
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}") from error


_RULE = "cosmic.rule"
rules_option = click.option(
    "--rules",
    type=click.Path(path_type=Path),
    callback=_use_rules,
    expose_value=False,
    is_eager=True,
    help="Eleusis: a TOML file of secret rules of your own, see `cosmic rules --help`.",
)
set_option = together(
    click.option("--set", "settings", multiple=True, metavar="RULE=VALUE", help="Set a rule, see `cosmic games GAME`; repeatable."),
    click.option("--rule", metavar="NAME", callback=_add_setting, expose_value=False, help="Eleusis: the secret rule, see `cosmic rules`."),
    rules_option,
)
seating_options = together(
    click.option("--policy", metavar="P", help=f"Policy of all seats: random, basic, search:N [default: {DEFAULT_POLICY}]."),
    click.option("--policies", metavar="P,P,..", help="Policies by seat."),
)
amount_options = together(
    click.option("--deals", type=Count(), help=f"Number of independent single deals, like 100_000 or 5M [default: {DEFAULT_AMOUNT:_}]."),
    click.option("--games", type=Count(), help="Number of whole games (tournaments) instead."),
    click.option("--until", type=Percentage(), metavar="P%", help="Stop when every headline interval is at most this half-width."),
    click.option("--seconds", type=Seconds(0, min_open=True, max=1e9), help="Stop after so many seconds (whole chunks)."),
)
run_options = together(
    threads_option,
    click.option("--chunk", type=Count(), help="Deals or games in a chunk [default: by the policies]; changes no figure."),
    click.option("--out", type=click.Path(path_type=Path), help="Run folder, new or empty."),
    click.option("--rows", is_flag=True, help="Write every deal as a row of parquet, too."),
    json_option,
    quiet_option,
)


part_option = click.option("--part", type=Part(), metavar="K/N", help="Play only this share; `cosmic merge` puts the parts together.")


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def drawn_seed() -> int:
    """A seed for who gave none; short enough to type."""
    import secrets

    return secrets.randbelow(10**9)


def number_of_seats(game: ModuleType, players: int | None) -> int:
    """Seats at the table."""
    if players is None:
        return game.PLAYERS[0]
    if players not in game.PLAYERS:
        *some, last = map(str, sorted(game.PLAYERS))
        numbers = f"{', '.join(some)} or {last}" if some else last
        raise click.UsageError(f"{game.NAME} is for {numbers} players, not {players}")
    return players


def read_policy(text: str, game: ModuleType) -> str:
    """A policy as everything else spells it."""
    from simcore.policies import parse_policy

    parse_policy(text, game)
    name, colon, number = text.strip().lower().partition(":")
    return f"{name}:{int(number)}" if colon else name


def read_policies(policy: str | None, policies: str | None, n_seats: int, game: ModuleType) -> tuple[str, ...]:
    """Policy of each seat."""
    if policy is not None and policies is not None:
        raise click.UsageError("give --policy for all seats or --policies by seat, not both")
    texts = [DEFAULT_POLICY if policy is None else policy] * n_seats if policies is None else policies.split(",")
    if len(texts) != n_seats:
        right = ",".join([DEFAULT_POLICY] * n_seats)
        raise click.UsageError(
            f"--policies names {len(texts)} players for {n_seats} seats; write them like {right}, or one for all by --policy"
        )
    return tuple(read_policy(text, game) for text in texts)


def read_rules(game: ModuleType, settings: tuple[str, ...]) -> Any:
    """Rules record from the texts ``rule=value``, and the secret rule of ``--rule``."""
    context = click.get_current_context(silent=True)
    if context and _RULE in context.meta:
        if not any(switch.name == "rule" for switch in game.SWITCHES):
            raise click.UsageError(f"{game.NAME} has no secret rule for --rule; its rules are changed by --set")
        settings = (*settings, f"rule={context.meta[_RULE]}")
    return rules_of(game, settings)


def rules_of(game: ModuleType, settings: tuple[str, ...]) -> Any:
    """Rules record from the texts ``rule=value``."""
    from simcore.protocol import effective_rules

    given: dict[str, str] = {}
    for setting in settings:
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise click.UsageError(f"--set {setting!r}: write rule=value, like {game.SWITCHES[0].name}={game.SWITCHES[0].default}")
        if name in given:
            raise click.UsageError(f"--set {name} is there twice")
        given[name] = value
    return effective_rules(game.SWITCHES, given)


def read_characters(game_name: str, characters: str | None) -> tuple[ModuleType, tuple[str, ...]]:
    """The game that is played with *characters*, and the settings that choose them."""
    from simcore.scenario import character_name, find_game, with_characters

    game = find_game(game_name)
    if characters is None or (characters == "none" and not hasattr(game, "LABELS")):
        return game, ()
    game = with_characters(game)
    names = [characters] * 3 if characters in ("random", "none") else [character_name(game, text) for text in characters.split(",")]
    if len(names) != 3:
        raise click.UsageError(f"--characters names {len(names)} characters for 3 players")
    if twice := [name for name in names if names.count(name) > 1 and name not in ("random", "none")]:
        raise click.UsageError(f"--characters {twice[0]} is there twice")
    return game, tuple(f"character_{player}={name}" for player, name in enumerate(names))


def make_experiment(
    game_name: str,
    *,
    players: int | None,
    policy: str | None,
    policies: str | None,
    settings: tuple[str, ...],
    seed: int | None,
    is_match: bool,
    characters: str | None = None,
) -> "Experiment":
    """The experiment of one seating that the options describe."""
    from simcore.engine import Experiment

    game, chosen = read_characters(game_name, characters)
    n_seats = number_of_seats(game, players)
    by_seat = read_policies(policy, policies, n_seats, game)
    seed = drawn_seed() if seed is None else seed
    return Experiment(game, read_rules(game, settings + chosen), by_seat, (tuple(range(n_seats)),), seed, is_match)


def read_amount(deals: int | None, games: int | None, until: float | None, seconds: float | None) -> tuple[bool, int | None]:
    """Whether matches are played, and the number of units; None to go on until another rule stops the run."""
    if deals is not None and games is not None:
        raise click.UsageError("give --deals or --games, not both")
    if games is not None:
        return True, games
    return False, deals if deals is not None or until or seconds else DEFAULT_AMOUNT
