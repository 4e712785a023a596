"""What an agent and a person are shown of an answer, in every interface."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.excerpt import best_line
from bowerbird.core.text import count_tokens
from bowerbird.surfaces.mcp.answer import answer
from bowerbird.surfaces.mcp.tool import OFFERS
from bowerbird.surfaces.mcp.views import lean

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

# An agent pays for what it is shown: ten hits cost it no more.
MOST_TOKENS = 2_500


@pytest.fixture
def long_notes(bower: Bower, tmp_path: Path) -> None:
    """Twelve long notes about one thing, in two scripts, none the same."""
    notes = tmp_path / "long"
    notes.mkdir()
    for number in range(12):
        words = [f"The heron of ledger {number} runs job {number * 40 + n}." for n in range(40)]
        if number % 3 == 0:
            words = [f"heron 账本第{number}号的任务{n}在夜里运行,早上检查。" for n in range(40)]
        (notes / f"ledger-of-the-heron-{number}.md").write_text(" ".join(words))
    bower("index", str(notes))


def test_ten_memories_that_hardly_differ_fit_into_what_an_agent_can_pay_for(
    store_path: str,
) -> None:
    text = (
        "The nightly import fails when the supplier's export of the previous day is larger than two"
        " gigabytes: split the file by region with split-export --by region before the job at"
        " 02:{0}, otherwise the staging table fills the volume and the import is rolled back."
    )
    offer = OFFERS["memory_search"]
    with Bowerbird.open(store_path, project="here") as bird:
        for number in range(10, 34):
            bird.remember(text.format(number), kind="gotcha")
        value = offer.module.run(bird, {"text": "why does the nightly import fail?"})
        shaped = answer(offer.verb, value, str)
    results = value.as_dict()["results"]
    assert len(results) == 10
    linked = [one for hit in results for one in hit["linked"]]
    assert linked
    shown = [hit["id"] for hit in results] + [one["id"] for one in linked if "text" in one]
    assert len(shown) == len(set(shown))
    assert {one["id"] for one in linked} <= set(shown)
    assert count_tokens(json.dumps(value.as_dict())) <= MOST_TOKENS
    assert count_tokens(json.dumps(lean(shaped.data), ensure_ascii=False)) <= MOST_TOKENS
    assert count_tokens(shaped.text) <= MOST_TOKENS


@pytest.mark.usefixtures("long_notes")
def test_ten_hits_fit_into_what_an_agent_can_pay_for(bower: Bower) -> None:
    ran = bower("query", "heron ledger job", "--format", "json")
    results = ran.data["results"]
    assert len(results) == 10
    assert count_tokens(ran.out) <= MOST_TOKENS
    whole = bower("query", "heron ledger job", "--full").data["results"]
    assert any(
        len(one["text"]) > len(short["text"]) for one, short in zip(whole, results, strict=True)
    )
    offer = OFFERS["memory_search"]
    with Bowerbird.open() as bird:
        value = offer.module.run(bird, {"text": "heron ledger job", "all_projects": True})
        shaped = answer(offer.verb, value, str)
    assert count_tokens(json.dumps(lean(shaped.data), ensure_ascii=False)) <= MOST_TOKENS
    assert count_tokens(shaped.text) <= MOST_TOKENS


def test_no_text_stands_twice_in_json(bower: Bower) -> None:
    bower("remember", "The heron ledger closes at nine.")
    for options in ([], ["--full"], ["--compact"]):
        out = bower("query", "heron ledger", *options).out
        assert out.count("closes at nine") == 1


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
@pytest.mark.parametrize("shape", ["", "--compact", "--digest", "--full"])
def test_every_format_leaves_the_same_out(bower: Bower, shape: str, form: str) -> None:
    bower("remember", "Redis must be up before the tests run")
    bower("remember", "Mango lassi is served in the canteen")
    options = [one for one in (shape, "--format", form) if one]
    shown = bower("query", "must redis be up before the tests", *options).out
    all = bower("query", "must redis be up before the tests", "--weak", *options).out
    assert "Redis" in shown
    assert "Mango" in all
    assert "Mango" not in shown


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_every_format_says_what_is_newer(bower: Bower, form: str) -> None:
    bower("remember", "Staging runs on Postgres 14.")
    bower("remember", "We use Postgres 16 for the staging database.")
    for options in ([], ["--compact"], ["--digest"], ["--full"]):
        out = bower("query", "which Postgres runs staging", *options, "--format", form).out
        out = " ".join(out.split())
        assert out.index("Postgres 16") < out.index("Postgres 14")
        assert re.search(r"newer about the same; the older of \d+ \w+ \d{4} is id ", out)
        assert re.search(r"older; the newer about the same, of \d+ \w+ \d{4}, is id ", out)
    out = bower("context", "upgrade Postgres of staging", "--format", form).out
    assert out.count("says otherwise; bower review") == 2  # an agent kept both
    assert out.index("Postgres 16") < out.index("Postgres 14")


def test_a_preview_shows_lines_as_they_are_written(bower: Bower, tmp_path: Path) -> None:
    (tmp_path / "c.py").write_text(
        "def connect(host):\n    if host:\n        client = Redis(host, port=6379)\n    return client\n"
    )
    bower("index", str(tmp_path))
    out = bower("query", "Redis client port", "--format", "text").out
    assert "            client = Redis(host, port=6379)" in out


def test_short_shapes_show_the_line_that_matched(bower: Bower, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Broker\n\nNothing here.\n\nThe certificate ends in May.\n")
    bower("index", str(tmp_path))
    for shape in ("--compact", "--digest"):
        out = bower("query", "when does the certificate end", shape, "--format", "text").out
        assert re.search(r" \.\d\d .*certificate ends in May|1\.00 .*certificate ends in May", out)


def test_a_line_is_cut_around_what_matched() -> None:
    text = "First line.\n" + "word " * 50 + "needle " + "word " * 50
    shown = best_line(text, ("needle",), 32)
    assert "needle" in shown
    assert len(shown) <= 33
    assert best_line("", ("x",), 10) == ""


def test_a_graph_without_edges_has_no_kinds_to_tell(bower: Bower, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Alone\n\nIt links to nothing.\n")
    bower("index", str(tmp_path / "note.md"))
    shown = bower("status", "--format", "text", "--all-projects").out
    assert "1 node, 0 edges of 1 file" in shown
    assert "()" not in shown
