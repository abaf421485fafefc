/* SPDX-License-Identifier: BSD-3-Clause */
/* The navigator's columns of a block of vehicles. */
#ifndef RF_PARTS_NAVIGATOR_BLOCK_H
#define RF_PARTS_NAVIGATOR_BLOCK_H

#include <stddef.h>

#include "parts/block.h"
#include "parts/navigator/navigator.h"

enum { NAVIGATOR_WORD_ROWS = (int)(sizeof(navigator_words) / sizeof(mask)) };

/* A word column of the navigator, by the name of its (first) row. */
#define NAVIGATOR_WORD(b, name) PART_WORD(b, navigator, navigator_words, name)

LANE_INLINE void navigator_words_load(navigator_words *w, const uint32_t *column, size_t stride)
{
    LANE_UNROLL
    for (int i = 0; i < NAVIGATOR_WORD_ROWS; i++) ((mask *)w)[i] = words_load(column + (size_t)i * stride);
}

LANE_INLINE void navigator_words_store(const navigator_words *w, uint32_t *column, size_t stride)
{
    LANE_UNROLL
    for (int i = 0; i < NAVIGATOR_WORD_ROWS; i++) {
        words_store(column + (size_t)i * stride, ((const mask *)w)[i]);
    }
}

/* Replaces the words by those of `otherwise` where m is false. */
LANE_INLINE void navigator_words_select(navigator_words *w, mask m, const navigator_words *otherwise)
{
    LANE_UNROLL
    for (int i = 0; i < NAVIGATOR_WORD_ROWS; i++) {
        ((mask *)w)[i] = words_select(m, ((const mask *)w)[i], ((const mask *)otherwise)[i]);
    }
}

#define NAVIGATOR_COLUMN(b, name) PART_COLUMN(b, navigator, navigator, name)

/* Whether a vehicle of the block has a command to accept, or a mode to update. */
LANE_INLINE int navigator_is_due(const block *b, int accept_only)
{
    mask due = words_have(words_load(NAVIGATOR_WORD(b, sil_ints[SIL_INT_COMMAND])), SIL_COMMAND_ENABLE);
    if (!accept_only) due = due | (words_load(NAVIGATOR_WORD(b, navigator_mode)) != NAVIGATOR_NONE);
    return mask_any(due);
}

/* True where actuator commands are external (inPWMs). */
LANE_INLINE mask navigator_external(const block *b)
{
    if (!part_enabled(b, RF_PART_navigator)) return mask_not(mask_true());
    return words_have(words_load(NAVIGATOR_WORD(b, navigator_flags)), NAVIGATOR_EXTERNAL);
}

/* Airframe of each vehicle of a mixed model. */
LANE_INLINE mask navigator_airframe(const block *b)
{
    return words_load(NAVIGATOR_WORD(b, sil_frame));
}

/* Replaces parameters and gains (`rows` rows from `first`) of vehicles whose airframe changed. */
LANE_INLINE void navigator_switch_airframe(const block *b, mask before, int first, int rows)
{
    mask after = navigator_airframe(b), changed = after != before;
    if (b->airframes == NULL || !mask_any(changed)) return;
    for (int k = 0; k < SIL_AIRFRAMES; k++) {
        mask here = changed & (after == (lane_int)1 << k);
        for (int row = 0; row < rows; row++) {
            real *column = b->column + (size_t)(first + row) * b->stride;
            lane value = lane_of((real)b->airframes[k * rows + row]);
            lane_store(column, lane_select(here, value, lane_load(column)));
        }
    }
}

#endif
