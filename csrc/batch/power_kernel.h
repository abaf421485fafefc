/* SPDX-License-Identifier: BSD-3-Clause */
/* The power stage of a vehicle type, over its blocks; a template, included after batch/step_kernels.h. */

static void TYPED(power_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(state) s;
        TYPED(plant) m;
        TYPED(load_state)(&s, &b);
        TYPED(load_extended_plant)(&m, &b);
        RF_SET_NAME(rf_power_update)(&b, TYPED(shaft_power)(&s, &m));
    }
}
