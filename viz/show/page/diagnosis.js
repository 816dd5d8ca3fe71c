// SPDX-License-Identifier: MIT
//
// diagnosis.js - the causes found by doze diagnose, each with a link to its worst moment, and the table of
// phases.

const diagnosis = JSON.parse($("causes").textContent);
function causeItem(c) {
  const li = document.createElement("li"), kind = document.createElement("b"), change = document.createElement("span");
  kind.textContent = `${c.kind}, ${unit(c.cost)} of worker time (${share(c.share, 1)})`;
  change.textContent = c.change ? ` What to change: ${c.change}.` : "";
  li.append(kind, `: ${c.cause}; ${c.evidence}.`, change);
  li.title = `show its worst moment, ${position(c.from)} to ${position(c.to)}`;
  li.tabIndex = 0;
  li.onclick = () => { goTo((c.from + c.to) / 2, Math.max(2000, (c.to - c.from) * 1.2))(); };
  li.onkeydown = (e) => { if (e.key === "Enter") li.onclick(); };
  return li;
}
function fillDiagnosis() {
  const causes = diagnosis.causes ?? [];
  if (!causes.length) return;
  $("diagnosis").hidden = false;
  $("diagnosis-list").append(...causes.map(causeItem));
}

// Adds to sum the exact time that a lane spent in each state from a to b.
function exactTime(lane, a, b, sum) {
  for (let k = Math.max(0, above(lane.start, a, lane.count) - 1); k < lane.count && lane.start[k] < b; k++) {
    const c = COLORED.indexOf(meta.states[lane.state[k] & 15]);
    const time = Math.min(b, lane.start[k + 1]) - Math.max(a, lane.start[k]);
    if (c >= 0 && time > 0 && !(lane.state[k] & 16)) sum[c] += time;
  }
}
// Measures what happened from a to b, in all lanes.
function measure(a, b) {
  const sum = new Float64Array(COLORED.length), verdict = {};
  for (const lane of lanes) exactTime(lane, a, b, sum);
  const first = above(wakeAt, a - 1), last = above(wakeAt, b - 1);
  for (let i = first; i < last; i++) { const v = meta.verdicts[wakes[i].verdict]; verdict[v] = (verdict[v] ?? 0) + 1; }
  return { time: Object.fromEntries(COLORED.map((s, i) => [s, sum[i]])), all: sum.reduce((x, y) => x + y, 0), verdict,
    wakes: last - first, storms: storms.storms.filter((s) => s.at >= a && s.at < b).length };
}
function phaseRow(name, a, b) {
  const m = measure(a, b), t = m.time, tr = tableRow([name, position(a), unit(b - a), "", "", "", count(m.wakes), count(m.verdict.futile ?? 0),
    count(m.storms)]);
  shareCell(tr.cells[3], t.active, m.all); shareCell(tr.cells[4], t.idle + t.sleepy, m.all); shareCell(tr.cells[5], t.sleeping, m.all);
  tr.className = "go"; tr.tabIndex = 0; tr.title = "show this phase";
  tr.onclick = goTo((a + b) / 2, b - a);
  tr.onkeydown = (e) => { if (e.key === "Enter") tr.onclick(); };
  return tr;
}
const PHASES = 200; // more marks than this are events rather than phases
function fillPhases() {
  const marks = meta.marks.slice(0, PHASES), ends = [...marks.slice(1).map((m) => m.at), span];
  if (!marks.length) return;
  $("phases-part").hidden = false;
  const head = tableRow(["phase", "from", "duration", "active", "searching", "asleep", "wakes", "futile", "storms"], "th");
  const before = marks[0].at > span / 1000 ? [phaseRow("(before)", 0, marks[0].at)] : [];
  $("phases").append(head, ...before, ...marks.map((m, i) => [m, ends[i]]).filter(([m, end]) => end > m.at).map(([m, end]) => phaseRow(m.text, m.at, end)));
  if (meta.marks.length > PHASES) $("phases").append(tableRow([`… and ${count(meta.marks.length - PHASES)} more`]));
}
