/* SPDX-License-Identifier: BSD-3-Clause */
/* The random words are those of [@random123], and random numbers follow from the documented layout. */
#include "math/philox.h"
#include "test.h"

typedef struct known_answer {
    philox_block counter;
    philox_key key;
    philox_block expected;
} known_answer;

/* KNOWN_ANSWER(00000000, ...) becomes {{{0x00000000, ...}}, {{...}}, {{...}}}, */
#define KNOWN_ANSWER(c0, c1, c2, c3, k0, k1, e0, e1, e2, e3)                                                 \
    {{{0x##c0, 0x##c1, 0x##c2, 0x##c3}}, {{0x##k0, 0x##k1}}, {{0x##e0, 0x##e1, 0x##e2, 0x##e3}}},

static const known_answer known_answers[] = {
#include "../data/philox/philox4x32_10.inc"
};

enum { KNOWN_ANSWERS = sizeof known_answers / sizeof known_answers[0] };

static bool same(philox_block a, philox_block b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void words_are_the_published_ones(void)
{
    for (int i = 0; i < KNOWN_ANSWERS; i++) {
        const known_answer *row = &known_answers[i];
        ENSURE(same(philox(row->counter, row->key), row->expected));
    }
}

static void seed_vehicle_stream_and_step_are_key_and_counter(void)
{
    for (int i = 0; i < KNOWN_ANSWERS; i++) {
        const known_answer *row = &known_answers[i];
        const uint32_t *counter = row->counter.word, *key = row->key.word;
        uint64_t seed = (uint64_t)key[1] << 32 | key[0], step = (uint64_t)counter[3] << 32 | counter[2];
        ENSURE(same(random_words(seed, counter[0], counter[1], step), row->expected));
    }
}

static void every_argument_changes_the_words(void)
{
    philox_block words = random_words(1, 2, 3, 4);
    ENSURE(same(words, random_words(1, 2, 3, 4)));
    ENSURE(!same(words, random_words(1 + (1ull << 32), 2, 3, 4)));
    ENSURE(!same(words, random_words(2, 2, 3, 4)));
    ENSURE(!same(words, random_words(1, 3, 3, 4)));
    ENSURE(!same(words, random_words(1, 2, 4, 4)));
    ENSURE(!same(words, random_words(1, 2, 3, 5)));
    ENSURE(!same(words, random_words(1, 2, 3, 4 + (1ull << 32))));
}

static void uniform_double_has_53_bits_below_one(void)
{
    ENSURE(uniform_double(0, 0) == 0.0);
    ENSURE(uniform_double(0, 0x7ff) == 0.0);
    ENSURE(uniform_double(0, 0x800) == 0x1p-53);
    ENSURE(uniform_double(0x80000000u, 0) == 0.5);
    ENSURE(uniform_double(UINT32_MAX, UINT32_MAX) == 1.0 - 0x1p-53);
}

static void uniform_float_has_24_bits_below_one(void)
{
    ENSURE(uniform_float(0xff) == 0.0f);
    ENSURE(uniform_float(0x100) == 0x1p-24f);
    ENSURE(uniform_float(0x80000000u) == 0.5f);
    ENSURE(uniform_float(UINT32_MAX) == 1.0f - 0x1p-24f);
}

/* Five standard deviations of the mean of n numbers with variance 1/12, and of their squares with 4/45. */
static void uniform_numbers_have_the_mean_and_spread_of_uniform_numbers(void)
{
    enum { N = 20000 };
    double sum = 0, squares = 0;
    for (uint32_t vehicle = 0; vehicle < N / 2; vehicle++) {
        philox_block words = random_words(42, vehicle, 0, 7);
        for (int i = 0; i < 4; i += 2) {
            double x = uniform_double(words.word[i], words.word[i + 1]);
            sum += x;
            squares += x * x;
        }
    }
    ENSURE_NEAR(sum / N, 1.0 / 2, 5 * sqrt(1.0 / 12 / N));
    ENSURE_NEAR(squares / N, 1.0 / 3, 5 * sqrt(4.0 / 45 / N));
}

TEST_SUITE(philox)
{
    RUN(words_are_the_published_ones);
    RUN(seed_vehicle_stream_and_step_are_key_and_counter);
    RUN(every_argument_changes_the_words);
    RUN(uniform_double_has_53_bits_below_one);
    RUN(uniform_float_has_24_bits_below_one);
    RUN(uniform_numbers_have_the_mean_and_spread_of_uniform_numbers);
}
