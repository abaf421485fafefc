/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/islands.h"

void rf_each_body(const rf_meetings *all, void act(rf_collider *))
{
    for (size_t i = 0; i < all->count; i++) {
        act(all->meeting[i].a);
        if (all->meeting[i].b != NULL) act(all->meeting[i].b);
    }
}

static void stand_alone(rf_collider *c)
{
    c->island = (rf_island){.leader = c};
}

static rf_collider *leader_of(rf_collider *c)
{
    while (c->island.leader != c) c = c->island.leader = c->island.leader->island.leader;
    return c;
}

rf_island *rf_island_of(rf_collider *body)
{
    return &leader_of(body)->island;
}

void rf_islands_find(rf_meetings *all)
{
    rf_each_body(all, stand_alone);
    for (size_t i = 0; i < all->count; i++) {
        const rf_meeting *m = &all->meeting[i];
        if (m->b != NULL) leader_of(m->b)->island.leader = leader_of(m->a);
    }
    for (size_t i = 0; i < all->count; i++) {
        all->contact[i].island = &rf_island_of(all->meeting[i].a)->settling;
    }
}
