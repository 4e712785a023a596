"""``quality precision``: what a case wants, what it leaves aside, and what is counted."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from quality.precision import Case, figures

if TYPE_CHECKING:
    from collections.abc import Callable


def belief(id: str, text: str, scope: str = "domain:code", **more: object) -> dict[str, Any]:
    return {
        "_id": id, "user_id": "test-user", "type": "preference", "canonical_name": id,
        "aliases": [], "content": text, "scope": [scope], "epistemic_status": "active",
        "confidence": 0.9, "pinned": False, "resolved_at": None, **more,
    }  # fmt: skip


def case(text: str, *only: str, **more: object) -> dict[str, Any]:
    expected = {"relevantBeliefs": {"shouldOnlyInclude": list(only)}}
    return {"query": text, "scope": ["domain:code"], "expect": expected, **more}


BELIEFS = [
    belief("cluster", "Deploys to a cluster in Frankfurt with charts.", aliases=["k8s"]),
    belief("lint", "Formats every file with Biome before a commit."),
    belief("old", "Formatted every file with Prettier.", epistemic_status="superseded"),
    belief("novel", "The heroine plays jazz piano in Lisbon.", "domain:writing"),
    belief("theirs", "Another person likes Haskell a lot.", user_id="other"),
]
CASES = [
    case("k8s?", "cluster"),
    case("what do we use Prettier for", scope=["domain:code"]),
    case("who plays jazz piano in Lisbon"),
    case("who likes Haskell"),
    case("  "),
    case("k8s?", budget={"maxBeliefs": 0}),
]


def test_scope_state_and_user_keep_out_and_an_alias_finds(
    quality: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "beliefs.seed.json").write_text(json.dumps(BELIEFS))
    (tmp_path / "retrieval.cases.json").write_text(json.dumps(CASES))
    data = json.loads(quality("precision", str(tmp_path), "--json"))
    assert (data["cases"], data["beliefs"]) == (6, 5)
    for interface in ("query", "context"):
        assert data[interface]["recall"] == 1.0
        assert data[interface]["forbidden_shown"] == 0
    shown = quality("precision", str(tmp_path))
    assert "query, from .250" in shown


def test_what_is_counted() -> None:
    cases = [
        Case("a", "u", [], {"x", "y"}, {"x", "y", "pinned"}, set(), None),
        Case("b", "u", [], set(), set(), {"z"}, None),
        Case("c", "u", [], set(), set(), set(), None),
    ]
    found = figures(cases, [["x", "pinned", "w"], ["z"], ["pinned"]], {"pinned"})
    assert (found["precision"], found["case_precision"]) == (0.3333, 0.25)
    assert (found["strict_precision"], found["strict_case_precision"]) == (0.4, 0.2222)
    assert (found["recall"], found["nothing_for_nothing"], found["forbidden_shown"]) == (
        0.5,
        0.5,
        1,
    )
