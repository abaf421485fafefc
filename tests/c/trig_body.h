/* SPDX-License-Identifier: BSD-3-Clause */
/* trig.h against values of 100 digits (trig_table.h, written by make_trig_table.py), and its special cases; see
 * lane_bodies.h. */
#include "trig_table.h"

/* Units in the last place; a little above what the header of trig.h reports. */
#define SINCOS_ULP      1.6
#define ATAN2_ULP       1.8
#define QUICK_ATAN2_ULP 2.6
#define ASIN_ULP        2.6
#define WRAP_ULP        1.6

#define PI          3.14159265358979323846
#define ROWS(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* Error of a result in units in the last place of this precision; infinite for a NaN or a zero of the
 * wrong sign. */
static double ulps(real got, exact want)
{
    int digits = LANE_PRECISION == 64 ? 53 : 24, lowest = LANE_PRECISION == 64 ? -1074 : -149, exponent;
    if (want.value == 0) return got == 0 && !signbit(got) == !signbit(want.value) ? 0 : (double)INFINITY;
    frexp(want.value, &exponent);
    double unit = ldexp(1.0, exponent - digits > lowest ? exponent - digits : lowest);
    double distance = fabs((((double)got - want.value) - want.rest) / unit);
    return distance >= 0 ? distance : (double)INFINITY;
}

static exact negative(exact x)
{
    return (exact){-x.value, -x.rest};
}

/* Consecutive cells of one column of a table, from row `first`, times the sign. */
static lane lane_of_cells(const void *column, size_t row_size, int rows, int first, int sign)
{
    elements x;
    for (int i = 0; i < LANE_WIDTH; i++) {
        double cell;
        memcpy(&cell, (const char *)column + row_size * (size_t)((first + i) % rows), sizeof cell);
        x.of[i] = (real)(sign * cell);
    }
    return lane_load(x.of);
}
#define LANE_OF_ROWS(table, column, first, sign)                                                             \
    lane_of_cells(&(table)->column, sizeof *(table), ROWS(table), first, sign)

static void sine_and_cosine_match_the_table(void)
{
    for (int row = 0; row < ROWS(angle_rows); row++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            lane s, c;
            lane_sincos(LANE_OF_ROWS(angle_rows, x, row, sign), &s, &c);
            elements sine = elements_of(s), cosine = elements_of(c);
            for (int i = 0; i < LANE_WIDTH; i++) {
                const angle_row *want = &angle_rows[(row + i) % ROWS(angle_rows)];
                ENSURE_NEAR(ulps(sine.of[i], sign < 0 ? negative(want->sine) : want->sine), 0, SINCOS_ULP);
                ENSURE_NEAR(ulps(cosine.of[i], want->cosine), 0, SINCOS_ULP);
            }
        }
    }
}

static void sine_of_zero_keeps_its_sign(void)
{
    lane s, c;
    lane_sincos(lane_of((real)-0.0), &s, &c);
    ENSURE(elements_of(s).of[0] == 0);
    ENSURE(signbit(elements_of(s).of[0]));
    ENSURE(elements_of(c).of[0] == 1);
    lane_sincos(lane_of(0), &s, &c);
    ENSURE(!signbit(elements_of(s).of[0]));
}

static void sine_and_cosine_of_non_finite_values_are_nan(void)
{
    const lane_int all_ones = ~LANE_SIGN; /* of a NaN, all bits but the sign */
    real full;
    memcpy(&full, &all_ones, sizeof full);
    const real arguments[] = {(real)NAN, (real)-NAN, full, (real)INFINITY, (real)-INFINITY};
    for (int a = 0; a < 5; a++) {
        elements x = {{0}}; /* the others stay what they are */
        for (int i = 0; i < LANE_WIDTH; i += 2) x.of[i] = arguments[a];
        lane s, c;
        lane_sincos(lane_load(x.of), &s, &c);
        elements sine = elements_of(s), cosine = elements_of(c);
        for (int i = 0; i < LANE_WIDTH; i++) {
            ENSURE(i % 2 == 0 ? isnan(sine.of[i]) : sine.of[i] == 0);
            ENSURE(i % 2 == 0 ? isnan(cosine.of[i]) : cosine.of[i] == 1);
        }
    }
}

static void angles_up_to_the_limit_are_off_by_one_unit_in_their_last_place_at_most(void)
{
    for (double x = TRIG_EXACT; x <= TRIG_LIMIT; x *= 1.01) {
        real angle = (real)x;
        lane s, c;
        lane_sincos(lane_of(angle), &s, &c);
        double unit = ldexp(REAL_EPSILON, ilogb((double)angle)) + REAL_EPSILON;
        ENSURE_NEAR(elements_of(s).of[0], sin((double)angle), unit);
        ENSURE_NEAR(elements_of(c).of[0], cos((double)angle), unit);
    }
}

static void angles_beyond_the_limit_count_as_zero(void)
{
    const double angles[] = {1.001 * TRIG_LIMIT, 1e10, 1e20, 3e38};
    for (int i = 0; i < 4; i++) {
        lane s, c;
        lane_sincos(lane_of((real)-angles[i]), &s, &c);
        ENSURE(elements_of(s).of[0] == 0);
        ENSURE(elements_of(c).of[0] == 1);
        ENSURE(elements_of(wrap_angle(lane_of((real)angles[i]))).of[0] == 0);
    }
}

static void sine_and_cosine_of_small_angles_have_the_same_bits_without_reduction(void)
{
    const real angles[] = {0, (real)-0.0, (real)1e-30, (real)1e-3, (real)-0.3, TRIG_SMALL, -TRIG_SMALL};
    for (int i = 0; i < (int)(sizeof angles / sizeof angles[0]); i++) {
        lane s[2], c[2];
        lane_sincos(lane_of(angles[i]), &s[0], &c[0]);
        lane_small_sincos(lane_of(angles[i]), &s[1], &c[1]);
        ENSURE(memcmp(&s[0], &s[1], sizeof s[0]) == 0 && memcmp(&c[0], &c[1], sizeof c[0]) == 0);
    }
}

static void atan2_matches_the_table_in_all_four_quadrants(void)
{
    for (int row = 0; row < ROWS(atan2_rows); row++) {
        lane y = LANE_OF_ROWS(atan2_rows, y, row, 1), x = LANE_OF_ROWS(atan2_rows, x, row, 1);
        elements angle = elements_of(lane_atan2(y, x)), mirrored = elements_of(lane_atan2(-y, x)),
                 quick = elements_of(lane_quick_atan2(y, x));
        for (int i = 0; i < LANE_WIDTH; i++) {
            const atan2_row *want = &atan2_rows[(row + i) % ROWS(atan2_rows)];
            ENSURE_NEAR(ulps(angle.of[i], want->angle), 0, ATAN2_ULP);
            ENSURE_NEAR(ulps(quick.of[i], want->angle), 0, QUICK_ATAN2_ULP);
            ENSURE(mirrored.of[i] == -angle.of[i]);
        }
    }
}

/* [@c17 F.10.1.4] */
static void atan2_of_zeros_and_infinities_is_that_of_the_standard(void)
{
    const double inf = (double)INFINITY, pi = PI;
    const double cases[][3] = {/* y, x, angle */
                               {0.0, -0.0, pi},         {0.0, 0.0, 0.0},    {0.0, -1.0, pi},
                               {0.0, 1.0, 0.0},         {1.0, 0.0, pi / 2}, {1.0, -0.0, pi / 2},
                               {1.0, -inf, pi},         {1.0, inf, 0.0},    {inf, 1.0, pi / 2},
                               {inf, -1.0, pi / 2},     {inf, inf, pi / 4}, {0.0, -inf, pi},
                               {inf, -inf, 3 * pi / 4}, {inf, 0.0, pi / 2}, {0.0, inf, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            lane y = lane_of((real)(sign * cases[i][0]));
            real angle = elements_of(lane_atan2(y, lane_of((real)cases[i][1]))).of[0];
            ENSURE_NEAR(angle, sign * cases[i][2], 2 * REAL_EPSILON);
            real quick = elements_of(lane_quick_atan2(y, lane_of((real)cases[i][1]))).of[0];
            ENSURE_NEAR(quick, angle, 2 * REAL_EPSILON);
            ENSURE(!signbit(angle) == (sign > 0));
            if (cases[i][2] == 0) ENSURE(angle == 0);
        }
    }
}

static void atan2_of_nan_is_nan(void)
{
    const real others[] = {0, 1, (real)-0.0, (real)INFINITY, (real)NAN};
    for (int i = 0; i < 5; i++) {
        ENSURE(isnan(elements_of(lane_atan2(lane_of((real)NAN), lane_of(others[i]))).of[0]));
        ENSURE(isnan(elements_of(lane_atan2(lane_of(others[i]), lane_of((real)NAN))).of[0]));
    }
}

/* The first of several arc tangents, the others of which are of `other`. */
static real atan_beside(real slope, real other)
{
    lane x[3] = {lane_of(slope), lane_of(other), lane_of(-other)};
    rows_short_atan(x, 3);
    return elements_of(x[0]).of[0];
}

static void atans_of_rows_are_atan2_of_one_whatever_is_beside_them(void)
{
    const double tolerance = LANE_PRECISION == 64 ? 0x1p-48 : 0x1p-20;
    for (double x = 1e-30; x < 1e30; x *= 1.01) {
        for (int sign = -1; sign <= 1; sign += 2) {
            real slope = (real)(sign * x), got = atan_beside(slope, 0);
            real want = elements_of(lane_atan2(lane_of(slope), lane_of(1))).of[0];
            ENSURE_NEAR(got, want, tolerance * fabs((double)want));
            ENSURE(same(got, atan_beside(slope, (real)0.9)) && same(got, atan_beside(slope, 100)));
        }
    }
    ENSURE(atan_beside((real)-INFINITY, 0) == -TRIG_PI / 2);
    ENSURE(same(atan_beside((real)-0.0, 0), atan_beside((real)-0.0, 100)));
    ENSURE(isnan(atan_beside((real)NAN, 0)) && !isnan(atan_beside(1, (real)NAN)));
}

static void short_sines_of_rows_are_those_of_the_library_up_to_four(void)
{
    const double tolerance = LANE_PRECISION == 64 ? 0x1p-46 : 0x1p-19;
    for (double x = -4; x <= 4; x += 1e-3) {
        lane sine[2] = {lane_of((real)x), lane_of((real)NAN)};
        rows_short_sin(sine, 2);
        ENSURE_NEAR(elements_of(sine[0]).of[0], sin((double)(real)x), tolerance);
        ENSURE(isnan(elements_of(sine[1]).of[0]));
    }
}

static void asin_matches_the_table_and_is_odd(void)
{
    for (int row = 0; row < ROWS(asin_rows); row++) {
        lane x = LANE_OF_ROWS(asin_rows, x, row, 1);
        elements angle = elements_of(lane_asin(x)), mirrored = elements_of(lane_asin(-x));
        for (int i = 0; i < LANE_WIDTH; i++) {
            ENSURE_NEAR(ulps(angle.of[i], asin_rows[(row + i) % ROWS(asin_rows)].angle), 0, ASIN_ULP);
            ENSURE(mirrored.of[i] == -angle.of[i]);
        }
    }
}

static void asin_clamps_its_argument_but_keeps_nan_and_the_sign_of_zero(void)
{
    ENSURE(elements_of(lane_asin(lane_of((real)1.5))).of[0] == TRIG_PI / 2);
    ENSURE(elements_of(lane_asin(lane_of((real)-INFINITY))).of[0] == -TRIG_PI / 2);
    ENSURE(isnan(elements_of(lane_asin(lane_of((real)NAN))).of[0]));
    ENSURE(signbit(elements_of(lane_asin(lane_of((real)-0.0))).of[0]));
}

/* The shorter way round from the exact angle: at an odd multiple of pi either end is right. */
static double ulps_round(real got, exact want)
{
    exact other = {want.value - copysign(2 * PI, want.value), 0};
    return fabs((double)got - want.value) < 3 ? ulps(got, want) : ulps(got, other);
}

static void wrapped_angles_match_the_table(void)
{
    for (int row = 0; row < ROWS(angle_rows); row++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            elements angle = elements_of(wrap_angle(LANE_OF_ROWS(angle_rows, x, row, sign)));
            for (int i = 0; i < LANE_WIDTH; i++) {
                exact want = angle_rows[(row + i) % ROWS(angle_rows)].wrapped;
                ENSURE_NEAR(ulps_round(angle.of[i], sign < 0 ? negative(want) : want), 0, WRAP_ULP);
            }
        }
    }
}

static void wrapped_angles_lie_above_minus_pi_up_to_pi(void)
{
    for (double x = 1e-3; x < 1e3 * TRIG_LIMIT; x *= 1.003) {
        for (int sign = -1; sign <= 1; sign += 2) {
            real angle = elements_of(wrap_angle(lane_of((real)(sign * x)))).of[0];
            ENSURE(-TRIG_PI < angle && angle <= TRIG_PI);
        }
    }
}

static void angles_that_need_no_wrapping_stay_the_same(void)
{
    const real inside[] = {TRIG_PI, 3, (real)0.1, (real)1e-40, 0, (real)-0.0, (real)-0.1, (real)-3.1415925};
    for (int i = 0; i < 8; i++) ENSURE(same(elements_of(wrap_angle(lane_of(inside[i]))).of[0], inside[i]));
    ENSURE(elements_of(wrap_angle(lane_of(-TRIG_PI))).of[0] == TRIG_PI);
    ENSURE(isnan(elements_of(wrap_angle(lane_of((real)NAN))).of[0]));
    ENSURE(isnan(elements_of(wrap_angle(lane_of((real)INFINITY))).of[0]));
}

static void run_trig_tests(void)
{
    RUN(sine_and_cosine_match_the_table);
    RUN(sine_of_zero_keeps_its_sign);
    RUN(sine_and_cosine_of_non_finite_values_are_nan);
    RUN(angles_up_to_the_limit_are_off_by_one_unit_in_their_last_place_at_most);
    RUN(angles_beyond_the_limit_count_as_zero);
    RUN(sine_and_cosine_of_small_angles_have_the_same_bits_without_reduction);
    RUN(atan2_matches_the_table_in_all_four_quadrants);
    RUN(atan2_of_zeros_and_infinities_is_that_of_the_standard);
    RUN(atan2_of_nan_is_nan);
    RUN(atans_of_rows_are_atan2_of_one_whatever_is_beside_them);
    RUN(short_sines_of_rows_are_those_of_the_library_up_to_four);
    RUN(asin_matches_the_table_and_is_odd);
    RUN(asin_clamps_its_argument_but_keeps_nan_and_the_sign_of_zero);
    RUN(wrapped_angles_match_the_table);
    RUN(wrapped_angles_lie_above_minus_pi_up_to_pi);
    RUN(angles_that_need_no_wrapping_stay_the_same);
}
