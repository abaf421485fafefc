/* SPDX-License-Identifier: BSD-3-Clause */
/* The navigator on a block of vehicles: columns in, columns out.  Included by a family's guidance, which has defined
 *
 *     navigator_target navigator_guide(n, w, v, origin, dt, armed)
 *
 * what its vehicles do until the next update, dt later. */
#ifndef RF_PARTS_NAVIGATOR_RUN_H
#define RF_PARTS_NAVIGATOR_RUN_H

#include "parts/navigator/accept.h"
#include "parts/navigator/block.h"

/* Accepts what commands there are, and unless that is all, guides the vehicles: `target` is then what is wanted where
 * the returned mask is true.  Not inlined: one copy serves all types of a family. */
static __attribute__((noinline)) mask navigator_run(const block *b, const navigator_vehicle *v,
                                                    int accept_only, mask *armed, navigator_target *target)
{
    real *column = b->part[RF_PART_navigator];
    uint32_t *words = b->part_words[RF_PART_navigator];
    map_origin origin = map_origin_of(b->origin);
    navigator n;
    navigator_words w;
    rows_load((lane *)&n, ROWS_OF(navigator), column, b->stride);
    navigator_words_load(&w, words, b->word_stride);
    navigator_accept(&n, &w, v, &origin, armed);
    mask leads = mask_not(mask_true());
    if (!accept_only) {
        navigator before = n;
        navigator_words words_before = w;
        leads = mask_not(navigator_is(&w, NAVIGATOR_NONE));
        *target = navigator_guide(&n, &w, v, &origin, lane_of(b->period), armed);
        /* a vehicle that is not led keeps its memory, whatever its neighbours do */
        rows_select((lane *)&n, leads, (const lane *)&n, (const lane *)&before, ROWS_OF(navigator));
        navigator_words_select(&w, leads, &words_before);
    }
    rows_store((const lane *)&n, ROWS_OF(navigator), column, b->stride);
    navigator_words_store(&w, words, b->word_stride);
    return leads;
}

#endif
