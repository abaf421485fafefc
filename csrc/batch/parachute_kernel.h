/* SPDX-License-Identifier: BSD-3-Clause */
/* The parachutes of a vehicle type, over its blocks, after its safety boundaries; a template, included after
 * vehicles/type.h. */

static void TYPED(parachute_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(state) s;
        TYPED(input) in;
        TYPED(plant) m;
        TYPED(load_state)(&s, &b);
        TYPED(load_input)(&in, &b);
        TYPED(load_param)(&m.p, &b);
        const vec3 wind = environment_wind(&b, faults_wind(&b, in.wind));
        const parachute_truth truth = {.air_velocity = sub(s.vel, wind),
                                       .rate = s.rate,
                                       .att = s.att,
                                       .centre = vec3_of(lane_of(0), lane_of(0), lane_of(0)),
                                       .mass = m.p.mass,
                                       .inertia = TYPED(inertia)(&m),
                                       .gravity = m.p.gravity,
                                       .density = (real)ATMOSPHERE_DENSITY * environment_density_ratio(&b)};
        RF_SET_NAME(rf_parachute_update)(&b, &truth);
    }
}
