/* SPDX-License-Identifier: BSD-3-Clause */
#include "wire/pack.h"

#include <math.h>
#include <string.h>

#include "wire/block.h"
#include "math/wgs84.h"
#include "wire/structures.h"

#define DEGREE 57.29577951308232088 /* of 1 rad */

/* A block of vehicles and the values computed for the whole block. */
typedef struct packing {
    const rf_wire_context *context;
    double time; /* s */
    rf_local_frame frame;
    rf_wire_block block;
    size_t begin;          /* index of the block's first vehicle in the batch */
    rf_wire_values lla[3]; /* geodetic position: deg, deg, m */
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

static void pack_out_copter_struct(const packing *p, void *out)
{
    const rf_wire_block *b = &p->block;
    rf_out_copter_struct *packets = out;
    for (size_t i = 0; i < b->n; i++) {
        rf_out_copter_struct *packet = &packets[i];
        packet->checksum = 1234567890;
        packet->CopterID = copter_id(p, i);
        for (int k = 0; k < RF_WIRE_ACTUATORS; k++) packet->actuators[k] = b->actuators[k][i];
        packet->thrust = b->thrust[0][i];
        packet->armed = b->armed[0][i];
        packet->status = b->status[0][i];
        memset((char *)packet + offsetof(rf_out_copter_struct, reserve), 0, sizeof packet->reserve);
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

/* ---- tables ---- */

const rf_wire_structure rf_wire_structures[RF_WIRE_STRUCTURE_COUNT] = {
    [RF_WIRE_OUT_HIL_STATE_DATA] = {"outHILStateData", sizeof(rf_out_hil_state_data)},
    [RF_WIRE_OUT_HIL_STATE_SHORT] = {"outHILStateShort", sizeof(rf_out_hil_state_short)},
    [RF_WIRE_SOUT2SIMULATOR] = {"SOut2Simulator", sizeof(rf_sout2simulator)},
    [RF_WIRE_OUT_COPTER_STRUCT] = {"outCopterStruct", sizeof(rf_out_copter_struct)},
    [RF_WIRE_VEHICLE_INFO_60D] = {"VehileInfo60d", sizeof(rf_vehicle_info_60d)},
};

#define COLUMN(name) RF_WIRE_BIT(name)

#define ESTIMATE_BIT(name, components) | RF_WIRE_BIT(name)
#define ESTIMATE                       (0 RF_WIRE_ESTIMATE(ESTIMATE_BIT))

/* Columns and packer of each structure; `lla` and `home`: it needs the geodetic position of the vehicle, of home.  Those
 * with the columns ESTIMATE say what the vehicle knows of its state. */
static const struct {
    unsigned columns;
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
    [RF_WIRE_OUT_COPTER_STRUCT] = {COLUMN(actuators) | COLUMN(thrust) | COLUMN(armed) | COLUMN(status), false,
                                   false, pack_out_copter_struct},
    [RF_WIRE_VEHICLE_INFO_60D] = {COLUMN(pos) | COLUMN(vel) | COLUMN(att) | COLUMN(rate) | COLUMN(shown) |
                                      COLUMN(accel) | COLUMN(euler),
                                  true, false, pack_vehicle_info_60d},
};

int rf_wire_structure_find(const char *name)
{
    for (int i = 0; i < RF_WIRE_STRUCTURE_COUNT; i++) {
        if (strcmp(rf_wire_structures[i].name, name) == 0) return i;
    }
    return -1;
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
    p.time = (double)rf_batch_tick(batch) * rf_batch_get_def(batch)->dt;
    p.frame = rf_local_frame_at(context->origin);
    size_t size = rf_wire_structures[structure].size;
    bool has_home = source.columns[RF_WIRE_home].start != NULL; /* else all blocks use that of the first */
    for (p.begin = 0; status == RF_OK && p.begin < source.n; p.begin += p.block.n) {
        rf_wire_block_load(&p.block, &source, p.begin);
        if (packers[structure].columns & RF_WIRE_BIT(flies_on_estimate)) rf_wire_block_use_estimate(&p.block);
        if (packers[structure].lla) rf_local_frame_to_lla(&p.frame, p.block.n, p.block.pos, p.lla);
        if (packers[structure].home && (has_home || p.begin == 0)) {
            rf_local_frame_to_lla(&p.frame, p.block.n, p.block.home, p.home);
        }
        packers[structure].pack(&p, (char *)out + p.begin * size);
    }
    rf_wire_source_close(&source);
    rf_batch_end_read(batch);
    return status;
}
