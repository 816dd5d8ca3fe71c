#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Finds the function and line of a post: in executables with and without fixed addresses, in a
# shared object, and in files that lack symbols or line numbers, are missing, or have changed since
# the recording. The program itself prints the expected lines.
import json
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import enough  # noqa: E402
from test_functions import expect, run_tests, test  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.abspath(os.path.join(HERE, *[os.pardir] * 3))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
DOZE = os.path.join(BUILD, "doze")


def run(*command, code=0):
    r = patience.run(command, capture_output=True, text=True)
    expect(r.returncode == code, f"{' '.join(command)}: exit {r.returncode}: {r.stderr}")
    return r.stdout


def build(top, name, *flags, library=("-g",)):
    """Builds the program and its shared object in a separate folder. Returns the executable."""
    folder = os.path.join(top, name)
    os.makedirs(folder)
    common = ["cc", "-O1", "-I", TOP, "-pthread"]
    run(*common, "-shared", "-fPIC", *library, "-o", f"{folder}/libposts.so", f"{HERE}/library.c")
    run(*common, *(flags or ("-g", "-pie", "-fPIE")), "-o", f"{folder}/posts", f"{HERE}/posts.c", f"{folder}/libposts.so",
        f"-Wl,-rpath,{folder}", f"-L{BUILD}", "-ldoze", f"-Wl,-rpath,{BUILD}")
    return f"{folder}/posts"


def record(program):
    """Records the program. Returns the trace and a dict with the source line that each part of the
    program printed."""
    trace = os.path.dirname(program) + "/trace"
    run(DOZE, "record", "-o", trace, "--detail=jobs", "--", program)
    with open(f"{trace}/program.log", encoding="utf-8") as f:
        return trace, dict(re.findall(r"^(program|library) (.*)$", f.read(), re.M))


def places(trace):
    """Returns the places of the posts according to doze why, in the order of the jobs."""
    found = []
    for job in ("0x1", "0x2"):
        chain = json.loads(run(DOZE, "why", "--json", trace, job))["chain"]
        posts = [s["text"] for s in chain if s["event"] == "post"]
        expect(posts and ", posted at " in posts[0], f"{job}: {posts}")
        found.append(posts[0].split(", posted at ")[1])
    return found


def finds(program):
    trace, said = record(program)
    got = places(trace)
    expect(got == [said["program"], said["library"]], f"{got}, not {said}")


@test
def lines_are_found_in_a_position_independent_executable_and_a_shared_object(top):
    finds(build(top, "pie"))


@test
def lines_are_found_in_an_executable_at_a_fixed_address(top):
    finds(build(top, "fixed", "-g", "-no-pie", "-fno-pie"))


@test
def lines_are_found_in_a_separate_debug_file(top):
    program = build(top, "separate")
    run("objcopy", "--only-keep-debug", program, program + ".debug")
    run("objcopy", "--strip-all", f"--add-gnu-debuglink={program}.debug", program)
    finds(program)


@test
def a_stripped_file_is_reported(top):
    program = build(top, "stripped")
    run("strip", program)
    trace, said = record(program)
    got = places(trace)
    expect(re.fullmatch(r"posts\+0x[0-9a-f]+ \(stripped: no symbols\)", got[0]), got)
    expect(got[1] == said["library"], got)


@test
def without_line_numbers_the_function_is_named(top):
    trace, _ = record(build(top, "lineless", "-g0", "-pie", "-fPIE"))
    expect(places(trace)[0] == "post_from_program (posts, no line numbers: build it with -g)", places(trace))


@test
def a_missing_file_is_reported(top):
    program = build(top, "missing")
    trace, said = record(program)
    os.remove(program)
    got = places(trace)
    expect(got[0].startswith("posts+0x") and got[0].endswith("(the file is missing here)"), got)
    expect(got[1] == said["library"], got)


@test
def a_changed_file_is_not_used(top):
    program = build(top, "changed")
    trace, said = record(program)
    other = build(top, "other", "-g", "-pie", "-fPIE", "-O2", "-DOTHER")
    os.replace(other, program)
    got = places(trace)
    expect(got[0].startswith("posts+0x") and "build-id differs" in got[0], got)
    expect(got[1] == said["library"], got)


@test
def a_recording_without_a_list_of_binaries_is_reported(top):
    trace = os.path.join(top, "bare")
    shutil.copytree(os.path.join(top, "pie", "trace"), trace)
    path = [os.path.join(d, "metadata") for d, _, files in os.walk(trace) if "metadata" in files][0]
    with open(path, "rb") as f:
        text = f.read()
    expect(b"lttng_ust_statedump:bin_info" in text, "the recording has no list of binaries")
    with open(path, "wb") as f:
        f.write(text.replace(b"lttng_ust_statedump:bin_info", b"lttng_ust_statedump:no_info_"))
    job = json.loads(run(DOZE, "why", "--json", trace, "0x1", code=4))["chain"]
    post = [s["text"] for s in job if s["event"] == "post"][0]
    expect("posts.c" not in post, post)


def record_storms(trace, jobs):
    run(DOZE, "record", "-o", trace, "--policy=tickle", "--workers=8", "--", DOZE, "demo", "trickle", f"--jobs={jobs}")
    return trace


def posted_storms(trace):
    """Returns the storms that a post began. Under tickle, a worker that finds a job can begin one, too."""
    return [s for s in json.loads(run(DOZE, "storms", "--json", trace))["storms"] if s["cause"] == "inject"]


def lacks_storms(trace):
    if not posted_storms(trace):
        return "no storm"
    causes = json.loads(run(DOZE, "diagnose", "--json", trace))["causes"]
    return "" if "storm" in {c["kind"] for c in causes} else f"storms cost too little: {causes}"


@test
def storms_diagnose_and_report_show_the_line(top):
    trace = enough(lambda times: record_storms(f"{top}/storm{times}", 60 * times), lacks_storms)
    with open(os.path.join(TOP, "viz/cli/demo/trickle.c"), encoding="utf-8") as f:
        number = next(i for i, line in enumerate(f, 1) if "doze_spawn(" in line)
    place = f"trickle_run (trickle.c:{number})"
    storms = posted_storms(trace)
    expect(all(s["posted_at"] == place for s in storms), [s["posted_at"] for s in storms][:3])
    for command in (("storms", "--brief"), ("diagnose",)):
        expect(place in " ".join(run(DOZE, *command, trace).split()), command)
    page = os.path.join(top, "page.html")
    run(DOZE, "report", trace, "-o", page)
    with open(page, encoding="utf-8") as f:
        expect(place in f.read(), "report")


if __name__ == "__main__":
    raise SystemExit(run_tests("doze-symbols-"))
