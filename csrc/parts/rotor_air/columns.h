/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the rotors' forces by air speed.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_ROTOR_AIR_COLUMNS_H
#define RF_PARTS_ROTOR_AIR_COLUMNS_H

/* clang-format off */

#define ROTOR_AIR_PART(X)                                                                                    \
    X(lane, rotor_drag, "N s^2/m", "", "drag of a rotor across its axis per air speed and rotor speed")      \
    X(lane, rotor_inflow, "N s^2/m", "", "loss of a rotor's thrust per air speed along its axis and rotor speed")

/* clang-format on */

#define ROTOR_AIR_PART_WORD(X)
#define ROTOR_AIR_INITIAL(SETTING, VALUE, STATE) SETTING(rotor_drag, 0) SETTING(rotor_inflow, 0)

#endif
