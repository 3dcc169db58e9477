// The history as small plots beside the picture, with a cursor at the time that is shown. A click goes to that time.

import { formatNumber, formatTicks, niceTicks, withUnit } from './number.js';

// What is plotted unless the user chooses.
const FIRST_COLUMNS = ['kinetic energy', 'potential energy', 'strain energy', 'active contacts', 'residual', 'worst penetration'];
const LOGARITHMIC = new Set(['residual', 'worst penetration', 'energy balance error']);

export class Plots {
  constructor(element, settings, onTime, onChange) {
    Object.assign(this, { element, settings, onTime, onChange, history: null, time: 0, cards: [] });
    new ResizeObserver(() => this.draw()).observe(element);
  }

  setHistory(history) {
    this.history = history;
    const names = history.header.columns.map((c) => c.name);
    if (names.join() !== this.names?.join()) {
      this.names = names;
      this.build();
    } else if (this.cards.map((c) => c.k).join() !== this.chosen().join()) this.makeCards();
    this.draw();
  }

  // Numbers of the columns that are plotted. What is zero all the time is left out unless it was asked for.
  chosen() {
    const wanted = this.settings.columns ?? FIRST_COLUMNS;
    const tells = (k) => this.settings.columns || this.history.arrays[`column.${k}`].some((v) => v !== 0);
    const found = wanted.map((name) => this.names.indexOf(name)).filter((k) => k > 1 && tells(k));
    const resultants = this.settings.columns ? [] : this.names.flatMap((n, k) => (/ force [xyz]$/.test(n) && tells(k) ? [k] : [])).slice(0, 3);
    return [...found, ...resultants];
  }

  build() {
    this.element.replaceChildren();
    this.cards = [];
    if (this.names.length < 3) {
      this.element.append(Object.assign(document.createElement('p'), { className: 'quiet', textContent: 'There is no history to plot.' }));
      return;
    }
    const menu = Object.assign(document.createElement('details'), { className: 'columns' });
    menu.append(Object.assign(document.createElement('summary'), { textContent: 'Choose columns' }));
    const chosen = new Set(this.chosen());
    this.names.forEach((name, k) => {
      if (k < 2) return;
      const label = document.createElement('label');
      const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: chosen.has(k) });
      box.addEventListener('change', () => {
        const now = new Set(this.chosen().map((c) => this.names[c]));
        if (box.checked) now.add(name); else now.delete(name);
        this.settings.columns = [...now];
        this.onChange();
        this.makeCards();
        this.draw();
      });
      label.append(box, ` ${name}`);
      menu.append(label);
    });
    this.list = document.createElement('div');
    this.element.append(this.list, menu);
    this.makeCards();
  }

  makeCards() {
    this.list.replaceChildren();
    this.cards = this.chosen().map((k) => {
      const { name, unit } = this.history.header.columns[k];
      const card = Object.assign(document.createElement('figure'), { className: 'plot' });
      const title = document.createElement('figcaption');
      const value = Object.assign(document.createElement('span'), { className: 'value' });
      title.append(Object.assign(document.createElement('span'), { textContent: name }), value);
      const canvas = document.createElement('canvas');
      canvas.addEventListener('pointerdown', (e) => { canvas.setPointerCapture(e.pointerId); this.goTo(e); });
      canvas.addEventListener('pointermove', (e) => { if (e.buttons) this.goTo(e); });
      card.append(title, canvas);
      this.list.append(card);
      return { k, name, unit: unit === '-' ? '' : unit, canvas, value };
    });
  }

  span() {
    const times = this.history.arrays['column.1'];
    return times.length ? [times[0], Math.max(times[times.length - 1], times[0] + 1e-12)] : [0, 1];
  }

  goTo(event) {
    const [low, high] = this.span();
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - left - 46) / (width - 52);
    this.onTime(low + Math.min(Math.max(x, 0), 1) * (high - low));
  }

  setTime(time) {
    this.time = time;
    this.draw();
  }

  draw() {
    if (!this.history || !this.element.offsetParent) return;
    const style = getComputedStyle(document.documentElement);
    for (const card of this.cards) this.drawCard(card, (name) => style.getPropertyValue(name).trim());
  }

  drawCard({ k, name, unit, canvas, value }, css) {
    const { arrays } = this.history;
    const [times, values] = [arrays['column.1'], arrays[`column.${k}`]];
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const c = canvas.getContext('2d');
    c.scale(ratio, ratio);
    const [x0, x1, y0, y1] = [46, width - 6, height - 16, 6];
    const log = LOGARITHMIC.has(name);
    const place = (v) => (log ? Math.log10(Math.max(Math.abs(v), 1e-17)) : v);
    let [low, high] = [Infinity, -Infinity];
    for (const v of values) {
      if (!Number.isFinite(v) || (log && v === 0)) continue;
      low = Math.min(low, place(v));
      high = Math.max(high, place(v));
    }
    if (low > high) [low, high] = [0, 1];
    if (!log && low > 0 && low < 0.4 * high) low = 0;
    if (high - low < 1e-12 * Math.abs(high) || high === low) [low, high] = [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
    const [t0, t1] = this.span();
    const x = (t) => x0 + ((t - t0) / (t1 - t0)) * (x1 - x0);
    const y = (v) => y0 + ((v - low) / (high - low)) * (y1 - y0);
    c.font = '10px system-ui, sans-serif';
    c.fillStyle = css('--quiet');
    c.strokeStyle = css('--line');
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    const decades = niceTicks(low, high, 2).filter(Number.isInteger);
    const levels = log ? (decades.length ? decades : [low, high]) : niceTicks(low, high, 2);
    const names = log ? levels.map((tick) => formatNumber(10 ** tick, 2).replace(/^1·/, '')) : formatTicks(levels, 3);
    levels.forEach((tick, i) => {
      c.beginPath();
      c.moveTo(x0, y(tick));
      c.lineTo(x1, y(tick));
      c.stroke();
      c.fillText(names[i], x0 - 4, y(tick));
    });
    c.textAlign = 'center';
    c.textBaseline = 'alphabetic';
    const ticks = niceTicks(t0, t1, 4);
    formatTicks(ticks, 3).forEach((number, i) => {
      const text = i === ticks.length - 1 ? `${number} s` : number;
      c.fillText(text, Math.min(x(ticks[i]), width - 1 - c.measureText(text).width / 2), height - 3);
    });
    c.strokeStyle = css('--accent');
    c.lineWidth = 1.4;
    c.beginPath();
    // As many points as there are pixels: the smallest and the largest of each column of pixels.
    const stride = Math.max(1, Math.floor(values.length / (2 * (x1 - x0))));
    let pen = false;
    for (let i = 0; i < values.length; i += stride) {
      let [least, most] = [-1, -1];
      for (let j = i; j < Math.min(i + stride, values.length); j++) {
        if (!Number.isFinite(values[j]) || (log && values[j] === 0)) continue;
        if (least < 0 || place(values[j]) < place(values[least])) least = j;
        if (most < 0 || place(values[j]) > place(values[most])) most = j;
      }
      if (least < 0) { pen = false; continue; }
      // In the order of time: a steep line would else be drawn there and back, and look thick.
      for (const j of least < most ? [least, most] : most < least ? [most, least] : [least]) {
        if (pen) c.lineTo(x(times[j]), y(place(values[j]))); else c.moveTo(x(times[j]), y(place(values[j])));
        pen = true;
      }
    }
    c.stroke();
    const nearest = nearestIndex(times, this.time);
    c.strokeStyle = css('--ink');
    c.globalAlpha = 0.45;
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(x(Math.min(Math.max(this.time, t0), t1)), y0);
    c.lineTo(x(Math.min(Math.max(this.time, t0), t1)), y1);
    c.stroke();
    c.globalAlpha = 1;
    value.textContent = nearest < 0 ? '' : withUnit(values[nearest], unit, 4);
  }
}

export function nearestIndex(times, t) {
  if (!times.length) return -1;
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] < t) low = middle; else high = middle;
  }
  return Math.abs(times[low] - t) <= Math.abs(times[high] - t) ? low : high;
}
