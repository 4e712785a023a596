"""Writes tests/golden/surfaces: a snapshot of all interfaces, so that every change is visible.

It contains the OpenAPI document, the MCP tools, and the response of each verb on each interface: for
results the fields with the types of their values, for errors the whole text, for pages the whole text
without numbers and ids. scripts/reference.py checks docs/CLI.md, which has every option.

``--check`` fails if the snapshot differs from the current interfaces.
"""

import difflib
import http.client
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bowerbird.surfaces.http.openapi import document
from bowerbird.surfaces.mcp.catalogue import tools_for
from goldens_home import Home

FOLDER = Path(__file__).parent.parent / "tests" / "golden" / "surfaces"
UNKNOWN = "019a2f6c-81d4-7000-8000-000000000000"
Json = Any


def command_line(home: Home) -> Json:
    """The response of each command, as JSON and as a page."""
    recorded: list[Json] = []

    def ask(*words: str) -> Json:
        code, out, err = home.run(*words, "--format", "json")
        answer = json.loads(out) if out else {}
        line = [home.plain(word) for word in words]
        recorded.append({"command": line, "exit": code, "answer": home.shape(answer)})
        if err:
            recorded[-1]["err"] = home.plain(err)
        return answer.get("data", {})

    def read(*words: str) -> None:
        code, out, err = home.run(*words)
        line = [home.plain(word) for word in words]
        recorded.append({"command": line, "exit": code, "text": home.plain(out).splitlines()})
        if err:
            recorded[-1]["err"] = home.plain(err).splitlines()

    text, page = ("--format", "text"), ("--format", "markdown")
    for words in (["query", "redis"], ["list"], ["status"], ["context", "auth"], ["get", UNKNOWN]):
        ask(*words)
        read(*words, *text)
    read("curate", "Redis runs on port 6379", "--kind", "fact", "--project", "shop", *text)
    first = ask(
        "curate", "We chose SQLite because it is one file", "--kind", "decision", "--tags", "db,disk",
        "--expires", "2099-01-01", "--metadata", "ticket=7", "--file", "src/db.py", "--priority", "high",
    )["id"]  # fmt: skip
    second = ask("curate", "We chose SQLite because it is one file; it also runs on a phone")["id"]
    ask("curate", "We chose SQLite because it is one file; it also runs on a phone")
    ask("curate", "--batch", "batch.jsonl")
    read("curate", "--batch", "batch.jsonl", *text)
    ask("curate")
    ask("curate", "x", "--kind", "nothing")
    ask("curate", "x", "--expires", "soon")
    ask("curate", "x", "--metadata", "y")
    ask("index", "notes")
    read("index", "notes", *text)
    ask("index", "missing")
    queries: list[list[str]] = [
        ["redis"], ["redis", "--explain", "--limit", "1"], ["redis", "--compact"],
        ["redis", "--digest"], ["redis", "--budget", "500"], ["zzzzzz"], ["redis OR deploys"],
        ["redis OR deploys", "--operators"], ["redis", "--memories", "--kind", "fact"],
    ]  # fmt: skip
    for words in queries:
        ask("query", *words)
        if "--explain" not in words:
            read("query", *words, *text)
    read("query", "redis", *page)
    for wrong in (
        ["--limit", "0"], ["--limit", "x"], ["--budget", "-1"], ["--min-score", "2"], ["--fats"],
        ["--since", "soon"], ["--min-confidence", "2"], ["--min-trust", "all"], ["--state", "gone"],
        ["--phase", "none"], ["--digest", "--compact"],
    ):  # fmt: skip
        ask("query", "redis", *wrong)
    ask("query", "")
    ask("query")
    for words in (
        ["context", "which database?"], ["context", "auth", "--min-trust", "low", "--phase", "implement"],
        ["list"], ["list", "--memories"], ["list", "--limit", "1"], ["list", "--project", "none"],
        ["get", first], ["get", "notes/auth.md:3"], ["get", first, "--history"], ["history", second],
        ["status"], ["status", "--measure"], ["prune", "--dry-run"], ["consolidate"], ["warm"],
        ["reindex"], ["reindex", "--all"], ["cache"], ["verify"], ["trust", "--list"],
    ):  # fmt: skip
        ask(*words)
        read(*words, *text)
    for words in (
        ["context", "database"],
        ["list"],
        ["get", first],
        ["status"],
        ["history", first],
    ):
        read(*words, *page)
    ask("link", second, first, "--as", "informs")
    read("link", second, "file:src/db.py", "--as", "informs", *text)
    ask("link", second, UNKNOWN)
    ask("link", second, first, "--as", "likes")
    ask("link", second, first, "--strength", "2")
    ask("edit", second, "--tags", "phone")
    ask("edit", second)
    ask("forget", first, UNKNOWN)
    ask("forget", second, "--reason", "wrong")
    ask("forget", second)
    read("get", second, *text)
    ask("revert", second)
    read("forget", second, *text)
    read("revert", second, *text)
    ask("revert", second, "--to", UNKNOWN)
    ask("get", "abc")
    ask("get", "notes/none.md:3")
    ask("history", "notes")
    ask("prune", "--threshold", "2")
    ask("warm", "--all", "--recent", "2")
    ask("warm", "--recent", "0")
    ask("cache", "prune")
    ask("cache", "clear", "--older-than", "3d")
    read("cache", "clear", *text)
    ask("verify", "--sample", "0")
    ask("backup", "copy.db")
    ask("backup", "copy.db")
    read("backup", *text)
    ask("restore", "missing.db")
    read("restore", "copy.db", "--yes", *text)
    ask("restore", "copy.db")
    ask("restore", "copy.db", "--yes")
    ask("recover", "--into", "saved.db")
    ask("recover", "--into", "saved.db")
    read("recover", "--into", "again.db", *text)
    ask("trust")
    ask("migrate", "from-brv")
    ask("version")
    ask("help", "nothing")
    ask("quarry", "redis")
    ask("serve", "--read-only")
    ask("serve", "--index-interval", "1y")
    ask("serve", "--new-token", "ci", "--read-only", "--only", "shop")
    read("serve", "--list-tokens", *text)
    ask("serve", "--list-tokens")
    ask("serve", "--revoke-token", "ci")
    ask("mcp", "--setup", "claude-code")
    ask("mcp", "--http", "x")
    ask("completion", "csh")
    return recorded


def over_http(home: Home) -> Json:
    """The response of each route."""
    recorded: list[Json] = []
    server = subprocess.Popen(
        home.command("serve", "--port", "0", "--index", "notes"), env=home.environment,
        cwd=home.work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr is not None
    line = ""
    while "serving " not in line:
        line = server.stderr.readline()
    port = int(line.split()[1].rstrip(";").rpartition(":")[2])
    tokens = {
        "user": next((home.folder / "state").glob("bowerbird/serve-*/token")).read_text().strip()
    }
    made = json.loads(home.run("serve", "--new-token", "ci")[1])["data"]
    tokens["agent"] = made["token"]
    reads = json.loads(home.run("serve", "--new-token", "eye", "--read-only", "--only", "shop")[1])
    tokens["reader"] = reads["data"]["token"]

    def ask(method: str, route: str, token: str = "user", /, **fields: Json) -> Json:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        headers = {"Authorization": f"Bearer {tokens[token]}", "Content-Type": "application/json"}
        where, body = f"/api/v1/{route}", None
        if method == "GET":
            where += "?" + urlencode(fields, doseq=True)
        else:
            body = json.dumps(fields)
        connection.request(method, where, body, headers)
        answer = connection.getresponse()
        data = json.loads(answer.read())
        connection.close()
        asked = home.plain(f"{method} {route} {json.dumps(fields)}")
        recorded.append(
            {"asked": asked, "by": token, "status": answer.status, "answer": home.shape(data)}
        )
        return data

    try:
        ask("GET", "index", wait=25)
        ask("POST", "index", wait=25)
        ask("POST", "index", paths=["/etc"])
        shop = {"project": "shop"}
        ask("POST", "query", query="redis", **shop)
        first = ask(
            "POST", "curate", content="We chose SQLite because it is one file", type="decision",
            expires="2099-01-01", metadata={"a": 1}, files=["a.py"], **shop,
        )["id"]  # fmt: skip
        ask("POST", "curate", "agent", content="The CI needs Go", **shop)
        ask("POST", "curate", "reader", content="The CI needs Go", **shop)
        ask("POST", "curate", content="x", type="nothing", **shop)
        ask("POST", "curate", content="x", origin="nowhere", **shop)
        ask("POST", "curate", "agent", content="Everybody likes tea", **{"global": True})
        ask("POST", "query", query="sqlite", **shop)
        ask("POST", "query", query="sqlite", explain=True, budget=300, **shop)
        ask("POST", "query", query="sqlite", shape="compact", **shop)
        ask("POST", "query", query="redis", shape="digest", all_projects=True)
        ask("POST", "query", query="sqlite")
        ask("POST", "query", query="sqlite", limit=0, **shop)
        ask("POST", "query", query="sqlite", phase="none", **shop)
        ask("POST", "query", "reader", query="sqlite", all_projects=True)
        ask("POST", "query", nothing=1, **shop)
        ask("POST", "context", task="which database?", **shop)
        ask("POST", "context", task="redis", min_trust="low", all_projects="true")
        ask("GET", f"get/{first}", **shop)
        ask("GET", f"get/{first}", history="true", **shop)
        ask("GET", f"get/{UNKNOWN}", **shop)
        ask("GET", "get/x", **shop)
        ask("GET", "at", path="notes/auth.md", line=3, project="global")
        ask("GET", "at", path="none.md", **shop)
        ask("GET", "list", limit=2, **shop)
        ask("GET", "list", limit=2, all_projects="true")
        ask("GET", "list", limit=2, project="none")
        ask("GET", "list", states="gone", **shop)
        ask("GET", f"history/{first}", **shop)
        ask("POST", "link", source=first, target="file:a.py", relation="informs", **shop)
        ask("POST", "link", source=first, target="a.py", **shop)
        ask("POST", "edit", id=first, tags=["x"], **shop)
        ask("POST", "edit", "agent", id=first, content="We chose Postgres", **shop)
        ask("POST", "forget", ids=[first], reason="wrong", **shop)
        ask("POST", "forget", ids=[first], **shop)
        ask("POST", "revert", id=first, **shop)
        ask("POST", "revert", id=first, to=UNKNOWN, **shop)
        ask("POST", "prune", dry_run=True, **shop)
        ask("POST", "prune", threshold=2, **shop)
        ask("POST", "used", ids=[first], **shop)
        ask("GET", "status", **shop)
        ask("GET", "status", "agent", measure="true", **shop)
        ask("GET", "status", project="none")
        ask("GET", "doctor")
        ask("GET", "doctor", "agent")
        ask("GET", "cache")
        ask("POST", "cache", older_than=None)
        ask("POST", "reindex")
        ask("POST", "warm")
        ask("POST", "warm", recent=1)
        ask("POST", "warm", recent=0)
        ask("POST", "nothing")
    finally:
        server.terminate()
        server.wait()
        server.stderr.close()
    return recorded


def over_mcp(home: Home) -> Json:
    """The result of each tool."""
    recorded: list[Json] = []
    server = subprocess.Popen(
        home.command("mcp", "--project", "shop"), env=home.environment, cwd=home.work,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None

    def send(message: Json) -> None:
        assert server.stdin is not None
        server.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
        server.stdin.flush()

    def ask(method: str, **params: Json) -> Json:
        assert server.stdout is not None
        send({"id": 1, "method": method, "params": params})
        return json.loads(server.stdout.readline())["result"]

    def call(tool: str, **arguments: Json) -> Json:
        result = ask("tools/call", name=tool, arguments=arguments)
        asked = home.plain(f"{tool} {json.dumps(arguments)}")
        text = [home.plain(one["text"]).splitlines() for one in result["content"]]
        data = result.get("structuredContent", {})
        recorded.append(
            {"asked": asked, "failed": result["isError"], "text": text, "data": home.shape(data)}
        )
        return data

    client = {"name": "goldens", "version": "1"}
    ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
    send({"method": "notifications/initialized"})
    call("memory_search", query="redis")
    call("memory_status")
    kept = call("memory_store", content="We chose SQLite because it is one file", tags=["db"])["id"]
    call("memory_store", content="We chose SQLite because it is one file")
    call("memory_store", content="Everybody likes tea", everywhere=True)
    call("memory_store", content="x", type="nothing")
    call("memory_store", content="x" * 10_001)
    call("memory_search", query="which database?", limit=3)
    call("memory_search", query="sqllite")
    call("memory_search", query="")
    call("memory_search", query="x", since="soon")
    call("memory_context", task="choose a database", phase="implement")
    call("memory_get", id=kept)
    call("memory_get", id=UNKNOWN)
    call("memory_get", id="../x")
    call("memory_edit", id=kept, tags=["disk"])
    call("memory_forget", id=kept, reason="wrong")
    call("memory_get", id=kept)
    call("memory_forget", id=kept)
    call("memory_revert", id=kept)
    call("memory_revert", id=UNKNOWN)
    call("memory_prune")
    call("memory_status")
    recorded.append({"asked": "resources/list", "data": ask("resources/list")})
    server.stdin.close()
    server.wait()
    server.stdout.close()
    return recorded


def goldens() -> dict[str, str]:
    """The name and text of each file."""
    made: dict[str, Json] = {"openapi": document()}
    made["tools"] = {
        name: tools_for(may_write=may_write)
        for name, may_write in (("all", True), ("read-only", False))
    }
    for name, record in (("command-line", command_line), ("http", over_http), ("mcp", over_mcp)):
        with tempfile.TemporaryDirectory() as folder:
            home = Home(Path(folder).resolve())
            made[name] = record(home)
            home.forks.close()
    return {
        f"{name}.json": json.dumps(value, indent=1, ensure_ascii=False) + "\n"
        for name, value in made.items()
    }


def main() -> int:
    """Write or check them."""
    stale = []
    for name, text in goldens().items():
        path = FOLDER / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
        elif old != text:
            lines = old.splitlines(), text.splitlines()
            stale += [f"{name}:", *difflib.unified_diff(*lines, lineterm="", n=3)]
    print("\n".join(stale), file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
