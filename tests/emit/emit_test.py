#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A pool that is not libdoze's shows itself in doze's tools with the hooks of doze_emit.h: nothing is lost, each fault
is found, and nothing is claimed that the pool did not report. Runs in the top folder; $BUILD is the build folder."""
import json
import os
import subprocess
import sys
import tempfile

sys.path[:0] = ["tests/fixtures", "tests/integration/any"]
import patience  # noqa: E402
from recorded_waits import BUILD, DOZE, counts, events, finish, ok  # noqa: E402

POOL = f"{BUILD}/tests/emit/pool"
JOBS = 600

# A program with a pool of libdoze and one with hooks.
BOTH = """
#include "lib/doze.h"
#include <doze_emit.h>
static void nothing(void *arg) { (void)arg; }
int main(void)
{
	doze_pool *pool;
	struct doze_emit_pool *other = doze_emit_pool_start("other", "none", 1);
	if (!other || doze_pool_create(&pool, 0) != 0)
		return 1;
	doze_emit_worker_start(other, 0);
	doze_install(pool, nothing, 0);
	doze_emit_worker_stop(other, 0);
	doze_pool_free(pool);
	doze_emit_pool_stop(other);
	return 0;
}
"""


# A program whose pool ends in a destructor, as libuv's does. One of its jobs is cancelled.
AT_EXIT = """
#include <doze_emit.h>
static struct doze_emit_pool *pool;
__attribute__((destructor)) static void end(void)
{
	doze_emit_worker_stop(pool, 0);
	doze_emit_pool_stop(pool);
}
int main(void)
{
	const struct doze_emit_post post = {.queue = DOZE_QUEUE_injector, .jobs = 1};
	pool = doze_emit_pool_start("late", "none", 1);
	if (!pool)
		return 1;
	doze_emit_worker_start(pool, 0);
	doze_emit_job_start(pool, 0, 7, DOZE_SOURCE_inline);
	doze_emit_job_end(pool, 0, 7);
	doze_emit_post(pool, DOZE_EMIT_OUTSIDE, &post);
	doze_emit_cancel(pool, 0);
	return 0;
}
"""


# The child of a program with a pool has a pool of its own until its standard input ends.
FORKS = """
#include <doze_emit.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	struct doze_emit_pool *pool = doze_emit_pool_start("parent", "none", 1);
	doze_emit_worker_start(pool, 0);
	if (fork())
		return wait(NULL) < 0;
	pool = doze_emit_pool_start("child", "none", 1);
	doze_emit_worker_start(pool, 0);
	printf("%d\\n", (int)getpid());
	fflush(stdout);
	return getchar() != EOF;
}
"""


def run(*command, **more):
    return patience.run(command, capture_output=True, text=True, timeout=100, **more)


def causes(folder):
    """Returns each cause's share of the usable time, the most expensive cause first."""
    found = json.loads(run(DOZE, "diagnose", "--json", folder).stdout)
    costs = sorted(found["costs"].items(), key=lambda c: -c[1])
    return {kind: cost / found["usable_time"] for kind, cost in costs if cost}


def record(top, how):
    folder = f"{top}/{how}"
    p = run(DOZE, "record", "-o", folder, "--", POOL, how)
    ok(f"{how}: is recorded", p.returncode == 0, p)
    return folder


def is_complete(folder):
    """The recording has all that the pool has done."""
    n = counts(folder)
    ok("every post and job is recorded", n["post"] == n["job_taken"] == JOBS, n)
    ok("every wake has its woken worker", n["wake"] == n["woken"] > 0, n)
    ok("no wake ended a sleep twice", len({e["wake_id"] for name, e in events(folder) if name == "woken"}) == n["woken"])
    p = run(DOZE, "check", folder)
    ok("the checker has no finding, and says that it does not know the policy",
       p.returncode == 4 and "No finding" in p.stdout and "unless the pool is not libdoze's" in p.stderr, p)


def finds(folder, kind):
    found = causes(folder)
    pools = [c for c in found if c not in ("outside", "serial", "offcpu", "crowded")]
    ok(f"the diagnosis names the fault, {kind}", pools and pools[0] == kind, found)


def compiles(top, name, *command):
    p = run(*command, "-o", f"{top}/out")
    ok(f"the header compiles: {name}", p.returncode == 0, p.stderr)


def program_of(top, name, text, *libraries):
    source, program = f"{top}/{name}.c", f"{top}/{name}"
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    p = run(os.environ.get("CC", "cc"), "-std=gnu11", "-I.", f"-I{BUILD}/include", source, *libraries, "-o", program, "-pthread", "-ldl")
    ok(f"a program is built: {name}, {' '.join(libraries)}", p.returncode == 0, p.stderr)
    return program


def at_exit(top):
    folder, program = f"{top}/at-exit", program_of(top, "late", AT_EXIT, f"{BUILD}/libdoze-emit.a")
    p = run(DOZE, "record", "--detail=all", "-o", folder, "--", program)
    n = counts(folder)
    ok("a pool that ends in a destructor is recorded to its end", n["worker_stop"] == n["pool_stop"] == 1, (p, n))
    p = run(DOZE, "check", folder)
    ok("and its cancelled job is not lost", n["job_taken"] == 1 and "No finding" in p.stdout, (p, n))


def forked(top):
    folder, program = f"{top}/forked", program_of(top, "forks", FORKS, f"{BUILD}/libdoze-emit.a")
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": BUILD, "DOZE_TRACE_WAIT_MS": "10000"}) as parent:
        child = parent.stdout.readline().strip()
        p = run(DOZE, "record", "-o", folder, "--for", "2s", "--pid", child)
        parent.stdin.close()
    pools = {e["pool"] for name, e in events(folder) if name == "snapshot"}
    ok("the recording of a child has no pool of its parent", p.returncode == 0 and pools == {"2"}, (p, pools))


def both(top, *libraries):
    program = program_of(top, "both", BOTH, *libraries)
    folder = f"{top}/both-{len(os.listdir(top))}"
    p = run(DOZE, "record", "-o", folder, "--", program, env={**os.environ, "LD_LIBRARY_PATH": BUILD})
    pools = {e["pool"] for name, e in events(folder) if name == "pool_start"}
    ok("and its two pools have different numbers", p.returncode == 0 and pools == {"1", "1001"}, (p, pools))


def main():
    with tempfile.TemporaryDirectory() as top:
        healthy, storm, lost = (record(top, how) for how in ("healthy", "storm", "lost"))
        for folder in (healthy, storm, lost):
            is_complete(folder)
        faults = {kind: share for kind, share in causes(healthy).items() if kind in ("storm", "asleep", "burn")}
        ok("a healthy run has no fault that costs much", all(share < 0.05 for share in faults.values()), faults)
        finds(storm, "storm")
        finds(lost, "asleep")
        compiles(top, "C", "cc", "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-c", "-x", "c", f"{BUILD}/include/doze_emit.h")
        compiles(top, "C++", "c++", "-Wall", "-Wextra", "-Werror", "-c", "-x", "c++", f"{BUILD}/include/doze_emit.h")
        compiles(top, "without tracing", "cc", "-DDOZE_NO_TRACE", "-Wall", "-Wextra", "-Werror", "-c", f"-I{BUILD}/include", "tests/emit/pool.c")
        at_exit(top)
        forked(top)
        both(top, f"{BUILD}/libdoze.a", f"{BUILD}/libdoze-emit.a")
        both(top, f"{BUILD}/libdoze-emit.a", f"{BUILD}/libdoze.a")
        both(top, f"{BUILD}/libdoze.so", f"{BUILD}/libdoze-emit.a")
    finish()


main()
