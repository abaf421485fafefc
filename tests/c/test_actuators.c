/* SPDX-License-Identifier: BSD-3-Clause */
/* Servo, propeller and electric motor against closed forms and numbers of the sources. */
#define LANE_PRECISION 64
#define LANE_WIDTH     1
#include "models/electric_motor.h"
#include "models/propeller.h"
#include "models/servo.h"

#include "test.h"

static const double PI = 3.14159265358979323846, TAU = 0.04, RATE = 3, STEP = 1e-5;

/* The deflection after a time, by small steps. */
static double moved(const servo *law, double angle, double target, double seconds)
{
    for (int i = 0; i < (int)(seconds / STEP + 0.5); i++) {
        angle += STEP * servo_derivative(law, angle, target);
    }
    return angle;
}

static void a_command_is_limited_and_has_a_travel_for_each_side(void)
{
    ENSURE_NEAR(servo_target(0, 0.1, 0.5, 0.3), 0.1, 0);
    ENSURE_NEAR(servo_target(0.5, 0.1, 0.5, 0.3), 0.35, 1e-15);
    ENSURE_NEAR(servo_target(-0.5, 0.1, 0.5, 0.3), -0.05, 1e-15);
    ENSURE_NEAR(servo_target(7, 0.1, 0.5, 0.3), 0.6, 1e-15);
    ENSURE_NEAR(servo_target(-7, 0.1, 0.5, 0.3), -0.2, 1e-15);
    ENSURE(isnan(servo_target(NAN, 0, 1, 1)));
}

static void a_servo_lags_exponentially(void)
{
    const servo law = {1 / TAU, 1e6, 0};
    for (double t = 0.01; t < 0.2; t += 0.03) {
        ENSURE_NEAR(moved(&law, 0, 0.4, t), 0.4 * (1 - exp(-t / TAU)), 1e-4);
    }
}

/* At its rate until the lag is slower, which is r T from the target, and from there exponentially. */
static void a_servo_turns_no_faster_than_its_rate(void)
{
    const servo law = {1 / TAU, RATE, 0};
    double until = (0.4 - RATE * TAU) / RATE;
    ENSURE_NEAR(moved(&law, 0, 0.4, until / 2), RATE * until / 2, 1e-4);
    ENSURE_NEAR(moved(&law, 0, 0.4, until + TAU), 0.4 - RATE * TAU * exp(-1), 1e-4);
    ENSURE_NEAR(moved(&law, 0, -0.4, until / 2), -RATE * until / 2, 1e-4);
}

static void a_servo_stands_short_of_its_target_by_the_dead_zone(void)
{
    const servo law = {1 / TAU, RATE, 0.02};
    ENSURE_NEAR(moved(&law, 0, 0.3, 2), 0.28, 1e-6);
    ENSURE_NEAR(moved(&law, 0.5, 0.3, 2), 0.32, 1e-6);
    ENSURE(servo_derivative(&law, 0.29, 0.3) == 0);
    ENSURE(servo_derivative(&law, 0.3, 0.29) == 0);
}

static const double STATIC_THRUST[] = {0.1, 0, 0}, TORQUE[] = {0.01, -0.002, -0.004},
                    SLOPED[] = {0.1, -0.06, -0.05};

/* T = C_T rho (N / 60)^2 D^4 less K V / sqrt(T) [@rfly-model-api 7.2]. */
static void the_static_law_loses_thrust_with_the_airspeed(void)
{
    propeller by = propeller_of(STATIC_THRUST, TORQUE, 0.254, 1.225, 0.1);
    double speed = 6000 * 2 * PI / 60;
    ENSURE_NEAR(propeller_thrust(&by, speed, 0), 5.0988, 5e-5);
    ENSURE_NEAR(propeller_thrust(&by, speed, 15), 4.4345, 5e-5);
    ENSURE_NEAR(propeller_thrust(&by, 0, 15), 0, 0);
    ENSURE_NEAR(propeller_thrust(&by, speed, 1e4), 0, 0); /* the loss is at most all of it */
}

static void coefficients_are_those_of_the_advance_ratio(void)
{
    const double diameter = 0.4, density = 1.1, turns = 50;
    propeller by = propeller_of(SLOPED, TORQUE, diameter, density, 0);
    for (double ratio = 0; ratio < 1.5; ratio += 0.25) {
        double airspeed = ratio * turns * diameter;
        double thrust = 0.1 - 0.06 * ratio - 0.05 * ratio * ratio,
               torque = 0.01 - 0.002 * ratio - 0.004 * ratio * ratio;
        double force = density * turns * turns * pow(diameter, 4);
        ENSURE_NEAR(propeller_thrust(&by, 2 * PI * turns, airspeed), force * thrust, 1e-12 * force);
        ENSURE_NEAR(propeller_torque(&by, 2 * PI * turns, airspeed), force * diameter * torque,
                    1e-12 * force);
    }
}

/* A propeller that stands brakes as c_2 rho D^2 V^2. */
static void a_standing_propeller_has_the_drag_of_its_last_coefficient(void)
{
    propeller by = propeller_of(SLOPED, TORQUE, 0.4, 1.1, 0);
    ENSURE_NEAR(propeller_thrust(&by, 0, 20), -0.05 * 1.1 * 0.16 * 400, 1e-12);
    ENSURE_NEAR(propeller_torque(&by, 0, 20), -0.004 * 1.1 * 0.064 * 400, 1e-12);
    ENSURE_NEAR(propeller_thrust(&by, 0, -20), 0.05 * 1.1 * 0.16 * 400, 1e-12); /* brakes, too */
}

static void the_advance_is_the_airspeed_ahead_and_falls_to_its_opposite_from_behind(void)
{
    for (double angle = -180; angle <= 180; angle += 15) {
        double cosine = cos(angle * PI / 180), expected = fmax(-20, fmin(20, 40 * cosine));
        ENSURE_NEAR(propeller_advance(20, 20 * cosine), expected, 1e-12);
    }
}

static void a_motor_has_its_stall_torque_and_its_speed_without_load(void)
{
    const double kv = 920, voltage = 11.1, resistance = 0.1, idle = 0.8;
    const electric_motor motor = {60 / (2 * PI * kv), 1 / resistance, idle};
    ENSURE_NEAR(electric_motor_torque(&motor, voltage, 0), motor.constant * voltage / resistance, 1e-12);
    double unloaded = (voltage - idle * resistance) * kv * 2 * PI / 60;
    ENSURE_NEAR(electric_motor_torque(&motor, voltage, unloaded), 0, 1e-12);
    double speed = 500, current = (voltage - motor.constant * speed) / resistance;
    ENSURE_NEAR(electric_motor_torque(&motor, voltage, speed), motor.constant * (current - idle), 1e-12);
}

static void friction_does_not_turn_a_motor_that_stands(void)
{
    const electric_motor motor = {0.01, 10, 0.8};
    ENSURE(electric_motor_torque(&motor, 0, 0) == 0);
    ENSURE(electric_motor_torque(&motor, 0, 1) < 0);
    ENSURE(electric_motor_torque(&motor, 0, -1) > 0);
}

TEST_SUITE(actuators)
{
    RUN(a_command_is_limited_and_has_a_travel_for_each_side);
    RUN(a_servo_lags_exponentially);
    RUN(a_servo_turns_no_faster_than_its_rate);
    RUN(a_servo_stands_short_of_its_target_by_the_dead_zone);
    RUN(the_static_law_loses_thrust_with_the_airspeed);
    RUN(coefficients_are_those_of_the_advance_ratio);
    RUN(a_standing_propeller_has_the_drag_of_its_last_coefficient);
    RUN(the_advance_is_the_airspeed_ahead_and_falls_to_its_opposite_from_behind);
    RUN(a_motor_has_its_stall_torque_and_its_speed_without_load);
    RUN(friction_does_not_turn_a_motor_that_stands);
}
