/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/sight.h"

#include <math.h>

#include "scene/vectors.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#define FARTHEST 1e9  /* m, of an origin, and of what is met */
#define SHORTEST 1e-9 /* of the length of a direction */
#define LONGEST  1e9

/* Whether a ray has an origin and a direction, of which `unit` gets the length 1. */
static bool is_ray(const double origin[3], const double direction[3], double unit[3])
{
    const double square = dot(direction, direction);
    if (!(dot(origin, origin) < FARTHEST * FARTHEST)) return false;
    if (!(square > SHORTEST * SHORTEST && square < LONGEST * LONGEST)) return false;
    for (int k = 0; k < 3; k++) unit[k] = direction[k] / sqrt(square);
    return true;
}

/* The distance to level ground at z, INFINITY where the ray does not meet it. */
static double to_level(double z, const double origin[3], const double unit[3])
{
    const double t = (z - origin[2]) / unit[2];
    return t >= 0 ? t : INFINITY;
}

static double to_ground(const rf_sight *sight, size_t origin, const double from[3], const double unit[3],
                        double reach)
{
    if (sight->map != NULL) return rf_relief_ray(sight->map, from, unit, reach);
    return sight->level == NULL ? INFINITY : to_level(sight->level[origin], from, unit);
}

/* Keeps what a ray has met, if that is nearer than all before. */
static void keep(const rf_rays *rays, uint8_t *seen, size_t i, double distance, rf_seen what, int32_t number)
{
    if (!(distance <= rays->reach && (float)distance < rays->distance[i])) return;
    rays->distance[i] = (float)distance;
    rays->shape[i] = number;
    seen[i] = (uint8_t)what;
}

/* Sees what is nearer than what the ray has met in the scene. */
static void look(const rf_sight *sight, const rf_rays *rays, uint8_t *seen, size_t i)
{
    const size_t origin = i / rays->each;
    const double *from = rays->origins[origin];
    double unit[3];
    seen[i] = rays->shape[i] == RF_NO_SHAPE ? RF_SEEN_NOTHING : RF_SEEN_SHAPE;
    if (!is_ray(from, rays->directions[i % rays->direction_count], unit)) {
        rays->distance[i] = NAN;
        return;
    }
    const double reach = fmin(fmin((double)rays->distance[i], rays->reach), FARTHEST);
    keep(rays, seen, i, to_ground(sight, origin, from, unit, reach), RF_SEEN_GROUND, RF_NO_SHAPE);
    if (sight->movers == NULL) return;
    const double left = fmin(reach, (double)rays->distance[i]);
    const rf_met met = rf_movers_ray(sight->movers, from, unit, left, sight->ignored[origin]);
    keep(rays, seen, i, met.distance, RF_SEEN_MOVER, met.id);
}

void rf_sight_cast(const rf_sight *sight, const rf_rays *rays, uint8_t *seen, size_t first, size_t count)
{
    if (sight->scene != NULL) {
        sight->cast(sight->scene, rays, first, count);
    } else {
        for (size_t i = first; i < first + count; i++) {
            rays->distance[i] = INFINITY;
            rays->shape[i] = RF_NO_SHAPE;
        }
    }
    for (size_t i = first; i < first + count; i++) look(sight, rays, seen, i);
}
