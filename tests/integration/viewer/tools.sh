# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2015,SC2154,SC2119,SC2120
#
# tools.sh - a terminal (tmux) and keys for the tests of the viewer, sourced from the root of the
# tree.
# Sets work (a folder that is removed at the end), doze, passed, failed.
#
# The screen reaches the terminal in pieces and at unpredictable times. Tests therefore wait for a
# text (wait_for, wait_until), even after the program has exited, and the text must not have been on
# the screen before.

doze=$PWD/${BUILD:-build}/doze
command -v tmux >/dev/null || { echo "tmux is missing: run make setup"; exit 1; }
/usr/bin/python3 -c "import os; os.openpty()" 2>/dev/null ||
	{ echo "skipped: this system has no pseudo-terminals"; exit 77; }
patience=$PWD/${BUILD:-build}/tests/fixtures/patience
[ -x "$doze" ] && [ -x "$patience" ] || { echo "$doze or $patience is not built: run make test ONLY=viewer"; exit 1; }

work=$(mktemp -d /tmp/doze-viewer-XXXXXX) && [ -d "$work" ] || exit 1
export TMUX_TMPDIR=$work LC_ALL=C.UTF-8 TEST_ID=${TEST_ID:-$work}
unset TMUX NO_COLOR COLUMNS LINES
n=0
tm() { tmux -L "doze$n" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT

passed=0 failed=0 unstable=0 titles='' why='' kind=''
# unstable REASON: notes a failure that may not happen again: a wait ran out, a screen differs, or the
# program did too little to check anything. certain REASON: notes one that no repetition may hide.
unstable() {
	why=$1 kind=${kind:-unstable}
	return 1
}
certain() {
	why=$1 kind=certain
	return 1
}
after_failure() { :; } # daemons.sh redefines this to end leftover processes

# Starts a new server for every terminal, because connecting to a server that is exiting fails.
fresh() {
	tm kill-server 2>/dev/null
	n=$((n + 1))
}
# open W H COMMAND: runs COMMAND in a new terminal, and writes its exit code to $work/rc. Names
# the shell, because tmux would use the user's login shell. The shell traps SIGINT, because on Ctrl-C
# some shells exit before they write the exit code.
open() {
	fresh
	rm -f "$work/rc" "$work/pid" "$work/stty"
	tm new-session -d -x "$1" -y "$2" sh -c \
		"trap : INT; sh -c 'echo \$\$ >$work/pid; exec $3'; echo \$? >$work/rc; stty -a >$work/stty; exec sleep 60"
}
# keys KEY...: sends each key when the program has read the one before and drawn its frame
keys() {
	for k in "$@"; do
		"$patience" frame "$(cat "$work/pid" 2>/dev/null || echo 2)" \
			tmux -L "doze$n" -f /dev/null send-keys -- "$k"
	done
}
screen() { tm capture-pane -p "$@"; }
now_ms() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }
# wait_until COMMAND…: waits until COMMAND succeeds. Gives up after 10 s, less the time that the
# processes of the test waited for a CPU, but at the latest after 50 s.
wait_until() {
	local passed began before='' delay
	began=$(now_ms)
	while ! "$@"; do
		passed=$(($(now_ms) - began))
		[ -n "$before" ] || [ $passed -lt 500 ] || before=$("$patience" delay)
		if [ $passed -ge 10000 ]; then
			delay=$(($("$patience" delay) - before))
			[ $((passed - (delay > 0 ? delay : 0))) -lt 10000 ] && [ $passed -lt 50000 ] ||
				{ unstable "waited in vain: $*"; return 1; }
		fi
		sleep 0.03
	done
	[ "$kind" = certain ] || kind='' # an earlier wait that ran out no longer matters
}
has() { screen | grep -qF -- "$1"; }
has_not() { ! has "$1"; }
wait_for() { wait_until has "$1" || unstable "'$1' did not appear"; }
# Waits until two captures 0.1 s apart are equal. Leaves the later one in $work/screen.
still() {
	screen >"$work/before"
	sleep 0.1
	screen >"$work/screen"
	cmp -s "$work/before" "$work/screen"
}
# A golden file has several screens, each below a line with its name: "======== NAME ========". FILE:NAME is a screen
# of golden/FILE.txt, and NAME alone one of golden/screens.txt.
golden_file() { case $1 in *:*) echo "$here/golden/${1%%:*}.txt" ;; *) echo "$here/golden/screens.txt" ;; esac; }
golden_screen() {
	awk -v name="======== ${1#*:} ========" '/^=+ .* =+$/ { on = $0 == name; next } on' "$(golden_file "$1")"
}
# renew NAME FILE: replaces the golden screen by FILE, or adds it
renew() {
	local file
	file=$(golden_file "$1")
	touch "$file"
	awk -v name="======== ${1#*:} ========" -v new="$2" '
		function put() { print name; while ((getline line <new) > 0) print line; done = 1 }
		/^=+ .* =+$/ { skip = $0 == name; if (skip) put() }
		!skip
		END { if (!done) put() }' "$file" >"$work/renewed" && cp "$work/renewed" "$file"
}
# same NAME FILE: compares FILE with the golden screen, or renews that
same() {
	[ -z "$update" ] || renew "$1" "$2"
	golden_screen "$1" >"$work/golden"
	diff -u --label "golden $1" --label "$2" "$work/golden" "$2" || { why="not golden $1"; return 1; }
}
shows_golden() { screen >"$work/screen" && cmp -s "$work/golden" "$work/screen"; }
is_golden() { shows_golden && sleep 0.05 && shows_golden; }
# golden NAME: waits until the screen equals the golden screen and is stable. (A screen that is merely
# stable might still show the state before the keys were pressed.)
golden() {
	if [ -n "$update" ]; then
		sleep 1
		wait_until still && renew "$1" "$work/screen"
		return
	fi
	golden_screen "$1" >"$work/golden"
	wait_until is_golden && return 0
	unstable "the screen is not golden $1"
	diff -u --label "golden $1" --label screen "$work/golden" "$work/screen"
	return 1
}
# unchanged NAME: does the same, but keeps the file even with --update
unchanged() { update='' golden "$1"; }
ended() { [ -s "$work/rc" ]; }
wait_end() { wait_until ended || unstable 'the program did not exit'; }
plain() { [ "$(tm display -p '#{alternate_on}')" = 0 ]; }
# restored FILE: checks that the terminal is restored. FILE contains the output of stty.
restored() {
	wait_until test -s "$1" || { why='no output of stty'; return 1; }
	grep -q ' icanon' "$1" && grep -q ' echo ' "$1" || { why='the terminal was left in raw mode'; return 1; }
	wait_until plain || { why='the alternate screen was left on'; return 1; }
}
# exits CODE: checks that the program exited with CODE and that the terminal is restored
exits() {
	wait_end || return 1
	[ "$(cat "$work/rc")" = "$1" ] || { certain "exit code $(cat "$work/rc"), not $1"; return 1; }
	restored "$work/stty"
}
# is_ours PID: checks that this test started the process, whose environment then names the test's
# folder
is_ours() { grep -qs "TMUX_TMPDIR=$work" "/proc/$1/environ"; }
# signal NAME PID: sends a signal, unless this test has not started the process. No other line of
# the viewer's tests may call kill (.ci/lint signals).
signal() {
	case $2 in
	'' | 0 | 1 | *[!0-9]*) ;;
	*) is_ours "$2" && kill "-$1" "$2" && return ;;
	esac
	why="SIG$1 to '$2' refused: not a process of this test"
	return 1
}
# runs PID: checks that the process has not exited (a zombie has)
runs() { [ -n "$(readlink "/proc/$1/exe")" ]; }
has_exited() { ! runs "$1"; }
# cpu PID: prints the CPU ticks that the process has used; fails if the process is gone
cpu() { awk '{print $14 + $15}' "/proc/$1/stat"; }
try() {
	titles="$titles; $1"
	case $1 in *"$only"*) ;; *) return ;; esac
	why='' kind=''
	if "$2"; then
		passed=$((passed + 1))
		echo "ok      $1"
	else
		failed=$((failed + 1))
		[ "$kind" != unstable ] || unstable=$((unstable + 1))
		echo "FAILED  $1: ${why:-see above}"
		screen 2>/dev/null | sed 's/^/    | /'
		after_failure
	fi
}

# Exits with 75 if all failures are unstable (see tests/run).
verdict() {
	echo "$passed passed, $failed failed, $unstable of them unstable"
	[ $failed = 0 ] && [ $passed -gt 0 ] && exit 0
	[ $failed -gt 0 ] && [ $failed = $unstable ] && exit 75
	[ $failed -gt 0 ] && exit 1
	echo "$0: no test has '$only' in its title; the titles are: ${titles#; }" >&2
	exit 2
}
