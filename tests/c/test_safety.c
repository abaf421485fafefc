/* SPDX-License-Identifier: BSD-3-Clause */
/* The stage of safety boundaries: distances between vehicles of all batches, and the end of a run. */
#include "world/safety.h"

#include "fleet.h"
#include "parts/safety/kinds.h"
#include "test.h"

enum { BATCHES = 2 };

#define REACH 3.0 /* m */

static void create_batches(rf_batch *batches[BATCHES])
{
    static const char *const types[BATCHES] = {"quad_x", "rotors_6"};
    static const size_t counts[BATCHES] = {130, 40};
    for (int i = 0; i < BATCHES; i++) {
        rf_batch_def def = many(2);
        def.type = rf_vehicle_type_find(types[i]);
        def.n = counts[i];
        batches[i] = tumbling(def);
        ENSURE(rf_batch_enable_part(batches[i], RF_PART_safety) == RF_OK);
        double *north = values(batches[i], "pos", 0), *east = values(batches[i], "pos", 1);
        double *down = values(batches[i], "pos", 2);
        for (size_t k = 0; k < counts[i]; k++) {
            north[k] = 20 * sin((double)(7 * k + 3 * (size_t)i));
            east[k] = 20 * cos((double)(5 * k));
            down[k] = -60 + 4 * sin((double)(11 * k));
        }
    }
}

/* A word of a boundary of the first vehicle of a batch. */
static uint32_t *boundary_word(rf_batch *batch, const char *name, int boundary)
{
    size_t stride;
    char *start = rf_batch_column(batch, rf_batch_column_find(batch, name), &stride);
    return (uint32_t *)(void *)(start + (size_t)boundary * stride);
}

static void bound(rf_batch *batch, int boundary, uint32_t action, double minimum, double maximum)
{
    for (size_t k = 0; k < rf_batch_get_def(batch)->n; k++) {
        boundary_word(batch, "boundary_action", boundary)[k] = action;
        values(batch, "boundary_minimum", boundary)[k] = minimum;
        values(batch, "boundary_maximum", boundary)[k] = maximum;
    }
}

static double distance_of(rf_batch *a, size_t i, rf_batch *b, size_t j)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        double apart = values(a, "pos", axis)[i] - values(b, "pos", axis)[j];
        square += apart * apart;
    }
    return sqrt(square);
}

static double nearest_of_all(rf_batch *const *batches, size_t batch, size_t i)
{
    double nearest = 1e30;
    for (size_t other = 0; other < BATCHES; other++) {
        for (size_t j = 0; j < rf_batch_get_def(batches[other])->n; j++) {
            double distance = distance_of(batches[batch], i, batches[other], j);
            if ((other != batch || j != i) && distance < nearest) nearest = distance;
        }
    }
    return nearest;
}

static void distances_in_cells_are_those_of_all_pairs(void)
{
    rf_batch *batches[BATCHES];
    rf_safety safety;
    rf_world_stage stage;
    create_batches(batches);
    for (int i = 0; i < BATCHES; i++) bound(batches[i], BOUNDARY_SEPARATION, SAFETY_REPORT, REACH, 1e30);
    ENSURE(rf_safety_stage(&safety, batches, BATCHES, &stage) == 1);
    ENSURE(rf_world_step(batches, BATCHES, &stage, 1, 0) == RF_OK);
    ENSURE(stage.run(stage.context, batches, BATCHES));
    for (size_t i = 0; i < BATCHES; i++) {
        for (size_t k = 0; k < rf_batch_get_def(batches[i])->n; k++) {
            double expected = nearest_of_all(batches, i, k), found = values(batches[i], "nearest", 0)[k];
            if (expected < REACH) ENSURE_NEAR(found, expected, 1e-12);
            ENSURE((expected < REACH) == (boundary_word(batches[i], "boundaries_outside", 0)[k] != 0));
        }
    }
    for (int i = 0; i < BATCHES; i++) rf_batch_destroy(batches[i]);
}

static void a_run_ends_before_the_step_of_the_crossing(void)
{
    rf_batch *batches[BATCHES];
    rf_safety safety;
    rf_world_stage stage;
    create_batches(batches);
    ENSURE(rf_safety_stage(&safety, batches, BATCHES, &stage) == 0); /* nothing asks for it */
    bound(batches[1], BOUNDARY_ALTITUDE, SAFETY_TERMINATE, -1e30, 1e5);
    ENSURE(rf_safety_stage(&safety, batches, BATCHES, &stage) == 1);
    rf_world_run run = {&stage, 1, 0};
    ENSURE(rf_world_lock(batches, BATCHES) == RF_OK);
    ENSURE(rf_world_step_locked(batches, BATCHES, &run, 8) == 8 && !safety.ended);
    values(batches[1], "pos", 2)[7] = -2e5;
    ENSURE(rf_world_step_locked(batches, BATCHES, &run, 8) == 0 && safety.ended);
    rf_world_unlock(batches, BATCHES);
    ENSURE(rf_batch_tick(batches[0]) == 8 && rf_batch_tick(batches[1]) == 8);
    ENSURE(boundary_word(batches[1], "crossed_tick", BOUNDARY_ALTITUDE)[7] == 8);
    for (int i = 0; i < BATCHES; i++) rf_batch_destroy(batches[i]);
}

TEST_SUITE(safety)
{
    RUN(distances_in_cells_are_those_of_all_pairs);
    RUN(a_run_ends_before_the_step_of_the_crossing);
}
