// SPDX-License-Identifier: MIT
//
// pyramids.js - summaries for drawing details finer than a pixel: the time in each state per
// bucket, at bucket widths that double from level to level, and the maximum of a counter over 2, 4,
// 8, ... steps.

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

// Adds to sum the time that a lane spent in each state during one pixel, from t0 to t1. Returns the
// time covered.
function timeInStates(lane, t0, t1, perPx, sum) {
  const finest = Math.floor(Math.log2(perPx / (span / LEVEL0))), n = COLORED.length;
  const data = lane.levels[Math.min(lane.levels.length - 1, Math.max(0, finest))];
  const buckets = data.length / n, bucket = span / buckets;
  const b0 = Math.max(0, Math.floor(t0 / bucket)), b1 = Math.max(b0 + 1, Math.min(buckets, Math.ceil(t1 / bucket)));
  for (let b = b0; b < b1; b++)
    for (let c = 0; c < n; c++) sum[c] += data[b * n + c];
  return (b1 - b0) * bucket;
}

// Returns the maxima of a counter over 1, 2, 4, 8, ... steps.
function maxima(values) {
  const levels = [values];
  for (let below = values; below.length > 1; below = levels[levels.length - 1]) {
    const next = new Uint32Array(below.length >> 1);
    for (let i = 0; i < next.length; i++) next[i] = Math.max(below[2 * i], below[2 * i + 1]);
    levels.push(next);
  }
  return levels;
}
// Returns the maximum over the steps a to b, inclusive.
function greatest(levels, a, b) {
  let most = 0;
  for (let level = 0; a <= b && level < levels.length; level++) {
    const v = levels[level];
    if (a & 1 || a === b) { if (v[a] > most) most = v[a]; a++; }
    if (a <= b && !(b & 1)) { if (v[b] > most) most = v[b]; b--; }
    a >>= 1; b = (b - 1) >> 1;
  }
  return most;
}
words.forEach((w, pool) => {
  if (!w) return;
  w.maxSleeping = maxima(w.sleeping); w.maxIdle = maxima(w.idle);
  w.toggled = new Uint32Array(w.count);
  w.counts = storms.pools[pool].jec; // true if the policy has a JEC
  for (let k = 1; k < w.count; k++) w.toggled[k] = w.toggled[k - 1] + (w.jec[k] !== w.jec[k - 1]);
});
