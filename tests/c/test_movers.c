/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays onto what moves: against distances from all shapes that are sampled along them, and spheres in closed form. */
#include "scene/movers.h"

#include <stdlib.h>

#include "test.h"
#include "uniform.h"

enum { BODIES = 40, HULLS = 4, SHAPES = 7, SAMPLES = 300, RAYS = 300 };

static void random_unit(size_t count, double *unit)
{
    double square = 0;
    while (square < 1e-3) {
        square = 0;
        for (size_t k = 0; k < count; k++) {
            unit[k] = uniform(-1, 1);
            square += unit[k] * unit[k];
        }
    }
    for (size_t k = 0; k < count; k++) unit[k] /= sqrt(square);
}

/* Arrays of a definition. */
typedef struct swarm {
    double positions[BODIES][3], attitudes[BODIES][4];
    int32_t hulls[BODIES], ids[BODIES], first[HULLS + 1];
    rf_round_box shape[SHAPES];
} swarm;

/* Bodies within `extent` [m]; hull 2 has no shapes, hull 3 has four that overlap. */
static rf_movers_def random_swarm(swarm *s, double extent)
{
    const int32_t first[HULLS + 1] = {0, 1, 3, 3, SHAPES};
    memcpy(s->first, first, sizeof first);
    for (int i = 0; i < SHAPES; i++) {
        s->shape[i].radius = uniform(0.05, 0.5);
        for (int k = 0; k < 3; k++) {
            s->shape[i].center[k] = uniform(-0.5, 0.5);
            s->shape[i].half[k] = (i + k) % 3 ? uniform(0, 1) : 0;
        }
    }
    for (int i = 0; i < BODIES; i++) {
        for (int k = 0; k < 3; k++) s->positions[i][k] = uniform(-extent, extent);
        random_unit(4, s->attitudes[i]);
        s->hulls[i] = i % HULLS;
        s->ids[i] = 100 + i;
    }
    return (rf_movers_def){
        BODIES, (const double(*)[3])s->positions, (const double(*)[4])s->attitudes, s->hulls,
        s->ids, {HULLS, s->first, s->shape}};
}

/* A place in the axes of a body: by the matrix of its quaternion. */
static void in_body(const double position[3], const double q[4], const double place[3], double local[3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; k++) {
        local[k] = 0;
        for (int j = 0; j < 3; j++) local[k] += m[j][k] * (place[j] - position[j]);
    }
}

/* How far a place is outside of a shape [m]; within it a number below 0. */
static double outside(const rf_round_box *s, const double local[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double beyond = fmax(fabs(local[k] - s->center[k]) - s->half[k], 0);
        square += beyond * beyond;
    }
    return sqrt(square) - s->radius;
}

static double outside_along(const rf_movers_def *def, size_t body, int32_t shape, const double origin[3],
                            const double direction[3], double t)
{
    double place[3], local[3];
    for (int k = 0; k < 3; k++) place[k] = origin[k] + t * direction[k];
    in_body(def->positions[body], def->attitudes[body], place, local);
    return outside(&def->shapes.shape[shape], local);
}

/* Whether no sample before a distance is on another side of a shape than the origin. */
static bool keeps_its_side(const rf_movers_def *def, size_t body, int32_t shape, const double origin[3],
                           const double direction[3], double t)
{
    const double begin = outside_along(def, body, shape, origin, direction, 0);
    for (int i = 1; i < SAMPLES; i++) {
        const double now = outside_along(def, body, shape, origin, direction, t * i / SAMPLES);
        if (begin >= 0 ? now < -1e-6 : now > 1e-6) return false;
    }
    return true;
}

/* Whether a ray meets a surface of the body with that id there, and no surface of any but the ignored one before. */
static bool is_first(const rf_movers_def *def, const double origin[3], const double direction[3], rf_met met,
                     double reach, int32_t ignored)
{
    bool touches = met.distance == INFINITY && met.id == -1;
    for (size_t i = 0; i < def->count; i++) {
        if (def->ids[i] == ignored) continue;
        for (int32_t j = def->shapes.first[def->hulls[i]]; j < def->shapes.first[def->hulls[i] + 1]; j++) {
            if (!keeps_its_side(def, i, j, origin, direction, fmin(met.distance, reach))) return false;
            if (met.id != def->ids[i]) continue;
            touches = touches || fabs(outside_along(def, i, j, origin, direction, met.distance)) < 1e-6;
        }
    }
    return touches;
}

static void rays_meet_the_first_surface_of_all_bodies(void)
{
    static swarm s;
    srand(21);
    const rf_movers_def def = random_swarm(&s, 4);
    rf_movers *movers;
    ENSURE(rf_movers_new(&def, &movers) == RF_OK);
    size_t met_any = 0, met_from_within = 0;
    for (int i = 0; i < RAYS; i++) {
        double origin[3], direction[3];
        const int body = rand() % BODIES;
        for (int k = 0; k < 3; k++) {
            origin[k] = i % 3 ? uniform(-7, 7) : s.positions[body][k] + uniform(-0.3, 0.3);
        }
        random_unit(3, direction);
        const int32_t ignored = i % 2 ? s.ids[body] : -1;
        const rf_met met = rf_movers_ray(movers, origin, direction, 20, ignored);
        ENSURE(met.distance <= 20 ? met.id != ignored : met.distance == INFINITY);
        ENSURE(is_first(&def, origin, direction, met, 20, ignored));
        met_any += met.distance < INFINITY;
        met_from_within += i % 3 == 0 && i % 2 == 0 && met.id == s.ids[body];
    }
    ENSURE(met_any > RAYS / 4 && met_any < RAYS && met_from_within > 10);
    rf_movers_free(movers);
}

/* A box without extent is a sphere. */
static void points_are_spheres(void)
{
    const rf_round_box ball = {{1, 2, 3}, {0, 0, 0}, 0.75};
    srand(22);
    for (int i = 0; i < 3000; i++) {
        double origin[3], direction[3], along = 0, square = -0.75 * 0.75;
        random_unit(3, direction);
        for (int k = 0; k < 3; k++) {
            const double from = uniform(-2, 2);
            origin[k] = ball.center[k] + from;
            along += from * direction[k];
            square += from * from;
        }
        const double under = along * along - square;
        const double t = rf_round_box_ray(&ball, origin, direction, 10);
        if (fabs(under) < 1e-9) continue;
        const double expected = under < 0    ? INFINITY
                                : square < 0 ? -along + sqrt(under)
                                             : -along - sqrt(under);
        if (expected >= 0 && expected < INFINITY) ENSURE_NEAR(t, expected, 1e-9);
        if (expected < 0 || expected == INFINITY) ENSURE(t == INFINITY);
    }
}

/* Along axes, in the planes of its sides, from its surface, with components that vanish. */
static void rays_along_its_sides_are_no_exception(void)
{
    const double tiny[] = {0, -0.0, 5e-324, -5e-324, 1e-300, -1e-17};
    const double places[] = {0, 1, -1, 1.25, -1.25, 3, -3};
    enum { COUNT = sizeof tiny / sizeof *tiny, PLACES = sizeof places / sizeof *places };
    const rf_round_box box = {{0, 0, 0}, {1, 1, 1}, 0.25};
    for (int i = 0; i < PLACES * PLACES * PLACES; i++) {
        const double origin[3] = {places[i % PLACES], places[i / PLACES % PLACES],
                                  places[i / PLACES / PLACES]};
        for (int j = 0; j < 6 * COUNT; j++) {
            double direction[3] = {tiny[j % COUNT], tiny[j % COUNT], tiny[j % COUNT]};
            direction[j / COUNT / 2] = j / COUNT % 2 ? 1 : -1;
            const double t = rf_round_box_ray(&box, origin, direction, 10);
            if (t == INFINITY) continue;
            double local[3];
            for (int k = 0; k < 3; k++) local[k] = origin[k] + t * direction[k];
            ENSURE(t >= 0 && t <= 10);
            ENSURE_NEAR(outside(&box, local), 0, 1e-9);
        }
    }
}

/* Bodies at one place: the one of the lowest number counts, and the ignored one is not there. */
static void of_several_at_one_distance_the_lowest_number_counts(void)
{
    static swarm s;
    srand(23);
    const rf_movers_def def = random_swarm(&s, 0);
    for (int i = 0; i < BODIES; i++) {
        const double level[4] = {1, 0, 0, 0};
        memcpy(s.attitudes[i], level, sizeof level);
        s.hulls[i] = 0;
    }
    rf_movers *movers;
    ENSURE(rf_movers_new(&def, &movers) == RF_OK);
    for (int i = 0; i < RAYS; i++) {
        double direction[3], origin[3];
        random_unit(3, direction);
        for (int k = 0; k < 3; k++) origin[k] = s.shape[0].center[k] - 5 * direction[k];
        ENSURE(rf_movers_ray(movers, origin, direction, 10, -1).id == 100);
        ENSURE(rf_movers_ray(movers, origin, direction, 10, 100).id == 101);
        ENSURE(rf_movers_ray(movers, origin, direction, 1, -1).id == -1);
    }
    rf_movers_free(movers);
}

static void bodies_that_are_not_finite_are_left_out(void)
{
    static swarm s;
    srand(24);
    rf_movers_def def = random_swarm(&s, 5);
    const double odd[] = {NAN, INFINITY, -INFINITY, 1e300};
    for (int i = 0; i < BODIES; i++) {
        if (i % 2) {
            s.positions[i][i % 3] = odd[i / 2 % 4];
        } else {
            s.attitudes[i][i % 4] = odd[i / 2 % 4];
        }
    }
    rf_movers *movers;
    ENSURE(rf_movers_new(&def, &movers) == RF_OK);
    const double origin[3] = {0, 0, 0}, direction[3] = {0, 1, 0};
    ENSURE(rf_movers_ray(movers, origin, direction, INFINITY, -1).distance == INFINITY);
    rf_movers_free(movers);
    def.count = 0;
    ENSURE(rf_movers_new(&def, &movers) == RF_OK);
    ENSURE(rf_movers_ray(movers, origin, direction, 10, -1).id == -1);
    rf_movers_free(movers);
    rf_movers_free(NULL);
}

/* Finite rays of any size: the answer is a distance within the reach, or none. */
static void huge_and_vanishing_numbers_end_within_the_reach(void)
{
    const double odd[] = {0, -0.0, 5e-324, 1e-9, -1e9, 1e9, 1e19, -1e300, 1e300};
    enum { COUNT = sizeof odd / sizeof *odd };
    static swarm s;
    srand(25);
    const rf_movers_def def = random_swarm(&s, 5);
    rf_movers *movers;
    ENSURE(rf_movers_new(&def, &movers) == RF_OK);
    for (int i = 0; i < 5000; i++) {
        double origin[3], direction[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++) origin[k] = odd[rand() % COUNT];
        if (i % 2) {
            random_unit(3, direction);
        } else {
            direction[i / 2 % 3] = i % 4 ? 1 : -1;
        }
        const double reach = fabs(odd[rand() % COUNT]);
        const rf_met met = rf_movers_ray(movers, origin, direction, reach, -1);
        ENSURE(met.id == -1 ? met.distance == INFINITY : met.distance >= 0 && met.distance <= reach);
    }
    rf_movers_free(movers);
}

static void what_is_no_shape_or_hull_is_refused(void)
{
    static swarm s;
    rf_movers *movers;
    srand(26);
    rf_movers_def def = random_swarm(&s, 5);
    s.shape[3].radius = 0;
    ENSURE(rf_movers_new(&def, &movers) == RF_BAD_ARGUMENT);
    def = random_swarm(&s, 5);
    s.shape[6].half[2] = -1;
    ENSURE(rf_movers_new(&def, &movers) == RF_BAD_ARGUMENT);
    def = random_swarm(&s, 5);
    s.shape[0].center[1] = NAN;
    ENSURE(rf_movers_new(&def, &movers) == RF_BAD_ARGUMENT);
    def = random_swarm(&s, 5);
    s.hulls[BODIES - 1] = HULLS;
    ENSURE(rf_movers_new(&def, &movers) == RF_BAD_ARGUMENT);
    def = random_swarm(&s, 5);
    s.hulls[0] = -1;
    ENSURE(rf_movers_new(&def, &movers) == RF_BAD_ARGUMENT);
    def = random_swarm(&s, 5);
    s.first[1] = -1;
    ENSURE(rf_movers_new(&def, &movers) == RF_BAD_ARGUMENT);
}

TEST_SUITE(movers)
{
    RUN(rays_meet_the_first_surface_of_all_bodies);
    RUN(points_are_spheres);
    RUN(rays_along_its_sides_are_no_exception);
    RUN(of_several_at_one_distance_the_lowest_number_counts);
    RUN(bodies_that_are_not_finite_are_left_out);
    RUN(huge_and_vanishing_numbers_end_within_the_reach);
    RUN(what_is_no_shape_or_hull_is_refused);
}
