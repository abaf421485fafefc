/* SPDX-License-Identifier: BSD-3-Clause */
/* The payloads of a vehicle type, over its blocks; a template, included after batch/step_kernels.h. */

static void TYPED(payload_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        if (!payload_begin(&b)) continue;
        TYPED(state) s, d;
        TYPED(input) in;
        TYPED(plant) m;
        TYPED(load_state)(&s, &b);
        TYPED(load_input)(&in, &b);
        TYPED(load_param)(&m.p, &b);
        const vec3 free_fall = TYPED(derive)(&s, &b, args->model, &d);
        payload_truth truth = {.pos = s.pos,
                               .vel = s.vel,
                               .att = s.att,
                               .rate = s.rate,
                               .accel = d.vel,
                               .angular_accel = d.rate,
                               .free_fall = free_fall,
                               .wind = environment_wind(&b, faults_wind(&b, in.wind)),
                               .density = (real)ATMOSPHERE_DENSITY * environment_density_ratio(&b),
                               .ground = TYPED(ground_below)(&s, &in),
                               .mass = m.p.mass,
                               .inertia = TYPED(inertia)(&m),
                               .dither = dither_of(first_step(args, &b))};
#ifdef TYPE_WATER
        truth.pos.z -= m.p.rest_height;
        truth.floats = 1;
        truth.water_density = m.p.water_density;
#endif
        RF_SET_NAME(rf_payload_update)(&b, &truth);
    }
}
