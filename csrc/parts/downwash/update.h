/* SPDX-License-Identifier: BSD-3-Clause */
/* The jets of a block of vehicles with rotors. */
#ifndef RF_PARTS_DOWNWASH_UPDATE_H
#define RF_PARTS_DOWNWASH_UPDATE_H

#include "models/jet.h"
#include "parts/downwash/held.h"
#include "parts/environment/held.h"

/* Sets `rotor_jet` for a force of the rotors [N, FRD]: the air goes the other way. */
LANE_INLINE void downwash_update_jet(const block *b, vec3 force, rotation r)
{
    lane thrust = lane_sqrt(norm2(force)), area = lane_load(DOWNWASH_COLUMN(b, disk_area));
    lane density = lane_of((real)ATMOSPHERE_DENSITY);
    density *= environment_density_ratio(b);
    mask on = (thrust > 0) & (area > 0);
    lane speed = jet_initial_speed(thrust, lane_select(on, area, lane_of(1)), density);
    vec3 jet = to_ned(r, scale(-speed / lane_select(on, thrust, lane_of(1)), force));
    jet = vec3_select(on, jet, vec3_of(lane_of(0), lane_of(0), lane_of(0)));
    rows_store((const lane *)&jet, ROWS_OF(vec3), DOWNWASH_COLUMN(b, rotor_jet), b->stride);
}

#endif
