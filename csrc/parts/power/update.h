/* SPDX-License-Identifier: BSD-3-Clause */
/* The power stage: loads the batteries of a block of vehicles of any family.
 *
 * Voltage and current are those of the present load, and held until the next run; charge and polarization change by that
 * current.  An update computes voltage and current from the charge after it. */
#ifndef RF_PARTS_POWER_UPDATE_H
#define RF_PARTS_POWER_UPDATE_H

#include "base/sets.h"
#include "parts/power/held.h"

/* Updates a block of vehicles with a shaft power of all drives [W]; one copy serves all families. */
void RF_SET_NAME(rf_power_update)(const block *b, lane shaft_power);

#endif
