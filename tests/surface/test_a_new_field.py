"""A field of a memory is declared in two places, and then every part of the product has it.

The recipe of CONTRIBUTING is done on a copy of the package, which is used and thrown away.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import bowerbird

if TYPE_CHECKING:
    from pathlib import Path

# The recipe: a file, the line below which the field is declared, and its declaration.
RECIPE = (
    (
        "core/memories.py",
        "    work_unit: str = field(",
        '    customer: str = field("text", "who asked for it", default="", metavar="NAME")\n',
    ),
    ("core/draft.py", "        work_unit: str\n", "        customer: str\n"),
)
# What a client of a server of that copy does.
PROGRAM = """
import json, sys
from bowerbird import Client
with Client(sys.argv[1], project="shop") as client:
    kept = client.remember(sys.argv[2], customer="Acme")
    print(client.get(kept.id).details.fields.customer)
    client.edit(kept.id, customer="Umbrella")
    print([one.details.fields.customer for one in client.list(fields=["customer=Umbrella"])])
    print(len(client.list(fields=["customer=Acme"])))
    print(client.history(kept.id).versions[0].fields.customer)
from bowerbird.surfaces.http.openapi import document
print("who asked for it" in json.dumps(document()))
"""
TEXT = "Invoices are sent as one PDF for each month."


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the path with a copy of the package, in which the recipe was done."""
    folder = tmp_path_factory.mktemp("copy")
    source = os.path.dirname(bowerbird.__file__)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, folder / "bowerbird", copy_function=os.symlink, ignore=ignored)
    for name, before, declaration in RECIPE:
        path = folder / "bowerbird" / name
        text = path.read_text()
        assert text.count(before) == 1
        path.unlink()
        path.write_text(text.replace(before, declaration + before))
    return folder


@pytest.fixture
def run(package: Path) -> Any:
    """The last answer of a command of that copy: its data, or its text where it has none."""
    environment = os.environ | {"PYTHONPATH": str(package)}

    def command(*words: str, code: int = 0, stdin: str = "") -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "bowerbird", *words],
            env=environment, input=stdin, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == code, (done.stdout, done.stderr)
        answers = [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]
        return answers[-1].get("data", answers[-1]) if answers else done.stdout

    return command


def test_commands_take_it_keep_it_show_it_and_filter_by_it(run: Any) -> None:
    secret = "ghp_" + "aB3dE6gH9jK2" * 3
    kept = run("curate", TEXT, "--customer", f"Acme {secret}")
    assert kept["redacted"] == ["github-token"]
    assert secret not in (shown := run("get", kept["id"])["customer"])
    assert run("curate", TEXT)["decision"] == "known"
    assert run("get", kept["id"])["customer"] == shown
    assert run("curate", TEXT, "--customer", "Acme")["changed"] == ["customer"]
    assert "customer:" in run("get", kept["id"], "--format", "text")
    run("curate", "Deliveries are on Mondays.", "--customer", "Umbrella")
    batch = '{"content": "The till closes at nine.", "customer": "Acme"}\n'
    run("curate", "--batch", "-", stdin=batch)
    found = run("list", "--field", "customer=Acme")["entries"]
    assert {one["text"] for one in found} == {TEXT, "The till closes at nine."}
    found = run("query", "when are deliveries?", "--field", "customer=Acme")["results"]
    assert "Deliveries are on Mondays." not in [one["text"] for one in found]
    assert run("edit", kept["id"], "--customer", "Umbrella")["changed"] == ["customer"]
    assert [one["customer"] for one in run("history", kept["id"])["versions"]][-1] == "Umbrella"
    run("revert", kept["id"])
    assert run("get", kept["id"])["customer"] == "Acme"
    assert "who asked for it" in run("curate", "--help")
    run("list", "--field", "custome=Acme", code=2)


def test_http_and_its_client_have_it(run: Any, package: Path) -> None:
    run("curate", "Deliveries are on Mondays.", "--project", "shop")
    environment = os.environ | {"PYTHONPATH": str(package)}
    words = [sys.executable, "-m", "bowerbird", "serve", "--port", "0"]
    server = subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        address = next(line for line in server.stderr if line.startswith("serving")).split()[1]
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, address.rstrip(";"), TEXT],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.stdout.split("\n")[:-1] == ["Acme", "['Umbrella']", "0", "Acme", "True"], done
    finally:
        server.terminate()
        server.communicate()


def test_mcp_shows_it(run: Any) -> None:
    kept = run("curate", TEXT, "--customer", "Acme")
    client = {"name": "lines", "version": "1"}
    requests = (
        ("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}),
        ("tools/call", {"name": "memory_get", "arguments": {"id": kept["id"]}}),
    )
    lines = (
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for number, (method, params) in enumerate(requests)
    )
    told = run("mcp", stdin="".join(f"{line}\n" for line in lines))
    assert told["result"]["structuredContent"]["customer"] == "Acme"
