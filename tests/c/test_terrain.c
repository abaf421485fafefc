/* SPDX-License-Identifier: BSD-3-Clause */
/* Terrain maps: the height between nodes, and positions of all kinds, which read no memory beside the map. */
#include <math.h>

#include "fleet.h"
#include "models/terrain_map.h"
#include "test.h"

enum { ROWS = 3, COLUMNS = 4 };

/* On the heap, so that sanitizers see a read beyond it.  h = 2 n + e^2 at the nodes. */
static rf_terrain_map hill(void)
{
    double *heights = malloc(ROWS * COLUMNS * sizeof *heights);
    if (heights == NULL) abort();
    rf_terrain_map map = {heights, ROWS, COLUMNS, {-10, 0}, {10, 1}};
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) heights[i * COLUMNS + j] = 2.0 * (10 * i - 10) + j * j;
    }
    return map;
}

static void heights_and_gradients_are_bilinear(void)
{
    rf_terrain_map map = hill();
    ENSURE(rf_terrain_map_is_valid(&map));
    rf_terrain_sample between = rf_terrain_map_at(&map, 2.5, 1.5);
    ENSURE(between.height == 5 + (1 + 4) / 2.0 && !between.outside);
    ENSURE(between.gradient[0] == 2 && between.gradient[1] == 3);
    rf_terrain_sample last = rf_terrain_map_at(&map, 10, 3);
    ENSURE(last.height == 29 && last.gradient[1] == 5 && !last.outside);
    rf_terrain_sample beyond = rf_terrain_map_at(&map, 10.5, 1.5);
    ENSURE(beyond.height == 22.5 && beyond.outside);
    ENSURE(beyond.gradient[0] == 0 && beyond.gradient[1] == 3);
    free((void *)map.heights);
}

static void any_position_stays_within_the_map(void)
{
    const double odd[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 1e19, -0.0, 10, nextafter(10, 11)};
    enum { COUNT = sizeof odd / sizeof *odd };
    rf_terrain_map map = hill();
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++) {
            double height = rf_terrain_map_at(&map, odd[i], odd[j]).height;
            ENSURE(height >= -20 && height <= 29);
        }
    }
    ENSURE(rf_terrain_map_at(&map, NAN, 1).outside && rf_terrain_map_at(&map, 0, INFINITY).outside);
    free((void *)map.heights);
}

/* Vehicles at odd positions, with and without the map, with and without a slope below them. */
static void vehicles_get_the_ground_below_them_with(bool sloped)
{
    rf_terrain_map map = hill();
    rf_batch *batch = tumbling(many(3));
    ENSURE(rf_batch_enable_part(batch, RF_PART_terrain) == RF_OK);
    if (sloped) ENSURE(rf_batch_enable_part(batch, RF_PART_ground_plane) == RF_OK);
    ENSURE(rf_batch_set_terrain_map(batch, &map) == RF_OK);
    uint32_t *on_map = words(batch, "on_terrain_map");
    for (int i = 0; i < MANY; i++) on_map[i] = i % 3 != 0;
    double *north = values(batch, "pos", 0), *terrain = values(batch, "terrain", 0);
    north[1] = NAN;
    north[2] = 1e300;
    north[4] = 5;
    ENSURE(rf_batch_step(batch, 1) == RF_OK);
    const uint32_t *off_map = words(batch, "off_map");
    ENSURE(terrain[0] == 1e5 && terrain[1] == 20 && terrain[2] == -20 && terrain[4] == -10 &&
           terrain[5] == 0);
    ENSURE(off_map[0] == 0 && off_map[1] == 1 && off_map[2] == 1 && off_map[4] == 0);
    if (sloped) ENSURE(values(batch, "terrain_gradient", 0)[4] == -2);
    rf_batch_destroy(batch);
    free((void *)map.heights);
}

static void vehicles_get_the_ground_below_them(void)
{
    vehicles_get_the_ground_below_them_with(true);
}

static void without_the_part_of_slopes_they_get_its_height(void)
{
    vehicles_get_the_ground_below_them_with(false);
}

static void without_a_map_the_ground_stays(void)
{
    rf_terrain_map map = hill(), bad = map;
    rf_batch *batch = tumbling(many(1));
    ENSURE(rf_batch_enable_part(batch, RF_PART_terrain) == RF_OK);
    fill(batch, "on_terrain_map", 0, 1);
    ENSURE(rf_batch_step(batch, 10) == RF_OK && values(batch, "terrain", 0)[0] == 1e5);
    bad.rows = 1;
    ENSURE(rf_batch_set_terrain_map(batch, &bad) == RF_BAD_ARGUMENT);
    bad = map;
    bad.spacing[1] = 0;
    ENSURE(rf_batch_set_terrain_map(batch, &bad) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_set_terrain_map(batch, &map) == RF_OK && rf_batch_set_terrain_map(batch, NULL) == RF_OK);
    free((void *)map.heights);
    ENSURE(rf_batch_step(batch, 10) == RF_OK && values(batch, "terrain", 0)[0] == 1e5);
    rf_batch_destroy(batch);
}

TEST_SUITE(terrain)
{
    RUN(heights_and_gradients_are_bilinear);
    RUN(any_position_stays_within_the_map);
    RUN(vehicles_get_the_ground_below_them);
    RUN(without_the_part_of_slopes_they_get_its_height);
    RUN(without_a_map_the_ground_stays);
}
