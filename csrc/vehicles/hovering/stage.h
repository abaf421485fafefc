/* SPDX-License-Identifier: BSD-3-Clause */
/* The stage of position and velocity loop of vehicles that only hover; a template, included after vehicles/hovering/control.h.
 * They have the gain `control_gravity`, and the family defines TYPED(ready_to_lift_off): where drives have the speed that
 * lift needs. */

LANE_INLINE void TYPED(control_velocity)(const block *b)
{
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    mask bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    TYPED(state) s;
    TYPED(gain) g;
    TYPED(setpoint) sp;
    TYPED(controller) c;
    const ground_plane below = ground_plane_below(b);
    const lane shift = TYPED(load_known_state)(&s, b);
    s.ground[0] += shift;
    TYPED(load_gain)(&g, b);
    TYPED(load_setpoint)(&sp, b);
    TYPED(load_controller)(&c, b);
    mask touches = TYPED(touches)(b, &s, &below);
    mask ready = TYPED(ready_to_lift_off)(&s, &g);
    TYPED(velocity_update)(&s, &g, &sp, touches, ready, &below, armed, bits, b->period, &c);
    TYPED(store_controller_rows)(&c, 0, CONTROLLER_ROW_OF(held_att), b);
    TYPED(store_arrived)(TYPED(has_arrived)(&s, bits, &c), mask_true(), b);
}
