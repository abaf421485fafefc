/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/tree.h"

#define BINS      16
#define EVEN_FROM (RF_TREE_DEPTH - 24) /* depth from which nodes are halved */

typedef struct bin {
    rf_bounds bounds;
    size_t count;
} bin;

/* Entries that become a branch. */
typedef struct task {
    uint32_t branch, first, count, depth;
} task;

static const rf_bounds nothing = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};

static void add_bounds(rf_bounds *all, const rf_bounds *b)
{
    for (int k = 0; k < 3; k++) {
        if (b->low[k] < all->low[k]) all->low[k] = b->low[k];
        if (b->high[k] > all->high[k]) all->high[k] = b->high[k];
    }
}

float rf_half_surface(const rf_bounds *b)
{
    float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x * y + y * z + z * x;
}

/* Twice the centre of an entry along an axis. */
static float center_of(const rf_entry *e, int axis)
{
    return e->bounds.low[axis] + e->bounds.high[axis];
}

/* Where centres lie: the axis of their longest extent, its lowest value and its length. */
typedef struct spread {
    int axis;
    float low, length;
} spread;

static spread spread_of(const rf_entry *entries, size_t count)
{
    spread widest = {0, 0, -1};
    for (int axis = 0; axis < 3; axis++) {
        float low = 1e30f, high = -1e30f;
        for (size_t i = 0; i < count; i++) {
            float c = center_of(&entries[i], axis);
            if (c < low) low = c;
            if (c > high) high = c;
        }
        if (high - low > widest.length) widest = (spread){axis, low, high - low};
    }
    return widest;
}

static int bin_of(const rf_entry *e, const spread *s)
{
    int number = (int)((float)BINS * ((center_of(e, s->axis) - s->low) / s->length));
    return number < BINS ? number : BINS - 1;
}

static void fill_bins(const rf_entry *entries, size_t count, const spread *s, bin bins[BINS])
{
    for (int i = 0; i < BINS; i++) bins[i] = (bin){nothing, 0};
    for (size_t i = 0; i < count; i++) {
        bin *b = &bins[bin_of(&entries[i], s)];
        add_bounds(&b->bounds, &entries[i].bounds);
        b->count++;
    }
}

/* The first bin of the second child at the least cost. */
static int best_split(const bin bins[BINS])
{
    float after[BINS], least = 1e38f;
    rf_bounds sum = nothing;
    size_t count = 0;
    for (int i = BINS; i-- > 1;) {
        add_bounds(&sum, &bins[i].bounds);
        count += bins[i].count;
        after[i] = count > 0 ? (float)count * rf_half_surface(&sum) : 0;
    }
    int best = 1;
    sum = nothing;
    count = 0;
    for (int i = 1; i < BINS; i++) {
        add_bounds(&sum, &bins[i - 1].bounds);
        count += bins[i - 1].count;
        float cost = (count > 0 ? (float)count * rf_half_surface(&sum) : 0) + after[i];
        if (cost < least) least = cost, best = i;
    }
    return best;
}

/* Puts the entries before a bin first; returns how many. */
static size_t sort_by_bin(rf_entry *entries, size_t count, const spread *s, int split)
{
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        if (bin_of(&entries[i], s) >= split) continue;
        rf_entry e = entries[first];
        entries[first++] = entries[i];
        entries[i] = e;
    }
    return first;
}

/* Divides entries; returns how many the first child takes.  Those at one place cannot be told apart and are halved. */
static size_t divide(rf_entry *entries, size_t count, uint32_t depth)
{
    const spread s = spread_of(entries, count);
    if (!(s.length > 0) || depth >= EVEN_FROM) return count / 2;
    bin bins[BINS];
    fill_bins(entries, count, &s, bins);
    size_t first = sort_by_bin(entries, count, &s, best_split(bins));
    return first == 0 || first == count ? count / 2 : first;
}

size_t rf_tree_divide(rf_entry *entries, size_t count, size_t leaf, rf_branch *branches)
{
    task stack[RF_TREE_DEPTH + 1] = {{0, 0, (uint32_t)count, 0}};
    size_t made = 1;
    for (int depth = 1; depth > 0;) {
        const task t = stack[--depth];
        rf_bounds bounds = nothing;
        for (uint32_t i = 0; i < t.count; i++) add_bounds(&bounds, &entries[t.first + i].bounds);
        branches[t.branch] = (rf_branch){bounds, t.first, t.count};
        if (t.count <= leaf) continue;
        uint32_t first = (uint32_t)divide(&entries[t.first], t.count, t.depth);
        branches[t.branch] = (rf_branch){bounds, (uint32_t)made, 0};
        stack[depth++] = (task){(uint32_t)made + 1, t.first + first, t.count - first, t.depth + 1};
        stack[depth++] = (task){(uint32_t)made, t.first, first, t.depth + 1};
        made += 2;
    }
    return made;
}
