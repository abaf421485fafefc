// What runs on the graphics processor. All positions are NED from the middle of the world.
const MOST_WET = "0.62";  // of what is no ground: divers are seen from any height

const JOINTS = `
uniform sampler2D joints;  // a row for each piece; for each joint: axis and gain; point and what moves it
uniform int depth;
vec3 turned(vec4 q, vec3 v) { vec3 t = 2.0 * cross(q.yzw, v); return v + q.x * t + cross(q.yzw, t); }
float number(int i, vec4 a, vec4 b) { return i < 4 ? a[i] : b[i - 4]; }
`;

// What air and water leave of a colour. The same shares as those of pictures, csrc/picture/.
const DIMMED = `
uniform vec3 horizon; uniform float haze;  // the colour of what is far away; where a fourth of a colour is that [m]
uniform vec3 eye, deep; uniform float water, clear;  // z of the surface above which the eye is; 1e9: there is none; way through water that leaves a fourth of a colour
vec3 hazed(vec3 colour, float nearness) {
  float share = 1.0 / (1.0 + nearness * haze);
  return mix(colour, horizon, share * share);
}
vec3 seenAt(vec3 point, vec3 colour, float most) {  // through water where it is below it
  if (water > 1e8) return hazed(colour, gl_FragCoord.w);
  float left = clear / (clear + max(point.z - water, 0.0) * length(point - eye) / max(point.z - eye.z, 1e-3));
  return hazed(mix(colour, deep, min(1.0 - left * left, most)), gl_FragCoord.w);
}`;

const SOLID = [`#version 300 es
precision highp float; precision highp sampler2D; precision highp int;
layout(location=0) in vec3 vertex; layout(location=1) in vec3 normal; layout(location=2) in vec4 look;
layout(location=3) in vec4 place; layout(location=4) in vec4 att;
layout(location=5) in vec4 shown0; layout(location=6) in vec4 shown1;
layout(location=7) in vec4 phase0; layout(location=8) in vec4 phase1; layout(location=9) in vec4 tint;
layout(location=10) in vec2 size;  // and the number of the vehicle
uniform mat4 camera; uniform vec3 light; uniform vec3 swept;
uniform int role;  // 0: solid, 1: shadow, 2: disc of a rotor, 3: ground, 4: number for a click
out vec4 colour; out vec3 point;
${JOINTS}
void main() {
  vec3 v = vertex, n = normal;
  float speed = 0.0;
  int piece = int(look.a * 255.0 + 0.5);
  for (int j = 0; j < depth; j++) {
    vec4 to = texelFetch(joints, ivec2(2 * j + 1, piece), 0);
    if (to.w < 0.0) break;
    vec4 axis = texelFetch(joints, ivec2(2 * j, piece), 0);
    int i = int(to.w) & 7;
    bool spins = to.w >= 8.0;
    if (spins) speed = max(speed, abs(number(i, shown0, shown1)));
    if (spins && role == 2) continue;
    float angle = axis.w * (spins ? number(i, phase0, phase1) : number(i, shown0, shown1));
    vec4 q = vec4(cos(0.5 * angle), sin(0.5 * angle) * axis.xyz);
    v = turned(q, v - to.xyz) + to.xyz;
    n = turned(q, n);
  }
  v = turned(att, size.x * v) + place.xyz;
  n = turned(att, n);
  if (role == 1) {  // falls along the light onto the ground below the vehicle
    v += light * ((place.w - v.z) / light.z);
    v.z = place.w;
  }
  point = v;
  gl_Position = camera * vec4(v, 1.0);
  float lit = 0.58 + 0.42 * dot(n, light);
  int number = int(size.y) + 1;
  colour = role == 4 ? vec4(number & 255, number >> 8 & 255, number >> 16, 255) / 255.0
    : role == 1 ? vec4(0.0, 0.0, 0.0, 0.28)
    : role == 2 ? vec4(swept, 0.34 * smoothstep(200.0, 900.0, speed))
    : vec4(mix(look.rgb, tint.rgb, tint.a) * lit, role == 3 ? lit : 1.0);
}`, `#version 300 es
precision highp float; precision highp int;
in vec4 colour; in vec3 point; out vec4 pixel;
uniform int role; uniform float shore;  // z of the water, where sand is; 1e9: there is none
const vec3 SAND = vec3(0.84, 0.79, 0.63);
${DIMMED}
void main() {
  if (role == 4) { pixel = colour; return; }
  bool ground = role == 3;
  vec3 own = ground ? mix(colour.rgb, SAND * colour.a, 1.0 - smoothstep(0.4, 1.6, abs(shore - point.z))) : colour.rgb;
  pixel = vec4(seenAt(point, own, ground ? 1.0 : ${MOST_WET}), ground ? 1.0 : colour.a);
}`];

// Up from the horizon, and below it the water or what is far away.
const SKY = [`#version 300 es
precision highp float;
uniform mat3 rays;  // to the right and the top of the picture, and ahead
out vec3 ray;
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
  ray = rays * vec3(corner, 1.0);
  gl_Position = vec4(corner, 1.0, 1.0);
}`, `#version 300 es
precision highp float;
in vec3 ray; out vec4 pixel;
uniform vec3 zenith, horizon, below;
void main() {
  pixel = vec4(mix(horizon, ray.z < 0.0 ? zenith : below, clamp(ray.z < 0.0 ? -ray.z : 50.0 * ray.z, 0.0, 1.0)), 1.0);
}`];

// A plane to the horizon, with lines every cell and every ten cells: a fan from below the eye to points without end.
const PLANE = [`#version 300 es
precision highp float;
uniform mat4 camera; uniform vec3 eye; uniform float level;
out vec3 at;  // from below the eye, homogeneous
const vec2 corners[6] = vec2[](vec2(0, 0), vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, 1), vec2(-1, -1));
void main() {
  bool middle = gl_VertexID == 0;
  at = vec3(corners[gl_VertexID], middle ? 1.0 : 0.0);
  gl_Position = camera * (middle ? vec4(eye.xy, level, 1.0) : vec4(at.xy, 0.0, 0.0));
}`, `#version 300 es
precision highp float;
in vec3 at; out vec4 pixel;
uniform vec2 begin; uniform float cell, level, alpha, mirror; uniform vec3 ground, mark;
${DIMMED}
float lines(vec2 p) {
  vec2 width = fwidth(p), d = abs(fract(p - 0.5) - 0.5) / width;
  return (1.0 - min(min(d.x, d.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(width.x, width.y)));
}
void main() {
  vec2 place = at.xy / max(at.z, 1e-9), p = (place + begin) / cell;
  float line = max(0.5 * lines(p), lines(0.1 * p));
  float shine = 0.0;  // of the sky: the more, the flatter it is seen
  if (mirror > 0.0) {
    float grazing = 1.0 - abs(level - eye.z) * inversesqrt(dot(place, place) + (level - eye.z) * (level - eye.z));
    shine = mirror * grazing * grazing * grazing;
  }
  vec3 colour = mix(mix(ground, mark, line), horizon, 0.4 * shine);
  pixel = vec4(hazed(colour, gl_FragCoord.w * at.z), max(alpha, max(0.3 * line, shine)));
}`];

// Lines as ribbons: a piece of a line is an instance.
const RIBBON = [`#version 300 es
precision highp float; precision highp int;
layout(location=0) in vec3 from; layout(location=1) in vec3 to; layout(location=2) in vec4 shade;
uniform mat4 camera; uniform vec2 size; uniform float width;  // of the screen and of a line, in pixels
uniform vec3 age;  // vehicles, first age, 1 over all ages: of trails; or 0
uniform vec3 palette[6];
out vec4 colour; out vec3 point;
void main() {
  vec4 a = camera * vec4(from, 1.0), b = camera * vec4(to, 1.0);
  const float near = 1e-3;
  if (a.w < near) a = mix(a, b, (near - a.w) / (b.w - a.w));
  if (b.w < near) b = mix(b, a, (near - b.w) / (a.w - b.w));
  vec2 along = (b.xy / b.w - a.xy / a.w) * size;
  vec2 across = vec2(-along.y, along.x) / max(length(along), 1e-6) * width / size;
  bool second = gl_VertexID > 1;
  float side = (gl_VertexID & 1) == 0 ? 1.0 : -1.0;
  vec4 end = second ? b : a;
  end.xy += across * side * end.w;
  bool seen = from.x == from.x && to.x == to.x && max(a.w, b.w) > near;  // NaN: there is no line
  gl_Position = seen ? end : vec4(2.0, 2.0, 2.0, 1.0);
  point = second ? to : from;
  int vehicles = int(age.x);
  colour = vehicles == 0 ? shade
    : vec4(palette[gl_InstanceID % vehicles % 6], shade.a * (float(gl_InstanceID / vehicles) + age.y) * age.z);
}`, SOLID[1]];
