// SPDX-License-Identifier: MIT
//
// data.js - unpacks the data that viz/show/report_data.c packed: lanes, counters words, wakes.
// States, verdicts and storms come from doze's model; the page only draws them.
//
// The files of this folder form one script, in the order of ../report.c: each file uses the ones before it.

const $ = (id) => document.getElementById(id);
const meta = JSON.parse($("meta").textContent);
const storms = JSON.parse($("storms").textContent);
const COLORED = ["active", "idle", "sleepy", "sleeping", "blocked", "suspended"];
const HEIGHT = [1, .8, .6, .35, 1, .9]; // heights of the bars, in the same order

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
    // Zigzag: the low bit is the sign. Uses arithmetic instead of shifts, because numbers may
    // exceed 32 bits.
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
    t += r.signed(); ts[k] = t;
    sleeping[k] = r.number(); idle[k] = r.number(); jec[k] = r.number();
  }
  return { ts, sleeping, idle, jec, count: n };
}
function unpackWakes() {
  const r = reader(bytesOf("wakes0")), all = [];
  let t = 0;
  for (let k = 0; k < meta.wakes; k++) {
    t += r.signed();
    // A signal may reach no worker. Such a wake has a pool but no lane (-1).
    const named = r.number(), target = named ? place[named - 1] ?? -1 : -1;
    const pool = named ? meta.lanes[named - 1].pool : r.number(), waker = r.signed();
    const w = { at: t, target, pool, waker, by: rowOf(pool, waker), vtid: r.signed(),
      cause: r.byte(), verdict: r.byte(), id: r.number(), decision: r.number() };
    w.published = r.signed(); w.awake = r.signed(); w.first = r.signed();
    all.push(w);
  }
  return all.sort((a, b) => a.at - b.at);
}
// Rows are in the order in which the workers appeared in the trace; lanes are ordered by pool and
// index.
const byKey = (a, b) => a.host - b.host || a.vpid - b.vpid || a.pool - b.pool;
const poolOrder = meta.pools.map((_, i) => i).sort((i, j) => byKey(meta.pools[i], meta.pools[j]));
const rank = [];
poolOrder.forEach((pool, i) => { rank[pool] = i; });
const order = meta.lanes.map((_, i) => i).filter((i) => !meta.lanes[i].hidden).sort((i, j) => {
  const a = meta.lanes[i], b = meta.lanes[j];
  return rank[a.pool] - rank[b.pool] || a.worker - b.worker;
});
const place = []; // row -> index of its lane
order.forEach((row, i) => { place[row] = i; });
const lanes = order.map((row) => unpackLane(meta.lanes[row], row));
const words = meta.pools.map(unpackWord);
const rows = new Map(lanes.map((l, i) => [l.pool * 65536 + l.worker, i]));
const rowOf = (pool, worker) => (worker < 0 ? -1 : rows.get(pool * 65536 + worker) ?? -1);
const wakes = unpackWakes();
const wakeAt = Float64Array.from(wakes, (w) => w.at);
// If there are several pools, they have the same names as in doze storms.
const several = meta.pools.length > 1;
// Programs without libdoze have crews of threads, and less is known of them: see foreign.js.
const foreign = storms.foreign, W = foreign ? "t" : "w";
const poolTitle = (i) => (foreign ? meta.pools[i].words || `crew ${meta.pools[i].pool} '${meta.pools[i].name}'`
  : `${meta.pools[i].words || "pool " + meta.pools[i].pool} (${meta.pools[i].policy})`);
const poolSize = (i) => (foreign ? plural(meta.pools[i].workers, "thread") : `${meta.pools[i].workers} workers`);
const workerName = (pool, worker) => meta.pools[pool].prefix + W + worker;
const FOREIGN_WORDS = { active: "not in a wait that doze sees", idle: "woken, and holds its mutex", sleeping: "waiting",
  futile: "in vain", went_on: "went on", nobody: "woke nobody", stopped: "ended" };
// Short words for states, for the lanes.
const FOREIGN_LABELS = { active: "no wait", idle: "woken", sleeping: "waits" };
// Returns the word for a state or a verdict.
const wordFor = (name) => (foreign && FOREIGN_WORDS[name]) || name;

// Returns the first index whose value is greater than t.
function above(array, t, n = array.length) {
  let lo = 0, hi = n;
  while (lo < hi) { const mid = (lo + hi) >> 1; if (array[mid] > t) hi = mid; else lo = mid + 1; }
  return lo;
}

// ---- numbers as text, as in viz/words/units.c ----

// Formats a duration with three digits.
function unit(ns) {
  const a = Math.abs(ns);
  const [d, u] = a >= 999.5e6 ? [1e9, "s"] : a >= 999.5e3 ? [1e6, "ms"] : a >= 999.5 ? [1e3, "µs"] : [1, "ns"];
  return (ns / d).toFixed(d === 1 || a / d >= 99.95 ? 0 : a / d >= 9.995 ? 1 : 2) + " " + u;
}
// Formats a time in the trace, rounded down to `step`, in the form that --from and --to accept.
function position(ns, step = 1000) {
  const decimals = Math.max(0, 9 - Math.floor(Math.log10(step) + 1e-9));
  const whole = Math.floor(ns / 10 ** (9 - decimals)), a = Math.abs(whole);
  const scale = 10 ** decimals, rest = String(a % scale).padStart(decimals, "0");
  return (whole < 0 ? "-" : "") + Math.floor(a / scale) + (decimals ? "." + rest : "") + "s";
}
