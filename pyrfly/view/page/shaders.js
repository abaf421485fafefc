// What runs on the graphics processor. All positions are NED from the middle of the world.
const JOINTS = `
uniform sampler2D joints;  // a row for each piece; for each joint: axis and gain; point and what moves it
uniform int depth;
vec3 turned(vec4 q, vec3 v) { vec3 t = 2.0 * cross(q.yzw, v); return v + q.x * t + cross(q.yzw, t); }
float number(int i, vec4 a, vec4 b) { return i < 4 ? a[i] : b[i - 4]; }
`;

const SOLID = [`#version 300 es
precision highp float; precision highp sampler2D;
layout(location=0) in vec3 vertex; layout(location=1) in vec3 normal; layout(location=2) in vec4 look;
layout(location=3) in vec4 place; layout(location=4) in vec4 att;
layout(location=5) in vec4 shown0; layout(location=6) in vec4 shown1;
layout(location=7) in vec4 phase0; layout(location=8) in vec4 phase1; layout(location=9) in vec4 tint;
layout(location=10) in float size;
uniform mat4 camera; uniform vec3 light; uniform vec3 swept; uniform int role;  // 0: solid, 1: shadow, 2: disc of a rotor
out vec4 colour;
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
  v = turned(att, size * v) + place.xyz;
  n = turned(att, n);
  if (role == 1) {  // falls along the light onto the ground below the vehicle
    v += light * ((place.w - v.z) / light.z);
    v.z = place.w;
  }
  gl_Position = camera * vec4(v, 1.0);
  float lit = 0.58 + 0.42 * dot(n, light);
  colour = role == 1 ? vec4(0.0, 0.0, 0.0, 0.28)
    : role == 2 ? vec4(swept, 0.34 * smoothstep(200.0, 900.0, speed))
    : vec4(mix(look.rgb, tint.rgb, tint.a) * lit, 1.0);
}`, `#version 300 es
precision mediump float;
in vec4 colour; out vec4 pixel;
void main() { pixel = colour; }`];

// A plane with lines every cell and every ten cells, which fades into the sky.
const PLANE = [`#version 300 es
precision highp float;
uniform mat4 camera; uniform vec3 centre; uniform float reach; uniform float level;
out vec2 at;
const vec2 corners[4] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1));
void main() {
  at = centre.xy + reach * corners[gl_VertexID];
  gl_Position = camera * vec4(at, level, 1.0);
}`, `#version 300 es
precision highp float;
in vec2 at; out vec4 pixel;
uniform vec3 centre; uniform float reach; uniform float cell; uniform vec3 ground, mark, sky; uniform float alpha;
float lines(vec2 p) {
  vec2 width = fwidth(p), d = abs(fract(p - 0.5) - 0.5) / width;
  return (1.0 - min(min(d.x, d.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(width.x, width.y)));
}
void main() {
  float far = length(at - centre.xy) / reach;
  vec3 colour = mix(ground, mark, max(0.5 * lines(at / cell), lines(at / (10.0 * cell))));
  pixel = vec4(mix(colour, sky, smoothstep(0.05, 0.9, far)), alpha);
}`];

// Lines as ribbons: a piece of a line is an instance.
const RIBBON = [`#version 300 es
precision highp float;
layout(location=0) in vec3 from; layout(location=1) in vec3 to; layout(location=2) in vec4 shade;
uniform mat4 camera; uniform vec2 size; uniform float width;  // of the screen and of a line, in pixels
uniform vec3 age;  // instances for each step of age, first age, 1 over all ages; or 0
out vec4 colour;
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
  float young = age.x > 0.0 ? (floor(float(gl_InstanceID) / age.x) + age.y) * age.z : 1.0;
  colour = vec4(shade.rgb, shade.a * young);
}`, SOLID[1]];
