/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of RflySim about all vehicles of a batch, filled in one call. */
#ifndef RF_WIRE_PACK_H
#define RF_WIRE_PACK_H

#include "batch/batch.h"

/* In the order of rf_wire_structures. */
enum {
    RF_WIRE_OUT_HIL_STATE_DATA,
    RF_WIRE_OUT_HIL_STATE_SHORT,
    RF_WIRE_SOUT2SIMULATOR,
    RF_WIRE_OUT_COPTER_STRUCT,
    RF_WIRE_VEHICLE_INFO_60D,
    RF_WIRE_STRUCTURE_COUNT,
};

/* A structure of wire/structures.h that can be packed. */
typedef struct rf_wire_structure {
    const char *name; /* RflySim's */
    size_t size;      /* bytes */
} rf_wire_structure;

extern const rf_wire_structure rf_wire_structures[RF_WIRE_STRUCTURE_COUNT];

/* Index of the structure of that name, or -1. */
int rf_wire_structure_find(const char *name);

/* What the columns of a batch do not say. */
typedef struct rf_wire_context {
    int32_t first_id;     /* CopterID of the first vehicle; the others count on from it */
    int32_t vehicle_type; /* RflySim's uavType */
    double origin[3];     /* latitude [deg], longitude [deg], height [m] of the centre of the map */
} rf_wire_context;

/* Writes a structure for every vehicle, one after another, at any address.  The column `home` may be absent: then
 * the centre of the map is home.  Numbers that an integer cannot hold become its nearest, NaN becomes 0.
 *
 * Gives RF_BUSY when another thread is using the batch; none may begin to until this returns. */
rf_status rf_wire_pack(rf_batch *batch, int structure, const rf_wire_context *context, void *out);

#endif
