/* SPDX-License-Identifier: BSD-3-Clause */
/* Collisions of vehicles with each other and with the scene, a stage of the world (scene/collide.h).
 *
 * The vehicles that take part lie in horizontal cells, so that one meets only those in the cells around its own: the time
 * is linear in their number where few are within one cell.  Only those of a group (`collision_group`) meet, and
 * each group is solved by itself.  Contacts are found and solved in the order of CopterIDs (`random_vehicle`; equal ones in
 * the order of batches), in double, on one thread: the bits depend neither on the number of threads, nor on how vehicles
 * are distributed over batches, nor on other groups. */
#ifndef RF_WORLD_COLLISIONS_H
#define RF_WORLD_COLLISIONS_H

#include "scene/scene.h"
#include "world/pace.h"
#include "world/world.h"

typedef struct rf_collisions {
    const rf_scene *scene; /* or NULL */
    uint32_t period;       /* integrator steps */
    double duration;       /* s, of a period */
    void *memory;
    bool begun; /* an update is under way */
    pace pace;
} rf_collisions;

/* Makes the stage for locked batches, which is due with their environment: 1 if one of them has the part, else 0,
 * RF_NO_MEMORY if its memory is missing. */
int rf_collisions_stage(rf_collisions *collisions, rf_batch *const *batches, size_t count,
                        const rf_scene *scene, rf_world_stage *stage);

#endif
