"""Builds the site from the pages of the repository, and fails for a link that leads nowhere.

    python scripts/pages.py      # into build/site

The pages stay where they are, and so do the links between them: they are copied with their folders.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "build" / "pages"
# What the pages link to.
COPIED = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "NOTICE",
    "docs",
    "benchmarks",
    "tests/data/pairs/README.md",
)
SHOWN = {".md", ".svg", ".png", ".html", ".json", ".py", ""}


def main() -> int:
    """Returns the exit status."""
    shutil.rmtree(PAGES, ignore_errors=True)
    for name in COPIED:
        for path in [ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*")):
            if path.is_file() and path.suffix in SHOWN:
                there = PAGES / path.relative_to(ROOT)
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, there)
    # Quiet, it would count no warnings, and links that lead nowhere are those.
    command = [sys.executable, "-m", "mkdocs", "build"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
