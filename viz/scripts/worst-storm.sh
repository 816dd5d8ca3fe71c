#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Shows a timeline of the wakeup storm with the most futile search (wall time).
#
#	worst-storm.sh DIR [COLUMNS]
#
# An example of how to combine sinks: one prints JSON, the other draws. Needs babeltrace2, python3 and
# the plug-in doze (`make`), in BABELTRACE_PLUGIN_PATH or in this tree's build/. Runs from any folder.
# Exit codes: 2 wrong arguments, 3 unreadable trace, 4 events were lost.
set -u

fail() {
	code=$1
	shift
	echo "worst-storm.sh: $*" >&2
	exit "$code"
}

[ $# -eq 1 ] || [ $# -eq 2 ] || fail 2 "wrong arguments: usage: worst-storm.sh DIR [COLUMNS]"
dir=$1 columns=${2-100}
case $columns in
[2-9][0-9] | [1-9][0-9][0-9] | [1-9][0-9][0-9][0-9]) ;;
*) fail 2 "COLUMNS is $columns: give a number from 20 to 9999" ;;
esac
[ -d "$dir" ] || fail 3 "$dir: not a folder: give the folder that doze record -o wrote"
command -v babeltrace2 >/dev/null || fail 3 "babeltrace2 is missing: install it"
plugins=${BABELTRACE_PLUGIN_PATH:-$(dirname "$(readlink -f "$0")")/../../build}

# Babeltrace prints a chain of errors, each below a heading. The last one is the original cause.
errors=$(mktemp) || fail 3 "cannot create a temporary file: free some space in ${TMPDIR:-/tmp}"
trap 'rm -f "$errors"' EXIT
trap 'exit 130' INT
sink() {
	babeltrace2 --plugin-path="$plugins" "$dir" -c "sink.doze.$1" --params="$2" 2>"$errors" && return
	cause=$(awk '/^(ERROR|CAUSED BY)/ { text = "" }
		/^  / { sub(/^ */, ""); text = text (text ? " " : "") $0 }
		END { print text }' "$errors")
	fail 3 "$dir: ${cause:-cannot be read}: run doze check on it"
}

answer=$(sink storms json=yes) || exit
found=$(printf '%s' "$answer" | python3 -c '
import json, sys
answer = json.load(sys.stdin)
storms = answer["storms"]
sure = not (answer["lost"] or answer["truncated"] or answer["missing"])
where = "none"
if storms:
    s = max(storms, key=lambda s: s["burnt"])
    margin = (s["end"] - s["at"]) // 10
    where = "from=%d,to=%d" % (max(0, s["at"] - margin), s["end"] + margin)
print(sure, where)
') || fail 3 "$dir: no answer from sink.doze.storms: check that its plug-in is in $plugins"
case $found in
*none) echo "no wakeup storm in $dir" ;;
*) sink timeline "${found#* },columns=$columns" || exit ;;
esac
[ "${found% *}" = True ] || fail 4 "inconclusive: events were lost, or the trace ends early: there may be worse storms"
