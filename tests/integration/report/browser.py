# SPDX-License-Identifier: MIT
#
# browser.py - a headless Chromium driven over WebDriver, using only Python's standard library.
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

sys.path.insert(0, "tests/fixtures")
from patience import Unstable, wait_until  # noqa: E402

LONG_S = 600  # no limit of the browser may end a script before the test's own limit does
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


# Runs before the page's own scripts.
WATCH = """window.thrown = [];
addEventListener("error", (e) => thrown.push(e.message));
addEventListener("unhandledrejection", (e) => thrown.push(String(e.reason)));"""


class Browser:
    """A context manager that leaves no process and no folder behind."""

    def __enter__(self):
        try:
            return self.begin()
        except BaseException:
            self.__exit__()
            raise

    def begin(self):
        self.profile = tempfile.mkdtemp(prefix="doze-browser-")
        self.session, self.driver = "", None
        self.base = f"http://127.0.0.1:{free_port()}"
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=" + self.base.rsplit(":", 1)[1]],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        options = {
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
                "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--disable-sync", "--disable-dev-shm-usage", "--window-size=1300,1000",
                f"--user-data-dir={self.profile}",
            ]
        }  # fmt: skip
        limits = {"script": 1000 * LONG_S, "pageLoad": 1000 * LONG_S}
        made = wait_until(lambda: self.create({"goog:chromeOptions": options, "timeouts": limits}),
                          "chromedriver responds", 30)
        self.session = "/session/" + made["sessionId"]
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        return self

    def create(self, capabilities):
        """Returns the new session, or None while the driver does not respond."""
        try:
            return self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        except urllib.error.HTTPError as e:  # the driver responds with an error
            said = json.load(e)["value"]["message"].splitlines()
            raise Unstable("no browser session: " + " ".join(said[:2])) from None
        except (urllib.error.URLError, ConnectionError):
            return None

    def __exit__(self, *_):
        try:
            if self.session:
                self.call("DELETE", "")
        finally:
            if self.driver:
                self.driver.terminate()
                wait_until(lambda: self.driver.poll() is not None, "chromedriver exits")
            shutil.rmtree(self.profile, ignore_errors=True)

    def wait_for(self, text, script, *args):
        """Waits until the script returns a text that contains this one. Returns it."""
        return wait_until(lambda: text in (found := str(self.run(script, *args))) and found, f"the page shows {text!r}")

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + self.session + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=LONG_S) as answer:
                return json.load(answer)["value"]
        except TimeoutError:
            raise Unstable(f"the browser did not answer within {LONG_S} s") from None

    def devtools(self, method, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": method, "params": params})

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *args):
        try:
            return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})
        except urllib.error.HTTPError as e:
            said = json.load(e)["value"]["message"].splitlines()[0]
            raise RuntimeError(f"thrown by a script: {said}") from None

    def press(self, keys):
        steps = []
        for key in keys:
            steps += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "k", "actions": steps}]})

    def click(self, selector, x, y):
        """Clicks x, y pixels right of and below the middle of an element."""
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        move = {"type": "pointerMove", "x": x, "y": y, "origin": {ELEMENT: found[ELEMENT]}}
        self.call("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "m", "actions": [
                move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def errors(self):
        """Returns the page's console errors and uncaught exceptions."""
        logged = [e["message"] for e in self.call("POST", "/se/log", {"type": "browser"})
                  if e["level"] == "SEVERE"]
        return logged + self.run("return window.thrown")
