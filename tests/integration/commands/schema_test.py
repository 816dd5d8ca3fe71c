#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Recordings of older schemas stay readable. Runs every command that reads a trace on a recording of
# the demo phases that an early build of doze made (schema 1.0: no job numbers, callers, CPU times
# or level). Runs in the top folder; $BUILD is the build folder.
import json
import os
import sys

sys.path.insert(0, "tests/fixtures")
from synthetic import doze  # noqa: E402
from test_functions import expect, run_tests, test  # noqa: E402

OLD = "tests/fixtures/phases"  # schema 1.0
NEWER = "tests/fixtures/duel/jec"  # schema 1.1
LATER_FIELDS = {"job", "caller", "caller2", "skipped", "cpu_ns", "left_in_deques", "left_injected", "name"}


def lines(folder):
    code, out, err = doze("export", "--format=json", folder)
    expect(code == 0, f"{code}: {err}")
    return [json.loads(line) for line in out.splitlines()]


def fields_of(events, kind):
    return set().union(*(e.keys() for e in events if e["event"] == kind))


@test
def the_recording_has_schema_1_0_and_none_of_the_later_fields(_):
    start = lines(OLD)[0]
    expect((start["schema_major"], start["schema_minor"]) == (1, 0), start)
    with open(f"{OLD}/metadata", "rb") as f:
        metadata = f.read()
    for field in ("cpu_ns", "left_in_deques", "caller", "skipped", "procname"):
        expect(field.encode() not in metadata, f"the fixture's metadata has {field}")


@test
def every_event_is_read_and_no_later_field_is_made_up(_):
    events = lines(OLD)
    expect(len(events) == 308, len(events))
    for kind in ("post", "woken", "worker_state"):
        fields = fields_of(events, kind)
        expect(fields, f"no event {kind}")
        expect(not fields & LATER_FIELDS, f"{kind}: {fields & LATER_FIELDS}")


@test
def every_command_that_shows_a_trace_succeeds(top):
    page = f"{top}/page.html"
    for command in (["check"], ["timeline"], ["storms"], ["diagnose"], ["why"], ["whatif", "--posts"],
                    ["replay", "--once"], ["export", "--format=csv"], ["export", "--format=perfetto"],
                    ["export", "--format=svg"], ["report", "-o", page]):
        code, out, err = doze(*command, OLD)
        expect(code == 0, f"{command}: {code}: {err}")
        expect(out.strip(), f"{command} printed nothing")
    expect(os.path.getsize(page) > 10000, "the page is empty")


@test
def the_recording_can_be_compared_with_one_of_a_later_schema(_):
    for pair in ((OLD, NEWER), (NEWER, OLD)):
        code, out, err = doze("compare", *pair)
        expect(code == 0 and out, f"{pair}: {code}: {err}")


@test
def check_judges_the_recording_and_names_what_its_level_cannot_show(_):
    code, out, err = doze("check", OLD)
    expect(code == 0 and "No finding in 308 events" in out, out + err)
    expect("job-lost" in out, out)


@test
def a_simulation_is_refused_because_the_recording_lacks_the_jobs(_):
    code, _, err = doze("whatif", OLD)
    expect(code == 4 and "level all" in err and err.count("\n") == 1, f"{code}: {err}")


if __name__ == "__main__":
    sys.exit(run_tests("doze-schema-"))
