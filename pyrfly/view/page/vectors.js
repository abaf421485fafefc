// Vectors and quaternions (scalar first) as arrays, matrices of 4 x 4 column by column.
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const add = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = a => { const l = Math.hypot(...a) || 1; return [a[0] / l, a[1] / l, a[2] / l]; };
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const row = (array, i, width) => Array.from(array.subarray(i * width, (i + 1) * width));

function rotate([w, x, y, z], v) {
  const t = cross([x, y, z], v).map(c => 2 * c);
  return add(add(v, t, w), cross([x, y, z], t));
}

function eulerDegrees([w, x, y, z]) {
  const roll = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  const pitch = Math.asin(clamp(2 * (w * y - z * x), -1, 1));
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return [roll, pitch, yaw].map(angle => angle * 180 / Math.PI);
}

// Degrees as a heading: at least 0 and less than 360, as written too.
function headingText(degrees) {
  const text = ((degrees % 360 + 360) % 360).toFixed(1);
  return text === "360.0" ? "0.0" : text;
}

function product(a, b) {
  const out = new Float32Array(16);
  for (let i = 0; i < 4; i++)
    for (let j = 0; j < 4; j++)
      for (let k = 0; k < 4; k++) out[4 * i + j] += a[4 * k + j] * b[4 * i + k];
  return out;
}

// Without an end: what is infinitely far away is just before it.
function perspective(fieldOfView, aspect, near) {
  const f = 1 / Math.tan(fieldOfView / 2), end = 1 - 2 ** -21;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, -end, -1, 0, 0, -(1 + end) * near, 0];
}

// From NED, seen from an eye: forward and up are unit vectors, up at right angles to forward.
function viewFrom(eye, forward, up) {
  const right = cross(forward, up);
  const rows = [right, up, forward.map(c => -c)];
  const m = new Float32Array(16);
  rows.forEach((r, j) => { for (let i = 0; i < 3; i++) m[4 * i + j] = r[i]; m[12 + j] = -dot(r, eye); });
  m[15] = 1;
  return m;
}
