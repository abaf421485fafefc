/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that lie one after the other in memory. */
#ifndef RF_WORLD_LAYOUT_H
#define RF_WORLD_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define LINE 64 /* bytes, of a cache line: the largest lane */

/* The next `count` elements of a size at an offset of the memory, aligned for any of them; NULL of none. */
static inline void *take(char *from, size_t *at, size_t count, size_t size)
{
    void *taken = from == NULL ? NULL : from + *at;
    *at += (count * size + 15) / 16 * 16;
    return taken;
}

/* The same, aligned for lanes. */
static inline void *take_lanes(char *from, size_t *at, size_t count, size_t size)
{
    char *taken = take(from, at, count * size + LINE, 1);
    return taken == NULL ? NULL : taken + (LINE - (uintptr_t)taken % LINE) % LINE;
}

#endif
