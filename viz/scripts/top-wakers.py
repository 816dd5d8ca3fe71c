#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Who wakes in vain? Counts the verdicts that filter.doze.wakes adds to the trace, by waker.
#
#	top-wakers.py [--plugin-path=build] DIR
#
# An example of using doze's component classes from Python: the knowledge is in the plug-in, the
# question is here.
import argparse
from collections import Counter, defaultdict

import bt2


def verdicts(folder, plugin_path):
    plugins = bt2.find_plugins_in_path(plugin_path, fail_on_load_error=False)
    doze = next((p for p in plugins if p.name == "doze"), None) if plugins else None
    if doze is None:
        raise SystemExit(
            f"top-wakers.py: no plug-in doze in {plugin_path}: build it with make, or --plugin-path"
        )
    wakes = bt2.ComponentSpec(doze.filter_component_classes["wakes"])
    for msg in bt2.TraceCollectionMessageIterator(folder, wakes):
        if isinstance(msg, bt2._EventMessageConst) and msg.event.name == "doze_verdict:wake":
            yield msg.event


def main():
    args = argparse.ArgumentParser(description="wakers by what became of their wakes")
    args.add_argument("--plugin-path", default="build")
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
    main()
