/* SPDX-License-Identifier: BSD-3-Clause */
/* What collisions have to know of a vehicle type, over its blocks; a template, included after vehicles/type.h. */

#ifdef TYPE_WATER
/* The water that moves with vehicles. */
LANE_INLINE void TYPED(body_in_water)(const block *b)
{
    TYPED(state) s;
    TYPED(plant) m;
    moved_body moves;
    TYPED(load_state)(&s, b);
    TYPED(load_plant)(&m, b, EXTENDED);
    TYPED(moved)(&s, &m, &moves);
    RF_SET_NAME(rf_collision_water)(b, m.p.mass, m.p.rest_height, &moves);
}
#endif

static void TYPED(body_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(plant) m;
        TYPED(load_param)(&m.p, &b);
        const sym3 inertia = TYPED(inertia)(&m);
        const mass_change change = TYPED(carried)(&b, m.p.mass);
        RF_SET_NAME(rf_collision_update)(&b, m.p.mass, &inertia, &change);
#ifdef TYPE_WATER
        TYPED(body_in_water)(&b);
#endif
    }
}
