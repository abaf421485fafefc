/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/relief.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "scene/vectors.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#define SIDE 8 /* of a block, in those of the level below */

/* ---- blocks ---- */

/* The float that is not below a height. */
static float not_below(double height)
{
    float rounded = (float)height;
    return (double)rounded < height ? nextafterf(rounded, INFINITY) : rounded;
}

static float highest_node(const rf_terrain_map *map, size_t row, size_t column)
{
    double highest = -INFINITY;
    for (size_t i = row; i <= row + SIDE && i < map->rows; i++) {
        for (size_t j = column; j <= column + SIDE && j < map->columns; j++) {
            highest = fmax(highest, map->heights[i * map->columns + j]);
        }
    }
    return not_below(highest);
}

static float highest_block(const rf_relief_level *below, size_t rows, size_t row, size_t column)
{
    float highest = -INFINITY;
    for (size_t i = row; i < row + SIDE && i < rows; i++) {
        for (size_t j = column; j < column + SIDE && j < below->columns; j++) {
            highest = fmaxf(highest, below->highest[i * below->columns + j]);
        }
    }
    return highest;
}

static size_t blocks_along(size_t cells, size_t size)
{
    return (cells + size - 1) / size;
}

/* Adds a level of blocks above those that there are; false without memory. */
static bool add_level(rf_relief *r, size_t size)
{
    const size_t cells = r->map.rows - 1, rows = blocks_along(cells, size);
    const size_t columns = blocks_along(r->map.columns - 1, size);
    rf_relief_level *level = &r->level[r->levels];
    *level = (rf_relief_level){size, columns, malloc(rows * columns * sizeof *level->highest)};
    if (level->highest == NULL) return false;
    for (size_t i = 0; i < rows * columns; i++) {
        const size_t row = i / columns * SIDE, column = i % columns * SIDE;
        level->highest[i] = r->levels == 0
                                ? highest_node(&r->map, row, column)
                                : highest_block(level - 1, blocks_along(cells, size / SIDE), row, column);
    }
    r->levels++;
    return true;
}

rf_status rf_relief_new(const rf_terrain_map *map, rf_relief **made)
{
    if (!rf_terrain_map_is_valid(map)) return RF_BAD_ARGUMENT;
    rf_relief *r = calloc(1, sizeof *r);
    if (r == NULL) return RF_NO_MEMORY;
    r->map = *map;
    const size_t longest = (map->rows > map->columns ? map->rows : map->columns) - 1;
    size_t size = 1;
    do {
        size *= SIDE;
        if (!add_level(r, size)) {
            rf_relief_free(r);
            return RF_NO_MEMORY;
        }
    } while (size < longest);
    *made = r;
    return RF_OK;
}

void rf_relief_free(rf_relief *relief)
{
    if (relief == NULL) return;
    for (int i = 0; i < relief->levels; i++) free(relief->level[i].highest);
    free(relief);
}

/* ---- rays ---- */

/* Cells along an axis: from `low` to below `high`.  -1 is before the first node, the number of the last one beyond it. */
typedef struct cells {
    double low, high; /* bounds in nodes, infinite at the ends */
    ptrdiff_t first, end;
} cells;

/* A ray on its way, in nodes along the axes of the grid. */
typedef struct walk {
    double from[2], rate[2]; /* u, v at its begin [nodes], and per metre */
    double up[2];            /* height at its begin [m], and per metre */
    ptrdiff_t last[2];       /* number of the last node */
    ptrdiff_t cell[2];
    double t;   /* m, where it enters the cell */
    bool above; /* its begin is above the surface */
} walk;

static ptrdiff_t cell_of(double at, ptrdiff_t last)
{
    return at < 0 ? -1 : at >= (double)last ? last : (ptrdiff_t)at;
}

/* The cell of a walk along an axis, or the block of that size around it, within the grid. */
static cells cells_around(const walk *w, int axis, ptrdiff_t size)
{
    const ptrdiff_t cell = w->cell[axis], last = w->last[axis];
    if (cell < 0) return (cells){-INFINITY, 0, -1, 0};
    if (cell >= last) return (cells){(double)last, INFINITY, last, last + 1};
    const ptrdiff_t first = cell / size * size, end = first + size < last ? first + size : last;
    return (cells){(double)first, (double)end, first, end};
}

/* Where a walk leaves cells along an axis [m]. */
static double leaves(const walk *w, int axis, const cells *c)
{
    if (w->rate[axis] == 0) return INFINITY;
    return ((w->rate[axis] > 0 ? c->high : c->low) - w->from[axis]) / w->rate[axis];
}

/* Moves a walk to the next cell beyond these, which it leaves at t. */
static void go_on(walk *w, const cells of[2], const double leave[2])
{
    const int axis = leave[1] < leave[0], other = 1 - axis;
    const ptrdiff_t at = cell_of(w->from[other] + w->rate[other] * leave[axis], w->last[other]);
    w->cell[axis] = w->rate[axis] > 0 ? of[axis].end : of[axis].first - 1;
    w->cell[other] = at < of[other].first ? of[other].first : at >= of[other].end ? of[other].end - 1 : at;
    w->t = greater(w->t, leave[axis]);
}

/* The least root of a + b x + c x^2 above 0, of a > 0, or INFINITY. */
static double first_root(double a, double b, double c)
{
    const double square = b * b - 4 * a * c;
    if (square < 0) return INFINITY;
    const double q = -0.5 * (b + copysign(sqrt(square), b));
    const double one = q != 0 ? a / q : -1, two = c != 0 ? q / c : -1;
    if (one > 0 && two > 0) return lesser(one, two);
    return one > 0 ? one : two > 0 ? two : INFINITY;
}

/* Where a walk meets the surface of its cell, within `length` [m], from where it enters it; INFINITY where not. */
static double meets_cell(const rf_relief *r, walk *w, double length, bool begins)
{
    ptrdiff_t node[2];
    double at[2], rate[2];
    for (int k = 0; k < 2; k++) {
        const bool outside = w->cell[k] < 0 || w->cell[k] >= w->last[k];
        node[k] = w->cell[k] < 0 ? 0 : w->cell[k] < w->last[k] ? w->cell[k] : w->last[k] - 1;
        at[k] = outside ? (double)(w->cell[k] >= 0) : w->from[k] + w->rate[k] * w->t - (double)node[k];
        rate[k] = outside ? 0 : w->rate[k];
    }
    const double *south = r->map.heights + (size_t)node[0] * r->map.columns + (size_t)node[1];
    const double *north = south + r->map.columns;
    const double along = north[0] - south[0], across = south[1] - south[0];
    const double twist = north[1] - north[0] - across;
    const double ground = south[0] + along * at[0] + across * at[1] + twist * at[0] * at[1];
    double a = w->up[0] + w->up[1] * w->t - ground;
    double b = w->up[1] - along * rate[0] - across * rate[1] - twist * (at[0] * rate[1] + at[1] * rate[0]);
    double c = -twist * rate[0] * rate[1];
    if (begins) w->above = w->above || a >= 0;
    if (!w->above) a = -a, b = -b, c = -c;
    const double root = a > 0 ? first_root(a, b, c) : 0;
    return root <= length ? root : INFINITY;
}

/* The largest block around the cell of a walk that it is above all the way to where it leaves it; false: there is none. */
static bool passes_over(const rf_relief *r, const walk *w, cells of[2], double leave[2])
{
    for (int k = 0; k < 2; k++) {
        if (w->cell[k] < 0 || w->cell[k] >= w->last[k]) return false;
    }
    for (int i = r->levels - 1; i >= 0; i--) {
        const rf_relief_level *level = &r->level[i];
        const size_t row = (size_t)w->cell[0] / level->size, column = (size_t)w->cell[1] / level->size;
        const double highest = (double)level->highest[row * level->columns + column];
        if (w->up[0] + w->up[1] * w->t <= highest) continue;
        for (int k = 0; k < 2; k++) {
            of[k] = cells_around(w, k, (ptrdiff_t)level->size);
            leave[k] = leaves(w, k, &of[k]);
        }
        const double end = lesser(leave[0], leave[1]);
        if (w->up[1] >= 0 || w->up[0] + w->up[1] * end > highest) return true;
    }
    return false;
}

/* Where a ray comes down to the highest node [m]: not before it can there be a surface; INFINITY: never. */
static double comes_down(const rf_relief *r, const walk *w)
{
    const double over = w->up[0] - (double)r->level[r->levels - 1].highest[0];
    if (over <= 0) return 0;
    return w->up[1] < 0 ? over / -w->up[1] * (1 - 1e-12) : INFINITY;
}

double rf_relief_ray(const rf_relief *r, const double origin[3], const double direction[3], double reach)
{
    walk w = {.up = {-origin[2], -direction[2]},
              .last = {(ptrdiff_t)r->map.rows - 1, (ptrdiff_t)r->map.columns - 1}};
    for (int k = 0; k < 2; k++) {
        w.from[k] = (origin[k] - r->map.first[k]) / r->map.spacing[k];
        w.rate[k] = direction[k] / r->map.spacing[k];
    }
    w.t = comes_down(r, &w);
    w.above = w.t > 0;
    if (!(w.t <= reach)) return INFINITY;
    for (int k = 0; k < 2; k++) w.cell[k] = cell_of(w.from[k] + w.rate[k] * w.t, w.last[k]);
    for (bool begins = true; w.t <= reach; begins = false) {
        cells of[2];
        double leave[2];
        if (begins || !w.above || !passes_over(r, &w, of, leave)) {
            for (int k = 0; k < 2; k++) {
                of[k] = cells_around(&w, k, 1);
                leave[k] = leaves(&w, k, &of[k]);
            }
            const double end = lesser(lesser(leave[0], leave[1]), reach);
            const double root = meets_cell(r, &w, end - w.t, begins);
            if (root < INFINITY) return w.t + root;
            if (end >= reach) return INFINITY;
        }
        go_on(&w, of, leave);
    }
    return INFINITY;
}
