// The programs of the graphics processor.
//
// Bodies are drawn into three textures: colour, number of the body (for picking and outlines) and depth. Force chains and
// contacts go into textures of their own. The last program joins them: it darkens steps in depth, draws outlines where
// the number of the body changes, and lets what lies behind bodies shine through.
//
// Where a body is, is in a texture: two texels a body, (x, y, z, –) and its quaternion; its colour in another one, with
// alpha 0 if it is hidden. So a new state costs two uploads, however many vertices a body has.

const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
`;

const FRAME = `
uniform mat4 uView, uProjection;
uniform bool uPerspective, uFlat;
uniform vec4 uClip;
uniform vec3 uLight;
`;

const POSES = `
uniform sampler2D uPoses, uColours;
vec4 texel(sampler2D s, int k) { return texelFetch(s, ivec2(k & 2047, k >> 11), 0); }
vec3 turned(vec4 q, vec3 x) { return x + 2.0 * cross(q.xyz, cross(q.xyz, x) + q.w * x); }
vec3 placed(uint body, vec3 x) { int k = 2 * int(body); return texel(uPoses, k).xyz + turned(texel(uPoses, k + 1), x); }
`;

const SHADE = `
bool isClipped(vec3 x) { return dot(uClip.xyz, x) > uClip.w; }
vec3 shaded(vec3 colour, vec3 n, vec3 toEye) {
  if (dot(n, toEye) < 0.0) n = -n;
  float key = max(dot(n, normalize(uLight + 0.6 * toEye)), 0.0);
  float rim = pow(1.0 - max(dot(n, toEye), 0.0), 3.0);
  return colour * (0.5 + 0.55 * key) + 0.05 * rim;
}
`;

export const MESH_VERTEX = `${HEAD}${FRAME}${POSES}
layout(location = 0) in vec3 aPoint;
layout(location = 1) in uint aBody;
layout(location = 2) in uint aKind;
uniform float uPull;
out vec3 vWorld;
flat out vec4 vColour;
flat out uint vId, vKind;
out float vValue;
void main() {
  vWorld = placed(aBody, aPoint);
  vColour = texel(uColours, int(aBody));
  vId = aBody + 1u;
  vKind = aKind;
  vValue = -2.0;
  gl_Position = uProjection * uView * vec4(vWorld, 1.0);
  gl_Position.z -= uPull * gl_Position.w;
  if (vColour.a == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const SKIN_VERTEX = `${HEAD}${FRAME}${POSES}
layout(location = 0) in vec3 aPoint;
layout(location = 1) in uint aBody;
layout(location = 2) in vec3 aMove;
layout(location = 3) in float aValue;
uniform float uPull, uMagnify;
out vec3 vWorld;
flat out vec4 vColour;
flat out uint vId, vKind;
out float vValue;
void main() {
  vWorld = aPoint + uMagnify * aMove;
  vColour = texel(uColours, int(aBody));
  vId = aBody + 1u;
  vKind = 0u;
  vValue = aValue;
  gl_Position = uProjection * uView * vec4(vWorld, 1.0);
  gl_Position.z -= uPull * gl_Position.w;
  if (vColour.a == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const MESH_FRAGMENT = `${HEAD}${FRAME}${SHADE}
uniform vec3 uEye, uPaper;
uniform sampler2D uMap;
uniform float uEdge;
in vec3 vWorld;
flat in vec4 vColour;
flat in uint vId, vKind;
in float vValue;
layout(location = 0) out vec4 oColour;
layout(location = 1) out uint oId;
void main() {
  if (isClipped(vWorld)) discard;
  if (uEdge == 0.0 && !uFlat && vKind != 0u && !gl_FrontFacing) discard;
  vec3 colour = vColour.rgb;
  if (vValue > -1.5) colour = vValue < -0.5 ? vec3(0.6) : texture(uMap, vec2((clamp(vValue, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  vec3 toEye = uPerspective ? normalize(uEye - vWorld) : uEye;
  vec3 n = cross(dFdx(vWorld), dFdy(vWorld));
  if (uEdge == 0.0 && !uFlat && dot(n, n) > 0.0) colour = shaded(colour, normalize(n), toEye);
  // What has no end is a backdrop.
  if (vKind == 2u && !uFlat) colour = mix(colour, uPaper, 0.62);
  oColour = vec4(colour * (1.0 - uEdge), 1.0);
  oId = vId;
}`;

// Spheres by ray casting: a square that covers the sphere, and in each pixel the point where the ray meets it.
export const BALL_VERTEX = `${HEAD}${FRAME}${POSES}
layout(location = 0) in vec2 aCorner;
layout(location = 1) in vec3 aLocal;
layout(location = 2) in float aRadius;
layout(location = 3) in uint aBody;
out vec3 vView;
flat out vec3 vCentre;
flat out float vRadius;
flat out vec4 vColour, vTurn;
flat out uint vId;
void main() {
  vColour = texel(uColours, int(aBody));
  vId = aBody + 1u;
  vTurn = texel(uPoses, 2 * int(aBody) + 1);
  vRadius = aRadius;
  vCentre = (uView * vec4(placed(aBody, aLocal), 1.0)).xyz;
  vec3 towards = uPerspective ? normalize(-vCentre) : vec3(0.0, 0.0, 1.0);
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), towards));
  vec3 up = cross(towards, right);
  float d2 = dot(vCentre, vCentre);
  float cover = uPerspective ? aRadius * sqrt(d2 / max(d2 - aRadius * aRadius, 1e-4 * d2)) : aRadius;
  vView = vCentre + (right * aCorner.x + up * aCorner.y) * cover;
  gl_Position = uProjection * vec4(vView, 1.0);
  if (vColour.a == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const BALL_FRAGMENT = `${HEAD}${FRAME}${SHADE}
uniform bool uMarks;
in vec3 vView;
flat in vec3 vCentre;
flat in float vRadius;
flat in vec4 vColour, vTurn;
flat in uint vId;
layout(location = 0) out vec4 oColour;
layout(location = 1) out uint oId;
vec3 unturned(vec4 q, vec3 x) { return x + 2.0 * cross(-q.xyz, cross(-q.xyz, x) + q.w * x); }
void main() {
  vec3 direction = uPerspective ? normalize(vView) : vec3(0.0, 0.0, -1.0);
  vec3 start = uPerspective ? vec3(0.0) : vView;
  vec3 from = start - vCentre;
  float b = dot(from, direction);
  // The distance of the ray from the centre, without the cancellation of b² − c.
  vec3 nearest = from - b * direction;
  float h = vRadius * vRadius - dot(nearest, nearest);
  if (h < 0.0) discard;
  float root = sqrt(h), t = -b - root;
  vec3 hit = start + t * direction;
  vec3 n = (hit - vCentre) / vRadius;
  mat3 toWorld = transpose(mat3(uView));
  vec3 eye = -(toWorld * uView[3].xyz);
  if (isClipped(toWorld * hit + eye)) {
    // Cut open: the plane closes the sphere.
    vec3 planeNormal = mat3(uView) * uClip.xyz;
    float rise = dot(planeNormal, direction);
    float along = (uClip.w - dot(uClip.xyz, toWorld * start + eye)) / rise;
    if (rise >= 0.0 || along < t || along > -b + root) discard;
    hit = start + along * direction;
    n = planeNormal;
  }
  vec3 colour = vColour.rgb;
  vec3 own = unturned(vTurn, toWorld * ((hit - vCentre) / vRadius));
  if (uFlat) {
    if (uMarks && abs(own.y) < 0.055 && own.x > 0.0) colour *= 0.5;
  } else {
    if (uMarks && own.x * own.y * own.z > 0.0) colour *= 0.78;
    colour = shaded(colour, toWorld * n, toWorld * -direction);
  }
  oColour = vec4(colour, 1.0);
  oId = vId;
  vec4 clip = uProjection * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
}`;

// Spheres of a few pixels: one vertex each, no ray, no depth of its own.
export const POINT_VERTEX = `${HEAD}${FRAME}${POSES}
layout(location = 1) in vec3 aLocal;
layout(location = 2) in float aRadius;
layout(location = 3) in uint aBody;
uniform float uPixels;
flat out vec4 vColour;
flat out uint vId;
void main() {
  vec3 world = placed(aBody, aLocal);
  vColour = texel(uColours, int(aBody));
  vId = aBody + 1u;
  gl_Position = uProjection * uView * vec4(world, 1.0);
  gl_PointSize = max(1.0, aRadius * uProjection[1][1] * uPixels / gl_Position.w);
  if (vColour.a == 0.0 || dot(uClip.xyz, world) > uClip.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const POINT_FRAGMENT = `${HEAD}${FRAME}${SHADE}
flat in vec4 vColour;
flat in uint vId;
layout(location = 0) out vec4 oColour;
layout(location = 1) out uint oId;
void main() {
  vec2 p = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
  float r2 = dot(p, p);
  if (r2 > 1.1) discard;
  mat3 toWorld = transpose(mat3(uView));
  vec3 n = vec3(p, sqrt(max(0.0, 1.0 - r2)));
  oColour = vec4(uFlat ? vColour.rgb : shaded(vColour.rgb, toWorld * n, toWorld * vec3(0.0, 0.0, 1.0)), 1.0);
  oId = vId;
}`;

// Sticks from a to b: force chains, normals, openings, membranes.
export const STICK_VERTEX = `${HEAD}${FRAME}
layout(location = 0) in vec3 aCorner;
layout(location = 1) in vec3 aFrom;
layout(location = 2) in vec3 aTo;
layout(location = 3) in float aRadius;
layout(location = 4) in vec4 aColour;
uniform float uPixel;
out vec3 vNormal;
out vec3 vWorld;
flat out vec4 vColour;
void main() {
  vec3 axis = aTo - aFrom;
  float length_ = length(axis);
  vec3 a = length_ > 0.0 ? axis / length_ : vec3(1.0, 0.0, 0.0);
  vec3 u = normalize(cross(a, abs(a.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 n = u * aCorner.x + cross(a, u) * aCorner.y;
  float depth = -(uView * vec4(aFrom, 1.0)).z;
  float thinnest = 0.45 * uPixel * (uPerspective ? depth : 1.0);
  vWorld = mix(aFrom, aTo, aCorner.z);
  vNormal = n;
  vColour = aColour;
  gl_Position = uProjection * uView * vec4(vWorld + n * max(aRadius, thinnest), 1.0);
  if (length_ == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const STICK_FRAGMENT = `${HEAD}${FRAME}${SHADE}
in vec3 vNormal;
in vec3 vWorld;
flat in vec4 vColour;
out vec4 oColour;
void main() {
  if (isClipped(vWorld)) discard;
  mat3 toWorld = transpose(mat3(uView));
  oColour = vec4(uFlat ? vColour.rgb : shaded(vColour.rgb, normalize(vNormal), toWorld * vec3(0.0, 0.0, 1.0)), 1.0);
}`;

// Contact points: disks that face the viewer, with a rim.
export const DOT_VERTEX = `${HEAD}${FRAME}
layout(location = 0) in vec2 aCorner;
layout(location = 1) in vec3 aAt;
layout(location = 2) in vec4 aColour;
uniform float uRadius, uPixel;
out vec2 vCorner;
flat out vec4 vColour;
void main() {
  vec3 view = (uView * vec4(aAt, 1.0)).xyz;
  float radius = max(uRadius, 3.0 * uPixel * (uPerspective ? -view.z : 1.0));
  vCorner = aCorner;
  vColour = aColour;
  gl_Position = uProjection * vec4(view + vec3(aCorner * radius, uFlat ? 0.0 : radius), 1.0);
  if (dot(uClip.xyz, aAt) > uClip.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const DOT_FRAGMENT = `${HEAD}
in vec2 vCorner;
flat in vec4 vColour;
out vec4 oColour;
void main() {
  float r = length(vCorner);
  if (r > 1.0) discard;
  oColour = vec4(r > 0.72 ? vColour.rgb * 0.45 : vColour.rgb, 1.0);
}`;

export const LAST_VERTEX = `${HEAD}
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`;

export const LAST_FRAGMENT = `${HEAD}
uniform sampler2D uColour, uDepth, uOverColour, uOverDepth;
uniform usampler2D uId;
uniform int uSamples;
uniform float uNear, uFar, uOutline, uRelief, uSee, uFaint;
uniform bool uPerspective;
uniform uint uPicked;
uniform vec3 uPaper, uInk, uAccent;
out vec4 oColour;

float distance_(float depth) {
  return uPerspective ? 2.0 * uNear * uFar / (uFar + uNear - (2.0 * depth - 1.0) * (uFar - uNear)) : mix(uNear, uFar, depth);
}

vec3 look(ivec2 p, ivec2 size) {
  uint id = texelFetch(uId, p, 0).r;
  float depth = texelFetch(uDepth, p, 0).r;
  vec3 colour = id == 0u ? uPaper : mix(texelFetch(uColour, p, 0).rgb, uPaper, uFaint);
  float here = distance_(depth), relief = 0.0;
  bool isEdge = false, isPicked = false;
  for (int k = 0; k < 8; k++) {
    ivec2 d = ivec2(k < 3 ? -1 : k < 5 ? 0 : 1, k == 0 || k == 3 || k == 5 ? -1 : k == 1 || k == 6 ? 0 : 1);
    ivec2 q = clamp(p + d * uSamples, ivec2(0), size - 1);
    uint other = texelFetch(uId, q, 0).r;
    float there = distance_(texelFetch(uDepth, q, 0).r);
    if (other != id && (d.x == 0 || d.y == 0)) isEdge = true;
    if ((id == uPicked) != (other == uPicked)) isPicked = true;
    relief += max(0.0, log2(here) - log2(there));
  }
  if (id != 0u) colour *= exp(-uRelief * relief);
  if (isEdge) colour = mix(colour, uInk, uOutline * (1.0 - uFaint));
  if (isPicked && uPicked != 0u) colour = uAccent;
  vec4 over = texelFetch(uOverColour, p, 0);
  if (over.a > 0.0) {
    bool isBehind = texelFetch(uOverDepth, p, 0).r > depth;
    colour = mix(colour, over.rgb, isBehind ? uSee : 1.0);
  }
  return colour;
}

void main() {
  ivec2 size = textureSize(uColour, 0);
  ivec2 first = ivec2(gl_FragCoord.xy) * uSamples;
  vec3 sum = vec3(0.0);
  for (int y = 0; y < uSamples; y++) for (int x = 0; x < uSamples; x++) sum += look(min(first + ivec2(x, y), size - 1), size);
  oColour = vec4(sum / float(uSamples * uSamples), 1.0);
}`;
