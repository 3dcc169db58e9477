// The bar of time: slider, play, step, speed.

import { formatNumber } from './number.js';

export class TimeBar {
  constructor(elements, settings, onIndex, onSpeed) {
    Object.assign(this, { ...elements, settings, onIndex, onSpeed, times: [], index: 0, playing: false, follow: true });
    this.slider.addEventListener('input', () => { this.stop(); this.go(Number(this.slider.value)); });
    this.play.addEventListener('click', () => this.toggle());
    this.back.addEventListener('click', () => this.step(-1));
    this.next.addEventListener('click', () => this.step(1));
    this.speed.addEventListener('change', () => { this.settings.speed = this.speed.value === 'auto' ? null : Number(this.speed.value); this.onSpeed(); });
  }

  // How fast time runs if the user has not chosen: as in the world, or so that the run is seen in about ten seconds.
  naturalSpeed() {
    const span = this.times.length > 1 ? this.times.at(-1) - this.times[0] : 1;
    if (span >= 2 && span <= 60) return 1;
    const wanted = span / 10;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const miss = (s) => Math.abs(Math.log((s * power) / wanted));
    const nearest = [1, 2, 5, 10].reduce((a, b) => (miss(b) < miss(a) ? b : a));
    return Number((nearest * power).toPrecision(1));
  }

  // The choices: about the natural speed, and that of the world.
  offerSpeeds() {
    const natural = this.naturalSpeed();
    const chosen = this.settings.speed;
    const offered = new Set([0.1, 0.2, 0.5, 1, 2, 5, 10].map((s) => Number((s * natural).toPrecision(2))));
    offered.add(1);
    if (chosen !== null) offered.add(chosen);
    const key = [...offered].sort((a, b) => a - b);
    if (key.join() !== this.offered) {
      this.offered = key.join();
      const option = (value, textContent) => Object.assign(document.createElement('option'), { value, textContent });
      this.speed.replaceChildren(option('auto', `auto: ×${formatNumber(natural, 2)}`), ...key.map((s) => option(String(s), `×${formatNumber(s, 2)}`)));
    }
    this.speed.value = chosen === null ? 'auto' : String(chosen);
  }

  // New times; a view at the last state stays at the last one while a run goes on.
  setTimes(times) {
    const wasLast = this.index >= this.times.length - 1;
    this.times = times;
    this.slider.max = Math.max(0, times.length - 1);
    this.offerSpeeds();
    if (this.index > times.length - 1 || (wasLast && this.follow && !this.playing)) this.go(times.length - 1);
    this.write();
  }

  go(index) {
    this.index = Math.min(Math.max(Math.round(index), 0), Math.max(0, this.times.length - 1));
    this.slider.value = this.index;
    this.write();
    this.onIndex(this.index);
  }

  step(by) {
    this.stop();
    this.go(this.index + by);
  }

  write() {
    const t = this.times[this.index];
    this.label.textContent = t === undefined ? '' : `${formatNumber(t, 5)} s`;
    this.number.textContent = `${this.index + 1} / ${this.times.length}`;
  }

  toggle() {
    if (this.playing) { this.stop(); return; }
    if (this.index >= this.times.length - 1) this.go(0);
    this.playing = true;
    this.mark();
    // Time runs as in the world at speed 1; the picture shows the last state that is not later.
    let clock = performance.now();
    let time = this.times[this.index];
    const frame = (now) => {
      if (!this.playing) return;
      time += ((now - clock) / 1000) * (this.settings.speed ?? this.naturalSpeed());
      clock = now;
      let k = this.index;
      while (k + 1 < this.times.length && this.times[k + 1] <= time) k++;
      if (k !== this.index) this.go(k);
      if (k >= this.times.length - 1) this.stop(); else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop() {
    this.playing = false;
    this.mark();
  }

  mark() {
    this.play.classList.toggle('playing', this.playing);
    this.play.setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
  }
}
