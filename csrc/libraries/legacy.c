/* SPDX-License-Identifier: BSD-3-Clause */
#include "libraries/legacy.h"

#include "base/library.h"

static double *append(double *out, const float *values, int count)
{
    for (int i = 0; i < count; i++) *out++ = values[i];
    return out;
}

void rf_legacy_sensor_numbers(const rf_legacy_sensor *s, double *out)
{
    *out++ = s->time_usec;
    out = append(out, s->accel, 3);
    out = append(out, s->gyro, 3);
    out = append(out, s->field, 3);
    *out++ = s->pressure;
    *out++ = s->differential_pressure;
    *out++ = s->height;
    *out++ = s->temperature;
    *out = s->updated;
}

void rf_legacy_gps_numbers(const rf_legacy_gps *g, double *out)
{
    const double numbers[] = {g->time_usec, g->lat,  g->lon,  g->alt,    g->eph,      g->epv,       g->speed,
                              g->north,     g->east, g->down, g->course, g->fix_type, g->satellites};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) out[i] = numbers[i];
}

void rf_legacy_motion_numbers(const rf_legacy_motion *m, double *out)
{
    out[0] = m->id;
    out[RF_MOTION_TYPE] = m->type;
    out[RF_MOTION_TIME] = m->time;
    double *next = append(out + RF_MOTION_VEL, m->vel, 3);
    next = append(next, m->pos, 3);
    next = append(next, m->euler, 3);
    next = append(next, m->att, 4);
    next = append(next, m->displayed, 8);
    next = append(next, m->accel, 3);
    next = append(next, m->rate, 3);
    for (int i = 0; i < 3; i++) *next++ = m->lla[i];
}
