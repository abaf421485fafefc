// Draws vehicles, ground and lines by WebGL 2.
const LIGHT = unit([0.45, 0.3, -0.9]);  // where it comes from
const INSTANCE = 29;  // numbers of a vehicle in a buffer
const SOLID_AT = [0, 4, 8, 12, 16, 20, 24, 28];  // place, att, shown0, shown1, phase0, phase1, tint, size
const SLOW_RENDERERS = /SwiftShader|llvmpipe|softpipe|Basic Render/i;

function makeRenderer(canvas) {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) throw new Error("This browser has no WebGL 2.");
  const info = probe.getExtension("WEBGL_debug_renderer_info");
  const name = String(probe.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : probe.RENDERER));
  const slow = SLOW_RENDERERS.test(name);
  const gl = canvas.getContext("webgl2", {antialias: !slow, stencil: true, alpha: false, powerPreference: "high-performance"});
  const renderer = {gl, name, slow, solid: program(gl, SOLID), plane: program(gl, PLANE), ribbon: program(gl, RIBBON)};
  renderer.empty = gl.createVertexArray();
  renderer.lines = ribbons(gl);
  gl.enable(gl.DEPTH_TEST);
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
    uniforms[name] = gl.getUniformLocation(made, name);
  }
  return uniforms;
}

// --- meshes: 20 bytes for each corner: position, normal of its triangle, colour and number of the piece ---

function corners(meshes) {
  const count = meshes.reduce((sum, {triangles}) => sum + triangles.length, 0);
  const bytes = new ArrayBuffer(20 * count), floats = new Float32Array(bytes), octets = new Uint8Array(bytes), signed = new Int8Array(bytes);
  let at = 0;
  meshes.forEach(({vertices, triangles, colours, piece}) => {
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map(k => row(vertices, triangles[t + k], 3));
      const normal = unit(cross(sub(b, a), sub(c, a)));
      for (const corner of [a, b, c]) {
        floats.set(corner, 5 * at);
        signed.set(normal.map(x => Math.round(127 * x)), 20 * at + 12);
        octets.set([colours[t], colours[t + 1], colours[t + 2], piece], 20 * at + 16);
        at++;
      }
    }
  });
  return {bytes, count};
}

function solid(gl, meshes, instances) {
  const {bytes, count} = corners(meshes), vertices = gl.createVertexArray();
  gl.bindVertexArray(vertices);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
  for (const [location, size, type, offset] of [[0, 3, gl.FLOAT, 0], [1, 3, gl.BYTE, 12], [2, 4, gl.UNSIGNED_BYTE, 16]]) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, type !== gl.FLOAT, 20, offset);
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, instances);
  SOLID_AT.forEach((offset, k) => {
    gl.enableVertexAttribArray(3 + k);
    gl.vertexAttribPointer(3 + k, offset < 28 ? 4 : 1, gl.FLOAT, false, 4 * INSTANCE, 4 * offset);
    gl.vertexAttribDivisor(3 + k, 1);
  });
  return {vertices, count};
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
  return {
    first, count: ids.length, radius, near, far, ...jointTexture(gl, pieces),
    full: solid(gl, pieces.map((piece, k) => ({...piece.mesh, piece: k})), near),
    simple: solid(gl, pieces.map((piece, k) => ({...piece.simple, piece: k})), far),
    nearShadow: solid(gl, pieces.map((piece, k) => ({...piece.simple, piece: k})), near),
    discs: discs.length ? solid(gl, discs, near) : null,
  };
}

// What rests: one instance where it is.
function makeRest(gl, mesh) {
  const instance = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, instance);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(INSTANCE).fill(1, 4, 5).fill(1, 28), gl.STATIC_DRAW);
  return {...jointTexture(gl, [{joints: []}]), full: solid(gl, [{...mesh, piece: 0}], instance)};
}

function fill(gl, buffer, numbers) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STREAM_DRAW);
}

function drawSolid(renderer, body, part, instances, role) {
  if (!part || !instances || !part.count) return;
  const {gl, solid: use} = renderer;
  gl.bindTexture(gl.TEXTURE_2D, body.texture);
  gl.uniform1i(use.depth, body.depth);
  gl.uniform1i(use.role, role);
  gl.bindVertexArray(part.vertices);
  gl.drawArraysInstanced(gl.TRIANGLES, 0, part.count, instances);
}

function useSolid({gl, solid: use}, camera, swept) {
  gl.useProgram(use.program);
  gl.uniformMatrix4fv(use.camera, false, camera);
  gl.uniform3fv(use.light, LIGHT);
  gl.uniform3fv(use.swept, swept);
}

// The ground, or the surface of the water.
function drawPlane({gl, plane: use, empty}, camera, {centre, reach, level, cell, ground, mark, sky, alpha}) {
  gl.useProgram(use.program);
  gl.uniformMatrix4fv(use.camera, false, camera);
  gl.uniform3fv(use.centre, centre);
  gl.uniform1f(use.reach, reach);
  gl.uniform1f(use.level, level);
  gl.uniform1f(use.cell, cell);
  gl.uniform3fv(use.ground, ground);
  gl.uniform3fv(use.mark, mark);
  gl.uniform3fv(use.sky, sky);
  gl.uniform1f(use.alpha, alpha);
  gl.bindVertexArray(empty);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
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

function useRibbons({gl, ribbon: use}, camera, width) {
  gl.useProgram(use.program);
  gl.uniformMatrix4fv(use.camera, false, camera);
  gl.uniform2f(use.size, gl.drawingBufferWidth, gl.drawingBufferHeight);
  gl.uniform1f(use.width, width);
  gl.uniform3f(use.age, 0, 0, 0);
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

function drawTrails({gl, ribbon: use}, trails, colour) {
  const {vehicles, rows, next, buffer} = trails;
  gl.bindVertexArray(trails.vertices);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.vertexAttrib4fv(2, colour);
  // From the oldest row, which is the next, to the end of the ring; then to the newest.
  for (const [begin, count, age] of [[next, next ? rows - next : rows - 1, 0], [0, next - 1, rows - next]]) {
    if (count <= 0) continue;
    for (const location of [0, 1]) gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 12, 12 * vehicles * (begin + location));
    gl.uniform3f(use.age, vehicles, age, 1 / rows);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, vehicles * count);
  }
  gl.uniform3f(use.age, 0, 0, 0);
}
