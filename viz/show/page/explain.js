// SPDX-License-Identifier: MIT
//
// explain.js - describes in sentences what the selected worker is doing at the cursor.

const REASON = { none: "", start: "it started", no_work: "it found no work",
  rounds: "it had searched in vain for long enough", found_local: "it found a job in its own deque",
  found_stolen: "it stole a job", found_injected: "there was a job in the injector",
  found_broadcast: "there was a broadcast for it",
  jec_changed: "the jobs event counter had changed since it got sleepy: work was posted",
  tickled: "the pool was tickled", latch_set: "the latch that it waited for was set",
  woken: "it was woken", self_wake: "it awoke by itself (a spurious wake)", terminate: "the pool terminated",
  mark_blocked: "it announced that it would block", mark_unblocked: "it was unblocked",
  recheck: foreign ? "it did not sleep" : "its last check found work", waits: "it called a function that waits",
  went_on: "it released its mutex", timed_out: "its wait ended without a wake" };
if (foreign) Object.assign(REASON, { self_wake: "its wait ended, by no call that doze saw", terminate: "it ended" });
const CAUSE = { push: "a push to a deque", inject: "a job from outside", latch: "a set latch",
  job_done: "a finished job", work_found: "work found by a searcher", broadcast: "a broadcast",
  terminate: "the termination of the pool", call: "a call that wakes" };
function intervalAt(lane, t) { return Math.min(lane.count - 1, above(lane.start, t, lane.count) - 1); }
const plural = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
// Describes an outside thread, by name and vtid if they are known.
function outsider(vtid) {
  const name = vtid < 0 ? null : storms.outside.find((o) => o.vtid === vtid)?.name;
  return (name ? `the ${foreign ? "" : "outside "}thread '${name}'` : "an outside thread") + (vtid < 0 ? "" : ` (vtid ${vtid})`);
}
function numbers(w) { return `(wake ${w.id}, decision ${w.decision})`; }
function wakeText(w) {
  const verdict = meta.verdicts[w.verdict], who = w.waker < 0 ? outsider(w.vtid) : W + w.waker;
  if (verdict === "self") return "It awoke by itself (a spurious wake).";
  const because = `because of ${CAUSE[meta.causes[w.cause]] ?? "?"} ${numbers(w)}`;
  if (w.target < 0) return `${who} signalled at ${position(w.at)}, ${because}, but woke no ${foreign ? "thread" : "worker"}: ${wordFor(verdict)}.`;
  const whom = lanes[w.target].worker;
  if (verdict === "redundant") return `${W}${whom} notified by ${who} at ${position(w.at)}, ${because}: redundant, because it was already awake or notified.`;
  let s = `${W}${whom} ${w.awake ? "woken" : "notified"} by ${who}, ${because}`;
  if (w.awake) s += `, awake ${unit(w.awake)} after the notification`;
  if (w.first) s += `, first job after ${unit(w.first)}`;
  return s + `: ${wordFor(verdict)}.`;
}
function stormText(s) {
  if (foreign) return foreignStorm(s);
  const by = s.waker >= 0 ? " by w" + s.waker : s.cause === "inject" ? "" : " by " + outsider(s.waker_vtid);
  const what = (CAUSE[s.cause] ?? s.cause) + by, jobs = plural(s.jobs, "job");
  const became = [[s.useful, "useful"], [s.futile, "in vain"], [s.latch, s.latch === 1 ? "owner of the latch" : "owners of latches"],
    [s.unresolved, "unresolved"], [s.woken - s.useful - s.futile - s.latch - s.unresolved, "otherwise"]];
  return (s.decisions > 1 ? `${plural(s.decisions, "decision")}, the first ${what}, made ${plural(s.woken, "wake")} for ${jobs}: `
    : `${what} woke ${plural(s.woken, "worker")} for ${jobs}: `) +
    became.filter(([n]) => n > 0).map(([n, how]) => `${n.toLocaleString("en")} ${how}`).join(", ") + `; ${unit(s.burnt)} of futile search` +
    (s.posted_at ? `; posted at ${s.posted_at}` : "");
}
// Returns sentences on the wakes that began the selected interval or happened within it. If there
// are many redundant notifications, they are only counted.
function wakesOf(from, to, subject) {
  const real = [], redundant = [];
  const a = above(wakeAt, from - 1), b = above(wakeAt, to + 1);
  for (let i = Math.max(0, a - 50); i < Math.min(wakes.length, b + 50); i++) {
    const w = wakes[i], mine = w.target === chosen || (w.target < 0 && w.by === chosen);
    const starts = Math.abs(w.at + w.awake - from) < 20000, inside = w.at >= from && w.at <= to;
    if (mine && w !== subject && (inside || starts)) (markOf[w.verdict] === "×" ? redundant : real).push(w);
  }
  const text = real.slice(0, 3).map(wakeText);
  if (redundant.length > 2) text.push(`${plural(redundant.length, "redundant notification")} in the same interval.`);
  else text.push(...redundant.map(wakeText));
  return text;
}
function countersText(pool) {
  const w = words[pool], q = w ? above(w.ts, cursor) - 1 : -1;
  if (q < 0) return [];
  const jec = w.counts ? `, JEC ${w.jec[q]} (${w.jec[q] % 2 ? "odd: work was posted since a worker got sleepy" : "even"})` : "";
  return [`Counters: ${w.sleeping[q]} sleeping, ${w.idle[q]} idle${jec}.`];
}
function laneText(lane) {
  const k = intervalAt(lane, cursor), name = workerName(lane.pool, lane.worker);
  if (k < 0 || cursor > lane.start[lane.count]) return [`${name} did not exist at ${position(cursor)}.`];
  const s = meta.states[lane.state[k] & 15], why = REASON[meta.reasons[lane.why[k]]] ?? "";
  if (s === "none") return [`${name} had not started, or had not been recorded yet, at ${position(cursor)}.`];
  return [`${name} is ${wordFor(s)} from ${position(lane.start[k])} for ${unit(lane.start[k + 1] - lane.start[k])}` +
    (why ? `, because ${why}.` : ".") + (lane.state[k] & 16 ? " Events were lost here, so this is uncertain." : "")];
}
// Explains the selected lane at the cursor; `subject` is the selected wake, if any.
function explain(subject) {
  const lane = lanes[chosen], k = lane ? intervalAt(lane, cursor) : -1;
  const text = lane ? laneText(lane) : [`This trace has no ${foreign ? "threads" : "workers"}.`];
  if (lane) text.push(...jobText(lane, cursor));
  if (subject) text.push(wakeText(subject));
  if (k >= 0 && cursor <= lane.start[lane.count]) {
    text.push(...wakesOf(lane.start[k], lane.start[k + 1], subject));
    for (const s of storms.storms)
      if (s.pool_row === lane.pool && s.at <= cursor && cursor <= s.end) text.push(`In the storm at ${position(s.at)}: ${stormText(s)}.`);
    text.push(...countersText(lane.pool));
  }
  $("explain").textContent = text.join("\n");
}
