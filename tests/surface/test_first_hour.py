"""What somebody meets in the first hour with the command: wrong inputs, pipes, empty answers."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.value import TYPED_AS
from bowerbird.surfaces.cli.overview import EVERY_DAY
from bowerbird.surfaces.cli.table import commands

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def test_a_list_of_no_store_is_empty(bower: Bower, store_path: str) -> None:
    ran = bower("list", "--format", "text")
    assert (ran.code, ran.out) == (0, "No entries.\n")
    assert f"there is no store at {store_path} yet" in ran.err
    assert bower("list").data == {"entries": [], "count": 0, "remarks": []}


def test_an_empty_list_says_what_it_knows(bower: Bower, notes: Path) -> None:
    bower("index", str(notes))
    assert "make some" not in bower("list", "--state", "expired", "--format", "text").err
    ran = bower("list", "--min-confidence", "2")
    assert (ran.code, ran.data["error"]) == (2, "--min-confidence cannot be 2.0")


@pytest.mark.parametrize("verb", [["query", "redis"], ["list"]])
def test_a_mistyped_kind_is_an_error(bower: Bower, notes: Path, verb: list[str]) -> None:
    bower("index", str(notes))
    for kind in ("decison", "fact,decison"):
        ran = bower(*verb, "--kind", kind)
        assert (ran.code, ran.data["error"]) == (2, "unknown kind: decison")
        assert ran.data["remedy"] == "did you mean decision?"
    assert bower(*verb, "--kind", "passage").code == 0


@pytest.mark.parametrize("arguments", [["curate", "-"], ["query", "-"], ["curate", "--batch", "-"]])
@pytest.mark.parametrize(
    ("given", "expected"),
    [("printf '\\377\\376'", "standard input is no UTF-8 text"), ("", "standard input is closed")],
)
@pytest.mark.parametrize("language", ["C", "C.UTF-8"])
def test_a_broken_input_is_reported(
    arguments: list[str], given: str, expected: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", language)
    command = f"{shlex.quote(sys.executable)} -m bowerbird {' '.join(arguments)} --format text"
    line = f"{given} | {command}" if given else f"{command} <&-"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert f"error: {expected}" in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["curate", "--from", "/no/such"], "'/no/such' cannot be read: no such file or directory"),
        (["curate", "--batch", "/"], "'/' cannot be read: is a directory"),
        (["query", "x", "--digest", "--compact"], "--compact: not allowed with --digest"),
    ],
)
def test_an_error_reads_like_a_sentence(bower: Bower, arguments: list[str], expected: str) -> None:
    ran = bower(*arguments)
    assert (ran.code, ran.data["error"]) == (2, expected)
    assert ran.data["remedy"]


def test_a_link_to_no_file_asks_for_its_name(bower: Bower) -> None:
    kept = bower("remember", "Redis must be up before the auth tests").data["id"]
    assert bower("link", kept, "file:").data["error"] == "the file has no name"


def test_the_history_of_a_passage_is_a_remark(bower: Bower, notes: Path) -> None:
    bower("index", str(notes))
    ran = bower("get", "auth.md:3", "--history", "--format", "text")
    assert ran.code == 0
    assert "auth tests" in ran.out
    assert "no history of its own" in ran.err


def test_weak_hits_are_left_out_alike_in_every_format(bower: Bower) -> None:
    for text in (
        "Shelf 3 holds the mango boxes",
        "The scanner of the warehouse beeps twice",
        "Invoices are numbered without gaps",
        "The lamp in the hall is red",
    ):
        bower("remember", text)
    hits = bower("query", "mango", "--weak").data["results"]
    weak = sum(hit["relevance"] < max(0.05, hits[0]["relevance"] / 5) for hit in hits)
    assert 0 < weak < len(hits)
    assert len(bower("query", "mango").data["results"]) == len(hits) - weak
    shown = bower("query", "mango", "--format", "text").out
    assert f"{weak} weak ones left out" in shown
    assert "Invoices" not in shown
    assert "Invoices" in bower("query", "mango", "--format", "text", "--weak").out


def test_colours_of_a_terminal_are_taken_out_of_a_text(bower: Bower) -> None:
    kept = bower("remember", "\x1b[1;31mThe build\x1b[0m needs \x1b[2K4 GB of memory").data
    assert kept["summary"] == "The build needs 4 GB of memory"


@pytest.mark.parametrize("columns", ["40", "100"])
def test_an_id_is_never_cut_and_the_overview_fits(
    bower: Bower, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    kept = bower("remember", "Redis must be up before the auth tests").data["id"]
    shown = bower("get", kept, "--format", "text").out
    assert kept in shown.replace("\n", "").replace(" ", "")
    overview = bower().out.splitlines()
    listed = overview[overview.index("Every day") : overview.index("Try it")]
    assert max(map(len, listed)) <= int(columns)


def test_a_dozen_commands_are_explained_and_each_is_named_once(bower: Bower) -> None:
    overview = bower().out
    daily, others = overview.split("The others")
    named = re.findall(r"[a-z]+(?=[,\n])", others.split("Try it")[0])
    assert [line.split()[0] for line in daily.split("Every day\n")[1].splitlines()[:12]] == [
        TYPED_AS.get(one, one) for one in EVERY_DAY
    ]
    assert sorted([*named, *EVERY_DAY]) == sorted(one.VERB.name for one in commands())


@pytest.mark.parametrize("arguments", ["query -", "curate -", "curate --from /dev/zero"])
def test_what_never_ends_is_not_read_to_its_end(arguments: str, store_path: str) -> None:
    done = subprocess.run(
        f"yes | {sys.executable} -m bowerbird {arguments} --format text",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "holds more than 4,000,000 bytes" in done.stderr
    assert "bower index FILE" in done.stderr


def test_an_endless_question_is_refused(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.remember("Redis must be up first")
        assert len(bird.query("redis " * 150_000)) == 1
        with pytest.raises(BadInput, match="1,200,000 characters"):
            bird.query("redis " * 200_000)
        with pytest.raises(BadInput, match="1,200,000 characters"):
            bird.context("redis " * 200_000)


def test_a_line_that_is_no_json_is_told_by_its_number(bower: Bower, tmp_path: Path) -> None:
    talk = tmp_path / "talk.jsonl"
    said = '{"role": "user", "content": "The build is red"}'
    talk.write_text(f'{said}\n{{"role": "user", broken\n{said}\n{{"kind": "new"}}\nno json\n')
    report = bower("index", str(talk)).data
    # One that is JSON and of another kind is something else.
    assert report["unknown_records"] == 1
    (cut,) = report["cut"]
    assert cut["path"] == str(talk)
    assert cut["reason"] == "2 lines hold no JSON object, the first is line 2"
    output = bower("index", "--again", "--format", "text", str(talk)).out
    assert "1 record of an unknown kind" in output
    assert "the first is line 2" in output
