/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers of the vehicles of a block, by their seeds and numbers, for a run of a stage.  A stream has one user; a
 * second block of words takes a second stream. */
#ifndef RF_PARTS_RANDOM_H
#define RF_PARTS_RANDOM_H

#include "math/noise.h"
#include "math/random.h"
#include "parts/block.h"

LANE_INLINE void block_random(random_block *words, const block *b, uint32_t stream)
{
    const uint32_t *seed = block_flag(b, RF_FLAG_RANDOM_SEED);
    const random_rows rows = {seed, seed + b->word_stride, block_flag(b, RF_FLAG_RANDOM_VEHICLE), NULL, NULL};
    random_block_at(words, &rows, stream, b->tick);
}

#endif
