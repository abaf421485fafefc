/* SPDX-License-Identifier: BSD-3-Clause */
/* A block: LANE_WIDTH consecutive vehicles of a batch, the unit of work of a kernel. */
#ifndef RF_PARTS_BLOCK_H
#define RF_PARTS_BLOCK_H

#include <stddef.h>

#include "math/rows.h"
#include "math/wgs84.h"
#include "parts/parts.h"

/* Rows of the flag columns, which all types share. */
enum {
    RF_FLAG_STATUS,
    RF_FLAG_ARMED,
    RF_FLAG_SETPOINT_MASK,
    RF_FLAG_ARRIVED,
    RF_FLAG_RANDOM_SEED, /* low half, high half */
    RF_FLAG_RANDOM_VEHICLE = RF_FLAG_RANDOM_SEED + 2
};

typedef struct block {
    real *column;  /* the first column, at the first vehicle of the block */
    size_t stride; /* values from one column to the next */
    uint32_t *flags;
    size_t word_stride;
    size_t first;               /* vehicle of the block in the columns of the parts */
    void *const *parts;         /* first column of each part, NULL while it is disabled */
    uint32_t *const *all_words; /* first word column of each part */
    real dt;                    /* s, one integrator step */
    real period;                /* s, between two runs of this stage */
    uint64_t tick;              /* integrator steps before this run of the stage */
    uint32_t update;            /* runs of the stage before, the low half of their number */
    const uint32_t *refreshed;  /* NULL in a step; else 1 for vehicles whose held values are computed anew */
    int begins;                 /* whether those begin anew, as a learning environment lets them */
    const rf_origin *origin;
    const double *airframes;        /* [SIL_AIRFRAMES][params and gains] of a mixed model, or NULL */
    size_t vehicles;                /* of the batch: those behind fill up a lane */
    const struct rf_own_model *own; /* of a model of one's own (base/own_model.h), or NULL */
} block;

LANE_INLINE int part_enabled(const block *b, int part)
{
    return b->parts[part] != NULL;
}

/* The first column of an enabled part, and of its words, at the first vehicle of the block. */
LANE_INLINE real *part_columns(const block *b, int part)
{
    return (real *)b->parts[part] + b->first;
}

LANE_INLINE uint32_t *part_words(const block *b, int part)
{
    return b->all_words[part] + b->first;
}

/* A column of a part, and a column of its words, by a member of the structs that are made of its lists. */
#define PART_COLUMN(b, part_name, members, name)                                                             \
    (part_columns(b, RF_PART_##part_name) + offsetof(members, name) / sizeof(lane) * (b)->stride)
#define PART_WORD(b, part_name, members, name)                                                               \
    (part_words(b, RF_PART_##part_name) + offsetof(members, name) / sizeof(mask) * (b)->word_stride)

LANE_INLINE uint32_t *block_flag(const block *b, int flag)
{
    return b->flags + (size_t)flag * b->word_stride;
}

#endif
