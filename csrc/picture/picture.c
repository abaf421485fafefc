/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture/picture.h"

#include <stdlib.h>
#include <string.h>

#include "picture/project.h"

#define SKY_STEP 4 /* pixels that share a colour: the next differs by less than one of 255 */

/* From the horizon to the zenith by the sine of the elevation. */
static uint32_t sky_at(const rf_picture *p, const double up[3], int x, int y)
{
    const double right = x + 0.5 - 0.5 * p->width, down = y + 0.5 - 0.5 * p->height, ahead = p->camera.focal;
    const double rise = up[0] * right + up[1] * down + up[2] * ahead;
    const double sine = rise > 0 ? rise / sqrt(right * right + down * down + ahead * ahead) : 0;
    double c[3];
    for (int i = 0; i < 3; i++) {
        c[i] = p->light.horizon[i] + (sine < 1 ? sine : 1) * (p->light.zenith[i] - p->light.horizon[i]);
    }
    return ink_of(c[0], c[1], c[2]);
}

static void paint_sky(rf_picture *p)
{
    const double up[3] = {-p->camera.axes[0][2], -p->camera.axes[1][2], -p->camera.axes[2][2]};
    const int s = p->samples, width = p->width * s;
    for (int y = 0; y < p->height; y++) {
        uint32_t *row = p->ink + (size_t)(y * s) * (size_t)width;
        for (int x = 0; x < width; x++) {
            row[x] = x % (SKY_STEP * s) == 0 ? sky_at(p, up, x / s, y) : row[x - 1];
        }
        if (s == 2) memcpy(row + width, row, (size_t)width * sizeof *row);
    }
}

static bool is_drawable(const rf_picture *p)
{
    const double *first = p->camera.axes[0];
    double greatest = 0;
    for (int i = 0; i < 9; i++) greatest += fabs(first[i]);
    for (int i = 0; i < 3; i++) greatest += fabs(p->light.sun[i]) + fabs(p->camera.eye[i]) / RF_PICTURE_FAR;
    const bool sized = (p->samples == 1 || p->samples == 2) && p->width > 0 && p->height > 0 &&
                       p->width <= RF_PICTURE_SIDE / p->samples && p->height <= RF_PICTURE_SIDE / p->samples;
    /* of unit vectors: 9 and 3 at most; a NaN fails */
    return sized && greatest < 13 && p->camera.focal > 0 && p->camera.focal < 1e6 && p->light.haze >= 0 &&
           p->light.haze < RF_PICTURE_FAR && dot3(p->light.sun, p->light.sun) < 1.0001;
}

_Static_assert(sizeof(float) + sizeof(uint32_t) + sizeof(int32_t) == RF_PICTURE_SAMPLE, "nearness, ink, id");

rf_status rf_picture_begin(rf_picture *picture)
{
    picture->nearness = NULL;
    if (!is_drawable(picture)) return RF_BAD_ARGUMENT;
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    const size_t count = pixels * (size_t)(picture->samples * picture->samples);
    /* new memory of the system costs as much time as drawing: large blocks go back to it when they are freed */
    picture->nearness = picture->kept ? picture->kept : malloc(count * RF_PICTURE_SAMPLE);
    if (picture->nearness == NULL) return RF_NO_MEMORY;
    picture->ink = (uint32_t *)(picture->nearness + count);
    picture->id = (int32_t *)(picture->ink + count);
    memset(picture->nearness, 0, count * sizeof *picture->nearness);
    for (size_t i = 0; i < count; i++) picture->id[i] = -1;
    paint_sky(picture);
    return RF_OK;
}

void rf_picture_free(rf_picture *picture)
{
    if (picture->kept == NULL) free(picture->nearness);
    picture->nearness = NULL;
}

/* Of 256: none at the eye, a fourth at the distance `haze`, all of it far away. */
static unsigned haze_share(float nearness, float haze)
{
    const float share = 1 / (1 + nearness * haze);
    return (unsigned)(256 * share * share);
}

/* The mean of the samples of a pixel; `nearest` becomes the nearest of them. */
static uint32_t pixel_ink(const rf_picture *p, size_t *nearest)
{
    if (p->samples == 1) return p->ink[*nearest];
    const size_t first = *nearest, below = first + 2 * (size_t)p->width;
    const size_t sample[4] = {first, first + 1, below, below + 1};
    uint32_t red_blue = 0, green = 0;
    for (int k = 0; k < 4; k++) {
        red_blue += p->ink[sample[k]] & RED_BLUE;
        green += p->ink[sample[k]] & GREEN;
        if (p->nearness[sample[k]] > p->nearness[*nearest]) *nearest = sample[k];
    }
    return (red_blue >> 2 & RED_BLUE) | (green >> 2 & GREEN);
}

void rf_picture_finish(const rf_picture *picture, uint8_t (*colour)[3], float *distance, int32_t *id)
{
    const int s = picture->samples;
    const uint8_t *far = picture->light.horizon;
    const uint32_t horizon = ink_of(far[0], far[1], far[2]);
    const float haze = (float)picture->light.haze;
    for (int y = 0; y < picture->height; y++) {
        size_t to = (size_t)y * (size_t)picture->width, from = to * (size_t)(s * s);
        for (int x = 0; x < picture->width; x++, to++, from += (size_t)s) {
            size_t nearest = from;
            uint32_t ink = pixel_ink(picture, &nearest);
            const float w = picture->nearness[nearest];
            if (haze > 0 && w > 0) ink = mixed(horizon, ink, haze_share(w, haze));
            for (int i = 0; i < 3; i++) colour[to][i] = (uint8_t)(ink >> 8 * i);
            distance[to] = 1 / w;
            id[to] = picture->id[nearest];
        }
    }
}
