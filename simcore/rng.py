"""Random numbers as pure functions of a uint64 counter (splitmix64).

A stream is a counter: ``step`` moves it on, ``mix`` turns it into 64 random bits, and ``stream`` hashes
``(seed, index, purpose)`` into a starting point. So deal ``i`` depends on ``(seed, i)`` alone, and the cards, each
seat's choices and the worlds of a search never disturb each other. The state of a stream is 64 bits; streams start at
hashed points of one cycle of length 2**64.
"""

import numpy as np

from simcore.bits import ONE, nth_bit, popcount
from simcore.jit import kernel

# Purposes of a stream. Their numbers are part of every result: append only.
DEAL, MATCH, WORLD, CAST = 1, 2, 4, 5
SEAT = 16  # SEAT + seat: the choices made in that seat

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel
def step(counter):
    """The next counter of the stream."""
    return counter + _GOLDEN


@kernel
def mix(counter):
    """64 random bits from a counter."""
    word = counter
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def stream(seed, index, purpose):
    """Starting counter of the stream for *purpose* of item *index* under *seed*."""
    return mix(mix(np.uint64(seed) + _GOLDEN * np.uint64(purpose)) ^ mix(np.uint64(index) * _GOLDEN + np.uint64(purpose)))


@kernel
def below(word, n):
    """Map 64 random bits to 0..n-1, for n < 2**32; no answer is off 1/n by more than 2**-32."""
    return ((word >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)


@kernel(inline=True)
def draw_cards(cards, n, counter):
    """Set of *n* cards drawn from *cards* without return, and the stream's counter afterwards."""
    left = cards
    # The number of cards left is counted, not taken from the set: so a draw waits for the one before only to find its card.
    n_left = popcount(cards)
    for _ in range(n):
        counter = step(counter)
        left ^= nth_bit(left, below(mix(counter), n_left))
        n_left -= ONE
    return cards ^ left, counter
