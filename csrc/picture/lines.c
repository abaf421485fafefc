/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture/project.h"

#define LINE_PULL 1.001 /* nearness of lines: those on a surface are not hidden by it */

/* A line as a rectangle of the picture, half a width longer at each end: those that meet have no notch. */
static void draw_stroke(rf_picture *p, rf_spot a, rf_spot b, double half, const rf_paint *paint)
{
    double x = b.x - a.x, y = b.y - a.y;
    const double length = sqrt(x * x + y * y);
    x = length > 0 ? half * x / length : half;
    y = length > 0 ? half * y / length : 0;
    a.nearness *= LINE_PULL;
    b.nearness *= LINE_PULL;
    const rf_spot corner[4] = {{a.x - x - y, a.y - y + x, a.nearness},
                               {a.x - x + y, a.y - y - x, a.nearness},
                               {b.x + x + y, b.y + y - x, b.nearness},
                               {b.x + x - y, b.y + y + x, b.nearness}};
    rf_fill_triangle(p, corner[0], corner[1], corner[2], paint);
    rf_fill_triangle(p, corner[0], corner[2], corner[3], paint);
}

void rf_picture_lines(rf_picture *picture, const rf_lines *lines)
{
    const double half = 0.5 * lines->width * picture->samples;
    for (size_t i = 0; i < lines->count; i++) {
        const uint8_t *colour = lines->colour[i];
        const rf_paint paint = {ink_of(colour[0], colour[1], colour[2]), colour[3], false, 0};
        double end[2][3];
        for (int k = 0; k < 2; k++) see_point(&picture->camera, lines->ends[i][k], end[k]);
        const bool ahead[2] = {end[0][2] >= RF_PICTURE_NEAR, end[1][2] >= RF_PICTURE_NEAR};
        if (!is_near_enough(end[0]) || !is_near_enough(end[1]) || !(ahead[0] || ahead[1]) || colour[3] == 0) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            if (!ahead[k]) cut(end[1 - k], end[k], end[k]);
        }
        draw_stroke(picture, spot_of(picture, end[0]), spot_of(picture, end[1]), half, &paint);
    }
}
