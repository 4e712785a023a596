"""The first session of a project indexes its notes, and a prompt that one answers brings it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tests.surface.hooks.test_ending import Ended
from tests.surface.hooks.test_injecting import keep

from bowerbird import Bowerbird
from bowerbird.sessions.inject.prompt import NOTE as NOTE_THRESHOLD

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

NOTE = "The jam is boiled on Thursdays only, because the kitchen is let to the choir on other days."
RUNBOOK = f"# Runbook\n\n## Boiling\n\n{NOTE}\n\n## Jars\n\nJars are washed by hand.\n"


def start(hooks: Hooks, session: str) -> None:
    """A session starts, and what it does in the background is done."""
    ended = Ended(hooks)
    hooks.context("SessionStart", source="startup", session_id=session)
    ended.wait()
    assert hooks.failure() == ""


def paths(hooks: Hooks) -> list[str]:
    """What is indexed, relative to the project."""
    found = json.loads(hooks.bower("list", "--kind", "passage", "--limit", "100"))["data"][
        "entries"
    ]
    root = f"{hooks.project}/"
    return sorted({one["path"].removeprefix(root) for one in found})


def test_a_note_of_the_project_is_brought_from_the_first_session_on(hooks: Hooks) -> None:
    (hooks.project / "docs").mkdir()
    (hooks.project / "docs" / "runbook.md").write_text(RUNBOOK)
    start(hooks, "one")
    context = hooks.context(
        "UserPromptSubmit", prompt="can we boil the jam this Friday?", session_id="one"
    )
    assert NOTE in context


def test_what_the_user_said_since_a_note_was_written_stands_before_it_although_it_was_told(
    hooks: Hooks,
) -> None:
    note = hooks.project / "deploy.md"
    note.write_text("# Deploying\n\nStaging is on Hetzner, behind a balancer. Log in as deploy.\n")
    os.utime(note, (1_700_000_000, 1_700_000_000))
    start(hooks, "one")
    said = "Staging moved to Fly.io last week, for everybody."
    keep(hooks, said, kind="requirement", origin="user")
    assert said in hooks.context("SessionStart", source="startup", session_id="two")
    told = hooks.context("UserPromptSubmit", prompt="where does staging live?", session_id="two")
    assert 0 <= told.find(said) < told.find("Staging is on Hetzner")
    again = hooks.context("UserPromptSubmit", prompt="where is staging?", session_id="two")
    assert again == ""


def test_turns_of_a_transcript_do_not_stand_before_a_note(hooks: Hooks) -> None:
    note = (
        "The warehouse API allows sixty calls a minute for our account; above that it answers 429 for"
        " an hour."
    )
    (hooks.project / "NOTES.md").write_text(
        f"# Notes\n\n- {note}\n- Pictures are kept in the bucket shop-media, originals never leave it.\n"
    )
    start(hooks, "one")
    transcript = hooks.project.parent / "claude" / "one.jsonl"
    transcript.parent.mkdir()
    base = {"sessionId": "one", "cwd": str(hooks.project), "timestamp": "2026-02-01T10:00:00Z"}
    said = {
        "type": "user",
        "message": {"role": "user", "content": "what is in src?"},
    }
    answer = {"type": "assistant", "message": {"role": "assistant", "content": "auth.py"}}
    records = [base | one | {"uuid": f"u{at}"} for at, one in enumerate((said, answer))]
    transcript.write_text("".join(json.dumps(one) + "\n" for one in records))
    ended = Ended(hooks)
    hooks.context("SessionEnd", session_id="one", transcript_path=str(transcript))
    ended.wait()
    prompt = "let us query stock for all 4,000 articles in parallel from the warehouse API, fine?"
    assert note in hooks.context("UserPromptSubmit", prompt=prompt, session_id="two")


def test_notes_that_come_later_are_found_at_the_next_start(hooks: Hooks) -> None:
    (hooks.project / "README.md").write_text("# Jam\n\nA kitchen.\n")
    start(hooks, "one")
    assert paths(hooks) == ["README.md"]
    (hooks.project / "notes").mkdir()
    (hooks.project / "notes" / "friday.txt").write_text(NOTE)
    start(hooks, "two")
    assert paths(hooks) == ["README.md", "notes/friday.txt"]


def test_what_is_no_note_of_the_project_stays_out(hooks: Hooks) -> None:
    for name in (
        "CLAUDE.md",
        "LICENSE.md",
        "CHANGELOG.md",
        "data.txt",
        "jam.py",
        "drafts/secret.md",
        "node_modules/pkg/README.md",
        "tests/data/page.md",
        "vendor/them/NOTES.md",
        "clone/.git/HEAD",
        "clone/README.md",
        "NOTES.md",
    ):
        file = hooks.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(NOTE)
    (hooks.project / ".gitignore").write_text("drafts/\n")
    start(hooks, "one")
    assert paths(hooks) == ["NOTES.md"]


def test_notes_of_a_clone_are_found_but_not_brought(hooks: Hooks) -> None:
    config = '[remote "origin"]\n\turl = https://git.example/them/jam.git\n'
    (hooks.project / ".git" / "config").write_text(config)
    (hooks.project / "NOTES.md").write_text(RUNBOOK)
    start(hooks, "one")
    assert paths(hooks) == ["NOTES.md"]
    assert not hooks.context("UserPromptSubmit", prompt="can we boil the jam this Friday?")


def test_where_nobody_wants_it_nothing_is_indexed(hooks: Hooks) -> None:
    (hooks.project / "NOTES.md").write_text(RUNBOOK)
    hooks.environment["BOWER_INDEX_AT_START"] = "off"
    hooks.context("SessionStart", source="startup")
    assert not hooks.context("UserPromptSubmit", prompt="can we boil the jam this Friday?")


def test_the_title_page_of_the_project_itself_is_not_brought(hooks: Hooks) -> None:
    (hooks.project / "README.md").write_text("# Jam kitchen\n\nBoils jam.\n")
    start(hooks, "one")
    assert paths(hooks) == ["README.md"]
    asked = "what does the jam kitchen boil?"
    assert hooks.context("UserPromptSubmit", prompt=asked, session_id="one") == ""
    why = json.loads(hooks.bower("why", asked))["data"]["withheld"][0]["reason"]
    assert why == "says no more than what a project is called and made of"
    (hooks.project / "README.md").write_text(f"# Jam kitchen\n\n{NOTE}\n")
    start(hooks, "two")
    told = hooks.context("UserPromptSubmit", prompt="can we boil the jam this Friday?")
    assert NOTE in told


def test_a_private_note_is_brought_into_a_project_only_where_it_surely_answers(
    hooks: Hooks,
) -> None:
    private = hooks.project.parent / "private"
    private.mkdir()
    text = "A release of the cluster is rolled back by argocd with the number of the revision."
    (private / "cluster.md").write_text(f"# Cluster\n\n{text}\n")
    with Bowerbird.open(hooks.store) as bird:
        bird.index(private)
        bird.admin.trust(private)
    start(hooks, "one")
    unsure = "is the release of the jam rolled back?"
    assert hooks.context("UserPromptSubmit", prompt=unsure, session_id="one") == ""
    (withheld,) = json.loads(hooks.bower("why", unsure))["data"]["withheld"]
    assert withheld["relevance"] >= NOTE_THRESHOLD, "a note of the project would be brought"
    assert withheld["reason"].startswith("is a note of no project")
    sure = "which revision does the cluster have?"
    assert text in hooks.context("UserPromptSubmit", prompt=sure, session_id="one")


def test_the_lines_of_a_manifest_are_not_brought(hooks: Hooks) -> None:
    (hooks.project / "web").mkdir()
    (hooks.project / "web" / "package.json").write_text('{"name": "jamweb", "private": true}\n')
    (hooks.project / "jamweb.txt").write_text("The jamweb opens on Mondays.\n")
    with Bowerbird.open(hooks.store) as bird:
        bird.index(hooks.project)
        bird.admin.trust(hooks.project)
    assert paths(hooks) == ["jamweb.txt", "web/package.json"]
    asked = "what is the name of the private jamweb?"
    told = hooks.context("UserPromptSubmit", prompt=asked, session_id="one")
    assert "true" not in told
    assert "opens on Mondays" in hooks.context(
        "UserPromptSubmit", prompt="when does the jamweb open?", session_id="one"
    )
    (hidden,) = [
        one
        for one in json.loads(hooks.bower("why", asked))["data"]["withheld"]
        if "private" in one["text"]
    ]
    assert hidden["reason"] == "says no more than what a project is called and made of"
