/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of vehicles of blocks: those that hover have that of vehicles that hover, those that fly by wings alone that of
 * all of these; a hand or a catapult launches them, for they have no wheels.  Others obey no command, and count it as
 * refused.  A transition is no command of the navigator (transition.h). */

#define HOVERING_OWN_NAVIGATE 1
#include "vehicles/hovering/guide.h"
#include "vehicles/winged/guide.h"

/* Removes and counts the commands of vehicles that neither hover nor fly. */
LANE_INLINE void blocks_refuse(const block *b, mask able)
{
    uint32_t *words = NAVIGATOR_WORD(b, sil_ints[SIL_INT_COMMAND]), *count = NAVIGATOR_WORD(b, sil_refused);
    mask command = words_load(words);
    mask refused = words_have(command, SIL_COMMAND_ENABLE) & mask_not(able);
    words_store(words, words_select(refused, command & ~(lane_int)SIL_COMMAND_ENABLE, command));
    words_store(count, words_load(count) + words_of(refused, 1));
}

LANE_INLINE void blocks_navigate(const block *b, int accept_only)
{
    blocks_gain g;
    blocks_load_gain(&g, b);
    mask hovers = g.control_mass > 0, flies = mask_not(hovers) & (g.wing_cruise_airspeed > 0);
    blocks_refuse(b, hovers | flies);
    if (mask_any(flies)) {
        winged_gain wing;
        rows_copy((lane *)&wing, (const lane *)&g.wing_speed_limit, ROWS_OF(winged_gain));
        blocks_navigate_winged(b, flies, &wing, contact_height_of(b), g.launch_airspeed, accept_only);
    }
    if (mask_any(mask_not(flies))) blocks_navigate_hovering(b, mask_not(flies), accept_only);
}
