"""The secret rules that are known, by number, and the tables by which kernels judge.

Rule number 64 * w + b is bit b of *word* w. All rules of a word have the same feature and the same size, hence the same prior weight, so
that the rules still possible are a vector of words, a verdict narrows it by one word operation each, and its weight is a sum of
population counts. Numbers that a word does not fill are no rules.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, overload

from simcore.bits import EMPTY, ONE, lowest, nth, popcount
from simcore.deck import nearest
from simcore.games.eleusis.cards import N_TYPES
from simcore.games.eleusis.grammar import CYCLE, FEATURES, LENGTH_FEATURES, PAIR_FEATURES, REQUIREMENTS, RUNS, Rule
from simcore.jit import cached_table, kernel
from simcore.reading import check_keys
from simcore.rng import below, mix, step

WORD = 64
# Words of the library here, and the most that there can be with a user's own: the moves of a guess are words and two more answers.
N_WORDS, MAX_WORDS = 45, 62
LAST_RULE = 2843
TABLES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # [feature lacks or holds, last card, card, word]: set of the rules by which the card is right
                ("accept", "u8", (2, N_TYPES, N_TYPES, WORD)),
                # [rule, feature lacks or holds, last card]: set of the right cards
                ("right", "u8", (MAX_WORDS * WORD, 2, N_TYPES)),
                ("rules", "u8", (WORD,)),  # numbers of the word that are rules
                ("weight", "i8", (WORD,)),  # prior weight of each rule of the word
                ("feature", "u8", (WORD,)),
                ("pair_features", "u8", (N_TYPES, N_TYPES)),
                ("length_features", "u8", (CYCLE,)),
                ("n_words", "i8"),
            ],
            align=True,
        ),
    )
)

RULEBOOK = (
    Rule("red_black", "other colour"),
    Rule("suit_order", "next suit in SHDC"),
    # By its triples: the first card of one differs from the card before, the others do not.
    Rule("three_three", "other colour", "after every third card", "same colour"),
    Rule("odd_even", "other parity"),
    Rule("low_high", "other half"),
    Rule("plus123", "up 1 to 3"),
    Rule("odd_red", "red", "last is odd", "black"),
    Rule("suit_or_value", "same suit or same value"),
    Rule("black_down", "not lower", "last is red", "not higher"),
)
# Requirements that are joined in pairs, and those that conditions choose between.
_JOINED = (
    "red black odd even low high face number/same colour/other colour/same suit/other suit/same parity/other parity/same half/other half/"
    "same value/higher/lower/not higher/not lower/at most 3 apart/up 1 to 3/up 1 to 6/next suit in SHDC"
)
_CHOSEN = "red black odd even low high/same colour/other colour/same suit/other suit/same parity/other parity/higher/lower"
_CHOSEN_BY_ROW = "red odd even low high/same colour/other colour/same parity/other parity/same half/higher/lower/same suit"
# Rules by which a smaller or a larger share of the cards is right, or which end more rows, are left out: no choice for a dealer.
_STRICTEST, _LAXEST, _MOST_DEAD_ENDS = 0.07, 0.8, 0.1
_LARGEST = 4
_N_STEPS = 48


def _texts(line: str) -> list[str]:
    """The requirements of a line: single words between blanks, then others between slashes."""
    words, *others = line.split("/")
    return [*words.split(), *others]


def candidates() -> Iterator[Rule]:
    """The rulebook's rules and all that the grammar makes, the simple forms first; some behave alike."""
    yield from RULEBOOK
    for then in REQUIREMENTS:
        yield _named(then)
    for one, other in itertools.combinations(_texts(_JOINED), 2):
        yield _named(f"{one} and {other}")
        yield _named(f"{one} or {other}")
    for when in ("last is red", "last is odd", "last is low", "last is face"):
        for then, otherwise in itertools.permutations(_texts(_CHOSEN), 2):
            yield _named(then, when, otherwise)
    for when in FEATURES[1:]:
        for then, otherwise in itertools.permutations(_texts(_CHOSEN_BY_ROW), 2):
            yield _named(then, when, otherwise)


def _named(then: str, when: str = "", otherwise: str = "") -> Rule:
    return Rule(f"{when}: {then}; else {otherwise}" if when else then, then, when, otherwise)


@dataclass(frozen=True)
class Library:
    """Rules by number, ``None`` where a number is no rule; their tables, a records array of shape (1,); and figures of each rule.

    *strictness* is the share of the 52 card types that are right, *dead_ends* the share of places in a row at which no card is right; both
    over rows that the rule lets grow at random; float64 by number.
    """

    rules: tuple[Rule | None, ...]
    tables: np.ndarray
    strictness: np.ndarray
    dead_ends: np.ndarray
    aliases: dict[str, int]
    own: tuple[Rule, ...] = ()  # a user's

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of each name."""
        return {rule.name: number for number, rule in enumerate(self.rules) if rule} | self.aliases

    @cached_property
    def _by_lower(self) -> dict[str, int]:
        return {name.lower(): number for name, number in self.numbers.items()}

    @property
    def n_words(self) -> int:
        """Words in use."""
        return len(self.rules) // WORD

    def number(self, name: str) -> int:
        """Number of the rule called *name*, in any case. ValueError names the nearest."""
        if name.strip().lower() not in self._by_lower:
            few = ", ".join(rule.name for rule in RULEBOOK)
            raise ValueError(f"no secret rule {name!r}{nearest(name, self.numbers)}; there are {few}, and `cosmic rules` lists all")
        return self._by_lower[name.strip().lower()]

    def is_rule(self, number: int) -> bool:
        """Whether *number* is a rule."""
        return 0 <= number < len(self.rules) and self.rules[number] is not None


# Kernels find the tables through a symbol whose value is their address: neither compiled into them, which would take minutes, nor an
# argument of every function. It is resolved when code is loaded, so kernels can be cached.
_SYMBOL = "cosmic_eleusis_tables"
_address = np.zeros(1, np.uint64)
llvm.add_symbol(_SYMBOL, _address.ctypes.data)
_active: list[Library] = []
_RECORD = numba.from_dtype(TABLES)


@intrinsic
def _loaded_tables(typingctx):
    def codegen(context, builder, signature, args):
        address = builder.load(context.get_c_value(builder, ir.IntType(64), _SYMBOL))
        return builder.inttoptr(address, context.get_value_type(_RECORD))

    return _RECORD(), codegen


def tables():
    """Tables of the library in use, one record."""
    return library().tables[0]


@overload(tables)
def _():
    return lambda: _loaded_tables()


def library() -> Library:
    """The library in use; that of the grammar, made when first asked for, unless `use` has chosen another."""
    if not _active:
        use(standard_library())
    return _active[0]


def use(chosen: Library) -> None:
    """Let the whole process judge by *chosen*."""
    _active[:] = [chosen]
    _address[0] = chosen.tables.ctypes.data


@kernel
def grown(features, pair, length):
    """Features of a row after one more card, from those before, those of its last two cards and those of its length."""
    after = pair | length
    for pair_bit, run_bit in RUNS:
        after |= run_bit if features & pair & pair_bit else EMPTY
    return after


@kernel
def next_features(features, n, last, card):
    """Features of a row of *n* cards that ends with *last*, *card*, from those of the row before *card* came; uint64 set."""
    return grown(features, tables().pair_features[last, card], tables().length_features[n % CYCLE])


@kernel
def first_features():
    """Features of a row that is the start card alone."""
    return tables().length_features[1]


@kernel
def right_cards(rule, features, last):
    """Set of the card types that are right by rule number *rule*.  Rule: eleusis E14"""
    holds = features >> tables().feature[rule // WORD] & ONE
    return tables().right[rule, holds, last]


@cache
def standard_library() -> Library:
    """The rulebook's rules and those of the grammar, without two that behave alike.  Rule: eleusis E8"""
    rules = list(candidates())
    kept = cached_table("eleusis-rules", (N_WORDS * WORD,), lambda: _choose(rules))
    return _filled([rules[k] if k >= 0 else None for k in kept.tolist()])


def with_rules(own: Iterable[Rule]) -> Library:
    """The standard library and a user's *own* rules, in the words behind; one that behaves like another is another name of it.

    ValueError, naming the rule, for one that is not in the language, a name that is taken, or too many.
    """
    base, own = standard_library(), tuple(own)
    known = list(filter(None, base.rules))
    if len(own) > (most := MAX_WORDS * WORD - len(known)):
        raise ValueError(f"{len(own):,} rules are too many: the library has room for {most:,} of a user's own")
    names = set(base.numbers)
    for rule in own:
        if rule.name in names:
            raise ValueError(f"rule {rule.name!r}: this name is taken")
        names.add(rule.name)
        try:
            rule.tables()
        except ValueError as error:
            raise ValueError(f"rule {rule.name!r}: {error}") from None
    rules = known + list(own)
    alike = _first_alike(_right_of(rules), _features_of(rules))[len(known) :]
    added = [rule for k, rule in enumerate(own, len(known)) if alike[k - len(known)] == k]
    twins = {rule.name: rules[first].name for rule, first in zip(own, alike, strict=True) if rules[first] is not rule}
    slots = [*base.rules]
    for _, group in itertools.groupby(sorted(added, key=_group), key=_group):
        slots += _in_words(list(group))
    if len(slots) > MAX_WORDS * WORD:
        raise ValueError(f"these rules fill {len(slots) // WORD} words of 64 rules of one size and condition; there are {MAX_WORDS}")
    found = _filled(slots)
    return replace(found, aliases={name: found.numbers[twin] for name, twin in twins.items()}, own=own)


def read_rules(data: object) -> list[Rule]:
    """A user's rules from the data of a TOML file: ``[[rule]]`` tables with name, then, and perhaps when and otherwise.

    ValueError in one line.
    """
    check_keys(data, ("rule",), "a file of rules")
    entries = data.get("rule", [])  # type: ignore[attr-defined]
    if not isinstance(entries, list) or not entries:
        raise ValueError("a file of rules has [[rule]] tables, each with name and then, and perhaps when and otherwise")
    rules = []
    for number, entry in enumerate(entries, 1):
        check_keys(entry, ("name", "when", "then", "otherwise"), f"rule {number}")
        for key in ("name", "then"):
            if key not in entry:
                raise ValueError(f"rule {number} lacks {key}")
        if bad := [key for key, text in entry.items() if not isinstance(text, str) or not text.strip()]:
            raise ValueError(f"rule {number}: {bad[0]} is a text, not {entry[bad[0]]!r}")
        rules.append(Rule(**{key: " ".join(text.split()) for key, text in entry.items()}))
    return rules


def _group(rule: Rule) -> tuple[int, int]:
    return rule.size, rule.feature


def _in_words(group: list[Rule]) -> list[Rule | None]:
    return [*group, *[None] * (-len(group) % WORD)]


def _filled(slots: list[Rule | None]) -> Library:
    """Library of the rules in *slots*, whole words of them."""
    table = np.zeros(1, TABLES)
    table["pair_features"], table["length_features"] = PAIR_FEATURES, LENGTH_FEATURES
    holds = np.zeros((len(slots), 2, N_TYPES, N_TYPES), bool)  # [rule, feature lacks or holds, last card, card]
    for number, rule in enumerate(slots):
        if rule:
            holds[number] = rule.tables()[::-1]
            table["rules"][0, number // WORD] |= np.uint64(1 << number % WORD)
            table["weight"][0, number // WORD] = 4 ** max(_LARGEST - rule.size, 0)
            table["feature"][0, number // WORD] = rule.feature
    table["right"][0, : len(slots)] = _packed(holds)
    n_words = len(slots) // WORD
    table["n_words"] = n_words
    table["accept"][0, ..., :n_words] = _packed(holds.reshape(n_words, WORD, 2, N_TYPES, N_TYPES).transpose(2, 3, 4, 0, 1))
    _, strictness, dead_ends = _walk(table["right"][0, : len(slots)], _features_of(slots))
    return Library(tuple(slots), table, strictness, dead_ends, {})


def _packed(holds: np.ndarray) -> np.ndarray:
    """The last axis, of at most 64 bits, as uint64."""
    wide = np.zeros((*holds.shape[:-1], WORD), bool)
    wide[..., : holds.shape[-1]] = holds
    return np.packbits(wide, axis=-1, bitorder="little").view("<u8")[..., 0]


def _features_of(rules: Sequence[Rule | None]) -> np.ndarray:
    return np.array([rule.feature if rule else 0 for rule in rules], np.uint64)


def _right_of(rules: list[Rule]) -> np.ndarray:
    return _packed(np.stack([rule.tables()[::-1] for rule in rules]))


def _choose(rules: list[Rule]) -> np.ndarray:
    """Which of *rules* is which number of the library, -1 for none: the first of those that behave alike, if not too strict or too lax."""
    right, features = _right_of(rules), _features_of(rules)
    _, strictness, dead_ends = _walk(right, features)
    is_fit = (_STRICTEST <= strictness) & (strictness <= _LAXEST) & (dead_ends <= _MOST_DEAD_ENDS)
    is_fit[: len(RULEBOOK)] = True
    fit = np.flatnonzero(is_fit)
    kept = fit[_first_alike(right[fit], features[fit]) == np.arange(len(fit))].tolist()
    numbers = []
    for _, group in itertools.groupby(sorted(kept, key=lambda k: _group(rules[k])), key=lambda k: _group(rules[k])):
        members = list(group)
        numbers += members + [-1] * (-len(members) % WORD)
    return np.array(numbers)


def _first_alike(right: np.ndarray, features: np.ndarray) -> np.ndarray:
    """For each rule, the number of the first one that behaves like it: mostly its own."""
    prints, _, _ = _walk(right, features)
    found = np.arange(len(right))
    firsts: dict[int, list[int]] = {}
    for k in range(len(right)):
        alike = firsts.setdefault(int(prints[k]), [])
        for j in alike:
            if _behave_alike(right[k], features[k], right[j], features[j], PAIR_FEATURES, LENGTH_FEATURES):
                found[k] = j
                break
        else:
            alike.append(k)
    return found


def _walk(right: np.ndarray, features: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fingerprint (uint64), strictness and share of dead ends (float64) of each rule, from rows that it lets grow at random."""
    found = np.zeros(len(right), np.uint64), np.zeros(len(right)), np.zeros(len(right))
    _walk_rules(right, features, PAIR_FEATURES, LENGTH_FEATURES, *found)
    return found


@kernel
def _walk_rules(right, features, pairs, lengths, prints, strictness, dead_ends):
    for rule in range(len(right)):
        n_places, n_right, n_dead, print_ = 0, np.uint64(0), 0, EMPTY
        counter = EMPTY
        for start in range(N_TYPES):
            last = np.uint64(start)
            now = lengths[1]
            for n in range(2, _N_STEPS):
                cards = right[rule, now >> features[rule] & ONE, last]
                print_ = mix(print_ ^ mix(cards + np.uint64(n)))
                n_places += 1
                n_right += popcount(cards)
                # The word is drawn in any case, so that rules which behave alike go on alike.
                counter = step(counter)
                if not cards:
                    n_dead += 1
                    continue
                card = nth(cards, below(mix(counter), popcount(cards)))
                now = grown(now, pairs[last, card], lengths[n % CYCLE])
                last = card
        prints[rule] = print_
        strictness[rule] = n_right / (n_places * N_TYPES)
        dead_ends[rule] = n_dead / n_places


@kernel
def _behave_alike(right, feature, other_right, other_feature, pairs, lengths):
    """Whether two rules find the same cards right after every row that they let grow: all places of it are visited.  Rule: eleusis E8"""
    # What a place is to both: the last card, the length of the row, both features, and the pairs that make runs.
    bits = ONE << feature | ONE << other_feature
    for pair_bit, _ in RUNS:
        bits |= pair_bit
    seen = {(EMPTY, EMPTY, EMPTY)}  # no place: the row is never empty
    pending = [(EMPTY, EMPTY, EMPTY) for _ in range(0)]
    for card in range(N_TYPES):
        place = (np.uint64(card), lengths[1] & bits, ONE)
        seen.add(place)
        pending.append(place)
    while len(pending) > 0:
        last, now, n = pending.pop()
        cards = right[now >> feature & ONE, last]
        if cards != other_right[now >> other_feature & ONE, last]:
            return False
        n = (n + ONE) % np.uint64(CYCLE)
        while cards:
            card = lowest(cards)
            cards &= cards - ONE
            place = (card, grown(now, pairs[last, card], lengths[n]) & bits, n)
            if place not in seen:
                seen.add(place)
                pending.append(place)
    return True
