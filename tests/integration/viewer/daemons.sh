# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC1091,SC2015,SC2034,SC2119,SC2120,SC2154,SC2317
#
# daemons.sh - the test's own LTTng daemons, and checks of the screen of `doze live`; sourced from the
# root of the tree, with the script in $self and its arguments. It sources tools.sh.
#
# As root the daemons are in private mounts of /run/lttng and /dev/shm (which also holds the files, so
# that a busy disk does not matter), otherwise in their own LTTNG_HOME. Where root may not mount, the
# script runs as another user.

if [ "$(id -u)" = 0 ] && [ -z "$TUI_LIVE_OWN" ]; then
	export TUI_LIVE_OWN=1 TMPDIR=/dev/shm
	if ! unshare -m true 2>/dev/null; then
		# The other user may be unable to read the tree.
		export TMPDIR=/tmp
		copy=$(mktemp -d /tmp/doze-copy-XXXXXX) || exit 1
		cp --parents -r "${BUILD:-build}"/{doze,libdoze-tracepoints.so,tests/fixtures/patience} tests/integration/viewer "$copy" &&
			chmod -R a+rX "$copy" && cd "$copy" &&
			setpriv --reuid=54321 --regid=54321 --clear-groups "$self" "$@"
		status=$?
		rm -rf "$copy"
		exit $status
	fi
	exec unshare -m --propagation private sh -c '
		mkdir -p /run/lttng && mount -t tmpfs t /run/lttng &&
		mount -t tmpfs -o mode=1777 t /dev/shm && exec "$@"' sh "$self" "$@"
fi
for tool in lttng-sessiond lttng-relayd; do
	command -v $tool >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done

. tests/integration/viewer/tools.sh
export LTTNG_HOME=$work

# Every process started from here has the test's folder in its environment.
ours() { grep -slZ "TMUX_TMPDIR=$work" /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | cut -d/ -f3; }
program_of() { basename "$(readlink "/proc/$1/exe")"; }
# is_child PID: returns whether PID is a child that its program has forked without exec, like a helper of a
# daemon. Pids are listed in alphabetical order and start again after the largest one, so a child may come
# before its parent.
is_child() { [ "$(program_of "$1")" = "$(program_of "$(sed -n 's/^PPid:\t//p' "/proc/$1/status")")" ]; } 2>/dev/null
# pid_of NAME: prints the pid of a process of this test whose program is NAME, but not of a child of it
pid_of() {
	for p in $(ours); do
		[ "$(program_of "$p")" = "$1" ] && ! is_child "$p" && echo "$p" && return 0
	done
	return 1
}
# live OPTIONS PROGRAM [TEXT]: starts the viewer at 120x30 and waits for TEXT
live() { fresh && clean && open 120 30 "$doze live $1 -- $2" && wait_for "${3:- sleeps }"; }
trickle="$doze demo trickle --every-us=50000 --jobs=100000"
# Ends the processes that a failed test has left behind: viewers, programs and daemons, even if they
# are stopped. Otherwise the next test would fail, too, and the daemons would remain.
end_ours() {
	local p
	# The list also contains the programs that produce it, which have exited by the time it is
	# read.
	none_is_left() { for p in $(ours); do runs "$p" && return 1; done; true; }
	for p in $(ours); do signal TERM "$p" && signal CONT "$p"; done 2>/dev/null
	wait_until none_is_left || for p in $(ours); do runs "$p" && signal KILL "$p"; done
}
after_failure() { end_ours; }
trap 'end_ours; rm -rf "$work"' EXIT
# number NAME: prints the number after NAME on the screen, or 0 if there is none
number() {
	local found
	found=$(screen | sed -n "s/.* $1 \([0-9][0-9,]*\).*/\1/p" | head -1 | tr -d ,)
	found=${found//,/}
	echo "${found:-0}"
}
wakes_from() { [ "$(number wakes)" -ge "$1" ]; }
jobs_from() { [ "$(number jobs)" -ge "$1" ]; }
# behind MIN MAX [SINCE]: checks that the delay in the title is within these tenths of a second.
# With SINCE (from clock), also checks that the delay is at most 0.5 s below or 2 s above the time
# since then.
clock() { echo $((${EPOCHREALTIME/[.,]/} / 100000)); }
behind() {
	local passed=$(($(clock) - ${3:-0})) said
	said=$(screen | sed -nE '1s/.* ([0-9]+)\.([0-9]) s behind.*/\1\2/p')
	[ -n "$said" ] && said=$((10#$said)) && [ "$said" -ge "$1" ] && [ "$said" -le "$2" ] || return 1
	[ -z "$3" ] || { [ "$said" -ge $((passed - 5)) ] && [ "$said" -le $((passed + 20)) ]; }
}
up_to_date() { wait_until behind 0 2 || { why='the viewer does not catch up'; return 1; }; }
# stays COMMAND: checks that the output of COMMAND does not change for a second. Tries three times,
# because the screen is drawn in pieces and the first capture may be too early.
stays() {
	local a
	for _ in 1 2 3; do
		a=$("$@")
		sleep 1
		[ -n "$a" ] && [ "$a" = "$("$@")" ] && return 0
	done
	why='the screen changed'
	return 1
}
quit() { keys q && exits "${1:-0}"; }
clean() {
	no_daemon() { ! pid_of lttng-relayd >/dev/null && ! pid_of lttng-sessiond >/dev/null && ! pid_of doze >/dev/null; }
	wait_until no_daemon || { certain "left behind: $(ours | xargs -r ps -o pid=,args= -p)"; return 1; }
}
