/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes of the core, and the per-vehicle status bits.  The core returns codes; it never prints, exits
 * or jumps.  What goes wrong with one vehicle is data: bits in its `status` column. */
#ifndef RF_BASE_STATUS_H
#define RF_BASE_STATUS_H

typedef enum rf_status {
    RF_OK = 0,
    RF_NO_MEMORY = -1,    /* allocation failed */
    RF_BAD_ARGUMENT = -2, /* an argument is out of its range */
    RF_BAD_SNAPSHOT = -3, /* the bytes are not a snapshot of such a batch */
    RF_BUSY = -4          /* another thread is stepping this batch */
} rf_status;

/* Bits of a vehicle's status.  A vehicle with any bit set is frozen: its state is the last good one and no step
 * moves it until it is reset or the bits are cleared. */
enum rf_vehicle_status {
    RF_VEHICLE_NOT_FINITE = 1u << 0,  /* the step gave a NaN or an infinity */
    RF_VEHICLE_FAR = 1u << 1,         /* further than RF_MAX_DISTANCE from the origin */
    RF_VEHICLE_FAST = 1u << 2,        /* faster than RF_MAX_SPEED */
    RF_VEHICLE_SPINNING = 1u << 3,    /* body rate above RF_MAX_RATE */
    RF_VEHICLE_OVERSPEED = 1u << 4,   /* a rotor above RF_MAX_ROTOR_SPEED */
    RF_VEHICLE_BAD_ATTITUDE = 1u << 5 /* the quaternion is not near unit length */
};

/* The envelope: far outside what any vehicle here does, inside what its equations can bear. */
#define RF_MAX_DISTANCE    1.0e6 /* m */
#define RF_MAX_SPEED       1.0e3 /* m/s */
#define RF_MAX_RATE        1.0e3 /* rad/s */
#define RF_MAX_ROTOR_SPEED 1.0e5 /* rad/s */

#endif
