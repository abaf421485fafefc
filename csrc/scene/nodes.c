/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "scene/nodes.h"

#include <stdlib.h>

#include "base/platform.h"

/* What is divided at last: bodies and leaves, as children of nodes. */
typedef struct parts {
    rf_entry *entries;
    size_t count;
} parts;

static void fill_leaf(const rf_scene *scene, rf_triangles *leaf, const rf_entry *entries, size_t count,
                      const rf_scene_def *def)
{
    for (size_t i = 0; i < RF_TREE_WIDTH; i++) {
        size_t number = entries[i < count ? i : count - 1].number;
        const double *c = def->corners[number];
        for (int k = 0; k < 9; k++) leaf->corner[k / 3][k % 3][i] = (float)(c[k] - scene->middle[k % 3]);
        leaf->shape[i] = (uint32_t)def->owners[number];
        leaf->number[i] = (uint32_t)number;
    }
}

static size_t leaves_of(const rf_branch *branches, size_t count)
{
    size_t leaves = 0;
    for (size_t i = 0; i < count; i++) leaves += branches[i].count > 0;
    return leaves;
}

/* Puts the triangles into leaves, and bodies and leaves into a list of their own. */
static rf_status collect(rf_scene *scene, rf_entry *entries, const rf_scene_def *def, rf_branch *branches,
                         parts *p)
{
    rf_entry *triangles = entries + scene->bodies;
    size_t count =
        def->triangles > 0 ? rf_tree_divide(triangles, def->triangles, RF_TREE_WIDTH, branches) : 0;
    size_t leaves = leaves_of(branches, count);
    scene->leaf = rf_aligned_alloc(RF_SCENE_ALIGNMENT, (leaves + 1) * sizeof *scene->leaf);
    p->entries = malloc((scene->bodies + leaves) * sizeof *p->entries);
    if (scene->leaf == NULL || p->entries == NULL) return RF_NO_MEMORY;
    for (; p->count < scene->bodies; p->count++) {
        p->entries[p->count] = (rf_entry){entries[p->count].bounds, RF_CHILD_BODY | (uint32_t)p->count};
    }
    for (size_t i = 0; i < count; i++) {
        const rf_branch *b = &branches[i];
        if (b->count == 0) continue;
        uint32_t number = (uint32_t)scene->leaves++;
        fill_leaf(scene, &scene->leaf[number], triangles + b->first, b->count, def);
        p->entries[p->count++] = (rf_entry){b->bounds, RF_CHILD_TRIANGLES | number};
    }
    return RF_OK;
}

/* ---- nodes ---- */

/* The branches that become the children of a node: those of `from`, and of the largest of them as long as there is room. */
static size_t children_of(const rf_branch *branches, uint32_t from, uint32_t children[RF_TREE_WIDTH])
{
    size_t count = 1;
    for (children[0] = from; count < RF_TREE_WIDTH; count++) {
        size_t largest = RF_TREE_WIDTH;
        float surface = -1;
        for (size_t i = 0; i < count; i++) {
            const rf_branch *b = &branches[children[i]];
            if (b->count == 0 && rf_half_surface(&b->bounds) > surface) {
                surface = rf_half_surface(&b->bounds);
                largest = i;
            }
        }
        if (largest == RF_TREE_WIDTH) break;
        uint32_t first = branches[children[largest]].first;
        children[largest] = first;
        children[count] = first + 1;
    }
    return count;
}

static void set_child(rf_node *n, size_t i, const rf_bounds *bounds, uint32_t child)
{
    for (int k = 0; k < 3; k++) {
        n->low[k][i] = bounds->low[k];
        n->high[k][i] = bounds->high[k];
    }
    n->child[i] = child;
}

/* Makes the nodes of the branches, each after its parent. */
static void fill_nodes(rf_scene *scene, const rf_branch *branches, const rf_entry *entries, uint32_t *from)
{
    static const rf_bounds nowhere = {{1e30f, 1e30f, 1e30f}, {1e30f, 1e30f, 1e30f}};
    from[0] = 0;
    scene->nodes = 1;
    for (size_t number = 0; number < scene->nodes; number++) {
        uint32_t children[RF_TREE_WIDTH];
        size_t count = children_of(branches, from[number], children);
        for (size_t i = 0; i < RF_TREE_WIDTH; i++) {
            const rf_branch *b = &branches[children[i < count ? i : 0]];
            uint32_t child = b->count > 0 ? entries[b->first].number : (uint32_t)scene->nodes;
            set_child(&scene->node[number], i, i < count ? &b->bounds : &nowhere, child);
            if (i < count && b->count == 0) from[scene->nodes++] = children[i];
        }
    }
}

static rf_status build(rf_scene *scene, parts *p, rf_branch *branches, uint32_t *from)
{
    rf_tree_divide(p->entries, p->count, 1, branches);
    scene->node = rf_aligned_alloc(RF_SCENE_ALIGNMENT, p->count * sizeof *scene->node);
    if (scene->node == NULL) return RF_NO_MEMORY;
    fill_nodes(scene, branches, p->entries, from);
    return RF_OK;
}

rf_status rf_nodes_build(rf_scene *scene, rf_entry *entries, const rf_scene_def *def)
{
    size_t most = scene->bodies + def->triangles;
    if (most == 0) return RF_OK;
    rf_branch *branches = malloc(2 * most * sizeof *branches);
    uint32_t *from = malloc(most * sizeof *from);
    parts p = {NULL, 0};
    rf_status status =
        branches == NULL || from == NULL ? RF_NO_MEMORY : collect(scene, entries, def, branches, &p);
    if (status == RF_OK) status = build(scene, &p, branches, from);
    free(p.entries);
    free(branches);
    free(from);
    return status;
}
