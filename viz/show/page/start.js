// SPDX-License-Identifier: MIT
//
// start.js - fills in and draws the page. For benchmarks, report.html#bench pans at several zoom
// levels and stores the time per frame.

const paper = matchMedia("print");
if (matchMedia("(prefers-color-scheme: dark)").matches && !paper.matches) document.documentElement.dataset.theme = "dark";
colors(); fillHead(); fillLists(); fillTables(); fillDiagnosis(); fillPhases(); fillCards(); resize(); draw(); followLink();

// On paper, the theme is light, and the picture is redrawn at the width of the paper.
let screenTheme = null;
function onPaper(is) {
  if (is === (screenTheme !== null)) return;
  const data = document.documentElement.dataset;
  if (is) screenTheme = data.theme ?? "light";
  data.theme = is ? "light" : screenTheme;
  if (!is) screenTheme = null;
  colors(); resize(); draw();
}
paper.addEventListener("change", (e) => onPaper(e.matches));
window.addEventListener("beforeprint", () => onPaper(true));
window.addEventListener("afterprint", () => onPaper(false));

const frame = () => new Promise(requestAnimationFrame);
async function bench() {
  await frame(); await frame(); // when the second frame begins, the first one is visible
  const result = { opened: performance.now(), zooms: [] }, FRAMES = 60;
  for (let zoom = 0; zoom < 24 && span / 2 ** zoom >= 1000; zoom += 3) {
    const w = span / 2 ** zoom, passed = [], drawn = [];
    let last = 0;
    for (let i = 0; i <= FRAMES + 1; i++) {
      const begin = (span - w) / 2 + w * .02 * i; // pan by a fiftieth of the view per frame
      show(begin, begin + w);
      const now = await frame(); // draw() was requested before this frame, so it has run
      if (i > 1) { passed.push(now - last); drawn.push(performance.now() - now); }
      last = now;
    }
    const at = (list, p) => list.sort((a, b) => a - b)[Math.floor(p * (list.length - 1))];
    result.zooms.push({ width: w, frames: passed.length, p50: at(passed, .5), p99: at(passed, .99),
      draw50: at(drawn, .5), draw99: at(drawn, .99) });
  }
  document.body.dataset.bench = JSON.stringify(result);
}
window.dozeReport = { show, jump, explain, choose, state: () => ({ from, to, cursor, chosen }), lanes, wakes, meta,
  draw, position, unit };
if (location.hash === "#bench") bench();
