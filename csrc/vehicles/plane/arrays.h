/* SPDX-License-Identifier: BSD-3-Clause */
/* Array types of the columns of a plane, beside those of models/wing.h and models/landing_gear.h. */
#ifndef RF_VEHICLES_PLANE_ARRAYS_H
#define RF_VEHICLES_PLANE_ARRAYS_H

#include "models/landing_gear.h"
#include "models/wing.h"

typedef lane surface_matrix[WIDTH_surface_matrix];
typedef lane servo_pairs[WIDTH_servo_pairs];
typedef lane surface_allocation[WIDTH_surface_allocation];

#endif
