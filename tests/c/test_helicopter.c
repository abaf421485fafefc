/* SPDX-License-Identifier: BSD-3-Clause */
/* The helicopter against closed forms: servo lag, thrust of the plate, the engine's line of torque, a fall. */
#include "test.h"

#include <stdlib.h>

#include "batch/batch.h"

enum { FLEET = 5, SECOND = 1000 };

static const double MASS = 2, GRAVITY = 9.8, NOMINAL = 200, INERTIA = 0.01, STALL = 8, NO_LOAD = 260;

static void fill(rf_batch *batch, const char *name, double value)
{
    int column = rf_batch_column_find(batch, name);
    if (column < 0) abort();
    for (int i = 0; i < rf_batch_column_row(batch, column)->width; i++) {
        if (rf_batch_fill(batch, column, i, value) != RF_OK) abort();
    }
}

static void fill_row(rf_batch *batch, const char *name, int row, double value)
{
    if (rf_batch_fill(batch, rf_batch_column_find(batch, name), row, value) != RF_OK) abort();
}

static const double *row_of(rf_batch *batch, const char *name, int row)
{
    size_t stride;
    const char *start = rf_batch_column(batch, rf_batch_column_find(batch, name), &stride);
    return (const double *)(const void *)(start + (size_t)row * stride);
}

/* Helicopters high above the ground, on which nothing acts but gravity. */
static rf_batch *bare(void)
{
    rf_batch_def def = rf_batch_default();
    def.type = rf_vehicle_type_find("helicopter");
    def.n = FLEET;
    rf_batch *batch;
    if (rf_batch_create(&def, &batch) != RF_OK) abort();
    static const char *const ones[] = {"att",           "swash_arm",      "swash_rate",  "tail_tau",
                                       "tip_path_tau",  "cyclic_travel",  "stall_accel", "main_rotor_radius",
                                       "governor_tau",  "tail_authority", "swash_tau",   "tip_path_moment",
                                       "induced_factor"};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) fill(batch, ones[i], 1);
    for (int i = 1; i < 4; i++) fill_row(batch, "att", i, 0);
    for (int i = 0; i < 4; i++) fill_row(batch, "swash_angle", i, 2.0943951023931953 * i);
    for (int i = 0; i < 3; i++) fill_row(batch, "inertia", i, 0.1);
    fill(batch, "swash_count", 3);
    fill(batch, "mass", MASS);
    fill(batch, "gravity", GRAVITY);
    fill(batch, "main_rotor_inertia", INERTIA);
    fill(batch, "main_rotor_nominal", NOMINAL);
    fill(batch, "engine_speed", NO_LOAD);
    fill_row(batch, "pos", 2, -1000);
    return batch;
}

static void falls_freely_with_a_rotor_at_rest(void)
{
    rf_batch *batch = bare();
    ENSURE(rf_batch_step(batch, SECOND) == RF_OK);
    for (int i = 0; i < FLEET; i++) ENSURE_NEAR(row_of(batch, "vel", 2)[i], GRAVITY, 1e-10);
    rf_batch_destroy(batch);
}

static void servos_lag_behind_their_commands(void)
{
    rf_batch *batch = bare();
    fill(batch, "swash_tau", 0.1);
    fill(batch, "swash_rate", 1e9);
    fill(batch, "swash_command", 0.5);
    fill(batch, "tail_tau", 0.2);
    fill(batch, "tail_command", 5);
    ENSURE(rf_batch_step(batch, SECOND / 5) == RF_OK);
    for (int i = 0; i < FLEET; i++) {
        ENSURE_NEAR(row_of(batch, "swash_position", 0)[i], 0.5 * (1 - exp(-2)), 1e-9);
        ENSURE_NEAR(row_of(batch, "tail_position", 0)[i], 1 - exp(-1), 1e-9);
    }
    rf_batch_destroy(batch);
}

/* Without load the engine takes the rotor towards its speed without load: w = w_1 (1 - exp(-t Q_0 / (J w_1))). */
static void an_engine_spins_the_rotor_up_along_its_line(void)
{
    rf_batch *batch = bare();
    fill(batch, "engine_torque", STALL);
    fill(batch, "engine_throttle", 1);
    fill(batch, "governor_tau", 1e-3);
    ENSURE(rf_batch_step(batch, SECOND / 5) == RF_OK);
    double expected = NO_LOAD * (1 - exp(-0.2 * STALL / (INERTIA * NO_LOAD)));
    for (int i = 0; i < FLEET; i++) ENSURE_NEAR(row_of(batch, "main_rotor_speed", 0)[i], expected, 1e-7);
    rf_batch_destroy(batch);
}

/* The engine's torque turns the body the other way, and the governor ends at the nominal speed. */
static void the_body_gets_the_momentum_of_the_rotor(void)
{
    rf_batch *batch = bare();
    fill(batch, "engine_torque", STALL);
    fill(batch, "engine_throttle", 1);
    fill(batch, "governor_tau", 0.05);
    ENSURE(rf_batch_step(batch, 3 * SECOND) == RF_OK);
    for (int i = 0; i < FLEET; i++) {
        ENSURE_NEAR(row_of(batch, "main_rotor_speed", 0)[i], NOMINAL, 1e-3);
        double speed = row_of(batch, "main_rotor_speed", 0)[i];
        ENSURE_NEAR(row_of(batch, "rate", 2)[i], -INERTIA * speed / 0.1, 1e-6);
    }
    rf_batch_destroy(batch);
}

/* A plate at the height c has the thrust m Zc c n^2: the vehicle hangs on it. */
static void hangs_on_the_thrust_of_its_plate(void)
{
    rf_batch *batch = bare();
    fill(batch, "stall_accel", 100);
    fill(batch, "main_rotor_inertia", 1e12);
    fill(batch, "main_rotor_speed", NOMINAL / 2);
    fill(batch, "collective_travel", 2);
    fill(batch, "collective_accel", GRAVITY);
    fill(batch, "swash_position", 0.5);
    fill(batch, "swash_command", 0.5);
    ENSURE(rf_batch_step(batch, SECOND) == RF_OK);
    for (int i = 0; i < FLEET; i++) ENSURE_NEAR(row_of(batch, "vel", 2)[i], GRAVITY * (1 - 0.25), 1e-9);
    rf_batch_destroy(batch);
}

TEST_SUITE(helicopter)
{
    RUN(falls_freely_with_a_rotor_at_rest);
    RUN(servos_lag_behind_their_commands);
    RUN(an_engine_spins_the_rotor_up_along_its_line);
    RUN(the_body_gets_the_momentum_of_the_rotor);
    RUN(hangs_on_the_thrust_of_its_plate);
}
