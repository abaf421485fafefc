/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the downwash.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_DOWNWASH_COLUMNS_H
#define RF_PARTS_DOWNWASH_COLUMNS_H

/* clang-format off */

#define DOWNWASH_PART(X)                                                                                     \
    X(lane, disk_area, "m^2", "", "area of the disks of all rotors; 0: the vehicle has no jet")              \
    X(vec3, rotor_jet, "m/s", "NED", "velocity of the air that leaves the rotors, through still air")        \
    X(vec3, downwash, "m/s", "NED", "velocity of the air at the vehicle by the rotors of others")

/* clang-format on */

#define DOWNWASH_PART_WORD(X)
#define DOWNWASH_INITIAL(SETTING, VALUE, STATE) SETTING(disk_area, 0)

#endif
