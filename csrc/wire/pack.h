/* SPDX-License-Identifier: BSD-3-Clause */
/* RflySim's packets of all vehicles of a batch, packed in one call. */
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
    RF_WIRE_MAV_HIL_SENSOR,
    RF_WIRE_HIL_SENSOR_30D,
    RF_WIRE_MAV_HIL_GPS,
    RF_WIRE_HIL_GPS_30D,
    RF_WIRE_IMU_DATA_COPTER,
    RF_WIRE_EXT_TO_UE4,
    RF_WIRE_EXT_TO_PX4,
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

/* Contents of packets that are not columns of a batch. */
typedef struct rf_wire_context {
    int32_t first_id;     /* CopterID of the first vehicle; those of the others follow consecutively */
    int32_t vehicle_type; /* RflySim's uavType */
    double origin[3];     /* latitude [deg], longitude [deg], height [m] of the origin of the map */
} rf_wire_context;

/* Writes a structure for every vehicle, contiguously, at any address.  Without the column `home` the origin of the map
 * is home.  Values outside the range of an integer saturate, NaN becomes 0.
 *
 * Values of sensors that a batch does not have are 0 and count as not updated; those of the inertial measurement unit of
 * RF_WIRE_IMU_DATA_COPTER then are the true ones, at the centre of mass.
 *
 * Locks the batch; returns RF_BUSY while another thread uses it. */
rf_status rf_wire_pack(rf_batch *batch, int structure, const rf_wire_context *context, void *out);

#endif
