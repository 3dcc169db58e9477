// The stage: all that is drawn of a run. It is told the state, the colours and the sticks and dots; it knows how to
// draw them and which body is at a point of the window.

import { mapTable } from './colormap.js';
import { Program, Table, Target, Vertices, plainSampling } from './graphics.js';
import {
  BALL_FRAGMENT, BALL_VERTEX, DOT_FRAGMENT, DOT_VERTEX, LAST_FRAGMENT, LAST_VERTEX, MESH_FRAGMENT,
  MESH_VERTEX, POINT_FRAGMENT, POINT_VERTEX, SKIN_VERTEX, STICK_FRAGMENT, STICK_VERTEX,
} from './shaders.js';

// Spheres smaller than this are drawn as points [pixels across]; where there are many, points look good enough longer,
// and while the view moves only as many are drawn as the machine can.
const SMALL = 5;
const SMALL_OF_MANY = 12;
const MANY = 150000;

export class Stage {
  constructor(canvas, model, camera) {
    const gl = canvas.getContext('webgl2', { antialias: false, alpha: false, depth: false, powerPreference: 'high-performance' });
    if (!gl) throw new Error('WebGL2');
    Object.assign(this, { canvas, gl, model, camera, flat: model.header.dimension === 2, samples: 2, picked: 0, dirty: true, map: null });
    this.bodies = model.arrays['body.group'].length;
    this.programs = {
      mesh: new Program(gl, MESH_VERTEX, MESH_FRAGMENT),
      skin: new Program(gl, SKIN_VERTEX, MESH_FRAGMENT),
      ball: new Program(gl, BALL_VERTEX, BALL_FRAGMENT),
      point: new Program(gl, POINT_VERTEX, POINT_FRAGMENT),
      stick: new Program(gl, STICK_VERTEX, STICK_FRAGMENT),
      dot: new Program(gl, DOT_VERTEX, DOT_FRAGMENT),
      last: new Program(gl, LAST_VERTEX, LAST_FRAGMENT),
    };
    this.poses = new Table(gl, true);
    this.colours = new Table(gl, false);
    this.poseData = this.poses.room(2 * this.bodies);
    this.mapTexture = gl.createTexture();
    this.scene = new Target(gl, true);
    this.over = new Target(gl, false);
    this.makeShapes();
  }

  makeShapes() {
    const { gl } = this;
    const a = this.model.arrays;
    const square = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);
    const solid = (extra, triangles, edges) => ({
      faces: triangles.length ? new Vertices(gl, extra(), triangles) : null,
      edges: edges.length ? new Vertices(gl, extra(), edges) : null,
      triangles: triangles.length,
      lines: edges.length,
    });
    this.mesh = solid(() => [
      { at: 0, data: a['mesh.points'], width: 3 }, { at: 1, data: a['mesh.body'], width: 1 }, { at: 2, data: a['mesh.kind'], width: 1 },
    ], a['mesh.triangles'], a['mesh.edges']);
    const nodes = a['node.body'].length;
    this.nodes = nodes;
    this.skin = solid(() => [
      { at: 0, data: a['node.start'], width: 3 }, { at: 1, data: a['node.body'], width: 1 },
      { at: 2, data: new Float32Array(3 * nodes), width: 3 }, { at: 3, data: new Float32Array(nodes).fill(-2), width: 1 },
    ], a['node.triangles'], a['node.edges']);
    this.ballCount = a['ball.body'].length;
    if (this.ballCount > MANY) this.samples = 1;
    const [local, radius, body] = this.ballCount > MANY ? shuffled(a['ball.local'], a['ball.radius'], a['ball.body']) : [a['ball.local'], a['ball.radius'], a['ball.body']];
    this.balls = new Vertices(gl, [
      { at: 0, data: square, width: 2 }, { at: 1, data: local, width: 3, perInstance: true },
      { at: 2, data: radius, width: 1, perInstance: true }, { at: 3, data: body, width: 1, perInstance: true },
    ]);
    this.points = new Vertices(gl, [{ at: 1, data: local, width: 3 }, { at: 2, data: radius, width: 1 }, { at: 3, data: body, width: 1 }]);
    const radii = a['ball.radius'];
    this.ballRadius = this.ballCount ? radii.slice(0, 1000).sort()[Math.min(this.ballCount, 1000) >> 1] : 0;
    const corners = [];
    for (let k = 0; k <= 10; k++) for (const z of [0, 1]) corners.push(Math.cos((k * Math.PI) / 5), Math.sin((k * Math.PI) / 5), z);
    const one = { perInstance: true };
    this.sticks = new Vertices(gl, [
      { at: 0, data: new Float32Array(corners), width: 3 }, { at: 1, data: new Float32Array(3), width: 3, ...one },
      { at: 2, data: new Float32Array(3), width: 3, ...one }, { at: 3, data: new Float32Array(1), width: 1, ...one },
      { at: 4, data: new Uint8Array(4), width: 4, normalised: true, ...one },
    ]);
    this.dots = new Vertices(gl, [
      { at: 0, data: square, width: 2 }, { at: 1, data: new Float32Array(3), width: 3, ...one },
      { at: 2, data: new Uint8Array(4), width: 4, normalised: true, ...one },
    ]);
    Object.assign(this, { stickCount: 0, dotCount: 0, dotRadius: 0 });
  }

  // Where bodies are in a state, with displacements and angles magnified.
  setState(state, magnify) {
    const { 'body.start': start, 'body.turn': turn } = this.model.arrays;
    const { displacement: u, rotation: r } = state;
    const out = this.poseData;
    for (let k = 0; k < this.bodies; k++) {
      for (let j = 0; j < 3; j++) out[8 * k + j] = start[3 * k + j] + magnify * u[3 * k + j];
      let [ax, ay, az, aw] = [r[4 * k], r[4 * k + 1], r[4 * k + 2], r[4 * k + 3]];
      if (magnify !== 1) [ax, ay, az, aw] = magnified([ax, ay, az, aw], magnify);
      // The product of quaternions, written out: there may be a million of them.
      const [bx, by, bz, bw] = [turn[4 * k], turn[4 * k + 1], turn[4 * k + 2], turn[4 * k + 3]];
      out[8 * k + 4] = aw * bx + ax * bw + ay * bz - az * by;
      out[8 * k + 5] = aw * by - ax * bz + ay * bw + az * bx;
      out[8 * k + 6] = aw * bz + ax * by - ay * bx + az * bw;
      out[8 * k + 7] = aw * bw - ax * bx - ay * by - az * bz;
    }
    this.poses.set(out);
    if (this.nodes && state.nodeMove) for (const part of [this.skin.faces, this.skin.edges]) part?.set(2, state.nodeMove);
    this.magnify = magnify;
    this.dirty = true;
  }

  // Where body k is drawn.
  centre(k) {
    return [this.poseData[8 * k], this.poseData[8 * k + 1], this.poseData[8 * k + 2]];
  }

  // Colours of bodies, four bytes each, alpha 0 for hidden ones; `nodal`: place on the colour map for each node, −1 for
  // no value, or null.
  setColours(data, nodal, map) {
    const { gl } = this;
    this.colours.set(data);
    if (this.nodes) {
      const values = nodal ?? new Float32Array(this.nodes).fill(-2);
      for (const part of [this.skin.faces, this.skin.edges]) part?.set(3, values);
    }
    if (map !== this.map) {
      gl.bindTexture(gl.TEXTURE_2D, this.mapTexture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, mapTable(map));
      plainSampling(gl);
      this.map = map;
    }
    this.dirty = true;
  }

  setOverlay({ from, to, radius, colour, dots, dotColour, dotRadius }) {
    this.sticks.set(1, from);
    this.sticks.set(2, to);
    this.sticks.set(3, radius);
    this.sticks.set(4, colour);
    this.dots.set(1, dots);
    this.dots.set(2, dotColour);
    Object.assign(this, { stickCount: radius.length, dotCount: dots.length / 3, dotRadius, dirty: true });
  }

  // Draws; `look` has theme colours and switches, `isMoving` asks for speed rather than beauty.
  draw(look, isMoving, scale = 1) {
    const { gl, canvas, camera } = this;
    const ratio = (window.devicePixelRatio || 1) * scale * (isMoving ? this.movingScale ?? 1 : 1);
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    camera.aspect = width / height;
    const samples = isMoving ? 1 : this.samples;
    this.scene.resize(width * samples, height * samples);
    this.over.resize(width * samples, height * samples);
    const m = camera.matrices();
    const back = camera.axes()[2];
    const perspective = camera.perspective && !camera.flat;
    const common = {
      uView: m.view, uProjection: m.projection, uPerspective: perspective ? 1 : 0, uFlat: this.flat ? 1 : 0,
      uClip: look.clip, uLight: look.light, uEye: perspective ? m.eye : back, uPoses: this.poses.texture, uColours: this.colours.texture,
      uMap: this.mapTexture, uMagnify: this.magnify ?? 1, uMarks: look.marks ? 1 : 0, uPixels: height * samples,
      uPixel: (perspective ? camera.height / camera.distance() : camera.height) / height, uPull: 0, uEdge: 0, uPaper: look.paper,
    };
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    const across = (2 * this.ballRadius * height) / camera.height;
    this.scene.begin();
    if (look.bodies !== 'hidden') this.drawBodies(common, look, across, isMoving);
    this.over.begin();
    this.drawOverlay(common);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.disable(gl.DEPTH_TEST);
    gl.bindVertexArray(null);
    const outline = this.ballCount && !this.mesh.triangles ? Math.min(1, Math.max(0, (across - 3) / 10)) : 1;
    this.programs.last.use({
      ...common, uColour: this.scene.colour, uDepth: this.scene.depth, uId: this.scene.id, uOverColour: this.over.colour, uOverDepth: this.over.depth,
      uSamples: samples, uNear: m.near, uFar: m.far, uOutline: look.outline * outline, uRelief: this.flat ? 0 : perspective ? 1.1 : 3,
      uSee: look.see, uFaint: look.bodies === 'faint' ? 0.82 : look.dim, uPicked: this.picked, uPaper: look.paper, uInk: look.ink, uAccent: look.accent,
    });
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    this.dirty = false;
  }

  drawBodies(common, look, across, isMoving) {
    const { gl, programs } = this;
    const edges = look.edges && !(isMoving && this.mesh.lines > 2e6);
    for (const [program, part] of [[programs.mesh, this.mesh], [programs.skin, this.skin]]) {
      if (part.faces) {
        program.use(common);
        part.faces.bind();
        gl.drawElements(gl.TRIANGLES, part.triangles, gl.UNSIGNED_INT, 0);
      }
      if (part.edges && (edges || part === this.mesh)) {
        program.use({ ...common, uPull: this.flat ? 0 : 5e-5, uEdge: edges ? look.edgeDarkness : 0.2 });
        part.edges.bind();
        gl.drawElements(gl.LINES, part.lines, gl.UNSIGNED_INT, 0);
      }
    }
    if (!this.ballCount) return;
    const isMany = this.ballCount > MANY;
    if (across < (isMany ? (isMoving ? 40 : SMALL_OF_MANY) : SMALL)) {
      programs.point.use(common);
      this.points.bind();
      gl.drawArrays(gl.POINTS, 0, isMany && isMoving ? Math.ceil(this.ballCount * (this.movingShare ?? 1)) : this.ballCount);
    } else {
      programs.ball.use(common);
      this.balls.bind();
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.ballCount);
    }
  }

  drawOverlay(common) {
    const { gl, programs } = this;
    if (this.stickCount) {
      programs.stick.use(common);
      this.sticks.bind();
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 22, this.stickCount);
    }
    if (this.dotCount) {
      gl.clearBufferfv(gl.DEPTH, 0, [1]);
      programs.dot.use({ ...common, uRadius: this.dotRadius });
      this.dots.bind();
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.dotCount);
    }
  }

  // The body at a point of the window [CSS pixels], or −1. Uses what was drawn last.
  bodyAt(x, y) {
    const { gl, canvas, scene } = this;
    const px = Math.floor((x / canvas.clientWidth) * scene.width);
    const py = Math.floor((1 - y / canvas.clientHeight) * scene.height);
    const pixel = new Uint32Array(4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, scene.frame);
    gl.readBuffer(gl.COLOR_ATTACHMENT1);
    gl.readPixels(px, py, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return pixel[0] - 1;
  }

  // Waits for the graphics processor: how long a picture takes is known only then.
  finish() {
    this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, null);
    this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
}

// The balls in an order without pattern, the same each time, so that the first few of them stand for all.
function shuffled(local, radius, body) {
  const count = body.length;
  const order = Uint32Array.from({ length: count }, (_, k) => k);
  let seed = 1;
  for (let k = count - 1; k > 0; k--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((seed / 4294967296) * (k + 1));
    [order[k], order[j]] = [order[j], order[k]];
  }
  const [l, r, b] = [new Float32Array(3 * count), new Float32Array(count), new Uint32Array(count)];
  for (let k = 0; k < count; k++) {
    const o = order[k];
    l[3 * k] = local[3 * o];
    l[3 * k + 1] = local[3 * o + 1];
    l[3 * k + 2] = local[3 * o + 2];
    r[k] = radius[o];
    b[k] = body[o];
  }
  return [l, r, b];
}

// A rotation by m times the angle.
function magnified([x, y, z, w], m) {
  const s = Math.hypot(x, y, z);
  if (s === 0) return [0, 0, 0, 1];
  const half = m * Math.atan2(s, w);
  const f = Math.sin(half) / s;
  return [x * f, y * f, z * f, Math.cos(half)];
}
