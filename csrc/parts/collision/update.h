/* SPDX-License-Identifier: BSD-3-Clause */
/* What collisions have to know of the vehicles of a block: mass, its centre and inertia, the water that moves with them. */
#ifndef RF_PARTS_COLLISION_UPDATE_H
#define RF_PARTS_COLLISION_UPDATE_H

#include "base/sets.h"
#include "models/added_mass.h"
#include "models/mass_change.h"
#include "parts/collision/held.h"

/* Writes them; mass [kg] and inertia [kg m^2, FRD] are those without the change. */
void RF_SET_NAME(rf_collision_update)(const block *b, lane mass, const sym3 *inertia,
                                      const mass_change *change);

/* Writes how high centres of mass are over the positions, and the water that moves with them, behind that. */
void RF_SET_NAME(rf_collision_water)(const block *b, lane mass, lane rise, const moved_body *moves);

#endif
