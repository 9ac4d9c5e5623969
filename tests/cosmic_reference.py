"""The kernels with characters and their plain reference, side by side."""

import numpy as np
from reference.characters import NAMES, Hand

from simcore.games.eidex import cosmic
from simcore.games.eidex.cards import DECK
from simcore.games.eidex.powers.flow import advance
from simcore.games.eidex.powers.knowledge import DONATED, FACE_DOWN, PRESSED
from simcore.games.eidex.powers.phases import BEFORE_TRICK, DECLARING
from simcore.games.eidex.powers.scoring import award, match_seat
from simcore.games.eidex.powers.state import lay_out
from simcore.games.eidex.powers.table import card_points, own_cards
from simcore.protocol import deal, effective_rules, is_over, legal_moves, play, settle, start

CARDS = {name: card for card, name in enumerate(DECK.names)}
# Names of the rules in the reference, where they differ.
RULE_NAMES = {
    "to_win": "points_to_win",
    "fuersorge_points": "fuersorge_threshold",
    "excuse_points": "excuse_threshold",
}
REFERENCE_RULES = (
    "sphinx guggitaler_king three_way_tie three_at_six_tie points_limit to_win radar_low radar_high computer_step fuersorge_points "
    "excuse_points voyeur_cards justice_tricks "
    "weisheit_jacks weisheit_nines weisheit_fours weisheit_five weisheit_four weisheit_three weisheit_marriage"
).split()
_MASK = (1 << 64) - 1


class Chance:
    """The reference's source of blind draws: splitmix64 from the counter at which the kernels go on."""

    def __init__(self, counter):
        self.counter = int(counter)

    def below(self, n):
        self.counter = (self.counter + 0x9E3779B97F4A7C15) & _MASK
        word = self.counter
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        word ^= word >> 31
        return ((word >> 32) * n) >> 32


def names_of(cards):
    """The set of names of a card set."""
    return {name for name, card in CARDS.items() if int(cards) >> card & 1}


class Pair:
    """One hand with the characters *numbers* (-1 for none), played by the kernels and by the reference.

    Its cards are dealt from *key*, or given as three sets of names in *hands*, the dealer's bottom card and the one above it in *bottom*.
    """

    def __init__(self, numbers, key, dealer=0, standing=(0, 0, 0), uses=None, hands=None, bottom=None, **rules):
        switches = {f"character_{seat}": "none" for seat in range(3)} | rules
        switches |= {f"{name}_uses": n for name, n in (uses or {}).items()}
        self.rules = effective_rules(cosmic.SWITCHES, switches)
        self.states = np.zeros(1, cosmic.STATE)
        self.state = self.states[0]
        state = self.state
        start(state, self.rules[0], 3, dealer)
        plain = np.zeros(1, cosmic.STATE)[0]
        start(plain, self.rules[0], 3, dealer)
        deal(plain, np.uint64(key))
        for seat in range(3):
            state.victory_points[seat] = standing[seat]
            state.characters[seat] = state.active[seat] = numbers[seat]
        if hands:
            for seat in range(3):
                plain.hands[seat] = state.hands[seat] = DECK.cards(" ".join(hands[seat]))
            plain.upcard, plain.second = (CARDS[card] for card in bottom)
            plain.chance = state.chance = key
            lay_out(state, np.int64(plain.upcard), np.int64(plain.second))
            advance(state)
        else:
            deal(state, np.uint64(key))
        self.n_early = [0, 0, 0]
        own = {RULE_NAMES.get(name, name): rules[name] for name in REFERENCE_RULES if name in rules}
        own["uses"] = {NAMES[cosmic.NAMES.index(name)]: n for name, n in (uses or {}).items()}
        self.reference = Hand(
            [names_of(plain.hands[seat]) for seat in range(3)],
            dealer,
            DECK.names[plain.upcard],
            DECK.names[plain.second],
            [None if number < 0 else NAMES[number] for number in numbers],
            Chance(plain.chance),
            list(standing),
            own,
        )

    def options(self):
        """Legal moves of the kernels as texts, by move."""
        moves = int(legal_moves(self.state))
        return {move: cosmic.move_text(self.state, move) for move in range(64) if moves >> move & 1}

    def check(self):
        """Both ask the same seat the same question, and agree on every card, on points, and on what each seat may know."""
        state, reference = self.state, self.reference
        assert is_over(state) == reference.over()
        table = reference.table
        for seat in range(3):
            assert names_of(state.hands[seat]) == table.hands[seat]
            assert names_of(state.pressed[seat]) == ({table.pressed[seat]} - {None})
            assert names_of(own_cards(state, seat) & ~state.pressed[seat]) == set(table.pile_cards(seat))
            assert int(card_points(state, seat)) == table.card_points()[seat]
        assert [DECK.names[card] for card in state.laid[: state.n_laid]] == [laid.card for laid in table.trick]
        assert int(state.leader) == table.leader or state.phase < BEFORE_TRICK
        assert int(state.limit) == (13 if table.is_guggitaler else table.limit)
        self.check_knowledge()
        if reference.over():
            assert int(match_seat(state)) == (-1 if reference.match_seat() is None else reference.match_seat())
            points = [int(card_points(state, seat)) for seat in range(3)]
            assert [int(gain) for gain in award(state, *points)] == reference.result()
            settled = self.states.copy()
            settle(settled[0])
            assert settled[0].victory_points.tolist() == reference.standing_after()[0]
            return
        seat, kind, options = reference.decision()
        assert int(state.seat) == seat
        texts = set(self.options().values())
        expected = {option if kind == "card" else f"press {option}" if kind == "press" else f"{kind}: {option}" for option in options}
        assert {text.replace("press: ", "press ") for text in texts} == expected

    def check_knowledge(self):
        """The truth is among what every seat holds possible, and what it was told is in its knowledge."""
        state = self.state
        for seat in range(3):
            for other in range(3):
                if other != seat:
                    assert not int(state.hands[other]) & ~int(state.may[seat, other])
                    assert not int(state.pressed[other]) & ~int(state.may[seat, PRESSED + other])
            assert not int(state.donated) & ~int(state.may[seat, DONATED])
            for slot in range(2):
                assert not int(state.face_down[slot]) & ~int(state.may[seat, FACE_DOWN + slot])
            self._check_told(seat)

    def _check_told(self, seat):
        if self.state.phase <= DECLARING:
            # What was seen before pressing may have been pressed, which is noted for nobody else.
            self.n_early[seat] = len(self.reference.seen[seat])
        doubtful = set()
        for fact in reversed(self.reference.seen[seat][self.n_early[seat] :]):
            if fact[0] == "unseen move":
                doubtful |= {fact[1], fact[2]}
            elif fact[0] == "laid face down":
                doubtful.add(fact[1])
            elif fact[0] == "hands exchanged":
                return
            elif fact[0] == "holds" and fact[1] != seat and fact[1] not in doubtful:
                card = CARDS[fact[2]]
                if int(self.state.hands[fact[1]]) >> card & 1:
                    places = [place for place in range(9) if int(self.state.may[seat, place]) >> card & 1]
                    assert places == [fact[1]], (seat, fact, places)
            elif fact[0] == "not in hand" and fact[1] != seat and fact[1] not in doubtful:
                known = {card for card in fact[2] if int(self.state.may[seat, fact[1]]) >> CARDS[card] & 1}
                assert all(("holds", fact[1], card) in self.reference.seen[seat] for card in known), (seat, fact, known)

    def play(self, rnd, preferred=()):
        """Choose the first of the *preferred* texts that is open, else at random, and carry it out in both; its text."""
        options = self.options()
        numbers = {text: move for move, text in options.items()}
        move = next((numbers[text] for text in preferred if text in numbers), None)
        move = rnd.choice(sorted(options)) if move is None else move
        kind = self.reference.decision()[1]
        text = options[move]
        option = text.split(": ", 1)[1] if ": " in text else text.split()[-1]
        assert kind in ("card", "press") or text.startswith(f"{kind}: ")
        play(self.state, np.uint64(move))
        self.reference.choose(option)
        return text
