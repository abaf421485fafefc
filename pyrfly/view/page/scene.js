// The world and a frame of it, as they are drawn.
const ARMED = 1, CRASHED = 2, FAULTY = 4;
const LOOKS = {
  dark: {sky: [0.10, 0.135, 0.18], ground: [0.165, 0.205, 0.25], mark: [0.29, 0.35, 0.42], water: [0.10, 0.22, 0.33], waves: [0.16, 0.32, 0.45], swept: [0.75, 0.80, 0.86]},
  light: {sky: [0.80, 0.88, 0.95], ground: [0.70, 0.76, 0.70], mark: [0.58, 0.65, 0.60], water: [0.42, 0.64, 0.78], waves: [0.53, 0.73, 0.85], swept: [0.16, 0.17, 0.20]},
};
const TINTS = [[CRASHED, [0.9, 0.15, 0.15, 0.65]], [FAULTY, [1, 0.55, 0.05, 0.6]]];
const CHOSEN = [0.29, 0.64, 1, 255];
const TURNS_SEEN = 22;  // fastest turning that 30 pictures a second show [rad/s]
const TRAIL_SECONDS = 10;  // as in pictures, pyrfly/view/animation.py
const LEAST = 8;  // radius of a vehicle that is enlarged to it [pixels]
const MANY = 60, FEW_TRIANGLES = {true: 15e3, false: 2e6};  // of slow renderers and of fast ones
const COARSE = 64, FINE = 256;  // rows of terrain that are drawn

function makeScene(renderer, world, origin) {
  const {gl, slow} = renderer, bodies = [], vehicles = [];
  for (const group of world.groups) {
    bodies.push(makeBody(gl, group, vehicles.length));
    const {name, radius, rise} = group, described = {group: name, radius, rise, top: topOf(group), ...movedBy(group)};
    for (const id of group.ids) vehicles.push({id, ...described});
  }
  const {ground, scene} = world, rest = [];
  if (ground) rest.push(makeRest(gl, terrainMesh(ground, world.water, origin, slow ? COARSE : FINE)));
  if (scene) rest.push(makeRest(gl, {...scene, vertices: moved(scene.vertices, origin)}));
  const triangles = world.groups.reduce((sum, {pieces, ids}) => sum + ids.length * pieces.reduce((n, {mesh}) => n + mesh.triangles.length / 3, 0), 0);
  const light = triangles < FEW_TRIANGLES[slow];  // all in full detail
  const spare = slow && vehicles.length > MANY;  // leaves out what costs most
  const rows = clamp(Math.floor((slow ? 3000 : 60000) / Math.max(vehicles.length, 1)), 10, 240);
  return {
    renderer, spare, origin, vehicles, bodies, rest, ground, water: world.water, rows,
    lines: world.lines.flatMap(one => joined(moved(one.points, origin), [...legible(one.colour), 230])),
    spots: world.lines.flatMap(one => spotsOf(moved(one.points, origin))),  // what an overview shows, too
    phases: new Float64Array(8 * vehicles.length),
    trails: makeTrails(gl, Math.max(vehicles.length, 1), rows), trailStep: TRAIL_SECONDS / rows,
    light, bound: slow && !light ? 30 : 8, places: [], full: 0,
  };
}

// How far the pieces of a vehicle rise over its origin.
function topOf({pieces}) {
  let top = 0;
  for (const {simple} of pieces) for (let k = 2; k < simple.vertices.length; k += 3) top = Math.max(top, -simple.vertices[k]);
  return top;
}

// The actuators that spin pieces of a vehicle, and those that turn or shift them.
function movedBy({pieces}) {
  const joints = pieces.flatMap(piece => piece.joints);
  const those = spins => [...new Set(joints.filter(([kind]) => (kind === "spin") === spins).map(([, actuator]) => actuator))].sort();
  return {spinning: those(true), turning: those(false)};
}

function moved(points, origin) {
  const out = new Float32Array(points.length);
  for (let k = 0; k < points.length; k++) out[k] = points[k] - origin[k % 3];
  return out;
}

// A colour that is seen before dark ground, too.
function legible(colour) {
  return Math.max(...colour) < 120 ? colour.map(v => v + 110) : colour;
}

function spotsOf(points) {
  const found = [];
  for (let k = 0; k < points.length; k += 3) found.push({at: Array.from(points.subarray(k, k + 3)), radius: 0});
  return found;
}

function joined(points, colour) {
  const found = [];
  for (let k = 3; k < points.length; k += 3) found.push([points.slice(k - 3, k), points.slice(k, k + 3), colour]);
  return found;
}

// --- terrain ---

function terrainMesh({z, first, spacing, colours}, water, origin, most) {
  const [rows, columns] = z.shape, step = Math.max(1, Math.ceil(Math.max(rows, columns) / most));
  const r = everyOf(rows, step), c = everyOf(columns, step), vertices = [], triangles = [], shades = [];
  const [low, high] = z.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  const shore = Math.min(high, water ?? high), lowest = [194, 180, 140];
  const shade = (at, level) => {
    if (colours) return row(colours, at, 3);
    return level > shore ? lowest.map(v => v / (1 + 0.08 * (level - shore))) : heightColour((shore - level) / Math.max(shore - low, 1e-3));
  };
  const meanLevel = corners => corners.reduce((sum, corner) => sum + vertices[3 * corner + 2], 0) / 3 + origin[2];
  r.forEach((i, m) => c.forEach((j, n) => {
    vertices.push(first[0] + i * spacing[0] - origin[0], first[1] + j * spacing[1] - origin[1], z[i * columns + j] - origin[2]);
    if (m === 0 || n === 0) return;
    const here = m * c.length + n, west = here - 1, south = here - c.length;
    for (const half of [[south - 1, west, here], [south - 1, here, south]]) {
      triangles.push(...half);
      shades.push(...shade(i * columns + j, meanLevel(half)));
    }
  }));
  return {vertices: new Float32Array(vertices), triangles: outward(vertices, triangles), colours: shades};
}

function everyOf(count, step) {
  const found = [];
  for (let k = 0; k < count - 1; k += step) found.push(k);
  return [...found, count - 1];
}

// Turns triangles up, towards negative z.
function outward(vertices, triangles) {
  const [a, b, c] = [0, 1, 2].map(k => vertices.slice(3 * triangles[k], 3 * triangles[k] + 3));
  if (triangles.length && cross(sub(b, a), sub(c, a))[2] > 0)
    for (let k = 0; k < triangles.length; k += 3) [triangles[k + 1], triangles[k + 2]] = [triangles[k + 2], triangles[k + 1]];
  return triangles;
}

function heightColour(share) {
  const stops = [[92, 128, 84], [140, 146, 96], [150, 128, 102], [196, 192, 188]];
  const at = clamp(share, 0, 0.999) * (stops.length - 1), k = Math.floor(at);
  return stops[k].map((v, j) => v + (at - k) * (stops[k + 1][j] - v));
}

// What lies below a point: the ground or the water [m from the middle, down].
function floorAt({ground, water, origin}, [x, y]) {
  let z = ground ? 1e6 : 0;
  if (ground) {
    const [rows, columns] = ground.z.shape;
    const i = Math.round((x + origin[0] - ground.first[0]) / ground.spacing[0]), j = Math.round((y + origin[1] - ground.first[1]) / ground.spacing[1]);
    if (i >= 0 && j >= 0 && i < rows && j < columns) z = ground.z[i * columns + j];
  }
  return Math.min(z, water ?? Infinity) - origin[2];
}

// --- vehicles ---

function turnRotors({phases}, {displayed}, seconds) {
  for (let k = 0; k < phases.length; k++) {
    const speed = displayed[k] * 2 * Math.PI / 60;
    phases[k] = (phases[k] + TURNS_SEEN * Math.tanh(speed / TURNS_SEEN) * seconds) % (2 * Math.PI);
  }
}

// Where vehicles are: those that are there.
function placesOf(scene, frame) {
  const places = [], count = Math.min(scene.vehicles.length, frame.flags.length);
  for (let i = 0; i < count; i++) {
    const at = [0, 1, 2].map(k => frame.pos[3 * i + k] - scene.origin[k]);
    if (!Number.isFinite(at[0] + at[1] + at[2])) continue;
    const {radius, rise} = scene.vehicles[i];
    places.push({i, at: [at[0], at[1], at[2] - rise], att: row(frame.att, i, 4), radius});
  }
  return places;
}

function fillBody(scene, body, frame, byVehicle, matrix, height, chosen) {
  const near = [], far = [], scale = height / (2 * Math.tan(FIELD_OF_VIEW / 2));
  for (let i = body.first; i < body.first + body.count; i++) {
    const place = byVehicle[i];
    if (!place) continue;
    const position = place.at, depth = project(matrix, position, 2, 2)?.depth ?? 0;
    if (depth === 0 && Math.hypot(...sub(position, scene.eye)) > 2 * body.radius) continue;
    const into = depth === 0 || body.radius * scale / depth > scene.bound ? near : far;
    const floor = floorAt(scene, position);
    into.push(...position, floor > position[2] - 0.05 ? Math.max(floor - 0.01, position[2] - body.radius) : 1e7);
    for (let k = 0; k < 4; k++) into.push(frame.att[4 * i + k]);
    for (let k = 0; k < 8; k++) into.push(frame.displayed[8 * i + k]);
    for (let k = 0; k < 8; k++) into.push(scene.phases[8 * i + k]);
    const tint = TINTS.find(([bit]) => frame.flags[i] & bit);
    into.push(...(tint ? tint[1] : i === chosen ? [0.35, 0.7, 1, 0.3] : [0, 0, 0, 0]));
    into.push(Math.max(1, LEAST * depth / (body.radius * scale)));
  }
  fill(scene.renderer.gl, body.near, new Float32Array(near));
  fill(scene.renderer.gl, body.far, new Float32Array(far));
  return [near.length / INSTANCE, far.length / INSTANCE];
}

// --- lines that move ---

function arrow(from, along, colour) {
  const tip = add(from, along), side = unit(cross(along, [0, 0, 1])), size = 0.2 * Math.hypot(...along);
  const back = add(tip, along, -0.25);
  return [[from, tip, colour], [add(back, side, size / 2), tip, colour], [add(back, side, -size / 2), tip, colour]];
}

function star(at, size, colour) {
  return [0, 1, 2].map(k => { const d = [0, 0, 0]; d[k] = size; return [sub(at, d), add(at, d), colour]; });
}

function marks(scene, {frame, camera: {distance, mode}, chosen}) {
  const found = [], size = 0.012 * distance;
  for (const {i, at, radius} of scene.places) {
    if (scene.spare ? i !== chosen : mode === "nose" && i === chosen) continue;
    if (frame.pos_sp) {
      const to = [0, 1, 2].map(k => frame.pos_sp[3 * i + k] - scene.origin[k]);
      if (Number.isFinite(to[0] + to[1] + to[2]) && Math.hypot(...sub(to, at)) > 0.2 * radius)
        found.push(...star(to, Math.max(size / 2, 0.3 * radius), [90, 220, 150, 220]), [at, to, [90, 220, 150, 70]]);
    }
    if (frame.wind) {
      const wind = row(frame.wind, i, 3), above = add(at, [0, 0, -1.6 * radius]);
      if (Math.hypot(...wind) > 0.1) found.push(...arrow(above, wind.map(v => v * 0.25 * Math.max(radius, 4 * size) / 2), [120, 200, 255, 200]));
    }
    if (frame.flags[i] & (CRASHED | FAULTY)) found.push(...star(add(at, [0, 0, -1.8 * radius]), 0.5 * radius, [255, 80, 80, 255]));
  }
  for (let k = 0; k < (frame.contacts?.length ?? 0); k += 3)
    found.push(...star(sub(row(frame.contacts, k / 3, 3), scene.origin), size, [255, 210, 60, 255]));
  return found;
}

function originsOf({origin, vehicles}, {pos}) {
  const found = moved(pos, origin);
  vehicles.forEach(({rise}, i) => { found[3 * i + 2] -= rise; });
  return found;
}

function followTrails(scene, frame, flight) {
  const {trails, trailStep, renderer: {gl}} = scene, begin = Math.max(flight.span[0], frame.time - TRAIL_SECONDS);
  if (frame.time < trails.time || trails.time < begin) {  // at another time: from the frames before it
    scene.trails = {...makeTrails(gl, trails.vehicles, trails.rows), time: begin - trailStep};
    gl.deleteBuffer(trails.buffer);
    gl.deleteVertexArray(trails.vertices);
  }
  for (let time = scene.trails.time + trailStep; time <= frame.time; time += trailStep)
    extendTrails(gl, scene.trails, originsOf(scene, flight.sample(time)), time);
}

function lastPieces({trails}, places, colour) {
  if (!trails.last) return [];
  return places.map(({i, at}) => [trails.last.subarray(3 * i, 3 * i + 3), at, colour]);
}

// --- a picture ---

function drawScene(scene, view) {
  const {renderer, bodies} = scene, {gl} = renderer, {camera, frame, chosen, look, show} = view;
  const width = gl.drawingBufferWidth, height = gl.drawingBufferHeight, {eye, matrix} = view;
  scene.eye = eye;
  gl.viewport(0, 0, width, height);
  gl.clearColor(...look.sky, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  const cell = 10 ** Math.ceil(Math.log10(Math.max(camera.distance, 1) / 25));
  const plane = {centre: [camera.target[0], camera.target[1], 0], cell, reach: 300 + 40 * camera.distance + 40 * Math.abs(eye[2]), sky: look.sky};
  const level = -scene.origin[2];
  if (!scene.ground && scene.water === null) drawPlane(renderer, matrix, {...plane, level, ground: look.ground, mark: look.mark, alpha: 1});
  useSolid(renderer, matrix, (scene.ground ? LOOKS.light : look).swept);  // a disc stands out from what is below
  for (const body of scene.rest) drawSolid(renderer, body, body.full, 1, 0);
  const byVehicle = [];
  for (const place of scene.places) byVehicle[place.i] = place;
  const filled = bodies.map(body => fillBody(scene, body, frame, byVehicle, matrix, height, chosen));
  scene.full = filled.reduce((sum, [near]) => sum + near, 0);
  bodies.forEach((body, k) => {
    drawSolid(renderer, body, body.full, filled[k][0], 0);
    drawSolid(renderer, body, body.simple, filled[k][1], 0);
  });
  gl.enable(gl.BLEND);
  if (show.shadows) drawShadows(scene, filled);
  drawDiscs(renderer, bodies, filled);
  drawRibbons(scene, view);
  if (scene.water !== null) {
    const water = {level: scene.water - scene.origin[2], ground: look.water, mark: look.waves, alpha: scene.ground ? 0.6 : 0.85};
    gl.depthMask(false);
    drawPlane(renderer, matrix, {...plane, ...water});
    gl.depthMask(true);
  }
  gl.disable(gl.BLEND);
}

// Each pixel is darkened once, however many triangles fall on it.
function drawShadows({renderer, bodies, spare}, filled) {
  const {gl} = renderer;
  gl.enable(gl.STENCIL_TEST);
  gl.stencilFunc(gl.EQUAL, 0, 255);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
  gl.depthMask(false);
  gl.enable(gl.POLYGON_OFFSET_FILL);
  gl.polygonOffset(-2, -8);
  bodies.forEach((body, k) => {
    drawSolid(renderer, body, body.nearShadow, filled[k][0], 1);
    if (!spare) drawSolid(renderer, body, body.simple, filled[k][1], 1);
  });
  gl.disable(gl.POLYGON_OFFSET_FILL);
  gl.disable(gl.STENCIL_TEST);
}

function drawDiscs(renderer, bodies, filled) {
  bodies.forEach((body, k) => drawSolid(renderer, body, body.discs, filled[k][0], 2));
  renderer.gl.depthMask(true);
}

function drawRibbons(scene, view) {
  const {renderer} = scene, {show} = view, ratio = devicePixelRatio || 1;
  useRibbons(renderer, view.matrix, 1.8 * ratio);
  if (show.trails) {
    drawTrails(renderer, scene.trails, [0.45, 0.72, 1, 0.75]);
    drawLines(renderer, lastPieces(scene, scene.places, [115, 184, 255, 190]));
  }
  drawLines(renderer, [...scene.lines, ...(show.marks ? marks(scene, view) : [])]);
}
