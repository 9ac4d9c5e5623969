/* Schafkopf with uniformly random bids and play, as fast as plain C goes: the yardstick of benchmarks/ and an independent check.
 *
 * Same streams as the simulator (splitmix64 counters) and the same numbering of bids and cards, hence the same deals and the same results,
 * deal by deal.
 * Usage: schafkopf DEALS SEED [CONTRACT] [rows]   Random bids; or forehand plays CONTRACT (0 pass, 1-3 Rufer E G S, 4 Wenz, 5-8 Solo E G H S,
 * 9 Wenz Tout, 10-13 Solo Tout, 14 Sie), whether or not its cards allow it, and the others pass without being asked.
 * Prints deals/s and a checksum; with "rows" one line of figures for each deal.
 * Build: gcc -O3 -march=native -o schafkopf schafkopf.c
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef uint32_t u32;

enum { DEAL = 1, SEAT = 16, WENZ = 4 };
enum { PASSED, RUFER, WENZ_KIND, SOLO, WENZ_TOUT, SOLO_TOUT, SIE };

static const u64 GOLDEN = 0x9E3779B97F4A7C15ull;
static const u32 COURTS = 0xFF;
/* Bit 0-3 Obers E G H S, 4-7 Unters, then A 10 K 9 8 7 of each suit. */
static const int kind_of[15] = {0, 1, 1, 1, 2, 3, 3, 3, 3, 4, 5, 5, 5, 5, 6};
static const int suit_of[15] = {-1, 0, 1, 3, -1, 0, 1, 2, 3, -1, 0, 1, 2, 3, -1};
static const int mode_of[15] = {2, 2, 2, 2, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 2};
static u32 beaten[5][32], suit_cards[5][32], higher[15];
static int points[32];

static inline u64 mix(u64 z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}
static inline u64 stream(u64 seed, u64 index, u64 purpose) {
    return mix(mix(seed + GOLDEN * purpose) ^ mix(index * GOLDEN + purpose));
}
static inline unsigned below(u64 word, unsigned n) { return (unsigned)((word >> 32) * n >> 32); }

#ifdef __BMI2__
#include <immintrin.h>
static inline int nth(u32 cards, unsigned n) { return __builtin_ctz(_pdep_u32(1u << n, cards)); }
#else
static inline int nth(u32 cards, unsigned n) {
    while (n--) cards &= cards - 1;
    return __builtin_ctz(cards);
}
#endif

static inline int draw(u32 cards, u64 *counter) {
    *counter += GOLDEN;
    return nth(cards, below(mix(*counter), (unsigned)__builtin_popcount(cards)));
}
static inline u32 ordinary(int suit) { return suit < 0 ? 0 : 0x3Fu << (8 + 6 * suit); }
static inline u32 ace(int suit) { return suit < 0 ? 0 : 1u << (8 + 6 * suit); }

/* Effective suit of a card, 5 for trumps; and its strength among the cards of that suit, higher is stronger. */
static int effective(int mode, int card) {
    if (card >= 4 && card < 8) return 5;
    if (card < 4) return mode == WENZ ? card : 5;
    return (card - 8) / 6 == mode ? 5 : (card - 8) / 6;
}
static int strength(int mode, int card) {
    static const int plain[6] = {70, 60, 50, 30, 20, 10};
    if (card < 8) return mode == WENZ && card < 4 ? 40 : 200 - card;
    return plain[(card - 8) % 6];
}
static void make_tables(void) {
    static const int worth[6] = {11, 10, 4, 0, 0, 0};
    for (int a = 0; a < 32; a++) points[a] = a < 4 ? 3 : a < 8 ? 2 : worth[(a - 8) % 6];
    for (int mode = 0; mode < 5; mode++)
        for (int a = 0; a < 32; a++)
            for (int b = 0; b < 32; b++) {
                int same = effective(mode, a) == effective(mode, b);
                if (same) suit_cards[mode][a] |= 1u << b;
                if (same ? strength(mode, a) > strength(mode, b) : effective(mode, a) == 5) beaten[mode][a] |= 1u << b;
            }
    for (int a = 0; a < 15; a++) {
        higher[a] = 1;
        for (int b = 0; b < 15; b++)
            if (kind_of[b] > kind_of[a]) higher[a] |= 1u << b;
    }
}

static inline u32 biddable(u32 hand) {
    u32 bids = 1u | 1u << 4 | 1u << 9 | (hand == COURTS ? 1u << 14 : 0);
    for (int suit = 0; suit < 4; suit++) {
        if (!(hand & ordinary(suit))) continue;
        bids |= 1u << (5 + suit) | 1u << (10 + suit);
        if (suit != 2 && !(hand & ace(suit))) bids |= 1u << (suit == 3 ? 3 : suit + 1);
    }
    return bids;
}

static inline int run_of(u32 cards, int mode) {
    if (mode == WENZ) return __builtin_ctz(~(cards >> 4 & 0xF));
    int run = __builtin_ctz(~(cards & COURTS));
    return run < 8 ? run : 8 + __builtin_ctz(~((cards & ordinary(mode)) >> (8 + 6 * mode)));
}

typedef struct { int kind, units[4], points[4], tricks[4], won, schneider, schwarz, run; } Result;

static void play_deal(u64 seed, u64 index, int forced, Result *r) {
    int dealer = (int)(index & 3), forehand = (dealer + 1) & 3, contract = 0, declarer = -1;
    u64 counter = stream(seed, index, DEAL), key = counter, choices[4];
    u32 hands[4], dealt[4], left = ~0u;
    for (int i = 0, s = forehand; i < 3; i++, s = (s + 1) & 3) {
        u32 before = left;
        for (int k = 0; k < 8; k++) left ^= 1u << draw(left, &counter);
        hands[s] = before ^ left;
    }
    hands[dealer] = left;
    memset(r, 0, sizeof *r);
    for (int s = 0; s < 4; s++) {
        dealt[s] = hands[s];
        choices[s] = stream(key, (u64)s, SEAT);
    }
    if (forced >= 0) {
        contract = forced;
        declarer = forced ? forehand : -1;
    } else
        for (int i = 0, s = forehand; i < 4 && contract != 14; i++, s = (s + 1) & 3) {
            int bid = draw(biddable(hands[s]) & higher[contract], &choices[s]);
            if (bid) contract = bid, declarer = s;
        }
    int kind = kind_of[contract], mode = mode_of[contract], tout = kind == WENZ_TOUT || kind == SOLO_TOUT;
    r->kind = kind;
    if (kind == PASSED) return;
    u32 called = kind == RUFER ? ordinary(suit_of[contract]) : 0, the_ace = kind == RUFER ? ace(suit_of[contract]) : 0;
    int partner = -1;
    for (int s = 0; s < 4; s++)
        if (dealt[s] & the_ace) partner = s;

    const u32 *beats = beaten[mode], *suits = suit_cards[mode];
    int leader = forehand;
    for (int trick = 0; trick < 8 && kind != SIE; trick++) {
        int s = leader, taker = s;
        u32 hand = hands[s], legal = hand, bound = called & the_ace;
        if (hand & bound && __builtin_popcount(hand & called) < 4) legal = hand & ~(called ^ bound);
        int best = draw(legal, &choices[s]), sum = points[best];
        u32 led = suits[best];
        hands[s] ^= 1u << best;
        for (int i = 0; i < 3; i++) {
            s = (s + 1) & 3;
            hand = hands[s];
            legal = hand & led ? hand & led : hand;
            if (hand & bound) legal = led == called ? bound : legal & ~bound ? legal & ~bound : legal;
            int card = draw(legal, &choices[s]);
            hands[s] ^= 1u << card;
            sum += points[card];
            int is_best = beats[card] >> best & 1;
            best = is_best ? card : best;
            taker = is_best ? s : taker;
        }
        if (led == called) called = 0;
        r->points[taker] += sum;
        r->tricks[taker]++;
        leader = taker;
        if (tout && taker != declarer) break;
    }

    int sum = 0, tricks = 0, value;
    u32 cards = 0;
    for (int s = 0; s < 4; s++)
        if (s == declarer || s == partner) sum += r->points[s], tricks += r->tricks[s], cards |= dealt[s];
    int mine = run_of(cards, mode), theirs = run_of(~cards, mode), run = mine > theirs ? mine : theirs;
    if (run < (mode == WENZ ? 2 : 3)) run = 0;
    r->run = run;
    if (kind == SIE) {
        r->won = 1;
        value = 20 + 4 * run;
    } else if (tout) {
        r->won = tricks == 8;
        value = 10 + 2 * run;
    } else {
        r->won = sum >= 61;
        r->schneider = sum >= 91 || sum <= 30;
        r->schwarz = tricks == 0 || tricks == 8;
        value = (kind == RUFER ? 1 : 5) + (r->schwarz ? 2 : r->schneider) + run;
    }
    int is_alone = partner < 0 || partner == declarer;
    for (int s = 0; s < 4; s++) {
        int is_declaring = s == declarer || s == partner;
        r->units[s] = (is_declaring == r->won ? value : -value) * (is_declaring && is_alone ? 3 : 1);
    }
}

int main(int argc, char **argv) {
    u64 n = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000, seed = argc > 2 ? strtoull(argv[2], 0, 10) : 1, check = 0;
    int is_rows = argc > 3 && !strcmp(argv[argc - 1], "rows"), forced = argc > 3 + is_rows ? atoi(argv[3]) : -1;
    struct timespec t0, t1;
    make_tables();
    clock_gettime(CLOCK_MONOTONIC, &t0);
    for (u64 i = 0; i < n; i++) {
        Result r;
        play_deal(seed, i, forced, &r);
        for (int s = 0; s < 4; s++) check = mix(check + (u64)(r.points[s] * 4096 + r.tricks[s] * 512 + r.units[s]));
        if (!is_rows) continue;
        printf("%d %d %d %d %d", r.kind, r.won, r.schneider, r.schwarz, r.run);
        for (int s = 0; s < 4; s++) printf(" %d %d %d", r.units[s], r.points[s], r.tricks[s]);
        printf("\n");
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double seconds = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    if (!is_rows) printf("%.0f deals/s checksum %016llx\n", (double)n / seconds, (unsigned long long)check);
    return 0;
}
