/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "scene/near.h"
#include "world/layout.h"

#define LEAST_CELL  1.0  /* m, edge */
#define LEAST_SLACK 0.25 /* m */
#define PERIODS     8.0  /* for which a vehicle that flies on has slack */
#define WIDE        32.0 /* the same, where few have anything near with it */
#define FEW         8    /* every so many-th vehicle at most */
#define NARROW      8    /* searches with less slack before the next one with more */
#define LISTED      16   /* neighbours of a vehicle that are listed, on average, and some */
#define MORE        256

/* ---- memory ---- */

size_t neighbours_lay_out(neighbours *n, size_t vehicles, char *from)
{
    size_t at = 0;
    *n = (neighbours){.vehicles = vehicles, .buckets = 16, .capacity = LISTED * vehicles + MORE};
    while (n->buckets < vehicles) n->buckets *= 2;
    n->vehicle = take(from, &at, vehicles, sizeof *n->vehicle);
    n->noted = take_lanes(from, &at, RF_NOTED_VALUES * vehicles, sizeof *n->noted);
    n->noted_words = take_lanes(from, &at, RF_NOTED_WORDS * vehicles, sizeof *n->noted_words);
    n->watched = take(from, &at, vehicles, sizeof *n->watched);
    n->active = take(from, &at, vehicles, sizeof *n->active);
    n->order = take(from, &at, vehicles, sizeof *n->order);
    n->bucket = take(from, &at, vehicles, sizeof *n->bucket);
    n->by_bucket = take(from, &at, vehicles, sizeof *n->by_bucket);
    n->starts = take(from, &at, n->buckets + 1, sizeof *n->starts);
    n->list = take(from, &at, n->capacity, sizeof *n->list);
    n->found = take(from, &at, vehicles, sizeof *n->found);
    return at;
}

/* ---- where vehicles are ---- */

static bool takes_part(const collision_columns *c, size_t row)
{
    return c->collision_enabled[row] != 0 && c->status[row] == 0;
}

/* Reads where a vehicle is; returns what it comes to within the period [m]. */
static double look_at(neighbour *v, const collision_columns *c, size_t row, double duration)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double speed = value_of(&c->vel, k, row);
        v->pos[k] = value_of(&c->pos, k, row);
        square += speed * speed;
    }
    const double way = duration * sqrt(square);
    v->span = v->reach + way;
    return way;
}

static bool is_within(const neighbour *v)
{
    double square = v->span * v->span;
    for (int k = 0; k < 3; k++) square += v->pos[k] * v->pos[k];
    return v->reach >= 0 && square < RF_MAX_DISTANCE * RF_MAX_DISTANCE;
}

static void list_vehicle(neighbours *n, const collision_columns *c, neighbour *v, double periods,
                         double duration)
{
    v->rank = NO_RANK;
    v->near = v->near_scene = false;
    if (!takes_part(c, v->row)) {
        if (c->collision_touches[v->row]) collider_release(c, v->row); /* it did before */
        return;
    }
    v->id = c->random_vehicle[v->row];
    v->group = c->collision_group[v->row];
    v->reach = value_of(&c->collision_reach, 0, v->row);
    const double way = look_at(v, c, v->row, duration);
    v->slack = periods > 1 ? LEAST_SLACK + periods * way : way;
    memcpy(v->listed, v->pos, sizeof v->listed);
    if (is_within(v)) n->order[n->members++] = (ranked){v->group, v->id, (uint32_t)(v - n->vehicle)};
}

static void list_vehicles(neighbours *n, const collision_columns *columns, size_t batches, double periods,
                          double duration)
{
    neighbour *v = n->vehicle;
    n->members = 0;
    for (size_t i = 0; i < batches; i++) {
        for (size_t row = 0; row < columns[i].vehicles; row++) {
            v[row].batch = (uint32_t)i;
            v[row].row = row;
            list_vehicle(n, &columns[i], &v[row], periods, duration);
        }
        v += neighbours_room(columns[i].vehicles);
    }
}

/* ---- order ---- */

static int by_id(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->vehicle > y->vehicle) - (x->vehicle < y->vehicle);
}

/* Puts them in the order of groups and CopterIDs, in which batches have them mostly. */
static void order_vehicles(neighbours *n)
{
    bool ordered = true;
    for (size_t i = 1; i < n->members; i++) ordered &= by_id(&n->order[i - 1], &n->order[i]) < 0;
    if (!ordered) qsort(n->order, n->members, sizeof *n->order, by_id);
    for (size_t i = 0; i < n->members; i++) neighbour_at(n, i)->rank = (uint32_t)i;
}

static int by_rank(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* ---- cells ---- */

static int64_t cell_index(double position, double edge)
{
    const double cells = position / edge;
    const int64_t index = (int64_t)cells;
    return index - (cells < (double)index);
}

/* The bucket of a cell: groups at one place have different ones. */
static size_t bucket_of(const neighbours *n, uint32_t group, int64_t north, int64_t east)
{
    const uint64_t cell = (uint64_t)north * 0x9E3779B1u + (uint64_t)east;
    return (size_t)(cell + group * 0x85EBCA6Bull) & (n->buckets - 1);
}

static void fill_cells(neighbours *n)
{
    n->edge = LEAST_CELL;
    memset(n->starts, 0, (n->buckets + 1) * sizeof *n->starts);
    for (size_t i = 0; i < n->members; i++) {
        const neighbour *v = neighbour_at(n, i);
        n->edge = fmax(n->edge, 2 * (v->reach + v->slack));
    }
    for (size_t i = 0; i < n->members; i++) {
        const neighbour *v = neighbour_at(n, i);
        const int64_t north = cell_index(v->listed[0], n->edge), east = cell_index(v->listed[1], n->edge);
        n->bucket[i] = (uint32_t)bucket_of(n, v->group, north, east);
        n->starts[n->bucket[i]]++;
    }
    for (size_t i = 1; i <= n->buckets; i++) n->starts[i] += n->starts[i - 1];
    for (size_t i = n->members; i-- > 0;) n->by_bucket[--n->starts[n->bucket[i]]] = (uint32_t)i;
}

/* Whether two vehicles may meet while they are listed. */
static bool may_meet(const neighbour *a, const neighbour *b)
{
    if (a->group != b->group) return false;
    double square = 0, far = a->reach + a->slack + b->reach + b->slack + RF_COLLIDE_GAP;
    for (int k = 0; k < 3; k++) square += (a->listed[k] - b->listed[k]) * (a->listed[k] - b->listed[k]);
    return square <= far * far;
}

static size_t find_in_bucket(neighbours *n, size_t rank, size_t bucket, size_t count)
{
    const neighbour *v = neighbour_at(n, rank);
    for (size_t i = n->starts[bucket]; i < n->starts[bucket + 1]; i++) {
        const uint32_t other = n->by_bucket[i];
        if (other > rank && may_meet(v, neighbour_at(n, other))) n->found[count++] = other;
    }
    return count;
}

/* Whether a bucket was searched before: cells around one may share it. */
static bool is_new(const size_t *buckets, int count)
{
    for (int i = 0; i < count; i++) {
        if (buckets[i] == buckets[count]) return false;
    }
    return true;
}

/* Finds the ranks after one that may meet it. */
static size_t find_after(neighbours *n, size_t rank)
{
    const neighbour *v = neighbour_at(n, rank);
    const int64_t north = cell_index(v->listed[0], n->edge), east = cell_index(v->listed[1], n->edge);
    size_t buckets[9], found = 0;
    int count = 0;
    for (int64_t x = north - 1; x <= north + 1; x++) {
        for (int64_t y = east - 1; y <= east + 1; y++) {
            buckets[count] = bucket_of(n, v->group, x, y);
            if (is_new(buckets, count)) found = find_in_bucket(n, rank, buckets[count++], found);
        }
    }
    if (found > 1) qsort(n->found, found, sizeof *n->found, by_rank);
    return found;
}

/* ---- lists ---- */

/* Lists the neighbours of all; false if there are more than `most`. */
static bool fill_lists(neighbours *n, size_t most)
{
    n->listed = 0;
    for (size_t rank = 0; rank < n->members; rank++) {
        const size_t count = find_after(n, rank);
        neighbour *v = neighbour_at(n, rank);
        v->first = n->listed;
        v->near |= count > 0;
        if (count > most - n->listed) return false;
        memcpy(n->list + n->listed, n->found, count * sizeof *n->list);
        n->listed += count;
        for (size_t i = 0; i < count; i++) neighbour_at(n, n->found[i])->near = true;
    }
    return true;
}

static void look_at_scene(neighbours *n, const rf_scene *scene)
{
    for (size_t i = 0; i < n->members && scene != NULL; i++) {
        neighbour *v = neighbour_at(n, i);
        v->near_scene = rf_scene_is_near(scene, v->listed, v->reach + v->slack + RF_COLLIDE_GAP);
        v->near |= v->near_scene;
    }
}

/* What a search is for: all vehicles of the stage. */
typedef struct swarm {
    const collision_columns *columns;
    size_t batches;
    const rf_scene *scene;
    double duration; /* s, of the period */
} swarm;

/* Lists what is near with a slack of so many periods, at most so many neighbours; false if there are more. */
static bool search(neighbours *n, const swarm *s, double periods, size_t most)
{
    list_vehicles(n, s->columns, s->batches, periods, s->duration);
    order_vehicles(n);
    fill_cells(n);
    n->complete = fill_lists(n, most);
    look_at_scene(n, s->scene);
    return n->complete;
}

static bool few_are_near(const neighbours *n)
{
    size_t near = 0;
    for (size_t i = 0; i < n->members; i++) near += neighbour_at(n, i)->near;
    return FEW * near <= n->members;
}

/* Lists what is near: the more slack vehicles have, the longer that lasts, and the more have to be looked at singly. */
static void list_anew(neighbours *n, const swarm *s)
{
    n->made = true;
    if (n->narrow == 0 && search(n, s, WIDE, n->members) && few_are_near(n)) return;
    n->narrow = n->narrow == 0 ? NARROW : n->narrow - 1;
    if (!search(n, s, PERIODS, n->capacity)) search(n, s, 1, 0);
}

/* ---- who may meet something ---- */

/* What is noted of the vehicles of a batch, from number `first` on. */
static rf_noted noted_of(const neighbours *n, const collision_columns *c, size_t first)
{
    return (rf_noted){n->noted + RF_NOTED_VALUES * first, n->noted_words + RF_NOTED_WORDS * first,
                      neighbours_room(c->vehicles)};
}

/* Notes the vehicles of a batch as they are listed. */
static void note(const neighbours *n, const collision_columns *c, size_t first)
{
    const rf_noted to = noted_of(n, c, first);
    const column values = {to.values, to.stride * rf_batch_value_size(c->batch), c->pos.doubles};
    memset(to.words, 0, RF_NOTED_WORDS * to.stride * sizeof *to.words);
    for (size_t row = 0; row < c->vehicles; row++) {
        const neighbour *v = &n->vehicle[first + row];
        const bool near = v->near || !n->complete;
        for (int k = 0; k < 3; k++) set_value(&values, RF_NOTED_NORTH + k, row, v->listed[k]);
        set_value(&values, RF_NOTED_REACH, row, v->reach);
        set_value(&values, RF_NOTED_SLACK, row, RF_NOTED_SLACK_LEFT * v->slack);
        to.words[RF_NOTED_ID * to.stride + row] = v->id;
        to.words[RF_NOTED_GROUP * to.stride + row] = v->group;
        to.words[RF_NOTED_BITS * to.stride + row] =
            RF_NOTED_VEHICLE | (takes_part(c, row) ? RF_NOTED_IN : 0) | (near ? RF_NOTED_NEAR : 0);
    }
}

/* Looks at the vehicles of a batch; false if one is not as it was noted. */
static bool watch(neighbours *n, const collision_columns *c, size_t first, double duration)
{
    const rf_batch_def *def = rf_batch_get_def(c->batch);
    const rf_watch w = {
        .vehicles = c->vehicles,
        .stride = rf_batch_stride(c->batch),
        .duration = duration,
        .pos = c->pos.start,
        .vel = c->vel.start,
        .reach = c->collision_reach.start,
        .ground = c->ground.start,
        .height = c->contact_height.start,
        .gradient = c->terrain_gradient.start,
        .current = c->terrain_velocity.start,
        .enabled = c->collision_enabled,
        .status = c->status,
        .id = c->random_vehicle,
        .group = c->collision_group,
        .touches = c->collision_touches,
        .noted = noted_of(n, c, first),
    };
    size_t count;
    const bool same = def->simd->watch[def->precision](&w, n->watched, &count);
    for (size_t i = 0; i < count; i++) {
        neighbour *v = &n->vehicle[first + n->watched[i].row];
        if (v->rank == NO_RANK) continue;
        v->low = n->watched[i].low;
        look_at(v, c, v->row, duration);
        n->active[n->actives++] = v->rank;
    }
    return same;
}

/* Finds who may meet something; false if a vehicle is not as it was noted. */
static bool watch_all(neighbours *n, const collision_columns *columns, size_t batches, double duration)
{
    bool same = true;
    n->actives = 0;
    for (size_t i = 0, first = 0; i < batches; first += neighbours_room(columns[i++].vehicles)) {
        if (columns[i].vehicles > 0) same &= watch(n, &columns[i], first, duration);
    }
    for (size_t i = 1; i < n->actives; i++) {
        if (n->active[i - 1] < n->active[i]) continue;
        qsort(n->active, n->actives, sizeof *n->active, by_rank);
        break;
    }
    return same;
}

void neighbours_update(neighbours *n, const collision_columns *columns, size_t batches, const rf_scene *scene,
                       double duration)
{
    if (n->made && watch_all(n, columns, batches, duration)) return;
    const swarm s = {columns, batches, scene, duration};
    list_anew(n, &s);
    for (size_t i = 0, first = 0; i < batches; first += neighbours_room(columns[i++].vehicles)) {
        note(n, &columns[i], first);
    }
    watch_all(n, columns, batches, duration);
}

const uint32_t *neighbours_after(neighbours *n, size_t rank, size_t *count)
{
    if (!n->complete) {
        *count = find_after(n, rank);
        return n->found;
    }
    const size_t first = neighbour_at(n, rank)->first;
    const size_t end = rank + 1 < n->members ? neighbour_at(n, rank + 1)->first : n->listed;
    *count = end - first;
    return n->list + first;
}
