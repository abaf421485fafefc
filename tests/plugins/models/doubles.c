/* SPDX-License-Identifier: BSD-3-Clause */
/* A model that stands still and tells the doubles that it was given, for tests: the 28 of inSIL28d, the first and the last of
 * inCtrlExt, and of inCopterData whether it is armed. */
#include <string.h>

static double outputs[32], place[3];

void DllinSIL28d(const double *values)
{
    memcpy(outputs, values, 28 * sizeof *values);
}

void DllInCtrlExt(const double *values)
{
    outputs[28] = values[0], outputs[29] = values[139];
}

void DllInCopterData(const double *values)
{
    outputs[30] = values[0];
}

void DllTerrainIn15d(const double *values)
{
    outputs[31] = values[0];
}

void DllInitPosAngState(const double *position, const double *angles)
{
    (void)angles;
    memcpy(place, position, sizeof place);
}

void Dllstep(void)
{
}

void DllOutCopterData(double *out)
{
    memcpy(out, outputs, sizeof outputs);
}

void DlloutVehileInfo60d(double *out, int count)
{
    memset(out, 0, (unsigned)count * sizeof *out);
    out[1] = 60; /* type in RflySim3D */
    memcpy(out + 6, place, sizeof place);
}
