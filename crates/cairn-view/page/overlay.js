// Contacts as sticks and dots: force chains, contact points, normals, openings; membranes too.

import { mapColour } from './colormap.js';
import { normalForce } from './fields.js';

// Colours of what contacts do, by name.
export const STATUS_COLOURS = { open: [150, 155, 165], stick: [0, 158, 115], slip: [230, 140, 0], bonded: [126, 87, 194], broken: [214, 39, 60] };
export const CHAIN_COLOURS = { strong: [178, 24, 43], weak: [118, 130, 150], tension: [20, 96, 200] };

// Radius of the stick of the largest force, over the typical radius of bodies.
const CHAIN_RADIUS = 0.36;

// Contacts that chains are drawn for, at most; the strongest are kept.
const MOST_CONTACTS = 400000;

// Mean and largest normal force of the contacts that carry, and whether one of them pulls.
export function forceScale(contacts) {
  let [sum, count, largest, pulls] = [0, 0, 0, false];
  for (let k = 0; k < contacts.gap.length; k++) {
    const force = normalForce(contacts, k);
    const f = Math.abs(force);
    if (f === 0 || !Number.isFinite(f)) continue;
    pulls ||= force < 0;
    sum += f;
    count++;
    largest = Math.max(largest, f);
  }
  return { mean: count ? sum / count : 0, largest, count, pulls };
}

// A length to draw things with: the median reach of what can move.
export function typicalRadius(model) {
  const { 'body.reach': reach, 'body.fixed': fixed } = model.arrays;
  const taken = [];
  const stride = Math.max(1, Math.floor(reach.length / 5000));
  for (let k = 0; k < reach.length; k += stride) if (reach[k] > 0 && !fixed[k]) taken.push(reach[k]);
  taken.sort((a, b) => a - b);
  const [low, high] = model.header.bounds;
  return taken.length ? taken[taken.length >> 1] : 0.02 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

class Pencil {
  constructor() {
    Object.assign(this, { from: [], to: [], radius: [], colour: [], dots: [], dotColour: [] });
  }

  stick(a, b, radius, colour) {
    this.from.push(...a);
    this.to.push(...b);
    this.radius.push(radius);
    this.colour.push(...colour, 255);
  }

  dot(a, colour) {
    this.dots.push(...a);
    this.dotColour.push(...colour, 255);
  }

  done(dotRadius) {
    return {
      from: new Float32Array(this.from), to: new Float32Array(this.to), radius: new Float32Array(this.radius), colour: new Uint8Array(this.colour),
      dots: new Float32Array(this.dots), dotColour: new Uint8Array(this.dotColour), dotRadius,
    };
  }
}

// The widest gap of a contact [m].
export const largestOpening = (contacts) => contacts.gap.reduce((m, g) => Math.max(m, g), 0);

// Colour of a gap as a share of the widest, or of damage.
export const shareColour = (share) => mapColour('magma', 0.15 + 0.75 * share);

// Everything that settings ask for. `stage` knows where bodies are drawn; hidden bodies take their contacts with them.
export function drawContacts(model, stage, state, contacts, settings, isHidden) {
  const pencil = new Pencil();
  const typical = typicalRadius(model);
  // In 2D all lies in one plane: what is drawn later must be nearer to the viewer.
  const lift = stage.flat ? (layer) => layer * 0.01 * typical : () => 0;
  membranes(pencil, model, stage, typical, lift(1));
  if (!contacts) return pencil.done(0);
  const scale = forceScale(contacts);
  const threshold = contacts.gap.length > MOST_CONTACTS || settings.split === 'strong' ? scale.mean : 0;
  const names = model.header.statuses;
  const shown = new Set(settings.statuses.length ? settings.statuses : names);
  const { 'body.fixed': fixed, 'body.reach': reach } = model.arrays;
  const largestGap = largestOpening(contacts);
  for (let k = 0; k < contacts.gap.length; k++) {
    const pair = [contacts.bodies[2 * k], contacts.bodies[2 * k + 1]];
    if (isHidden(pair[0]) || isHidden(pair[1])) continue;
    const at = [0, 1, 2].map((j) => contacts.point[3 * k + j] + (settings.mag - 1) * state.displacement[3 * pair[0] + j]);
    const n = [0, 1, 2].map((j) => contacts.normal[3 * k + j]);
    const f = normalForce(contacts, k);
    const size = Math.abs(f);
    if (settings.chains && size > threshold && !(settings.split === 'weak' && size > scale.mean)) {
      const colour = f < 0 ? CHAIN_COLOURS.tension : size > scale.mean ? CHAIN_COLOURS.strong : CHAIN_COLOURS.weak;
      const radius = (CHAIN_RADIUS * settings.width * typical * size) / scale.largest;
      const layer = lift(size > scale.mean ? 3 : 2);
      for (const b of pair) {
        if (fixed[b] || reach[b] === 0) continue;
        const c = stage.centre(b);
        pencil.stick([at[0], at[1], at[2] + layer], [c[0], c[1], c[2] + layer], radius, colour);
      }
    }
    const status = names[contacts.status[k]] ?? 'open';
    if (settings.contacts && shown.has(status)) {
      const gap = Math.max(contacts.gap[k], 0);
      const shares = { opening: () => (largestGap ? gap / largestGap : 0), damage: () => contacts.damage?.[k] ?? 0 };
      const share = shares[settings.colourContacts];
      const colour = share ? shareColour(share()) : STATUS_COLOURS[status];
      const z = at[2] + lift(5);
      pencil.dot([at[0], at[1], z], colour);
      if (settings.colourContacts === 'opening' && gap > 0) {
        const half = 0.5 * gap * settings.openings;
        pencil.stick([at[0] - n[0] * half, at[1] - n[1] * half, z - n[2] * half], [at[0] + n[0] * half, at[1] + n[1] * half, z + n[2] * half], 0.05 * typical, colour);
      }
    }
    if (settings.normals && shown.has(status)) {
      const length = 0.55 * typical;
      const z = at[2] + lift(4);
      pencil.stick([at[0], at[1], z], [at[0] + n[0] * length, at[1] + n[1] * length, z + n[2] * length], 0.02 * typical, [70, 90, 120]);
    }
  }
  return pencil.done(0.11 * settings.size * typical);
}

function membranes(pencil, model, stage, typical, z) {
  const pairs = model.arrays.membrane;
  for (let k = 0; k < pairs.length; k += 2) {
    const [a, b] = [stage.centre(pairs[k]), stage.centre(pairs[k + 1])];
    pencil.stick([a[0], a[1], a[2] + z], [b[0], b[1], b[2] + z], 0.12 * typical, [90, 70, 140]);
  }
}
