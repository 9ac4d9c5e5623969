"""After the last trick: the adjustments and the victory points."""

from reference.characters.table import SEATS
from reference.eidex import victory_points


def after_the_last_trick(t):
    """Computer, then Weisheit; a Match leaves nothing to adjust. Rule: eidex K5, K20."""
    if t.match_seat() is not None:
        return
    lay_open(t)
    seat = t.seat_of("Computer")
    if seat is not None:
        step = t.rules["computer_step"]
        answer = yield from t.ask(seat, "computer", ["0", f"+{step}", f"-{step}"])
        t.adjustments[seat] += int(answer)
    if t.declared:
        seat = t.seat_of("Weisheit")
        answer = yield from t.ask(seat, "weisheit adds", ["0", f"+{t.declared}", f"-{t.declared}"])
        t.adjustments[seat] += int(answer)


def lay_open(t):
    """Show everybody what lies face down: the points are counted before anybody adjusts his. Rule: eidex K5."""
    for seat in SEATS:
        if t.pressed[seat] is not None:
            t.learn_all("pressed", seat, t.pressed[seat])
    if t.donated is not None:
        t.learn_all("donated", t.initiator, t.donated)
    for card in sorted(t.hidden):
        t.learn_all("lay face down", card)


def gains(t):
    """Return the victory points of a finished hand at standing 0:0:0.

    Match, then Schwarzpeter, then a hit of the Differenzler, then the usual
    award. Rule: eidex K14, K17, K22, K31, B21-B26.
    """
    match = t.match_seat()
    points = t.card_points()
    limit = 13 if t.is_guggitaler else t.limit
    if match is not None:
        return victory_points(points, match)

    if t.is_schwarzpeter and not t.is_guggitaler:
        losers = {seat for seat in SEATS if "RJ" in t.pile_cards(seat) or points[seat] >= limit}
        if len(losers) == 3:
            return [0, 0, 0]
        return [0 if seat in losers else 2 // (3 - len(losers)) for seat in SEATS]

    seat = t.seat_of("Differenzler")
    if seat is not None and points[seat] == t.announced and t.taken[seat] >= 1:
        return [2 if other == seat else 0 for other in SEATS]

    usual = victory_points(points, None, limit)
    if len(set(points)) == 1 and points[0] < limit and t.rules["three_way_tie"] == "lowest seat":
        return [2, 0, 0]
    return usual


def decided_by_a_tie(t):
    """Tell whether two level totals below the limit have made the third lucky, and no power has. Rule: eidex B24, T7, T8."""
    points = t.card_points()
    if t.match_seat() is not None or (t.is_schwarzpeter and not t.is_guggitaler):
        return False
    seat = t.seat_of("Differenzler")
    if seat is not None and points[seat] == t.announced and t.taken[seat] >= 1:
        return False
    return max(points) < (13 if t.is_guggitaler else t.limit) and len(set(points)) < 3


def standing_after(t):
    """Return the standing after the hand, and the winner of the tournament if any.

    As in the base game, with the victory points that the characters leave.
    Rule: eidex T1-T10.
    """
    to_win = t.rules["points_to_win"]
    points, gained = t.card_points(), gains(t)
    new = list(t.standing)
    one_short = [seat for seat in SEATS if t.standing[seat] == to_win - 1]
    if len(one_short) == 3 and sorted(gained) == [0, 1, 1]:
        loser = gained.index(0)
        new[loser] += 1
        return new, loser
    if len(one_short) == 3 and t.rules["three_at_six_tie"] == "replay" and decided_by_a_tie(t):
        return new, None
    arriving = [seat for seat in one_short if gained[seat] == 1]
    if len(arriving) == 2:
        first, second = arriving
        if points[first] != points[second]:
            new[first if points[first] < points[second] else second] -= 1
        return new, None
    new = [before + gain for before, gain in zip(t.standing, gained, strict=True)]
    return new, next((seat for seat in SEATS if new[seat] >= to_win), None)
