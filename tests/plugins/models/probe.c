/* SPDX-License-Identifier: BSD-3-Clause */
/* A body with one thrust and a wheel, with sensors of its own: see test_own_sensors.py. */
#include <math.h>
#include <pyrfly_model.h>
#define OWN_STATE(X) X(spin, 1, "rad/s", "", "speed of a wheel", 0)
#define OWN_PARAM(X) X(full_thrust, 1, "N", "", "thrust at full command", 40)
#define OWN_SENSOR(X)                                                                                        \
    X(felt, 3, "m/s^2", "FRD", "specific force")                                                             \
    X(spin_up, 1, "rad/s^2", "", "acceleration of the wheel", 0)                                             \
    X(lagged, 1, "1", "", "a step behind a lag", 0)                                                          \
    X(hiss, 9, "1", "", "noise", 0)                                                                          \
    X(samples, 1, "1", "", "number of samples, from 3 on", 3)
#define SHARED(X) X(mass, 1, 2) X(inertia, 6, 0.2, 0.3, 0.4, 0, 0, 0)
#include <pyrfly_columns.h>

static void derivative(const pyrfly_block *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        const double *const *s = b->state, *const *in = b->input, *const *p = b->param;
        const double a = s[PYRFLY_ATT][i], x = s[PYRFLY_ATT + 1][i], y = s[PYRFLY_ATT + 2][i],
                     z = s[PYRFLY_ATT + 3][i];
        const double wx = s[PYRFLY_RATE][i], wy = s[PYRFLY_RATE + 1][i], wz = s[PYRFLY_RATE + 2][i];
        const double lift = in[PYRFLY_COMMAND][i] * p[PARAM_OF(full_thrust)][i] / p[PYRFLY_MASS][i];
        for (int k = 0; k < 3; k++) b->derivative[PYRFLY_POS + k][i] = s[PYRFLY_VEL + k][i];
        b->derivative[PYRFLY_VEL][i] = -lift * 2 * (x * z + a * y);
        b->derivative[PYRFLY_VEL + 1][i] = -lift * 2 * (y * z - a * x);
        b->derivative[PYRFLY_VEL + 2][i] = p[PYRFLY_GRAVITY][i] - lift * (1 - 2 * (x * x + y * y));
        b->derivative[PYRFLY_ATT][i] = -0.5 * (x * wx + y * wy + z * wz);
        b->derivative[PYRFLY_ATT + 1][i] = 0.5 * (a * wx + y * wz - z * wy);
        b->derivative[PYRFLY_ATT + 2][i] = 0.5 * (a * wy - x * wz + z * wx);
        b->derivative[PYRFLY_ATT + 3][i] = 0.5 * (a * wz + x * wy - y * wx);
        for (int k = 0; k < 3; k++) b->derivative[PYRFLY_RATE + k][i] = 0;
        b->derivative[STATE_OF(spin)][i] = (100 * in[PYRFLY_COMMAND][i] - s[STATE_OF(spin)][i]) / 0.1;
    }
}

static void sense(const pyrfly_block *b)
{
    const double share = 1 - exp(-b->period / 0.05);
    for (uint32_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 3; k++) b->sensor[SENSOR_OF(felt) + k][i] = b->specific_force[k][i];
        b->sensor[SENSOR_OF(spin_up)][i] = b->derivative[STATE_OF(spin)][i];
        b->sensor[SENSOR_OF(lagged)][i] += share * (1 - b->sensor[SENSOR_OF(lagged)][i]);
        for (int k = 0; k < 9; k++) b->sensor[SENSOR_OF(hiss) + k][i] = b->noise[SENSOR_OF(hiss) + k][i];
        b->sensor[SENSOR_OF(samples)][i] += 1;
    }
}

PYRFLY_MODEL("probe", "a body with sensors", 1, derivative, NULL, NULL, NULL, sense)
