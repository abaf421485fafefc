/* SPDX-License-Identifier: BSD-3-Clause */
/* Following of paths: wind triangles of PX4's NpfgTest [@px4 04881e6b], the response to small errors and circles by closed
 * forms, in closed loop with a point that turns its air velocity by the commanded acceleration. */
#define LANE_PRECISION 64
#define LANE_WIDTH     1
#include "control/path_following.h"

#include "test.h"

static const double PI = 3.14159265358979323846, SPEED = 15, STEP = 1e-3;
static const path_gains GAINS = {.period = 10, .damping = 0.7};

static vec2 along(double angle)
{
    return (vec2){cos(angle), sin(angle)};
}

/* ---- wind triangles ---- */

typedef struct triangle {
    vec2 wind;
    double course, heading, slowest; /* rad, rad, m/s: airspeed for a ground speed of 5 m/s */
} triangle;

static void headings_and_airspeeds_in_wind_are_those_of_npfg(void)
{
    const triangle rows[] = {{{0, 6}, 0, -0.4115168, 7.8102497},
                             {{0, 6}, PI, -PI + 0.4115168, 7.8102497},
                             {{-16, 0}, 0, 0, 21},
                             {{-16, 0}, PI, PI, 0},
                             {{-25, 0}, 0, 0, 30},
                             {{0, 30}, 0, -PI / 2, 30.4138127}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vec2 course = along(rows[i].course), air = path_air_velocity(course, rows[i].wind, SPEED);
        double off = remainder(atan2(air.east, air.north) - rows[i].heading, 2 * PI);
        ENSURE_NEAR(off, 0, 1e-6);
        ENSURE_NEAR(path_airspeed(course, rows[i].wind, 5), rows[i].slowest, 1e-6);
    }
}

/* Of every course and wind that the airspeed can carry: the sum of air velocity and wind points along the course. */
static void air_velocity_and_wind_add_up_to_the_course(void)
{
    for (int i = 0; i < 36; i++) {
        for (int j = 0; j < 36; j++) {
            vec2 course = along(i * PI / 18), wind = {9 * cos(j * PI / 18 + 1), 9 * sin(j * PI / 18 + 1)};
            vec2 air = path_air_velocity(course, wind, SPEED);
            vec2 ground = {air.north + wind.north, air.east + wind.east};
            ENSURE_NEAR(sqrt(vec2_dot(air, air)), SPEED, 1e-12);
            ENSURE_NEAR(vec2_cross(course, ground), 0, 1e-12);
            ENSURE(vec2_dot(course, ground) > 0);
        }
    }
}

/* No heading holds the course against it; the one across drifts least. */
static void in_too_strong_a_wind_the_drift_is_least(void)
{
    vec2 north = {1, 0}, wind = {3, 20}, best = path_air_velocity(north, wind, SPEED);
    ENSURE_NEAR(sqrt(vec2_dot(best, best)), SPEED, 1e-12);
    double drift = fabs(wind.east + best.east);
    for (int i = 0; i < 360; i++) ENSURE(fabs(wind.east + SPEED * sin(i * PI / 180)) >= drift - 1e-9);
}

/* ---- closed loop ---- */

/* A point that moves through the air with SPEED. */
typedef struct mover {
    vec2 pos, wind;
    double heading, accel; /* rad, m/s^2 */
} mover;

static vec2 air_of(const mover *m)
{
    return (vec2){SPEED * cos(m->heading), SPEED * sin(m->heading)};
}

static vec2 ground_of(const mover *m)
{
    vec2 air = air_of(m);
    return (vec2){air.north + m->wind.north, air.east + m->wind.east};
}

static void move(mover *m, double accel)
{
    m->accel = accel;
    m->heading += STEP * accel / SPEED;
    vec2 ground = ground_of(m);
    m->pos.north += STEP * ground.north;
    m->pos.east += STEP * ground.east;
}

static void follow(mover *m, path_point path)
{
    move(m, path_accel(&GAINS, &path, ground_of(m), air_of(m)));
}

static path_point line_at(const mover *m)
{
    return path_of_line((vec2){-m->pos.north, -m->pos.east}, (vec2){1, 0});
}

static path_point circle_at(const mover *m, double radius)
{
    return path_of_circle((vec2){-m->pos.north, -m->pos.east}, radius);
}

static double distance_of(const mover *m)
{
    return sqrt(vec2_dot(m->pos, m->pos));
}

/* e'' + 2 z w e' + w^2 e = 0 from e = 1 m at rest, in still air, against, with and across a wind. */
static void a_small_offset_decays_with_the_period_and_the_damping(void)
{
    const vec2 winds[] = {{0, 0}, {-8, 0}, {8, 0}, {0, 8}, {5, -6}};
    double w = 2 * PI / GAINS.period, z = GAINS.damping, damped = w * sqrt(1 - z * z);
    for (size_t i = 0; i < sizeof winds / sizeof winds[0]; i++) {
        mover m = {.pos = {0, 0.01}, .wind = winds[i]};
        vec2 air = path_air_velocity((vec2){1, 0}, m.wind, SPEED);
        m.heading = atan2(air.east, air.north);
        for (int k = 1; k <= 15000; k++) {
            follow(&m, line_at(&m));
            double t = k * STEP, decay = exp(-z * w * t);
            double expected = decay * (cos(damped * t) + z * w / damped * sin(damped * t));
            ENSURE_NEAR(m.pos.east / 0.01, expected, 5e-3);
        }
    }
}

static void a_line_is_reached_from_far_and_from_any_heading(void)
{
    for (int i = 0; i < 12; i++) {
        mover m = {.pos = {0, i % 2 ? 300 : -300}, .wind = {4, 6}, .heading = i * PI / 6};
        double beyond = 0;
        for (int k = 0; k < 120000; k++) {
            follow(&m, line_at(&m));
            beyond = fmax(beyond, i % 2 ? -m.pos.east : m.pos.east);
        }
        ENSURE_NEAR(m.pos.east, 0, 0.01);
        ENSURE(ground_of(&m).north > 0);
        ENSURE(beyond < 0.1 * 300);
    }
}

static void a_circle_takes_the_centripetal_acceleration(void)
{
    for (int side = -1; side <= 1; side += 2) {
        mover m = {.pos = {100, 0}, .heading = side * PI / 2};
        for (int k = 0; k < 50000; k++) follow(&m, circle_at(&m, side * 100));
        ENSURE_NEAR(distance_of(&m), 100, 0.05);
        ENSURE_NEAR(m.accel, side * SPEED * SPEED / 100, 0.02);
    }
}

/* In a wind the acceleration normal to the air velocity has to turn the ground velocity; so the radius stays. */
static void a_circle_in_wind_keeps_its_radius(void)
{
    mover m = {.pos = {150, 0}, .wind = {0, -7}, .heading = PI / 2};
    for (int k = 0; k < 300000; k++) {
        follow(&m, circle_at(&m, 150));
        if (k > 100000) ENSURE_NEAR(distance_of(&m), 150, 0.05);
    }
}

/* Far away the course leads along the tangent: to the side, by asin(R / d) from the direction of the centre. */
static void a_circle_is_approached_along_its_tangent(void)
{
    for (int side = -1; side <= 1; side += 2) {
        for (double d = 500; d < 2000; d += 250) {
            mover m = {.pos = {-d, 0}};
            path_point p = circle_at(&m, side * 100);
            vec2 course = path_course(&p, 10, p.steepest);
            ENSURE_NEAR(atan2(course.east, course.north), -side * asin(100 / d), 1e-9);
        }
        mover m = {.pos = {-1000, 0}};
        double nearest = 1e9;
        for (int k = 0; k < 120000; k++) {
            follow(&m, circle_at(&m, side * 100));
            nearest = fmin(nearest, distance_of(&m));
        }
        ENSURE(nearest > 95);
        ENSURE_NEAR(distance_of(&m), 100, 0.05);
    }
}

static void a_circle_is_reached_from_inside_and_from_its_centre(void)
{
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < 24; i++) {
            double radius = i % 3 ? 50 * (i % 3) - 20 : 0;
            mover m = {.pos = {radius * cos(i), radius * sin(i)}, .heading = i * PI / 12};
            for (int k = 0; k < 120000; k++) follow(&m, circle_at(&m, side * 100));
            ENSURE_NEAR(distance_of(&m), 100, 0.1);
            ENSURE(side * vec2_cross(m.pos, ground_of(&m)) > 0);
        }
    }
}

/* Nothing is infinite where there is no direction: at rest, at the centre, in a wind as fast as the aircraft. */
static void nothing_divides_by_zero(void)
{
    const vec2 none = {0, 0};
    for (int i = 0; i < 2; i++) {
        path_point p = i ? path_of_circle(none, 100) : path_of_line(none, (vec2){0, 1});
        ENSURE(isfinite(path_accel(&GAINS, &p, none, none)));
        ENSURE(isfinite(path_accel(&GAINS, &p, none, (vec2){SPEED, 0})));
        ENSURE(isfinite(path_accel(&GAINS, &p, (vec2){-5, 0}, (vec2){SPEED, 0})));
        ENSURE(isfinite(path_accel(&GAINS, &p, (vec2){SPEED, 0}, none)));
    }
}

TEST_SUITE(path_following)
{
    RUN(headings_and_airspeeds_in_wind_are_those_of_npfg);
    RUN(air_velocity_and_wind_add_up_to_the_course);
    RUN(in_too_strong_a_wind_the_drift_is_least);
    RUN(a_small_offset_decays_with_the_period_and_the_damping);
    RUN(a_line_is_reached_from_far_and_from_any_heading);
    RUN(a_circle_takes_the_centripetal_acceleration);
    RUN(a_circle_in_wind_keeps_its_radius);
    RUN(a_circle_is_approached_along_its_tangent);
    RUN(a_circle_is_reached_from_inside_and_from_its_centre);
    RUN(nothing_divides_by_zero);
}
