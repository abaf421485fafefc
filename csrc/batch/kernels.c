/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of one type of vehicles for one instruction set and precision: compiled once for each of them, with
 * RF_FAMILY, RF_KERNELS_OF_<type>, RF_SET and LANE_PRECISION defined by the build (csrc/units.py). */
#include "batch/kernel.h"
#include "base/sets.h"

#define RF_QUOTED(path) #path
#define RF_PATH(path)   RF_QUOTED(path)

SET_BEGIN
#define RF_EACH_TYPE "batch/type_kernels.inc"
/* clang-format off */
#include RF_PATH(vehicles/RF_FAMILY/types.inc)
/* clang-format on */
SET_END
