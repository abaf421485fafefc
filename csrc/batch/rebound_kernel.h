/* SPDX-License-Identifier: BSD-3-Clause */
/* RflySim's collisions of a vehicle type, over its blocks; a template, included after vehicles/type.h. */

static void TYPED(rebound_blocks)(const rf_kernel_args *args)
{
    const size_t mass = TYPED(PARAM_ROW) + offsetof(TYPED(param), mass) / sizeof(lane);
    const size_t terrain = TYPED(INPUT_ROW) + offsetof(TYPED(input), terrain) / sizeof(lane);
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        RF_SET_NAME(rf_rebound_update)
        (&b, lane_load(b.column + mass * b.stride), b.column + terrain * b.stride);
    }
}
