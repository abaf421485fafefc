/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the safety boundaries, of a block of vehicles. */
#ifndef RF_PARTS_SAFETY_HELD_H
#define RF_PARTS_SAFETY_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/safety/columns.h"
#include "parts/safety/kinds.h"

typedef lane per_boundary[WIDTH_per_boundary];
typedef lane per_corner[WIDTH_per_corner];
typedef mask boundary_word[WIDTH_boundary_word];
typedef mask word;

typedef struct safety {
    SAFETY_PART(COLUMN_MEMBER)
} safety;

typedef struct safety_words {
    SAFETY_PART_WORD(COLUMN_MEMBER)
} safety_words;

/* A row of a column of the part. */
#define SAFETY_ROW(b, name, row) (PART_COLUMN(b, safety, safety, name) + (size_t)(row) * (b)->stride)
#define SAFETY_WORD(b, name, row)                                                                            \
    (PART_WORD(b, safety, safety_words, name) + (size_t)(row) * (b)->word_stride)

/* The boundaries that some vehicle of the block has, as bits. */
LANE_INLINE uint32_t safety_on(const block *b)
{
    uint32_t on = 0;
    for (int i = 0; i < SAFETY_BOUNDARY_COUNT; i++) {
        if (mask_any(words_load(SAFETY_WORD(b, boundary_action, i)) != 0)) on |= 1u << i;
    }
    return on;
}

#endif
