/* SPDX-License-Identifier: BSD-3-Clause */
/* The block that begins at a vehicle, from the arguments of a kernel. */
#ifndef RF_BATCH_BLOCK_AT_H
#define RF_BATCH_BLOCK_AT_H

#include "batch/kernel.h"
#include "parts/block.h"

LANE_INLINE block block_at(const rf_kernel_args *args, size_t i)
{
    return (block){.column = (real *)args->columns + i,
                   .stride = args->stride,
                   .flags = args->words + i,
                   .word_stride = args->word_stride,
                   .dt = (real)args->dt,
                   .period = (real)args->period,
                   .tick = args->tick,
                   .refreshed = args->refreshed == NULL ? NULL : args->refreshed + i,
                   .begins = args->begins,
                   .update = args->update,
                   .origin = args->origin,
                   .first = i,
                   .parts = args->part,
                   .all_words = args->part_words,
                   .airframes = args->airframes,
                   .own = args->own,
                   .vehicles = args->vehicles};
}

#endif
