// SPDX-License-Identifier: MIT
//
// keys.js - keyboard and mouse.

function transition(step) {
  const l = lanes[chosen];
  if (!l) return;
  const k = intervalAt(l, cursor) + step;
  if (k >= 0 && k < l.count) { cursor = l.start[k]; if (cursor < from || cursor > to) jump(cursor); explain(); redraw(); }
}
function nextIn(times, step) {
  let k = above(times, cursor) - (step < 0 ? 1 : 0);
  if (step < 0 && times[k] >= cursor) k--;
  while (step > 0 && times[k] <= cursor) k++;
  return times[k];
}
function toWake(step) {
  const t = nextIn(wakeAt, step);
  if (t === undefined) return;
  const w = wakes[above(wakeAt, t) - 1], row = w.target >= 0 ? w.target : w.by;
  if (t < from || t > to) jump(t);
  if (row >= 0) chosen = row;
  cursor = t; explain(w); redraw();
}
function toStorm(step) {
  const t = nextIn(storms.storms.map((s) => s.at), step);
  const s = storms.storms.find((q) => q.at === t);
  if (s) goToStorm(s);
}
function theme() {
  const dark = document.documentElement.dataset.theme !== "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  colors(); overviewPicture = null; redraw();
}
function choose(row) { chosen = Math.max(0, Math.min(lanes.length - 1, row)); explain(); redraw(); }
function move(share) { show(from + (to - from) * share, to + (to - from) * share); }
const KEYS = {
  ArrowLeft: () => move(-.15), h: () => move(-.15), ArrowRight: () => move(.15), l: () => move(.15),
  "+": () => zoom(.6), "=": () => zoom(.6), "-": () => zoom(1 / .6), 0: () => show(partFrom, partTo),
  ArrowUp: () => choose(chosen - 1), k: () => choose(chosen - 1),
  ArrowDown: () => choose(chosen + 1), j: () => choose(chosen + 1),
  ",": () => transition(-1), ".": () => transition(1), "[": () => toWake(-1), "]": () => toWake(1),
  s: () => toStorm(1), S: () => toStorm(-1), e: () => explain(), d: theme,
  w: () => { arrows = !arrows; redraw(); },
  u: () => { const last = undo.pop(); if (last) { [from, to, cursor, chosen] = last; explain(); redraw(); } },
  "?": () => { $("help").hidden = !$("help").hidden; }, Escape: () => { $("help").hidden = true; range = null; redraw(); },
};
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !KEYS[e.key]) return;
  KEYS[e.key](); e.preventDefault();
});
let drag = null;
view.addEventListener("pointerdown", (e) => {
  drag = { x: e.offsetX, from, to, moved: false, selects: e.shiftKey }; view.setPointerCapture(e.pointerId); view.focus();
});
view.addEventListener("pointermove", (e) => {
  if (!drag) return;
  const dt = (drag.x - e.offsetX) / (width - LEFT) * (drag.to - drag.from);
  if (Math.abs(drag.x - e.offsetX) > 3) drag.moved = true;
  if (drag.moved && drag.selects) {
    const ends = [drag.x, e.offsetX].map((px) => Math.max(0, Math.min(span, timeAt(px)))).sort((a, b) => a - b);
    range = ends[1] > ends[0] ? ends : null; redraw();
  } else if (drag.moved) show(drag.from + dt, drag.to + dt);
});
view.addEventListener("pointerup", (e) => {
  if (drag && !drag.moved && e.offsetX > LEFT) cursor = timeAt(e.offsetX);
  if (drag && !drag.moved) choose(above(laneTop, e.offsetY) - 1);
  drag = null;
});
view.addEventListener("wheel", (e) => {
  e.preventDefault();
  if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) move(e.deltaX / width);
  else zoom(e.deltaY > 0 ? 1.25 : .8, timeAt(e.offsetX));
}, { passive: false });
function overviewTo(e) { const t = e.offsetX / width * span, w = to - from; show(t - w / 2, t + w / 2); }
overview.addEventListener("pointerdown", (e) => { overview.setPointerCapture(e.pointerId); overviewTo(e); });
overview.addEventListener("pointermove", (e) => { if (e.buttons) overviewTo(e); });
$("zoomIn").onclick = () => zoom(.6); $("zoomOut").onclick = () => zoom(1 / .6);
$("fit").onclick = () => show(partFrom, partTo); $("theme").onclick = theme; $("helpButton").onclick = KEYS["?"];
window.addEventListener("resize", resize);
let laidOut = 0;
new ResizeObserver(() => { if (view.clientWidth !== laidOut) { laidOut = view.clientWidth; resize(); } }).observe(view);
