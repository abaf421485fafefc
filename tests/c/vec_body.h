/* SPDX-License-Identifier: BSD-3-Clause */
/* vec.h and euler.h: values calculated by hand, and identities between independent ways to the same result; see
 * lane_bodies.h. */

#define DEGREE (TRIG_PI / 180)

/* ENSURE_NEAR for every element of a lane. */
#define ENSURE_LANE(value, expected, tolerance)                                                              \
    do {                                                                                                     \
        elements got_lane_ = elements_of(value), want_lane_ = elements_of(expected);                         \
        for (int e_ = 0; e_ < LANE_WIDTH; e_++) ENSURE_NEAR(got_lane_.of[e_], want_lane_.of[e_], tolerance); \
    } while (0)

#define ENSURE_VEC3(value, x_, y_, z_, tolerance)                                                            \
    do {                                                                                                     \
        vec3 got_vec_ = (value);                                                                             \
        ENSURE_LANE(got_vec_.x, lane_of((real)(x_)), tolerance);                                             \
        ENSURE_LANE(got_vec_.y, lane_of((real)(y_)), tolerance);                                             \
        ENSURE_LANE(got_vec_.z, lane_of((real)(z_)), tolerance);                                             \
    } while (0)

static vec3 vec3_of_reals(double x, double y, double z)
{
    return vec3_of(lane_of((real)x), lane_of((real)y), lane_of((real)z));
}

/* A rotation by an angle [rad] about a unit axis. */
static quat quat_about(double x, double y, double z, double angle)
{
    double s = sin(angle / 2);
    return (quat){lane_of((real)cos(angle / 2)), lane_of((real)(s * x)), lane_of((real)(s * y)),
                  lane_of((real)(s * z))};
}

/* Quaternion product p * q, from i j = k and its cyclic permutations. */
static quat quat_product(quat p, quat q)
{
    return (quat){
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

/* An attitude, different for each element and n. */
static quat quat_sample(int n)
{
    elements w, x, y, z;
    for (int i = 0; i < LANE_WIDTH; i++) {
        double a = cos(1.1 * n + i), b = sin(2.3 * n + 3 * i), c = cos(3.7 * n - i),
               d = sin(0.9 * n - 2 * i + 1);
        double norm = sqrt(a * a + b * b + c * c + d * d);
        w.of[i] = (real)(a / norm);
        x.of[i] = (real)(b / norm);
        y.of[i] = (real)(c / norm);
        z.of[i] = (real)(d / norm);
    }
    return (quat){lane_load(w.of), lane_load(x.of), lane_load(y.of), lane_load(z.of)};
}

static void products_of_vectors_are_as_calculated_by_hand(void)
{
    vec3 a = vec3_of_reals(1, 2, 3), b = vec3_of_reals(4, -5, 6);
    ENSURE_VEC3(add(a, b), 5, -3, 9, 0);
    ENSURE_VEC3(sub(a, b), -3, 7, -3, 0);
    ENSURE_VEC3(neg(a), -1, -2, -3, 0);
    ENSURE_VEC3(scale(lane_of(2), a), 2, 4, 6, 0);
    ENSURE_VEC3(mul(a, b), 4, -10, 18, 0);
    ENSURE_VEC3(vec3_abs(b), 4, 5, 6, 0);
    ENSURE_VEC3(cross(a, b), 27, 6, -13, 0);
    ENSURE_LANE(dot(a, b), lane_of(12), 0);
    ENSURE_LANE(norm2(a), lane_of(14), 0);
}

static void cross_product_is_right_handed(void)
{
    ENSURE_VEC3(cross(vec3_of_reals(1, 0, 0), vec3_of_reals(0, 1, 0)), 0, 0, 1, 0);
    ENSURE_VEC3(cross(vec3_of_reals(0, 1, 0), vec3_of_reals(0, 0, 1)), 1, 0, 0, 0);
}

static void symmetric_matrix_times_vector_is_as_calculated_by_hand(void)
{
    sym3 m = {lane_of(1), lane_of(2), lane_of(3), lane_of(4), lane_of(5), lane_of(6)};
    ENSURE_VEC3(sym3_mul(m, vec3_of_reals(1, 10, 100)), 541, 624, 365, 0);
}

/* [[4 1 0] [1 3 1] [0 1 2]] has the determinant 18 and these cofactors. */
static void inverse_of_a_symmetric_matrix_is_as_calculated_by_hand(void)
{
    sym3 m = {lane_of(4), lane_of(3), lane_of(2), lane_of(1), lane_of(0), lane_of(1)};
    sym3 inverse = sym3_inverse(m);
    const double tolerance = REAL_EPSILON;
    ENSURE_LANE(inverse.xx, lane_of((real)(5.0 / 18)), tolerance);
    ENSURE_LANE(inverse.yy, lane_of((real)(8.0 / 18)), tolerance);
    ENSURE_LANE(inverse.zz, lane_of((real)(11.0 / 18)), tolerance);
    ENSURE_LANE(inverse.xy, lane_of((real)(-2.0 / 18)), tolerance);
    ENSURE_LANE(inverse.xz, lane_of((real)(1.0 / 18)), tolerance);
    ENSURE_LANE(inverse.yz, lane_of((real)(-4.0 / 18)), tolerance);
    ENSURE_VEC3(sym3_mul(inverse, sym3_mul(m, vec3_of_reals(1, -2, 3))), 1, -2, 3, 8 * REAL_EPSILON);
}

static void quarter_turns_move_the_axes_the_right_way(void)
{
    const double tolerance = REAL_EPSILON, quarter = 90 * (double)DEGREE;
    rotation yaw = rotation_from_quat(quat_about(0, 0, 1, quarter));
    ENSURE_VEC3(to_ned(yaw, vec3_of_reals(1, 0, 0)), 0, 1, 0, tolerance); /* heading east: forward is east */
    ENSURE_VEC3(to_ned(yaw, vec3_of_reals(0, 1, 0)), -1, 0, 0, tolerance);
    rotation pitch = rotation_from_quat(quat_about(0, 1, 0, quarter));
    ENSURE_VEC3(to_ned(pitch, vec3_of_reals(1, 0, 0)), 0, 0, -1, tolerance); /* nose up: forward is up */
    rotation roll = rotation_from_quat(quat_about(1, 0, 0, quarter));
    ENSURE_VEC3(to_ned(roll, vec3_of_reals(0, 1, 0)), 0, 0, 1,
                tolerance); /* right wing down: right is down */
}

/* (1 1 1 1) / 2 rotates by 120 degrees about the diagonal: forward to east, right to down, down to north. */
static void diagonal_quaternion_permutes_the_axes(void)
{
    const lane half = lane_of((real)0.5);
    rotation r = rotation_from_quat((quat){half, half, half, half});
    ENSURE_VEC3(to_ned(r, vec3_of_reals(1, 2, 3)), 3, 1, 2, 0);
    ENSURE_VEC3(to_body(r, vec3_of_reals(3, 1, 2)), 1, 2, 3, 0);
}

static void rotation_is_the_product_q_v_q_conjugate(void)
{
    for (int n = 0; n < 20; n++) {
        quat q = quat_sample(n), v = {lane_of(0), lane_of(1), lane_of(-2), lane_of((real)0.5)};
        quat turned = quat_product(quat_product(q, v), (quat){q.w, -q.x, -q.y, -q.z});
        vec3 ned = to_ned(rotation_from_quat(q), vec3_of(v.x, v.y, v.z));
        ENSURE_LANE(ned.x, turned.x, 8 * REAL_EPSILON);
        ENSURE_LANE(ned.y, turned.y, 8 * REAL_EPSILON);
        ENSURE_LANE(ned.z, turned.z, 8 * REAL_EPSILON);
    }
}

static void rotation_keeps_lengths_and_handedness_and_back_is_the_inverse(void)
{
    for (int n = 0; n < 20; n++) {
        rotation r = rotation_from_quat(quat_sample(n));
        ENSURE_VEC3(to_body(r, to_ned(r, vec3_of_reals(1, -2, 3))), 1, -2, 3, 32 * REAL_EPSILON);
        ENSURE_VEC3(sub(cross(r.north, r.east), r.down), 0, 0, 0, 4 * REAL_EPSILON);
        ENSURE_LANE(dot(r.north, r.east), lane_of(0), 4 * REAL_EPSILON);
        ENSURE_LANE(norm2(r.north), lane_of(1), 8 * REAL_EPSILON);
    }
}

static void rate_of_a_level_attitude_is_half_the_angular_velocity(void)
{
    quat q = quat_derivative(quat_about(1, 0, 0, 0), vec3_of_reals(1, 2, 3));
    ENSURE_LANE(q.w, lane_of(0), 0);
    ENSURE_VEC3(vec3_of(q.x, q.y, q.z), 0.5, 1, 1.5, 0);
}

static void attitude_rate_is_half_the_product_with_the_angular_velocity(void)
{
    for (int n = 0; n < 20; n++) {
        quat q = quat_sample(n), rate = {lane_of(0), lane_of(1), lane_of(-2), lane_of((real)0.5)};
        quat expected = quat_product(q, rate), got = quat_derivative(q, vec3_of(rate.x, rate.y, rate.z));
        ENSURE_LANE(2 * got.w, expected.w, 8 * REAL_EPSILON);
        ENSURE_LANE(2 * got.x, expected.x, 8 * REAL_EPSILON);
        ENSURE_LANE(2 * got.y, expected.y, 8 * REAL_EPSILON);
        ENSURE_LANE(2 * got.z, expected.z, 8 * REAL_EPSILON);
    }
}

/* |q| = 1 + e becomes (1 + e) (3 - (1 + e)^2) / 2 = 1 - 3/2 e^2 - 1/2 e^3. */
static void renormalising_squares_the_error_of_the_length(void)
{
    for (double e = -0.1; e < 0.11; e += 0.02) {
        quat q = quat_sample(3);
        lane length = lane_of((real)(1 + e));
        quat unit = quat_normalize((quat){length * q.w, length * q.x, length * q.y, length * q.z});
        real expected = (real)(1 - 1.5 * e * e - 0.5 * e * e * e);
        ENSURE_LANE(lane_sqrt(quat_norm2(unit)), lane_of(expected), 4 * REAL_EPSILON);
        ENSURE_LANE(unit.x * q.w, unit.w * q.x, 4 * REAL_EPSILON); /* and the direction stays */
    }
}

static quat quat_of_euler(double roll, double pitch, double yaw)
{
    quat about_down = quat_about(0, 0, 1, yaw), about_right = quat_about(0, 1, 0, pitch);
    return quat_product(quat_product(about_down, about_right), quat_about(1, 0, 0, roll));
}

static void euler_angles_come_back_from_their_quaternion(void)
{
    for (int roll = -175; roll < 180; roll += 50) {
        for (int pitch = -85; pitch < 90; pitch += 34) {
            for (int yaw = -160; yaw <= 180; yaw += 85) {
                const double degree = PI / 180, tolerance = 64 * REAL_EPSILON;
                euler angles = euler_from_quat(quat_of_euler(roll * degree, pitch * degree, yaw * degree));
                ENSURE_LANE(wrap_angle(angles.roll - (real)(roll * degree)), lane_of(0), tolerance);
                ENSURE_LANE(angles.pitch, lane_of((real)(pitch * degree)), tolerance);
                ENSURE_LANE(wrap_angle(angles.yaw - (real)(yaw * degree)), lane_of(0), tolerance);
            }
        }
    }
}

static void euler_angles_of_a_level_attitude_are_positive_zeros(void)
{
    euler angles = euler_from_quat((quat){lane_of(1), lane_of(0), lane_of(0), lane_of(0)});
    const real got[] = {elements_of(angles.roll).of[0], elements_of(angles.pitch).of[0],
                        elements_of(angles.yaw).of[0]};
    for (int i = 0; i < 3; i++) ENSURE(got[i] == 0 && !signbit(got[i]));
}

/* Compares the rotation by the angles with that of the quaternion: angles near the lock are not unique. */
static void euler_angles_compose_to_the_attitude_at_and_near_gimbal_lock(void)
{
    const double distances[] = {0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.1}; /* rad from the vertical */
    for (int i = 0; i < 14; i++) {
        double pitch = (i % 2 ? -1 : 1) * (PI / 2 - distances[i / 2]);
        quat q = quat_of_euler(0.7, pitch, -2.0);
        euler angles = euler_from_quat(q);
        ENSURE_NEAR(elements_of(angles.pitch).of[0], pitch, 4 * REAL_EPSILON);
        quat composed =
            quat_of_euler((double)elements_of(angles.roll).of[0], (double)elements_of(angles.pitch).of[0],
                          (double)elements_of(angles.yaw).of[0]);
        rotation expected = rotation_from_quat(q), got = rotation_from_quat(composed);
        ENSURE_VEC3(sub(got.north, expected.north), 0, 0, 0, 8 * REAL_EPSILON);
        ENSURE_VEC3(sub(got.east, expected.east), 0, 0, 0, 8 * REAL_EPSILON);
        ENSURE_VEC3(sub(got.down, expected.down), 0, 0, 0, 8 * REAL_EPSILON);
    }
}

/* Exactly vertical forward axis: yaw is 0 and roll is the remaining rotation. */
static void euler_angles_at_the_lock_itself_have_no_yaw(void)
{
    const lane half = lane_of((real)0.5);
    euler angles = euler_from_quat((quat){half, half, half, -half});
    ENSURE_LANE(angles.yaw, lane_of(0), 0);
    ENSURE_LANE(angles.pitch, lane_of(TRIG_PI / 2), 0);
    ENSURE_LANE(angles.roll, lane_of(TRIG_PI / 2), 0);
}

static void euler_angles_of_nan_are_nan(void)
{
    euler angles = euler_from_quat((quat){lane_of((real)NAN), lane_of(0), lane_of(0), lane_of(0)});
    ENSURE(isnan(elements_of(angles.roll).of[0]));
    ENSURE(isnan(elements_of(angles.pitch).of[0]));
    ENSURE(isnan(elements_of(angles.yaw).of[0]));
}

static void run_vec_tests(void)
{
    RUN(products_of_vectors_are_as_calculated_by_hand);
    RUN(cross_product_is_right_handed);
    RUN(symmetric_matrix_times_vector_is_as_calculated_by_hand);
    RUN(inverse_of_a_symmetric_matrix_is_as_calculated_by_hand);
    RUN(quarter_turns_move_the_axes_the_right_way);
    RUN(diagonal_quaternion_permutes_the_axes);
    RUN(rotation_is_the_product_q_v_q_conjugate);
    RUN(rotation_keeps_lengths_and_handedness_and_back_is_the_inverse);
    RUN(rate_of_a_level_attitude_is_half_the_angular_velocity);
    RUN(attitude_rate_is_half_the_product_with_the_angular_velocity);
    RUN(renormalising_squares_the_error_of_the_length);
    RUN(euler_angles_come_back_from_their_quaternion);
    RUN(euler_angles_of_a_level_attitude_are_positive_zeros);
    RUN(euler_angles_compose_to_the_attitude_at_and_near_gimbal_lock);
    RUN(euler_angles_at_the_lock_itself_have_no_yaw);
    RUN(euler_angles_of_nan_are_nan);
}
