/* SPDX-License-Identifier: BSD-3-Clause */
/* Readers beside a thread that steps: both go on, no read is of a half written batch, and after a fork nobody waits for
 * a thread that does not exist. */
#define _GNU_SOURCE
#include "batch/access.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/platform.h"
#include "batch/pool.h"
#include "fleet.h"
#include "test.h"
#include "world/world.h"

enum { VALUES = 64, READERS = 3 };

typedef struct shared_values {
    rf_access access;
    int values[VALUES]; /* plain and all equal: TSan detects an access without a turn */
    atomic_bool stop;
    atomic_int reads, torn;
} shared_values;

static void *read_often(void *context)
{
    shared_values *s = context;
    while (!atomic_load(&s->stop)) {
        if (!rf_access_begin_read(&s->access)) continue;
        for (int i = 1; i < VALUES; i++) atomic_fetch_add(&s->torn, s->values[i] != s->values[0]);
        rf_access_end_read(&s->access);
        atomic_fetch_add(&s->reads, 1);
    }
    return NULL;
}

/* Every reader reads between two turns of a writer that pauses for nothing else, and every turn begins. */
static void readers_and_a_writer_take_turns(void)
{
    shared_values s = {.stop = false};
    rf_access_init(&s.access);
    pthread_t readers[READERS];
    ENSURE(rf_access_claim(&s.access));
    for (int i = 0; i < READERS; i++) ENSURE(pthread_create(&readers[i], NULL, read_often, &s) == 0);
    int turns = 0;
    double end = rf_seconds() + 20;
    while ((turns < 2000 || atomic_load(&s.reads) < 300) && rf_seconds() < end) {
        rf_access_begin_write(&s.access);
        turns++;
        for (int i = 0; i < VALUES; i++) s.values[i] = turns;
        rf_access_end_write(&s.access);
    }
    atomic_store(&s.stop, true);
    rf_access_unclaim(&s.access);
    for (int i = 0; i < READERS; i++) pthread_join(readers[i], NULL);
    ENSURE(turns >= 2000);
    ENSURE(atomic_load(&s.reads) >= 300);
    ENSURE(atomic_load(&s.torn) == 0);
}

typedef struct step_beside {
    rf_batch *batches[2];
    atomic_bool stop;
    atomic_int failed;
    int reads;
} step_beside;

static void *read_outputs_and_snapshots(void *context)
{
    step_beside *b = context;
    size_t sizes[2];
    void *bytes[2];
    for (int i = 0; i < 2; i++) {
        sizes[i] = rf_batch_snapshot_size(b->batches[i]);
        bytes[i] = malloc(sizes[i]);
    }
    size_t width = (size_t)rf_vehicle_role_width(rf_batch_type(b->batches[0]), RF_ROLE_OUTPUT);
    size_t stride = rf_batch_stride(b->batches[0]) * sizeof(double);
    void *out = rf_aligned_alloc(64, width * stride);
    for (; !atomic_load(&b->stop); b->reads++) {
        uint64_t ticks[2];
        bool ok = rf_batch_output(b->batches[0], out) == RF_OK &&
                  rf_world_save(b->batches, 2, bytes, sizes) == RF_OK;
        for (int i = 0; i < 2; i++) {
            ok = ok && rf_batch_check_snapshot(b->batches[i], bytes[i], sizes[i], &ticks[i]) == RF_OK;
        }
        atomic_fetch_add(&b->failed, !ok || ticks[0] != ticks[1]);
    }
    rf_aligned_free(out);
    for (int i = 0; i < 2; i++) free(bytes[i]);
    return NULL;
}

static void a_reader_never_makes_a_step_fail_and_sees_all_batches_at_one_tick(void)
{
    step_beside b = {.batches = {tumbling(many(2)), tumbling(many(1))}};
    pthread_t reader;
    ENSURE(pthread_create(&reader, NULL, read_outputs_and_snapshots, &b) == 0);
    for (int i = 0; i < 300; i++) ENSURE(rf_world_step(b.batches, 2, NULL, 0, 3) == RF_OK);
    atomic_store(&b.stop, true);
    pthread_join(reader, NULL);
    ENSURE(b.reads > 0);
    ENSURE(atomic_load(&b.failed) == 0);
    ENSURE(rf_batch_tick(b.batches[0]) == 900);
    for (int i = 0; i < 2; i++) rf_batch_destroy(b.batches[i]);
}

static bool ends_well(pid_t pid)
{
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void a_child_forgets_readers_and_refuses_what_is_half_written(void)
{
    rf_access read = {0}, written = {0};
    rf_access_init(&read);
    rf_access_init(&written);
    ENSURE(rf_access_begin_read(&read));
    ENSURE(rf_access_claim(&written));
    rf_access_begin_write(&written);
    pid_t pid = fork();
    if (pid == 0) {
        bool refused = !rf_access_begin_read(&written) && !rf_access_claim(&written);
        bool claimed = rf_access_claim(&read);
        rf_access_begin_write(&read); /* does not wait for the reader of the parent */
        rf_access_end_write(&read);
        rf_access_unclaim(&read);
        _exit(refused && claimed && rf_access_begin_read(&read) ? 0 : 1);
    }
    ENSURE(ends_well(pid));
    rf_access_end_read(&read);
    rf_access_end_write(&written);
    rf_access_unclaim(&written);
    ENSURE(rf_access_begin_read(&written));
}

TEST_SUITE(access)
{
    RUN(readers_and_a_writer_take_turns);
    RUN(a_reader_never_makes_a_step_fail_and_sees_all_batches_at_one_tick);
    RUN(a_child_forgets_readers_and_refuses_what_is_half_written);
    rf_pool_stop();
}
