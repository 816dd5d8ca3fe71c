#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Tab offers after the words of a command line, in bash and in zsh, which load the printed scripts. Each command,
demo and allowed word must be offered. The test of zsh is skipped if there is no zsh. Runs in the top folder; $BUILD is
the build folder."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from test_functions import expect, run_tests, test  # noqa: E402

DOZE = os.path.abspath(f"{os.environ.get('BUILD', 'build')}/doze")

# Sets what bash sets for a completion function, and prints what the function offers. $1: script; $2...: the words.
BASH = """. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }
_doze; printf '%s\\n' "${COMPREPLY[@]}" """

# A zsh in a pseudo-terminal of zsh's own, which completes a line and lists what Tab offers. $1: folder of _doze; $2: line.
ZSH = r"""
zmodload zsh/zpty
zpty z "TERM=dumb zsh -f -i"
zpty -w z "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=10000; zstyle ':completion:*' list-packed no
setopt no_always_last_prompt; stty -echo; show() { _main_complete; compstate[insert]=; compstate[list]='list force'; }; over() { print -r -- END-OF-LIST; }
zle -C show complete-word show; zle -N over; bindkey '^I' show '^G' over; print READY''NOW"
zpty -r -m z READY '*READYNOW*'
zpty -w -n z "$2"$'\t\007'
zpty -r -m z REPLY '*END-OF-LIST*'
print -r -- "$REPLY"
zpty -d z
"""


def run(*command, **more):
    p = patience.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, **more)
    expect(p.returncode == 0, p)
    return p.stdout


def script(top, shell):
    path = f"{top}/_doze" if shell == "zsh" else f"{top}/doze.bash"
    with open(path, "w", encoding="utf-8") as f:
        f.write(run(DOZE, "completion", shell))
    return path


def in_bash(top, line):
    """Returns what Tab offers at the end of the line; bash divides words at = too."""
    words = re.findall(r"=|[^\s=]+", line) + ([""] if line.endswith(" ") else [])
    return set(run("bash", "-c", BASH, "bash", script(top, "bash"), *words, cwd=top).split())


def in_zsh(top, line):
    script(top, "zsh")
    printed = run("zsh", "-f", "-c", ZSH, "zsh", top, line, cwd=top)
    return {word.replace("END-OF-LIST", "") for word in printed.split()}


def commands():
    return set(re.findall(r"^  ([a-z]+) ", run(DOZE, "help").split("Commands")[1].split("\n\n")[0], re.M))


def options(command):
    described = run(DOZE, "help", command).split("\nOptions:\n")[1].split("\n\n")[0]
    return set(re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", described, re.M))


def demos():
    return set(re.findall(r"^([a-z]+) ", run(DOZE, "demo", "--list"), re.M))


def shells():
    return [in_bash] + [in_zsh] * bool(shutil.which("zsh"))


@test
def the_commands_are_offered(top):
    for offered in shells():
        expect(commands() <= offered(top, "doze "), (offered, commands() ^ offered(top, "doze ")))
        expect("record" in offered(top, "doze rec"), offered)


@test
def the_options_of_each_command_are_offered(top):
    for command in sorted(commands()):
        found = in_bash(top, f"doze {command} --")
        expect(options(command) == found, (command, options(command) ^ found))
    if shutil.which("zsh"):
        found = in_zsh(top, "doze storms --")
        expect(options("storms") <= {word.rstrip("=") for word in found}, (options("storms"), found))


@test
def the_values_of_an_option_are_offered(top):
    for offered in shells():
        for line in ("doze record --policy=", "doze record --policy ", "doze record -p "):
            expect({"jec", "tickle", "condvar"} <= offered(top, line), (line, offered(top, line)))
        expect(str(os.getpid()) in offered(top, "doze record --pid "), offered)
        found = offered(top, "doze export --format=")
        expect({"perfetto", "csv", "json", "svg", "trace-compass"} <= found, found)


@test
def operands_are_offered(top):
    os.mkdir(f"{top}/trace-one")
    for offered in shells():
        expect(demos() <= offered(top, "doze demo "), (offered(top, "doze demo "), demos()))
        expect(commands() <= offered(top, "doze help "), offered)
        folder = {word.rstrip("/") for word in offered(top, "doze storms tr")}
        expect("trace-one" in folder, folder)
        expect("sleep" in offered(top, "doze record -- slee"), offered)


@test
def the_scripts_are_valid_and_the_same_every_time(top):
    for shell in ("bash",) + ("zsh",) * bool(shutil.which("zsh")):
        run(shell, "-n", script(top, shell))
        expect(run(DOZE, "completion", shell) == run(DOZE, "completion", shell), shell)
    p = patience.run([DOZE, "completion", "fish"], capture_output=True, text=True, timeout=60)
    expect(p.returncode == 2 and p.stderr.count("\n") == 1 and "bash or zsh" in p.stderr, p)


if not shutil.which("zsh"):
    print("skipped: zsh, which is not installed")
sys.exit(run_tests("doze-completion-"))
