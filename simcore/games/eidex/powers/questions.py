"""All questions of all characters, numbered in the order of asking."""

from collections.abc import Callable, Iterator

import numpy as np
from numba.extending import register_jitable

from simcore.dispatch import by_index
from simcore.games.eidex.characters import CHARACTERS
from simcore.games.eidex.powers.character import FOLLOWS, MOMENTS, Character, Question

_UNLIMITED = 255


def _in_order() -> Iterator[tuple[int, Question]]:
    """Characters' numbers and questions by moment and listing order, each follow-up behind its question."""
    for moment in range(len(MOMENTS)):
        for number, character in enumerate(CHARACTERS):
            is_here = False
            for question in character.questions:
                is_here = question.moment == moment if question.moment != FOLLOWS else is_here
                if is_here:
                    yield number, question


_NUMBERED = tuple(_in_order())
QUESTIONS = tuple(question for _, question in _NUMBERED)
if len(QUESTIONS) > 64:
    raise ValueError(f"the characters have {len(QUESTIONS)} questions; the sets of questions have room for 64")
OWNERS = np.array([number for number, _ in _NUMBERED])  # the character that a question belongs to


def _set_of(is_in) -> np.uint64:
    return np.uint64(sum(1 << k for k, (number, question) in enumerate(_NUMBERED) if is_in(number, question)))


# Sets of questions: of each moment and of each character, without the follow-ups.
AT_MOMENT = np.array([_set_of(lambda _, q, m=moment: q.moment == m) for moment in range(len(MOMENTS))], np.uint64)
OF_CHARACTER = np.array(
    [_set_of(lambda n, q, c=character: n == c and q.moment != FOLLOWS) for character in range(len(CHARACTERS))], np.uint64
)
# Those whose answers count as uses, those that are asked only while a use is left, those that change only what somebody knows, and those
# before a lead that are asked again when a trick is played again.
USES = _set_of(lambda _, q: q.is_use and q.moment != FOLLOWS)
NEEDS_USE = _set_of(lambda n, q: CHARACTERS[n].uses > 0 and not q.is_free and q.moment != FOLLOWS)
INQUIRIES = _set_of(lambda _, q: q.is_inquiry)
AGAIN = _set_of(lambda _, q: q.again)


@by_index([question.options for question in QUESTIONS])
def options(number, state):
    """Answers to question *number*, empty when there is nothing to ask."""


@by_index([question.answer for question in QUESTIONS])
def answer(number, state, move):
    """Carry out an answer to question *number*."""


@by_index([question.advise for question in QUESTIONS])
def advise(number, state, word):
    """Answer to question *number* by its rule of thumb."""


def _uses_of(character: Character) -> Callable:
    """Function that reads how often the power may be used in a hand."""
    name = character.uses_switch[0].name if character.uses else ""
    read = (lambda rules: rules[name]) if name else (lambda rules: _UNLIMITED)
    # The name tells the functions apart in the cache.
    read.__qualname__ = f"uses_of_{character.name}"
    return register_jitable(read)


@by_index([_uses_of(character) for character in CHARACTERS])
def uses_of(character, rules):
    """How often *character* may use its power in a hand."""
