/* SPDX-License-Identifier: BSD-3-Clause */
/* The waves at a vehicle type in water, over its blocks; a template, included after vehicles/type.h. */

static void TYPED(waves_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(state) s;
        TYPED(load_state)(&s, &b);
        const rotation r = rotation_from_quat(s.att);
        const lane upright2 = lane_max(r.north.x * r.north.x + r.east.x * r.east.x, lane_of((real)1e-12));
        const lane per_length = 1 / lane_sqrt(upright2);
        const waves_place at = {.pos = s.pos,
                                .depth = s.pos.z - water_at_rest(&b).height,
                                .heading = {per_length * r.north.x, per_length * r.east.x}};
        RF_SET_NAME(rf_waves_update)(&b, &at);
    }
}
