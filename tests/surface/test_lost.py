"""Asking where nothing is: outside a project, in one that holds nothing, and by words for ids."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

QUESTION = "which port does redis use in staging?"


@pytest.fixture
def projects(tmp_path: Path, bower: Callable[..., Any]) -> Path:
    """Two repositories, of which one holds a note, and a folder outside both."""
    for name in ("shop", "empty"):
        (tmp_path / name / ".git").mkdir(parents=True)
    (tmp_path / "plain").mkdir()
    (tmp_path / "shop" / "redis.md").write_text("Redis uses port 6379 in staging.\n")
    assert bower("index", str(tmp_path / "shop")).code == 0
    return tmp_path


def test_outside_a_project_a_person_asks_all_projects(
    projects: Path, terminal: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(projects / "plain")
    assert "shop/redis.md" in terminal("query", QUESTION).out
    assert "shop/redis.md" in terminal("list").out
    assert "1 from 1 file" in terminal("status").out


def test_outside_a_project_an_agent_asks_that_alone(
    projects: Path, bower: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(projects / "plain")
    assert bower("query", QUESTION).data["results"] == []
    assert bower("query", QUESTION, "--all-projects").data["results"]


def test_an_empty_answer_counts_the_hits_of_other_projects(
    projects: Path, terminal: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(projects / "empty")
    said = terminal("query", QUESTION).out
    assert f'1 hit in other projects: bower query "{QUESTION}" --all-projects' in said
    assert "in other projects" not in terminal("query", "who painted the ceiling of a chapel?").out
    assert "none in this project, 1 in 1 other project" in terminal("status").out


def test_an_agent_is_not_told_of_other_projects(
    projects: Path, bower: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(projects / "empty")
    said = bower("query", QUESTION, "--format", "text")
    assert "Nothing relevant" in said.out
    assert "other projects" not in said.out + said.err


@pytest.fixture
def kept(bower: Callable[..., Any]) -> dict[str, str]:
    texts = ("Elasticsearch runs on three nodes in Frankfurt.", "The login page is in Swedish.")
    return {text.split()[0]: bower("curate", text).data["id"] for text in texts}


def test_words_offer_a_choice_on_a_terminal(
    kept: dict[str, str], terminal: Callable[..., Any], bower: Callable[..., Any]
) -> None:
    said = terminal("forget", "elasticsearch", typed="7\n1\n")
    assert "Give a number of the list" in said.out
    assert "Forgotten: Elasticsearch runs" in said.out.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert bower("get", kept["Elasticsearch"]).data["state"] == "deleted"
    assert terminal("revert", "elasticsearch", typed="1\n").code == 0
    assert bower("get", kept["Elasticsearch"]).data["state"] == "active"
    said = terminal("forget", "elasticsearch", typed="\n")
    assert (said.code, "nothing was changed" in said.out) == (2, True)
    assert bower("get", kept["Elasticsearch"]).data["state"] == "active"


@pytest.mark.parametrize("verb", ["forget", "edit", "revert", "history", "rm"])
def test_words_in_a_pipe_list_the_ids(
    kept: dict[str, str], bower: Callable[..., Any], verb: str
) -> None:
    more = ("a new text",) if verb == "edit" else ()
    said = bower(verb, "elasticsearch", *more)
    assert said.code == 2
    assert kept["Elasticsearch"][:18] in said.data["error"]
    assert bower("get", kept["Elasticsearch"]).data["state"] == "active"
    assert bower("forget", "zeppelins over Lisbon").code == 1


def test_what_only_a_session_names_is_offered_before_that_session(
    bower: Callable[..., Any],
) -> None:
    rule = bower("curate", "Keep rows under 88 characters.").data["id"]
    bower("curate", "we changed our mind on row length", "--kind", "session_digest")
    listed = bower("forget", "row length").data["error"]
    assert rule[:18] in listed
    assert listed.index(rule[:18]) < listed.index("we changed our mind")


def test_both_forms_of_a_new_text_are_accepted(
    kept: dict[str, str], bower: Callable[..., Any]
) -> None:
    id = kept["Elasticsearch"]
    assert bower("edit", id, "--text", "Elasticsearch runs on four nodes.").code == 0
    assert bower("get", id).data["text"] == "Elasticsearch runs on four nodes."
    assert bower("edit", id, "one", "--text", "two").code == 2


def test_what_people_type_is_understood(bower: Callable[..., Any]) -> None:
    id = bower("add", "Invoices are numbered by year.").data["id"]
    assert bower("ls").data["count"] == 1
    assert bower("find", "how are invoices numbered?").data["results"][0]["id"] == id
    assert bower("show", id).data["id"] == id
    assert bower("delete", id).code == 0
    assert bower("deletee").data["remedy"] == "did you mean delete (forget)?"
    assert "bower session --summary" in bower("brief").data["remedy"]
    assert bower("xyzzyq").data["remedy"] == "bower help lists the commands"


def test_the_settings_say_where_they_come_from(
    bower: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_QUERY_LIMIT", "4")
    monkeypatch.setenv("BOWER_SERVE_TOKEN", "not-to-be-shown")
    ran = bower("config", "--changed")
    found = {one["key"]: one for one in ran.data["settings"]}
    assert found["query.limit"]["value"] == 4
    assert found["query.limit"]["origin"] == "BOWER_QUERY_LIMIT"
    assert "query.budget" not in found
    assert "not-to-be-shown" not in ran.out + bower("config", "--format", "text").out
    assert ran.data["path"].endswith("config.toml")


def test_a_backup_is_restored_once_a_person_agrees(
    tmp_path: Path, bower: Callable[..., Any], terminal: Callable[..., Any]
) -> None:
    bower("curate", "Invoices are numbered by year.")
    copy = str(tmp_path / "copy.db")
    assert bower("backup", copy).code == 0
    bower("curate", "The login page is in Swedish.")
    assert terminal("restore", copy, typed="n\n").code == 2
    assert bower("list").data["count"] == 2
    assert terminal("restore", copy, typed="y\n").code == 0
    assert bower("list").data["count"] == 1
    bower("curate", "The cellar is dry.")
    unasked = bower("restore", copy)
    assert (unasked.code, "--yes" in unasked.data["remedy"]) == (2, True)
    assert bower("list").data["count"] == 2, "nobody agreed"
    assert bower("restore", copy, "--yes").code == 0


def test_a_dry_run_of_rescue_archives_nothing(
    bower: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    folder = tmp_path / "claude" / "projects" / "shop"
    folder.mkdir(parents=True)
    (folder / "one.jsonl").write_text("{}\n")
    tried = bower("rescue", "--dry-run").data
    assert (tried["archived"], tried["dry_run"]) == (1, True)
    assert bower("rescue", "--dry-run").data["archived"] == 1
    assert bower("rescue").data["archived"] == 1
    assert bower("rescue").data["archived"] == 0


def test_status_counts_what_awaits_review_and_review_lists_every_project(
    projects: Path,
    bower: Callable[..., Any],
    terminal: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(projects / "shop")
    line = json.dumps({"text": "The cache must be warmed first.", "review": "is that so?"})
    assert bower("curate", "--batch", "-", stdin=line).code == 0
    assert "1 memory to review" in terminal("status").out
    monkeypatch.chdir(projects / "empty")
    assert "to review" not in terminal("status").out
    assert bower("review").data["count"] == 0
    (waiting,) = bower("review", "--all-projects").data["entries"]
    assert terminal("review", "--confirm", waiting["id"]).code == 0
    assert bower("review", "--all-projects").data["count"] == 0
    monkeypatch.chdir(projects / "shop")
    (kept,) = bower("list", "--memories").data["entries"]
    assert (kept["id"], kept["project"]) == (waiting["id"], waiting["project"])
