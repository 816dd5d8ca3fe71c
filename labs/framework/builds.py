# SPDX-License-Identifier: MIT
"""Builds the explorer's programs with the student's file in place of the library's."""
import functools
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import threading

from . import sealed
from .course import BUILD, ROOT, BadFile, Stop

# Show the compiler's warnings for the student's file, but stop only at a call of an undeclared function, because the linker
# would not report its line.
STUDENT_FLAGS = ["-Wno-error", "-Werror=implicit-function-declaration", "-Wno-unused-parameter", "-Wno-missing-prototypes", "-fdiagnostics-color=never"]


def make(*goals, stdout):
    return subprocess.run(["make", "-s", "--no-print-directory", *goals, "BUILD=" + os.path.relpath(BUILD, ROOT)],
                          cwd=ROOT, stdout=stdout, text=True, check=False)


@functools.lru_cache
def how():
    """Builds the objects that all students share. Returns the compilers, flags and file lists of the Makefile."""
    if "LABS_ARE_BUILT" not in os.environ:
        jobs = "-j%d" % len(os.sched_getaffinity(0))
        if make(jobs, "labs-objects", stdout=sys.stderr if sys.stderr.isatty() else subprocess.DEVNULL).returncode:
            raise Stop("the library does not build: run make setup labs, then make labs-objects")
    done = make("explore-flags", stdout=subprocess.PIPE)
    result = {}
    for line in done.stdout.splitlines():
        key, value = line.split("=", 1)
        result[key] = value if key in ("cc", "clang") else shlex.split(value)
    result["engine"] = [os.path.join(ROOT, path) for path in result["engine"]]  # labs/lab may run in any folder
    return result


def variant_of(program):
    """Returns the set of objects that the program is linked from."""
    return "lib-jec" + program[-1] if "-jec" in program else "lib"


def scenario_of(lab, program):
    if program == "lab":
        return "labs/%s/scenarios.c" % lab.name
    return "labs/scenarios/%s.c" % program.split("-jec")[0]


def explored(variant, source):
    return os.path.join(BUILD, "explore", variant, source[:-2] + ".o")


def fingerprint(*paths):
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            digest.update(file.read() + b"\0")
    return digest.hexdigest()[:16]


def shown(path):
    """Returns the path as the compiler and the listings show it: relative to the tree if the file
    is inside the tree."""
    relative = os.path.relpath(path, ROOT)
    return path if relative.startswith("..") else relative


def headers_of(lab):
    """Returns the folder from which the student's file includes headers by name."""
    return os.path.dirname(lab.replaces) if lab.replaces else "labs/" + lab.name


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def produce(target, command, complaint, text=None):
    """Runs a compiler or linker, which reads `text` from stdin and writes the target. The output first goes to a
    temporary file, because several gradings may need the same target at once. Returns the tool's messages."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    part = "%s.%d.%d" % (target, os.getpid(), threading.get_ident())
    done = subprocess.run(command + ["-o", part], cwd=ROOT, input=text, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise BadFile("%s\n%s" % (complaint, done.stderr.rstrip()))
    os.replace(part, target)
    return done.stderr


def object_path(digest, variant):
    return os.path.join(BUILD, "labs", "objects", "%s-%s.o" % (digest, variant))


def called(path):
    """Returns the names of the functions and variables that an object takes from elsewhere."""
    done = subprocess.run(["nm", "--undefined-only", "--format=posix", path], stdout=subprocess.PIPE, text=True, check=True)
    return {line.split()[0].split("@")[0] for line in done.stdout.splitlines()}


def compile_file(path, variant, headers, text=None):
    """Compiles a file that replaces one in the folder `headers`, or compiles `text` in its place.
    The text is never written to disk, where a student could read it. Returns (object, output of the
    compiler)."""
    tools = how()
    target = object_path(fingerprint(path) if text is None else digest_of(text), variant)
    source = [shown(path)] if text is None else ["-x", "c", "-"]
    flags = tools["flags"] + (["-DDOZE_BITS_JEC=" + variant[-1]] if variant != "lib" else []) + ["-iquote", headers]
    command = shlex.split(tools["clang"]) + flags + STUDENT_FLAGS + ["-c"] + source
    return target, produce(target, command, "%s does not compile" % shown(path), text)


def program(lab, name, path):
    """Returns the explorer's program `name` with the student's file at `path`, or with the library's own
    file if path is None."""
    tools, variant = how(), variant_of(name)
    sources = [s for s in tools["lib"] if path is None or s != lab.replaces] + [scenario_of(lab, name)]
    objects = [explored(variant, s) for s in sources]
    for missing in (o for o in objects if not os.path.exists(o)):
        raise Stop("%s is missing: run make labs-objects" % os.path.relpath(missing))
    if path is not None:
        objects.insert(0, compile_file(path, variant, headers_of(lab))[0])
    return linked(name, objects)


def faulty_program(lab, name, fault):
    """Returns the explorer's program `name` with one library file changed according to `fault`, a
    MutantFile."""
    source = fault.get("file")
    text = '#line 1 "%s"\n%s' % (source, fault.apply(library_text(source)))
    variant = variant_of(name)
    others = [s for s in how()["lib"] if s != source] + [scenario_of(lab, name)]
    return linked(name, [compile_file(source, variant, os.path.dirname(source), text)[0]] + [explored(variant, s) for s in others])


def library_text(source):
    """Returns the text of a library file, which a student's copy may contain only in sealed
    form."""
    path = os.path.join(ROOT, source)
    if not os.path.exists(path):
        return sealed.opened()[source]
    with open(path, encoding="utf-8") as file:
        return file.read()


programs = os.path.join(BUILD, "labs", "programs")  # the folder of linked programs


def link(name, objects, options):
    """Links a program unless it exists. Its name contains a digest of the objects. Returns its path."""
    target = os.path.join(programs, "%s-%s" % (name, fingerprint(*objects)))
    if not os.path.exists(target):
        produce(target, shlex.split(how()["cc"]) + objects + options, "cannot link the program with your file")
    return target


def linked(name, objects):
    """Links an explorer program."""
    objects = objects + how()["engine"]
    return link(name, objects, ["-no-pie"])


# Compiler flags for programs that check the student's file: it calls the malloc of 10-contest/guarded.h, and an index
# beyond the end of an array causes a trap, which needs no runtime library.
CHECKED_FLAGS = ["-D%s=lab_%s" % (f, f) for f in ("malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign")] + [
    "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error", "-g"]


def compile_real(lab, path, kind="real"):
    """Compiles a file for real threads. The trace hooks of kind `real` call a lab's measure.c, and those of `traced` call
    LTTng. Kind `checked` is like `real`, with CHECKED_FLAGS. Returns the object."""
    target = object_path(fingerprint(path), kind)
    flags = [f for f in how()["real_flags"] if kind != "traced" or f != "-DDOZE_TRACE_SINK"]
    flags += CHECKED_FLAGS if kind == "checked" else []
    command = shlex.split(how()["cc"]) + flags + STUDENT_FLAGS + ["-iquote", os.path.dirname(lab.replaces), "-c", shown(path)]
    produce(target, command, "%s does not compile" % shown(path))
    return target


def link_real(lab, kind, objects, options=()):
    """Links a program for real threads."""
    return link(lab.name + kind, objects, ["-pthread", "-lm", "-ldl", *options])


def source_of(lab, program):
    return "labs/%s/%s.c" % (lab.name, program)


def others(lab, path, program):
    """Returns the objects of a program for real threads, except that of the student's file."""
    sources = [s for s in how()["real"] if path is None or s != lab.replaces] + [source_of(lab, program)]
    return [os.path.join(BUILD, "obj-labs", s[:-2] + ".o") for s in sources]


def real_program(lab, path):
    """Links the lab's measure.c and the library for real threads, with the student's file or, if
    path is None, the library's own. Returns the program."""
    return link_real(lab, "", ([compile_real(lab, path)] if path is not None else []) + others(lab, path, "measure"))


def checked_program(lab, path, program):
    """Links another program of the lab, which checks the student's file or, if path is None, the library's. Its addresses
    are fixed, so that place_of finds the line of a fault. Returns the program."""
    own = [compile_real(lab, path, "checked")] if path is not None else []
    return link_real(lab, "-" + program, own + others(lab, path, program), ["-no-pie"])


def traced_program(lab, path, archive):
    """Links the lab's measure.c and the student's file with the archive, as a program that can be recorded. The linker
    does not take the archive's own copy of the file, because the student's file defines the same symbols."""
    objects = [compile_real(lab, path, "traced"), compile_real(lab, os.path.join(ROOT, source_of(lab, "measure")), "traced")]
    return link_real(lab, "-traced", objects + [archive])


def forget(path):
    """Removes a program that is no longer needed, because a check of many mutants would otherwise
    fill the disk."""
    if os.path.exists(path):
        os.remove(path)


def place_of(program, address):
    """Returns FILE:LINE of the code at an address (hexadecimal), or "" if it is unknown."""
    tool = shutil.which("addr2line")
    if not tool:
        return ""
    done = subprocess.run([tool, "-e", program, address], stdout=subprocess.PIPE, text=True, check=False)
    place = done.stdout.split(" ")[0].strip()
    return "" if place.startswith("??") else shown(place)


def write_trace(events, folder):
    """Converts a file of events to a trace for doze replay. Returns the folder, or None if the tool
    is not built or refuses the events."""
    tool = os.path.join(BUILD, "explore", "explore-trace")
    if not os.path.exists(tool):
        return None
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    done = subprocess.run([tool, events, folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return folder if done.returncode == 0 else None
