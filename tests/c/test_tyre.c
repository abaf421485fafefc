/* SPDX-License-Identifier: BSD-3-Clause */
/* The tyre formula of 1989 against the coefficients of [@genta], evaluated by another implementation, and against closed
 * forms of its peaks, its slip stiffness and combined slip. */
#define LANE_PRECISION 64
#define LANE_WIDTH     1
#include "models/tyre.h"

#include <stdlib.h>

#include "test.h"

static const double A[] = {1.65,    -34,      1250,     3036,     12.8,    0.00501, -0.02103,
                           0.77394, 0.002289, 0.013442, 0.003709, 19.1656, 1.21356, 6.26206};
static const double B[] = {
#include "../data/tyre/longitudinal.inc"
};
static const double C[] = {2.34,      1.495,      6.416654,  -3.57403, -0.087737, 0.09841,
                           0.0027699, -0.0001151, 0.1,       -1.33329, 0.025501,  -0.02357,
                           0.03027,   -0.0647,    0.0211329, 0.89469,  -0.099443, -3.336941};
static const double DEGREE = 0.017453292519943295;

/* sin(C atan(...)) at a slip. */
static double shape(tyre_curve by, double slip)
{
    const tyre_curve alike[TYRE_CURVES] = {by, by, by, by, by, by, by, by};
    double of[TYRE_CURVES] = {slip, slip, slip, slip, slip, slip, slip, slip};
    tyre_shapes_at(alike, of);
    return of[0];
}

/* Of a tyre on a road with a friction. */
static tyre_grip combined(tyre_curve x, tyre_curve y, double along, double across, double friction)
{
    tyre_grip grip[TYRES];
    tyre_curve by[TYRE_CURVES];
    double slip[TYRE_CURVES];
    for (int i = 0; i < TYRES; i++) {
        by[2 * i] = x, by[2 * i + 1] = y;
        slip[2 * i] = along, slip[2 * i + 1] = across;
    }
    tyres_combined(by, slip, friction, 1 / friction, grip);
    return grip[TYRES - 1];
}

static double along(double load, double percent)
{
    tyre_curve by = tyre_longitudinal(B, 1 / B[0], load);
    return load * by.peak * shape(by, 0.01 * percent + tyre_longitudinal_shift(B, load));
}

static double across(double load, double degrees, double camber)
{
    tyre_curve by = tyre_lateral(A, 1 / A[0], load, DEGREE * camber);
    double slip = DEGREE * degrees + tyre_lateral_slip(A, load, DEGREE * camber);
    return load * by.peak * shape(by, slip) + tyre_lateral_force(A, load, DEGREE * camber);
}

static double aligning(double load, double degrees, double camber)
{
    tyre_curve by = tyre_aligning(C, 1 / C[0], load, DEGREE * camber);
    tyre_shift off = tyre_aligning_shift(C, load, DEGREE * camber);
    return load * (by.peak * shape(by, DEGREE * degrees + off.slip) + off.share);
}

/* Load [kN]; F_x at 5, -10 %; F_y at 2, -5 deg, at 2 deg and 3 deg of camber; M_z at 2, -4 deg. */
static const double TABLE[][8] = {
#include "../data/tyre/forces.inc"
};

static void forces_and_moments_are_those_of_another_implementation(void)
{
    for (int i = 0; i < 4; i++) {
        const double *row = TABLE[i], load = 1000 * row[0];
        ENSURE_NEAR(along(load, 5), row[1], 6e-5);
        ENSURE_NEAR(along(load, -10), row[2], 6e-5);
        ENSURE_NEAR(across(load, 2, 0), row[3], 6e-5);
        ENSURE_NEAR(across(load, -5, 0), row[4], 6e-5);
        ENSURE_NEAR(across(load, 2, 3), row[5], 6e-5);
        ENSURE_NEAR(aligning(load, 2, 0), row[6], 6e-6);
        ENSURE_NEAR(aligning(load, -4, 0), row[7], 6e-6);
    }
}

/* Load [kN]; largest F_x and its slip [%]; largest F_y and its angle [deg]. */
static const double PEAKS[][5] = {
#include "../data/tyre/peaks.inc"
};

static void peaks_are_where_another_implementation_has_them(void)
{
    for (int i = 0; i < 4; i++) {
        const double *row = PEAKS[i], load = 1000 * row[0];
        double most[2] = {0, 0}, at[2] = {0, 0};
        for (double slip = 0; slip < 15; slip += 0.005) {
            const double force[2] = {along(load, slip), across(load, slip, 0)};
            for (int k = 0; k < 2; k++) {
                if (force[k] <= most[k]) continue;
                most[k] = force[k];
                at[k] = slip;
            }
        }
        ENSURE_NEAR(most[0], row[1], 6e-3);
        ENSURE_NEAR(at[0], row[2], 0.011);
        ENSURE_NEAR(most[1], row[3], 6e-3);
        ENSURE_NEAR(at[1], row[4], 0.011);
    }
}

static void pure_slips_of_combined_slip_are_those_of_the_formula(void)
{
    for (double load = 1000; load < 9000; load += 1500) {
        tyre_curve x = tyre_longitudinal(B, 1 / B[0], load), y = tyre_lateral(A, 1 / A[0], load, 0);
        for (double slip = -1; slip <= 1; slip += 0.04) {
            tyre_grip drives = combined(x, y, slip, 0, 1), turns = combined(x, y, 0, slip, 1);
            ENSURE_NEAR(drives.along, x.peak * shape(x, slip), 1e-12);
            ENSURE_NEAR(turns.across, y.peak * shape(y, slip), 1e-12);
            ENSURE(drives.across == 0 && turns.along == 0);
        }
    }
}

static void combined_slip_stays_within_both_peaks_and_opposes_each_slip(void)
{
    tyre_curve x = tyre_longitudinal(B, 1 / B[0], 4000), y = tyre_lateral(A, 1 / A[0], 4000, 0);
    for (int i = -50; i <= 50; i++) {
        for (int k = -50; k <= 50; k++) {
            double sx = i * abs(i) * 4e-3, sy = k * abs(k) * 4e-3;
            tyre_grip grip = combined(x, y, sx, sy, 0.5);
            ENSURE(hypot(grip.along / (0.5 * x.peak), grip.across / (0.5 * y.peak)) <= 1 + 1e-12);
            ENSURE(grip.along * sx >= 0 && grip.across * sy >= 0);
        }
    }
}

static void friction_scales_the_peak_and_leaves_the_slip_stiffness(void)
{
    tyre_curve x = tyre_longitudinal(B, 1 / B[0], 4000), y = tyre_lateral(A, 1 / A[0], 4000, 0);
    tyre_grip small = combined(x, y, 1e-7, 1e-7, 0.3);
    ENSURE_NEAR(4000 * small.along, 1e-7 * 100 * (130 * 16 + 276 * 4) * exp(-0.0886 * 4), 1e-8);
    ENSURE_NEAR(4000 * small.across, 1e-7 / DEGREE * 3036 * sin(2 * atan(4 / 12.8)), 1e-8);
    ENSURE_NEAR(combined(x, y, 0, 0.3 * 8.3 * DEGREE, 0.3).across, 0.3 * y.peak, 1e-3);
}

TEST_SUITE(tyre)
{
    RUN(forces_and_moments_are_those_of_another_implementation);
    RUN(peaks_are_where_another_implementation_has_them);
    RUN(pure_slips_of_combined_slip_are_those_of_the_formula);
    RUN(combined_slip_stays_within_both_peaks_and_opposes_each_slip);
    RUN(friction_scales_the_peak_and_leaves_the_slip_stiffness);
}
