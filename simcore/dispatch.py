"""Two ways for a kernel to choose a function, both resolved to direct calls when it is compiled."""

import functools
import inspect
from collections.abc import Callable, Sequence
from types import ModuleType

import numba
import numpy as np
from numba.extending import overload

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


def by_index(functions: Sequence[Callable]) -> Callable[[Callable], Callable]:
    """``stub(index, ...)`` calls ``functions[index](...)``; the last one for any other index.

    A generated chain of comparisons: the only form of run-time choice that numba both caches and inlines.
    """

    def decorate(stub: Callable) -> Callable:
        index, *rest = inspect.signature(stub).parameters
        call = f"({', '.join(rest)})"
        name = f"chain_of_{stub.__name__}"
        lines = [f"def {name}({', '.join([index, *rest])}):"]
        lines += [f"    if {index} == {i}: return f{i}{call}" for i in range(len(functions) - 1)]
        lines += [f"    return f{len(functions) - 1}{call}"]
        # The names of function and module are all that tells chains of the same arguments apart in the cache.
        scope: dict = {f"f{i}": function for i, function in enumerate(functions)} | {"__name__": stub.__module__}
        exec("\n".join(lines), scope)

        @functools.wraps(stub)
        def choose(*args):
            return scope[name](*args)

        overload(choose, strict=False)(lambda *args: scope[name])
        return choose

    return decorate
