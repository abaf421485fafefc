/* SPDX-License-Identifier: BSD-3-Clause */
/* The task of a block of vehicles: structs of its columns. */
#ifndef RF_PARTS_TASK_HELD_H
#define RF_PARTS_TASK_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/task/columns.h"

typedef lane per_action[TASK_ACTIONS];
typedef lane harmonics[6 * TASK_HARMONICS];
typedef mask word;

typedef struct task_columns {
    TASK_PART(COLUMN_MEMBER)
} task_columns;

typedef struct task_words {
    TASK_PART_WORD(COLUMN_MEMBER)
} task_words;

/* Rows of the settings, and of the columns that hold an episode.  LANE_UNROLL unrolls up to 64, and what is not unrolled
 * loads what a task does not need. */
enum {
    TASK_SETTING_ROWS = (int)(offsetof(task_columns, task_goal) / sizeof(lane)),
    TASK_EPISODE_ROWS = ROWS_OF(task_columns) - TASK_SETTING_ROWS
};
_Static_assert(TASK_SETTING_ROWS <= 64 && TASK_EPISODE_ROWS <= 64, "more rows than are unrolled");

/* A column of the part, by the name of its first row. */
#define TASK_COLUMN(b, name) PART_COLUMN(b, task, task_columns, name)
#define TASK_WORD(b, name)   PART_WORD(b, task, task_words, name)

#endif
