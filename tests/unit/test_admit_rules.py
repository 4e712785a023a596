"""The rules of admission by themselves: pure functions from texts and drafts."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bowerbird.core.draft import LONGEST, Draft
from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.kinds import KINDS, Kinds
from bowerbird.core.normal import normal_hash, tokens
from bowerbird.core.origins import ORIGIN_OF, origin_of
from bowerbird.core.states import STATE_TABLE, require_move
from bowerbird.core.text import normal_tag
from bowerbird.core.types import STATES
from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.lifecycle.classify import classify
from bowerbird.lifecycle.complete import complete, expiry
from bowerbird.lifecycle.contradiction import contradicts
from bowerbird.lifecycle.duplicates import compare
from bowerbird.lifecycle.importance import entities, importance
from bowerbird.lifecycle.keywords import keywords

NOW = 1_767_225_600_000
DAY = 24 * 60 * 60 * 1000
PAIRS = Path(__file__).parents[1] / "data" / "pairs" / "pairs.jsonl"
LABELS = ("same", "paraphrase", "update", "coexisting", "contradictory", "look-alike")
SECRET = "ghp_" + "aB3dE6gH9jK2" * 3
MERGING = {"same", "covers", "extends"}


def pairs() -> list[dict[str, Any]]:
    return [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


def test_the_pairs_are_many_of_each_label_and_split_by_lot() -> None:
    every = pairs()
    assert len(every) >= 300
    assert len({(pair["old"], pair["new"]) for pair in every}) == len(every)
    assert len({pair["language"] for pair in every}) >= 8
    for label in LABELS:
        of_label = [pair for pair in every if pair["label"] == label]
        assert len(of_label) >= 30
        count = len(of_label)
        held = set(random.Random("pairs/" + label).sample(range(count), count // 2))
        halves = ["held" if place in held else "dev" for place in range(count)]
        assert [pair["half"] for pair in of_label] == halves


@pytest.mark.parametrize(("name", "fewest"), [("everyday", 13), ("opposed", 2)])
def test_everyday_statements_are_split_by_lot_and_told_apart(name: str, fewest: int) -> None:
    lines = PAIRS.with_name(f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    every = [json.loads(line) for line in lines]
    flagged: Counter[str] = Counter()
    for label in dict.fromkeys(pair["label"] for pair in every):
        of_label = [pair for pair in every if pair["label"] == label]
        count = len(of_label)
        held = set(random.Random(f"{name}/{label}").sample(range(count), count // 2))
        halves = ["held" if place in held else "dev" for place in range(count)]
        assert [pair["half"] for pair in of_label] == halves
        for pair in of_label:
            if pair["half"] == "dev":
                flagged[label] += bool(contradicts(pair["old"], pair["new"]).relation)
    assert flagged["contradictory"] >= fewest
    assert flagged["coexisting"] == 0


def test_no_pair_of_dev_is_merged_wrongly_and_duplicates_are_caught() -> None:
    merged: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for pair in pairs():
        if pair["half"] != "dev":
            continue
        for first, second in ((pair["old"], pair["new"]), (pair["new"], pair["old"])):
            total[pair["label"]] += 1
            merged[pair["label"]] += compare(first, second).relation in MERGING
    assert [merged[label] for label in ("coexisting", "contradictory", "look-alike")] == [0, 0, 0]
    assert merged["same"] == total["same"]
    assert merged["paraphrase"] >= 0.3 * total["paraphrase"]
    assert merged["update"] >= 0.3 * total["update"]


@pytest.mark.parametrize(
    ("old", "new", "relation"),
    [
        ("Tabs, not spaces", "tabs not spaces.", "same"),
        ("**Never** use `eval`", "Never use eval!", "same"),
        ("Run make lint before pushing", "Before pushing, run make lint", "same"),
        ("The gateway caches tokens", "Tokens are cached by the gateway", "same"),
        ("Our designer is called Ines", "Ines is our designer", "same"),
        ("Use pnpm", "Use pnpm, with a frozen lockfile", "extends"),
        ("Use pnpm because it is fast", "Use pnpm", "covers"),
        ("Use tabs for code in Go", "Use tabs for code", ""),
        ("Deploy on Tuesday or Thursday", "Deploy on Tuesday", ""),
        ("Deploy on Tuesday and Thursday", "Deploy on Tuesday", "covers"),
        ("Use tabs for code", "Use tabs for code in Go", ""),
        ("The parser is slow", "The old parser is slow", ""),
        ("Deploying is fine", "Deploying is fine only at night", ""),
        ("Service A calls service B", "Service B calls service A", ""),
        ("A square is a rectangle", "A rectangle is a square", ""),
        ("Mei is taller than Tom", "Tom is taller than Mei", ""),
        ("Latency is <5 ms", "Latency is 5 ms", ""),
        ("The limit is 5 GB", "The limit is ~5 GB", ""),
        ("Redis is up", "Redis is up?", ""),
        ("C++ is used", "C is used", ""),
        ("Use -v", "Use v", ""),
        ("Wir nutzen Tabs", "Wir nutzen Tabs nie", "contradicts"),
        ("缓存开启", "缓存不开启", ""),
        ("...", "!!!", ""),
        ("", "", ""),
    ],
)
def test_words_decide(old: str, new: str, relation: str) -> None:
    assert compare(old, new).relation == relation


@pytest.mark.parametrize(
    ("old", "new", "flagged"),
    [
        ("The parser is thread-safe", "The parser is not thread-safe", True),
        ("Postgres listens on port 5432", "Postgres listens on port 6432", True),
        ("The default branch is main", "The default branch is develop", True),
        ("Prefer composition over inheritance", "Prefer inheritance over composition", True),
        ("The cache is enabled by default", "The cache is disabled by default", True),
        ("Anna Keller owns billing", "Omar Haddad owns billing", True),
        ("缓存默认开启", "缓存默认不开启", True),
        ("Priya plays chess", "Priya plays the cello", False),
        ("The user has a dog", "The user has a cat", False),
        ("Issue 1234 is fixed", "Issue 1243 is fixed", False),
        ("mypy checks the types", "ruff checks the style", False),
        ("Redis is up", "Redis is up", False),
    ],
)
def test_another_value_of_the_same_subject_is_flagged(old: str, new: str, flagged: bool) -> None:
    assert bool(contradicts(old, new).relation) is flagged
    assert bool(contradicts(new, old).relation) is flagged


def test_a_verdict_says_why() -> None:
    assert "word for word" in compare("Use pnpm", "Use pnpm, and more").reason
    assert contradicts("Port is 5432 here", "Port is 6432 here").reason.startswith("another")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We chose SQLite because deployment is one file", "decision"),
        ("The user prefers short answers", "preference"),
        ("Redis must be up before auth tests", "requirement"),
        ("Integration tests hang when Docker is not running", "gotcha"),
        ("ModuleNotFoundError means the venv is stale; fix: uv sync", "error_pattern"),
        ("Tried pgbouncer but transactions broke", "dead_end"),
        ("To rebuild the index, run make index", "procedure"),
        ("We usually squash commits", "pattern"),
        ("src/parser.py handles the tokens", "module_insight"),
        ("When the schema changes, the client must be regenerated", "causal_dependency"),
        ("TODO: finish the migration of invoices", "work_state"),
        ("Wir haben entschieden, SQLite zu nehmen", "decision"),
        ("用户喜欢简短的回答", "preference"),
        ("Deploys happen on Tuesday", "fact"),
        ("docs/03/04 is the old guide", "module_insight"),
        ("From 03/04/2027 the office is in Graz", "fact"),
    ],
)
def test_the_wording_tells_the_kind_and_the_reason_names_it(text: str, expected: str) -> None:
    found, reason = classify(text)
    assert found == expected
    assert reason


@pytest.mark.parametrize(
    ("text", "its", "priority", "confidence", "expected"),
    [
        ("short", "fact", None, None, 0.05),
        ("short", "decision", None, None, 0.301),
        ("short", "pattern", None, None, 0.251),
        ("short", "procedure", None, None, 0.201),
        ("x" * 500, "fact", None, None, 0.10),
        ("x" * 5000, "fact", None, None, 0.10),
        ("short", "fact", "critical", None, 0.301),
        ("short", "fact", "high", None, 0.201),
        ("short", "fact", "normal", None, 0.05),
        ("short", "decision", "low", None, 0.201),
        ("short", "fact", "low", None, 0.05),
        ("short", "fact", None, 1.0, 0.201),
        ("short", "fact", None, 0.5, 0.101),
        ("Ports 1 2 3 4 5 6 7 8 9 10", "fact", None, None, 0.1552),
        ("x" * 500 + " 1 2 3 4 5 6 7 8 9 10", "decision", "critical", 1.0, 1.0),
    ],
)
def test_importance_has_the_documented_numbers(
    text: str, its: str, priority: str | None, confidence: float | None, expected: float
) -> None:
    assert importance(text, KINDS[its], priority, confidence) == pytest.approx(expected)


def test_entities_are_names_numbers_and_identifiers() -> None:
    text = "Yesterday Anna moved parse_date to src/dates.py on 2024-05-01. Fine."
    assert entities(text) == {"Anna", "parse_date", "src/dates.py", "2024-05-01"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("30d", NOW + 30 * DAY),
        ("12h", NOW + DAY // 2),
        ("2w", NOW + 14 * DAY),
        ("3mo", NOW + 90 * DAY),
        ("1y", NOW + 365 * DAY),
        ("90 min", NOW + DAY // 16),
        ("2026-06-01T00:00:00+00:00", 1_780_272_000_000),
        (NOW + 1, NOW + 1),
        (None, None),
    ],
)
def test_expiry_is_read_as_people_write_it(given: str | int | None, expected: int | None) -> None:
    assert expiry(given, NOW) == expected


def test_a_date_counts_to_its_end() -> None:
    end = expiry("2027-01-31", NOW)
    assert end is not None
    assert (end + 1) % 60_000 == 0
    assert end - (expiry("2027-01-31T00:00:00", NOW) or 0) == DAY - 1


@pytest.mark.parametrize(
    "given",
    [
        "soon",
        "2020-01-01",
        "0d",
        NOW,
        "99999999-01-01",
        "31.13.2027",
        "yesterday",
        1.9e12,
        True,
        ["2w"],
    ],
)
def test_what_is_no_day_to_come_is_refused(given: Any) -> None:
    with pytest.raises(BadInput) as raised:
        expiry(given, NOW)
    assert "30d" in raised.value.remedy


def test_states_have_one_order_everywhere_and_every_way_leads_back() -> None:
    assert tuple(STATE_TABLE) == STATES
    for name, state in STATE_TABLE.items():
        for target in state.moves:
            assert target.by
            assert name in [back.to for back in STATE_TABLE[target.to].moves]
    assert [name for name, state in STATE_TABLE.items() if "searched" in state.uses] == ["active"]
    assert "exported" not in STATE_TABLE["deleted"].uses
    require_move("active", "active")
    with pytest.raises(BadInput, match="superseded"):
        require_move("superseded", "merged")
    with pytest.raises(UnknownName):
        require_move("active", "gone")


def test_every_source_has_an_origin() -> None:
    assert set(ORIGIN_OF) == {
        "user_taught",
        "agent_explicit",
        "observer_inferred",
        "qa_auto",
        "mcp_auto",
        "commit_auto",
    }
    assert origin_of("mcp_auto") == "tool_external"
    with pytest.raises(UnknownName):
        origin_of("hearsay")


def test_a_draft_is_completed() -> None:
    found = complete(
        Draft("  We chose SQLite.\r\nIt is one file.  ", tags=("Ünïcode Tag", "unicode-tag")),
        ALLOW_NOTHING,
        NOW,
        Kinds(),
    )
    belief = found.belief
    assert belief.text == "We chose SQLite.\nIt is one file."
    assert belief.fields.summary == "We chose SQLite."
    assert belief.fields.tags == ("unicode-tag",)
    assert (belief.fields.kind, belief.origin, belief.trust) == ("decision", "agent", "normal")
    assert "We chose" in found.kind_reason
    assert belief.source == "agent_explicit"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"text": "  \u200b "}, BadInput),
        ({"text": "x" * (LONGEST + 1)}, BadInput),
        ({"kind": "decission"}, UnknownName),
        ({"origin": "usr"}, UnknownName),
        ({"source": "hearsay"}, UnknownName),
        ({"importance": 1.5}, BadInput),
        ({"confidence": -0.1}, BadInput),
        ({"confidence": float("nan")}, BadInput),
        ({"priority": "urgent"}, UnknownName),
        ({"scope": "galaxy"}, UnknownName),
        ({"audience": "world"}, UnknownName),
        ({"tags": ("???",)}, BadInput),
        ({"metadata": {"when": object()}}, BadInput),
        ({"metadata": {"x": float("inf")}}, BadInput),
        ({"payload": {"steps": ["x"]}}, BadInput),
    ],
)
def test_what_cannot_be_taken_is_refused_with_a_remedy(
    changes: dict[str, Any], error: type[BadInput | UnknownName]
) -> None:
    fields: dict[str, Any] = {"text": "Use tabs", "kind": "fact", **changes}
    with pytest.raises(error) as raised:
        complete(Draft(**fields), ALLOW_NOTHING, NOW, Kinds())
    assert raised.value.remedy


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        ({"review": " ask Ada "}, "ask Ada"),
        ({"review": ""}, ""),
        ({"review": "ask Ada", "verified": True, "origin": "user"}, ""),
        ({"review": f"who knows {SECRET}?"}, "who knows [REDACTED:github-token]?"),
    ],
)
def test_a_review_is_waited_for_by_what_says_why(about: dict[str, Any], expected: str) -> None:
    fields = complete(Draft("Redis is down", **about), ALLOW_NOTHING, NOW, Kinds()).belief.fields
    assert (fields.review, fields.needs_review) == (expected, bool(expected))


def test_the_longest_text_is_taken_and_a_longer_one_points_to_index() -> None:
    complete(Draft("x " * (LONGEST // 2 - 1) + "yy"), ALLOW_NOTHING, NOW, Kinds())
    with pytest.raises(BadInput) as raised:
        complete(Draft("x" * (LONGEST + 1)), ALLOW_NOTHING, NOW, Kinds())
    assert "index" in raised.value.remedy


def test_metadata_comes_back_as_it_was_given() -> None:
    given = {"a": [1, {"b": None, "c": [True, 0.5]}], "name": "Ärger"}
    assert (
        complete(
            Draft("Use tabs", metadata=given), ALLOW_NOTHING, NOW, Kinds()
        ).belief.fields.metadata
        == given
    )


def test_priority_is_kept_beside() -> None:
    belief = complete(Draft("Use tabs", priority="high"), ALLOW_NOTHING, NOW, Kinds()).belief
    assert belief.fields.priority == "high"
    assert belief.fields.metadata == {}
    assert belief.importance == pytest.approx(0.2016)


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_brings_its_scope_and_half_life(name: str) -> None:
    belief = complete(Draft("Use tabs", kind=name), ALLOW_NOTHING, NOW, Kinds()).belief
    assert belief.fields.scope == KINDS[name].scope
    assert belief.half_life == KINDS[name].half_life


# Tags of different users.
USERS = ("user:ada@x.org", "user:ada.x.org", "team/ada+x", "ada_x")


def test_tags_have_one_form() -> None:
    assert [normal_tag(tag) for tag in ("Auth", "a b", "日本", "बिल्ली", "#x_y-z!", *USERS)] == [
        "auth",
        "a-b",
        "日本",
        "बिलली",
        "x_y-z",
        *USERS,
    ]


def test_keywords_are_the_telling_words() -> None:
    counts = {"redis": 1, "tests": 900}
    found = keywords("Redis must be up before the auth tests, says Redis", counts)
    assert found[0] in {"auth", "redis"}
    assert set(found) >= {"redis", "auth", "tests"}
    assert {"must", "before", "the"} & set(found) == set()
    assert len(keywords(" ".join(f"word{number}" for number in range(30)), {})) == 8
    assert keywords("GitHub runs PostgreSQL on IPv6", {})[:3] == ("github", "postgresql", "ipv6")
    assert "redacted" not in keywords("the token is [REDACTED:token]", {})


def test_normal_forms_keep_what_counts() -> None:
    assert tokens("- **Use** “tabs”, e.g. `x != 1`…") == ("use", "tabs", "e.g", "x", "!=", "1")
    assert normal_hash("Über alles.") == normal_hash("uber   ALLES")
    assert normal_hash("🎉") != normal_hash("🎊")
    assert normal_hash("---") != normal_hash("***")


def test_words_that_a_memory_quotes_as_its_evidence_negate_nothing() -> None:
    kept = "Use pnpm here, npm breaks the lockfile"
    assert compare(kept, f"{kept} (“no, {kept.lower()}”)").relation == ""
    assert compare(kept, f"{kept} (no longer)").relation == "contradicts"
