/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of every type include before the files of the type: lanes, blocks and the parts of all families. */
#ifndef RF_BATCH_TYPE_PARTS_H
#define RF_BATCH_TYPE_PARTS_H

#include "base/status.h"
#include "batch/block_at.h"
#include "batch/scheme.h"
#include "math/lane.h"
#include "math/dither.h"
#include "math/rows.h"
#include "parts/collision/update.h"
#include "parts/delay/delay.h"
#include "parts/earth/held.h"
#include "parts/environment/update.h"
#include "parts/estimator/update.h"
#include "parts/faults/update.h"
#include "parts/navigator/block.h"
#include "parts/parachute/update.h"
#include "parts/payload/update.h"
#include "parts/power/update.h"
#include "parts/rebound/update.h"
#include "parts/safety/update.h"
#include "parts/sensors/update.h"
#include "parts/terrain/update.h"
#include "parts/tether/update.h"
#include "parts/water/held.h"
#include "parts/waves/update.h"
#include "vehicles/body/body.h"

#endif
