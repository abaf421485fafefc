/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimator of a vehicle type, over its blocks, after the sensors of the same stage; a template, included after
 * vehicles/type.h. */

static void TYPED(estimator_blocks)(const rf_kernel_args *args)
{
    if (args->part[RF_PART_sensors] == NULL) return;
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(state) s;
        TYPED(plant) m;
        TYPED(load_state)(&s, &b);
        TYPED(load_param)(&m.p, &b);
        const lane gravity = environment_enabled(&b) ? environment_gravity(&b, m.p.gravity) : m.p.gravity;
        estimator_truth truth = {.motion = {s.pos, s.vel, s.att, s.rate}, .gravity = gravity};
#ifdef TYPE_WATER
        truth.unit_weight = m.p.water_density * gravity;
        truth.water_level = m.p.rest_height + water_at_rest(&b).height;
        if (part_enabled(&b, RF_PART_waves)) truth.head_square = waves_of(&b).head_square;
#endif
        RF_SET_NAME(rf_estimator_update)(&b, &truth);
    }
}
