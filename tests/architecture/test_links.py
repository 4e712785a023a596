"""Every link in a page leads somewhere: files exist, and headings that are named do too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bowerbird.core.config import SETTINGS

if TYPE_CHECKING:
    from pathlib import Path

LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
# Pages that go into the package as material to index are not ours to check.
MATERIAL = "/data/"


def anchors(text: str) -> set[str]:
    """The anchors that a renderer gives the headings of a page."""
    names = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        plain = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        names.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return names


def test_every_relative_link_resolves(files: list[Path], root: Path) -> None:
    broken = []
    for page in files:
        name = page.relative_to(root).as_posix()
        if page.suffix != ".md" or MATERIAL in f"/{name}":
            continue
        for target in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            place, _, anchor = target.partition("#")
            found = (page.parent / place) if place else page
            if not found.exists() or (
                anchor
                and found.suffix == ".md"
                and anchor not in anchors(found.read_text(encoding="utf-8"))
            ):
                broken.append(f"{name}: {target}")
    assert not broken, "\n".join(broken)


def test_what_the_pages_link_to_is_on_the_site(files: list[Path], root: Path) -> None:
    """`make site` fails for a link to what it does not copy."""
    script = (root / "scripts" / "pages.py").read_text(encoding="utf-8")
    there = re.findall(r'"([^"]+)"', script.partition("COPIED = (")[2].partition("\n)")[0])
    missing = []
    for page in files:
        name = page.relative_to(root).as_posix()
        if page.suffix != ".md" or not name.startswith(tuple(there)) or MATERIAL in f"/{name}":
            continue
        for target in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            place = target.partition("#")[0]
            if not place or re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            found = (page.parent / place).resolve().relative_to(root.resolve()).as_posix()
            if not any(found == one or found.startswith(f"{one}/") for one in there):
                missing.append(f"{name}: {target}")
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "INTERNALS.md"])
def test_every_file_named_in_the_architecture_exists(root: Path, page: str) -> None:
    """Names in code type, such as `core/types.py`, are checked like links."""
    text = (root / "docs" / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/.]+\.py)`", FENCE.sub("", text)))
    package = root / "src" / "bowerbird"
    missing = [
        name
        for name in sorted(named)
        if not (root / name).exists()
        and not (package / name).exists()
        # A bare name stands in a paragraph about its folder.
        and ("/" in name or not list(package.rglob(name)))
    ]
    assert not missing, "\n".join(missing)


def test_every_setting_is_described(root: Path) -> None:
    """With its variable and its default, in one row of the table."""
    text = (root / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1]: line for line in text.splitlines() if line.startswith("| `")}
    assert set(rows) == {setting.key for setting in SETTINGS}
    for setting in SETTINGS:
        row = rows[setting.key]
        assert f"`{setting.variable}`" in row
        assert ("` *" in row) is (setting.narrows is not None)
        if isinstance(setting.default, int | float):
            assert f"| {setting.default:g} |" in row
