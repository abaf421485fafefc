// The page: what is shown, and what keys, pointer and simulation change of it.
const at = id => document.getElementById(id);
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const NO_LIMIT = "max";
const PAUSED = "▶", PLAYING = "❚❚";
const MOST_COLUMNS = 12, MOST_LABELS = 40, MOST_LISTED = 500, PLOT_SECONDS = 60, PLOT_POINTS = 300, HOVER = 150;  // the last one in ms

const state = {
  world: null, scene: null, flight: null, live: false, time: 0, playing: true, speed: 1, behind: false, chosen: -1, columns: [], begun: false,
  camera: makeCamera(), renderer: null, looks: "dark", show: {labels: true, trails: true, marks: true, shadows: true},
  frame: null, matrix: null, pointer: null, arrived: [0, 0], shown: 0, said: "",
};

// --- what there is ---

function setWorld(header) {
  const mesh = numbers => { const [vertices, triangles, colours] = numbers.map(k => header.arrays[k]); return {vertices, triangles, colours}; };
  state.world = {
    ...header,
    groups: header.groups.map(group => ({
      ...group, pieces: group.pieces.map(piece => ({...piece, mesh: mesh(piece.mesh), simple: mesh(piece.simple)})),
    })),
    ground: header.ground && {...header.ground, z: header.arrays[header.ground.z], colours: header.ground.colours === null ? null : header.arrays[header.ground.colours]},
    scene: header.scene && mesh(header.scene),
    lines: header.lines.map(one => ({...one, points: header.arrays[one.points]})),
  };
  if (state.scene) freeScene(state.scene);
  state.scene = null;
}

// The middle of the world is where the first frame has vehicles, at a multiple of 1 km.
function beginScene(frame) {
  const known = [];
  for (let k = 0; k < frame.pos.length; k += 3) if (Number.isFinite(frame.pos[k])) known.push(row(frame.pos, k / 3, 3));
  const middle = known.length ? bounds(known).reduce((a, b) => add(a, b)).map(v => v / 2) : [0, 0, 0];
  state.scene = makeScene(state.renderer, state.world, [...middle.slice(0, 2).map(v => 1000 * Math.round(v / 1000)), 0]);
  state.scene.places = placesOf(state.scene, frame);
  state.show.labels &&= state.scene.vehicles.length <= MOST_LABELS;
  listVehicles();
  listColumns();
  if (state.chosen >= state.scene.vehicles.length) choose(-1);
  if (state.begun) return;  // another world of the same simulation: it is looked at as before
  state.begun = true;
  aim(state.camera, seen(state.scene), null, 1, freeAspect());  // to the middle,
  aim(state.camera, seen(state.scene), null, 1, freeAspect());  // and as far from there as it has to be
  chooseCamera(config.camera);
  if (location.hash === "#plots") toggleDash();
}

const seen = ({places, spots}) => [...places, ...spots];

function chooseCamera({mode, vehicle, azimuth, elevation, distance}) {
  Object.assign(state.camera, {azimuth, elevation});
  const index = state.scene.vehicles.findIndex(({id}) => id === vehicle);
  if (index >= 0) choose(index, false);
  setMode(mode);
  if (distance) state.camera.distance = distance;
}

// --- time ---

function advance(seconds) {
  const {flight} = state, [first, last] = flight.span;
  if (state.live && !state.behind) {
    const [before_, now] = state.arrived, share = clamp((performance.now() - now) / Math.max(now - before_, 1), 0, 1);
    const previous = flight.times[Math.max(flight.count - 2, 0)];
    state.time = previous + share * (last - previous);
  } else if (!state.live && state.playing) {
    state.time += seconds * state.speed;
    if (state.time >= last) setPlaying(false);
  }
  state.time = clamp(state.time, first, last);
}

function seek(time) {
  const [first, last] = state.flight.span;
  state.time = clamp(time, first, last);
  state.behind = state.live && time < last;
}

function setPlaying(on) {
  if (on && !state.live && state.time >= state.flight.span[1]) state.time = state.flight.span[0];
  state.playing = on;
  at("play").textContent = on ? PLAYING : PAUSED;
}

function togglePlay() {
  if (state.live) tell({pause: state.playing});
  setPlaying(!state.playing);
}

// On or back: a simulation goes on by itself, back are the frames that are here.
function oneStep(by = 1) {
  const {times, count} = state.flight, newest = state.live && !state.behind;
  if (newest && by > 0) tell({step: 1});
  else seek(times[clamp(before(times, state.time) + by, 0, count - 1)]);
  if (state.live && !newest) return;
  setPlaying(false);
}

function setSpeed(speed) {
  state.speed = speed;
  at("speed").value = String(speed ?? NO_LIMIT);
  if (state.live) tell({speed});
}

function changeSpeed(by) {
  const k = SPEEDS.findIndex(speed => speed >= (state.speed ?? 16));
  setSpeed(SPEEDS[clamp(k + by, 0, SPEEDS.length - 1)]);
}

// --- the picture ---

function tick(now) {
  requestAnimationFrame(tick);
  const seconds = Math.min((now - state.shown) / 1000, 0.25);
  state.shown = now;
  if (!state.flight?.count || !state.world) return;
  advance(seconds);
  const frame = state.frame = state.flight.sample(state.time);
  if (!state.scene) beginScene(frame);
  const {scene, camera, renderer} = state;
  if (state.playing) turnRotors(scene, frame, seconds);
  scene.places = placesOf(scene, frame);
  const chosen = scene.places.find(({i}) => i === state.chosen);
  aim(camera, seen(scene), chosen, 1 - Math.exp(-6 * seconds), freeAspect());
  resize(renderer.gl.canvas);
  const view = {camera, frame, chosen: state.chosen, look: LOOKS[state.looks], show: state.show, share: coveredShares(), ...pose(camera, chosen)};
  view.matrix = state.matrix = matrixOf(camera, view, innerWidth / innerHeight, view.share);
  if (state.show.trails) followTrails(scene, frame, state.flight);
  if (!document.documentElement.classList.contains("dash")) drawScene(scene, view);
  acknowledge();
  showNumbers(now, seconds);
}

const isNarrow = () => innerWidth <= 760;  // page.css: the details are below
const roomOf = id => (at(id).hidden || isNarrow() ? 0 : at(id).offsetWidth + 12);
const coveredShares = () => [(roomOf("list") - roomOf("details")) / 2 / innerWidth, isNarrow() ? at("details").offsetHeight / 2 / innerHeight : 0];
const freeAspect = () => Math.max(innerWidth - roomOf("list") - roomOf("details"), 200) / innerHeight;

function resize(canvas) {
  const ratio = state.renderer.slow ? 1 : Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [Math.round(innerWidth * ratio), Math.round(innerHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
}

const pace = {since: 0, frames: 0, rate: 0, time: 0, next: 0, hover: 0, factor: 1};

function showNumbers(now, seconds) {
  pace.frames++;
  if (now - pace.since > 500) {
    const past = (now - pace.since) / 1000;
    Object.assign(pace, {rate: pace.frames / past, factor: (state.time - pace.time) / past, since: now, frames: 0, time: state.time});
    if (pace.time && !state.scene.light) detail(state.scene, pace.rate);
    at("figures").textContent = `${pace.factor.toFixed(2)} × real time · ${Math.round(pace.rate)} frames/s`;
    showList();
  }
  const [first, last] = state.flight.span, slider = at("slider");
  Object.assign(slider, {min: first, max: Math.max(last, first + 1e-3)});
  if (document.activeElement !== slider || !slider.matches(":active")) slider.value = state.time;
  at("time").textContent = `${state.time.toFixed(2)} s` + (state.live ? "" : ` / ${last.toFixed(1)} s`);
  at("live").hidden = !state.behind;
  showLabels();
  if (now > pace.hover) { pace.hover = now + HOVER; hover(state.pointer); }
  if (now > pace.next && state.chosen >= 0) { pace.next = now + 200; showDetails(); }
}

// Less detail where pictures are few; more where they are not.
function detail(scene, rate) {
  if (rate < 31) scene.bound = Math.min(scene.bound * 1.3, 400);
  else if (rate > 38) scene.bound = Math.max(scene.bound * 0.85, 8);
}

// What is written beside a vehicle that is lost, as in pictures.
function lostWord(flags) {
  return Object.keys(config.flags).find(word => word !== "armed" && flags & config.flags[word]) ?? "";
}

function showLabels() {
  const box = at("labels"), {places, vehicles} = state.scene, shown = state.show.labels ? places.slice(0, MOST_LABELS) : [];
  while (box.children.length > shown.length) box.lastChild.remove();
  while (box.children.length < shown.length) box.append(document.createElement("span"));
  shown.forEach(({i, at: place}, k) => {
    const spot = project(state.matrix, add(place, [0, 0, -vehicles[i].top]), innerWidth, innerHeight), label = box.children[k];
    label.hidden = !spot || (state.camera.mode === "nose" && i === state.chosen);
    if (!spot) return;
    label.textContent = `${vehicles[i].id} ${lostWord(state.frame.flags[i])}`.trim();
    label.style.borderColor = cssColour(i);
    label.style.transform = `translate(${spot.x.toFixed(1)}px, ${spot.y.toFixed(1)}px) translate(-50%, -140%)`;
  });
}

// --- vehicles: list, numbers, plots ---

function listVehicles() {
  const list = at("list"), {vehicles} = state.scene;
  list.replaceChildren();
  let group = null;
  vehicles.slice(0, MOST_LISTED).forEach((vehicle, i) => {
    if (vehicle.group !== group) {
      const title = document.createElement("h3");
      title.textContent = group = vehicle.group;
      list.append(title);
    }
    const button = document.createElement("button"), height = document.createElement("span");
    const name = document.createElement("span");
    name.textContent = vehicle.id;
    button.append(name, height);
    button.onclick = () => choose(i, true);
    button.dataset.row = i;
    list.append(button);
  });
  if (vehicles.length > MOST_LISTED) list.append(`and ${vehicles.length - MOST_LISTED} more`);
  at("title").textContent = config.title || (vehicles.length === 1 ? "1 vehicle" : `${vehicles.length} vehicles`);
}

function showList() {
  const {frame} = state;
  for (const button of at("list").querySelectorAll("button")) {
    const i = Number(button.dataset.row), flags = frame.flags[i];
    button.firstChild.style.borderColor = cssColour(i);
    button.classList.toggle("chosen", i === state.chosen);
    button.classList.toggle("bad", (flags & (CRASHED | FAULTY)) !== 0);
    button.lastChild.textContent = Number.isFinite(frame.pos[3 * i + 2]) ? `${shortNumber(-frame.pos[3 * i + 2])} m` : "";
  }
}

function choose(i, follow) {
  state.chosen = i;
  at("details").hidden = i < 0;
  pace.next = 0;
  if (follow && i >= 0 && state.camera.mode !== "nose") setMode("follow");
  if (i < 0 && state.camera.mode !== "free") setMode("overview");
  showList();
}

function chooseNext(by) {
  const count = state.scene.vehicles.length;
  choose(((state.chosen < 0 && by < 0 ? 0 : state.chosen) + by + count) % count, true);
}

// A column of the list, to be plotted besides.
function addColumn(name) {
  const found = state.world.columns.find(column => column.name === name);
  if (!found || state.columns.includes(found) || state.columns.length >= MOST_COLUMNS) return;
  state.columns.push(found);
  askForColumns();
}

function askForColumns() {
  if (state.live) tell({columns: state.columns.map(({name}) => name)});
  pace.next = 0;
}

function listColumns() {
  at("columns").replaceChildren(...state.world.columns.map(({name, doc}) => new Option(doc, name)));
  at("column").hidden = !state.world.columns.length;
}

// Plots over all of the page, or beside the picture.
function toggleDash() {
  const on = document.documentElement.classList.toggle("dash");
  at("dash").classList.toggle("on", on);
  if (on && state.chosen < 0) choose(0, false);
  pace.next = 0;
}

function statusOf(flags) {
  const words = Object.entries(config.flags).filter(([, bit]) => flags & bit).map(([word]) => word);
  return words.join(", ") || (isTold("armed") ? "disarmed" : "");
}

function showDetails() {
  const {frame, flight, chosen: i} = state, vehicle = state.scene.vehicles[i], [first, last] = flight.span;
  at("who").textContent = `${vehicle.id} · ${vehicle.group}`;
  at("who").style.borderColor = cssColour(i);
  const position = row(frame.pos, i, 3), euler = eulerDegrees(row(frame.att, i, 4)), index = before(flight.times, state.time);
  const speed = speedOf(flight.frame(Math.max(index - 1, 0)), flight.frame(Math.max(index, 1) % flight.count), i);
  const status = statusOf(frame.flags[i]);
  const lines = [
    ...(status ? [["status", status]] : []),
    ["north, east [m]", `${position[0].toFixed(2)}, ${position[1].toFixed(2)}`],
    ["height [m]", (-position[2]).toFixed(2)],
    ["speed [m/s]", Number.isFinite(speed) ? speed.toFixed(2) : ""],
  ];
  if (isTold("att")) lines.push(["roll, pitch [deg]", `${euler[0].toFixed(1)}, ${euler[1].toFixed(1)}`], ["heading [deg]", headingText(euler[2])]);
  if (frame.wind) lines.push([state.world.water === null ? "wind [m/s]" : "wind or current [m/s]", Math.hypot(...row(frame.wind, i, 3)).toFixed(1)]);
  const table = at("numbers");
  while (table.rows.length > lines.length) table.deleteRow(-1);
  while (table.rows.length < lines.length) { const made = table.insertRow(); made.insertCell(); made.insertCell(); }
  lines.forEach((texts, k) => texts.forEach((text, c) => { table.rows[k].cells[c].textContent = text; }));
  const plots = [...COLUMNS, ...actuatorPlots(vehicle), ...state.columns.map(columnPlot)].filter(({of}) => isTold(of)), canvases = at("plots").children;
  while (canvases.length < plots.length) at("plots").append(document.createElement("canvas"));
  while (canvases.length > plots.length) at("plots").lastChild.remove();
  const {times, values} = history(flight, plots, i, state.live ? Math.max(first, last - PLOT_SECONDS) : first, last, PLOT_POINTS);
  plots.forEach((plot, k) => {
    canvases[k].title = plot.column ? "click: take it away" : "";
    canvases[k].onclick = () => { state.columns = state.columns.filter(({name}) => name !== plot.column); askForColumns(); };
    drawPlot(canvases[k], plot, times, values[k], state.time, values[k][0]?.length === 1 ? [cssColour(i)] : hues());
  });
}

function vehicleUnder({clientX, clientY}) {
  if (!state.scene || !state.matrix) return -1;
  return vehicleAt(state.scene, state.matrix, [clientX / innerWidth, clientY / innerHeight], [innerWidth, innerHeight]);
}

// The name of the vehicle under the pointer.
function hover(event) {
  state.pointer = event;
  const found = event && !event.buttons ? vehicleUnder(event) : -1, tip = at("tip");
  tip.hidden = found < 0;
  at("scene").classList.toggle("over", found >= 0);
  if (found < 0) return;
  const {id, group} = state.scene.vehicles[found];
  tip.textContent = `${id} · ${group}`;
  tip.style.borderColor = cssColour(found);
  tip.style.transform = `translate(${event.clientX + 14}px, ${event.clientY + 14}px)`;
}

const hues = () => config.looks.colours.map((_, k) => cssColour(k));
const cssColour = i => `rgb(${colourOf(i, LOOKS[state.looks]).join()})`;

// --- keys and pointer ---

function setMode(mode) {
  if ((mode === "follow" || mode === "nose") && state.chosen < 0 && state.scene) {
    state.chosen = 0;
    at("details").hidden = false;
  }
  if (mode === "follow" && state.scene) approach(state.camera, state.scene.vehicles[state.chosen], freeAspect());
  state.camera.mode = mode;
  for (const button of at("views").querySelectorAll("[data-mode]")) button.classList.toggle("on", button.dataset.mode === mode);
}

function setLooks(looks) {
  state.looks = looks;
  document.documentElement.classList.toggle("light", looks === "light");
}

function toggle(name) { state.show[name] = !state.show[name]; }

const pan = (x, y) => () => shift(state.camera, 0.06 * x * innerHeight, 0.06 * y * innerHeight, innerHeight);
const KEYS = {
  " ": togglePlay, ".": () => oneStep(1), ",": () => oneStep(-1), "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1),
  1: () => setMode("overview"), 2: () => setMode("follow"), 3: () => setMode("nose"), 4: () => setMode("free"),
  n: () => chooseNext(1), p: () => chooseNext(-1), Escape: () => { choose(-1); at("help").hidden = true; },
  w: pan(0, 1), s: pan(0, -1), a: pan(1, 0), d: pan(-1, 0), ArrowUp: pan(0, 1), ArrowDown: pan(0, -1), ArrowLeft: pan(1, 0), ArrowRight: pan(-1, 0),
  Home: () => seek(state.flight.span[0]), End: () => seek(state.flight.span[1]),
  l: () => toggle("labels"), t: () => toggle("trails"), m: () => toggle("marks"), g: toggleDash, b: () => setLooks(state.looks === "dark" ? "light" : "dark"),
  "?": () => { at("help").hidden = !at("help").hidden; },
};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !state.scene || event.target.matches("input, select")) return;
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

// Two fingers: as far apart as they come, so much nearer; where they go, the view goes.
function pinch(held, moving, dx, dy) {
  const still = [...held].find(([id]) => id !== moving.pointerId)[1];
  const apart = (x, y) => Math.max(Math.hypot(x - still.clientX, y - still.clientY), 10);
  zoom(state.camera, apart(moving.clientX - dx, moving.clientY - dy) / apart(moving.clientX, moving.clientY));
  shift(state.camera, dx / 2, dy / 2, innerHeight);
}

function onPointer(canvas) {
  const held = new Map();
  let moved_ = 0;
  canvas.addEventListener("pointerdown", event => { canvas.setPointerCapture(event.pointerId); held.set(event.pointerId, event); moved_ = 0; });
  canvas.addEventListener("pointermove", event => {
    const last = held.get(event.pointerId);
    if (!last) { state.pointer = event; return; }
    const dx = event.clientX - last.clientX, dy = event.clientY - last.clientY;
    moved_ += Math.abs(dx) + Math.abs(dy);
    if (held.size > 1) pinch(held, event, dx, dy);
    else if (last.button || event.shiftKey) shift(state.camera, dx, dy, innerHeight);
    else turn(state.camera, dx, dy);
    held.set(event.pointerId, {clientX: event.clientX, clientY: event.clientY, button: last.button});
  });
  const release = event => {
    if (held.delete(event.pointerId) && moved_ < 5 && event.type === "pointerup" && state.scene) {
      const found = vehicleUnder(event);
      if (found >= 0) choose(found, false);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { state.pointer = null; });
  canvas.addEventListener("contextmenu", event => event.preventDefault());
  canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(state.camera, Math.exp(0.0012 * clamp(event.deltaY, -300, 300))); }, {passive: false});
  canvas.addEventListener("dblclick", event => { const found = vehicleUnder(event); if (found >= 0) choose(found, true); });
}

function onControls() {
  for (const [k, [mode, text]] of Object.entries(MODES).entries()) {
    const button = document.createElement("button");
    button.textContent = text;
    button.title = `key ${k + 1}`;
    button.dataset.mode = mode;
    button.onclick = () => setMode(mode);
    at("views").append(button);
  }
  for (const speed of SPEEDS) at("speed").add(new Option(`${speed} ×`, speed));
  at("speed").value = "1";
  at("speed").onchange = event => { const {value} = event.target; setSpeed(value === NO_LIMIT ? null : Number(value)); event.target.blur(); };
  at("play").onclick = togglePlay;
  at("step").onclick = KEYS["."];
  at("slider").oninput = event => seek(Number(event.target.value));
  at("slider").onchange = event => event.target.blur();
  at("live").onclick = KEYS.End;
  const plots = document.createElement("button");
  plots.id = "dash";
  plots.textContent = "Plots";
  plots.title = "key G";
  plots.onclick = toggleDash;
  at("views").append(plots);
  at("column").onchange = event => { addColumn(event.target.value); event.target.value = ""; event.target.blur(); };
  at("close").onclick = () => choose(-1);
  at("asks").onclick = KEYS["?"];
  at("help").onclick = KEYS["?"];
}

function say(text) {
  at("said").hidden = !text;
  at("said").textContent = text;
}

// --- a simulation ---

let socket = null, waiting = false;

function connect() {
  const address = new URL("ws" + location.search, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => say("");
  socket.onmessage = ({data}) => (typeof data === "string" ? onState(JSON.parse(data)) : onMessage(unpack(data)));
  socket.onclose = () => { say("No connection to the simulation. Trying again …"); setTimeout(connect, 1000); };
}

function onMessage(header) {
  if (header.kind === "world") { setWorld(header); state.flight = liveFlight(); askForColumns(); tell({seen: true}); return; }
  state.flight.push(readFrame(header));
  state.arrived = [state.arrived[1], performance.now()];
  waiting = true;
}

function onState({paused, speed, commands, notes}) {
  at("notes").textContent = (notes || []).join("\n");
  setPlaying(!paused);
  if (![...at("speed").options].some(({value}) => value === NO_LIMIT)) at("speed").add(new Option(NO_LIMIT, NO_LIMIT));
  state.speed = speed;
  at("speed").value = String(speed ?? NO_LIMIT);
  for (const [id, name] of [["play", "pause"], ["step", "step"], ["speed", "speed"]]) at(id).hidden = !commands.includes(name);
}

function tell(message) { if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); }

// The next frame is sent when this one was drawn: a slow page gets fewer.
function acknowledge() {
  if (waiting) tell({seen: true});
  waiting = false;
}

// --- beginning ---

async function begin() {
  try {
    state.renderer = makeRenderer(at("scene"));
    setLooks(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
    onControls();
    onPointer(at("scene"));
    addEventListener("keydown", onKey);
    state.live = !at("flight");
    if (state.live) connect();
    else {
      setWorld(await embedded("world"));
      state.flight = flightOf(readFlight(await embedded("flight")));
      state.time = state.flight.span[0];
    }
    requestAnimationFrame(tick);
  } catch (error) {
    say(`This cannot be shown: ${error.message}`);
    throw error;
  }
}

begin();
