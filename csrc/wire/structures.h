/* SPDX-License-Identifier: BSD-3-Clause */
/* The structures that RflySim's simulator sends, byte for byte.
 *
 * Names of structures and members are RflySim's [@rfly-sdk].  Little-endian, without padding; a structure may
 * be at any address.  The same layouts, and those that a simulator receives, are in
 * pyrfly/wire/layouts.py. */
#ifndef RF_WIRE_STRUCTURES_H
#define RF_WIRE_STRUCTURES_H

#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the wire structures are written as the processor stores them, which must be little-endian"
#endif

/* Arrays that can be assigned. */
typedef struct rf_int3 {
    int32_t at[3];
} rf_int3;

typedef struct rf_float3 {
    float at[3];
} rf_float3;

typedef struct rf_float4 {
    float at[4];
} rf_float4;

typedef struct rf_float8 {
    float at[8];
} rf_float8;

typedef struct rf_float16 {
    float at[16];
} rf_float16;

typedef struct rf_double3 {
    double at[3];
} rf_double3;

typedef struct rf_double4 {
    double at[4];
} rf_double4;

typedef struct rf_double8 {
    double at[8];
} rf_double8;

typedef struct rf_double16 {
    double at[16];
} rf_double16;

typedef struct rf_double32 {
    double at[32];
} rf_double32;

#define RF_PACKED __attribute__((packed))

/* Estimated state, here the true one, to port 20101 + 2 (n-1) in the full UDP mode. */
typedef struct RF_PACKED rf_out_hil_state_data {
    int32_t tg;  /* collision: CopterID of the other vehicle, or 0; -1: none */
    int32_t len; /* of the following members: 112 */
    uint32_t time_boot_ms;
    uint32_t copterID;
    rf_int3 GpsPos;       /* 1e-7 deg, 1e-7 deg, mm */
    rf_int3 GpsVel;       /* cm/s, NED */
    rf_int3 gpsHome;      /* as GpsPos */
    int32_t relative_alt; /* mm above home */
    int32_t hdg;          /* 1e-3 deg, 0 to 359999 */
    int32_t satellites_visible;
    int32_t fix_type;
    int32_t reserve;
    rf_float3 AngEular;                          /* rad */
    rf_float3 localPos;                          /* m from home, NED */
    rf_float3 localVel;                          /* m/s, NED */
    float pos_horiz_accuracy, pos_vert_accuracy; /* m */
    float ekf_3d_fixed;                          /* above 0.5: the estimator is ready */
} rf_out_hil_state_data;

/* Estimated state, short, in the simple UDP mode. */
typedef struct RF_PACKED rf_out_hil_state_short {
    int32_t checksum;
    rf_int3 gpsHome;    /* 1e-7 deg, 1e-7 deg, mm */
    rf_float3 AngEular; /* rad */
    rf_float3 localPos; /* m from home, NED */
    rf_float3 localVel; /* m/s, NED */
} rf_out_hil_state_short;

/* True state, to port 30101 + 2 (n-1). */
typedef struct RF_PACKED rf_sout2simulator {
    int32_t checksum;
    int32_t copterID;
    int32_t vehicleType;
    int32_t reserve;
    rf_float3 VelE;       /* m/s, NED */
    rf_float3 AngEuler;   /* rad */
    rf_float4 AngQuatern; /* scalar first, FRD to NED */
    rf_float8 MotorRPMS;  /* 1/min, or rad for a surface */
    rf_float3 AccB;       /* acceleration relative to the ground, m/s^2, FRD */
    rf_float3 RateB;      /* rad/s, FRD */
    double runnedTime;    /* s */
    rf_double3 PosE;      /* m from the origin of the map, NED */
    rf_double3 PosGPS;    /* deg, deg, m */
} rf_sout2simulator;

/* User-defined outputs of a model, to port 30101 + 2 (n-1): the column `free_outputs`.  Without it: 0 to 15 the actuator
 * commands, 0 where there is no actuator; 16 the collective thrust commanded to the allocation [N]; 17 whether it is armed;
 * 18 its fault flags of base/status.h; else 0. */
typedef struct RF_PACKED rf_out_copter_struct {
    int32_t checksum;
    int32_t CopterID;
    rf_double32 outCopterData;
} rf_out_copter_struct;

/* True state as a vector of doubles, the output of a model to the 3D view. */
typedef struct RF_PACKED rf_vehicle_info_60d {
    double copterID;
    double vehicleType;
    double runnedTime;
    rf_double3 VelE;
    rf_double3 PosE;
    rf_double3 AngEuler;
    rf_double4 AngQuatern;
    rf_double8 MotorRPMS;
    rf_double3 AccB;
    rf_double3 RateB;
    rf_double3 PosGPS;
    double reserve[27];
} rf_vehicle_info_60d;

/* What the sensors measure, the fields of MAVLink's HIL_SENSOR in RflySim's order. */
typedef struct RF_PACKED rf_mav_hil_sensor {
    uint64_t time_usec; /* us, of the last update of the sensors */
    rf_float3 acc;      /* m/s^2, FRD */
    rf_float3 gyro;     /* rad/s, FRD */
    rf_float3 mag;      /* gauss, FRD */
    float abs_pressure; /* hPa */
    float diff_pressure;
    float pressure_alt;      /* m */
    float temperature;       /* deg C */
    uint32_t fields_updated; /* bits RF_HIL_ below */
} rf_mav_hil_sensor;

/* Bits of fields_updated: PX4 reads a sensor where all of its bits are set [@px4]. */
enum {
    RF_HIL_ACCEL_GYRO = 0x003F,
    RF_HIL_MAGNETOMETER = 0x01C0,
    RF_HIL_BAROMETER = 0x1A00, /* abs_pressure, pressure_alt, temperature */
    RF_HIL_AIRSPEED = 0x0400,
};

/* The same as a vector of doubles, an output of a model.  What follows fields_updated is pyrfly's own. */
typedef struct RF_PACKED rf_hil_sensor_30d {
    double time_usec;
    rf_double3 acc;
    rf_double3 gyro;
    rf_double3 mag;
    double abs_pressure;
    double diff_pressure;
    double pressure_alt;
    double temperature;
    double fields_updated;
    double airspeed;       /* indicated [m/s] */
    double distance;       /* of the range finder [m] */
    double distance_valid; /* 0 or 1 */
    double reserve[12];
} rf_hil_sensor_30d;

/* What the satellite receiver reports, the fields of MAVLink's HIL_GPS in RflySim's order. */
typedef struct RF_PACKED rf_mav_hil_gps {
    uint64_t time_usec;           /* us, of the last update of the sensors */
    int32_t lat, lon, alt;        /* 1e-7 deg, 1e-7 deg, mm */
    uint16_t eph, epv;            /* cm; 65535: unknown */
    uint16_t vel;                 /* cm/s; 65535: unknown */
    int16_t vn, ve, vd;           /* cm/s, NED */
    uint16_t cog;                 /* 0.01 deg, 0 to 35999; 65535: unknown */
    uint8_t fix_type, satellites; /* 255: unknown */
} rf_mav_hil_gps;

/* The same as a vector of doubles, an output of a model.  What follows satellites_visible is pyrfly's own. */
typedef struct RF_PACKED rf_hil_gps_30d {
    double time_usec;
    rf_double3 position; /* lat, lon, alt */
    double eph, epv, vel;
    rf_double3 velocity; /* vn, ve, vd */
    double cog, fix_type, satellites;
    double reports; /* number of reports since the last reset */
    double reserve[16];
} rf_hil_gps_30d;

/* The inertial measurement unit, to port 31000 + n - 1 on request. */
typedef struct RF_PACKED rf_imu_data_copter {
    int32_t checksum;
    int32_t seq; /* number of samples since the last reset, or of steps where there is no such sensor */
    double time; /* s, of the measurement */
    rf_float3 acc;
    rf_float3 gyro;
} rf_imu_data_copter;

/* Outputs of a model to the 3D view and to the autopilot. */
typedef struct RF_PACKED rf_ext_to_ue4 {
    rf_double16 ExtToUE4;
} rf_ext_to_ue4;

typedef struct RF_PACKED rf_ext_to_px4 {
    rf_float16 ExtToPX4;
} rf_ext_to_px4;

_Static_assert(sizeof(rf_out_hil_state_data) == 120, "outHILStateData");
_Static_assert(offsetof(rf_out_hil_state_data, AngEular) == 72, "outHILStateData");
_Static_assert(sizeof(rf_out_hil_state_short) == 52, "outHILStateShort");
_Static_assert(sizeof(rf_sout2simulator) == 168, "SOut2Simulator");
_Static_assert(offsetof(rf_sout2simulator, runnedTime) == 112, "SOut2Simulator");
_Static_assert(sizeof(rf_out_copter_struct) == 264, "outCopterStruct");
_Static_assert(sizeof(rf_vehicle_info_60d) == 480, "VehileInfo60d");
_Static_assert(sizeof(rf_mav_hil_sensor) == 64, "MavHILSensor");
_Static_assert(offsetof(rf_mav_hil_sensor, fields_updated) == 60, "MavHILSensor");
_Static_assert(sizeof(rf_hil_sensor_30d) == 240, "HILSensor30d");
_Static_assert(sizeof(rf_mav_hil_gps) == 36, "MavHILGPS");
_Static_assert(sizeof(rf_hil_gps_30d) == 240, "HILGPS30d");
_Static_assert(sizeof(rf_imu_data_copter) == 40, "imuDataCopter");
_Static_assert(sizeof(rf_ext_to_ue4) == 128, "ExtToUE4");
_Static_assert(sizeof(rf_ext_to_px4) == 64, "ExtToPX4");
_Static_assert(sizeof(double) == 8 && sizeof(float) == 4, "IEEE 754");

#endif
