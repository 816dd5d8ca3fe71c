# SPDX-License-Identifier: MIT
"""Builds the explorer's programs with the student's file in place of the library's."""
import functools
import glob
import hashlib
import os
import secrets
import shlex
import shutil
import subprocess
import sys
import threading

from . import course, jail, sealed
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


def produce(target, make_file, complaint):
    """Makes the target: make_file(PATH) writes it to a temporary file, because several gradings may need the same target at
    once, and returns (exit status, messages). Returns the messages."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    part = "%s.%d.%d" % (target, os.getpid(), threading.get_ident())
    status, messages = make_file(part)
    if status:
        raise BadFile("%s\n%s" % (complaint, messages.rstrip()))
    if jail.current.is_closed:
        os.chmod(part, 0o755)  # the grader's umask may be closed, but another user runs it
    os.replace(part, target)
    return messages


def compiled(target, command, path, text=None):
    """Compiles the student's file at `path`, or `text` in its place. In isolation the compiler, too, knows only the text: an
    #include or a link could otherwise show it the grader's files. Returns the compiler's messages."""
    if text is None:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = '#line 1 "%s"\n%s' % (shown(path), file.read()) if jail.current.is_closed else None
    source = [shown(path)] if text is None else ["-x", "c", "-"]
    read = [] if text is not None else [path]

    def make_file(part):
        with jail.folder() as folder:
            own = os.path.join(folder, "object.o")
            done = jail.run(command + ["-c", *source, "-o", own], jail.TOOL, text=text, reads=headers() + read, writes=[folder], at=ROOT)
            made = jail.taken(own)
            if made is None:
                return done.status or 1, done.err or "the compiler did not finish"
            with open(part, "wb") as file:
                file.write(made)
            return done.status, done.err
    return produce(target, make_file, "%s does not compile" % shown(path))


def headers():
    """Returns the files and folders that a student's file may include. The compiler must not read more in isolation."""
    folders = ["lib", "tracepoints", "labs/explorer", "labs/scenarios"]
    return [os.path.join(ROOT, name) for name in folders] + glob.glob(os.path.join(course.LABS, "[0-9]*", "*.h"))


def object_path(digest, variant):
    return os.path.join(compiled_files, "%s-%s.o" % (digest, variant))


def own_object(path, variant):
    """Returns where to put the object of a student's file. It contains the file's path, so two gradings of equal files in
    different folders must not share it: one would link what the other has just written, and find no step of its own file
    in the listing."""
    return object_path(digest_of(fingerprint(path) + shown(path)), variant)


def compile_file(path, variant, folder, text=None):
    """Compiles a file that replaces one in the `folder`, or compiles `text` in its place.
    The text is never written to disk, where a student could read it. Returns (object, output of the
    compiler)."""
    tools = how()
    target = own_object(path, variant) if text is None else object_path(digest_of(text), variant)
    flags = tools["flags"] + (["-DDOZE_BITS_JEC=" + variant[-1]] if variant != "lib" else []) + ["-iquote", folder]
    return target, compiled(target, shlex.split(tools["clang"]) + flags + STUDENT_FLAGS, path, text)


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
    mutant."""
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
compiled_files = os.path.join(BUILD, "labs", "objects")  # the folder of compiled files


def build_in(folder):
    """Builds in another folder from now on, which exists."""
    global programs, compiled_files  # pylint: disable=global-statement
    programs = compiled_files = folder


def link(name, objects, options):
    """Links a program unless it exists. Its name contains a digest of the objects. Returns its path."""
    target = os.path.join(programs, "%s-%s" % (name, fingerprint(*objects)))
    if not os.path.exists(target):
        if jail.current.is_closed:
            objects, options = hidden_places(objects, options)
        produce(target, lambda part: linker(shlex.split(how()["cc"]) + objects + options + ["-o", part]), "cannot link the program with your file")
    return target


def hidden_places(objects, options):
    """Returns the linker's arguments for a program in which a student cannot know where a function is: its parts are in an order
    that is drawn for each program, and begin at an address that is drawn."""
    archives = [path for path in objects if path.endswith(".a")]
    parts = [path for path in objects if path not in archives]
    secrets.SystemRandom().shuffle(parts)
    if "-no-pie" in options:
        options = options + ["-Wl,-Ttext-segment=0x%x" % ((0x400 + secrets.randbelow(0x7000)) << 12)]
    return parts + archives, options


def linker(command):
    """Runs a linker, which reads only objects. Returns (exit status, messages)."""
    done = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


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
    target = own_object(path, kind)
    flags = [f for f in how()["real_flags"] if kind != "traced" or f != "-DDOZE_TRACE_SINK"]
    flags += CHECKED_FLAGS if kind == "checked" else []
    compiled(target, shlex.split(how()["cc"]) + flags + STUDENT_FLAGS + ["-iquote", os.path.dirname(lab.replaces)], path)
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
