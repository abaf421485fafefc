/* SPDX-License-Identifier: BSD-3-Clause */
/* How far faults are, and when they change next.  In double precision whatever that of a lane is, as single precision does
 * not tell one update of a long flight from the next: by machine vectors of double precision, one or two in a lane. */
#ifndef RF_PARTS_FAULTS_PROGRESS_H
#define RF_PARTS_FAULTS_PROGRESS_H

#include <float.h>

#include "parts/faults/held.h"

#define NEVER UINT32_MAX

/* A part of a time [s] that rounding may add: the time and the period are those of columns. */
#define TIME_ROUNDING (2 * (double)(sizeof(real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON))

enum { TIMES_WIDTH = LANE_BYTES / 8 };

typedef double times __attribute__((vector_size(TIMES_WIDTH * 8)));
typedef int64_t times_mask __attribute__((vector_size(TIMES_WIDTH * 8)));
typedef real times_reals __attribute__((vector_size(TIMES_WIDTH * sizeof(real)), may_alias));
typedef uint32_t times_words __attribute__((vector_size(TIMES_WIDTH * 4), may_alias));

/* Of the faults in one place: where they act at present, how much, and the update at which they change next. */
typedef struct fault_progress {
    _Alignas(LANE_BYTES) real share[LANE_WIDTH];
    _Alignas(LANE_BYTES) real elapsed[LANE_WIDTH];
    _Alignas(LANE_BYTES) real grown[LANE_WIDTH];
    _Alignas(LANE_BYTES) real growth[LANE_WIDTH];
    _Alignas(LANE_BYTES) uint32_t acts[LANE_WIDTH]; /* 0 or all bits */
    _Alignas(LANE_BYTES) uint32_t next[LANE_WIDTH];
} fault_progress;

LANE_INLINE times times_of_reals(const real *column)
{
    return __builtin_convertvector(*(const times_reals *)column, times);
}

LANE_INLINE void times_to_reals(real *column, times x)
{
    *(times_reals *)column = __builtin_convertvector(x, times_reals);
}

LANE_INLINE times times_select(times_mask m, times a, times b)
{
    return (times)(((times_mask)a & m) | ((times_mask)b & ~m));
}

LANE_INLINE int times_any(times_mask m)
{
    int64_t any = 0;
    LANE_UNROLL
    for (int i = 0; i < TIMES_WIDTH; i++) any |= m[i];
    return any != 0;
}

/* Whole part of times within 0 to `most`; 0 of those below, `most` of those above and of NaN. */
LANE_INLINE times_words times_whole(times x, double most)
{
    const times limited = times_select(x < most, x, most - (times){0});
    const times positive = times_select(limited > 0, limited, (times){0});
    return __builtin_convertvector(__builtin_convertvector(positive, times_mask), times_words);
}

/* Updates before a time [s], of which there is a fraction; of a time at an update it is less, not that update. */
LANE_INLINE times fault_updates_before(const block *b, times time)
{
    return time / (double)b->period * (1 - TIME_ROUNDING) - 1e-6;
}

/* The growth of faults after an elapsed time [s], from the vehicle `first` of a block on; returns where they grow. */
LANE_INLINE times_mask fault_grows(fault_progress *p, size_t first, times elapsed, times ramp)
{
    const times_mask grows = elapsed < ramp;
    times share = 1 + (times){0}, growth = {0}, grown = elapsed - ramp / 2;
    if (times_any(grows)) {
        share = times_select(grows, elapsed / ramp, share);
        growth = times_select(grows, 1 / ramp, growth);
        grown = times_select(grows, elapsed * elapsed / (2 * ramp), grown);
    }
    times_to_reals(p->elapsed + first, elapsed);
    times_to_reals(p->share + first, share);
    times_to_reals(p->growth + first, growth);
    times_to_reals(p->grown + first, grown);
    return grows;
}

/* The progress of the faults in a place, of a kind that changes at every update or that does not. */
LANE_INLINE void fault_progress_part(fault_progress *p, const block *b, int place, int goes_on, size_t first)
{
    const size_t row = (size_t)place * b->stride + first;
    const times_words runs = *(const times_words *)(FAULTS_WORD(b, fault_runs) + first);
    const times now = __builtin_convertvector(runs, times);
    const times onset = times_of_reals(FAULTS_COLUMN(b, fault_onset) + row);
    const times lasts = times_of_reals(FAULTS_COLUMN(b, fault_duration) + row);
    const times begin = fault_updates_before(b, onset);
    const times_mask finite = lasts > 0, began = (now > begin) | (begin <= 0);
    times end = begin;
    if (times_any(finite)) end = fault_updates_before(b, onset + lasts);
    const times_mask ended = finite & ((now > end) | (end <= 0)), acts = began & ~ended;
    const times since = now * (double)b->period - onset; /* an onset may be the update but for its rounding */
    const times_mask grows = fault_grows(p, first, times_select(since > 0, since, (times){0}),
                                         times_of_reals(FAULTS_COLUMN(b, fault_ramp) + row));
    const times_mask on = goes_on ? acts : acts & grows, later = ~ended & ~on & (~began | finite);
    times_words next = ~(times_words){0};
    if (times_any(later)) {
        const times change = times_select(later, times_select(began, end, begin), (double)NEVER + (times){0});
        next = times_whole(change, (double)NEVER - 1) + 1;
    }
    const times_words at_once = __builtin_convertvector(on, times_words);
    *(times_words *)(p->next + first) = ((runs + 1) & at_once) | (next & ~at_once);
    *(times_words *)(p->acts + first) = __builtin_convertvector(acts, times_words);
}

LANE_INLINE void fault_progress_of(fault_progress *p, const block *b, int place, int goes_on)
{
    for (size_t first = 0; first < LANE_WIDTH; first += TIMES_WIDTH) {
        fault_progress_part(p, b, place, goes_on, first);
    }
}

#endif
