/* SPDX-License-Identifier: BSD-3-Clause */
/* A model with steps of 4 ms, whose first command is 0.5 at the start, for tests. */
#include <string.h>

static double command[16];

double DllGetStep0(void)
{
    return 4e-3;
}

void DllGetInitInputs(double *values)
{
    memset(values, 0, 16 * sizeof *values);
    values[0] = 0.5;
}

void DllInputPWMs(const double *values)
{
    memcpy(command, values, sizeof command);
}

void Dllstep(void)
{
}

void DlloutVehileInfo60d(double *out, int count)
{
    memset(out, 0, (unsigned)count * sizeof *out);
    out[6] = command[0];
}
