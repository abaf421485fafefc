/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets without Python: bytes, any address, whole batches, and geodetic positions. */
#include "wire/pack.h"

#include <stdint.h>
#include <stdlib.h>

#include "test.h"
#include "math/wgs84.h"

enum { MANY = 130 }; /* two blocks and a part of one */

static const rf_wire_context CONTEXT = {
    .first_id = 7, .vehicle_type = 3, .origin = {40.1540302, 116.2593683, 50}};

static int column_number(const rf_batch *batch, const char *name)
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
    char *start = rf_batch_column(batch, column_number(batch, name), &stride);
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
    rf_batch_fill(batch, column_number(batch, "mass"), 0, 1);
    rf_batch_fill(batch, column_number(batch, "att"), 0, 1);
    bool rotors = strcmp(rf_batch_type(batch)->family, "multirotor") == 0;
    for (int i = 0; rotors && i < 3; i++) rf_batch_fill(batch, column_number(batch, "inertia"), i, 0.01);
    for (size_t i = 0; i < MANY; i++) {
        set(batch, "pos", 0, i, (double)i);
        if (!rotors) continue;
        set(batch, "rotor_speed", rf_batch_type(batch)->actuators - 1, i, (double)i);
        set(batch, "throttle", rf_batch_type(batch)->actuators - 1, i, (double)i / MANY);
    }
    rf_batch_set_tick(batch, 1500);
    return batch;
}

/* A number of a field of a packet. */
static double number(const rf_wire_structure *structure, const char *packet, const char *name, int component)
{
    for (int i = 0; i < structure->field_count; i++) {
        const rf_wire_field *field = &structure->fields[i];
        size_t size = rf_wire_number_size(field->number);
        if (strcmp(field->name, name) == 0) {
            packet += (size_t)component * size;
            if (field->number == RF_WIRE_I4) return *(const int32_t *)(const void *)packet;
            if (field->number == RF_WIRE_U4) return *(const uint32_t *)(const void *)packet;
            if (field->number == RF_WIRE_F4) return (double)*(const float *)(const void *)packet;
            if (field->number == RF_WIRE_F8) return *(const double *)(const void *)packet;
        }
        packet += size * (size_t)field->count;
    }
    abort();
}

static void structures_are_found_by_name(void)
{
    for (int i = 0; i < rf_wire_structure_count; i++) {
        ENSURE(rf_wire_structure_find(rf_wire_structures[i].name) == &rf_wire_structures[i]);
    }
    ENSURE(rf_wire_structure_find("SOut") == NULL);
    ENSURE(rf_wire_structure_find("") == NULL);
}

static void no_byte_is_left_out_or_too_many(void)
{
    for (int type = 0; type < rf_vehicle_type_count(); type++) {
        for (int k = 0; k < rf_wire_structure_count; k++) {
            const rf_wire_structure *structure = &rf_wire_structures[k];
            rf_batch *batch = on_a_line(type % 2 ? RF_FLOAT32 : RF_FLOAT64, type);
            size_t size = MANY * rf_wire_structure_size(structure);
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
    const rf_wire_structure *structure = rf_wire_structure_find("SOut2Simulator");
    size_t size = rf_wire_structure_size(structure);
    for (int precision = 0; precision < RF_PRECISION_COUNT; precision++) {
        rf_batch *batch = on_a_line(precision, rf_vehicle_type_find("quad_x"));
        char *packets = malloc(MANY * size);
        ENSURE(rf_wire_pack(batch, structure, &CONTEXT, packets) == RF_OK);
        for (int i = 0; i < MANY; i++) {
            const char *packet = packets + (size_t)i * size;
            ENSURE(number(structure, packet, "checksum", 0) == 123456789);
            ENSURE(number(structure, packet, "copterID", 0) == 7 + i);
            ENSURE(number(structure, packet, "vehicleType", 0) == 3);
            ENSURE(number(structure, packet, "runnedTime", 0) == 1500 * 1e-3);
            ENSURE(number(structure, packet, "PosE", 0) == i);
            ENSURE(number(structure, packet, "AngQuatern", 0) == 1);
            double rpm = i * 60 / (2 * 3.14159265358979323846);
            ENSURE_NEAR(number(structure, packet, "MotorRPMS", 3), rpm, 1e-4);
            ENSURE(number(structure, packet, "MotorRPMS", 4) == 0);
            /* a metre is 1/111035 deg here (meridian radius 6361.8 km) */
            ENSURE_NEAR(number(structure, packet, "PosGPS", 0), 40.1540302 + i / 111035.0, 1e-7);
            ENSURE_NEAR(number(structure, packet, "PosGPS", 1), 116.2593683, 1e-12);
        }
        free(packets);
        rf_batch_destroy(batch);
    }
}

static void a_batch_without_home_has_it_at_the_origin(void)
{
    const rf_wire_structure *structure = rf_wire_structure_find("outHILStateData");
    size_t size = rf_wire_structure_size(structure);
    rf_batch *batch = on_a_line(RF_FLOAT64, rf_vehicle_type_find("quad_x"));
    char *packets = malloc(MANY * size);
    ENSURE(rf_wire_pack(batch, structure, &CONTEXT, packets) == RF_OK);
    for (int i = 0; i < MANY; i++) {
        const char *packet = packets + (size_t)i * size;
        ENSURE(number(structure, packet, "time_boot_ms", 0) == 1500);
        ENSURE(number(structure, packet, "gpsHome", 0) == 401540302);
        ENSURE(number(structure, packet, "gpsHome", 1) == 1162593683);
        ENSURE(number(structure, packet, "gpsHome", 2) == 50000);
        ENSURE(number(structure, packet, "localPos", 0) == i);
    }
    free(packets);
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
    RUN(structures_are_found_by_name);
    RUN(no_byte_is_left_out_or_too_many);
    RUN(every_vehicle_has_its_own_packet);
    RUN(a_batch_without_home_has_it_at_the_origin);
    RUN(positions_above_the_origin_keep_their_latitude);
    RUN(positions_east_on_the_equator_are_on_a_circle);
    RUN(non_finite_positions_stay_non_finite);
}
