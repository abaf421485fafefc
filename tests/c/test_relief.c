/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays onto terrain maps: against heights that are sampled along them, of maps of the least and of odd sizes, and rays along
 * the lines of the grid. */
#include "scene/relief.h"

#include <stdlib.h>

#include "test.h"
#include "uniform.h"

enum { SAMPLES = 400, RAYS = 300 };

/* A map of random heights, on the heap, so that sanitizers see a read beyond it. */
static rf_terrain_map rough_map(size_t rows, size_t columns, double spacing)
{
    double *heights = malloc(rows * columns * sizeof *heights);
    if (heights == NULL) abort();
    for (size_t i = 0; i < rows * columns; i++) heights[i] = uniform(-4, 4);
    return (rf_terrain_map){heights, rows, columns, {-3, 5}, {spacing, 2}};
}

static rf_terrain_map flat_map(size_t rows, size_t columns, double height)
{
    rf_terrain_map map = rough_map(rows, columns, 2);
    for (size_t i = 0; i < rows * columns; i++) ((double *)map.heights)[i] = height;
    return map;
}

static void free_map(rf_terrain_map *map, rf_relief *relief)
{
    rf_relief_free(relief);
    free((void *)map->heights);
}

/* The middle of a map along an axis, north or east [m]. */
static double middle(const rf_terrain_map *map, int axis)
{
    const size_t nodes = axis == 0 ? map->rows : map->columns;
    return map->first[axis] + 0.5 * (double)(nodes - 1) * map->spacing[axis];
}

static void random_direction(double direction[3])
{
    double square = 0;
    while (square < 1e-3) {
        square = 0;
        for (int k = 0; k < 3; k++) {
            direction[k] = uniform(-1, 1);
            square += direction[k] * direction[k];
        }
    }
    for (int k = 0; k < 3; k++) direction[k] /= sqrt(square);
}

/* How far a place along a ray is above the surface [m]. */
static double above(const rf_terrain_map *map, const double origin[3], const double direction[3], double t)
{
    const double north = origin[0] + t * direction[0], east = origin[1] + t * direction[1];
    return -(origin[2] + t * direction[2]) - rf_terrain_map_at(map, north, east).height;
}

/* Whether a distance is to the surface, with nothing of it before: all samples are on the side of the origin. */
static bool is_first(const rf_terrain_map *map, const double origin[3], const double direction[3], double t,
                     double reach)
{
    if (t < INFINITY && !(t >= 0 && t <= reach)) return false;
    if (t < INFINITY && !(fabs(above(map, origin, direction, t)) < 1e-6)) return false;
    double begin = above(map, origin, direction, 0);
    if (fabs(begin) < 1e-9) begin = above(map, origin, direction, fmin(t, reach) / SAMPLES); /* either side */
    const double side = begin < 0 ? -1 : 1;
    for (int i = 1; i < SAMPLES; i++) {
        const double at = fmin(t, reach) * i / SAMPLES;
        if (side * above(map, origin, direction, at) < -1e-6) return false;
    }
    return true;
}

static void rays_meet_the_surface_where_samples_cross_it(void)
{
    const size_t sizes[][2] = {{2, 2}, {2, 40}, {9, 9}, {10, 17}, {65, 66}, {3, 600}};
    srand(11);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        rf_terrain_map map = rough_map(sizes[k][0], sizes[k][1], k % 2 ? -1.5 : 2.5);
        rf_relief *relief;
        ENSURE(rf_relief_new(&map, &relief) == RF_OK);
        size_t met = 0;
        for (int i = 0; i < RAYS; i++) {
            double origin[3] = {middle(&map, 0) + uniform(-30, 30), middle(&map, 1) + uniform(-30, 30),
                                uniform(-12, 6)};
            double direction[3];
            random_direction(direction);
            direction[2] *= i % 3 ? 1 : 0.1; /* some are flat, which go a long way */
            const double length =
                sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
            for (int j = 0; j < 3; j++) direction[j] /= length;
            const double t = rf_relief_ray(relief, origin, direction, 80);
            ENSURE(is_first(&map, origin, direction, t, 80));
            met += t < INFINITY;
        }
        ENSURE(met > RAYS / 4 && met < RAYS);
        free_map(&map, relief);
    }
}

static void without_a_cell_there_is_no_relief(void)
{
    rf_terrain_map map = flat_map(2, 2, 0), bad = map;
    rf_relief *relief;
    bad.rows = 1;
    ENSURE(rf_relief_new(&bad, &relief) == RF_BAD_ARGUMENT);
    bad.columns = 1;
    ENSURE(rf_relief_new(&bad, &relief) == RF_BAD_ARGUMENT);
    bad = map;
    bad.spacing[1] = 0;
    ENSURE(rf_relief_new(&bad, &relief) == RF_BAD_ARGUMENT);
    rf_relief_free(NULL);
    free((void *)map.heights);
}

/* A flat map is a plane without end: the distance is the height over the sine, from above and from below. */
static void flat_maps_are_planes_without_end(void)
{
    srand(12);
    for (size_t nodes = 2; nodes < 80; nodes += 7) {
        rf_terrain_map map = flat_map(nodes, 81 - nodes, 1.25);
        rf_relief *relief;
        ENSURE(rf_relief_new(&map, &relief) == RF_OK);
        for (int i = 0; i < RAYS; i++) {
            double origin[3] = {uniform(-300, 300), uniform(-300, 300), uniform(-20, 20)}, direction[3];
            random_direction(direction);
            const double expected = (-1.25 - origin[2]) / direction[2];
            const double t = rf_relief_ray(relief, origin, direction, 500);
            if (expected >= 0 && expected < 499) ENSURE_NEAR(t, expected, 1e-9 * (1 + expected));
            if (expected < 0 || expected > 501) ENSURE(t == INFINITY);
        }
        free_map(&map, relief);
    }
}

/* From nodes, along the lines of the grid, straight up and down, with a component that vanishes. */
static void rays_along_the_grid_are_no_exception(void)
{
    const double tiny[] = {0, -0.0, 5e-324, -5e-324, 1e-300, 1e-17, -1e-17};
    enum { COUNT = sizeof tiny / sizeof *tiny };
    srand(13);
    rf_terrain_map map = rough_map(20, 11, 1);
    rf_relief *relief;
    ENSURE(rf_relief_new(&map, &relief) == RF_OK);
    for (int i = 0; i < 40 * COUNT; i++) {
        const int axis = i / COUNT % 3;
        const size_t row = (size_t)rand() % 20, column = (size_t)rand() % 11;
        const double on_it = -map.heights[row * 11 + column];
        double origin[3] = {map.first[0] + (double)row, map.first[1] + 2 * (double)column,
                            i % 2 ? on_it : on_it - 3};
        double direction[3] = {tiny[i % COUNT], tiny[i % COUNT], tiny[i % COUNT]};
        direction[axis] = i / 3 % 2 ? 1 : -1;
        const double t = rf_relief_ray(relief, origin, direction, 60);
        ENSURE(is_first(&map, origin, direction, t, 60));
        if (axis == 2 && i % 2 == 0) ENSURE(direction[2] > 0 ? fabs(t - 3) < 1e-9 : t == INFINITY);
    }
    free_map(&map, relief);
}

/* Origins and reaches of any finite size: the answer is a distance within the reach, or none. */
static void huge_and_vanishing_numbers_end_within_the_reach(void)
{
    const double odd[] = {0, -0.0, 5e-324, 1e-9, -1e9, 1e9, 1e19, -1e300, 1e300};
    enum { COUNT = sizeof odd / sizeof *odd };
    rf_terrain_map map = rough_map(12, 12, 1);
    rf_relief *relief;
    ENSURE(rf_relief_new(&map, &relief) == RF_OK);
    srand(14);
    for (int i = 0; i < 3000; i++) {
        double origin[3], direction[3];
        for (int k = 0; k < 3; k++) origin[k] = odd[rand() % COUNT];
        random_direction(direction);
        const double reach = fabs(odd[rand() % COUNT]);
        const double t = rf_relief_ray(relief, origin, direction, reach);
        ENSURE(t == INFINITY || (t >= 0 && t <= reach));
    }
    free_map(&map, relief);
}

TEST_SUITE(relief)
{
    RUN(rays_meet_the_surface_where_samples_cross_it);
    RUN(without_a_cell_there_is_no_relief);
    RUN(flat_maps_are_planes_without_end);
    RUN(rays_along_the_grid_are_no_exception);
    RUN(huge_and_vanishing_numbers_end_within_the_reach);
}
