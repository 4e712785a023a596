"""A language model as a user meets it: what one setting adds and costs, and nothing lost without it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.remote.language import KEY, READ, WRITTEN, LanguageServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]

# Too short for a sentence that begins with "it" to be learned without a model.
SAID = "It: Redis must be up before the auth tests. I renamed it."
RULE = "Redis must be up before the auth tests."
INVENTED = "Kafka must be up before the auth tests."
OLD, NEW = "Anna looks after billing.", "Questions about billing go to Boris, not to Anna."
JUDGED = {"relation": "replaces", "old": "Anna looks after", "new": "go to Boris", "sure": 0.98}
NEVER = "127.0.0.1:9"


def lesson(text: str) -> dict[str, Any]:
    quote = "Redis must be up before the auth tests"
    about = {"kind": "requirement", "stands": "new", "of": 0, "holds": "lasting"}
    return {"text": text, "line": 1, "quote": quote, **about}


ANSWERS = {
    "lessons": {"lessons": [lesson(RULE), lesson(INVENTED)]},
    "judge": JUDGED,
    "expand": {"phrases": ["who owns billing"]},
    "hyde": {"passage": "Billing is looked after by Anna."},
}


def answered(body: dict[str, Any]) -> str:
    return json.dumps(ANSWERS[body["response_format"]["json_schema"]["name"]])


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageServer]:
    with LanguageServer() as server:
        server.says = [answered]
        for name, value in {
            "PROVIDER": "compatible",
            "MODEL": "m",
            "ENDPOINT": f"{server.address}/v1",
            "KEY": KEY,
        }.items():
            monkeypatch.setenv(f"BOWER_LLM_{name}", value)
        yield server


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("BOWER_PROJECT", "shop")
    record = {
        "type": "user",
        "uuid": "1",
        "sessionId": "one",
        "cwd": str(tmp_path),
        "timestamp": "2026-01-01T10:00:00Z",
        "message": {"role": "user", "content": SAID},
    }
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return str(path)


def kept(bower: Bower) -> list[str]:
    found = bower("list", "--all-projects", "--format", "json").data["entries"]
    return [one["text"] for one in found if one["kind"] != "session_digest"]


def test_lessons_are_checked_and_wait_for_review(
    bower: Bower, model: LanguageServer, talk: str
) -> None:
    found = bower("learn", talk).data
    decisions = {one["text"]: one["decision"] for one in found["lessons"]}
    assert decisions == {RULE: "created", INVENTED: "dropped: Kafka is not in its evidence"}
    assert kept(bower) == [RULE]
    assert (
        "learned from a session (model), not reviewed yet" in bower("review", "--all-projects").out
    )
    (asked,) = model.bodies
    assert "[1] user: It: Redis" in asked["messages"][1]["content"]
    # Each session is read once.
    bower("learn", talk)
    bower("learn")
    assert len(model.bodies) == 1


def test_without_its_server_nothing_is_lost_and_the_session_is_read_later(
    bower: Bower, model: LanguageServer, talk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("BOWER_LLM_ENDPOINT", f"http://{NEVER}/v1")
        done = bower("learn", talk)
        assert done.code == 0
        assert done.data["sessions"] == 1
        assert "cannot be reached" in done.data["skipped"][0]["reason"]
        assert "start the model's server" in bower("status", "--format", "json").out
    assert kept(bower) == []
    bower("learn")
    assert kept(bower) == [RULE]


def test_a_writer_waits_for_no_judge_and_a_person_decides(
    bower: Bower, model: LanguageServer
) -> None:
    older = bower("curate", OLD).data["id"]
    newer = bower("curate", NEW).data
    assert newer["state"] == "active"
    assert model.bodies == []
    bower("learn")
    assert len(model.bodies) == 1
    waiting = bower("review").out
    assert f"it contradicts {older[:13]}" in waiting
    assert "a language model compared" in waiting
    assert bower("get", older).data["state"] == "active"


def test_what_it_cost_and_where_it_is_are_told_and_its_key_is_not(
    bower: Bower, model: LanguageServer, talk: str, tmp_path: Path
) -> None:
    bower("learn", talk)
    (embedder, language) = bower("status", "--format", "json").data["models"]
    assert (embedder["role"], embedder["leaves"]) == ("embed", "")
    assert (language["role"], language["where"]) == ("llm fast", "this machine")
    assert (language["requests"], language["tokens"]) == (1, READ + WRITTEN)
    told = bower("doctor").out + bower("status").out + bower("config", "--format", "json").out
    assert "compatible m" in told
    assert KEY not in told
    everywhere = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in everywhere if KEY.encode() in path.read_bytes()]


def test_a_price_that_is_none_is_refused_at_once(bower: Bower) -> None:
    ran = bower("config", "set", "llm.price", "lots")
    assert ran.code == 2
    assert "such as 0.10/0.50" in ran.out + ran.err
    assert bower("config", "set", "llm.price", "0.10/0.50").code == 0


def test_what_leaves_the_machine_is_named(bower: Bower, monkeypatch: pytest.MonkeyPatch) -> None:
    bower("curate", OLD)
    monkeypatch.setenv("BOWER_LLM_PROVIDER", "openai")
    monkeypatch.setenv("BOWER_LLM_MODEL", "some-model")
    monkeypatch.setenv("BOWER_LLM_TASKS", "judge")
    (_, language) = bower("status", "--format", "json").data["models"]
    assert language["where"] == "api.openai.com"
    assert language["leaves"] == "pairs of memories; questions with --expand"


@pytest.mark.parametrize(
    ("name", "value"), [("PROVIDER", "olama"), ("TASKS", "everything"), ("PRICE", "cheap")]
)
def test_wrong_settings_stop_no_write_and_are_told(
    bower: Bower, model: LanguageServer, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"BOWER_LLM_{name}", value)
    assert bower("curate", OLD).code == 0
    assert value in bower("status", "--format", "json").out
    (found,) = (one for one in bower("doctor").data["findings"] if one["check"] == "models")
    assert (found["level"], value in found["found"]) == ("problem", True)
    assert model.bodies == []


def test_a_question_in_other_words_is_in_the_trace(bower: Bower, model: LanguageServer) -> None:
    bower("curate", OLD)
    assert model.bodies == []
    plain = bower("query", "invoices", "--explain", "--format", "text").out
    assert "expand" not in plain
    shown = bower("query", "invoices", "--expand", "--explain", "--format", "text").out
    assert "also asked: who owns billing" in shown
    assert "compared with an imagined answer" in shown
    assert "Billing is looked after" not in shown


def test_a_limit_that_outlasts_the_question_is_told_at_once(
    bower: Bower, model: LanguageServer
) -> None:
    bower("curate", OLD)
    model.says = [(429, '{"error": {"message": "Rate limit reached"}}', {"retry-after": "20"})]
    done = bower("query", "billing", "--expand")
    assert [one["text"] for one in done.data["results"]] == [OLD]
    said = json.dumps(done.data["remarks"])
    assert "Rate limit reached" in said
    assert "20 s of rest" in said


def test_expansion_without_a_model_is_left_out_and_told(bower: Bower) -> None:
    bower("curate", OLD)
    done = bower("query", "billing", "--expand")
    assert [one["text"] for one in done.data["results"]] == [OLD]
    assert "no language model is set" in json.dumps(done.data["remarks"])


def test_there_is_nothing_to_read_without_a_path_or_a_model(bower: Bower) -> None:
    done = bower("learn")
    assert done.code == 2
    assert "name a transcript" in done.out
