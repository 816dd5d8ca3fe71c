#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Draws the same lanes as lanes.py, but with the plug-in: babeltrace2 reads the trace, and
# sink.doze.timeline draws it.
#
#	lanes.sh DIR [COLUMNS]
#
# Needs babeltrace2 and the plug-in doze (`make`), in BABELTRACE_PLUGIN_PATH or in this tree's build/.
set -u
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "lanes.sh: usage: lanes.sh DIR [COLUMNS]" >&2; exit 2; }
plugins=${BABELTRACE_PLUGIN_PATH:-$(dirname "$(readlink -f "$0")")/../../build}
babeltrace2 --plugin-path="$plugins" "$1" -c sink.doze.timeline --params="columns=${2-60},ascii=yes"
