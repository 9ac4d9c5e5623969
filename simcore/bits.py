"""Card sets: uint64 masks, bit ``c`` set when card ``c`` is in the set.

The Python bodies are the reference and run under ``NUMBA_DISABLE_JIT=1``; the overloads give
numba the machine instruction. numba makes a float64 of uint64 mixed with int: use the constants.
"""

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from simcore.jit import kernel

EMPTY = np.uint64(0)
ONE = np.uint64(1)
_WORD, _BIT = ir.IntType(64), ir.IntType(1)


@intrinsic
def _ctpop(typingctx, cards):
    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def _cttz(typingctx, cards):
    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(_BIT, 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def _ctlz(typingctx, cards):
    def codegen(context, builder, signature, args):
        return builder.ctlz(args[0], ir.Constant(_BIT, 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def _pdep(typingctx, source, mask):
    def codegen(context, builder, signature, args):
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(_WORD, [_WORD, _WORD]))
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


def _has_fast_pdep() -> bool:
    """Whether the processor that numba compiles for deposits bits in a few cycles (BMI2)."""
    name = numba.config.CPU_NAME or llvm.get_host_cpu_name()
    if name in ("znver1", "znver2"):  # microcoded there: slower than the loop
        return False
    features = numba.config.CPU_FEATURES
    if features is None:
        return numba.config.CPU_NAME in (None, "host") and bool(llvm.get_host_cpu_features().get("bmi2"))
    return "+bmi2" in features


def bit(card):
    """Set of the one card."""
    return ONE << np.uint64(card)


@overload(bit)
def _(card):
    return lambda card: ONE << np.uint64(card)


def popcount(cards):
    """Number of cards in the set."""
    return np.uint64(int(cards).bit_count())


@overload(popcount)
def _(cards):
    return lambda cards: _ctpop(np.uint64(cards))


def lowest(cards):
    """Index of the lowest card; 64 for the empty set."""
    return np.uint64((int(cards) & -int(cards)).bit_length() - 1 if cards else 64)


@overload(lowest)
def _(cards):
    return lambda cards: _cttz(np.uint64(cards))


def highest(cards):
    """Index of the highest card; 2**64 - 1 for the empty set."""
    return np.uint64(int(cards).bit_length() - 1 & (1 << 64) - 1)


@overload(highest)
def _(cards):
    return lambda cards: np.uint64(63) - _ctlz(np.uint64(cards))


def nth_bit(cards, n):
    """Set of the n-th lowest card alone, counting from 0. Unchecked: ``n < popcount(cards)``."""
    for _ in range(int(n)):
        cards &= cards - ONE
    return cards & ~(cards - ONE)


if _has_fast_pdep():

    @overload(nth_bit)
    def _(cards, n):
        # Depositing the single bit 1 << n into the set leaves just its n-th bit.
        return lambda cards, n: _pdep(ONE << np.uint64(n), np.uint64(cards))

else:

    @overload(nth_bit)
    def _(cards, n):
        def loop(cards, n):
            for _ in range(np.int64(n)):
                cards &= cards - ONE
            return cards & ~(cards - ONE)

        return loop


@kernel
def nth(cards, n):
    """Index of the n-th lowest card, counting from 0. Unchecked: ``n < popcount(cards)``."""
    return lowest(nth_bit(cards, n))


def copy_record(target, source):
    """Overwrite the record *target* with *source* (same dtype)."""
    for name in source.dtype.names:
        target[name] = source[name]


@overload(copy_record)
def _(target, source):
    return lambda target, source: _memcpy(target, source)


@intrinsic
def _memcpy(typingctx, target, source):
    # numba's own record assignment compiles field by field: seconds for a large record.
    if not isinstance(source, types.Record) or target != source:
        raise TypeError(f"copy_record needs two records of one dtype, not {target} and {source}")

    def codegen(context, builder, signature, args):
        byte = ir.IntType(8).as_pointer()
        pointers = [builder.bitcast(pointer, byte) for pointer in args]
        name, types_ = "llvm.memcpy", [byte, byte, _WORD]
        function = builder.module.declare_intrinsic(name, types_, ir.FunctionType(ir.VoidType(), [*types_, _BIT]))
        builder.call(function, [*pointers, ir.Constant(_WORD, source.size), ir.Constant(_BIT, 0)])
        return context.get_dummy_value()

    return types.void(target, source), codegen
