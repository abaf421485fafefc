/* SPDX-License-Identifier: BSD-3-Clause */
/* Total energy control in closed loop with a point mass, V' = (E' g - g h') / V, h' = V gamma, whose total energy follows
 * the throttle at once: the plant, the gains, the reference of the height and the bounds of PX4's TECSClosedLoopTest
 * [@px4 1019cb77].  The law here has no weight of the speed, that of PX4 being 1, no filters and no fast descend. */
#define LANE_PRECISION 64
#define LANE_WIDTH     1
#include "control/tecs.h"

#include "test.h"

static const double GRAVITY = 9.80665, TRIM_SPEED = 16, TRIM_PITCH = 0.04, STEP = 0.02, START = 300;

static const tecs_gains GAINS = {.height_p = 0.2,
                                 .airspeed_p = 0.3,
                                 .integral = 0.1,
                                 .damping = 0.1,
                                 .trim_throttle = 0.5,
                                 .throttle = {0.05, 1},
                                 .trim_pitch = 0.04,
                                 .pitch = {-0.5, 0.5},
                                 .climb = 5,
                                 .sink = 2,
                                 .descent = 5,
                                 .minimum_airspeed = 10,
                                 .gravity = 9.80665};

/* A point mass under control. */
typedef struct flight {
    tecs_gains gains;
    tecs_demand to; /* its height and climb follow `goal` */
    tecs_motion at;
    tecs_state state;
    tecs_command by;
    double goal;
    double lost;  /* m/s: drag of a turn as a climb rate */
    double power; /* share of the engine's power: 1, or 0 of a failed one */
    double worst; /* m/s: largest error of the airspeed */
} flight;

static flight cruise(void)
{
    return (flight){.gains = GAINS,
                    .to = {.height = START, .airspeed = TRIM_SPEED},
                    .at = {.height = START, .airspeed = TRIM_SPEED},
                    .goal = START,
                    .power = 1};
}

static double bounded(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static void advance(flight *f, double seconds)
{
    const tecs_gains *g = &f->gains;
    for (int i = 0; i < (int)(seconds / STEP + 0.5); i++) {
        f->to.climb = bounded(0.5 * (f->goal - f->to.height), -g->descent, g->climb);
        f->to.height += STEP * f->to.climb;
        f->by = tecs_update(g, &f->at, &f->to, &f->state, STEP);
        double over = f->by.throttle - g->trim_throttle;
        double total = over > 0 ? g->climb * over / (g->throttle[1] - g->trim_throttle)
                                : g->sink * over / (g->trim_throttle - g->throttle[0]);
        total = f->power * (total + g->sink) - g->sink - f->lost;
        f->at.climb = f->at.airspeed * (f->by.pitch - g->trim_pitch);
        f->at.accel = GRAVITY * (total - f->at.climb) / f->at.airspeed;
        f->at.height += STEP * f->at.climb;
        f->at.airspeed += STEP * f->at.accel;
        f->worst = fmax(f->worst, fabs(f->at.airspeed - f->to.airspeed));
    }
}

static void a_cruise_stays_as_it_is(void)
{
    flight f = cruise();
    advance(&f, 60);
    ENSURE_NEAR(f.at.height, START, 1e-5);
    ENSURE_NEAR(f.by.throttle, 0.5, 1e-5);
    ENSURE_NEAR(f.by.pitch, TRIM_PITCH, 1e-5);
    ENSURE(f.worst < 1e-5);
}

static void a_step_of_the_height_does_not_touch_the_airspeed(void)
{
    for (int up = -1; up <= 1; up += 2) {
        flight f = cruise();
        f.goal += 50 * up;
        advance(&f, 120);
        ENSURE_NEAR(f.at.height, START + 50 * up, 0.5);
        ENSURE_NEAR(f.at.airspeed, TRIM_SPEED, 1e-3);
        ENSURE(f.worst < 0.1);
    }
}

static void a_step_of_the_airspeed_comes_back_to_the_height(void)
{
    for (int up = -1; up <= 1; up += 2) {
        flight f = cruise();
        f.to.airspeed += 2 * up;
        advance(&f, 60);
        ENSURE_NEAR(f.at.airspeed, TRIM_SPEED + 2 * up, 1e-3);
        ENSURE_NEAR(f.at.height, START, 0.5);
    }
}

/* As steep as a glide at the commanded airspeed, not as `descent`. */
static void a_long_descent_is_a_glide(void)
{
    flight f = cruise();
    f.goal -= 1000;
    advance(&f, 100);
    ENSURE_NEAR(f.at.climb, -GAINS.sink, 0.01);
    ENSURE_NEAR(f.by.throttle, GAINS.throttle[0], 0.01);
    ENSURE_NEAR(f.at.airspeed, TRIM_SPEED, 0.1);
}

static void a_long_climb_takes_all_power(void)
{
    flight f = cruise();
    f.goal += 1000;
    advance(&f, 100);
    ENSURE_NEAR(f.at.climb, GAINS.climb, 0.01);
    ENSURE_NEAR(f.by.throttle, GAINS.throttle[1], 0.01);
    ENSURE_NEAR(f.at.airspeed, TRIM_SPEED, 0.1);
}

/* With more power than the pitch angle can use the throttle is not full, and the airspeed stays. */
static void a_climb_is_as_steep_as_the_pitch_limit(void)
{
    flight f = cruise();
    f.goal += 1000;
    f.gains.pitch[1] = TRIM_PITCH + 3 / TRIM_SPEED;
    advance(&f, 100);
    ENSURE_NEAR(f.at.climb, 3, 0.01);
    ENSURE_NEAR(f.by.throttle, 0.8, 0.01);
    ENSURE_NEAR(f.at.airspeed, TRIM_SPEED, 0.1);
}

/* The drag of a turn is known: neither height nor airspeed change, and no integrator has to learn it. */
static void the_drag_of_a_turn_is_met_by_the_throttle(void)
{
    flight f = cruise();
    f.lost = f.to.turn_drag = 1;
    advance(&f, 100);
    ENSURE_NEAR(f.at.height, START, 1e-6);
    ENSURE_NEAR(f.at.airspeed, TRIM_SPEED, 1e-6);
    ENSURE_NEAR(f.by.throttle, 0.6, 1e-6);
    ENSURE_NEAR(f.state.throttle_integral, 0, 1e-6);
}

static void an_unknown_drag_is_integrated_away(void)
{
    flight f = cruise();
    f.lost = 1;
    advance(&f, 200);
    ENSURE_NEAR(f.at.height, START, 0.05);
    ENSURE_NEAR(f.at.airspeed, TRIM_SPEED, 0.05);
    ENSURE_NEAR(f.by.throttle, 0.6, 1e-3);
}

/* Without an engine the height cannot be held; the airspeed ends between 0.9 and 1 of the minimum, as a glide. */
static void a_failed_engine_ends_in_a_glide(void)
{
    flight f = cruise();
    f.power = 0;
    advance(&f, 200);
    ENSURE(f.at.airspeed > 0.9 * GAINS.minimum_airspeed);
    ENSURE(f.at.airspeed < TRIM_SPEED + 1);
    ENSURE_NEAR(f.at.climb, -GAINS.sink, 0.02);
    ENSURE_NEAR(f.by.throttle, 1, 0);
}

/* The throttle's integrator does not wind up meanwhile: when the engine is back so are height and airspeed. */
static void an_engine_that_comes_back_does_not_overshoot(void)
{
    flight f = cruise();
    f.power = 0;
    advance(&f, 60);
    f.power = 1;
    double highest = 0, fastest = 0;
    for (int i = 0; i < 200; i++) {
        advance(&f, 1);
        highest = fmax(highest, f.at.height);
        fastest = fmax(fastest, f.at.airspeed);
    }
    ENSURE_NEAR(f.at.height, START, 0.5);
    ENSURE(highest < START + 5);
    ENSURE(fastest < TRIM_SPEED + 2);
}

/* A deep stall: full throttle and the nose down, whatever the height. */
static void a_slow_aircraft_dives_to_its_airspeed(void)
{
    tecs_motion at = {.height = 0, .airspeed = 8};
    tecs_demand to = {.height = 1000, .airspeed = TRIM_SPEED};
    tecs_state state = {0, 0};
    tecs_command by = tecs_update(&GAINS, &at, &to, &state, STEP);
    ENSURE_NEAR(by.throttle, 1, 0);
    ENSURE(by.pitch < TRIM_PITCH - 0.1);
    ENSURE(state.throttle_integral == 0);
}

static void without_the_throttle_the_pitch_angle_controls_the_height_alone(void)
{
    tecs_motion at = {.height = 0, .airspeed = 12};
    tecs_demand to = {.height = 10, .airspeed = 20, .powerless = mask_true()};
    tecs_state state = {0, 0};
    tecs_command by = tecs_update(&GAINS, &at, &to, &state, STEP);
    ENSURE_NEAR(by.pitch, TRIM_PITCH + 1.1 * GAINS.height_p * 10 / 12, 1e-12);
    ENSURE(state.throttle_integral == 0);
    to.climbs = mask_true();
    to.climb = -1;
    by = tecs_update(&GAINS, &at, &to, &state, STEP);
    ENSURE_NEAR(by.pitch, TRIM_PITCH - 1.1 * 1 / 12.0, 1e-3);
}

static void outputs_stay_within_their_limits(void)
{
    for (int i = 0; i < 8; i++) {
        flight f = cruise();
        f.goal += i & 1 ? 1e5 : -1e5;
        f.to.airspeed = i & 2 ? 1e3 : 0;
        f.at.airspeed = i & 4 ? 0 : 300;
        advance(&f, STEP);
        ENSURE(f.by.throttle >= GAINS.throttle[0] && f.by.throttle <= GAINS.throttle[1]);
        ENSURE(f.by.pitch >= GAINS.pitch[0] && f.by.pitch <= GAINS.pitch[1]);
    }
}

TEST_SUITE(tecs)
{
    RUN(a_cruise_stays_as_it_is);
    RUN(a_step_of_the_height_does_not_touch_the_airspeed);
    RUN(a_step_of_the_airspeed_comes_back_to_the_height);
    RUN(a_long_descent_is_a_glide);
    RUN(a_long_climb_takes_all_power);
    RUN(a_climb_is_as_steep_as_the_pitch_limit);
    RUN(the_drag_of_a_turn_is_met_by_the_throttle);
    RUN(an_unknown_drag_is_integrated_away);
    RUN(a_failed_engine_ends_in_a_glide);
    RUN(an_engine_that_comes_back_does_not_overshoot);
    RUN(a_slow_aircraft_dives_to_its_airspeed);
    RUN(without_the_throttle_the_pitch_angle_controls_the_height_alone);
    RUN(outputs_stay_within_their_limits);
}
