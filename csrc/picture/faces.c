/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "picture/project.h"

#define SHADE      0.6 /* brightness of a face across to the light; */
#define SHADE_SPAN 0.4 /* of one towards it more by this, of one away from it less */

/* Rows of a matrix and an origin. */
typedef struct placement {
    double m[3][4];
} placement;

static placement seen_placement(const rf_camera *c, const double (*place)[4])
{
    placement seen;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            double column[3];
            for (int k = 0; k < 3; k++) column[k] = place[k][j] - (j == 3 ? c->eye[k] : 0);
            seen.m[i][j] = dot3(c->axes[i], column);
        }
    }
    return seen;
}

static void place_corner(const placement *to, const float corner[3], double seen[3])
{
    const double v[3] = {corner[0], corner[1], corner[2]};
    for (int i = 0; i < 3; i++) seen[i] = dot3(to->m[i], v) + to->m[i][3];
}

static void draw_face(rf_picture *p, const double (*corner)[3], const rf_paint *paint)
{
    rf_spot spot[4];
    int spots = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = corner[k], *b = corner[(k + 1) % 3];
        const bool a_ahead = a[2] >= RF_PICTURE_NEAR, b_ahead = b[2] >= RF_PICTURE_NEAR;
        double between[3];
        if (a_ahead) spot[spots++] = spot_of(p, a);
        if (a_ahead != b_ahead) {
            cut(a_ahead ? a : b, a_ahead ? b : a, between);
            spot[spots++] = spot_of(p, between);
        }
    }
    for (int k = 2; k < spots; k++) rf_fill_triangle(p, spot[0], spot[k - 1], spot[k], paint);
}

/* Brightness of the side of a face that is seen, 0.1 to 1. */
static double brightness(const double (*corner)[3], const double sun[3])
{
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = corner[1][i] - corner[0][i];
        b[i] = corner[2][i] - corner[0][i];
    }
    const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    const double length = sqrt(dot3(normal, normal));
    if (!(length > 0)) return SHADE;
    const double towards = dot3(normal, sun) / length;
    return SHADE + SHADE_SPAN * (dot3(normal, corner[0]) > 0 ? -towards : towards);
}

static void draw_triangle(rf_picture *p, const double (*corner)[3], const uint8_t colour[4],
                          const double sun[3], int32_t id)
{
    bool ahead = false;
    for (int k = 0; k < 3; k++) {
        if (!is_near_enough(corner[k])) return;
        ahead |= corner[k][2] >= RF_PICTURE_NEAR;
    }
    if (!ahead) return;
    const double lit = brightness(corner, sun);
    const bool has_id = id >= 0 || colour[3] == 255; /* what is below the water keeps its own */
    const rf_paint paint = {ink_of(lit * colour[0], lit * colour[1], lit * colour[2]), colour[3], has_id, id};
    draw_face(p, corner, &paint);
}

/* False for a triangle without such a corner.  Each is looked at as it is used: the arrays are their owner's. */
static bool draw_instance(rf_picture *p, const rf_instances *m, size_t i, const double sun[3],
                          double (*seen)[3])
{
    const placement to = seen_placement(&p->camera, m->place[i]);
    for (size_t k = 0; k < m->corners; k++) place_corner(&to, m->corner[k], seen[k]);
    for (size_t k = 0; k < m->triangles; k++) {
        double corner[3][3];
        for (int c = 0; c < 3; c++) {
            const int32_t at = m->triangle[k][c];
            if (at < 0 || (size_t)at >= m->corners) return false;
            memcpy(corner[c], seen[at], sizeof corner[c]);
        }
        if (m->colour[k][3] > 0) draw_triangle(p, corner, m->colour[k], sun, m->id[i]);
    }
    return true;
}

rf_status rf_picture_mesh(rf_picture *picture, const rf_instances *instances)
{
    double(*seen)[3] = malloc((instances->corners + 1) * sizeof *seen);
    if (seen == NULL) return RF_NO_MEMORY;
    double sun[3];
    for (int i = 0; i < 3; i++) sun[i] = dot3(picture->camera.axes[i], picture->light.sun);
    bool drawn = true;
    for (size_t i = 0; drawn && i < instances->count; i++) {
        drawn = draw_instance(picture, instances, i, sun, seen);
    }
    free(seen);
    return drawn ? RF_OK : RF_BAD_ARGUMENT;
}
