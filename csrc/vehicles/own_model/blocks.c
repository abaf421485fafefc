/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of steps on rows of double precision: compiled once for each instruction set, for types of models of one's own,
 * whose other kernels are those of the base set. */
#include "base/own_model.h"
#include "base/sets.h"

extern const rf_own_arithmetic RF_SET_NAME(rf_own_arithmetic);

SET_BEGIN
#include "math/lane.h"

/* next = from + weight slope, at = state + node slope */
static void RF_SET_NAME(own_advance)(double *next, const double *from, double weight, double *at,
                                     const double *state, double node, const double *slope, size_t count)
{
    const lane w = lane_of(weight), n = lane_of(node);
    for (size_t i = 0; i < count; i += LANE_WIDTH) {
        const lane k = lane_load(slope + i);
        lane_store(next + i, lane_load(from + i) + w * k);
        lane_store(at + i, lane_load(state + i) + n * k);
    }
}

/* next = from + weight slope */
static void RF_SET_NAME(own_add)(double *next, const double *from, double weight, const double *slope,
                                 size_t count)
{
    const lane w = lane_of(weight);
    for (size_t i = 0; i < count; i += LANE_WIDTH) {
        lane_store(next + i, lane_load(from + i) + w * lane_load(slope + i));
    }
}

/* Makes quaternions, of four rows, unit ones. */
static void RF_SET_NAME(own_normalize)(double *const *q, size_t count)
{
    for (size_t i = 0; i < count; i += LANE_WIDTH) {
        const lane a = lane_load(q[0] + i), b = lane_load(q[1] + i);
        const lane c = lane_load(q[2] + i), d = lane_load(q[3] + i);
        const lane inverse = 1 / lane_sqrt(a * a + b * b + c * c + d * d);
        lane_store(q[0] + i, inverse * a);
        lane_store(q[1] + i, inverse * b);
        lane_store(q[2] + i, inverse * c);
        lane_store(q[3] + i, inverse * d);
    }
}

SET_END

const rf_own_arithmetic RF_SET_NAME(rf_own_arithmetic) = {
    .advance = RF_SET_NAME(own_advance),
    .add = RF_SET_NAME(own_add),
    .normalize = RF_SET_NAME(own_normalize),
};
