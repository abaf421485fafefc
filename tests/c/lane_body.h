/* SPDX-License-Identifier: BSD-3-Clause */
/* Every function of lane.h gives the scalar result for each element; see lane_bodies.h. */

/* Special values of arithmetic, and some ordinary numbers. */
static const real samples[] = {
    0,           (real)-0.0,  1,           -1,           (real)0.1,      (real)-2.5,      (real)3e38,
    (real)-3e38, (real)1e-38, (real)1e-42, (real)-1e-42, (real)INFINITY, (real)-INFINITY, (real)NAN};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

/* The samples from one on, one per element. */
static lane samples_from(int first)
{
    elements x;
    for (int i = 0; i < LANE_WIDTH; i++) x.of[i] = samples[(first + i) % SAMPLES];
    return lane_load(x.of);
}

/* The same bits, or both NaN. */
static bool same(real a, real b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static void a_lane_of_a_number_holds_it_in_every_element(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        elements x = elements_of(lane_of(samples[s]));
        for (int i = 0; i < LANE_WIDTH; i++) ENSURE(same(x.of[i], samples[s]));
    }
}

static void loads_and_stores_move_neighbouring_elements(void)
{
    _Alignas(64) real column[2 * LANE_WIDTH], copy[2 * LANE_WIDTH];
    for (int i = 0; i < 2 * LANE_WIDTH; i++) column[i] = (real)i;
    for (int i = 0; i < 2; i++) lane_store(copy + i * LANE_WIDTH, lane_load(column + i * LANE_WIDTH));
    ENSURE(memcmp(copy, column, sizeof copy) == 0);
}

static void select_takes_each_element_from_its_side(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        for (int t = 0; t < SAMPLES; t++) {
            lane a = samples_from(s), b = samples_from(t);
            elements less = elements_of(lane_select(a < b, a, b)),
                     other = elements_of(lane_select(mask_not(a < b), a, b));
            for (int i = 0; i < LANE_WIDTH; i++) {
                real x = samples[(s + i) % SAMPLES], y = samples[(t + i) % SAMPLES];
                ENSURE(same(less.of[i], x < y ? x : y));
                ENSURE(same(other.of[i], x < y ? y : x));
            }
        }
    }
}

static void any_finds_each_single_element(void)
{
    for (int i = 0; i < LANE_WIDTH; i++) {
        elements x = {{0}};
        x.of[i] = 1;
        ENSURE(mask_any(lane_load(x.of) == 1));
        ENSURE(!mask_any(lane_load(x.of) == 2));
        ENSURE(mask_any(mask_not(lane_load(x.of) == 2)));
    }
    ENSURE(!mask_any(mask_not(lane_of(0) == 0)));
}

static void min_and_max_give_the_second_argument_where_either_is_nan(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        for (int t = 0; t < SAMPLES; t++) {
            elements low = elements_of(lane_min(samples_from(s), samples_from(t)));
            elements high = elements_of(lane_max(samples_from(s), samples_from(t)));
            for (int i = 0; i < LANE_WIDTH; i++) {
                real x = samples[(s + i) % SAMPLES], y = samples[(t + i) % SAMPLES];
                ENSURE(same(low.of[i], x < y ? x : y));
                ENSURE(same(high.of[i], x > y ? x : y));
            }
        }
    }
}

static void clamp_keeps_numbers_in_range_and_makes_nan_the_upper_end(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        elements x = elements_of(lane_clamp(samples_from(s), lane_of(-2), lane_of(3)));
        for (int i = 0; i < LANE_WIDTH; i++) {
            real from = samples[(s + i) % SAMPLES];
            ENSURE(same(x.of[i], from < -2 ? -2 : from < 3 ? from : 3));
        }
    }
}

static void limit_keeps_numbers_in_range_and_nan(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        elements x = elements_of(lane_limit(samples_from(s), lane_of(2)));
        for (int i = 0; i < LANE_WIDTH; i++) {
            real from = samples[(s + i) % SAMPLES];
            ENSURE(same(x.of[i], from < -2 ? -2 : from > 2 ? 2 : from));
        }
    }
}

static void abs_clears_the_sign_and_nothing_else(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        elements x = elements_of(lane_abs(samples_from(s)));
        for (int i = 0; i < LANE_WIDTH; i++) {
            ENSURE(same(x.of[i], (real)fabs((double)samples[(s + i) % SAMPLES])));
            ENSURE(!signbit(x.of[i]));
        }
    }
}

static void sqrt_is_rounded_exactly(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        elements x = elements_of(lane_sqrt(samples_from(s)));
        for (int i = 0; i < LANE_WIDTH; i++) {
            real from = samples[(s + i) % SAMPLES];
            ENSURE(same(x.of[i], LANE_PRECISION == 64 ? (real)sqrt((double)from) : (real)sqrtf((float)from)));
        }
    }
}

static void words_keep_their_bits(void)
{
    _Alignas(64) uint32_t column[LANE_WIDTH], copy[LANE_WIDTH];
    for (uint32_t i = 0; i < LANE_WIDTH; i++) column[i] = i == 0 ? UINT32_MAX : i == 1 ? 0x80000000u : 3 * i;
    words_store(copy, words_load(column));
    ENSURE(memcmp(copy, column, sizeof copy) == 0);
}

static void words_and_masks_turn_into_each_other(void)
{
    _Alignas(64) uint32_t column[LANE_WIDTH], copy[LANE_WIDTH];
    for (uint32_t i = 0; i < LANE_WIDTH; i++) column[i] = i;
    mask odd = words_have(words_load(column), 1);
    elements chosen = elements_of(lane_select(odd, lane_of(1), lane_of(0)));
    words_store(copy, words_of(odd, 6));
    for (uint32_t i = 0; i < LANE_WIDTH; i++) {
        ENSURE(chosen.of[i] == (real)(i % 2));
        ENSURE(copy[i] == (i % 2 ? 6 : 0));
    }
    ENSURE(!mask_any(words_have(words_load(column), 0x40000000)));
}

static void a_bit_of_any_word_is_found(void)
{
    for (int i = 0; i < LANE_WIDTH; i++) {
        _Alignas(64) uint32_t column[LANE_WIDTH] = {0};
        column[i] = 0x40000100;
        ENSURE(words_any(words_load(column)) == 0x40000100);
    }
}

static void the_sign_of_packed_words_is_their_highest_bit(void)
{
    static const uint32_t values[][2] = {
        {0, 0}, {1, 0}, {INT32_MAX, 0}, {0x80000000u, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        _Alignas(64) uint32_t column[LANE_WIDTH];
        for (int i = 0; i < LANE_WIDTH; i++) column[i] = values[k][0];
        packed_store(column, packed_sign(packed_load(column)));
        for (int i = 0; i < LANE_WIDTH; i++) ENSURE(column[i] == values[k][1]);
    }
}

static void packed_words_are_words(void)
{
    _Alignas(64) uint32_t column[LANE_WIDTH], back[LANE_WIDTH];
    for (int i = 0; i < LANE_WIDTH; i++) column[i] = 0x80000000u + (uint32_t)i;
    words_store(back, words_of_packed(packed_load(column)));
    ENSURE(memcmp(column, back, sizeof column) == 0);
}

static void run_lane_tests(void)
{
    RUN(a_lane_of_a_number_holds_it_in_every_element);
    RUN(loads_and_stores_move_neighbouring_elements);
    RUN(select_takes_each_element_from_its_side);
    RUN(any_finds_each_single_element);
    RUN(min_and_max_give_the_second_argument_where_either_is_nan);
    RUN(clamp_keeps_numbers_in_range_and_makes_nan_the_upper_end);
    RUN(limit_keeps_numbers_in_range_and_nan);
    RUN(abs_clears_the_sign_and_nothing_else);
    RUN(sqrt_is_rounded_exactly);
    RUN(words_keep_their_bits);
    RUN(words_and_masks_turn_into_each_other);
    RUN(a_bit_of_any_word_is_found);
    RUN(the_sign_of_packed_words_is_their_highest_bit);
    RUN(packed_words_are_words);
}
