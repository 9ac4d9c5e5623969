"""The one decorator of every compiled function, and the folder of its disk cache."""

import hashlib
import os
import platform
import tempfile
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from platformdirs import user_cache_dir

PACKAGE = Path(__file__).parent

# LLVM makes branches of conditional moves in loops where it believes the condition predictable. Which card is drawn is not:
# the wrong guesses cost a fifth of a random deal. The option holds for the process; other machines than x86 do not know it.
if platform.machine().lower() in ("x86_64", "amd64"):
    llvm.set_option("", "-x86-cmov-converter=false")


def _mangled(record: numba.types.Record) -> tuple[str, tuple[int]]:
    """What stands for a record in the names of compiled functions: its layout.

    numba has a number there that counts the types of the process. So two processes leave kernels for different records under one name in
    the cache, and a third that loads both runs one in place of the other.
    """
    return "Record", (int.from_bytes(hashlib.blake2b(record.name.encode(), digest_size=8).digest()),)


numba.types.Record.mangling_args = property(_mangled)


def source_hash(files: Iterable[Path]) -> str:
    """Hash of the contents of *files*, 16 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(files):
        digest.update(file.name.encode() + b"\0" + file.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


@cache
def package_hash() -> str:
    """Hash of all sources of the package: what the results of a run depend on."""
    return source_hash(PACKAGE.rglob("*.py"))


@cache
def cache_folder() -> Path:
    """Folder for compiled kernels and computed tables, named after the hash of all sources.

    numba recompiles a function when its own file changes, but not when a function that it calls
    changes in another file: after an edit of a rule, the engine would go on running the old one.
    """
    base = os.environ.get("NUMBA_CACHE_DIR") or user_cache_dir("cosmic-sim", appauthor=False)
    # numba's own key lacks this flag.
    checked = "-checked" if numba.config.BOUNDSCHECK else ""
    folder = Path(base) / (package_hash() + checked)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        # A home that cannot be written to: compile into a folder that lasts as long as the process.
        return Path(_temporary().name)


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="cosmic-sim-", ignore_cleanup_errors=True)


def cached_table(name: str, shape: tuple[int, ...], compute: Callable[[], np.ndarray]) -> np.ndarray:
    """The table that *compute* makes, kept in the cache folder under *name*; a file that is damaged or of another shape is made anew."""
    file = cache_folder() / f"{name}.npy"
    try:
        table = np.load(file)
        if table.shape == shape:
            return table
    except (OSError, ValueError, EOFError):
        pass
    table = compute()
    try:
        partial = file.with_suffix(f".{np.random.SeedSequence().entropy}.npy")
        np.save(partial, table)
        partial.replace(file)
    except OSError:
        pass  # A cache that cannot be written to costs time only.
    return table


def kernel(function: Callable[..., Any] | None = None, *, inline: bool = False, is_part: bool = False) -> Callable[..., Any]:
    """Compile *function* in nopython mode when first called, cached on disk, free of the GIL.

    With *inline* it becomes part of each caller even where LLVM finds it too long: for what runs once per move. As *is_part* it is copied
    into each caller before that is compiled, and never compiled by itself: for what has one caller and much below it, since numba
    optimizes all that a function calls once more with the function.
    """
    if function is None:
        return partial(kernel, inline=inline, is_part=is_part)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        copied = "always" if is_part else "never"
        return numba.njit(cache=True, nogil=True, forceinline=inline, inline=copied, no_cfunc_wrapper=True)(function)
    finally:
        numba.config.CACHE_DIR = before
