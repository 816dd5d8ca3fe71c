// SPDX-License-Identifier: MIT
//
// tables.js - the measures of doze storms: wakes by verdict, under-wakes, near misses, critical paths, workers.
// Sums, percentiles and histograms come from doze storms --json.

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
  const per = storms.amplification === null ? "" : `${storms.amplification.toFixed(2)} wakes per job; `;
  line("wakes-text", `${share(storms.futile_ratio, 1)} of the resolved wakes were futile; ${per}${count(storms.herd_excess)} woken in excess of useful wakes (herd excess).`);
  const c = storms.chain;
  if (c.wakes) line("wakes-text", `Chains: ${plural(c.wakes, "wake")} by searchers that found work, ${count(c.futile)} futile; the longest chain has ${plural(c.longest, "link")}.`);
}
const LEFT_BY = { unknown: "by a post that was not recorded", woke: "by a post that woke workers", idle: "by a post that relied on an idle worker",
  none_asleep: "by a post before any worker slept", rule: "by the policy's rule" };
function fillUnderwakes() {
  const u = storms.underwake;
  if (!u) { line("underwakes", "Not measured at this level of detail (record with --detail all)."); return; }
  if (!u.spans) { line("underwakes", none("None.")); return; }
  line("underwakes", `${plural(u.spans, "span")} in which a job waited, a worker slept and none searched: total ${unit(u.total)}, longest ${unit(u.worst)} at ${position(u.worst_at)}.`,
    goTo(u.worst_at + u.worst / 2, u.worst * 1.6));
  const left = Object.entries(u.left_by).filter(([, n]) => n).map(([why, n]) => `${LEFT_BY[why] ?? why}: ${count(n)}`);
  if (left.length) line("underwakes", `Caused ${left.join("; ")}.`);
  const p = u.worst_post;
  if (!p) return;
  const saw = p.sleeping_seen < 0 ? "nothing" : (p.idle_seen < 0 ? "" : `${p.idle_seen} idle and `) + `${p.sleeping_seen} asleep`;
  const who = p.poster < 0 ? outsider(p.poster_vtid) : "w" + p.poster;
  line("underwakes", `The longest was caused by ${p.queue === "local" ? `a push by ${who} to its own deque` : `a post by ${who} to the injector`}` +
    ` at ${position(p.at)}${p.or_next ? ", or by a post soon after that" : ""}: the poster saw ${saw}, published ${plural(p.jobs, "job")}, and chose to make ${plural(p.wakes, "wake")}.`, goTo(p.at, 2e6));
}
const ABORT = { jec: "the jobs event counter had changed", latch: "the latch was set", injector: "there was a job in the injector",
  broadcast: "there was a broadcast", tickled: "the pool was tickled", recheck: "the last check found work" };
function fillNearMisses() {
  const all = Object.entries(storms.near_misses).filter(([, n]) => n), sum = all.reduce((s, [, n]) => s + n, 0);
  line("nearmisses", sum ? `${plural(sum, "sleep")} averted at the last moment: ${all.map(([why, n]) => `${count(n)} because ${ABORT[why] ?? why}`).join("; ")}.`
    : none("No sleep was averted at the last moment."));
}
function outsideName(vtid) {
  const name = storms.outside.find((o) => o.vtid === vtid)?.name;
  return (name ? `outside '${name}'` : "outside") + (vtid < 0 ? "" : ` (${vtid})`);
}
// A path is both drawn as a bar and described in words, so that hue is never the only distinction.
function pathParts(p) {
  const named = p.work.map((w) => [w.worker < 0 ? outsideName(w.vtid) : "w" + w.worker, w.time, "active"]);
  return [...named, ["others", p.others, "active"], ["waiting", p.wait, "wake"], ["searching", p.search, "idle"],
    ["asleep", p.asleep, "sleeping"], ["blocked", p.blocked, "blocked"]]
    .filter(([, ns]) => ns >= .0005 * (p.end - p.at)); // leave out parts that would show as 0.0 %
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
    const all = p.end - p.at, text = pathParts(p).map(([name, ns]) => `${name} ${share(ns, all)}`).join(", ");
    line("paths", `${several ? poolTitle(p.pool_row) + ": " : ""}${p.phase || "(start)"}, ${unit(all)} from ${position(p.at)}: ${text}`,
      goTo((p.at + p.end) / 2, all * 1.1));
    $("paths").append(pathBar(p));
  }
  if (storms.critical_paths_missing) line("paths", `No critical path for ${plural(storms.critical_paths_missing, "pool")}: too many workers at once.`);
  if (!storms.critical_paths.length) line("paths", none("None: no work was recorded."));
}
// Fills a cell with a share, and draws a bar behind it.
function shareCell(td, part, all) {
  td.textContent = share(part, all);
  td.className = "share";
  td.style.setProperty("--share", `${all > 0 ? 100 * part / all : 0}%`);
}
// Prints the share of a pool's wakes that went to the lower half of its workers. This share is large
// under jec, which scans from index 0.
function bias(pool, workers) {
  const half = Math.floor(meta.pools[pool].workers / 2);
  const woken = (those) => those.reduce((s, w) => s + w.woken, 0), all = woken(workers);
  if (!half || !all) return;
  line("bias", `Wakee bias${several ? ` in ${poolTitle(pool)}` : ""}: the lower half of the indices received ${share(woken(workers.filter((w) => w.worker < half)), all)} of the wakes.`);
}
function workerRow(w, all) {
  const tr = tableRow([workerName(w.pool_row, w.worker), ...COLORED.map((s) => unit(w.time[s])),
    ...[w.woken, 0, w.wakes_sent, w.futile_sent, w.jobs_run].map(count)]);
  shareCell(tr.cells[COLORED.length + 2], w.woken, all);
  return tr;
}
// Returns a row for an outside thread, which sends wakes but receives none.
function outsideRow(o) {
  return tableRow([meta.pools[o.pool_row].prefix + outsideName(o.vtid), ...COLORED.map(() => ""), "", "",
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
function fillTables() {
  if (foreign) { fillForeign(); return; }
  fillWakes(); fillUnderwakes(); fillNearMisses(); fillPaths(); fillHistograms(); fillWorkers(); }
