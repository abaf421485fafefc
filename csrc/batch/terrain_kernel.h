/* SPDX-License-Identifier: BSD-3-Clause */
/* The ground of a terrain map below a vehicle type, over its blocks; a template, included after vehicles/type.h. */

static void TYPED(terrain_blocks)(const rf_kernel_args *args)
{
    if (args->terrain_map == NULL) return;
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        const size_t row = TYPED(INPUT_ROW) + offsetof(TYPED(input), terrain) / sizeof(lane);
        RF_SET_NAME(rf_terrain_update)(&b, args->terrain_map, b.column + row * b.stride);
    }
}
