/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches without Python: layout, stepping by several threads at once, snapshots, faults of single vehicles. */
#include "batch/batch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch/pool.h"
#include "fleet.h"
#include "test.h"

static void columns_are_aligned_and_apart(void)
{
    for (int type = 0; type < rf_vehicle_type_count(); type++) {
        rf_batch_def def = rf_batch_default();
        def.type = type;
        def.n = 5;
        rf_batch *batch;
        ENSURE(rf_batch_create(&def, &batch) == RF_OK);
        const rf_vehicle_type *table = rf_batch_type(batch);
        char *end = NULL;
        for (int i = 0; i < table->column_count; i++) {
            if (table->columns[i].role == RF_ROLE_OUTPUT) continue;
            size_t stride;
            char *start = rf_batch_column(batch, i, &stride);
            if (start == NULL) continue; /* the navigator is disabled */
            ENSURE((uintptr_t)start % 64 == 0);
            ENSURE(stride % 64 == 0 && stride / 64 % 2 == 1);
            ENSURE(end == NULL || start >= end);
            end = start + table->columns[i].width * stride;
        }
        rf_batch_destroy(batch);
    }
}

static void all_columns_are_found(void)
{
    rf_batch_def def = rf_batch_default();
    rf_batch *batch;
    ENSURE(rf_batch_create(&def, &batch) == RF_OK);
    for (int i = 0; i < rf_batch_column_count(batch); i++) {
        ENSURE(rf_batch_column_find(batch, rf_batch_column_row(batch, i)->name) == i);
    }
    ENSURE(rf_batch_column_find(batch, "none") == -1);
    rf_batch_destroy(batch);
}

/* So that nobody who keeps their addresses has those of another batch, at whose place in memory this one may be. */
static void columns_have_a_version_of_their_own(void)
{
    rf_batch_def def = rf_batch_default();
    uint64_t last = 0;
    for (int i = 0; i < 3; i++) {
        rf_batch *batch;
        ENSURE(rf_batch_create(&def, &batch) == RF_OK);
        ENSURE(rf_batch_columns_version(batch) > last);
        last = rf_batch_columns_version(batch);
        ENSURE(rf_batch_enable_part(batch, RF_PART_collision) == RF_OK);
        ENSURE(rf_batch_columns_version(batch) > last);
        last = rf_batch_columns_version(batch);
        ENSURE(rf_batch_enable_part(batch, RF_PART_collision) == RF_OK);
        ENSURE(rf_batch_columns_version(batch) == last);
        rf_batch_destroy(batch);
    }
}

static void wrong_definitions_are_refused(void)
{
    rf_batch *batch = NULL;
    rf_batch_def wrong[12];
    for (int i = 0; i < 12; i++) wrong[i] = rf_batch_default();
    wrong[0].type = rf_vehicle_type_count();
    wrong[1].type = -1;
    wrong[2].n = 0;
    wrong[3].n = RF_MAXIMUM_VEHICLES + 1;
    wrong[4].precision = RF_PRECISION_COUNT;
    wrong[5].integrator = -1;
    wrong[6].effects = RF_EFFECTS_COUNT;
    wrong[7].dt = 0;
    wrong[8].dt = NAN;
    wrong[9].dt = 1.5;
    wrong[10].threads = 0;
    wrong[11].simd = NULL;
    for (int i = 0; i < 12; i++) ENSURE(rf_batch_create(&wrong[i], &batch) == RF_BAD_ARGUMENT);
    ENSURE(batch == NULL);
    rf_batch_destroy(NULL);
}

/* Runs every kernel of the library once: for the sanitizers, and to find NaN. */
static void every_kernel_steps(void)
{
    for (const rf_simd *const *simd = rf_simd_available(); *simd != NULL; simd++) {
        for (int k = 0; k < rf_vehicle_type_count() * 8; k++) {
            rf_batch_def def = rf_batch_default();
            def.simd = *simd;
            def.type = k / 8;
            def.precision = k & 1;
            def.integrator = k >> 1 & 1;
            def.effects = k >> 2 & 1;
            def.n = 19;
            if (def.effects == RF_EFFECTS_PLAIN && !rf_vehicle_type_at(def.type)->plain) continue;
            rf_batch *batch = tumbling(def);
            for (int controllers = 0; controllers < 2; controllers++) {
                rf_batch_set_controllers(batch, controllers);
                ENSURE(rf_batch_step(batch, 23) == RF_OK);
            }
            const uint32_t *status = words(batch, "status");
            for (size_t i = 0; i < def.n; i++) ENSURE(status[i] == 0);
            size_t width = (size_t)rf_vehicle_role_width(rf_batch_type(batch), RF_ROLE_OUTPUT);
            void *out = aligned_alloc(64, width * rf_batch_stride(batch) * 8);
            ENSURE(out != NULL && rf_batch_output(batch, out) == RF_OK);
            free(out);
            rf_batch_destroy(batch);
        }
    }
}

static void a_free_fall_is_exact(void)
{
    rf_batch_def def = rf_batch_default();
    rf_batch *batch = tumbling(def);
    for (int i = 0; i < 3; i++) fill(batch, "drag_quadratic", i, 0);
    fill(batch, "motor_curve", 1, 0);
    ENSURE(rf_batch_step(batch, 1000) == RF_OK);
    ENSURE_NEAR(values(batch, "pos", 2)[0], 4.9, 1e-12);
    ENSURE_NEAR(values(batch, "vel", 2)[0], 9.8, 1e-12);
    ENSURE(rf_batch_tick(batch) == 1000);
    rf_batch_destroy(batch);
}

static void threads_give_the_same_bits(void)
{
    rf_batch *alone = tumbling(many(1)), *shared = tumbling(many(4));
    for (int controllers = 0; controllers < 2; controllers++) {
        rf_batch_set_controllers(alone, controllers);
        rf_batch_set_controllers(shared, controllers);
        for (int i = 0; i < 20; i++) {
            ENSURE(rf_batch_step(alone, 7) == RF_OK);
            ENSURE(rf_batch_step(shared, 7) == RF_OK);
        }
    }
    ENSURE(same_bytes(alone, shared));
    rf_batch_destroy(alone);
    rf_batch_destroy(shared);
}

static void *step_often(void *batch)
{
    for (int i = 0; i < 50; i++) {
        if (rf_batch_step(batch, 4) != RF_OK) return batch;
    }
    return NULL;
}

static void two_batches_step_in_two_threads(void)
{
    rf_batch *batches[3];
    for (int i = 0; i < 3; i++) batches[i] = tumbling(many(i < 2 ? 3 : 1));
    pthread_t threads[2];
    void *failed[2];
    for (int i = 0; i < 2; i++) ENSURE(pthread_create(&threads[i], NULL, step_often, batches[i]) == 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], &failed[i]);
    ENSURE(failed[0] == NULL && failed[1] == NULL);
    ENSURE(step_often(batches[2]) == NULL);
    ENSURE(same_bytes(batches[0], batches[2]));
    ENSURE(same_bytes(batches[1], batches[2]));
    for (int i = 0; i < 3; i++) rf_batch_destroy(batches[i]);
}

typedef struct rival {
    rf_batch *batch;
    atomic_bool stop;
    atomic_int steps, refused;
} rival;

static void *compete(void *context)
{
    rival *r = context;
    while (!atomic_load(&r->stop)) {
        rf_status status = rf_batch_step(r->batch, 1);
        atomic_fetch_add(status == RF_OK ? &r->steps : &r->refused, 1);
    }
    return NULL;
}

/* The second thread gets RF_BUSY and accesses nothing; TSan would detect an access. */
static void one_batch_is_used_by_one_thread_at_a_time(void)
{
    rf_batch *batch = tumbling(many(2));
    rival r = {.batch = batch};
    void *bytes = malloc(rf_batch_snapshot_size(batch));
    pthread_t other;
    ENSURE(pthread_create(&other, NULL, compete, &r) == 0);
    int steps = 0, refused = 0;
    for (int i = 0; (refused < 20 || i < 200) && i < 2000000; i++) {
        rf_status status = i % 3 ? rf_batch_step(batch, 1) : rf_batch_save(batch, bytes);
        steps += i % 3 && status == RF_OK;
        refused += status == RF_BUSY;
    }
    atomic_store(&r.stop, true);
    pthread_join(other, NULL);
    ENSURE(refused > 0);
    ENSURE(rf_batch_tick(batch) == (uint64_t)(steps + atomic_load(&r.steps)));
    free(bytes);
    rf_batch_destroy(batch);
}

static void a_snapshot_goes_round(void)
{
    rf_batch *batch = tumbling(many(2)), *other = tumbling(many(1));
    rf_batch_def larger = many(1);
    larger.n++;
    rf_batch *unlike = tumbling(larger);
    size_t size = rf_batch_snapshot_size(batch);
    char *bytes = malloc(size);
    ENSURE(rf_batch_step(batch, 30) == RF_OK && rf_batch_save(batch, bytes) == RF_OK);
    ENSURE(!same_bytes(batch, other));
    uint64_t tick;
    ENSURE(rf_batch_check_snapshot(other, bytes, size, &tick) == RF_OK && tick == 30);
    ENSURE(rf_batch_check_snapshot(unlike, bytes, size, &tick) == RF_BAD_SNAPSHOT);
    ENSURE(rf_batch_tick(other) == 0 && rf_batch_set_tick(other, RF_MAXIMUM_TICK + 1) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_restore(other, bytes, size) == RF_OK);
    ENSURE(rf_batch_step(batch, 30) == RF_OK && rf_batch_step(other, 30) == RF_OK);
    ENSURE(same_bytes(batch, other));
    ENSURE(rf_batch_restore(other, bytes, size - 1) == RF_BAD_SNAPSHOT);
    ENSURE(rf_batch_restore(unlike, bytes, size) == RF_BAD_SNAPSHOT);
    bytes[0] ^= 1;
    ENSURE(rf_batch_restore(other, bytes, size) == RF_BAD_SNAPSHOT);
    ENSURE(same_bytes(batch, other));
    free(bytes);
    rf_batch_destroy(batch);
    rf_batch_destroy(other);
    rf_batch_destroy(unlike);
}

static void one_invalid_vehicle_is_flagged_alone(void)
{
    rf_batch *batch = tumbling(many(2)), *healthy = tumbling(many(2));
    values(batch, "vel", 1)[333] = NAN;
    ENSURE(rf_batch_step(batch, 20) == RF_OK && rf_batch_step(healthy, 20) == RF_OK);
    const uint32_t *status = words(batch, "status");
    for (size_t i = 0; i < MANY; i++) {
        ENSURE((status[i] == RF_VEHICLE_NOT_FINITE) == (i == 333));
        ENSURE(i == 333 || values(batch, "pos", 2)[i] == values(healthy, "pos", 2)[i]);
    }
    rf_batch_destroy(batch);
    rf_batch_destroy(healthy);
}

/* Kernels flush denormals to zero; the arithmetic of their caller must not. */
static void the_callers_arithmetic_is_left_alone(void)
{
    volatile double tiny = 1e-310;
    rf_batch *batch = tumbling(many(3));
    ENSURE(rf_batch_step(batch, 10) == RF_OK);
    ENSURE(tiny * 0.5 > 0);
    rf_batch_destroy(batch);
}

static void a_forked_child_steps_its_batches(void)
{
    rf_batch *batch = tumbling(many(3)), *expected = tumbling(many(1));
    ENSURE(rf_batch_step(batch, 10) == RF_OK && rf_batch_step(expected, 20) == RF_OK);
    pid_t pid = fork();
    if (pid == 0) _exit(rf_batch_step(batch, 10) == RF_OK && same_bytes(batch, expected) ? 0 : 1);
    int status = -1;
    ENSURE(pid > 0 && waitpid(pid, &status, 0) == pid);
    ENSURE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ENSURE(rf_batch_step(batch, 10) == RF_OK && same_bytes(batch, expected));
    rf_batch_destroy(batch);
    rf_batch_destroy(expected);
}

TEST_SUITE(batch)
{
    RUN(columns_are_aligned_and_apart);
    RUN(all_columns_are_found);
    RUN(columns_have_a_version_of_their_own);
    RUN(wrong_definitions_are_refused);
    RUN(every_kernel_steps);
    RUN(a_free_fall_is_exact);
    RUN(threads_give_the_same_bits);
    RUN(two_batches_step_in_two_threads);
    RUN(one_batch_is_used_by_one_thread_at_a_time);
    RUN(a_snapshot_goes_round);
    RUN(one_invalid_vehicle_is_flagged_alone);
    RUN(the_callers_arithmetic_is_left_alone);
    RUN(a_forked_child_steps_its_batches);
    rf_pool_stop();
}
