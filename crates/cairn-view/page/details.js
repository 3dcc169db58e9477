// What is known of the body that was picked.

import { bodyName, normalForce } from './fields.js';
import { withUnit } from './number.js';

const vectorText = (v, unit, flat) => `(${v.slice(0, flat ? 2 : 3).map((x) => withUnit(x, '', 4)).join(', ')}) ${unit}`;

// The value of the field that colours the bodies; of a deformable body the smallest and the largest.
function fieldRow({ model, legend }, k) {
  const { field, values } = legend ?? {};
  if (!values || field.kinds) return [];
  if (!field.nodal) return [[field.name, withUnit(values[k], field.unit, 4)]];
  const owner = model.arrays['node.body'];
  let [low, high] = [Infinity, -Infinity];
  for (let n = 0; n < owner.length; n++) {
    if (owner[n] !== k || !Number.isFinite(values[n])) continue;
    [low, high] = [Math.min(low, values[n]), Math.max(high, values[n])];
  }
  return low <= high ? [[field.name, `${withUnit(low, '', 4)} … ${withUnit(high, field.unit, 4)}`]] : [];
}

// Fills the card of the picked body, or hides it. `pick` is called with the number of a neighbour that is clicked.
export function showDetails(card, app, pick) {
  const { model, state, contacts, picked: k } = app;
  card.hidden = k < 0;
  if (k < 0) return;
  const flat = model.header.dimension === 2;
  const { arrays, header } = model;
  const three = (a) => [a[3 * k], a[3 * k + 1], a[3 * k + 2]];
  const start = three(arrays['body.start']);
  const moved = three(state.displacement);
  const rows = [
    ['group', header.groups[arrays['body.group'][k]].name],
    ['material', header.materials[arrays['body.material'][k]] ?? '–'],
    ['mass', Number.isFinite(arrays['body.mass'][k]) ? withUnit(arrays['body.mass'][k], 'kg', 4) : arrays['body.fixed'][k] ? 'fixed or driven' : '∞'],
    ['position', vectorText(start.map((x, j) => x + moved[j] + header.origin[j]), 'm', flat)],
    ['displacement', vectorText(moved, 'm', flat)],
  ];
  if (state.velocity) {
    rows.push(['velocity', vectorText(three(state.velocity), 'm/s', flat)]);
    rows.push(['spin', flat ? withUnit(state.spin[3 * k + 2], 'rad/s', 4) : vectorText(three(state.spin), 'rad/s', flat)]);
  }
  const neighbours = new Map();
  if (contacts) {
    const sum = [0, 0, 0];
    for (let c = 0; c < contacts.gap.length; c++) {
      const side = contacts.bodies[2 * c] === k ? 1 : contacts.bodies[2 * c + 1] === k ? -1 : 0;
      if (side === 0) continue;
      const other = contacts.bodies[2 * c + (side === 1 ? 1 : 0)];
      for (let j = 0; j < 3; j++) sum[j] += side * contacts.force[3 * c + j];
      const known = neighbours.get(other) ?? { force: 0, points: 0 };
      neighbours.set(other, { force: known.force + normalForce(contacts, c), points: known.points + 1 });
    }
    rows.push(['contact force', vectorText(sum, 'N', flat)]);
  }
  rows.push(...fieldRow(app, k).filter(([name]) => !rows.some((row) => row[0] === name)));
  const title = Object.assign(document.createElement('h2'), { textContent: bodyName(model, k) });
  const close = Object.assign(document.createElement('button'), { className: 'close', textContent: '×', title: 'Close (Esc)' });
  close.addEventListener('click', () => pick(-1));
  const list = document.createElement('dl');
  for (const [name, value] of rows) {
    list.append(Object.assign(document.createElement('dt'), { textContent: name }), Object.assign(document.createElement('dd'), { textContent: value }));
  }
  card.replaceChildren(title, close, list);
  if (neighbours.size) {
    card.append(Object.assign(document.createElement('h3'), { textContent: `${neighbours.size} neighbour${neighbours.size > 1 ? 's' : ''}` }));
    const all = Object.assign(document.createElement('ul'), { className: 'neighbours' });
    const sorted = [...neighbours].sort((a, b) => Math.abs(b[1].force) - Math.abs(a[1].force));
    for (const [other, { force, points }] of sorted.slice(0, 12)) {
      const item = document.createElement('li');
      const link = Object.assign(document.createElement('button'), { className: 'link', textContent: bodyName(model, other) });
      link.addEventListener('click', () => pick(other));
      item.append(link, Object.assign(document.createElement('span'), { textContent: `${withUnit(force, 'N', 3)}${points > 1 ? `, ${points} points` : ''}` }));
      all.append(item);
    }
    card.append(all);
  }
}
