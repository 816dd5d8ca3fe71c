// SPDX-License-Identifier: MIT
//
// counters.js - draws the counters below the lanes (sleeping and idle workers, the JEC), marks,
// losses and the cursor.

// Calls f for each pixel, with the step at the pixel's beginning and the last step within it.
function eachPixel(w, f) {
  let k = Math.max(0, above(w.ts, from) - 1);
  for (let px = LEFT; px < width && w.count; px++) {
    const end = timeAt(px + 1);
    let last = k;
    // Try a few steps, then bisect: a pixel may contain one step or ten thousand.
    while (last + 1 < w.count && w.ts[last + 1] <= end && last - k < 8) last++;
    if (last - k === 8) last = above(w.ts, end) - 1;
    if (w.ts[k] <= end) f(px, k, last);
    k = last;
  }
}
// Draws a counter as an area, with its maximum per pixel. `of`: the value at full height.
function drawArea(w, levels, top, of, color) {
  ctx.fillStyle = color;
  eachPixel(w, (px, k, last) => {
    const h = EXTRA * .9 * greatest(levels, k, last) / Math.max(1, of);
    ctx.fillRect(px, top + EXTRA - h, 1, h);
  });
}
function drawJec(w, top) {
  const h = (v) => top + (v % 2 ? 6 : EXTRA - 6);
  ctx.strokeStyle = css.wake; ctx.beginPath();
  eachPixel(w, (px, k, last) => {
    if (w.toggled[last] !== w.toggled[k]) { ctx.moveTo(px, h(0)); ctx.lineTo(px, h(1)); }
    ctx.moveTo(px, h(w.jec[last])); ctx.lineTo(px + 1, h(w.jec[last]));
  });
  ctx.stroke();
}
function drawCounters() {
  for (const i of counted) {
    const w = words[i], top = countersTop[i], workers = meta.pools[i].workers;
    ctx.fillStyle = css.fg; ctx.fillText("sleeping", 4, top + 10); ctx.fillText("idle", 4, top + 26);
    drawArea(w, w.maxSleeping, top, workers, css.sleeping);
    drawArea(w, w.maxIdle, top, workers, css.idle);
    if (!w.counts) continue;
    ctx.fillStyle = css.fg; ctx.fillText("JEC", 4, top + EXTRA + GAP + EXTRA / 2);
    drawJec(w, top + EXTRA + GAP);
  }
}
// Draws each text to the right of its line, unless it would overlap the previous text. The list
// below has all marks.
function drawMarks() {
  let free = 0;
  ctx.strokeStyle = css.dim; ctx.fillStyle = css.fg; ctx.setLineDash([3, 3]);
  for (const m of meta.marks) {
    if (m.at < from || m.at > to) continue;
    ctx.beginPath(); ctx.moveTo(x(m.at), 0); ctx.lineTo(x(m.at), view.clientHeight); ctx.stroke();
    const w = ctx.measureText(m.text).width + 3; // at the right edge, draw it to the left of its line
    const at = x(m.at) + (x(m.at) + w > width ? -w : 3);
    if (at < free) continue;
    ctx.fillText(m.text, at, view.clientHeight - 8);
    free = at + w + 3;
  }
  ctx.setLineDash([]);
  meta.losses.forEach(drawLoss);
}
function drawLoss(l) {
  const x0 = Math.max(LEFT, x(l.from)), until = (t) => Math.min(width, x(t) + 1);
  if (l.from >= to) return;
  if (l.to > from) for (const top of laneTop) hatch(x0, until(l.to), top);
  for (const i of counted) { // the counters are unknown from a loss until the next step
    const known = Math.max(l.to, words[i].ts[above(words[i].ts, l.to)] ?? span);
    if (known > from) hatch(x0, until(known), countersTop[i], (words[i].counts ? 2 : 1) * (EXTRA + GAP) - GAP);
  }
}
function drawCursor() {
  if (cursor < from || cursor > to) return;
  ctx.strokeStyle = css.fg; ctx.beginPath();
  ctx.moveTo(x(cursor), AXIS - 6); ctx.lineTo(x(cursor), view.clientHeight); ctx.stroke();
}
