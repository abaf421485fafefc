/* SPDX-License-Identifier: BSD-3-Clause */
/* One vehicle as a model with RflySim's functions [@rfly-framework 1.1], of the newer of both families.  A template for
 * pyrfly/standalone, as vehicle.h, whose functions it calls.  It is used with
 *
 *     VEHICLE             name of the vehicle
 *     VEHICLE_DT          s, a step
 *     VEHICLE_COMMANDS    the column of its first actuator command, and
 *     VEHICLE_ACTUATORS   their number
 *     VEHICLE_TYPE        the vehicle type of the 3D view
 *     VEHICLE_FIELD       magnetic field at the origin [gauss, NED], three numbers
 *     VEHICLE_NOISE       standard deviations of accelerometer [m/s^2], gyroscope [rad/s], magnetometer [gauss], three axes
 *                         each, of pressures of barometer and pitot tube [mbar], of position [m] and velocity [m/s]
 *     VEHICLE_ACCURACY    of the satellite receiver: horizontal, vertical [cm]
 *     VEHICLE_DEPTH       m, of what floats: the terrain of the host is the water, the ground so deep below it       optional
 *     VEHICLE_CONTROLLED  1: it has its controllers                                                                  optional
 *
 * What RflySim does not publish is as base/library.h and vehicles/rflysim_model/sensed.h read it.  Sensors measure at
 * each step, with white noise, the satellite receiver ten times a second.  Leaves out: drifts and delays; collisions; faults. */
#include <math.h>
#include <string.h>

#include "base/column.h"
#include "base/library.h"
#include "math/noise.h"
#include "math/philox.h"
#include "math/vec.h"
#include "math/wgs84.h"
#include "models/air_data.h"
#include "models/atmosphere.h"

#if defined(_WIN32)
#define MODEL_FUNCTION __declspec(dllexport)
#elif defined(__GNUC__)
#define MODEL_FUNCTION __attribute__((visibility("default")))
#else
#define MODEL_FUNCTION
#endif

#define GPS_STEPS 100 /* from one report to the next */

/* RflySim's functions are those of one vehicle. */
static struct {
    VEHICLE vehicle;
    int begun;
    double start_pos[3], start_angles[3];
    double gps[RF_MODEL_GPS];
    int32_t ints[8]; /* the last command */
    double floats[20];
} model;

static VEHICLE *begun(void)
{
    if (!model.begun) RF_JOIN(VEHICLE, init)(&model.vehicle);
    model.begun = 1;
    return &model.vehicle;
}

static double *commands(void)
{
    return (double *)((char *)begun() + offsetof(VEHICLE, VEHICLE_COMMANDS));
}

MODEL_FUNCTION double DllGetStep0(void)
{
    return VEHICLE_DT;
}

MODEL_FUNCTION void DllGetInitInputs(double *values)
{
    memset(values, 0, RF_MODEL_COMMANDS * sizeof *values);
    memcpy(values, commands(), VEHICLE_ACTUATORS * sizeof *values);
}

MODEL_FUNCTION void DllInitGpsPos(const double *lla)
{
    memcpy(begun()->origin, lla, sizeof model.vehicle.origin);
}

MODEL_FUNCTION void DllInitPosAngState(const double *pos, const double *angles)
{
    memcpy(model.start_pos, pos, sizeof model.start_pos);
    memcpy(model.start_angles, angles, sizeof model.start_angles);
}

MODEL_FUNCTION void DllReInitModel(void)
{
    RF_JOIN(VEHICLE, reset)(begun(), model.start_pos, model.start_angles);
    memset(model.ints, 0, sizeof model.ints);
    memset(model.floats, 0, sizeof model.floats);
}

MODEL_FUNCTION void DllTerrainIn15d(const double *terrain)
{
#ifdef VEHICLE_DEPTH
    begun()->terrain = terrain[0] + VEHICLE_DEPTH;
#else
    begun()->terrain = terrain[0];
#endif
}

MODEL_FUNCTION void DllInputPWMs(const double *values)
{
#ifdef VEHICLE_CONTROLLED
    if (!RF_JOIN(VEHICLE, is_direct)(begun())) return;
#endif
    memcpy(commands(), values, VEHICLE_ACTUATORS * sizeof *values);
}

#ifdef VEHICLE_CONTROLLED
/* Hosts give the last command at every step: it counts where it has changed. */
static void follow(const int32_t *ints, const double *floats)
{
    const int same = memcmp(ints, model.ints, sizeof model.ints) == 0 &&
                     memcmp(floats, model.floats, sizeof model.floats) == 0;
    if (same) return;
    memcpy(model.ints, ints, sizeof model.ints);
    memcpy(model.floats, floats, sizeof model.floats);
    RF_JOIN(VEHICLE, command)(begun(), ints, floats);
}

MODEL_FUNCTION void DllInputSILs(const int *ints, const float *floats)
{
    int32_t words[8];
    double numbers[20];
    for (int i = 0; i < 8; i++) words[i] = ints[i];
    for (int i = 0; i < 20; i++) numbers[i] = (double)floats[i];
    follow(words, numbers);
}

MODEL_FUNCTION void DllinSIL28d(const double *values)
{
    int32_t words[8];
    for (int i = 0; i < 8; i++) words[i] = fabs(values[i]) <= 2147483647.0 ? (int32_t)values[i] : 0;
    follow(words, values + 8);
}
#endif

/* Numbers with noise, in the order of VEHICLE_NOISE. */
enum {
    NOISY_ACCEL,
    NOISY_GYRO = 3,
    NOISY_FIELD = 6,
    NOISY_PRESSURE = 9,
    NOISY_TUBE,
    NOISY_POS,
    NOISY_VEL = 14
};

/* Adds noise to numbers from a place in that order on; the same at each call within a step. */
static void disturb(const VEHICLE *v, int place, int count, double *values)
{
    static const double deviation[] = {VEHICLE_NOISE};
    const uint64_t seed = (uint64_t)v->random_seed[1] << 32 | v->random_seed[0];
    for (int i = 0; i < count; i++) {
        const philox_block words = random_words(seed, v->random_vehicle, (uint32_t)(place + i), v->tick);
        double normal, other;
        noise_of_words(&words.word[0], &normal, &other);
        values[i] += deviation[place + i] * normal;
    }
}

/* The report of the satellite receiver, in the units of MAVLink's HIL_GPS. */
static void report(const VEHICLE *v)
{
    rf_local_frame_values ned[3], lla[3];
    const rf_local_frame frame = rf_local_frame_at(v->origin);
    double pos[3], vel[3];
    memcpy(pos, v->pos, sizeof pos);
    memcpy(vel, v->vel, sizeof vel);
    disturb(v, NOISY_POS, 3, pos);
    disturb(v, NOISY_VEL, 3, vel);
    for (int i = 0; i < 3; i++) ned[i][0] = pos[i];
    rf_local_frame_to_lla(&frame, 1, ned, lla);
    double course = atan2(vel[1], vel[0]) * 57.295779513082320877;
    course += course < 0 ? 360 : 0;
    const double numbers[] = {(double)v->tick * VEHICLE_DT * 1e6,
                              rint(lla[0][0] * 1e7),
                              rint(lla[1][0] * 1e7),
                              rint(lla[2][0] * 1e3),
                              VEHICLE_ACCURACY, /* cm: horizontal and vertical */
                              rint(sqrt(vel[0] * vel[0] + vel[1] * vel[1]) * 100),
                              rint(vel[0] * 100),
                              rint(vel[1] * 100),
                              rint(vel[2] * 100),
                              rint(course * 100),
                              3,   /* a fix in three dimensions */
                              10}; /* satellites */
    memcpy(model.gps, numbers, sizeof numbers);
}

MODEL_FUNCTION void Dllstep(void)
{
    VEHICLE *v = begun();
    if (v->tick % GPS_STEPS == 0) report(v);
    RF_JOIN(VEHICLE, step)(v, VEHICLE_DT);
}

static double *append(double *out, const double *values, int count)
{
    memcpy(out, values, (size_t)count * sizeof *values);
    return out + count;
}

MODEL_FUNCTION void DlloutVehileInfo60d(double *out, int count)
{
    const VEHICLE *v = begun();
    RF_JOIN(VEHICLE, output) o;
    double all[RF_MODEL_MOTION] = {0, VEHICLE_TYPE, (double)v->tick * VEHICLE_DT};
    RF_JOIN(VEHICLE, outputs)(v, &o);
    double *next = append(all + RF_MOTION_VEL, v->vel, 3);
    next = append(next, v->pos, 3);
    next = append(next, o.euler, 3);
    next = append(next, v->att, 4);
    next = append(next, o.displayed_actuators, 8);
    next = append(next, o.accel, 3);
    next = append(next, v->rate, 3);
    append(next, model.gps + 1, 3);
    if (count > 0)
        memcpy(out, all, (size_t)(count < RF_MODEL_MOTION ? count : RF_MODEL_MOTION) * sizeof *out);
}

/* v in the frame of the vehicle. */
static void turned(const RF_JOIN(VEHICLE, output) * o, const double *v, double *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = o->dcm[3 * i] * v[0] + o->dcm[3 * i + 1] * v[1] + o->dcm[3 * i + 2] * v[2];
    }
}

MODEL_FUNCTION void DlloutHILSensor30d(double *out)
{
    static const double field[3] = {VEHICLE_FIELD};
    const VEHICLE *v = begun();
    RF_JOIN(VEHICLE, output) o;
    RF_JOIN(VEHICLE, outputs)(v, &o);
    const air around =
        atmosphere_at(atmosphere_geopotential(v->origin[2] - v->pos[2]), 0, ATMOSPHERE_PRESSURE);
    double through_air[3], airspeed[3];
    for (int i = 0; i < 3; i++) through_air[i] = v->vel[i] - v->wind[i];
    turned(&o, through_air, airspeed);
    memset(out, 0, RF_MODEL_SENSOR * sizeof *out);
    out[0] = (double)v->tick * VEHICLE_DT * 1e6;
    memcpy(out + 1, o.specific_force, 3 * sizeof *out);
    memcpy(out + 4, v->rate, 3 * sizeof *out);
    turned(&o, field, out + 7);
    out[10] = around.pressure * 0.01;
    out[11] = air_data_differential(around.density, airspeed[0]) * 0.01;
    out[13] = around.temperature - 273.15;
    out[14] = 8191;                       /* all of them are new */
    disturb(v, NOISY_ACCEL, 11, out + 1); /* through the pitot tube; the height follows from the pressure */
    out[12] = atmosphere_pressure_altitude(out[10] * 100);
}

MODEL_FUNCTION void DlloutHILGPS30d(double *out)
{
    begun();
    memcpy(out, model.gps, sizeof model.gps);
}
