// The ends of the colours over a whole run, so that a colour means the same in all its states.

import { MOST_DECADES, rangeOf } from './fields.js';

// States that are looked at, at most; they are spread evenly and the last is among them.
const MOST_STATES = 80;

// Numbers of at most `most` states out of `count`.
export function spread(count, most) {
  const taken = Math.min(count, most);
  return Array.from({ length: taken }, (_, k) => (taken > 1 ? Math.round((k * (count - 1)) / (taken - 1)) : count - 1));
}

// Smallest and largest value of a field in all states; `load(k)` gives a state and its contacts. States that cannot be
// read are passed over, and null is given if none can.
export async function rangeOfStates(field, count, load, isFixed, log) {
  let [low, high] = [Infinity, -Infinity];
  for (const k of spread(count, MOST_STATES)) {
    try {
      const { state, contacts } = await load(k);
      const values = field.of(state, contacts);
      if (log && !values.some((v) => v > 0)) continue;
      const [a, b] = rangeOf(field, values, isFixed, log);
      [low, high] = [Math.min(low, a), Math.max(high, b)];
    } catch { /* the page tells of damaged states when it shows them */ }
  }
  if (log) low = Math.max(low, MOST_DECADES * high);
  return low <= high ? [low, high] : null;
}
