// The page in a real browser: what a user sees and does. Started by ./run.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import assert from 'node:assert/strict';

const { CHROMIUM, WORK, CAIRN, SYNTHETIC } = process.env;
const EXAMPLES = path.join(import.meta.dirname, '../../../../examples');
const { chromium } = createRequire(path.join(WORK, 'package.json'))('playwright-core');
const scratch = fs.mkdtempSync(path.join(WORK, 'scratch-'));
const servers = [];
const SCENES = {
  flat: `title = "Stack"
dimension = 2
gravity = { acceleration = [0, -9.81] }
time = { step = 1e-3, end = 0.4 }
output = { interval = 0.02 }
materials.stone = { density = 2500 }
[[contact]]
between = ["stone", "stone"]
friction = 0.6
[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
[[bodies]]
name = "stack"
material = "stone"
shape = { kind = "rectangle", size = [0.4, 0.2] }
position = [0, 0.1]
copies = { count = 4, step = [0, 0.2] }
[[bodies]]
name = "ball"
material = "stone"
shape = { kind = "disk", radius = 0.15 }
position = [-1, 0.5]
velocity = [4, 0]
`,
  solid: `title = "Balls on a block"
dimension = 3
gravity = { acceleration = [0, 0, -9.81] }
time = { step = 1e-3, end = 0.3 }
output = { interval = 0.02 }
materials.stone = { density = 2500 }
[[contact]]
between = ["stone", "stone"]
friction = 0.6
[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_space", normal = [0, 0, 1] }
[[bodies]]
name = "block"
material = "stone"
shape = { kind = "box", size = [1, 1, 0.4] }
position = [0, 0, 0.2]
[[bodies]]
name = "balls"
material = "stone"
shape = { kind = "sphere", radius = 0.15 }
position = [-0.3, 0, 0.7]
copies = { count = 3, step = [0.32, 0.05, 0.1] }
`,
};
// The stack glued together: the ball breaks some of its joints.
SCENES.bonded = SCENES.flat.replace('friction = 0.6', 'friction = 0.6\njoint = { law = "brittle", tensile_strength = 4e5, shear_strength = 4e5 }');

// A ball that leaves the place where it starts, along the ground.
SCENES.thrown = SCENES.flat.replace('velocity = [4, 0]', 'velocity = [-25, 0]');

function run(name) {
  const scene = path.join(scratch, `${name}.toml`);
  fs.writeFileSync(scene, SCENES[name]);
  const folder = path.join(scratch, `${name}.results`);
  if (fs.existsSync(folder)) return folder;
  execFileSync(CAIRN, ['run', scene, '--quiet', '-o', folder]);
  return folder;
}

function serve(what) {
  const server = spawn(CAIRN, ['view', what, '--no-open'], { cwd: scratch });
  servers.push(server);
  let said = '';
  return new Promise((resolve, reject) => {
    server.stdout.on('data', (data) => {
      said += data;
      const found = /http:\S+/.exec(said);
      if (found) resolve(found[0]);
    });
    server.on('exit', (code) => reject(new Error(`cairn view ended with ${code}: ${said}`)));
  });
}

const profile = path.join(scratch, 'profile');
const context = await chromium.launchPersistentContext(profile, {
  executablePath: CHROMIUM, headless: true, viewport: { width: 1000, height: 640 }, acceptDownloads: true,
  args: ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
context.setDefaultTimeout(60000);

// Opens a page and fails on anything that it complains about; `frame`: the number of the frame in it that shows the run.
async function open(url, frame = 0) {
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (m) => { if (m.type() === 'error') page.complaints.push(m.text()); });
  page.on('pageerror', (e) => page.complaints.push(e.message));
  await page.goto(url);
  await settled(page.frames()[frame]);
  return page;
}

async function settled(page) {
  await page.waitForFunction(() => document.documentElement.dataset.shown !== undefined);
  await page.waitForTimeout(500);
}

const shown = (page) => page.evaluate(() => Number(document.documentElement.dataset.shown));

// The picture, small: red, green, blue, alpha.
async function picture(page) {
  // A canvas forgets what it has drawn once it is shown, a screenshot does not.
  const png = await page.locator('#view').screenshot();
  return page.evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(250, 160);
    const c = canvas.getContext('2d');
    c.drawImage(image, 0, 0, 250, 160);
    return [...c.getImageData(0, 0, 250, 160).data];
  }, [...png]);
}

function difference(a, b) {
  let count = 0;
  for (let k = 0; k < a.length; k += 4) if (Math.abs(a[k] - b[k]) + Math.abs(a[k + 1] - b[k + 1]) + Math.abs(a[k + 2] - b[k + 2]) > 24) count++;
  return count;
}

// Waits until something holds: a busy machine draws late, and only what never comes is a failure.
async function eventually(holds, complaint) {
  const latest = Date.now() + 30000;
  for (;;) {
    const value = await holds();
    if (value) return value;
    assert.ok(Date.now() < latest, typeof complaint === 'function' ? await complaint() : complaint);
    await new Promise((resolve) => { setTimeout(resolve, 150); });
  }
}

// The picture once more than `least` pixels differ from `before`.
async function differs(page, before, least, complaint) {
  return eventually(async () => {
    const now = await picture(page);
    return difference(now, before) > least && now;
  }, complaint);
}

// Waits for the parts of the card of the picked body, which comes after the state's contacts.
async function hasDetails(page, ...parts) {
  const details = () => page.locator('#details').textContent();
  await eventually(async () => { const now = await details(); return parts.every((part) => now.includes(part)); },
    async () => `${parts.join(', ')} are not all in: ${await details()}`);
}

const colours = (a) => {
  const seen = new Set();
  for (let k = 0; k < a.length; k += 4) seen.add(`${a[k] >> 4},${a[k + 1] >> 4},${a[k + 2] >> 4}`);
  return seen.size;
};

// The picture once it has more than `least` colours.
async function drawn(page, least) {
  return eventually(async () => {
    const now = await picture(page);
    return colours(now) > least && now;
  }, async () => `only ${colours(await picture(page))} colours: is anything drawn?`);
}

// Pixels that have nearly this colour.
function near(a, [r, g, b]) {
  let count = 0;
  for (let k = 0; k < a.length; k += 4) if (Math.abs(a[k] - r) + Math.abs(a[k + 1] - g) + Math.abs(a[k + 2] - b) < 60) count++;
  return count;
}

async function setSlider(page, value) {
  await page.locator('#slider').evaluate((e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }, value);
  await page.waitForFunction((v) => document.documentElement.dataset.shown === String(v), value);
  await page.waitForTimeout(500);
}

async function choose(page, key, value) {
  await page.locator(`#set-${key}`).selectOption(value);
  await page.waitForTimeout(600);
}

const shot = (page, name) => page.screenshot({ path: path.join(WORK, `${name}.png`) });

const tests = {
  async 'a 2D run is drawn; slider, field and picking work'() {
    const page = await open(await serve(run('flat')));
    const last = await drawn(page, 5);
    assert.equal(await page.locator('#title').textContent(), 'Stack');
    await setSlider(page, 0);
    await differs(page, last, 100, 'the slider did not change the picture');
    await choose(page, 'field', 'displacement');
    await setSlider(page, 20);
    const coloured = await differs(page, last, 100, 'another field did not change the colours');
    const name = await pickSomething(page);
    assert.match(name, /^(stack#\d|ball|ground)$/);
    await hasDetails(page, name, 'contact force');
    await page.keyboard.press('c');
    await page.waitForTimeout(600);
    await differs(page, coloured, 30, 'force chains did not appear');
    await shot(page, 'flat');
    assert.deepEqual(page.complaints, []);
    // The address holds the view.
    await eventually(() => page.url().includes('chains=true') && page.url().includes('displacement'), () => page.url());
    await page.reload();
    await settled(page);
    assert.ok(await page.locator('#set-chains').isChecked());
  },

  async 'a 3D run is drawn, turned and saved as PNG'() {
    const page = await open(await serve(run('solid')));
    const before = await drawn(page, 8);
    const box = await page.locator('#view').boundingBox();
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 420, box.y + 340, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(700);
    await differs(page, before, 100, 'dragging did not turn the view');
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#png').click()]);
    const file = path.join(WORK, 'saved.png');
    await download.saveAs(file);
    const png = fs.readFileSync(file);
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.length > 10000, `${png.length} bytes`);
    await page.keyboard.press('?');
    assert.ok(await page.locator('#help').isVisible());
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.waitForTimeout(500);
    await shot(page, 'solid');
    assert.deepEqual(page.complaints, []);
  },

  async 'a run that goes on shows its new states'() {
    const folder = path.join(scratch, 'live.results');
    fs.cpSync(run('solid'), folder, { recursive: true });
    const states = path.join(folder, 'states.cairn');
    const bytes = fs.readFileSync(states);
    const starts = [];
    for (let at = bytes.indexOf('CAIRN\r\n\x1a'); at >= 0; at = bytes.indexOf('CAIRN\r\n\x1a', at + 1)) starts.push(at);
    const manifest = path.join(folder, 'run.json');
    fs.writeFileSync(manifest, fs.readFileSync(manifest, 'utf8').replace('"finished"', '"running"'));
    // The fourth state is half written.
    fs.writeFileSync(states, bytes.subarray(0, starts[3] + 100));
    const page = await open(await serve(folder));
    assert.equal(await shown(page), 2);
    assert.ok(await page.locator('#problems').isHidden(), 'a state that is being written is no damage');
    fs.writeFileSync(states, bytes);
    await page.waitForFunction((n) => document.documentElement.dataset.shown === String(n), starts.length - 1);
    assert.deepEqual(page.complaints, []);
  },

  async 'a run is watched while the program computes it'() {
    const scene = path.join(scratch, 'going.toml');
    // Long enough that the page is open well before the end.
    fs.writeFileSync(scene, SCENES.flat.replace('step = 1e-3, end = 0.4', 'step = 2e-6, end = 1').replace('interval = 0.02', 'interval = 0.002'));
    const folder = path.join(scratch, 'going.results');
    const going = spawn(CAIRN, ['run', scene, '--quiet', '-o', folder]);
    const ended = new Promise((resolve) => { going.on('exit', resolve); });
    try {
      for (let k = 0; k < 400 && !fs.existsSync(path.join(folder, 'states.cairn')); k++) await new Promise((r) => { setTimeout(r, 50); });
      const page = await open(await serve(folder));
      assert.equal(await page.locator('#status').textContent(), 'running');
      const before = await shown(page);
      const early = await picture(page);
      await page.waitForFunction((n) => Number(document.documentElement.dataset.shown) >= n + 20, before);
      assert.equal(await page.locator('#status').textContent(), 'running', 'the run was over before new states were seen');
      await differs(page, early, 50, 'the picture does not follow the run');
      assert.deepEqual(page.complaints, []);
    } finally {
      going.kill();
      await ended;
    }
  },

  async 'a damaged run says what is missing and shows the rest'() {
    const folder = path.join(scratch, 'damaged.results');
    fs.cpSync(run('flat'), folder, { recursive: true });
    const states = path.join(folder, 'states.cairn');
    const bytes = fs.readFileSync(states);
    fs.writeFileSync(states, bytes.subarray(0, bytes.length - 50));
    const manifest = path.join(folder, 'run.json');
    fs.writeFileSync(manifest, fs.readFileSync(manifest, 'utf8').replace('"format": 1', '"format": 99'));
    fs.appendFileSync(path.join(folder, 'history.csv'), '12,nonsense\n');
    const page = await open(await serve(folder));
    await drawn(page, 5);
    const told = await page.locator('#problems').textContent();
    for (const part of ['format 99', 'unfinished', 'history.csv, line']) assert.ok(told.includes(part), `${part} is not in: ${told}`);
    await shot(page, 'damaged');
    assert.deepEqual(page.complaints, []);
  },

  async 'an exported file opens without a server'() {
    const file = path.join(scratch, 'flat.html');
    const said = execFileSync(CAIRN, ['view', run('flat'), '--export', file, '--times', '5']).toString();
    assert.match(said, /5 states, \d+\.\d MB/);
    const page = await open(`file://${file}`);
    const last = await drawn(page, 5);
    await setSlider(page, 0);
    await differs(page, last, 100, 'the picture does not change');
    assert.deepEqual(page.complaints, []);
  },

  async 'an exported file is drawn in a frame without an address, as a notebook has it'() {
    const file = path.join(scratch, 'framed.html');
    execFileSync(CAIRN, ['view', run('flat'), '--export', file, '--times', '1']);
    const contents = fs.readFileSync(file, 'utf8').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const host = path.join(scratch, 'notebook.html');
    fs.writeFileSync(host, `<meta charset="utf-8"><iframe sandbox="allow-scripts" width="960" height="600" srcdoc="${contents}"></iframe>`);
    const page = await open(`file://${host}`, 1);
    await drawn(page.frames()[1], 5);
    assert.deepEqual(page.complaints, []);
  },

  async 'a deformable body bends and is coloured by its stress'() {
    const file = path.join(scratch, 'beam.html');
    execFileSync(SYNTHETIC, ['deformable', file]);
    const page = await open(`file://${file}`);
    const last = await drawn(page, 12);
    await shot(page, 'deformable');
    await setSlider(page, 5);
    const half = await differs(page, last, 100, 'the beam does not bend');
    await choose(page, 'field', 'none');
    await differs(page, half, 100, 'the field does not colour');
    assert.deepEqual(page.complaints, []);
  },

  async 'a deformable run is coloured by its stress'() {
    const folder = path.join(scratch, 'plate.results');
    execFileSync(CAIRN, ['run', path.join(EXAMPLES, 'impact-plate/scene.toml'), '--set', 'time.end=1e-3', '--quiet', '-o', folder]);
    const page = await open(await serve(folder));
    await setSlider(page, 8);
    await choose(page, 'field', 'node:von Mises stress');
    const stressed = await drawn(page, 30);
    await shot(page, 'plate');
    await choose(page, 'field', 'node:displacement');
    const moved = await differs(page, stressed, 1000, 'another field does not recolour');
    await page.locator('#set-log').check();
    await page.waitForTimeout(600);
    await differs(page, moved, 500, 'the logarithmic scale does not recolour');
    await page.locator('#set-log').uncheck();
    await page.locator('#set-mag').evaluate((e) => { e.value = 1; e.dispatchEvent(new Event('input')); });
    await page.waitForTimeout(600);
    await differs(page, moved, 300, 'motions are not magnified');
    await page.locator('#set-mag').evaluate((e) => { e.value = 0; e.dispatchEvent(new Event('input')); });
    await page.waitForTimeout(600);
    const box = await page.locator('#view').boundingBox();
    await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
    await page.waitForFunction(() => document.documentElement.dataset.picked === 'plate');
    await hasDetails(page, 'position', 'velocity', 'contact force', 'ground');
    // A click into a plot of the history goes to that time.
    await page.keyboard.press('[');
    const plot = page.locator('#plots figure', { hasText: 'strain energy' }).locator('canvas');
    const wide = (await plot.boundingBox()).width;
    await plot.click({ position: { x: 46 + 0.2 * (wide - 52), y: 20 } });
    await page.waitForFunction(() => document.documentElement.dataset.shown === '2');
    await shot(page, 'plate-history');
    assert.deepEqual(page.complaints, []);
  },

  async 'a fast run plays in seconds, and colours keep their range'() {
    const folder = path.join(scratch, 'plate.results');
    if (!fs.existsSync(folder)) execFileSync(CAIRN, ['run', path.join(EXAMPLES, 'impact-plate/scene.toml'), '--set', 'time.end=1e-3', '--quiet', '-o', folder]);
    const page = await open(await serve(folder));
    // Names that bodies and nodes share are under headings of their own.
    const names = await page.locator('#set-field').evaluate((e) => [...e.querySelectorAll('optgroup')].map((g) => [g.label, g.children.length]));
    assert.deepEqual(names, [['in deformable bodies', 8]]);
    const ends = async () => [await page.locator('#set-low').inputValue(), await page.locator('#set-high').inputValue()];
    assert.deepEqual(await ends(), ['', '']);
    await page.locator('#range-all').click();
    await page.waitForFunction(() => document.getElementById('set-high').value !== '');
    const ofAll = await ends();
    assert.ok(Number(ofAll[0]) < 0.1 * Number(ofAll[1]), ofAll.join());
    await setSlider(page, 1);
    assert.deepEqual(await ends(), ofAll, 'the range does not stay');
    await page.locator('#range-hold').click();
    assert.deepEqual(await ends(), ofAll, 'what is shown is held');
    await page.locator('#range-auto').click();
    await page.locator('#range-hold').click();
    assert.ok(Number((await ends())[1]) < Number(ofAll[1]), 'the first state has the largest stress of all');
    // One millisecond takes ten seconds: after two of them the run is neither at its start nor at its end.
    assert.equal(await page.locator('#speed option:checked').textContent(), 'auto: ×1·10⁻⁴');
    const last = Number(await page.locator('#slider').evaluate((e) => e.max));
    await setSlider(page, 0);
    await page.locator('#play').click();
    await page.waitForFunction(() => Number(document.documentElement.dataset.shown) >= 1);
    await page.waitForTimeout(1000);
    assert.ok(await shown(page) < last, 'the run is over at once');
    await page.locator('#play').click();
    assert.deepEqual(page.complaints, []);
  },

  async 'a picked body and what flies away stay in view'() {
    const page = await open(await serve(run('thrown')));
    await choose(page, 'field', 'group');
    // The ball is ten metres from where it was, and its colour is in the picture, not only in the legend.
    await page.locator('#marks').evaluate((e) => { e.style.visibility = 'hidden'; });
    const orange = async () => near(await picture(page), [230, 159, 0]);
    await eventually(async () => await orange() > 3, async () => `${await orange()} pixels of the ball`);
    await shot(page, 'thrown');
    const stack = await open(await serve(run('flat')));
    const picked = await pickSomething(stack);
    assert.ok(picked);
    await stack.waitForTimeout(500);
    await stack.reload();
    await settled(stack);
    // The address holds the picked body.
    await hasDetails(stack, picked);
    assert.deepEqual([...page.complaints, ...stack.complaints], []);
  },

  async 'contacts show status, normals and openings; bodies are hidden and cut'() {
    const page = await open(await serve(run('flat')));
    await page.locator('#panel details > summary', { hasText: 'Contacts' }).click();
    let last = await picture(page);
    const changes = async (what, least) => {
      await page.waitForTimeout(300);
      last = await differs(page, last, least, `${what}: hardly a pixel differs`);
    };
    await page.keyboard.press('k');
    await changes('contact points', 5);
    await page.locator('#set-normals').check();
    await changes('normals', 5);
    await shot(page, 'contacts');
    await page.locator('#set-normals').uncheck();
    await changes('no normals', 5);
    await page.locator('#set-colourContacts').selectOption('opening');
    await changes('colours of openings', 5);
    await page.locator('#set-openings').evaluate((e) => { e.value = 4; e.dispatchEvent(new Event('input')); });
    await changes('openings, magnified', 3);
    await shot(page, 'openings');
    await page.locator('#set-log').check();
    await page.locator('#set-field').selectOption('speed');
    await changes('speed on a logarithmic scale', 100);
    await page.locator('#panel details > summary', { hasText: 'Cut' }).click();
    await page.locator('#set-clip').selectOption('x');
    await changes('a cut', 100);
    await page.locator('#set-clip').selectOption('none');
    await changes('no cut', 100);
    const stack = await page.locator('.groups label', { hasText: 'stack' }).locator('input');
    await stack.uncheck();
    await changes('a hidden group', 100);
    assert.deepEqual(page.complaints, []);
  },

  async 'bonded and broken contacts are told apart'() {
    const page = await open(await serve(run('bonded')));
    await page.locator('#panel details > summary', { hasText: 'Contacts' }).click();
    assert.deepEqual(await page.locator('.chips label').allTextContents(), ['open', 'stick', 'slip', 'bonded', 'broken']);
    await page.keyboard.press('k');
    await page.waitForTimeout(600);
    await shot(page, 'bonds');
    // Without the legend, which has these colours too.
    await page.locator('#marks').evaluate((e) => { e.style.visibility = 'hidden'; });
    const byStatus = await eventually(async () => {
      const now = await picture(page);
      return [[126, 87, 194], [214, 39, 60]].every((colour) => near(now, colour) > 3) && now;
    }, 'bonded or broken contacts are not drawn in their colours');
    await page.locator('#set-colourContacts').selectOption('damage');
    await page.waitForTimeout(600);
    await differs(page, byStatus, 5, 'damage does not colour contacts');
    await choose(page, 'field', 'damage');
    await differs(page, byStatus, 100, 'damage does not colour bodies');
    assert.deepEqual(page.complaints, []);
  },

  async 'a million spheres are drawn without a graphics processor'() {
    const file = path.join(scratch, 'million.html');
    execFileSync(SYNTHETIC, ['spheres', '1000000', file]);
    const began = Date.now();
    const page = await open(`file://${file}`);
    const still = await drawn(page, 5);
    console.log(`        drawn after ${((Date.now() - began) / 1000).toFixed(1)} s`);
    const box = await page.locator('#view').boundingBox();
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.down();
    const turning = Date.now();
    for (let k = 1; k <= 12; k++) await page.mouse.move(box.x + 300 + 10 * k, box.y + 300 + 4 * k);
    await page.mouse.up();
    await page.waitForTimeout(500);
    console.log(`        twelve moves took ${((Date.now() - turning) / 1000).toFixed(1)} s`);
    await differs(page, still, 1000, 'the view does not turn');
    await shot(page, 'million');
    assert.deepEqual(page.complaints, []);
  },

  async 'without WebGL2 there are clear words'() {
    const page = await context.newPage();
    await page.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
    const file = path.join(scratch, 'words.html');
    execFileSync(CAIRN, ['view', run('flat'), '--export', file, '--times', '1']);
    await page.goto(`file://${file}`);
    await page.locator('#failure').waitFor({ state: 'visible' });
    assert.ok((await page.locator('#failure').textContent()).includes('WebGL2'));
  },
};

// Clicks on a grid of points until a body is hit; its name.
async function pickSomething(page) {
  const box = await page.locator('#view').boundingBox();
  for (const [x, y] of [[0.6, 0.5], [0.55, 0.6], [0.6, 0.7], [0.65, 0.55], [0.5, 0.65], [0.7, 0.6]]) {
    await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
    await page.waitForTimeout(800);
    const name = await page.evaluate(() => document.documentElement.dataset.picked);
    if (name) return name;
  }
  return '';
}

let failed = 0;
const only = process.argv[2];
for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
  for (const page of context.pages().slice(1)) await page.close();
  for (const server of servers.splice(0)) { server.removeAllListeners('exit'); server.kill(); }
}
await context.close();
fs.rmSync(scratch, { recursive: true, force: true });
console.log(failed ? `${failed} failed` : 'all passed');
process.exit(failed ? 1 : 0);
