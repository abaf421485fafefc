/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/safety.h"

#include <string.h>

#include "base/status.h"
#include "parts/safety/kinds.h"
#include "world/column.h"

#define PAUSE_VEHICLES 5000000 /* looked at between two pauses: some 20 ms */
#define ALONE          1e30    /* m, with nobody within reach */

/* A vehicle. */
typedef struct place {
    double pos[3];
    size_t vehicle, bucket; /* in the order of batches */
} place;

/* The memory of the stage, for all vehicles of the batches. */
typedef struct grid {
    size_t vehicles, buckets; /* a power of two */
    place *by_vehicle, *by_bucket;
    double *nearest; /* m, squared */
    size_t *starts;  /* of the buckets among the places, and the end */
} grid;

static size_t vehicles_of(rf_batch *const *batches, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) n += rf_batch_get_def(batches[i])->n;
    return n;
}

/* The grid in the workspace of the first batch, or NULL. */
static grid *grid_of(rf_batch *const *batches, size_t count)
{
    const size_t n = vehicles_of(batches, count);
    size_t buckets = 16;
    while (buckets < n) buckets *= 2;
    size_t bytes = sizeof(grid) + n * (2 * sizeof(place) + sizeof(double)) + (buckets + 1) * sizeof(size_t);
    grid *g = rf_batch_workspace(batches[0], RF_WORKSPACE_SAFETY, bytes);
    if (g == NULL) return NULL;
    *g = (grid){.vehicles = n, .buckets = buckets, .by_vehicle = (place *)(g + 1)};
    g->by_bucket = g->by_vehicle + n;
    g->nearest = (double *)(g->by_bucket + n);
    g->starts = (size_t *)(g->nearest + n);
    return g;
}

/* ---- what the batches hold ---- */

static bool has_safety(const rf_batch *batch)
{
    return rf_batch_has_part(batch, RF_PART_safety);
}

/* Whether a vehicle of a batch has a boundary that ends the run. */
static bool may_end(rf_batch *batch)
{
    for (int i = 0; i < SAFETY_BOUNDARY_COUNT; i++) {
        const uint32_t *action = words_at(batch, "boundary_action", i);
        for (size_t row = 0; row < rf_batch_get_def(batch)->n; row++) {
            if (action[row] == SAFETY_TERMINATE) return true;
        }
    }
    return false;
}

/* The largest of a distance and the minimum distances of a batch [m]. */
static double reach_of(rf_batch *batch, double reach)
{
    const uint32_t *action = words_at(batch, "boundary_action", BOUNDARY_SEPARATION);
    const column minimum = column_of(batch, "boundary_minimum");
    for (size_t row = 0; row < rf_batch_get_def(batch)->n; row++) {
        const double own = value_of(&minimum, BOUNDARY_SEPARATION, row);
        if (action[row] != SAFETY_NONE && own > reach && own < RF_MAX_DISTANCE) reach = own;
    }
    return reach;
}

static bool has_ended(rf_batch *batch)
{
    const uint32_t *ended = words_at(batch, "boundaries_ended", 0);
    for (size_t row = 0; row < rf_batch_get_def(batch)->n; row++) {
        if (ended[row] != 0) return true;
    }
    return false;
}

/* ---- cells ---- */

static int64_t cell_index(double position, double edge)
{
    const double cells = position / edge;
    const int64_t index = cells > -1e15 && cells < 1e15 ? (int64_t)cells : 0;
    return index - (cells < (double)index);
}

/* The bucket of a cell: neighbouring cells have different ones where there are enough. */
static size_t bucket_of(const grid *g, int64_t north, int64_t east)
{
    return (size_t)((uint64_t)north * 0x9E3779B1u + (uint64_t)east) & (g->buckets - 1);
}

static void gather(grid *g, rf_batch *const *batches, size_t count)
{
    place *p = g->by_vehicle;
    for (size_t i = 0; i < count; i++) {
        const column pos = column_of(batches[i], "pos");
        for (size_t row = 0; row < rf_batch_get_def(batches[i])->n; row++, p++) {
            for (int k = 0; k < 3; k++) p->pos[k] = value_of(&pos, k, row);
            p->vehicle = (size_t)(p - g->by_vehicle);
        }
    }
}

static void fill_buckets(grid *g, double edge)
{
    memset(g->starts, 0, (g->buckets + 1) * sizeof *g->starts);
    for (size_t i = 0; i < g->vehicles; i++) {
        place *p = &g->by_vehicle[i];
        p->bucket = bucket_of(g, cell_index(p->pos[0], edge), cell_index(p->pos[1], edge));
        g->starts[p->bucket]++;
        g->nearest[i] = ALONE;
    }
    for (size_t i = 1; i <= g->buckets; i++) g->starts[i] += g->starts[i - 1];
    for (size_t i = g->vehicles; i-- > 0;)
        g->by_bucket[--g->starts[g->by_vehicle[i].bucket]] = g->by_vehicle[i];
}

/* Looks at the vehicles of a bucket; returns their number. */
static size_t look_at_bucket(grid *g, const place *p, size_t bucket)
{
    const size_t begin = g->starts[bucket], end = g->starts[bucket + 1];
    for (size_t i = begin; i < end; i++) {
        const place *other = &g->by_bucket[i];
        double square = 0;
        for (int k = 0; k < 3; k++) square += (other->pos[k] - p->pos[k]) * (other->pos[k] - p->pos[k]);
        if (other->vehicle != p->vehicle && square < g->nearest[p->vehicle]) g->nearest[p->vehicle] = square;
    }
    return end - begin;
}

/* Looks for the nearest other vehicle in the cell of a vehicle and those around it; returns how many it looked at. */
static size_t look_around(grid *g, const place *p, double edge)
{
    const int64_t north = cell_index(p->pos[0], edge), east = cell_index(p->pos[1], edge);
    size_t looked = 0;
    for (int64_t x = north - 1; x <= north + 1; x++) {
        for (int64_t y = east - 1; y <= east + 1; y++) looked += look_at_bucket(g, p, bucket_of(g, x, y));
    }
    return looked;
}

static void write_distances(const grid *g, rf_batch *const *batches, size_t count)
{
    const double *square = g->nearest;
    for (size_t i = 0; i < count; i++) {
        const column nearest = column_of(batches[i], "nearest");
        const size_t n = rf_batch_get_def(batches[i])->n;
        for (size_t row = 0; row < n; row++) {
            const bool alone = !(square[row] < ALONE);
            set_value(&nearest, 0, row, alone ? ALONE : __builtin_sqrt(square[row]));
        }
        square += n;
    }
}

/* ---- the stage ---- */

/* Computes the distances; false where it pauses. */
static bool measure(rf_safety *s, rf_batch *const *batches, size_t count)
{
    grid *g = s->grid;
    if (!s->begun) {
        gather(g, batches, count);
        fill_buckets(g, s->reach);
        s->begun = true;
    }
    for (size_t looked = 0; s->next < g->vehicles;) {
        looked += look_around(g, &g->by_vehicle[s->next++], s->reach);
        if (looked > PAUSE_VEHICLES) return false;
    }
    write_distances(g, batches, count);
    s->begun = false;
    s->next = 0;
    return true;
}

/* A check; it does not finish where the run has ended, so that no step follows. */
static bool run(void *context, rf_batch *const *batches, size_t count)
{
    rf_safety *s = context;
    if (s->reach > 0 && !measure(s, batches, count)) return false;
    for (size_t i = 0; i < count; i++) {
        rf_batch_check_safety_locked(batches[i]);
        s->ended |= has_ended(batches[i]);
    }
    return !s->ended;
}

int rf_safety_stage(rf_safety *safety, rf_batch *const *batches, size_t count, rf_world_stage *stage)
{
    bool needed = false;
    *safety = (rf_safety){0};
    for (size_t i = 0; i < count; i++) {
        if (!has_safety(batches[i])) return 0; /* all have the part, or none */
        needed |= may_end(batches[i]);
        safety->reach = reach_of(batches[i], safety->reach);
    }
    if (count == 0 || !(needed || safety->reach > 0)) return 0;
    if (safety->reach > 0) safety->grid = grid_of(batches, count);
    if (safety->reach > 0 && safety->grid == NULL) return RF_NO_MEMORY;
    *stage = (rf_world_stage){rf_batch_get_def(batches[0])->periods[RF_STAGE_SAFETY], run, safety};
    return 1;
}
