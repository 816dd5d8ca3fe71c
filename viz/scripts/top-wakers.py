#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Counts the useful and futile wakes of each waker, from the verdicts that filter.doze.wakes adds.
#
#	top-wakers.py [--plugin-path=FOLDER] DIR
#
# Needs python3-bt2 and the plug-in doze (`make`), which is searched for in FOLDER, or else in
# BABELTRACE_PLUGIN_PATH, the system's folders and this tree's build/. Exit codes: see traces.py.
# Runs from any folder.
#
# An example of how to use doze's component classes from Python.
from collections import Counter, defaultdict
from pathlib import Path

import traces
from traces import bt2

BUILD = Path(__file__).resolve().parents[2] / "build"


def find_in(folder):
    try:
        plugins = bt2.find_plugins_in_path(str(folder), fail_on_load_error=False) or ()
    except (bt2._Error, ValueError):
        return None
    return next((p for p in plugins if p.name == "doze"), None)


def verdicts(folder, plugin_path):
    doze = find_in(plugin_path) if plugin_path else bt2.find_plugin("doze") or find_in(BUILD)
    if doze is None:
        traces.fail(3, f"no plug-in doze in {plugin_path or BUILD}: build it, or give --plugin-path")
    wakes = bt2.ComponentSpec(doze.filter_component_classes["wakes"])
    for msg in traces.events(folder, wakes):
        if msg.event.name == "doze_verdict:wake":
            yield msg.event


def main():
    args = traces.Arguments(description="count the verdicts on wakes, per waker")
    args.add_argument("--plugin-path")
    args.add_argument("folder")
    args = args.parse_args()
    by_waker = defaultdict(Counter)
    for e in verdicts(args.folder, args.plugin_path):
        who = "outside" if e["waker"] < 0 else f"worker {int(e['waker'])}"
        by_waker[who, e["cause"].labels[0]][e["verdict"].labels[0]] += 1
    print(f"{'waker':12} {'cause':12} {'wakes':>8} {'useful':>8} {'futile':>8}")
    for (who, cause), n in sorted(by_waker.items(), key=lambda x: -x[1]["futile"]):
        print(f"{who:12} {cause:12} {sum(n.values()):8} {n['useful']:8} {n['futile']:8}")


if __name__ == "__main__":
    traces.run(main)
