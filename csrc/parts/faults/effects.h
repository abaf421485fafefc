/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fault does to one vehicle: changes of the columns that faults/held.h reads, one function per place. */
#ifndef RF_PARTS_FAULTS_EFFECTS_H
#define RF_PARTS_FAULTS_EFFECTS_H

#include "parts/faults/held.h"

/* One fault at present. */
typedef struct fault {
    uint32_t kind, items;
    real share;   /* of it that acts, over 0 */
    real elapsed; /* s, since its onset */
    real value[FAULT_VALUES];
} fault;

/* A vehicle of a block. */
typedef struct faulty {
    const block *b;
    size_t vehicle; /* of the block */
} faulty;

#define FAULTY_ROW(v, name, row) (FAULTS_COLUMN((v)->b, name) + (size_t)(row) * (v)->b->stride + (v)->vehicle)
#define FAULTY_WORD(v, name, row)                                                                            \
    (FAULTS_WORD((v)->b, name) + (size_t)(row) * (v)->b->word_stride + (v)->vehicle)

#define NO_LIMIT ((real)1e30)

LANE_INLINE void faults_set_row(const faulty *v, real *first, int rows, real value)
{
    for (int i = 0; i < rows; i++) first[(size_t)i * v->b->stride] = value;
}

/* Nothing is wrong. */
LANE_INLINE void faults_clear_effects(const faulty *v)
{
    faults_set_row(v, FAULTY_ROW(v, command_factor, 0), WIDTH_per_command, 1);
    faults_set_row(v, FAULTY_ROW(v, command_offset, 0), WIDTH_per_command, 0);
    faults_set_row(v, FAULTY_ROW(v, command_minimum, 0), WIDTH_per_command, -NO_LIMIT);
    faults_set_row(v, FAULTY_ROW(v, command_maximum, 0), WIDTH_per_command, NO_LIMIT);
    faults_set_row(v, FAULTY_ROW(v, command_noise, 0), WIDTH_per_command, 0);
    faults_set_row(v, FAULTY_ROW(v, effect_left, 0), WIDTH_per_command, 1);
    faults_set_row(v, FAULTY_ROW(v, sensed_offset, 0), WIDTH_per_faulty_axis, 0);
    faults_set_row(v, FAULTY_ROW(v, sensed_factor, 0), WIDTH_per_faulty_sensor, 1);
    faults_set_row(v, FAULTY_ROW(v, noise_factor, 0), WIDTH_per_faulty_sensor, 1);
    faults_set_row(v, FAULTY_ROW(v, noise_added, 0), WIDTH_per_faulty_sensor, 0);
    faults_set_row(v, FAULTY_ROW(v, fault_wind, 0), 3, 0);
    *FAULTY_WORD(v, sensors_frozen, 0) = *FAULTY_WORD(v, sensors_dropped, 0) = 0;
}

LANE_INLINE real fault_root(real square)
{
    return (real)__builtin_sqrt((double)square);
}

/* A factor of which a share acts. */
LANE_INLINE real fault_factor(const fault *f, real factor)
{
    return (1 - f->share) + f->share * factor;
}

LANE_INLINE void fault_of_actuator(const faulty *v, const fault *f, int i)
{
    real *factor = FAULTY_ROW(v, command_factor, i), *offset = FAULTY_ROW(v, command_offset, i);
    real *minimum = FAULTY_ROW(v, command_minimum, i), *maximum = FAULTY_ROW(v, command_maximum, i);
    real *noise = FAULTY_ROW(v, command_noise, i);
    real added;
    switch (f->kind) {
    case FAULT_MOTOR:
        *factor *= fault_factor(f, f->value[0]);
        break;
    case FAULT_PROPELLER:
        *FAULTY_ROW(v, effect_left, i) *= fault_factor(f, f->value[0]);
        break;
    case FAULT_ACTUATOR_BIAS:
        *offset += f->share * f->value[0];
        break;
    case FAULT_ACTUATOR_LIMITS:
        if (f->value[0] > *minimum) *minimum = f->value[0];
        if (f->value[1] < *maximum) *maximum = f->value[1];
        break;
    case FAULT_ACTUATOR_JITTER:
        added = f->share * f->value[0];
        *noise = fault_root(*noise * *noise + added * added);
        break;
    default:
        break;
    }
}

/* After all others: whatever they do, the actuator holds the value. */
LANE_INLINE void fault_that_sticks(const faulty *v, const fault *f, int i)
{
    *FAULTY_ROW(v, command_factor, i) = *FAULTY_ROW(v, command_noise, i) = 0;
    *FAULTY_ROW(v, command_offset, i) = f->value[0];
    *FAULTY_ROW(v, command_minimum, i) = -NO_LIMIT;
    *FAULTY_ROW(v, command_maximum, i) = NO_LIMIT;
}

LANE_INLINE void fault_of_sensor(const faulty *v, const fault *f, int sensor)
{
    real *added = FAULTY_ROW(v, noise_added, sensor);
    const real grown = f->kind == FAULT_SENSOR_DRIFT ? f->elapsed : f->share;
    switch (f->kind) {
    case FAULT_SENSOR_BIAS:
    case FAULT_SENSOR_DRIFT:
        for (int axis = 0; axis < 3; axis++) {
            *FAULTY_ROW(v, sensed_offset, 3 * sensor + axis) += grown * f->value[axis];
        }
        break;
    case FAULT_SENSOR_SCALE:
        *FAULTY_ROW(v, sensed_factor, sensor) *= fault_factor(f, f->value[0]);
        break;
    case FAULT_SENSOR_NOISE:
        *FAULTY_ROW(v, noise_factor, sensor) *= fault_factor(f, f->value[0]);
        *added = fault_root(*added * *added + f->share * f->value[1] * (f->share * f->value[1]));
        break;
    case FAULT_SENSOR_FREEZE:
        *FAULTY_WORD(v, sensors_frozen, 0) |= 1u << sensor;
        break;
    case FAULT_SENSOR_DROPOUT:
        *FAULTY_WORD(v, sensors_dropped, 0) |= 1u << sensor;
        break;
    default:
        break;
    }
}

#define WAVES ((real)1e6) /* maximum number of them: a number of waves beyond it has no fraction in float32 */

/* Wind that is constant, or of waves: at a share x of their period (4 x (1 - x))^2 of it. */
LANE_INLINE void fault_of_wind(const faulty *v, const fault *f)
{
    real grown = f->share;
    if (f->kind == FAULT_GUSTS) {
        const real waves = f->elapsed / f->value[3]; /* not finite without a period */
        const real x = waves < WAVES ? waves - (real)(uint32_t)waves : 0;
        grown *= 4 * x * (1 - x) * (4 * x * (1 - x));
    }
    for (int axis = 0; axis < 3; axis++) *FAULTY_ROW(v, fault_wind, axis) += grown * f->value[axis];
}

#endif
