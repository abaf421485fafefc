// The ground: a grid of heights, which goes on beyond its edge to the horizon as it is there.
const FAR = 2e5;  // half the side of it [m], as in pictures, pyrfly/view/landscape.py
const COARSE = 96, FINE = 256;  // rows of terrain that are drawn

function terrainCorners({z, first, spacing, colours}, water, origin, most) {
  const [rows, columns] = z.shape, step = Math.max(1, Math.ceil(Math.max(rows, columns) / most));
  const i = everyOf(rows, step), j = everyOf(columns, step);
  const x = axisOf(i, first[0] - origin[0], spacing[0]), y = axisOf(j, first[1] - origin[1], spacing[1]);
  const level = (m, n) => z[i[m] * columns + j[n]];
  const slope = (axis, k, read) => {
    const a = Math.max(k - 1, 1), b = Math.min(k + 1, axis.length - 2);
    return b > a ? (read(b) - read(a)) / (axis[b] - axis[a]) : 0;
  };
  const base = water ?? z.reduce((a, b) => Math.max(a, b), -Infinity) - config.looks.heights[3];
  const {bytes, put} = cornerWriter(x.length * y.length), indices = [];
  const flip = (x[1] > x[0]) !== (y[1] > y[0]);  // a map may have its rows to the south
  x.forEach((north, m) => y.forEach((east, n) => {
    const normal = unit([slope(x, m, k => level(k, n)), slope(y, n, k => level(m, k)), -1]);
    const colour = colours ? row(colours, i[m] * columns + j[n], 3) : heightColour(base - level(m, n));
    put([north, east, level(m, n) - origin[2]], normal, colour, 0);
    if (m === 0 || n === 0) return;
    const here = m * y.length + n, [a, b, c, d] = [here - y.length - 1, here - y.length, here, here - 1];
    indices.push(...(flip ? [a, c, b, a, d, c] : [a, b, c, a, c, d]));
  }));
  return {bytes, indices: new Uint32Array(indices), count: indices.length};
}

// Rows that are drawn; the edge twice, for what goes on beyond it.
function everyOf(count, step) {
  const found = [0];
  for (let k = 0; k < count - 1; k += step) found.push(k);
  return [...found, count - 1, count - 1];
}

function axisOf(rows, first, spacing) {
  const far = Math.sign(spacing) * FAR;
  return rows.map((k, m) => (m === 0 ? -far : m === rows.length - 1 ? far : first + k * spacing));
}

// Of a height above the water [m], or above what is a little below the lowest ground.
function heightColour(height) {
  const {heights, shades} = config.looks, last = heights.length - 1;
  const k = clamp(heights.findIndex(h => h > height) - 1, 0, last - 1), above = height >= heights[last] ? last - 1 : k;
  const share = clamp((height - heights[above]) / (heights[above + 1] - heights[above]), 0, 1);
  return shades[above].map((v, c) => v + share * (shades[above + 1][c] - v));
}

// What lies below a point: the ground, or the water over which it is [m from the middle, down].
function floorAt({ground, water, origin}, [x, y, z]) {
  const level = ground ? groundAt(ground, x + origin[0], y + origin[1]) : 0;
  return (water !== null && z + origin[2] < water + 0.05 ? Math.min(level, water) : level) - origin[2];
}

function groundAt({z, first, spacing}, north, east) {
  const [rows, columns] = z.shape, u = clamp((north - first[0]) / spacing[0], 0, rows - 1), v = clamp((east - first[1]) / spacing[1], 0, columns - 1);
  const i = Math.min(Math.floor(u), Math.max(rows - 2, 0)), j = Math.min(Math.floor(v), Math.max(columns - 2, 0));
  const read = (a, b) => z[Math.min(a, rows - 1) * columns + Math.min(b, columns - 1)];
  const along = a => read(a, j) + (v - j) * (read(a, j + 1) - read(a, j));
  return along(i) + (u - i) * (along(i + 1) - along(i));
}
