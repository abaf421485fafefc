/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the external loads.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_LOADS_COLUMNS_H
#define RF_PARTS_LOADS_COLUMNS_H

/* clang-format off */

#define LOADS_PART(X)                                                                                        \
    X(vec3, external_force, "N", "NED", "force on the vehicle at its centre of mass")                        \
    X(vec3, external_torque, "N m", "FRD", "torque on the vehicle")

/* clang-format on */

#define LOADS_PART_WORD(X)
#define LOADS_INITIAL(SETTING, VALUE, STATE)

#endif
