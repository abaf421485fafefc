/* SPDX-License-Identifier: BSD-3-Clause */
/* The waves at vehicles as the kernels of a family read them, where the part is enabled. */
#ifndef RF_PARTS_WAVES_HELD_H
#define RF_PARTS_WAVES_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "models/waves.h"
#include "parts/block.h"
#include "parts/waves/columns.h"

typedef lane wave_components[WIDTH_wave_components];
typedef mask word;

typedef struct waves {
    WAVES_PART(COLUMN_MEMBER)
} waves;

typedef struct waves_words {
    WAVES_PART_WORD(COLUMN_MEMBER)
} waves_words;

#define WAVES_COLUMN(b, name) PART_COLUMN(b, waves, waves, name)
#define WAVES_WORD(b, name)   PART_WORD(b, waves, waves_words, name)

/* The waves of the last update: the columns from wave_height on, in their order. */
LANE_INLINE wave_sum waves_of(const block *b)
{
    wave_sum sum;
    rows_load((lane *)&sum, ROWS_OF(wave_sum), WAVES_COLUMN(b, wave_height), b->stride);
    return sum;
}

#endif
