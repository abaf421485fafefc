/* SPDX-License-Identifier: BSD-3-Clause */
#include "libraries/functions.h"

#include <math.h>
#include <string.h>

#include "libraries/legacy.h"
#include "math/wgs84.h"

#define HAS(f, name)             ((f)->of[RF_FUNCTION_##name] != NULL)
#define CALL(f, name, type, ...) ((type)(f)->of[RF_FUNCTION_##name])(__VA_ARGS__)

typedef void (*taking_nothing)(void);
typedef void (*taking_doubles)(const double *);
typedef void (*taking_floats)(const float *);
typedef void (*giving_doubles)(double *);
typedef void (*giving_bytes)(void *);

static void floats_of(const double *values, int count, float *out)
{
    for (int i = 0; i < count; i++) out[i] = (float)values[i];
}

/* The inputs as 28 doubles: as they came, unless other ones have come since, which differ as numbers of 32 bits. */
static void doubles_of_sil(const rf_library_ports *p, double *all)
{
    bool same = true;
    for (int i = 0; i < 8; i++) {
        const double came = p->sil_doubles[i];
        all[i] = p->sil_ints[i];
        same = same && came >= INT32_MIN && came <= INT32_MAX && (int32_t)came == p->sil_ints[i];
    }
    for (int i = 0; i < 20; i++) {
        all[8 + i] = p->sil_floats[i];
        same = same && (float)p->sil_doubles[8 + i] == (float)p->sil_floats[i];
    }
    if (same) memcpy(all, p->sil_doubles, sizeof p->sil_doubles);
}

static void give_commands(const rf_functions *f, const rf_library_ports *p)
{
    float floats[20];
    double all[28];
    floats_of(p->sil_floats, 20, floats);
    doubles_of_sil(p, all);
    if (HAS(f, DllInputPWMs)) CALL(f, DllInputPWMs, taking_doubles, p->commands);
    if (HAS(f, DllinSIL28d)) {
        CALL(f, DllinSIL28d, taking_doubles, all);
    } else if (HAS(f, DllInputDoubCtrls)) {
        CALL(f, DllInputDoubCtrls, taking_doubles, all);
    } else if (HAS(f, DllInputSILs)) {
        CALL(f, DllInputSILs, void (*)(const int *, const float *), p->sil_ints, floats);
    }
    if (HAS(f, DllInCtrlExt)) CALL(f, DllInCtrlExt, taking_doubles, p->extended);
}

static void give_surroundings(const rf_functions *f, const rf_library_ports *p)
{
    if (HAS(f, DllTerrainIn15d)) {
        CALL(f, DllTerrainIn15d, taking_doubles, p->terrain);
    } else if (HAS(f, DllInputTerrain)) {
        CALL(f, DllInputTerrain, void (*)(double), p->terrain[0]);
    }
    if (HAS(f, DllinCollision20d)) {
        CALL(f, DllinCollision20d, taking_doubles, p->collision);
    } else if (HAS(f, DllInputColls)) {
        float floats[RF_MODEL_COLLISION];
        floats_of(p->collision, RF_MODEL_COLLISION, floats);
        CALL(f, DllInputColls, taking_floats, floats);
    }
    if (HAS(f, DllInFromUE)) CALL(f, DllInFromUE, taking_doubles, p->scene);
    if (HAS(f, DllInCopterData)) CALL(f, DllInCopterData, taking_doubles, p->autopilot);
}

/* Parameters are given once, where there are new ones. */
static void give_params(const rf_functions *f, rf_library_ports *p)
{
    typedef void (*taking_params)(uint32_t, const double *);
    if (p->fault_mask != 0 && HAS(f, DllFaultParamAPI)) {
        CALL(f, DllFaultParamAPI, taking_params, p->fault_mask, p->fault_params);
    }
    if (p->init_mask != 0 && HAS(f, DllInitParamAPI)) {
        CALL(f, DllInitParamAPI, taking_params, p->init_mask, p->init_params);
    }
    if (p->dynamic_mask != 0 && HAS(f, DllDynModiParams)) {
        CALL(f, DllDynModiParams, void (*)(uint64_t, const double *), p->dynamic_mask, p->dynamic_params);
    }
    p->fault_mask = p->init_mask = 0;
    p->dynamic_mask = 0;
}

/* A model that tells angles alone gets its quaternion from them. */
static void complete_attitude(double *motion)
{
    double *q = motion + RF_MOTION_ATT, half[3];
    if (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.25) return;
    for (int i = 0; i < 3; i++) half[i] = motion[RF_MOTION_EULER + i] / 2;
    const double cr = cos(half[0]), sr = sin(half[0]), cp = cos(half[1]), sp = sin(half[1]),
                 cy = cos(half[2]), sy = sin(half[2]);
    q[0] = cr * cp * cy + sr * sp * sy;
    q[1] = sr * cp * cy - cr * sp * sy;
    q[2] = cr * sp * cy + sr * cp * sy;
    q[3] = cr * cp * sy - sr * sp * cy;
}

/* The position of the GPS in the local frame, from latitude, longitude [1e-7 deg] and height [mm]. */
static void locate_gps(rf_library_ports *p)
{
    const rf_local_frame frame = rf_local_frame_at(p->origin);
    const double lla[3] = {p->gps[1] * 1e-7, p->gps[2] * 1e-7, p->gps[3] * 1e-3};
    const rf_local_frame there = rf_local_frame_at(lla);
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0;
        for (int i = 0; i < 3; i++) sum += frame.axes[i][axis] * (there.origin[i] - frame.origin[i]);
        p->gps_pos[axis] = sum;
    }
}

static void read_motion(const rf_functions *f, rf_library_ports *p)
{
    if (HAS(f, DlloutVehileInfo60d)) {
        CALL(f, DlloutVehileInfo60d, void (*)(double *, int), p->motion, RF_MODEL_MOTION);
    } else if (HAS(f, DlloutModel3DInfo)) {
        rf_legacy_motion motion = {0};
        CALL(f, DlloutModel3DInfo, giving_bytes, &motion);
        rf_legacy_motion_numbers(&motion, p->motion);
    }
    complete_attitude(p->motion);
}

static void read_gps(const rf_functions *f, rf_library_ports *p)
{
    double before[RF_MODEL_GPS];
    memcpy(before, p->gps, sizeof before);
    if (HAS(f, DlloutHILGPS30d)) {
        CALL(f, DlloutHILGPS30d, giving_doubles, p->gps);
    } else if (HAS(f, DlloutputGPS)) {
        rf_legacy_gps gps = {0};
        CALL(f, DlloutputGPS, giving_bytes, &gps);
        rf_legacy_gps_numbers(&gps, p->gps);
    }
    if (memcmp(before, p->gps, sizeof before) == 0) return;
    p->gps_is_new = 1;
    locate_gps(p);
}

static void read_sensors(const rf_functions *f, rf_library_ports *p)
{
    if (HAS(f, DlloutHILSensor30d)) {
        CALL(f, DlloutHILSensor30d, giving_doubles, p->sensor);
    } else if (HAS(f, DlloutputSensors)) {
        rf_legacy_sensor sensor = {0};
        CALL(f, DlloutputSensors, giving_bytes, &sensor);
        rf_legacy_sensor_numbers(&sensor, p->sensor);
    }
}

void rf_functions_give(rf_functions *f)
{
    give_commands(f, f->library.ports);
    give_surroundings(f, f->library.ports);
    give_params(f, f->library.ports);
}

void rf_functions_step(rf_functions *f)
{
    CALL(f, Dllstep, taking_nothing);
}

void rf_functions_read(rf_functions *f)
{
    rf_library_ports *p = f->library.ports;
    read_motion(f, p);
    read_sensors(f, p);
    read_gps(f, p);
    if (HAS(f, DllOutCopterData)) CALL(f, DllOutCopterData, giving_doubles, p->free_outputs);
    if (HAS(f, DllGetExtToUE4)) CALL(f, DllGetExtToUE4, giving_doubles, p->display_outputs);
    if (HAS(f, DllGetExtToPX4)) {
        float floats[32] = {0}; /* room for doubles, which some libraries may write */
        CALL(f, DllGetExtToPX4, giving_bytes, floats);
        for (int i = 0; i < 16; i++) p->autopilot_outputs[i] = floats[i];
    }
}

static void begin(rf_library *library, uint32_t steps)
{
    rf_functions *f = (rf_functions *)library;
    rf_functions_give(f);
    for (uint32_t i = 0; i < steps; i++) rf_functions_step(f);
    rf_functions_read(f);
}

static int finish(rf_library *library)
{
    (void)library;
    return 0;
}

void rf_functions_restart(rf_functions *f)
{
    rf_library_ports *p = f->library.ports;
    give_surroundings(f, p);
    if (HAS(f, DllInitGpsPos)) CALL(f, DllInitGpsPos, taking_doubles, p->origin);
    if (HAS(f, DllInitPosAngState)) {
        CALL(f, DllInitPosAngState, void (*)(const double *, const double *), p->start_pos, p->start_angles);
    }
    give_params(f, p);
    if (HAS(f, DllReInitModel)) CALL(f, DllReInitModel, taking_nothing);
}

static int start(rf_library *library)
{
    rf_functions_restart((rf_functions *)library);
    begin(library, 1);
    return 0;
}

void rf_functions_open(rf_functions *f, rf_library_ports *ports)
{
    f->library = (rf_library){.ports = ports == NULL ? &f->ports : ports,
                              .per_step = 1,
                              .start = start,
                              .begin = begin,
                              .finish = finish};
    if (HAS(f, DlloutHILSensor30d) || HAS(f, DlloutputSensors)) f->library.able |= RF_LIBRARY_SENSES;
    if (HAS(f, DlloutHILGPS30d) || HAS(f, DlloutputGPS)) f->library.able |= RF_LIBRARY_HAS_GPS;
    if (HAS(f, DllinCollision20d) || HAS(f, DllInputColls)) f->library.able |= RF_LIBRARY_ANSWERS;
    if (HAS(f, DllCreatModel)) CALL(f, DllCreatModel, taking_nothing);
    if (HAS(f, DllGetInitInputs)) CALL(f, DllGetInitInputs, giving_doubles, f->library.ports->commands);
    const double period = HAS(f, DllGetStep0) ? CALL(f, DllGetStep0, double (*)(void)) : 0;
    f->library.period = period == 0 ? 1e-3 : period;
}

void rf_functions_close(rf_functions *f)
{
    if (HAS(f, DllDestroyModel)) CALL(f, DllDestroyModel, taking_nothing);
}

#define NAME(name) #name,
static const char *const names[] = {RF_LIBRARY_FUNCTIONS(NAME)};

const char *rf_function_name(int number)
{
    return names[number];
}
