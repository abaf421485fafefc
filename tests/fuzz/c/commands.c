/* SPDX-License-Identifier: BSD-3-Clause */
/* RflySim's inputs inSILInts and inSILFloats, which the core decodes: quadrotors, each of which gets an input. */
#include "base/sil.h"

#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "quadrotors.h"

enum { VEHICLES = 64, STEPS = 2, ROUNDS = 100 };

static rf_batch *batch;
static uint32_t *ints[SIL_INTS];
static double *floats[SIL_FLOATS];
static int vehicle, rounds;
static void *start; /* where they begin anew after some rounds */
static size_t size;

static uint32_t make_int(fuzz_random *random, int component)
{
    uint64_t drawn = fuzz_draw(random);
    uint32_t word = (uint32_t)drawn & (uint32_t)(drawn >> 32);
    if (fuzz_one_in(random, 8)) fuzz_number(random, &word, sizeof word);
    if (component == SIL_INT_COMMAND && !fuzz_one_in(random, 8)) {
        word = (word & SIL_COMMAND_KNOWN) | SIL_COMMAND_ENABLE | SIL_COMMAND_ARMED | SIL_COMMAND_SIL;
    }
    if (component == SIL_INT_OFFBOARD && !fuzz_one_in(random, 8)) word &= SIL_OFFBOARD_KNOWN;
    return word;
}

/* A number of some metres, or any; those of packets are floats. */
static float make_float(fuzz_random *random)
{
    float number = (float)fuzz_below(random, 2001) * 0.05f - 50;
    if (fuzz_one_in(random, 8)) fuzz_number(random, &number, sizeof number);
    return number;
}

/* State and set-points are finite. */
static void check(void)
{
    static const char *const names[] = {
        "pos", "vel", "att", "rate", "pos_sp", "vel_sp", "att_sp", "navigator_goal", "velocity_integral"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int k = 0; k < rf_batch_column_row(batch, column_number(batch, names[i]))->width; k++) {
            const double *row = values(batch, names[i], k);
            for (int v = 0; v < VEHICLES; v++) FUZZ_ENSURE(isfinite(row[v]));
        }
    }
}

static void feed_commands(fuzz_random *random)
{
    for (int i = 0; i < SIL_INTS; i++) ints[i][vehicle] = make_int(random, i);
    for (int i = 0; i < SIL_FLOATS; i++) floats[i][vehicle] = (double)make_float(random);
    if (++vehicle < VEHICLES) return;
    vehicle = 0;
    FUZZ_ENSURE(rf_batch_accept(batch, 0, VEHICLES) == RF_OK && rf_batch_step(batch, STEPS) == RF_OK);
    check();
    if (++rounds % ROUNDS == 0) FUZZ_ENSURE(rf_batch_restore(batch, start, size) == RF_OK);
}

static void open_commands(void)
{
    rf_batch_def def = rf_batch_default();
    def.n = VEHICLES;
    def.threads = 1;
    for (int i = RF_STAGE_NAVIGATOR; i <= RF_STAGE_INNER; i++) def.periods[i] = STEPS;
    batch = quadrotors(def);
    for (int i = 0; i < SIL_INTS; i++) ints[i] = (uint32_t *)(void *)values(batch, "sil_ints", i);
    for (int i = 0; i < SIL_FLOATS; i++) floats[i] = values(batch, "sil_floats", i);
    size = rf_batch_snapshot_size(batch);
    start = malloc(size);
    if (start == NULL || rf_batch_save(batch, start) != RF_OK) abort();
    vehicle = rounds = 0;
}

static void close_commands(void)
{
    free(start);
    rf_batch_destroy(batch);
}

const fuzz_target fuzz_commands = {"commands", open_commands, feed_commands, close_commands};
