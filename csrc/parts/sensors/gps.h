/* SPDX-License-Identifier: BSD-3-Clause */
/* Satellite receiver.  A sample is position and velocity, with a drift of the position (models/gauss_markov.h) and noise,
 * normal and uniform; it is reported after the delay, with what models/gps.h says of it.  Under water there is no fix. */
#ifndef RF_PARTS_SENSORS_GPS_H
#define RF_PARTS_SENSORS_GPS_H

#include "models/gauss_markov.h"
#include "models/gps.h"
#include "parts/late_samples/late_samples.h"
#include "parts/sensors/clock.h"
#include "parts/sensors/random.h"

enum { GPS_SAMPLE = 6 }; /* values of a sample: position, velocity */

/* (h x, h y, v z) of a pair (h, v). */
LANE_INLINE vec3 gps_scaled(const lane *pair_of, const lane *x)
{
    return vec3_of(pair_of[0] * x[0], pair_of[0] * x[1], pair_of[1] * x[2]);
}

/* Uniform noise within +-1, of the words of a block after the first. */
LANE_INLINE vec3 gps_uniform_noise(const random_block *random)
{
    lane u[3];
    for (int i = 0; i < 3; i++) u[i] = 2 * uniform_of_word(words_load(random->word[1 + i])) - 1;
    return vec3_of(u[0], u[1], u[2]);
}

/* Time since the last sample [s], which is now this one where it is due; `fresh`: there was none since the reset.  So the
 * drift goes on while the receiver is off. */
LANE_INLINE lane gps_time_since_sample(const block *b, mask due, mask *fresh)
{
    uint32_t *sampled = SENSORS_WORD(b, gps_sampled);
    mask last = words_load(sampled), next = sensors_now(b) + words_of(mask_true(), 1);
    *fresh = last == 0;
    words_store(sampled, words_select(due, next, last));
    return lane_of_words((next - last) & (lane_int)0xFFFFFF) * b->period;
}

/* Remembers where the antenna is under water. */
LANE_INLINE void gps_note_water(const sensors_gps *s, const block *b, const sensors_water *water, mask due)
{
    if (!water->any) return;
    words_store_where(due & (water->sunk > s->gps_antenna), SENSORS_WORD(b, gps_wet),
                      sensors_now(b) + words_of(mask_true(), 1));
}

/* Where the antenna is under water, or was so less than `gps_regain` ago. */
LANE_INLINE mask gps_is_drowned(const sensors_gps *s, const block *b)
{
    mask wet = words_load(SENSORS_WORD(b, gps_wet)), next = sensors_now(b) + words_of(mask_true(), 1);
    lane since = lane_of_words((next - wet) & (lane_int)0xFFFFFF) * b->period;
    return (wet != 0) & (since <= s->gps_regain);
}

LANE_INLINE vec3 gps_next_drift(const sensors_gps *s, lane elapsed, mask fresh, const lane *noise)
{
    gauss_markov level = gauss_markov_of(s->gps_walk[0], s->gps_tau, elapsed, fresh);
    gauss_markov vertical = gauss_markov_of(s->gps_walk[1], s->gps_tau, elapsed, fresh);
    return vec3_of(gauss_markov_next(&level, s->gps_drift.x, noise[0]),
                   gauss_markov_next(&level, s->gps_drift.y, noise[1]),
                   gauss_markov_next(&vertical, s->gps_drift.z, noise[2]));
}

LANE_INLINE void sensors_sample_gps(const block *b, const sensors_truth *truth, mask due)
{
    sensors_gps s;
    lane noise[10];
    SENSORS_LOAD(&s, b, gps_delay);
    random_block random[2];
    for (int i = 0; i < 2; i++) sensors_random(&random[i], b, SENSORS_STREAM_GPS + (uint32_t)i);
    sensors_normals(&random[0], 0, 4, noise);
    sensors_normals(&random[1], 0, 1, noise + 8);
    gps_note_water(&s, b, &truth->water, due);
    mask fresh;
    lane elapsed = gps_time_since_sample(b, due, &fresh);
    for (int i = 0; i < 2; i++)
        faults_change_noise(b, truth->at_fault, FAULTY_GPS, lane_of(1), &s.gps_noise[i]);
    s.gps_drift = gps_next_drift(&s, elapsed, fresh, noise);
    vec3 error = add(s.gps_drift, gps_scaled(s.gps_noise, noise + 3));
    error = add(error, scale(s.gps_uniform, gps_uniform_noise(&random[1])));
    for (int axis = 0; axis < 3; axis++)
        faults_change_bias(b, truth->at_fault, FAULTY_GPS, axis, (lane *)&error + axis);
    vec3 sample[2] = {truth->pos, truth->vel};
    faults_change_receiver(b, &sample[0], &sample[1]);
    sample[0] = add(sample[0], error);
    sample[1] = add(sample[1], gps_scaled(s.gps_vel_noise, noise + 6));
    for (int i = WIDTH_gps_queue - 1; i >= GPS_SAMPLE; i--) s.gps_samples[i] = s.gps_samples[i - GPS_SAMPLE];
    for (int i = 0; i < GPS_SAMPLE; i++) s.gps_samples[i] = ((const lane *)sample)[i];
    SENSORS_STORE(&s, b, gps_drift, due);
    SENSORS_STORE(&s, b, gps_samples, due);
}

/* The pending sample, which is none any more where it is due. */
LANE_INLINE void gps_take_pending(const sensors_gps *s, const block *b, mask due, lane *sample)
{
    uint32_t *pending = SENSORS_WORD(b, gps_pending), *reported = SENSORS_WORD(b, gps_reported);
    mask number = words_load(pending);
    rows_select(sample, number == 2, s->gps_samples + GPS_SAMPLE, s->gps_samples, GPS_SAMPLE);
    for (int k = 3; k <= GPS_QUEUE; k++) {
        rows_select(sample, number == k, s->gps_samples + (k - 1) * GPS_SAMPLE, sample, GPS_SAMPLE);
    }
    words_store(pending, words_select(due, words_of(mask_true(), 0), number));
    words_store_where(due, reported, number);
}

/* The best fix that faults leave the receiver. */
LANE_INLINE mask gps_fix_left(const block *b)
{
    if (!faults_are_of(b, FAULT_PLACE_receiver)) return words_of(mask_true(), GPS_3D);
    mask most = words_load(FAULTS_WORD(b, receiver_fix));
    mask left = gps_fix_of_satellites(words_load(FAULTS_WORD(b, receiver_satellites)));
    return words_select(left < most, left, most);
}

/* What is told of a sample, as it is remembered with it: accuracies, and the best fix and the satellites that faults and
 * water leave. */
typedef struct gps_quality {
    lane accuracy[2], fix, satellites;
} gps_quality;

LANE_INLINE gps_quality gps_quality_now(const sensors_gps *s, const block *b, const sensors_truth *truth)
{
    gps_quality q = {{s->gps_accuracy[0], s->gps_accuracy[1]}, lane_of_words(gps_fix_left(b)), lane_of(0)};
    for (int i = 0; i < 2; i++)
        faults_change_noise(b, truth->at_fault, FAULTY_GPS, lane_of(1), &q.accuracy[i]);
    const mask has = words_load(SENSORS_WORD(b, gps_satellites));
    q.satellites = lane_of_words(faults_satellites_left(b, has));
    if (truth->water.any) {
        const mask drowned = gps_is_drowned(s, b);
        q.fix = lane_select(drowned, lane_of(0), q.fix);
        q.satellites = lane_select(drowned, lane_of(0), q.satellites);
    }
    return q;
}

LANE_INLINE void gps_report_quality(sensors_gps *s, const block *b, const gps_quality *q, mask due)
{
    uint32_t *fix = SENSORS_WORD(b, gps_fix), *satellites = SENSORS_WORD(b, gps_reported_satellites);
    const mask own = gps_fix_type(q->accuracy[0]), left = words_of_lane(q->fix);
    s->gps_reported_accuracy[0] = lane_select(left < GPS_2D, lane_of(GPS_LOST_ACCURACY), q->accuracy[0]);
    s->gps_reported_accuracy[1] = lane_select(left < GPS_3D, lane_of(GPS_LOST_ACCURACY), q->accuracy[1]);
    SENSORS_STORE(s, b, gps_reported_accuracy, due);
    words_store_where(due, fix, words_select(own < left, own, left));
    words_store_where(due, satellites, words_of_lane(q->satellites));
}

/* What a report consists of, remembered as one sample. */
typedef struct gps_told {
    lane sample[GPS_SAMPLE];
    gps_quality quality;
} gps_told;

_Static_assert(sizeof(gps_told) == LATE_MOST * sizeof(lane), "late samples: expected all of a report");

/* Reports the pending sample; what faults leave no fix of repeats its last value. */
LANE_INLINE void sensors_report_gps(const block *b, const sensors_truth *truth, mask due)
{
    sensors_gps s;
    SENSORS_LOAD(&s, b, gps_delay);
    gps_told told = {.quality = gps_quality_now(&s, b, truth)};
    gps_take_pending(&s, b, due, told.sample);
    late_change(b, FAULTY_GPS, sensors_period(b, SENSORS_CLOCK_GPS), due, (lane *)&told);
    const lane *sample = told.sample;
    const mask left = words_of_lane(told.quality.fix);
    const mask fresh = faults_fresh(b, truth->at_fault, FAULTY_GPS, due), fixed = fresh & (left >= GPS_2D);
    s.gps_pos = vec3_of(sample[0], sample[1], lane_select(left >= GPS_3D, sample[2], s.gps_pos.z));
    s.gps_vel = vec3_of(sample[3], sample[4], sample[5]);
    s.gps_speed = gps_ground_speed(s.gps_vel.x, s.gps_vel.y);
    s.gps_course = gps_course(s.gps_vel.x, s.gps_vel.y);
    SENSORS_STORE(&s, b, gps_pos, fixed);
    SENSORS_STORE(&s, b, gps_vel, fixed);
    SENSORS_STORE(&s, b, gps_speed, fixed);
    SENSORS_STORE(&s, b, gps_course, fixed);
    gps_report_quality(&s, b, &told.quality, fresh);
    sensors_count(SENSORS_WORD(b, gps_updates), due);
}

#endif
