/* SPDX-License-Identifier: BSD-3-Clause */
/* exponential.h and noise.h against the C library, and random.h against philox.h; see lane_bodies.h. */
#include <math.h>

#define EXPONENTIAL_ULP 2.0

/* Error in units in the last place of this precision. */
static double ulps_of(real got, long double want)
{
    int exponent;
    frexpl(want, &exponent);
    return (double)fabsl(((long double)got - want) / ldexpl(1, exponent - (LANE_PRECISION == 64 ? 53 : 24)));
}

static void exponential_is_that_of_the_c_library(void)
{
    const double end = LANE_PRECISION == 64 ? 700 : 86;
    for (double x = -end; x <= end; x += end / 4999) {
        real argument = (real)x;
        ENSURE_NEAR(ulps_of(elements_of(lane_exp(lane_of(argument))).of[LANE_WIDTH - 1], expl(argument)), 0,
                    EXPONENTIAL_ULP);
        ENSURE_NEAR(ulps_of(elements_of(lane_quick_exp(lane_of(argument))).of[0], expl(argument)), 0,
                    EXPONENTIAL_ULP);
    }
    ENSURE(elements_of(lane_exp(lane_of(0))).of[0] == 1);
    ENSURE(elements_of(lane_exp(lane_of(-10000))).of[0] < (real)1e-37);
    ENSURE(elements_of(lane_exp(lane_of(10000))).of[0] > (real)1e37);
}

static void logarithm_is_that_of_the_c_library(void)
{
    const double end = LANE_PRECISION == 64 ? 1e300 : 1e37;
    for (double x = 1 / end; x < end; x *= 1.37) {
        real argument = (real)x;
        ENSURE_NEAR(ulps_of(elements_of(lane_log(lane_of(argument))).of[LANE_WIDTH - 1], logl(argument)), 0,
                    EXPONENTIAL_ULP);
    }
    for (int i = -2000; i <= 2000; i++) { /* next to 1, where the result is small */
        real argument = (real)(1 + i * 1e-4 + 3e-6);
        ENSURE_NEAR(ulps_of(elements_of(lane_log(lane_of(argument))).of[0], logl(argument)), 0,
                    EXPONENTIAL_ULP);
    }
    ENSURE(elements_of(lane_log(lane_of(1))).of[0] == 0);
}

static void random_words_of_a_lane_are_those_of_its_vehicles(void)
{
    _Alignas(64) uint32_t low[LANE_WIDTH], high[LANE_WIDTH], vehicle[LANE_WIDTH], step_low[LANE_WIDTH];
    for (uint32_t i = 0; i < LANE_WIDTH; i++) {
        step_low[i] = 3 * i;
        low[i] = 0xFFFFFFF0u + 5 * i;
        high[i] = 0x80000001u * (i + 1);
        vehicle[i] = 7 - i;
    }
    const uint64_t step = 0xFEDCBA9876543210u;
    const random_rows same = {low, high, vehicle, NULL, NULL}, own = {low, high, vehicle, step_low, high};
    random_block words, stepped;
    random_block_at(&words, &same, 0xABCD1234u, step);
    random_block_at(&stepped, &own, 0xABCD1234u, 0);
    for (int i = 0; i < LANE_WIDTH; i++) {
        const uint64_t seed = (uint64_t)high[i] << 32 | low[i],
                       own_step = (uint64_t)high[i] << 32 | step_low[i];
        philox_block want = random_words(seed, vehicle[i], 0xABCD1234u, step);
        philox_block want_own = random_words(seed, vehicle[i], 0xABCD1234u, own_step);
        for (int k = 0; k < 4; k++) {
            ENSURE(words.word[k][i] == want.word[k]);
            ENSURE(stepped.word[k][i] == want_own.word[k]);
        }
    }
}

static void uniform_numbers_lie_inside_of_0_and_1(void)
{
    const uint32_t words[] = {0, 1, 0x80000000u, 0xFFFFFFFFu};
    const double want[] = {0, 0, 0.5, 1};
    for (int k = 0; k < 4; k++) {
        _Alignas(64) uint32_t column[LANE_WIDTH];
        for (int i = 0; i < LANE_WIDTH; i++) column[i] = words[k];
        real u = elements_of(uniform_of_word(words_load(column))).of[LANE_WIDTH - 1];
        ENSURE(u > 0 && (LANE_PRECISION == 32 ? u <= 1 : u < 1));
        ENSURE_NEAR((double)u, want[k], 1e-7);
    }
}

/* Of the first and last numbers of both parts of a word, and of others between. */
static void noise_is_that_of_box_and_muller(void)
{
    const uint32_t first[] = {0, 1, 0x3FFE, 0x3FFF, 0xFFFFC000u, 0xFFFFFFFFu};
    for (uint32_t k = 0; k < 20000; k++) {
        uint32_t word = k < 6 ? first[k] : k * 2654435761u;
        _Alignas(64) uint32_t words[LANE_WIDTH];
        for (int i = 0; i < LANE_WIDTH; i++) words[i] = word;
        lane a, b;
        noise_of_words(words, &a, &b);
        double u = ((word >> 14) + 0.5) * 0x1p-18, v = ((word & 0xFFF) + 0.5) * 0x1p-14,
               r = sqrt(-2 * log(u));
        double pi = acos(-1), east = word >> 12 & 1 ? -1 : 1, north = word >> 13 & 1 ? -1 : 1;
        const double limit = 2e-6 + 1e-7 / r; /* small numbers are the square root of a small difference */
        ENSURE_NEAR((double)elements_of(a).of[0], east * r * cos(2 * pi * v), limit);
        ENSURE_NEAR((double)elements_of(b).of[LANE_WIDTH - 1], north * r * sin(2 * pi * v), limit);
    }
}

static void run_exponential_tests(void)
{
    RUN(exponential_is_that_of_the_c_library);
    RUN(logarithm_is_that_of_the_c_library);
    RUN(random_words_of_a_lane_are_those_of_its_vehicles);
    RUN(uniform_numbers_lie_inside_of_0_and_1);
    RUN(noise_is_that_of_box_and_muller);
}
