/* SPDX-License-Identifier: BSD-3-Clause */
/* The rover against closed forms: motor lag, circles, friction and torque limits, slopes, falls; its controllers and
 * its guidance. */
#include "batch/batch.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/setpoint.h"
#include "base/sil.h"
#include "math/philox.h"
#include "parts/navigator/modes.h"
#include "test.h"

enum { FLEET = 19, SECOND = 1000 };

static const double GRAVITY = 9.8, RADIUS = 0.1, TRACK = 0.6, WHEEL_SPEED = 20, TAU = 0.05, FRICTION = 0.75;
static const double MASS = 8, YAW_INERTIA = 0.466, TORQUE = 2.4, DEGREE = 0.017453292519943295;

static int column_number(const rf_batch *batch, const char *name)
{
    int column = rf_batch_column_find(batch, name);
    if (column < 0) abort();
    return column;
}

static void fill2(rf_batch *batch, const char *name, double first, double second)
{
    int column = column_number(batch, name);
    if (rf_batch_fill(batch, column, 0, first) != RF_OK || rf_batch_fill(batch, column, 1, second) != RF_OK)
        abort();
}

static void fill(rf_batch *batch, const char *name, double value)
{
    int column = column_number(batch, name);
    for (int i = 0; i < rf_batch_column_row(batch, column)->width; i++) {
        if (rf_batch_fill(batch, column, i, value) != RF_OK) abort();
    }
}

static void incline(rf_batch *batch, double north, double east)
{
    if (rf_batch_enable_part(batch, RF_PART_ground_plane) != RF_OK) abort();
    fill2(batch, "terrain_gradient", north, east);
}

static void ice(rf_batch *batch, double reduction)
{
    if (rf_batch_enable_part(batch, RF_PART_ground_plane) != RF_OK) abort();
    fill(batch, "friction_reduction", reduction);
}

static void *row(rf_batch *batch, const char *name, int component)
{
    size_t stride;
    char *start = rf_batch_column(batch, column_number(batch, name), &stride);
    return start + (size_t)component * stride;
}

/* A component of the first vehicle; float64 only. */
static double *value(rf_batch *batch, const char *name, int component)
{
    return row(batch, name, component);
}

static uint32_t *word(rf_batch *batch, const char *name, int component)
{
    return row(batch, name, component);
}

static rf_batch *fleet_of(const rf_simd *simd, int precision, int integrator)
{
    rf_batch_def def = rf_batch_default();
    def.type = rf_vehicle_type_find("rover");
    def.n = FLEET;
    def.simd = simd;
    def.precision = precision;
    def.integrator = integrator;
    rf_batch *batch = NULL;
    if (rf_batch_create(&def, &batch) != RF_OK) abort();
    const struct {
        const char *name;
        double value;
    } rows[] = {{"mass", MASS},
                {"yaw_inertia", YAW_INERTIA},
                {"gravity", GRAVITY},
                {"wheel_radius", RADIUS},
                {"track", TRACK},
                {"wheel_speed_max", WHEEL_SPEED},
                {"wheel_torque", TORQUE},
                {"drive_tau", TAU},
                {"drive_dead_zone", 1e-3},
                {"friction", FRICTION},
                {"slip_tau", 0.02},
                {"suspension_tau", 0.05},
                {"control_radius", RADIUS},
                {"control_track", TRACK},
                {"control_wheel_speed", WHEEL_SPEED},
                {"approach_p", 1},
                {"heading_p", 5},
                {"speed_p", 0.5},
                {"speed_i", 0.5},
                {"yaw_rate_p", 0.25},
                {"yaw_rate_i", 0.5},
                {"speed_limit", 1.8},
                {"accel_limit", 4},
                {"decel_limit", 6},
                {"yaw_rate_limit", 4.36},
                {"yaw_accel_limit", 6.98},
                {"look_ahead_time", 1},
                {"arrival_radius", 0.3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) fill(batch, rows[i].name, rows[i].value);
    fill2(batch, "look_ahead_limit", 1, 10);
    rf_batch_fill(batch, column_number(batch, "att"), 0, 1);
    return batch;
}

static rf_batch *fleet(int integrator)
{
    return fleet_of(rf_simd_available()[0], RF_FLOAT64, integrator);
}

static void step(rf_batch *batch, double seconds)
{
    if (rf_batch_step(batch, (uint32_t)(seconds * SECOND + 0.5)) != RF_OK) abort();
}

static double speed_of(rf_batch *batch)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += *value(batch, "vel", i) * *value(batch, "vel", i);
    return sqrt(sum);
}

static double heading_of(rf_batch *batch)
{
    double w = *value(batch, "att", 0), x = *value(batch, "att", 1), y = *value(batch, "att", 2);
    double z = *value(batch, "att", 3);
    return atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/* Outputs of the first vehicle, by the name of the column. */
static double output(rf_batch *batch, const char *name, int component)
{
    const rf_vehicle_type *type = rf_batch_type(batch);
    size_t stride = rf_batch_stride(batch);
    double *out =
        aligned_alloc(64, (size_t)rf_vehicle_role_width(type, RF_ROLE_OUTPUT) * stride * sizeof(double));
    if (out == NULL || rf_batch_output(batch, out) != RF_OK) abort();
    size_t before = 0;
    for (int i = 0; strcmp(type->columns[i].name, name) != 0; i++) {
        if (type->columns[i].role == RF_ROLE_OUTPUT) before += type->columns[i].width;
    }
    double found = out[(before + (size_t)component) * stride];
    free(out);
    return found;
}

/* Runs a test with both integrators, which agree with a closed form to different digits. */
#define WITH_BOTH_INTEGRATORS(test)                                                                          \
    static void test(void)                                                                                   \
    {                                                                                                        \
        test##_with(RF_INTEGRATOR_RK4, 1);                                                                   \
        test##_with(RF_INTEGRATOR_EULER, 1e6);                                                               \
    }

/* v = R w_max c (1 - exp(-t / tau)), while neither torque nor friction limit it. */
static void a_step_of_the_drive_is_a_first_order_lag_with(int integrator, double slack)
{
    rf_batch *batch = fleet(integrator);
    double command = 0.1, final = RADIUS * WHEEL_SPEED * command;
    fill(batch, "drive", command);
    step(batch, 0.1);
    double lag = 1 - exp(-0.1 / TAU);
    ENSURE_NEAR(*value(batch, "vel", 0), final * lag, 1e-9 * slack);
    ENSURE_NEAR(*value(batch, "pos", 0), final * (0.1 - TAU * lag), slack == 1 ? 1e-10 : 2e-4);
    ENSURE(*value(batch, "pos", 1) == 0 && *value(batch, "pos", 2) == 0);
    rf_batch_destroy(batch);
}
WITH_BOTH_INTEGRATORS(a_step_of_the_drive_is_a_first_order_lag)

/* Two torques move the mass: a = 2 T / (R m). */
static void torque_limits_the_acceleration(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    fill(batch, "wheel_torque", 0.4);
    fill(batch, "drive", 1);
    step(batch, 0.5);
    ENSURE_NEAR(*value(batch, "vel", 0), 2 * 0.4 / (RADIUS * MASS) * 0.5, 1e-12);
    ENSURE_NEAR(output(batch, "accel", 0), 2 * 0.4 / (RADIUS * MASS), 1e-12);
    rf_batch_destroy(batch);
}

/* And turn the inertia: q' = T B / (R J). */
static void torque_limits_the_yaw_acceleration(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    fill(batch, "wheel_torque", 0.1);
    fill2(batch, "drive", 1, -1);
    step(batch, 0.5);
    ENSURE_NEAR(*value(batch, "rate", 2), 0.1 * TRACK / (RADIUS * YAW_INERTIA) * 0.5, 1e-12);
    ENSURE(*value(batch, "vel", 0) == 0);
    rf_batch_destroy(batch);
}

/* Speed R (w_l + w_r) / 2 and yaw rate R (w_l - w_r) / B, to the right with a faster left side. */
static void unequal_wheels_drive_a_circle_with(int integrator, double slack)
{
    rf_batch *batch = fleet(integrator);
    double speed = 0.5 * RADIUS * WHEEL_SPEED * (0.3 + 0.2),
           turn = RADIUS * WHEEL_SPEED * (0.3 - 0.2) / TRACK;
    fill2(batch, "drive", 0.3, 0.2);
    step(batch, 4);
    ENSURE_NEAR(*value(batch, "rate", 2), turn, 1e-12);
    double heading = heading_of(batch), north = *value(batch, "pos", 0), east = *value(batch, "pos", 1);
    double radius = speed / turn;
    north -= radius * sin(heading); /* the centre lies to the right */
    east += radius * cos(heading);
    for (int i = 0; i < 10; i++) {
        step(batch, 1.3);
        double away = hypot(*value(batch, "pos", 0) - north, *value(batch, "pos", 1) - east);
        ENSURE_NEAR(away, radius, 1e-8 * slack);
        ENSURE_NEAR(speed_of(batch), speed, 1e-9 * slack);
    }
    ENSURE_NEAR(output(batch, "accel", 1), speed * turn, 1e-9 * slack);
    rf_batch_destroy(batch);
}
WITH_BOTH_INTEGRATORS(unequal_wheels_drive_a_circle)

/* With locked wheels v^2 / (2 mu g), but for the last centimetres, where slip decays with slip_tau. */
static void braking_distance_is_that_of_friction_with(int integrator, double slack)
{
    rf_batch *batch = fleet(integrator);
    const double speed = 5, brake = FRICTION * GRAVITY;
    fill(batch, "wheel_torque", 1e3);
    fill(batch, "drive_tau", 0.002);
    rf_batch_fill(batch, column_number(batch, "vel"), 0, speed);
    fill(batch, "wheel_speed", speed / RADIUS);
    step(batch, 0.3);
    ENSURE_NEAR(output(batch, "accel", 0), -brake, 1e-9);
    step(batch, 3);
    double last = brake * 0.02; /* speed below which the tyres hold */
    double distance = (speed * speed - last * last) / (2 * brake) + last * 0.02;
    ENSURE_NEAR(*value(batch, "pos", 0), distance,
                slack == 1 ? 2e-3 : 4e-3); /* the wheels take 2 ms to lock */
    ENSURE(speed_of(batch) < 1e-12);
    rf_batch_destroy(batch);
}
WITH_BOTH_INTEGRATORS(braking_distance_is_that_of_friction)

/* Where the ground takes friction away, so much less. */
static void ice_has_the_friction_that_is_left(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    rf_batch_fill(batch, column_number(batch, "vel"), 0, 3);
    ice(batch, 0.9);
    step(batch, 1);
    ENSURE_NEAR(*value(batch, "vel", 0), 3 - 0.1 * FRICTION * GRAVITY, 1e-9);
    ice(batch, 1);
    double before = *value(batch, "vel", 0);
    step(batch, 1);
    ENSURE(*value(batch, "vel", 0) == before);
    rf_batch_destroy(batch);
}

/* In a circle the tyres give at most mu g: a faster one drifts outwards. */
static void friction_limits_the_lateral_acceleration(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    fill(batch, "wheel_torque", 1e3);
    fill2(batch, "drive", 1, 0.7);
    double asked = RADIUS * WHEEL_SPEED * 0.85 * RADIUS * WHEEL_SPEED * 0.3 / TRACK;
    step(batch, 5);
    ENSURE_NEAR(hypot(output(batch, "accel", 0), output(batch, "accel", 1)), asked, 1e-6);
    ice(batch, 0.9);
    for (int i = 0; i < 50; i++) {
        step(batch, 0.1);
        double most = 0.1 * FRICTION * GRAVITY;
        ENSURE(hypot(output(batch, "accel", 0), output(batch, "accel", 1)) < most * (1 + 1e-9));
    }
    ENSURE(fabs(output(batch, "vel_body", 1)) > 0.1);
    rf_batch_destroy(batch);
}

/* Braked it stands on a slope up to atan mu, and slides with g (sin a - mu cos a) beyond it. */
static void a_slope_holds_up_to_the_friction_angle_with(int integrator, double slack)
{
    for (int degrees = 5; degrees < 60; degrees += 5) {
        rf_batch *batch = fleet(integrator);
        double slope = degrees * DEGREE, pull = GRAVITY * (sin(slope) - FRICTION * cos(slope));
        fill(batch, "wheel_torque", 1e3);
        incline(batch, 0.8 * tan(slope), 0.6 * tan(slope));
        step(batch, 2);
        ENSURE_NEAR(speed_of(batch), pull > 0 ? 2 * pull : 0, 3e-9 * slack);
        double along = pull > 0 ? 0.5 * pull * 4 : 0; /* downhill is where z grows: 0.8 north, 0.6 east */
        ENSURE_NEAR(*value(batch, "pos", 0), 0.8 * along * cos(slope), 1e-3 * (1 + along));
        ENSURE_NEAR(*value(batch, "pos", 1), 0.6 * along * cos(slope), 1e-3 * (1 + along));
        ENSURE_NEAR(*value(batch, "pos", 2), along * sin(slope), 1e-3 * (1 + along));
        rf_batch_destroy(batch);
    }
}
WITH_BOTH_INTEGRATORS(a_slope_holds_up_to_the_friction_angle)

/* Uphill, torque less the slope is left; where it is not enough, the rover rolls back. */
static void slopes_pull_against_the_motors(void)
{
    double slopes[] = {10, 30};
    for (int i = 0; i < 2; i++) {
        rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
        double slope = slopes[i] * DEGREE, drive = 2 * 1.2 / (RADIUS * MASS);
        fill2(batch, "wheel_torque", 1.2, 1e3);
        incline(batch, -tan(slope), 0);
        step(batch, 1); /* level with the ground */
        fill(batch, "drive", 1);
        step(batch, 0.3);
        ENSURE_NEAR(output(batch, "vel_body", 0), 0.3 * (drive - GRAVITY * sin(slope)), 1e-6);
        rf_batch_destroy(batch);
    }
}

/* The body is level with the ground, its heading as before; at rest it feels the weight across the ground. */
static void the_attitude_is_that_of_the_ground(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    incline(batch, -0.2, 0.1);
    fill(batch, "friction", 2);
    rf_batch_fill(batch, column_number(batch, "att"), 0, cos(0.5));
    rf_batch_fill(batch, column_number(batch, "att"), 3, sin(0.5));
    step(batch, 2);
    double w = *value(batch, "att", 0), x = *value(batch, "att", 1), y = *value(batch, "att", 2);
    double z = *value(batch, "att", 3), length = sqrt(1 + 0.2 * 0.2 + 0.1 * 0.1);
    ENSURE_NEAR(2 * (x * z + w * y), 0.2 / length, 1e-12);
    ENSURE_NEAR(2 * (y * z - w * x), -0.1 / length, 1e-12);
    ENSURE_NEAR(1 - 2 * (x * x + y * y), 1 / length, 1e-12);
    ENSURE_NEAR(heading_of(batch), 1, 0.02);
    ENSURE_NEAR(output(batch, "specific_force", 2), -GRAVITY / length, 1e-9);
    for (int i = 0; i < 3; i++) ENSURE_NEAR(*value(batch, "rate", i), 0, 1e-9);
    rf_batch_destroy(batch);
}

static void at_rest_on_level_ground_it_feels_its_weight(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    step(batch, 1);
    for (int i = 0; i < 2; i++) ENSURE(output(batch, "specific_force", i) == 0);
    ENSURE(output(batch, "specific_force", 2) == -GRAVITY);
    for (int i = 0; i < 3; i++) ENSURE(output(batch, "accel", i) == 0 && *value(batch, "pos", i) == 0);
    rf_batch_destroy(batch);
}

/* Above the ground it falls freely; it lands once. */
static void it_falls_and_stays_down_with(int integrator, double slack)
{
    rf_batch *batch = fleet(integrator);
    fill(batch, "terrain", 3);
    rf_batch_fill(batch, column_number(batch, "vel"), 0, 0.5);
    step(batch, 0.7);
    ENSURE_NEAR(*value(batch, "vel", 2), GRAVITY * 0.7, 1e-12);
    ENSURE_NEAR(*value(batch, "pos", 2), 0.5 * GRAVITY * 0.49, slack == 1 ? 1e-12 : 4e-3);
    ENSURE_NEAR(output(batch, "specific_force", 2), 0, 1e-12);
    ENSURE(*value(batch, "vel", 0) == 0.5);
    double lowest = 0;
    for (int i = 0; i < 300; i++) {
        step(batch, 0.01);
        ENSURE(*value(batch, "pos", 2) >= lowest && *value(batch, "pos", 2) < 3 + 1e-9);
        lowest = *value(batch, "pos", 2);
    }
    ENSURE_NEAR(lowest, 3, 1e-9);
    ENSURE(speed_of(batch) < 1e-9);
    rf_batch_destroy(batch);
}
WITH_BOTH_INTEGRATORS(it_falls_and_stays_down)

/* Ground that steps up by less than what throws it off is followed within the suspension's time. */
static void it_follows_the_height_of_the_terrain(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    fill(batch, "terrain", -0.04);
    step(batch, 0.05);
    ENSURE_NEAR(*value(batch, "pos", 2), -0.04 * (1 - exp(-1)), 4e-4); /* a step to begin with */
    step(batch, 2);
    ENSURE_NEAR(*value(batch, "pos", 2), -0.04, 1e-12);
    ENSURE(*value(batch, "pos", 0) == 0 && *value(batch, "pos", 1) == 0);
    rf_batch_destroy(batch);
}

static void wheels_are_shown_in_revolutions_per_minute(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    fill2(batch, "wheel_speed", 10, -5);
    ENSURE_NEAR(output(batch, "displayed_actuators", 0), 10 * 60 / (2 * 3.14159265358979323846), 1e-12);
    ENSURE_NEAR(output(batch, "displayed_actuators", 1), -5 * 60 / (2 * 3.14159265358979323846), 1e-12);
    for (int i = 2; i < 8; i++) ENSURE(output(batch, "displayed_actuators", i) == 0);
    rf_batch_destroy(batch);
}

static void what_is_not_finite_freezes_its_vehicle_alone(void)
{
    const char *const names[] = {"drive", "terrain", "terrain_gradient", "friction_reduction", "mass"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
        incline(batch, 0, 0);
        fill(batch, "drive", 0.5);
        value(batch, names[i], 0)[4] = NAN;
        step(batch, 0.1);
        for (int v = 0; v < FLEET; v++) ENSURE((word(batch, "status", 0)[v] != 0) == (v == 4));
        ENSURE(value(batch, "pos", 0)[4] == 0 && value(batch, "pos", 0)[5] > 0);
        rf_batch_destroy(batch);
    }
}

/* ---- controllers ---- */

static rf_batch *driven(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    rf_batch_set_controllers(batch, true);
    fill(batch, "armed", 1);
    return batch;
}

static void set_point(rf_batch *batch, const char *name, double x, double y, uint32_t bits)
{
    fill2(batch, name, x, y);
    fill(batch, "setpoint_mask", bits);
}

static void speeds_and_yaw_rates_are_tracked(void)
{
    rf_batch *batch = driven();
    set_point(batch, "vel_sp", 1, 0, RF_SETPOINT_VELOCITY | RF_SETPOINT_HEADING_FRAME | RF_SETPOINT_YAW_RATE);
    fill(batch, "yaw_rate_sp", 0.5);
    double fastest = 0;
    for (int i = 0; i < 400; i++) {
        step(batch, 0.01);
        if (speed_of(batch) > fastest) fastest = speed_of(batch);
    }
    ENSURE(fastest < 1.02);
    ENSURE_NEAR(output(batch, "vel_body", 0), 1, 2e-3);
    ENSURE_NEAR(*value(batch, "rate", 2), 0.5, 2e-3);
    fill(batch, "wheel_radius", 0.09); /* which the controllers do not know */
    step(batch, 15);
    ENSURE_NEAR(output(batch, "vel_body", 0), 1, 2e-3);
    ENSURE_NEAR(*value(batch, "rate", 2), 0.5, 2e-3);
    rf_batch_destroy(batch);
}

/* Both wheels at their limit: the turn is what was asked for, the speed what is left. */
static void turning_comes_before_speed(void)
{
    rf_batch *batch = driven();
    fill(batch, "speed_limit", 10);
    fill(batch, "wheel_torque", 100);
    fill(batch, "friction", 10);
    set_point(batch, "vel_sp", 5, 0, RF_SETPOINT_VELOCITY | RF_SETPOINT_HEADING_FRAME | RF_SETPOINT_YAW_RATE);
    fill(batch, "yaw_rate_sp", 2);
    step(batch, 10);
    ENSURE_NEAR(*value(batch, "rate", 2), 2, 2e-2);
    ENSURE_NEAR(output(batch, "vel_body", 0), RADIUS * WHEEL_SPEED - 2 * TRACK / 2, 2e-2);
    rf_batch_destroy(batch);
}

static void it_turns_towards_a_velocity_in_the_map(void)
{
    rf_batch *batch = driven();
    set_point(batch, "vel_sp", -0.6, -0.8, RF_SETPOINT_VELOCITY);
    step(batch, 5);
    ENSURE_NEAR(*value(batch, "vel", 0), -0.6, 5e-3);
    ENSURE_NEAR(*value(batch, "vel", 1), -0.8, 5e-3);
    ENSURE_NEAR(heading_of(batch), atan2(-0.8, -0.6), 5e-3);
    rf_batch_destroy(batch);
}

/* Positions all round, near and far: it gets there, without a circle, and stands. */
static void it_drives_to_positions_and_stops(void)
{
    for (int i = 0; i < 16; i++) {
        double away = i % 2 ? 6 : 0.5, bearing = 22.5 * i * DEGREE;
        double north = away * cos(bearing), east = away * sin(bearing);
        rf_batch *batch = driven();
        set_point(batch, "pos_sp", north, east, RF_SETPOINT_POSITION);
        double farthest = 0;
        for (int k = 0; k < 150; k++) {
            step(batch, 0.1);
            double now = hypot(*value(batch, "pos", 0) - north, *value(batch, "pos", 1) - east);
            if (now > farthest) farthest = now;
        }
        ENSURE_NEAR(*value(batch, "pos", 0), north, 0.03);
        ENSURE_NEAR(*value(batch, "pos", 1), east, 0.03);
        ENSURE(farthest < away + 0.05 && speed_of(batch) < 1e-3);
        rf_batch_destroy(batch);
    }
}

/* Pure pursuit, e'' + 2 e' / L + 2 e / L^2 = 0 along the path: exp(-pi) = 4 % is left after half a wavelength. */
static void pure_pursuit_converges_on_the_line(void)
{
    rf_batch *batch = driven();
    const double offset = 0.1, speed = 1;
    rf_batch_fill(batch, column_number(batch, "pos"), 1, offset);
    double overshoot = 0;
    for (int i = 0; i < 2000; i++) {
        set_point(batch, "pos_sp", speed * 0.01 * i, 0, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY);
        fill2(batch, "vel_sp", speed, 0);
        step(batch, 0.01);
        if (-*value(batch, "pos", 1) > overshoot) overshoot = -*value(batch, "pos", 1);
    }
    ENSURE_NEAR(overshoot, exp(-3.14159265358979323846) * offset, 0.02 * offset);
    ENSURE_NEAR(*value(batch, "pos", 1), 0, 1e-6);
    ENSURE_NEAR(*value(batch, "pos", 0), 20, 0.02);
    rf_batch_destroy(batch);
}

static void disarmed_it_brakes_and_stays(void)
{
    rf_batch *batch = driven();
    fill2(batch, "wheel_torque", TORQUE, 1e3);
    set_point(batch, "vel_sp", 1.5, 0, RF_SETPOINT_VELOCITY | RF_SETPOINT_HEADING_FRAME);
    step(batch, 2);
    fill(batch, "armed", 0);
    double before = *value(batch, "pos", 0);
    step(batch, 2);
    ENSURE(*value(batch, "drive", 0) == 0 && *value(batch, "drive", 1) == 0);
    ENSURE(*value(batch, "pos", 0) - before < 1.5 * 1.5 / (2 * FRICTION * GRAVITY) + 0.02);
    ENSURE(speed_of(batch) < 1e-9);
    rf_batch_destroy(batch);
}

/* ---- guidance ---- */

static rf_batch *led(void)
{
    rf_batch *batch = fleet(RF_INTEGRATOR_RK4);
    rf_batch_set_controllers(batch, true);
    if (rf_batch_enable_part(batch, RF_PART_navigator) != RF_OK) abort();
    return batch;
}

static void command(rf_batch *batch, uint32_t bits, uint32_t offboard, double x, double y)
{
    fill2(batch, "sil_floats", x, y);
    fill(batch, "sil_ints", 0);
    rf_batch_fill(batch, column_number(batch, "sil_ints"), SIL_INT_COMMAND,
                  SIL_COMMAND_ENABLE | SIL_COMMAND_SIL | bits);
    rf_batch_fill(batch, column_number(batch, "sil_ints"), SIL_INT_OFFBOARD, offboard);
    if (rf_batch_accept(batch, 0, FLEET) != RF_OK) abort();
}

static uint32_t mode(rf_batch *batch)
{
    return *word(batch, "navigator_mode", 0);
}

static void a_take_off_is_readiness(void)
{
    rf_batch *batch = led();
    command(batch, SIL_COMMAND_TAKEOFF, 0, 0, 0);
    step(batch, 1);
    ENSURE(mode(batch) == NAVIGATOR_TAKEOFF && *word(batch, "armed", 0) == 0);
    command(batch, SIL_COMMAND_TAKEOFF | SIL_COMMAND_ARMED, 0, 0, 0);
    step(batch, 1);
    ENSURE(mode(batch) == NAVIGATOR_POSITION && *word(batch, "armed", 0) == 1);
    for (int i = 0; i < 3; i++) ENSURE(*value(batch, "pos", i) == 0);
    rf_batch_destroy(batch);
}

static void it_returns_lands_and_disarms(void)
{
    rf_batch *batch = led();
    command(batch, SIL_COMMAND_ARMED | SIL_COMMAND_OFFBOARD_POSITION, SIL_OFFBOARD_POSITION, 4, -3);
    step(batch, 8);
    ENSURE_NEAR(*value(batch, "pos", 0), 4, 0.05);
    ENSURE_NEAR(*value(batch, "pos", 1), -3, 0.05);
    command(batch, SIL_COMMAND_ARMED | SIL_COMMAND_RETURN, 0, 0, 0);
    step(batch, 8);
    ENSURE(mode(batch) == NAVIGATOR_RETURN && *word(batch, "armed", 0) == 1);
    ENSURE_NEAR(hypot(*value(batch, "pos", 0), *value(batch, "pos", 1)), 0, 0.05);
    command(batch, SIL_COMMAND_ARMED | SIL_COMMAND_LAND, SIL_OFFBOARD_POSITION, 2, 2);
    step(batch, 8);
    ENSURE(mode(batch) == NAVIGATOR_STANDBY && *word(batch, "armed", 0) == 0);
    ENSURE_NEAR(hypot(*value(batch, "pos", 0) - 2, *value(batch, "pos", 1) - 2), 0, 0.15);
    rf_batch_destroy(batch);
}

static void landing_where_it_is_stops_it(void)
{
    rf_batch *batch = led();
    command(batch, SIL_COMMAND_ARMED | SIL_COMMAND_OFFBOARD_POSITION, SIL_OFFBOARD_POSITION, 20, 0);
    step(batch, 3);
    double before = *value(batch, "pos", 0);
    command(batch, SIL_COMMAND_ARMED | SIL_COMMAND_LAND, 0, 0, 0);
    step(batch, 2);
    ENSURE(mode(batch) == NAVIGATOR_STANDBY && *word(batch, "armed", 0) == 0);
    ENSURE(*value(batch, "pos", 0) - before < 0.5);
    rf_batch_destroy(batch);
}

static void what_it_cannot_obey_is_counted(void)
{
    const struct {
        uint32_t offboard;
        double down; /* m/s */
        uint32_t refused;
    } cases[] = {{SIL_OFFBOARD_POSITION | SIL_OFFBOARD_YAW, 0, 0},
                 {SIL_OFFBOARD_VELOCITY | SIL_OFFBOARD_YAW_RATE | SIL_OFFBOARD_FRD, 0, 0},
                 {SIL_OFFBOARD_VELOCITY, -1, 1},
                 {SIL_OFFBOARD_POSITION, -1, 0}, /* no velocity is set */
                 {SIL_OFFBOARD_ACCELERATION, 0, 1},
                 {SIL_OFFBOARD_ATTITUDE | SIL_OFFBOARD_THRUST, 0, 1},
                 {SIL_OFFBOARD_ROLL_RATE, 0, 1},
                 {SIL_OFFBOARD_PITCH_RATE, 0, 1}};
    rf_batch *batch = led();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fill(batch, "sil_refused", 0);
        fill(batch, "sil_floats", 0);
        rf_batch_fill(batch, column_number(batch, "sil_floats"), SIL_VELOCITY + 2, cases[i].down);
        command(batch, SIL_COMMAND_ARMED | SIL_COMMAND_OFFBOARD_POSITION, cases[i].offboard, 0, 0);
        ENSURE(*word(batch, "sil_refused", 0) == cases[i].refused);
        ENSURE(*word(batch, "sil_unknown", 0) == 0 && *word(batch, "sil_bad", 0) == 0);
    }
    rf_batch_destroy(batch);
}

static void a_rover_that_gets_nowhere_disarms(void)
{
    rf_batch *batch = led();
    ice(batch, 1);
    command(batch, SIL_COMMAND_ARMED | SIL_COMMAND_LAND, SIL_OFFBOARD_POSITION, 9, 0);
    ENSURE(*word(batch, "armed", 0) == 0); /* only an armed one may land */
    command(batch, SIL_COMMAND_ARMED, 0, 0, 0);
    command(batch, SIL_COMMAND_ARMED | SIL_COMMAND_LAND, SIL_OFFBOARD_POSITION, 9, 0);
    step(batch, 9.5);
    ENSURE(mode(batch) == NAVIGATOR_APPROACH && *word(batch, "armed", 0) == 1);
    step(batch, 1);
    ENSURE(mode(batch) == NAVIGATOR_STANDBY && *word(batch, "armed", 0) == 0);
    rf_batch_destroy(batch);
}

/* Any bits in the inputs, with every instruction set and precision. */
static void any_bits_in_its_inputs_do_no_harm(void)
{
    for (const rf_simd *const *simd = rf_simd_available(); *simd != NULL; simd++) {
        for (int precision = 0; precision < RF_PRECISION_COUNT; precision++) {
            rf_batch *batch = fleet_of(*simd, precision, RF_INTEGRATOR_RK4);
            rf_batch_set_controllers(batch, true);
            ENSURE(rf_batch_enable_part(batch, RF_PART_navigator) == RF_OK);
            for (uint32_t round = 0; round < 40; round++) {
                for (uint32_t v = 0; v < FLEET; v++) {
                    for (uint32_t i = 0; i < SIL_INTS; i++) {
                        uint32_t bits = random_words(7, v, i, round).word[0];
                        word(batch, "sil_ints", (int)i)[v] = i == 0 ? bits | SIL_COMMAND_ENABLE : bits;
                    }
                    for (uint32_t i = 0; i < SIL_FLOATS; i++) {
                        uint32_t bits = random_words(8, v, i, round).word[0];
                        float x;
                        memcpy(&x, &bits, sizeof x);
                        void *start = row(batch, "sil_floats", (int)i);
                        if (precision == RF_FLOAT64) ((double *)start)[v] = (double)x;
                        if (precision == RF_FLOAT32) ((float *)start)[v] = x;
                    }
                }
                ENSURE(rf_batch_step(batch, 25) == RF_OK);
            }
            for (int v = 0; v < FLEET; v++) ENSURE(word(batch, "status", 0)[v] == 0);
            rf_batch_destroy(batch);
        }
    }
}

TEST_SUITE(rover)
{
    RUN(a_step_of_the_drive_is_a_first_order_lag);
    RUN(torque_limits_the_acceleration);
    RUN(torque_limits_the_yaw_acceleration);
    RUN(unequal_wheels_drive_a_circle);
    RUN(braking_distance_is_that_of_friction);
    RUN(ice_has_the_friction_that_is_left);
    RUN(friction_limits_the_lateral_acceleration);
    RUN(a_slope_holds_up_to_the_friction_angle);
    RUN(slopes_pull_against_the_motors);
    RUN(the_attitude_is_that_of_the_ground);
    RUN(at_rest_on_level_ground_it_feels_its_weight);
    RUN(it_falls_and_stays_down);
    RUN(it_follows_the_height_of_the_terrain);
    RUN(wheels_are_shown_in_revolutions_per_minute);
    RUN(what_is_not_finite_freezes_its_vehicle_alone);
    RUN(speeds_and_yaw_rates_are_tracked);
    RUN(turning_comes_before_speed);
    RUN(it_turns_towards_a_velocity_in_the_map);
    RUN(it_drives_to_positions_and_stops);
    RUN(pure_pursuit_converges_on_the_line);
    RUN(disarmed_it_brakes_and_stays);
    RUN(a_take_off_is_readiness);
    RUN(it_returns_lands_and_disarms);
    RUN(landing_where_it_is_stops_it);
    RUN(what_it_cannot_obey_is_counted);
    RUN(a_rover_that_gets_nowhere_disarms);
    RUN(any_bits_in_its_inputs_do_no_harm);
}
