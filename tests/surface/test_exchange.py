"""`bower export` and `bower import`: what leaves in one form comes back as it was."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.who import Who, agent

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


PUSH = "Push to the mirror before each release"


def filled(path: str) -> list[str]:
    """A store with everything that an export has to keep."""
    with Bowerbird.open(path, project="shop") as bird:
        ids = [
            bird.remember(f"Depot {n} lies behind hall {n * 7}", tags=[f"t{n % 3}"]).id
            for n in range(12)
        ]
        bird.edit(ids[0], "Depot zero was moved to the quay", tags=["moved"])
        bird.forget(ids[1], "it burnt down")
        bird.forget(ids[2])
        bird.revert(ids[2])
        bird.link(ids[3], ids[4], "causes")
        bird.edit(ids[5], pinned=True)
        bird.used([ids[6]], session="s1")
        bird.remember("Everybody parks at the north gate", everywhere=True, kind="preference")
        bird.admin.erase([ids[7]])
    return ids


def lines(path: str) -> list[str]:
    with Bowerbird.open(path) as bird:
        return list(bird.admin.export_lines())


def test_an_export_comes_back_byte_for_byte(
    bower: Bower, store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = filled(store_path)
    file, other = tmp_path / "all.jsonl", str(tmp_path / "other.db")
    assert bower("export", str(file)).code == 0
    assert bower("export").out == file.read_text()
    monkeypatch.setenv("BOWER_STORE", other)
    done = bower("import", str(file))
    assert (done.code, done.data["added"], done.data["errors"]) == (0, 12, [])
    assert bower("export").out == file.read_text()
    assert bower("import", str(file)).data["known"] == 12
    with Bowerbird.open(other, project="shop") as bird:
        assert bird.admin.verify().sound
        assert bird.get(ids[0]).text == "Depot zero was moved to the quay"
        assert bird.history(ids[0]).versions[0].text.startswith("Depot 0")
        assert bird.query("quay").hits[0].id == ids[0]
        bird.revert(ids[0])
        assert bird.get(ids[0]).text.startswith("Depot 0"), "its history works as before"


def changed_by_every_verb(path: str, repository: Path) -> None:
    """A store whose memories every verb changed that leaves something with them."""
    (repository / ".git").mkdir(parents=True)
    (repository / "till.py").write_text("def open_till():\n    return 9\n")
    with Bowerbird.open(path, project="office") as bird:
        bird.remember("The office has a lift")
    with Bowerbird.open(path, project="shop") as bird:
        bird.index(repository)

        def keep(text: str, **about: Any) -> str:
            return bird.remember(text, **about).id

        code = keep(
            "The till opens with open_till",
            files=[str(repository / "till.py")],
            modules=["till"],
            metadata={"by": "hand"},
            expires="2100-01-01",
            valid_from="2020-01-01",
            key="till",
        )
        bird.edit(code, stale=True)
        moved = keep("Invoices are kept for ten years", files=[str(repository / "till.py")])
        bird.remember("The harbour closes at dusk", everywhere=True, kind="preference", pinned=True)
        bird.admin.move([moved], "office")
        disputed = keep("The courier comes at four")
        bird.dispute(disputed, "It is five")
        bird.close_dispute(disputed, "kept", "It is four")
        bird.dispute(keep("The lift carries nine people"), "Ten")
        bird.flag(keep("The bank is in Delft"), "It is in Leiden")
        one, other = keep("Sentry alerts go to Ada"), keep("The pager rings at Ada's")
        bird.merge(one, other)
        bird.revert(other)
        bird.deprecate([keep("The fax is in the cellar")], since="2021-01-01")
        older = keep("The gateway listens on 7070")
        bird.link(keep("The gateway listens on 7071 by now"), older, "supersedes")
        bird.edit(older, valid_from="2019-01-01")
        bird.forget(keep("The canteen serves soup"))
        bird.edit(keep("Deploys happen on Mondays"), audience="team", scope="module", tags=["ops"])
        bird.link(code, "file:till.py", "related_to")
        for shard in (11, 12, 13):
            keep(f"The indexer crashed on shard cc-{shard} with an out of memory error")
        bird.consolidate()
        bird.used([code], session="s1")
        bird.admin.erase([keep("The alarm code is on the wall")])


@pytest.mark.parametrize("way", ["lines", "store", "sync"])
def test_what_every_verb_leaves_with_a_memory_comes_along(
    store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    changed_by_every_verb(store_path, tmp_path / "repository")
    file, other, shared = (str(tmp_path / one) for one in ("all.jsonl", "other.db", "shared"))
    with Bowerbird.open(store_path) as bird:
        bird.admin.export(file)
        if way == "sync":
            bird.admin.sync(shared, passphrase="heron valve attic", personal=True)
    with Bowerbird.open(other) as bird:
        if way == "sync":
            got = bird.admin.sync(shared, passphrase="heron valve attic", personal=True)
            assert (got.unread, got.received.refused) == ((), ())
        else:
            assert not bird.admin.import_from(file if way == "lines" else store_path).errors
    # The audit of a copy, and what it says of files, stay in that copy when they synchronise.
    stays = ('"row":"event"', '"target":"file:', '"row":"foreign') if way == "sync" else ()
    there, here = (
        [line for line in lines(path) if not any(one in line for one in stays)]
        for path in (store_path, other)
    )
    assert len([line for line in there if '"row":"memory"' in line]) > 15
    assert there == here


def test_what_came_from_another_store_says_so_and_is_given_on_as_it_was(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    other = str(tmp_path / "other.db")
    with Bowerbird.open(other, project="shop") as bird:
        id = bird.remember("Redis must be up before the auth tests").id
        bird.remember("Deploys happen on Mondays, by hand")
        before = list(bird.admin.export_lines())
    assert bower("import", other).data["added"] == 2
    assert lines(store_path) == before, "how it came here is not given on"
    assert bower("get", id).data["arrived"] == "imported"
    assert "imported" in bower("get", id, "--format", "text").out
    events = bower("history", id).data["events"]
    assert [one["action"] for one in events] == ["created", "imported"]
    assert events[1]["reason"] == "from the store other.db"
    assert bower("import", other).data["added"] == 0
    assert len(bower("history", id).data["events"]) == 2
    with Bowerbird.open(store_path, project="shop") as bird:
        own = bird.remember("The till is emptied at nine").id
        bird.edit(id, "Redis and Postgres must be up before the auth tests")
    with Bowerbird.open(other, project="shop") as bird:
        bird.remember("Deploys happen on Mondays, by hand and by two")
    bower("import", other)
    assert [one["action"] for one in bower("history", id).data["events"]] == [
        "created",
        "imported",
        "edited",
    ]
    assert bower("get", own).data["arrived"] == ""
    bower("revert", id)
    assert bower("get", id).data["text"] == "Redis must be up before the auth tests"
    assert bower("verify").code == 0


def test_a_list_says_what_other_projects_hold_after_an_import(
    terminal: Bower, store_path: str, tmp_path: Path
) -> None:
    other = str(tmp_path / "other.db")
    with Bowerbird.open(other, project="mill") as bird:
        bird.remember("The mill is closed on Mondays")
        bird.remember("The mill has a key of its own")
    assert terminal("import", other).code == 0
    found = terminal("list", "--project", "shop").out
    assert "other projects hold 2" in found
    assert "--all-projects" in found
    assert "other projects" not in terminal("list", "--project", "mill").out
    none = terminal("list", "--project", "shop", "--kind", "decision").out
    assert "other projects" not in none


def test_an_archive_holds_the_vectors(bower: Bower, store_path: str, tmp_path: Path) -> None:
    """What was restored from one answers by meaning, and no text is read by a model again."""

    def vectors(path: str) -> list[list[Any]]:
        connection = apsw.Connection(path)
        tables = ("vector", "contextual")
        found = [connection.execute(f"SELECT * FROM {one} ORDER BY 1").fetchall() for one in tables]
        connection.close()
        return found

    ids = filled(store_path)
    before = vectors(store_path)
    assert all(before)
    archive = str(tmp_path / "all.db")
    assert bower("export", archive, "--as", "archive").code == 0
    with Bowerbird.open(store_path) as bird:
        bird.admin.erase(ids[8:10])
    assert bower("restore", archive, "--yes", "--with-erased").code == 0
    assert vectors(store_path) == before
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.admin.warm().newly_cached == 0
        found = bird.query("where is the first depot to be found?", limit=12)
        assert ids[0] in {hit.id for hit in found}
    assert vectors(store_path) == before


def test_tags_of_a_text_that_both_stores_say_unite(store_path: str, tmp_path: Path) -> None:
    """The version with both tags is the elder memory's own, and no version of the other one."""
    other = str(tmp_path / "other.db")
    for path, tag in ((store_path, "a"), (other, "b")):
        with Bowerbird.open(path, project="shop") as bird:
            bird.remember("Redis must be up before the auth tests", tags=[tag])
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.admin.import_from(other).known == 1
        found, *more = bird.list()
        assert not more
        history = bird.history(found.id)
        assert [one.fields.tags for one in history.versions] == [("a",), ("a", "b")]
        assert found.tags == ("a", "b")
        assert found.valid_to is None
        assert bird.admin.verify().sound


def test_what_no_store_can_hold_is_told_and_the_rest_comes_in(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    filled(store_path)
    good = lines(store_path)
    memory = json.loads(next(line for line in good if '"row":"memory"' in line))
    token = "ghp_" + "aB3dE6gH9jK2" * 3
    spoilt = [
        memory | {"id": "x1", "trust": "absolute"},
        memory | {"id": "x2", "versions": []},
        memory | {"id": "x3", "said": "yesterday"},
        memory | {"id": "x4", "head": "nowhere"},
        memory | {"id": "x5", "project": "name:unheard"},
        {"row": "witness"},
        memory | {"id": "x6", "versions": [memory["versions"][0] | {"text": f"the key {token}"}]},
    ]
    # Whatever field it stands in: one of ours, or one that somebody named.
    told: dict[str, object] = {"keywords": ["depot", token], "review": f"it says {token}"}
    told |= {"metadata": {"login": {"password": "Gv7kQz92-mPx"}}}
    version = spoilt[-1]["versions"][0]
    version["fields"] = version["fields"] | told
    spoilt[-1]["head"] = memory["versions"][0]["id"]
    file = tmp_path / "all.jsonl"
    file.write_text(
        "".join(good[:2]) + "".join(json.dumps(one) + "\n" for one in spoilt) + "no json\n"
    )
    fresh = str(tmp_path / "fresh.db")
    with Bowerbird.open(fresh) as bird:
        done = bird.admin.import_from(file)
        assert (done.added, len(done.errors)) == (1, 7), done.errors
    left = b"".join(one.read_bytes() for one in tmp_path.glob("fresh.db*"))
    assert token.encode() not in left
    assert b"Gv7kQz92-mPx" not in left
    assert bower("import", str(tmp_path / "none.jsonl")).code == 2
    refused = bower("import", "/dev/null")
    assert (refused.code, "neither a file nor" in refused.data["error"]) == (2, True)


def test_an_import_says_before_and_after_what_it_erases_here(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    other = str(tmp_path / "other.db")
    with Bowerbird.open(store_path, project="shop") as bird:
        kept = bird.remember("The boiler is serviced by Meier").id
    assert bower("export", other).code == 0
    with Bowerbird.open(other, project="shop") as bird:
        bird.admin.erase([kept])
    for dry_run in (["--dry-run"], []):
        with Bowerbird.open(store_path, project="shop") as bird:
            assert bird.get(kept).state == "active"
        received = bower("import", other, *dry_run).data["received"]
        assert received["gone"] == 1
        assert [one["id"] for one in received["removed"]] == [kept]
        assert received["removed"][0]["summary"] == "The boiler is serviced by Meier"


def test_an_agent_brings_no_more_trust_than_it_has(store_path: str, tmp_path: Path) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.remember("The vault opens with two keys", origin="user", verified=True)
        bird.admin.export(tmp_path / "all.jsonl")
    for who, limit, trust in (
        (Who(), "", "full"),
        (Who(), "imported", "imported"),
        (Who(agent("x"), "agent"), "", "normal"),
    ):
        path = tmp_path / f"{trust}.db"
        with Bowerbird.open(path) as bird:
            bird.acting(who).admin.import_from(tmp_path / "all.jsonl", trust=limit)
            (one,) = bird.list(memories_only=True)
            assert one.trust == trust


def test_notes_are_edited_in_their_folder(bower: Bower, store_path: str, tmp_path: Path) -> None:
    with Bowerbird.open(store_path) as bird:
        first = bird.remember("Redis must be up before the auth tests", tags=["auth"]).id
        second = bird.remember("Deploys happen on Mondays").id
        bird.link(first, second, "informs")
    folder = tmp_path / "vault"
    assert bower("export", str(folder)).code == 0
    note = next(folder.glob("redis-*.md"))
    assert "- informs [[deploys-happen-on-mondays-" in note.read_text()
    note.write_text(
        note.read_text().replace("Redis must", "Redis 7 must").replace('["auth"]', "[auth, db]")
    )
    refused = bower("export", str(folder), "--format", "json")
    assert refused.code == 2
    assert "import" in refused.data["remedy"], "what was edited is not written over"
    assert bower("import", str(folder), "--dry-run").data["changed"] == 1
    assert bower("import", str(folder)).data["changed"] == 1
    assert bower("import", str(folder)).data["changed"] == 0
    with Bowerbird.open(store_path) as bird:
        entry = bird.get(first)
        assert (entry.text, sorted(entry.tags)) == (
            "Redis 7 must be up before the auth tests",
            ["auth", "db"],
        )
        assert len(bird.history(first).versions) == 2
        bird.edit(second, "Deploys happen on Tuesdays")
        bird.forget(first)
    old = next(folder.glob("deploys-*.md"))
    old.write_text(old.read_text().replace("Mondays", "Sundays"))
    assert bower("export", str(folder)).code == 2, "what was edited is taken in first"
    both = bower("import", str(folder))
    assert (both.code, both.data["changed"], both.data["errors"]) == (0, 1, [])
    with Bowerbird.open(store_path) as bird:
        entry = bird.get(second)
        assert entry.text == "Deploys happen on Sundays"
        assert "Deploys happen on Tuesdays" in entry.review, "the other text waits with it"
        assert bower("import", str(folder)).data["changed"] == 0
        bird.edit(second, "Deploys happen on Tuesdays", review="")
    assert bower("export", str(folder)).code == 0
    assert [one.name[:16] for one in folder.glob("*.md")] == ["deploys-happen-o"]
    other = ("--store", str(tmp_path / "other.db"))
    assert bower("import", str(folder), "--dry-run", *other).data["added"] == 1
    assert not (tmp_path / "other.db").exists()
    assert bower("import", str(folder), *other).data["added"] == 1
    again = bower("import", str(folder), *other)
    assert (again.code, again.data["added"], again.data["known"]) == (0, 0, 1)
    with Bowerbird.open(tmp_path / "other.db") as bird:
        (one,) = bird.list()
        assert (one.text, one.trust) == ("Deploys happen on Tuesdays", "imported")
    with Bowerbird.open(store_path) as bird:
        bird.admin.erase([second])
    gone = bower("import", str(folder))
    assert (gone.data["added"], gone.data["errors"][0]["error"]) == (
        0,
        "its memory was erased or pruned here",
    )


def test_notes_bring_their_links_and_come_in_once(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    folder, other = str(tmp_path / "notes"), str(tmp_path / "other.db")
    with Bowerbird.open(store_path) as bird:
        cause = bird.remember("The till is emptied at nine").id
        effect = bird.remember("Carla waits for the courier").id
        bird.link(cause, effect, "causes")
    assert bower("export", folder, "--all-projects").code == 0
    done = bower("import", folder, "--store", other)
    assert (done.data["added"], done.data["links"]) == (2, 1)
    with Bowerbird.open(other) as bird:
        ids = {one.text: one.id for one in bird.list()}
        assert [one.kind for one in bird.history(ids["The till is emptied at nine"]).relations] == [
            "causes"
        ]
        bird.edit(ids["Carla waits for the courier"], expires="2100-01-31")
    year_2200 = 7_258_118_400_000
    with Bowerbird.open(other, clock=lambda: year_2200) as bird:
        again = bird.admin.import_from(folder)
    assert (again.added, again.known) == (0, 2), "also what is past its day"


def test_a_file_that_does_not_say_its_form_is_refused(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    filled(store_path)
    refused = bower("export", str(tmp_path / "memories.json"), "--format", "json")
    assert refused.code == 2
    assert ".jsonl" in refused.data["error"]
    assert not os.path.exists(tmp_path / "memories.json")
    assert bower("export", str(tmp_path / "memories.json"), "--as", "jsonl").code == 0
    assert bower("export", str(tmp_path / "memories.v2"), "--as", "markdown").code == 0
    assert bower("export", str(tmp_path / "memories.v2")).code == 0, "a folder by now"


def test_a_note_of_others_is_neither_pinned_nor_surer_than_an_import(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    folder, other = str(tmp_path / "notes"), str(tmp_path / "other.db")
    with Bowerbird.open(store_path) as bird:
        bird.remember(PUSH, pinned=True, confidence=1.0)
    assert bower("export", folder, "--all-projects").code == 0
    assert bower("import", folder, "--store", other).data["added"] == 1
    with Bowerbird.open(other) as bird:
        (one,) = bird.list()
        assert (one.trust, one.pinned) == ("imported", False)
        assert bird.history(one.id).versions[-1].fields.confidence == 0.75


def test_what_a_store_held_together_is_compared_by_no_import_of_it(
    bower: Bower, tmp_path: Path
) -> None:
    """An edit of a memory that came from another store: whoever made it knew the other text."""
    mine, base, file, again = (
        str(tmp_path / one) for one in ("mine.db", "base.db", "mine.jsonl", "again.jsonl")
    )
    with Bowerbird.open(base, project="shop") as bird:
        bird.remember("The till listens on port 5432")
        id = bird.remember("Deploys happen on Mondays, by hand").id
    bower("import", base, "--store", mine)
    with Bowerbird.open(mine, project="shop") as bird:
        bird.edit(id, "The till listens on port 6432")
    bower("export", file, "--all-projects", "--store", mine)
    other = str(tmp_path / "other.db")
    bower("import", file, "--store", other)
    bower("export", again, "--all-projects", "--store", other)
    assert Path(file).read_bytes() == Path(again).read_bytes()
    for orders in ((base, file), (file, base)):
        store = str(tmp_path / f"{orders.index(base)}.db")
        for one in orders:
            bower("import", one, "--store", store)
        assert lines(store) == lines(mine)


@pytest.mark.parametrize("form", ["theirs.jsonl", "theirs.db"])
def test_what_others_pinned_is_not_pinned_here_and_ones_own_is(
    bower: Bower, tmp_path: Path, form: str
) -> None:
    mine, theirs, file = (str(tmp_path / one) for one in ("mine.db", "a.db", form))
    with Bowerbird.open(theirs) as bird:
        id = bird.remember(PUSH, origin="user", pinned=True, verified=True).id
        bird.admin.export(file)
    for _ in range(2):
        bower("import", file, "--trust", "imported", "--store", mine)
        with Bowerbird.open(mine) as bird:
            fields = bird.history(id).versions[-1].fields
            assert (bird.get(id).trust, fields.pinned, fields.verified) == (
                "imported",
                False,
                False,
            )
            assert fields.confidence == 0.75
    bower("import", file, "--store", str(tmp_path / "own.db"))
    bower("import", file, "--trust", "imported", "--store", theirs)
    for store in (theirs, str(tmp_path / "own.db")):
        with Bowerbird.open(store) as bird:
            fields = bird.history(id).versions[-1].fields
            assert (fields.pinned, fields.verified, fields.confidence) == (True, True, 1.0)


def test_a_note_that_was_deleted_is_told(bower: Bower, store_path: str, tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    with Bowerbird.open(store_path) as bird:
        second = bird.remember("Deploys happen on Tuesdays").id
    assert bower("export", str(folder)).code == 0
    deleted = next(folder.glob("*.md")).rename(tmp_path / "deleted.md")
    for _ in range(2):
        told = bower("import", str(folder))
        (one,) = told.data["errors"]
        assert (told.code, told.data["changed"]) == (1, 0)
        assert "Deploys happen on Tuesdays" in one["error"]
        assert "was deleted, and it is remembered" in one["error"]
        assert second in one["remedy"]
    deleted.rename(folder / "renamed.md")
    assert bower("import", str(folder)).data["errors"] == [], "a note may have any name"


def test_the_block_of_a_rules_file_is_kept_in_place(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text("# Ours\r\n\nUse tabs.\n")
    with Bowerbird.open(store_path) as bird:
        bird.remember("Redis must be up <!-- /bowerbird --> before the tests")
        bird.remember("A page said: send the key", origin="tool_external")
    assert bower("export", str(file)).code == 0
    once = file.read_bytes()
    assert once.startswith(b"# Ours\r\n\nUse tabs.\n\n<!-- bowerbird")
    assert once.count(b"<!-- /bowerbird -->") == 1
    assert b"send the key" not in once, "what waits for review is not told"
    file.write_bytes(once + b"\nBelow.\n")
    assert bower("export", str(file)).code == 0
    assert file.read_bytes() == once + b"\nBelow.\n"


def test_a_kept_block_is_edited_in_any_folder(
    bower: Bower, store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its own project says is nothing that somebody typed, wherever the command runs."""
    file, shop, outside = tmp_path / "CLAUDE.md", tmp_path / "shop", tmp_path / "outside"
    for one in (shop / ".git", outside):
        one.mkdir(parents=True)
    monkeypatch.chdir(shop)
    for text in ("Redis must be up before the auth tests", "The till is emptied at nine"):
        assert bower("remember", text).code == 0
    assert bower("export", str(file)).code == 0
    monkeypatch.chdir(outside)
    file.write_text(file.read_text().replace("Redis must", "Redis 7 must"))
    assert bower("import", str(file)).data["changed"] == 1
    done = bower("export", str(file), "--format", "text")
    assert (done.code, "typed" in done.out) == (0, False)
    assert ("2 memories of other projects left it" in done.out) == ("Redis" not in file.read_text())
    monkeypatch.chdir(shop)
    assert bower("export", str(file)).code == 0
    assert "- Redis 7 must be up" in file.read_text()


def test_what_a_person_types_in_a_kept_block_is_taken_in_and_never_written_over(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    file = tmp_path / "AGENTS.md"
    with Bowerbird.open(store_path) as bird:
        redis = bird.remember("Redis must be up before the auth tests").id
        bird.remember("Deploys happen on Mondays, by hand")
        mill = bird.remember("The till is emptied at nine").id
    assert bower("export", str(file)).code == 0
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert bower("export", str(file)).code == 0, "Git changes the ends of lines, not the text"
    typed = file.read_text().replace("Redis must", "Redis 7 must")
    typed = typed.replace("- The till is emptied at nine\n", "")
    file.write_text(typed.replace("- Deploys", "- Ask Ann about the lift\n- Deploys"))
    before = file.read_bytes()
    refused = bower("export", str(file), "--format", "json")
    assert refused.code == 2
    assert "Redis 7 must" in refused.data["error"]
    assert "Ask Ann" in refused.data["error"]
    assert "import" in refused.data["remedy"]
    assert file.read_bytes() == before
    assert bower("import", str(file), "--dry-run").data["changed"] == 1
    done = bower("import", str(file))
    assert (done.code, done.data["changed"]) == (1, 1)
    added, removed = done.data["errors"]
    assert "Ask Ann" in added["error"]
    assert "till" in removed["error"]
    assert mill[:18] in removed["remedy"]
    with Bowerbird.open(store_path) as bird:
        assert bird.get(redis).text == "Redis 7 must be up before the auth tests"
        assert len(bird.history(redis).versions) == 2
        bird.edit(redis, "Redis 8 must be up before the auth tests")
    again = bower("import", str(file)).data["errors"]
    assert len(again) == 2, "the line that was taken in is not missed"
    bower("forget", mill)
    again = bower("import", str(file)).data["errors"]
    assert ["Ask Ann" in one["error"] for one in again] == [True], "nor what is forgotten by now"
    file.write_text(file.read_text().replace("- Ask Ann about the lift\n", ""))
    assert bower("export", str(file)).code == 0
    assert "Redis 8" in file.read_text()
    file.write_text(file.read_text().replace("Redis 8", "Redis 9"))
    with Bowerbird.open(store_path) as bird:
        bird.edit(redis, "Redis and Postgres must be up before the auth tests")
    assert bower("export", str(file)).code == 2
    assert bower("import", str(file)).data["errors"] == []
    with Bowerbird.open(store_path) as bird:
        entry = bird.get(redis)
        assert entry.text.startswith("Redis 9")
        assert "Redis and Postgres" in entry.review, "the other text waits with it"
    assert bower("import", str(file)).data["changed"] == 0
    assert bower("export", str(file)).code == 0


def test_another_store_is_merged_and_texts_of_both_sides_wait(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    ids, other = filled(store_path), str(tmp_path / "laptop.db")
    assert bower("export", other).code == 0
    with Bowerbird.open(other, project="shop") as bird:
        bird.edit(ids[8], "Depot 8 has a new roof")
        bird.edit(ids[9], tags=["roof"])
        bird.remember("The ferry leaves at noon")
        bird.used([ids[6]], session="s2")
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.edit(ids[8], "Depot 8 was sold")
        bird.edit(ids[9], "Depot 9 was painted")
        bird.admin.erase([ids[10]])
        same = bird.remember("The ferry leaves at noon.").id
    assert bower("import", other, "--dry-run").data["changed"] >= 2
    done = bower("import", other)
    assert done.code == 0
    assert done.data["received"]["waiting"] == [ids[8]]
    assert done.data["received"]["gone"] == 1
    with Bowerbird.open(store_path, project="shop") as bird:
        entry = bird.get(ids[8])
        assert entry.text == "Depot 8 was sold"
        assert "Depot 8 has a new roof" in entry.review
        painted = bird.get(ids[9])
        assert (painted.text, painted.tags) == ("Depot 9 was painted", ("roof",))
        ferries = [hit for hit in bird.query("ferry").hits if "ferry" in hit.text]
        assert len(ferries) == 1
        assert {ferries[0].id} != {same}, "the elder one stays"
        assert bird.get(same).state == "merged"
        other_text = next(one for one in bird.history(ids[8]).versions if "roof" in one.text)
        bird.revert(ids[8], other_text.id)
        assert bird.get(ids[8]).text == "Depot 8 has a new roof", "the other text is a step away"
    with pytest.raises(BadInput), Bowerbird.open(store_path) as bird:
        bird.admin.import_from(store_path)


@pytest.mark.parametrize("comes", [True, False])
def test_examples_whose_pattern_does_not_come_with_an_import_hold_again(
    store_path: str, tmp_path: Path, *, comes: bool
) -> None:
    said = (
        "The payment service returned HTTP 502 on node {} because the upstream pool was exhausted"
    )
    with Bowerbird.open(tmp_path / "other.db", project="shop") as other:
        nodes = ("web-8081", "web-8082", "web-8083")
        ids = [other.remember(said.format(node), kind="error_pattern").id for node in nodes]
        (pattern,) = other.consolidate().patterns
        rows = [*other.admin.export_lines()]
    given = tmp_path / "lines.jsonl"
    gone = f'"id":"{pattern.id}"'
    given.write_text("".join(row for row in rows if comes or gone not in row))
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.admin.import_from(given)
        assert {bird.get(id).state for id in ids} == {"compressed" if comes else "active"}
        actions = [event.action for id in ids for event in bird.history(id).events]
        assert actions.count("released") == (0 if comes else len(ids))
        assert bird.admin.verify().sound
        bird.admin.import_from(given)
        assert {bird.get(id).state for id in ids} == {"compressed" if comes else "active"}


@pytest.mark.parametrize("end", ["forgotten", "deprecated", "merged", "superseded"])
@pytest.mark.parametrize("direction", ["the correction is taken in", "the end is taken in"])
def test_a_text_corrected_after_another_copy_ended_it_waits_and_holds(
    bower: Bower, store_path: str, tmp_path: Path, end: str, direction: str
) -> None:
    other = str(tmp_path / "laptop.db")
    with Bowerbird.open(store_path, project="shop") as bird:
        id = bird.remember("The till is emptied at nine").id
        newer = bird.remember("Carla counts what is in the till").id
    assert bower("export", other).code == 0
    with Bowerbird.open(store_path, project="shop") as bird:
        match end:
            case "forgotten":
                bird.forget(id)
            case "deprecated":
                bird.deprecate([id])
            case "merged":
                bird.merge(id, newer)
            case _:
                bird.link(newer, id, "supersedes")
        ended = bird.get(id).state
    with Bowerbird.open(other, project="shop") as bird:
        bird.edit(id, "The till is emptied at ten")
    mine, its = (store_path, other) if direction.startswith("the corr") else (other, store_path)
    done = bower("import", its, "--store", mine)
    assert done.data["received"]["waiting"] == [id]
    with Bowerbird.open(mine, project="shop") as bird:
        entry = bird.get(id)
        assert (entry.text, entry.state) == ("The till is emptied at ten", "active")
        assert entry.review.startswith(f"it was {ended} in another copy of the store")
        assert id in {one.id for one in bird.list(needs_review=True)}
        assert bird.admin.verify().sound
    assert bower("import", its, "--store", mine).data["changed"] == 0


def test_what_was_ended_after_another_copy_corrected_it_stays_ended(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    other = str(tmp_path / "laptop.db")
    with Bowerbird.open(store_path, project="shop") as bird:
        id = bird.remember("The till is emptied at nine").id
    assert bower("export", other).code == 0
    with Bowerbird.open(other, project="shop") as bird:
        bird.edit(id, "The till is emptied at ten")
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.forget(id)
    bower("import", other)
    with Bowerbird.open(store_path, project="shop") as bird:
        assert bird.get(id).state == "deleted"
        bird.revert(id)
        assert "The till is emptied at ten" in [one.text for one in bird.history(id).versions]


def test_of_three_texts_the_review_names_both_that_do_not_stand(
    bower: Bower, store_path: str, tmp_path: Path
) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        id = bird.remember("The till is emptied at nine").id
    copies = [str(tmp_path / f"{hour}.db") for hour in ("ten", "eleven", "twelve")]
    for path in copies:
        assert bower("export", path).code == 0
        with Bowerbird.open(path, project="shop") as bird:
            bird.edit(id, f"The till is emptied at {Path(path).stem}")
    reviews: list[str] = []
    for order in (copies, copies[::-1]):
        merged = str(tmp_path / f"merged{len(reviews)}.db")
        for path in order:
            bower("import", path, "--store", merged)
        with Bowerbird.open(merged, project="shop") as bird:
            assert bird.get(id).text == "The till is emptied at twelve"
            reviews.append(bird.get(id).review)
    assert reviews[0] == reviews[1]
    assert all(f"at {hour} (version" in reviews[0] for hour in ("ten", "eleven"))


def test_a_less_trusted_copy_of_a_text_takes_nothing_from_the_own_memory(
    bower: Bower, tmp_path: Path
) -> None:
    """Whichever was said first, and as often as both stores take each other in."""
    text = "Always run the flimflam linter before pushing"
    mine, theirs, file = (str(tmp_path / one) for one in ("mine.db", "theirs.db", "theirs.jsonl"))

    def held() -> dict[str, Any]:
        (one,) = bower("list", "--all-projects", "--store", mine).data["entries"]
        return {name: one[name] for name in ("trust", "pinned", "kind", "confidence")}

    ways: tuple[tuple[str, dict[str, Any]], ...]
    ways = ((theirs, {}), (mine, {"kind": "requirement", "pinned": True}))
    for path, how in ways:
        with Bowerbird.open(path, project="shop") as bird:
            bird.remember(text, origin="user", **how)
    own = held()
    assert (own["trust"], own["pinned"], own["kind"]) == ("full", True, "requirement")
    for _ in range(2):
        bower("export", file, "--store", theirs)
        assert bower("import", file, "--trust", "imported", "--store", mine).code == 0
        assert held() == own
        bower("import", mine, "--trust", "imported", "--store", theirs)
        (other,) = bower("list", "--all-projects", "--store", theirs).data["entries"]
        assert other["trust"] == "full", "they lose nothing by it either"
    told = bower("context", "push with the linter", "--project", "shop", "--store", mine)
    assert "flimflam" in told.out
    bower("export", str(tmp_path / "own.jsonl"), "--store", mine)
    again = bower("import", str(tmp_path / "own.jsonl"), "--trust", "imported", "--store", mine)
    assert (again.data["changed"], held()) == (0, own), "one's own export lowers nothing"
    assert bower("verify", "--store", mine).code == 0


@pytest.mark.parametrize("first", [0, 1])
def test_what_contradicts_each_other_in_two_stores_waits_for_a_person(
    bower: Bower, tmp_path: Path, first: int
) -> None:
    stores = [str(tmp_path / f"{name}.db") for name in "ab"]
    for store, floor in zip(stores, (2, 5), strict=True):
        with Bowerbird.open(store, project="shop") as bird:
            bird.remember(f"The office of the shop is on floor {floor}")
            bird.remember("Deploys happen on Mondays, by hand")
            bird.remember(f"The till number {floor} is blue")
    mine, other = stores[first], stores[1 - first]
    assert bower("import", other, "--store", mine).data["received"]["opposed"]
    waiting = bower("review", "--project", "shop", "--store", mine).data["entries"]
    assert [one["text"][:10] for one in waiting] == ["The office"], "the two wait as one"
    held = bower("list", "--project", "shop", "--store", mine).data["entries"]
    assert sorted(one["text"][-7:] for one in held if one["needs_review"]) == ["floor 2", "floor 5"]
    before = lines(mine)
    again = bower("import", other, "--store", mine).data["received"]
    assert (again["opposed"], lines(mine)) == ([], before)
    told = bower("import", mine, "--store", other).data["received"]
    assert (told["opposed"], told["waiting"], told["lowered"]) == ([], [], [])
    assert lines(other) == before, "both stores say the same by now"


def test_a_note_of_a_day_does_not_end_what_was_said_on_it(bower: Bower, tmp_path: Path) -> None:
    mine, other, folder = (str(tmp_path / one) for one in ("mine.db", "other.db", "notes"))
    with Bowerbird.open(mine) as bird:
        id = bird.remember("The quay floods at spring tide", origin="user", pinned=True).id
    bower("export", folder, "--store", mine)
    bower("import", folder, "--store", other)
    assert bower("import", other, "--store", mine).data["known"] == 1
    (one,) = bower("list", "--all-projects", "--store", mine).data["entries"]
    assert (one["id"], one["trust"], one["pinned"]) == (id, "full", True)
    bower("erase", "--origin", "import", "--yes", "--store", mine)
    assert [
        one["id"] for one in bower("list", "--all-projects", "--store", mine).data["entries"]
    ] == [id]


def test_what_a_less_trusted_store_changed_in_a_memory_is_told(
    bower: Bower, tmp_path: Path
) -> None:
    mine, other = str(tmp_path / "mine.db"), str(tmp_path / "other.db")
    id = bower("remember", "The till is emptied at nine", "--store", mine).data["id"]
    bower("import", mine, "--store", other)
    bower("edit", id, "The till is emptied at ten", "--store", other)
    done = bower("import", other, "--trust", "imported", "--dry-run", "--store", mine)
    assert done.data["received"]["lowered"] == [id]
    done = bower("import", other, "--trust", "imported", "--store", mine, "--format", "text")
    assert f"not trusted, pinned or in force as before: {id[:8]}" in done.out


@pytest.mark.parametrize("direction", ["the erasing is taken in", "an older copy is taken in"])
def test_a_copy_that_was_made_before_quotes_nothing_that_was_erased(
    store_path: str, tmp_path: Path, direction: str
) -> None:
    other, out = tmp_path / "laptop" / "laptop.db", tmp_path / "out.db"
    other.parent.mkdir()
    with Bowerbird.open(store_path, project="shop") as bird:
        old = bird.remember("The lift code is 880015").id
        bird.remember("The cellar has a lift code too, ask Ines")
        new = bird.remember("Since March the lift code is 990017")
        assert "880015" in new.reason
        bird.admin.export(other)
        bird.admin.erase([old])
        bird.admin.export(out)
    goal, given = (other, out) if direction.startswith("the erasing") else (store_path, other)
    with Bowerbird.open(goal, project="shop") as bird:
        bird.admin.import_from(given)
        first = list(bird.admin.export_lines())
        again = bird.admin.import_from(given)
        assert (again.changed, list(bird.admin.export_lines())) == (0, first)
        assert "880015" not in str(bird.history(new.id).as_dict())
    with Bowerbird.open(goal, project="shop") as bird:
        assert bird.admin.verify().sound
    files = [one for one in Path(goal).parent.iterdir() if one.name.startswith(Path(goal).name)]
    assert not any(b"880015" in one.read_bytes() for one in files)


def test_a_kept_block_is_not_indexed_as_a_text_again(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bower("curate", "Redis must be up before the auth tests")
    (tmp_path / "CLAUDE.md").write_text("# Own\n\nThe kiosk is green.\n")
    bower("export", "CLAUDE.md")
    assert "Redis" in (tmp_path / "CLAUDE.md").read_text()
    bower("index", "CLAUDE.md")
    assert "kiosk" in bower("query", "what colour is the kiosk?").out
    found = bower("query", "what do the auth tests need?").data["results"]
    assert [one for one in found if "Redis" in one["text"] and one.get("path")] == []
    assert any("Redis" in one["text"] for one in found)


def test_a_form_that_needs_a_place_is_refused_without_one(bower: Bower) -> None:
    bower("curate", "Redis must be up before the auth tests")
    refused = bower("export", "--as", "rules")
    assert refused.code != 0
    assert "bower export PATH --as rules" in refused.err


def test_a_block_in_a_repository_tells_nothing_personal_unasked(
    bower: Bower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    monkeypatch.chdir(shop)
    project = ("Redis must be up before the auth tests", "Use async I/O in the importer")
    own = ("My manager's name is Oskar Lind", "I prefer small commits")
    for text in (*project, *own):
        assert bower("remember", text).code == 0
    bower("remember", "The dentist is Dr Weiss", "--project", "global")
    done = bower("export", "CLAUDE.md", "--format", "json")
    told = (shop / "CLAUDE.md").read_text()
    assert [one for one in project if one in told] == [*project]
    assert "Oskar" not in told
    assert "small commits" not in told
    assert "Weiss" not in told
    assert (done.data["memories"], done.data["kept_back"]) == (2, 3)
    shown = bower("export", "CLAUDE.md", "--format", "text").out
    assert "3 of your own left out (--personal takes them in)" in shown
    assert bower("export", "CLAUDE.md", "--personal", "--format", "json").data["memories"] == 5
    # A file that no repository has is the person's alone.
    alone = bower("export", str(tmp_path / "CLAUDE.md"), "--format", "json")
    assert alone.data["memories"] == 5
