// What lies over the picture: legend, axes, scale bar.

import { drawLegend, legendWidth } from './legend.js';
import { formatNumber, withUnit } from './number.js';
import { CHAIN_COLOURS, STATUS_COLOURS, forceScale, largestOpening, shareColour } from './overlay.js';
import { dot3 } from './vector.js';

// Legend, axes and scale bar lie over the picture.
export function drawMarks(app) {
  const canvas = document.getElementById('marks');
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  const c = canvas.getContext('2d');
  c.scale(ratio, ratio);
  paintMarks(app, c, width, height);
}

// Paints them on a 2D context; a saved picture has them too.
export function paintMarks(app, c, width, height) {
  const css = getComputedStyle(document.documentElement);
  const [ink, quiet] = [css.getPropertyValue('--ink').trim(), css.getPropertyValue('--quiet').trim()];
  if (app.legend) {
    const parts = legendParts(app);
    const tall = drawLegend(document.getElementById('scratch').getContext('2d'), 0, 0, parts, ink, quiet);
    if (tall > 0) {
      c.fillStyle = css.getPropertyValue('--card').trim();
      c.beginPath();
      c.roundRect(10, 60, legendWidth(c, parts) + 22, tall + 16, 9);
      c.fill();
      drawLegend(c, 20, 68, parts, ink, quiet);
    }
  }
  if (app.camera.flat) drawScaleBar(app, c, height, ink); else drawTriad(app, c, height, quiet);
}

function drawTriad(app, c, height, quiet) {
  const [right, up, back] = app.camera.axes();
  const [x, y, size] = [46, height - 96, 26];
  const axes = [['x', [1, 0, 0], '#c0504d'], ['y', [0, 1, 0], '#4f9d5b'], ['z', [0, 0, 1], '#4a7ebb']];
  axes.sort((a, b) => dot3(a[1], back) - dot3(b[1], back));
  c.lineWidth = 2;
  c.font = '600 11px system-ui, sans-serif';
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  for (const [name, axis, tint] of axes) {
    const [dx, dy] = [dot3(axis, right), -dot3(axis, up)];
    c.strokeStyle = tint;
    c.fillStyle = tint;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x + dx * size, y + dy * size);
    c.stroke();
    c.fillText(name, x + dx * (size + 9), y + dy * (size + 9));
  }
  c.fillStyle = quiet;
}

function drawScaleBar(app, c, height, ink) {
  const perPixel = app.camera.height / app.stage.canvas.clientHeight;
  const power = 10 ** Math.floor(Math.log10(140 * perPixel));
  const length = [5, 2, 1].map((s) => s * power).find((l) => l / perPixel <= 140) ?? power;
  const [x, y] = [18, height - 84];
  c.strokeStyle = ink;
  c.fillStyle = ink;
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(x, y - 5);
  c.lineTo(x, y);
  c.lineTo(x + length / perPixel, y);
  c.lineTo(x + length / perPixel, y - 5);
  c.stroke();
  c.font = '11px system-ui, sans-serif';
  c.textAlign = 'left';
  c.textBaseline = 'alphabetic';
  c.fillText(`${formatNumber(length)} m`, x + length / perPixel + 8, y);
}

// What the legend explains, besides the field.
function legendParts({ settings, model, contacts, legend }) {
  const extra = [];
  if (settings.chains) {
    const { mean, largest, pulls } = contacts ? forceScale(contacts) : { mean: 0, largest: 0, pulls: false };
    const newtons = (f) => withUnit(f, 'N', 3);
    const items = [
      [mean > 0 ? `${newtons(mean)} (mean) to ${newtons(largest)}` : 'above the mean', CHAIN_COLOURS.strong],
      ['below the mean', CHAIN_COLOURS.weak],
    ];
    if (pulls) items.push(['tension', CHAIN_COLOURS.tension]);
    extra.push({ title: 'normal force', items });
  }
  if (settings.contacts && settings.colourContacts === 'status') {
    const shown = settings.statuses.length ? settings.statuses : model.header.statuses;
    extra.push({ title: 'contacts', items: shown.map((n) => [n, STATUS_COLOURS[n]]) });
  }
  if (settings.contacts && settings.colourContacts === 'opening' && contacts) {
    const largest = largestOpening(contacts);
    const items = (largest > 0 ? [1, 0.5, 0] : [0]).map((share) => [`${formatNumber(share * largest, 3)} m`, shareColour(share)]);
    extra.push({ title: 'joint opening', items });
  }
  if (settings.contacts && settings.colourContacts === 'damage' && model.header.bonds) {
    extra.push({ title: 'damage of bonds', items: [1, 0.5, 0].map((share) => [formatNumber(share, 2), shareColour(share)]) });
  }
  return { ...legend, extra };
}
