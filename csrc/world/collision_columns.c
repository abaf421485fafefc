/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/collision_columns.h"

#include <math.h>
#include <string.h>

#include "parts/collision/columns.h"
#include "scene/vectors.h"
#include "world/reports.h"

_Static_assert(RF_COLLIDER_SHAPES == COLLISION_SHAPES, "a body has room for all shapes of a vehicle");

#define LARGEST 1e3 /* m, of a number of a shape */
#define HEAVIEST                                                                                             \
    1e100 /* kg: what is heavier, contacts do not move; of mobilities in SI: products of them are finite */
#define MOST_ACCEL      10.0 /* m/s^2, estimated: of a vehicle that pushes something with all that it has */
#define LEAST_REACH     1e-3 /* m */
#define SUPPORT         2.0 /* N/kg, of contacts upwards, that carry a vehicle: a fifth of its weight; estimated */
#define GROUND_FRICTION 0.8 /* as ground_grip of vehicles that stand; estimated */

static void vector_of(const column *c, size_t row, int count, double *values)
{
    for (int k = 0; k < count; k++) values[k] = value_of(c, k, row);
}

static void set_vector(const column *c, size_t row, const double values[3])
{
    for (int k = 0; k < 3; k++) set_value(c, k, row, values[k]);
}

/* A column, or none. */
static column any_column_of(rf_batch *batch, const char *name)
{
    return rf_batch_column_find(batch, name) < 0 ? (column){.start = NULL} : column_of(batch, name);
}

collision_columns collision_columns_of(rf_batch *batch)
{
    collision_columns c = {.batch = batch};
    if (!rf_batch_has_part(batch, RF_PART_collision)) return c;
    c.vehicles = rf_batch_get_def(batch)->n;
#define LOAD_VALUE(name) c.name = column_of(batch, #name);
#define LOAD_OTHER(name) c.name = any_column_of(batch, #name);
#define LOAD_WORD(name)  c.name = words_at(batch, #name, 0);
    COLLISION_VALUES(LOAD_VALUE)
    COLLISION_OTHERS(LOAD_OTHER)
    COLLISION_WORDS(LOAD_WORD)
#undef LOAD_VALUE
#undef LOAD_OTHER
#undef LOAD_WORD
    c.actuators = words_at(batch, "collision_actuators", 0);
    c.actuators_stride = (size_t)(words_at(batch, "collision_actuators", 1) - c.actuators);
    return c;
}

/* ---- reading ---- */

/* The matrix from FRD to NED of a unit quaternion. */
static void rotation_of(const double q[4], double r[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(r, rows, sizeof rows);
}

static void to_ned(const double r[9], const double body[3], double ned[3])
{
    for (int k = 0; k < 3; k++) ned[k] = r[3 * k] * body[0] + r[3 * k + 1] * body[1] + r[3 * k + 2] * body[2];
}

static void to_body(const double r[9], const double ned[3], double body[3])
{
    for (int k = 0; k < 3; k++) body[k] = r[k] * ned[0] + r[3 + k] * ned[1] + r[6 + k] * ned[2];
}

/* The inverse of an inertia tensor (xx yy zz xy xz yz) in axes turned by r; false if it has none that is finite. */
static bool turning_of(const double i[6], const double r[9], double turning[9])
{
    const double xx = i[1] * i[2] - i[5] * i[5], xy = i[4] * i[5] - i[3] * i[2],
                 xz = i[3] * i[5] - i[4] * i[1];
    const double yy = i[0] * i[2] - i[4] * i[4], yz = i[3] * i[4] - i[0] * i[5],
                 zz = i[0] * i[1] - i[3] * i[3];
    const double determinant = i[0] * xx + i[3] * xy + i[4] * xz;
    if (!(determinant > 0)) return false;
    const double inverse[9] = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
    double half[9];
    for (int n = 0; n < 9; n++) {
        half[n] = 0;
        for (int k = 0; k < 3; k++) half[n] += r[n / 3 * 3 + k] * inverse[3 * k + n % 3];
    }
    for (int n = 0; n < 9; n++) {
        turning[n] = 0;
        for (int k = 0; k < 3; k++) turning[n] += half[n / 3 * 3 + k] * r[n % 3 * 3 + k];
        turning[n] /= determinant;
    }
    return all_within(turning, 9, HEAVIEST);
}

/* The actuators of a shape, as bits; 0: it is the body. */
static uint32_t actuators_of(const collision_columns *c, size_t row, int shape)
{
    return c->actuators[(size_t)shape * c->actuators_stride + row];
}

/* The centre of mass of a vehicle without payload [m, NED]. */
static void middle_of(const collision_columns *c, size_t row, double middle[3])
{
    vector_of(&c->pos, row, 3, middle);
    middle[2] -= value_of(&c->collision_rise, 0, row);
}

/* The shapes that are not broken off: a broken rotor or wing is gone, a broken body remains. */
static void load_shapes(const collision_columns *c, size_t row, const double r[9], rf_collider *body)
{
    double origin[3];
    middle_of(c, row, origin);
    for (int i = 0; i < COLLISION_SHAPES; i++) {
        double radius = value_of(&c->collision_radius, i, row), middle[3], offset[3];
        bool gone = (c->crashed[row] >> i & 1) && actuators_of(c, row, i) != 0;
        if (!(radius > 0) || gone) continue;
        rf_convex *shape = &body->shape[body->shapes];
        *shape = (rf_convex){.kind = RF_CORE_BOX, .radius = radius};
        memcpy(shape->rotation, r, sizeof shape->rotation);
        for (int k = 0; k < 3; k++) {
            middle[k] = value_of(&c->collision_position, k * COLLISION_SHAPES + i, row);
            shape->half[k] = fmax(0, value_of(&c->collision_half_size, k * COLLISION_SHAPES + i, row));
        }
        if (!all_within(middle, 3, LARGEST) || !all_within(shape->half, 3, LARGEST) || radius > LARGEST)
            continue;
        body->number[body->shapes++] = i;
        to_ned(r, middle, offset);
        for (int k = 0; k < 3; k++) shape->center[k] = origin[k] + offset[k];
    }
}

/* From the centre of mass of a vehicle without payload to that with it [m, NED]. */
static void arm_of(const collision_columns *c, size_t row, const double r[9], double arm[3])
{
    double centre[3];
    vector_of(&c->collision_centre, row, 3, centre);
    to_ned(r, centre, arm);
}

/* Reads place and velocities, of the centre of mass. */
static void load_motion(const collision_columns *c, size_t row, const double r[9], rf_collider *body)
{
    double rate[3], arm[3], around[3];
    rf_solid *s = &body->solid;
    middle_of(c, row, s->center);
    vector_of(&c->vel, row, 3, s->velocity);
    vector_of(&c->rate, row, 3, rate);
    to_ned(r, rate, s->rate);
    arm_of(c, row, r, arm);
    cross(s->rate, arm, around);
    for (int k = 0; k < 3; k++) {
        s->center[k] += arm[k];
        s->velocity[k] += around[k];
    }
    body->reach = value_of(&c->collision_reach, 0, row) + sqrt(dot(arm, arm));
}

/* A diagonal matrix in axes turned by r. */
static void diagonal_of(const double diagonal[3], const double r[9], double matrix[9])
{
    for (int n = 0; n < 9; n++) {
        matrix[n] = 0;
        for (int k = 0; k < 3; k++) matrix[n] += r[n / 3 * 3 + k] * diagonal[k] * r[n % 3 * 3 + k];
    }
}

/* The water that a body moves, if it does. */
static void load_fluid(const collision_columns *c, size_t row, const double r[9], double mass, rf_solid *s)
{
    double added[3], flow[3], easing[3];
    vector_of(&c->collision_added_mass, row, 3, added);
    s->in_fluid = s->mobility > 0 && (added[0] > 0 || added[1] > 0 || added[2] > 0);
    if (!s->in_fluid) return;
    for (int k = 0; k < 3; k++) {
        easing[k] = 1 / (mass + added[k]);
        added[k] *= easing[k];
    }
    diagonal_of(easing, r, s->easing);
    diagonal_of(added, r, s->share);
    vector_of(&c->collision_flow, row, 3, flow);
    to_ned(r, flow, s->flow);
}

static double within(double x, double most)
{
    return fmax(-most, fmin(most, x));
}

/* The accelerations by all but contacts, from the velocities of the last time if that was a period ago.  They are those of a place
 * of the hull up to MOST_ACCEL: what a tyre holds against a contact looks like a force that grows with that of the contact. */
static void load_accelerations(const collision_columns *c, size_t row, const double r[9], double duration,
                               rf_collider *body)
{
    double velocity[3], rate[3], force[3], torque[3], ned[3], arm[3], moment[3], pushed[3], turned[3];
    vector_of(&c->collision_velocity, row, 3, velocity);
    vector_of(&c->collision_rate, row, 3, rate);
    vector_of(&c->collision_force, row, 3, force);
    vector_of(&c->collision_torque, row, 3, torque);
    to_ned(r, torque, ned);
    arm_of(c, row, r, arm);
    cross(arm, force, moment);
    subtract(ned, moment, ned); /* about the centre of mass */
    rf_solid_answer(&body->solid, force, ned, pushed, turned);
    const double most_turning = MOST_ACCEL / fmax(body->reach, LEAST_REACH);
    for (int k = 0; k < 3; k++) {
        body->acceleration[k] =
            within((body->solid.velocity[k] - velocity[k]) / duration - pushed[k], MOST_ACCEL);
        body->turning_up[k] = within((body->solid.rate[k] - rate[k]) / duration - turned[k], most_turning);
    }
}

/* Whether the state of a vehicle is one that others may meet: one that is not gets a fault flag with the next step. */
static bool is_sound(const double q[4], const rf_collider *body)
{
    double square = 0;
    for (int k = 0; k < 4; k++) square += q[k] * q[k];
    const rf_solid *s = &body->solid;
    return fabs(square - 1) < 0.1 && all_within(s->center, 3, RF_MAX_DISTANCE) &&
           all_within(s->velocity, 3, RF_MAX_SPEED) && all_within(s->rate, 3, RF_MAX_RATE) &&
           all_within(&s->mobility, 1, HEAVIEST) && all_within(s->easing, 9, HEAVIEST) &&
           all_within(s->share, 9, HEAVIEST) && all_within(s->flow, 3, LARGEST);
}

void collider_load(const collision_columns *c, size_t row, uint32_t tick, uint32_t period, double dt,
                   rf_collider *body)
{
    double q[4], r[9], inertia[6], mass = value_of(&c->collision_mass, 0, row);
    *body = (rf_collider){.shapes = 0};
    vector_of(&c->att, row, 4, q);
    rotation_of(q, r);
    load_motion(c, row, r, body);
    expect_answer(c, row, tick, dt, body);
    vector_of(&c->collision_inertia, row, 6, inertia);
    if (mass > 0 && mass <= HEAVIEST) body->solid.mobility = 1 / mass;
    if (body->solid.mobility == 0 || !turning_of(inertia, r, body->solid.turning))
        memset(body->solid.turning, 0, sizeof body->solid.turning);
    load_fluid(c, row, r, mass, &body->solid);
    body->friction = fmax(0, value_of(&c->collision_friction, 0, row));
    body->restitution = fmin(1, fmax(0, value_of(&c->collision_restitution, 0, row)));
    if (is_sound(q, body)) load_shapes(c, row, r, body); /* without shapes it meets nothing */
    if (tick - c->collision_tick[row] == period) load_accelerations(c, row, r, period * dt, body);
}

static double value_or(const column *c, int component, size_t row, double otherwise)
{
    return c->start == NULL ? otherwise : value_of(c, component, row);
}

/* Cosine of the angle between the up of a vehicle and a direction. */
static double upright_of(const collision_columns *c, size_t row, const double up[3])
{
    double q[4], r[9];
    vector_of(&c->att, row, 4, q);
    rotation_of(q, r);
    return -(r[2] * up[0] + r[5] * up[1] + r[8] * up[2]);
}

void collision_ground_of(const collision_columns *c, size_t row, collision_ground *ground)
{
    const double north = value_or(&c->terrain_gradient, 0, row, 0),
                 east = value_or(&c->terrain_gradient, 1, row, 0);
    const double length = sqrt(1 + north * north + east * east),
                 feet = value_or(&c->contact_height, 0, row, 0);
    const double above = (value_of(&c->ground, 0, row) - value_of(&c->pos, 2, row)) / length;
    const double deeper = fmax(0, value_of(&c->collision_height, 0, row) - feet);
    *ground = (collision_ground){
        .above = above, .standing = above - feet, .height = above + deeper, .on_centre = deeper > 0};
    ground->up[0] = north / length;
    ground->up[1] = east / length;
    ground->up[2] = -1 / length;
    ground->upright = upright_of(c, row, ground->up);
    ground->friction = GROUND_FRICTION * (1 - value_or(&c->friction_reduction, 0, row, 0));
    for (int k = 0; k < 3; k++) ground->velocity[k] = value_or(&c->terrain_velocity, k, row, 0);
}

/* ---- writing ---- */

/* Breaks a part, whose bit of `crashed` this is, with its actuators: of the body, which has none, all. */
static void lose(const collision_columns *c, size_t row, uint32_t tick, uint32_t part, uint32_t actuators)
{
    if (c->crashed[row] == 0) {
        c->crashed_with[row] = c->collision_with[row];
        c->crashed_tick[row] = tick;
    }
    c->crashed[row] |= part;
    c->actuators_lost[row] |= actuators != 0 ? actuators : ~0u;
    c->collision_acts[row] = 1;
    if (actuators == 0) c->armed[row] = 0;
}

/* Breaks a shape if it takes less than a speed. */
static void break_shape(const collision_columns *c, size_t row, uint32_t tick, int shape, double speed)
{
    const double strength = value_of(&c->collision_strength, shape, row);
    if (strength > 0 && speed > strength) lose(c, row, tick, 1u << shape, actuators_of(c, row, shape));
}

static void note_impact(const collision_columns *c, size_t row, double speed)
{
    c->collision_count[row]++;
    if (speed > value_of(&c->collision_speed, 0, row)) set_value(&c->collision_speed, 0, row, speed);
}

static void note_contact(const collision_columns *c, size_t row, uint32_t tick, uint32_t with,
                         const double place[3])
{
    c->collision_with[row] = with;
    c->collision_place_tick[row] = tick;
    set_vector(&c->collision_place, row, place);
}

void collider_strike(const collision_columns *c, size_t row, uint32_t tick, bool upright, double speed)
{
    const double below[3] = {value_of(&c->pos, 0, row), value_of(&c->pos, 1, row),
                             value_of(&c->ground, 0, row)};
    note_contact(c, row, tick, COLLISION_WITH_GROUND, below);
    if (upright) lose(c, row, tick, COLLISION_UNDERCARRIAGE, 0);
    for (int i = 0; i < COLLISION_SHAPES && !upright; i++) {
        if (value_of(&c->collision_radius, i, row) > 0) break_shape(c, row, tick, i, speed);
    }
    note_impact(c, row, speed);
}

/* Writes place and velocities, which were those of the centre of mass, and their mean accelerations over a duration [s]. */
static void store_motion(const collision_columns *c, size_t row, const double r[9], double duration,
                         const rf_collider *body)
{
    double pos[3], vel[3], rate[3], arm[3], around[3], accel[3], angular_accel[3];
    arm_of(c, row, r, arm);
    cross(body->solid.rate, arm, around);
    subtract(body->solid.center, arm, pos);
    pos[2] += value_of(&c->collision_rise, 0, row);
    subtract(body->solid.velocity, around, vel);
    to_body(r, body->solid.rate, rate);
    for (int k = 0; k < 3; k++) {
        accel[k] = (vel[k] - value_of(&c->vel, k, row)) / duration;
        angular_accel[k] = (rate[k] - value_of(&c->rate, k, row)) / duration;
    }
    set_vector(&c->pos, row, pos);
    set_vector(&c->vel, row, vel);
    set_vector(&c->rate, row, rate);
    set_vector(&c->collision_accel, row, accel);
    set_vector(&c->collision_angular_accel, row, angular_accel);
}

/* Writes the forces of contacts, about the centre of mass without payload. */
static void store_forces(const collision_columns *c, size_t row, const double r[9], const rf_collider *body)
{
    double arm[3], moment[3], torque[3];
    arm_of(c, row, r, arm);
    cross(arm, body->force, moment);
    for (int k = 0; k < 3; k++) moment[k] += body->torque[k];
    to_body(r, moment, torque);
    set_vector(&c->collision_force, row, body->force);
    set_vector(&c->collision_torque, row, torque);
    c->collision_supports[row] = -body->force[2] * body->solid.mobility > SUPPORT;
}

/* Takes what impacts did with the last update. */
static void forget_impacts(const collision_columns *c, size_t row)
{
    const double nothing[3] = {0};
    set_vector(&c->collision_accel, row, nothing);
    set_vector(&c->collision_angular_accel, row, nothing);
}

void collider_store(const collision_columns *c, size_t row, uint32_t tick, double duration,
                    const rf_collider *body)
{
    double q[4], r[9];
    vector_of(&c->att, row, 4, q);
    rotation_of(q, r);
    set_vector(&c->collision_velocity, row, body->solid.velocity);
    set_vector(&c->collision_rate, row, body->solid.rate);
    c->collision_tick[row] = tick;
    if (!body->met && !c->collision_touches[row]) return;
    store_forces(c, row, r, body);
    forget_impacts(c, row);
    c->collision_touches[row] = body->met;
    c->collision_acts[row] = body->met || c->actuators_lost[row] != 0;
    if (!body->met) return;
    note_contact(c, row, tick, body->with, body->place);
    if (!body->pushed) return;
    if (rf_batch_library(c->batch, row) == NULL)
        store_motion(c, row, r, duration, body);
    else
        report_hit(c, row, tick, body);
    if (body->impact == 0) return;
    note_impact(c, row, body->impact);
    for (int i = 0; i < body->shapes; i++) break_shape(c, row, tick, body->number[i], body->hit[i]);
}

void collider_release(const collision_columns *c, size_t row)
{
    const double nothing[3] = {0};
    set_vector(&c->collision_force, row, nothing);
    set_vector(&c->collision_torque, row, nothing);
    forget_impacts(c, row);
    c->collision_touches[row] = c->collision_supports[row] = 0;
    c->collision_acts[row] = c->actuators_lost[row] != 0;
}
