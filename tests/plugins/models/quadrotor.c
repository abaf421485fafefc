/* SPDX-License-Identifier: BSD-3-Clause */
/* RflySim's default quadrotor in its newer model interface: motors, rotors, drag and a rigid body by the numbers of its published
 * Init.m [@rfly-safe], integrated by RK4 with steps of 1 ms; GPS and sensors without noise.  For tests. */
#include <math.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define COUNT  17 /* pos, vel, att, rate, speed of four rotors */

static const double mass = 1.515, inertia[3] = {0.0211, 0.0219, 0.0366}, arm = 0.225, gravity = 9.8;
static const double thrust = 1.681e-5, torque = 2.783e-7, rotor_inertia = 1.287e-4, lag = 0.0214;
static const double drag = 0.055, damping[3] = {0.0035, 0.0039, 0.0034}, above = 0.12;
static const double psi[4] = {0.78539816339744831, 3.9269908169872414, 5.4977871437821380,
                              2.3561944901923448};
static const double direction[4] = {-1, -1, 1, 1};

static double state[COUNT], accel[3], specific[3], command[16], terrain[15], start_pos[3], start_angles[3],
    origin[3], seconds;

static double target(double u)
{
    if (!(u >= 0.05)) return 0;
    return 842.1 * (u > 0.95 ? 0.95 : u) + 22.83;
}

static void derivative(const double *x, double *d)
{
    const double *v = x + 3, *q = x + 6, *w = x + 10, *n = x + 13;
    const double r[3][3] = {{1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                             2 * (q[1] * q[3] + q[0] * q[2])},
                            {2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                             2 * (q[2] * q[3] - q[0] * q[1])},
                            {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                             1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
    double body[3], force[3], moment[3], spin = 0;
    for (int i = 0; i < 3; i++) {
        body[i] = r[0][i] * v[0] + r[1][i] * v[1] + r[2][i] * v[2];
        force[i] = -drag * fabs(body[i]) * body[i];
        moment[i] = -damping[i] * fabs(w[i]) * w[i];
    }
    moment[0] += force[1] * above;
    moment[1] -= force[0] * above;
    for (int k = 0; k < 4; k++) {
        const double t = thrust * n[k] * n[k];
        force[2] -= t;
        moment[0] -= arm * sin(psi[k]) * t;
        moment[1] += arm * cos(psi[k]) * t;
        moment[2] -= direction[k] * torque * n[k] * n[k];
        spin += rotor_inertia * n[k] * direction[k];
        d[13 + k] = (target(command[k]) - n[k]) / lag;
    }
    moment[0] += w[1] * spin;
    moment[1] -= w[0] * spin;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        d[i] = v[i];
        d[3 + i] =
            (r[i][0] * force[0] + r[i][1] * force[1] + r[i][2] * force[2]) / mass + (i == 2 ? gravity : 0);
        d[10 + i] = (moment[i] + (inertia[j] - inertia[k]) * w[j] * w[k]) / inertia[i];
        specific[i] = force[i] / mass;
        accel[i] = specific[i] + gravity * r[2][i];
    }
    d[6] = -(q[1] * w[0] + q[2] * w[1] + q[3] * w[2]) / 2;
    d[7] = (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2;
    d[8] = (q[0] * w[1] - q[1] * w[2] + q[3] * w[0]) / 2;
    d[9] = (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2;
}

EXPORT double DllGetStep0(void)
{
    return 1e-3;
}

EXPORT void DllInputPWMs(const double *values)
{
    memcpy(command, values, sizeof command);
}

EXPORT void DllTerrainIn15d(const double *values)
{
    memcpy(terrain, values, sizeof terrain);
}

EXPORT void DllInitGpsPos(const double *values)
{
    memcpy(origin, values, sizeof origin);
}

EXPORT void DllInitPosAngState(const double *pos, const double *angles)
{
    memcpy(start_pos, pos, sizeof start_pos);
    memcpy(start_angles, angles, sizeof start_angles);
}

EXPORT int DllReInitModel(void)
{
    const double *h = start_angles;
    memset(state, 0, sizeof state);
    memcpy(state, start_pos, sizeof start_pos);
    const double cr = cos(h[0] / 2), sr = sin(h[0] / 2), cp = cos(h[1] / 2), sp = sin(h[1] / 2),
                 cy = cos(h[2] / 2), sy = sin(h[2] / 2);
    state[6] = cr * cp * cy + sr * sp * sy;
    state[7] = sr * cp * cy - cr * sp * sy;
    state[8] = cr * sp * cy + sr * cp * sy;
    state[9] = cr * cp * sy - sr * sp * cy;
    seconds = 0;
    return 0;
}

EXPORT int Dllstep(void)
{
    static const double nodes[4] = {0, 0.5, 0.5, 1}, weights[4] = {1, 2, 2, 1};
    const double dt = 1e-3;
    double k[COUNT] = {0}, at[COUNT], sum[COUNT] = {0};
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < COUNT; i++) at[i] = state[i] + dt * nodes[stage] * k[i];
        derivative(at, k);
        for (int i = 0; i < COUNT; i++) sum[i] += weights[stage] * k[i] / 6;
    }
    for (int i = 0; i < COUNT; i++) state[i] += dt * sum[i];
    seconds += dt;
    return 0;
}

EXPORT void DlloutVehileInfo60d(double *out, int count)
{
    memset(out, 0, (size_t)count * sizeof *out);
    out[0] = 1;
    out[1] = 3;
    out[2] = seconds;
    memcpy(out + 3, state + 3, 3 * sizeof *out);
    memcpy(out + 6, state, 3 * sizeof *out);
    memcpy(out + 12, state + 6, 4 * sizeof *out);
    for (int i = 0; i < 4; i++) out[16 + i] = state[13 + i] * 9.549296585513720;
    memcpy(out + 24, accel, 3 * sizeof *out);
    memcpy(out + 27, state + 10, 3 * sizeof *out);
}

EXPORT void DlloutHILSensor30d(double *out)
{
    memset(out, 0, 30 * sizeof *out);
    out[0] = seconds * 1e6;
    out[7] = 0.25;       /* gauss */
    out[10] = 1000;      /* mbar */
    out[12] = -state[2]; /* m */
    out[13] = 15;        /* deg C */
    for (int i = 0; i < 3; i++) out[1 + i] = specific[i];
}

/* Five reports a second, 1e-5 deg north of the origin. */
EXPORT void DlloutHILGPS30d(double *out)
{
    memset(out, 0, 30 * sizeof *out);
    out[0] = floor(seconds * 5 + 1e-6) * 2e5;
    out[1] = origin[0] * 1e7 + 100;
    out[2] = origin[1] * 1e7;
    out[3] = origin[2] * 1e3;
    out[4] = 30;
    out[5] = 40;
    out[7] = 150;
    out[11] = 3;
    out[12] = 11;
}
