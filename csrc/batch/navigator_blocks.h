/* SPDX-License-Identifier: BSD-3-Clause */
/* The navigator (control/navigator.h) on a block of vehicles of any type: columns in, columns out. */
#ifndef RF_BATCH_NAVIGATOR_BLOCKS_H
#define RF_BATCH_NAVIGATOR_BLOCKS_H

#include "batch/kernel.h"
#include "control/navigator_accept.h"
#include "control/navigator_guide.h"
#include "vehicles/integrate.h"

enum { NAVIGATOR_WORD_ROWS = (int)(sizeof(navigator_words) / sizeof(mask)) };

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

/* Keeps the words where m is true, and takes those of `otherwise` elsewhere. */
LANE_INLINE void navigator_words_select(navigator_words *w, mask m, const navigator_words *otherwise)
{
    LANE_UNROLL
    for (int i = 0; i < NAVIGATOR_WORD_ROWS; i++) {
        ((mask *)w)[i] = words_select(m, ((const mask *)w)[i], ((const mask *)otherwise)[i]);
    }
}

/* Whether a block has a command to take in, or anything to carry on with. */
LANE_INLINE int navigator_wanted(const rf_kernel_args *args, size_t i)
{
    const uint32_t *column = args->navigator_words + i;
    const size_t mode = offsetof(navigator_words, navigator_mode) / sizeof(mask);
    mask command = words_load(column + SIL_INT_COMMAND * args->word_stride);
    mask wanted = words_have(command, SIL_COMMAND_ENABLE);
    if (args->loops & RF_LOOP_VELOCITY) {
        wanted = wanted | (words_load(column + mode * args->word_stride) != NAVIGATOR_NONE);
    }
    return mask_any(wanted);
}

/* Where the throttle of a vehicle comes from outside. */
LANE_INLINE mask navigator_external(const rf_kernel_args *args, size_t i)
{
    const size_t flags = offsetof(navigator_words, navigator_flags) / sizeof(mask);
    if (args->navigator == NULL) return mask_not(mask_true());
    return words_have(words_load(args->navigator_words + flags * args->word_stride + i), NAVIGATOR_EXTERNAL);
}

/* The airframe of each vehicle of a mixed model. */
LANE_INLINE mask navigator_airframe(const rf_kernel_args *args, size_t i)
{
    const size_t row = offsetof(navigator_words, sil_frame) / sizeof(mask);
    return words_load(args->navigator_words + row * args->word_stride + i);
}

/* Gives the vehicles that changed their airframe the params and gains of the new one. */
LANE_INLINE void navigator_refit(const rf_kernel_args *args, size_t i, mask before, int first, int rows)
{
    mask after = navigator_airframe(args, i), changed = after != before;
    if (args->airframes == NULL || !mask_any(changed)) return;
    for (int k = 0; k < RF_AIRFRAMES; k++) {
        mask here = changed & (after == (lane_int)1 << k);
        for (int row = 0; row < rows; row++) {
            real *column = (real *)args->columns + (size_t)(first + row) * args->stride + i;
            lane value = lane_of((real)args->airframes[k * rows + row]);
            lane_store(column, lane_select(here, value, lane_load(column)));
        }
    }
}

/* Takes in what commands there are, and unless that is all, carries on: `target` is then what is wanted, where the
 * returned mask is true.  Not inlined: one copy serves all vehicle types. */
static __attribute__((noinline)) mask navigator_run(const rf_kernel_args *args, size_t i,
                                                    const navigator_vehicle *v, mask *armed,
                                                    navigator_target *target)
{
    real *column = (real *)args->navigator + i;
    uint32_t *words = args->navigator_words + i;
    map_origin origin = map_origin_of(args->origin);
    navigator n;
    navigator_words w;
    rows_load((lane *)&n, ROWS_OF(navigator), column, args->stride);
    navigator_words_load(&w, words, args->word_stride);
    navigator_accept(&n, &w, v, &origin, armed);
    mask leads = mask_not(mask_true());
    if (!(args->loops & RF_LOOP_ACCEPT)) {
        navigator before = n;
        navigator_words words_before = w;
        leads = mask_not(navigator_is(&w, NAVIGATOR_NONE));
        *target = navigator_guide(&n, &w, v, &origin, lane_of((real)args->loop_dt[0]), armed);
        /* a vehicle that is not led remembers nothing, whatever its neighbours do */
        rows_select((lane *)&n, leads, (const lane *)&n, (const lane *)&before, ROWS_OF(navigator));
        navigator_words_select(&w, leads, &words_before);
    }
    rows_store((const lane *)&n, ROWS_OF(navigator), column, args->stride);
    navigator_words_store(&w, words, args->word_stride);
    return leads;
}

#endif
