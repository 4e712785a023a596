"""What a person meets: text, colours where they show, and the width of the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bowerbird.surfaces.cli import page
from bowerbird.surfaces.cli.page import cells
from bowerbird.surfaces.cli.table import commands

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

_CODES = re.compile(r"\x1b\[[0-9;]*m")


def test_a_terminal_gets_text_with_the_words_marked(bower: Bower, terminal: Bower) -> None:
    bower("curate", "Redis must be up before the auth tests")
    ran = terminal("query", "redis tests")
    assert ran.code == 0
    assert "\x1b[1;33mRedis\x1b[0m must be up before the auth \x1b[1;33mtests\x1b[0m" in ran.out


def test_no_color_is_honoured(
    bower: Bower, terminal: Bower, monkeypatch: pytest.MonkeyPatch
) -> None:
    bower("curate", "Redis must be up")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in terminal("query", "redis").out


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(
    terminal: Bower, bower: Bower, tmp_path: Path, columns: int
) -> None:
    note = tmp_path / "a.md"
    note.write_text("# Lager\n\n" + "仓库的证书在午夜过期了。" * 20 + "\n\n" + "certificate " * 60)
    bower("index", str(note))
    output = terminal("query", "证书 certificate", columns=columns).out
    body = [line for line in _CODES.sub("", output).splitlines() if line.startswith("    ")]
    assert body
    assert max(map(cells, body)) <= columns


@pytest.mark.parametrize("columns", [40, 80])
def test_what_is_reported_beside_texts_fits_the_terminal(
    terminal: Bower, bower: Bower, notes: Path, columns: int
) -> None:
    bower("index", str(notes))
    id = bower("curate", "Redis must be up before the auth tests").data["id"]
    for kind in ("gotcha", "work_state", "requirement", "module_insight"):
        bower("curate", f"It hangs without redis, as a {kind} says", "--kind", kind)
    bower("curate", "Redis must be up before the auth tests; they share its sessions")
    said = "Redis must be up before the auth tests; they share its sessions and its port"
    commands = (
        ("curate", said),
        ("query", "redis tests"),
        ("list", "--memories"),
        ("status",),
        ("history", id),
    )
    for command in commands:
        lines = _CODES.sub("", terminal(*command, columns=columns).out).splitlines()
        wide = [line for line in lines if cells(line) > columns]
        assert all(str(notes) in line or id in line for line in wide), (command, wide)
    assert (
        f"requirement {id[:18]}" in terminal("list", "--state", "superseded", columns=columns).out
    )


def test_paths_are_told_from_where_one_stands(
    bower: Bower, terminal: Bower, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bower("index", str(notes))
    monkeypatch.chdir(notes)
    # Where a person stands decides what is searched; this folder's notes are global.
    output = _CODES.sub("", terminal("query", "rollback").out)
    assert "1. release.md:" in output


def test_a_person_is_believed_and_an_agent_on_a_terminal_is_not(
    terminal: Bower, bower: Bower, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal("curate", "Said by a person")
    monkeypatch.setenv("CLAUDECODE", "1")
    terminal("curate", "Written by an agent")
    found = {entry["text"]: entry["trust"] for entry in bower("list").data["entries"]}
    assert found == {"Said by a person": "full", "Written by an agent": "normal"}


def test_progress_leaves_no_trace(terminal: Bower, notes: Path) -> None:
    ran = terminal("index", str(notes))
    assert ran.code == 0
    assert "3 added" in ran.out


def test_who_has_just_made_a_store_is_told_how_to_go_on(terminal: Bower, notes: Path) -> None:
    assert 'ask it with: bower query "…"' in terminal("index", str(notes)).out
    assert "ask it with" not in terminal("curate", "No tabs").out


def test_who_asks_an_empty_house_is_shown_how_to_begin(terminal: Bower) -> None:
    assert "bower index" in terminal("query", "anything").out
    assert "none yet at" in terminal("status").out


def test_verbose_tells_place_and_times_beside_the_answer(bower: Bower, store_path: str) -> None:
    bower("curate", "No tabs")
    ran = bower("query", "tabs", "--verbose")
    assert ran.envelope["success"] is True
    assert f"store: {store_path}" in ran.err
    assert "ms of CPU" in ran.err
    assert bower("query", "tabs", "--quiet", "--fast").err == ""


def test_misspelt_words_and_the_budget_are_reported(bower: Bower, terminal: Bower) -> None:
    bower("curate", "The certificate of the broker has expired")
    output = _CODES.sub("", terminal("query", "certifcate", "--budget", "100").out)
    assert output.startswith("certifcate read as certificate")
    assert "11 of 100 tokens" in output
    data = bower("query", "certifcate", "--budget", "100").data
    assert (data["spent"], data["budget"]) == (11, 100)
    assert data["corrected"] == {"certifcate": "certificate"}


def test_an_error_is_reported_with_its_remedy(terminal: Bower) -> None:
    output = _CODES.sub("", terminal("quary").out)
    assert output == "error: unknown command: quary\n  → did you mean query?\n"


def test_json_on_a_terminal_is_indented(terminal: Bower) -> None:
    assert '\n  "success": true,\n' in terminal("status", "--format", "json").out


def test_quiet_gives_the_id_alone(terminal: Bower) -> None:
    assert re.fullmatch(r"[0-9a-f-]{36}\n", terminal("curate", "No tabs", "--quiet").out)


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("verb", ["", *(command.VERB.name for command in commands())])
def test_help_fits_its_columns(
    bower: Bower, monkeypatch: pytest.MonkeyPatch, verb: str, columns: int
) -> None:
    """All but the usage and the examples, which are there to be copied."""
    monkeypatch.setenv("COLUMNS", str(columns))
    output = bower("help", *verb.split()).out
    _, _, output = output.partition("\n\n")  # the usage keeps what belongs together in one line
    body, _, _ = output.partition("\nexamples:" if verb else "\nTry it")
    assert max(map(cells, body.splitlines())) in range(columns // 2, columns + 1)


@pytest.mark.parametrize("verb", ["", "query"])
def test_help_fits_the_terminal(
    bower: Bower, terminal: Bower, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    """It is the same there, but for colours."""
    output = terminal("help", *verb.split(), columns=40).out
    monkeypatch.setenv("COLUMNS", "40")
    assert _CODES.sub("", output) == bower("help", *verb.split()).out


def test_no_control_character_of_others_reaches_a_stream(
    bower: Bower, terminal: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a checkout names itself, its files, or is told to be wrong: text is text."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    monkeypatch.chdir(checkout)
    sly = r"\u001b]0;sly\u0007\u001b[8mhidden\u001b[0m\u009b2J\u202egood"
    (checkout / ".bowerbird.toml").write_text(f'project = "zoo {sly}"\n')
    (checkout / "a\x1b[2Jb\u202ec.md").write_text("The okapi\x1b[5m eats its hay.\n")
    for words in (
        ["index", "."],
        ["remember", "The okapi\x1b]0;sly\x07 sleeps."],
        ["status"],
        ["list"],
        ["query", "okapi \x1b[31m hay"],
        ["query", "okapi", "--explain", "--format", "markdown"],
        ["context", "the okapi eats hay", "--min-trust", "low"],
        ["get", "\x1b[2Jnobody"],
        ["frob\x1b[2J"],
        ["query", "--limit", "\x1b[2J", "x"],
        ["doctor"],
    ):
        for ran in (bower(*words, "--format", "text"), terminal(*words), bower(*words)):
            output = ran.out + ran.err
            unseen = re.sub("\x1b\\[[0-9;]*m|\r\x1b\\[K|[\n\t]", "", output)
            assert unseen.isprintable(), (words, unseen)
            assert "\x1b[5m" not in output
            assert "\x1b[8m" not in output
    assert bower("status").data["project"].startswith("zoo ")
    # Data tells names exactly, in the escapes of JSON.
    assert "\x1b[2Jb\u202e" in bower("list").data["entries"][-1]["path"]


def test_one_function_writes_what_people_read() -> None:
    """So that what it takes out is taken out of all of it."""
    surfaces = Path(page.__file__).parent
    raw = re.compile(r"\b(?:sys\.)?(?:stdout|stderr)\.write|\bprint\(|\bexcepthook")
    found = {
        file.relative_to(surfaces).as_posix()
        for file in surfaces.rglob("*.py")
        if raw.search(file.read_text(encoding="utf-8"))
    }
    # `app` writes JSON and what is `shown` already, `progress` clears the line of its bar.
    assert found == {"app.py", "progress.py"}
