/* SPDX-License-Identifier: BSD-3-Clause */
/* A model that stands still and tells in its free outputs what it was given, for tests. */
#include <string.h>

static double outputs[32], pos[3];

void DllInputPWMs(const double *values)
{
    outputs[0] = values[15];
}
void DllInputSILs(const int *ints, const float *floats)
{
    outputs[1] = ints[1], outputs[2] = floats[19];
}
void DllTerrainIn15d(const double *values)
{
    outputs[3] = values[0];
}
void DllinCollision20d(const double *values)
{
    outputs[4] = values[14];
}
void DllInFromUE(const double *values)
{
    outputs[5] = values[31];
}
void DllInCopterData(const double *values)
{
    outputs[6] = values[31];
}
void DllFaultParamAPI(unsigned mask, const double *values)
{
    outputs[7] = mask, outputs[8] = values[4];
}
void DllInitParamAPI(unsigned mask, const double *values)
{
    outputs[9] = mask, outputs[10] = values[31];
}
void DllDynModiParams(unsigned long long mask, const double *values)
{
    outputs[11] = mask == 1ull << 63, outputs[12] = values[63];
}
void DllInitPosAngState(const double *p, const double *angles)
{
    memcpy(pos, p, sizeof pos), outputs[13] = angles[2];
}
void DllReInitModel(void)
{
    outputs[14]++;
}
void Dllstep(void)
{
    outputs[15]++;
}
void DllOutCopterData(double *out)
{
    memcpy(out, outputs, sizeof outputs);
}
void DllGetExtToUE4(double *out)
{
    for (int i = 0; i < 16; i++) out[i] = i;
}
void DllGetExtToPX4(float *out)
{
    for (int i = 0; i < 16; i++) out[i] = 2 * i;
}

void DlloutVehileInfo60d(double *out, int count)
{
    memset(out, 0, (unsigned)count * sizeof *out);
    memcpy(out + 6, pos, sizeof pos);
    out[11] = outputs[13];
}

/* Of two generations the newer one counts. */
void DllInputTerrain(double z)
{
    outputs[3] = 1e3 + z;
}
void DllInputColls(const float *values)
{
    outputs[4] = 1e3 + values[14];
}
void DlloutModel3DInfo(void *out)
{
    memset(out, 0xff, 152);
}
