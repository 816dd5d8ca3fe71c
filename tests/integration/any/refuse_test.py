#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Which programs `doze record --any` refuses, and that it changes nothing for the others. Runs in the
# top folder; $BUILD is the build folder.
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import whole  # noqa: E402
from test_functions import expect, run_tests, test  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
DOZE, LIBRARY = f"{BUILD}/doze", f"{BUILD}/libdoze-any.so"
BROADCAST = f"{BUILD}/doze-demo-broadcast"
NOBODY = 65534


def record(top, *program, options=(), env=None, doze=DOZE, command="record"):
    """Records a program. Returns the exit code, the messages and the program's output."""
    folder = f"{top}/trace"
    shutil.rmtree(folder, ignore_errors=True)
    where = ["-o", folder] if command == "record" else ["--once"]
    p = patience.run([doze, command, "--any", *where, *options, "--", *program], capture_output=True, text=True,
                     timeout=60, env={**os.environ, **(env or {})})
    output = ""
    if os.path.exists(f"{folder}/program.log"):
        with open(f"{folder}/program.log", encoding="utf-8") as log:
            output = log.read()
    return p.returncode, said(p), output


def said(p):
    """Returns the messages of doze, without the one that other sessions on this machine may cause."""
    return "".join(line for line in p.stderr.splitlines(True) if "lttng-sessiond (pid" not in line)


def refused(top, reason, *program, **how):
    """Expects that a program is refused with one line, and that nothing is left of the recording."""
    code, err, _ = record(top, *program, **how)
    expect(code == 3, f"{program}: exit {code}: {err}")
    expect(err.count("\n") == 1 and err.startswith(f"doze: {how.get('command', 'record')}: "), err)
    expect(reason in err, err)
    expect(not os.path.exists(f"{top}/trace"), "the folder of the recording is left behind")


def accepted(top, *program, **how):
    code, err, output = record(top, *program, **how)
    expect(code in (0, 1) and "cannot" not in err, f"{program}: exit {code}: {err}{output}")
    return output


def build(top, name, *flags, compiler="gcc", source="int main(void) { return 0; }"):
    program = f"{top}/{name}"
    if not os.path.exists(program):
        with open(f"{program}.c", "w", encoding="utf-8") as f:
            f.write(source)
        subprocess.run([compiler, "-pthread", "-o", program, f"{program}.c", *flags], check=True)
    return program


def patched(top, name, change):
    """Writes a copy of the plain program with changed bytes. Returns its path."""
    with open(build(top, "plain"), "rb") as f:
        data = bytearray(f.read())
    change(data)
    with open(f"{top}/{name}", "wb") as f:
        f.write(data)
    os.chmod(f"{top}/{name}", 0o755)
    return f"{top}/{name}"


def copy(source, target):
    """Copies a file in place of another, which a supervisor may still execute."""
    shutil.copy(source, f"{target}.new")
    os.replace(f"{target}.new", target)
    return target


def script(top, name, first_line):
    with open(f"{top}/{name}", "w", encoding="utf-8") as f:
        f.write(f"{first_line}\necho the script ran\n")
    os.chmod(f"{top}/{name}", 0o755)
    return f"{top}/{name}"


@test
def a_plain_program_is_accepted(top):
    accepted(top, build(top, "plain"))


@test
def a_static_program_is_refused(top):
    refused(top, "static: statically linked", build(top, "static", "-static"))
    refused(top, "static-pie: statically linked", build(top, "static-pie", "-static-pie"))


@test
def a_script_is_judged_by_its_interpreter(top):
    static = build(top, "static", "-static")
    refused(top, "static: statically linked", script(top, "one", f"#!{static} -x"))
    refused(top, "static: statically linked", script(top, "two", f"#! {top}/one"))
    refused(top, "/no/such/file: No such file", script(top, "bad", "#!/no/such/file"))
    for line in ("#!/bin/sh", "#!/usr/bin/env sh", "# no interpreter"):
        output = accepted(top, script(top, "good", line))
        expect(output == "the script ran\n", f"{line}: {output}")


@test
def a_program_with_other_privileges_is_refused(top):
    if os.geteuid():
        print("not tested: only root can give a file to another user")
        return
    program = shutil.copy(build(top, "plain"), f"{top}/privileged")
    for bit, name in ((0o4755, "set-user-ID"), (0o2755, "set-group-ID")):
        os.chown(program, NOBODY, NOBODY)
        os.chmod(program, bit)
        refused(top, f"has the {name} bit", program)
        os.chown(program, 0, 0)
        os.chmod(program, bit)
        accepted(top, program)  # root's own file gives no other privileges
    subprocess.run(["cp", program, f"{top}/copy"], check=True)
    expect(os.stat(f"{top}/copy").st_mode & 0o6000 == 0, "the copy that the message suggests has the bit, too")


@test
def a_musl_program_is_refused(top):
    def musl(data):
        at = data.index(b"/lib64/ld-linux-x86-64.so.2\0" if b"/lib64/ld-linux-x86-64.so.2\0" in data
                        else b"/lib/ld-linux-aarch64.so.1\0")
        data[at:at + 25] = b"/lib/ld-musl-x86_64.so.1\0"
    refused(top, "musl: built for musl (/lib/ld-musl-x86_64.so.1)", patched(top, "musl", musl))


@test
def a_program_of_another_machine_is_refused(top):
    def narrow(data):
        data[4] = 1  # ELFCLASS32
        data[18:20] = b"\x03\0"  # EM_386
    refused(top, "narrow: built for another machine (32 bits)", patched(top, "narrow", narrow))

    def riscv(data):
        data[18:20] = b"\xf3\0"  # EM_RISCV
    refused(top, "riscv: built for another machine:", patched(top, "riscv", riscv))


@test
def a_damaged_program_does_not_disturb_doze(top):
    for size in (3, 20, 64, 100, 700, 4096):
        def cut(data, size=size):
            del data[size:]
        code, err, _ = record(top, patched(top, "cut", cut))
        expect(code >= 0 and err.count("doze: ") == err.count("\n"), f"{size} bytes: exit {code}: {err}")


@test
def address_sanitizer_must_come_first(top):
    source = "#include <stdio.h>\nint main(void) { return puts(\"ran\") < 0; }"
    program = build(top, "asan", "-fsanitize=address", source=source)
    code, err, _ = record(top, program)
    remedy = re.search(r"'--any -- env (LD_PRELOAD=libasan\.so\.\d+) (\S+)'", err)
    expect(code == 3 and err.count("\n") == 1 and remedy, err)
    expect(remedy.group(2) == program, err)
    expect(accepted(top, "env", remedy.group(1), program) == "ran\n", "the remedy of the message does not work")
    preload = remedy.group(1).split("=")[1]
    expect(accepted(top, program, env={"LD_PRELOAD": preload}) == "ran\n", "with the user's own LD_PRELOAD")
    refused(top, "AddressSanitizer must be loaded", program, env={"LD_PRELOAD": "libm.so.6"})
    child = accepted(top, "sh", "-c", f"{program}; true", options=["--follow"])
    expect(child == "ran\n", f"as a child of the recorded program, which inherits the preload: {child}")
    if shutil.which("clang"):  # links its sanitizer statically
        static = build(top, "clang-asan", "-fsanitize=address", compiler="clang", source=source)
        expect(accepted(top, static) == "ran\n", "clang's AddressSanitizer")


@test
def a_missing_program_is_refused(top):
    refused(top, "no-such-program: No such file or directory: check the name and PATH", "no-such-program")
    refused(top, "./no-such-program: No such file", "./no-such-program")
    refused(top, ".: Is a directory", ".")


@test
def live_refuses_in_the_same_way(top):
    refused(top, "static: statically linked", build(top, "static", "-static"), command="live")
    for other in ("--duel=jec,rfc", "--attach"):
        p = patience.run([DOZE, "live", "--any", other], capture_output=True, text=True, timeout=60)
        expect(p.returncode == 2 and p.stderr.count("\n") == 1 and "--any" in p.stderr, p)


@test
def without_the_library_nothing_is_recorded(top):
    os.makedirs(f"{top}/bin", exist_ok=True)
    doze = copy(DOZE, f"{top}/bin/doze")
    refused(top, "libdoze-any.so: not found", "true", doze=doze)
    copy(LIBRARY, f"{top}/bin/libdoze-any.so")
    accepted(top, "true", doze=doze)
    os.makedirs(f"{top}/b in", exist_ok=True)
    for name in ("doze", "libdoze-any.so"):
        copy(f"{BUILD}/{name}", f"{top}/b in/{name}")
    refused(top, "without a blank", "true", doze=f"{top}/b in/doze")
    out = patience.run([doze, "doctor", "--quick"], capture_output=True, text=True, timeout=60).stdout
    expect(f"the library of --any is installed: {top}/bin/libdoze-any.so" in out, out)
    os.remove(f"{top}/bin/libdoze-any.so")
    out = patience.run([doze, "doctor", "--quick"], capture_output=True, text=True, timeout=60).stdout
    expect("libdoze-any.so is missing" in out, out)


def environment(top, library, **how):
    """Records `env` with a doze whose library is a copy of the given one. Returns what env prints."""
    os.makedirs(f"{top}/own", exist_ok=True)
    copy(library, f"{top}/own/libdoze-any.so")
    text = accepted(top, "env", doze=copy(DOZE, f"{top}/own/doze"), **how)
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


@test
def the_preloads_come_in_order(top):
    idle = build(top, "idle.so", "-shared", "-fPIC")  # leaves LD_PRELOAD as it is, unlike the true one
    ours = f"{top}/own/libdoze-any.so"
    own = environment(top, idle)
    expect(own["LD_PRELOAD"] in (f"liblttng-ust-fd.so.1:{ours}", ours), own["LD_PRELOAD"])
    expect(own["DOZE_ANY_PRELOAD"] == own["LD_PRELOAD"], own)
    expect(own["DOZE_ANY"].isdigit(), own["DOZE_ANY"])
    user = environment(top, idle, env={"LD_PRELOAD": "libm.so.6"})["LD_PRELOAD"]
    expect(user in (f"libm.so.6:liblttng-ust-fd.so.1:{ours}", f"libm.so.6:{ours}"), user)
    given = "libm.so.6:liblttng-ust-fd.so.1"
    twice = environment(top, idle, env={"LD_PRELOAD": given})["LD_PRELOAD"]
    expect(twice == f"{given}:{ours}", twice)
    expect(environment(top, idle, options=["--follow"])["DOZE_ANY"] == "follow", "--follow")


@test
def the_program_does_not_see_the_library(top):
    env = environment(top, LIBRARY, env={"LD_PRELOAD": "libm.so.6"})
    expect(env["LD_PRELOAD"] == "libm.so.6", env["LD_PRELOAD"])
    expect("LD_PRELOAD" not in environment(top, LIBRARY), "LD_PRELOAD is left, but empty")


@test
def the_process_to_record_is_the_program(top):
    output = accepted(top, "sh", "-c", "echo $DOZE_ANY $$")
    expect(len(output.split()) == 2 and len(set(output.split())) == 1, output)


@test
def output_and_status_of_the_program_are_its_own(top):
    for status in (0, 7, 255):
        command = f"echo out; echo err >&2; cat; exit {status}"
        p = patience.run([DOZE, "record", "--any", "--json", "-o", f"{top}/status{status}", "--", "sh", "-c", command],
                         capture_output=True, text=True, timeout=60, input="in\n")
        with open(f"{top}/status{status}/program.log", encoding="utf-8") as log:
            expect(log.read() == "out\nerr\nin\n", f"status {status}")
        expect(f'"exit":{status},' in p.stdout, p)
    code, err, _ = record(top, "sh", "-c", "kill -SEGV $$")
    expect(code == 139 and "killed by signal 11" in err, f"exit {code}: {err}")


@test
def an_empty_trace_suggests_the_option(top):
    p = patience.run([DOZE, "record", "-o", f"{top}/empty", "--", "true"], capture_output=True, text=True, timeout=60)
    expect(p.returncode == 1 and "add --any" in said(p) and said(p).count("\n") == 1, p)
    p = patience.run([DOZE, "live", "--once", "--", "true"], capture_output=True, text=True, timeout=60)
    expect("add --any" in said(p) and said(p).count("\n") == 1, p)
    p = patience.run([DOZE, "live", "--once", "--any", "--", "true"], capture_output=True, text=True, timeout=60)
    expect(said(p) == "", p)


@test
def the_textbook_pool_is_recorded_as_it_counts_itself(top):
    for program in ([BROADCAST], [DOZE, "demo", "textbook"]):
        folder = f"{top}/{os.path.basename(program[0])}"
        p = whole(patience.run([DOZE, "record", "--any", "-o", folder, "--", *program, "--jobs=100", "--count"],
                               capture_output=True, text=True, timeout=60))
        expect(p.returncode == 0 and p.stdout.startswith("recorded: "), p)
        with open(f"{folder}/program.log", encoding="utf-8") as log:
            counted = dict(re.findall(r"(\S+) (\d+)", log.read()))
        events = patience.run(["babeltrace2", folder], capture_output=True, text=True, check=True).stdout
        for name, event in (("waits", "wait"), ("woken", "woken")):
            n = events.count(f" doze:{event}: ")
            expect(n == int(counted[name]), f"{program}: {name}: {n} recorded, {counted}")


@test
def without_a_program_the_textbook_pool_is_recorded(top):
    p = patience.run([DOZE, "record", "--any", "--workers=3", "-o", f"{top}/demo"], capture_output=True, text=True,
                     timeout=60)
    expect(p.returncode == 0 and p.stdout.startswith("recorded: ") and f"program: {BROADCAST} exited with 0" in p.stdout, p)
    expect(not said(p) and not os.path.getsize(f"{top}/demo/program.log"), p.stderr)


if __name__ == "__main__":
    sys.exit(run_tests("doze-any."))
