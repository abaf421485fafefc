/* SPDX-License-Identifier: BSD-3-Clause */
/* What a packet is, or the payload of a MAVLink message: its fields, and where their values come from.
 *
 * All that is known of a packet follows from its table in wire/packets.c: its size, the columns that it needs, its bytes,
 * and in Python its layout and its page. */
#ifndef RF_WIRE_LAYOUT_H
#define RF_WIRE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "math/wgs84.h"

#define RF_WIRE_BLOCK RF_LOCAL_FRAME_BLOCK /* vehicles */

/* A component of the values of a block of vehicles. */
typedef double rf_wire_values[RF_WIRE_BLOCK];

/* Contents of packets that are not columns of a batch. */
typedef struct rf_wire_context {
    int32_t first_id;     /* CopterID of the first vehicle; those of the others follow consecutively */
    int32_t vehicle_type; /* RflySim's uavType */
    double origin[3];     /* latitude [deg], longitude [deg], height [m] of the origin of the map */
    const uint32_t
        *updated; /* of each vehicle, bits of the sensors that count as updated; NULL: sensors_updated */
} rf_wire_context;

/* A block of vehicles, and what all of them share. */
typedef struct rf_wire_block {
    size_t begin, n; /* index of the first in the batch, number */
    const rf_wire_context *context;
    rf_local_frame frame; /* at the origin of the context */
    uint64_t tick;
    double time;        /* s */
    double sensor_time; /* s, of the last update of the sensors */
} rf_wire_block;

/* Computes values of a block from other values: its only inputs, so that a column that nobody has loaded cannot be read. */
typedef void rf_wire_compute(const rf_wire_block *block, const rf_wire_values *const from[],
                             rf_wire_values *to);

enum {
    RF_WIRE_INPUTS = 8, /* of a computed source, at most */
    RF_WIRE_WIDTH = 32, /* components of a source, at most */
};

/* Where values come from: a column, or a computation from other sources. */
typedef struct rf_wire_source {
    const char *column; /* NULL: computed.  "actuators": the first columns of inputs, of any name */
    int width;          /* components; those that a column lacks are 0 */
    rf_wire_compute *compute;
    const struct rf_wire_source *from[RF_WIRE_INPUTS]; /* NULL after the last */
} rf_wire_source;

/* Values of a column that a batch does not have, or whose part is disabled: zeros. */
extern const rf_wire_values rf_wire_absent[RF_WIRE_WIDTH];

/* Numbers of packets: name, type, its name in Python.  All are little-endian. */
#define RF_WIRE_NUMBERS(X)                                                                                   \
    X(U1, uint8_t, "u1")                                                                                     \
    X(U2, uint16_t, "u2")                                                                                    \
    X(U4, uint32_t, "u4")                                                                                    \
    X(U8, uint64_t, "u8")                                                                                    \
    X(I2, int16_t, "i2")                                                                                     \
    X(I4, int32_t, "i4")                                                                                     \
    X(F4, float, "f4")                                                                                       \
    X(F8, double, "f8")

#define RF_WIRE_NUMBER(name, type, python) RF_WIRE_##name,
typedef enum rf_wire_number { RF_WIRE_NUMBERS(RF_WIRE_NUMBER) } rf_wire_number;

/* A field.  Values beyond the range of a number saturate, NaN becomes 0; to integers others are rounded, ties to even. */
typedef struct rf_wire_field {
    const char *name; /* RflySim's [@rfly-sdk] */
    rf_wire_number number;
    int count;                    /* 1: no array */
    const rf_wire_source *source; /* NULL: the constant */
    int first;                    /* component of the source */
    double scale;                 /* its factor, or the constant */
    const char *meaning;          /* with its unit; NULL: that of another field of this name */
} rf_wire_field;

/* A packet without padding. */
typedef struct rf_wire_structure {
    const char *name; /* RflySim's */
    const char *port; /* kind of the port that it is sent to, as in pyrfly.wire; "mavlink": none, a payload */
    int field_count;
    const rf_wire_field *fields;
} rf_wire_structure;

extern const rf_wire_structure rf_wire_structures[];
extern const int rf_wire_structure_count;

/* The structure of that name, or NULL. */
const rf_wire_structure *rf_wire_structure_find(const char *name);

/* Sizes in bytes. */
size_t rf_wire_number_size(rf_wire_number number);
size_t rf_wire_structure_size(const rf_wire_structure *structure);

#endif
