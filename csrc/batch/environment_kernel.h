/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment stage of a vehicle type, over its blocks; a template, included after vehicles/type.h. */

static void TYPED(environment_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(state) s;
        TYPED(input) in;
        TYPED(load_state)(&s, &b);
        TYPED(load_input)(&in, &b);
        const lane upright = 1 - 2 * (s.att.x * s.att.x + s.att.y * s.att.y);
        const environment_vehicle v = {s.pos, s.vel, in.wind, TYPED(ground_below)(&s, &in), upright};
        RF_SET_NAME(rf_environment_update)(&b, &v);
    }
}
