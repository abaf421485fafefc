/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of the terrain map. */
#ifndef RF_PARTS_TERRAIN_HELD_H
#define RF_PARTS_TERRAIN_HELD_H

#include "base/column.h"
#include "parts/block.h"
#include "parts/terrain/columns.h"

typedef mask word;

typedef struct terrain_words {
    TERRAIN_PART_WORD(COLUMN_MEMBER)
} terrain_words;

#define TERRAIN_WORD(b, name) PART_WORD(b, terrain, terrain_words, name)

#endif
