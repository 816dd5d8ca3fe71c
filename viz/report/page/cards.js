// SPDX-License-Identifier: MIT
//
// cards.js - the figures that matter, the numbers of the part in view, the search, and the link to a view.

function card(value, name, bad, id) {
  const e = document.createElement("div"), number = document.createElement("b"), label = document.createElement("span");
  number.textContent = value; label.textContent = name;
  if (bad) e.className = "bad";
  if (id) { e.tabIndex = 0; e.onclick = () => $(id).scrollIntoView({ behavior: "smooth" }); e.onkeydown = (k) => { if (k.key === "Enter") e.onclick(); }; }
  e.append(number, label); $("cards").append(e);
}
const percent = (part, all) => (all > 0 ? `${(100 * part / all).toFixed(1)} %` : "-");
// The names are those of `doze compare` and `doze storms`.
function fillCards() {
  const t = storms.time, all = Object.values(t).reduce((a, b) => a + b, 0), p = storms.latency.publish_job;
  card(unit(meta.duration), "duration");
  card(percent(t.active, all), "share active");
  card(percent(t.idle + t.sleepy, all), "share searching");
  card(storms.wakes.toLocaleString("en"), `wakes, ${percent(storms.futile_ratio, 1)} futile`, storms.futile_ratio > .5, "verdicts");
  card(storms.storm_count.toLocaleString("en"), storms.storm_count === 1 ? "storm" : "storms", storms.storm_count > 0, "storms-list");
  card(meta.doubt ? "?" : meta.findings.length.toLocaleString("en"), meta.doubt ? "findings: inconclusive" : "findings", meta.findings.length > 0, "findings-list");
  if (p.count) card(unit(p.p99), "publish->job, p99", false, "histograms");
}
// What happens in the part in view: drag in the overview to select it.
function tellView() {
  const a = Math.max(0, from), b = Math.min(span, to), sum = new Float64Array(COLORED.length);
  for (const lane of lanes) timeInStates(lane, a, b, (b - a) / 512, sum);
  const all = sum.reduce((x, y) => x + y, 0), first = above(wakeAt, a - 1), last = above(wakeAt, b), count = {};
  for (let i = first; i < last; i++) { const v = meta.verdicts[wakes[i].verdict]; count[v] = (count[v] ?? 0) + 1; }
  const states = COLORED.map((s, i) => [s, sum[i]]).filter(([, n]) => n > 0).map(([s, n]) => `${s} ${percent(n, all)}`);
  const verdicts = Object.entries(count).map(([v, n]) => `${n.toLocaleString("en")} ${v}`);
  $("inview").textContent = `In view: ${position(a)} to ${position(b)}, ${unit(b - a)}. ${states.join(", ")}. ` +
    `${(last - first).toLocaleString("en")} wakes${verdicts.length ? ": " + verdicts.join(", ") : ""}.`;
}
// Shows only the entries of the lists that contain the text; Enter goes to the first one.
function search(text, go) {
  const lists = ["storms-list", "findings-list", "marks-list"].flatMap((id) => [...$(id).children]);
  const hits = lists.filter((li) => !(li.hidden = !li.textContent.toLowerCase().includes(text.toLowerCase())));
  if (go) hits.find((li) => li.onclick)?.onclick();
}
$("search").oninput = (e) => search(e.target.value);
$("search").onkeydown = (e) => { e.stopPropagation(); if (e.key === "Enter") search(e.target.value, true); };
// The address contains the view, so that a link shows the same.
let settling = 0;
function settle() {
  clearTimeout(settling);
  settling = setTimeout(() => {
    tellView();
    if (location.hash !== "#bench") history.replaceState(null, "", `#from=${Math.round(from)}&to=${Math.round(to)}&lane=${chosen}`);
  }, 150);
}
function followLink() {
  const m = /^#from=(-?\d+)&to=(\d+)&lane=(\d+)$/.exec(location.hash);
  if (!m || +m[2] <= +m[1]) return;
  chosen = Math.min(+m[3], lanes.length - 1);
  show(+m[1], +m[2]);
}
