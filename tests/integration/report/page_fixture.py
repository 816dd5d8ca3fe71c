# SPDX-License-Identifier: MIT
#
# page_fixture.py - shared by the tests of the report page: checks, commands, pages.
import os
import shutil
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
passed, failed = 0, 0


def check(title, good, why=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print(f"  {'ok  ' if good else 'FAIL'} {title}" + (f": {why}" if not good else ""))


def run(*command, ok=(0,)):
    p = patience.run(command, capture_output=True, text=True, timeout=300, check=False)
    if p.returncode not in ok:
        raise SystemExit(f"{' '.join(command)}: exit {p.returncode}\n{p.stdout}{p.stderr}")
    return p.stdout


def report(folder, page, ok=(0,)):
    run(DOZE, "report", folder, "-o", page, ok=ok)
    with open(page, encoding="utf-8") as f:
        return f.read()


def write_script(folder, text):
    """Writes a trace of exactly these events (tests/fixtures/event_script.h)."""
    patience.run([f"{BUILD}/tests/fixtures/make-script-trace", folder], input=text, text=True, check=True)


def said(b):
    return b.run("return document.getElementById('explain').textContent")


def state(b):
    return b.run("return window.dozeReport.state()")


def test(parts):
    """Calls parts(scratch folder) if there is a browser. Returns the exit code."""
    if not shutil.which("chromedriver"):
        print("chromedriver is missing: make setup installs it if the distribution has a Chromium package")
        return 77
    top = tempfile.mkdtemp(prefix="doze-report-")
    try:
        code = patience.exit_code(lambda: parts(top), lambda: failed)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    sys.stdout.flush()
    return 1 if failed else code or 0
