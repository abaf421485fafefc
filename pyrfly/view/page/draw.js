// Draws vehicles, ground and lines by WebGL 2.
const LIGHT = unit([0.45, 0.3, -0.9]);  // where it comes from
const INSTANCE = 30;  // numbers of a vehicle in a buffer
const SOLID_AT = [0, 4, 8, 12, 16, 20, 24, 28];  // place, att, shown0, shown1, phase0, phase1, tint, size and number
const SLOW_RENDERERS = /SwiftShader|llvmpipe|softpipe|Basic Render/i;

function makeRenderer(canvas) {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) throw new Error("This browser has no WebGL 2.");
  const info = probe.getExtension("WEBGL_debug_renderer_info");
  const name = String(probe.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : probe.RENDERER));
  const slow = SLOW_RENDERERS.test(name);
  const gl = canvas.getContext("webgl2", {antialias: !slow, stencil: true, alpha: false, powerPreference: "high-performance"});
  const programs = Object.fromEntries(Object.entries({solid: SOLID, sky: SKY, plane: PLANE, ribbon: RIBBON}).map(([key, sources]) => [key, program(gl, sources)]));
  const renderer = {gl, name, slow, ...programs};
  renderer.empty = gl.createVertexArray();
  renderer.lines = ribbons(gl);
  renderer.picker = makePicker(gl);
  gl.enable(gl.DEPTH_TEST);
  gl.disable(gl.DITHER);  // numbers are colours, too
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  return renderer;
}

function program(gl, sources) {
  const made = gl.createProgram();
  sources.forEach((source, k) => {
    const shader = gl.createShader(k ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  });
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const uniforms = {program: made};
  for (let k = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS) - 1; k >= 0; k--) {
    const {name} = gl.getActiveUniform(made, k);
    uniforms[name.replace("[0]", "")] = gl.getUniformLocation(made, name);
  }
  return uniforms;
}

// --- meshes: 20 bytes for each corner: position, normal of its triangle, colour and number of the piece ---

function cornerWriter(count) {
  const bytes = new ArrayBuffer(20 * count), floats = new Float32Array(bytes), octets = new Uint8Array(bytes), signed = new Int8Array(bytes);
  let at = 0;
  const put = (corner, normal, colour, piece) => {
    for (let k = 0; k < 3; k++) {
      floats[5 * at + k] = corner[k];
      signed[20 * at + 12 + k] = Math.round(127 * normal[k]);
      octets[20 * at + 16 + k] = colour[k];
    }
    octets[20 * at++ + 19] = piece;
  };
  return {bytes, put};
}

function corners(meshes) {
  const count = meshes.reduce((sum, {triangles}) => sum + triangles.length, 0), {bytes, put} = cornerWriter(count);
  meshes.forEach(({vertices, triangles, colours, piece}) => {
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map(k => row(vertices, triangles[t + k], 3));
      const normal = unit(cross(sub(b, a), sub(c, a))), colour = [colours[t], colours[t + 1], colours[t + 2]];
      for (const corner of [a, b, c]) put(corner, normal, colour, piece);
    }
  });
  return {bytes, count};
}

function solid(gl, {bytes, count, indices}, instances) {
  const vertices = gl.createVertexArray();
  gl.bindVertexArray(vertices);
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
  for (const [location, size, type, offset] of [[0, 3, gl.FLOAT, 0], [1, 3, gl.BYTE, 12], [2, 4, gl.UNSIGNED_BYTE, 16]]) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, type !== gl.FLOAT, 20, offset);
  }
  const numbers = indices ? gl.createBuffer() : null;
  if (indices) {
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, numbers);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, instances);
  SOLID_AT.forEach((offset, k) => {
    gl.enableVertexAttribArray(3 + k);
    gl.vertexAttribPointer(3 + k, offset < 28 ? 4 : 2, gl.FLOAT, false, 4 * INSTANCE, 4 * offset);
    gl.vertexAttribDivisor(3 + k, 1);
  });
  return {vertices, buffer, numbers, count};
}

function jointTexture(gl, pieces) {
  const depth = Math.max(1, ...pieces.map(piece => piece.joints.length));
  const texels = new Float32Array(8 * depth * pieces.length).fill(-1);
  pieces.forEach((piece, r) => piece.joints.forEach(([kind, actuator, axis, at, gain], j) => {
    texels.set([...axis, gain, ...at, actuator + (kind === "spin" ? 8 : 0)], 8 * (r * depth + j));
  }));
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 2 * depth, pieces.length, 0, gl.RGBA, gl.FLOAT, texels);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return {texture, depth: pieces.some(piece => piece.joints.length) ? depth : 0};
}

// The disc that a rotor sweeps, or nothing for what fills it, such as a wheel.
function disc({joints, mesh}) {
  const spin = joints.find(([kind]) => kind === "spin");
  if (!spin || !mesh.triangles.length) return null;
  const [, , axis, at] = spin, seen = v => dot(sub(v, at), axis);
  let radius = 0, height = 0, area = 0;
  for (let k = 0; k < mesh.vertices.length; k += 3) {
    const v = row(mesh.vertices, k / 3, 3), along = seen(v);
    radius = Math.max(radius, Math.hypot(...add(sub(v, at), axis, -along)));
    height += 3 * along / mesh.vertices.length;
  }
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map(k => row(mesh.vertices, mesh.triangles[t + k], 3));
    area += Math.max(0, dot(cross(sub(b, a), sub(c, a)), axis)) / 2;
  }
  if (area > 0.5 * Math.PI * radius * radius) return null;
  const across = unit(cross(axis, Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0])), other = cross(axis, across);
  const centre = add(at, axis, height), sides = 20, vertices = [...centre], triangles = [], colours = [];
  for (let k = 0; k < sides; k++) {
    const angle = 2 * Math.PI * k / sides;
    vertices.push(...add(add(centre, across, radius * Math.cos(angle)), other, radius * Math.sin(angle)));
    triangles.push(0, 1 + k, 1 + (k + 1) % sides);
    colours.push(0, 0, 0);
  }
  return {vertices: new Float32Array(vertices), triangles, colours};
}

// Vehicles that look the same.
function makeBody(gl, {pieces, ids, radius}, first) {
  const near = gl.createBuffer(), far = gl.createBuffer();
  const discs = pieces.map((piece, k) => ({...disc(piece), piece: k})).filter(mesh => mesh.vertices);
  const simple = corners(pieces.map((piece, k) => ({...piece.simple, piece: k})));
  return {
    first, count: ids.length, radius, near, far, ...jointTexture(gl, pieces),
    full: solid(gl, corners(pieces.map((piece, k) => ({...piece.mesh, piece: k}))), near),
    simple: solid(gl, simple, far),
    nearShadow: solid(gl, simple, near),
    discs: discs.length ? solid(gl, corners(discs), near) : null,
  };
}

// What rests: one instance where it is, without a number.
function makeRest(gl, made, role) {
  const near = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, near);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(INSTANCE).fill(1, 4, 5).fill(1, 28).fill(-1, 29), gl.STATIC_DRAW);
  return {near, role, ...jointTexture(gl, [{joints: []}]), full: solid(gl, made, near)};
}

// Gives back what a body has, or what rests.
function freeBody(gl, {near, far, texture, full, simple, nearShadow, discs}) {
  for (const part of [full, simple, nearShadow, discs]) if (part) freeBuffer(gl, part);
  gl.deleteBuffer(near);
  gl.deleteBuffer(far ?? null);
  gl.deleteTexture(texture);
}

function freeBuffer(gl, {buffer, numbers, vertices}) {
  gl.deleteBuffer(buffer);
  gl.deleteBuffer(numbers ?? null);
  gl.deleteVertexArray(vertices);
}

function fill(gl, buffer, numbers) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STREAM_DRAW);
}

function drawSolid(renderer, body, part, instances, role) {
  if (!part || !instances || !part.count) return;
  const {gl, solid: {depth, role: as}} = renderer;
  gl.bindTexture(gl.TEXTURE_2D, body.texture);
  gl.uniform1i(depth, body.depth);
  gl.uniform1i(as, role);
  gl.bindVertexArray(part.vertices);
  if (part.numbers) gl.drawElementsInstanced(gl.TRIANGLES, part.count, gl.UNSIGNED_INT, 0, instances);
  else gl.drawArraysInstanced(gl.TRIANGLES, 0, part.count, instances);
}

const SETTERS = {1: "uniform1fv", 2: "uniform2fv", 3: "uniform3fv", 18: "uniform3fv", 9: "uniformMatrix3fv", 16: "uniformMatrix4fv"};

// Uses a program with numbers, those of all programs among them.
function use(renderer, name, numbers) {
  const {gl, [name]: chosen} = renderer;
  gl.useProgram(chosen.program);
  for (const [key, value] of Object.entries(numbers)) {
    if (!(key in chosen)) continue;
    const list = typeof value === "number" ? [value] : value, setter = SETTERS[list.length];
    if (setter.includes("Matrix")) gl[setter](chosen[key], false, list); else gl[setter](chosen[key], list);
  }
}

// Corners that shaders make.
function drawCorners({gl, empty}, mode, count) {
  gl.bindVertexArray(empty);
  gl.drawArrays(mode, 0, count);
}

// --- numbers of vehicles around a pixel, drawn into a small picture of its own ---

const PICKED = 15;  // pixels of a side

function makePicker(gl) {
  const frame = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  for (const [attachment, format] of [[gl.COLOR_ATTACHMENT0, gl.RGBA8], [gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24]]) {
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, PICKED, PICKED);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return {frame, pixels: new Uint8Array(4 * PICKED * PICKED)};
}

// The number that `draw` puts nearest to a place of the picture, 0 to 1 from the upper left corner; -1: none is near.
function pick({gl, picker: {frame, pixels}}, matrix, [x, y], [width, height], draw) {
  const [a, b] = [width / PICKED, height / PICKED];
  const closer = product([a, 0, 0, 0, 0, b, 0, 0, 0, 0, 1, 0, a * (1 - 2 * x), b * (2 * y - 1), 0, 1], matrix);
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.viewport(0, 0, PICKED, PICKED);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  draw(closer);
  gl.readPixels(0, 0, PICKED, PICKED, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  let found = -1, least = PICKED * PICKED / 4;
  for (let k = 0; k < PICKED * PICKED; k++) {
    const number = pixels[4 * k] + 256 * pixels[4 * k + 1] + 65536 * pixels[4 * k + 2] - 1;
    const away = (k % PICKED - PICKED / 2 + 0.5) ** 2 + (Math.floor(k / PICKED) - PICKED / 2 + 0.5) ** 2;
    if (number >= 0 && away < least) [found, least] = [number, away];
  }
  return found;
}

// --- lines: 28 bytes for each piece: from, to, colour ---

function ribbons(gl) {
  const vertices = gl.createVertexArray(), buffer = gl.createBuffer();
  gl.bindVertexArray(vertices);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  for (const [location, size, type, offset] of [[0, 3, gl.FLOAT, 0], [1, 3, gl.FLOAT, 12], [2, 4, gl.UNSIGNED_BYTE, 24]]) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, type !== gl.FLOAT, 28, offset);
    gl.vertexAttribDivisor(location, 1);
  }
  return {vertices, buffer};
}

// Lines as [from, to, [red, green, blue, alpha from 0 to 255]].
function lineBytes(pieces) {
  const bytes = new ArrayBuffer(28 * pieces.length), floats = new Float32Array(bytes), octets = new Uint8Array(bytes);
  pieces.forEach(([from, to, colour], k) => {
    floats.set(from, 7 * k);
    floats.set(to, 7 * k + 3);
    octets.set(colour, 28 * k + 24);
  });
  return bytes;
}

function drawLines(renderer, pieces) {
  const {gl, lines} = renderer;
  if (!pieces.length) return;
  fill(gl, lines.buffer, lineBytes(pieces));
  gl.bindVertexArray(lines.vertices);
  gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, pieces.length);
}

// --- trails: rows of positions of all vehicles, in a ring whose first row stands also behind the last ---

function makeTrails(gl, vehicles, rows) {
  const buffer = gl.createBuffer(), vertices = gl.createVertexArray();
  gl.bindVertexArray(vertices);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(3 * vehicles * (rows + 1)).fill(NaN), gl.DYNAMIC_DRAW);
  for (const location of [0, 1]) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribDivisor(location, 1);
  }
  return {buffer, vertices, vehicles, rows, next: 0, time: -Infinity, last: null};
}

function extendTrails(gl, trails, positions, time) {
  const bytes = 12 * trails.vehicles;
  gl.bindBuffer(gl.ARRAY_BUFFER, trails.buffer);
  gl.bufferSubData(gl.ARRAY_BUFFER, bytes * trails.next, positions);
  if (trails.next === 0) gl.bufferSubData(gl.ARRAY_BUFFER, bytes * trails.rows, positions);
  trails.next = (trails.next + 1) % trails.rows;
  Object.assign(trails, {time, last: positions});
}

function drawTrails({gl, ribbon}, trails, opacity) {
  const {vehicles, rows, next, buffer} = trails;
  gl.bindVertexArray(trails.vertices);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.vertexAttrib4f(2, 0, 0, 0, opacity);
  // From the oldest row, which is the next, to the end of the ring; then to the newest.
  for (const [begin, count, age] of [[next, next ? rows - next : rows - 1, 0], [0, next - 1, rows - next]]) {
    if (count <= 0) continue;
    for (const location of [0, 1]) gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 12, 12 * vehicles * (begin + location));
    gl.uniform3f(ribbon.age, vehicles, age, 1 / rows);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, vehicles * count);
  }
  gl.uniform3f(ribbon.age, 0, 0, 0);
}
