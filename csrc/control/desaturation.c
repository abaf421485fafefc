/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "control/desaturation.h"

#define ALLOCATION_STEPS 8 /* of a pass: each frees one rotor less */
#define ALLOCATION_INDEPENDENT                                                                               \
    ((real)1e-4) /* square of the independent part of a row of unit length, at least */
#define ALLOCATION_RESOLUTION  ((real)1e-6)  /* of the maximum thrust: at a limit within it */
#define ALLOCATION_ACCURACY    ((real)1e-4)  /* of the maximum thrust: a demand is met within it */
#define ALLOCATION_TILT_MARGIN ((real)0.999) /* of s: on the polygon itself steps would be infinitely many */

/* Demands in the order of their priority. */
enum { ALLOCATION_ROLL, ALLOCATION_PITCH, ALLOCATION_COLLECTIVE, ALLOCATION_YAW, ALLOCATION_DEMANDS };

typedef struct allocation_problem {
    int rotors;
    const lane *minimum, *maximum;                           /* N */
    lane row[ALLOCATION_DEMANDS][ALLOCATION_MAXIMUM_ROTORS]; /* of B */
    lane demand[ALLOCATION_DEMANDS];                         /* N */
    lane resolution;                                         /* N */
} allocation_problem;

/* Factors of a matrix L D L^T. */
typedef struct allocation_factors {
    lane l[ALLOCATION_DEMANDS][ALLOCATION_DEMANDS];
    lane inverse[ALLOCATION_DEMANDS]; /* of D; 0 for a demand that depends on those before it */
} allocation_factors;

/* Factors of the first `count` rows and columns of a. */
LANE_INLINE void allocation_factor(const lane a[][ALLOCATION_DEMANDS], int count, allocation_factors *f)
{
    lane diagonal[ALLOCATION_DEMANDS];
    for (int j = 0; j < count; j++) {
        lane pivot = a[j][j];
        for (int k = 0; k < j; k++) pivot -= f->l[j][k] * f->l[j][k] * diagonal[k];
        mask independent = pivot > ALLOCATION_INDEPENDENT;
        diagonal[j] = lane_select(independent, pivot, lane_of(0));
        f->inverse[j] = lane_select(independent, 1 / pivot, lane_of(0));
        for (int i = j + 1; i < count; i++) {
            lane sum = a[i][j];
            for (int k = 0; k < j; k++) sum -= f->l[i][k] * f->l[j][k] * diagonal[k];
            f->l[i][j] = sum * f->inverse[j];
        }
    }
}

/* Solves L D L^T x = e for the first `count` demands.  A demand that depends on those before it is left out: its x is 0. */
LANE_INLINE void allocation_solve(const allocation_factors *f, int count, const lane *e, lane *x)
{
    for (int j = 0; j < count; j++) {
        x[j] = e[j];
        for (int k = 0; k < j; k++) x[j] -= f->l[j][k] * x[k];
    }
    for (int j = count - 1; j >= 0; j--) {
        x[j] *= f->inverse[j];
        for (int k = j + 1; k < count; k++) x[j] -= f->l[k][j] * x[k];
    }
}

/* Products of `count` rows over the rotors, each with a weight. */
LANE_INLINE void allocation_products(const lane row[][ALLOCATION_MAXIMUM_ROTORS], int count, int rotors,
                                     const lane *weight, lane a[][ALLOCATION_DEMANDS])
{
    for (int j = 0; j < count; j++) {
        for (int k = 0; k <= j; k++) {
            lane sum = lane_of(0);
            for (int i = 0; i < rotors; i++) sum += weight[i] * (row[j][i] * row[k][i]);
            a[j][k] = a[k][j] = sum;
        }
    }
}

/* Divides a row by its length and returns that; a row of zeros remains. */
LANE_INLINE lane allocation_unit_row(lane *row, int rotors)
{
    lane length2 = lane_of(0);
    for (int i = 0; i < rotors; i++) length2 += row[i] * row[i];
    lane length = lane_sqrt(length2), inverse = 1 / lane_max(length, lane_of(ALLOCATION_TINY));
    for (int i = 0; i < rotors; i++) row[i] *= inverse;
    return length;
}

/* Rows and demands from the mixer and the demands in N and N m. */
LANE_INLINE void allocation_prepare(allocation_problem *p, const lane *mixer, lane collective, vec3 moment)
{
    static const int column[ALLOCATION_DEMANDS] = {1, 2, 0, 3};
    const lane demand[ALLOCATION_DEMANDS] = {moment.x, moment.y, collective, moment.z};
    lane unit[ALLOCATION_DEMANDS][ALLOCATION_MAXIMUM_ROTORS], length[ALLOCATION_DEMANDS];
    lane a[ALLOCATION_DEMANDS][ALLOCATION_DEMANDS], one[ALLOCATION_MAXIMUM_ROTORS], e[ALLOCATION_DEMANDS];
    lane largest = lane_of(0);
    for (int i = 0; i < p->rotors; i++) {
        one[i] = lane_of(1);
        largest = lane_max(largest, p->maximum[i]);
    }
    for (int j = 0; j < ALLOCATION_DEMANDS; j++) {
        for (int i = 0; i < p->rotors; i++) unit[j][i] = mixer[column[j] * p->rotors + i];
        length[j] = allocation_unit_row(unit[j], p->rotors);
    }
    allocation_products((const lane(*)[ALLOCATION_MAXIMUM_ROTORS])unit, ALLOCATION_DEMANDS, p->rotors, one,
                        a);
    allocation_factors f;
    allocation_factor((const lane(*)[ALLOCATION_DEMANDS])a, ALLOCATION_DEMANDS, &f);
    for (int i = 0; i < p->rotors; i++) {
        lane x[ALLOCATION_DEMANDS];
        for (int j = 0; j < ALLOCATION_DEMANDS; j++) e[j] = unit[j][i];
        allocation_solve(&f, ALLOCATION_DEMANDS, e, x);
        for (int j = 0; j < ALLOCATION_DEMANDS; j++) p->row[j][i] = x[j];
    }
    for (int j = 0; j < ALLOCATION_DEMANDS; j++) {
        lane size = allocation_unit_row(p->row[j], p->rotors);
        p->demand[j] =
            demand[j] * length[j] / lane_max(size, lane_of(ALLOCATION_TINY)); /* length 0 as size */
    }
    p->resolution = ALLOCATION_RESOLUTION * largest;
}

/* The fraction s of the roll and pitch moment, at most 1.  Fractions are compared by cross-multiplication, which takes one
 * division. */
LANE_INLINE lane allocation_tilt_fraction(const allocation_problem *p)
{
    const lane *roll = p->row[ALLOCATION_ROLL], *pitch = p->row[ALLOCATION_PITCH];
    lane numerator = lane_of(1), denominator = lane_of(1);
    for (int i = 0; i < p->rotors; i++) {
        lane along = roll[i] * p->demand[ALLOCATION_PITCH] - pitch[i] * p->demand[ALLOCATION_ROLL];
        lane x = lane_select(along < 0, pitch[i], -pitch[i]), y = lane_select(along < 0, -roll[i], roll[i]);
        lane reach = lane_of(0);
        for (int j = 0; j < p->rotors; j++) {
            lane q = x * roll[j] + y * pitch[j];
            reach += q * lane_select(q > 0, p->maximum[j], p->minimum[j]);
        }
        reach = lane_max(reach, lane_of(0));
        mask smaller = reach * denominator < numerator * lane_abs(along);
        numerator = lane_select(smaller, reach, numerator);
        denominator = lane_select(smaller, lane_abs(along), denominator);
    }
    return numerator / denominator;
}

/* What thrusts leave of a demand. */
LANE_INLINE lane allocation_rest(const allocation_problem *p, int demand, const lane *thrust)
{
    lane rest = p->demand[demand];
    for (int i = 0; i < p->rotors; i++) rest -= p->row[demand][i] * thrust[i];
    return rest;
}

/* The change of thrust by which the free rotors meet the first `count` demands. */
LANE_INLINE void allocation_change(const allocation_problem *p, int count, const lane *is_free,
                                   const lane *thrust, lane *change)
{
    lane a[ALLOCATION_DEMANDS][ALLOCATION_DEMANDS], rest[ALLOCATION_DEMANDS], x[ALLOCATION_DEMANDS];
    for (int j = 0; j < count; j++) rest[j] = allocation_rest(p, j, thrust);
    allocation_products(p->row, count, p->rotors, is_free, a);
    allocation_factors f;
    allocation_factor((const lane(*)[ALLOCATION_DEMANDS])a, count, &f);
    allocation_solve(&f, count, rest, x);
    for (int i = 0; i < p->rotors; i++) {
        lane sum = lane_of(0);
        for (int j = 0; j < count; j++) sum += p->row[j][i] * x[j];
        change[i] = is_free[i] * sum;
    }
}

/* Moves the thrusts of a pass by one step and takes the rotors that are then at their limit from the free ones; returns
 * 1 where the pass goes on, else 0. */
LANE_INLINE lane allocation_step(const allocation_problem *p, const lane *change, lane active, lane *is_free,
                                 lane *thrust)
{
    lane room[ALLOCATION_MAXIMUM_ROTORS];
    lane numerator = lane_of(1), denominator = lane_of(1);
    for (int i = 0; i < p->rotors; i++) {
        lane size = lane_abs(change[i]);
        room[i] = lane_select(change[i] > 0, p->maximum[i] - thrust[i], thrust[i] - p->minimum[i]);
        room[i] = lane_select(room[i] > p->resolution, room[i], lane_of(0));
        mask smaller = (size > p->resolution) & (room[i] * denominator < numerator * size);
        numerator = lane_select(smaller, room[i], numerator);
        denominator = lane_select(smaller, size, denominator);
    }
    lane fraction = active * (numerator / denominator);
    for (int i = 0; i < p->rotors; i++) {
        lane size = lane_abs(change[i]);
        mask ends = (size > p->resolution) & (room[i] - fraction * size <= p->resolution);
        is_free[i] = lane_select(ends, lane_of(0), is_free[i]);
        thrust[i] = lane_clamp(thrust[i] + fraction * change[i], p->minimum[i], p->maximum[i]);
    }
    return lane_select(fraction < 1, active, lane_of(0));
}

/* One pass: reaches for the first `count` demands. */
LANE_INLINE void allocation_pass(const allocation_problem *p, int count, lane *thrust)
{
    lane is_free[ALLOCATION_MAXIMUM_ROTORS], change[ALLOCATION_MAXIMUM_ROTORS];
    for (int i = 0; i < p->rotors; i++) is_free[i] = lane_of(1);
    lane active = lane_of(1);
    for (int step = 0; step < ALLOCATION_STEPS && mask_any(active > 0); step++) {
        allocation_change(p, count, is_free, thrust, change);
        active = allocation_step(p, change, active, is_free, thrust);
    }
}

LANE_INLINE allocation_result allocation_within(const lane *mixer, int rotors, lane collective, vec3 moment,
                                                const lane *minimum, const lane *maximum, lane *thrust)
{
    allocation_problem p = {.rotors = rotors, .minimum = minimum, .maximum = maximum};
    allocation_prepare(&p, mixer, collective, moment);
    lane s = allocation_tilt_fraction(&p);
    mask fits = s >= 1;
    s = lane_select(fits, s, ALLOCATION_TILT_MARGIN * s);
    p.demand[ALLOCATION_ROLL] *= s;
    p.demand[ALLOCATION_PITCH] *= s;
    for (int i = 0; i < rotors; i++) thrust[i] = lane_clamp(mixer[i] * collective, minimum[i], maximum[i]);
    allocation_pass(&p, ALLOCATION_COLLECTIVE, thrust);
    allocation_pass(&p, ALLOCATION_YAW, thrust);
    allocation_pass(&p, ALLOCATION_DEMANDS, thrust);

    lane accuracy = (ALLOCATION_ACCURACY / ALLOCATION_RESOLUTION) * p.resolution;
    mask yaw = lane_abs(allocation_rest(&p, ALLOCATION_YAW, thrust)) <= accuracy;
    return (allocation_result){fits, yaw};
}

allocation_result RF_SET_NAME(rf_allocate_within_limits)(const lane *mixer, int rotors, lane collective,
                                                         vec3 moment, const lane *minimum,
                                                         const lane *maximum, lane *thrust)
{
    if (rotors == 4) { /* most vehicles; with a known number the loops are unrolled */
        return allocation_within(mixer, 4, collective, moment, minimum, maximum, thrust);
    }
    return allocation_within(mixer, rotors, collective, moment, minimum, maximum, thrust);
}
SET_END
