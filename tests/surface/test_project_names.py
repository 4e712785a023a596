"""Names of projects that look like another's: none joins it, and none is shown as it."""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

ALIKE = {
    "cyrillic": "p\u0430yments",
    "greek": "payment\u03bf",
    "zero width space": "pay\u200bments",
    "joiner": "pay\u200dments",
    "soft hyphen": "pay\u00adments",
    "right to left": "\u202estnemyap",
    "isolates": "\u2066payments\u2069",
    "no-break space": "payments\u00a0",
    "space": "payments ",
    "tags": "payments\U000e0041",
    "variation selector": "payments\ufe0f",
    "escape": "pay\x1b[31mments",
    "a line": "payments\nglobal: 7 memories",
    "full width": "\uff50ayments",
    "all full width": "\uff50\uff41\uff59\uff4d\uff45\uff4e\uff54\uff53",
    "small capital": "payment\ua731",
    "mathematical bold": "\U0001d429ayments",
    "circled": "\u24dfayments",
    "script g": "shippin\u0261",
    "a folder's slash": "payments/",
    "two slashes": "payments//",
    "backslash": "payments\\",
    "this folder": "./payments",
}
# Words of one alphabet, with their accents.
APART = [
    "\u015dhop",
    "\uff8a\uff9f\uff9d",
    "org/pay",
    "оплата",
    "оплата-api",
    "支払い",
    "Zahlungsgrüße",
    "αβγ",
    "pay 2 ♥️",
]
TOLD = "The payment key rotates on Fridays"


@pytest.fixture
def told(bower: Bower) -> Bower:
    assert bower("remember", TOLD, "--project", "payments").code == 0
    return bower


@pytest.mark.parametrize("what", ALIKE)
def test_a_name_that_looks_like_another_is_refused_by_each_verb(what: str, told: Bower) -> None:
    for verb in (("remember", "Something else"), ("query", "payment key"), ("list",)):
        done = told(*verb, "--project", ALIKE[what], "--format", "text")
        assert done.code == 2
        assert TOLD not in done.out
        assert not hidden(done.err)
    assert told("list", "--all-projects").out.count('"id"') == 1


def hidden(text: str) -> list[str]:
    return [ascii(one) for one in text if unicodedata.category(one) in {"Cf", "Cc"} and one != "\n"]


@pytest.mark.parametrize("name", APART)
def test_a_name_in_any_alphabet_is_a_project_of_its_own(name: str, told: Bower) -> None:
    assert told("remember", "The wrench lies in the boat", "--project", name).code == 0
    assert TOLD not in told("query", "payment key", "--project", name, "--format", "text").out
    assert TOLD in told("query", "payment key", "--project", "payments", "--format", "text").out


def test_a_folder_of_an_archive_forges_no_line_and_no_name(
    told: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("payments\nglobal: 7 memories", "pay\u200bments"):
        folder = tmp_path / name
        (folder / ".git").mkdir(parents=True)
        monkeypatch.chdir(folder)
        assert told("remember", f"Kept in {len(name)} letters").code == 0
        assert TOLD not in told("query", "payment key", "--format", "text").out
    monkeypatch.chdir(os.path.dirname(tmp_path))
    names: list[Any] = told("status", "--format", "text").out.splitlines()
    # However long the temporary folder's path is: what is wrapped is indented further.
    place = len(next(line for line in names if line.startswith("projects ")).partition("global")[0])
    assert not [line for line in names if line[place:].startswith("global: 7")]
    assert not hidden("".join(names))


def test_the_name_of_the_folder_s_own_project_means_that_project(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    assert bower("remember", TOLD, "--project", "shop").code == 0
    assert TOLD in bower("query", "payment key", "--format", "text").out
    monkeypatch.chdir(tmp_path)
    assert TOLD in bower("query", "payment key", "--project", "shop", "--format", "text").out
