/* SPDX-License-Identifier: BSD-3-Clause */
/* States of vehicles that hover and fly by wings: MAV_VTOL_STATE [@mavlink], shared with Python. */
#ifndef RF_BASE_VTOL_STATE_H
#define RF_BASE_VTOL_STATE_H

#define RF_VTOL_STATES(X)                                                                                    \
    X(UNDEFINED, 0, "it cannot do both, or had no set-point yet")                                            \
    X(TRANSITION_TO_FW, 1, "transition to winged flight")                                                    \
    X(TRANSITION_TO_MC, 2, "transition to hover")                                                            \
    X(MC, 3, "hover; also a value of ``vtol_command``")                                                      \
    X(FW, 4, "winged flight; also a value of ``vtol_command``")

#define RF_VTOL_STATE_ENUM(name, number, doc) VTOL_##name = (number),

enum rf_vtol_state { RF_VTOL_STATES(RF_VTOL_STATE_ENUM) };

#endif
