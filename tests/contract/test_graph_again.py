"""A file that is indexed again: the graph is as if all had been read anew, little was resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from pathlib import Path

HUB = (
    "import other\n\nLIMIT = 3\n\n\n"
    "class Base:\n    size = 1\n\n    def run(self):\n        return 1\n\n\n"
    "def make() -> Base:\n    return Base()\n\n\ndef plain(x):\n    y = x\n    return y\n"
)
FILES = {
    "other.py": "def shared(): ...\n\n\nclass Other:\n    def walk_it(self): ...\n",
    "hub.py": HUB,
    "kid.py": "from hub import *\n\n\nclass Kid(Base):\n    def go(self):\n        self.run()\n"
    "        self.later()\n",
    "user.py": "from hub import *\nfrom other import *\n\n\ndef use(thing):\n    shared()\n"
    "    make().run()\n"
    "    plain(LIMIT)\n    fresh()\n    thing.walk_it()\n    return Base.size\n",
}
EDITS = {
    "a re-export": ("import other\n", "import other\nfrom other import Other as LIMIT2\n"),
    "an import of everything": ("import other\n", "import other\nfrom other import *\n"),
    "an import less": ("import other\n\n", "\n"),
    "a local that is returned": ("    y = x\n", "    y = other.Other()\n"),
    "a body": ("    y = x\n", "    y = [x]\n    z = 2\n"),
    "a comment above all": ("import other\n", "# said\n\nimport other\n"),
    "a function more": ("LIMIT = 3\n", "LIMIT = 3\n\n\ndef fresh(): ...\n"),
    "a method more": ("    size = 1\n", "    size = 1\n\n    def later(self): ...\n"),
    "a twin of a guessed method": (
        "LIMIT = 3\n",
        "LIMIT = 3\n\n\nclass T:\n    def walk_it(self): ...\n",
    ),
    "a name that hides another's": ("LIMIT = 3\n", "LIMIT = 3\n\n\ndef shared(): ...\n"),
    "a function renamed": ("def plain(x)", "def plainly(x)"),
    "another result": ("def make() -> Base:", "def make() -> other.Other:"),
    "another base": ("class Base:", "class Base(other.Other):"),
    "a field of another type": ("    size = 1\n", "    size = other.Other()\n"),
    "a class less": ("    def run(self):\n        return 1\n", ""),
    "an order": (
        "def plain(x):\n    y = x\n    return y\n",
        "\n\ndef first(): ...\n\n\ndef plain(x):\n    y = x\n    return y\n",
    ),
}


def asked(store: Path, sql: str, *values: str) -> set[tuple[object, ...]]:
    connection = apsw.Connection(str(store))
    try:
        return set(connection.execute(sql, values))
    finally:
        connection.close()


def edges(store: Path) -> set[tuple[object, ...]]:
    return asked(
        store,
        "SELECT d.path, n.qualified, e.kind, e.name, t.path, m.qualified, e.origin FROM edge e"
        " JOIN node n ON n.id = e.source JOIN document d ON d.id = n.document"
        " LEFT JOIN node m ON m.id = e.target LEFT JOIN document t ON t.id = m.document",
    )


def edge_ids(store: Path, name: str) -> set[tuple[object, ...]]:
    return asked(
        store,
        "SELECT e.id FROM edge e JOIN document d ON d.id = e.document WHERE d.path LIKE ?",
        f"%/{name}",
    )


@pytest.mark.parametrize("edit", EDITS)
def test_what_is_indexed_again_leads_where_it_would_have_led(tmp_path: Path, edit: str) -> None:
    code = tmp_path / "code"
    code.mkdir()
    for name, text in FILES.items():
        (code / name).write_text(text)
    with Bowerbird.open(tmp_path / "again.db", project="shop") as bird:
        bird.index(code)
        before = edges(tmp_path / "again.db")
        old, new = EDITS[edit]
        assert old in HUB
        (code / "hub.py").write_text(HUB.replace(old, new))
        bird.index(code)
    with Bowerbird.open(tmp_path / "anew.db", project="shop") as bird:
        bird.index(code)
    assert edges(tmp_path / "again.db") == edges(tmp_path / "anew.db")
    assert before  # else nothing would be compared


def test_only_the_file_itself_is_resolved_if_others_see_no_change(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    store = tmp_path / "memory.db"
    with Bowerbird.open(store, project="shop") as bird:
        bird.index(tmp_path)
        user = edge_ids(store, "user.py")
        (tmp_path / "hub.py").write_text(HUB.replace(*EDITS["a body"]))
        bird.index(tmp_path)
        assert edge_ids(store, "user.py") == user  # they were not written again
        (tmp_path / "hub.py").write_text(HUB.replace(*EDITS["another result"]))
        bird.index(tmp_path)
        runs = {row[4:6] for row in edges(store) if row[3] == "make().run"}
        assert runs == {(None, None)}
