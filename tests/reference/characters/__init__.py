"""Slow and obvious reference of Cosmic Eidex with its 36 characters.

Strings, sets, lists and one generator for each moment; no speed. It exists so
that a faster program can be compared with it hand by hand, question by
question and event by event, so it shares nothing with one. Cards, modes and
seats are written as in `reference.eidex`.

A `Hand` is driven by questions: ``hand.decision()`` gives ``(seat, kind,
options)``, ``hand.choose(option)`` answers, ``hand.over()`` ends it. All are
texts. ``chance.below(n)`` supplies the blind draws and nothing else.

General rules of asking
-----------------------
1. A question stands only where the rulebook gives a choice and it can change
   something; the column "asked when" is complete. A seat without the
   character is never asked.
2. A question with one option is not asked (and not logged), except ``press``
   and ``card``. What a power forces (a drawn, shown or demanded card) is laid
   without a question.
3. Options are listed in the order given; sets of cards in deck order (suits H
   E R S, ranks 6 to A). "Fellows" are the two other seats, right neighbour
   (seat + 1) first whatever the direction of play. At most 64 options.
4. Within a moment the order of the rows is the order of asking. An answer
   takes effect at once, except where "effect" says later.
5. "Playing order" is from a seat in the current direction. Once-only uses are
   counted by `USES`; a use is spent by the answer, also if it fails.
6. A blind draw sorts the cards it may hit in deck order and takes number
   ``chance.below(n)``; with one card too (``below(1)``).

The questions
-------------
======================  ============  =====================================  ==========================
kind                    seat          asked when                             options; effect
======================  ============  =====================================  ==========================
**after the deal**
trumphator              Trumphator    always                                 no, yes; yes: the second
                                                                             card becomes the trump card
raeuber                 Räuber        not dealer: always. Dealer: there is   no, yes; dealer's yes: he
                                      a trump and he lacks the trump Six     and the Six's holder
                                                                             exchange trump card and Six
raeuber gives           Räuber        after yes of a Räuber who is not       his hand without the robbed
                                      dealer (he now holds the trump card)   card; goes to the dealer
**before pressing**
voyeur                  Voyeur        as before each lead                    no, fellows
voyeur sees             the target    as before each lead                    as before each lead
schwarzpeter            Schwarzpeter  Ravens are not trump and fewer than    no, yes
                                      two seats are one point short of the
                                      tournament
radar tens              Radark.       always                                 80 90 100 110 120
radar units             Radark.       more than one unit fits (not 120)      0..9 within the limits
jackpot                 Jackpot       always                                 no, H7, S7
wuenschelrute           Wünschelrute  always                                 no, every card that he does
                                                                             not hold; the donor draws
                                                                             blind from the other twelve
**pressing**            first the Laser draws for each fellow but the Seher, in playing order from
                        forehand, from the cards that may be pressed
press                   each seat     in playing order from forehand, who    his hand, less: RJ under
                                      has not pressed and is not the Seher   Schwarzpeter; SK in a hand
                                                                             that bars it; the named
                                                                             card for the initiator
seher lead              forehand      Seher plays and is not forehand; no    his hand; bound until led.
                                      Laser draws the lead (the Laser draws  (The Laser's draw comes at
                                      unless he is forehand)                 this place)
press                   Seher         last                                   as above
**after pressing**
teekraenzchen gift      fellows       always; both before any card moves     the fellow's hand, less a lead
                                                                             shown to the Seher
teekraenzchen returns   Teekränzchen  twice, to her fellows in order         her hand, less such a lead
umwerter                Umwerter      always                                 no, every card that is
                                                                             neither in his hand nor
                                                                             pressed by him
umwerter end            Umwerter      after a card that is not at an end     highest, lowest
fledderer               Fledderer     always                                 no, fellows who have a
                                                                             pressed card
fledderer pushes        Fledderer     after a seat                           his hand, as for press, less
                                                                             such a lead
guggitaler              Guggitaler    always                                 no, yes
press                   SK's presser  after yes, rule swap; SK is in his     as for press, without SK and
                                      hand again; the Laser draws for a      such a lead (RJ is free again)
                                      fellow but the Seher
black friday            Black Friday  always                                 no, those of H E S that
                                                                             have any points now
**declarations**
differenzler tens       Differenzler  always                                 0 10 .. 150 (0 10 under
                                                                             Guggitaler)
differenzler units      Differenzler  always                                 0..9 up to 157 (13)
weisheit                Weisheit      some sum can be shown                  no, each sum ascending; see
                                                                             `before.weisheit_sums`
kompass                 Kompass       always                                 right, left
**before each lead**    once for each trick; voyeur, schuechterne, gerechtigkeit, skater, farbenfreund and
                        taschenspieler again for a trick that is replayed
dealer                  Dealer        always                                 no, fellows
dealer partner          the partner   after a seat                           no, yes; yes: whole hands
                                                                             change places
voyeur                  Voyeur        unused, two or more cards in hand      no, fellows
voyeur sees             the target    until five (or all) cards are shown    his cards after the one
                                                                             shown last, as long as
                                                                             enough follow
quizmaster              Quizmaster    from the second trick on               no, fellows
quizmaster asks         Quizmaster    after a seat                           cards unknown to him, then
                                                                             "any H" .., then "any 6" ..
                                                                             with two or more unknown
schuechterne            Schüchterne   unused, she leads, her lead is not     no, fellows; drawn when all
                                      one shown to the Seher                 have answered
gerechtigkeit           Gerechtigk.   unused                                 no, yes; this trick and the
                                                                             next
skater                  Skater        not called, two or more cards in hand  no, yes
farbenfreund            Farbenfreund  a use left, a fellow leads, two or     no, H E R S; binds the lead
                                      more cards in hand, the lead neither
                                      refused nor shown
zombie                  Zombie        unused, two piles own a trick and      no, yes
                                      everybody has something to call back
                                      (a donated card only from the pot)
zombie calls            each seat     after yes, playing order from the      see `tricks.recallable`
                                      leader
taschenspieler          Taschensp.    unused, four or more cards in hand,    no, his hand as for press, less
                                      his pressed card is his own choice     a lead shown to the Seher
                                      (not pushed, not called back)
kompass turns           Kompass       from the second trick on, a use left,  no, yes
                                      two or more cards in hand
**the lead**            the Schüchterne draws now, from the named seat, who becomes the leader
schuechterne refused    the target    holds two or more cards                no, yes; yes: she draws
                                                                             again, from the others
**each card**           the leader first. A lead is the drawn card; or the Laser's draw in the first
                        trick (among the ordered suit if held); or chosen. A demanded card is laid
                        unasked, ahead of every other rule
taschenspieler          Taschensp.    as before a lead, when he adds a card  as before a lead
                                      that nobody has demanded
sphinx                  Sphinx        a use left and the card is her choice  no, yes; yes: face down, a
                                      (also a lead shown to the Seher)       lead names its true suit
card                    the player    the card is not forced                 lead: the ordered suit if
                                                                             held, else his hand. Else
                                                                             legal cards, and for the
                                                                             Excuse (unused) also those
                                                                             that only it allows
**after each card**     again after each card that replaces another
skater                  Skater        not called; a fellow laid an open      no, yes; yes: the card is
                                      trump on a plain lead, not demanded    taken up if he can follow,
                                                                             and he chooses again
fahnder                 Fahnder       unused, his own lead lies              no, cards unknown to him
                                                                             (not RJ under Schwarzp.)
konsumentenschutz       Konsumentens. unused, a fellow's card, who has       no, yes; yes: laid aside to
                                      another one in hand                    the trick's end, he chooses
                                                                             again (a lead: afresh)
**the complete trick**  open cards only decide who "wins"; after a second round from the top
jiu-jitsu               Jiu-Jitsu     a use left, none used in this trick,   no, yes; with several pairs
                                      two open neighbours of a suit lie in   no and the lower card of
                                      it whose exchange changes who wins,    each; the two change places
                                      now or after the Feministin has left   in this trick
ultimo                  Ultimo        the last trick                         no, yes
feministin              Feministin    she wins, and an open Queen lies with  no, yes; yes: all her cards
                                      an open Jack or King                   in it lose their value
skater                  Skater        not called and Skat changes who wins   no, yes
scharfmacher            Scharfmacher  unused, three cards lie, everybody     no, yes; yes: each card
                                      has a card in hand                     again, from the leader
**settled**
fuersorge               Fürsorge      not the last trick, no face-down       no, the seats 0 1 2 less
                                      card, three points or fewer            the winner
korrektor               Korrektor     unused                                 no, yes; yes: all cards go
                                                                             back
korrektor leads         Korrektor     after yes, he did not lead             no, yes; then before the lead
sphinx declares         Sphinx        a card of hers is face down, rule      0, 1, 2
                                      free
**after the last**      not after a Match
computer                Computer      always                                 0, +5, -5
weisheit adds           Weisheit      something was shown                    0, +sum, -sum
======================  ============  =====================================  ==========================

Where every other ruling has its place
--------------------------------------
- The first lead shown to the Seher binds as long as the leader holds it: he may
  neither give it away nor press it, and nobody may order or refuse it; only an
  exchange of hands frees him.
- The Laser draws the first lead once: a rejected or replayed lead is chosen.
- What a replayed trick loses: Jiu-Jitsu's pair, Ultimo's claim (asked again),
  an order, a demand, a refusal. Skat and the counted uses stay.
- The last word over a trick (X1): with sphinx=free the Sphinx names the owner,
  also against Ultimo; with sphinx=truthful Ultimo takes what she announces. A
  trick counts for a Match only if the owner that she names has won it by rank.
- An excused card never wins, even where the lead has lost its value.
- Justice gives the pot to whoever laid the named card; else to whoever gets
  the trick. A gift that moves only the lead breaks no Match.
- A Guggitaler under the rule void is spent, changes nothing, and everybody
  learns who pressed the Stars King.

Knowledge
---------
``hand.seen[seat]`` lists what a seat has learnt, in the order of events; each
fact was true when it was noted. Moves that he sees are new facts about the
card; moves that he does not see are noted as such, since they make older
facts doubtful. Facts of pressing and giving are noted for those who see them:

============================  ==============================================================
("holds", seat, card)         card in the hand: the trump card (all); robbed, demanded, shown
                              by Weisheit, taken up, called back (all); given or drawn (giver
                              and taker); shown to Voyeur and Seher (only they); refused
                              (Schüchterne); the whole hand given away (both partners)
("pressed", seat, card)       presser, Seher; Fledderer and victim; before adjustments all
("donated", seat, card)       the Jackpot's first card: initiator, Seher; as above
("lay face down", card)       a card of the Sphinx, before adjustments (all)
("laid", seat, card)          an open card (all)
("laid face down", seat)      the two others
("laid one of", seat, cards)  named suit; animal or not, and the named Seven or not, as the
                              Jackpot shows; what agrees with a truthful Sphinx (all)
("not in hand", seat, cards)  a "no" to the Quizmaster; what lawful play, a missed order or a
                              missed demand proves. A cut-in without Skat, an Excuse, a
                              demanded card and a lone trump Jack prove nothing (all)
("any of", seat, cards)       a "yes" to the Quizmaster; a cut-in taken up; an Excuse (all)
("unseen move", from, to)     a card that he did not see moved; places are a seat (its hand),
                              "pressed N", "donated", "pile N", "trick". Who knew the card
                              in the place that it left knows it still
("hands exchanged", a, b)     the Dealer's exchange (all)
============================  ==============================================================

Events
------
``hand.log`` has one text for each answered question, ``"<seat> <kind>:
<option>"``, and one for each thing that happens by itself:

- ``trump card C``; ``S robs C by C``; ``S gives C and draws C``
- ``S presses C for S``; ``S draws C from S``; ``S takes back SK``;
  ``S has pressed SK: guggitaler is void``; ``S shows C C C``
- ``S and S exchange hands``; ``S answers yes``; ``S calls back C``
- ``S lays C``, with `` with an excuse`` or `` face down`` (a lead adds
  `` and names H``); ``S takes up C`` (for
  a replay the trick in its order, then the rejected ones in theirs); ``C is
  rejected``; ``C beats C``
- ``the sphinx announces S``; ``trick to P, won by S`` (P is a seat,
  ``owners`` or ``jackpot``); ``jackpot to S``
"""

from reference.characters.hand import Hand
from reference.characters.table import NAMES, RULES, USES

__all__ = ["NAMES", "RULES", "USES", "Hand"]
