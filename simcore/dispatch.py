"""Two ways for a kernel to choose a function, both resolved to direct calls when it is compiled."""

import functools
import inspect
from collections.abc import Callable, Sequence
from types import ModuleType

import numba
import numpy as np
from numba.extending import overload, register_jitable

_games: dict[np.dtype, ModuleType] = {}
_games_by_record: dict[numba.types.Record, ModuleType] = {}
_stubs: list[str] = []


def register(game: ModuleType) -> None:
    """Make *game*, a module with ``STATE`` and every function of the protocol, known to the kernels."""
    if missing := [name for name in _stubs if not hasattr(game, name)]:
        raise TypeError(f"{game.__name__} lacks {', '.join(missing)}")
    if _games.setdefault(game.STATE, game) is not game:
        raise TypeError(f"{game.__name__} and {_games[game.STATE].__name__} share one state dtype")
    _games_by_record[numba.from_dtype(game.STATE)] = game


def game_of(dtype: np.dtype) -> ModuleType:
    """The game whose states have *dtype*."""
    return _games[dtype]


def by_state(stub: Callable | None = None, *, inline: bool = False, is_optional: bool = False) -> Callable:
    """``stub(state, ...)`` becomes the function of that name in the game whose record *state* is.

    With *inline* it becomes part of each caller even where LLVM finds it too long. Where it is *optional*, the stub itself serves the
    games that have none.
    """
    if stub is None:
        return functools.partial(by_state, inline=inline, is_optional=is_optional)
    name = stub.__name__
    default = (stub,) if is_optional else ()
    if not is_optional:
        _stubs.append(name)

    @functools.wraps(stub)
    def rule(state, *args):
        return getattr(_games[state.dtype], name, *default)(state, *args)

    @overload(rule, strict=False, jit_options={"forceinline": inline})
    def choose(state, *args):
        game = _games_by_record.get(state)
        if game is None:
            return None
        function = getattr(game, name, *default)
        return getattr(function, "py_func", function)

    return rule


# A chain makes room for the result of each of its functions, and clears it, on every call: eight at a time are fastest.
_CHAIN = 8


def by_index(functions: Sequence[Callable]) -> Callable[[Callable], Callable]:
    """``stub(index, ...)`` calls ``functions[index](...)``. Unchecked: ``0 <= index < len(functions)``.

    Generated chains of comparisons, the only form of run-time choice that numba both caches and inlines; many functions are
    split into chains of a few, and a chain of those.
    """

    def decorate(stub: Callable) -> Callable:
        index, *rest = inspect.signature(stub).parameters
        name = f"chain_of_{stub.__name__}"
        links = list(enumerate(functions, 1))  # each function with the first index beyond it
        if len(links) > _CHAIN:
            parts = [links[start : start + _CHAIN] for start in range(0, len(links), _CHAIN)]
            chains = [register_jitable(_chain(f"{name}_{k}", stub, index, rest, part)) for k, part in enumerate(parts)]
            links = [(part[-1][0], chain) for part, chain in zip(parts, chains, strict=True)]
            rest = [index, *rest]
        chain = _chain(name, stub, index, rest, links)

        @functools.wraps(stub)
        def choose(*args):
            return chain(*args)

        overload(choose, strict=False)(lambda *args: chain)
        return choose

    return decorate


def _chain(name: str, stub: Callable, index: str, arguments: list[str], links: list[tuple[int, Callable]]) -> Callable:
    """Function that passes *arguments* to the first of *links* whose number is above *index*, else to the last."""
    call = f"({', '.join(arguments)})"
    parameters = list(inspect.signature(stub).parameters)
    lines = [f"def {name}({', '.join(parameters)}):"]
    lines += [f"    if {index} < {beyond}: return f{i}{call}" for i, (beyond, _) in enumerate(links[:-1])]
    lines += [f"    return f{len(links) - 1}{call}"]
    # The names of function and module are all that tells chains of the same arguments apart in the cache.
    scope: dict = {f"f{i}": function for i, (_, function) in enumerate(links)} | {"__name__": stub.__module__}
    exec("\n".join(lines), scope)
    return scope[name]
