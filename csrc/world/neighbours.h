/* SPDX-License-Identifier: BSD-3-Clause */
/* Which vehicles may meet.
 *
 * Vehicles lie in horizontal cells, so that one is compared with those in the cells around its own only.  What is found is
 * listed, with all that a vehicle may come to within its slack; the lists last until a vehicle has used its up.  They are left out
 * where many vehicles are at one place, and cells are searched each time.  The time is linear in the number of vehicles
 * where few of a group are within a cell.  What is listed never changes a result, only which pairs are looked at in vain. */
#ifndef RF_WORLD_NEIGHBOURS_H
#define RF_WORLD_NEIGHBOURS_H

#include "scene/scene.h"
#include "world/collision_columns.h"

/* A vehicle that may take part. */
typedef struct neighbour {
    double pos[3];    /* m, now */
    double span;      /* m, to the farthest place that it may come to within the period */
    double listed[3]; /* m, position when it was listed */
    double reach;     /* m, of its shapes then */
    double slack;     /* m, that it may come farther since then */
    uint32_t id, group, batch;
    size_t row;
    size_t first; /* of its list */
    bool in;      /* it takes part */
    bool near_scene;
} neighbour;

/* A vehicle by its group and CopterID. */
typedef struct ranked {
    uint32_t group, id, vehicle;
} ranked;

typedef struct neighbours {
    size_t vehicles, members, buckets, listed, capacity;
    bool made;          /* the vehicles are listed */
    bool complete;      /* their neighbours are too */
    double edge;        /* m, of a cell */
    neighbour *vehicle; /* in the order of batches and rows */
    ranked *order;      /* those that take part, by group and CopterID: a rank is a place in it */
    uint32_t *bucket;   /* of each rank */
    uint32_t *by_bucket, *starts;
    uint32_t *list;  /* ranks */
    uint32_t *found; /* by the last search */
} neighbours;

static inline neighbour *neighbour_at(const neighbours *n, size_t rank)
{
    return &n->vehicle[n->order[rank].vehicle];
}

/* Lays them out for so many vehicles in memory, which may be NULL; returns how many bytes that takes. */
size_t neighbours_lay_out(neighbours *n, size_t vehicles, char *memory);

/* Brings them up to date.  The duration [s] is that of the period. */
void neighbours_update(neighbours *n, const collision_columns *columns, size_t batches, const rf_scene *scene,
                       double duration);

/* The ranks after one that may meet it, in their order, until the next call. */
const uint32_t *neighbours_after(neighbours *n, size_t rank, size_t *count);

#endif
