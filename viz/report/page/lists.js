// SPDX-License-Identifier: MIT
//
// lists.js - below the picture: storms, findings, marks, histograms, workers; above it the heading.

function entry(list, text, go) {
  const li = document.createElement("li");
  li.textContent = text;
  if (go) { li.tabIndex = 0; li.onclick = go; li.onkeydown = (e) => { if (e.key === "Enter") go(); }; } else li.className = "none";
  $(list).append(li);
}
// What to say where nothing was found: no praise where nobody can know.
function none(praise) {
  return meta.doubt ? `none found, but inconclusive: ${meta.doubt}` : praise;
}
function fillLists() {
  storms.storms.forEach((s) => entry("storms-list",
    `${unit(s.at)}: ${CAUSE[s.cause] ?? s.cause} by ${s.waker < 0 ? "outside" : "w" + s.waker} woke ${s.woken} for ${s.jobs} job${s.jobs === 1 ? "" : "s"}, ${s.futile} in vain, ${unit(s.burnt)} of searching`,
    () => { jump((s.at + s.end) / 2, Math.max(2000, (s.end - s.at) * 1.6)); view.focus(); }));
  if (!storms.storms.length) entry("storms-list", none("none"));
  meta.findings.forEach((f) => entry("findings-list", `${unit(f.at)} ${f.rule}${f.ambiguous ? " (ambiguous)" : ""}: ${f.text}`,
    () => { if (lanes[f.row]) chosen = f.row; jump(f.at, Math.min(span, 2e6)); explain(); }));
  if (meta.findings_left_out) entry("findings-list", `… and ${meta.findings_left_out} more`);
  if (!meta.findings.length) entry("findings-list", none("none: the trace obeys its policy's protocol"));
  meta.marks.slice(0, 500).forEach((m) => entry("marks-list", `${unit(m.at)} ${m.text}`, () => jump(m.at)));
  if (!meta.marks.length) entry("marks-list", "none");
}
function fillWorkers() {
  const head = ["worker", ...COLORED, "transitions", "wakes", "of use", "futile"];
  const rows = lanes.map((l, row) => {
    const total = {};
    for (let k = 0; k < l.count; k++) { const s = meta.states[l.state[k] & 15]; total[s] = (total[s] ?? 0) + l.start[k + 1] - l.start[k]; }
    const mine = wakes.filter((w) => w.target === row);
    return ["w" + l.worker, ...COLORED.map((s) => unit(total[s] ?? 0)), l.count, mine.length,
      mine.filter((w) => w.verdict === VERDICT.useful || w.verdict === VERDICT.latch).length,
      mine.filter((w) => w.verdict === VERDICT.futile).length];
  });
  const make = (cells, tag) => { const tr = document.createElement("tr"); for (const c of cells) { const td = document.createElement(tag); td.textContent = c; tr.append(td); } return tr; };
  $("workers").append(make(head, "th"), ...rows.map((r) => make(r, "td")));
}
function histogram(name, values) {
  if (!values.length) return;
  const bins = [];
  for (const v of values) { const b = Math.max(0, Math.floor(Math.log2(v))); bins[b] = (bins[b] ?? 0) + 1; }
  values.sort((a, b) => a - b);
  const at = (p) => unit(values[Math.min(values.length - 1, Math.floor(p * values.length))]);
  const first = bins.findIndex((b) => b), n = bins.length - first, most = Math.max(...bins.filter((b) => b));
  const svg = [`<svg width="${n * 22 + 8}" height="96" role="img" aria-label="histogram of ${name}">`];
  for (let b = first; b < bins.length; b++) {
    const h = 74 * (bins[b] ?? 0) / most, px = (b - first) * 22 + 4;
    svg.push(`<rect x="${px}" y="${76 - h}" width="19" height="${h}" fill="var(--sleeping)"><title>${unit(2 ** b)} to ${unit(2 ** (b + 1))}: ${bins[b] ?? 0}</title></rect>`);
    if ((b - first) % 3 === 0) svg.push(`<text x="${px}" y="92" font-size="10" fill="currentColor">${unit(2 ** b)}</text>`);
  }
  const figure = document.createElement("figure");
  figure.innerHTML = svg.join("") + "</svg>";
  const caption = document.createElement("figcaption");
  caption.textContent = `${name}: ${values.length}; p50 ${at(.5)}, p90 ${at(.9)}, p99 ${at(.99)}`;
  figure.append(caption); $("histograms").append(figure);
}
function fillHistograms() {
  histogram("publish to notify", wakes.filter((w) => w.published).map((w) => Math.max(1, -w.published)));
  histogram("notify to awake", wakes.filter((w) => w.awake > 0).map((w) => w.awake));
  histogram("awake to first job", wakes.filter((w) => w.first > w.awake && w.awake).map((w) => w.first - w.awake));
  if (!$("histograms").childElementCount) $("histograms").textContent = "no wake in this trace";
}
function fillHead() {
  const p = meta.pools.map((q) => `${q.policy}, ${q.workers} workers`).join("; ");
  $("title").textContent = `${meta.trace}: ${p}; ${meta.events.toLocaleString("en")} events in ${unit(meta.duration)}`;
  $("summary").textContent = $("answer").textContent.trim().replace(/([^.])\n/g, "$1 "); // wrapped for a terminal
  if (meta.doubt) {
    $("notice").hidden = false;
    $("notice").textContent = `Inconclusive: ${meta.doubt}.${meta.lost ? " Hatched spans are not certain." : ""}`;
  }
  for (const s of COLORED.slice(0, 4)) {
    const e = document.createElement("span");
    e.innerHTML = `<i style="background:var(--${s})"></i>${GLYPH[s]} ${s}`;
    $("legend").append(e);
  }
  const e = document.createElement("span");
  e.textContent = "▲ wake of use  △ futile wake  ╱ not certain";
  $("legend").append(e);
}
