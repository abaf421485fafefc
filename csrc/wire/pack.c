/* SPDX-License-Identifier: BSD-3-Clause */
#include "wire/pack.h"

#include <math.h>
#include <string.h>

#include "wire/block.h"
#include "math/wgs84.h"
#include "parts/sensors/kinds.h"
#include "wire/structures.h"

#define DEGREE 57.29577951308232088 /* of 1 rad */

/* A block of vehicles and the values computed for the whole block. */
typedef struct packing {
    const rf_wire_context *context;
    double time; /* s */
    uint64_t tick;
    double sensor_time; /* s, of the last update of the sensors */
    bool has_free_outputs;
    rf_local_frame frame;
    rf_wire_block block;
    size_t begin;          /* index of the block's first vehicle in the batch */
    rf_wire_values lla[3]; /* geodetic position, true or reported: deg, deg, m */
    rf_wire_values home[3];
} packing;

/* ---- conversions ---- */

static inline int32_t to_int(double value)
{
    if (value != value) return 0;
    if (value <= INT32_MIN) return INT32_MIN;
    if (value >= INT32_MAX) return INT32_MAX;
    return (int32_t)lrint(value); /* ties to even */
}

static inline rf_int3 int3(const rf_wire_values *from, size_t i, const double scale[3])
{
    return (rf_int3){
        {to_int(from[0][i] * scale[0]), to_int(from[1][i] * scale[1]), to_int(from[2][i] * scale[2])}};
}

static inline rf_float3 float3(const rf_wire_values *from, size_t i)
{
    return (rf_float3){{(float)from[0][i], (float)from[1][i], (float)from[2][i]}};
}

static inline rf_float3 float3_from(const rf_wire_values *from, const rf_wire_values *origin, size_t i)
{
    return (rf_float3){{(float)(from[0][i] - origin[0][i]), (float)(from[1][i] - origin[1][i]),
                        (float)(from[2][i] - origin[2][i])}};
}

static inline rf_double3 double3(const rf_wire_values *from, size_t i)
{
    return (rf_double3){{from[0][i], from[1][i], from[2][i]}};
}

/* A whole number within limits, NaN as the lower one. */
static inline double limited(double value, double lowest, double highest)
{
    if (!(value > lowest)) return lowest;
    return value < highest ? rint(value) : highest;
}

static inline uint64_t microseconds(double time)
{
    return (uint64_t)rint(time * 1e6);
}

static inline int32_t copter_id(const packing *p, size_t i)
{
    return (int32_t)(p->context->first_id + (int64_t)(p->begin + i));
}

/* Milliseconds modulo 2^32. */
static uint32_t milliseconds(double time)
{
    double whole = fmod(rint(time * 1e3), 4294967296.0);
    return whole >= 0 ? (uint32_t)whole : 0;
}

/* Heading in 1e-3 deg, 0 to 359999. */
static inline int32_t heading(double yaw)
{
    double turns = yaw < 0 ? yaw * DEGREE + 360 : yaw * DEGREE;
    int32_t whole = to_int(turns * 1e3);
    return whole == 360000 ? 0 : whole;
}

static const double GPS_SCALE[3] = {1e7, 1e7, 1e3}; /* 1e-7 deg, 1e-7 deg, mm */
static const double CM_SCALE[3] = {1e2, 1e2, 1e2};

/* Quality of the GPS fix, as in RflySim's model. */
enum { SATELLITES = 10, FIX_3D = 3 };
#define HORIZONTAL_ACCURACY 0.3f
#define VERTICAL_ACCURACY   0.4f

/* ---- structures ---- */

static void pack_out_hil_state_data(const packing *p, void *out)
{
    const rf_wire_block *b = &p->block;
    rf_out_hil_state_data *packets = out;
    for (size_t i = 0; i < b->n; i++) {
        packets[i] = (rf_out_hil_state_data){
            .tg = -1,
            .len = (int32_t)(sizeof *packets - offsetof(rf_out_hil_state_data, time_boot_ms)),
            .time_boot_ms = milliseconds(p->time),
            .copterID = (uint32_t)copter_id(p, i),
            .GpsPos = int3(p->lla, i, GPS_SCALE),
            .GpsVel = int3(b->vel, i, CM_SCALE),
            .gpsHome = int3(p->home, i, GPS_SCALE),
            .relative_alt = to_int((b->home[2][i] - b->pos[2][i]) * 1e3),
            .hdg = heading(b->euler[2][i]),
            .satellites_visible = SATELLITES,
            .fix_type = FIX_3D,
            .AngEular = float3(b->euler, i),
            .localPos = float3_from(b->pos, b->home, i),
            .localVel = float3(b->vel, i),
            .pos_horiz_accuracy = HORIZONTAL_ACCURACY,
            .pos_vert_accuracy = VERTICAL_ACCURACY,
            .ekf_3d_fixed = 1,
        };
    }
}

static void pack_out_hil_state_short(const packing *p, void *out)
{
    const rf_wire_block *b = &p->block;
    rf_out_hil_state_short *packets = out;
    for (size_t i = 0; i < b->n; i++) {
        packets[i] = (rf_out_hil_state_short){
            .checksum = 1234567890,
            .gpsHome = int3(p->home, i, GPS_SCALE),
            .AngEular = float3(b->euler, i),
            .localPos = float3_from(b->pos, b->home, i),
            .localVel = float3(b->vel, i),
        };
    }
}

static void pack_sout2simulator(const packing *p, void *out)
{
    const rf_wire_block *b = &p->block;
    rf_sout2simulator *packets = out;
    for (size_t i = 0; i < b->n; i++) {
        rf_sout2simulator *packet = &packets[i];
        packet->checksum = 123456789;
        packet->copterID = copter_id(p, i);
        packet->vehicleType = p->context->vehicle_type;
        packet->reserve = 0;
        packet->VelE = float3(b->vel, i);
        packet->AngEuler = float3(b->euler, i);
        for (int k = 0; k < 4; k++) packet->AngQuatern.at[k] = (float)b->att[k][i];
        for (int k = 0; k < 8; k++) packet->MotorRPMS.at[k] = (float)b->shown[k][i];
        packet->AccB = float3(b->accel, i);
        packet->RateB = float3(b->rate, i);
        packet->runnedTime = p->time;
        packet->PosE = double3(b->pos, i);
        packet->PosGPS = double3(p->lla, i);
    }
}

static rf_double32 free_outputs(const rf_wire_block *b, size_t i)
{
    rf_double32 data;
    for (int k = 0; k < RF_WIRE_FREE; k++) data.at[k] = b->free_outputs[k][i];
    return data;
}

/* What is sent while the user has no outputs. */
static rf_double32 common_outputs(const rf_wire_block *b, size_t i)
{
    rf_double32 data = {{0}};
    for (int k = 0; k < RF_WIRE_ACTUATORS; k++) data.at[k] = b->actuators[k][i];
    data.at[RF_WIRE_ACTUATORS] = b->thrust[0][i];
    data.at[RF_WIRE_ACTUATORS + 1] = b->armed[0][i];
    data.at[RF_WIRE_ACTUATORS + 2] = b->status[0][i];
    return data;
}

static void pack_out_copter_struct(const packing *p, void *out)
{
    const rf_wire_block *b = &p->block;
    rf_out_copter_struct *packets = out;
    for (size_t i = 0; i < b->n; i++) {
        rf_out_copter_struct *packet = &packets[i];
        packet->checksum = 1234567890;
        packet->CopterID = copter_id(p, i);
        packet->outCopterData = p->has_free_outputs ? free_outputs(b, i) : common_outputs(b, i);
    }
}

static void pack_vehicle_info_60d(const packing *p, void *out)
{
    const rf_wire_block *b = &p->block;
    rf_vehicle_info_60d *packets = out;
    for (size_t i = 0; i < b->n; i++) {
        rf_vehicle_info_60d *packet = &packets[i];
        packet->copterID = copter_id(p, i);
        packet->vehicleType = p->context->vehicle_type;
        packet->runnedTime = p->time;
        packet->VelE = double3(b->vel, i);
        packet->PosE = double3(b->pos, i);
        packet->AngEuler = double3(b->euler, i);
        for (int k = 0; k < 4; k++) packet->AngQuatern.at[k] = b->att[k][i];
        for (int k = 0; k < 8; k++) packet->MotorRPMS.at[k] = b->shown[k][i];
        packet->AccB = double3(b->accel, i);
        packet->RateB = double3(b->rate, i);
        packet->PosGPS = double3(p->lla, i);
        memset((char *)packet + offsetof(rf_vehicle_info_60d, reserve), 0, sizeof packet->reserve);
    }
}

/* ---- sensors ---- */

#define GAUSS        1e4    /* per tesla */
#define HECTOPASCAL  1e-2   /* per pascal */
#define ZERO_CELSIUS 273.15 /* K */

static uint32_t fields_updated(uint32_t sensors)
{
    return (sensors & SENSOR_IMU ? RF_HIL_ACCEL_GYRO : 0u) |
           (sensors & SENSOR_MAGNETOMETER ? RF_HIL_MAGNETOMETER : 0u) |
           (sensors & SENSOR_BAROMETER ? RF_HIL_BAROMETER : 0u) |
           (sensors & SENSOR_AIRSPEED ? RF_HIL_AIRSPEED : 0u);
}

/* Bits of the sensors of a vehicle that are on, or given by the user. */
static uint32_t sensors_of(const rf_wire_block *b, size_t i)
{
    return (uint32_t)b->sensors_on[0][i] | (uint32_t)b->sensor_sources[0][i] >> SENSORS_GIVEN;
}

static rf_hil_sensor_30d hil_sensor(const packing *p, size_t i)
{
    const rf_wire_block *b = &p->block;
    uint32_t sensors = sensors_of(b, i);
    double kelvin = sensors & SENSOR_BAROMETER ? b->barometer_temperature[0][i] : ZERO_CELSIUS;
    rf_double3 field = double3(b->magnetometer, i);
    for (int k = 0; k < 3; k++) field.at[k] *= GAUSS;
    return (rf_hil_sensor_30d){
        .time_usec = (double)microseconds(p->sensor_time),
        .acc = double3(b->imu_accel, i),
        .gyro = double3(b->imu_gyro, i),
        .mag = field,
        .abs_pressure = b->barometer_pressure[0][i] * HECTOPASCAL,
        .diff_pressure = b->differential_pressure[0][i] * HECTOPASCAL,
        .pressure_alt = b->barometer_height[0][i],
        .temperature = kelvin - ZERO_CELSIUS,
        .fields_updated = fields_updated((uint32_t)b->sensors_updated[0][i]),
        .airspeed = b->indicated_airspeed[0][i],
        .distance = b->range_distance[0][i],
        .distance_valid = b->range_valid[0][i],
    };
}

static void pack_hil_sensor_30d(const packing *p, void *out)
{
    rf_hil_sensor_30d *packets = out;
    for (size_t i = 0; i < p->block.n; i++) packets[i] = hil_sensor(p, i);
}

static rf_float3 narrowed(rf_double3 v)
{
    return (rf_float3){{(float)v.at[0], (float)v.at[1], (float)v.at[2]}};
}

static void pack_mav_hil_sensor(const packing *p, void *out)
{
    rf_mav_hil_sensor *packets = out;
    for (size_t i = 0; i < p->block.n; i++) {
        const rf_hil_sensor_30d wide = hil_sensor(p, i);
        packets[i] = (rf_mav_hil_sensor){
            .time_usec = microseconds(p->sensor_time),
            .acc = narrowed(wide.acc),
            .gyro = narrowed(wide.gyro),
            .mag = narrowed(wide.mag),
            .abs_pressure = (float)wide.abs_pressure,
            .diff_pressure = (float)wide.diff_pressure,
            .pressure_alt = (float)wide.pressure_alt,
            .temperature = (float)wide.temperature,
            .fields_updated = (uint32_t)wide.fields_updated,
        };
    }
}

/* Whole numbers in the ranges of rf_mav_hil_gps; unknown before the first report. */
static rf_hil_gps_30d hil_gps(const packing *p, size_t i)
{
    const rf_wire_block *b = &p->block;
    rf_hil_gps_30d gps = {.time_usec = (double)microseconds(p->sensor_time),
                          .eph = UINT16_MAX,
                          .epv = UINT16_MAX,
                          .vel = UINT16_MAX,
                          .cog = UINT16_MAX,
                          .satellites = UINT8_MAX};
    if (b->gps_updates[0][i] == 0) return gps;
    rf_int3 position = int3(p->lla, i, GPS_SCALE);
    for (int k = 0; k < 3; k++) {
        gps.position.at[k] = position.at[k];
        gps.velocity.at[k] = limited(b->gps_vel[k][i] * 1e2, INT16_MIN, INT16_MAX);
    }
    gps.eph = limited(b->gps_accuracy[0][i] * 1e2, 0, UINT16_MAX - 1);
    gps.epv = limited(b->gps_accuracy[1][i] * 1e2, 0, UINT16_MAX - 1);
    gps.vel = limited(b->gps_speed[0][i] * 1e2, 0, UINT16_MAX - 1);
    gps.cog = limited(b->gps_course[0][i] * (DEGREE * 1e2), 0, 36000);
    if (gps.cog == 36000) gps.cog = 0;
    gps.fix_type = limited(b->gps_fix[0][i], 0, UINT8_MAX);
    gps.satellites = limited(b->gps_satellites[0][i], 0, UINT8_MAX - 1);
    gps.reports = b->gps_updates[0][i];
    return gps;
}

static void pack_hil_gps_30d(const packing *p, void *out)
{
    rf_hil_gps_30d *packets = out;
    for (size_t i = 0; i < p->block.n; i++) packets[i] = hil_gps(p, i);
}

static void pack_mav_hil_gps(const packing *p, void *out)
{
    rf_mav_hil_gps *packets = out;
    for (size_t i = 0; i < p->block.n; i++) {
        const rf_hil_gps_30d wide = hil_gps(p, i);
        packets[i] = (rf_mav_hil_gps){
            .time_usec = microseconds(p->sensor_time),
            .lat = (int32_t)wide.position.at[0],
            .lon = (int32_t)wide.position.at[1],
            .alt = (int32_t)wide.position.at[2],
            .eph = (uint16_t)wide.eph,
            .epv = (uint16_t)wide.epv,
            .vel = (uint16_t)wide.vel,
            .vn = (int16_t)wide.velocity.at[0],
            .ve = (int16_t)wide.velocity.at[1],
            .vd = (int16_t)wide.velocity.at[2],
            .cog = (uint16_t)wide.cog,
            .fix_type = (uint8_t)wide.fix_type,
            .satellites = (uint8_t)wide.satellites,
        };
    }
}

static void pack_imu_data_copter(const packing *p, void *out)
{
    const rf_wire_block *b = &p->block;
    rf_imu_data_copter *packets = out;
    for (size_t i = 0; i < b->n; i++) {
        bool measured = (sensors_of(b, i) & SENSOR_IMU) && b->imu_updates[0][i] > 0;
        uint64_t count = measured ? (uint64_t)b->imu_updates[0][i] : p->tick;
        packets[i] = (rf_imu_data_copter){
            .checksum = 1234567898,
            .seq = (int32_t)(count & INT32_MAX),
            .time = measured ? p->sensor_time : p->time,
            .acc = float3(measured ? b->imu_accel : b->specific_force, i),
            .gyro = float3(measured ? b->imu_gyro : b->rate, i),
        };
    }
}

/* ---- free outputs ---- */

static void pack_ext_to_ue4(const packing *p, void *out)
{
    rf_ext_to_ue4 *packets = out;
    for (size_t i = 0; i < p->block.n; i++) {
        for (int k = 0; k < RF_WIRE_EXTENSION; k++) {
            packets[i].ExtToUE4.at[k] = p->block.display_outputs[k][i];
        }
    }
}

static void pack_ext_to_px4(const packing *p, void *out)
{
    rf_ext_to_px4 *packets = out;
    for (size_t i = 0; i < p->block.n; i++) {
        for (int k = 0; k < RF_WIRE_EXTENSION; k++) {
            packets[i].ExtToPX4.at[k] = (float)p->block.autopilot_outputs[k][i];
        }
    }
}

/* ---- tables ---- */

const rf_wire_structure rf_wire_structures[RF_WIRE_STRUCTURE_COUNT] = {
    [RF_WIRE_OUT_HIL_STATE_DATA] = {"outHILStateData", sizeof(rf_out_hil_state_data)},
    [RF_WIRE_OUT_HIL_STATE_SHORT] = {"outHILStateShort", sizeof(rf_out_hil_state_short)},
    [RF_WIRE_SOUT2SIMULATOR] = {"SOut2Simulator", sizeof(rf_sout2simulator)},
    [RF_WIRE_OUT_COPTER_STRUCT] = {"outCopterStruct", sizeof(rf_out_copter_struct)},
    [RF_WIRE_VEHICLE_INFO_60D] = {"VehileInfo60d", sizeof(rf_vehicle_info_60d)},
    [RF_WIRE_MAV_HIL_SENSOR] = {"MavHILSensor", sizeof(rf_mav_hil_sensor)},
    [RF_WIRE_HIL_SENSOR_30D] = {"HILSensor30d", sizeof(rf_hil_sensor_30d)},
    [RF_WIRE_MAV_HIL_GPS] = {"MavHILGPS", sizeof(rf_mav_hil_gps)},
    [RF_WIRE_HIL_GPS_30D] = {"HILGPS30d", sizeof(rf_hil_gps_30d)},
    [RF_WIRE_IMU_DATA_COPTER] = {"imuDataCopter", sizeof(rf_imu_data_copter)},
    [RF_WIRE_EXT_TO_UE4] = {"ExtToUE4", sizeof(rf_ext_to_ue4)},
    [RF_WIRE_EXT_TO_PX4] = {"ExtToPX4", sizeof(rf_ext_to_px4)},
};

#define COLUMN(name) RF_WIRE_BIT(name)

#define HIL_SENSOR_COLUMNS                                                                                   \
    (COLUMN(sensors_on) | COLUMN(sensor_sources) | COLUMN(sensors_updated) | COLUMN(imu_accel) |             \
     COLUMN(imu_gyro) | COLUMN(magnetometer) | COLUMN(barometer_pressure) | COLUMN(barometer_height) |       \
     COLUMN(barometer_temperature) | COLUMN(differential_pressure) | COLUMN(indicated_airspeed) |            \
     COLUMN(range_distance) | COLUMN(range_valid))

#define HIL_GPS_COLUMNS                                                                                      \
    (COLUMN(gps_updates) | COLUMN(gps_pos) | COLUMN(gps_vel) | COLUMN(gps_speed) | COLUMN(gps_course) |      \
     COLUMN(gps_accuracy) | COLUMN(gps_fix) | COLUMN(gps_satellites))

#define ESTIMATE_BIT(name, components) | RF_WIRE_BIT(name)
#define ESTIMATE                       (0 RF_WIRE_ESTIMATE(ESTIMATE_BIT))

/* Columns and packer of each structure; `lla` and `home`: it needs the geodetic position of the vehicle, or that which its
 * receiver reports; of home.  Those with the columns ESTIMATE say what the vehicle knows of its state. */
static const struct {
    uint64_t columns;
    bool lla, home;
    void (*pack)(const packing *p, void *out);
} packers[RF_WIRE_STRUCTURE_COUNT] = {
    [RF_WIRE_OUT_HIL_STATE_DATA] = {COLUMN(pos) | COLUMN(vel) | COLUMN(euler) | COLUMN(home) | ESTIMATE, true,
                                    true, pack_out_hil_state_data},
    [RF_WIRE_OUT_HIL_STATE_SHORT] = {COLUMN(pos) | COLUMN(vel) | COLUMN(euler) | COLUMN(home) | ESTIMATE,
                                     false, true, pack_out_hil_state_short},
    [RF_WIRE_SOUT2SIMULATOR] = {COLUMN(pos) | COLUMN(vel) | COLUMN(att) | COLUMN(rate) | COLUMN(shown) |
                                    COLUMN(accel) | COLUMN(euler),
                                true, false, pack_sout2simulator},
    [RF_WIRE_OUT_COPTER_STRUCT] = {COLUMN(actuators) | COLUMN(thrust) | COLUMN(armed) | COLUMN(status) |
                                       COLUMN(free_outputs),
                                   false, false, pack_out_copter_struct},
    [RF_WIRE_VEHICLE_INFO_60D] = {COLUMN(pos) | COLUMN(vel) | COLUMN(att) | COLUMN(rate) | COLUMN(shown) |
                                      COLUMN(accel) | COLUMN(euler),
                                  true, false, pack_vehicle_info_60d},
    [RF_WIRE_MAV_HIL_SENSOR] = {HIL_SENSOR_COLUMNS, false, false, pack_mav_hil_sensor},
    [RF_WIRE_HIL_SENSOR_30D] = {HIL_SENSOR_COLUMNS, false, false, pack_hil_sensor_30d},
    [RF_WIRE_MAV_HIL_GPS] = {HIL_GPS_COLUMNS, true, false, pack_mav_hil_gps},
    [RF_WIRE_HIL_GPS_30D] = {HIL_GPS_COLUMNS, true, false, pack_hil_gps_30d},
    [RF_WIRE_IMU_DATA_COPTER] = {COLUMN(sensors_on) | COLUMN(sensor_sources) | COLUMN(imu_updates) |
                                     COLUMN(imu_accel) | COLUMN(imu_gyro) | COLUMN(specific_force) |
                                     COLUMN(rate),
                                 false, false, pack_imu_data_copter},
    [RF_WIRE_EXT_TO_UE4] = {COLUMN(display_outputs), false, false, pack_ext_to_ue4},
    [RF_WIRE_EXT_TO_PX4] = {COLUMN(autopilot_outputs), false, false, pack_ext_to_px4},
};

int rf_wire_structure_find(const char *name)
{
    for (int i = 0; i < RF_WIRE_STRUCTURE_COUNT; i++) {
        if (strcmp(rf_wire_structures[i].name, name) == 0) return i;
    }
    return -1;
}

/* Step before which the sensors were updated last. */
static uint64_t last_update(const rf_batch *batch)
{
    uint64_t tick = rf_batch_tick(batch), period = rf_batch_get_def(batch)->periods[RF_STAGE_SENSORS];
    return tick == 0 || period == 0 ? 0 : (tick - 1) / period * period;
}

rf_status rf_wire_pack(rf_batch *batch, int structure, const rf_wire_context *context, void *out)
{
    if (structure < 0 || structure >= RF_WIRE_STRUCTURE_COUNT) return RF_BAD_ARGUMENT;
    rf_wire_source source;
    rf_status status = rf_batch_begin_read(batch);
    if (status != RF_OK) return status;
    status = rf_wire_source_open(batch, packers[structure].columns, &source);
    packing p; /* not cleared: it is large */
    p.context = context;
    p.tick = rf_batch_tick(batch);
    p.time = (double)p.tick * rf_batch_get_def(batch)->dt;
    p.sensor_time = (double)last_update(batch) * rf_batch_get_def(batch)->dt;
    p.has_free_outputs = source.columns[RF_WIRE_free_outputs].start != NULL;
    if (!p.has_free_outputs) source.set &= ~COLUMN(free_outputs); /* 32 columns of zeros */
    p.frame = rf_local_frame_at(context->origin);
    size_t size = rf_wire_structures[structure].size;
    bool has_home = source.columns[RF_WIRE_home].start != NULL; /* else all blocks use that of the first */
    for (p.begin = 0; status == RF_OK && p.begin < source.n; p.begin += p.block.n) {
        rf_wire_block_load(&p.block, &source, p.begin);
        if (packers[structure].columns & RF_WIRE_BIT(flies_on_estimate)) rf_wire_block_use_estimate(&p.block);
        if (packers[structure].lla) {
            bool reported = packers[structure].columns & COLUMN(gps_pos);
            rf_local_frame_to_lla(&p.frame, p.block.n, reported ? p.block.gps_pos : p.block.pos, p.lla);
        }
        if (packers[structure].home && (has_home || p.begin == 0)) {
            rf_local_frame_to_lla(&p.frame, p.block.n, p.block.home, p.home);
        }
        packers[structure].pack(&p, (char *)out + p.begin * size);
    }
    rf_wire_source_close(&source);
    rf_batch_end_read(batch);
    return status;
}
