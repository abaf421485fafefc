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
typedef mask word;

typedef struct task_columns {
    TASK_PART(COLUMN_MEMBER)
} task_columns;

typedef struct task_words {
    TASK_PART_WORD(COLUMN_MEMBER)
} task_words;

/* A column of the part, by the name of its first row. */
#define TASK_COLUMN(b, name) PART_COLUMN(b, task, task_columns, name)
#define TASK_WORD(b, name)   PART_WORD(b, task, task_words, name)

#endif
