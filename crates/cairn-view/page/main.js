// The page: puts the parts together, and decides what has to be done again after a change.

import { DEFAULTS, readAddress, writeAddress } from './address.js';
import { Camera } from './camera.js';
import { colourBodies } from './colouring.js';
import { showDetails } from './details.js';
import { bodyName, listFields } from './fields.js';
import { listen } from './hands.js';
import { drawMarks, paintMarks } from './marks.js';
import { formatNumber } from './number.js';
import { drawContacts } from './overlay.js';
import { Panel } from './panel.js';
import { Plots, nearestIndex } from './plots.js';
import { rangeOfStates, spread } from './ranges.js';
import { StateCache, fetchBundle, fetchTimeline, hasContacts, isExport } from './source.js';
import { Stage } from './stage.js';
import { TimeBar } from './timebar.js';
import { norm3, scale3, sub3 } from './vector.js';

const byId = (id) => document.getElementById(id);

const app = {
  settings: readAddress(), model: null, fields: [], stage: null, camera: null, state: null, contacts: null,
  motions: new StateCache('motions'), touches: new StateCache('contacts', 6e8), picked: -1, legend: null, isMoving: false,
};

function fail(title, text) {
  byId('failure-title').textContent = title;
  byId('failure-text').textContent = text;
  byId('failure').hidden = false;
}

function showProblems(problems) {
  const unique = [...new Set(problems)];
  byId('problems').hidden = !unique.length;
  byId('problems-list').replaceChildren(...unique.map((p) => Object.assign(document.createElement('li'), { textContent: p })));
}

const isDark = () => (app.settings.theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : app.settings.theme === 'dark');

function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  redraw();
}

// ── What is shown ──

const currentField = () => app.fields.find((f) => f.id === app.settings.field) ?? app.fields[0];
const needsContacts = () => {
  const s = app.settings;
  return hasContacts() && (s.chains || s.contacts || s.normals || app.picked >= 0 || currentField().contacts);
};

function hiddenBodies() {
  const groups = app.model.header.groups.map((g) => app.settings.hide.includes(g.name));
  const single = new Set(app.settings.hideBodies);
  const group = app.model.arrays['body.group'];
  return (k) => groups[group[k]] || single.has(k);
}

let wanted = 0;
async function show(index) {
  const mine = ++wanted;
  try {
    const motions = await app.motions.get(index);
    const contacts = needsContacts() ? await app.touches.get(index) : null;
    if (mine !== wanted) return;
    app.state = toState(motions);
    app.contacts = contacts?.arrays ?? null;
    app.index = index;
    app.settings.t = app.timeBar.index === app.timeBar.times.length - 1 ? null : app.state.time;
    byId('missing').hidden = true;
    update('state');
    document.documentElement.dataset.shown = index;
  } catch (error) {
    if (mine !== wanted) return;
    byId('missing').textContent = `This state cannot be shown. ${error.message}`;
    byId('missing').hidden = false;
  }
}

function toState({ header, arrays }) {
  const nodal = {};
  for (const [name, values] of Object.entries(arrays)) if (name.startsWith('node.field.')) nodal[name.slice(11)] = values;
  return {
    time: header.time, step: header.step, bodies: app.stage.bodies, displacement: arrays.displacement, rotation: arrays.rotation,
    velocity: arrays.velocity, spin: arrays.spin, nodeMove: arrays['node.displacement'], nodal,
  };
}

// Does again what depends on `what`: 'state', 'colour', 'overlay', 'details', 'view'.
function update(what) {
  const { stage, state, model, settings } = app;
  if (!state) return;
  if (what === 'state') stage.setState(state, settings.mag);
  if (what === 'state' || what === 'colour') app.legend = colourBodies(app, currentField(), hiddenBodies(), isDark());
  if (what === 'state' || what === 'overlay') {
    stage.setOverlay(drawContacts(model, stage, state, app.contacts, settings, hiddenBodies()));
  }
  if (what !== 'view') {
    showDetails(byId('details'), app, pick);
    app.plots.setTime(state.time);
  }
  redraw();
  remember();
}

// ── Drawing ──

let asked = false;
function redraw() {
  if (!app.stage) return;
  app.stage.dirty = true;
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    if (!app.stage.dirty || !app.state) return;
    const began = performance.now();
    app.stage.draw(look(), app.isMoving);
    measure(began);
    drawMarks(app);
  });
}

// Pictures that take long are made coarser: without the finest samples, and while the view moves smaller and of fewer balls.
function measure(began) {
  const { stage } = app;
  stage.measured = (stage.measured ?? 0) + 1;
  if (stage.measured > 40) return;
  stage.finish();
  const took = performance.now() - began;
  if (stage.measured < 2) return;
  if (app.isMoving && took > 60) {
    stage.movingScale = Math.max(0.35, (stage.movingScale ?? 1) * 0.8);
    stage.movingShare = Math.max(0.03, (stage.movingShare ?? 1) * (took > 400 ? 0.25 : 0.7));
  }
  if (!app.isMoving && took > 400) stage.samples = 1;
}

function look() {
  const { settings, camera, model } = app;
  const dark = isDark();
  const [low, high] = app.bounds;
  const axis = { x: 0, y: 1, z: 2 }[settings.clip];
  let clip = [0, 0, 0, 1];
  if (axis !== undefined) {
    const sign = settings.flip ? -1 : 1;
    clip = [0, 0, 0, sign * (low[axis] + settings.at * (high[axis] - low[axis]))];
    clip[axis] = sign;
  }
  const [right, up, back] = camera.axes();
  const light = [0, 1, 2].map((j) => -0.35 * right[j] + 0.75 * up[j] + 0.45 * back[j]);
  const flat = model.header.dimension === 2;
  const over = settings.chains && settings.bodies === 'solid';
  return {
    clip, light, edges: settings.edges, marks: settings.marks, bodies: settings.bodies, see: flat ? 1 : settings.see,
    dim: over ? (flat ? 0.55 : 0.35) : 0, outline: dark ? 0.75 : 0.6, edgeDarkness: 0.45,
    paper: dark ? [0.075, 0.086, 0.106] : [0.973, 0.976, 0.98], ink: dark ? [0.02, 0.025, 0.03] : [0.16, 0.18, 0.22], accent: [0.95, 0.35, 0.1],
  };
}

// ── Settings, address, picture ──

let writing = 0;
function remember() {
  clearTimeout(writing);
  writing = setTimeout(() => {
    app.settings.camera = app.touchedCamera ? app.camera.toText() : null;
    writeAddress(app.settings);
  }, 250);
}

function changed(key) {
  if (key === 'field') { app.settings.low = null; app.settings.high = null; }
  if (key === 'mag') update('state');
  else if (['field', 'map', 'log', 'low', 'high'].includes(key)) (currentField().contacts && !app.contacts ? show(app.index) : update('colour'));
  else if (key === 'hide') { update('colour'); update('overlay'); }
  else if (['chains', 'contacts', 'normals'].includes(key) && needsContacts() && !app.contacts) show(app.index);
  else if (['chains', 'split', 'width', 'contacts', 'colourContacts', 'statuses', 'normals', 'size', 'openings'].includes(key)) update('overlay');
  else update('view');
}

function pick(k) {
  app.picked = k;
  app.stage.picked = k + 1;
  app.settings.picked = k;
  document.documentElement.dataset.picked = k < 0 ? '' : bodyName(app.model, k);
  if (k >= 0 && hasContacts() && !app.contacts) show(app.index);
  else { showDetails(byId('details'), app, pick); redraw(); }
  remember();
}

// Ends of the colours that stay while states change.
const ranges = {
  set([low, high]) {
    Object.assign(app.settings, { low, high });
    update('colour');
    app.panel.refresh();
  },
  hold() {
    const { field, low, high } = app.legend;
    if (field.of && !field.kinds) ranges.set([low, high].map((x) => Number(x.toPrecision(4))));
    else say('This field has no range.');
  },
  release: () => ranges.set([null, null]),
  async ofAll() {
    const field = currentField();
    if (!field.of || field.kinds) { say('This field has no range.'); return; }
    say('Looking at all states…', 600000);
    const load = async (k) => ({ state: toState(await app.motions.get(k)), contacts: field.contacts ? (await app.touches.get(k)).arrays : null });
    const fixed = app.model.arrays['body.fixed'];
    const found = await rangeOfStates(field, app.timeBar.times.length, load, field.nodal ? null : (k) => fixed[k], app.settings.log);
    if (field !== currentField()) return;
    if (found) ranges.set(found.map((x) => Number(x.toPrecision(4))));
    say(found ? 'The colours have the range of all states.' : 'No state could be read.');
  },
};

// The picture with its legend and time, twice as fine as the window.
export async function makePicture() {
  const { stage } = app;
  stage.draw(look(), false, 2);
  const { canvas } = stage;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const out = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const c = out.getContext('2d');
  c.drawImage(canvas, 0, 0);
  c.scale(canvas.width / width, canvas.height / height);
  paintMarks(app, c, width, height + 60);
  c.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
  c.textAlign = 'left';
  c.font = '600 15px system-ui, sans-serif';
  c.fillText(`${app.model.header.title}    t = ${formatNumber(app.state.time, 5)} s`, 18, 30);
  redraw();
  return new Promise((resolve) => { out.toBlob(resolve, 'image/png'); });
}

async function savePicture() {
  const url = URL.createObjectURL(await makePicture());
  const name = (app.model.header.folder ?? app.model.header.title).replace(/[^\w.-]+/g, '-');
  Object.assign(document.createElement('a'), { href: url, download: `${name}-${app.state.time.toPrecision(6)}.png` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

async function share() {
  writeAddress({ ...app.settings, camera: app.camera.toText(), t: app.state.time });
  try {
    await navigator.clipboard.writeText(location.href);
    say('The address of this view is copied.');
  } catch {
    say('The address bar holds this view.');
  }
}

// Says something for a while, or until something else is said.
let saying = 0;
function say(text, lasts = 2500) {
  byId('say').textContent = text;
  byId('say').hidden = false;
  clearTimeout(saying);
  saying = setTimeout(() => { byId('say').hidden = true; }, lasts);
}

function toggle(id, key) {
  app.settings[key] = !app.settings[key];
  byId(id).hidden = !app.settings[key];
  byId(`show-${id}`).setAttribute('aria-pressed', app.settings[key]);
  app.plots.draw();
  redraw();
  remember();
}

// The box of what moves and can be seen, without bodies that have no end; `place(k, j)` is coordinate j of body k.
function boundsOf(place, isHidden) {
  const { 'body.reach': reach, 'body.fixed': fixed } = app.model.arrays;
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let k = 0; k < app.stage.bodies; k++) {
    if (!(reach[k] > 0) || fixed[k] || isHidden(k)) continue;
    for (let j = 0; j < 3; j++) {
      const x = place(k, j);
      if (!Number.isFinite(x)) break;
      if (x - reach[k] < low[j]) low[j] = x - reach[k];
      if (x + reach[k] > high[j]) high[j] = x + reach[k];
    }
  }
  return low.every((v, j) => v <= high[j]) ? [low, high] : app.bounds;
}

const currentBounds = () => boundsOf((k, j) => app.stage.poseData[8 * k + j], hiddenBodies());

// The room that the run takes: where bodies are at its start, at its end and at some times between.
async function runBounds(count) {
  const { 'body.start': start } = app.model.arrays;
  let [low, high] = app.bounds;
  for (const index of spread(count, app.stage.bodies > LARGE_RUN ? 1 : 7)) {
    const motions = await app.motions.get(index).catch(() => null);
    if (!motions) continue;
    const { displacement: u } = motions.arrays;
    const box = boundsOf((k, j) => start[3 * k + j] + u[3 * k + j], () => false);
    low = low.map((v, j) => Math.min(v, box[0][j]));
    high = high.map((v, j) => Math.max(v, box[1][j]));
  }
  return [low, high];
}

// Bodies above which only the last state is looked at before the first picture.
const LARGE_RUN = 50000;

// What lies over the picture: legend, title and tools, the bar of time [pixels].
const RIMS = { left: 150, right: 24, top: 62, bottom: 76 };

function fitCamera(box) {
  const { clientWidth, clientHeight } = byId('view');
  app.camera.fit(box, clientWidth, Math.max(1, clientHeight), RIMS);
}

function fit(box) {
  fitCamera(box);
  app.touchedCamera = true;
  redraw();
  remember();
}

function turnTo(azimuth, elevation) {
  if (app.camera.flat) return;
  Object.assign(app.camera, { azimuth, elevation });
  app.touchedCamera = true;
  redraw();
  remember();
}

// ── Keys and buttons ──

const KEYS = {
  ' ': () => app.timeBar.toggle(), ArrowRight: () => app.timeBar.step(1), ArrowLeft: () => app.timeBar.step(-1),
  PageDown: () => app.timeBar.step(10), PageUp: () => app.timeBar.step(-10), Home: () => app.timeBar.go(0), End: () => app.timeBar.go(app.timeBar.times.length - 1),
  f: () => fit(currentBounds()), F: () => fit(app.bounds), x: () => turnTo(-Math.PI / 2, 0), y: () => turnTo(Math.PI, 0), z: () => turnTo(0, 1.55), i: () => turnTo(-0.6, 0.32),
  p: () => { app.camera.perspective = !app.camera.perspective; app.settings.perspective = app.camera.perspective; redraw(); remember(); },
  c: () => flipSetting('chains'), k: () => flipSetting('contacts'), n: () => flipSetting('normals'), e: () => flipSetting('edges'),
  h: () => { if (app.picked >= 0) { app.settings.hideBodies = [...app.settings.hideBodies, app.picked]; pick(-1); changed('hide'); app.panel.refresh(); } },
  t: () => nextTheme(), s: () => savePicture(), '[': () => toggle('plots', 'plots'), ']': () => toggle('panel', 'panel'),
  '?': () => { byId('help').hidden = !byId('help').hidden; }, Escape: () => { byId('help').hidden = true; pick(-1); },
};

function flipSetting(key) {
  app.settings[key] = !app.settings[key];
  changed(key);
  app.panel.refresh();
}

function nextTheme() {
  app.settings.theme = isDark() ? 'light' : 'dark';
  applyTheme();
  if (app.state) update('colour');
  app.plots.draw();
}

function bindControls() {
  const on = (id, action) => byId(id).addEventListener('click', action);
  on('fit', () => fit(currentBounds()));
  on('theme', nextTheme);
  on('png', savePicture);
  on('share', share);
  on('show-help', KEYS['?']);
  on('close-help', KEYS['?']);
  on('show-panel', () => toggle('panel', 'panel'));
  on('show-plots', () => toggle('plots', 'plots'));
  on('close-problems', () => { byId('problems').hidden = true; });
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== 'checkbox') return;
    if (e.target.tagName === 'BUTTON' && e.key === ' ') return;
    const action = KEYS[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
  new ResizeObserver(redraw).observe(byId('view'));
}

// ── A run that goes on ──

const STATUS_WORDS = { running: 'running', finished: 'finished', stopped: 'stopped before its end', scene: 'start of the scene, not run yet', export: '' };

async function poll() {
  let pause = 1000;
  try {
    const timeline = await fetchTimeline();
    byId('missing').hidden = true;
    const isNew = timeline.times.length !== app.timeBar.times.length || timeline.times.at(-1) !== app.timeBar.times.at(-1);
    if (timeline.times.length < app.timeBar.times.length) { app.motions.clear(); app.touches.clear(); }
    byId('status').textContent = STATUS_WORDS[timeline.status] ?? '';
    byId('status').dataset.status = timeline.status;
    if (timeline.problems.join() !== app.problems) {
      app.problems = timeline.problems.join();
      showProblems(timeline.problems);
    }
    if (isNew) {
      app.timeBar.setTimes(timeline.times);
      app.plots.setHistory(await fetchBundle('history'));
    }
    pause = timeline.status === 'running' ? 1000 : 4000;
  } catch {
    byId('status').textContent = 'the server has ended';
    byId('status').dataset.status = 'gone';
    pause = 4000;
  }
  setTimeout(poll, pause);
}

// ── Beginning ──

// A frame, as in a notebook, may be loaded before it is laid out: what fits into it is decided when it has a size.
function laidOut() {
  return new Promise((resolve) => {
    const watch = new ResizeObserver(() => {
      if (innerWidth === 0 || innerHeight === 0) return;
      watch.disconnect();
      resolve();
    });
    watch.observe(document.documentElement);
  });
}

async function begin() {
  const { settings } = app;
  applyTheme();
  let timeline;
  try {
    [app.model, timeline] = await Promise.all([fetchBundle('model'), fetchTimeline()]);
  } catch (error) {
    fail('The run cannot be read', error.message);
    return;
  }
  const { header } = app.model;
  const flat = header.dimension === 2;
  document.title = `${header.title} – Cairn`;
  byId('title').textContent = header.title;
  byId('status').textContent = STATUS_WORDS[timeline.status] ?? '';
  byId('status').dataset.status = timeline.status;
  app.bounds = header.bounds.map((corner) => sub3(corner, header.origin));
  const gravity = header.gravity;
  const up = flat ? [0, 1, 0] : norm3(gravity) > 0 && Math.abs(gravity[1]) > Math.abs(gravity[2]) ? [0, 1, 0] : [0, 0, 1];
  app.camera = new Camera(flat, up);
  app.camera.size = Math.max(1e-9, norm3(scale3(sub3(app.bounds[1], app.bounds[0]), 0.5)));
  app.camera.perspective = settings.perspective;
  try {
    app.stage = new Stage(byId('view'), app.model, app.camera);
  } catch (error) {
    fail('The picture cannot be drawn', error.message === 'WebGL2'
      ? 'This browser offers no WebGL2, which the picture needs. Turn on hardware acceleration in its settings, or use a recent Firefox, Chrome, Edge or Safari. `cairn picture` draws without a browser.'
      : `The graphics driver refused a program: ${error.message}`);
    return;
  }
  byId('view').addEventListener('webglcontextlost', (e) => {
    e.preventDefault();
    fail('The picture was lost', 'The graphics processor was reset, perhaps for lack of memory. Load the page again.');
  });
  app.fields = listFields(app.model);
  DEFAULTS.marks = flat;
  settings.marks ??= flat;
  if (settings.field === DEFAULTS.field && !location.hash) {
    const nodal = app.fields.find((f) => f.nodal);
    if (nodal) settings.field = nodal.id;
    else if (app.fields.find((f) => f.id === 'group').kinds.length < 2) settings.field = 'none';
  }
  app.panel = new Panel(byId('panel'), app.model, app.fields, settings, changed, ranges);
  app.plots = new Plots(byId('plots'), settings, (t) => { app.timeBar.stop(); app.timeBar.go(nearestIndex(app.timeBar.times, t)); }, remember);
  app.timeBar = new TimeBar({
    slider: byId('slider'), play: byId('play'), back: byId('back'), next: byId('next'), speed: byId('speed'), label: byId('time'), number: byId('number'),
  }, settings, show, remember);
  await laidOut();
  if (matchMedia('(max-width: 1100px)').matches && !location.hash) settings.plots = false;
  if (matchMedia('(max-width: 760px)').matches && !location.hash) settings.panel = false;
  for (const [id, key] of [['panel', 'panel'], ['plots', 'plots']]) {
    byId(id).hidden = !settings[key];
    byId(`show-${id}`).setAttribute('aria-pressed', settings[key]);
  }
  app.bounds = await runBounds(timeline.times.length);
  if (app.camera.fromText(settings.camera)) app.touchedCamera = true; else fitCamera(app.bounds);
  bindControls();
  listen(byId('view'), app, {
    redraw, remember, fit: () => fit(currentBounds()),
    pickAt: (x, y) => { app.stage.draw(look(), false); pick(app.stage.bodyAt(x, y)); },
  });
  if (Number.isInteger(settings.picked) && settings.picked >= 0 && settings.picked < app.stage.bodies) {
    app.picked = settings.picked;
    app.stage.picked = settings.picked + 1;
  }
  const history = await fetchBundle('history').catch(() => null);
  if (history) app.plots.setHistory(history);
  if (!(history?.header.columns.length > 2) && timeline.status !== 'running') byId('plots').hidden = true;
  app.problems = timeline.problems.join();
  showProblems([...timeline.problems, ...(history?.header.problems ?? [])]);
  const first = settings.t === null ? timeline.times.length - 1 : nearestIndex(timeline.times, settings.t);
  app.timeBar.times = timeline.times;
  app.timeBar.index = first;
  app.timeBar.setTimes(timeline.times);
  app.timeBar.go(first);
  if (!isExport()) setTimeout(poll, 1000);
}

begin();
