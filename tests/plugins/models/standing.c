/* SPDX-License-Identifier: BSD-3-Clause */
/* The quadrotor on level ground, with sensors by which an autopilot flies it, for tests: it starts on the ground, which holds
 * it, in a standard atmosphere and a magnetic field to the north. */
#define Dllstep            step_in_air
#define DlloutHILSensor30d sensors_in_air
#define DlloutHILGPS30d    gps_in_air
#include "quadrotor.c"
#undef Dllstep
#undef DlloutHILSensor30d
#undef DlloutHILGPS30d

EXPORT int Dllstep(void)
{
    const int result = step_in_air();
    if (state[2] < terrain[0] || state[5] < 0) return result;
    state[2] = terrain[0];
    for (int i = 0; i < 3; i++) state[3 + i] = state[10 + i] = accel[i] = specific[i] = 0;
    specific[2] = -gravity;
    return result;
}

EXPORT void DlloutHILSensor30d(double *out)
{
    const double *q = state + 6;
    sensors_in_air(out);
    for (int i = 0; i < 3; i++) out[4 + i] = state[10 + i];
    out[7] = 0.25 * (1 - 2 * (q[2] * q[2] + q[3] * q[3]));
    out[8] = 0.5 * (q[1] * q[2] - q[0] * q[3]);
    out[9] = 0.5 * (q[1] * q[3] + q[0] * q[2]);
    out[12] = origin[2] - state[2];
    out[10] = 1013.25 * pow(1 - out[12] / 44330.8, 5.25588);
}

EXPORT void DlloutHILGPS30d(double *out)
{
    const double metre = 1e7 * 57.29577951308232 / 6378137;
    gps_in_air(out);
    out[1] = floor(origin[0] * 1e7 + metre * state[0]);
    out[2] = floor(origin[1] * 1e7 + metre * state[1] / cos(origin[0] / 57.29577951308232));
    out[3] = floor((origin[2] - state[2]) * 1e3);
    for (int i = 0; i < 3; i++) out[7 + i] = 100 * state[3 + i];
}
