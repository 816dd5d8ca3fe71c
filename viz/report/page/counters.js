// SPDX-License-Identifier: MIT
//
// counters.js - below the lanes: sleeping and idle workers, the JEC; marks, storms, the cursor.

// For each pixel: the step that holds at its begin, and the last one within it.
function eachPixel(w, f) {
  let k = Math.max(0, above(w.ts, from) - 1);
  for (let px = LEFT; px < width && w.count; px++) {
    const end = timeAt(px + 1);
    let last = k;
    // Near by mostly, else by bisection: a pixel may hold one step or ten thousand.
    while (last + 1 < w.count && w.ts[last + 1] <= end && last - k < 8) last++;
    if (last - k === 8) last = above(w.ts, end) - 1;
    if (w.ts[k] <= end) f(px, k, last);
    k = last;
  }
}
// Steps of a counter as an area; per pixel the greatest value. `of` is what height means.
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
  let top = y(lanes.length) + GAP;
  for (const i of counted) {
    const w = words[i], p = meta.pools[i], name = meta.pools.length > 1 ? p.pool + " " : "";
    ctx.fillStyle = css.fg; ctx.fillText(name + "sleeping", 4, top + 10); ctx.fillText(name + "idle", 4, top + 26);
    drawArea(w, w.maxSleeping, top, p.workers, css.sleeping);
    drawArea(w, w.maxIdle, top, p.workers, css.idle);
    top += EXTRA + GAP;
    if (!w.jec.some((v) => v)) continue;
    ctx.fillStyle = css.fg; ctx.fillText(name + "JEC", 4, top + EXTRA / 2);
    drawJec(w, top); top += EXTRA + GAP;
  }
}
function drawMarks() {
  ctx.strokeStyle = css.dim; ctx.fillStyle = css.fg; ctx.setLineDash([3, 3]);
  for (const m of meta.marks) {
    if (m.at < from || m.at > to) continue;
    ctx.beginPath(); ctx.moveTo(x(m.at), 0); ctx.lineTo(x(m.at), view.clientHeight); ctx.stroke();
    const w = ctx.measureText(m.text).width + 3; // at the right edge it stands left of its line
    ctx.fillText(m.text, x(m.at) + (x(m.at) + w > width ? -w : 3), view.clientHeight - 8);
  }
  ctx.setLineDash([]);
  const low = y(lanes.length) + GAP;
  for (const l of meta.losses) {
    // The counters are not known before a step tells them again.
    const told = Math.max(l.to, ...counted.map((i) => words[i].ts[above(words[i].ts, l.to)] ?? span));
    if (told <= from || l.from >= to) continue;
    const x0 = Math.max(LEFT, x(l.from)), until = (t) => Math.min(width, x(t) + 1);
    for (let r = 0; r < lanes.length; r++) hatch(x0, until(l.to), y(r));
    if (counted.length) hatch(x0, until(told), low, view.clientHeight - 24 - low);
  }
}
function drawCursor() {
  if (cursor < from || cursor > to) return;
  ctx.strokeStyle = css.fg; ctx.beginPath();
  ctx.moveTo(x(cursor), AXIS - 6); ctx.lineTo(x(cursor), view.clientHeight); ctx.stroke();
}
