/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the power supply: settings of battery and drives, and their state.  Macros only: the lists are expanded in
 * enums and tables. */
#ifndef RF_PARTS_POWER_COLUMNS_H
#define RF_PARTS_POWER_COLUMNS_H

#define WIDTH_per_charge 16 /* BATTERY_CHARGES */

/* clang-format off */

#define POWER_PART(X)                                                                                        \
    X(lane, battery_full_voltage, "V", "", "open-circuit voltage of the full battery, with which the drives are as fast as their parameters say") \
    X(lane, battery_capacity, "C", "", "charge of the full battery; 3600 C are 1 A h")                     \
    X(lane, battery_resistance, "ohm", "", "ohmic resistance of the full battery and its cables")            \
    X(lane, polarization_resistance, "ohm", "", "resistance of the full battery's RC pair")                  \
    X(lane, polarization_time, "s", "", "time constant of the RC pair")                                      \
    X(per_charge, battery_curve, "1", "", "open-circuit voltage over battery_full_voltage at a charge of 0, 1, 2, 5, 7.5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100 %") \
    X(per_charge, resistance_curve, "1", "", "resistances over those of the full battery at these charges")  \
    X(lane, drive_efficiency, "1", "", "shaft power of the drives over their electrical power")              \
    X(lane, avionics_power, "W", "", "electrical power of everything but the drives")                        \
    X(lane, nominal_current, "A", "", "current of the nominal power: hover, cruise, full torque at full speed") \
    X(lane, battery_voltage, "V", "", "voltage of the battery under load")                                   \
    X(lane, battery_current, "A", "", "current of the battery")                                              \
    X(lane, state_of_charge, "1", "", "remaining charge over battery_capacity")                              \
    X(lane, battery_polarization, "V", "", "voltage over the RC pair")                                       \
    X(lane, battery_energy, "J", "", "energy that the battery has delivered since the last reset")           \
    X(lane, voltage_ratio, "1", "", "battery_voltage over battery_full_voltage; 1 without a battery")        \
    X(lane, charge_remainder, "1", "", "what the last sum to state_of_charge was rounded up by")

#define POWER_PART_WORD(X)                                                                                   \
    X(word, battery_on, "bool", "", "1: the battery feeds the drives, 0: a constant voltage does")           \
    X(word, battery_rflysim, "bool", "", "1: RflySim's open-circuit voltage in the place of battery_curve")

/* clang-format on */

/* Four cells of a constant voltage; the other values are estimated. */
#define POWER_INITIAL(SETTING, VALUE, STATE)                                                                 \
    SETTING(battery_full_voltage, 16.8)                                                                      \
    SETTING(battery_capacity, 18000)                                                                         \
    SETTING(battery_resistance, 0.016)                                                                       \
    SETTING(polarization_resistance, 0)                                                                      \
    SETTING(polarization_time, 33)                                                                           \
    SETTING(battery_curve, 1)                                                                                \
    SETTING(resistance_curve, 1)                                                                             \
    SETTING(drive_efficiency, 0.75)                                                                          \
    SETTING(avionics_power, 5)                                                                               \
    SETTING(nominal_current, 0)                                                                              \
    SETTING(battery_on, 0)                                                                                   \
    SETTING(battery_rflysim, 0)                                                                              \
    STATE(battery_voltage, battery_full_voltage)                                                             \
    VALUE(state_of_charge, 1)                                                                                \
    VALUE(voltage_ratio, 1)

#endif
