"""Creates `.venv` with the project and its tools, on a machine that has only a python3.

Three ways, tried in this order: uv, Python's own venv, and (where Python lacks ensurepip, as on Debian)
a venv without pip plus pip's wheel, from the disk or from the package index. This file uses only the
standard library and runs on any python3, including versions older than the project needs.
"""

from __future__ import annotations

import configparser
import glob
import hashlib
import html
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
from urllib.parse import urldefrag, urljoin
from urllib.request import Request, urlopen

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin", "python")
STAMP = os.path.join(VENV, ".stamp")
PROJECT = ROOT + "[dev]"
OLDEST = (3, 11)
NEWEST = (3, 14)
# Where Debian keeps the wheels that its own ensurepip would use.
WHEELS_ON_DISK = "/usr/share/python-wheels/pip-*.whl"
INDEX = "https://pypi.org/simple"
SECONDS = 60
NO_PYTHON = "Bowerbird needs Python 3.11 or newer: install one, or uv, then run make again"
NO_PACKAGES = "Could not set up .venv: see above; with apt, install python3-venv, else install uv"


def run(*command: str) -> bool:
    """Whether a command succeeds. Its output goes to standard error."""
    try:
        return subprocess.run(command, stdout=sys.stderr.fileno(), check=False).returncode == 0
    except OSError:
        return False


def run_quietly(*command: str) -> bool:
    """Whether a command succeeds; its output is discarded."""
    nowhere = subprocess.DEVNULL
    try:
        return subprocess.run(command, stdout=nowhere, stderr=nowhere, check=False).returncode == 0
    except OSError:
        return False


def new_enough(python: str) -> bool:
    """Whether an interpreter runs and is not too old."""
    return run_quietly(python, "-c", f"import sys; sys.exit(sys.version_info < {OLDEST})")


def find_python() -> str | None:
    """This interpreter if it is new enough, else one from the PATH, else None."""
    if sys.version_info >= OLDEST:
        return sys.executable
    for minor in range(OLDEST[1], NEWEST[1] + 1):
        python = shutil.which(f"python3.{minor}")
        if python and new_enough(python):
            return python
    return None


def with_uv(python: str | None) -> bool:
    """Set up with uv, which also downloads Python if there is none."""
    uv = shutil.which("uv")
    if not uv:
        return False
    wanted = python or f">=3.{OLDEST[1]}"
    made = new_enough(PYTHON) or run(uv, "venv", "--quiet", "--python", wanted, VENV)
    return made and run(uv, "pip", "install", "--quiet", "--python", PYTHON, "--editable", PROJECT)


def with_venv(python: str) -> bool:
    """Set up with Python's venv and its bundled pip."""
    if not has_pip():
        # Without ensurepip this fails with a long message, and the next way does not need it.
        run_quietly(python, "-m", "venv", "--clear", VENV)
    return has_pip() and pip_install()


def with_wheel(python: str) -> bool:
    """Set up with a venv without pip, running pip from its wheel."""
    if not run(python, "-m", "venv", "--clear", "--without-pip", VENV):
        return False
    with tempfile.TemporaryDirectory() as folder:
        on_disk = sorted(glob.glob(WHEELS_ON_DISK))
        wheel = on_disk[-1] if on_disk else download_pip(folder)
        # A wheel is a zip file, from which Python can run packages.
        has = wheel is not None and run(PYTHON, wheel + "/pip", "install", "--quiet", wheel)
    return has and pip_install()


def has_pip() -> bool:
    """Whether `.venv` holds an interpreter that is new enough, with pip."""
    return new_enough(PYTHON) and run_quietly(PYTHON, "-c", "import pip")


def pip_install() -> bool:
    """Install the project, editable, with its development tools."""
    quiet = ("--quiet", "--disable-pip-version-check")
    return run(PYTHON, "-m", "pip", "install", *quiet, "--editable", PROJECT)


def pip_option(name: str) -> str | None:
    """The user's setting of a pip option: from a variable, the user's file, or the machine's file."""
    variable = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if variable:
        return variable
    home = os.path.expanduser("~")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    for place in (
        os.environ.get("PIP_CONFIG_FILE", ""),
        os.path.join(home, "Library", "Application Support", "pip", "pip.conf"),
        os.path.join(config, "pip", "pip.conf"),
        os.path.join(home, ".pip", "pip.conf"),
        "/Library/Application Support/pip/pip.conf",
        "/etc/pip.conf",
    ):
        parser = configparser.RawConfigParser()
        try:
            parser.read(place)
        except configparser.Error:
            continue
        for section in ("install", "global"):
            if parser.has_option(section, name):
                return parser.get(section, name).strip()
    return None


def download_pip(folder: str) -> str | None:
    """Download the newest pip from the package index; on failure print the reason and return None."""
    page = (pip_option("index-url") or INDEX).rstrip("/") + "/pip/"
    try:
        trust = ssl.create_default_context(cafile=pip_option("cert"))
        request = Request(page, headers={"Accept": "text/html"})
        with urlopen(request, timeout=SECONDS, context=trust) as answer:
            version_and_link = max(wheels(answer.read().decode("utf-8")))
        address, digest = urldefrag(urljoin(page, version_and_link[1]))
        with urlopen(address, timeout=SECONDS, context=trust) as answer:
            wheel = answer.read()
    except (OSError, ValueError) as error:
        say(f"No pip from {page}: {error}")
        return None
    if digest.startswith("sha256=") and hashlib.sha256(wheel).hexdigest() != digest[7:]:
        say(f"{address} is not the file its index promises")
        return None
    path = os.path.join(folder, os.path.basename(address))
    with open(path, "wb") as file:
        file.write(wheel)
    return path


def wheels(page: str) -> list[tuple[tuple[int, ...], str]]:
    """Version and link of each pip release on an index page that the oldest supported Python can run."""
    found = []
    for tag in re.findall(r"<a\s[^>]*?href=.*?</a>", page, re.DOTALL):
        link = re.search(r'href="((?:[^"]*/)?pip-([\d.]+)-py3-none-any\.whl[^"]*)"', tag)
        needs = re.search(r"data-requires-python=\"[^\"]*(?:>|&gt;)=\s*3\.(\d+)", tag)
        if link and "data-yanked" not in tag and (not needs or int(needs.group(1)) <= OLDEST[1]):
            version = tuple(int(part) for part in link.group(2).split("."))
            found.append((version, html.unescape(link.group(1))))
    return found


def say(text: str) -> None:
    """Print a line of progress."""
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    """Set up by the first way that works, compile bytecode, write the stamp; returns the exit status."""
    say("Setting up .venv: once, and again when pyproject.toml changes")
    if not new_enough(PYTHON):
        shutil.rmtree(VENV, ignore_errors=True)
    python = find_python()
    done = with_uv(python)
    if not done and python:
        done = with_venv(python) or with_wheel(python)
    if not done:
        say(NO_PACKAGES if python else NO_PYTHON)
        return 1
    # Without bytecode a cold command takes several times as long. Some packages contain templates that
    # are not valid Python, so errors are ignored.
    packages = glob.glob(os.path.join(VENV, "lib", "python*", "site-packages"))
    sources = os.path.join(ROOT, "src")
    run_quietly(PYTHON, "-m", "compileall", "-q", "-j", "0", sources, *packages)
    with open(STAMP, "w", encoding="utf-8") as file:
        file.write("made by scripts/bootstrap.py\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
