"""The list of what the user said of folders, as a file."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from bowerbird.core.foreign_file import DOWNLOADED, ForeignFile
from bowerbird.storage.foreign_files import ForeignFiles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def test_the_list_is_private_and_says_when_it_is_broken(
    bower: Bower, terminal: Bower, notes: Path
) -> None:
    terminal("trust", str(notes))
    file = os.path.join(os.environ["XDG_CONFIG_HOME"], "bowerbird", "trusted.json")
    assert os.stat(file).st_mode & 0o777 == 0o600
    with open(file) as opened:
        assert json.load(opened) == {"folders": {str(notes): {"trusted": True, "source": ""}}}
    with open(file, "w") as broken:
        broken.write('{"folders": [')
    ran = bower("index", str(notes))
    assert (ran.code, ran.data["status"]) == (2, "error")
    assert file in ran.data["error"]
    assert bower("doctor").code == 1


def test_files_from_outside_are_listed_until_they_are_the_users_own(
    bower: Bower, terminal: Bower, store_path: str, tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text("A page.\n")
    assert ForeignFiles(store_path).note((ForeignFile(str(page), DOWNLOADED, "morning", 5),))
    bower("curate", "The gate opens at seven")
    named = f"{page}: downloaded 1970-01-01"
    assert bower("trust", "--list").data["foreign"] == [named]
    (finding,) = [one for one in bower("doctor").data["findings"] if one["check"] == "foreign"]
    assert named in finding["found"]
    assert "bower trust FILE" in finding["remedy"]
    assert named in terminal("trust", "--list").out
    terminal("trust", str(page))
    assert bower("trust", "--list").data["foreign"] == []
    # What a run of the tests left behind is no text that anybody wrote.
    cache = tmp_path / "shop" / ".pytest_cache"
    cache.mkdir(parents=True)
    (cache / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55")
    (cache / "README.md").write_text("# pytest cache directory")
    left = ForeignFile(
        ".pytest_cache/README.md", DOWNLOADED, "morning", 5, ("s",), str(cache.parent)
    )
    assert ForeignFiles(store_path).note((left,))
    bower("curate", "The gate closes at nine")
    assert bower("trust", "--list").data["foreign"] == []


def test_a_folder_that_is_gone_can_be_taken_off_the_list(
    bower: Bower, terminal: Bower, tmp_path: Path
) -> None:
    folder = tmp_path / "soon gone"
    folder.mkdir()
    terminal("trust", str(folder))
    folder.rmdir()
    listed = bower("trust", "--list").data["folders"]
    assert [(one["trusted"], one["reason"]) for one in listed] == [(False, "it is gone")]
    assert terminal("trust", "--remove", str(folder)).code == 0
    assert bower("trust", "--list").data["folders"] == []
    assert terminal("trust", "--remove", str(folder)).code == 2
