// SPDX-License-Identifier: MIT
//
// explain.js - what the chosen worker does at the cursor, in sentences.

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
  if (k < 0 || cursor > lane.start[lane.count]) { $("explain").textContent = `w${lane?.worker ?? "?"} was not there at ${position(cursor)}.`; return; }
  const s = meta.states[lane.state[k] & 15], why = REASON[meta.reasons[lane.why[k]]] ?? "";
  let text = `w${lane.worker} is ${s} from ${position(lane.start[k])} for ${unit(lane.start[k + 1] - lane.start[k])}` + (why ? `, because ${why}.` : ".");
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
