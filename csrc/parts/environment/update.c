/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment stage: computes the held values of a block.
 *
 * What an effect that is off would write is neutral: no variation of the wind, the air at sea level, gravity of the
 * standard atmosphere, no magnetic field.  Each effect is computed, and its settings are loaded, where a vehicle of the
 * block has it.
 *
 * A refresh (rf_batch_refresh) computes the values of some vehicles at their present states and takes no step in time: the
 * gust is that of the last update, the filters of the turbulence keep their state. */
#include "base/sets.h"

SET_BEGIN
#include "parts/environment/update.h"

#include "math/map_frame.h"
#include "math/random.h"
#include "models/dryden.h"
#include "models/gravity.h"
#include "models/ground_effect.h"
#include "models/wind.h"
#include "models/wmm.h"
#include "parts/downwash/held.h"
#include "parts/faults/held.h"
#include "parts/random.h"

/* Streams of math/philox.h. */
enum { ENVIRONMENT_STREAM = 0x57494E44 };

/* Loads the columns from `first` to before `end`: only those that an effect needs. */
#define ENVIRONMENT_ROW(name) ((int)(offsetof(environment, name) / sizeof(lane)))
#define ENVIRONMENT_LOAD(e, b, first, end)                                                                   \
    rows_load((lane *)(e) + ENVIRONMENT_ROW(first), ENVIRONMENT_ROW(end) - ENVIRONMENT_ROW(first),           \
              ENVIRONMENT_COLUMN(b, first), (b)->stride)

LANE_INLINE void environment_words_load(environment_words *w, const block *b)
{
    LANE_UNROLL
    for (int i = 0; i < (int)(sizeof *w / sizeof(mask)); i++) {
        ((mask *)w)[i] = words_load(part_words(b, RF_PART_environment) + (size_t)i * b->word_stride);
    }
}

LANE_INLINE vec3 environment_where(mask on, vec3 v)
{
    return vec3_select(on, v, vec3_of(lane_of(0), lane_of(0), lane_of(0)));
}

LANE_INLINE mask environment_on(const environment_words *w, lane_int effect)
{
    return words_have(w->environment_effects, effect);
}

LANE_INLINE void environment_air(environment *e, environment_words *w, const map_origin *origin, vec3 pos,
                                 const block *b)
{
    ENVIRONMENT_LOAD(e, b, temperature_offset, shear_height);
    mask on = environment_on(w, ENVIRONMENT_ATMOSPHERE);
    lane geopotential = atmosphere_geopotential(map_height(origin, pos));
    air a = atmosphere_at(geopotential, e->temperature_offset, e->sea_level_pressure);
    e->air_temperature = lane_select(on, a.temperature, e->air_temperature);
    e->air_pressure = lane_select(on, a.pressure, e->air_pressure);
    e->air_density = lane_select(on, a.density, e->air_density);
    e->sound_speed = lane_select(on, a.sound_speed, e->sound_speed);
    w->environment_limits = words_of(on & atmosphere_outside(geopotential), 1);
}

LANE_INLINE void environment_gravity_update(environment *e, const environment_words *w,
                                            const map_origin *origin, vec3 pos)
{
    lane there = gravity_normal(map_sine_latitude(origin, pos), map_height(origin, pos));
    e->normal_gravity = lane_select(environment_on(w, ENVIRONMENT_GRAVITY), there, e->normal_gravity);
}

LANE_INLINE void environment_near_ground(environment *e, const environment_words *w,
                                         const environment_vehicle *v, const block *b)
{
    ENVIRONMENT_LOAD(e, b, rotor_radius, air_temperature);
    lane factor = ground_effect(e->rotor_radius, v->terrain - v->pos.z + e->hub_height, v->upright);
    e->ground_effect = lane_select(environment_on(w, ENVIRONMENT_GROUND_EFFECT), factor, e->ground_effect);
}

/* Variation of the horizontal wind by shear [m/s, NED]. */
LANE_INLINE vec3 environment_shear(environment *e, const environment_words *w, const environment_vehicle *v,
                                   const block *b)
{
    ENVIRONMENT_LOAD(e, b, shear_height, gust);
    lane factor = wind_shear(v->terrain - v->pos.z, e->shear_height, e->shear_roughness);
    vec3 level = vec3_of(v->wind.x, v->wind.y, lane_of(0));
    return environment_where(environment_on(w, ENVIRONMENT_SHEAR), scale(factor - 1, level));
}

/* Wind of faults, whose horizontal part grows with the height [m/s, NED]. */
LANE_INLINE vec3 environment_faulty_shear(environment *e, const environment_vehicle *v, vec3 sheared,
                                          const block *b)
{
    ENVIRONMENT_LOAD(e, b, shear_height, gust);
    lane factor = wind_shear(v->terrain - v->pos.z, e->shear_height, e->shear_roughness);
    return vec3_of(factor * sheared.x, factor * sheared.y, sheared.z);
}

/* Velocity of the gust [m/s, NED]; a step counts its updates up to the 24 bits of a lane. */
LANE_INLINE vec3 environment_gust(environment *e, environment_words *w, const block *b)
{
    ENVIRONMENT_LOAD(e, b, gust, turbulence_wind);
    mask on = environment_on(w, ENVIRONMENT_GUST);
    lane updates = lane_of_words(w->gust_updates);
    if (b->refreshed != NULL) {
        updates = lane_max(updates - 1, lane_of(0));
    } else {
        w->gust_updates += words_of(on & (w->gust_updates < 0xFFFFFF), 1);
    }
    lane time = updates * lane_of(b->period) - e->gust_delay;
    lane fraction = wind_gust(time, e->gust_times.x, e->gust_times.y, e->gust_times.z);
    return environment_where(on, scale(fraction, e->gust));
}

/* Six normal numbers of each vehicle of a block for this update. */
LANE_INLINE void environment_noise(const block *b, lane noise[6])
{
    random_block words;
    block_random(&words, b, ENVIRONMENT_STREAM);
    for (int i = 0; i < 3; i++) noise_of_words(words.word[i], &noise[2 * i], &noise[2 * i + 1]);
}

/* NED components of a vector along the horizontal wind, across and down; without wind, along north. */
LANE_INLINE vec3 environment_from_wind_axes(vec3 v, vec3 wind)
{
    lane square = wind.x * wind.x + wind.y * wind.y;
    mask calm = mask_not(square > (real)1e-12);
    lane inverse = 1 / lane_sqrt(lane_select(calm, lane_of(1), square));
    lane north = lane_select(calm, lane_of(1), wind.x * inverse);
    lane east = lane_select(calm, lane_of(0), wind.y * inverse);
    return vec3_of(north * v.x - east * v.y, east * v.x + north * v.y, v.z);
}

/* A step of the filters of the turbulence. */
LANE_INLINE void environment_filter(const environment *e, const dryden_scales *s,
                                    const environment_vehicle *v, vec3 mean_wind, const block *b,
                                    lane next[WIDTH_dryden_memory])
{
    lane speed = lane_max(lane_sqrt(norm2(sub(v->vel, mean_wind))), e->turbulence_min_speed);
    lane travel = speed * b->period;
    mask fresh = next[0] == 0; /* the first update after a reset */
    const lane stationary = lane_of(DRYDEN_FRESH);
    dryden_update level = dryden_update_of(lane_select(fresh, stationary, travel / s->length));
    dryden_update vertical = dryden_update_of(lane_select(fresh, stationary, travel / s->length_w));
    lane noise[6];
    environment_noise(b, noise);
    next[0] = dryden_first(&level, next[0], noise[0]);
    dryden_second(&level, &next[1], noise[1], noise[2]);
    dryden_second(&vertical, &next[3], noise[3], noise[4]);
}

/* Scales of the turbulence by settings and by a wind of faults, whose severity is that of the nearest wind of 15, 30 and
 * 45 knots.  Below 1000 ft variances are in proportion to the squares of the winds, and add up. */
LANE_INLINE dryden_scales environment_scales(const environment *e, const environment_words *w,
                                             const environment_vehicle *v, lane by_fault2)
{
    const mask by_user = environment_on(w, ENVIRONMENT_TURBULENCE), by_fault = by_fault2 > 0;
    const lane own = lane_select(by_user, e->turbulence_wind, lane_of(0));
    const lane both = lane_sqrt(own * own + by_fault2), between = lane_of((real)22.5 * DRYDEN_KNOT);
    const lane higher = lane_of((real)37.5 * DRYDEN_KNOT);
    mask severity = words_of(by_user, 3) & w->turbulence_severity;
    mask faulty = words_select(both > higher, words_of(mask_true(), DRYDEN_SEVERE),
                               words_of(mask_true(), DRYDEN_MODERATE));
    faulty = words_select(both > between, faulty, words_of(mask_true(), DRYDEN_LIGHT));
    severity = words_select(by_fault & (faulty > severity), faulty, severity);
    return dryden_scales_at(v->terrain - v->pos.z, lane_select(by_fault, both, e->turbulence_wind), severity);
}

/* Velocity of the turbulence [m/s, NED], after a step of its filters unless it is a refresh. */
LANE_INLINE vec3 environment_turbulence(environment *e, const environment_words *w,
                                        const environment_vehicle *v, vec3 mean_wind, vec3 by_fault,
                                        const block *b)
{
    ENVIRONMENT_LOAD(e, b, turbulence_wind, magnetic_date);
    const lane by_fault2 = norm2(by_fault);
    mask on = environment_on(w, ENVIRONMENT_TURBULENCE) | (by_fault2 > 0);
    dryden_scales s = environment_scales(e, w, v, by_fault2);
    lane before[WIDTH_dryden_memory], next[WIDTH_dryden_memory];
    rows_load(before, WIDTH_dryden_memory, ENVIRONMENT_COLUMN(b, turbulence_memory), b->stride);
    for (int i = 0; i < WIDTH_dryden_memory; i++) next[i] = before[i];
    if (b->refreshed == NULL) {
        environment_filter(e, &s, v, add(mean_wind, by_fault), b, next);
        rows_select(next, on, next, before, WIDTH_dryden_memory);
        rows_store(next, WIDTH_dryden_memory, ENVIRONMENT_COLUMN(b, turbulence_memory), b->stride);
    }
    vec3 velocity =
        vec3_of(s.sigma * next[0], s.sigma * dryden_across(&next[1]), s.sigma_w * dryden_across(&next[3]));
    return environment_where(on, environment_from_wind_axes(velocity, add(v->wind, by_fault)));
}

/* The vehicles of a block that get new values. */
LANE_INLINE mask environment_computed(const block *b)
{
    return b->refreshed == NULL ? mask_true() : words_load(b->refreshed) != 0;
}

/* Computes the cells of the vehicles of a block that have left theirs. */
static __attribute__((noinline)) void environment_new_cells(const block *b, const environment *e,
                                                            const environment_vehicle *v, mask left)
{
    real *to_middle = ENVIRONMENT_COLUMN(b, magnetic_cell);
    real *to_field = ENVIRONMENT_COLUMN(b, magnetic_cell_field);
    real *to_gradient = ENVIRONMENT_COLUMN(b, magnetic_gradient);
    _Alignas(64) real pos[3][LANE_WIDTH], date[LANE_WIDTH], outside[LANE_WIDTH];
    rows_store((const lane *)&v->pos, 3, pos[0], LANE_WIDTH);
    lane_store(date, e->magnetic_date);
    lane_store(outside, lane_select(left, lane_of(1), lane_of(0)));
    for (int k = 0; k < LANE_WIDTH; k++) {
        if (outside[k] == 0) continue;
        const double middle[3] = {(double)pos[0][k], (double)pos[1][k], (double)pos[2][k]};
        double field[3], gradient[3][3];
        rf_wmm_cell(b->origin, (double)date[k], middle, field, gradient);
        for (int i = 0; i < 3; i++) {
            to_middle[(size_t)i * b->stride + (size_t)k] = (real)middle[i];
            to_field[(size_t)i * b->stride + (size_t)k] = (real)field[i];
            for (int j = 0; j < 3; j++) {
                to_gradient[(size_t)(3 * i + j) * b->stride + (size_t)k] = (real)gradient[i][j];
            }
        }
        ENVIRONMENT_COLUMN(b, magnetic_cell_date)[k] = date[k];
    }
}

/* The magnetic field, linear in the cell of each vehicle. */
LANE_INLINE vec3 environment_magnetic(environment *e, const environment_words *w,
                                      const environment_vehicle *v, const block *b)
{
    ENVIRONMENT_LOAD(e, b, magnetic_date, rotor_radius);
    ENVIRONMENT_LOAD(e, b, magnetic_cell_date, turbulence_memory);
    mask on = environment_on(w, ENVIRONMENT_MAGNETIC);
    vec3 off = vec3_abs(sub(v->pos, e->magnetic_cell));
    lane farthest = lane_max(lane_max(off.x, off.y), off.z);
    mask left = on & environment_computed(b) &
                ((farthest > (real)(WMM_CELL / 2)) | (e->magnetic_cell_date != e->magnetic_date));
    if (mask_any(left)) {
        environment_new_cells(b, e, v, left);
        ENVIRONMENT_LOAD(e, b, magnetic_cell_date, turbulence_memory);
    }
    vec3 d = sub(v->pos, e->magnetic_cell);
    const lane *g = e->magnetic_gradient;
    vec3 change = vec3_of(g[0] * d.x + g[1] * d.y + g[2] * d.z, g[3] * d.x + g[4] * d.y + g[5] * d.z,
                          g[6] * d.x + g[7] * d.y + g[8] * d.z);
    return environment_where(on, add(e->magnetic_cell_field, change));
}

LANE_INLINE void environment_neutral(environment *e, environment_words *w)
{
    e->air_temperature = lane_of(ATMOSPHERE_TEMPERATURE);
    e->air_pressure = lane_of(ATMOSPHERE_PRESSURE);
    e->air_density = lane_of(ATMOSPHERE_DENSITY);
    e->sound_speed = lane_of(ATMOSPHERE_SOUND_SPEED);
    e->normal_gravity = lane_of(ATMOSPHERE_GRAVITY);
    e->ground_effect = lane_of(1);
    e->wind_variation = e->magnetic_field = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    w->environment_limits = words_of(mask_true(), 0);
}

/* The variation of the wind: shear, gust, turbulence and downwash, with those of faults, add up. */
LANE_INLINE vec3 environment_wind_update(environment *e, environment_words *w, const environment_vehicle *v,
                                         const block *b)
{
    const lane_int any = words_any(w->environment_effects);
    const faulty_air by_faults = faults_air(b);
    vec3 sum = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    if (any & ENVIRONMENT_SHEAR) sum = environment_shear(e, w, v, b);
    if (mask_any(norm2(by_faults.sheared) > 0)) {
        sum = add(sum, environment_faulty_shear(e, v, by_faults.sheared, b));
    }
    vec3 mean = add(v->wind, sum);
    if (any & ENVIRONMENT_GUST) {
        sum = add(sum, environment_gust(e, w, b));
    }
    if ((any & ENVIRONMENT_TURBULENCE) || mask_any(norm2(by_faults.turbulent) > 0)) {
        sum = add(sum, environment_turbulence(e, w, v, mean, by_faults.turbulent, b));
    }
    if (any & ENVIRONMENT_DOWNWASH) {
        sum = add(sum, environment_where(environment_on(w, ENVIRONMENT_DOWNWASH), downwash_of(b)));
    }
    return sum;
}

/* Stores the columns from air_temperature to magnetic_field, and the words. */
LANE_INLINE void environment_store(const block *b, environment *e, environment_words *w)
{
    enum { FIRST = ENVIRONMENT_ROW(air_temperature), COUNT = ENVIRONMENT_ROW(magnetic_cell_date) - FIRST };
    lane *results = (lane *)e + FIRST;
    if (b->refreshed != NULL) {
        mask computed = environment_computed(b);
        lane held[COUNT];
        rows_load(held, COUNT, ENVIRONMENT_COLUMN(b, air_temperature), b->stride);
        rows_select(results, computed, results, held, COUNT);
        mask limits = words_load(ENVIRONMENT_WORD(b, environment_limits));
        w->environment_limits = (w->environment_limits & computed) | (limits & mask_not(computed));
    }
    rows_store(results, COUNT, ENVIRONMENT_COLUMN(b, air_temperature), b->stride);
    words_store(ENVIRONMENT_WORD(b, gust_updates), w->gust_updates);
    words_store(ENVIRONMENT_WORD(b, environment_limits), w->environment_limits);
}

void RF_SET_NAME(rf_environment_update)(const block *b, const environment_vehicle *v)
{
    environment e;
    environment_words w;
    map_origin origin = map_origin_of(b->origin);
    environment_words_load(&w, b);
    environment_neutral(&e, &w);
    const lane_int any = words_any(w.environment_effects);
    if (any & ENVIRONMENT_MAGNETIC) e.magnetic_field = environment_magnetic(&e, &w, v, b);
    if (any & ENVIRONMENT_ATMOSPHERE) environment_air(&e, &w, &origin, v->pos, b);
    if (any & ENVIRONMENT_GRAVITY) environment_gravity_update(&e, &w, &origin, v->pos);
    if (any & ENVIRONMENT_GROUND_EFFECT) environment_near_ground(&e, &w, v, b);
    e.wind_variation = environment_wind_update(&e, &w, v, b);
    environment_store(b, &e, &w);
}
SET_END
