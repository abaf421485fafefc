/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the parachutes, of a block of vehicles. */
#ifndef RF_PARTS_PARACHUTE_HELD_H
#define RF_PARTS_PARACHUTE_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/parachute/columns.h"

typedef mask word;

typedef struct parachute {
    PARACHUTE_PART(COLUMN_MEMBER)
} parachute;

typedef struct parachute_words {
    PARACHUTE_PART_WORD(COLUMN_MEMBER)
} parachute_words;

#define PARACHUTE_WORD(b, name) PART_WORD(b, parachute, parachute_words, name)

LANE_INLINE parachute parachute_load(const block *b)
{
    parachute p;
    rows_load((lane *)&p, ROWS_OF(parachute), part_columns(b, RF_PART_parachute), b->stride);
    return p;
}

/* Releases the parachutes of vehicles that have one which is enabled; a later release has no effect. */
LANE_INLINE void parachute_release(const block *b, mask which)
{
    if (!part_enabled(b, RF_PART_parachute)) return;
    const lane area = parachute_load(b).parachute_area;
    which &= (words_load(PARACHUTE_WORD(b, parachute_enabled)) != 0) & (area > 0);
    words_store_where(which, PARACHUTE_WORD(b, parachute_released), words_of(mask_true(), 1));
}

#endif
