/* SPDX-License-Identifier: BSD-3-Clause */
/* Array type of the columns of a model of one's own. */
#ifndef RF_VEHICLES_OWN_MODEL_ARRAYS_H
#define RF_VEHICLES_OWN_MODEL_ARRAYS_H

#include "math/lane.h"

typedef lane own_commands[WIDTH_own_commands];

#endif
