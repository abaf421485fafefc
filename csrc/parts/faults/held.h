/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do, as steps and sensors read it: nothing while the part is disabled.
 *
 * An actuator gets the command u' = min(max(k u + b + n, l), h) of a command u, with factor k, offset b, jitter n and
 * limits l, h.  A sensor has the scale factor, bias and standard deviation of its settings with
 *
 *     scale k,    bias + b,    sqrt((g sigma)^2 + a^2)
 *
 * A satellite receiver measures k p + c in place of its position p, and the derivative of that (effects_of_receiver.h). */
#ifndef RF_PARTS_FAULTS_HELD_H
#define RF_PARTS_FAULTS_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/faults/columns.h"
#include "parts/faults/kinds.h"

#define LONGEST_INTERVAL ((real)1e6) /* updates: a lane has 24 bits of them */

typedef lane per_fault[WIDTH_per_fault];
typedef lane fault_values[WIDTH_fault_values];
typedef lane per_command[WIDTH_per_command];
typedef lane per_faulty_sensor[WIDTH_per_faulty_sensor];
typedef lane per_sensor_clock[WIDTH_per_sensor_clock];
typedef lane per_faulty_axis[WIDTH_per_faulty_axis];
typedef lane mass_moments[WIDTH_mass_moments];
typedef lane per_faulty_link[WIDTH_per_faulty_link];
typedef lane estimate_shift[WIDTH_estimate_shift];
typedef mask fault_word[WIDTH_fault_word];
typedef mask command_word[WIDTH_command_word];
typedef mask word;

typedef struct faults {
    FAULTS_PART(COLUMN_MEMBER)
} faults;

typedef struct faults_words {
    FAULTS_PART_WORD(COLUMN_MEMBER)
} faults_words;

/* A column of the part, by the name of its first row. */
#define FAULTS_COLUMN(b, name) PART_COLUMN(b, faults, faults, name)
#define FAULTS_WORD(b, name)   PART_WORD(b, faults, faults_words, name)

/* Whether faults change a place in any vehicle of a lane; elsewhere nothing is read of it. */
LANE_INLINE int faults_are_of(const block *b, enum fault_place place)
{
    return part_enabled(b, RF_PART_faults) && (words_any_at(FAULTS_WORD(b, places_at_fault)) >> place & 1);
}

/* Actuators or sensors that faults change in any vehicle of a lane, as bits; of no other anything is read. */
LANE_INLINE lane_int actuators_at_fault(const block *b)
{
    return part_enabled(b, RF_PART_faults) ? words_any_at(FAULTS_WORD(b, actuators_at_fault)) : 0;
}

LANE_INLINE lane_int sensors_at_fault(const block *b)
{
    return part_enabled(b, RF_PART_faults) ? words_any_at(FAULTS_WORD(b, sensors_at_fault)) : 0;
}

LANE_INLINE lane faults_row(const block *b, const real *column, int row)
{
    return lane_load(column + (size_t)row * b->stride);
}

/* Share of its effect that an actuator has left. */
LANE_INLINE lane faults_effect_left(const block *b, int actuator)
{
    const int changed = actuators_at_fault(b) >> actuator & 1;
    return changed ? faults_row(b, FAULTS_COLUMN(b, effect_left), actuator) : lane_of(1);
}

/* Share of its voltage that the supply of the drives has left. */
LANE_INLINE lane faults_voltage_left(const block *b)
{
    return faults_are_of(b, FAULT_PLACE_supply) ? lane_load(FAULTS_COLUMN(b, voltage_left)) : lane_of(1);
}

/* Most charge that a battery has left, over its capacity, with a charge for a second at its nominal current. */
LANE_INLINE lane faults_charge_maximum(const block *b, lane per_second)
{
    if (!faults_are_of(b, FAULT_PLACE_supply)) return lane_of(1);
    lane lasting = lane_load(FAULTS_COLUMN(b, time_left_maximum)) * per_second;
    lasting = lane_select(per_second > 0, lasting, lane_of(1)); /* of a battery without a nominal current */
    lasting = 1 + lane_load(FAULTS_COLUMN(b, time_left_share)) * (lasting - 1);
    return lane_min(lane_load(FAULTS_COLUMN(b, charge_maximum)), lasting);
}

LANE_INLINE vec3 faults_vec3(const block *b, const real *column)
{
    vec3 v;
    rows_load((lane *)&v, 3, column, b->stride);
    return v;
}

/* `wind` with that of faults [m/s, NED], but for what the environment adds. */
LANE_INLINE vec3 faults_wind(const block *b, vec3 wind)
{
    if (!faults_are_of(b, FAULT_PLACE_air)) return wind;
    const lane deviation = lane_load(FAULTS_COLUMN(b, wind_deviation));
    const vec3 noise = scale(deviation, faults_vec3(b, FAULTS_COLUMN(b, wind_noise)));
    return add(wind, add(faults_vec3(b, FAULTS_COLUMN(b, fault_wind)), noise));
}

/* What the environment adds of faults: winds that it makes shear and turbulence of [m/s, NED]. */
typedef struct faulty_air {
    vec3 sheared, turbulent;
} faulty_air;

LANE_INLINE faulty_air faults_air(const block *b)
{
    const vec3 none = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    if (!faults_are_of(b, FAULT_PLACE_air)) return (faulty_air){none, none};
    return (faulty_air){faults_vec3(b, FAULTS_COLUMN(b, sheared_wind)),
                        faults_vec3(b, FAULTS_COLUMN(b, turbulent_wind))};
}

/* Changes the bias of an axis of a sensor, if it is one of those `at_fault`, as below. */
LANE_INLINE void faults_change_bias(const block *b, lane_int at_fault, int sensor, int axis, lane *bias)
{
    if (at_fault >> sensor & 1) *bias += faults_row(b, FAULTS_COLUMN(b, sensed_offset), 3 * sensor + axis);
}

/* Changes a scale factor of a sensor. */
LANE_INLINE void faults_change_scale(const block *b, lane_int at_fault, int sensor, lane *scale_factor)
{
    if (at_fault >> sensor & 1) *scale_factor *= faults_row(b, FAULTS_COLUMN(b, sensed_factor), sensor);
}

LANE_INLINE lane faults_noise(lane own, lane added)
{
    return lane_sqrt(own * own + added * added);
}

/* Changes a setting of the noise of a sensor, of which a sample has `unit` times as much as standard deviation. */
LANE_INLINE void faults_change_noise(const block *b, lane_int at_fault, int sensor, lane unit, lane *noise)
{
    if ((at_fault >> sensor & 1) == 0) return;
    lane own = *noise * faults_row(b, FAULTS_COLUMN(b, noise_factor), sensor);
    lane added = faults_row(b, FAULTS_COLUMN(b, noise_added), sensor) / unit;
    *noise = faults_noise(own, added);
}

/* The three axes of a sensor with scale factor, bias and noise. */
LANE_INLINE void faults_change_triad(const block *b, lane_int at_fault, int sensor, lane unit,
                                     vec3 *scale_factor, vec3 *bias, vec3 *noise)
{
    if ((at_fault >> sensor & 1) == 0) return;
    const lane factor = faults_row(b, FAULTS_COLUMN(b, sensed_factor), sensor),
               gain = faults_row(b, FAULTS_COLUMN(b, noise_factor), sensor);
    const lane added = faults_row(b, FAULTS_COLUMN(b, noise_added), sensor) / unit;
    const vec3 offset = faults_vec3(b, FAULTS_COLUMN(b, sensed_offset) + (size_t)(3 * sensor) * b->stride);
    const vec3 own = scale(gain, *noise);
    *scale_factor = scale(factor, *scale_factor);
    *bias = add(*bias, offset);
    *noise = vec3_of(faults_noise(own.x, added), faults_noise(own.y, added), faults_noise(own.z, added));
}

/* Changes the whole updates from one sample of a sensor to the next, by the number of its clock. */
LANE_INLINE mask faults_change_interval(const block *b, int clock, mask updates)
{
    if (!faults_are_of(b, FAULT_PLACE_clocks)) return updates;
    lane factor = faults_row(b, FAULTS_COLUMN(b, period_factor), clock);
    lane changed = lane_clamp(lane_of_words(updates) * factor, lane_of(1), lane_of(LONGEST_INTERVAL));
    return words_select(factor == 1, updates, words_of_lane((changed + LANE_ROUND) - LANE_ROUND));
}

/* Words of what is wrong with the estimator. */
LANE_INLINE mask faults_of_the_estimator(const block *b)
{
    if (!faults_are_of(b, FAULT_PLACE_estimator)) return words_of(mask_true(), 0);
    return words_load(FAULTS_WORD(b, estimator_faults));
}

/* Changes position and velocity that the satellite receiver measures [m, m/s, NED]. */
LANE_INLINE void faults_change_receiver(const block *b, vec3 *pos, vec3 *vel)
{
    vec3 more[2];
    if (!faults_are_of(b, FAULT_PLACE_receiver)) return;
    lane factor = lane_load(FAULTS_COLUMN(b, receiver_factor));
    rows_load((lane *)more, 6, FAULTS_COLUMN(b, receiver_pos), b->stride);
    vec3 turned = scale(lane_load(FAULTS_COLUMN(b, receiver_factor_rate)), *pos);
    *vel = add(add(scale(factor, *vel), turned), more[1]);
    *pos = add(scale(factor, *pos), more[0]);
}

/* The satellites that faults leave the receiver, of those it has. */
LANE_INLINE mask faults_satellites_left(const block *b, mask has)
{
    if (!faults_are_of(b, FAULT_PLACE_receiver)) return has;
    mask most = words_load(FAULTS_WORD(b, receiver_satellites));
    return words_select(has < most, has, most);
}

/* Where a sensor gets a new value, of where its sample is due. */
LANE_INLINE mask faults_fresh(const block *b, lane_int at_fault, int sensor, mask due)
{
    if ((at_fault >> sensor & 1) == 0) return due;
    return due & mask_not(words_have(words_load(FAULTS_WORD(b, sensors_frozen)), (lane_int)1 << sensor));
}

#endif
