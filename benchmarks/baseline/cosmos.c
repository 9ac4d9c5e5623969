/* COSMOS with uniformly random play, as fast as plain C goes: the yardstick of benchmarks/ and an independent check.
 *
 * Same streams as the simulator (splitmix64 counters), hence the same deals and the same results, deal by deal.
 * Usage: cosmos DEALS SEED [rows] [SEATS]   prints rounds/s and a checksum; with "rows" one line of figures for each deal:
 *        collisions, table collisions, Big Bangs, black tricks, trick and seat of the break, then tricks, nines and score of each seat.
 * Build: gcc -O3 -march=native -o cosmos cosmos.c
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

enum { DEAL = 1, SEAT = 16 };

/* Saturn, Earth, Sun, Moon with 1 2 3 4 4 5 5 6 6 7 7 8 8 9, then Collapsar with 1 to 8. */
static const u64 GOLDEN = 0x9E3779B97F4A7C15ull, ALL = ~0ull, BLACK = 0xFFull << 56, BLACK_TOP = 1ull << 63;
static const u64 TOPS = 1ull << 13 | 1ull << 27 | 1ull << 41 | 1ull << 55 | 1ull << 63; /* highest card of each suit */
static u64 nines, second_copies, same_value[64];

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
static u64 draw_hand(u64 cards, int n, u64 *counter) {
    u64 left = cards;
    for (int i = 0; i < n; i++) left ^= 1ull << draw(left, counter);
    return cards ^ left;
}

static int value_of(int card) {
    static const int planet[14] = {1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9};
    return card < 56 ? planet[card % 14] : card - 55;
}
static void make_tables(void) {
    for (int a = 0; a < 64; a++) {
        for (int b = 0; b < 64; b++)
            if (value_of(a) == value_of(b)) same_value[a] |= 1ull << b;
        if (value_of(a) == 9) nines |= 1ull << a;
        if (a % 14 && a < 56 && value_of(a) == value_of(a - 1)) second_copies |= 1ull << a;
    }
}

typedef struct { int tricks[6], nines[6], score[6], collisions, table_collisions, big_bangs, black_tricks, break_trick, breaker; } Result;

/* All cards of the suits that occur among the cards: carries gather each suit in its top bit, a subtraction spreads it out. */
static inline u64 suits_of(u64 cards) {
    u64 tops = (((cards & ~TOPS) + ~TOPS) | cards) & TOPS, black = tops & BLACK_TOP, planets = tops ^ black;
    return tops | (planets - (planets >> 13)) | (black - (black >> 7));
}

/* The highest black card, else the highest card of the most numerous suits; values differ, so lanes compare like numbers. */
static inline int best_card(u64 up) {
    if (!up) return -1;
    unsigned key = 0;
    for (int s = 0; s < 4; s++) {
        unsigned lane = up >> 14 * s & 0x3FFF, rival = (unsigned)__builtin_popcount(lane) << 14 | lane;
        key = rival > key ? rival : key;
    }
    u64 column = (1ull | 1ull << 14 | 1ull << 28 | 1ull << 42) << (31 - __builtin_clz((key & 0x3FFF) | 1));
    return up >> 56 ? 63 - __builtin_clzll(up) : __builtin_ctzll(up & column);
}

static inline __attribute__((always_inline)) void play_deal(u64 seed, u64 index, int n, Result *r) {
    int size = 60 / n, starter = (int)(index % (u64)n);
    u64 hands[6], counter = stream(seed, index, DEAL), key = counter, choices[6];
    u64 table = draw_hand(ALL, 4, &counter), rest = ALL ^ table;
    memset(r, 0, sizeof *r);
    for (int i = 0, s = starter; i < n; i++, s = s == n - 1 ? 0 : s + 1) {
        hands[s] = i == n - 1 ? rest : draw_hand(rest, size, &counter);
        rest ^= hands[s];
        choices[s] = stream(key, (u64)s, SEAT);
    }
    r->breaker = 255;
    u64 barred = BLACK;
    int leader = starter;
    for (int trick = 1; trick <= size; trick++) {
        int cards[6];
        u64 binding = 0, up = 0, all = 0;
        for (int i = 0, s = leader; i < n; i++, s = s == n - 1 ? 0 : s + 1) {
            u64 hand = hands[s], follow = hand & binding, free = hand & ~(binding ? 0 : barred);
            u64 legal = follow ? follow : free ? free : hand;
            int c = draw(legal & ~((legal & second_copies >> 1) << 1), &choices[s]);
            u64 played = 1ull << c, partner = up & same_value[c];
            hands[s] ^= played;
            cards[s] = c;
            all |= played;
            if (barred & played) barred = 0, r->break_trick = trick, r->breaker = s;
            up ^= partner ? partner : played;
            binding = suits_of(up);
        }
        r->collisions += (n - __builtin_popcountll(up)) / 2;
        if (n & 1 && __builtin_popcountll(up) == 1) {
            u64 partners = table & same_value[__builtin_ctzll(up)];
            if (partners) table ^= partners & -partners, r->table_collisions++, up = 0;
        }
        r->big_bangs += !up;
        r->black_tricks += up >> 56 != 0;
        int best = best_card(up);
        for (int s = 0; s < n; s++) leader = cards[s] == best ? s : leader;
        r->tricks[leader]++;
        r->nines[leader] += __builtin_popcountll(all & nines);
    }
    for (int s = 0; s < n; s++) r->score[s] = r->nines[s] == 4 ? 0 : r->tricks[s];
}

int main(int argc, char **argv) {
    u64 n_deals = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000, seed = argc > 2 ? strtoull(argv[2], 0, 10) : 1, check = 0;
    int is_rows = argc > 3 && !strcmp(argv[3], "rows"), n = argc > 3 + is_rows ? atoi(argv[3 + is_rows]) : 4;
    struct timespec t0, t1;
    if (n < 3 || n > 6) return fprintf(stderr, "SEATS is 3 to 6\n"), 2;
    make_tables();
    clock_gettime(CLOCK_MONOTONIC, &t0);
    for (u64 i = 0; i < n_deals; i++) {
        Result r;
        play_deal(seed, i, n, &r);
        check = mix(check + (u64)(r.collisions * 64 + r.break_trick));
        for (int s = 0; s < n; s++) check = mix(check + (u64)(r.tricks[s] * 64 + r.nines[s]));
        if (!is_rows) continue;
        printf("%d %d %d %d %d %d", r.collisions, r.table_collisions, r.big_bangs, r.black_tricks, r.break_trick, r.breaker);
        for (int s = 0; s < n; s++) printf(" %d %d %d", r.tricks[s], r.nines[s], r.score[s]);
        printf("\n");
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double seconds = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    if (!is_rows) printf("%.0f rounds/s checksum %016llx\n", (double)n_deals / seconds, (unsigned long long)check);
    return 0;
}
