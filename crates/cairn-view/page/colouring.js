// From a field's values to the colours of bodies and nodes.

import { KIND_COLOURS, mapColour } from './colormap.js';
import { MOST_DECADES, rangeOf } from './fields.js';

const NEUTRAL = [126, 160, 198];
const FIXED_COLOURS = { light: [199, 202, 208], dark: [92, 98, 108] };

// Gives the stage the colours of `field`, and returns what the legend has to tell.
export function colourBodies({ stage, state, model, settings, contacts, fields }, field, isHidden, isDark) {
  const fixed = model.arrays['body.fixed'];
  const fixedColour = FIXED_COLOURS[isDark ? 'dark' : 'light'];
  const ready = field.of && (!field.needs || state[field.needs]) && (!field.contacts || contacts) && (!field.nodal || state.nodal[field.nodal]);
  const values = ready ? field.of(state, contacts) : null;
  let [low, high] = [0, 1];
  if (values && !field.kinds) {
    [low, high] = rangeOf(field, values, field.nodal ? null : (k) => fixed[k], settings.log);
    low = settings.low ?? low;
    high = settings.high ?? high;
    if (settings.log && low <= 0) low = high > 0 ? high * MOST_DECADES : MOST_DECADES;
  }
  const map = settings.map === 'auto' ? (field.signed && !settings.log && low < 0 ? 'blue–red' : 'viridis') : settings.map;
  const place = settings.log ? (v) => (v > 0 ? Math.log(v / low) / Math.log(high / low) : 0) : (v) => (v - low) / (high - low);
  const table = Array.from({ length: 256 }, (_, k) => mapColour(map, k / 255));
  const data = stage.colours.room(stage.bodies);
  const isNodal = Boolean(field.nodal);
  for (let k = 0; k < stage.bodies; k++) {
    let c = NEUTRAL;
    if (fixed[k] && field.id !== 'material') c = fixedColour;
    else if (values && !isNodal) {
      const v = values[k];
      c = field.kinds ? KIND_COLOURS[v % KIND_COLOURS.length] ?? NEUTRAL : Number.isFinite(v) ? table[Math.round(255 * Math.min(Math.max(place(v), 0), 1))] : NEUTRAL;
    }
    data[4 * k] = c[0];
    data[4 * k + 1] = c[1];
    data[4 * k + 2] = c[2];
    data[4 * k + 3] = isHidden(k) ? 0 : 255;
  }
  const nodal = isNodal && values ? values.map((v) => (Number.isFinite(v) ? Math.min(Math.max(place(v), 0), 1) : -1)) : null;
  stage.setColours(data, nodal, map);
  return { field: values ? field : fields[0], map, low, high, log: settings.log, values };
}
