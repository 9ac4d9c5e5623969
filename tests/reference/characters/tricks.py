"""The tricks: before a lead, card by card, and the settling.

Rule: eidex X1, X3.
"""

from reference.characters.table import SEATS, Entry, Laid, Wishes, in_order, is_animal
from reference.eidex import DECK, RANKS, SUITS, rank_of, suit_of


def play_all_tricks(t):
    """Play until no hand holds a card."""
    while t.hands[0]:
        t.wishes = Wishes()
        yield from before_the_lead(t)
        yield from play_one_trick(t)
    if t.pot is not None:
        # K32: somebody pressed the named card and so "wins" it.
        presser = t.pressed.index(t.named)
        win_pot(t, presser)


def play_one_trick(t):
    """Play one trick until it is collected, again whenever it is rejected."""
    while True:
        drawn = yield from draw_the_lead(t)
        for seat in t.from_seat(t.leader):
            yield from lay(t, seat, drawn)
            drawn = None
        if not (yield from settle(t)):
            return
        yield from before_the_replay(t)


# Before the lead --------------------------------------------------------------


def before_the_lead(t):
    """Ask the powers of this moment in listing order."""
    assert len({len(hand) for hand in t.hands}) == 1, "equal hands before every lead"
    yield from dealer(t)
    yield from voyeur(t)
    yield from quizmaster(t)
    yield from schuechterne(t)
    yield from gerechtigkeit(t)
    yield from skater_before_the_lead(t)
    yield from farbenfreund(t)
    yield from zombie(t)
    yield from taschenspieler(t)
    yield from kompass(t)


def before_the_replay(t):
    """Ask those who may act before any lead; the others act before, between or after tricks. Rule: eidex K29."""
    yield from voyeur(t)
    yield from schuechterne(t)
    yield from gerechtigkeit(t)
    yield from skater_before_the_lead(t)
    yield from farbenfreund(t)
    yield from taschenspieler(t)


def lead_is_shown(t):
    """Tell whether the leader is bound to the card shown to the Seher."""
    return t.bound_lead(t.leader) is not None


def dealer(t):
    """Rule: eidex K1."""
    seat = t.seat_of("Dealer")
    if seat is None:
        return
    partner = yield from t.ask(seat, "dealer", ["no"] + t.fellows(seat))
    if partner == "no":
        return
    partner = int(partner)
    if not (yield from t.ask_yes(partner, "dealer partner")):
        return
    t.hands[seat], t.hands[partner] = t.hands[partner], t.hands[seat]
    t.log.append(f"{seat} and {partner} exchange hands")
    t.learn_all("hands exchanged", seat, partner)
    for giver, taker in ((seat, partner), (partner, seat)):
        for card in in_order(t.hands[taker]):
            t.learn(giver, "holds", taker, card)
            t.learn(taker, "holds", taker, card)


def voyeur(t):
    """Rule: eidex K7. The cards are shown in deck order, one question each."""
    seat = t.seat_of("Voyeur")
    if seat is None or not t.can_use("Voyeur") or len(t.hands[seat]) < 2:
        return
    target = yield from t.ask(seat, "voyeur", ["no"] + t.fellows(seat))
    if target == "no":
        return
    target = int(target)
    t.spend("Voyeur")
    left = in_order(t.hands[target])
    to_show = min(t.rules["voyeur_cards"], len(left))
    while to_show:
        # Enough cards must follow the one that is shown.
        card = yield from t.ask(target, "voyeur sees", left[: len(left) - to_show + 1])
        left = left[left.index(card) + 1 :]
        to_show -= 1
        t.learn(seat, "holds", target, card)


def quizmaster(t):
    """Rule: eidex K8. Not before the first trick."""
    seat = t.seat_of("Quizmaster")
    if seat is None or not t.winners:
        return
    target = yield from t.ask(seat, "quizmaster", ["no"] + t.fellows(seat))
    if target == "no":
        return
    target = int(target)
    unknown = t.unknown_to(seat)
    questions = {card: [card] for card in unknown}
    for suit in SUITS:
        cards = [card for card in unknown if suit_of(card) == suit]
        if len(cards) > 1:
            questions[f"any {suit}"] = cards
    for rank in RANKS:
        cards = [card for card in unknown if rank_of(card) == rank]
        if len(cards) > 1:
            questions[f"any {rank}"] = cards
    question = yield from t.ask(seat, "quizmaster asks", list(questions))
    cards = questions[question]
    is_true = bool(t.hands[target] & set(cards))
    t.log.append(f"{target} answers {'yes' if is_true else 'no'}")
    if not is_true:
        t.learn_all("not in hand", target, cards)
    elif len(cards) == 1:
        t.learn_all("holds", target, cards[0])
    else:
        # What the Quizmaster holds himself he does not ask about, but the others do not know that.
        family = [card for card in DECK if question in (f"any {suit_of(card)}", f"any {rank_of(card)}")]
        for other in SEATS:
            t.learn(other, "any of", target, cards if other == seat else family)


def schuechterne(t):
    """Rule: eidex K10. Whom she draws from is said at once, the draw comes with the lead."""
    seat = t.seat_of("Schüchterne")
    if seat is None or seat != t.leader or not t.can_use("Schüchterne") or lead_is_shown(t):
        return
    target = yield from t.ask(seat, "schuechterne", ["no"] + t.fellows(seat))
    if target != "no":
        t.spend("Schüchterne")
        t.wishes.refused_for = int(target)


def gerechtigkeit(t):
    """Rule: eidex K12."""
    seat = t.seat_of("Gerechtigkeit")
    if seat is None or not t.can_use("Gerechtigkeit") or t.justice_left:
        return
    if (yield from t.ask_yes(seat, "gerechtigkeit")):
        t.spend("Gerechtigkeit")
        t.justice_left = t.rules["justice_tricks"]


def skater_before_the_lead(t):
    """Rule: eidex K13. With one card in hand nothing is left to restrict."""
    seat = t.seat_of("Skater")
    if seat is None or t.is_skat or len(t.hands[seat]) < 2:
        return
    t.is_skat = yield from t.ask_yes(seat, "skater")


def farbenfreund(t):
    """Rule: eidex K15. A refused or shown lead is not his to order."""
    seat = t.seat_of("Farbenfreund")
    if seat is None or seat == t.leader or not t.can_use("Farbenfreund"):
        return
    if t.wishes.refused_for is not None or lead_is_shown(t) or len(t.hands[t.leader]) < 2:
        return
    suit = yield from t.ask(seat, "farbenfreund", ["no"] + SUITS)
    if suit != "no":
        t.spend("Farbenfreund")
        t.wishes.ordered_suit = suit


def recallable(t, seat):
    """Return what a seat may call back: a place and its cards. Rule: eidex K26, X7.

    The last trick in the own pile first, without the Sphinx's face-down
    cards of others; else the pressed card; else the card that opened the
    Jackpot, as long as it lies in the pot.
    """
    for entry in reversed(t.piles[seat]):
        cards = [card for card in entry.cards if card not in t.hidden or seat == t.seat_of("Sphinx")]
        if entry.is_trick and cards:
            return entry.cards, in_order(cards)
    if t.pressed[seat] is not None:
        return t.pressed, [t.pressed[seat]]
    if seat == t.initiator and t.pot is not None and t.donated in t.pot:
        return t.pot, [t.donated]
    return None


def zombie(t):
    """Rule: eidex K26."""
    seat = t.seat_of("Zombie")
    if seat is None or not t.can_use("Zombie"):
        return
    owners = [other for other in SEATS if any(entry.is_trick and entry.cards for entry in t.piles[other])]
    if len(owners) < 2 or any(recallable(t, other) is None for other in SEATS):
        return
    if not (yield from t.ask_yes(seat, "zombie")):
        return
    t.spend("Zombie")
    for other in t.from_seat(t.leader):
        place, cards = recallable(t, other)
        card = yield from t.ask(other, "zombie calls", cards)
        was_open = card in t.open_cards()
        origin = f"pressed {other}" if place is t.pressed else "donated" if card == t.donated else f"pile {other}"
        if place is t.pressed:
            t.pressed[other] = None
        else:
            place.remove(card)
        t.hidden.discard(card)
        if card == t.donated:
            t.donated = None
        t.hands[other].add(card)
        t.log.append(f"{other} calls back {card}")
        for knower in SEATS:
            if was_open or knower == other:
                t.learn(knower, "holds", other, card)
            else:
                t.learn(knower, "unseen move", origin, other)


def taschenspieler(t):
    """Rule: eidex K24, K28.

    A card pushed by the Fledderer may not be taken up, and the lead that he
    has shown to the Seher he may not press.
    """
    seat = t.seat_of("Taschenspieler")
    if seat is None or not t.can_use("Taschenspieler") or len(t.hands[seat]) < 4:
        return
    if t.pressed[seat] is None or t.pushed_to == seat:
        return
    card = yield from t.ask(seat, "taschenspieler", ["no"] + t.may_press(seat, t.free_cards(seat)))
    if card == "no":
        return
    t.spend("Taschenspieler")
    taken = t.pressed[seat]
    t.hands[seat].remove(card)
    t.hands[seat].add(taken)
    t.pressed[seat] = card
    t.learn(seat, "pressed", seat, card)
    t.learn(seat, "holds", seat, taken)
    for other in t.fellows(seat):
        t.learn(other, "unseen move", seat, f"pressed {seat}")
        t.learn(other, "unseen move", f"pressed {seat}", seat)


def kompass(t):
    """Rule: eidex K33. With one card in every hand the direction is idle."""
    seat = t.seat_of("Kompass")
    if seat is None or not t.winners or not t.can_use("Kompass") or len(t.hands[seat]) < 2:
        return
    if (yield from t.ask_yes(seat, "kompass turns")):
        t.spend("Kompass")
        t.direction = -t.direction


# Card by card -----------------------------------------------------------------


def draw_the_lead(t):
    """Let the Schüchterne draw the lead that she refused; return it. Rule: eidex K10."""
    target = t.wishes.refused_for
    if target is None:
        return None
    seat = t.seat_of("Schüchterne")
    t.leader = target
    drawn = t.draw(t.hands[target])
    t.log.append(f"{seat} draws {drawn} from {target}")
    t.learn(seat, "holds", target, drawn)
    if len(t.hands[target]) > 1 and (yield from t.ask_yes(target, "schuechterne refused")):
        drawn = t.draw(t.hands[target] - {drawn})
        t.log.append(f"{seat} draws {drawn} from {target}")
    return drawn


def lay(t, seat, drawn=None):
    """Let a seat add a card until one stands."""
    while True:
        laid = yield from choose_card(t, seat, drawn)
        drawn = None
        if (yield from answers_to_card(t, laid)):
            return


def choose_card(t, seat, drawn):
    """Lay one card. What a power forces is not asked; return the Laid."""
    is_lead = not t.trick
    if not is_lead and t.wishes.demanded not in t.hands[seat] and seat == t.seat_of("Taschenspieler"):
        # Before his fourth card from the last, in the middle of a trick too.
        yield from taschenspieler(t)
    hand = t.hands[seat]
    shown, t.shown_lead = t.shown_lead, None
    laser_leads, t.laser_leads = t.laser_leads, False
    ordered = {card for card in hand if suit_of(card) == t.wishes.ordered_suit}
    allowed = (ordered or hand) if is_lead else t.legal(hand)
    excuses = t.excuses(hand) if seat == t.seat_of("Excuse") and t.can_use("Excuse") else set()

    if drawn is not None:
        return put(t, seat, drawn)
    if is_lead and laser_leads:
        card = t.draw(allowed)
        t.log.append(f"{t.seat_of('Laser')} draws {card} from {seat}")
        return put(t, seat, card)
    if not is_lead and t.wishes.demanded in hand:
        return put(t, seat, t.wishes.demanded, is_free=False)

    is_hidden = False
    if seat == t.seat_of("Sphinx") and t.can_use("Sphinx"):
        is_hidden = yield from t.ask_yes(seat, "sphinx")
    if is_lead and shown in hand:
        card = shown
    else:
        card = yield from t.ask(seat, "card", in_order(allowed | excuses))
    return put(t, seat, card, is_hidden, is_excuse=card in excuses)


def put(t, seat, card, is_hidden=False, is_excuse=False, is_free=True):
    """Put a card into the trick and note what it tells the others."""
    hand = t.hands[seat]
    if is_hidden:
        t.spend("Sphinx")
        t.log.append(f"{seat} lays {card} face down" + ("" if t.trick else f" and names {suit_of(card)}"))
        for other in t.fellows(seat):
            t.learn(other, "laid face down", seat)
        if not t.trick:
            t.learn_all("laid one of", seat, [suit_of(card) + rank for rank in RANKS])
    else:
        t.log.append(f"{seat} lays {card}" + (" with an excuse" if is_excuse else ""))
        t.learn_all("laid", seat, card)
    if is_excuse:
        t.spend("Excuse")
        led = suit_of(t.trick[0].card)
        t.learn_all("any of", seat, [led + rank for rank in RANKS if not (rank == "J" and led == t.trump)])
    hand.remove(card)

    ordered = t.wishes.ordered_suit
    if not t.trick and ordered not in (None, suit_of(card)):
        t.learn_all("not in hand", seat, [ordered + rank for rank in RANKS])
    if t.trick and is_free and t.wishes.demanded is not None:
        t.learn_all("not in hand", seat, [t.wishes.demanded])
    if t.trick and is_free and not is_hidden and not is_excuse:
        absent = t.impossible_beside(card)
        if absent:
            t.learn_all("not in hand", seat, absent)
    # A card that is excused never wins.
    laid = Laid(seat, card, is_hidden, has_value=not is_excuse)
    t.trick.append(laid)
    if is_hidden:
        t.hidden.add(card)
    return laid


def take_up(t, laid):
    """Return a laid card to its player's hand."""
    t.hands[laid.seat].add(laid.card)
    t.hidden.discard(laid.card)
    t.log.append(f"{laid.seat} takes up {laid.card}")
    for other in SEATS:
        if laid.is_hidden and other != laid.seat:
            t.learn(other, "unseen move", "trick", laid.seat)
        else:
            t.learn(other, "holds", laid.seat, laid.card)


def answers_to_card(t, laid):
    """Ask Skater, Fahnder, Konsumentenschutz; tell whether the card stands."""
    led = suit_of(t.trick[0].card)
    is_cut_in = t.trump not in (None, led) and suit_of(laid.card) == t.trump and not laid.is_hidden

    seat = t.seat_of("Skater")
    if seat is not None and not t.is_skat and is_cut_in and seat != laid.seat and laid.card != t.wishes.demanded:
        if (yield from t.ask_yes(seat, "skater")):
            t.is_skat = True
            suit = [led + rank for rank in RANKS]
            if t.hands[laid.seat] & set(suit):
                t.trick.remove(laid)
                take_up(t, laid)
                t.learn_all("any of", laid.seat, suit)
                return False
            t.learn_all("not in hand", laid.seat, suit)

    seat = t.seat_of("Fahnder")
    if seat == laid.seat and len(t.trick) == 1 and t.can_use("Fahnder"):
        demandable = t.unknown_to(seat)
        if t.is_schwarzpeter and not t.is_guggitaler and "RJ" in demandable:
            demandable.remove("RJ")
        card = yield from t.ask(seat, "fahnder", ["no"] + demandable)
        if card != "no":
            t.spend("Fahnder")
            t.wishes.demanded = card

    seat = t.seat_of("Konsumentenschutz")
    if seat not in (None, laid.seat) and t.can_use("Konsumentenschutz") and t.hands[laid.seat]:
        if (yield from t.ask_yes(seat, "konsumentenschutz")):
            t.spend("Konsumentenschutz")
            t.trick.remove(laid)
            t.aside.append(laid)
            t.log.append(f"{laid.card} is rejected")
            if laid.card == t.wishes.demanded:
                t.wishes.demanded = None
            return False
    return True


# Settling ---------------------------------------------------------------------


def settle(t):
    """Settle the complete trick; tell whether it must be played again."""
    while True:
        yield from jiu_jitsu(t)
        yield from ultimo(t)
        yield from feministin(t)
        yield from skater_in_the_trick(t)
        if not (yield from scharfmacher(t)):
            break
        # Six cards are a new situation: whoever has not acted may do so now.
    yield from fuersorge(t)
    if (yield from korrektor(t)):
        return True
    yield from collect(t)
    return False


def jiu_jitsu(t):
    """Rule: eidex K2. Two cards next to each other in their suit, where that can change who wins; one pair in a trick."""
    seat = t.seat_of("Jiu-Jitsu")
    if seat is None or not t.can_use("Jiu-Jitsu") or t.wishes.swap:
        return
    counting = [laid.card for laid in t.trick if laid.has_value and not laid.is_hidden]
    usual = possible_winners(t)
    pairs = {}
    for lower in in_order(counting):
        ranks = t.order(suit_of(lower))
        place = ranks.index(rank_of(lower))
        upper = suit_of(lower) + ranks[place - 1]
        if place == 0 or upper not in counting:
            continue
        t.wishes.swap = (upper, lower)
        if possible_winners(t) != usual:
            pairs[lower] = upper
        t.wishes.swap = ()
    if not pairs:
        return
    answer = yield from t.ask(seat, "jiu-jitsu", ["no"] + (list(pairs) if len(pairs) > 1 else ["yes"]))
    if answer == "no":
        return
    t.spend("Jiu-Jitsu")
    lower = answer if len(pairs) > 1 else next(iter(pairs))
    t.wishes.swap = (pairs[lower], lower)
    t.log.append(f"{lower} beats {pairs[lower]}")


def possible_winners(t):
    """Return who wins the trick as it lies, and who if the Feministin leaves it where she wins and may."""
    first = t.best_laid().seat
    if not may_yield(t):
        return first, first
    hers = [laid for laid in t.trick if laid.seat == first and laid.has_value]
    for laid in hers:
        laid.has_value = False
    second = t.best_laid().seat
    for laid in hers:
        laid.has_value = True
    return first, second


def ultimo(t):
    """Rule: eidex K3."""
    seat = t.seat_of("Ultimo")
    if seat is not None and t.is_last_trick() and not t.wishes.ultimo:
        t.wishes.ultimo = yield from t.ask_yes(seat, "ultimo")


def feministin(t):
    """Rule: eidex K9. Asked only when she would win the trick."""
    seat = t.seat_of("Feministin")
    if may_yield(t) and (yield from t.ask_yes(seat, "feministin")):
        for laid in t.trick:
            if laid.seat == seat:
                laid.has_value = False


def may_yield(t):
    """Tell whether the Feministin wins a trick in which an open Queen lies with an open man."""
    ranks = {rank_of(laid.card) for laid in t.trick if not laid.is_hidden}
    return t.best_laid().seat == t.seat_of("Feministin") and "Q" in ranks and bool(ranks & {"J", "K"})


def skater_in_the_trick(t):
    """Rule: eidex K13. Asked only when Skat changes who wins."""
    seat = t.seat_of("Skater")
    if seat is None or t.is_skat or t.best_laid(is_skat=True) is t.best_laid():
        return
    t.is_skat = yield from t.ask_yes(seat, "skater")


def scharfmacher(t):
    """Rule: eidex K16. Tell whether a second card of everybody has been added."""
    seat = t.seat_of("Scharfmacher")
    if seat is None or not t.can_use("Scharfmacher") or len(t.trick) != 3 or not all(t.hands):
        return False
    if not (yield from t.ask_yes(seat, "scharfmacher")):
        return False
    t.spend("Scharfmacher")
    for other in t.from_seat(t.leader):
        yield from lay(t, other)
    return True


def fuersorge(t):
    """Rule: eidex K19, X9."""
    seat = t.seat_of("Fürsorge")
    if seat is None or t.is_last_trick() or any(laid.is_hidden for laid in t.trick):
        return
    if sum(t.value(laid.card) for laid in t.trick) > t.rules["fuersorge_threshold"]:
        return
    winner = t.best_laid().seat
    needy = yield from t.ask(seat, "fuersorge", ["no"] + [other for other in SEATS if other != winner])
    if needy != "no":
        t.wishes.gift_to = int(needy)


def korrektor(t):
    """Rule: eidex K29. Tell whether the trick is rejected."""
    seat = t.seat_of("Korrektor")
    if seat is None or not t.can_use("Korrektor"):
        return False
    if not (yield from t.ask_yes(seat, "korrektor")):
        return False
    t.spend("Korrektor")
    for laid in t.trick + t.aside:
        take_up(t, laid)
    t.trick = []
    t.aside = []
    t.wishes = Wishes()
    if seat != t.leader and (yield from t.ask_yes(seat, "korrektor leads")):
        t.leader = seat
    return True


def who_won(t):
    """Return who won the trick, and whether the Sphinx had the last word. Rule: eidex K36."""
    if not any(laid.is_hidden for laid in t.trick):
        return t.best_laid().seat, False
    if t.rules["sphinx"] == "truthful":
        winner = t.best_laid(counts_hidden=True).seat
        t.log.append(f"the sphinx announces {winner}")
        announced(t, winner)
        return winner, False
    winner = yield from t.ask(t.seat_of("Sphinx"), "sphinx declares", list(SEATS))
    return int(winner), True


def announced(t, winner):
    """Note which cards may lie face down where the Sphinx truly announced the winner."""
    face_down = [laid for laid in t.trick if laid.is_hidden]
    if len(face_down) > 1:
        return
    true_card, fitting = face_down[0].card, []
    for card in DECK:
        if card != true_card and card in [laid.card for laid in t.trick]:
            continue
        if face_down[0] is t.trick[0] and suit_of(card) != suit_of(true_card):
            continue
        face_down[0].card = card
        if t.best_laid(counts_hidden=True).seat == winner:
            fitting.append(card)
    face_down[0].card = true_card
    t.learn_all("laid one of", face_down[0].seat, fitting)


def win_pot(t, seat):
    """Give the Jackpot to a seat and close it."""
    t.piles[seat].append(Entry(t.pot, is_trick=False))
    t.pot = None
    t.log.append(f"jackpot to {seat}")


def collect(t):
    """Put the trick's cards where they belong and settle who leads next.

    Rule: eidex K3, K12, K19, K32, X1, X11.
    """
    is_last = t.is_last_trick()
    face_down = [laid for laid in t.trick if laid.is_hidden]
    winner, sphinx_spoke = yield from who_won(t)
    owner = winner
    if t.wishes.ultimo and not sphinx_spoke:
        owner = t.seat_of("Ultimo")
    cards = [laid.card for laid in t.trick]
    is_justice = t.justice_left > 0
    is_potted = t.pot is not None and not is_justice and all(is_animal(card) for card in cards)
    gift_to = t.wishes.gift_to
    is_given = gift_to is not None and not is_justice and not is_potted
    receiver = gift_to if is_given else owner

    named_by = next((laid.seat for laid in t.trick if laid.card == t.named), None)
    if t.pot is not None and not is_justice and len(face_down) == 1:
        # Where the trick goes tells what kind of card lies face down in it.
        if all(is_animal(laid.card) for laid in t.trick if not laid.is_hidden):
            t.learn_all("laid one of", face_down[0].seat, [card for card in DECK if is_animal(card) == is_potted])
    if t.pot is not None and len(face_down) == 1:
        # So does whether the Jackpot is won by it.
        if named_by is None:
            t.learn_all("laid one of", face_down[0].seat, [card for card in DECK if card != t.named])
        elif face_down[0].card == t.named:
            t.learn_all("laid one of", face_down[0].seat, [t.named])
    if is_justice:
        for seat in SEATS:
            t.piles[seat].append(Entry([laid.card for laid in t.trick if laid.seat == seat]))
        t.justice_left -= 1
    elif is_potted:
        t.pot.extend(cards)
    else:
        t.piles[receiver].append(Entry(cards))
    place = "owners" if is_justice else "jackpot" if is_potted else receiver
    t.log.append(f"trick to {place}, won by {winner}")

    if t.pot is not None and named_by is not None:
        win_pot(t, named_by if is_justice else receiver)
    t.taken[receiver] += 1
    is_by_rank = not sphinx_spoke or winner == t.best_laid(counts_hidden=True).seat
    t.winners.append(winner if owner == winner and is_by_rank and not is_given else None)
    if is_last:
        t.bonus_seat = owner
    t.leader = owner if gift_to is None else gift_to
    for laid in t.aside:
        take_up(t, laid)
    t.aside = []
    t.trick = []
