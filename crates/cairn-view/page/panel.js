// The panel of settings: plain controls, each tied to one key of the settings.

import { MAP_NAMES } from './colormap.js';
import { hasContacts } from './source.js';

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// A number as it can be typed, in few characters.
const shortText = (v) => (v !== 0 && (Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3) ? v.toExponential().replace('e+', 'e') : String(v));

// Builds the panel; `changed(key)` is called after a setting was changed, `ranges` knows how to hold the colours' ends.
export class Panel {
  constructor(element, model, fields, settings, changed, ranges) {
    Object.assign(this, { element, model, settings, changed, ranges, refreshers: [] });
    const flat = model.header.dimension === 2;
    const bodies = model.arrays['body.group'].length;
    const section = (title, open, ...rows) => make('details', { open }, make('summary', { textContent: title }), ...rows);
    const fieldChoice = this.choice('field', 'Field', fields.filter((f) => !f.contacts || hasContacts()).map((f) => [f.id, f.name, f.heading]));
    element.append(
      section('Colour', true, fieldChoice,
        this.choice('map', 'Colours', ['auto', ...MAP_NAMES].map((n) => [n, n])),
        this.range(), this.rangeTools(), this.box('log', 'Logarithmic scale')),
      section('Bodies', true,
        this.choice('bodies', 'Show', [['solid', 'solid'], ['faint', 'faint'], ['hidden', 'hidden']]),
        this.groups(),
        this.box('edges', 'Edges'), this.box('marks', 'Marks that turn with balls'),
        this.slider('mag', 'Motion ×', 0, 6, 0.02, (s) => Math.round(10 ** s * 100) / 100, (v) => Math.log10(Math.max(v, 1)))),
      ...(hasContacts() ? [
        section('Forces', true,
          this.box('chains', 'Force chains'),
          this.choice('split', 'Contacts', [['all', 'all'], ['strong', 'above the mean'], ['weak', 'below the mean']]),
          this.slider('width', 'Width', 0.1, 4, 0.05), ...(flat ? [] : [this.slider('see', 'Show through', 0, 1, 0.05)])),
        section('Contacts', false,
          this.box('contacts', 'Contact points'),
          this.choice('colourContacts', 'Colour', [['status', 'by status'], ['opening', 'by joint opening'], ...(model.header.bonds ? [['damage', 'by damage']] : [])]),
          this.statuses(), this.box('normals', 'Normals'), this.slider('size', 'Size', 0.2, 4, 0.1),
          this.slider('openings', 'Openings ×', 0, 6, 0.05, (s) => Math.round(10 ** s), (v) => Math.log10(Math.max(v, 1)))),
      ] : []),
      section('Cut', false,
        this.choice('clip', 'Plane', [['none', 'none'], ['x', 'across x'], ['y', 'across y'], ...(flat ? [] : [['z', 'across z']])]),
        this.slider('at', 'At', 0, 1, 0.005), this.box('flip', 'Other side')),
      make('p', { className: 'quiet', textContent: `${bodies.toLocaleString('en')} ${bodies === 1 ? 'body' : 'bodies'}, ${flat ? '2D' : '3D'}` }),
    );
  }

  // Puts all controls in line with the settings.
  refresh() {
    for (const f of this.refreshers) f();
  }

  tie(key, read, write, control, event = 'input') {
    this.refreshers.push(() => write(this.settings[key]));
    write(this.settings[key]);
    control.addEventListener(event, () => {
      this.settings[key] = read();
      this.changed(key);
      this.refresh();
    });
  }

  box(key, text) {
    const input = make('input', { type: 'checkbox', id: `set-${key}` });
    this.tie(key, () => input.checked, (v) => { input.checked = v; }, input, 'change');
    return make('label', { className: 'row' }, input, make('span', { textContent: text }));
  }

  choice(key, text, options) {
    const select = make('select', { id: `set-${key}` });
    const sections = new Map([[undefined, select]]);
    for (const [value, name, heading] of options) {
      if (!sections.has(heading)) sections.set(heading, select.appendChild(make('optgroup', { label: heading })));
      sections.get(heading).append(make('option', { value, textContent: name }));
    }
    this.tie(key, () => select.value, (v) => { select.value = v; }, select, 'change');
    return make('label', { className: 'row' }, make('span', { textContent: text }), select);
  }

  slider(key, text, min, max, step, toValue = (s) => s, toSlider = (v) => v) {
    const input = make('input', { type: 'range', id: `set-${key}`, min, max, step });
    const shown = make('output');
    this.tie(key, () => toValue(Number(input.value)), (v) => { input.value = toSlider(v); shown.textContent = Number(v.toPrecision(3)); }, input);
    return make('label', { className: 'row' }, make('span', { textContent: text }), input, shown);
  }

  range() {
    const field = (key, text) => {
      const input = make('input', { type: 'text', inputMode: 'decimal', placeholder: 'auto', id: `set-${key}`, ariaLabel: text });
      this.tie(key, () => { const v = Number.parseFloat(input.value.replace(',', '.')); return Number.isFinite(v) ? v : null; },
        (v) => { if (document.activeElement !== input) input.value = v === null ? '' : shortText(v); }, input, 'change');
      return input;
    };
    return make('div', { className: 'row range' }, make('span', { textContent: 'Range' }), field('low', 'lowest value'), make('span', { textContent: '–' }), field('high', 'highest value'));
  }

  // Ends of the colours that stay when the state changes: those of this state, or of all of them.
  rangeTools() {
    const button = (id, text, title, action) => {
      const element = make('button', { className: 'link', id, textContent: text, title });
      element.addEventListener('click', action);
      return element;
    };
    const tools = [
      button('range-hold', 'hold', 'Keep the range of this state', () => this.ranges.hold()),
      button('range-all', 'all states', 'Take the range of all states of the run', () => this.ranges.ofAll()),
      button('range-auto', 'auto', 'Take the range of each state', () => this.ranges.release()),
    ];
    return make('div', { className: 'row tools' }, ...tools);
  }

  // A box for each group; the picked body can be hidden too.
  groups() {
    const names = this.model.header.groups;
    const list = make('div', { className: 'groups' });
    names.forEach(({ name, bodies }, k) => {
      const input = make('input', { type: 'checkbox', id: `group-${k}` });
      this.refreshers.push(() => { input.checked = !this.settings.hide.includes(name); });
      input.checked = !this.settings.hide.includes(name);
      input.addEventListener('change', () => {
        this.settings.hide = input.checked ? this.settings.hide.filter((n) => n !== name) : [...this.settings.hide, name];
        this.changed('hide');
      });
      list.append(make('label', { className: 'row' }, input, make('span', { textContent: name }), make('span', { className: 'quiet count', textContent: bodies > 1 ? bodies.toLocaleString('en') : '' })));
    });
    const all = make('button', { className: 'link', textContent: 'show all bodies' });
    all.addEventListener('click', () => { this.settings.hide = []; this.settings.hideBodies = []; this.changed('hide'); this.refresh(); });
    this.refreshers.push(() => { all.hidden = !this.settings.hide.length && !this.settings.hideBodies.length; });
    all.hidden = !this.settings.hide.length && !this.settings.hideBodies.length;
    return make('div', {}, list, all);
  }

  statuses() {
    const names = this.model.header.statuses;
    const list = make('div', { className: 'chips' });
    for (const name of names) {
      const input = make('input', { type: 'checkbox' });
      const current = () => (this.settings.statuses.length ? this.settings.statuses : names);
      this.refreshers.push(() => { input.checked = current().includes(name); });
      input.checked = current().includes(name);
      input.addEventListener('change', () => {
        const now = input.checked ? [...current(), name] : current().filter((n) => n !== name);
        this.settings.statuses = now.length === names.length ? [] : now;
        this.changed('statuses');
      });
      list.append(make('label', {}, input, make('span', { textContent: name })));
    }
    return list;
  }
}
