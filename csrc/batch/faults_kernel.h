/* SPDX-License-Identifier: BSD-3-Clause */
/* The faults of a vehicle type, over its blocks; a template, included after vehicles/type.h. */

static void TYPED(faults_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        const real *commands = b.column + TYPED(INPUT_ROW) * b.stride;
        RF_SET_NAME(rf_faults_update)(&b, ACTUATORS, commands);
        if (delay_enabled(&b)) delay_update(&b, ACTUATORS, commands);
    }
}
