#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Replays the schedules in findings/, which must fail as recorded. `make explore-check` ends with the same
# check. Runs in the top folder; $BUILD is the build folder.
if ! command -v "${EXPLORE_CLANG:-clang}" >/dev/null; then
	echo "skipped: the explorer needs clang: run make setup explore"
	exit 77
fi
exec tests/proof/mutate --replay tests/proof/findings
