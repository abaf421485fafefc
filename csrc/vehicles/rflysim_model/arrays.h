/* SPDX-License-Identifier: BSD-3-Clause */
/* Array type of the columns of a model in a library. */
#ifndef RF_VEHICLES_RFLYSIM_MODEL_ARRAYS_H
#define RF_VEHICLES_RFLYSIM_MODEL_ARRAYS_H

#include "math/lane.h"

typedef lane command_port[WIDTH_command_port];

#endif
