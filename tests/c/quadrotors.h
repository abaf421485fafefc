/* SPDX-License-Identifier: BSD-3-Clause */
/* Quadrotors that follow commands. */
#ifndef QUADROTORS_H
#define QUADROTORS_H

#include "fleet.h"

static inline void fill_all(rf_batch *batch, const char *name, double value)
{
    int column = column_number(batch, name);
    if (column < 0) abort();
    for (int i = 0; i < rf_batch_column_row(batch, column)->width; i++) {
        if (rf_batch_fill(batch, column, i, value) != RF_OK) abort();
    }
}

/* Quadrotors of 2 kg with controllers, 20 m up. */
static inline rf_batch *quadrotors(rf_batch_def def)
{
    rf_batch *batch = NULL;
    if (rf_batch_create(&def, &batch) != RF_OK) abort();
    const struct {
        const char *name;
        double value;
    } rows[] = {{"mass", 2},
                {"gravity", 9.8},
                {"inertia", 0.02},
                {"motor_tau", 0.02},
                {"motor_max", 1},
                {"motor_curve", 800},
                {"arm_length", 0.2},
                {"thrust_coef", 1e-5},
                {"torque_coef", 1e-7},
                {"control_mass", 2},
                {"position_p", 1},
                {"velocity_p", 3},
                {"velocity_i", 1},
                {"attitude_p", 6},
                {"rate_p", 0.3},
                {"speed_limit", 5},
                {"descent_limit", 5},
                {"climb_limit", 3},
                {"accel_limit", 5},
                {"tilt_limit", 0.7},
                {"rate_limit", 3},
                {"thrust_limit", 20},
                {"mixer", 0.25},
                {"control_gravity", 9.8},
                {"control_motor_max", 1},
                {"control_motor_curve", 800},
                {"control_thrust_coef", 1e-5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) fill_all(batch, rows[i].name, rows[i].value);
    for (int i = 3; i < 6; i++) fill(batch, "inertia", i, 0);
    fill(batch, "thrust_limit", 0, 1);
    fill(batch, "att", 0, 1);
    fill(batch, "pos", 2, -20);
    if (rf_batch_enable_part(batch, RF_PART_navigator) != RF_OK ||
        rf_batch_set_controllers(batch, true) != RF_OK)
        abort();
    fill_all(batch, "takeoff_height", 10);
    fill_all(batch, "takeoff_speed", 1.5);
    fill_all(batch, "landing_speed", 0.7);
    return batch;
}

#endif
