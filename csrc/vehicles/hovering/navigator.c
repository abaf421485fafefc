/* SPDX-License-Identifier: BSD-3-Clause */
/* The navigator of vehicles that hover, whatever their type: compiled once for each instruction set and precision. */
#include "base/sets.h"

SET_BEGIN
#include "math/lane.h"
#include "math/rows.h"
#include "parts/navigator/block.h"
#include "vehicles/hovering/guide.h"

#include "parts/navigator/run.h"

mask RF_SET_NAME(rf_hovering_run)(const block *b, mask of, const navigator_vehicle *v, int accept_only,
                                  navigator_target *target)
{
    return navigator_run(b, of, v, accept_only, target);
}
SET_END
