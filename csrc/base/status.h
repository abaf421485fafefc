/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes of the core and fault flags of vehicles.  The core returns codes; it never prints, exits or jumps.  A
 * fault of one vehicle is data: flags in its `status` column. */
#ifndef RF_BASE_STATUS_H
#define RF_BASE_STATUS_H

typedef enum rf_status {
    RF_OK = 0,
    RF_NO_MEMORY = -1,    /* allocation failed */
    RF_BAD_ARGUMENT = -2, /* an argument is out of its range */
    RF_BAD_SNAPSHOT = -3, /* the bytes are not a snapshot of such a batch */
    RF_BUSY = -4,         /* another thread is stepping this batch */
    RF_OTHER_VERSION = -5 /* a snapshot of another format or layout */
} rf_status;

/* Fault flags, the bits of a vehicle's status.  A vehicle with a fault flag keeps its last valid state: no step
 * changes it until it is reset or the flags are cleared. */
/* clang-format off */
#define RF_VEHICLE_FAULTS(X)                                                                                 \
    X(NOT_FINITE, 0, "non-finite state")               /* the step gave a NaN or an infinity */              \
    X(FAR, 1, "position or ground too far away")       /* distance from the origin above RF_MAX_DISTANCE */  \
    X(FAST, 2, "too fast")                             /* ground velocity above RF_MAX_SPEED */              \
    X(SPINNING, 3, "spinning too fast")                /* angular velocity above RF_MAX_RATE */              \
    X(OVERSPEED, 4, "rotor or wheel overspeed")        /* a speed above RF_MAX_ROTOR_SPEED */                \
    X(BAD_ATTITUDE, 5, "attitude not a unit quaternion")                                                     \
    X(FROZEN, 6, "frozen at a safety boundary")        /* by the action of a boundary, parts/safety */       \
    X(JACKKNIFE, 7, "jack-knifed")                     /* a hitch angle above RF_MAX_HITCH_ANGLE */          \
    X(MODEL_FAILED, 8, "its model failed")             /* a model in a library, base/library.h */
/* clang-format on */

#define RF_VEHICLE_FAULT_ENUM(name, bit, text) RF_VEHICLE_##name = 1u << (bit),

enum rf_vehicle_fault { RF_VEHICLE_FAULTS(RF_VEHICLE_FAULT_ENUM) };

/* Flight envelope: far beyond the performance of the vehicles, within the range in which the equations stay finite. */
#define RF_MAX_DISTANCE    1.0e6                  /* m */
#define RF_MAX_SPEED       1.0e3                  /* m/s */
#define RF_MAX_RATE        1.0e3                  /* rad/s */
#define RF_MAX_ROTOR_SPEED 1.0e5                  /* rad/s */
#define RF_MAX_HITCH_ANGLE 1.57079632679489661923 /* rad, 90 deg: a trailer beside its tractor */

#endif
