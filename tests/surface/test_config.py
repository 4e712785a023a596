"""`bower config set` and `unset`: one key of the user's file, and nothing else of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def config() -> Path:
    place = Path(os.environ["XDG_CONFIG_HOME"]) / "bowerbird" / "config.toml"
    place.parent.mkdir(parents=True)
    return place


def test_a_setting_is_set_and_taken_out_and_the_rest_of_the_file_stays(
    bower: Callable[..., Any], config: Path
) -> None:
    written = '# mine\n[query]\nlimit = 7  # few\n\n[agents.codex]\nagent.inject = "off"\n'
    config.write_text(written)
    done = bower("config", "set", "query.min_score", "0.2").data
    assert [(one["key"], one["value"]) for one in done["settings"]] == [("query.min_score", 0.2)]
    assert config.read_text() == written.replace("few\n", "few\nmin_score = 0.2\n")
    (got,) = bower("config", "get", "query.limit").data["settings"]
    assert (got["key"], got["value"]) == ("query.limit", 7)
    assert bower("config", "get").code == 2
    bower("config", "unset", "query.min_score")
    assert config.read_text() == written


def test_what_cannot_be_set_is_refused_with_the_remedy_and_the_file_stays(
    bower: Callable[..., Any], config: Path
) -> None:
    config.write_text("[query]\nlimit = 7\n")
    for words, said in (
        (("query.limit", "many"), "give it a whole number"),
        (("query.limt", "5"), "query.limit"),
        (("query.limit",), "bower config set query.limit VALUE"),
        (("embed.model", "x"), "bower model use NAME"),
        (("llm.key", "sk-123"), "leave the value out"),
        ((), "bower config set query.limit 5"),
    ):
        refused = bower("config", "set", *words)
        assert refused.code in {1, 2}, words
        assert said in refused.data["error"] + refused.data["remedy"], words
    assert config.read_text() == "[query]\nlimit = 7\n"


def test_an_agent_changes_none(
    bower: Callable[..., Any], config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    refused = bower("config", "set", "guard.allow", "jwt")
    assert "not for agents" in refused.data["error"]
    assert not config.exists()


def test_a_secret_is_read_from_a_pipe_and_never_shown(
    bower: Callable[..., Any], config: Path
) -> None:
    done = bower("config", "set", "llm.key", stdin="sk-123\n").data
    assert done["settings"][0]["value"] == "…"
    assert config.read_text() == '[llm]\nkey = "sk-123"\n'
    assert config.stat().st_mode & 0o077 == 0
