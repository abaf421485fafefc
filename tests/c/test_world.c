/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of several types stepped in one run, with stages between their vehicles. */
#include "world/world.h"

#include "fleet.h"
#include "test.h"

enum { TYPES = 3 };

/* Batches of several types, some larger than a piece of work, in several threads. */
static void create_batches(rf_batch *batches[TYPES], int threads)
{
    static const char *const types[TYPES] = {"quad_x", "rotors_6", "rotors_3"};
    static const size_t counts[TYPES] = {300, 5, 129};
    for (int i = 0; i < TYPES; i++) {
        rf_batch_def def = many(threads);
        def.type = rf_vehicle_type_find(types[i]);
        def.n = counts[i];
        batches[i] = tumbling(def);
        rf_batch_set_controllers(batches[i], true);
    }
}

static void destroy_batches(rf_batch *batches[TYPES])
{
    for (int i = 0; i < TYPES; i++) rf_batch_destroy(batches[i]);
}

static void batches_step_as_they_do_alone(void)
{
    rf_batch *together[TYPES], *alone[TYPES];
    create_batches(together, 4);
    create_batches(alone, 1);
    for (int i = 0; i < 5; i++) ENSURE(rf_world_step(together, TYPES, NULL, 0, 13) == RF_OK);
    for (int i = 0; i < TYPES; i++) {
        ENSURE(rf_batch_step(alone[i], 65) == RF_OK);
        ENSURE(same_bytes(together[i], alone[i]));
    }
    destroy_batches(together);
    destroy_batches(alone);
}

typedef struct record {
    uint64_t ticks[64];
    int runs;
    bool agreed;
} record;

/* Records its tick, and whether all batches were passed. */
static bool note_tick(void *context, rf_batch *const *batches, size_t count)
{
    record *r = context;
    for (size_t i = 0; i < count; i++) r->agreed &= rf_batch_tick(batches[i]) == rf_batch_tick(batches[0]);
    if (r->runs < 64) r->ticks[r->runs++] = rf_batch_tick(batches[0]);
    return true;
}

static void world_stages_run_at_their_periods_with_all_batches_at_one_tick(void)
{
    rf_batch *batches[TYPES];
    create_batches(batches, 4);
    record slow = {.agreed = true}, fast = {.agreed = true};
    const rf_world_stage stages[] = {{10, note_tick, &slow}, {4, note_tick, &fast}};
    static const uint32_t calls[] = {7, 1, 0, 22, 10}; /* 40 steps in any number of calls */
    for (int i = 0; i < 5; i++) ENSURE(rf_world_step(batches, TYPES, stages, 2, calls[i]) == RF_OK);
    ENSURE(slow.agreed && fast.agreed);
    ENSURE(slow.runs == 4 && fast.runs == 10);
    for (int i = 0; i < slow.runs; i++) ENSURE(slow.ticks[i] == (uint64_t)i * 10);
    for (int i = 0; i < fast.runs; i++) ENSURE(fast.ticks[i] == (uint64_t)i * 4);
    ENSURE(rf_batch_tick(batches[0]) == 40);
    destroy_batches(batches);
}

static bool push(void *context, rf_batch *const *batches, size_t count)
{
    (void)context;
    for (size_t i = 0; i < count; i++) values(batches[i], "vel", 0)[0] += 1;
    return true;
}

static void values_written_by_a_world_stage_act_on_the_step(void)
{
    rf_batch *pushed[TYPES], *left[TYPES];
    create_batches(pushed, 2);
    create_batches(left, 2);
    const rf_world_stage stage = {100, push, NULL};
    ENSURE(rf_world_step(pushed, TYPES, &stage, 1, 50) == RF_OK);
    ENSURE(rf_world_step(left, TYPES, NULL, 0, 50) == RF_OK);
    for (int i = 0; i < TYPES; i++) {
        ENSURE_NEAR(values(pushed[i], "pos", 0)[0] - values(left[i], "pos", 0)[0], 0.05, 0.005);
        ENSURE(values(pushed[i], "pos", 0)[1] == values(left[i], "pos", 0)[1]);
    }
    destroy_batches(pushed);
    destroy_batches(left);
}

/* Counts its calls, and pauses in two of three. */
static bool pause_twice(void *context, rf_batch *const *batches, size_t count)
{
    (void)batches;
    (void)count;
    int *calls = context;
    return ++*calls % 3 == 0;
}

static void a_stage_that_pauses_is_called_again_before_a_step(void)
{
    rf_batch *batches[TYPES];
    create_batches(batches, 2);
    record before = {.agreed = true}, after = {.agreed = true};
    int calls = 0;
    const rf_world_stage stages[] = {
        {5, note_tick, &before}, {5, pause_twice, &calls}, {5, note_tick, &after}};
    rf_world_run run = {stages, 3, 0};
    ENSURE(rf_world_lock(batches, TYPES) == RF_OK);
    ENSURE(rf_world_step_locked(batches, TYPES, &run, 7) == 0 && before.runs == 1 && after.runs == 0);
    ENSURE(rf_world_step_locked(batches, TYPES, &run, 7) == 0 && rf_batch_tick(batches[0]) == 0);
    ENSURE(rf_world_step_locked(batches, TYPES, &run, 7) == 5 && calls == 4);
    ENSURE(rf_world_step_locked(batches, TYPES, &run, 2) == 0);
    ENSURE(rf_world_step_locked(batches, TYPES, &run, 2) == 2);
    ENSURE(!rf_world_refresh_locked(batches, TYPES, &run) && !rf_world_refresh_locked(batches, TYPES, &run));
    ENSURE(rf_world_refresh_locked(batches, TYPES, &run) && rf_batch_tick(batches[0]) == 7);
    rf_world_unlock(batches, TYPES);
    ENSURE(before.runs == 3 && after.runs == 3 && calls == 9);
    destroy_batches(batches);
}

static void a_busy_batch_or_another_clock_stops_all_batches(void)
{
    rf_batch *batches[TYPES];
    create_batches(batches, 1);
    ENSURE(rf_batch_claim(batches[1]) == RF_OK);
    ENSURE(rf_world_step(batches, TYPES, NULL, 0, 5) == RF_BUSY);
    rf_batch_unclaim(batches[1]);
    for (int i = 0; i < TYPES; i++) ENSURE(rf_batch_tick(batches[i]) == 0);

    ENSURE(rf_batch_set_tick(batches[2], 7) == RF_OK);
    ENSURE(rf_world_step(batches, TYPES, NULL, 0, 5) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_tick(batches[0]) == 0 && rf_batch_tick(batches[2]) == 7);
    const rf_world_stage never = {0, note_tick, NULL};
    ENSURE(rf_world_step(batches, 1, &never, 1, 5) == RF_BAD_ARGUMENT);
    ENSURE(rf_world_step(batches, 0, NULL, 0, 5) == RF_OK);
    ENSURE(rf_world_step(batches, 2, NULL, 0, 5) == RF_OK); /* all were unlocked */
    destroy_batches(batches);
}

static void the_same_batch_twice_is_refused(void)
{
    rf_batch *batches[TYPES];
    create_batches(batches, 1);
    rf_batch *const twice[] = {batches[0], batches[1], batches[0]};
    ENSURE(rf_world_step(twice, 3, NULL, 0, 5) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_tick(batches[0]) == 0 && rf_batch_tick(batches[1]) == 0);
    ENSURE(rf_batch_step(batches[0], 1) == RF_OK);
    destroy_batches(batches);
}

TEST_SUITE(world)
{
    RUN(batches_step_as_they_do_alone);
    RUN(world_stages_run_at_their_periods_with_all_batches_at_one_tick);
    RUN(values_written_by_a_world_stage_act_on_the_step);
    RUN(a_stage_that_pauses_is_called_again_before_a_step);
    RUN(a_busy_batch_or_another_clock_stops_all_batches);
    RUN(the_same_batch_twice_is_refused);
}
