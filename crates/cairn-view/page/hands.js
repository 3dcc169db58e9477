// Mouse, pen and fingers on the picture: turn, move, zoom, pick.

// `act` has what a hand can ask for: redraw, remember, pickAt, fit.
export function listen(canvas, app, act) {
  const fingers = new Map();
  let [last, travelled, resting] = [null, 0, 0];
  const moving = () => {
    app.isMoving = true;
    app.touchedCamera = true;
    clearTimeout(resting);
    resting = setTimeout(() => { app.isMoving = false; act.redraw(); }, 160);
    act.redraw();
    act.remember();
  };
  const middle = () => {
    const all = [...fingers.values()];
    const centre = [all.reduce((s, p) => s + p[0], 0) / all.length, all.reduce((s, p) => s + p[1], 0) / all.length];
    return { centre, spread: all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0 };
  };
  canvas.addEventListener('pointerdown', (e) => {
    canvas.focus();
    canvas.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
    last = middle();
    travelled = 0;
  });
  canvas.addEventListener('pointermove', (e) => {
    if (!fingers.has(e.pointerId)) return;
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
    const now = middle();
    const [dx, dy] = [now.centre[0] - last.centre[0], now.centre[1] - last.centre[1]];
    travelled += Math.abs(dx) + Math.abs(dy);
    if (app.camera.flat || e.buttons & 6 || e.shiftKey || e.ctrlKey || fingers.size > 1) app.camera.pan(dx, dy, canvas.clientHeight);
    else app.camera.orbit(-dx, dy);
    if (fingers.size > 1 && last.spread > 0 && now.spread > 0) app.camera.zoom(last.spread / now.spread, 0, 0);
    last = now;
    moving();
  });
  const up = (e) => {
    if (fingers.delete(e.pointerId) && e.type === 'pointerup' && travelled < 5 && e.button === 0) {
      const { left, top } = canvas.getBoundingClientRect();
      act.pickAt(e.clientX - left, e.clientY - top);
    }
    if (fingers.size) last = middle();
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('contextmenu', (e) => e.preventDefault());
  canvas.addEventListener('dblclick', () => act.fit());
  canvas.addEventListener('wheel', (e) => {
    e.preventDefault();
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const pixels = e.deltaMode === 1 ? 20 * e.deltaY : e.deltaY;
    app.camera.zoom(Math.exp(Math.min(Math.max(pixels, -200), 200) * 0.0016), (2 * (e.clientX - left)) / width - 1, 1 - (2 * (e.clientY - top)) / height);
    moving();
  }, { passive: false });
}
