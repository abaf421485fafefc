/* SPDX-License-Identifier: BSD-3-Clause */
/* One hash of the results of all lane functions for a few hundred vehicles, with which test_lane.c compares sets bit for
 * bit; see lane_bodies.h. */
/* LANE_WIDTH numbers in [-range, range), the same for a vehicle at any width. */
static lane digest_input(uint32_t first, uint32_t stream, double range)
{
    elements x;
    for (uint32_t i = 0; i < LANE_WIDTH; i++) {
        x.of[i] =
            (real)((2 * (double)uniform_float(random_words(1, first + i, stream, 0).word[0]) - 1) * range);
    }
    return lane_load(x.of);
}

/* FNV-1a, of element `i` of every result. */
static uint64_t digest_add(uint64_t hash, const elements *results, int count, int i)
{
    for (int r = 0; r < count; r++) {
        unsigned char bytes[sizeof(real)];
        memcpy(bytes, &results[r].of[i], sizeof bytes);
        for (size_t b = 0; b < sizeof bytes; b++) hash = (hash ^ bytes[b]) * 0x100000001b3u;
    }
    return hash;
}

uint64_t LANE_SET(lane_digest)(void)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t first = 0; first < DIGEST_VEHICLES; first += LANE_WIDTH) {
        lane angle = digest_input(first, 0, 2000), x = digest_input(first, 1, 3),
             y = digest_input(first, 2, 3);
        quat q = {lane_of(1), digest_input(first, 3, 1), digest_input(first, 4, 1),
                  digest_input(first, 5, 1)};
        vec3 v = vec3_of(x, y, digest_input(first, 6, 10));
        sym3 m = {4 + x, 9 - y, lane_of(5), y, x, lane_of(1)};
        for (int i = 0; i < 6; i++) q = quat_normalize(q);

        lane s, c;
        lane_sincos(angle, &s, &c);
        euler angles = euler_from_quat(q);
        vec3 ned = to_ned(rotation_from_quat(q), v), turned = sym3_mul(sym3_inverse(m), cross(v, ned));
        quat rate = quat_derivative(q, v);
        const lane results[] = {s,
                                c,
                                lane_atan2(y, x),
                                lane_asin(x),
                                wrap_angle(angle),
                                lane_exp(y),
                                lane_log(lane_abs(angle) + 1),
                                angles.roll,
                                angles.pitch,
                                angles.yaw,
                                ned.x,
                                ned.y,
                                ned.z,
                                turned.x,
                                turned.y,
                                turned.z,
                                rate.w,
                                rate.x,
                                rate.y,
                                rate.z,
                                lane_min(x, y),
                                lane_max(x, y),
                                lane_clamp(angle, x, lane_of(4)),
                                lane_sqrt(lane_abs(x)),
                                lane_select(x < y, x, y),
                                lane_select(mask_not(x < y), x, y)};
        enum { COUNT = sizeof results / sizeof results[0] };
        elements stored[COUNT];
        for (int r = 0; r < COUNT; r++) stored[r] = elements_of(results[r]);
        for (int i = 0; i < LANE_WIDTH; i++) hash = digest_add(hash, stored, COUNT, i);
    }
    return hash;
}
