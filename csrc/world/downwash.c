/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/downwash.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "parts/environment/effects.h"

#define LANE_PRECISION 64
#define LANE_WIDTH     1
#include "models/jet.h"
#include "world/column.h"

#define UPDATES 5 /* of the environment to one of the downwash: a vehicle moves little in a jet meanwhile */

#define CELL_RADII 20.0 /* edge of a cell over the largest initial radius of a jet */
#define LEAST_CELL 0.1  /* m */

/* A vehicle with the effect. */
typedef struct member {
    double pos[3], jet[3]; /* m, m/s, NED */
    double radius;         /* m, initial, of its jet; 0: none */
    double sum[3];         /* m^2/s^2, NED, of the jets of others: speed times velocity */
    uint32_t id;
    size_t batch, row, bucket;
} member;

/* What a jet looks at of a vehicle. */
typedef struct place {
    double pos[3];
    size_t member;
} place;

/* A vehicle with a jet. */
typedef struct source {
    uint32_t id;
    size_t member;
} source;

/* The memory of the stage, for all vehicles of the batches. */
typedef struct grid {
    size_t members, jets, buckets;
    double edge;      /* m, of a cell */
    int64_t cells[3]; /* along each axis, powers of two; the next cell along an axis is the first again */
    member *member;   /* in the order of batches */
    place *places;    /* by cell */
    source *sources;  /* by CopterID */
    size_t *starts;   /* of the cells among the places, and the end */
} grid;

static size_t buckets_for(size_t vehicles)
{
    size_t buckets = 16;
    while (buckets < vehicles) buckets *= 2;
    return buckets;
}

/* The grid in the workspace of the first batch, or NULL. */
static grid *grid_of(rf_batch *const *batches, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) n += rf_batch_get_def(batches[i])->n;
    size_t buckets = buckets_for(n);
    size_t bytes =
        sizeof(grid) + n * (sizeof(member) + sizeof(place) + sizeof(source)) + (buckets + 1) * sizeof(size_t);
    grid *g = rf_batch_workspace(batches[0], RF_WORKSPACE_DOWNWASH, bytes);
    if (g == NULL) return NULL;
    *g = (grid){.buckets = buckets, .member = (member *)(g + 1)};
    g->places = (place *)(g->member + n);
    g->sources = (source *)(g->places + n);
    g->starts = (size_t *)(g->sources + n);
    return g;
}

static double square_of(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* ---- cells ---- */

static int64_t cell_index(const grid *g, double position)
{
    double cells = position / g->edge;
    int64_t index = (int64_t)cells;
    return index - (cells < (double)index);
}

/* The bucket of a cell; cells that follow each other along the last axis do so in memory. */
static size_t bucket_of(const grid *g, int64_t x, int64_t y, int64_t z)
{
    const int64_t *c = g->cells;
    return (size_t)(((x & (c[0] - 1)) * c[1] + (y & (c[1] - 1))) * c[2] + (z & (c[2] - 1)));
}

/* Chooses the cells: their edge, and as many along each axis as the vehicles extend, up to all buckets. */
static void choose_cells(grid *g)
{
    double largest = LEAST_CELL / CELL_RADII, low[3] = {0}, high[3] = {0};
    for (size_t i = 0; i < g->members; i++) {
        const member *f = &g->member[i];
        if (f->radius > largest) largest = f->radius;
        for (int k = 0; k < 3; k++) {
            if (i == 0 || f->pos[k] < low[k]) low[k] = f->pos[k];
            if (i == 0 || f->pos[k] > high[k]) high[k] = f->pos[k];
        }
    }
    g->edge = CELL_RADII * largest;
    for (int k = 0; k < 3; k++) g->cells[k] = 1;
    for (size_t buckets = 1; buckets < g->buckets; buckets *= 2) {
        double most = 0;
        int axis = 0;
        for (int k = 0; k < 3; k++) {
            double each = (high[k] - low[k]) / (double)g->cells[k];
            if (each > most) most = each, axis = k;
        }
        if (most < g->edge) break;
        g->cells[axis] *= 2;
    }
}

/* ---- what the batches hold ---- */

/* Lists the vehicles of a batch that have the effect, no fault and a place within the envelope. */
static void gather(grid *g, rf_batch *batch, size_t number)
{
    column pos = column_of(batch, "pos"), jet = column_of(batch, "rotor_jet");
    column area = column_of(batch, "disk_area");
    const uint32_t *effects = words_at(batch, "environment_effects", 0);
    const uint32_t *status = words_at(batch, "status", 0);
    const uint32_t *id = words_at(batch, "random_vehicle", 0);
    for (size_t row = 0; row < rf_batch_get_def(batch)->n; row++) {
        member f = {.id = id[row], .batch = number, .row = row};
        for (int i = 0; i < 3; i++) {
            f.pos[i] = value_of(&pos, i, row);
            f.jet[i] = value_of(&jet, i, row);
        }
        bool within = square_of(f.pos) <= RF_MAX_DISTANCE * RF_MAX_DISTANCE;
        if (!(effects[row] & ENVIRONMENT_DOWNWASH) || status[row] != 0 || !within) continue;
        double disks = value_of(&area, 0, row), speed2 = square_of(f.jet);
        bool blows =
            disks > 0 && disks < RF_MAX_DISTANCE && speed2 > 0 && speed2 < RF_MAX_SPEED * RF_MAX_SPEED;
        f.radius = blows ? __builtin_sqrt(disks * (1 / 3.14159265358979323846)) : 0;
        if (blows) g->sources[g->jets++] = (source){f.id, g->members};
        g->member[g->members++] = f;
    }
}

static bool has_downwash(const rf_batch *batch)
{
    return rf_batch_has_part(batch, RF_PART_downwash) && rf_batch_has_part(batch, RF_PART_environment);
}

static int by_id(const void *a, const void *b)
{
    const source *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->member > y->member) - (x->member < y->member);
}

/* Puts the jets in the order of CopterIDs, in which batches have them mostly. */
static void order_sources(grid *g)
{
    bool ordered = true;
    for (size_t i = 1; i < g->jets; i++) ordered &= g->sources[i - 1].id <= g->sources[i].id;
    if (!ordered) qsort(g->sources, g->jets, sizeof *g->sources, by_id);
}

/* Puts the vehicles into their cells. */
static void fill_cells(grid *g)
{
    choose_cells(g);
    size_t buckets = (size_t)(g->cells[0] * g->cells[1] * g->cells[2]);
    memset(g->starts, 0, (buckets + 1) * sizeof *g->starts);
    for (size_t i = 0; i < g->members; i++) {
        member *f = &g->member[i];
        f->bucket =
            bucket_of(g, cell_index(g, f->pos[0]), cell_index(g, f->pos[1]), cell_index(g, f->pos[2]));
        g->starts[f->bucket]++;
    }
    for (size_t i = 1; i <= buckets; i++) g->starts[i] += g->starts[i - 1];
    for (size_t i = g->members; i-- > 0;) {
        const member *f = &g->member[i];
        g->places[--g->starts[f->bucket]] = (place){{f->pos[0], f->pos[1], f->pos[2]}, i};
    }
}

static void begin(grid *g, rf_batch *const *batches, size_t count)
{
    g->members = g->jets = 0;
    for (size_t i = 0; i < count; i++) {
        if (!has_downwash(batches[i])) continue;
        rf_batch_update_jets_locked(batches[i]);
        gather(g, batches[i], i);
    }
    order_sources(g);
    if (g->jets > 0) fill_cells(g);
}

/* ---- jets ---- */

typedef struct beam {
    const double *from;
    double axis[3], speed, radius, length;
} beam;

static beam beam_of(const member *f)
{
    beam b = {.from = f->pos, .speed = __builtin_sqrt(square_of(f->jet)), .radius = f->radius};
    for (int i = 0; i < 3; i++) b.axis[i] = f->jet[i] / b.speed;
    b.length = JET_LENGTH * f->radius;
    return b;
}

/* Adds a jet to a vehicle that it meets; a vehicle does not meet its own. */
static void meet(grid *g, const beam *b, const place *p)
{
    double off[3], along = 0;
    for (int i = 0; i < 3; i++) {
        off[i] = p->pos[i] - b->from[i];
        along += off[i] * b->axis[i];
    }
    if (!(along > 0 && along < b->length)) return;
    double across2 = square_of(off) - along * along, width = JET_WIDTH * jet_radius(b->radius, along);
    if (across2 >= width * width) return;
    double square = jet_square(b->speed, b->radius, along, across2 > 0 ? across2 : 0);
    for (int i = 0; i < 3; i++) g->member[p->member].sum[i] += square * b->axis[i];
}

/* The cells of the bounding box of a jet along an axis, each bucket once. */
static void extent(const grid *g, const beam *b, int axis, int64_t *first, int64_t *last)
{
    double square = 1 - b->axis[axis] * b->axis[axis], across = square > 0 ? __builtin_sqrt(square) : 0;
    double begin = b->from[axis], end = begin + b->length * b->axis[axis];
    double at_begin = JET_WIDTH * b->radius * across;
    double at_end = JET_WIDTH * jet_radius(b->radius, b->length) * across;
    *first = cell_index(g, end - at_end < begin - at_begin ? end - at_end : begin - at_begin);
    *last = cell_index(g, end + at_end > begin + at_begin ? end + at_end : begin + at_begin);
    if (*last - *first >= g->cells[axis]) *last = *first + g->cells[axis] - 1;
}

/* Adds a jet to the vehicles of neighbouring buckets; returns how many it looked at. */
static size_t blow_buckets(grid *g, const beam *b, size_t first, size_t last)
{
    size_t begin = g->starts[first], end = g->starts[last + 1];
    for (size_t i = begin; i < end; i++) meet(g, b, &g->places[i]);
    return end - begin;
}

/* Adds a jet to all vehicles in the cells of its bounding box, and to those that share their buckets where it meets them;
 * returns how many it looked at. */
static size_t blow(grid *g, const member *f)
{
    const beam b = beam_of(f);
    int64_t first[3], last[3];
    for (int i = 0; i < 3; i++) extent(g, &b, i, &first[i], &last[i]);
    size_t looked = 1;
    for (int64_t x = first[0]; x <= last[0]; x++) {
        for (int64_t y = first[1]; y <= last[1]; y++) {
            size_t low = bucket_of(g, x, y, first[2]), high = bucket_of(g, x, y, last[2]);
            size_t begin = bucket_of(g, x, y, 0);
            if (low <= high) {
                looked += blow_buckets(g, &b, low, high);
            } else {
                looked += blow_buckets(g, &b, begin, high);
                looked += blow_buckets(g, &b, low, begin + (size_t)g->cells[2] - 1);
            }
        }
    }
    return looked;
}

/* ---- the stage ---- */

/* Writes the velocities, whose squares are the sums; 0 to vehicles that take no part.  Nothing is written before, so that
 * readers in a pause see the last update. */
static void write_results(const grid *g, rf_batch *const *batches, size_t count)
{
    const member *f = g->member, *end = g->member + g->members;
    for (size_t i = 0; i < count; i++) {
        if (!has_downwash(batches[i])) continue;
        column result = column_of(batches[i], "downwash");
        for (size_t row = 0; row < rf_batch_get_def(batches[i])->n; row++) {
            bool takes_part = f < end && f->batch == i && f->row == row;
            double square = takes_part ? __builtin_sqrt(square_of(f->sum)) : 0;
            for (int k = 0; k < 3; k++) {
                set_value(&result, k, row, square > 0 ? f->sum[k] / __builtin_sqrt(square) : 0);
            }
            f += takes_part;
        }
    }
}

/* An update; it pauses. */
static bool run(void *context, rf_batch *const *batches, size_t count)
{
    rf_downwash *d = context;
    grid *g = d->grid;
    if (!d->begun) begin(g, batches, count);
    d->begun = true;
    while (d->next < g->jets) {
        if (pace_is_over(&d->pace, blow(g, &g->member[g->sources[d->next++].member]))) return false;
    }
    write_results(g, batches, count);
    d->begun = false;
    d->next = 0;
    return true;
}

int rf_downwash_stage(rf_downwash *downwash, rf_batch *const *batches, size_t count, rf_world_stage *stage)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t period = rf_batch_get_def(batches[i])->periods[RF_STAGE_ENVIRONMENT];
        if (!has_downwash(batches[i]) || period == 0) continue;
        period = period > UINT32_MAX / UPDATES ? UINT32_MAX : UPDATES * period;
        *downwash = (rf_downwash){.grid = grid_of(batches, count)};
        *stage = (rf_world_stage){period, run, downwash};
        return downwash->grid == NULL ? RF_NO_MEMORY : 1;
    }
    return 0;
}
