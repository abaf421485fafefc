/* SPDX-License-Identifier: BSD-3-Clause */
/* The sensors stage of a vehicle type, over its blocks; a template, included after the model of the type and
 * batch/step_kernels.h.  The specific force is that of the derivative of the present state, computed where an IMU is
 * due. */

/* Mean magnitude of the actuator commands, the first inputs. */
LANE_INLINE lane TYPED(mean_command)(const TYPED(input) * in)
{
    const lane *commands = (const lane *)in;
    lane sum = lane_of(0);
    for (int i = 0; i < ACTUATORS; i++) sum += lane_abs(commands[i]);
    return sum * (1 / (real)ACTUATORS);
}

/* Specific force [m/s^2, FRD] and angular acceleration [rad/s^2].  Inlined: where the latter is not used, the compiler
 * leaves out the moments and the inverse of the inertia, half of the time. */
LANE_INLINE void TYPED(feel)(const TYPED(state) * s, const block *b, int full, vec3 *force,
                             vec3 *angular_accel)
{
    TYPED(plant) m;
    TYPED(state) d;
    TYPED(load_plant)(&m, b, full);
    TYPED(derivative)(s, &m, full, &d);
    vec3 felt = sub(d.vel, TYPED(free_fall)(s, &m, b, full));
    *force = to_body(rotation_from_quat(s->att), felt);
    *angular_accel = d.rate;
}

/* Angular velocity relative to the stars [rad/s, FRD], where the earth rotates. */
LANE_INLINE vec3 TYPED(inertial_rate)(const TYPED(state) * s, const block *b, int full)
{
#ifdef TYPE_EXTENDED
    if (full == EXTENDED) {
        const earth_below below = earth_of(b);
        if (mask_any(below.curved)) {
            return add(s->rate, to_body(rotation_from_quat(s->att), earth_below_spin(&below)));
        }
    }
#endif
    (void)b, (void)full;
    return s->rate;
}

LANE_INLINE void TYPED(sense)(const block *b, int full, imu_design *design)
{
    mask sources = words_load(SENSORS_WORD(b, sensor_sources)), due = sensors_tick(b, sources);
    const lane_int any = words_any(due);
    if (!any) return;
    TYPED(state) s;
    TYPED(input) in;
    TYPED(load_state)(&s, b);
    TYPED(load_input)(&in, b);
    sensors_truth truth; /* the members for the IMU stay undefined where it is not due */
    truth.pos = s.pos;
    truth.vel = s.vel;
    truth.att = rotation_from_quat(s.att);
    truth.wind = environment_enabled(b) ? environment_wind(b, in.wind) : in.wind;
    truth.terrain = TYPED(ground_below)(&s, &in);
    truth.sources = sources;
    truth.any_source = words_any(sources);
    if (any & SENSOR_IMU) {
        /* Two calls: the bits of a force must not depend on where the IMUs of other vehicles are. */
        vec3 unused;
        TYPED(feel)(&s, b, full, &truth.specific_force, &unused);
        truth.apart = sensors_imu_is_apart(b);
        if (truth.apart) TYPED(feel)(&s, b, full, &unused, &truth.angular_accel);
        truth.rate = TYPED(inertial_rate)(&s, b, full);
        truth.mean_command = TYPED(mean_command)(&in);
    }
    sensors_update(b, &truth, due, design);
}

LANE_INLINE void TYPED(sense_as)(const block *b, int model, imu_design *design)
{
    (void)model; /* of a type with one model */
#ifdef TYPE_PLAIN
    if (model == RF_EFFECTS_PLAIN) {
        TYPED(sense)(b, 0, design);
        return;
    }
#endif
#ifdef TYPE_EXTENDED
    if (model == RF_MODEL_EXTENDED) {
        TYPED(sense)(b, EXTENDED, design);
        return;
    }
#endif
    TYPED(sense)(b, 1, design);
}

static void TYPED(sensors_blocks)(const rf_kernel_args *args)
{
    imu_design design = imu_design_of(lane_of(0), lane_of(0), lane_of(0));
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(sense_as)(&b, args->model, &design);
    }
}
