"""Which files a path names: what stands below their project, or an absolute path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = (
    "src/shop/src/auth.md",
    "src/shop/docs/auth.md",
    "src/shop/docs/[slug]/page.md",
    "src/shop/mysrc/x.md",
    "src/shop/notes.md",
    "src/auth-service/readme.md",
    "src/journal/2024/may.md",
)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two projects and a folder that belongs to none, below a folder called ``src``."""
    folder = tmp_path_factory.mktemp("work").resolve()
    for name in FILES:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Attempts\n\nHow attempts are counted in {name}\n")
    for project in ("shop", "auth-service"):
        (folder / "src" / project / ".bowerbird.toml").write_text("")
    return folder


@pytest.fixture(scope="module")
def bird(work: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(work / "memory.db") as opened:
        opened.index(*(work / "src" / name for name in ("shop", "auth-service", "journal")))
        yield opened


@pytest.mark.parametrize(
    ("path", "files"),
    [
        # The folders above a project lead to all of its files alike.
        ("src/", "src/shop/src/auth.md src/shop/mysrc/x.md"),
        ("/src/", "src/shop/src/auth.md"),
        ("work", ""),
        # Any part of what stands below.
        ("auth.md", "src/shop/src/auth.md src/shop/docs/auth.md"),
        ("docs/auth", "src/shop/docs/auth.md"),
        ("[slug]", "src/shop/docs/[slug]/page.md"),
        ("024/may", "src/journal/2024/may.md"),
        # The project's own folder by its whole name, or what was named where there is none.
        ("auth-service", "src/auth-service/readme.md"),
        ("auth-service/", "src/auth-service/readme.md"),
        ("auth-serv", ""),
        ("shop/docs", "src/shop/docs/auth.md src/shop/docs/[slug]/page.md"),
        ("src/shop/docs/a", "src/shop/docs/auth.md"),
        ("journal", "src/journal/2024/may.md"),
        ("journal/2024/may.md", "src/journal/2024/may.md"),
        ("hop/docs", ""),
        # Patterns, of the same.
        ("*.md", " ".join(FILES)),
        ("docs/*.md", "src/shop/docs/auth.md src/shop/docs/[slug]/page.md"),
        ("/docs/*.md", "src/shop/docs/auth.md src/shop/docs/[slug]/page.md"),
        ("/auth.md", "src/shop/src/auth.md src/shop/docs/auth.md"),
        ("/a*.md", ""),
        ("shop/n?tes.md", "src/shop/notes.md"),
        ("*/shop/*", ""),
        ("src/*", "src/shop/src/auth.md src/shop/mysrc/x.md"),
        ("[rs]*/x.md", "src/shop/mysrc/x.md"),
        ("docs/[slug]/*.md", "src/shop/docs/[slug]/page.md"),
    ],
)
def test_a_text_stands_below_the_project(bird: Bowerbird, path: str, files: str) -> None:
    assert found(bird, path) == set(files.split())


@pytest.mark.parametrize(
    ("path", "files"),
    [
        ("/src/shop/docs/auth.md", "src/shop/docs/auth.md"),
        ("/src/shop/docs", "src/shop/docs/auth.md src/shop/docs/[slug]/page.md"),
        ("/src/shop/docs/", "src/shop/docs/auth.md src/shop/docs/[slug]/page.md"),
        ("/src/shop/docs/[slug]", "src/shop/docs/[slug]/page.md"),
        ("/src/shop", " ".join(name for name in FILES if name.startswith("src/shop/"))),
        ("", " ".join(FILES)),
        ("/src/sho", ""),
        ("/src/shop/docs/auth", "src/shop/docs/auth.md"),
        ("/src/shop/*/auth.md", "src/shop/src/auth.md src/shop/docs/auth.md"),
    ],
)
def test_an_absolute_path_is_a_file_or_a_folder(
    bird: Bowerbird, work: Path, path: str, files: str
) -> None:
    assert found(bird, f"{work}{path}") == set(files.split())


def found(bird: Bowerbird, path: str) -> set[str]:
    """The files that both interfaces find below the folder of the test, by their paths there."""
    listed = {str(one.path) for one in bird.list(path=path, all_projects=True, limit=50)}
    asked = {str(hit.path) for hit in bird.query("attempts", path=path, all_projects=True)}
    assert asked == listed
    return {name for name in FILES if any(one.endswith("/" + name) for one in listed)}


def test_a_memory_is_found_by_its_files_alike(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work / "src" / "shop")
    with Bowerbird.open(work / "memories.db") as bird:
        near = bird.remember("Auth is slow", files=["src/auth.md"]).id
        far = bird.remember("The docs are old", files=[f"{work}/src/shop/docs/auth.md"]).id
        off = bird.remember("May was warm", files=[f"{work}/src/journal/2024/may.md"]).id

        def reported(path: str) -> set[str]:
            return {one.id for one in bird.list(path=path)}

        assert reported("auth.md") == reported("/auth.md") == {near, far}
        assert reported("src/auth") == reported(f"{work}/src/shop/src") == {near}
        assert reported("docs/") == reported(f"{work}/src/shop/docs/auth.md") == {far}
        assert reported("shop/docs/*.md") == {far}
        assert reported(f"{work}/src/shop") == {near, far}
        # Of what lies outside of the project nothing else is known than where it lies.
        assert reported("journal") == reported(f"{work}/src/journal/*") == {off}
