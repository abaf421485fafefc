/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets without Python: bytes, any address, whole batches, and geodetic positions. */
#include "wire/pack.h"

#include <stdint.h>
#include <stdlib.h>

#include "test.h"
#include "math/wgs84.h"
#include "wire/structures.h"

enum { MANY = 130 }; /* two blocks and a part of one */

static const rf_wire_context CONTEXT = {
    .first_id = 7, .vehicle_type = 3, .origin = {40.1540302, 116.2593683, 50}};

static int column_of(const rf_batch *batch, const char *name)
{
    const rf_vehicle_type *type = rf_batch_type(batch);
    for (int i = 0; i < type->column_count; i++) {
        if (strcmp(type->columns[i].name, name) == 0) return i;
    }
    abort();
}

static void set(rf_batch *batch, const char *name, int component, size_t vehicle, double value)
{
    size_t stride;
    char *start = rf_batch_column(batch, column_of(batch, name), &stride);
    start += (size_t)component * stride;
    if (rf_batch_get_def(batch)->precision == RF_FLOAT32) {
        ((float *)(void *)start)[vehicle] = (float)value;
    } else {
        ((double *)(void *)start)[vehicle] = value;
    }
}

/* Vehicles on a line to the north, multirotors with different rotor speeds. */
static rf_batch *on_a_line(int precision, int type)
{
    rf_batch_def def = rf_batch_default();
    rf_batch *batch = NULL;
    def.n = MANY;
    def.precision = precision;
    def.type = type;
    if (rf_batch_create(&def, &batch) != RF_OK) abort();
    rf_batch_fill(batch, column_of(batch, "mass"), 0, 1);
    rf_batch_fill(batch, column_of(batch, "att"), 0, 1);
    bool rotors = strcmp(rf_batch_type(batch)->family, "multirotor") == 0;
    for (int i = 0; rotors && i < 3; i++) rf_batch_fill(batch, column_of(batch, "inertia"), i, 0.01);
    for (size_t i = 0; i < MANY; i++) {
        set(batch, "pos", 0, i, (double)i);
        if (!rotors) continue;
        set(batch, "rotor_speed", rf_batch_type(batch)->actuators - 1, i, (double)i);
        set(batch, "throttle", rf_batch_type(batch)->actuators - 1, i, (double)i / MANY);
    }
    rf_batch_set_tick(batch, 1500);
    return batch;
}

static void sizes_are_those_of_the_packets(void)
{
    const size_t sizes[] = {120, 52, 168, 264, 480, 64, 240, 36, 240, 40, 128, 64};
    for (int i = 0; i < RF_WIRE_STRUCTURE_COUNT; i++) {
        ENSURE(rf_wire_structures[i].size == sizes[i]);
        ENSURE(rf_wire_structure_find(rf_wire_structures[i].name) == i);
    }
    ENSURE(rf_wire_structure_find("SOut") == -1);
    ENSURE(rf_wire_structure_find("") == -1);
}

static void no_byte_is_left_out_or_too_many(void)
{
    for (int type = 0; type < rf_vehicle_type_count; type++) {
        for (int structure = 0; structure < RF_WIRE_STRUCTURE_COUNT; structure++) {
            rf_batch *batch = on_a_line(type % 2 ? RF_FLOAT32 : RF_FLOAT64, type);
            size_t size = MANY * rf_wire_structures[structure].size;
            unsigned char *first = malloc(size + 3), *second = malloc(size + 3);
            memset(first, 0x55, size + 3);
            memset(second, 0xAA, size + 3);
            /* at odd addresses, too */
            ENSURE(rf_wire_pack(batch, structure, &CONTEXT, first + 1) == RF_OK);
            ENSURE(rf_wire_pack(batch, structure, &CONTEXT, second + 2) == RF_OK);
            ENSURE(memcmp(first + 1, second + 2, size) == 0);
            ENSURE(first[0] == 0x55 && first[size + 1] == 0x55 && second[1] == 0xAA &&
                   second[size + 2] == 0xAA);
            free(first);
            free(second);
            rf_batch_destroy(batch);
        }
    }
}

static void every_vehicle_has_its_own_packet(void)
{
    for (int precision = 0; precision < RF_PRECISION_COUNT; precision++) {
        rf_batch *batch = on_a_line(precision, rf_vehicle_type_find("quad_x"));
        rf_sout2simulator *packets = malloc(MANY * sizeof *packets);
        ENSURE(rf_wire_pack(batch, RF_WIRE_SOUT2SIMULATOR, &CONTEXT, packets) == RF_OK);
        for (int i = 0; i < MANY; i++) {
            ENSURE(packets[i].checksum == 123456789);
            ENSURE(packets[i].copterID == 7 + i);
            ENSURE(packets[i].vehicleType == 3);
            ENSURE(packets[i].runnedTime == 1500 * 1e-3);
            ENSURE(packets[i].PosE.at[0] == i);
            ENSURE(packets[i].AngQuatern.at[0] == 1);
            ENSURE_NEAR(packets[i].MotorRPMS.at[3], i * 60 / (2 * 3.14159265358979323846), 1e-4);
            ENSURE(packets[i].MotorRPMS.at[4] == 0);
            /* a metre is 1/111035 deg here (meridian radius 6361.8 km) */
            ENSURE_NEAR(packets[i].PosGPS.at[0], 40.1540302 + i / 111035.0, 1e-7);
            ENSURE_NEAR(packets[i].PosGPS.at[1], 116.2593683, 1e-12);
        }
        free(packets);
        rf_batch_destroy(batch);
    }
}

static void a_batch_without_home_has_it_at_the_origin(void)
{
    rf_batch *batch = on_a_line(RF_FLOAT64, rf_vehicle_type_find("quad_x"));
    rf_out_hil_state_data *packets = malloc(MANY * sizeof *packets);
    ENSURE(rf_wire_pack(batch, RF_WIRE_OUT_HIL_STATE_DATA, &CONTEXT, packets) == RF_OK);
    for (int i = 0; i < MANY; i++) {
        ENSURE(packets[i].tg == -1 && packets[i].len == 112 && packets[i].time_boot_ms == 1500);
        ENSURE(packets[i].gpsHome.at[0] == 401540302 && packets[i].gpsHome.at[1] == 1162593683);
        ENSURE(packets[i].gpsHome.at[2] == 50000);
        ENSURE(packets[i].localPos.at[0] == (float)i);
    }
    free(packets);
    rf_batch_destroy(batch);
}

static void unknown_structures_are_refused(void)
{
    rf_batch *batch = on_a_line(RF_FLOAT64, rf_vehicle_type_find("quad_x"));
    ENSURE(rf_wire_pack(batch, -1, &CONTEXT, NULL) == RF_BAD_ARGUMENT);
    ENSURE(rf_wire_pack(batch, RF_WIRE_STRUCTURE_COUNT, &CONTEXT, NULL) == RF_BAD_ARGUMENT);
    rf_batch_destroy(batch);
}

/* On the axes of the frame the result is known without a series: up changes the height only. */
static void positions_above_the_origin_keep_their_latitude(void)
{
    const double origins[][3] = {{0, 0, 0},    {40.15, 116.25, 50}, {90, 0, 0},    {-90, 30, 10},
                                 {0, -180, 0}, {0, 90, -100},       {-45, -90, 5}, {89.9999, 179.9, 0}};
    for (size_t k = 0; k < sizeof origins / sizeof *origins; k++) {
        rf_local_frame frame = rf_local_frame_at(origins[k]);
        rf_local_frame_values ned[3] = {{0}}, lla[3];
        for (int i = 0; i < RF_LOCAL_FRAME_BLOCK; i++) ned[2][i] = 1000 - 10000.0 * i;
        rf_local_frame_to_lla(&frame, RF_LOCAL_FRAME_BLOCK, ned, lla);
        for (int i = 0; i < RF_LOCAL_FRAME_BLOCK; i++) {
            ENSURE_NEAR(lla[0][i], origins[k][0], 1e-12);
            if (fabs(origins[k][0]) < 89) ENSURE_NEAR(fabs(lla[1][i]), fabs(origins[k][1]), 1e-12);
            ENSURE_NEAR(lla[2][i], origins[k][2] - ned[2][i], 1e-7);
        }
    }
}

/* On the equator, east is a circle of the semi-major axis. */
static void positions_east_on_the_equator_are_on_a_circle(void)
{
    const double equator[3] = {0, 10, 0}, radius = 6378137, degree = 3.14159265358979323846 / 180;
    rf_local_frame frame = rf_local_frame_at(equator);
    rf_local_frame_values ned[3] = {{0}}, lla[3];
    for (int i = 0; i < RF_LOCAL_FRAME_BLOCK; i++) {
        double angle = (i - 32) * 0.1;
        ned[1][i] = radius * sin(angle * degree);
        ned[2][i] = radius * (1 - cos(angle * degree));
    }
    rf_local_frame_to_lla(&frame, RF_LOCAL_FRAME_BLOCK, ned, lla);
    for (int i = 0; i < RF_LOCAL_FRAME_BLOCK; i++) {
        ENSURE_NEAR(lla[0][i], 0, 1e-12);
        ENSURE_NEAR(lla[1][i], 10 + (i - 32) * 0.1, 1e-12);
        ENSURE_NEAR(lla[2][i], 0, 1e-7);
    }
}

static void non_finite_positions_stay_non_finite(void)
{
    rf_local_frame frame = rf_local_frame_at(CONTEXT.origin);
    rf_local_frame_values ned[3] = {{NAN, 1, INFINITY}, {0, 2, 0}, {0, NAN, 0}}, lla[3];
    rf_local_frame_to_lla(&frame, 3, ned, lla);
    for (int i = 0; i < 3; i++) {
        ENSURE(!isfinite(lla[0][i]));
        ENSURE(!isfinite(lla[2][i]));
    }
}

TEST_SUITE(wire)
{
    RUN(sizes_are_those_of_the_packets);
    RUN(no_byte_is_left_out_or_too_many);
    RUN(every_vehicle_has_its_own_packet);
    RUN(a_batch_without_home_has_it_at_the_origin);
    RUN(unknown_structures_are_refused);
    RUN(positions_above_the_origin_keep_their_latitude);
    RUN(positions_east_on_the_equator_are_on_a_circle);
    RUN(non_finite_positions_stay_non_finite);
}
