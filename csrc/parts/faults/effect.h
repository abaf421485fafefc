/* SPDX-License-Identifier: BSD-3-Clause */
/* A fault of vehicles of a block, and how its effects are written: as changes of the columns that faults/held.h reads. */
#ifndef RF_PARTS_FAULTS_EFFECT_H
#define RF_PARTS_FAULTS_EFFECT_H

#include "parts/faults/held.h"

/* The faults of one kind in one place of the list, at present. */
typedef struct fault {
    uint32_t kind;
    mask items;
    lane share;   /* of it that acts, over 0 */
    lane elapsed; /* s, since its onset */
    lane grown;   /* s, the share that acts summed up since then */
    lane growth;  /* 1/s, derivative of the share */
    lane value[FAULT_VALUES];
} fault;

/* A row of a column. */
#define FAULTS_ROW(b, name, row) (FAULTS_COLUMN(b, name) + (size_t)(row) * (b)->stride)

/* Changes a row `where` a fault is: sets it, multiplies it, adds to it, takes the lesser one. */
LANE_INLINE void fault_set(real *row, mask where, lane value)
{
    lane_store(row, lane_select(where, value, lane_load(row)));
}

LANE_INLINE void fault_multiply(real *row, mask where, lane factor)
{
    fault_set(row, where, lane_load(row) * factor);
}

LANE_INLINE void fault_add(real *row, mask where, lane term)
{
    fault_set(row, where, lane_load(row) + term);
}

LANE_INLINE void fault_limit(real *row, mask where, lane most)
{
    fault_set(row, where & (most < lane_load(row)), most);
}

/* Adds a share of the first three values of a fault to three rows. */
LANE_INLINE void fault_add_vec3(const block *b, real *rows, const fault *f, mask where, lane share)
{
    for (int axis = 0; axis < 3; axis++) {
        fault_add(rows + (size_t)axis * b->stride, where, share * f->value[axis]);
    }
}

/* Adds a standard deviation to that of other noise. */
LANE_INLINE void fault_add_noise(real *row, mask where, lane deviation)
{
    const lane before = lane_load(row);
    fault_set(row, where, lane_sqrt(before * before + deviation * deviation));
}

/* Sets bits of a word. */
LANE_INLINE void fault_mark(uint32_t *column, mask where, lane_int bits)
{
    words_store(column, words_load(column) | words_of(where, bits));
}

/* Sets rows of a column where `due`. */
LANE_INLINE void fault_set_rows(const block *b, mask due, real *first, int rows, real value)
{
    for (int i = 0; i < rows; i++) fault_set(first + (size_t)i * b->stride, due, lane_of(value));
}

LANE_INLINE void fault_set_word(mask due, uint32_t *column, lane_int value)
{
    words_store_where(due, column, words_of(mask_true(), value));
}

#define PERIODS ((real)1e6) /* maximum number of them: a number beyond it has no fraction in float32 */

/* The share of a period that has passed; 0 without a period. */
LANE_INLINE lane fault_phase(lane elapsed, lane period)
{
    const lane periods = elapsed / period; /* not finite without a period */
    const lane counted = lane_select(periods < PERIODS, periods, lane_of(0));
    return counted - lane_of_words(words_of_lane(counted));
}

/* A factor of which a share acts. */
LANE_INLINE lane fault_factor(const fault *f, lane factor)
{
    return (1 - f->share) + f->share * factor;
}

#endif
