// Where the scene is seen from. Positions are NED from the middle of the world.
const FIELD_OF_VIEW = 0.9;  // upright [rad]
const MODES = {overview: "Overview", follow: "Follow", nose: "First person", free: "Free"};

function makeCamera() {
  return {mode: "overview", azimuth: -0.6, elevation: 0.45, distance: 20, target: [0, 0, 0]};
}

function forwardOf({azimuth, elevation}) {
  return [Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)];
}

// Follows vehicles: `places` are those that are there, `chosen` is one of them, or nothing.
function aim(camera, places, chosen, share, aspect) {
  const towards = point => { camera.target = add(camera.target, sub(point, camera.target), share); };
  if (camera.mode === "overview" && places.length) {
    const [low, high] = bounds(places.map(({at}) => at));
    towards(add(low, sub(high, low), 0.5));
    camera.distance += share * (fitting(camera, places, aspect) - camera.distance);
  } else if (camera.mode === "follow" && chosen) {
    const {i, at} = camera.followed ?? {};
    if (i === chosen.i) camera.target = add(camera.target, sub(chosen.at, at));  // no lag behind a fast one
    const far = Math.hypot(...sub(chosen.at, camera.target)) > 2 * camera.distance;
    if (far) camera.target = chosen.at; else towards(chosen.at);
  }
  camera.followed = camera.mode === "follow" ? chosen : null;
}

// Puts a vehicle into the picture as a whole, and not too small.
function approach(camera, {radius}, aspect) {
  const least = 1.4 * radius / Math.sin(FIELD_OF_VIEW / 2) / Math.min(1, aspect);
  camera.distance = clamp(camera.distance, least, Math.max(14 * radius, least));
}

// The least distance from which all vehicles are seen.
function fitting(camera, places, aspect) {
  const forward = forwardOf(camera), right = unit(cross(forward, [0, 0, -1])), up = cross(right, forward);
  const tangent = 0.88 * Math.tan(FIELD_OF_VIEW / 2);  // the bar below covers the rest
  return 1.1 * places.reduce((most, {at, radius}) => {
    const from = sub(at, camera.target), room = Math.min(2.5 * radius, 1.3 * radius + 1);
    const across = (Math.abs(dot(from, right)) + room) / (tangent * aspect), along = (Math.abs(dot(from, up)) + room) / tangent;
    return Math.max(most, Math.max(across, along) - dot(from, forward));
  }, 0.1);
}

function bounds(points) {
  const pick = choose => [0, 1, 2].map(k => points.reduce((sum, p) => choose(sum, p[k]), points[0][k]));
  return [pick(Math.min), pick(Math.max)];
}

// Where the eye is, where it looks to, and what is up.
function pose(camera, chosen) {
  if (camera.mode === "nose" && chosen) {
    const [forward, up] = [[1, 0, 0], [0, 0, -1]].map(axis => rotate(chosen.att, axis));
    return {eye: add(add(chosen.at, forward, 0.7 * chosen.radius), up, 0.25 * chosen.radius), forward, up};
  }
  const forward = forwardOf(camera);
  const right = unit(cross(forward, [0, 0, -1]));
  return {eye: add(camera.target, forward, -camera.distance), forward, up: cross(right, forward)};
}

// The middle of the picture is moved by shares of its size, right and up: panels cover the rest.
function matrixOf(camera, {eye, forward, up}, aspect, [right, above]) {
  const near = clamp((camera.mode === "nose" ? 1 : camera.distance) / 40, 0.02, 20);
  const projection = perspective(FIELD_OF_VIEW, aspect, near);
  [projection[8], projection[9]] = [-2 * right, -2 * above];
  return product(projection, viewFrom(eye, forward, up));
}

// Pixels of a point, and its depth; nothing for one behind the eye.
function project(matrix, [x, y, z], width, height) {
  const clip = k => matrix[k] * x + matrix[4 + k] * y + matrix[8 + k] * z + matrix[12 + k];
  const w = clip(3);
  return w > 1e-3 ? {x: width * (0.5 + 0.5 * clip(0) / w), y: height * (0.5 - 0.5 * clip(1) / w), depth: w} : null;
}

function turn(camera, dx, dy) {
  camera.azimuth += 0.006 * dx;
  camera.elevation = clamp(camera.elevation + 0.006 * dy, -0.3, 1.5);
}

function shift(camera, dx, dy, height) {
  const ahead = [Math.cos(camera.azimuth), Math.sin(camera.azimuth), 0], right = [-ahead[1], ahead[0], 0];
  const scale = 2 * camera.distance * Math.tan(FIELD_OF_VIEW / 2) / height;
  camera.target = add(add(camera.target, right, -dx * scale), ahead, dy * scale);
  camera.mode = "free";
}

function zoom(camera, factor) {
  camera.distance = clamp(camera.distance * factor, 0.2, 2e5);
  if (camera.mode === "overview") camera.mode = "free";
}
