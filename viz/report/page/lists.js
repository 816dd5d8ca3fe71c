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
    `${position(s.at)}: ${CAUSE[s.cause] ?? s.cause}${s.waker >= 0 ? " by w" + s.waker : s.cause === "inject" ? "" : " by a thread from outside"} woke ${s.woken} for ${s.jobs} job${s.jobs === 1 ? "" : "s"}, ${s.futile} in vain, ${unit(s.burnt)} of searching`,
    () => { jump((s.at + s.end) / 2, Math.max(2000, (s.end - s.at) * 1.6)); view.focus(); }));
  if (!storms.storms.length) entry("storms-list", none("none"));
  meta.findings.forEach((f) => entry("findings-list", `${position(f.at)} ${f.rule}${f.ambiguous ? " (ambiguous)" : ""}: ${f.text}`,
    () => { if (place[f.row] !== undefined) chosen = place[f.row]; jump(f.at, Math.min(span, 2e6)); explain(); }));
  if (meta.findings_left_out) entry("findings-list", `… and ${meta.findings_left_out} more`);
  if (!meta.findings.length) entry("findings-list", none("none: the trace obeys its policy's protocol"));
  meta.marks.slice(0, 500).forEach((m) => entry("marks-list", `${position(m.at)} ${m.text}`, () => jump(m.at)));
  if (!meta.marks.length) entry("marks-list", "none");
}
// Sums, percentiles and histograms are the model's, as doze storms --json has them.
function fillWorkers() {
  const head = ["worker", ...COLORED, "woken", "wakes sent", "of these futile", "jobs run"];
  const several = storms.pools.length > 1;
  const by = (a, b) => a.vpid - b.vpid || a.pool - b.pool || a.worker - b.worker;
  const rows = storms.workers.sort(by).map((w) => [`${several ? w.pool + "/" : ""}w${w.worker}`,
    ...COLORED.map((s) => unit(w.time[s])),
    ...[w.woken, w.wakes_sent, w.futile_sent, w.jobs_run].map((n) => n.toLocaleString("en"))]);
  const make = (cells, tag) => { const tr = document.createElement("tr"); for (const c of cells) { const td = document.createElement(tag); td.textContent = c; tr.append(td); } return tr; };
  $("workers").append(make(head, "th"), ...rows.map((r) => make(r, "td")));
}
function histogram(name, h) {
  const figure = document.createElement("figure"), caption = document.createElement("figcaption");
  caption.textContent = h.count ? `${name}: ${h.count.toLocaleString("en")}; p50 ${unit(h.p50)}, p90 ${unit(h.p90)}, p99 ${unit(h.p99)}, max ${unit(h.max)}` : `${name}: none`;
  if (h.count) {
    const row = (v) => Math.round(Math.log2(Math.max(1, v))), first = row(h.log2[0].from), BAR = 22;
    const n = row(h.log2[h.log2.length - 1].from) - first + 1, most = Math.max(...h.log2.map((r) => r.count));
    // Room for the last label, which begins below the last bar.
    const svg = [`<svg width="${n * BAR + 48}" height="96" role="img" aria-label="histogram of ${name}">`];
    for (const r of h.log2) {
      const px = (row(r.from) - first) * BAR + 4, high = Math.max(1, 74 * r.count / most);
      svg.push(`<rect x="${px}" y="${76 - high}" width="19" height="${high}" fill="var(--sleeping)"><title>${unit(r.from)} to ${unit(2 * Math.max(1, r.from))}: ${r.count}</title></rect>`);
    }
    for (let b = 0; b < n; b += 3)
      svg.push(`<text x="${b * BAR + 4}" y="92" font-size="10" fill="currentColor">${unit(2 ** (b + first))}</text>`);
    figure.innerHTML = svg.join("") + "</svg>";
  }
  figure.append(caption); $("histograms").append(figure);
}
const LATENCIES = { publish_notify: "publish to notify", notify_awake: "notify to awake",
  awake_job: "awake to first job", publish_job: "publish to first job", futile_search: "futile: awake to asleep" };
function fillHistograms() {
  for (const [key, name] of Object.entries(LATENCIES)) histogram(name, storms.latency[key]);
}
function fillHead() {
  const p = meta.pools.map((q) => `${q.policy}, ${q.workers} workers`).join("; ");
  $("title").textContent = `${meta.trace}: ${p}; ${meta.events.toLocaleString("en")} events in ${unit(meta.duration)}`;
  $("summary").textContent = $("answer").textContent.trim().replace(/([^.])\n/g, "$1 "); // wrapped for a terminal
  if (meta.doubt) {
    $("notice").hidden = false;
    $("notice").textContent = `Inconclusive: ${meta.doubt}.${meta.lost ? " Hatched spans are not certain." : ""}`;
  }
  COLORED.slice(0, 4).forEach((s, i) => { // as high as in a lane
    const e = document.createElement("span"), h = 100 * HEIGHT[i];
    e.innerHTML = `<i style="background:linear-gradient(to top, var(--${s}) ${h}%, var(--none) ${h}%)"></i>${s}`;
    $("legend").append(e);
  });
  const e = document.createElement("span");
  e.textContent = "▲ wake of use  △ futile wake, when near enough  ╱ not certain.  The more awake, the higher a bar; states finer than a pixel stand on each other.";
  $("legend").append(e);
}
