/* SPDX-License-Identifier: BSD-3-Clause */
/* Framework of the targets of C: each reads bytes of a kind, millions of inputs a minute.
 *
 * A file <name>.c defines a fuzz_target, which main.c lists.  Every input is made from numbers of its own, which follow
 * from the seed and the number of the input; nothing is allocated for it here. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct fuzz_random {
    uint64_t state;
} fuzz_random;

typedef struct fuzz_target {
    const char *name;
    void (*open)(void);
    void (*feed)(fuzz_random *random); /* makes an input and feeds it */
    void (*close)(void);
} fuzz_target;

extern const fuzz_target fuzz_frames, fuzz_events, fuzz_snapshots, fuzz_commands;

/* Prints what does not hold, for which input, and exits. */
_Noreturn void fuzz_failed(const char *file, int line, const char *what);

#define FUZZ_ENSURE(condition)                                                                               \
    do {                                                                                                     \
        if (!(condition)) fuzz_failed(__FILE__, __LINE__, #condition);                                       \
    } while (0)

/* ---- chance ---- */

/* SplitMix64. */
static inline uint64_t fuzz_draw(fuzz_random *random)
{
    uint64_t z = random->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* A number from 0 to count - 1. */
static inline size_t fuzz_below(fuzz_random *random, size_t count)
{
    return (size_t)((fuzz_draw(random) >> 32) * count >> 32);
}

static inline bool fuzz_one_in(fuzz_random *random, size_t count)
{
    return fuzz_below(random, count) == 0;
}

/* ---- changed inputs ---- */

typedef struct fuzz_bytes {
    uint8_t *bytes;
    size_t length, capacity;
} fuzz_bytes;

/* A number at which programs go wrong, of 1, 4 or 8 bytes. */
void fuzz_number(fuzz_random *random, void *to, size_t size);

/* Writes a number over bytes, mostly at a multiple of four from `first` on. */
void fuzz_write(fuzz_random *random, fuzz_bytes *data, size_t first);

/* Changes bytes in at most four places: bits, numbers, lengths. */
void fuzz_change(fuzz_random *random, fuzz_bytes *data, size_t first);

/* Copies bytes to the end of `room` bytes at `to`, behind which a sanitizer sees what is read too far. */
static inline uint8_t *fuzz_place(const uint8_t *bytes, size_t length, uint8_t *to, size_t room)
{
    return memcpy(to + (room - length), bytes, length);
}

#endif
