/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric matrices of lanes, stored as upper triangle by rows, and the two operations of a Kalman filter on them:
 *
 *     prediction   x_i <- x_i + sum_j c_j x_j,  j != i       P <- E P E^T                          covariance_combine
 *     correction   z = sum_j h_j x_j + v,  var v = r         P <- (I - K h) P (I - K h)^T + K r K^T  covariance_correct
 *
 * The transition of a filter is a few combinations, since most of its matrix is that of the identity.  Measurements come
 * one by one, so nothing is inverted.  The correction is Joseph's form [@bucy-joseph], here for one measurement: with
 * g = P h^T, s = h g + r and K = g / s it is
 *
 *     P - (w K^T + K w^T),     w = g - (s / 2) K
 *
 * which is symmetric, and an error of the gain enters only by its square: it holds in float32, too. */
#ifndef RF_PARTS_ESTIMATOR_COVARIANCE_H
#define RF_PARTS_ESTIMATOR_COVARIANCE_H

#include "math/rows.h"
#include "parts/estimator/columns.h"

enum { FORM_TERMS = 8 };

/* A linear form of the states: sum of factors times states. */
typedef struct form {
    int terms;
    int state[FORM_TERMS];
    lane factor[FORM_TERMS];
} form;

LANE_INLINE void form_add(form *f, int state, lane factor)
{
    f->state[f->terms] = state;
    f->factor[f->terms++] = factor;
}

/* Index of an element of the triangle. */
LANE_INLINE int covariance_at(int i, int j)
{
    int low = i < j ? i : j, high = i < j ? j : i;
    return low * (2 * ESTIMATOR_STATES - low - 1) / 2 + high;
}

/* row += factor times row i of the matrix */
LANE_INLINE void covariance_add_row(lane *row, lane factor, const lane *p, int i)
{
    const lane *at = p + i;
    for (int k = 0; k < i; k++) {
        row[k] += factor * *at;
        at += ESTIMATOR_STATES - 1 - k;
    }
    for (int k = i; k < ESTIMATOR_STATES; k++) row[k] += factor * *at++;
}

/* Product of the matrix and a form, of length ESTIMATOR_STATES. */
LANE_INLINE void covariance_times(lane *product, const lane *p, const form *f)
{
    for (int k = 0; k < ESTIMATOR_STATES; k++) product[k] = lane_of(0);
    for (int j = 0; j < f->terms; j++) covariance_add_row(product, f->factor[j], p, f->state[j]);
}

/* Value of a form for a row of states. */
LANE_INLINE lane form_of(const form *f, const lane *row)
{
    lane sum = lane_of(0);
    for (int j = 0; j < f->terms; j++) sum += f->factor[j] * row[f->state[j]];
    return sum;
}

/* Adds a form without the state i to that state. */
LANE_INLINE void covariance_combine(lane *p, int i, const form *f)
{
    lane change[ESTIMATOR_STATES];
    covariance_times(change, p, f);
    change[i] += change[i] + form_of(f, change);
    lane *at = p + i;
    for (int k = 0; k < i; k++) {
        *at += change[k];
        at += ESTIMATOR_STATES - 1 - k;
    }
    for (int k = i; k < ESTIMATOR_STATES; k++) *at++ += change[k];
}

/* Multiplies a state by a factor. */
LANE_INLINE void covariance_scale(lane *p, int i, lane factor)
{
    for (int k = 0; k < ESTIMATOR_STATES; k++) p[covariance_at(i, k)] *= factor;
    p[covariance_at(i, i)] *= factor;
}

/* Which innovations are used: those whose square is at most `limit` times their variance, and where the gate is `open` or
 * they are `late` all.  Where they are late and it is not open, the `state` is forgotten before, unless it is -1.  Tells
 * which are `outside`. */
typedef struct covariance_gate {
    lane limit;
    int state;
    mask open, late, outside;
} covariance_gate;

/* Gives a state a variance, and no correlation, where `due`. */
LANE_INLINE void covariance_forget(lane *p, int i, lane variance, mask due)
{
    for (int k = 0; k < ESTIMATOR_STATES; k++) {
        lane *at = &p[covariance_at(i, k)];
        *at = lane_select(due, k == i ? variance : lane_of(0), *at);
    }
}

/* Corrects by a measurement of a form with a variance of its noise, where it is `due` and passes the gate, which is
 * returned, and tells its gain, 0 elsewhere.  `due` loses where innovation or variance are not sound; `variance` becomes
 * that of the innovation.  Not inlined: one copy serves all measurements. */
static __attribute__((noinline)) mask covariance_correct(lane *p, const form *h, lane innovation,
                                                         lane *variance, mask *due, covariance_gate *gate,
                                                         lane *gain)
{
    lane g[ESTIMATOR_STATES], w[ESTIMATOR_STATES];
    covariance_times(g, p, h);
    lane s = *variance + form_of(h, g), square = innovation * innovation;
    *due = *due & lane_finite(innovation) & lane_finite(s) & (s > 0);
    gate->outside = *due & (square > gate->limit * s);
    mask forget = gate->outside & gate->late & mask_not(gate->open);
    if (gate->state >= 0 && mask_any(forget)) {
        covariance_forget(p, gate->state, square, forget);
        covariance_times(g, p, h);
        s = *variance + form_of(h, g);
    }
    mask used = *due & (mask_not(gate->outside) | gate->open | gate->late);
    s = lane_select(*due, s, lane_of(1));
    lane inverse = 1 / s, half = (real)0.5 * s;
    for (int k = 0; k < ESTIMATOR_STATES; k++) {
        g[k] = lane_select(used, g[k], lane_of(0));
        gain[k] = inverse * g[k];
        w[k] = g[k] - half * gain[k];
    }
    for (int i = 0; i < ESTIMATOR_STATES; i++) {
        for (int k = i; k < ESTIMATOR_STATES; k++) *p++ -= w[i] * gain[k] + gain[i] * w[k];
    }
    *variance = s;
    return used;
}

#endif
