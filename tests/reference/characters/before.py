"""From the deal to the last declaration before the first lead.

Rule: eidex X2. Each function is one moment or one power of it.
"""

from reference.characters.table import SEATS, in_order
from reference.characters.tricks import voyeur
from reference.eidex import DECK, RANKS, SUITS, mode_of_upcard, rank_of, suit_of


def before_the_first_lead(t):
    """Run every moment up to the first lead."""
    yield from after_the_deal(t)
    yield from before_pressing(t)
    yield from pressing(t)
    yield from after_pressing(t)
    yield from declarations(t)


# After the deal -------------------------------------------------------------


def after_the_deal(t):
    """Trumphator, then Räuber. Rule: eidex K4, K6."""
    seat = t.seat_of("Trumphator")
    if seat is not None and (yield from t.ask_yes(seat, "trumphator")):
        t.upcard = t.second
        t.mode = mode_of_upcard(t.upcard)
        t.log.append(f"trump card {t.upcard}")
        t.learn_all("holds", t.dealer, t.upcard)

    seat = t.seat_of("Räuber")
    if seat is None:
        return
    if seat != t.dealer:
        if (yield from t.ask_yes(seat, "raeuber")):
            t.pass_card(t.upcard, t.dealer, seat, is_public=True)
            # Handing the robbed card straight back would change nothing.
            card = yield from t.ask(seat, "raeuber gives", in_order(t.hands[seat] - {t.upcard}))
            t.pass_card(card, seat, t.dealer)
            t.learn_all("holds", seat, t.upcard)
    elif t.trump is not None and t.trump + "6" not in t.hands[seat]:
        if (yield from t.ask_yes(seat, "raeuber")):
            six = t.trump + "6"
            holder = next(other for other in SEATS if six in t.hands[other])
            t.pass_card(t.upcard, seat, holder, is_public=True)
            t.pass_card(six, holder, seat, is_public=True)
            t.log.append(f"{holder} robs {t.upcard} by {six}")


# Before pressing --------------------------------------------------------------


def before_pressing(t):
    """Voyeur, Schwarzpeter, Radarkontrolle, Jackpot, Wünschelrute."""
    yield from voyeur(t)
    yield from schwarzpeter(t)
    yield from radarkontrolle(t)
    yield from jackpot(t)
    yield from wuenschelrute(t)


def schwarzpeter(t):
    """Rule: eidex K14."""
    seat = t.seat_of("Schwarzpeter")
    one_short = [points >= t.rules["points_to_win"] - 1 for points in t.standing]
    if seat is None or t.trump == "R" or sum(one_short) >= 2:
        return
    t.is_schwarzpeter = yield from t.ask_yes(seat, "schwarzpeter")


def number(t, seat, name, low, high):
    """Ask for a number in two steps, tens and then units."""
    tens = yield from t.ask(seat, f"{name} tens", list(range(low - low % 10, high + 1, 10)))
    units = [unit for unit in range(10) if low <= int(tens) + unit <= high]
    unit = yield from t.ask(seat, f"{name} units", units)
    return int(tens) + int(unit)


def radarkontrolle(t):
    """Rule: eidex K22."""
    seat = t.seat_of("Radarkontrolle")
    high = t.rules["radar_high"]
    if seat is not None:
        t.limit = yield from number(t, seat, "radar", min(t.rules["radar_low"], high), high)


def jackpot(t):
    """Rule: eidex K32."""
    seat = t.seat_of("Jackpot")
    if seat is None:
        return
    answer = yield from t.ask(seat, "jackpot", ["no", "H7", "S7"])
    if answer != "no":
        t.initiator, t.named, t.pot = seat, answer, []


def wuenschelrute(t):
    """Rule: eidex K35."""
    seat = t.seat_of("Wünschelrute")
    if seat is None:
        return
    wanted = yield from t.ask(seat, "wuenschelrute", ["no"] + in_order(set(DECK) - t.hands[seat]))
    if wanted == "no":
        return
    donor = next(other for other in SEATS if wanted in t.hands[other])
    t.pass_card(wanted, donor, seat, is_public=True)
    drawn = t.draw(t.hands[seat] - {wanted})
    t.log.append(f"{donor} gives {wanted} and draws {drawn}")
    t.pass_card(drawn, seat, donor)


# Pressing ---------------------------------------------------------------------


def press(t, seat, card):
    """Lay a card face down; the Jackpot's initiator opens the pot with it."""
    t.hands[seat].remove(card)
    if seat == t.initiator:
        t.donated = card
        t.pot.append(card)
        t.learn(seat, "donated", seat, card)
    else:
        t.pressed[seat] = card
        t.learn(seat, "pressed", seat, card)


def pressing(t):
    """Everybody presses: the Laser first, the Seher last. Rule: eidex B8, K21, K24."""
    laser, seher = t.seat_of("Laser"), t.seat_of("Seher")
    order = t.from_seat(t.leader)
    waiting = list(order)
    if laser is not None:
        for seat in order:
            if seat not in (laser, seher):
                card = t.draw(t.may_press(seat, t.hands[seat]))
                t.log.append(f"{laser} presses {card} for {seat}")
                press(t, seat, card)
                waiting.remove(seat)
        t.laser_leads = t.leader != laser
    for seat in waiting:
        if seat != seher:
            card = yield from t.ask(seat, "press", t.may_press(seat, t.hands[seat]))
            press(t, seat, card)
    if seher is None:
        return

    for seat in t.fellows(seher):
        if seat == laser:
            continue
        if seat == t.initiator:
            t.learn(seher, "donated", seat, t.donated)
        else:
            t.learn(seher, "pressed", seat, t.pressed[seat])
    if t.leader != seher:
        if t.laser_leads:
            t.shown_lead = t.draw(t.hands[t.leader])
            t.laser_leads = False
            t.log.append(f"{laser} draws {t.shown_lead} from {t.leader}")
        else:
            t.shown_lead = yield from t.ask(t.leader, "seher lead", in_order(t.hands[t.leader]))
        t.learn(seher, "holds", t.leader, t.shown_lead)
    card = yield from t.ask(seher, "press", t.may_press(seher, t.hands[seher]))
    press(t, seher, card)


# After pressing ---------------------------------------------------------------


def after_pressing(t):
    """Teekränzchen, Umwerter, Fledderer, Guggitaler, Black Friday."""
    yield from teekraenzchen(t)
    yield from umwerter(t)
    yield from fledderer(t)
    yield from guggitaler(t)
    yield from black_friday(t)


def teekraenzchen(t):
    """Both give a card without seeing the other's gift; she returns one each. Rule: eidex K11."""
    seat = t.seat_of("Teekränzchen")
    if seat is None:
        return
    gifts = []
    for giver in t.fellows(seat):
        card = yield from t.ask(giver, "teekraenzchen gift", in_order(t.free_cards(giver)))
        gifts.append((card, giver))
    for card, giver in gifts:
        t.pass_card(card, giver, seat)
    for taker in t.fellows(seat):
        card = yield from t.ask(seat, "teekraenzchen returns", in_order(t.free_cards(seat)))
        t.pass_card(card, seat, taker)


def umwerter(t):
    """Rule: eidex K25."""
    seat = t.seat_of("Umwerter")
    if seat is None:
        return
    foreign = in_order(set(DECK) - t.hands[seat] - {t.pressed[seat]})
    card = yield from t.ask(seat, "umwerter", ["no"] + foreign)
    if card == "no":
        return
    ranks = t.order(suit_of(card))
    ends = [end for end, rank in (("highest", ranks[0]), ("lowest", ranks[-1])) if rank != rank_of(card)]
    end = yield from t.ask(seat, "umwerter end", ends)
    t.revalued = (card, end)


def fledderer(t):
    """Rule: eidex K30. The Jackpot's initiator has no pressed card to take."""
    seat = t.seat_of("Fledderer")
    if seat is None:
        return
    victims = [other for other in t.fellows(seat) if t.pressed[other] is not None]
    victim = yield from t.ask(seat, "fledderer", ["no"] + victims)
    if victim == "no":
        return
    victim = int(victim)
    card = yield from t.ask(seat, "fledderer pushes", t.may_press(seat, t.free_cards(seat)))
    taken = t.pressed[victim]
    t.hands[seat].remove(card)
    t.hands[seat].add(taken)
    t.pressed[victim] = card
    t.pushed_to = victim
    third = 3 - seat - victim
    for knower in (seat, victim):
        t.learn(knower, "pressed", victim, card)
        t.learn(knower, "holds", seat, taken)
    t.learn(third, "unseen move", seat, f"pressed {victim}")
    t.learn(third, "unseen move", f"pressed {victim}", seat)


def guggitaler(t):
    """Whoever pressed the Stars King takes it back and presses afresh; the Laser does that for his fellows.

    Rule: eidex K21, K31.
    """
    seat = t.seat_of("Guggitaler")
    if seat is None or not (yield from t.ask_yes(seat, "guggitaler")):
        return
    presser = t.initiator if t.donated == "SK" else None
    if "SK" in t.pressed:
        presser = t.pressed.index("SK")
    if presser is not None and t.rules["guggitaler_king"] == "void":
        t.log.append(f"{presser} has pressed SK: guggitaler is void")
        t.learn_all("donated" if t.donated == "SK" else "pressed", presser, "SK")
        return
    t.is_guggitaler = True
    if presser is None:
        return
    t.log.append(f"{presser} takes back SK")
    if presser == t.initiator:
        t.donated = None
        t.pot.remove("SK")
    t.pressed[presser] = None
    if t.pushed_to == presser:
        t.pushed_to = None
    t.hands[presser].add("SK")
    t.learn_all("holds", presser, "SK")
    allowed = t.may_press(presser, t.free_cards(presser))
    laser = t.seat_of("Laser")
    if laser is not None and presser not in (laser, t.seat_of("Seher")):
        card = t.draw(allowed)
        t.log.append(f"{laser} presses {card} for {presser}")
    else:
        card = yield from t.ask(presser, "press", allowed)
    press(t, presser, card)
    for other in t.fellows(presser):
        t.learn(other, "unseen move", presser, "donated" if presser == t.initiator else f"pressed {presser}")


def black_friday(t):
    """Rule: eidex K34. Under Guggitaler a worthless suit has nothing to pass on."""
    seat = t.seat_of("Black Friday")
    if seat is None:
        return
    suits = [suit for suit in SUITS if suit != "R" and any(t.value(suit + rank) for rank in RANKS)]
    suit = yield from t.ask(seat, "black friday", ["no"] + suits)
    if suit != "no":
        t.devalued = suit


# Declarations before the first lead -------------------------------------------


def declarations(t):
    """Differenzler, Weisheit, Kompass."""
    seat = t.seat_of("Differenzler")
    if seat is not None:
        total = 13 if t.is_guggitaler else 157
        t.announced = yield from number(t, seat, "differenzler", 0, total)

    seat = t.seat_of("Weisheit")
    if seat is not None:
        sums = weisheit_sums(t.hands[seat], t.trump, t.rules)
        answer = yield from t.ask(seat, "weisheit", ["no"] + sorted(sums))
        if answer != "no":
            t.declared = int(answer)
            t.log.append(f"{seat} shows {' '.join(sums[t.declared])}")
            for card in sums[t.declared]:
                t.learn_all("holds", seat, card)

    seat = t.seat_of("Kompass")
    if seat is not None:
        answer = yield from t.ask(seat, "kompass", ["right", "left"])
        t.direction = 1 if answer == "right" else -1


def weisheit_sums(hand, trump, rules):
    """Return each sum that a hand can declare, with the cards shown for it.

    A sequence is three, four or five cards of a run; a longer run counts as
    five, and one run counts once. No card serves two combinations, except
    that King and Queen of trump may also lie in a sequence. For each sum the
    fewest cards are shown, and among those the first in deck order.
    Rule: eidex K20.
    """
    fours = {"J": "weisheit_jacks", "9": "weisheit_nines"}
    groups = []  # at most one combination of each group is declared
    for rank in ("9", "10", "J", "Q", "K", "A"):
        cards = {suit + rank for suit in SUITS}
        if cards <= hand:
            groups.append([("four", cards, rules[fours.get(rank, "weisheit_fours")])])
    for suit in SUITS:
        for run in runs(hand, suit):
            sequences = []
            for length, name in ((3, "three"), (4, "four"), (5, "five")):
                for start in range(len(run) - length + 1):
                    sequences.append(("sequence", set(run[start : start + length]), rules[f"weisheit_{name}"]))
            groups.append(sequences)
    if trump is not None and {trump + "K", trump + "Q"} <= hand:
        groups.append([("marriage", {trump + "K", trump + "Q"}, rules["weisheit_marriage"])])

    sums = {}

    def declare(chosen, groups_left):
        if chosen:
            total = sum(points for _, _, points in chosen)
            shown = in_order(set().union(*(cards for _, cards, _ in chosen)))
            place = (len(shown), [DECK.index(card) for card in shown])
            if total not in sums or place < sums[total][0]:
                sums[total] = (place, shown)
        for index, group in enumerate(groups_left):
            for combination in group:
                if all(fits(combination, other) for other in chosen):
                    declare(chosen + [combination], groups_left[index + 1 :])

    declare([], groups)
    return {total: shown for total, (_, shown) in sums.items() if total > 0}


def fits(combination, other):
    """Tell whether two combinations may be declared together."""
    kinds = {combination[0], other[0]}
    return kinds == {"marriage", "sequence"} or not combination[1] & other[1]


def runs(hand, suit):
    """Return the unbroken runs of three or more cards in natural order."""
    found = [[]]
    for rank in RANKS:
        if suit + rank in hand:
            found[-1].append(suit + rank)
        else:
            found.append([])
    return [run for run in found if len(run) >= 3]
