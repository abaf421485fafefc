/* SPDX-License-Identifier: BSD-3-Clause */
/* Which vehicles may meet.
 *
 * Vehicles lie in horizontal cells, so that one is compared with those in the cells around its own only.  What is found is
 * listed, with all that a vehicle may come to within its slack; the lists last until a vehicle has used its up.  They are left out
 * where many vehicles are at one place, and cells are searched each time.  The time is linear in the number of vehicles
 * where few of a group are within a cell.
 * Between two searches all vehicles are looked at in lanes (parts/collision/watch.h), and singly only those near something.  What is listed never changes a result, only which pairs are looked at in vain. */
#ifndef RF_WORLD_NEIGHBOURS_H
#define RF_WORLD_NEIGHBOURS_H

#include "parts/collision/watch.h"
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
    uint32_t rank; /* or NO_RANK: it meets nothing */
    size_t row;
    size_t first;          /* of its list */
    bool near, near_scene; /* anything that is listed; the scene */
    bool low;              /* the ground may be near, now */
} neighbour;

#define NO_RANK UINT32_MAX

/* A vehicle by its group and CopterID. */
typedef struct ranked {
    uint32_t group, id, vehicle;
} ranked;

typedef struct neighbours {
    size_t vehicles, members, buckets, listed, capacity, actives;
    bool made;          /* the vehicles are listed */
    bool complete;      /* their neighbours are too */
    int narrow;         /* searches with little slack that are to come */
    double edge;        /* m, of a cell */
    neighbour *vehicle; /* in the order of batches and rows, those of a batch rounded up to RF_WATCH_LANE */
    double *noted;      /* RF_NOTED_VALUES of each, in the precision of their batches */
    uint32_t *noted_words;
    rf_watched *watched;
    uint32_t *active; /* ranks that may meet something now, in their order: all others do not */
    ranked *order;    /* those that take part, by group and CopterID: a rank is a place in it */
    uint32_t *bucket; /* of each rank */
    uint32_t *by_bucket, *starts;
    uint32_t *list;  /* ranks */
    uint32_t *found; /* by the last search */
} neighbours;

static inline neighbour *neighbour_at(const neighbours *n, size_t rank)
{
    return &n->vehicle[n->order[rank].vehicle];
}

/* The vehicles for which a batch needs room. */
static inline size_t neighbours_room(size_t vehicles)
{
    return (vehicles + RF_WATCH_LANE - 1) / RF_WATCH_LANE * RF_WATCH_LANE;
}

/* Lays them out for so many vehicles in memory, which may be NULL; returns how many bytes that takes. */
size_t neighbours_lay_out(neighbours *n, size_t vehicles, char *memory);

/* Brings them up to date, and finds who may meet something.  The duration [s] is that of the period. */
void neighbours_update(neighbours *n, const collision_columns *columns, size_t batches, const rf_scene *scene,
                       double duration);

/* The ranks after one that may meet it, in their order, until the next call. */
const uint32_t *neighbours_after(neighbours *n, size_t rank, size_t *count);

#endif
