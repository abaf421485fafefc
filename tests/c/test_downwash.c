/* SPDX-License-Identifier: BSD-3-Clause */
/* Jets below rotors, and the stage that adds them up: a grid against all pairs. */
#include "world/downwash.h"

#include "fleet.h"
#include "parts/environment/effects.h"
#include "test.h"

#define LANE_PRECISION 64
#define LANE_WIDTH     1
#include "models/jet.h"

#define PI 3.14159265358979323846

static void a_jet_begins_with_twice_the_induced_velocity_and_decays_with_distance(void)
{
    const double thrust = 10, area = 0.2, density = 1.225, radius = sqrt(area / PI);
    const double induced = sqrt(thrust / (2 * density * area));
    const double begin = jet_initial_speed(thrust, area, density);
    ENSURE_NEAR(begin, 2 * induced, 1e-12);
    for (double x = 0.01; x < 0.75 * JET_LENGTH * radius; x *= 1.3) {
        double expected = begin / (1 + 0.094 / sqrt(log(2)) * x / radius);
        ENSURE_NEAR(sqrt(jet_square(begin, radius, x, 0)), expected, 1e-7 * expected);
    }
}

/* The integral of rho u^2 over planes across the axis is the thrust. */
static void a_jet_keeps_its_momentum(void)
{
    const double thrust = 7, area = 0.3, density = 1.1, radius = sqrt(area / PI);
    const double begin = jet_initial_speed(thrust, area, density);
    for (double x = 0.05; x < 0.75 * JET_LENGTH * radius; x *= 2) {
        double width = JET_WIDTH * jet_radius(radius, x), step = width / 4000, sum = 0;
        for (double r = step / 2; r < width; r += step) {
            sum += density * jet_square(begin, radius, x, r * r) * 2 * PI * r * step;
        }
        ENSURE_NEAR(sum, thrust, 1e-5 * thrust);
    }
}

/* The profile is that of a Gauss curve: half of the speed on the axis at the half-width, which grows by 0.094. */
static void the_half_width_of_a_jet_grows_linearly(void)
{
    const double begin = 10, radius = 0.25;
    for (double x = 1; x < 14; x += 3) {
        double half = radius * sqrt(log(2)) + 0.094 * x;
        double ratio = sqrt(jet_square(begin, radius, x, half * half) / jet_square(begin, radius, x, 0));
        ENSURE_NEAR(ratio, 0.5, 1e-7);
    }
}

static void a_jet_has_ends(void)
{
    const double begin = 10, radius = 0.25, length = JET_LENGTH * radius;
    ENSURE(jet_square(begin, radius, 0, 0) == 0 && jet_square(begin, radius, -1, 0) == 0);
    ENSURE(jet_square(begin, radius, length, 0) == 0);
    ENSURE_NEAR(sqrt(jet_square(begin, radius, 0.875 * length, 0)) * (1 + 0.875 * 9), 0.5 * begin, 1e-7);
    double edge = JET_WIDTH * jet_radius(radius, 5);
    ENSURE(jet_square(begin, radius, 5, edge * edge * 1.0001) == 0);
    double ratio = sqrt(jet_square(begin, radius, 5, edge * edge * 0.9999) / jet_square(begin, radius, 5, 0));
    ENSURE_NEAR(ratio, exp(-9), 1e-6);
}

/* ---- swarms ---- */

enum { SWARM = 400 };

static double random_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0;
}

/* Vehicles with spinning rotors and the effect, all at one place, with CopterIDs from `first`. */
static rf_batch *swarm_batch(const char *type, size_t n, uint32_t first, int threads)
{
    rf_batch_def def = many(threads);
    def.type = rf_vehicle_type_find(type);
    def.n = n;
    rf_batch *batch = tumbling(def);
    rf_batch_enable_part(batch, RF_PART_environment);
    rf_batch_enable_part(batch, RF_PART_downwash);
    fill(batch, "environment_effects", 0, ENVIRONMENT_DOWNWASH);
    fill(batch, "disk_area", 0, 0.18);
    for (int i = 0; i < rf_batch_type(batch)->actuators; i++) fill(batch, "rotor_speed", i, 500);
    for (size_t i = 0; i < n; i++) words(batch, "random_vehicle")[i] = first + (uint32_t)i;
    return batch;
}

/* Sets place, tilt, rotor speed and disks of a vehicle from its CopterID. */
static void place_by_id(rf_batch *batch, size_t row, double span)
{
    uint32_t state = words(batch, "random_vehicle")[row] * 2654435761u;
    for (int i = 0; i < 3; i++) {
        values(batch, "pos", i)[row] = span * (random_number(&state) - 0.5);
        values(batch, "att", i)[row] = random_number(&state) - 0.5;
    }
    values(batch, "att", 3)[row] = 1;
    double norm = 1;
    for (int i = 0; i < 3; i++) norm += values(batch, "att", i)[row] * values(batch, "att", i)[row];
    for (int i = 0; i < 4; i++) values(batch, "att", i)[row] /= sqrt(norm);
    values(batch, "disk_area", 0)[row] = 0.02 + 0.3 * random_number(&state);
}

static void place_all(rf_batch *const *batches, size_t count, double span)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t row = 0; row < rf_batch_get_def(batches[i])->n; row++) place_by_id(batches[i], row, span);
    }
}

static bool refresh(rf_batch *const *batches, size_t count)
{
    rf_downwash downwash;
    rf_world_stage stage;
    if (rf_world_lock(batches, count) != RF_OK) return false;
    bool made = rf_downwash_stage(&downwash, batches, count, &stage) == 1;
    rf_world_run run = {&stage, 1, 0};
    while (made && !rf_world_refresh_locked(batches, count, &run)) {}
    rf_world_unlock(batches, count);
    return made;
}

/* The velocity at a vehicle by all jets, by pairs. */
static void by_pairs(rf_batch *batch, size_t at, double sum[3])
{
    const double *pos[3], *jet[3], *area = values(batch, "disk_area", 0);
    for (int i = 0; i < 3; i++) pos[i] = values(batch, "pos", i), jet[i] = values(batch, "rotor_jet", i);
    sum[0] = sum[1] = sum[2] = 0;
    for (size_t from = 0; from < rf_batch_get_def(batch)->n; from++) {
        double off[3], axis[3], along = 0, across2 = 0, speed = 0;
        for (int i = 0; i < 3; i++) {
            off[i] = pos[i][at] - pos[i][from];
            axis[i] = jet[i][from];
            speed += axis[i] * axis[i];
        }
        speed = sqrt(speed);
        for (int i = 0; i < 3; i++) along += off[i] * (axis[i] / speed);
        for (int i = 0; i < 3; i++) across2 += off[i] * off[i];
        across2 -= along * along;
        double radius = sqrt(area[from] / PI);
        double square = jet_square(speed, radius, along, across2 > 0 ? across2 : 0);
        for (int i = 0; i < 3; i++) sum[i] += square * (axis[i] / speed);
    }
    double root = sqrt(sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]));
    for (int i = 0; i < 3; i++) sum[i] = root > 0 ? sum[i] / root : 0;
}

/* Dense and sparse swarms about the origin, so that cells have negative and positive indices. */
static void the_grid_finds_what_all_pairs_do(void)
{
    static const double spans[] = {3, 30, 200, 2000};
    rf_batch *batch = swarm_batch("quad_x", SWARM, 1, 1);
    for (int k = 0; k < 4; k++) {
        place_all(&batch, 1, spans[k]);
        ENSURE(refresh(&batch, 1));
        int met = 0;
        for (size_t at = 0; at < SWARM; at++) {
            double expected[3];
            by_pairs(batch, at, expected);
            for (int i = 0; i < 3; i++) {
                ENSURE_NEAR(values(batch, "downwash", i)[at], expected[i], 1e-9);
                met += expected[i] != 0;
            }
        }
        ENSURE(k == 3 || met > SWARM / 8);
    }
    rf_batch_destroy(batch);
}

/* Jets that end at borders of cells, and vehicles on them. */
static void vehicles_at_borders_of_cells_are_found(void)
{
    rf_batch *batch = swarm_batch("quad_x", SWARM, 1, 1);
    fill(batch, "disk_area", 0, PI * 0.01); /* a radius of 0.1 m: cells of 2 m */
    for (size_t row = 0; row < SWARM; row++) {
        values(batch, "pos", 0)[row] = 0.5 * ((double)(row % 5) - 2);
        values(batch, "pos", 1)[row] = 0.5 * ((double)(row / 5 % 4) - 2);
        values(batch, "pos", 2)[row] = 1.0 * ((double)(row / 20) - 10);
    }
    ENSURE(refresh(&batch, 1));
    for (size_t at = 0; at < SWARM; at++) {
        double expected[3];
        by_pairs(batch, at, expected);
        for (int i = 0; i < 3; i++) ENSURE_NEAR(values(batch, "downwash", i)[at], expected[i], 1e-9);
    }
    rf_batch_destroy(batch);
}

static void bits_do_not_depend_on_how_vehicles_are_distributed(void)
{
    rf_batch *whole = swarm_batch("quad_x", SWARM, 1, 1);
    rf_batch *parts[] = {swarm_batch("quad_x", 150, 251, 1), swarm_batch("quad_x", 250, 1, 1)};
    place_all(&whole, 1, 20);
    place_all(parts, 2, 20);
    for (size_t i = 0; i < 75; i++) { /* the first batch backwards */
        uint32_t *id = words(parts[0], "random_vehicle"), other = id[i];
        id[i] = id[149 - i];
        id[149 - i] = other;
    }
    place_all(parts, 1, 20);
    ENSURE(refresh(&whole, 1) && refresh(parts, 2));
    for (int k = 0; k < 2; k++) {
        for (size_t row = 0; row < rf_batch_get_def(parts[k])->n; row++) {
            size_t same = words(parts[k], "random_vehicle")[row] - 1;
            for (int i = 0; i < 3; i++) {
                ENSURE(values(parts[k], "downwash", i)[row] == values(whole, "downwash", i)[same]);
            }
        }
        rf_batch_destroy(parts[k]);
    }
    rf_batch_destroy(whole);
}

static void bits_do_not_depend_on_threads_and_calls(void)
{
    static const uint32_t calls[2][3] = {{30, 0, 0}, {7, 1, 22}};
    rf_batch *swarms[2];
    for (int k = 0; k < 2; k++) {
        swarms[k] = swarm_batch("rotors_4", SWARM, 1, k == 0 ? 1 : 4);
        place_all(&swarms[k], 1, 20);
        for (int i = 0; i < 3; i++) {
            rf_downwash downwash;
            rf_world_stage stage;
            ENSURE(rf_downwash_stage(&downwash, &swarms[k], 1, &stage) == 1);
            ENSURE(rf_world_step(&swarms[k], 1, &stage, 1, calls[k][i]) == RF_OK);
        }
    }
    ENSURE(same_bytes(swarms[0], swarms[1]));
    bool met = false;
    for (size_t row = 0; row < SWARM; row++) met |= values(swarms[0], "wind_variation", 2)[row] > 0.1;
    ENSURE(met);
    for (int k = 0; k < 2; k++) rf_batch_destroy(swarms[k]);
}

/* Vehicles with faults, without the effect, without a place: they neither blow nor feel, and others are as without. */
static void vehicles_without_a_place_do_not_take_part(void)
{
    rf_batch *batch = swarm_batch("quad_x", 6, 1, 1);
    for (size_t row = 0; row < 6; row++) values(batch, "pos", 2)[row] = (double)row;
    words(batch, "status")[0] = 1;
    words(batch, "environment_effects")[1] = 0;
    values(batch, "pos", 2)[3] = NAN;
    values(batch, "pos", 0)[4] = -1e300;
    fill(batch, "downwash", 2, 7);
    ENSURE(refresh(&batch, 1));
    static const bool feels[] = {false, false, false, false, false, true};
    for (size_t row = 0; row < 6; row++) ENSURE((values(batch, "downwash", 2)[row] > 0) == feels[row]);
    double begin = values(batch, "rotor_jet", 2)[2];
    double expected = sqrt(jet_square(begin, sqrt(0.18 / PI), 3, 0));
    ENSURE_NEAR(values(batch, "downwash", 2)[5], expected, 1e-12);
    rf_batch_destroy(batch);
}

static void a_swarm_far_from_the_origin_is_within_the_grid(void)
{
    rf_batch *batch = swarm_batch("quad_x", 2, 1, 1);
    fill(batch, "disk_area", 0, 1e-4);
    for (int i = 0; i < 3; i++) {
        fill(batch, "pos", 0, i == 0 ? 999999 : 0);
        fill(batch, "pos", 1, i == 1 ? -999999 : 0);
        fill(batch, "pos", 2, i == 2 ? 999999 : 0);
        values(batch, "pos", 2)[1] += 0.01;
        ENSURE(refresh(&batch, 1));
        ENSURE(values(batch, "downwash", 2)[0] == 0 && values(batch, "downwash", 2)[1] > 0);
    }
    rf_batch_destroy(batch);
}

TEST_SUITE(downwash)
{
    RUN(a_jet_begins_with_twice_the_induced_velocity_and_decays_with_distance);
    RUN(a_jet_keeps_its_momentum);
    RUN(the_half_width_of_a_jet_grows_linearly);
    RUN(a_jet_has_ends);
    RUN(the_grid_finds_what_all_pairs_do);
    RUN(vehicles_at_borders_of_cells_are_found);
    RUN(bits_do_not_depend_on_how_vehicles_are_distributed);
    RUN(bits_do_not_depend_on_threads_and_calls);
    RUN(vehicles_without_a_place_do_not_take_part);
    RUN(a_swarm_far_from_the_origin_is_within_the_grid);
}
