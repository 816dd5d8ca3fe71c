// SPDX-License-Identifier: MIT
//
// tables.js - what doze storms measured: wakes by verdict, under-wakes, near misses, critical paths, workers.
// Sums, percentiles and histograms are the model's, as doze storms --json has them.

const count = (n) => n.toLocaleString("en");
const share = (part, all) => (all > 0 ? (100 * part / all).toFixed(1) + " %" : "–");
function tableRow(cells, tag = "td") {
  const tr = document.createElement("tr");
  for (const c of cells) { const td = document.createElement(tag); td.textContent = c; tr.append(td); }
  return tr;
}
function line(id, text, go) {
  const p = document.createElement("p");
  p.textContent = text;
  if (go) { p.className = "go"; p.tabIndex = 0; p.onclick = go; p.onkeydown = (e) => { if (e.key === "Enter") go(); }; }
  $(id).append(p);
  return p;
}
const goTo = (at, width) => () => { jump(at, width); explain(); view.focus(); };
function fillWakes() {
  const kinds = ["useful", "futile", "latch", "terminate", "redundant", "self", "unresolved"];
  const row = (name, v) => tableRow([name, ...kinds.map((k) => count(v[k]))]);
  $("verdicts").append(tableRow(["cause", ...kinds], "th"));
  for (const [cause, v] of Object.entries(storms.by_cause))
    if (kinds.some((k) => v[k])) $("verdicts").append(row(CAUSE[cause] ?? cause, v));
  $("verdicts").append(row("all", storms.verdicts));
  const per = storms.amplification === null ? "" : `${storms.amplification.toFixed(2)} wakes a job; `;
  line("wakes-said", `${share(storms.futile_ratio, 1)} of the wakes whose verdict is known were futile; ${per}${count(storms.herd_excess)} more woken than ran a job for it.`);
  const c = storms.chain;
  if (c.wakes) line("wakes-said", `Chains: ${plural(c.wakes, "wake")} by searchers that found work, ${count(c.futile)} futile; the longest has ${plural(c.longest, "link")}.`);
}
const LEFT_BY = { unknown: "by a post that was not seen", woke: "by one that did wake", idle: "by one that relied on an idle worker",
  none_asleep: "when nobody slept yet", rule: "as the policy's rule has it" };
function fillUnderwakes() {
  const u = storms.underwake;
  if (!u) { line("underwakes", "This recording's level of detail cannot tell (record with --detail jobs)."); return; }
  if (!u.spans) { line("underwakes", none("None.")); return; }
  line("underwakes", `${plural(u.spans, "span")} in which a job waited, a worker slept and nobody searched: together ${unit(u.total)}, the longest ${unit(u.worst)} at ${position(u.worst_at)}.`,
    goTo(u.worst_at + u.worst / 2, u.worst * 1.6));
  const left = Object.entries(u.left_by).filter(([, n]) => n).map(([why, n]) => `${LEFT_BY[why] ?? why}: ${count(n)}`);
  if (left.length) line("underwakes", `The job was left ${left.join("; ")}.`);
  const p = u.worst_post;
  if (!p) return;
  const saw = p.sleeping_seen < 0 ? "nothing" : (p.idle_seen < 0 ? "" : `${p.idle_seen} idle and `) + `${p.sleeping_seen} asleep`;
  line("underwakes", `The longest was left by ${p.queue === "local" ? "a push to the own deque" : "a post to the injector"} of ${p.poster < 0 ? outsider(p.poster_vtid) : "w" + p.poster}` +
    ` at ${position(p.at)}${p.or_next ? ", or one soon after" : ""}: it saw ${saw}, published ${plural(p.jobs, "job")}, chose ${plural(p.wakes, "wake")}.`, goTo(p.at, 2e6));
}
const ABORT = { jec: "the jobs event counter had changed", latch: "the latch was set", injector: "a job in the injector",
  broadcast: "a broadcast", tickled: "somebody tickled the pool", recheck: "the last look found work" };
function fillNearMisses() {
  const all = Object.entries(storms.near_misses).filter(([, n]) => n), sum = all.reduce((s, [, n]) => s + n, 0);
  line("nearmisses", sum ? `${plural(sum, "sleep")} averted at the last moment: ${all.map(([why, n]) => `${count(n)}, for ${ABORT[why] ?? why}`).join("; ")}.`
    : none("No sleep was averted at the last moment."));
}
// A path as a bar of its parts, and in words: hue is never alone.
function pathParts(p) {
  const named = p.work.map((w) => [w.worker < 0 ? `outside (${w.vtid})` : "w" + w.worker, w.time, "active"]);
  return [...named, ["others", p.others, "active"], ["waiting", p.wait, "wake"], ["searching", p.search, "idle"],
    ["asleep", p.asleep, "sleeping"], ["blocked", p.blocked, "blocked"]]
    .filter(([, ns]) => ns >= .0005 * (p.end - p.at)); // what would be said as 0.0 %
}
function pathBar(p) {
  const bar = document.createElement("div"), all = p.end - p.at;
  bar.className = "bar";
  for (const [name, ns, color] of pathParts(p)) {
    const part = document.createElement("i");
    part.style.cssText = `width:${100 * ns / all}%;background:var(--${color})`;
    part.title = `${name}: ${unit(ns)}`;
    bar.append(part);
  }
  return bar;
}
function fillPaths() {
  for (const p of storms.critical_paths) {
    const all = p.end - p.at, said = pathParts(p).map(([name, ns]) => `${name} ${share(ns, all)}`).join(", ");
    line("paths", `${several ? poolTitle(p.pool_row) + ": " : ""}${p.phase || "(start)"}, ${unit(all)} from ${position(p.at)}: ${said}`,
      goTo((p.at + p.end) / 2, all * 1.1));
    $("paths").append(pathBar(p));
  }
  if (storms.critical_paths_missing) line("paths", `No critical path of ${plural(storms.critical_paths_missing, "pool")}: too many workers at once.`);
  if (!storms.critical_paths.length) line("paths", none("None: no work was seen."));
}
// A share, with a bar behind it: who is woken again and again stands out.
function shareCell(td, part, all) {
  td.textContent = share(part, all);
  td.className = "share";
  td.style.setProperty("--share", `${all > 0 ? 100 * part / all : 0}%`);
}
// How many of a pool's wakes hit workers of the lower half: jec scans from index 0.
function bias(pool, workers) {
  const half = Math.floor(meta.pools[pool].workers / 2);
  const woken = (those) => those.reduce((s, w) => s + w.woken, 0), all = woken(workers);
  if (!half || !all) return;
  line("bias", `Wakee bias${several ? ` in ${poolTitle(pool)}` : ""}: the lower half of the indices got ${share(woken(workers.filter((w) => w.worker < half)), all)} of the wakes.`);
}
function workerRow(w, all) {
  const tr = tableRow([workerName(w.pool_row, w.worker), ...COLORED.map((s) => unit(w.time[s])),
    ...[w.woken, 0, w.wakes_sent, w.futile_sent, w.jobs_run].map(count)]);
  shareCell(tr.cells[COLORED.length + 2], w.woken, all);
  return tr;
}
// A thread that is none of the pool's workers only wakes.
function outsideRow(o) {
  return tableRow([`${meta.pools[o.pool_row].prefix}outside${o.vtid < 0 ? "" : ` (${o.vtid})`}`, ...COLORED.map(() => ""), "", "",
    count(o.wakes_sent), count(o.futile_sent), ""]);
}
function fillWorkers() {
  const table = $("workers");
  table.append(tableRow(["worker", ...COLORED, "woken", "share", "wakes sent", "of these futile", "jobs run"], "th"));
  for (const pool of poolOrder) {
    const workers = storms.workers.filter((w) => w.pool_row === pool).sort((a, b) => a.worker - b.worker);
    const all = workers.reduce((s, w) => s + w.woken, 0);
    table.append(...workers.map((w) => workerRow(w, all)), ...storms.outside.filter((o) => o.pool_row === pool).map(outsideRow));
    bias(pool, workers);
  }
  const sum = COLORED.reduce((s, k) => s + storms.time[k], 0);
  line("bias", `Workers' time: ${COLORED.filter((s) => storms.time[s]).map((s) => `${share(storms.time[s], sum)} ${s}`).join(", ")}.`);
}
function fillTables() { fillWakes(); fillUnderwakes(); fillNearMisses(); fillPaths(); fillHistograms(); fillWorkers(); }
