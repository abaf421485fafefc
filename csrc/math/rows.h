/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs of lanes as rows of lanes: loading, storing and combining them.
 *
 * A struct made from a column list holds only lanes, one per column component, in the order of the batch.  So one loop
 * over rows serves every vehicle type; unrolled, it compiles to moves between registers. */
#ifndef RF_MATH_ROWS_H
#define RF_MATH_ROWS_H

#include <stddef.h>

#include "math/lane.h"

/* Values of a column in a cache line. */
#define PREFETCH_LINE (64 / sizeof(real))

#define ROWS_OF(type) ((int)(sizeof(type) / sizeof(lane)))

LANE_INLINE void rows_load(lane *rows, int count, const real *column, size_t stride)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) rows[i] = lane_load(column + (size_t)i * stride);
}

LANE_INLINE void rows_store(const lane *rows, int count, real *column, size_t stride)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) lane_store(column + (size_t)i * stride, rows[i]);
}

/* Stores rows where m is true. */
LANE_INLINE void rows_store_where(mask m, const lane *rows, int count, real *column, size_t stride)
{
    if (count > 1 && !mask_any(mask_not(m))) { /* mostly */
        rows_store(rows, count, column, stride);
        return;
    }
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        real *to = column + (size_t)i * stride;
        lane_store(to, lane_select(m, rows[i], lane_load(to)));
    }
}

/* out = a.  An assignment of large structs becomes a call or a string instruction, which is slower. */
LANE_INLINE void rows_copy(lane *out, const lane *a, int count)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) out[i] = a[i];
}

/* out = a + s b; out may be a. */
LANE_INLINE void rows_add_scaled(lane *out, const lane *a, lane s, const lane *b, int count)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) out[i] = a[i] + s * b[i];
}

/* out = m ? a : b; out may be either. */
LANE_INLINE void rows_select(lane *out, mask m, const lane *a, const lane *b, int count)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) out[i] = lane_select(m, a[i], b[i]);
}

#endif
