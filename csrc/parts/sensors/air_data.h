/* SPDX-License-Identifier: BSD-3-Clause */
/* Barometer with thermometer, and pitot tube: models/air_data.h in the environment's air, with bias and noise. */
#ifndef RF_PARTS_SENSORS_AIR_DATA_H
#define RF_PARTS_SENSORS_AIR_DATA_H

#include "models/air_data.h"
#include "parts/environment/held.h"
#include "parts/late_samples/late_samples.h"
#include "parts/sensors/pose.h"
#include "parts/sensors/random.h"

/* Velocity relative to the air [m/s, FRD]. */
LANE_INLINE vec3 sensors_air_velocity(const sensors_truth *truth)
{
    return to_body(truth->att, sub(truth->vel, truth->wind));
}

LANE_INLINE void sensors_sample_barometer(const block *b, const sensors_truth *truth,
                                          const random_block *random, mask due)
{
    sensors_barometer s;
    lane noise[2];
    SENSORS_LOAD(&s, b, barometer_noise);
    faults_change_noise(b, truth->at_fault, FAULTY_BAROMETER, lane_of(1), &s.barometer_noise);
    faults_change_bias(b, truth->at_fault, FAULTY_BAROMETER, 0, &s.barometer_bias);
    sensors_noise(random, 3, s.barometer_noise, s.temperature_noise, noise);
    air here = environment_air_here(b);
    lane port =
        air_data_static(here.pressure, here.density, sensors_air_velocity(truth), s.barometer_airspeed);
    sensors_air_by_pose(b, truth, &port, &here.temperature);
    faults_change_scale(b, truth->at_fault, FAULTY_BAROMETER, &port);
    lane drift = lane_load(SENSORS_COLUMN(b, barometer_drift));
    lane measured[2] = {port + (s.barometer_bias + drift + noise[0]),
                        here.temperature + (s.temperature_bias + noise[1])};
    late_change(b, FAULTY_BAROMETER, sensors_period(b, SENSORS_CLOCK_BAROMETER), due, measured);
    s.barometer_pressure = measured[0];
    s.barometer_height = atmosphere_pressure_altitude(s.barometer_pressure);
    s.barometer_temperature = measured[1];
    const mask fresh = faults_fresh(b, truth->at_fault, FAULTY_BAROMETER, due);
    SENSORS_STORE(&s, b, barometer_pressure, fresh);
    SENSORS_STORE(&s, b, barometer_height, fresh);
    SENSORS_STORE(&s, b, barometer_temperature, fresh);
    sensors_count(SENSORS_WORD(b, barometer_updates), due);
}

LANE_INLINE void sensors_sample_airspeed(const block *b, const sensors_truth *truth,
                                         const random_block *random, mask due)
{
    sensors_airspeed s;
    lane noise[2];
    SENSORS_LOAD(&s, b, airspeed_noise);
    faults_change_noise(b, truth->at_fault, FAULTY_AIRSPEED, lane_of(1), &s.airspeed_noise);
    faults_change_bias(b, truth->at_fault, FAULTY_AIRSPEED, 0, &s.airspeed_bias);
    sensors_noise(random, 2, s.airspeed_noise, lane_of(0), noise);
    lane tube = air_data_differential(environment_air_here(b).density, sensors_air_velocity(truth).x);
    faults_change_scale(b, truth->at_fault, FAULTY_AIRSPEED, &tube);
    s.differential_pressure = tube + (s.airspeed_bias + noise[0]);
    const lane period = sensors_period(b, SENSORS_CLOCK_AIRSPEED);
    late_change(b, FAULTY_AIRSPEED, period, due, &s.differential_pressure);
    s.indicated_airspeed = air_data_indicated(s.differential_pressure);
    const mask fresh = faults_fresh(b, truth->at_fault, FAULTY_AIRSPEED, due);
    SENSORS_STORE(&s, b, differential_pressure, fresh);
    SENSORS_STORE(&s, b, indicated_airspeed, fresh);
    sensors_count(SENSORS_WORD(b, airspeed_updates), due);
}

#endif
