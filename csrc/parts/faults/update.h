/* SPDX-License-Identifier: BSD-3-Clause */
/* The faults of a block of vehicles, before all other stages of a tick.
 *
 * A fault begins at its start or, with a probability r per second, after a random time with the exponential
 * distribution, -ln(u) / r with a uniform u.  It is drawn at the first update after a reset, or after it was entered. */
#ifndef RF_PARTS_FAULTS_UPDATE_H
#define RF_PARTS_FAULTS_UPDATE_H

#include "base/sets.h"
#include "parts/faults/held.h"

/* Draws what is not drawn, and computes what faults do where one of them changes; `commands` are the first `count` rows of the
 * vehicles' actuators.  One copy serves all families. */
void RF_SET_NAME(rf_faults_update)(const block *b, int count, const real *commands);

/* Changes the first `count` actuator commands to those that the actuators get, where actuators_at_fault. */
void RF_SET_NAME(rf_faults_change_commands)(const block *b, int count, lane *command);

#endif
