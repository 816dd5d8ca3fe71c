// SPDX-License-Identifier: MIT
//
// picture.js - draws the overview and the view, and moves and zooms the view.

const overview = $("overview"), octx = overview.getContext("2d");
let overviewPicture = null;
function drawOverview() {
  if (!overviewPicture) {
    octx.fillStyle = css.none; octx.fillRect(0, 0, width, 36);
    const sum = new Float64Array(COLORED.length), perPx = span / width;
    for (let px = 0; px < width; px++) {
      let all = 0;
      sum.fill(0);
      for (const lane of lanes) all += timeInStates(lane, px * perPx, (px + 1) * perPx, perPx, sum);
      stack(octx, px, 36, 36, sum, all);
    }
    octx.fillStyle = css.wake;
    for (const s of storms.storms) octx.fillRect(s.at / span * width, 0, 2, 6);
    overviewPicture = octx.getImageData(0, 0, overview.width, overview.height);
  } else octx.putImageData(overviewPicture, 0, 0);
  octx.strokeStyle = css.fg; octx.lineWidth = 2;
  octx.strokeRect(from / span * width + 1, 1, Math.max(4, (to - from) / span * width - 2), 34);
}
function draw() {
  pending = false;
  if (!width) return;
  ctx.font = "12px system-ui, sans-serif"; ctx.lineWidth = 1;
  ctx.fillStyle = css.bg; ctx.fillRect(0, 0, width, view.clientHeight);
  drawAxis();
  ctx.textBaseline = "middle";
  if (HEAD) poolOrder.forEach(drawHead);
  lanes.forEach(drawLane);
  drawCounters(); drawMarks(); drawWakes(); drawRange(); drawCursor(); drawOverview(); settle();
}
function redraw() { if (!pending) { pending = true; requestAnimationFrame(draw); } }
function resize() {
  const ratio = window.devicePixelRatio || 1;
  width = view.clientWidth;
  if (!width) return; // the page has no layout yet, as in a background tab
  const height = bottom + 24;
  view.style.height = height + "px";
  for (const [c, g, h] of [[view, ctx, height], [overview, octx, 36]]) {
    c.width = width * ratio; c.height = h * ratio; g.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
  overviewPicture = null; redraw();
}

// Makes the view show the time from a to b, in ns.
function show(a, b) {
  const w = Math.min(span * 1.02, Math.max(20, b - a));
  from = Math.max(-span * .01, Math.min(a, span * 1.01 - w)); to = from + w; redraw();
}
function jump(t, w) {
  undo.push([from, to, cursor, chosen]);
  const half = (w ?? Math.min(to - from, span)) / 2;
  cursor = t; show(t - half, t + half);
}
function zoom(factor, t = cursor >= from && cursor <= to ? cursor : (from + to) / 2) {
  show(t - (t - from) * factor, t + (to - t) * factor);
}
