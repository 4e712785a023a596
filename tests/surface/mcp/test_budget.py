"""What the tools cost a session: their descriptions, and an answer of many rows."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

from bowerbird.core.text import count_tokens
from bowerbird.surfaces.fields import CODE_BUDGET, TOOL_BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mcp import Client

# Of all descriptions together, those of arguments included.
DESCRIBED = 2_000


def _descriptions(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for one in value for text in _descriptions(one)]
    if not isinstance(value, dict):
        return []
    own = value.get("description")
    below = [text for one in value.values() for text in _descriptions(one)]
    return [own, *below] if isinstance(own, str) else below


def test_all_descriptions_fit_into_their_budget(talk: Callable[..., Any]) -> None:
    async def work(client: Client) -> None:
        offered = (await client.list_tools()).tools
        texts = [
            text for one in offered for text in _descriptions([one.model_dump()["input_schema"]])
        ]
        texts += [one.description or "" for one in offered]
        assert sum(map(count_tokens, texts)) <= DESCRIBED

    talk(work)


def test_an_impact_on_everything_fits_into_a_budget_and_says_what_is_left_out(
    talk: Callable[..., Any], bower: Callable[..., Any], tmp_path: Path
) -> None:
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    (root / "base.py").write_text("def price():\n    return 1\n")
    for number in range(300):
        user = f"from base import price\n\n\ndef use_{number}():\n    return price()\n"
        (root / f"user_{number}.py").write_text(user)

    (root / "test_base.py").write_text(
        "from base import price\n\n"
        + "".join(f"\ndef test_{number}():\n    assert price()\n" for number in range(90))
    )
    assert bower("index", str(root), "--project", "shop").code == 0

    async def work(client: Client) -> None:
        reached, notes = {}, {}
        for tool in ("memory_impact", "memory_references"):
            for budget, given in ((CODE_BUDGET, {}), (TOOL_BUDGET, {"limit": 2_000})):
                asked = {"target": "base.py:price", **given}
                result = await client.call_tool(tool, asked)
                data = result.structured_content
                assert data is not None
                (block,) = result.content
                assert count_tokens(json.dumps(data)) <= budget
                assert count_tokens(block.model_dump()["text"]) <= budget
                assert all(one.endswith("more") for one in data.get("tests", ()))
                notes[tool, budget] = str(data.get("notes"))
                reached[tool, budget] = data["reached" if tool == "memory_impact" else "uses"]
        cut = f"more rows do not fit into {CODE_BUDGET:,} tokens"
        assert cut in notes["memory_impact", CODE_BUDGET]
        first = reached["memory_impact", CODE_BUDGET][0]
        assert first == f"{root}/user_0.py: 1 calls function use_0 4, 1 imports"
        for tool in ("memory_impact", "memory_references"):
            assert len(reached[tool, CODE_BUDGET]) < len(reached[tool, TOOL_BUDGET])

    talk(work, "--project", "shop")


def test_a_search_with_a_high_limit_and_a_large_context_fit_into_the_budget(
    talk: Callable[..., Any], bower: Callable[..., Any], tmp_path: Path
) -> None:
    drawn = random.Random(5)
    words = ["".join(drawn.choices("abcdefghiklmnoprstu", k=6)) for _ in range(2_000)]
    lines = tmp_path / "memories.jsonl"
    with lines.open("w") as file:
        for number in range(32):
            text = f"Queue {number} of the workers: {' '.join(drawn.choices(words, k=120))}."
            file.write(json.dumps({"text": text}) + "\n")
    assert bower("curate", "--batch", str(lines), "--project", "shop").code == 0

    async def work(client: Client) -> None:
        asked = {"query": "which queue of the workers", "limit": 50}
        packed = {"task": "which queue of the workers", "budget": 100_000}
        for tool, given, rows in (
            ("memory_search", asked, "hits"),
            ("memory_context", packed, "items"),
        ):
            result = await client.call_tool(tool, given)
            data = result.structured_content
            assert data is not None
            (block,) = result.content
            text = block.model_dump()["text"]
            assert count_tokens(json.dumps(data, ensure_ascii=False)) <= TOOL_BUDGET
            assert count_tokens(text) <= TOOL_BUDGET
            assert len(data[rows]) >= 10
            assert "more do not fit" in data["notes"][-1]
            assert "more do not fit" in text

    talk(work, "--project", "shop")
