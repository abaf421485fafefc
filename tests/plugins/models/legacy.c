/* SPDX-License-Identifier: BSD-3-Clause */
/* A model with the older functions alone, whose structs have the layout of [@rfly-safe]; DllCreatModel has a name of C++. */
#include <stdint.h>
#include <string.h>

static double height;
static float pushed;
static int made;

void _Z13DllCreatModelv(void)
{
    made = 1;
}
void DllInputTerrain(double z)
{
    height = z;
}
void DllInputColls(const float *values)
{
    pushed = values[14];
}
void Dllstep(void)
{
}

void DlloutModel3DInfo(void *out)
{
    char *at = out;
    const int32_t ids[2] = {1, 3};
    const double seconds = 0.5, lla[3] = {40, 116, 50};
    float values[27] = {1, 2,    3,   4,   5,   (float)height, 0, 0, 0, 0.8f,  0,
                        0, 0.6f, 100, 200, 300, 400,           0, 0, 0, pushed};
    values[21] = (float)made, values[24] = 0.25f;
    memcpy(at, ids, 8), memcpy(at + 8, &seconds, 8), memcpy(at + 16, values, 108), memcpy(at + 128, lla, 24);
}

void DlloutputSensors(void *out)
{
    const uint32_t words[2] = {500000, 0x1FFF};
    const float values[13] = {0.5f, 0, -9.5f, 0.125f, 0, 0, 0.25f, 0, 0.5f, 1000, 2, 110, 15};
    memcpy(out, words, 4), memcpy((char *)out + 4, values, 52), memcpy((char *)out + 56, words + 1, 4);
}

void DlloutputGPS(void *out)
{
    const int32_t place[4] = {1, 401540402, 1162593683, 50000};
    const uint16_t eph[3] = {30, 40, 250};
    const int16_t velocity[3] = {150, -200, 5};
    const uint16_t course = 30687;
    const uint8_t fix[2] = {3, 10};
    memcpy(out, place, 16), memcpy((char *)out + 16, eph, 6), memcpy((char *)out + 22, velocity, 6);
    memcpy((char *)out + 28, &course, 2), memcpy((char *)out + 30, fix, 2);
}
