// Fields: a number for each body, or for each node of a deformable body, that colours can show.

const vectorLength = (a, k) => Math.hypot(a[3 * k], a[3 * k + 1], a[3 * k + 2]);

// Fields of bodies: name, unit, what they need, and how they are computed from a state.
// `signed` fields get a range that is symmetric about zero, those with `ends` have always the same.
export function listFields(model) {
  const flat = model.header.dimension === 2;
  const axes = flat ? ['x', 'y'] : ['x', 'y', 'z'];
  const perBody = (f) => (state) => Float32Array.from({ length: state.bodies }, (_, k) => f(state, k));
  const motion = (name) => ({ needs: name });
  const moving = movingGroups(model);
  const fields = [
    { id: 'none', name: 'one colour', unit: '' },
    { id: 'group', name: 'group', unit: '', kinds: moving.map((g) => model.header.groups[g].name), of: perBody((s, k) => moving.indexOf(model.arrays['body.group'][k])) },
    { id: 'material', name: 'material', unit: '', kinds: model.header.materials, of: perBody((s, k) => model.arrays['body.material'][k]) },
    { id: 'speed', name: 'speed', unit: 'm/s', ...motion('velocity'), of: perBody((s, k) => vectorLength(s.velocity, k)) },
    ...axes.map((axis, j) => ({ id: `v${axis}`, name: `velocity ${axis}`, unit: 'm/s', signed: true, ...motion('velocity'), of: perBody((s, k) => s.velocity[3 * k + j]) })),
    { id: 'spin', name: flat ? 'spin' : 'spin, size', unit: 'rad/s', signed: flat, ...motion('spin'), of: perBody((s, k) => (flat ? s.spin[3 * k + 2] : vectorLength(s.spin, k))) },
    { id: 'rotation', name: 'rotation from start', unit: 'rad', signed: flat, of: perBody((s, k) => rotationOf(s.rotation, k, flat)) },
    { id: 'displacement', name: 'displacement', unit: 'm', of: perBody((s, k) => vectorLength(s.displacement, k)) },
    ...axes.map((axis, j) => ({ id: `u${axis}`, name: `displacement ${axis}`, unit: 'm', signed: true, of: perBody((s, k) => s.displacement[3 * k + j]) })),
    { id: 'contacts', name: 'contacts that carry', unit: '', contacts: true, of: (s, c) => countContacts(s.bodies, c) },
    { id: 'force', name: 'largest normal force', unit: 'N', contacts: true, of: (s, c) => largestAtBody(s.bodies, c, (k) => Math.abs(normalForce(c, k))) },
    ...(model.header.bonds ? [{ id: 'damage', name: 'damage of bonds', unit: '', contacts: true, ends: [0, 1], of: (s, c) => largestAtBody(s.bodies, c, (k) => c.damage[k]) }] : []),
    ...(model.header.kept ?? []).map(({ name, unit }) => ({ id: `kept:${name}`, name: `${name.replaceAll('_', ' ')} of contacts`, unit, contacts: true, of: (s, c) => largestAtBody(s.bodies, c, (k) => c[`kept.${name}`][k]) })),
    { id: 'mass', name: 'mass', unit: 'kg', of: perBody((s, k) => (Number.isFinite(model.arrays['body.mass'][k]) ? model.arrays['body.mass'][k] : NaN)) },
  ];
  const nodal = (model.header.nodalFields ?? []).map((f) => ({
    id: `node:${f.name}`, name: f.name, unit: f.unit, nodal: f.name, heading: 'in deformable bodies', of: (s) => s.nodal[f.name],
  }));
  return [...fields, ...nodal];
}

// Numbers of the groups that have a body that can move: fixed ones are grey and need no colour of their own.
function movingGroups(model) {
  const { 'body.group': group, 'body.fixed': fixed } = model.arrays;
  const found = new Set();
  for (let k = 0; k < group.length; k++) if (!fixed[k]) found.add(group[k]);
  return [...found].sort((a, b) => a - b);
}

function rotationOf(q, k, flat) {
  const [x, y, z, w] = [q[4 * k], q[4 * k + 1], q[4 * k + 2], q[4 * k + 3]];
  if (flat) return 2 * Math.atan2(w < 0 ? -z : z, Math.abs(w));
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
}

export const normalForce = (c, k) =>
  c.force[3 * k] * c.normal[3 * k] + c.force[3 * k + 1] * c.normal[3 * k + 1] + c.force[3 * k + 2] * c.normal[3 * k + 2];

function countContacts(bodies, c) {
  const out = new Float32Array(bodies);
  for (let k = 0; k < c.gap.length; k++) {
    if (normalForce(c, k) === 0) continue;
    out[c.bodies[2 * k]]++;
    out[c.bodies[2 * k + 1]]++;
  }
  return out;
}

// The largest value of the contacts of each body.
function largestAtBody(bodies, c, valueOf) {
  const out = new Float32Array(bodies);
  for (let k = 0; k < c.gap.length; k++) {
    const v = valueOf(k);
    for (const b of [c.bodies[2 * k], c.bodies[2 * k + 1]]) if (v > out[b]) out[b] = v;
  }
  return out;
}

// The lowest end of a logarithmic scale over its highest: what is smaller is mostly round-off.
export const MOST_DECADES = 1e-6;

// Smallest and largest value of what moves (fixed bodies would stretch the range), symmetric for signed fields.
export function rangeOf(field, values, isFixed, log) {
  if (field.ends && !log) return field.ends;
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < values.length; k++) {
    const v = values[k];
    if (!Number.isFinite(v) || (log && v <= 0) || isFixed?.(k)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low > high) [low, high] = log ? [0.1, 1] : [0, 1];
  if (log) low = Math.max(low, MOST_DECADES * high);
  if (field.signed && !log && low < 0) [low, high] = [-Math.max(-low, high), Math.max(-low, high)];
  else if (!field.signed && !log && low > 0 && low < 0.3 * high && !field.nodal) low = 0;
  if (high - low < 1e-30 + 1e-6 * Math.abs(high)) high = low + (Math.abs(low) || 1) * (log ? 9 : 1e-3);
  return [low, high];
}

// Body names: the group's name alone if it has one body.
export function bodyName(model, k) {
  const group = model.header.groups[model.arrays['body.group'][k]];
  return group.bodies === 1 ? group.name : `${group.name}#${model.arrays['body.number'][k]}`;
}
