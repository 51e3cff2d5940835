// The look: one sky, which land, water and solids fade into and are lit by. Colours are linear until `finish`.

export const look = /* glsl */ `
precision highp float;
precision highp int;
precision highp usampler2D;
uniform vec3 sun;        // towards it, length 1
uniform float haze;      // share absorbed a metre
uniform float space;     // 1: a planet, seen from without
uniform float grey;      // 1: the land is not of this moment
uniform vec3 eye;

vec3 toLinear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }

float day() { return smoothstep(-0.05, 0.60, sun.z); }
vec3 sunColour() { return mix(vec3(3.3, 1.75, 0.85), vec3(3.7, 3.35, 2.9), day()) * smoothstep(-0.03, 0.06, sun.z); }
vec3 skyLight() { return mix(vec3(0.20, 0.25, 0.36), vec3(0.27, 0.35, 0.48), day()); }

vec3 horizonColour(vec3 d) {
  float towards = 0.5 + 0.5 * dot(normalize(d.xy + 1e-5), normalize(sun.xy + 1e-5));
  vec3 low = mix(vec3(0.62, 0.55, 0.58), vec3(1.15, 0.72, 0.44), towards * towards);
  vec3 high = mix(vec3(0.74, 0.80, 0.86), vec3(0.88, 0.87, 0.84), towards);
  return mix(low, high, day());
}

vec3 skyColour(vec3 d) {
  if (space > 0.5) return vec3(0.004, 0.005, 0.007) + sunColour() * 0.4 * pow(max(dot(d, sun), 0.0), 2000.0);
  vec3 zenith = mix(vec3(0.10, 0.17, 0.34), vec3(0.15, 0.32, 0.62), day());
  float up = max(d.z, 0.0);
  vec3 c = mix(horizonColour(d), zenith, 1.0 - exp(-3.1 * up));
  float near = max(dot(d, sun), 0.0);
  c += sunColour() * (0.05 * pow(near, 12.0) + 0.5 * pow(near, 900.0));
  return c;
}

vec3 finish(vec3 c) {
  c *= 0.62;
  c = clamp((c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
  c = mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
  return mix(c, vec3(dot(c, vec3(0.3, 0.5, 0.2))) * 0.72, grey);
}

vec3 through(vec3 c, vec3 at) {
  vec3 d = at - eye;
  float far = length(d);
  if (space > 0.5) return c;
  return mix(horizonColour(d / far), c, exp(-far * haze));
}

vec3 lit(vec3 albedo, vec3 n, float shadow, float open) {
  float direct = max(dot(n, sun), 0.0) * shadow;
  vec3 around = skyLight() * (0.62 + 0.38 * n.z) * open + vec3(0.26, 0.18, 0.12) * (0.35 + 0.65 * day()) * (1.0 - 0.6 * n.z) * (0.4 + 0.6 * open);
  return albedo * (sunColour() * direct + around);
}
`;

export const landVertex = /* glsl */ `
precision highp float;
precision highp int;
precision highp usampler2D;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform usampler2D heights;
uniform vec4 place;
uniform vec2 samples;
uniform vec2 coding;     // offset, scale
uniform vec4 outer;      // west, east, north, south: a side of the land
uniform float base;
uniform float drop;
in vec3 position;        // share of the tile; what it is: 0 surface, 1-4 top of a wall, 5-8 its foot
out vec3 at;
out vec2 cell;
flat out int wall;
void main() {
  ivec2 t = ivec2(position.xy * (samples - 1.0) + 0.5);
  float h = coding.x + coding.y * float(texelFetch(heights, t, 0).r);
  int what = int(position.z + 0.5);
  wall = what == 0 ? 0 : (what - 1) % 4 + 1;
  bool border = wall > 0 && outer[wall - 1] > 0.5;
  if (what > 4) h = border ? base : h - drop;
  if (!border) wall = 0;
  vec2 share = vec2(t) / (samples - 1.0);
  at = vec3(place.x + share.x * place.z, place.y - share.y * place.w, h);
  cell = share;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 1.0);
}
`;

export const landFragment = /* glsl */ `${look}
uniform sampler2D ground;
uniform sampler2D light;
uniform sampler2D overlay;
uniform vec2 groundSize;
uniform vec2 lightSize;
uniform vec2 overlaySize;
uniform float overlaid;
uniform float interval;  // of contours, metres; 0 none
uniform float base;
uniform float relief;
uniform sampler2D sides;   // rock of the four sides, each over the other
uniform vec2 known;       // heights at its foot and its top; alike: none
uniform vec2 half_;
in vec3 at;
in vec2 cell;          // from the tile's north-west corner to its south-east one
flat in int wall;
out vec4 colour;

// Samples lie on the corners, texels in the middle of their share.
vec4 painted(sampler2D picture, vec2 size) { return texture(picture, (cell * (size - 1.0) + 0.5) / size); }

float line(float v, float width) {
  float w = fwidth(v);
  float near = abs(fract(v - 0.5) - 0.5) / max(w, 1e-6);
  return (1.0 - smoothstep(width - 0.6, width + 0.6, near)) * (1.0 - smoothstep(0.25, 0.5, w));
}

float grain(vec2 p) {
  vec2 i = floor(p), f = p - i;
  f *= f * (3.0 - 2.0 * f);
  vec4 h = fract(sin(vec4(dot(i, vec2(127.1, 311.7)), dot(i + vec2(1, 0), vec2(127.1, 311.7)), dot(i + vec2(0, 1), vec2(127.1, 311.7)),
                          dot(i + vec2(1, 1), vec2(127.1, 311.7)))) * 43758.5453);
  return mix(mix(h.x, h.y, f.x), mix(h.z, h.w, f.x), f.y) - 0.5;
}

void main() {
  vec3 albedo = toLinear(painted(ground, groundSize).rgb);
  if (wall > 0) {
    vec3 n = wall == 1 ? vec3(-1, 0, 0) : wall == 2 ? vec3(1, 0, 0) : wall == 3 ? vec3(0, 1, 0) : vec3(0, -1, 0);
    float depth = (at.z - base) / max(relief, 1.0);
    float beds = 0.5 + 0.3 * sin(depth * 23.0) + 0.2 * sin(depth * 61.0 + 1.7);
    vec3 rock = mix(vec3(0.085, 0.078, 0.072), vec3(0.115, 0.104, 0.096), beds);
    if (known.y > known.x) {
      float up = clamp((at.z - known.x) / (known.y - known.x), 0.003, 0.997);
      float along = wall < 3 ? at.y / half_.y : at.x / half_.x;
      rock = toLinear(texture(sides, vec2(0.5 + 0.498 * along, (float(wall - 1) + up) / 4.0)).rgb) * 0.62;
    }
    colour = vec4(finish(through(lit(rock, n, 1.0, 0.75), at)), 1.0);
    return;
  }
  vec4 l = painted(light, lightSize);
  vec2 across = l.rg * (255.0 / 127.0) - 1.0039;
  vec3 n = vec3(across, sqrt(max(1.0 - dot(across, across), 0.01)));
  if (overlaid > 0.0) {
    vec4 o = painted(overlay, overlaySize);
    albedo = mix(albedo, toLinear(o.rgb), overlaid * o.a);
  }
  // Close to the eye, between the samples, ground is not smooth.
  float close = 1.0 - smoothstep(0.0, 160.0, distance(at, eye));
  if (close > 0.0 && overlaid == 0.0) {
    vec2 p = at.xy + vec2(0.0, at.z);
    float rough = grain(p * 0.7) + 0.6 * grain(p * 3.1) + 0.5 * grain(p * 13.0) * close;
    albedo *= 1.0 + 0.26 * close * rough;
  }
  vec3 c = lit(albedo, n, l.b, l.a);
  if (interval > 0.0) {
    float thin = line(at.z / interval, 0.55) * 0.45;
    float thick = line(at.z / (5.0 * interval), 0.9) * 0.75;
    c *= 1.0 - max(thin, thick);
  }
  colour = vec4(finish(through(c, at)), 1.0);
}
`;

export const waterVertex = /* glsl */ `
precision highp float;
precision highp int;
precision highp usampler2D;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform usampler2D heights;
uniform usampler2D surface;
uniform vec4 place;
uniform vec2 samples;
uniform vec2 coding;
uniform vec2 waterCoding;
uniform float level;     // of the sea, where no surface is given
uniform float tabled;    // 1: the surface is a texture
uniform vec4 outer;
in vec3 position;
out vec3 at;
out float depth;
out float wet;
flat out int wall;
void main() {
  ivec2 t = ivec2(position.xy * (samples - 1.0) + 0.5);
  float h = coding.x + coding.y * float(texelFetch(heights, t, 0).r);
  float w = level;
  wet = 1.0;
  if (tabled > 0.5) {
    uint v = texelFetch(surface, t, 0).r;
    wet = v == 0u ? 0.0 : 1.0;
    w = v == 0u ? h : waterCoding.x + waterCoding.y * float(v);
  }
  depth = w - h;
  int what = int(position.z + 0.5);
  wall = what == 0 ? 0 : (what - 1) % 4 + 1;
  float z = what > 4 && outer[wall - 1] > 0.5 ? min(h, w) : w;
  vec2 share = vec2(t) / (samples - 1.0);
  at = vec3(place.x + share.x * place.z, place.y - share.y * place.w, z);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 1.0);
}
`;

export const waterFragment = /* glsl */ `${look}
uniform float clarity;
in vec3 at;
in float depth;
in float wet;
flat in int wall;
out vec4 colour;
void main() {
  if (wet < 0.5 || depth < 0.0) discard;
  if (wall > 0) {
    vec3 side = wall == 1 ? vec3(-1, 0, 0) : wall == 2 ? vec3(1, 0, 0) : wall == 3 ? vec3(0, 1, 0) : vec3(0, -1, 0);
    colour = vec4(finish(through(lit(vec3(0.022, 0.062, 0.086), side, 1.0, 0.9), at)), 0.92);
    return;
  }
  vec3 d = normalize(at - eye);
  vec3 n = vec3(0.0, 0.0, 1.0);
  vec3 r = reflect(d, n);
  float facing = clamp(-d.z, 0.0, 1.0);
  float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
  float deep = 1.0 - exp(-depth / clarity);
  vec3 body = mix(vec3(0.10, 0.30, 0.30), vec3(0.012, 0.055, 0.085), deep) * (skyLight() + 0.3 * sunColour() * max(sun.z, 0.0));
  vec3 c = mix(body, skyColour(r), fresnel) + sunColour() * 0.6 * pow(max(dot(r, sun), 0.0), 240.0);
  float shore = smoothstep(0.0, 0.02 * clarity, depth);
  float alpha = shore * max(fresnel, 0.35 + 0.62 * deep);
  colour = vec4(finish(through(c, at)), alpha);
}
`;

export const skyVertex = /* glsl */ `
precision highp float;
uniform mat3 turned;
uniform vec2 spread;
in vec3 position;
out vec3 ray;
void main() {
  ray = turned * vec3(position.xy * spread, -1.0);
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
`;

/** The sky, and a floor under the land that carries its shadow. */
export const skyFragment = /* glsl */ `${look}
uniform float ground;    // height of the floor
uniform vec2 sides;      // half of the land's
uniform float rise;      // of the land over the floor
in vec3 ray;
out vec4 colour;

float away(vec2 p) {
  vec2 q = abs(p) - sides;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0);
}

void main() {
  vec3 d = normalize(ray);
  vec3 c = skyColour(d);
  if (d.z < 0.0 && space < 0.5) {
    float size = max(max(sides.x, sides.y), 1.0);
    float far = (ground - eye.z) / d.z;
    vec2 p = eye.xy + d.xy * far;
    float shade = 0.0;
    for (int k = 0; k < 12; ++k) {
      float t = (float(k) + 0.5) / 12.0;
      vec2 shift = sun.xy / max(sun.z, 0.12) * rise * t;
      shade = max(shade, (1.0 - smoothstep(-0.05, 0.06 + 0.2 * t, away(p + shift) / size)) * (1.0 - 0.75 * t));
    }
    float near = exp(-3.0 * max(away(p), 0.0) / size);
    vec3 floorColour = lit(vec3(0.20, 0.205, 0.215), vec3(0.0, 0.0, 1.0), 1.0 - shade, 1.0 - 0.55 * near * near);
    floorColour = mix(vec3(dot(floorColour, vec3(0.3, 0.55, 0.15))), floorColour, 0.4);
    c = mix(c, floorColour, exp(-far / (11.0 * size)) * smoothstep(0.0, -0.06, d.z) * step(0.0, far));
  }
  colour = vec4(finish(c), 1.0);
}
`;

export const solidVertex = /* glsl */ `
precision highp float;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 low;
uniform vec3 span;
in vec4 position;
in vec4 normal;
in vec4 color;
out vec3 at;
out vec3 up;
out vec3 albedo;
void main() {
  at = low + span * position.xyz;
  vec2 e = normal.xy;
  vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
  if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * vec2(n.x < 0.0 ? -1.0 : 1.0, n.y < 0.0 ? -1.0 : 1.0);
  up = normalize(n);
  albedo = color.rgb;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 1.0);
}
`;

export const solidFragment = /* glsl */ `${look}
in vec3 at;
in vec3 up;
in vec3 albedo;
out vec4 colour;
void main() {
  vec3 n = normalize(up);
  colour = vec4(finish(through(lit(toLinear(albedo), n, 1.0, 0.72 + 0.28 * n.z), at)), 1.0);
}
`;

export const plainVertex = /* glsl */ `
precision highp float;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }
`;

/** Something small that stands on the land. */
export const figureVertex = /* glsl */ `
precision highp float;
uniform mat4 modelMatrix;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
in vec3 normal;
out vec3 at;
out vec3 up;
void main() {
  vec4 p = modelMatrix * vec4(position, 1.0);
  at = p.xyz;
  up = mat3(modelMatrix) * normal;
  gl_Position = projectionMatrix * viewMatrix * p;
}
`;

export const figureFragment = /* glsl */ `${look}
uniform vec4 tint;
in vec3 at;
in vec3 up;
out vec4 colour;
void main() { colour = vec4(finish(through(lit(toLinear(tint.rgb), normalize(up), 1.0, 0.9), at)), 1.0); }
`;

export const plainFragment = /* glsl */ `
precision highp float;
uniform vec4 tint;
out vec4 colour;
void main() { colour = tint; }
`;

export const copyVertex = /* glsl */ `
precision highp float;
in vec3 position;
out vec2 uv;
void main() { uv = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }
`;

export const copyFragment = /* glsl */ `
precision highp float;
uniform sampler2D picture;
uniform float share;
in vec2 uv;
out vec4 colour;
void main() { colour = vec4(texture(picture, uv).rgb, share); }
`;
