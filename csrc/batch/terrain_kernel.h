/* SPDX-License-Identifier: BSD-3-Clause */
/* The ground of a terrain map below a vehicle type, over its blocks; a template, included after vehicles/type.h. */

#define TERRAIN_INPUT(b, name)                                                                               \
    ((b)->column + (TYPED(INPUT_ROW) + offsetof(TYPED(input), name) / sizeof(lane)) * (b)->stride)

static void TYPED(terrain_blocks)(const rf_kernel_args *args)
{
    if (args->terrain_map == NULL) return;
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        terrain_update(&b, args->terrain_map, TERRAIN_INPUT(&b, terrain),
                       TERRAIN_INPUT(&b, terrain_gradient));
    }
}

#undef TERRAIN_INPUT
