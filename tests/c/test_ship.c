/* SPDX-License-Identifier: BSD-3-Clause */
/* Hull, propeller and rudder of ships against values by hand, from the equations of [@mmg] and the numbers of the model of
 * 7 m of the KVLCC2, and against the symmetries that they have. */
#define LANE_PRECISION 64
#define LANE_WIDTH     1
#include "models/fin.h"
#include "models/ship_hull.h"
#include "models/ship_rudder.h"

#include "test.h"

static const double LENGTH = 7, DRAUGHT = 0.46, DIAMETER = 0.216, PI = 3.14159265358979323846;
static const double SURGE[] = {-0.0559, 0.002, 0.011, 0.771};
static const double SWAY[] = {-0.315, 0.083, -1.607, 0.379, -0.391, 0.008};
static const double YAW[] = {-0.137, -0.049, -0.030, -0.294, 0.055, -0.013};
static const double WAKE[] = {0.4, 2, 1.6, 1.1}, PLACE = -0.48;
static const double FLOW[] = {1.09, 0.5, 0.6260869565217392, -0.71}, STRAIGHTENING[] = {0.395, 0.64};

/* rho / 2 L d at 1 m/s is 1610 N. */
static ship_hull hull_of(double munk)
{
    return (ship_hull){1000, LENGTH, DRAUGHT, SURGE, SWAY, YAW, 0.75, munk};
}

/* For v' and r' at a speed ahead of the hull. */
static ship_force forced(double speed, double sway, double turning, double munk)
{
    ship_hull hull = hull_of(munk);
    double ahead = speed * sqrt(1 - sway * sway);
    return ship_hull_force(&hull, ahead, speed * sway, turning * speed / LENGTH);
}

static void a_hull_that_goes_straight_has_no_force_but_its_resistance(void)
{
    ship_force f = forced(1.2, 0, 0, 5000);
    ENSURE(f.x == 0 && f.y == 0 && f.n == 0);
}

static void forces_on_a_hull_are_those_by_hand(void)
{
    ship_force drifts = forced(1, -0.1, 0, 0), turns = forced(1, -0.2, 0.5, 0);
    ENSURE_NEAR(drifts.x, 1610 * (-0.000559 + 0.0000771), 1e-9);
    ENSURE_NEAR(drifts.y, 1610 * (0.0315 + 0.001607), 1e-9);
    ENSURE_NEAR(drifts.n, 11270 * (0.0137 + 0.00003), 1e-9);
    ENSURE_NEAR(turns.x, 2.491636, 1e-6);
    ENSURE_NEAR(turns.y, 234.23246, 1e-5);
    ENSURE_NEAR(turns.n, -80.18605, 1e-5);
}

static void forces_on_a_hull_are_mirrored_and_grow_with_the_square_of_the_speed(void)
{
    for (int i = -8; i <= 8; i++) {
        double sway = 0.08 * i, turning = 0.7 - 0.11 * i;
        ship_force f = forced(1, sway, turning, 300), other = forced(1, -sway, -turning, 300);
        ship_force fast = forced(2, sway, turning, 300);
        ENSURE(other.x == f.x && other.y == -f.y && other.n == -f.n);
        ENSURE_NEAR(fast.x, 4 * f.x, 1e-8);
        ENSURE_NEAR(fast.y, 4 * f.y, 1e-8);
        ENSURE_NEAR(fast.n, 4 * f.n, 1e-8);
    }
}

/* The derivatives have the moment of an ideal fluid in them, and the added masses have it too. */
static void a_hull_gives_back_the_moment_of_an_ideal_fluid_ahead_alone(void)
{
    ship_hull with = hull_of(2265), without = hull_of(0);
    ship_force a = ship_hull_force(&with, 1, 0.2, 0.02), b = ship_hull_force(&without, 1, 0.2, 0.02);
    ENSURE_NEAR(a.n - b.n, 2265 * 1 * 0.2, 1e-9);
    a = ship_hull_force(&with, 0.2, 1, 0), b = ship_hull_force(&without, 0.2, 1, 0);
    ENSURE(a.n == b.n);
}

static void a_hull_that_goes_sideways_or_turns_at_rest_is_dragged_by_strips(void)
{
    ship_hull hull = hull_of(2265);
    ship_force side = ship_hull_force(&hull, 0, 2, 0), turns = ship_hull_force(&hull, 0, 0, 0.1);
    ENSURE(side.x == 0 && side.n == 0 && turns.x == 0 && turns.y == 0);
    ENSURE_NEAR(side.y, -0.5 * 1000 * DRAUGHT * 0.75 * LENGTH * 4, 1e-9);
    double of_strips = -0.5 * 1000 * DRAUGHT * 0.75 * pow(LENGTH, 4) / 32 * 0.01;
    ENSURE_NEAR(turns.n, of_strips, 0.003 * fabs(of_strips));
    ship_force astern = ship_hull_force(&hull, -1, 0, 0), rest = ship_hull_force(&hull, 0, 0, 0);
    ENSURE(astern.x == 0 && astern.y == 0 && astern.n == 0 && rest.x == 0 && rest.y == 0 && rest.n == 0);
}

static void derivatives_fade_into_strips_without_a_step(void)
{
    ship_hull hull = hull_of(2265);
    ship_force last = ship_hull_force(&hull, 0.7, 0.72, 0.05);
    for (double angle = 46; angle < 62; angle += 0.01) {
        double drift = angle * PI / 180;
        ship_force f = ship_hull_force(&hull, cos(drift), sin(drift), 0.05);
        ENSURE(angle < 46.005 ||
               (fabs(f.x - last.x) < 1 && fabs(f.y - last.y) < 2 && fabs(f.n - last.n) < 5));
        last = f;
    }
}

/* The propeller's law, as parameter files have it: rho D^4 k_0 n_0^2, 0.7 of it astern, -rho D^3 k_1 / 2 pi. */
static double thrust_at(double per_second, double advance)
{
    const double rated = 2 * PI * 10, most = 1000 * pow(DIAMETER, 4) * 0.2931 * 100;
    const double ahead[THRUSTER_TERMS] = {0, most}, astern[THRUSTER_TERMS] = {0, 0.7 * most};
    const thruster_law law = {ahead, astern, 1 / rated, 1000 * pow(DIAMETER, 3) * 0.2753 / (2 * PI)};
    return ship_propeller_thrust(&law, 1000 * DIAMETER * DIAMETER * 0.1385, 2 * PI * per_second, advance);
}

static void thrust_is_the_polynomial_of_the_advance_ratio(void)
{
    for (double ratio = 0; ratio < 0.9; ratio += 0.1) {
        for (double n = 2; n < 13; n += 5) {
            double of_k = 1000 * n * n * pow(DIAMETER, 4) * (0.2931 - ratio * (0.2753 + ratio * 0.1385));
            ENSURE_NEAR(thrust_at(n, ratio * n * DIAMETER), of_k, 1e-10);
        }
    }
    ENSURE_NEAR(thrust_at(10.4227, 0.6 * 1.179), 45.620, 1e-3); /* by hand: K_T 0.19293 at J 0.31422 */
}

static void a_propeller_that_stands_brakes_and_one_astern_pulls(void)
{
    ENSURE_NEAR(thrust_at(0, 1), -1000 * DIAMETER * DIAMETER * 0.1385, 1e-12);
    ENSURE_NEAR(thrust_at(0, -1), 1000 * DIAMETER * DIAMETER * 0.1385, 1e-12);
    ENSURE_NEAR(thrust_at(-5, 0), -0.7 * thrust_at(5, 0), 1e-12);
}

static void drift_is_positive_where_the_bow_is_to_the_right_of_the_way(void)
{
    ship_drift port = ship_drift_of(1, -0.1, 0.3), abeam = ship_drift_of(0, -1, 0);
    ENSURE_NEAR(port.angle, atan(0.1), 1e-12);
    ENSURE_NEAR(port.speed, sqrt(1.01), 1e-15);
    ENSURE(port.turning == 0.3);
    ENSURE_NEAR(abeam.angle, PI / 2, 1e-5);
}

/* By hand: exp(-0.6) = 0.548812. */
static void the_wake_changes_by_the_drift_at_the_propeller(void)
{
    ship_drift straight = {1, 0, 0}, right = {1, 0.3, 0}, left = {1, -0.3, 0}, turns = {2, 0, 1.25};
    ENSURE_NEAR(ship_propeller_wake(WAKE, PLACE, &straight), 0.6, 1e-15);
    ENSURE_NEAR(ship_propeller_wake(WAKE, PLACE, &right), 0.6 * (1 + 0.451188 * 0.6), 1e-6);
    ENSURE_NEAR(ship_propeller_wake(WAKE, PLACE, &left), 0.6 * (1 + 0.451188 * 0.1), 1e-6);
    ENSURE_NEAR(ship_propeller_wake(WAKE, PLACE, &turns), ship_propeller_wake(WAKE, PLACE, &right), 1e-12);
}

static vec3 at_rudder(const ship_drift *drift, double advance, double thrust)
{
    const ship_rudder rudder = {FLOW, STRAIGHTENING};
    return ship_rudder_velocity(&rudder, drift, advance, 8 * thrust / (PI * 1000 * DIAMETER * DIAMETER));
}

/* By hand, of 1.179 m/s, V_a 0.7074 m/s and 45.62 N: V_r 1.7293, in the race 1.2183, both 1.0566 m/s. */
static void the_rudder_stands_in_the_race(void)
{
    ship_drift straight = {1.179, 0, 0};
    vec3 with = at_rudder(&straight, 0.7074, 45.62), without = at_rudder(&straight, 0.7074, 0);
    const double share = DIAMETER / 0.345;
    ENSURE_NEAR(with.x, 1.09 * 1.05661344, 1e-8);
    ENSURE_NEAR(without.x, 1.09 * 0.7074, 1e-12);
    ENSURE(with.y == 0 && without.y == 0);
    vec3 bollard = at_rudder(&straight, 0, 45.62), astern = at_rudder(&straight, -0.5, -20);
    ENSURE_NEAR(bollard.x, 1.09 * sqrt(share) * 0.5 * sqrt(8 * 45.62 / (PI * 46.656)), 1e-12);
    ENSURE_NEAR(astern.x, -1.09 * 0.5, 1e-12);
}

static void the_hull_straightens_the_flow_at_the_rudder_by_side(void)
{
    ship_drift right = {1.179, 0.2, 0}, left = {1.179, -0.2, 0}, turns = {1, 0.1, 0.4};
    ENSURE_NEAR(at_rudder(&right, 0.7, 40).y, -0.64 * 1.179 * 0.2, 1e-12);
    ENSURE_NEAR(at_rudder(&left, 0.7, 40).y, 0.395 * 1.179 * 0.2, 1e-12);
    ENSURE_NEAR(at_rudder(&turns, 0.7, 40).y, -0.64 * (0.1 + 0.71 * 0.4), 1e-12);
}

/* Its normal points to port, so a positive angle is to starboard: the stern goes to port, and it brakes. */
static void a_rudder_to_starboard_pushes_the_stern_to_port(void)
{
    const vec3 normal = {0, -1, 0};
    const double coef = 0.5 * 1000 * 0.0539 * 2.747, angle = 35 * PI / 180;
    ship_drift straight = {1.179, 0, 0};
    vec3 vel = at_rudder(&straight, 0.7074, 45.62);
    vec3 right = fin_force(coef, normal, angle, 1, vel), left = fin_force(coef, normal, -angle, 1, vel);
    double of_normal = coef * vel.x * vel.x * sin(angle);
    ENSURE_NEAR(right.y, -of_normal * cos(angle), 1e-9);
    ENSURE_NEAR(right.x, -of_normal * sin(angle), 1e-9);
    ENSURE_NEAR(left.y, -right.y, 1e-12);
    ENSURE_NEAR(left.x, right.x, 1e-12);
    ship_drift drifts = {1.179, 0.3, 0};
    vec3 flow = at_rudder(&drifts, 0.7074, 45.62),
         none = fin_force(coef, normal, atan(-flow.y / flow.x), 1, flow);
    ENSURE_NEAR(none.y, 0, 1e-9); /* along the flow it has no force */
}

TEST_SUITE(ship)
{
    RUN(a_hull_that_goes_straight_has_no_force_but_its_resistance);
    RUN(forces_on_a_hull_are_those_by_hand);
    RUN(forces_on_a_hull_are_mirrored_and_grow_with_the_square_of_the_speed);
    RUN(a_hull_gives_back_the_moment_of_an_ideal_fluid_ahead_alone);
    RUN(a_hull_that_goes_sideways_or_turns_at_rest_is_dragged_by_strips);
    RUN(derivatives_fade_into_strips_without_a_step);
    RUN(thrust_is_the_polynomial_of_the_advance_ratio);
    RUN(a_propeller_that_stands_brakes_and_one_astern_pulls);
    RUN(drift_is_positive_where_the_bow_is_to_the_right_of_the_way);
    RUN(the_wake_changes_by_the_drift_at_the_propeller);
    RUN(the_rudder_stands_in_the_race);
    RUN(the_hull_straightens_the_flow_at_the_rudder_by_side);
    RUN(a_rudder_to_starboard_pushes_the_stern_to_port);
}
