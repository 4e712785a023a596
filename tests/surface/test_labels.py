"""Every hit that is believed less says so, in every format and in every interface."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.types import label

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

QUESTION = "when does the okapi eat hay"
IMPORTED = label("imported")
LOW = label("low")
FORMATS = (
    ["query", QUESTION, "--min-trust", "low", "--format", "text"],
    ["query", QUESTION, "--min-trust", "low", "--format", "markdown"],
    ["query", QUESTION, "--digest", "--min-trust", "low", "--format", "text"],
    ["query", QUESTION, "--digest", "--min-trust", "low", "--format", "markdown"],
    ["query", QUESTION, "--compact", "--min-trust", "low", "--format", "text"],
    ["query", QUESTION, "--compact", "--min-trust", "low", "--format", "markdown"],
    ["list", "--format", "text"],
    ["list", "--format", "markdown"],
    ["context", QUESTION, "--min-trust", "low", "--format", "text"],
    ["context", QUESTION, "--min-trust", "low", "--format", "markdown"],
)


@pytest.fixture(autouse=True)
def hay(tmp_path: Path, store_path: str) -> dict[str, str]:
    """A store that holds a text of each trust; their ids by trust."""
    (tmp_path / "zoo.md").write_text("The okapi eats its hay at dusk, says a file of others.\n")
    with Bowerbird.open(store_path, project="zoo") as bird:
        bird.index(tmp_path / "zoo.md")
        (passage,) = bird.list()
        kept = {
            trust: bird.remember(text, origin=origin).id
            for trust, text, origin in (
                ("low", "A peer says the okapi eats hay in the morning.", "peer"),
                ("normal", "An agent saw the okapi eat hay at noon.", "agent"),
                ("full", "The okapi eats its hay at night.", "user"),
            )
        }
    return kept | {"imported": passage.id}


@pytest.mark.parametrize("words", FORMATS, ids=" ".join)
def test_the_label_stands_beside_each_such_hit(bower: Bower, words: list[str]) -> None:
    out = bower(*words, "--project", "zoo").out
    assert out.count(IMPORTED) == 1
    assert out.count(LOW) == 1
    blocks = {
        "query --format text": out.split("\n\n"),
        "query --format markdown": out.split("\n\n["),
        "context --format text": out.split("\n\n["),
        "context --format markdown": out.split("\n\n["),
    }
    shape = " ".join(word for word in words if word not in (QUESTION, "--min-trust", "low"))
    # An entry is listed in lines of which all but the first are indented.
    blocks["list --format text"] = re.split(r"\n(?! )", out)
    for block in blocks.get(shape, out.splitlines()):
        assert (IMPORTED in block) == ("file of others" in block or "zoo.md" in block)


def test_one_entry_says_so(bower: Bower, hay: dict[str, str]) -> None:
    for form in ("text", "markdown"):
        output = {
            trust: bower("get", hay[trust], "--project", "zoo", "--format", form).out
            for trust in ("low", "imported", "normal")
        }
        assert LOW in output["low"]
        assert IMPORTED in output["imported"]
        # What others say about the same has its own label.
        lines = [line for line in output["normal"].splitlines() if "beside:" not in line]
        assert "not verified" not in "\n".join(lines)


def test_data_carries_the_trust_in_every_shape(bower: Bower, hay: dict[str, str]) -> None:
    by_id = {id: trust for trust, id in hay.items()}
    for shape in ([], ["--compact"], ["--digest"]):
        found = bower("query", QUESTION, "--min-trust", "low", "--project", "zoo", *shape).data[
            "results"
        ]
        assert len(found) == 4
        for hit in found:
            (whole,) = (id for id in by_id if id.startswith(hit["id"]))
            assert hit["trust"] == by_id[whole]


def test_an_agent_is_told_beside_the_hit() -> None:
    def ask(id: int, method: str, **params: Any) -> str:
        return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + "\n"

    hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
    hello["clientInfo"] = {"name": "x", "version": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "bowerbird", "mcp", "--project", "zoo"],
        input=ask(0, "initialize", **hello)
        + '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
        + ask(1, "tools/call", name="memory_search", arguments={"query": QUESTION}),
        env=dict(os.environ), capture_output=True, text=True, check=True,
    )  # fmt: skip
    answer = json.loads(done.stdout.splitlines()[-1])["result"]
    text = answer["content"][0]["text"]
    assert text.count(IMPORTED) == 1
    for block in text.split("\n\n[")[1:]:
        assert (IMPORTED in block) == ("file of others" in block)
    trusts = {hit["trust"] for hit in answer["structuredContent"]["hits"]}
    # Unasked, it is not shown what would lower all that it keeps afterwards.
    assert trusts == {"imported", "normal", "full"}
