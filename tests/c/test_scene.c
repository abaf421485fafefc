/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes: rays through the tree against all bodies one after the other, of every instruction set. */
#include "batch/simd.h"
#include "scene/scene.h"

#include <stdlib.h>

#include "test.h"
#include "uniform.h"

#define LANE_PRECISION 64
#define LANE_WIDTH     1
#include "scene/ray_shapes.h"

#define SHAPES    300
#define TRIANGLES 3000
#define RAYS      1000

/* Arrays of a definition. */
typedef struct made {
    uint8_t kinds[SHAPES + 1];
    double centers[SHAPES + 1][3], rotations[SHAPES + 1][9], half_sizes[SHAPES + 1][3];
    double surfaces[SHAPES + 1]; /* friction and restitution */
    double corners[TRIANGLES][9];
    int32_t owners[TRIANGLES];
} made;

/* A rotation about a random axis. */
static void random_rotation(double m[9])
{
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = uniform(-1, 1);
        square += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(square);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(m, rows, sizeof rows);
}

/* Bodies and a mesh within `extent` [m] of the origin. */
static rf_scene_def random_scene(made *m, size_t shapes, size_t triangles, double extent)
{
    for (size_t i = 0; i <= shapes; i++) {
        m->kinds[i] = i == shapes ? RF_SHAPE_MESH : (uint8_t)(rand() % 3);
        random_rotation(m->rotations[i]);
        double size = uniform(0.1, 3);
        for (int k = 0; k < 3; k++) {
            m->centers[i][k] = uniform(-extent, extent);
            m->half_sizes[i][k] = m->kinds[i] == RF_SHAPE_BOX || (m->kinds[i] == RF_SHAPE_CYLINDER && k == 2)
                                      ? uniform(0.1, 3)
                                      : size;
        }
    }
    for (size_t i = 0; i < triangles; i++) {
        for (int k = 0; k < 9; k++) {
            m->corners[i][k] = k < 3 ? uniform(-extent, extent) : m->corners[i][k - 3] + uniform(-3, 3);
        }
        m->owners[i] = (int32_t)shapes;
    }
    return (rf_scene_def){shapes + 1,    triangles,   m->kinds,    m->centers, m->rotations,
                          m->half_sizes, m->surfaces, m->surfaces, m->corners, m->owners};
}

static void take_nearer(meeting m, int32_t number, double *distance, int32_t *shape)
{
    if (!m.is || m.t >= *distance) return;
    *distance = m.t;
    *shape = number;
}

/* What a ray meets, of all bodies and triangles. */
static double first_of_all(const rf_scene *s, const double origin[3], const double direction[3],
                           int32_t *shape)
{
    double distance = 1e9;
    *shape = RF_NO_SHAPE;
    const vec3 way = vec3_of(direction[0], direction[1], direction[2]);
    const vec3 from = vec3_of(origin[0] - s->middle[0], origin[1] - s->middle[1], origin[2] - s->middle[2]);
    const ray r = ray_of(from, scale(1 / sqrt(norm2(way)), way));
    for (size_t i = 0; i < s->bodies; i++) {
        take_nearer(with_body(&s->body[i], r), (int32_t)s->body[i].shape, &distance, shape);
    }
    for (size_t i = 0; i < s->leaves; i++) {
        const rf_triangles *t = &s->leaf[i];
        for (int j = 0; j < RF_TREE_WIDTH; j++) {
            triangle one;
            for (int k = 0; k < 3; k++) {
                one.corner[k] = vec3_of(t->corner[k][0][j], t->corner[k][1][j], t->corner[k][2][j]);
            }
            meeting m = with_triangle(r, one);
            take_nearer(m, (int32_t)t->shape[j], &distance, shape);
        }
    }
    return distance;
}

static double origins[RAYS][3], directions[RAYS][3];

/* Rays that differ much, every tenth along the vertical, or neighbours in groups of 50 about one way. */
static void random_rays(bool neighbours)
{
    for (size_t i = 0; i < RAYS; i++) {
        bool follows = neighbours && i % 50 != 0;
        for (int k = 0; k < 3; k++) {
            origins[i][k] = follows ? origins[i - 1][k] : uniform(-40, 40);
            directions[i][k] = follows ? directions[i - 1][k] + uniform(-0.05, 0.05) : uniform(-1, 1);
            if (!neighbours && i % 10 == 0 && k < 2) directions[i][k] = 0;
        }
    }
}

/* Starts the rays at a distance [m], each where it passes by or meets what is about the middle. */
static void move_away(double distance)
{
    for (size_t i = 0; i < RAYS; i++) {
        const double *d = directions[i], length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; k++) origins[i][k] -= distance * d[k] / length;
    }
}

static float distances[RAYS];
static int32_t shapes_met[RAYS];

static rf_rays rays_into_arrays(void)
{
    return (rf_rays){.origins = (const double(*)[3])origins,
                     .directions = (const double(*)[3])directions,
                     .count = RAYS,
                     .each = 1,
                     .direction_count = RAYS,
                     .reach = 1e9,
                     .distance = distances,
                     .shape = shapes_met};
}

/* How many rays meet another distance than that of all bodies; at the edge of a body both may be right. */
static size_t wrong_rays(const rf_scene *scene)
{
    size_t wrong = 0;
    for (size_t i = 0; i < RAYS; i++) {
        int32_t shape;
        double expected = first_of_all(scene, origins[i], directions[i], &shape);
        if (shape == RF_NO_SHAPE && shapes_met[i] == RF_NO_SHAPE) continue;
        wrong += !(fabs(distances[i] - expected) < 1e-3 + 1e-5 * expected);
    }
    return wrong;
}

static void rays_meet_the_first_of_all_bodies(void)
{
    static made m;
    const size_t sizes[][2] = {
        {0, 1}, {1, 0}, {15, 0}, {150, 0}, {SHAPES, 0}, {0, TRIANGLES}, {SHAPES, TRIANGLES}};
    srand(7);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        rf_scene_def def = random_scene(&m, sizes[k][0], sizes[k][1], 30);
        rf_scene *scene;
        size_t bad;
        ENSURE(rf_scene_new(&def, &scene, &bad) == RF_OK);
        for (int neighbours = 0; neighbours < 2; neighbours++) {
            random_rays(neighbours);
            const rf_rays rays = rays_into_arrays();
            for (const rf_simd *const *set = rf_simd_available(); *set; set++) {
                (*set)->cast_rays(scene, &rays, 0, RAYS);
                size_t wrong = wrong_rays(scene);
                ENSURE(wrong <= 1);
            }
        }
        rf_scene_free(scene);
    }
}

/* Casts the rays together, and one by one by all sets. */
static void cast_together_and_alone(const rf_scene *scene)
{
    const rf_rays rays = rays_into_arrays();
    static float expected[RAYS];
    static int32_t shapes[RAYS];
    (*rf_simd_available())->cast_rays(scene, &rays, 0, RAYS);
    memcpy(expected, distances, sizeof expected);
    memcpy(shapes, shapes_met, sizeof shapes);
    for (const rf_simd *const *set = rf_simd_available(); *set; set++) {
        memset(distances, 0, sizeof distances);
        for (size_t i = 0; i < RAYS; i++) (*set)->cast_rays(scene, &rays, i, 1);
        ENSURE(memcmp(distances, expected, sizeof expected) == 0);
        ENSURE(memcmp(shapes_met, shapes, sizeof shapes) == 0);
    }
}

static void a_ray_has_the_same_bits_in_any_company_and_set(void)
{
    static made m;
    const size_t sizes[][2] = {{20, 0}, {150, 0}, {SHAPES, 0}, {SHAPES, TRIANGLES}};
    srand(8);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        rf_scene_def def = random_scene(&m, sizes[k][0], sizes[k][1], 30);
        rf_scene *scene;
        size_t bad;
        ENSURE(rf_scene_new(&def, &scene, &bad) == RF_OK);
        for (int neighbours = 0; neighbours < 2; neighbours++) {
            for (double distance = 0; distance < 1e6; distance = 100 * (distance + 1)) {
                random_rays(neighbours);
                move_away(distance);
                cast_together_and_alone(scene);
            }
        }
        rf_scene_free(scene);
    }
}

/* Bodies at one place, and a line of them that grow twofold: the tree does not become too deep. */
static void bodies_that_cannot_be_told_apart_are_found(void)
{
    static made m;
    srand(9);
    rf_scene_def def = random_scene(&m, SHAPES, TRIANGLES, 0);
    for (size_t i = 0; i < SHAPES; i++) {
        m.kinds[i] = RF_SHAPE_SPHERE;
        m.centers[i][0] = i % 2 ? ldexp(1, -(int)i / 4) : 0;
        for (int k = 0; k < 3; k++) m.half_sizes[i][k] = 0.5;
    }
    for (size_t i = 0; i < TRIANGLES; i++) memset(m.corners[i], 0, sizeof m.corners[i]);
    rf_scene *scene;
    size_t bad;
    ENSURE(rf_scene_new(&def, &scene, &bad) == RF_OK);
    random_rays(false);
    for (size_t i = 0; i < RAYS; i++) {
        for (int k = 0; k < 3; k++) directions[i][k] = -origins[i][k];
    }
    const rf_rays rays = rays_into_arrays();
    (*rf_simd_available())->cast_rays(scene, &rays, 0, RAYS);
    for (size_t i = 0; i < RAYS; i++) ENSURE(shapes_met[i] >= 0 && shapes_met[i] < SHAPES);
    rf_scene_free(scene);
}

static void planes_are_met_from_both_sides(void)
{
    uint8_t kind = RF_SHAPE_PLANE;
    double center[3] = {5, 5, 2}, unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, none[3] = {0}, smooth = 0;
    rf_scene_def def = {.shapes = 1,
                        .kinds = &kind,
                        .centers = (const double(*)[3])center,
                        .rotations = (const double(*)[9])unit,
                        .half_sizes = (const double(*)[3])none,
                        .friction = &smooth,
                        .restitution = &smooth};
    rf_scene *scene;
    size_t bad;
    ENSURE(rf_scene_new(&def, &scene, &bad) == RF_OK);
    random_rays(false);
    const rf_rays rays = rays_into_arrays();
    (*rf_simd_available())->cast_rays(scene, &rays, 0, RAYS);
    for (size_t i = 0; i < RAYS; i++) {
        const double *d = directions[i];
        double t = (2 - origins[i][2]) / d[2] * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (t >= 0) ENSURE_NEAR(distances[i], t, 1e-5 * (1 + t));
        ENSURE(shapes_met[i] == (t >= 0 ? 0 : RF_NO_SHAPE));
    }
    rf_scene_free(scene);
}

static void what_is_out_of_range_is_refused_by_its_number(void)
{
    static made m;
    srand(10);
    rf_scene *scene;
    size_t bad;
    rf_scene_def def = random_scene(&m, 5, 5, 30);
    m.half_sizes[3][1] = 0;
    ENSURE(rf_scene_new(&def, &scene, &bad) == RF_BAD_ARGUMENT && bad == 3);
    def = random_scene(&m, 5, 5, 30);
    m.corners[2][4] = NAN;
    ENSURE(rf_scene_new(&def, &scene, &bad) == RF_BAD_ARGUMENT && bad == 6 + 2);
    def = random_scene(&m, 5, 5, 30);
    m.owners[4] = 2;
    ENSURE(rf_scene_new(&def, &scene, &bad) == RF_BAD_ARGUMENT && bad == 6 + 4);
    def = random_scene(&m, 5, 5, 30);
    m.centers[1][0] = 5e5;
    ENSURE(rf_scene_new(&def, &scene, &bad) == RF_BAD_ARGUMENT);
    def = random_scene(&m, 5, 5, 30);
    m.kinds[4] = 9;
    ENSURE(rf_scene_new(&def, &scene, &bad) == RF_BAD_ARGUMENT && bad == 4);
}

TEST_SUITE(scene)
{
    RUN(rays_meet_the_first_of_all_bodies);
    RUN(a_ray_has_the_same_bits_in_any_company_and_set);
    RUN(bodies_that_cannot_be_told_apart_are_found);
    RUN(planes_are_met_from_both_sides);
    RUN(what_is_out_of_range_is_refused_by_its_number);
}
