// What the colours mean: a scale with its unit, or names of kinds; the same for the page and for a saved picture.

import { KIND_COLOURS, cssColour, mapColour } from './colormap.js';
import { formatNumber, formatTicks, niceTicks } from './number.js';

const MOST_KINDS = 12;

// Draws the legend at (x, y) of a 2D context and returns its height; `ink` and `quiet` are its colours.
export function drawLegend(c, x, y, { field, map, low, high, log, extra }, ink, quiet) {
  const top = y;
  c.textAlign = 'left';
  c.textBaseline = 'alphabetic';
  if (field.id !== 'none') {
    c.font = '600 12px system-ui, sans-serif';
    c.fillStyle = ink;
    c.fillText(field.name + (field.unit ? ` [${field.unit}]` : ''), x, y + 11);
    y += 20;
    y = field.kinds ? drawKinds(c, x, y, field.kinds, quiet) : drawScale(c, x, y, map, low, high, log, quiet);
  }
  for (const { title, items } of extra) {
    y += y > top ? 8 : 0;
    c.font = '600 12px system-ui, sans-serif';
    c.fillStyle = ink;
    c.fillText(title, x, y + 11);
    y += 20;
    c.font = '11px system-ui, sans-serif';
    for (const [name, colour] of items) {
      c.fillStyle = cssColour(colour);
      c.fillRect(x, y, 12, 12);
      c.fillStyle = quiet;
      c.fillText(name, x + 18, y + 10);
      y += 17;
    }
  }
  return y - top;
}

// How wide a legend is.
export function legendWidth(c, { field, extra }) {
  c.font = '600 12px system-ui, sans-serif';
  const titles = [`${field.name} [${field.unit}]`, ...extra.map((e) => e.title)].map((t) => c.measureText(t).width);
  c.font = '11px system-ui, sans-serif';
  const names = extra.flatMap((e) => e.items).map(([name]) => 18 + c.measureText(name).width);
  return Math.max(112, ...titles, ...names);
}

function drawKinds(c, x, y, kinds, quiet) {
  c.font = '11px system-ui, sans-serif';
  for (const k of [...kinds.keys()].slice(0, MOST_KINDS)) {
    const name = kinds[k].length > 18 ? `${kinds[k].slice(0, 17)}…` : kinds[k];
    c.fillStyle = cssColour(KIND_COLOURS[k % KIND_COLOURS.length]);
    c.fillRect(x, y, 12, 12);
    c.fillStyle = quiet;
    c.fillText(name, x + 18, y + 10);
    y += 17;
  }
  if (kinds.length > MOST_KINDS) {
    c.fillText(`and ${kinds.length - MOST_KINDS} more`, x + 18, y + 10);
    y += 17;
  }
  return y;
}

function drawScale(c, x, y, map, low, high, log, quiet) {
  const height = 150;
  for (let k = 0; k < height; k++) {
    c.fillStyle = cssColour(mapColour(map, 1 - k / (height - 1)));
    c.fillRect(x, y + k, 14, 1.5);
  }
  c.font = '11px system-ui, sans-serif';
  c.fillStyle = quiet;
  c.strokeStyle = quiet;
  const place = (v) => (log ? (Math.log10(v) - Math.log10(low)) / (Math.log10(high) - Math.log10(low)) : (v - low) / (high - low));
  const ticks = log ? niceTicks(Math.log10(low), Math.log10(high), 5).filter((t) => Number.isInteger(Math.round(t * 1e6) / 1e6)).map((t) => 10 ** t) : niceTicks(low, high, 5);
  const all = ticks.length > 1 ? ticks : [low, high];
  const names = log && ticks.length > 1 ? all.map((t) => formatNumber(t, 4, Infinity).replace(/^1·/, '')) : formatTicks(all, 4);
  all.forEach((tick, i) => {
    const at = y + (1 - place(tick)) * height;
    c.beginPath();
    c.moveTo(x + 14, at);
    c.lineTo(x + 18, at);
    c.stroke();
    c.fillText(names[i], x + 22, at + 4);
  });
  return y + height + 6;
}
