/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts/collision/watch.h"

#include "base/limits.h"
#include "base/sets.h"

bool RF_SET_NAME(rf_watch_look)(const rf_watch *watch, rf_watched *found, size_t *count);

SET_BEGIN
#include "math/rows.h"
#include "math/vec.h"

#define ROUNDED ((real)1.001) /* more than what rounding may take off */

LANE_INLINE vec3 watch_vector(const void *column, size_t stride, size_t row)
{
    vec3 v;
    rows_load((lane *)&v, 3, (const real *)column + row, stride);
    return v;
}

LANE_INLINE lane watch_noted(const rf_watch *w, int value, size_t row)
{
    return lane_load((const real *)w->noted.values + (size_t)value * w->noted.stride + row);
}

LANE_INLINE mask watch_word(const rf_watch *w, int word, size_t row)
{
    return words_load(w->noted.words + (size_t)word * w->noted.stride + row);
}

/* Where the ground is within a distance and a little, along its normal. */
LANE_INLINE mask watch_low(const rf_watch *w, size_t row, lane down, lane distance)
{
    lane below = lane_of((real)RF_TOUCH_HEIGHT) + distance;
    if (w->height != NULL) below += lane_abs(lane_load((const real *)w->height + row));
    if (w->gradient != NULL) {
        const vec3 current = watch_vector(w->current, w->stride, row);
        const lane north = lane_load((const real *)w->gradient + row),
                   east = lane_load((const real *)w->gradient + w->stride + row);
        below += (real)w->duration * lane_sqrt(norm2(current));
        below *= lane_sqrt(1 + north * north + east * east);
    }
    return mask_not(lane_load((const real *)w->ground + row) - down > ROUNDED * below);
}

/* Adds the vehicles of a lane. */
LANE_INLINE size_t watch_add(size_t row, mask found, mask low, rf_watched *to)
{
    lane_int near[LANE_WIDTH], lows[LANE_WIDTH];
    size_t count = 0;
    memcpy(near, &found, sizeof near);
    memcpy(lows, &low, sizeof lows);
    for (uint32_t i = 0; i < LANE_WIDTH; i++) {
        if (near[i] != 0) to[count++] = (rf_watched){(uint32_t)row + i, lows[i] != 0};
    }
    return count;
}

bool RF_SET_NAME(rf_watch_look)(const rf_watch *w, rf_watched *found, size_t *count)
{
    mask left = mask_not(mask_true());
    *count = 0;
    for (size_t row = 0; row < w->vehicles; row += LANE_WIDTH) {
        const mask bits = watch_word(w, RF_NOTED_BITS, row), was_in = words_have(bits, RF_NOTED_IN);
        const mask in = (words_load(w->enabled + row) != 0) & (words_load(w->status + row) == 0);
        const vec3 pos = watch_vector(w->pos, w->stride, row), vel = watch_vector(w->vel, w->stride, row);
        const lane reach = lane_load((const real *)w->reach + row);
        const lane way = (real)w->duration * lane_sqrt(norm2(vel));
        const lane room = watch_noted(w, RF_NOTED_SLACK, row) - way;
        const vec3 gone = sub(pos, watch_vector(w->noted.values, w->noted.stride, row));
        const mask same = (words_load(w->id + row) == watch_word(w, RF_NOTED_ID, row)) &
                          (words_load(w->group + row) == watch_word(w, RF_NOTED_GROUP, row)) &
                          (reach == watch_noted(w, RF_NOTED_REACH, row)) & (room >= 0) &
                          (norm2(gone) <= room * room);
        const mask touches = words_load(w->touches + row) != 0;
        left |= words_have(bits, RF_NOTED_VEHICLE) &
                ((in ^ was_in) | (in & mask_not(same)) | (touches & mask_not(in)));
        mask low = mask_not(mask_true());
        if (w->ground != NULL) low = watch_low(w, row, pos.z, reach + way);
        const mask near = was_in & (low | touches | words_have(bits, RF_NOTED_NEAR));
        if (mask_any(near)) *count += watch_add(row, near, low, found + *count);
    }
    return !mask_any(left);
}
SET_END
