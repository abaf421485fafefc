/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "base/status.h"
#include "math/dither.h"
#include "math/exponential.h"
#include "parts/ground_plane/held.h"
#include "parts/payload/update.h"
#include "parts/water/held.h"

#define TINY   ((real)1e-12) /* m^2 */
#define SMALL  ((real)1e-9)  /* m^3: of a payload, for its diameter */
#define SLIGHT ((real)1e-9)  /* 1/kg */
#define LEAST  ((real)0.01)  /* m: of a cable that is reeled in */
#define ROUNDS 12            /* of cable and ground in turn, where a payload touches it */
#define HALF   ((real)0.5)

/* The payloads of which position and velocity are states, and of those the ones on a cable. */
typedef struct payload_modes {
    mask moves, hangs, fixed;
} payload_modes;

/* One period of a payload: what is known at its beginning. */
typedef struct period {
    real length;       /* s */
    vec3 arm;          /* FRD: of the upper end, from the vehicle's origin */
    rotation to;       /* of the vehicle's attitude */
    vec3 end, end_vel; /* NED: the upper end of the cable */
    vec3 end_accel;    /* m/s^2: without the cable */
    vec3 accel;        /* m/s^2: of the payload without it */
    vec3 distance;     /* q at the beginning, m */
    lane reeling;      /* m/s: rate of the cable's length */
    vec3 along, pull;  /* d_1, d_m */
    lane given;        /* m/s: velocity along d_1 by a tension of 1 N */
    vec3 answer;       /* m/s: velocity of the upper end by it */
    lane swing; /* 1/N: square of the angle of the body's swing about its centre of mass by it, at most */
} period;

/* Of a payload at the end of the period. */
typedef struct payload_end {
    vec3 vel, end_vel; /* m/s */
    lane tension;      /* N */
    lane press;        /* N s, of the ground */
    vec3 rub;          /* N s */
} payload_end;

typedef struct payload_ground {
    vec3 normal, velocity;
    mask touches;
    lane friction;
} payload_ground;

/* What a payload is in: air, water, or both. */
typedef struct payload_fluid {
    vec3 vel;       /* m/s, NED */
    lane density;   /* kg/m^3 */
    lane displaced; /* kg: of water */
} payload_fluid;

/* ---- mass ---- */

/* Adds a payload that is fixed to the vehicle, of shares of `mass`. */
LANE_INLINE void add_payload(const block *b, mask fixed, lane mass, mass_shares *shares)
{
    const payload p = payload_load(b);
    const lane none = lane_of(0), k = lane_select(fixed, p.payload_mass / mass, none),
               per_mass = lane_select(fixed, 1 / mass, none);
    const lane *own = p.payload_inertia;
    const vec3 r = p.payload_place, sq = mul(r, r);
    shares->left += k;
    shares->shift = add(shares->shift, scale(k, r));
    shares->spread.xx += k * (sq.y + sq.z) + per_mass * own[0];
    shares->spread.yy += k * (sq.x + sq.z) + per_mass * own[1];
    shares->spread.zz += k * (sq.x + sq.y) + per_mass * own[2];
    shares->spread.xy += per_mass * own[3] - k * (r.x * r.y);
    shares->spread.xz += per_mass * own[4] - k * (r.x * r.z);
    shares->spread.yz += per_mass * own[5] - k * (r.y * r.z);
}

LANE_INLINE payload_modes modes_of(const block *b)
{
    const mask dropped = words_load(PAYLOAD_WORD(b, payload_dropped)) != 0;
    const mask there = lane_load(PAYLOAD_COLUMN(b, payload_mass)) > 0;
    const mask cable = lane_load(PAYLOAD_COLUMN(b, payload_cable)) > 0, carried = there & mask_not(dropped);
    return (payload_modes){there & (dropped | cable), carried & cable, carried & mask_not(cable)};
}

void RF_SET_NAME(rf_payload_mass_change)(const block *b, lane mass, mass_change *by)
{
    const lane none = lane_of(0);
    mass_shares shares = {lane_of(1), {none, none, none}, {none, none, none, none, none, none}};
    mask changed = none != none;
    if (faults_are_of(b, FAULT_PLACE_mass)) changed = faults_mass_shares(b, &shares);
    if (part_enabled(b, RF_PART_payload)) {
        const mask fixed = modes_of(b).fixed;
        changed |= fixed;
        if (mask_any(fixed)) add_payload(b, fixed, mass, &shares);
    }
    by->any = mask_any(changed);
    if (by->any) *by = mass_change_of(&shares, changed);
}

/* ---- a period ---- */

/* What a payload at a height z is in. */
LANE_INLINE payload_fluid fluid_at(const block *b, const payload *p, const payload_truth *t, lane z)
{
    const payload_fluid air = {t->wind, t->density, lane_of(0)};
    if (!t->floats) return air;
    const lane third = lane_of((real)(1.0 / 3)), volume = p->payload_volume;
    const lane diameter = lane_exp(third * lane_log(6 / TRIG_PI * lane_max(volume, lane_of(SMALL))));
    const water w = water_at_rest(b);
    const lane depth = z - w.height, share = lane_clamp(HALF + depth / diameter, lane_of(0), lane_of(1));
    return (payload_fluid){add(air.vel, scale(share, sub(water_velocity(&w, depth), air.vel))),
                           air.density + share * (t->water_density - air.density),
                           share * t->water_density * volume};
}

/* Acceleration of a mass by the drag [m/s^2], at most what stops it within the period. */
LANE_INLINE vec3 drag(const payload *p, const payload_fluid *in, vec3 vel, lane mass, real length)
{
    const vec3 through = sub(vel, in->vel);
    const lane damping = HALF * in->density * p->payload_drag_area * lane_sqrt(norm2(through)) / mass;
    return scale(-lane_min(damping, lane_of(1 / length)), through);
}

LANE_INLINE period period_of(const payload *p, const payload_truth *t, real length)
{
    period now = {
        .length = length, .arm = p->payload_place, .to = rotation_from_quat(t->att), .swing = lane_of(0)};
    const vec3 around = cross(t->rate, now.arm);
    now.end = add(t->pos, to_ned(now.to, now.arm));
    now.end_vel = add(t->vel, to_ned(now.to, around));
    now.end_accel =
        add(t->accel, to_ned(now.to, add(cross(t->angular_accel, now.arm), cross(t->rate, around))));
    return now;
}

LANE_INLINE vec3 unit(vec3 a)
{
    return scale(1 / lane_sqrt(lane_max(norm2(a), lane_of(TINY))), a);
}

/* Weight less buoyancy and drag of payloads that keep their place below their vehicles, N. */
LANE_INLINE vec3 steady_load(const block *b, const payload *p, const payload_truth *t, const period *now)
{
    const payload_fluid in = fluid_at(b, p, t, now->end.z + p->payload_length);
    const lane mass = p->payload_mass, sinking = lane_max(mass - in.displaced, lane_of(0));
    return add(scale(sinking, t->free_fall), scale(mass, drag(p, &in, now->end_vel, mass, now->length)));
}

/* Puts payloads whose motion begins where they hang in their steady load, or where they were fixed. */
LANE_INLINE void begin_motion(payload *p, const payload_truth *t, const period *now, vec3 load, mask where)
{
    const vec3 along = unit(vec3_select(norm2(load) > TINY, load, t->free_fall));
    p->payload_pos = vec3_select(where, add(now->end, scale(p->payload_length, along)), p->payload_pos);
    p->payload_vel = vec3_select(where, now->end_vel, p->payload_vel);
}

/* d_m of d_0 and d_1.  With a velocity of the ends along -d_0 it would give them energy, and beyond a right angle, too: such
 * cables are stretched along d_1. */
LANE_INLINE vec3 middle(vec3 before, vec3 after, vec3 velocity, lane reeling)
{
    const lane inwards = reeling - dot(velocity, before), outwards = dot(velocity, after) - reeling;
    const mask turns = (inwards <= (real)0.02 * lane_abs(outwards)) & (dot(before, after) > 0);
    return vec3_select(turns, unit(add(before, after)), after);
}

/* Directions of the cable, and what a tension does to both of its ends. */
LANE_INLINE mask stretch(period *now, const payload *p, const payload_truth *t, const mass_change *by)
{
    const vec3 closing = sub(p->payload_vel, now->end_vel), turning = sub(now->accel, now->end_accel);
    const vec3 way = add(closing, scale(lane_of(HALF * now->length), turning));
    const vec3 after = add(now->distance, scale(lane_of(now->length), way));
    now->along = unit(after);
    now->pull = middle(unit(now->distance), now->along, closing, now->reeling);
    lane mass = t->mass;
    sym3 inertia = t->inertia;
    vec3 arm = now->arm;
    if (by->any) {
        mass = lane_select(by->changed, mass * by->left, mass);
        inertia = mass_change_inertia(by, t->mass, inertia);
        arm = sub(arm, by->centre);
    }
    const vec3 torque = cross(arm, to_body(now->to, now->pull));
    const sym3 light = sym3_inverse(inertia);
    const vec3 turned = to_ned(now->to, cross(sym3_mul(light, torque), arm));
    const lane stiffness = lane_sqrt(norm2(arm)) * (light.xx + light.yy + light.zz);
    now->swing = now->length * now->length * stiffness;
    now->answer = scale(lane_of(now->length), add(scale(1 / mass, now->pull), turned));
    now->given = dot(now->along, now->answer) + now->length / p->payload_mass * dot(now->along, now->pull);
    return norm2(after) > p->payload_length * p->payload_length;
}

/* The tension that leaves no velocity along the cable but that of the winch. */
LANE_INLINE void tighten(payload_end *e, const period *now, const payload *p, mask taut)
{
    const lane speed = dot(sub(e->vel, e->end_vel), now->along) - now->reeling;
    lane more = speed / lane_max(now->given, lane_of(SLIGHT * now->length));
    more = lane_select(taut, lane_max(more, -e->tension), lane_of(0));
    e->tension += more;
    e->vel = sub(e->vel, scale(more * now->length / p->payload_mass, now->pull));
    e->end_vel = add(e->end_vel, scale(more, now->answer));
}

/* The impulses of the ground that leave no velocity into it, and along it none within the friction. */
LANE_INLINE void press(payload_end *e, const payload_ground *g, lane mass)
{
    const lane none = lane_of(0), sinking = dot(sub(e->vel, g->velocity), g->normal);
    const lane more = lane_select(g->touches, lane_max(mass * sinking, -e->press), none);
    e->press += more;
    e->vel = sub(e->vel, scale(more / mass, g->normal));
    vec3 sliding = sub(e->vel, g->velocity);
    sliding = sub(sliding, scale(dot(sliding, g->normal), g->normal));
    const vec3 held = sub(e->rub, scale(mass, sliding));
    const lane most = g->friction * e->press, square = norm2(held);
    const lane share = lane_select(square > most * most,
                                   most / lane_sqrt(lane_max(square, lane_of(TINY * TINY))), lane_of(1));
    const vec3 rub = vec3_select(g->touches, scale(share, held), e->rub);
    e->vel = add(e->vel, scale(1 / mass, sub(rub, e->rub)));
    e->rub = rub;
}

/* The ground where a payload may touch it; one that is below is put on it. */
LANE_INLINE payload_ground ground_below(const block *b, payload *p, const payload_truth *t, const period *now,
                                        mask moves)
{
    const ground_plane plane = ground_plane_below(b);
    const vec3 from = sub(p->payload_pos, t->pos);
    const vec3 turning = ground_turning(&plane, from.x, from.y);
    payload_ground g = {.normal = ground_normal(&plane),
                        .velocity = plane.level ? turning : add(plane.velocity, turning)};
    const lane level = t->ground + ground_fall(&plane, from.x, from.y);
    const lane depth = (p->payload_pos.z - level) * g.normal.z;
    const vec3 speed = sub(add(p->payload_vel, scale(lane_of(HALF * now->length), now->accel)), g.velocity);
    g.touches = moves & (depth + now->length * dot(speed, g.normal) >= 0);
    g.friction = p->payload_friction * plane.grip;
    const lane above = lane_select(moves & (depth > 0), depth, lane_of(0));
    p->payload_pos = sub(p->payload_pos, scale(above, g.normal));
    return g;
}

/* A payload that the cable, stretched, is too short for is put at its end. */
LANE_INLINE void shorten(period *now, payload *p, mask hangs)
{
    now->distance = sub(p->payload_pos, now->end);
    const lane square = norm2(now->distance), cable = p->payload_length;
    const mask over = hangs & (square > cable * cable);
    const lane share = lane_select(over, cable / lane_sqrt(lane_max(square, lane_of(TINY))), lane_of(1));
    const vec3 excess = scale(1 - share, now->distance);
    now->distance = sub(now->distance, excess);
    p->payload_pos = sub(p->payload_pos, excess);
}

/* Reels the cable in or out. */
LANE_INLINE void reel(period *now, payload *p, mask hangs)
{
    const lane most = p->payload_reel_speed * now->length;
    lane more = lane_max(p->payload_length_sp, lane_of(LEAST)) - p->payload_length;
    more = lane_select(hangs, lane_clamp(more, -most, most), lane_of(0));
    p->payload_length += more;
    now->reeling = more / now->length;
}

/* The motion of payloads on cables and dropped in a period. */
LANE_INLINE void move(const block *b, payload *p, const payload_truth *t, period *now,
                      const payload_modes *modes)
{
    const lane tau = lane_of(now->length);
    const mass_change by = changed_mass_of(b, t->mass);
    const payload_fluid in = fluid_at(b, p, t, p->payload_pos.z + HALF * tau * p->payload_vel.z);
    now->accel = add(scale(1 - in.displaced / p->payload_mass, t->free_fall),
                     drag(p, &in, p->payload_vel, p->payload_mass, now->length));
    shorten(now, p, modes->hangs);
    reel(now, p, modes->hangs);
    const payload_ground g = ground_below(b, p, t, now, modes->moves);
    const mask taut = modes->hangs & stretch(now, p, t, &by);
    const vec3 none = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    payload_end e = {.vel = add(p->payload_vel, scale(tau, now->accel)),
                     .end_vel = add(now->end_vel, scale(tau, now->end_accel)),
                     .tension = lane_of(0),
                     .press = lane_of(0),
                     .rub = none};
    const int rounds = mask_any(g.touches) ? ROUNDS : 1;
    for (int i = 0; i < rounds; i++) {
        tighten(&e, now, p, taut);
        if (rounds > 1) press(&e, &g, p->payload_mass);
    }
    const vec3 way = scale(lane_of(HALF * now->length), add(p->payload_vel, e.vel));
    p->payload_pos = vec3_add_dithered(p->payload_pos, way, t->dither);
    p->payload_vel = e.vel;
    p->payload_tension = e.tension;
    p->payload_force = scale(e.tension, now->pull);
}

/* A payload that is fixed: where it is at the end of the period, its drag and its buoyancy. */
LANE_INLINE void carry(const block *b, payload *p, const payload_truth *t, const period *now, mask fixed)
{
    const payload_fluid in = fluid_at(b, p, t, now->end.z);
    const vec3 slowed = scale(t->mass, drag(p, &in, now->end_vel, t->mass, now->length));
    const vec3 held = sub(slowed, scale(in.displaced, t->free_fall));
    const vec3 after = add(now->end, scale(lane_of(now->length), now->end_vel));
    p->payload_pos = vec3_select(fixed, after, p->payload_pos);
    p->payload_vel = vec3_select(fixed, now->end_vel, p->payload_vel);
    p->payload_tension = lane_select(fixed, lane_of(0), p->payload_tension);
    p->payload_force = vec3_select(fixed, held, p->payload_force);
}

/* The torque on the vehicle, of the arm in the middle of the period, within what lets the body swing by a radian in it. */
LANE_INLINE void turn(payload *p, const payload_truth *t, const period *now)
{
    const vec3 force = to_body(now->to, p->payload_force);
    const vec3 turned = scale(lane_of(HALF * now->length), cross(t->rate, force));
    const lane most = lane_max(lane_of(1), p->payload_tension * now->swing);
    p->payload_torque = scale(1 / most, cross(now->arm, sub(force, turned)));
}

/* Without a step in time: payloads whose motion begins hang in their steady load, unless they lie on the ground. */
LANE_INLINE void hang(const block *b, payload *p, const payload_truth *t, vec3 load, mask hangs)
{
    const ground_plane plane = ground_plane_below(b);
    const vec3 from = sub(p->payload_pos, t->pos), none = {lane_of(0), lane_of(0), lane_of(0)};
    const mask lies = p->payload_pos.z >= t->ground + ground_fall(&plane, from.x, from.y);
    p->payload_force = vec3_select(hangs & mask_not(lies), load, none);
    p->payload_tension = lane_sqrt(norm2(p->payload_force));
}

/* Gives vehicles a fault flag whose payload has a motion that is not finite. */
LANE_INLINE void flag_lost(const block *b, const payload *p, mask whose)
{
    const vec3 sum = add(p->payload_pos, p->payload_vel);
    const mask lost = whose & mask_not(lane_finite(sum.x + sum.y + sum.z));
    uint32_t *status = block_flag(b, RF_FLAG_STATUS);
    if (mask_any(lost)) words_store(status, words_load(status) | words_of(lost, RF_VEHICLE_NOT_FINITE));
}

void RF_SET_NAME(rf_payload_update)(const block *b, const payload_truth *t)
{
    payload p = payload_load(b);
    const payload_modes modes = modes_of(b);
    period now = period_of(&p, t, b->period);
    const mask moved = words_load(PAYLOAD_WORD(b, payload_moves)) != 0;
    const mask begins = b->begins ? modes.moves : modes.moves & mask_not(moved);
    mask whose = (modes.moves | modes.fixed) & (words_load(block_flag(b, RF_FLAG_STATUS)) == 0);
    vec3 load = {lane_of(0), lane_of(0), lane_of(0)};
    if (mask_any(begins)) {
        load = steady_load(b, &p, t, &now);
        begin_motion(&p, t, &now, load, begins);
    }
    if (b->refreshed != NULL) {
        whose &= (begins | modes.fixed) & (words_load(b->refreshed) != 0);
        hang(b, &p, t, load, modes.hangs);
        carry(b, &p, t, &now, modes.fixed);
        p.payload_torque = cross(now.arm, to_body(now.to, p.payload_force));
    } else {
        if (mask_any(modes.moves)) move(b, &p, t, &now, &modes);
        if (mask_any(modes.fixed)) carry(b, &p, t, &now, modes.fixed);
        turn(&p, t, &now);
        flag_lost(b, &p, whose & modes.moves);
    }
    whose &= norm2(p.payload_vel) < (real)RF_MAX_SPEED * (real)RF_MAX_SPEED; /* false with NaN */
    rows_store_where(whose, (const lane *)&p, ROWS_OF(payload), part_columns(b, RF_PART_payload), b->stride);
    words_store_where(whose, PAYLOAD_WORD(b, payload_moves), words_of(modes.moves, 1));
}
SET_END
