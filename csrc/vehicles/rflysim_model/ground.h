/* SPDX-License-Identifier: BSD-3-Clause */
/* The ground below a model in a library as the input TerrainIn15d, numbered from 0 [@rfly-framework 1.1.3.4]:
 *
 *     0 z [m, NED];  1 whether it slopes, 2 pitch [rad], by which it rises facing 3 yaw [rad];  4 whether 5 counts, the factor of
 *     friction;  6 whether it moves, with 7 north, 8 east [m/s] and 9 yaw [rad];  others 0
 *
 * z follows slope and motion as `ground` of our own vehicles does (models/ground_plane.h), from `terrain` at its last change.  A
 * template, included by vehicles/rflysim_model/step.h. */

#define LOOKS_AT_GROUND 4e-3 /* s: period of these numbers where the ground is not level, or moves */

typedef struct TYPED(ground) {
    lane terrain, rise; /* m; m/s, of z below the vehicle */
    lane pitch, yaw;
    ground_plane_columns plane;
} TYPED(ground);

static void TYPED(look_at_ground)(const block *b, lane terrain, TYPED(ground) * g)
{
    const lane none = lane_of(0);
    for (int row = 0; row < ROWS_OF(TYPED(ground)); row++) ((lane *)g)[row] = none;
    g->terrain = terrain;
    if (!ground_plane_enabled(b)) return;
    lane vel[2];
    rows_load(vel, 2, b->column + 3 * b->stride, b->stride);
    rows_load((lane *)&g->plane, ROWS_OF(ground_plane_columns), part_columns(b, RF_PART_ground_plane),
              b->stride);
    const lane *u = &g->plane.terrain_velocity.x, north = g->plane.terrain_gradient[0],
               east = g->plane.terrain_gradient[1], steep = lane_sqrt(north * north + east * east);
    g->rise = north * (vel[0] - u[0]) + east * (vel[1] - u[1]) + u[2];
    g->pitch = lane_atan2(steep, lane_of(1));
    g->yaw = lane_select(steep > 0, lane_atan2(-east, -north), none);
}

/* Gives one vehicle of a block its numbers; they are those of the begin of a call that lasts `duration` [s]. */
static void TYPED(give_ground)(const TYPED(ground) * g, size_t i, double duration, rf_library *library)
{
    const real *rows = (const real *)(const void *)g;
#define NUMBER(member) (double)rows[offsetof(TYPED(ground), member) / sizeof(lane) * LANE_WIDTH + i]
    double *out = library->ports->terrain;
    if (library->terrain != NUMBER(terrain)) library->ground = library->terrain = NUMBER(terrain);
    const double vel[3] = {NUMBER(plane.terrain_velocity.x), NUMBER(plane.terrain_velocity.y),
                           NUMBER(plane.terrain_yaw_rate)};
    out[0] = library->ground;
    out[1] = NUMBER(pitch) != 0;
    out[2] = NUMBER(pitch);
    out[3] = NUMBER(yaw);
    out[4] = NUMBER(plane.friction_reduction) != 0;
    out[5] = 1 - NUMBER(plane.friction_reduction);
    out[6] = vel[0] != 0 || vel[1] != 0 || vel[2] != 0 || library->ground_yaw != 0;
    out[7] = vel[0];
    out[8] = vel[1];
    out[9] = library->ground_yaw;
    library->ground += duration * NUMBER(rise);
    library->ground_yaw += duration * vel[2];
#undef NUMBER
}
