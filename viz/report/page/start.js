// SPDX-License-Identifier: MIT
//
// start.js - fills and draws the page; a self-measurement for the tests: report.html#bench pans and zooms,
// and writes what a frame took.

if (window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
colors(); fillHead(); fillLists(); fillWorkers(); fillHistograms(); resize(); draw();

if (location.hash === "#bench") {
  const took = [];
  for (let i = 0; i < 240; i++) {
    const w = span * 2 ** -(i % 24), a = (span - w) * ((i * 7) % 240) / 240, start = performance.now();
    from = a; to = a + w; draw();
    ctx.getImageData(0, 0, 1, 1); // the drawing is done when this returns
    took.push(performance.now() - start);
  }
  took.sort((a, b) => a - b);
  document.body.dataset.bench = JSON.stringify({ frames: took.length, p50: took[120], p99: took[237], max: took[239] });
}
window.dozeReport = { show, jump, explain, choose, state: () => ({ from, to, cursor, chosen }), lanes, wakes, meta };
