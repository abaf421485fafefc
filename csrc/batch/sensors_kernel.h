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

LANE_INLINE void TYPED(sense)(const block *b, int full)
{
    sensors_due due = sensors_tick(b);
    if (!mask_any(due.bits != 0)) return;
    TYPED(state) s;
    TYPED(input) in;
    TYPED(load_state)(&s, b);
    TYPED(load_input)(&in, b);
    sensors_truth truth = {.pos = s.pos,
                           .vel = s.vel,
                           .att = rotation_from_quat(s.att),
                           .wind = environment_enabled(b) ? environment_wind(b, in.wind) : in.wind,
                           .terrain = in.terrain};
    if (mask_any(words_have(due.bits, SENSOR_IMU))) {
        TYPED(plant) m;
        TYPED(state) d;
        TYPED(load_plant)(&m, b, full);
        TYPED(derivative)(&s, &m, full, &d);
        vec3 force = vec3_of(d.vel.x, d.vel.y, d.vel.z - m.p.gravity); /* per mass, NED */
        truth.specific_force = to_body(truth.att, force);
        truth.rate = s.rate;
        truth.angular_accel = d.rate;
        truth.mean_command = TYPED(mean_command)(&in);
    }
    sensors_update(b, &truth, &due);
}

static void TYPED(sensors_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
#ifdef TYPE_PLAIN
        if (args->effects == RF_EFFECTS_PLAIN) {
            TYPED(sense)(&b, 0);
            continue;
        }
#endif
        TYPED(sense)(&b, 1);
    }
}
