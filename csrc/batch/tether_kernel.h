/* SPDX-License-Identifier: BSD-3-Clause */
/* The tethers of a vehicle type in water, over its blocks; a template, included after vehicles/type.h. */

static void TYPED(tether_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(state) s;
        TYPED(plant) m;
        TYPED(load_state)(&s, &b);
        TYPED(load_param)(&m.p, &b);
        const tether_truth truth = {.centre = vec3_of(s.pos.x, s.pos.y, s.pos.z - m.p.rest_height),
                                    .vel = s.vel,
                                    .att = rotation_from_quat(s.att),
                                    .rate = s.rate,
                                    .density = m.p.water_density,
                                    .mass = m.p.mass,
                                    .inertia = m.p.inertia};
        RF_SET_NAME(rf_tether_update)(&b, &truth);
    }
}
