"""The life of a memory on the command line: told, told again, changed, linked, forgotten, taken back."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.life import USE_FROM

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def test_the_answer_says_what_it_matched_and_why(bower: Bower) -> None:
    old = bower("curate", "The port of the broker is 5432").data
    new = bower("curate", "The port of the broker is 6432").data
    (match,) = new["matched"]
    assert (match["id"], match["relation"]) == (old["id"], "contradicts")
    assert "5432" in match["reason"]
    output = bower("curate", "The port of the broker is 7432", "--format", "text").out
    assert "contradicts" in output
    assert "5432" in output


def test_a_secret_is_taken_out_and_the_writer_told(bower: Bower) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    kept = bower("curate", f"The token is {secret}")
    assert secret not in kept.out
    assert kept.data["redacted"]
    assert "[REDACTED:" in bower("get", kept.data["id"]).data["text"]
    output = bower("curate", f"Another token is {secret}", "--format", "text").out
    assert "redacted before storing: " in output


def test_everything_that_was_said_of_it_comes_back(bower: Bower) -> None:
    kept = bower(
        "curate",
        "Freeze the release",
        "--kind",
        "decision",
        "--expires",
        "2w",
        "--confidence",
        "0.7",
        "--priority",
        "high",
        "--file",
        "src/a.py",
        "--module",
        "auth",
        "--audience",
        "team",
        "--metadata",
        "ticket=SHOP-1",
    ).data
    entry = bower("get", kept["id"]).data
    assert (entry["kind"], entry["confidence"], entry["audience"]) == ("decision", 0.7, "team")
    assert (entry["files"], entry["modules"]) == (["src/a.py"], ["auth"])
    assert entry["metadata"]["ticket"] == "SHOP-1"
    assert entry["expires"].endswith("Z")
    assert bower("list", "--module", "auth").data["count"] == 1
    assert bower("list", "--audience", "personal").data["count"] == 0
    assert bower("list", "--min-confidence", "0.8").data["count"] == 0
    assert bower("list", "--exclude", kept["id"]).data["count"] == 0


def test_a_payload_is_pairs_or_json(bower: Bower) -> None:
    steps = ["--payload", "task_pattern=release", "--payload", 'steps=["build", "ship"]']
    kept = bower("curate", "How to release", "--kind", "workflow_recipe", *steps).data
    payload = bower("get", kept["id"]).data["payload"]
    assert payload["task_pattern"] == "release"
    assert len(payload["steps"]) == 2
    whole = json.dumps({"task_pattern": "hotfix", "steps": ["branch"]})
    assert bower("curate", "A hotfix", "--kind", "workflow_recipe", "--payload", whole).code == 0


def test_forgetting_is_taken_back(bower: Bower) -> None:
    kept = bower("curate", "No tabs").data
    done = bower("forget", kept["id"][:18], "--reason", "tabs are back").data
    assert [one["id"] for one in done["forgotten"]] == [kept["id"]]
    assert bower("query", "tabs").data["results"] == []
    assert bower("list", "--state", "deleted").data["count"] == 1
    assert bower("revert", kept["id"], "--yes").data["state"] == "active"
    assert bower("query", "tabs").data["results"][0]["id"] == kept["id"]
    events = bower("history", kept["id"]).data["events"]
    assert [event["action"] for event in events][:2] == ["created", "forgotten"]
    assert events[1]["reason"] == "tabs are back"


def test_all_are_forgotten_or_none(bower: Bower) -> None:
    one, other = (bower("curate", text).data["id"] for text in ("No tabs", "Redis is up first"))
    gone = {"id": one, "summary": "No tabs", "replaced": []}
    assert bower("forget", one, one[:20]).data["forgotten"] == [gone]
    again = bower("forget", other, one)
    assert again.code == 2
    assert f"{one} is forgotten already" in again.data["error"]
    assert bower("get", other).data["state"] == "active"
    assert bower("forget", other, "--quiet", "--format", "text").out.strip() == other
    assert bower("revert", one, "--yes").data["memories"] == [one]


def test_importance_is_reported_in_as_many_digits_as_it_means(bower: Bower) -> None:
    id = bower("curate", "No tabs").data["id"]
    bower("query", "tabs")
    bower("curate", "Two spaces")  # counts the use
    entry = bower("get", id).data
    assert entry["access_count"] == 1
    assert entry["importance"] == 0.06


# What an agent may write before a command, to look like a person: without its variables.
HIDDEN = ("env", "-u", "CLAUDECODE")


@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="nothing tells of ancestors")
def test_an_agent_that_makes_a_terminal_is_still_one(terminal: Bower, bower: Bower) -> None:
    # The shell keeps what it began with, whatever is taken out further down.
    shell = ("env", "CLAUDECODE=1", "sh", "-c", '"$@"; exit $?', "sh", *HIDDEN)
    refused = terminal("curate", "--verified", "The gate opens at eight", before=shell)
    assert refused.code != 0
    assert "only a person can verify" in refused.out
    assert terminal("curate", "The gate opens at nine", before=shell).code == 0
    (entry,) = bower("list").data["entries"]
    kept = bower("get", entry["id"]).data
    assert (kept["origin"], kept["trust"]) == ("agent", "normal")
    assert terminal("forget", entry["id"], before=shell).code == 0
    assert bower("history", entry["id"]).data["events"][-1]["actor"] == "agent"
    assert terminal("curate", "--verified", "The gate opens at ten").code == 0


def test_what_a_person_pipes_in_nobody_typed(terminal: Bower, bower: Bower) -> None:
    piped = ("sh", "-c", 'echo "A log says so" | "$@"', "sh")
    assert terminal("curate", "-", before=piped).code == 0
    (entry,) = bower("list").data["entries"]
    kept = bower("get", entry["id"]).data
    assert (kept["origin"], kept["trust"]) == ("agent", "normal")


def test_only_a_person_on_a_terminal_forgets_as_the_user(
    bower: Bower, terminal: Bower, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the user forgot by hand may be removed for good; what an agent forgot may not.
    terminal("curate", "No tabs")
    id = bower("list").data["entries"][0]["id"]
    bower("forget", id)
    bower("revert", id, "--yes")
    terminal("forget", id)
    monkeypatch.setenv("AI_AGENT", "user\u200b")
    bower("revert", id, "--yes")
    done = [(event["action"], event["actor"]) for event in bower("history", id).data["events"]]
    assert done == [
        ("created", "user"),
        ("forgotten", "agent"),
        ("undone", "agent"),
        ("forgotten", "user"),
        ("undone", "agent"),
    ]


def test_one_wrong_id_forgets_nothing(bower: Bower) -> None:
    kept = bower("curate", "No tabs").data
    assert bower("forget", kept["id"], "ffffffff").code == 1
    assert bower("list").data["count"] == 1


def test_what_took_the_place_of_another_gives_it_back(bower: Bower) -> None:
    old = bower("curate", "Redis must be up before the auth tests start").data
    new = bower("curate", "Redis must be up before the auth tests start, and the broker too").data
    assert new["decision"] == "superseded"
    assert [one["id"] for one in bower("list").data["entries"]] == [new["id"]]
    bower("revert", new["id"], "--yes")
    assert [one["id"] for one in bower("list").data["entries"]] == [old["id"]]


def test_history_reads_as_versions_events_and_links(bower: Bower) -> None:
    kept = bower("curate", "No tabs").data
    bower("link", kept["id"], "file:src/a.py", "--as", "informs")
    whole = bower("get", kept["id"], "--history").data
    assert whole["text"] == "No tabs"
    assert whole["history"]["relations"][0]["target"] == "file:src/a.py"
    output = bower("get", kept["id"], "--history", "--format", "text").out
    assert "1 version of" in output
    assert "it informs file:src/a.py" in output
    assert bower("link", kept["id"], "file:a", "--as", "inform").data["remedy"] == (
        "did you mean informs?"
    )


def test_history_tells_a_reason_once_however_it_ends(bower: Bower) -> None:
    id = bower("curate", "No tabs").data["id"]
    for reason in ("it moved away  ", "  ", " \t"):
        bower("forget", id, "--reason", reason)
        bower("revert", id, "--yes")
    done = bower("history", id, "--format", "text")
    assert done.code == 0, done.err
    assert done.out.partition("What was done")[2].count("it moved away") == 1


def test_a_batch_keeps_what_it_can_and_tells_the_rest(bower: Bower, tmp_path: Path) -> None:
    lines = [
        {"text": "Deploys run on Fridays", "kind": "fact", "tags": ["ops"], "global": True},
        {"txt": "x"},
        {"text": "y", "tags": 7},
        {"text": "z", "origin": "user"},
        {"text": "w", "importance": True},
    ]
    batch = tmp_path / "facts.jsonl"
    batch.write_text("\n".join([json.dumps(line) for line in lines] + ['"Plain text"', "{"]))
    ran = bower("curate", "--batch", str(batch), "--tags", "batch")
    assert ran.code == 1
    assert ran.envelope["success"] is False
    assert [one["line"] for one in ran.data["decisions"]] == [1, 6]
    assert [one["line"] for one in ran.data["errors"]] == [2, 3, 4, 5, 7]
    assert ran.data["counts"] == {"created": 2}
    tags = {entry["text"]: entry["tags"] for entry in bower("list").data["entries"]}
    assert tags == {"Deploys run on Fridays": ["ops"], "Plain text": ["batch"]}
    again = bower("curate", "--batch", "-", stdin=json.dumps({"content": "Plain text"}))
    assert again.data["counts"] == {"known": 1}


def test_a_text_comes_from_a_file(bower: Bower, tmp_path: Path) -> None:
    (tmp_path / "fact.txt").write_text("No tabs\n")
    assert bower("curate", "--from", str(tmp_path / "fact.txt")).data["summary"] == "No tabs"
    assert bower("curate", "--from", str(tmp_path / "none.txt")).code == 2


def test_what_was_returned_counts_as_used(bower: Bower) -> None:
    kept = bower("curate", "Redis must be up").data
    bower("query", "redis")
    bower("curate", "Something else entirely")  # the next writer counts
    assert bower("get", kept["id"]).data["access_count"] >= 1


def test_a_person_is_asked_before_others_change_with_what_is_taken_back(
    bower: Bower, terminal: Bower
) -> None:
    bower("curate", "Redis must be up before the auth tests")
    new = bower("curate", "Redis must be up before the auth tests, because they wait for it").data[
        "id"
    ]
    ran = terminal("revert", new, typed="n\n")
    assert "This concerns other memories, too:" in ran.out
    assert "is active again" in ran.out
    assert "nothing was changed" in ran.out
    assert bower("get", new).data["state"] == "active"
    ran = terminal("revert", new, typed="y\n")
    assert ran.code == 0
    assert bower("get", new).data["state"] == "deleted"
    bower("revert", new, "--to", bower("history", new).data["versions"][0]["version"])
    assert "Revert it?" not in terminal("revert", new, "--yes").out


def test_where_nobody_can_be_asked_others_change_only_when_that_is_agreed_to(bower: Bower) -> None:
    old = bower("curate", "Redis must be up before the auth tests").data["id"]
    new = bower("curate", "Redis must be up before the auth tests, because they wait for it").data[
        "id"
    ]
    ran = bower("revert", new)
    assert ran.code == 2
    assert f"{old[:18]} is active again" in ran.out + ran.err
    assert "--yes" in ran.out + ran.err
    assert bower("get", new).data["state"] == "active"
    assert bower("revert", new, "--yes").data["state"] == "deleted"
    assert bower("get", old).data["state"] == "active"
    # Nobody else is touched: nothing has to be agreed to.
    bower("forget", old)
    assert bower("revert", old).data["state"] == "active"


def test_nul_is_refused_with_its_position(bower: Bower) -> None:
    refused = bower("curate", "-", stdin="Redis runs\0before the tests")
    assert refused.code == 2
    assert "text: it contains the character NUL, at position 10" in refused.data["error"]
    assert bower("list").data["count"] == 0


def test_an_empty_path_is_refused(bower: Bower) -> None:
    bower("curate", "Redis must be up before auth tests")
    for verb in (["query", "redis"], ["list"]):
        ran = bower(*verb, "--path", "")
        assert ran.code == 2
        assert "path is empty" in ran.data["error"]


def test_numbers_are_reported_in_few_digits(bower: Bower, notes: Path) -> None:
    bower("curate", "Redis must be up before auth tests")
    numbers = [
        bower("index", str(notes)).data["took_ms"],
        bower("query", "redis").data["took_ms"],
        bower("status").data["avg_importance"],
    ]
    assert all(number == round(number, 4) for number in numbers)


def test_who_was_shown_less_trusted_text_is_told_apart_how_trust_is_raised(bower: Bower) -> None:
    with Bowerbird.open() as bird:
        external = bird.remember("The broker wants TLS", origin="tool_external").id
    bower("get", external)
    told = bower("curate", "Deploys run on Fridays", "--format", "text").out
    words = " ".join(told.split())
    assert (
        "because this session, or another program that names none, has read unverified text"
        in words
    )
    assert "Confirm it with: bower review." in words


def test_reverting_the_creation_of_a_memory_asks_on_a_terminal_and_is_undone_by_the_same(
    bower: Bower, terminal: Bower
) -> None:
    kept = terminal("curate", "The gateway listens on port 6432", "--format", "json").out
    id = json.loads(kept)["data"]["id"]
    refused = terminal("revert", id, typed="n\n")
    assert refused.code != 0
    assert "deletes it" in refused.out
    assert bower("get", id).data["state"] == "active"
    assert terminal("revert", id, typed="y\n").code == 0
    assert bower("get", id).data["state"] == "deleted"
    assert f"bower revert {id[:18]}" in terminal("get", id).out
    assert terminal("revert", id[:18]).code == 0
    assert bower("get", id).data["state"] == "active"
    assert terminal("revert", id, "--yes").code == 0
    assert bower("get", id).data["state"] == "deleted"


def test_what_is_shown_with_little_relevance_was_not_used(bower: Bower) -> None:
    near = bower("curate", "The orders database listens on port 6432").data["id"]
    far = bower("curate", "The team of the second floor orders lunch on every Friday").data["id"]
    shown = bower("query", "which port does the orders database listen on", "--weak").data
    relevance = {one["id"]: one["relevance"] for one in shown["results"]}
    assert relevance[far] < USE_FROM <= relevance[near]
    bower("curate", "A writer counts the uses")
    uses = [bower("get", id).data["access_count"] for id in (near, far)]
    assert uses == [1, 0]


def test_what_is_out_of_date_replaces_nothing_and_what_was_forgotten_says_so(bower: Bower) -> None:
    old, new = (
        bower("remember", text).data["id"] for text in ("The lift stops at nine", "Ann has the key")
    )
    assert bower("deprecate", new).code == 0
    refused = bower("link", new, old, "--as", "supersedes", "--format", "text")
    assert refused.code == 2
    assert "is deprecated, and replaces nothing" in refused.out + refused.err
    assert bower("forget", old).code == 0
    listed = bower("list", "--state", "deleted", "--state", "deprecated", "--format", "text").out
    assert "\n    deleted" in listed


def test_each_step_of_a_chain_of_names_replaces_the_one_before(bower: Callable[..., Ran]) -> None:
    names = ["Alpha", "Beta", "Gamma", "Delta"]
    for old, new in pairwise(names):
        bower("remember", f"The project is no longer called {old}, but {new}")
    assert [one["text"].split()[-1] for one in bower("list").data["entries"]] == ["Delta"]


def test_a_change_to_come_says_from_when_it_replaces(bower: Callable[..., Ran]) -> None:
    bower("remember", "The API is on port 9000")
    kept = bower("remember", "From 1 February 2087 the API is on port 9100", "--format", "text").out
    assert "Kept as fact" in kept
    assert "replaces an older one from 1 February 2087 on" in " ".join(kept.split())
    plan = next(one["id"] for one in bower("list").data["entries"] if "2087" in one["text"])
    eras = bower("history", plan, "--format", "text").out.partition("What held when")[2]
    assert "to come" in eras
    assert "now" not in eras
