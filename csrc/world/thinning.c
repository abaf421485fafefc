/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/thinning.h"

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

/* The least difference of a contact from those that are kept. */
static double novelty(const rf_meetings *all, size_t first, size_t kept, size_t i)
{
    double least = difference(&all->contact[first], &all->contact[i]);
    for (size_t j = first + 1; j < kept; j++) {
        const double square = difference(&all->contact[j], &all->contact[i]);
        if (square < least) least = square;
    }
    return least;
}

void thin_out(rf_meetings *all, size_t first)
{
    if (all->count <= first + RF_THINNED) return;
    for (size_t i = first + 1; i < all->count; i++) {
        if (touches_before(&all->meeting[i], &all->meeting[first])) swap(all, i, first);
    }
    for (size_t kept = first + 1; kept < first + RF_THINNED; kept++) {
        size_t best = kept;
        double most = -1;
        for (size_t i = kept; i < all->count; i++) {
            const double own = novelty(all, first, kept, i);
            if (own > most) most = own, best = i;
        }
        swap(all, kept, best);
    }
    all->count = first + RF_THINNED;
}
