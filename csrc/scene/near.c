/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/near.h"

#include <string.h>

#include "scene/tree.h"

#define STACK (RF_TREE_DEPTH * (RF_TREE_WIDTH - 1) + 1)

/* A search. */
typedef struct search {
    const rf_scene *scene;
    double place[3], distance; /* m, NED */
    double reach[3];           /* m, along each axis */
    rf_near_visit visit;
    void *context;
} search;

static void visit(const search *s, const rf_convex *shape, uint32_t number)
{
    const rf_scene_def *def = &s->scene->def;
    const rf_obstacle obstacle = {*shape, def->friction[number], def->restitution[number]};
    s->visit(s->context, &obstacle, number);
}

/* A box, a cylinder or a sphere. */
static rf_convex body_of(const rf_scene_def *def, uint32_t shape)
{
    rf_convex c = {.kind = def->kinds[shape] == RF_SHAPE_CYLINDER ? RF_CORE_CYLINDER : RF_CORE_BOX};
    memcpy(c.center, def->centers[shape], sizeof c.center);
    memcpy(c.rotation, def->rotations[shape], sizeof c.rotation);
    if (def->kinds[shape] == RF_SHAPE_SPHERE) {
        c.radius = def->half_sizes[shape][0];
    } else {
        memcpy(c.half, def->half_sizes[shape], sizeof c.half);
    }
    return c;
}

static rf_convex triangle_of(const double corners[9])
{
    rf_convex c = {.kind = RF_CORE_TRIANGLE};
    for (int k = 0; k < 9; k++) c.center[k % 3] += corners[k] / 3;
    for (int k = 0; k < 9; k++) c.corner[k / 3][k % 3] = corners[k] - c.center[k % 3];
    return c;
}

/* Height over a plane [m]. */
static double above_plane(const search *s, uint32_t shape)
{
    double above = 0;
    for (int k = 0; k < 3; k++) {
        above -= s->scene->def.rotations[shape][3 * k + 2] * (s->place[k] - s->scene->def.centers[shape][k]);
    }
    return above;
}

/* A box below the place stands for the half space. */
static void visit_plane(const search *s, uint32_t shape)
{
    const double *rotation = s->scene->def.rotations[shape], above = above_plane(s, shape);
    rf_convex c = {.kind = RF_CORE_BOX, .half = {2 * s->distance, 2 * s->distance, 2 * s->distance}};
    if (above > s->distance) return;
    for (int k = 0; k < 3; k++) c.center[k] = s->place[k] + (above + c.half[2]) * rotation[3 * k + 2];
    memcpy(c.rotation, rotation, sizeof c.rotation);
    visit(s, &c, shape);
}

/* Whether a child of a node comes near. */
static bool is_near(const search *s, const rf_node *n, int i)
{
    for (int k = 0; k < 3; k++) {
        const double place = s->place[k] - s->scene->middle[k];
        if (place + s->reach[k] < (double)n->low[k][i] || place - s->reach[k] > (double)n->high[k][i])
            return false;
    }
    return true;
}

static void visit_leaf(const search *s, const rf_triangles *leaf)
{
    for (int i = 0; i < RF_TREE_WIDTH; i++) {
        if (i > 0 && leaf->number[i] == leaf->number[i - 1]) return; /* the last again */
        const rf_convex c = triangle_of(s->scene->def.corners[leaf->number[i]]);
        visit(s, &c, leaf->shape[i]);
    }
}

static void visit_child(const search *s, uint32_t child)
{
    const uint32_t number = child & ~RF_CHILD_KIND;
    if ((child & RF_CHILD_KIND) == RF_CHILD_BODY) {
        const rf_convex c = body_of(&s->scene->def, s->scene->body[number].shape);
        visit(s, &c, s->scene->body[number].shape);
    } else {
        visit_leaf(s, &s->scene->leaf[number]);
    }
}

/* Visits what comes near, or returns true at the first without a visitor. */
static bool visit_tree(const search *s)
{
    uint32_t stack[STACK] = {0};
    for (size_t depth = s->scene->nodes > 0; depth > 0;) {
        const rf_node *n = &s->scene->node[stack[--depth]];
        for (int i = 0; i < RF_TREE_WIDTH; i++) {
            if (!is_near(s, n, i)) continue;
            if ((n->child[i] & RF_CHILD_KIND) == RF_CHILD_NODE) {
                stack[depth++] = n->child[i];
            } else if (s->visit == NULL) {
                return true;
            } else {
                visit_child(s, n->child[i]);
            }
        }
    }
    return false;
}

void rf_scene_near(const rf_scene *scene, const double place[3], double distance, const double reach[3],
                   rf_near_visit visitor, void *context)
{
    const search s = {
        scene, {place[0], place[1], place[2]}, distance, {reach[0], reach[1], reach[2]}, visitor, context};
    for (size_t i = 0; i < scene->planes; i++) visit_plane(&s, scene->plane[i].shape);
    visit_tree(&s);
}

bool rf_scene_is_near(const rf_scene *scene, const double place[3], double distance)
{
    const search s = {scene, {place[0], place[1], place[2]}, distance, {distance, distance, distance}, NULL,
                      NULL};
    for (size_t i = 0; i < scene->planes; i++) {
        if (above_plane(&s, scene->plane[i].shape) <= distance) return true;
    }
    return visit_tree(&s);
}
