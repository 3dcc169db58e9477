// The camera: turns about a target; in 2D it looks along −z and never turns.
// Angles: azimuth about the vertical, elevation above the horizon [rad]; `height` is what fits into the window at the
// target [m]. Perspective has a fixed opening, so that height and distance are one thing.

import { add3, cross3, dot3, multiplyMatrices, norm3, scale3, sub3, unit3 } from './vector.js';

const OPENING = (28 * Math.PI) / 180;

export class Camera {
  constructor(flat, up) {
    Object.assign(this, { flat, up, azimuth: -0.6, elevation: 0.32, height: 1, target: [0, 0, 0], perspective: true, aspect: 1, size: 1 });
    const side = Math.abs(up[1]) < 0.9 ? [0, 1, 0] : [0, 0, -1];
    this.forward0 = unit3(sub3(side, scale3(up, dot3(side, up))));
    this.right0 = cross3(this.forward0, up);
  }

  // Right, up and towards the viewer, as unit vectors of the world.
  axes() {
    if (this.flat) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const [c, s] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const forward = add3(scale3(this.forward0, c), scale3(this.right0, -s));
    const right = add3(scale3(this.right0, c), scale3(this.forward0, s));
    const back = add3(scale3(forward, -Math.cos(this.elevation)), scale3(this.up, Math.sin(this.elevation)));
    return [right, cross3(back, right), back];
  }

  distance() {
    return this.perspective && !this.flat ? this.height / 2 / Math.tan(OPENING / 2) : 4 * this.size + 2 * this.height;
  }

  eye() {
    return add3(this.target, scale3(this.axes()[2], this.distance()));
  }

  // View and projection; near and far hold everything within `size` of the origin.
  matrices() {
    const [right, up, back] = this.axes();
    const eye = this.eye();
    const view = new Float32Array([
      right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
      -dot3(right, eye), -dot3(up, eye), -dot3(back, eye), 1,
    ]);
    const away = norm3(eye);
    const far = away + 4 * this.size;
    // Not too near: depth has few digits to spare.
    const near = this.perspective && !this.flat ? Math.max(away - 4 * this.size, 0.05 * this.distance()) : far * 2e-4;
    const p = new Float32Array(16);
    if (this.perspective && !this.flat) {
      const f = 1 / Math.tan(OPENING / 2);
      p[0] = f / this.aspect; p[5] = f; p[10] = (far + near) / (near - far); p[11] = -1; p[14] = (2 * far * near) / (near - far);
    } else {
      p[0] = 2 / (this.height * this.aspect); p[5] = 2 / this.height; p[10] = -2 / (far - near); p[14] = -(far + near) / (far - near); p[15] = 1;
    }
    return { view, projection: p, both: multiplyMatrices(p, view), eye, near, far };
  }

  orbit(dx, dy) {
    this.azimuth += dx * 0.008;
    this.elevation = Math.min(Math.max(this.elevation + dy * 0.008, -1.55), 1.55);
  }

  pan(dx, dy, pixels) {
    const [right, up] = this.axes();
    const scale = this.height / pixels;
    this.target = add3(this.target, add3(scale3(right, -dx * scale), scale3(up, dy * scale)));
  }

  // Zooms about a point of the window (−1…1).
  zoom(factor, x, y) {
    const height = Math.min(Math.max(this.height * factor, this.size * 1e-6), this.size * 100);
    const [right, up] = this.axes();
    const moved = (this.height - height) / 2;
    this.target = add3(this.target, add3(scale3(right, x * moved * this.aspect), scale3(up, y * moved)));
    this.height = height;
  }

  // Shows a box in the free part of a window of width × height pixels: what lies over its rims is left out.
  fit([low, high], width, height, { left, right: rightRim, top, bottom }) {
    this.target = scale3(add3(low, high), 0.5);
    this.aspect = width / height;
    const [right, up] = this.axes();
    const half = scale3(sub3(high, low), 0.5);
    const extent = (axis) => Math.abs(axis[0] * half[0]) + Math.abs(axis[1] * half[1]) + Math.abs(axis[2] * half[2]);
    const [freeWidth, freeHeight] = [Math.max(width - left - rightRim, 0.4 * width), Math.max(height - top - bottom, 0.4 * height)];
    const room = this.flat ? 1.06 : 1.18;
    const perPixel = 2 * room * Math.max(extent(up) / freeHeight, extent(right) / freeWidth, 1e-12 * this.size);
    this.height = perPixel * height;
    const shift = add3(scale3(right, (0.5 * (rightRim - left)) * perPixel), scale3(up, 0.5 * (top - bottom) * perPixel));
    this.target = add3(this.target, shift);
  }

  toText() {
    return [this.azimuth, this.elevation, this.height, ...this.target].map((x) => Number(x.toPrecision(5)));
  }

  fromText(numbers) {
    if (!Array.isArray(numbers) || numbers.length !== 6 || !numbers.every(Number.isFinite)) return false;
    [this.azimuth, this.elevation, this.height] = numbers;
    this.target = numbers.slice(3);
    return true;
  }
}
