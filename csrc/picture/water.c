/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture/project.h"

#define MOST_WET 158 /* of 256: bodies with an id are seen from any height */
#define STEP     4 /* samples that share the length of their sight lines: the next differs by less than 1 % */

/* The sight line of a sample for each metre ahead. */
typedef struct sight {
    double down;   /* m, NED */
    double length; /* m */
} sight;

static sight sight_of(const rf_picture *p, int x, int y)
{
    const double scale = 1 / (p->camera.focal * p->samples);
    const double right = (x + 0.5 - 0.5 * p->width * p->samples) * scale;
    const double below = (y + 0.5 - 0.5 * p->height * p->samples) * scale;
    const double(*axes)[3] = p->camera.axes;
    return (sight){axes[0][2] * right + axes[1][2] * below + axes[2][2],
                   sqrt(1 + right * right + below * below)};
}

/* Of 256: what a way through water hides. */
static unsigned hidden_by(double way, double clear, int32_t id)
{
    const double left = clear / (clear + way);
    const unsigned share = (unsigned)(256 * (1 - left * left));
    return id >= 0 && share > MOST_WET ? MOST_WET : share;
}

/* Of 256: more of the surface, the flatter it is seen. */
static unsigned opacity_at(const rf_water *water, sight s, double height)
{
    const double flat = 1 - (height > 0 ? s.down : -s.down) / s.length;
    const double grown = water->opacity + (water->opacity_flat - water->opacity) * flat * flat * flat;
    return (unsigned)(grown * (256.0 / 255.0));
}

void rf_picture_water(rf_picture *picture, const rf_water *water)
{
    const double height = water->level - picture->camera.eye[2]; /* of the eye over it */
    if (!(fabs(height) > 0 && fabs(height) < RF_PICTURE_FAR)) return;
    const uint8_t *d = water->deep, *c = water->colour;
    const uint32_t deep = ink_of(d[0], d[1], d[2]), colour = ink_of(c[0], c[1], c[2]);
    const int width = picture->width * picture->samples, rows = picture->height * picture->samples;
    const double apart = 1 + RF_PICTURE_APART;
    for (int y = 0; y < rows; y++) {
        const size_t first = (size_t)y * (size_t)width;
        sight s = {0, 1};
        double surface = 0;
        const double step = picture->camera.axes[0][2] / (picture->camera.focal * picture->samples * height);
        unsigned opacity = 0;
        for (int x = 0; x < width; x++, surface += step) {
            if (x % STEP == 0) {
                s = sight_of(picture, x, y);
                surface = s.down / height;
                opacity = opacity_at(water, s, height);
            }
            const size_t at = first + (size_t)x;
            const double nearness = (double)picture->nearness[at];
            if (!(surface > 0 && surface > nearness * apart)) continue;
            uint32_t ink = picture->ink[at];
            if (height > 0) {
                const double way = nearness > 0 ? (1 / nearness - 1 / surface) * s.length : RF_PICTURE_FAR;
                ink = mixed(deep, ink, hidden_by(way, water->clear, picture->id[at]));
            }
            picture->ink[at] = mixed(colour, ink, opacity);
            picture->nearness[at] = (float)surface;
        }
    }
}
