/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the controllers of one type of vehicles for one instruction set and precision: compiled once for each of
 * them, as batch/kernels.c. */
#include "batch/kernel.h"
#include "base/sets.h"

#define RF_QUOTED(path) #path
#define RF_PATH(path)   RF_QUOTED(path)

SET_BEGIN
#define RF_EACH_TYPE "batch/type_control.inc"
/* clang-format off */
#include RF_PATH(vehicles/RF_FAMILY/types.inc)
/* clang-format on */
SET_END
