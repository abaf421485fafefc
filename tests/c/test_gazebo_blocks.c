/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "base/setpoint.h"
#include "batch/batch.h"

/* Component k of part i of a column, of a batch of double precision. */
static double *at(rf_batch *batch, const char *name, int parts, int i, int k)
{
    size_t stride;
    char *column = rf_batch_column(batch, rf_batch_column_find(batch, name), &stride);
    return (double *)(void *)(column + (size_t)(k * parts + i) * stride);
}

static void create(rf_batch **created, double mass, double inertia)
{
    rf_batch_def def = rf_batch_default();
    def.type = rf_vehicle_type_find("blocks");
    def.n = 1;
    rf_batch *batch;
    ENSURE(rf_batch_create(&def, &batch) == RF_OK);
    *created = batch;
    *at(batch, "mass", 1, 0, 0) = mass;
    *at(batch, "gravity", 1, 0, 0) = 9.8;
    *at(batch, "att", 1, 0, 0) = 1;
    *at(batch, "pos", 1, 0, 2) = -100;
    for (int k = 0; k < 3; k++) *at(batch, "inertia", 1, 0, k) = inertia;
}

/* A motor without commands slows down exponentially: w = w_0 e^(-t / tau), of any thrust. */
static void a_disarmed_motor_slows_down(void)
{
    rf_batch *batch = NULL;
    create(&batch, 1, 0.1);
    if (batch == NULL) return;
    *at(batch, "motor_count", 1, 0, 0) = 1;
    for (int k = 0; k < 2; k++) *at(batch, "motor_lags", 8, 0, k) = 0.04;
    *at(batch, "motor_limit", 8, 0, 0) = 1000;
    *at(batch, "motor_scaling", 8, 0, 0) = 1000;
    *at(batch, "motor_axis", 8, 0, 2) = -1;
    *at(batch, "channel", 1, 0, 0) = 1;
    *at(batch, "motor_speed", 1, 0, 0) = 500;
    ENSURE(rf_batch_step(batch, 100) == RF_OK);
    ENSURE_NEAR(*at(batch, "motor_speed", 1, 0, 0), 500 * exp(-0.1 / 0.04), 1e-4);
    rf_batch_destroy(batch);
}

/* Without parts it is a body in free fall. */
static void a_body_without_parts_falls(void)
{
    rf_batch *batch = NULL;
    create(&batch, 2, 0.1);
    if (batch == NULL) return;
    ENSURE(rf_batch_step(batch, 1000) == RF_OK);
    ENSURE_NEAR(*at(batch, "vel", 1, 0, 2), 9.8, 1e-9);
    ENSURE_NEAR(*at(batch, "pos", 1, 0, 2), -100 + 4.9, 1e-9);
    rf_batch_destroy(batch);
}

/* One wing that carries: L = m g at the speed where rho v^2 / 2 S cla a0 = m g; without drag it keeps its height. */
static void a_wing_carries_its_weight(void)
{
    rf_batch *batch = NULL;
    create(&batch, 1.5, 1e9);
    if (batch == NULL) return;
    *at(batch, "surface_count", 1, 0, 0) = 1;
    *at(batch, "surface_forward", 8, 0, 0) = 1;
    *at(batch, "surface_upward", 8, 0, 2) = -1;
    *at(batch, "surface_area", 8, 0, 0) = 0.5;
    *at(batch, "surface_density", 8, 0, 0) = 1.2;
    *at(batch, "surface_zero_lift", 8, 0, 0) = 0.1;
    *at(batch, "surface_stall", 8, 0, 0) = 0.3;
    *at(batch, "surface_lift", 8, 0, 0) = 5;
    *at(batch, "surface_joint", 8, 0, 0) = -1;
    *at(batch, "vel", 1, 0, 0) = sqrt(1.5 * 9.8 / (0.5 * 1.2 * 0.5 * 5 * 0.1));
    ENSURE(rf_batch_step(batch, 1000) == RF_OK);
    ENSURE_NEAR(*at(batch, "pos", 1, 0, 2), -100, 1e-9);
    rf_batch_destroy(batch);
}

/* A vehicle that hovers on one motor, and one without gains, whose channels stay: both have set-points. */
static void controllers_leave_channels_of_others_alone(void)
{
    for (int hovers = 0; hovers < 2; hovers++) {
        rf_batch *batch = NULL;
        create(&batch, 1, 0.1);
        if (batch == NULL) return;
        *at(batch, "motor_count", 1, 0, 0) = 1;
        *at(batch, "motor_thrust", 8, 0, 0) = 4e-5;
        *at(batch, "motor_scaling", 8, 0, 0) = 1000;
        *at(batch, "motor_channel", 8, 0, 0) = 3;
        *at(batch, "control_motor_count", 1, 0, 0) = 1;
        *at(batch, "control_motor_thrust", 8, 0, 0) = 4e-5;
        *at(batch, "control_motor_scaling", 8, 0, 0) = 1000;
        *at(batch, "control_motor_channel", 8, 0, 0) = 3;
        *at(batch, "control_mass", 1, 0, 0) = hovers;
        *at(batch, "motor_mixer", 8, 0, 0) = 1;
        *at(batch, "motor_ceiling", 8, 0, 0) = 40;
        *at(batch, "thrust_limit", 1, 0, 1) = 40;
        *at(batch, "thrust_sp", 1, 0, 0) = 0.25;
        *at(batch, "channel", 1, 0, 3) = 0.125;
        rf_batch_fill(batch, rf_batch_column_find(batch, "armed"), 0, 1);
        rf_batch_fill(batch, rf_batch_column_find(batch, "setpoint_mask"), 0,
                      RF_SETPOINT_BODY_RATE | RF_SETPOINT_THRUST);
        rf_batch_set_controllers(batch, true);
        ENSURE(rf_batch_step(batch, 10) == RF_OK);
        /* a quarter of 40 N by 4e-5 w^2: w = 500 */
        ENSURE_NEAR(*at(batch, "channel", 1, 0, 3), hovers ? 0.5 : 0.125, 1e-12);
        rf_batch_destroy(batch);
    }
}

TEST_SUITE(gazebo_blocks)
{
    RUN(a_disarmed_motor_slows_down);
    RUN(a_body_without_parts_falls);
    RUN(a_wing_carries_its_weight);
    RUN(controllers_leave_channels_of_others_alone);
}
