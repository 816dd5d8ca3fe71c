# SPDX-License-Identifier: MIT
"""Reads the object file that the compiler made of a student's file, and refuses one that could do more than the library's own
file: print or end a program, and so report a verdict of its own, run before the program, or find a function of the C library
or of the explorer by its distance from another one. The text alone does not show this: macros and pointers hide it.
"""
import glob
import os
import re
import subprocess

# A relocation: its section and type, and the name that it refers to.
RELOCATION = re.compile(r"^[0-9a-f]+ +[0-9a-f]+ +(R_\w+) +[0-9a-f]+ (\S+)")
CALLS = {"R_X86_64_PLT32", "R_AARCH64_CALL26", "R_AARCH64_JUMP26"}
# What the compiler itself calls, and the library with the explorer's hooks, which stand behind its macros.
HOOKS = re.compile(r"(?:__tsan|__emutls|doze|ex)_\w+|_GLOBAL_OFFSET_TABLE_|tsan\.module_ctor|\..*")
# Functions that only compute.
PURE = {"memcpy", "memmove", "memset", "memcmp", "bcmp", "strlen", "strcmp", "strncmp", "snprintf", "vsnprintf", "qsort", "bsearch",
        "abort", "__assert_fail", "__stack_chk_fail"}
# Functions that wait in real time, which passes between two steps of the explorer: no interleaving depends on it, but each
# execution of the search takes as long.
WAITS = {"sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep", "poll", "ppoll", "select", "pselect", "epoll_wait", "pause",
         "sigsuspend", "sigwait", "sem_wait", "sem_timedwait", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_mutex_lock",
         "pthread_join", "cnd_wait", "cnd_timedwait", "mtx_lock", "thrd_join", "thrd_yield", "sched_yield", "wait", "waitpid",
         "read", "fgets", "getchar", "system", "popen", "fork", "vfork"}
# Sections that a compiler makes of plain C.
SECTIONS = re.compile(r"\.(?:text|data|rodata|bss|tdata|tbss|init_array\.0|text\.tsan\.module_ctor|eh_frame|comment|note|debug_|"
                      r"llvm_addrsig|symtab|strtab|shstrtab|rela|rel\.|group|data\.rel)")


def printed(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, errors="replace", check=True).stdout


def called(path):
    """Returns the names of the functions and variables that an object takes from elsewhere."""
    lines = printed("nm", "--undefined-only", "--format=posix", path).splitlines()
    return {line.split()[0].split("@")[0] for line in lines}


def relocations(path):
    """Yields (section, type, name) for each place that the linker fills in."""
    section = ""
    for line in printed("readelf", "-rW", path).splitlines():
        head = re.match(r"Relocation section '\.rela?(\.\S+)'", line)
        section = head.group(1) if head else section
        found = RELOCATION.match(line)
        if found:
            yield section, found.group(1), found.group(2)


def sections(path):
    """Returns the names of the object's sections."""
    return re.findall(r"^ *\[ *\d+\] (\.?\S+) +[A-Z]", printed("readelf", "-SW", path), re.M)


def words_of_headers(lab):
    """Returns the words in the headers of a lab whose file replaces none of the library's: it may call what they declare."""
    words = set()
    for path in [] if lab.replaces else glob.glob(os.path.join(lab.folder, "*.h")):
        with open(path, encoding="utf-8") as file:
            words |= set(re.findall(r"\w+", file.read()))
    return words


def fault(path, lab):
    """Returns why the object is refused, or None."""
    names, own = called(path), words_of_headers(lab)
    waits = sorted(names & WAITS)
    if waits:
        return "it calls %s, which waits in real time. A thread of the pool waits with doze_cond_wait" % " and ".join(waits)
    others = sorted(name for name in names if name not in PURE | own and not HOOKS.fullmatch(name))
    if others:
        return "it uses %s, which is no part of the library: a file computes, and calls only the library, so that it cannot print " \
               "or end the program" % " and ".join(others)
    for section, kind, name in relocations(path):
        if name in PURE and kind not in CALLS and not section.startswith(".debug"):
            return "it takes the address of %s: call the function instead" % name
        if section.startswith(".init_array") and name not in ("tsan.module_ctor", ".text.tsan.module_ctor"):
            return "it runs code before the program"
    unknown = [name for name in sections(path) if not SECTIONS.match(name)]
    return "it has a section of its own, %s" % unknown[0] if unknown else None
