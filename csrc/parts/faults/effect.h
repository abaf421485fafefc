/* SPDX-License-Identifier: BSD-3-Clause */
/* A fault of one vehicle, and how its effects are written: as changes of the columns that faults/held.h reads. */
#ifndef RF_PARTS_FAULTS_EFFECT_H
#define RF_PARTS_FAULTS_EFFECT_H

#include "parts/faults/held.h"

/* One fault at present. */
typedef struct fault {
    uint32_t kind, items;
    real share;   /* of it that acts, over 0 */
    real elapsed; /* s, since its onset */
    real grown;   /* s, the share that acts summed up since then */
    real growth;  /* 1/s, derivative of the share */
    real value[FAULT_VALUES];
} fault;

/* A vehicle of a block. */
typedef struct faulty {
    const block *b;
    size_t vehicle; /* of the block */
} faulty;

#define FAULTY_ROW(v, name, row) (FAULTS_COLUMN((v)->b, name) + (size_t)(row) * (v)->b->stride + (v)->vehicle)
#define FAULTY_WORD(v, name, row)                                                                            \
    (FAULTS_WORD((v)->b, name) + (size_t)(row) * (v)->b->word_stride + (v)->vehicle)

/* Sets rows of a column where `due`. */
LANE_INLINE void fault_set_rows(const block *b, mask due, real *first, int rows, real value)
{
    for (int i = 0; i < rows; i++) {
        real *row = first + (size_t)i * b->stride;
        lane_store(row, lane_select(due, lane_of(value), lane_load(row)));
    }
}

LANE_INLINE void fault_set_word(mask due, uint32_t *column, lane_int value)
{
    words_store_where(due, column, words_of(mask_true(), value));
}

LANE_INLINE real fault_root(real square)
{
    return (real)__builtin_sqrt((double)square);
}

#define PERIODS ((real)1e6) /* maximum number of them: a number beyond it has no fraction in float32 */

/* The share of a period that has passed; 0 without a period. */
LANE_INLINE real fault_phase(real elapsed, real period)
{
    const real periods = elapsed / period; /* not finite without a period */
    return periods < PERIODS ? periods - (real)(uint32_t)periods : 0;
}

/* A factor of which a share acts. */
LANE_INLINE real fault_factor(const fault *f, real factor)
{
    return (1 - f->share) + f->share * factor;
}

#endif
