// SPDX-License-Identifier: MIT
//
// lists.js - the heading and the legend; below the view, the storms, findings, marks and
// histograms.

function entry(list, text, go) {
  const li = document.createElement("li");
  li.textContent = text;
  if (go) { li.tabIndex = 0; li.onclick = go; li.onkeydown = (e) => { if (e.key === "Enter") go(); }; } else li.className = "none";
  $(list).append(li);
}
// Returns the text for an empty list: `praise`, unless the trace is inconclusive.
function none(praise) {
  return meta.doubt ? `none found, but inconclusive: ${meta.doubt}` : praise;
}
// Shows a storm and selects a lane of its pool: the lane of the waker, or of the first worker that
// the storm woke.
function goToStorm(s) {
  jump((s.at + s.end) / 2, Math.max(2000, (s.end - s.at) * 1.6));
  cursor = s.at;
  let row = rowOf(s.pool_row, s.waker);
  for (let i = above(wakeAt, s.at - 1); row < 0 && i < wakes.length && wakes[i].at <= s.end; i++)
    if (wakes[i].pool === s.pool_row && wakes[i].decision === s.decision_id) row = wakes[i].target;
  if (row < 0) row = lanes.findIndex((l) => l.pool === s.pool_row);
  if (row >= 0) chosen = row;
  explain();
}
function fillStorms() {
  // The most expensive storm comes first. The keys s and S visit the storms in chronological order
  // instead.
  [...storms.storms].sort((a, b) => (foreign ? b.futile_at_least - a.futile_at_least : b.burnt - a.burnt)).forEach((s) => entry("storms-list",
    `${position(s.at)}: ${several ? poolTitle(s.pool_row) + ": " : ""}${stormText(s)}`, () => { goToStorm(s); view.focus(); }));
  if (storms.storms_left_out) entry("storms-list", `… and ${storms.storms_left_out.toLocaleString("en")} more`);
  if (!storms.storms.length) entry("storms-list", none("none"));
}
function fillLists() {
  fillStorms();
  meta.findings.forEach((f) => entry("findings-list", `${position(f.at)} ${f.rule}${f.ambiguous ? " (ambiguous)" : ""}: ${f.text}`,
    () => { jump(f.at, Math.min(span, 2e6)); chosen = place[f.row] ?? chosen; explain(); }));
  if (meta.findings_left_out) entry("findings-list", `… and ${meta.findings_left_out} more`);
  if (!meta.findings.length) entry("findings-list", none(foreign ? "none" : "none: the trace obeys its policy's protocol"));
  meta.marks.slice(0, 500).forEach((m) => entry("marks-list", `${position(m.at)} ${m.text}`, () => jump(m.at)));
  if (meta.marks.length > 500) entry("marks-list", `… and ${(meta.marks.length - 500).toLocaleString("en")} more`);
  if (!meta.marks.length) entry("marks-list", "none");
}
function histogram(name, h) {
  const figure = document.createElement("figure"), caption = document.createElement("figcaption");
  caption.textContent = h.count ? `${name}: ${h.count.toLocaleString("en")}; p50 ${unit(h.p50)}, p90 ${unit(h.p90)}, p99 ${unit(h.p99)}, max ${unit(h.max)}` : `${name}: none`;
  if (h.count) {
    const row = (v) => Math.round(Math.log2(Math.max(1, v))), first = row(h.log2[0].from), BAR = 22;
    const n = row(h.log2[h.log2.length - 1].from) - first + 1, most = Math.max(...h.log2.map((r) => r.count));
    // Leave space for the last label, which begins below the last bar.
    const svg = [`<svg width="${n * BAR + 48}" height="108" viewBox="0 0 ${n * BAR + 48} 108" preserveAspectRatio="xMinYMax" role="img" aria-label="histogram of ${name}">`];
    for (const r of h.log2) {
      const px = (row(r.from) - first) * BAR + 4, high = Math.max(1, 74 * r.count / most);
      if (r.count < 1e4) svg.push(`<text x="${px + 9}" y="${87 - high}" font-size="9" text-anchor="middle" fill="var(--dim)">${r.count}</text>`);
      svg.push(`<rect x="${px}" y="${90 - high}" width="19" height="${high}" fill="var(--sleeping)"><title>${unit(r.from)} to ${unit(2 * Math.max(1, r.from))}: ${r.count}</title></rect>`);
    }
    for (let b = 0; b < n; b += 3)
      svg.push(`<text x="${b * BAR + 4}" y="104" font-size="10" fill="currentColor">${unit(2 ** (b + first))}</text>`);
    figure.innerHTML = svg.join("") + "</svg>";
  }
  figure.append(caption); $("histograms").append(figure);
}
// The first latency is the sum of the next four, which cover the same wakes.
const LATENCIES = { publish_job: "useful wakes, publish to first job", publish_notify: "of these, publish to notify",
  useful_notify_awake: "of these, notify to awake", awake_found: "of these, awake to found",
  found_job: "of these, found to first job",
  notify_awake: "all wakes, notify to awake", futile_search: "futile wakes, awake to asleep" };
function fillHistograms() {
  for (const key of Object.keys({ ...LATENCIES, ...storms.latency }))
    histogram(LATENCIES[key] ?? key.replaceAll("_", " "), storms.latency[key]);
}
// The meanings of the marks. The legend shows those that occur in the trace.
const LEGEND = { "▲": { useful: "useful", latch: "latch set" }, "△": { futile: wordFor("futile") },
  "×": { redundant: "redundant: target already awake or notified, or no worker slept", nobody: "woke nobody" },
  "▴": { terminate: "termination", self: "self-wake", went_on: "went on" }, "?": { unresolved: "unresolved" } };
function fillHead() {
  const p = meta.pools.length > 4 ? `${meta.pools.length} ${foreign ? "crews" : "pools"}`
    : poolOrder.map((i) => (several || foreign ? poolTitle(i) : meta.pools[i].policy) + `, ${poolSize(i)}`).join("; ");
  document.title = `${meta.command ? meta.command + ", " : ""}${p} - doze`;
  $("title").textContent = `${meta.command ? meta.command + "; " : ""}${meta.trace}: ${p}; ${meta.events.toLocaleString("en")} events in ${unit(meta.duration)}`;
  $("summary").textContent = $("answer").textContent.trim().split(/\n\n+/).map((p) => p.replace(/([^.])\n/g, "$1 ")).join("\n"); // joins the lines, which were wrapped for a terminal
  if (meta.doubt) {
    $("notice").hidden = false;
    $("notice").textContent = `Inconclusive: ${meta.doubt}.${meta.lost ? " Hatched spans are uncertain." : ""}`;
  }
  COLORED.slice(0, 4).forEach((s, i) => { // each state with the height of its bar
    if (foreign && !FOREIGN_WORDS[s]) return; // threads are never sleepy
    const e = document.createElement("span"), h = 100 * HEIGHT[i];
    e.innerHTML = `<i style="background:linear-gradient(to top, var(--${s}) ${h}%, var(--none) ${h}%)"></i>${wordFor(s)}`;
    $("legend").append(e);
  });
  const seen = new Set(wakes.map((w) => meta.verdicts[w.verdict])), wakesText = Object.entries(LEGEND)
    .map(([mark, says]) => [mark, Object.keys(says).filter((v) => seen.has(v)).map((v) => says[v])])
    .filter(([, text]) => text.length).map(([mark, text]) => `${mark} ${text.join(" or ")}`);
  const jobs = lanes.some((l) => l.job.length) ? ["thin lines at the top of a lane: jobs"] : [];
  for (const text of [...jobs, wakesText.length ? "Wakes, when zoomed in:" : "", ...wakesText, "╱ uncertain",
    foreign ? "States finer than a pixel are stacked; a tick below a lane marks time out of a wait that is too short to be visible in it."
      : "The higher a bar, the more awake the worker; states finer than a pixel are stacked; a tick below a lane marks work too short to be visible in it."]) {
    const e = document.createElement("span");
    e.textContent = text;
    if (text) $("legend").append(e);
  }
}
