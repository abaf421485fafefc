/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture/raster.h"

#include <math.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

/* An edge downwards. */
typedef struct edge {
    double x, y, nearness;
    double x_slope, nearness_slope; /* per sample down */
} edge;

static edge edge_between(rf_spot upper, rf_spot lower)
{
    const double height = lower.y - upper.y;
    return (edge){upper.x, upper.y, upper.nearness, (lower.x - upper.x) / height,
                  (lower.nearness - upper.nearness) / height};
}

/* The first sample whose middle is not before a position, within 0 to `end`. */
static int first_sample(double position, int end)
{
    const double sample = ceil(position - 0.5);
    return sample > 0 ? (sample < end ? (int)sample : end) : 0;
}

typedef struct span {
    size_t first; /* sample */
    int count;
    float nearness, slope; /* of the first, and from one to the next */
} span;

static void fill_opaque(rf_picture *p, const span *s, const rf_paint *paint)
{
    float *nearness = p->nearness + s->first;
    uint32_t *ink = p->ink + s->first;
    int32_t *id = p->id + s->first;
    for (int i = 0; i < s->count; i++) {
        const float w = s->nearness + (float)i * s->slope;
        if (w > nearness[i]) {
            nearness[i] = w;
            ink[i] = paint->ink;
            if (paint->has_id) id[i] = paint->id;
        }
    }
}

static void fill_translucent(rf_picture *p, const span *s, const rf_paint *paint)
{
    const float apart = (float)(1 + RF_PICTURE_APART);
    for (int i = 0; i < s->count; i++) {
        const size_t at = s->first + (size_t)i;
        const float w = s->nearness + (float)i * s->slope;
        if (w > p->nearness[at] * apart) {
            p->nearness[at] = w;
            p->ink[at] = mixed(paint->ink, p->ink[at], paint->opacity + (paint->opacity >> 7));
            if (paint->has_id) p->id[at] = paint->id;
        }
    }
}

static void fill_row(rf_picture *p, int y, const edge *a, const edge *b, const rf_paint *paint)
{
    const double down = y + 0.5;
    const double xa = a->x + (down - a->y) * a->x_slope, xb = b->x + (down - b->y) * b->x_slope;
    const double wa = a->nearness + (down - a->y) * a->nearness_slope;
    const double wb = b->nearness + (down - b->y) * b->nearness_slope;
    const double left = xa < xb ? xa : xb, right = xa < xb ? xb : xa, at_left = xa < xb ? wa : wb;
    const int width = p->width * p->samples;
    const int from = first_sample(left, width), to = first_sample(right, width);
    if (from >= to) return;
    const double slope = (wb - wa) / (xb - xa);
    const span s = {(size_t)y * (size_t)width + (size_t)from, to - from,
                    (float)(at_left + (from + 0.5 - left) * slope), (float)slope};
    if (paint->opacity == 255) {
        fill_opaque(p, &s, paint);
    } else {
        fill_translucent(p, &s, paint);
    }
}

static void fill_rows(rf_picture *p, rf_spot upper, rf_spot lower, const edge *a, const rf_paint *paint)
{
    const int height = p->height * p->samples;
    const int from = first_sample(upper.y, height), to = first_sample(lower.y, height);
    if (from >= to) return;
    const edge b = edge_between(upper, lower);
    for (int y = from; y < to; y++) fill_row(p, y, a, &b, paint);
}

static void order(rf_spot *a, rf_spot *b)
{
    if (b->y < a->y) {
        const rf_spot kept = *a;
        *a = *b;
        *b = kept;
    }
}

void rf_fill_triangle(rf_picture *picture, rf_spot a, rf_spot b, rf_spot c, const rf_paint *paint)
{
    order(&a, &b);
    order(&a, &c);
    order(&b, &c);
    if (!(a.y < c.y)) return;
    const edge whole = edge_between(a, c);
    fill_rows(picture, a, b, &whole, paint);
    fill_rows(picture, b, c, &whole, paint);
}
