/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/thinning.h"

#include <math.h>

#define TURNED 0.2 /* m, that a normal counts which is turned by a radian */

static void swap(rf_meetings *all, size_t i, size_t j)
{
    const rf_contact contact = all->contact[i];
    const rf_meeting meeting = all->meeting[i];
    all->contact[i] = all->contact[j];
    all->meeting[i] = all->meeting[j];
    all->contact[j] = contact;
    all->meeting[j] = meeting;
}

static bool touches_before(const rf_meeting *a, const rf_meeting *b)
{
    return a->time != b->time ? a->time < b->time : a->distance < b->distance;
}

/* How much two contacts differ [m^2]. */
static double difference(const rf_contact *a, const rf_contact *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double way = a->arm_a[k] - b->arm_a[k], turn = TURNED * (a->normal[k] - b->normal[k]);
        square += way * way + turn * turn;
    }
    return square;
}

/* Takes the last that is kept into what is known of how much the others differ from all of these. */
static void compare_with(rf_meetings *all, size_t kept)
{
    for (size_t i = kept + 1; i < all->count; i++) {
        const double square = difference(&all->contact[kept], &all->contact[i]);
        if (square < all->meeting[i].apart) all->meeting[i].apart = square;
    }
}

void thin_out(rf_meetings *all, size_t first)
{
    if (all->count <= first + RF_THINNED) return;
    for (size_t i = first; i < all->count; i++) {
        all->meeting[i].apart = INFINITY;
        if (touches_before(&all->meeting[i], &all->meeting[first])) swap(all, i, first);
    }
    for (size_t kept = first + 1; kept < first + RF_THINNED; kept++) {
        compare_with(all, kept - 1);
        size_t best = kept;
        for (size_t i = kept + 1; i < all->count; i++) {
            if (all->meeting[i].apart > all->meeting[best].apart) best = i;
        }
        swap(all, kept, best);
    }
    all->count = first + RF_THINNED;
}
