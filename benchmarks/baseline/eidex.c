/* Base Cosmic Eidex with uniformly random play, as fast as plain C goes: the yardstick of benchmarks/ and an independent check.
 *
 * Same streams as the simulator (splitmix64 counters), hence the same deals and the same results, deal by deal.
 * Usage: eidex DEALS SEED [rows]   prints hands/s and a checksum; with "rows" one line of figures for each deal.
 * Build: gcc -O3 -march=native -o eidex eidex.c
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

enum { SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE, OBENABE = 4, UNDENUFE = 5 };
enum { DEAL = 1, SEAT = 16 };

static const u64 GOLDEN = 0x9E3779B97F4A7C15ull, ALL = (1ull << 36) - 1;
static u64 beaten[6][36];
static int points[6][36];

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
static inline int nth(u64 cards, unsigned n) { return __builtin_ctzll(_pdep_u64(1ull << n, cards)); }
#else
static inline int nth(u64 cards, unsigned n) {
    while (n--) cards &= cards - 1;
    return __builtin_ctzll(cards);
}
#endif

static inline int draw(u64 cards, u64 *counter) {
    *counter += GOLDEN;
    return nth(cards, below(mix(*counter), (unsigned)__builtin_popcountll(cards)));
}
static u64 draw_hand(u64 cards, u64 *counter) {
    u64 left = cards;
    for (int i = 0; i < 12; i++) left ^= 1ull << draw(left, counter);
    return cards ^ left;
}

/* Rank of a card in its suit, higher is stronger. */
static int strength(int mode, int suit, int rank) {
    if (mode == UNDENUFE) return ACE - rank;
    if (suit != mode) return rank;
    return rank == JACK ? 20 : rank == NINE ? 19 : rank;
}
static int value(int mode, int suit, int rank) {
    static const int plain[9] = {0, 0, 0, 0, 10, 2, 3, 4, 11};
    if (suit == mode && rank == JACK) return 20;
    if (suit == mode && rank == NINE) return 14;
    if (mode >= OBENABE && rank == EIGHT) return 8;
    if (mode == UNDENUFE) return rank == ACE ? 0 : rank == SIX ? 11 : plain[rank];
    return plain[rank];
}
static void make_tables(void) {
    for (int mode = 0; mode < 6; mode++)
        for (int a = 0; a < 36; a++) {
            points[mode][a] = value(mode, a / 9, a % 9);
            beaten[mode][a] = 0;
            for (int b = 0; b < 36; b++) {
                int same = a / 9 == b / 9;
                if (same ? strength(mode, a / 9, a % 9) > strength(mode, b / 9, b % 9) : a / 9 == mode) beaten[mode][a] |= 1ull << b;
            }
        }
}

typedef struct { int mode, points[3], tricks[3], victory[3], match, over, tie; } Result;

static void play_deal(u64 seed, u64 index, Result *r) {
    int dealer = (int)(index % 3), forehand = (dealer + 1) % 3;
    u64 hands[3], counter = stream(seed, index, DEAL), key = counter, choices[3];
    hands[forehand] = draw_hand(ALL, &counter);
    hands[(forehand + 1) % 3] = draw_hand(ALL ^ hands[forehand], &counter);
    hands[dealer] = ALL ^ hands[forehand] ^ hands[(forehand + 1) % 3];
    int upcard = draw(hands[dealer], &counter), rank = upcard % 9, suit = upcard / 9;
    int mode = rank == ACE ? OBENABE : rank == SIX ? UNDENUFE : suit;
    u64 trumps = mode < 4 ? 0x1FFull << 9 * mode : 0, jack = mode < 4 ? 1ull << (9 * mode + JACK) : 0;
    const u64 *beats = beaten[mode];
    const int *worth = points[mode];

    for (int s = 0; s < 3; s++) {
        choices[s] = stream(key, (u64)s, SEAT);
        r->tricks[s] = 0;
    }
    for (int i = 0, s = forehand; i < 3; i++, s = s == 2 ? 0 : s + 1) {
        int card = draw(hands[s], &choices[s]);
        hands[s] ^= 1ull << card;
        r->points[s] = worth[card];
    }
    int leader = forehand;
    for (int trick = 0; trick < 11; trick++) {
        int s = leader, best = draw(hands[s], &choices[s]), sum = worth[best], taker = s;
        u64 led = 0x1FFull << best / 9 * 9;
        hands[s] ^= 1ull << best;
        for (int i = 0; i < 2; i++) {
            s = s == 2 ? 0 : s + 1;
            u64 hand = hands[s], follow = hand & led, legal;
            if (led == trumps)
                legal = follow & ~jack ? follow : hand;
            else {
                legal = follow ? follow | (hand & trumps) : hand;
                if (trumps >> best & 1 && hand & ~trumps) legal &= ~(beats[best] & trumps);
            }
            int card = draw(legal, &choices[s]);
            hands[s] ^= 1ull << card;
            sum += worth[card];
            if (beats[card] >> best & 1) best = card, taker = s;
        }
        r->points[taker] += sum;
        r->tricks[taker]++;
        leader = taker;
    }
    r->points[leader] += 5;
    r->mode = mode;
    r->match = r->over = r->tie = 0;
    int high = 0, low = 0;
    for (int s = 0; s < 3; s++) {
        r->victory[s] = 0;
        if (r->tricks[s] == 11) r->match = 1;
        if (r->points[s] >= 100) r->over = 1;
        if (r->points[s] > r->points[high]) high = s;
        if (r->points[s] < r->points[low]) low = s;
    }
    int a = r->points[0], b = r->points[1], c = r->points[2];
    if (r->match) {
        r->over = 0;
        r->victory[leader] = 2;
    } else if (r->over) {
        for (int s = 0; s < 3; s++) r->victory[s] = s != high;
    } else if (a == b || a == c || b == c) {
        r->tie = 1;
        r->victory[a == b ? 2 : a == c ? 1 : 0] = 2;
    } else {
        r->victory[high] = 1;
        r->victory[low] = 1;
    }
}

int main(int argc, char **argv) {
    u64 n = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000, seed = argc > 2 ? strtoull(argv[2], 0, 10) : 1, check = 0;
    int is_rows = argc > 3 && !strcmp(argv[3], "rows");
    struct timespec t0, t1;
    make_tables();
    clock_gettime(CLOCK_MONOTONIC, &t0);
    for (u64 i = 0; i < n; i++) {
        Result r;
        play_deal(seed, i, &r);
        for (int s = 0; s < 3; s++) check = mix(check + (u64)(r.points[s] * 64 + r.tricks[s] * 4 + r.victory[s]));
        if (is_rows)
            printf("%d %d %d %d %d %d %d %d %d %d %d\n", r.mode, r.match, r.over, r.tie, r.points[0], r.points[1], r.points[2],
                   r.victory[0], r.victory[1], r.victory[2], r.tricks[0]);
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double seconds = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    if (!is_rows) printf("%.0f hands/s checksum %016llx\n", (double)n / seconds, (unsigned long long)check);
    return 0;
}
