/* SPDX-License-Identifier: BSD-3-Clause */
/* The safety boundaries of a vehicle type, over its blocks; a template, included after batch/step_kernels.h. */

static void TYPED(safety_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        const uint32_t on = safety_on(&b);
        if (on == 0) continue;
        TYPED(state) s, d;
        TYPED(input) in;
        TYPED(load_state)(&s, &b);
        TYPED(load_input)(&in, &b);
        safety_truth truth = {.pos = s.pos, .vel = s.vel, .att = s.att, .rate = s.rate};
        truth.terrain = TYPED(ground_below)(&s, &in);
        if (on & (1u << BOUNDARY_SPECIFIC_FORCE)) {
            const vec3 free_fall = TYPED(derive)(&s, &b, args->model, &d);
            if (args->model == RF_MODEL_EXTENDED) collision_add_impacts(&b, &d.vel, &d.rate);
            truth.specific_force = sub(d.vel, free_fall);
        }
        RF_SET_NAME(rf_safety_update)(&b, &truth, on);
    }
}
