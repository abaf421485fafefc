/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may meet whom: lists and cells against all pairs, and a cloud that the stage of collisions solves. */
#include "world/neighbours.h"

#include <math.h>

#include "fleet.h"
#include "test.h"
#include "uniform.h"
#include "world/collisions.h"

enum { SWARM = 300 };

static const double PERIOD = 0.01;

/* Vehicles that take part, with reaches of 0.1 m to 0.5 m and CopterIDs in no order, within `extent` [m] of the origin. */
static rf_batch *swarm_of(const rf_simd *simd, int precision, double extent)
{
    rf_batch_def def = many(2);
    def.n = SWARM;
    def.simd = simd;
    def.precision = precision;
    rf_batch *batch = tumbling(def);
    rf_batch_enable_part(batch, RF_PART_collision);
    const column pos = column_of(batch, "pos"), vel = column_of(batch, "vel"),
                 reach = column_of(batch, "collision_reach");
    for (size_t i = 0; i < SWARM; i++) {
        words(batch, "collision_enabled")[i] = i % 10 != 9;
        words(batch, "random_vehicle")[i] = (uint32_t)(1 + i * 7 % SWARM);
        set_value(&reach, 0, i, uniform(0.1, 0.5));
        for (int k = 0; k < 3; k++) {
            set_value(&pos, k, i, uniform(-extent, extent));
            set_value(&vel, k, i, uniform(-10, 10));
        }
    }
    return batch;
}

static rf_batch *swarm(double extent)
{
    return swarm_of(rf_simd_available()[0], RF_FLOAT64, extent);
}

static void move(rf_batch *batch, double seconds)
{
    const column pos = column_of(batch, "pos"), vel = column_of(batch, "vel");
    for (size_t i = 0; i < SWARM; i++) {
        for (int k = 0; k < 3; k++) {
            set_value(&pos, k, i, value_of(&pos, k, i) + seconds * value_of(&vel, k, i));
        }
    }
}

/* What a swarm is looked at with. */
typedef struct watched_swarm {
    rf_batch *batch;
    collision_columns columns;
    neighbours near;
    char *memory;
} watched_swarm;

static watched_swarm watch_swarm(rf_batch *batch)
{
    watched_swarm s = {.batch = batch, .columns = collision_columns_of(batch)};
    const size_t room = neighbours_room(SWARM);
    s.memory = calloc(1, neighbours_lay_out(&s.near, room, NULL));
    neighbours_lay_out(&s.near, room, s.memory);
    return s;
}

static void update(watched_swarm *s)
{
    neighbours_update(&s->near, &s->columns, 1, NULL, PERIOD);
}

static void end_watch(watched_swarm *s)
{
    free(s->memory);
    rf_batch_destroy(s->batch);
}

/* The position of a vehicle, and the distance to the farthest place that it may come to within the period [m]. */
static double span_of(const watched_swarm *s, size_t rank, double pos[3])
{
    const size_t row = neighbour_at(&s->near, rank)->row;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        pos[k] = value_of(&s->columns.pos, k, row);
        square += value_of(&s->columns.vel, k, row) * value_of(&s->columns.vel, k, row);
    }
    return value_of(&s->columns.collision_reach, 0, row) + PERIOD * sqrt(square);
}

/* Whether two vehicles may touch within the period. */
static bool may_touch(const watched_swarm *s, size_t a, size_t b)
{
    double pos[2][3], square = 0, reach = span_of(s, a, pos[0]) + span_of(s, b, pos[1]);
    for (int k = 0; k < 3; k++) square += (pos[0][k] - pos[1][k]) * (pos[0][k] - pos[1][k]);
    return sqrt(square) <= reach;
}

static bool is_active(const neighbours *n, size_t rank)
{
    size_t i = 0;
    while (i < n->actives && n->active[i] < rank) i++;
    return i < n->actives && n->active[i] == rank;
}

/* Checks that pairs that may touch are found, in their order, and counts them. */
static void check_pairs(watched_swarm *s, size_t *pairs)
{
    neighbours *n = &s->near;
    for (size_t i = 1; i < n->actives; i++) ENSURE(n->active[i - 1] < n->active[i]);
    for (size_t rank = 0; rank < n->members; rank++) {
        size_t count;
        const uint32_t *found = neighbours_after(n, rank, &count);
        for (size_t i = 1; i < count; i++) ENSURE(found[i - 1] < found[i]);
        for (size_t other = rank + 1, i = 0; other < n->members; other++) {
            while (i < count && found[i] < other) i++;
            if (!may_touch(s, rank, other)) continue;
            ENSURE(i < count && found[i] == other);
            ENSURE(is_active(n, rank) && is_active(n, other));
            ++*pairs;
        }
    }
}

static void lists_hold_all_who_may_touch(void)
{
    static const double extents[] = {0.01, 3, 30, 3000};
    srand(4);
    for (int k = 0; k < 4; k++) {
        watched_swarm s = watch_swarm(swarm(extents[k]));
        size_t pairs = 0;
        for (int i = 0; i < 60; i++) {
            update(&s);
            ENSURE(s.near.members == SWARM - SWARM / 10);
            ENSURE(i > 0 || s.near.complete == (k > 1));
            check_pairs(&s, &pairs);
            move(s.batch, PERIOD * (i % 20 == 19 ? 30 : k > 0)); /* a leap, too */
        }
        ENSURE(pairs > 0 || k == 3);
        end_watch(&s);
    }
}

static void all_sets_find_those_who_may_touch(void)
{
    for (const rf_simd *const *simd = rf_simd_available(); *simd != NULL; simd++) {
        for (int precision = 0; precision < RF_PRECISION_COUNT; precision++) {
            srand(6);
            watched_swarm s = watch_swarm(swarm_of(*simd, precision, 12));
            size_t pairs = 0;
            for (int i = 0; i < 30; i++, move(s.batch, PERIOD)) {
                update(&s);
                check_pairs(&s, &pairs);
            }
            ENSURE(pairs > 0 && s.near.actives < s.near.members);
            end_watch(&s);
        }
    }
}

/* Far from each other and the ground, then one at a time is low, or touches something. */
static void who_is_low_or_touches_is_active(void)
{
    watched_swarm s = watch_swarm(swarm(1e4));
    for (size_t i = 0; i < SWARM; i++) {
        for (int k = 0; k < 3; k++) values(s.batch, "vel", k)[i] = 0;
    }
    update(&s);
    ENSURE(s.near.actives == 0);
    for (size_t row = 0; row < SWARM; row++) {
        double *ground = &values(s.batch, "ground", 0)[row];
        const double before = *ground;
        const bool in = row % 10 != 9;
        *ground = values(s.batch, "pos", 2)[row] + 0.2;
        update(&s);
        ENSURE(s.near.actives == in && (!in || neighbour_at(&s.near, s.near.active[0])->row == row));
        *ground = before;
        words(s.batch, "collision_touches")[row] = 1;
        update(&s);
        ENSURE(s.near.actives == in);
        words(s.batch, "collision_touches")[row] = 0;
    }
    end_watch(&s);
}

/* What tells who may meet whom counts with the next update. */
static void changes_are_seen(void)
{
    static const char *const names[] = {"collision_group", "random_vehicle"};
    watched_swarm s = watch_swarm(swarm(1e4));
    for (size_t row = 0; row < SWARM; row += 10) {
        const neighbour *v = &s.near.vehicle[row];
        for (int k = 0; k < 2; k++) {
            words(s.batch, names[k])[row] += SWARM;
            update(&s);
            ENSURE((k == 0 ? v->group : v->id) == words(s.batch, names[k])[row]);
        }
        values(s.batch, "collision_reach", 0)[row] += 1;
        update(&s);
        ENSURE(v->reach == values(s.batch, "collision_reach", 0)[row]);
        const size_t members = s.near.members;
        words(s.batch, row % 20 == 0 ? "collision_enabled" : "status")[row] ^= 1;
        update(&s);
        ENSURE(s.near.members == members - 1);
        words(s.batch, "collision_touches")[row] = 1; /* as from a snapshot of before */
        update(&s);
        ENSURE(words(s.batch, "collision_touches")[row] == 0);
    }
    end_watch(&s);
}

/* Balls that fly into each other. */
static void a_cloud_keeps_its_momentum(void)
{
    srand(5);
    rf_batch *batch = swarm(3);
    fill(batch, "collision_radius", 0, 0.2);
    fill(batch, "collision_reach", 0, 0.2);
    fill(batch, "gravity", 0, 0);
    for (int k = 0; k < 3; k++) fill(batch, "drag_quadratic", k, 0);
    fill(batch, "drag_linear", 0, 0);
    double before[3] = {0}, after[3] = {0};
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < SWARM; i++) before[k] += values(batch, "vel", k)[i];
    }
    rf_collisions collisions;
    rf_world_stage stage;
    ENSURE(rf_world_lock(&batch, 1) == RF_OK);
    ENSURE(rf_collisions_stage(&collisions, &batch, 1, NULL, &stage) == 1);
    rf_world_run run = {&stage, 1, 0};
    for (int i = 0; i < 50; i++, run.done = 0) {
        while (!rf_world_refresh_locked(&batch, 1, &run)) continue; /* where it pauses */
        move(batch, collisions.duration);
    }
    rf_world_unlock(&batch, 1);
    size_t struck = 0;
    for (size_t i = 0; i < SWARM; i++) struck += words(batch, "collision_count")[i] != 0;
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < SWARM; i++) after[k] += values(batch, "vel", k)[i];
        ENSURE_NEAR(after[k], before[k], 1e-9);
    }
    ENSURE(struck > SWARM / 10);
    rf_batch_destroy(batch);
}

TEST_SUITE(neighbours)
{
    RUN(lists_hold_all_who_may_touch);
    RUN(all_sets_find_those_who_may_touch);
    RUN(who_is_low_or_touches_is_active);
    RUN(changes_are_seen);
    RUN(a_cloud_keeps_its_momentum);
}
