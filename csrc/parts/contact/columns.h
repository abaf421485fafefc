/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the contact points: where a vehicle stands on the ground, such as its feet.
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_CONTACT_COLUMNS_H
#define RF_PARTS_CONTACT_COLUMNS_H

#define CONTACT_POINTS         8
#define WIDTH_per_contact      CONTACT_POINTS
#define WIDTH_per_contact_pair (2 * CONTACT_POINTS)
#define WIDTH_per_contact_vec3 (3 * CONTACT_POINTS)

/* clang-format off */

#define CONTACT_PART(X)                                                                                      \
    X(lane, contact_count, "1", "", "number of contact points; 0: contact is at the centre of mass")         \
    X(per_contact_vec3, contact_position, "m", "FRD", "contact points from the centre of mass: x of all points, then y, then z") \
    X(lane, contact_stiffness, "N/m", "", "force of a point per penetration, and along the ground per displacement of its anchor") \
    X(lane, contact_damping, "N s/m", "", "force of a point per velocity")                                   \
    X(lane, contact_grip, "1", "", "friction coefficient of the points")                                     \
    X(lane, contact_height, "m", "", "height of the centre of mass of a vehicle that stands on level ground") \
    X(per_contact_pair, contact_pull, "N", "NED", "pull of the anchor springs along the ground: north of all points, then east") \
    X(per_contact, contact_load, "N", "", "normal force of each point after the last step")

/* clang-format on */

#define CONTACT_PART_WORD(X)
#define CONTACT_INITIAL(SETTING, VALUE, STATE)                                                               \
    SETTING(contact_count, 0)                                                                                \
    SETTING(contact_position, 0)                                                                             \
    SETTING(contact_stiffness, 0)                                                                            \
    SETTING(contact_damping, 0)                                                                              \
    SETTING(contact_grip, 0)                                                                                 \
    SETTING(contact_height, 0)

#endif
