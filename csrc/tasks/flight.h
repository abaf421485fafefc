/* SPDX-License-Identifier: BSD-3-Clause */
/* What a task sees of the vehicles of a block. */
#ifndef RF_TASKS_FLIGHT_H
#define RF_TASKS_FLIGHT_H

#include "math/vec.h"
#include "parts/task/held.h"

typedef struct flight {
    vec3 pos, vel; /* m, m/s, NED */
    vec3 rate;     /* rad/s, FRD */
    rotation att;  /* FRD to NED */
} flight;

/* The nine elements of the rotation matrix, by rows. */
LANE_INLINE void flight_rows(rotation r, lane out[9])
{
    const vec3 rows[3] = {r.north, r.east, r.down};
    memcpy(out, rows, sizeof rows);
}

LANE_INLINE void flight_vec3(vec3 v, lane out[3])
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

LANE_INLINE lane flight_norm(vec3 v)
{
    return lane_sqrt(norm2(v));
}

#endif
