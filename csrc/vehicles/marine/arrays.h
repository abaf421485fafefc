/* SPDX-License-Identifier: BSD-3-Clause */
/* Array types of the columns of a marine craft, beside that of models/thruster.h. */
#ifndef RF_VEHICLES_MARINE_ARRAYS_H
#define RF_VEHICLES_MARINE_ARRAYS_H

#include "models/thruster.h"

typedef lane per_thruster_vec3[WIDTH_per_thruster_vec3];
typedef lane per_fin_vec3[WIDTH_per_fin_vec3];
typedef lane sextet[WIDTH_sextet];

#endif
