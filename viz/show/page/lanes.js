// SPDX-License-Identifier: MIT
//
// lanes.js - the state of the view, its axis, the lanes of the workers, and the wakes.

const view = $("view"), ctx = view.getContext("2d");
const LEFT = 92, ROW = lanes.length > 40 ? 12 : lanes.length > 16 ? 18 : 26, GAP = 4, AXIS = 22, EXTRA = 40;
// The part of the trace that the page shows, as selected by --from, --to or --phase. Outside it,
// the lanes are empty.
const partFrom = meta.selection.from, partTo = Math.min(meta.selection.to ?? span, span);
let from = partFrom, to = partTo, cursor = partFrom, chosen = 0, arrows = true, undo = [], css, packed, width, pending = false;
const counted = words.map((w, i) => (w ? i : -1)).filter((i) => i >= 0);

function colors() {
  const s = getComputedStyle(document.documentElement);
  css = Object.fromEntries([...COLORED, "wake", "job", "none", "fg", "bg", "dim", "line"].map((n) =>
    [n, s.getPropertyValue("--" + n).trim()]));
  packed = [...COLORED, "none"].map((n) => { // byte order of an image: red is the lowest byte
    const hex = css[n].slice(1), all = hex.length === 3 ? [...hex].map((d) => d + d).join("") : hex;
    return (0xff000000 | parseInt(all.slice(4) + all.slice(2, 4) + all.slice(0, 2), 16)) >>> 0;
  });
}
const x = (t) => LEFT + (t - from) / (to - from) * (width - LEFT);
const timeAt = (px) => from + (px - LEFT) / (width - LEFT) * (to - from);
// From top to bottom: the axis, then for each pool its name (if there are several pools), lanes and
// counters.
const HEAD = several ? 18 : 0, laneTop = [], poolTop = [], countersTop = [];
let bottom = AXIS, placed = 0;
for (const pool of poolOrder) {
  poolTop[pool] = bottom;
  bottom += HEAD;
  for (; placed < lanes.length && lanes[placed].pool === pool; placed++, bottom += ROW + GAP) laneTop[placed] = bottom;
  if (!words[pool]) continue;
  countersTop[pool] = bottom += GAP;
  bottom += (words[pool].counts ? 2 : 1) * (EXTRA + GAP);
}
function drawHead(pool) {
  ctx.fillStyle = css.dim;
  ctx.fillText(`${poolTitle(pool)}, ${poolSize(pool)}`, 4, poolTop[pool] + HEAD / 2);
}

// Draws text unless the right edge would cut it off: half a number would be misleading.
function label(text, px, py) {
  if (px + ctx.measureText(text).width <= width) ctx.fillText(text, px, py);
}
function drawAxis() {
  const rough = Math.max(1, (to - from) / Math.max(2, (width - LEFT) / 110));
  const p = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * p).find((s) => s >= rough * .999);
  ctx.fillStyle = css.dim; ctx.strokeStyle = css.line; ctx.textBaseline = "middle"; ctx.beginPath();
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    label(position(t, step), x(t) + 3, 9);
    ctx.moveTo(x(t), 0); ctx.lineTo(x(t), view.clientHeight);
  }
  ctx.stroke();
}
// Draws a tick below a lane for work that is too short to be visible in the lane.
function tick(px, foot) {
  ctx.globalAlpha = .85; ctx.fillStyle = css.active; ctx.fillRect(px, foot + 1, 1, 2); ctx.globalAlpha = 1;
}
// Draws one pixel column: stacks the states. The height of each is its share of the time times the
// state's own height, so that states differ not only in hue. A single state has its full height.
function stack(g, px, foot, tall, sum, all) {
  let at = foot;
  for (let c = 0; c < COLORED.length; c++) {
    if (!(sum[c] > 0)) continue;
    const h = tall * HEIGHT[c] * sum[c] / all;
    if (c === 0 && h < 1 && g === ctx) tick(px, foot);
    g.fillStyle = css[COLORED[c]];
    g.fillRect(px, at - h, 1, h);
    at -= h;
  }
}
// Draws a lane whose intervals are finer than a pixel. Draws its pyramid into an image, because
// tens of thousands of small rectangles would take longer than a frame.
let image = null;
function drawCoarse(lane, foot) {
  const ratio = window.devicePixelRatio || 1, sum = new Float64Array(COLORED.length);
  const w = Math.ceil((width - LEFT) * ratio), tall = Math.round(ROW * ratio), perPx = (to - from) / (width - LEFT) / ratio;
  if (!image || image.width !== w || image.height !== tall) image = ctx.createImageData(w, tall);
  const pixel = new Uint32Array(image.data.buffer), ticks = [];
  for (let px = 0; px < w; px++) {
    sum.fill(0);
    const all = timeInStates(lane, from + px * perPx, from + (px + 1) * perPx, perPx, sum);
    let high = 0, at = tall - 1;
    for (let c = 0; c < COLORED.length; c++) {
      high += tall * HEIGHT[c] * sum[c] / all;
      if (c === 0 && sum[c] > 0 && high < 1) ticks.push(px / ratio);
      for (const top = tall - Math.round(high); at >= top && at >= 0; at--) pixel[at * w + px] = packed[c];
    }
    for (; at >= 0; at--) pixel[at * w + px] = packed[COLORED.length];
  }
  ctx.putImageData(image, Math.round(LEFT * ratio), Math.round((foot - ROW) * ratio));
  for (const px of ticks) tick(LEFT + px, foot);
}
function hatch(x0, x1, top, h = ROW) {
  ctx.save(); ctx.beginPath(); ctx.rect(x0, top, x1 - x0, h); ctx.clip();
  ctx.strokeStyle = css.dim; ctx.beginPath();
  for (let i = x0 - h; i < x1; i += 6) { ctx.moveTo(i, top + h); ctx.lineTo(i + h, top); }
  ctx.stroke(); ctx.restore();
}
// Draws a lane from its intervals. Intervals within one pixel are collected and stacked as in
// drawCoarse.
function drawFine(lane, foot, first, last) {
  const sum = new Float64Array(COLORED.length);
  let held = -1; // the pixel whose intervals are being collected; -1: none
  const gather = (px, c, share) => {
    if (px !== held) {
      if (held >= LEFT) stack(ctx, held, foot, ROW, sum, 1);
      sum.fill(0); held = px;
    }
    sum[c] += share;
  };
  for (let k = first; k < last; k++) {
    const s = meta.states[lane.state[k] & 15], c = COLORED.indexOf(s);
    const x0 = Math.max(LEFT, x(lane.start[k])), x1 = Math.min(width, x(lane.start[k + 1]));
    if (lane.state[k] & 16) { hatch(x0, x1, foot - ROW); continue; }
    if (c < 0 || x1 <= x0) continue;
    const a = Math.floor(x0), b = Math.floor(x1), h = ROW * HEIGHT[c];
    if (a === b) { gather(a, c, x1 - x0); continue; }
    gather(a, c, a + 1 - x0);
    ctx.fillStyle = css[s];
    ctx.fillRect(a + 1, foot - h, b - a - 1, h);
    gather(b, c, x1 - b);
    if (x1 - x0 > 60 && ROW >= 18) { // the name of the state, inside the bar or above a low bar
      ctx.fillStyle = h <= 12 ? css.fg : s === "active" ? "#fff" : "#000";
      ctx.fillText((foreign && FOREIGN_LABELS[s]) || s, x0 + 4, h <= 12 ? foot - h - (ROW - h) / 2 : foot - h / 2);
    }
  }
  gather(-1, 0, 0);
}
function drawLane(lane, row) {
  const top = laneTop[row];
  ctx.fillStyle = css.none; ctx.fillRect(LEFT, top, width - LEFT, ROW);
  const first = Math.max(0, above(lane.start, from, lane.count) - 1);
  const last = above(lane.start, to, lane.count);
  if (last - first > 2 * (width - LEFT)) drawCoarse(lane, top + ROW);
  else drawFine(lane, top + ROW, first, last);
  drawJobs(lane, row);
  ctx.fillStyle = row === chosen ? css.wake : css.fg;
  ctx.fillText((row === chosen ? "▸" : " ") + W + lane.worker, 4, top + ROW / 2);
}
// The marks of wakes by verdict, for the picture and the legend.
const MARK = { useful: "▲", latch: "▲", futile: "△", redundant: "×", terminate: "▴", self: "▴", went_on: "▴", nobody: "×", unresolved: "?", open: "?" };
const markOf = meta.verdicts.map((v) => MARK[v] ?? "?");
function triangle(px, foot, size) {
  ctx.beginPath(); ctx.moveTo(px, foot - 2 * size); ctx.lineTo(px - size, foot);
  ctx.lineTo(px + size, foot); ctx.closePath();
}
// Draws the mark of a wake. drawWakes places it in the wakee's lane, or in the waker's lane if the
// wake woke no worker.
function drawMark(mark, px, foot) {
  const mid = foot - ROW / 2;
  if (mark === "×") {
    ctx.lineWidth = 2;
    ctx.beginPath(); ctx.moveTo(px - 3, mid - 3); ctx.lineTo(px + 3, mid + 3);
    ctx.moveTo(px - 3, mid + 3); ctx.lineTo(px + 3, mid - 3); ctx.stroke();
    ctx.lineWidth = 1;
  } else if (mark === "?") ctx.fillText("?", px - 3, mid);
  else {
    triangle(px, foot, mark === "▴" ? 2.5 : 4);
    if (mark === "△") { ctx.fillStyle = css.bg; ctx.fill(); ctx.stroke(); } else ctx.fill();
  }
}
function drawWakes() {
  const a = above(wakeAt, from), b = above(wakeAt, to);
  if (!arrows || (b - a) * 12 > lanes.length * (width - LEFT)) return; // so many arrows would hide the lanes
  const lines = b - a <= 400;
  for (let i = a; i < b; i++) {
    const w = wakes[i], px = x(w.at), awake = x(w.at + w.awake), mark = markOf[w.verdict];
    const begin = w.by >= 0 ? laneTop[w.by] + ROW / 2 : HEAD ? poolTop[w.pool] + HEAD / 2 : AXIS - 4;
    const foot = w.target >= 0 ? laneTop[w.target] + ROW : begin + ROW / 2;
    ctx.globalAlpha = lines ? 1 : .6;
    ctx.fillStyle = css.wake;
    ctx.strokeStyle = mark === "×" ? css.dim : css.wake;
    if (lines && w.target >= 0) {
      ctx.beginPath(); ctx.moveTo(px, begin);
      ctx.lineTo(awake, mark === "×" ? foot - ROW / 2 : foot - 2); ctx.stroke();
    }
    ctx.strokeStyle = css.wake;
    drawMark(mark, awake, foot);
  }
  ctx.globalAlpha = 1;
}
