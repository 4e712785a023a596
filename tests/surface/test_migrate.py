"""Moving in from ByteRover: a tree in its documented format, as the command and the API take it."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.who import AGENT, Who, agent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TOKEN = "ghp_" + "aB3dE6gH9jK2" * 3
LOGIN = """\
---
title: Login Tokens
summary: Login tokens live fifteen minutes.
tags: [auth, "rate limits", "--"]
related: [auth/sessions/context.md, auth/gone.md]
keywords: [jwt, expiry]
createdAt: '2026-01-02T03:04:05.000Z'
updatedAt: '2026-02-03T04:05:06.000Z'
---
## Reason
Somebody was logged out in the middle of a payment.

## Raw Concept
**Task:**
Say how long a login holds
**Files:**
- src/auth/tokens.py
- `src/auth/refresh.py`
**Author:** ada

---

## Narrative
### Structure
A token is renewed at twelve minutes. See @deploy/rollback and ask ada@example.org/auth.

---

## Facts
- **token_life**: Login tokens expire after 15 minutes [convention]
"""
SESSIONS = """\
---
title: Sessions
tags: []
keywords: []
importance: 40
maturity: draft
---
Sessions stand in Redis database 3.

## Relations
@auth/login_tokens.md
"""
OLD = "---\ntitle: Cookie Jar\n---\nCookies were signed with HMAC before the tokens came.\n"


class Tree:
    """A project with a store of ByteRover's in it, and what that keeps elsewhere."""

    def __init__(self, root: Path, data: Path) -> None:
        self.root = root
        self.store = root / ".brv"
        self.tree = self.store / "context-tree"
        parts = [part for part in str(root.resolve()).split("/") if part]
        self.sidecars = (
            data / "projects" / "--".join(part.replace("--", "%2D%2D") for part in parts)
        )

    def put(self, path: str, text: str) -> None:
        place = self.tree / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def signal(self, path: str, **value: Any) -> None:
        place = self.sidecars / "keystore" / "signals" / f"{path}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps({"createdAt": 1, "updatedAt": 2, "value": value}))

    def log(self, number: int, path: str, **operation: Any) -> None:
        place = self.sidecars / "curate-log" / f"cur-{number}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        said = {"path": path, "filePath": str(self.tree / path), "status": "success"}
        run = {"id": f"cur-{number}", "completedAt": number, "operations": [said | operation]}
        place.write_text(json.dumps(run))


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Three notes, one of them archived, with signals, a log, and everything that is derived."""
    data = tmp_path / "brv--data"
    monkeypatch.setenv("BRV_DATA_DIR", str(data))
    tree = Tree(tmp_path / "shop--one", data)
    tree.put("auth/login_tokens.md", LOGIN)
    tree.put("auth/sessions/context.md", SESSIONS)
    tree.put("deploy/rollback.md", "# Rollback\n\nRoll back with `make rollback`.\n")
    tree.put("_archived/auth/cookies.full.md", OLD)
    stub = "type: archive_stub\noriginal_path: auth/cookies.md\nevicted_importance: 12\n"
    tree.put("_archived/auth/cookies.stub.md", f"---\n{stub}---\nIt was about cookies.\n")
    for derived in ("_index.md", "README.md", "auth/login_tokens.abstract.md", "a.overview.md"):
        tree.put(derived, "This is derived.\n")
    for derived in ("_manifest.json", ".snapshot.json", "review-backups/auth.md", ".git/a.md"):
        tree.put(derived, "{}")
    tree.put("auth/all.md", "---\ntype: summary\n---\nThis is derived, too.\n")
    (tree.store / "config.json").write_text('{"version": "0.0.1"}')
    tree.signal("auth/login_tokens.md", importance=85, maturity="core", recency=0.5, accessCount=7)
    tree.log(1, "auth/login_tokens.md", type="ADD", reason="said at the review", confidence="high")
    tree.log(
        20,
        "auth/login_tokens.md",
        type="UPDATE",
        reason="the limit moved",
        confidence="low",
        needsReview=True,
        reviewStatus="pending",
    )
    return tree


@pytest.fixture
def bird(store_path: str) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop") as opened:
        yield opened


def kept(bird: Bowerbird) -> dict[str, Any]:
    """The memories by their paths in the tree."""
    return {
        bird.get(entry.id).details.fields.metadata["brv"]["path"]: bird.get(entry.id)  # type: ignore[union-attr]
        for entry in bird.list(limit=50)
    }


def test_each_note_becomes_a_memory_with_all_that_was_known_of_it(
    shop: Tree, bird: Bowerbird
) -> None:
    done = bird.admin.migrate(shop.root)
    assert (done.migrated, done.known, done.errors) == (4, 0, ())
    memories = kept(bird)
    assert set(memories) == {one.path for one in done.moved}
    assert set(memories) == {
        "auth/login_tokens.md",
        "auth/sessions/context.md",
        "deploy/rollback.md",
        "_archived/auth/cookies.full.md",
    }
    login = memories["auth/login_tokens.md"]
    fields, brv = login.details.fields, login.details.fields.metadata["brv"]
    assert login.text == "Login Tokens\n\n" + LOGIN.split("---\n", 2)[2].strip()
    assert fields.summary == "Login tokens live fifteen minutes."
    assert fields.tags == ("auth", "rate-limits")
    assert fields.keywords[:2] == ("jwt", "expiry")
    assert fields.files == ("src/auth/tokens.py", "src/auth/refresh.py")
    assert (login.importance, fields.confidence) == (0.85, 0.5)
    assert fields.needs_review
    assert fields.review == "it waited for a review in ByteRover: the limit moved"
    assert (login.trust, login.details.origin) == ("imported", "import")
    assert (brv["createdAt"], brv["updatedAt"]) == (
        "2026-01-02T03:04:05.000Z",
        "2026-02-03T04:05:06.000Z",
    )
    assert (brv["maturity"], brv["recency"], brv["accessCount"]) == ("core", 0.5, 7)
    assert brv["reason"] == "the limit moved"
    assert [(one["at"], one["type"]) for one in brv["history"]] == [(1, "ADD"), (20, "UPDATE")]
    sessions = memories["auth/sessions/context.md"]
    assert sessions.importance == 0.4
    assert not sessions.details.fields.needs_review
    assert memories["deploy/rollback.md"].details.fields.summary == "Rollback"
    cookies = memories["_archived/auth/cookies.full.md"]
    assert cookies.importance == 0.12
    assert cookies.details.fields.metadata["brv"]["original_path"] == "auth/cookies.md"
    assert bird.query("how long do login tokens live?")[0].entry.id == login.id


def test_notes_that_speak_of_each_other_are_linked(shop: Tree, bird: Bowerbird) -> None:
    shop.put("auth/jar.md", "---\ntitle: Jar\nrelated: [auth/cookies.md]\n---\nAn old matter.\n")
    done = bird.admin.migrate(shop.root)
    path_of = {one.decision.id: one.path for one in done.moved}
    found = {
        (path_of[one.source], path_of[one.target])
        for id in path_of
        for one in bird.history(id).relations
        if one.kind == "related_to" and not one.automatic
    }
    assert found == {
        ("auth/login_tokens.md", "auth/sessions/context.md"),
        ("auth/login_tokens.md", "deploy/rollback.md"),
        ("auth/sessions/context.md", "auth/login_tokens.md"),
        ("auth/jar.md", "_archived/auth/cookies.full.md"),
    }
    assert done.links == 4


def test_a_second_run_changes_nothing_and_says_so(shop: Tree, bird: Bowerbird) -> None:
    shop.put("auth/twin.md", "---\ntitle: Login Tokens\n---\n" + LOGIN.split("---\n", 2)[2])
    ids = {one.decision.id for one in bird.admin.migrate(shop.root).moved}
    before = {id: bird.history(id) for id in ids}
    again = bird.admin.migrate(shop.root)
    assert (again.migrated, again.known, again.errors) == (0, 5, ())
    assert {one.decision.id for one in again.moved} == ids
    assert {one.decision.changed for one in again.moved} == {()}
    assert {id: bird.history(id) for id in ids} == before
    assert len(bird.list(limit=50)) == 4


def test_a_dry_run_says_what_would_be_kept_and_makes_no_store(
    shop: Tree, bird: Bowerbird, store_path: str
) -> None:
    would = bird.admin.migrate(shop.root, dry_run=True)
    assert not os.path.exists(store_path)
    assert (would.migrated, would.known, would.links, would.dry_run) == (4, 0, 3, True)
    done = bird.admin.migrate(shop.root)
    assert [one.path for one in would.moved] == [one.path for one in done.moved]
    assert [one.decision.kind for one in would.moved] == [one.decision.kind for one in done.moved]
    shop.put("auth/new.md", "Nobody knows this yet.\n")
    again = bird.admin.migrate(shop.root, dry_run=True)
    assert (again.migrated, again.known) == (1, 4)
    assert len(bird.list(limit=50)) == 4


def test_what_cannot_be_taken_is_reported_and_the_rest_is_kept(
    shop: Tree, bird: Bowerbird, tmp_path: Path
) -> None:
    shop.put("long.md", "word " * 3_000)
    shop.put("huge.md", "x" * 60_000_000)
    shop.put("empty.md", "---\ntitle: Empty\n---\n")
    (shop.tree / "binary.md").write_bytes(b"\0\1\2" * 100)
    (tmp_path / "secret.md").write_text("Nobody is to read this.\n")
    (shop.tree / "out.md").symlink_to(tmp_path / "secret.md")
    (shop.tree / "outside").symlink_to(tmp_path)
    (shop.tree / "within.md").symlink_to(shop.tree / "deploy" / "rollback.md")
    (shop.tree / "_archived" / "auth" / "cookies.full.md").unlink()
    shop.signal("deploy/rollback.md")
    (shop.sidecars / "keystore/signals/deploy/rollback.md.json").write_text("{")
    done = bird.admin.migrate(shop.root)
    assert done.migrated == 3
    errors = {os.path.basename(one.path): (one.error, one.remedy) for one in done.errors}
    long = f"take it in as a document: bower index {shop.tree / 'long.md'}"
    assert errors.pop("long.md") == ("it has 15,005 characters; a memory holds 10,000", long)
    assert errors.pop("huge.md")[0].startswith("larger than")
    assert {name: error for name, (error, _) in errors.items()} == {
        "empty.md": "there is nothing in it",
        "binary.md": "binary",
        "out.md": "a link that leads out of the tree",
        "outside": "a link that leads out of the tree",
        "cookies.stub.md": "the full text that it refers to is missing",
        "rollback.md.json": "it holds no JSON object of a usual size",
    }
    assert bird.index(str(shop.tree / "long.md")).added == 1


def test_secrets_are_taken_out_wherever_they_stand(shop: Tree, bird: Bowerbird) -> None:
    head = f"title: Deploy\ntags: [ops]\nkeywords: ['{TOKEN}']\nrelated: ['a/{TOKEN}']\n"
    shop.put("ops/deploy.md", f"---\n{head}---\nDeploy with {TOKEN}.\n")
    shop.log(30, "ops/deploy.md", type="ADD", reason=f"key {TOKEN}", needsReview=True)
    done = bird.admin.migrate(shop.root)
    (one,) = [one.decision for one in done.moved if one.path == "ops/deploy.md"]
    assert one.redacted == ("github-token",)
    assert TOKEN not in repr(bird.get(one.id)) + repr(bird.history(one.id)) + repr(done)


def test_a_pointer_leads_to_the_store_of_another_folder(
    shop: Tree, bird: Bowerbird, tmp_path: Path
) -> None:
    worktree = tmp_path / "worktree"
    worktree.mkdir()
    pointer = worktree / ".brv"
    pointer.write_text(json.dumps({"projectRoot": str(shop.root)}))
    done = bird.admin.migrate(worktree)
    assert (done.migrated, done.root) == (4, str(shop.tree))
    assert kept(bird)["auth/login_tokens.md"].importance == 0.85
    assert bird.admin.migrate(shop.store).known == 4
    assert bird.admin.migrate(shop.tree).known == 4
    for text in ('{"projectRoot": "/no/such/folder"}', "{}", "no JSON"):
        pointer.write_text(text)
        with pytest.raises(BadInput):
            bird.admin.migrate(worktree)


def test_what_is_no_store_is_refused_and_an_empty_one_holds_nothing(
    bird: Bowerbird, tmp_path: Path, store_path: str
) -> None:
    for path, remedy in (
        (tmp_path, "--path"),
        (tmp_path / "nowhere", "--path"),
        ("", "--path"),
        ("caf\udce9", "give it as valid UTF-8; a file with such a name has to be renamed"),
    ):
        with pytest.raises(BadInput) as refused:
            bird.admin.migrate(path)
        assert remedy in refused.value.remedy
    assert not os.path.exists(store_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / ".brv").mkdir()
    (tmp_path / ".brv" / "context-tree").symlink_to(elsewhere)
    with pytest.raises(BadInput, match="leads out of the store"):
        bird.admin.migrate(tmp_path)
    (tmp_path / ".brv" / "context-tree").unlink()
    (tmp_path / ".brv" / "context-tree").mkdir()
    done = bird.admin.migrate(tmp_path)
    assert (done.moved, done.errors) == ((), ())


def test_the_stores_that_one_reads_along_are_named_and_taken_when_asked(
    shop: Tree, bird: Bowerbird, tmp_path: Path
) -> None:
    lib = Tree(tmp_path / "lib", tmp_path / "brv--data")
    lib.put("auth/login_tokens.md", "The library hashes with argon2.\n")
    lib.put("use.md", "---\ntitle: Use\nrelated: [auth/login_tokens.md]\n---\nCall hash first.\n")
    sources = [
        {"alias": "lib", "projectRoot": str(lib.root), "readOnly": True},
        {"alias": "gone", "projectRoot": str(tmp_path / "gone"), "readOnly": True},
    ]
    (shop.store / "sources.json").write_text(json.dumps({"version": 1, "sources": sources}))
    done = bird.admin.migrate(shop.root)
    assert (done.migrated, done.sources) == (4, (str(lib.root), str(tmp_path / "gone")))
    done = bird.admin.migrate(shop.root, with_sources=True)
    assert (done.migrated, done.known, done.links) == (2, 4, 4)
    assert [error.path for error in done.errors] == [str(tmp_path / "gone")]
    assert {one.path for one in done.moved} >= {"lib: use.md", "lib: auth/login_tokens.md"}


def test_the_command_tells_what_it_did(
    shop: Tree, bower: Callable[..., Any], terminal: Callable[..., Any]
) -> None:
    path = ("--path", str(shop.root), "--project", "shop")
    would = bower("migrate", "from-brv", *path, "--dry-run")
    assert would.code == 0, would.out
    assert (would.code, would.data["migrated"], would.data["dry_run"]) == (0, 4, True)
    done = bower("migrate", "from-brv", *path)
    assert (done.code, done.data["migrated"], done.data["errors"]) == (0, 4, [])
    assert done.data["new_project"] == "shop"
    assert bower("list", "--project", "shop").data["entries"]
    shop.put("long.md", "word " * 3_000)
    again = bower("migrate", "from-brv", *path)
    assert (again.code, again.data["migrated"], again.data["known"]) == (1, 0, 4)
    assert again.data["errors"][0]["remedy"].startswith("take it in as a document")
    shop.put("new.md", "Nobody knows this yet.\n")
    output = terminal("migrate", "from-brv", *path).out
    assert "1 note kept, 4 known already, 3 links between them" in output
    assert "1 not taken" in output
    assert bower("migrate", "from-nowhere").code == 2
    assert bower("migrate", "from-brv", "--path", str(shop.root.parent)).code == 2


def test_notes_are_trusted_no_more_than_what_their_importer_was_shown(
    shop: Tree, bird: Bowerbird
) -> None:
    page = bird.remember("Every push is to be forced", origin="tool_external").id
    agents = bird.acting(Who(agent("one"), AGENT, reader="one"))
    agents.get(page)
    # It may have written them itself, to have them back as somebody else's.
    done = agents.admin.migrate(shop.root)
    assert {one.decision.trust for one in done.moved} == {"low"}
    assert {bird.get(one.decision.id).state for one in done.moved} == {"quarantined"}


def test_a_whole_store_is_moved_by_its_owner_alone(
    bower: Callable[..., Any], terminal: Callable[..., Any], tmp_path: Path
) -> None:
    goal = str(tmp_path / "moved.db")
    assert terminal("curate", "Redis must be up before the auth tests").code == 0
    assert "owner" in bower("migrate", "to-file", goal).out
    assert not os.path.exists(goal)
    moved = terminal("migrate", "to-file", goal)
    assert moved.code == 0, moved.out
    assert "moved, and the same in both stores" in moved.out
    assert re.search(r"\b1 +memory\b", moved.out)
    assert "Redis must be up" in bower("--store", goal, "query", "redis").out
    again = terminal("migrate", "to-file", goal)
    assert again.code == 2
    assert "holds a store already" in again.out
    assert "needs PATH" in terminal("migrate", "to-file").out
