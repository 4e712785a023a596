"""How many statements a cold query asks of SQLite, whatever the store holds and whatever is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.contract.test_statements import QUESTION, TEXTS, counted

from bowerbird import Bowerbird
from bowerbird.surfaces.cli.start import main

if TYPE_CHECKING:
    from pathlib import Path

BACKENDS = ("file",)  # it counts what SQLite is asked
HALLS = "".join(
    f"\n## Hall {hall}\n\n"
    + f"In hall {hall} the warehouse counts boxes, pallets and lorries. " * 12
    for hall in range(60)
)
NOTES = {
    "deploy.md": "# Deploy\n\nThe deploy needs a green build first. Then the release is tagged.\n",
    "ports.md": "# Ports\n\nThe gateway listens on port 8080, and Redis on port 6379.\n",
    "halls.md": f"# Halls\n{HALLS}",
}
CODE = {
    "gateway.py": '"""The gateway."""\nfrom ports import free_port\n\n\n'
    'def listen(port: int) -> None:\n    """Listen on a port."""\n    bind(free_port(port))\n\n\n'
    'def bind(port: int) -> None:\n    """Bind the socket to a port."""\n    print(port)\n',
    "ports.py": '"""Ports."""\n\n\ndef free_port(start: int) -> int:\n'
    '    """The first free port."""\n    return start + 1 if taken(start) else start\n\n\n'
    'def taken(port: int) -> bool:\n    """Whether a port is taken."""\n    return port < 1024\n',
    "test_ports.py": "from ports import free_port\n\n\n"
    "def test_free_port() -> None:\n    assert free_port(80) == 81\n",
}
MEMORIES = (*TEXTS, "The gateway listens on port 9090", "free_port never returns a port below 1024")
STORES = {
    "documents": (NOTES, ()),
    "code": (CODE, ()),
    "memories": ({}, MEMORIES),
    "mixed": ({**NOTES, **CODE}, MEMORIES),
}
# What is known for sure, by its words, by its meaning only, misspelt, by a name in the code, by its
# callers, in a phrase, in a named file, and with filters.
QUESTIONS = (
    ("The gateway listens on port 9090",),
    ("which port does the gateway listen on",),
    ("what must be running before we check the logins",),
    ("is there a break to get some food in the middle of the day",),
    ("gatway deploy",),
    ("who calls free_port",),
    ("where is freePort defined",),
    ('"green build" of the deploy',),
    ("what does ports.py say about a free port",),
    ("gateway port", "--kind", "fact"),
    ("warehouse pallets", "--min-trust", "normal"),
    ("who calls the gateway", "--path", "gateway"),
    ("what can be tagged after lunch", "--all-projects"),
)


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, store_path: str, tmp_path: Path) -> str:
    files, memories = STORES[request.param]
    for name, text in files.items():
        (tmp_path / "files").mkdir(exist_ok=True)
        (tmp_path / "files" / name).write_text(text, encoding="utf-8")
    with Bowerbird.open(store_path, project="shop") as bird:
        if files:
            bird.index(tmp_path / "files")
        for text in memories:
            bird.remember(text, origin="user")
    return store_path


def test_a_command_asks_few_whatever_is_asked(store: str) -> None:
    asked = {}
    with counted() as statements:
        for question in QUESTIONS:
            assert main(["--store", store, "--project", "shop", "query", *question]) == 0
            asked[question] = statements()
    assert min(asked.values()) > 0
    # The words of a misspelt question are looked up once more; of a file that is named, which memories
    # are about it is looked up, and these are read.
    more = {"gatway deploy": 1, "what does ports.py say about a free port": 2}
    most = {question: QUESTION + more.get(question[0], 0) for question in asked}
    assert {one: count for one, count in asked.items() if count > most[one]} == {}


def test_a_command_asks_few_in_a_folder(store: str, tmp_path: Path) -> None:
    """Without a name the project is that of the folder, which is looked up among the known ones."""
    with counted() as statements:
        assert main(["--store", store, "query", "which port does the gateway listen on"]) == 0
        assert 0 < statements() <= QUESTION
