#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Shows the wakeup storm after which most was searched in vain (wall time): who was woken when, in a timeline of just that moment.
#
#	worst-storm.sh DIR [COLUMNS]
#
# An example of composing: one sink answers in JSON, the other draws. BABELTRACE_PLUGIN_PATH says
# where the plug-in is; build/ below the present folder if unset.
set -eu
dir=${1:?usage: worst-storm.sh DIR [COLUMNS]}
columns=${2:-100}
plugins=${BABELTRACE_PLUGIN_PATH:-build}

range=$(babeltrace2 --plugin-path="$plugins" "$dir" -c sink.doze.storms --params=json=yes |
	/usr/bin/python3 -c '
import json, sys
storms = json.load(sys.stdin)["storms"]
if storms:
    s = max(storms, key=lambda s: s["burnt"])
    margin = (s["end"] - s["at"]) // 10
    print("from=%d,to=%d" % (max(0, s["at"] - margin), s["end"] + margin))
')
[ -n "$range" ] || { echo "no wakeup storm in $dir"; exit 0; }
exec babeltrace2 --plugin-path="$plugins" "$dir" -c sink.doze.timeline \
	--params="$range,columns=$columns"
