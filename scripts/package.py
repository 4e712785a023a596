"""Builds the packages twice, and checks what a release promises.

    python scripts/package.py               # build into dist/, compare both builds, check the sizes
    python scripts/package.py --notes 0.1.0   # print the section of that version in the changelog

Both builds are to be the same bytes: times in them are those of the last commit.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
# Bytes of a wheel, and of what an installation brings with all that it needs, before Python compiles it.
LARGEST_WHEEL = 35_000_000
LARGEST_INSTALL = 130_000_000


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", metavar="VERSION")
    asked = parser.parse_args()
    if asked.notes:
        print(notes(asked.notes))
        return 0
    shutil.rmtree(DIST, ignore_errors=True)
    built = build(DIST)
    with tempfile.TemporaryDirectory() as again:
        if build(Path(again)) != built:
            sys.exit("two builds of the same commit differ")
    wheel = next(DIST.glob("*.whl"))
    check(f"{wheel.name}", wheel.stat().st_size, LARGEST_WHEEL)
    with tempfile.TemporaryDirectory() as place:
        check("installed", installed(wheel, Path(place)), LARGEST_INSTALL)
    for name, digest in built.items():
        print(f"{digest}  {name}")
    return 0


def notes(version: str) -> str:
    """The section of a version. Exits if the changelog has none."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^## {re.escape(version)}\b.*?\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE
    )
    if found is None:
        sys.exit(f"CHANGELOG.md has no section of {version}")
    return found[1].strip()


def build(folder: Path) -> dict[str, str]:
    """Build both packages; their names and hashes."""
    last = ["git", "log", "-1", "--format=%ct"]
    when = subprocess.run(last, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    around = {**os.environ, "SOURCE_DATE_EPOCH": when}
    subprocess.run(command, check=True, env=around, stdout=subprocess.DEVNULL)
    return {
        one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in sorted(folder.iterdir())
    }


def installed(wheel: Path, place: Path) -> int:
    """Bytes that the wheel and what it needs take, and that the program in it starts."""
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    scripts = place / ("Scripts" if os.name == "nt" else "bin")
    packages = Path(next((place / "lib").glob("python*")), "site-packages")
    before = size(packages)
    subprocess.run(
        [scripts / "python", "-m", "pip", "install", "-q", "--no-compile", wheel], check=True
    )
    subprocess.run([scripts / "bower", "version"], check=True, stdout=subprocess.DEVNULL)
    return size(packages) - before


def size(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())


def check(what: str, bytes_: int, largest: int) -> None:
    """Print a size; exit if it is too large."""
    print(f"{what}: {bytes_ / 1e6:.1f} MB of {largest / 1e6:.0f}")
    if bytes_ > largest:
        sys.exit(f"{what} is too large")


if __name__ == "__main__":
    sys.exit(main())
