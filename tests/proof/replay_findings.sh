#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Replays the schedules in findings/, which must fail as recorded, and compares the example in the explorer's
# README with what the explorer prints.
# Runs in the top folder; $BUILD is the build folder.
set -e
if ! command -v "${EXPLORE_CLANG:-clang}" >/dev/null; then
	echo "skipped: the explorer needs clang: run make setup explore"
	exit 77
fi
tests/proof/run --sample
exec tests/proof/mutate --replay tests/proof/findings
