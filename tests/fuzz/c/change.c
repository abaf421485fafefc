/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include <float.h>
#include <math.h>

/* Signed, so that all sizes are cut from them. */
static const int64_t wholes[] = {
    0,         1,         -1,        2,         3,         4,         8,         127,
    128,       255,       256,       INT16_MAX, 65535,     INT32_MAX, INT32_MIN, 1LL << 30,
    1LL << 32, 1LL << 53, 1LL << 62, INT64_MAX, INT64_MIN, 123450,
};
static const double reals[] = {0.0,     -0.0,     1.0,   0.5,    NAN, INFINITY, -INFINITY, 1e38, -1e38,
                               DBL_MAX, -DBL_MAX, 1e-45, 5e-324, 1e7, 0x1p53,   0x1p62,    -1.0, 3.0};
static const uint8_t markers[] = {0x55, 0xAA, 0xFD, 0xFE, 0xFF, 0x80, 0x7F, 13, 10};

#define CHOSEN(random, table) table[fuzz_below(random, sizeof table / sizeof table[0])]

void fuzz_number(fuzz_random *random, void *to, size_t size)
{
    int64_t whole = CHOSEN(random, wholes);
    double real = CHOSEN(random, reals);
    bool narrows = !isfinite(real) || fabs(real) <= (double)FLT_MAX;
    float narrow = narrows ? (float)real : FLT_MAX;
    uint8_t byte = fuzz_one_in(random, 2) ? CHOSEN(random, markers) : (uint8_t)fuzz_draw(random);
    bool is_whole = fuzz_one_in(random, 2);
    const void *number = size == 1   ? (void *)&byte
                         : is_whole  ? (void *)&whole
                         : size == 8 ? (void *)&real
                                     : &narrow;
    memcpy(to, number, size);
}

static size_t any_size(fuzz_random *random)
{
    static const size_t sizes[] = {1, 4, 4, 8, 8};
    return CHOSEN(random, sizes);
}

void fuzz_write(fuzz_random *random, fuzz_bytes *data, size_t first)
{
    uint8_t number[8];
    size_t size = any_size(random), at = fuzz_below(random, data->length + 1);
    fuzz_number(random, number, size);
    if (at > first && !fuzz_one_in(random, 4)) at -= (at - first) % (size == 1 ? 1 : 4);
    size_t room = data->length - at;
    memcpy(data->bytes + at, number, size < room ? size : room);
}

static void flip(fuzz_random *random, fuzz_bytes *data)
{
    if (data->length > 0) data->bytes[fuzz_below(random, data->length)] ^= 1u << fuzz_below(random, 8);
}

static void cut(fuzz_random *random, fuzz_bytes *data)
{
    data->length = fuzz_below(random, data->length + 1);
}

static void delete (fuzz_random *random, fuzz_bytes *data)
{
    static const size_t lengths[] = {1, 4, 8, 20, 40};
    size_t at = fuzz_below(random, data->length + 1), left = data->length - at,
           gone = CHOSEN(random, lengths);
    if (gone > left) gone = left;
    memmove(data->bytes + at, data->bytes + at + gone, left - gone);
    data->length -= gone;
}

/* Makes room at a place, of at most `size` bytes; returns how many. */
static size_t open_at(fuzz_bytes *data, size_t at, size_t size)
{
    size_t room = data->capacity - data->length;
    if (size > room) size = room;
    memmove(data->bytes + at + size, data->bytes + at, data->length - at);
    data->length += size;
    return size;
}

static void insert(fuzz_random *random, fuzz_bytes *data)
{
    uint8_t number[8];
    size_t at = fuzz_below(random, data->length + 1), size = any_size(random);
    fuzz_number(random, number, size);
    memcpy(data->bytes + at, number, open_at(data, at, size));
}

static void repeat(fuzz_random *random, fuzz_bytes *data)
{
    size_t begin = fuzz_below(random, data->length + 1), size = fuzz_below(random, data->length - begin + 1);
    size = open_at(data, begin + size, size);
    memmove(data->bytes + begin + size, data->bytes + begin, size);
}

static void extend(fuzz_random *random, fuzz_bytes *data)
{
    static const size_t lengths[] = {1, 8, 40, 200};
    size_t at = data->length, size = open_at(data, at, CHOSEN(random, lengths));
    for (size_t i = 0; i < size; i++) data->bytes[at + i] = (uint8_t)fuzz_draw(random);
}

void fuzz_change(fuzz_random *random, fuzz_bytes *data, size_t first)
{
    static const uint8_t places[] = {0, 1, 1, 1, 1, 2, 2, 4};
    for (size_t left = CHOSEN(random, places); left > 0; left--) {
        switch (fuzz_below(random, 10)) {
        case 0:
            delete (random, data);
            break;
        case 1:
            insert(random, data);
            break;
        case 2:
            repeat(random, data);
            break;
        case 3:
            cut(random, data);
            break;
        case 4:
            extend(random, data);
            break;
        case 5:
        case 6:
            flip(random, data);
            break;
        default:
            fuzz_write(random, data, first);
        }
    }
}
