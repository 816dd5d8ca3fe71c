#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks that DOZE_CHAOS accepts every valid seed and rejects any other value with one line that
# states the allowed values.
soak=$BUILD/tests/soak/stress
err=$(mktemp) && trap 'rm -f "$err"' EXIT || exit 1
bad=0

wrong() {
	echo "DOZE_CHAOS=$1: $2"
	bad=1
}

for seed in abc -1 +1 0x7 7x ' 7' 1.5 99999999999999999999999; do
	DOZE_CHAOS=$seed "$soak" --seconds 1 >/dev/null 2>"$err"
	rc=$?
	[ "$rc" = 2 ] || wrong "$seed" "exit $rc, not 2"
	[ "$(cat "$err")" = "DOZE_CHAOS is \"$seed\": must be from 0 to 18446744073709551615" ] ||
		wrong "$seed" "it said: $(cat "$err")"
done
for seed in '' 18446744073709551615; do
	DOZE_CHAOS=$seed "$soak" --seconds 1 >/dev/null 2>"$err" || wrong "$seed" "exit $?"
	[ ! -s "$err" ] || wrong "$seed" "it said: $(cat "$err")"
done
exit $bad
