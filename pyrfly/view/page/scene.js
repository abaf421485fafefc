// The world and a frame of it, as they are drawn.
const SOLID_ = 0, SHADOW = 1, DISC = 2, GROUND = 3, NUMBER = 4;  // roles in the shader of solids
const NOWHERE = 1e9;  // where a surface is that is not there [m, down]
const {crashed: CRASHED, faulty: FAULTY} = config.flags;
const LOOKS = {
  dark: {
    zenith: [0.055, 0.08, 0.12], horizon: [0.17, 0.215, 0.27], ground: [0.155, 0.19, 0.235], mark: [0.29, 0.35, 0.42],
    deep: [0.04, 0.13, 0.21], surface: [0.13, 0.27, 0.38], waves: [0.30, 0.45, 0.56], swept: [0.75, 0.80, 0.86], pale: 0.3,
    under: {zenith: [0.15, 0.34, 0.44], horizon: [0.04, 0.16, 0.25], surface: [0.27, 0.48, 0.58]},
  },
  light: {
    zenith: [0.46, 0.65, 0.87], horizon: [0.86, 0.91, 0.95], ground: [0.70, 0.76, 0.70], mark: [0.58, 0.65, 0.60],
    deep: [0.12, 0.33, 0.48], surface: [0.36, 0.60, 0.74], waves: [0.62, 0.80, 0.90], swept: [0.16, 0.17, 0.20], pale: 0,
    under: {zenith: [0.40, 0.66, 0.78], horizon: [0.15, 0.38, 0.54], surface: [0.55, 0.78, 0.87]},
  },
};
const TINTS = [[CRASHED, [0.9, 0.15, 0.15, 0.65]], [FAULTY, [1, 0.55, 0.05, 0.6]]];
const TURNS_SEEN = 22;  // fastest turning that 30 pictures a second show [rad/s]
const MANY = 60, FEW_TRIANGLES = {true: 15e3, false: 2e6};  // of slow renderers and of fast ones

function makeScene(renderer, world, origin) {
  const {gl, slow} = renderer, bodies = [], vehicles = [];
  for (const group of world.groups) {
    bodies.push(makeBody(gl, group, vehicles.length));
    const {name, radius, rise} = group, described = {group: name, radius, rise, top: topOf(group), ...movedBy(group)};
    for (const id of group.ids) vehicles.push({id, ...described});
  }
  const {ground, scene} = world, rest = [];
  if (ground) rest.push(makeRest(gl, terrainCorners(ground, world.water, origin, slow ? COARSE : FINE), GROUND));
  if (scene) rest.push(makeRest(gl, corners([{...scene, vertices: moved(scene.vertices, origin), piece: 0}]), SOLID_));
  const triangles = world.groups.reduce((sum, {pieces, ids}) => sum + ids.length * pieces.reduce((n, {mesh}) => n + mesh.triangles.length / 3, 0), 0);
  const light = triangles < FEW_TRIANGLES[slow];  // all in full detail
  const spare = slow && vehicles.length > MANY;  // leaves out what costs most
  const rows = clamp(Math.floor((slow ? 3000 : 60000) / Math.max(vehicles.length, 1)), 10, 240);
  return {
    renderer, spare, origin, vehicles, bodies, rest, ground, water: world.water, rows,
    lines: world.lines.flatMap(one => joined(moved(one.points, origin), [...legible(one.colour), 230])),
    spots: world.lines.flatMap(one => spotsOf(moved(one.points, origin))),  // what an overview shows, too
    phases: new Float64Array(8 * vehicles.length),
    trails: makeTrails(gl, Math.max(vehicles.length, 1), rows), trailStep: config.looks.trail / rows,
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

// The colour of the trail, set-point and label of a vehicle; paler before a dark ground.
function colourOf(i, {pale}) {
  const {colours} = config.looks;
  return colours[i % colours.length].map(v => Math.round(v + pale * (255 - v)));
}

// A colour that is seen before dark ground, too.
function legible(colour) {
  return Math.max(...colour) < 100 ? colour.map(v => v + 45) : colour;
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
    into.push(Math.max(1, config.looks.least * depth / (body.radius * scale)), i);
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

function marks(scene, {frame, camera: {distance, mode}, chosen, look}) {
  const found = [], size = 0.012 * distance;
  for (const {i, at, radius} of scene.places) {
    if (scene.spare ? i !== chosen : mode === "nose" && i === chosen) continue;
    const colour = colourOf(i, look);
    if (frame.pos_sp) {
      const to = [0, 1, 2].map(k => frame.pos_sp[3 * i + k] - scene.origin[k]);
      if (Number.isFinite(to[0] + to[1] + to[2]) && Math.hypot(...sub(to, at)) > 0.2 * radius)
        found.push(...star(to, Math.max(size / 2, 0.3 * radius), [...colour, 255]), [at, to, [...colour, 90]]);
    }
    if (frame.wind) {
      const wind = row(frame.wind, i, 3), above = add(at, [0, 0, -1.6 * radius]);
      if (Math.hypot(...wind) > 0.1) found.push(...arrow(above, wind.map(v => v * 0.25 * Math.max(radius, 4 * size) / 2), [120, 200, 255, 200]));
    }
  }
  for (let k = 0; k < (frame.contacts?.length ?? 0); k += 3)
    if (Number.isFinite(frame.contacts[k])) found.push(...star(sub(row(frame.contacts, k / 3, 3), scene.origin), size, [255, 210, 60, 255]));
  return found;
}

function originsOf({origin, vehicles}, {pos}) {
  const found = moved(pos, origin);
  vehicles.forEach(({rise}, i) => { found[3 * i + 2] -= rise; });
  return found;
}

function followTrails(scene, frame, flight) {
  const {trails, trailStep, renderer: {gl}} = scene, begin = Math.max(flight.span[0], frame.time - config.looks.trail);
  if (frame.time < trails.time || trails.time < begin) {  // at another time: from the frames before it
    scene.trails = {...makeTrails(gl, trails.vehicles, trails.rows), time: begin - trailStep};
    freeBuffer(gl, trails);
  }
  for (let time = scene.trails.time + trailStep; time <= frame.time; time += trailStep)
    extendTrails(gl, scene.trails, originsOf(scene, flight.sample(time)), time);
}

function lastPieces({trails}, places, look) {
  if (!trails.last) return [];
  return places.map(({i, at}) => [trails.last.subarray(3 * i, 3 * i + 3), at, [...colourOf(i, look), 217]]);
}

// --- a picture ---

// What air and water leave of colours, for all programs; under water there is another sky.
function surroundings({ground, water, origin}, {camera, look, eye, matrix}) {
  const surface = water === null ? NOWHERE : water - origin[2], under = eye[2] > surface;
  const {zenith, horizon} = under ? look.under : look, {haze, least_haze: least, murk, clear} = config.looks;
  return {
    camera: matrix, eye, zenith, horizon, deep: look.deep, clear, haze: under ? murk : Math.max(haze * camera.distance, least),
    water: under ? NOWHERE : surface, shore: ground?.colours ? NOWHERE : surface, below: water === null || under ? horizon : look.deep,
    under, surface,
  };
}

function drawScene(scene, view) {
  const {renderer, bodies, water} = scene, {gl} = renderer, {camera, frame, chosen, look, show} = view;
  const width = gl.drawingBufferWidth, height = gl.drawingBufferHeight, {eye, matrix} = view, around = surroundings(scene, view);
  scene.eye = eye;
  gl.viewport(0, 0, width, height);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  const byVehicle = [];
  for (const place of scene.places) byVehicle[place.i] = place;
  const filled = bodies.map(body => fillBody(scene, body, frame, byVehicle, matrix, height, chosen));
  scene.full = filled.reduce((sum, [near]) => sum + near, 0);
  scene.filled = filled;
  // A disc stands out from what is below.
  use(renderer, "solid", {...around, light: LIGHT, swept: (scene.ground ? LOOKS.light : look).swept});
  drawBodies(scene, null);
  const cell = 10 ** Math.ceil(Math.log10(Math.max(camera.distance, 1) / 25)), begin = [0, 1].map(k => eye[k] % (10 * cell));
  if (!scene.ground && water === null) drawPlane(renderer, {...around, begin, cell, level: -scene.origin[2], ground: look.ground, mark: look.mark, alpha: 1, mirror: 0});
  drawSky(renderer, around, view, width / height);
  gl.enable(gl.BLEND);
  use(renderer, "solid", around);
  if (show.shadows) drawShadows(scene, filled);
  drawDiscs(renderer, bodies, filled);
  drawRibbons(scene, view, around);
  if (water !== null) {
    const {under, surface: level} = around, surface = under ? {ground: look.under.surface, alpha: 0.55, mirror: 0} : {ground: look.surface, alpha: 0.1, mirror: 0.7};
    gl.depthMask(false);
    drawPlane(renderer, {...around, begin, cell, level, mark: look.waves, ...surface});
    gl.depthMask(true);
  }
  gl.disable(gl.BLEND);
}

// The vehicle at a place of the last picture, or close to it: the nearest that nothing hides; -1: none.
function vehicleAt(scene, matrix, place, size) {
  const {renderer} = scene;
  if (!scene.filled) return -1;
  return pick(renderer, matrix, place, size, camera => {
    use(renderer, "solid", {camera});
    drawBodies(scene, NUMBER);
  });
}

function freeScene({renderer: {gl}, bodies, rest, trails}) {
  for (const body of [...bodies, ...rest]) freeBody(gl, body);
  freeBuffer(gl, trails);
}

// What rests, and vehicles: as they are, or by another role of the shader.
function drawBodies({renderer, rest, bodies, filled}, role) {
  for (const body of rest) drawSolid(renderer, body, body.full, 1, role ?? body.role);
  bodies.forEach((body, k) => {
    drawSolid(renderer, body, body.full, filled[k][0], role ?? SOLID_);
    drawSolid(renderer, body, body.simple, filled[k][1], role ?? SOLID_);
  });
}

function drawPlane(renderer, numbers) {
  use(renderer, "plane", numbers);
  drawCorners(renderer, renderer.gl.TRIANGLE_FAN, 6);
}

// Where nothing has been drawn.
function drawSky(renderer, around, {forward, up, share}, aspect) {
  const {gl} = renderer, high = Math.tan(FIELD_OF_VIEW / 2), right = cross(forward, up);
  const shifted = add(add(forward, right, -2 * share[0] * high * aspect), up, -2 * share[1] * high);
  use(renderer, "sky", {...around, rays: [...right.map(v => v * high * aspect), ...up.map(v => v * high), ...shifted]});
  gl.depthFunc(gl.LEQUAL);
  drawCorners(renderer, gl.TRIANGLES, 3);
  gl.depthFunc(gl.LESS);
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
    drawSolid(renderer, body, body.nearShadow, filled[k][0], SHADOW);
    if (!spare) drawSolid(renderer, body, body.simple, filled[k][1], SHADOW);
  });
  gl.disable(gl.POLYGON_OFFSET_FILL);
  gl.disable(gl.STENCIL_TEST);
}

function drawDiscs(renderer, bodies, filled) {
  bodies.forEach((body, k) => drawSolid(renderer, body, body.discs, filled[k][0], DISC));
  renderer.gl.depthMask(true);
}

function drawRibbons(scene, view, around) {
  const {renderer} = scene, {gl} = renderer, {show, look} = view, ratio = devicePixelRatio || 1;
  const palette = config.looks.colours.flatMap((_, i) => colourOf(i, look).map(v => v / 255));
  use(renderer, "ribbon", {...around, palette, size: [gl.drawingBufferWidth, gl.drawingBufferHeight], width: 1.8 * ratio, age: [0, 0, 0]});
  if (show.trails) {
    drawTrails(renderer, scene.trails, 0.85);
    drawLines(renderer, lastPieces(scene, scene.places, look));
  }
  drawLines(renderer, [...scene.lines, ...(show.marks ? marks(scene, view) : [])]);
}
