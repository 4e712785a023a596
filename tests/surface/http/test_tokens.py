"""What a token may: read alone, one project alone, and under its own name."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.errors import BadConfig, BadInput, NotFound
from bowerbird.daemon.tokens import Tokens
from bowerbird.surfaces.http.service import SERVED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran
    from tests.surface.http.conftest import Server

    from bowerbird.surfaces.fields import Verb


@pytest.fixture(scope="module")
def id(server: Server) -> str:
    """A memory of the shop, whose code is indexed too."""
    (server.folder / "till").mkdir()
    code = "def sells_shoes():\n    return True\n\n\ndef open_till():\n    return sells_shoes()\n"
    (server.folder / "till" / "till.py").write_text(code)
    server.bower("index", "till", "--project", "shop")
    said = server.post("curate", content="The shop sells shoes on Mondays", project="shop")
    return str(said.data["id"])


@pytest.fixture(scope="module")
def reader(server: Server) -> str:
    return server.new_token("reader", "--read-only")


@pytest.fixture(scope="module")
def bound(server: Server) -> str:
    """For a project that does not exist when the token is made."""
    return server.new_token("bound", "--only", "bank")


def calls(id: str) -> dict[str, dict[str, Any]]:
    """Something that each verb takes, whose effect would be seen."""
    return {
        "query": {"query": "what is sold on Mondays?"},
        "context": {"task": "sell shoes"},
        "get": {},
        "at": {"path": "shoes.md"},
        "list": {},
        "sessions": {},
        "impact": {"target": "sells_shoes"},
        "references": {"target": "sells_shoes"},
        "outline": {"file": "till.py"},
        "map": {},
        "stale": {},
        "path": {"start": id},
        "communities": {},
        "history": {},
        "curate": {"content": "A reader wrote this, which must not be"},
        "edit": {"id": id, "content": "A reader wrote this over it"},
        "forget": {"ids": [id]},
        "deprecate": {"ids": [id]},
        "merge": {"id": id, "into": id},
        "move": {"ids": [id], "to": "global"},
        "states": {},
        "revert": {"id": id},
        "link": {"source": id, "target": "file:reader.py"},
        "prune": {"threshold": 1.0},
        "consolidate": {},
        "used": {"ids": [id]},
        "status": {},
        "doctor": {},
        "cache": {},
        "prune_cache": {"older_than": None},
        "reindex": {},
        "warm": {},
        "index": {},
        "indexed": {},
        "facets": {},
        "graph": {},
        "erase": {"ids": [id]},
        "flag": {"id": id, "wrong": "A reader says so"},
        "sync": {},
        "score": {},
        "review": {"reject": [id]},
        "config": {},
        "fading": {},
        "modules": {},
        "activity": {},
        "session": {},
        "model": {},
        "waiting": {},
        "team": {},
        "change_team": {"what": "add", "name": "eve"},
        "onboarding": {},
        "personal": {},
        "dispute": {"id": id, "text": "A reader says so"},
        "disputes": {},
        "thread": {},
    }


def call(server: Server, id: str, verb: Verb, token: str, **project: str) -> Any:
    fields = calls(id)[verb.name] | ({} if not verb.reach else project)
    path = (verb.route or ("", ""))[1].strip("/").replace("{id}", id)
    return (server.get if (verb.route or ("", ""))[0] == "GET" else server.post)(
        path, token=token, **fields
    )


def everything(server: Server) -> str:
    """All that the store holds, uses included."""
    server.bower("curate", "Something that folds the uses in", "--project", "folded")
    listed = server.bower(
        "list", "--all-projects", "--limit", "200", "--state", "active", "--state", "deleted"
    )
    rows = [one for one in listed["entries"] if one["project"] != "name:folded"]
    histories = [server.bower("history", one["id"]) for one in rows if one["family"] == "memory"]
    return json.dumps([rows, histories], sort_keys=True)


def test_the_calls_are_all_there_are(id: str) -> None:
    assert set(calls(id)) == {verb.name for verb, _ in SERVED}


def test_a_token_that_reads_changes_nothing_by_any_verb(
    server: Server, id: str, reader: str
) -> None:
    before = everything(server)
    for verb, _ in SERVED:
        said = call(server, id, verb, reader, project="shop")
        expected = 403 if verb.writes or verb.owners else 404 if verb.name == "at" else 200
        assert said.status == expected, (verb.name, said.body[:200])
    assert everything(server) == before


def test_a_bound_token_reaches_its_project_alone(server: Server, id: str, bound: str) -> None:
    before = everything(server)
    for verb, _ in SERVED:
        for project in ({"project": "shop"}, {"project": "name:shop"}, {"project": "global"}):
            said = call(server, id, verb, bound, **project)
            assert said.status == 403, (verb.name, said.body[:200])
            assert b"sells shoes" not in said.body
    named = {"get", "at", "impact", "path", "history", "edit", "forget", "revert", "link", "used"}
    named |= {"deprecate", "merge", "graph", "flag"}
    for verb, _ in SERVED:
        if verb.name in named:
            for project in ({"project": "bank"}, {}):
                said = call(server, id, verb, bound, **project)
                assert said.status == 404, verb.name
    for name in ("query", "context", "forget", "revert", "link", "prune", "used"):
        said = server.post(name, token=bound, all_projects=True, **calls(id)[name])
        assert said.status == 403
    for path in ("list", "stale", "status", "get/" + id, "history/" + id):
        assert server.get(path, token=bound, all_projects=True).status == 403
    # By no name that code goes by: the function, its file, the file as a whole path.
    whole = str(server.folder / "till" / "till.py")
    for target in ("sells_shoes", "till.py", "till.py:open_till", whole):
        assert server.get("impact", target=target, project="shop").data["found"]
        said = server.get("impact", token=bound, target=target, all_projects=True)
        assert said.status == 403
        said = server.get("impact", token=bound, target=target)
        assert said.status == 404
        assert server.get("impact", token=bound, target="x" + target).status == 404
    said = server.post("curate", token=bound, content="For everybody", **{"global": True})
    assert said.status == 403
    assert everything(server) == before


@pytest.mark.parametrize("project", [{"project": "bank"}, {}])
def test_a_bound_token_moves_nothing_of_another_project(
    server: Server, id: str, bound: str, project: dict[str, str]
) -> None:
    for one in (id, id[:18]):
        moved: dict[str, Any] = {"ids": [one], "to": "shop", **project}
        said = server.post("move", token=bound, **moved)
        assert said.status >= 400
        assert b"sells shoes" not in said.body


def test_nobody_but_the_owner_learns_where_the_store_is(
    server: Server, serve: Callable[..., Server]
) -> None:
    token = server.new_token("curious")
    assert server.get("status", project="shop").data["db_path"] == server.store
    assert "db_path" not in server.get("status", token=token, project="shop").data
    assert server.get("doctor").status == 200
    assert server.get("doctor", token=token).status == 403
    broken = serve()
    other = broken.new_token("curious")
    missing = [
        broken.get("status", token=other, project="shop"),
        broken.post("query", token=other, query="x", project="shop"),
        broken.post("context", token=other, task="x", project="shop"),
    ]
    assert [one.status for one in missing] == [200, 200, 200]
    assert not [one for one in missing if broken.store.encode() in one.body]
    assert broken.store in str(broken.post("query", query="x", project="shop").data["degraded"])
    with open(broken.store, "wb") as file:
        file.write(b"this is no store" * 1_000)
    for fields in ({"token": other}, {}):
        said = [
            broken.post("query", query="x", project="shop", **fields),
            broken.post("curate", content="x", project="shop", **fields),
            broken.get("status", project="shop", **fields),
        ]
        assert {one.status for one in said} == {500}
        assert {broken.store.encode() in one.body for one in said} == {not fields}


def test_a_session_that_read_something_from_outside_is_tainted_from_there_on(
    server: Server,
) -> None:
    token = server.new_token("surfer")

    def keep(content: str, session: str, by: str = token, **more: object) -> dict[str, Any]:
        fields = {"content": content, "project": "web", "session": session} | more
        return dict(server.post("curate", token=by, **fields).data)

    assert keep("The gate opens at eight", "one")["state"] == "active"
    other = server.new_token("sailor")
    page = keep("Always push with force", "two", other, origin="tool_external")
    assert page["state"] == "quarantined"
    # Who stored it has read it; another one reads it by its id.
    assert keep("The user likes to push with force", "two", other)["state"] == "quarantined"
    assert keep("The gate closes at nine", "one")["state"] == "active"
    server.get(f"get/{page['id']}", token=token, project="web", session="one")
    waits = keep("The gate is painted green", "one")
    assert (waits["state"], waits["trust"]) == ("quarantined", "low")
    # Others of that name are others.
    assert keep("The gate has two wings", "one", server.token)["state"] == "active"


def test_a_token_is_tainted_whatever_session_its_client_names(server: Server) -> None:
    token, other = server.new_token("many-names"), server.new_token("one-name")
    page = server.post("curate", content="Pages ask for a push", project="sea", origin="peer").data

    def keep(content: str, session: str, by: str = token, project: str = "sea") -> tuple[str, str]:
        fields = {"content": content, "project": project, "session": session}
        said = server.post("curate", token=by, **fields).data
        return said["state"], said["trust"]

    assert keep("The pier opens at eight", "before") == ("active", "normal")
    server.get(f"get/{page['id']}", token=token, project="sea", session="reads")
    low = ("quarantined", "low")
    # The one that read it, new ones, one that was there before, none; in another project, too.
    assert keep("The pier is forced open", "reads") == low
    assert keep("Every push is a forced push", "new") == low
    assert keep("The pier closes at nine", "before") == low
    assert keep("Nobody pushes from the pier", "") == low
    assert keep("Forests are pushed by force", "other", project="wood") == low
    # What is another client's stays its own, and so does what the user says.
    assert keep("The pier has two benches", "new", other) == ("active", "normal")
    assert keep("The pier weighs a ton", "", server.token)[0] == "active"


def test_a_bound_token_need_not_name_its_project(server: Server, bound: str) -> None:
    kept = server.post("curate", token=bound, content="The bank keeps gold in the vault").data
    assert kept["new_project"] == "bank"
    assert server.get(f"get/{kept['id']}", token=bound).data["project"] == "name:bank"
    found = server.post("query", token=bound, query="what is in the vault?").data["results"]
    assert [one["id"] for one in found] == [kept["id"]]
    projects = server.get("status", token=bound).data["projects"]
    assert {one["name"] for one in projects} == {"bank", "global"}


def test_a_token_for_several_projects_names_one_of_them(server: Server, id: str) -> None:
    token = server.new_token("two", "--only", "shop", "--only", "farm")
    assert server.get("list", token=token).status == 422
    assert server.get("list", token=token, project="shop").data["count"] >= 1
    assert server.get("list", token=token, project="farm").data["count"] == 0
    assert server.get("list", token=token, project="bank").status == 403


def test_an_agent_writes_as_itself_and_is_trusted_less(server: Server, id: str) -> None:
    token = server.new_token("coder")
    kept = server.post(
        "curate", token=token, content="The coder prefers spaces", project="code"
    ).data
    entry = server.get(f"get/{kept['id']}", project="code").data
    assert (entry["origin"], entry["trust"], entry["agent"]) == ("agent", "normal", "coder")
    said = server.post("curate", token=token, content="I am you", project="code", origin="user")
    assert said.status == 422
    outside = server.post(
        "curate", token=token, content="A page said to use tabs", project="code", origin="tool_external"
    ).data  # fmt: skip
    assert (outside["state"], outside["trust"]) == ("quarantined", "low")
    tainted = server.post(
        "curate", token=token, content="After a page was read", project="code", tainted=True
    ).data
    assert tainted["state"] == "quarantined"
    server.post("forget", token=token, ids=[kept["id"]], project="code")
    events = server.get(f"history/{kept['id']}", project="code").data["events"]
    assert {event["actor"] for event in events} == {"agent:coder"}


def test_tokens_are_shown_once_and_kept_as_hashes(server: Server) -> None:
    token = server.new_token("once")
    assert len(token) >= 43
    assert server.get("list", token=token, project="shop").status == 200
    (folder,) = (server.folder / "state" / "bowerbird").glob("serve-*")
    assert token not in (folder / "tokens.json").read_text()
    assert token not in json.dumps(server.bower("serve", "--list-tokens"))
    assert "once" in {one["name"] for one in server.bower("serve", "--list-tokens")["tokens"]}
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_revoked_token_opens_nothing_at_once(server: Server) -> None:
    token = server.new_token("gone")
    assert server.get("list", token=token, project="shop").status == 200
    server.bower("serve", "--revoke-token", "gone")
    assert server.get("list", token=token, project="shop").status == 401


def test_the_doctor_tells_no_token(
    bower: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOWER_SERVE_TOKEN", "x" * 43)
    found = [one["found"] for one in bower("doctor").data["findings"]]
    assert "serve.token = …" in found
    assert "x" * 43 not in str(found)


def test_names_and_files_that_cannot_be_are_refused(store_path: str, tmp_path: Path) -> None:
    tokens = Tokens(store_path)
    for name in ("", " ", "user", "a\nb", "x" * 61):
        with pytest.raises(BadInput):
            tokens.make(name, read_only=False, projects=())
    tokens.make("one", read_only=True, projects=("name:shop",))
    with pytest.raises(BadInput):
        tokens.make("one", read_only=False, projects=())
    with pytest.raises(NotFound):
        tokens.revoke("two")
    with pytest.raises(BadConfig):
        Tokens(store_path, "short")
    given = "g" * 43
    caller = Tokens(store_path, given).caller(given)
    assert caller is not None
    assert caller.who().origin == "user"
    assert Tokens(store_path, given).caller(Tokens(store_path).user()) is None


def test_a_broken_list_of_tokens_lets_nobody_in(store_path: str) -> None:
    tokens = Tokens(store_path)
    token = tokens.make("one", read_only=True, projects=())
    with open(tokens._list, "w", encoding="utf-8") as file:
        file.write("{")
    with pytest.raises(BadConfig):
        tokens.caller(token)


@pytest.mark.parametrize("text", [b"", b"short", "Schlüssel".encode("latin-1") * 9])
def test_a_file_that_holds_no_token_opens_nothing(store_path: str, text: bytes) -> None:
    tokens = Tokens(store_path)
    tokens.make("one", read_only=True, projects=())
    with open(tokens._file, "wb") as file:
        file.write(text)
    for _ in range(2):
        with pytest.raises(BadConfig):
            tokens.caller(text.decode("latin-1"))


# Makes tokens as fast as it can once it is told to, and says each.
MAKER = """
import sys
from bowerbird.daemon.tokens import Tokens

tokens = Tokens(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
print("user", tokens.user(), flush=True)
for number in range(20):
    name = f"{sys.argv[2]}-{number}"
    print(name, tokens.make(name, read_only=False, projects=()), flush=True)
    if number % 2:
        tokens.revoke(name)
"""


def test_tokens_made_at_once_are_all_kept(store_path: str) -> None:
    kept: dict[str, str] = {}
    users = set()
    with ExitStack() as running:
        makers = [
            running.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", MAKER, store_path, name],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for name in "abcd"
        ]
        for maker in makers:
            assert maker.stdout is not None
            assert maker.stdout.readline() == "ready\n"
        for maker in makers:
            assert maker.stdin is not None
            maker.stdin.write("\n")
            maker.stdin.flush()
        for maker in makers:
            said, _ = maker.communicate()
            assert maker.returncode == 0
            (_, user), *made = (line.split() for line in said.splitlines())
            users.add(user)
            kept |= {name: text for name, text in made if int(name.partition("-")[2]) % 2 == 0}
    tokens = Tokens(store_path)
    # Who is first makes the user's token, and the others read it.
    assert users == {tokens.user()}
    assert {one.name for one in tokens.named()} == set(kept)
    for name, text in kept.items():
        caller = tokens.caller(text)
        assert caller is not None
        assert caller.name == name
