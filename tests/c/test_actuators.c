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
static const double DIAMETER = 0.4, DENSITY = 1.1, ZERO_THRUST = 0.93623; /* of SLOPED */

static propeller sloped(double limit, double drag_area)
{
    const propeller_numbers numbers = {SLOPED, TORQUE, DIAMETER, limit, drag_area, 0};
    return propeller_of(&numbers, DENSITY);
}

/* T = C_T rho (N / 60)^2 D^4 less K V / sqrt(T) [@rfly-model-api 7.2]. */
static void the_static_law_loses_thrust_with_the_airspeed(void)
{
    const propeller_numbers numbers = {STATIC_THRUST, TORQUE, 0.254, 1, 0, 0.1};
    propeller by = propeller_of(&numbers, 1.225);
    double speed = 6000 * 2 * PI / 60;
    ENSURE_NEAR(propeller_thrust(&by, speed, 0), 5.0988, 5e-5);
    ENSURE_NEAR(propeller_thrust(&by, speed, 15), 4.4345, 5e-5);
    ENSURE_NEAR(propeller_thrust(&by, 0, 15), 0, 0);
    ENSURE_NEAR(propeller_thrust(&by, speed, 1e4), 0, 0); /* the loss is at most all of it */
}

static void coefficients_are_those_of_the_advance_ratio(void)
{
    const double turns = 50;
    propeller by = sloped(1.5, 0.01);
    for (double ratio = 0; ratio < 1.5; ratio += 0.25) {
        double airspeed = ratio * turns * DIAMETER;
        double thrust = 0.1 - 0.06 * ratio - 0.05 * ratio * ratio,
               torque = 0.01 - 0.002 * ratio - 0.004 * ratio * ratio;
        double force = DENSITY * turns * turns * pow(DIAMETER, 4);
        ENSURE_NEAR(propeller_thrust(&by, 2 * PI * turns, airspeed), force * thrust, 1e-12 * force);
        ENSURE_NEAR(propeller_torque(&by, 2 * PI * turns, airspeed), force * DIAMETER * torque,
                    1e-12 * force);
    }
}

/* And the slope of its blades, which is the pitch over 2 pi r at the radius r, turns that into a moment. */
static void a_standing_propeller_has_the_drag_of_its_blades(void)
{
    const double area = 0.01, drag = 0.5 * DENSITY * 20 * 20 * area;
    propeller by = sloped(0.8, area);
    ENSURE_NEAR(propeller_thrust(&by, 0, 20), -drag, 1e-12);
    ENSURE_NEAR(propeller_torque(&by, 0, 20), -drag * 0.8 * DIAMETER / (2 * PI), 1e-12);
    ENSURE_NEAR(propeller_thrust(&by, 0, -20), drag, 1e-12); /* brakes, too */
}

static void beyond_its_data_a_propeller_keeps_the_last_coefficients(void)
{
    const double turns = 30, end = 0.8, area = 0.01;
    propeller by = sloped(end, area);
    double force = DENSITY * turns * turns * pow(DIAMETER, 4), slowest = end * turns * DIAMETER;
    for (double airspeed = slowest; airspeed < 40; airspeed += 5) {
        double plate = 0.5 * DENSITY * area * (airspeed * airspeed - slowest * slowest);
        double thrust = 0.1 - 0.06 * end - 0.05 * end * end, torque = 0.01 - 0.002 * end - 0.004 * end * end;
        ENSURE_NEAR(propeller_thrust(&by, 2 * PI * turns, airspeed), force * thrust - plate, 1e-11);
        ENSURE_NEAR(propeller_torque(&by, 2 * PI * turns, airspeed),
                    force * DIAMETER * torque - plate * end * DIAMETER / (2 * PI), 1e-11);
    }
    double behind = 0.5 * DENSITY * area * 15 * 15;
    ENSURE_NEAR(propeller_thrust(&by, 2 * PI * turns, -15), force * 0.1 + behind, 1e-11);
}

/* What the flow gives to the shaft is at most the power of the drag; a driven propeller has an efficiency below 1. */
static void no_flow_gives_a_propeller_energy(void)
{
    propeller by = sloped(ZERO_THRUST, 0.01);
    for (double speed = -600; speed <= 600; speed += 50) {
        for (double airspeed = -40; airspeed <= 40; airspeed += 2) {
            double thrust = propeller_thrust(&by, speed, airspeed),
                   torque = propeller_torque(&by, speed, airspeed);
            ENSURE(thrust * airspeed - torque * speed < 1e-9);
            ENSURE_NEAR(propeller_thrust(&by, -speed, -airspeed), -thrust, 1e-12);
            ENSURE_NEAR(propeller_torque(&by, -speed, -airspeed), -torque, 1e-12);
        }
    }
}

/* The drag [N] of a propeller that turns against a friction [N m]. */
static double freewheeling_drag(const propeller *by, double airspeed, double friction)
{
    double low = 0, high = 1000;
    while (high - low > 1e-9) {
        double speed = (low + high) / 2;
        if (propeller_torque(by, speed, airspeed) + friction < 0)
            low = speed;
        else
            high = speed;
    }
    return -propeller_thrust(by, low, airspeed);
}

/* Towing tests of screws: up to twice as much locked as freewheeling, which grows with the friction [@mackenzie-forrester]. */
static void a_propeller_that_turns_freely_has_less_drag_than_one_that_stands(void)
{
    propeller by = sloped(ZERO_THRUST, 0.01);
    double stopped = -propeller_thrust(&by, 0, 20), before = 0;
    for (double friction = 0; friction < 0.13; friction += 0.02) {
        double drag = freewheeling_drag(&by, 20, friction);
        ENSURE(drag > before && drag < stopped);
        before = drag;
    }
    ENSURE(freewheeling_drag(&by, 20, 0) < 0.75 * stopped);
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
    const electric_motor motor = {60 / (2 * PI * kv), 1 / resistance, idle, 1};
    ENSURE_NEAR(electric_motor_torque(&motor, voltage, 0), motor.constant * voltage / resistance, 1e-12);
    double unloaded = (voltage - idle * resistance) * kv * 2 * PI / 60;
    ENSURE_NEAR(electric_motor_torque(&motor, voltage, unloaded), 0, 1e-12);
    double speed = 500, current = (voltage - motor.constant * speed) / resistance;
    ENSURE_NEAR(electric_motor_torque(&motor, voltage, speed), motor.constant * (current - idle), 1e-12);
}

static void friction_does_not_turn_a_motor_that_stands(void)
{
    const electric_motor motor = {0.01, 10, 0.8, 1};
    ENSURE(electric_motor_torque(&motor, 0, 0) == 0);
    ENSURE(electric_motor_torque(&motor, 0, 1) < 0);
    ENSURE(electric_motor_torque(&motor, 0, -1) > 0);
}

/* Of 10 V at 0.01 V s: 1000 rad/s without current; beyond, friction alone, or a share of the current that flows back. */
static void a_motor_that_turns_faster_than_its_voltage_brakes_by_its_share(void)
{
    for (double brake = 0; brake <= 1; brake += 0.5) {
        const electric_motor motor = {0.01, 10, 0.8, brake};
        ENSURE_NEAR(electric_motor_torque(&motor, 10, 1200), 0.01 * (brake * -20 - 0.8), 1e-12);
        ENSURE_NEAR(electric_motor_torque(&motor, 10, 800), 0.01 * (20 - 0.8), 1e-12);
    }
}

TEST_SUITE(actuators)
{
    RUN(a_command_is_limited_and_has_a_travel_for_each_side);
    RUN(a_servo_lags_exponentially);
    RUN(a_servo_turns_no_faster_than_its_rate);
    RUN(a_servo_stands_short_of_its_target_by_the_dead_zone);
    RUN(the_static_law_loses_thrust_with_the_airspeed);
    RUN(coefficients_are_those_of_the_advance_ratio);
    RUN(a_standing_propeller_has_the_drag_of_its_blades);
    RUN(beyond_its_data_a_propeller_keeps_the_last_coefficients);
    RUN(no_flow_gives_a_propeller_energy);
    RUN(a_propeller_that_turns_freely_has_less_drag_than_one_that_stands);
    RUN(the_advance_is_the_airspeed_ahead_and_falls_to_its_opposite_from_behind);
    RUN(a_motor_has_its_stall_torque_and_its_speed_without_load);
    RUN(friction_does_not_turn_a_motor_that_stands);
    RUN(a_motor_that_turns_faster_than_its_voltage_brakes_by_its_share);
}
