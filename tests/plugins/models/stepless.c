/* SPDX-License-Identifier: BSD-3-Clause */
/* A model whose step is no time. */
double DllGetStep0(void)
{
    return -0.001;
}
void Dllstep(void)
{
}
void DlloutVehileInfo60d(double *out, int count)
{
    for (int i = 0; i < count; i++) out[i] = 0;
}
