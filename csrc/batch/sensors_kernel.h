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

/* Angular velocity relative to the stars [rad/s, FRD], where the earth rotates. */
LANE_INLINE vec3 TYPED(inertial_rate)(const TYPED(state) * s, const block *b, int model)
{
#ifdef TYPE_EXTENDED
    if (model == RF_MODEL_EXTENDED) {
        const earth_below below = earth_of(b);
        if (mask_any(below.curved)) {
            return add(s->rate, to_body(rotation_from_quat(s->att), earth_below_spin(&below)));
        }
    }
#endif
    (void)b, (void)model;
    return s->rate;
}

#ifdef TYPE_WATER
/* The water at the vehicles, as sensors in it measure it. */
LANE_INLINE sensors_water TYPED(sensed_water)(const TYPED(state) * s, const block *b, lane terrain)
{
    TYPED(plant) m;
    TYPED(load_param)(&m.p, b);
    const water rest = water_at_rest(b);
    const wave_sum sea = part_enabled(b, RF_PART_waves) ? waves_of(b) : waves_none();
    const lane gravity = environment_enabled(b) ? environment_gravity(b, m.p.gravity) : m.p.gravity;
    return (sensors_water){.any = 1,
                           .depth = s->pos.z - m.p.rest_height - rest.height,
                           .head = sea.head,
                           .sunk = s->pos.z - (rest.height + sea.height),
                           .altitude = terrain - (s->pos.z - m.p.rest_height),
                           .unit_weight = m.p.water_density * gravity};
}
#endif

LANE_INLINE void TYPED(sense)(const block *b, int model, const rf_sight *sight, imu_design *design)
{
    mask sources = words_load(SENSORS_WORD(b, sensor_sources)),
         due = RF_SET_NAME(rf_sensors_tick)(b, sources);
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
    truth.wind = environment_wind(b, faults_wind(b, in.wind));
    truth.terrain = TYPED(ground_below)(&s, &in);
    truth.sources = sources;
    truth.any_source = words_any(sources);
    truth.at_fault = sensors_at_fault(b);
    truth.water = (sensors_water){0};
#ifdef TYPE_WATER
    if (any & (SENSORS_IN_WATER | SENSOR_GPS | 1 << SENSORS_REPORT)) {
        truth.water = TYPED(sensed_water)(&s, b, truth.terrain);
    }
#endif
    if (any & SENSOR_RANGE) {
        const vec3 axis = vec3_of(truth.att.north.z, truth.att.east.z, truth.att.down.z);
        truth.look = sight_range(b, sight, s.pos, axis, truth.terrain, words_have(due, SENSOR_RANGE));
    }
    if (any & SENSOR_IMU) {
        TYPED(state) d;
        vec3 free_fall = TYPED(derive)(&s, b, model, &d);
        if (model == RF_MODEL_EXTENDED) collision_add_impacts(b, &d.vel, &d.rate);
        truth.specific_force = to_body(truth.att, sub(d.vel, free_fall));
        truth.angular_accel = d.rate;
        truth.apart = sensors_imu_is_apart(b);
        truth.rate = TYPED(inertial_rate)(&s, b, model);
        TYPED(fault_commands)(&in, b);
        truth.mean_command = TYPED(mean_command)(&in);
    }
    RF_SET_NAME(rf_sensors_update)(b, &truth, due, design);
}

static void TYPED(sensors_blocks)(const rf_kernel_args *args)
{
    imu_design design = imu_design_of(lane_of(0), lane_of(0), lane_of(0));
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(sense)(&b, args->model, &args->sight, &design);
    }
}
