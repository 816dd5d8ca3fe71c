// SPDX-License-Identifier: MIT
//
// cards.js - the key figures, the figures for the visible part, the search, and the link to a view.

function card(value, name, bad, id) {
  const e = document.createElement("div"), number = document.createElement("b"), label = document.createElement("span");
  number.textContent = value; label.textContent = name;
  if (bad) e.className = "bad";
  if (id) { e.tabIndex = 0; e.onclick = () => $(id).scrollIntoView({ behavior: "smooth" }); e.onkeydown = (k) => { if (k.key === "Enter") e.onclick(); }; }
  e.append(number, label); $("cards").append(e);
}
const percent = (part, all) => (all > 0 ? `${(100 * part / all).toFixed(1)} %` : "-");
// The names are the same as in `doze compare` and `doze storms`.
function fillCards() {
  if (foreign) { fillForeignCards(); return; }
  const t = storms.time, all = Object.values(t).reduce((a, b) => a + b, 0), p = storms.latency.publish_job;
  card(unit(partTo - partFrom), "duration");
  card(percent(t.active, all), "share active");
  card(percent(t.idle + t.sleepy, all), "share searching");
  card(storms.wakes.toLocaleString("en"), `wakes, ${percent(storms.futile_ratio, 1)} futile`, storms.futile_ratio > .5, "verdicts");
  card(storms.storm_count.toLocaleString("en"), storms.storm_count === 1 ? "storm" : "storms", storms.storm_count > 0, "storms-list");
  card(meta.doubt ? "?" : meta.findings.length.toLocaleString("en"), meta.doubt ? "findings: inconclusive" : "findings", meta.findings.length > 0, "findings-list");
  if (p.count) card(unit(p.p99), "publish->job, p99", false, "histograms");
}
// Describes what happens in the selected range, or in the visible part if no range is selected.
let range = null; // [from, to]: selected with Shift and the mouse
function tellView() {
  const a = range ? range[0] : Math.max(0, from), b = range ? range[1] : Math.min(span, to), m = measure(a, b);
  const states = COLORED.filter((s) => m.time[s] > 0).map((s) => `${wordFor(s)} ${percent(m.time[s], m.all)}`);
  const verdicts = Object.entries(m.verdict).map(([v, n]) => `${n.toLocaleString("en")} ${wordFor(v)}`);
  const jobs = lanes.some((l) => l.job.length) ? `, ${plural(lanes.reduce((n, l) => n + above(l.jobAt, b) - above(l.jobAt, a - 1), 0), "recorded job")}` : "";
  $("inview").textContent = `${range ? "Selected" : "In view"}: ${position(a)} to ${position(b)}, ${unit(b - a)}${jobs}. ${states.join(", ")}. ` +
    `${m.wakes.toLocaleString("en")} wakes${verdicts.length ? ": " + verdicts.join(", ") : ""}.`;
}
function drawRange() {
  if (!range) return;
  ctx.globalAlpha = .15; ctx.fillStyle = css.fg;
  ctx.fillRect(x(range[0]), AXIS, x(range[1]) - x(range[0]), view.clientHeight - AXIS); ctx.globalAlpha = 1;
}
// Shows only the list entries that contain the text. Enter goes to the first one.
function search(text, go) {
  const lists = ["storms-list", "findings-list", "marks-list"].flatMap((id) => [...$(id).children]);
  const hits = lists.filter((li) => !(li.hidden = !li.textContent.toLowerCase().includes(text.toLowerCase())));
  if (go) hits.find((li) => li.onclick)?.onclick();
}
$("search").oninput = (e) => search(e.target.value);
$("search").onkeydown = (e) => { e.stopPropagation(); if (e.key === "Enter") search(e.target.value, true); };
// The address contains the view, so a link opens the same view.
let settling = 0;
function settle() {
  clearTimeout(settling);
  settling = setTimeout(() => {
    tellView();
    if (location.hash !== "#bench") history.replaceState(null, "", `#from=${Math.round(from)}&to=${Math.round(to)}&lane=${chosen}` +
      (range ? `&range=${Math.round(range[0])}-${Math.round(range[1])}` : ""));
  }, 150);
}
function followLink() {
  const m = /^#from=(-?\d+)&to=(\d+)&lane=(\d+)(?:&range=(\d+)-(\d+))?$/.exec(location.hash);
  if (!m || +m[2] <= +m[1]) return;
  chosen = Math.min(+m[3], lanes.length - 1);
  if (m[4] && +m[5] > +m[4]) range = [+m[4], +m[5]];
  show(+m[1], +m[2]);
}
