// SPDX-License-Identifier: MIT
//
// page.js - the report in the browser. Data comes packed (viz/report/collect.c); what a state, a
// verdict or a storm is was decided by doze's model, here it is only drawn.
//
// Order: unpack, pyramids (for drawing what is finer than a pixel), drawing, moving, explaining,
// lists, keys, and a self-measurement for the tests (#bench).
"use strict";
(() => {
const $ = (id) => document.getElementById(id);
const meta = JSON.parse($("meta").textContent);
const storms = JSON.parse($("storms").textContent);
const NONE = meta.states.indexOf("none");
const STATE = Object.fromEntries(meta.states.map((s, i) => [s, i]));
const COLORED = ["active", "idle", "sleepy", "sleeping", "blocked"];
const GLYPH = { active: "█", idle: "▒", sleepy: "░", sleeping: "·", blocked: "■" };

// ---- unpack ----

function bytesOf(id) {
  const text = atob($(id).textContent);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  $(id).textContent = "";
  return out;
}
function reader(bytes) {
  let at = 0;
  return {
    byte: () => bytes[at++],
    number() {
      let n = 0, scale = 1, b;
      do { b = bytes[at++]; n += (b & 127) * scale; scale *= 128; } while (b & 128);
      return n;
    },
    // Zigzag by arithmetic: the low bit is the sign, and numbers go beyond 32 bits.
    signed() { const n = this.number(); return n % 2 ? -(n + 1) / 2 : n / 2; },
  };
}
function unpackLane(lane, i) {
  const r = reader(bytesOf("lane" + i)), n = lane.count;
  const start = new Float64Array(n + 1), state = new Uint8Array(n), why = new Uint8Array(n);
  let t = lane.first;
  for (let k = 0; k < n; k++) {
    start[k] = t; state[k] = r.byte(); why[k] = r.byte(); t += r.number();
  }
  start[n] = t;
  return { ...lane, start, state, why, count: n };
}
function unpackWord(pool, i) {
  if (!pool.steps || !$("word" + i)) return null;
  const r = reader(bytesOf("word" + i)), n = pool.steps;
  const ts = new Float64Array(n), sleeping = new Uint32Array(n), idle = new Uint32Array(n),
    jec = new Uint32Array(n);
  let t = 0;
  for (let k = 0; k < n; k++) {
    t += r.signed(); ts[k] = t - meta.origin;
    sleeping[k] = r.number(); idle[k] = r.number(); jec[k] = r.number();
  }
  return { ts, sleeping, idle, jec, count: n };
}
function unpackWakes() {
  const r = reader(bytesOf("wakes0")), all = [];
  let t = 0;
  for (let k = 0; k < meta.wakes; k++) {
    t += r.signed();
    const w = { at: t - meta.origin, target: r.number(), waker: r.signed(), vtid: r.signed(),
      cause: r.byte(), verdict: r.byte(), id: r.number(), decision: r.number() };
    w.published = r.signed(); w.awake = r.signed(); w.first = r.signed();
    all.push(w);
  }
  return all.sort((a, b) => a.at - b.at);
}
const lanes = meta.lanes.map(unpackLane);
const words = meta.pools.map(unpackWord);
const wakes = unpackWakes();
const wakeAt = Float64Array.from(wakes, (w) => w.at);
const rowOf = new Map(lanes.map((l, i) => [[l.host, l.vpid, l.pool, l.worker].join(), i]));
const wakerRow = (w) => {
  const l = lanes[w.target];
  return w.waker < 0 ? -1 : rowOf.get([l.host, l.vpid, l.pool, w.waker].join()) ?? -1;
};

// First index whose value is greater than t.
function above(array, t, n = array.length) {
  let lo = 0, hi = n;
  while (lo < hi) { const mid = (lo + hi) >> 1; if (array[mid] > t) hi = mid; else lo = mid + 1; }
  return lo;
}

// ---- pyramids: time in each state per bucket, buckets doubling in width ----

const LEVEL0 = 1 << Math.max(10, Math.min(15, 20 - Math.ceil(Math.log2(lanes.length + 1))));
const span = Math.max(1, meta.duration);
function pyramid(lane) {
  const levels = [new Float32Array(LEVEL0 * COLORED.length)], width = span / LEVEL0;
  for (let k = 0; k < lane.count; k++) {
    const c = COLORED.indexOf(meta.states[lane.state[k] & 15]);
    if (c < 0 || lane.state[k] & 16) continue;
    let a = Math.max(0, lane.start[k]), end = Math.min(span, lane.start[k + 1]);
    for (let b = Math.floor(a / width); a < end && b < LEVEL0; b++) {
      const stop = Math.min(end, (b + 1) * width);
      levels[0][b * COLORED.length + c] += stop - a; a = stop;
    }
  }
  while (levels[levels.length - 1].length > 64 * COLORED.length) {
    const below = levels[levels.length - 1], next = new Float32Array(below.length / 2);
    for (let b = 0; b < next.length / COLORED.length; b++)
      for (let c = 0; c < COLORED.length; c++)
        next[b * COLORED.length + c] = below[2 * b * COLORED.length + c] +
          below[(2 * b + 1) * COLORED.length + c];
    levels.push(next);
  }
  return levels;
}
for (const lane of lanes) lane.levels = pyramid(lane);

// Of a counter: the greatest of 2, 4, 8 … steps; and how often the JEC had toggled by each step.
function maxima(values) {
  const levels = [values];
  for (let below = values; below.length > 1; below = levels[levels.length - 1]) {
    const next = new Uint32Array(below.length >> 1);
    for (let i = 0; i < next.length; i++) next[i] = Math.max(below[2 * i], below[2 * i + 1]);
    levels.push(next);
  }
  return levels;
}
function greatest(levels, a, b) { // of steps a … b, both included
  let most = 0;
  for (let level = 0; a <= b && level < levels.length; level++) {
    const v = levels[level];
    if (a & 1 || a === b) { if (v[a] > most) most = v[a]; a++; }
    if (a <= b && !(b & 1)) { if (v[b] > most) most = v[b]; b--; }
    a >>= 1; b = (b - 1) >> 1;
  }
  return most;
}
for (const w of words) {
  if (!w) continue;
  w.maxSleeping = maxima(w.sleeping); w.maxIdle = maxima(w.idle);
  w.toggled = new Uint32Array(w.count);
  for (let k = 1; k < w.count; k++) w.toggled[k] = w.toggled[k - 1] + (w.jec[k] !== w.jec[k - 1]);
}

// ---- drawing ----

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
function hatch(x0, x1, top) {
  ctx.save(); ctx.beginPath(); ctx.rect(x0, top, x1 - x0, ROW); ctx.clip();
  ctx.strokeStyle = css.dim; ctx.beginPath();
  for (let i = x0 - ROW; i < x1; i += 6) { ctx.moveTo(i, top + ROW); ctx.lineTo(i + ROW, top); }
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
    ctx.fillText(m.text, x(m.at) + 3, view.clientHeight - 8);
  }
  ctx.setLineDash([]);
  for (const l of meta.losses) for (let r = 0; r < lanes.length; r++)
    if (l.to > from && l.from < to) hatch(Math.max(LEFT, x(l.from)), Math.min(width, x(l.to) + 1), y(r));
}
function drawCursor() {
  if (cursor < from || cursor > to) return;
  ctx.strokeStyle = css.fg; ctx.beginPath();
  ctx.moveTo(x(cursor), AXIS - 6); ctx.lineTo(x(cursor), view.clientHeight); ctx.stroke();
}
const overview = $("overview"), octx = overview.getContext("2d");
let overviewPicture = null;
function drawOverview() {
  if (!overviewPicture) {
    octx.fillStyle = css.none; octx.fillRect(0, 0, width, 36);
    for (let px = 0; px < width; px++) {
      const sum = [0, 0, 0, 0, 0];
      for (const lane of lanes) {
        const data = lane.levels[0], n = data.length / 5;
        const b = Math.min(n - 1, Math.floor(px / width * n));
        for (let c = 0; c < 5; c++) sum[c] += data[b * 5 + c];
      }
      let at = 0;
      const all = lanes.length * span / LEVEL0;
      for (let c = 0; c < 5; c++) {
        const h = 36 * sum[c] / all;
        octx.fillStyle = css[COLORED[c]]; octx.fillRect(px, 36 - at - h, 1, h); at += h;
      }
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
  ctx.font = "12px system-ui, sans-serif"; ctx.lineWidth = 1;
  ctx.fillStyle = css.bg; ctx.fillRect(0, 0, width, view.clientHeight);
  drawAxis();
  ctx.textBaseline = "middle";
  lanes.forEach(drawLane);
  drawCounters(); drawMarks(); drawWakes(); drawCursor(); drawOverview();
}
function redraw() { if (!pending) { pending = true; requestAnimationFrame(draw); } }
function resize() {
  const ratio = window.devicePixelRatio || 1;
  width = view.clientWidth;
  const jecs = counted.filter((i) => words[i].jec.some((v) => v)).length;
  const height = y(lanes.length) + (counted.length + jecs) * (EXTRA + GAP) + 24;
  view.style.height = height + "px";
  for (const [c, g, h] of [[view, ctx, height], [overview, octx, 36]]) {
    c.width = width * ratio; c.height = h * ratio; g.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
  overviewPicture = null; redraw();
}

// ---- moving ----

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

// ---- explaining ----

const REASON = { none: "", start: "it started", no_work: "it found no work",
  rounds: "it had searched in vain for long enough", found_local: "it found a job in its own deque",
  found_stolen: "it stole a job", found_injected: "there was a job in the injector",
  found_broadcast: "there was a broadcast for it",
  jec_changed: "the jobs event counter had changed since it got sleepy: work was posted",
  tickled: "somebody tickled the pool", latch_set: "the latch that it waited for was set",
  woken: "it was woken", self_wake: "it awoke though nobody woke it", terminate: "the pool ended",
  mark_blocked: "it said that it blocks", mark_unblocked: "it was unblocked",
  recheck: "its last look found work" };
const CAUSE = { push: "a push to a deque", inject: "a job from outside", latch: "a set latch",
  job_done: "a finished job", work_found: "work found by a searcher", broadcast: "a broadcast",
  terminate: "the end of the pool" };
function intervalAt(lane, t) { return Math.min(lane.count - 1, above(lane.start, t, lane.count) - 1); }
function tellWake(w) {
  const who = w.waker < 0 ? `a thread from outside (${w.vtid})` : "w" + w.waker;
  let s = `woken by ${who}, because of ${CAUSE[meta.causes[w.cause]] ?? "?"} (wake ${w.id}, decision ${w.decision})`;
  if (w.awake) s += `, awake ${unit(w.awake)} after the notification`;
  if (w.first) s += `, at its first job after ${unit(w.first)}`;
  return s + `: ${meta.verdicts[w.verdict]}.`;
}
function explain() {
  const lane = lanes[chosen], k = lane ? intervalAt(lane, cursor) : -1;
  if (k < 0 || cursor > lane.start[lane.count]) { $("explain").textContent = `w${lane?.worker ?? "?"} was not there at ${unit(cursor)}.`; return; }
  const s = meta.states[lane.state[k] & 15], why = REASON[meta.reasons[lane.why[k]]] ?? "";
  let text = `w${lane.worker} is ${s} from ${unit(lane.start[k])} for ${unit(lane.start[k + 1] - lane.start[k])}` + (why ? `, because ${why}.` : ".");
  if (lane.state[k] & 16) text += " Events were lost here: this is not certain.";
  const a = above(wakeAt, lane.start[k] - 1), b = above(wakeAt, lane.start[k + 1] + 1);
  for (let i = Math.max(0, a - 50), said = 0; i < Math.min(wakes.length, b + 50) && said < 3; i++) {
    const at = wakes[i].at + wakes[i].awake;
    const starts = Math.abs(at - lane.start[k]) < 20000, inside = wakes[i].at >= lane.start[k] && wakes[i].at <= lane.start[k + 1];
    if (wakes[i].target === chosen && (inside || starts)) { text += "\n" + tellWake(wakes[i]); said++; }
  }
  for (const i of counted) {
    const w = words[i], q = above(w.ts, cursor) - 1;
    if (meta.pools[i].pool === lane.pool && meta.pools[i].vpid === lane.vpid && q >= 0)
      text += `\nCounters: ${w.sleeping[q]} sleeping, ${w.idle[q]} idle, JEC ${w.jec[q]} (${w.jec[q] % 2 ? "odd: work posted since somebody got sleepy" : "even"}).`;
  }
  $("explain").textContent = text;
}

// ---- lists ----

function entry(list, text, go) {
  const li = document.createElement("li");
  li.textContent = text;
  if (go) { li.tabIndex = 0; li.onclick = go; li.onkeydown = (e) => { if (e.key === "Enter") go(); }; } else li.className = "none";
  $(list).append(li);
}
function fillLists() {
  storms.storms.forEach((s) => entry("storms-list",
    `${unit(s.at)}: ${CAUSE[s.cause] ?? s.cause} by ${s.waker < 0 ? "outside" : "w" + s.waker} woke ${s.woken} for ${s.jobs} job${s.jobs === 1 ? "" : "s"}, ${s.futile} in vain, ${unit(s.burnt)} burnt`,
    () => { jump((s.at + s.end) / 2, Math.max(2000, (s.end - s.at) * 1.6)); view.focus(); }));
  if (!storms.storms.length) entry("storms-list", "none");
  meta.findings.forEach((f) => entry("findings-list", `${unit(f.at)} ${f.rule}${f.ambiguous ? " (ambiguous)" : ""}: ${f.text}`,
    () => { if (lanes[f.row]) chosen = f.row; jump(f.at, Math.min(span, 2e6)); explain(); }));
  if (meta.findings_left_out) entry("findings-list", `… and ${meta.findings_left_out} more`);
  if (!meta.findings.length) entry("findings-list", "none: the trace obeys its policy's protocol");
  meta.marks.slice(0, 500).forEach((m) => entry("marks-list", `${unit(m.at)} ${m.text}`, () => jump(m.at)));
  if (!meta.marks.length) entry("marks-list", "none");
}
function fillWorkers() {
  const head = ["worker", ...COLORED, "transitions", "wakes", "of use", "futile"];
  const rows = lanes.map((l, row) => {
    const total = {};
    for (let k = 0; k < l.count; k++) { const s = meta.states[l.state[k] & 15]; total[s] = (total[s] ?? 0) + l.start[k + 1] - l.start[k]; }
    const mine = wakes.filter((w) => w.target === row);
    return ["w" + l.worker, ...COLORED.map((s) => unit(total[s] ?? 0)), l.count, mine.length,
      mine.filter((w) => w.verdict === VERDICT.useful || w.verdict === VERDICT.latch).length,
      mine.filter((w) => w.verdict === VERDICT.futile).length];
  });
  const make = (cells, tag) => { const tr = document.createElement("tr"); for (const c of cells) { const td = document.createElement(tag); td.textContent = c; tr.append(td); } return tr; };
  $("workers").append(make(head, "th"), ...rows.map((r) => make(r, "td")));
}
function histogram(name, values) {
  if (!values.length) return;
  const bins = [];
  for (const v of values) { const b = Math.max(0, Math.floor(Math.log2(v))); bins[b] = (bins[b] ?? 0) + 1; }
  values.sort((a, b) => a - b);
  const at = (p) => unit(values[Math.min(values.length - 1, Math.floor(p * values.length))]);
  const first = bins.findIndex((b) => b), n = bins.length - first, most = Math.max(...bins.filter((b) => b));
  const svg = [`<svg width="${n * 22 + 8}" height="96" role="img" aria-label="histogram of ${name}">`];
  for (let b = first; b < bins.length; b++) {
    const h = 74 * (bins[b] ?? 0) / most, px = (b - first) * 22 + 4;
    svg.push(`<rect x="${px}" y="${76 - h}" width="19" height="${h}" fill="var(--sleeping)"><title>${unit(2 ** b)} to ${unit(2 ** (b + 1))}: ${bins[b] ?? 0}</title></rect>`);
    if ((b - first) % 3 === 0) svg.push(`<text x="${px}" y="92" font-size="10" fill="currentColor">${unit(2 ** b)}</text>`);
  }
  const figure = document.createElement("figure");
  figure.innerHTML = svg.join("") + "</svg>";
  const caption = document.createElement("figcaption");
  caption.textContent = `${name}: ${values.length}; p50 ${at(.5)}, p90 ${at(.9)}, p99 ${at(.99)}`;
  figure.append(caption); $("histograms").append(figure);
}
function fillHistograms() {
  histogram("publish to notify", wakes.filter((w) => w.published).map((w) => Math.max(1, -w.published)));
  histogram("notify to awake", wakes.filter((w) => w.awake > 0).map((w) => w.awake));
  histogram("awake to first job", wakes.filter((w) => w.first > w.awake && w.awake).map((w) => w.first - w.awake));
  if (!$("histograms").childElementCount) $("histograms").textContent = "no wake in this trace";
}
function fillHead() {
  const p = meta.pools.map((q) => `${q.policy}, ${q.workers} workers`).join("; ");
  $("title").textContent = `${meta.trace}: ${p}; ${meta.events.toLocaleString("en")} events in ${unit(meta.duration)}`;
  $("summary").textContent = $("answer").textContent.trim();
  if (meta.lost || meta.truncated) {
    $("notice").hidden = false;
    $("notice").textContent = (meta.lost ? `${meta.lost} events were lost: hatched spans are not certain. ` : "") + (meta.truncated ? "The trace ends before the pool does: its end is not known." : "");
  }
  for (const s of COLORED.slice(0, 4)) {
    const e = document.createElement("span");
    e.innerHTML = `<i style="background:var(--${s})"></i>${GLYPH[s]} ${s}`;
    $("legend").append(e);
  }
  const e = document.createElement("span");
  e.textContent = "▲ wake of use  △ futile wake  ╱ not certain";
  $("legend").append(e);
}

// ---- keys and mouse ----

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
  chosen = wakes[above(wakeAt, t) - 1].target; cursor = t;
  if (t < from || t > to) jump(t);
  explain(); redraw();
}
function toStorm(step) {
  const t = nextIn(storms.storms.map((s) => s.at), step);
  const s = storms.storms.find((q) => q.at === t);
  if (s) { jump(s.at, Math.max(2000, (s.end - s.at) * 1.6)); explain(); }
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
  "+": () => zoom(.6), "=": () => zoom(.6), "-": () => zoom(1 / .6), 0: () => show(0, span),
  ArrowUp: () => choose(chosen - 1), k: () => choose(chosen - 1),
  ArrowDown: () => choose(chosen + 1), j: () => choose(chosen + 1),
  ",": () => transition(-1), ".": () => transition(1), "[": () => toWake(-1), "]": () => toWake(1),
  s: () => toStorm(1), S: () => toStorm(-1), e: explain, d: theme,
  w: () => { arrows = !arrows; redraw(); },
  u: () => { const last = undo.pop(); if (last) { [from, to, cursor, chosen] = last; redraw(); } },
  "?": () => { $("help").hidden = !$("help").hidden; }, Escape: () => { $("help").hidden = true; },
};
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || !KEYS[e.key]) return;
  KEYS[e.key](); e.preventDefault();
});
let drag = null;
view.addEventListener("pointerdown", (e) => {
  drag = { x: e.offsetX, from, to, moved: false }; view.setPointerCapture(e.pointerId); view.focus();
});
view.addEventListener("pointermove", (e) => {
  if (!drag) return;
  const dt = (drag.x - e.offsetX) / (width - LEFT) * (drag.to - drag.from);
  if (Math.abs(drag.x - e.offsetX) > 3) drag.moved = true;
  if (drag.moved) show(drag.from + dt, drag.to + dt);
});
view.addEventListener("pointerup", (e) => {
  if (drag && !drag.moved && e.offsetX > LEFT) cursor = timeAt(e.offsetX);
  if (drag && !drag.moved) choose(Math.floor((e.offsetY - AXIS) / (ROW + GAP)));
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
$("fit").onclick = () => show(0, span); $("theme").onclick = theme; $("helpButton").onclick = KEYS["?"];
window.addEventListener("resize", resize);

if (window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
colors(); fillHead(); fillLists(); fillWorkers(); fillHistograms(); resize(); draw();

// ---- self-measurement: report.html#bench pans and zooms, and writes what a frame took ----

if (location.hash === "#bench") {
  const took = [];
  for (let i = 0; i < 240; i++) {
    const w = span * 2 ** -(i % 24), a = (span - w) * ((i * 7) % 240) / 240, start = performance.now();
    from = a; to = a + w; draw();
    ctx.getImageData(0, 0, 1, 1); // the drawing is done when this returns
    took.push(performance.now() - start);
  }
  took.sort((a, b) => a - b);
  document.body.dataset.bench = JSON.stringify({ frames: took.length, p50: took[120], p99: took[237], max: took[239] });
}
window.dozeReport = { show, jump, explain, choose, state: () => ({ from, to, cursor, chosen }), lanes, wakes, meta };
})();
