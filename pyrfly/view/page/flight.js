// Frames by time: those of a flight in the page, or the last ones of a simulation.
const KEPT_BYTES = 64e6, KEPT_FRAMES = 3600;

function flightOf({times, at}) {
  let last = {};  // the two frames of the last sample
  const frame = index => (index in last ? last[index] : at(index));
  return {
    get count() { return times.length; },
    get span() { return [times[0], times[times.length - 1]]; },
    times,
    frame,
    sample(time) {
      const index = before(times, time), next = Math.min(index + 1, times.length - 1);
      last = {[index]: frame(index), [next]: frame(next)};
      return between(last[index], last[next], time);
    },
  };
}

// The same for frames that come in one by one.
function liveFlight() {
  const times = [], frames = [];
  return {
    times,
    get count() { return times.length; },
    get span() { return [times[0], times[times.length - 1]]; },
    frame: index => frames[index],
    sample(time) {
      const index = before(times, time);
      return between(frames[index], frames[Math.min(index + 1, frames.length - 1)], time);
    },
    push(frame) {
      if (times.length && frame.time < times[times.length - 1]) times.length = frames.length = 0;  // reset
      if (times.length && frame.time === times[times.length - 1]) { times.pop(); frames.pop(); }
      times.push(frame.time);
      frames.push(frame);
      const most = Math.min(KEPT_FRAMES, Math.max(60, KEPT_BYTES / (100 * frame.flags.length)));
      if (times.length > most) { times.shift(); frames.shift(); }
    },
  };
}

// Index of the last time that is not after a time.
function before(times, time) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle; else high = middle - 1;
  }
  return low;
}

// The frame between two of them.
function between(a, b, time) {
  const share = b.time > a.time ? clamp((time - a.time) / (b.time - a.time), 0, 1) : 0;
  if (share === 0 || a.flags.length !== b.flags.length) return a;
  const mixed = {...(share < 0.5 ? a : b), time};
  for (const name of ["pos", "displayed"]) mixed[name] = straight(a[name], b[name], share);
  return {...mixed, att: turned(a.att, b.att, share)};
}

function straight(a, b, share) {
  const out = new Float64Array(a.length);
  for (let k = 0; k < a.length; k++) out[k] = a[k] + share * (b[k] - a[k]);
  return out;
}

function turned(a, b, share) {
  const out = new Float64Array(a.length);
  for (let k = 0; k < a.length; k += 4) {
    const same = a[k] * b[k] + a[k + 1] * b[k + 1] + a[k + 2] * b[k + 2] + a[k + 3] * b[k + 3] < 0 ? -share : share;
    let length = 0;
    for (let j = k; j < k + 4; j++) { out[j] = (1 - share) * a[j] + same * b[j]; length += out[j] * out[j]; }
    length = Math.sqrt(length) || 1;
    for (let j = k; j < k + 4; j++) out[j] /= length;
  }
  return out;
}
