// SPDX-License-Identifier: MIT
//
// lanes.js - the view's state, its axis, the lanes of the workers and the wakes between them.

const view = $("view"), ctx = view.getContext("2d");
const LEFT = 92, ROW = lanes.length > 40 ? 12 : lanes.length > 16 ? 18 : 26, GAP = 4, AXIS = 22, EXTRA = 40;
let from = 0, to = span, cursor = 0, chosen = 0, arrows = true, undo = [], css, width, pending = false;
const counted = words.map((w, i) => (w ? i : -1)).filter((i) => i >= 0);

function colors() {
  const s = getComputedStyle(document.documentElement);
  css = Object.fromEntries([...COLORED, "wake", "none", "fg", "bg", "dim", "line"].map((n) =>
    [n, s.getPropertyValue("--" + n).trim()]));
}
const x = (t) => LEFT + (t - from) / (to - from) * (width - LEFT);
const timeAt = (px) => from + (px - LEFT) / (width - LEFT) * (to - from);
const y = (row) => AXIS + row * (ROW + GAP);

function unit(ns) {
  const a = Math.abs(ns);
  const [d, u] = a >= 1e9 ? [1e9, "s"] : a >= 1e6 ? [1e6, "ms"] : a >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return (ns / d).toFixed(a / d >= 100 || d === 1 ? 0 : a / d >= 10 ? 1 : 2) + " " + u;
}
function drawAxis() {
  const rough = (to - from) / Math.max(2, (width - LEFT) / 110);
  const p = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * p).find((s) => s >= rough);
  ctx.fillStyle = css.dim; ctx.strokeStyle = css.line; ctx.textBaseline = "middle"; ctx.beginPath();
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    ctx.fillText(unit(t), x(t) + 3, 9);
    ctx.moveTo(x(t), 0); ctx.lineTo(x(t), view.clientHeight);
  }
  ctx.stroke();
}
// One state each pixel: the one that took most of it, as high as its share.
function drawCoarse(lane, top) {
  const perPx = (to - from) / (width - LEFT);
  const level = Math.min(lane.levels.length - 1,
    Math.max(0, Math.floor(Math.log2(perPx / (span / LEVEL0)))));
  const data = lane.levels[level], bucket = span / (data.length / COLORED.length);
  for (let px = LEFT; px < width; px++) {
    const b0 = Math.max(0, Math.floor(timeAt(px) / bucket));
    const b1 = Math.max(b0 + 1, Math.min(data.length / COLORED.length, Math.ceil(timeAt(px + 1) / bucket)));
    const sum = [0, 0, 0, 0, 0];
    for (let b = b0; b < b1; b++)
      for (let c = 0; c < 5; c++) sum[c] += data[b * 5 + c];
    let at = 0;
    const all = (b1 - b0) * bucket;
    for (let c = 0; c < 5; c++) {
      if (!sum[c]) continue;
      const h = ROW * sum[c] / all;
      ctx.fillStyle = css[COLORED[c]];
      ctx.fillRect(px, top + ROW - at - h, 1, h);
      at += h;
    }
  }
}
function hatch(x0, x1, top, h = ROW) {
  ctx.save(); ctx.beginPath(); ctx.rect(x0, top, x1 - x0, h); ctx.clip();
  ctx.strokeStyle = css.dim; ctx.beginPath();
  for (let i = x0 - h; i < x1; i += 6) { ctx.moveTo(i, top + h); ctx.lineTo(i + h, top); }
  ctx.stroke(); ctx.restore();
}
function drawFine(lane, top, first, last) {
  for (let k = first; k < last; k++) {
    const s = meta.states[lane.state[k] & 15], x0 = Math.max(LEFT, x(lane.start[k])),
      x1 = Math.min(width, x(lane.start[k + 1]));
    if (lane.state[k] & 16) { hatch(x0, x1, top); continue; }
    if (!css[s] || s === "none") continue;
    ctx.fillStyle = css[s];
    const h = s === "sleeping" ? ROW * .35 : s === "sleepy" ? ROW * .6 : s === "idle" ? ROW * .8 : ROW;
    ctx.fillRect(x0, top + ROW - h, Math.max(.5, x1 - x0), h);
    if (x1 - x0 > 60 && ROW >= 18) {
      ctx.fillStyle = s === "active" ? "#fff" : "#000";
      if (h > 12) ctx.fillText(s, x0 + 4, top + ROW - h / 2);
    }
  }
}
function drawLane(lane, row) {
  const top = y(row);
  ctx.fillStyle = css.none; ctx.fillRect(LEFT, top, width - LEFT, ROW);
  const first = Math.max(0, above(lane.start, from, lane.count) - 1);
  const last = above(lane.start, to, lane.count);
  if (last - first > 2 * (width - LEFT)) drawCoarse(lane, top);
  else drawFine(lane, top, first, last);
  ctx.fillStyle = row === chosen ? css.wake : css.fg;
  const pool = meta.pools.length > 1 ? lane.pool + "/" : "";
  ctx.fillText((row === chosen ? "▸" : " ") + pool + "w" + lane.worker, 4, top + ROW / 2);
}
const VERDICT = Object.fromEntries(meta.verdicts.map((v, i) => [v, i]));
function drawWakes() {
  const a = above(wakeAt, from), b = above(wakeAt, to);
  if (!arrows || b - a > 3 * (width - LEFT)) return;
  const lines = b - a <= 400;
  for (let i = a; i < b; i++) {
    const w = wakes[i], top = y(w.target), px = x(w.at), awake = x(w.at + w.awake);
    ctx.globalAlpha = lines ? 1 : .6;
    ctx.fillStyle = ctx.strokeStyle = css.wake;
    const row = wakerRow(w);
    if (lines) {
      ctx.beginPath(); ctx.moveTo(px, row < 0 ? AXIS - 4 : y(row) + ROW / 2);
      ctx.lineTo(awake, top + ROW - 2); ctx.stroke();
    }
    ctx.beginPath(); ctx.moveTo(awake, top + ROW - 8); ctx.lineTo(awake - 4, top + ROW);
    ctx.lineTo(awake + 4, top + ROW); ctx.closePath();
    if (w.verdict === VERDICT.futile) { ctx.fillStyle = css.bg; ctx.fill(); ctx.stroke(); } else ctx.fill();
  }
  ctx.globalAlpha = 1;
}
