/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the faults: what each is, its progress, and what all of them do.
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_FAULTS_COLUMNS_H
#define RF_PARTS_FAULTS_COLUMNS_H

#define FAULTS       16 /* of a vehicle at a time */
#define FAULT_VALUES 4

#define WIDTH_per_fault         FAULTS
#define WIDTH_fault_word        FAULTS
#define WIDTH_fault_values      (FAULTS * FAULT_VALUES)
#define WIDTH_per_command       16 /* of the type with the most actuators */
#define WIDTH_command_word      16
#define WIDTH_per_faulty_sensor FAULTY_SENSOR_COUNT
#define WIDTH_per_sensor_clock  (FAULTY_SENSOR_COUNT - 1) /* accelerometer and gyroscope have one */
#define WIDTH_per_faulty_axis   (3 * FAULTY_SENSOR_COUNT)
#define WIDTH_mass_moments      6
#define WIDTH_per_faulty_link   FAULTY_LINK_COUNT
#define WIDTH_estimate_shift    9 /* position, velocity, rotation */

/* clang-format off */

#define FAULTS_PART(X)                                                                                       \
    X(per_fault, fault_start, "s", "", "time since a reset of the vehicle at which each fault may begin; before the first one, simulated time")  \
    X(per_fault, fault_rate, "1/s", "", "probability per second that it begins from then on; 0: it begins then") \
    X(per_fault, fault_duration, "s", "", "time that it lasts; 0: for ever")                                 \
    X(per_fault, fault_ramp, "s", "", "time from its onset until all of it acts")                            \
    X(fault_values, fault_strength, "SI", "", "four values of each fault, by its kind")                      \
    X(per_fault, fault_onset, "s", "", "time since the reset at which each fault begins; before it is drawn, by how much that is later than `fault_start`") \
    X(per_fault, fault_share, "1", "", "how much of each fault acts at present, 0 to 1")                     \
    X(per_command, command_factor, "1", "", "factor of each actuator command by faults")                     \
    X(per_command, command_offset, "1", "", "what faults add to it")                                         \
    X(per_command, command_minimum, "1", "", "the least that faults leave of it")                            \
    X(per_command, command_maximum, "1", "", "the most")                                                     \
    X(per_command, command_noise, "1", "", "standard deviation of the white noise that faults add to it")    \
    X(per_command, command_jitter, "1", "", "that noise")                                                    \
    X(per_command, command_delay, "s", "", "time by which faults delay it")                                  \
    X(per_command, effect_left, "1", "", "share of its effect that faults leave each actuator")              \
    X(per_faulty_axis, sensed_offset, "SI", "", "what faults add to the values of each sensor")              \
    X(per_faulty_sensor, sensed_factor, "1", "", "factor of the values of each sensor by faults")            \
    X(per_faulty_sensor, noise_factor, "1", "", "factor of the noise of each sensor by faults")              \
    X(per_faulty_sensor, noise_added, "SI", "", "standard deviation of the noise that faults add to it")     \
    X(per_faulty_sensor, sensed_delay, "s", "", "how late what each sensor measures is by faults")           \
    X(per_sensor_clock, period_factor, "1", "", "factor of the period of each sensor by faults, in the order of `sensors_on`") \
    X(estimate_shift, estimate_bias, "SI", "NED, FRD", "bias of the estimate by faults: position, velocity, rotation vector") \
    X(estimate_shift, estimate_biased, "SI", "NED, FRD", "that in the output of the estimator at present")   \
    X(lane, receiver_factor, "1", "", "factor of the position that the receiver measures, by faults")        \
    X(lane, receiver_factor_rate, "1/s", "", "its derivative")                                               \
    X(vec3, receiver_pos, "m", "NED", "what faults add to that position")                                    \
    X(vec3, receiver_vel, "m/s", "NED", "what faults add to the velocity that the receiver measures")        \
    X(vec3, fault_wind, "m/s", "NED", "wind of faults")                                                      \
    X(vec3, sheared_wind, "m/s", "NED", "wind of faults at shear_height, above which its horizontal part grows") \
    X(vec3, turbulent_wind, "m/s", "NED", "wind 20 ft above ground of which faults have the turbulence")     \
    X(lane, wind_deviation, "m/s", "", "standard deviation of the noise that faults add to each component of the wind") \
    X(lane, wind_time, "s", "", "time in which that noise changes; 0: anew at every update")                 \
    X(vec3, wind_noise, "1", "NED", "that noise, over its standard deviation")                               \
    X(lane, voltage_left, "1", "", "share of its voltage that faults leave the supply of the drives")        \
    X(lane, charge_maximum, "1", "", "most of state_of_charge that faults leave")                            \
    X(lane, time_left_maximum, "s", "", "most time of nominal_current that faults leave the battery")        \
    X(lane, time_left_share, "1", "", "share of what exceeds it that faults take from the charge")           \
    X(lane, mass_left, "1", "", "share of the mass that faults leave")                                       \
    X(lane, mass_shifted, "1", "", "share of the mass that faults have moved")                               \
    X(vec3, mass_shift, "m", "FRD", "first moment of that about the former centre of mass, per mass")        \
    X(mass_moments, mass_spread, "m^2", "FRD", "its moments of inertia xx, yy, zz, xy, xz, yz there, per mass") \
    X(lane, charge_told_maximum, "1", "", "most of state_of_charge that is told of the battery")           \
    X(per_faulty_link, link_delay, "s", "", "how late what gets over each link is: sticks, ground station, set-points, telemetry") \
    X(per_faulty_link, packet_loss, "1", "", "share of the packets that gets lost on each link")

#define FAULTS_PART_WORD(X)                                                                                  \
    X(fault_word, fault_kind, "1", "", "kind of each fault, a pyrfly.protocol.bits.FaultKind; 0: none")       \
    X(fault_word, fault_items, "bits", "", "actuators or sensors that each fault is of, from bit 0 on")       \
    X(fault_word, fault_source, "1", "", "what entered each fault: 0, or a number of RflySim's fault injection") \
    X(word, faults_drawn, "bits", "", "faults whose onset is known")                                         \
    X(word, faults_active, "bits", "", "faults that act at present")                                         \
    X(word, fault_runs, "1", "", "updates of the faults since the reset")                                    \
    X(word, fault_next, "1", "", "update at which a fault changes next")                                     \
    X(word, places_at_fault, "bits", "", "what faults changed at the last of these updates, by csrc/parts/faults/kinds.h") \
    X(word, actuators_at_fault, "bits", "", "actuators that faults changed at the last of these updates, from bit 0 on") \
    X(word, sensors_at_fault, "bits", "", "sensors that faults changed then, a pyrfly.protocol.bits.FaultySensor") \
    X(word, commands_jittered, "bits", "", "actuators whose commands have noise by faults")                  \
    X(word, commands_delayed, "bits", "", "actuators whose commands are late by faults")                     \
    X(command_word, command_lateness, "1", "", "command_delay in updates of the faults, rounded, without the one in which a command was in force") \
    X(word, sensors_frozen, "bits", "", "sensors that repeat their last value, a pyrfly.protocol.bits.FaultySensor") \
    X(word, sensors_dropped, "bits", "", "sensors that take no samples")                                     \
    X(word, estimator_faults, "bits", "", "what is wrong with the estimator: 1 off, 2 frozen")               \
    X(word, estimate_is_biased, "bool", "", "whether `estimate_biased` is other than 0")                     \
    X(word, receiver_fix, "1", "", "best fix of the receiver that faults leave, as `gps_fix`")               \
    X(word, receiver_satellites, "1", "", "most satellites of the receiver that they leave") \
    X(word, links_lost, "bits", "", "links over which nothing gets, a pyrfly.protocol.bits.FaultyLink")

/* clang-format on */

#define FAULTS_INITIAL(SETTING, VALUE, STATE)                                                                \
    SETTING(fault_start, 0)                                                                                  \
    SETTING(fault_rate, 0)                                                                                   \
    SETTING(fault_duration, 0)                                                                               \
    SETTING(fault_ramp, 0)                                                                                   \
    SETTING(fault_strength, 0)                                                                               \
    SETTING(fault_kind, 0)                                                                                   \
    SETTING(fault_items, 0)                                                                                  \
    SETTING(fault_source, 0)                                                                                 \
    VALUE(command_factor, 1)                                                                                 \
    VALUE(command_minimum, -1e30)                                                                            \
    VALUE(command_maximum, 1e30)                                                                             \
    VALUE(effect_left, 1)                                                                                    \
    VALUE(sensed_factor, 1)                                                                                  \
    VALUE(noise_factor, 1)                                                                                   \
    VALUE(mass_left, 1)                                                                                      \
    VALUE(period_factor, 1)                                                                                  \
    VALUE(receiver_factor, 1)                                                                                \
    VALUE(receiver_fix, 255)                                                                                 \
    VALUE(receiver_satellites, 255)                                                                          \
    VALUE(voltage_left, 1)                                                                                   \
    VALUE(charge_maximum, 1)                                                                                 \
    VALUE(charge_told_maximum, 1)                                                                            \
    VALUE(time_left_maximum, 1e9)

#endif
