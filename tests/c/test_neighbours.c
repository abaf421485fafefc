/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may meet whom: lists and cells against all pairs, and a cloud that the stage of collisions solves. */
#include "world/neighbours.h"

#include <math.h>

#include "fleet.h"
#include "test.h"
#include "world/collisions.h"

enum { SWARM = 300 };

static const double PERIOD = 0.01;

/* Vehicles that take part, with reaches of 0.1 m to 0.5 m and CopterIDs in no order, within `extent` [m] of the origin. */
static rf_batch *swarm(double extent)
{
    rf_batch_def def = many(2);
    def.n = SWARM;
    rf_batch *batch = tumbling(def);
    rf_batch_enable_part(batch, RF_PART_collision);
    for (size_t i = 0; i < SWARM; i++) {
        words(batch, "collision_enabled")[i] = i % 10 != 9;
        words(batch, "random_vehicle")[i] = (uint32_t)(1 + i * 7 % SWARM);
        values(batch, "collision_reach", 0)[i] = 0.1 + 0.4 * rand() / RAND_MAX;
        for (int k = 0; k < 3; k++) {
            values(batch, "pos", k)[i] = extent * (2.0 * rand() / RAND_MAX - 1);
            values(batch, "vel", k)[i] = 20.0 * rand() / RAND_MAX - 10;
        }
    }
    return batch;
}

static void move(rf_batch *batch, double seconds)
{
    for (size_t i = 0; i < SWARM; i++) {
        for (int k = 0; k < 3; k++) values(batch, "pos", k)[i] += seconds * values(batch, "vel", k)[i];
    }
}

/* Whether two vehicles may touch within the period. */
static bool may_touch(const neighbour *a, const neighbour *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++) square += (a->pos[k] - b->pos[k]) * (a->pos[k] - b->pos[k]);
    return sqrt(square) <= a->span + b->span;
}

/* Checks that pairs that may touch are found, in their order, and counts them. */
static void check_pairs(neighbours *n, size_t *pairs)
{
    for (size_t rank = 0; rank < n->members; rank++) {
        size_t count;
        const uint32_t *found = neighbours_after(n, rank, &count);
        for (size_t i = 1; i < count; i++) ENSURE(found[i - 1] < found[i]);
        for (size_t other = rank + 1, i = 0; other < n->members; other++) {
            while (i < count && found[i] < other) i++;
            if (!may_touch(neighbour_at(n, rank), neighbour_at(n, other))) continue;
            ENSURE(i < count && found[i] == other);
            ++*pairs;
        }
    }
}

static void lists_hold_all_who_may_touch(void)
{
    static const double extents[] = {0.01, 3, 30, 3000};
    srand(4);
    for (int k = 0; k < 4; k++) {
        rf_batch *batch = swarm(extents[k]);
        collision_columns columns = collision_columns_of(batch);
        neighbours n;
        char *memory = calloc(1, neighbours_lay_out(&n, SWARM, NULL));
        neighbours_lay_out(&n, SWARM, memory);
        size_t pairs = 0;
        for (int update = 0; update < 60; update++) {
            neighbours_update(&n, &columns, 1, NULL, PERIOD);
            ENSURE(n.members == SWARM - SWARM / 10);
            ENSURE(update > 0 || n.complete == (k > 1));
            check_pairs(&n, &pairs);
            move(batch, PERIOD * (update % 20 == 19 ? 30 : k > 0)); /* a leap, too */
        }
        ENSURE(pairs > 0 || k == 3);
        free(memory);
        rf_batch_destroy(batch);
    }
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
        ENSURE(rf_world_refresh_locked(&batch, 1, &run));
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
    RUN(a_cloud_keeps_its_momentum);
}
