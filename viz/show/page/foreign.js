// SPDX-License-Identifier: MIT
//
// foreign.js - the figures and tables of a program without libdoze. Every number of wakes in vain is a lower
// bound; if no thread has waited again, nothing is known of it.

const vain = (n) => (foreign.futile_at_least === null ? "not known" : n === null ? "–" : `at least ${count(n)}`);
function foreignStorm(s) {
  const by = s.waker >= 0 ? workerName(s.pool_row, s.waker) : outsider(s.waker_vtid);
  return `${s.decisions > 1 ? `${plural(s.decisions, "call")} in a row, the first by ${by},` : by} woke ${plural(s.woken, "thread")}, ${vain(s.futile_at_least)} in vain` +
    (s.posted_at ? `, at ${s.posted_at}` : "");
}
function fillForeignCards() {
  card(unit(partTo - partFrom), "duration");
  card(count(foreign.woken), "threads woken", false, "verdicts");
  card(vain(foreign.futile_at_least), "of these in vain", foreign.futile_at_least > 0, "verdicts");
  card(foreign.calls ? count(foreign.nobody) : "–", `of ${count(foreign.calls)} wake calls found no waiter`, false, "verdicts");
  card(meta.doubt ? "?" : count(meta.findings.length), meta.doubt ? "findings: inconclusive" : "findings", meta.findings.length > 0, "findings-list");
}
// Hides the sections about work, of which nothing is known, and fills the others.
function fillForeign() {
  const title = (id, text) => { const h = $(id).closest("section").querySelector("h2"); if (h) h.textContent = text; };
  for (const id of ["histograms", "rest", "paths"]) $(id).closest("section").style.display = "none";
  $("explain").textContent = "Click on a lane to see what the thread did.";
  $("storms-list").parentElement.querySelector("h2").textContent = "Storms, most wakes in vain first";
  title("verdicts", "Places that wake");
  // The places with the most calls come first, each followed by those that call it.
  const calls = new Map(foreign.places.filter((p) => !p.caller2).map((p) => [p.caller, p.calls]));
  const order = (a, b) => (calls.get(b.caller) || 0) - (calls.get(a.caller) || 0) || a.caller - b.caller || a.caller2 - b.caller2;
  $("verdicts").append(tableRow(["place", "kind", "calls", "no waiter", "wakes", "in vain"], "th"),
    ...[...foreign.places].sort(order).map((p) => tableRow([
      p.caller2 ? `${p.place}, called by ${p.called_by}` : p.place, ...(p.caller2 ? ["", "", ""] : [p.kind, count(p.calls), count(p.nobody)]),
      count(p.woken), !p.woken ? "–" : p.kind === "cond" || p.caller2 || p.futile_at_least ? vain(p.futile_at_least) : "not known"])));
  title("workers", "Crews: threads with one start routine and one stem of their names");
  $("workers").append(tableRow(["crew", "threads at once, at most", "waits", "woken", "in vain", "timed out"], "th"),
    ...foreign.crews.map((c) => tableRow([`${c.pool} '${c.name}'`, ...[c.threads, c.waits, c.woken].map(count),
      c.futile_at_least === null ? "not known" : vain(c.futile_at_least), count(c.timed_out)])));
}
