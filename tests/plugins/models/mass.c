/* SPDX-License-Identifier: BSD-3-Clause */
/* A mass without weight, that a command sets going north and that answers collisions as RflySim's model does, without its
 * chance [@rfly-collision 3.1]; for tests. */
#include <math.h>
#include <string.h>

static double start[3], pos[3], vel[3], command[16], told[20], ground[15];
static double impulse[3], time_of_hit, seconds;
static int hits;

void DllInputPWMs(const double *values)
{
    memcpy(command, values, sizeof command);
}
void DllTerrainIn15d(const double *values)
{
    memcpy(ground, values, sizeof ground);
}
void DllinCollision20d(const double *values)
{
    memcpy(told, values, sizeof told);
}
void DllInitPosAngState(const double *position, const double *angles)
{
    (void)angles;
    memcpy(start, position, sizeof start);
}
void DllReInitModel(void)
{
    memcpy(pos, start, sizeof pos);
    memset(vel, 0, sizeof vel);
    seconds = 0, time_of_hit = -1, hits = 0;
}

static void take_hit(void)
{
    const double ratio = told[2] * told[2];
    for (int k = 0; k < 3; k++) {
        const double after = ratio > 0 ? (vel[k] + ratio * told[6 + k]) / (1 + ratio) : -vel[k] / 10;
        impulse[k] = after - vel[k];
    }
    time_of_hit = seconds;
    hits++;
}

void Dllstep(void)
{
    const int counts = fabs(told[0] - 12345) < 1;
    double force[3] = {0};
    if (counts && told[1] > 0.5) take_hit();
    if (seconds - time_of_hit < 0.05) {
        for (int k = 0; k < 3; k++) force[k] = impulse[k] / 0.05;
    }
    if (counts && told[9] < 0) force[0] = 500 * told[9] - 50 * vel[0];
    if (command[0] > 0) vel[0] = command[0];
    for (int k = 0; k < 3; k++) {
        vel[k] += 0.001 * force[k];
        pos[k] += 0.001 * vel[k];
    }
    seconds += 0.001;
}

void DllOutCopterData(double *out)
{
    out[0] = hits;
    memcpy(out + 1, told + 9, 6 * sizeof *out);
    memcpy(out + 16, ground, sizeof ground);
}

void DlloutVehileInfo60d(double *out, int count)
{
    memset(out, 0, (unsigned)count * sizeof *out);
    out[2] = seconds;
    memcpy(out + 3, vel, sizeof vel);
    memcpy(out + 6, pos, sizeof pos);
}
