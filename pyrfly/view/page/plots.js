// Numbers of a vehicle, and plots of them over time; those of a column are only where it is told.
const isTold = column => !config.untold.includes(column);
const COLUMNS = [
  {name: "height [m]", labels: [], read: (frame, i) => [-frame.pos[3 * i + 2]]},
  {name: "speed [m/s]", labels: [], read: (frame, i, next) => [speedOf(frame, next, i)]},
  {name: "attitude [deg]", of: "att", labels: ["roll", "pitch"], turn: 360, read: (frame, i) => eulerDegrees(row(frame.att, i, 4)).slice(0, 2)},
  {name: "yaw [deg]", of: "att", labels: [], turn: 360, read: (frame, i) => eulerDegrees(row(frame.att, i, 4)).slice(2)},
];
const CLOSE = 13;  // of two texts above each other [pixels]

// Plots of what a vehicle moves: rotors and wheels by speed, the rest by angle.
function actuatorPlots({spinning, turning}) {
  const picked = (name, which) => ({name, of: "displayed_actuators", labels: [], read: (frame, i) => which.map(k => frame.displayed[8 * i + k])});
  return [picked("rotors and wheels [1/min]", spinning), picked("surfaces and joints [rad]", turning)]
    .filter((_, k) => [spinning, turning][k].length);
}

function speedOf(frame, next, i) {
  const seconds = next.time - frame.time;
  return seconds > 0 ? Math.hypot(...sub(row(next.pos, i, 3), row(frame.pos, i, 3))) / seconds : NaN;
}

// A column that was chosen from the list.
function columnPlot({name, unit, width}) {
  return {name: unit ? `${name} [${unit}]` : name, labels: [], column: name, read: ({columns}, i) => (columns[name] ? row(columns[name], i, width) : Array(width).fill(NaN))};
}

// Samples of a vehicle between two times, at most so many.
function history(flight, plots, i, from, to, most) {
  const begin = before(flight.times, from), end = before(flight.times, to);
  const step = Math.max(1, Math.ceil((end - begin) / most)), found = {times: [], values: plots.map(() => [])};
  for (let k = begin; k <= end; k += step) {
    const frame = flight.frame(k), next = flight.frame(Math.min(k + step, end));
    if (frame.flags.length <= i) continue;
    found.times.push(frame.time);
    plots.forEach(({read}, c) => found.values[c].push(read(frame, i, next)));
  }
  return found;
}

function drawPlot(canvas, {name, labels, turn}, times, values, now, hues) {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d"), style = getComputedStyle(canvas);
  pen.scale(ratio, ratio);
  pen.font = "11px system-ui, sans-serif";
  const known = values.flat().filter(Number.isFinite);
  let low = Math.min(...known), high = Math.max(...known);
  if (!known.length) [low, high] = [0, 1];
  const room = Math.max(0.08 * (high - low), 0.02 * Math.abs(high), 1e-2);
  [low, high] = [low - room, high + room];
  const left = 44, top = 18, right = width - 6, bottom = height - 20;
  const x = t => left + (right - left) * (t - times[0]) / Math.max(times[times.length - 1] - times[0], 1e-9);
  const y = v => bottom - (bottom - top) * (v - low) / (high - low);
  pen.fillStyle = style.color;
  pen.fillText(name, 0, 11);
  labels.forEach((label, k) => { pen.fillStyle = hues[k]; pen.fillText(label, left + 60 + 44 * k, 11); });
  pen.fillStyle = style.color;
  pen.strokeStyle = style.borderColor;
  const ends = [low + room, high - room];
  for (const v of y(ends[0]) - y(ends[1]) < CLOSE ? [(low + high) / 2] : ends) {
    pen.fillText(shortNumber(v), 0, y(v) + 4);
    line(pen, [[left, y(v)], [right, y(v)]]);
  }
  line(pen, [[left, bottom], [right, bottom]]);
  if (times.length > 1) {
    pen.fillText(`${times[0].toFixed(1)} s`, left, height - 6);
    pen.textAlign = "right";
    pen.fillText(`${times[times.length - 1].toFixed(1)} s`, right, height - 6);
    pen.textAlign = "left";
  }
  pen.lineWidth = 1.5;
  (values[0] || []).forEach((_, k) => {
    pen.strokeStyle = hues[k % hues.length];
    const jumps = j => j > 0 && Math.abs(values[j][k] - values[j - 1][k]) > turn / 2;  // from 180 to -180 degrees
    line(pen, times.map((t, j) => [x(t), y(values[j][k]), jumps(j)]));
  });
  pen.lineWidth = 1;
  pen.strokeStyle = style.color;
  if (now < times[times.length - 1]) line(pen, [[x(now), top], [x(now), bottom]]);
}

// Through points, each with whether the line begins anew there.
function line(pen, points) {
  pen.beginPath();
  for (const [x, y, anew] of points) if (Number.isFinite(y)) pen[anew ? "moveTo" : "lineTo"](x, y);
  pen.stroke();
}

function shortNumber(v) {
  const size = Math.abs(v);
  return v.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2).replace(/^-(?=[0.]+$)/, "");  // no -0.00
}
