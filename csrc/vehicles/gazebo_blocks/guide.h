/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of vehicles of blocks: that of vehicles that hover.  Those that do not hover obey no command, and count it as
 * refused: they have neither take-off nor landing.  A transition is no command of the navigator (transition.h). */

#define HOVERING_OWN_NAVIGATE 1
#include "vehicles/hovering/guide.h"

LANE_INLINE void blocks_refuse(const block *b)
{
    blocks_gain g;
    blocks_load_gain(&g, b);
    uint32_t *words = NAVIGATOR_WORD(b, sil_ints[SIL_INT_COMMAND]), *count = NAVIGATOR_WORD(b, sil_refused);
    mask command = words_load(words);
    mask refused = words_have(command, SIL_COMMAND_ENABLE) & mask_not(g.control_mass > 0);
    words_store(words, words_select(refused, command & ~(lane_int)SIL_COMMAND_ENABLE, command));
    words_store(count, words_load(count) + words_of(refused, 1));
}

LANE_INLINE void blocks_navigate(const block *b, int accept_only)
{
    blocks_refuse(b);
    blocks_navigate_hovering(b, accept_only);
}
