/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of columns: one allocation, in which every column starts on a cache line. */
#ifndef RF_BATCH_MEMORY_H
#define RF_BATCH_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Columns of one table: floating-point columns first, then 32-bit words. */
typedef struct rf_columns {
    void *reals; /* NULL: none */
    uint32_t *words;
    size_t bytes;
    void *allocation; /* which begins before `reals`, to align them */
    uint64_t number;  /* of all that were ever made */
} rf_columns;

/* n values of `size` bytes, padded to an odd number of cache lines. */
size_t rf_padded_values(size_t n, size_t size);

/* Columns of so many bytes, all zero; reals is NULL if the allocation failed. */
rf_columns rf_columns_create(size_t bytes_of_reals, size_t bytes_of_words);
void rf_columns_destroy(rf_columns *columns);

#endif
