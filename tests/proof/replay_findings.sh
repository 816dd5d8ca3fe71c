#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Do the schedules in findings/ fail again, as they say? Runs in the top folder, as the last of what
# `make explore-check` does, too. $BUILD is the build folder.
if ! command -v "${EXPLORE_CLANG:-clang}" >/dev/null; then
	echo "skipped: the explorer needs clang: run make setup explore"
	exit 77
fi
exec tests/proof/mutate --replay tests/proof/findings
