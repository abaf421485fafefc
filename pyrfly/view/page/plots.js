// Numbers of a vehicle, and plots of them over time.
const HUES = ["#4aa3ff", "#ff8c42", "#43c59e", "#e4576b", "#b58cff", "#d9b310", "#7fd1e8", "#c77d9b"];
const COLUMNS = [
  {name: "height [m]", labels: [], read: (frame, i) => [-frame.pos[3 * i + 2]]},
  {name: "speed [m/s]", labels: [], read: (frame, i, next) => [speedOf(frame, next, i)]},
  {name: "attitude [deg]", labels: ["roll", "pitch", "yaw"], read: (frame, i) => eulerDegrees(row(frame.att, i, 4))},
  {name: "actuators", labels: [], read: (frame, i) => row(frame.displayed, i, 8)},
];

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

function drawPlot(canvas, {name, labels}, times, values, now) {
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
  const left = 44, top = 18, right = width - 6, bottom = height - 6;
  const x = t => left + (right - left) * (t - times[0]) / Math.max(times[times.length - 1] - times[0], 1e-9);
  const y = v => bottom - (bottom - top) * (v - low) / (high - low);
  pen.fillStyle = style.color;
  pen.fillText(name, 0, 11);
  labels.forEach((label, k) => { pen.fillStyle = HUES[k]; pen.fillText(label, left + 60 + 44 * k, 11); });
  pen.fillStyle = style.color;
  pen.strokeStyle = style.borderColor;
  for (const v of [low + room, high - room]) {
    pen.fillText(shortNumber(v), 0, y(v) + 4);
    line(pen, [[left, y(v)], [right, y(v)]]);
  }
  pen.lineWidth = 1.5;
  (values[0] || []).forEach((_, k) => {
    pen.strokeStyle = HUES[k % HUES.length];
    line(pen, times.map((t, j) => [x(t), y(values[j][k])]));
  });
  pen.lineWidth = 1;
  pen.strokeStyle = style.color;
  if (now < times[times.length - 1]) line(pen, [[x(now), top], [x(now), bottom]]);
}

function line(pen, points) {
  pen.beginPath();
  for (const [x, y] of points) if (Number.isFinite(y)) pen.lineTo(x, y);
  pen.stroke();
}

function shortNumber(v) {
  const size = Math.abs(v);
  return v.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
