// SPDX-License-Identifier: MIT
//
// jobs.js - draws the recorded jobs as thin slices at the top of their worker's lane, over its
// states. A job that runs while another job of the worker waits is drawn below the waiting job.

function unpackJobs(lane, row) {
  if (!lane.jobs || !$("jobs" + row)) return null;
  const r = reader(bytesOf("jobs" + row)), all = [];
  let t = 0;
  for (let k = 0; k < lane.jobs; k++) { t += r.signed(); all.push({ at: t, end: t + r.number(), depth: r.byte(), id: r.number() }); }
  return all.sort((a, b) => a.at - b.at || a.depth - b.depth);
}
lanes.forEach((lane, i) => {
  lane.job = unpackJobs(meta.lanes[order[i]], order[i]) ?? [];
  lane.jobAt = Float64Array.from(lane.job, (j) => j.at);
  lane.jobLongest = lane.job.reduce((most, j) => Math.max(most, j.end - j.at), 0);
});
const jobName = (id) => `job ${id >= 2 ** 44 ? `${Math.floor(id / 2 ** 44) - 1}.${id % 2 ** 44}` : id}`;
// Returns the jobs of a lane from a to b, or null if there may be more than `most`. Looks far
// enough back to find a long job that began before a.
function jobsBetween(lane, a, b, most) {
  const first = above(lane.jobAt, a - lane.jobLongest - 1), last = above(lane.jobAt, b);
  return last - first > most ? null : lane.job.slice(first, last).filter((j) => j.end >= a);
}
function drawJobs(lane, row) {
  const top = laneTop[row], list = jobsBetween(lane, from, to, 4 * (width - LEFT));
  if (!list) return; // the jobs are narrower than a pixel
  const high = Math.max(2, Math.floor(ROW / 6));
  ctx.fillStyle = css.job;
  for (const j of list) {
    const x0 = Math.max(LEFT, x(j.at)), x1 = Math.min(width, x(j.end));
    if (x1 - x0 < 2 || j.depth > 3) continue;
    ctx.fillRect(x0, top + j.depth * high, x1 - x0 - .5, high - 1);
  }
}
// Describes the jobs that a lane is running at t, the innermost last.
function jobText(lane, t) {
  const list = (jobsBetween(lane, t, t, 1e5) ?? []).filter((j) => j.at <= t && t < j.end);
  return list.length ? [`It runs ${list.map((j) => `${jobName(j.id)} (${unit(j.end - j.at)}, from ${position(j.at)})`).join(", and within it ")}.`] : [];
}
