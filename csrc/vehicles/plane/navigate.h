/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of planes: that of all that fly by wings alone (vehicles/winged/guide.c), with a catapult or a hand for those
 * that have no wheels. */
#include "vehicles/winged/guide.h"

#define NAVIGATOR_SUPPORTED WINGED_SUPPORTED

LANE_INLINE void plane_navigate(const block *b, int accept_only)
{
    plane_gain g;
    winged_gain shared;
    plane_load_gain(&g, b);
    rows_copy((lane *)&shared, (const lane *)&g, ROWS_OF(winged_gain));
    plane_navigate_winged(b, mask_true(), &shared, lane_of(0), g.rotation_airspeed, accept_only);
}
