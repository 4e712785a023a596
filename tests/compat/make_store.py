"""Make a small store with the code of another time, for `test_upgrade.py` to open.

    git worktree add --detach OLD COMMIT
    PYTHONPATH=OLD/src python tests/compat/make_store.py tests/compat/stores/N.db.gz

COMMIT is the last one of its schema version, the parent of the one that raised it, which this lists:

    git log --oneline -G "^VERSION = " -- src/bowerbird/storage/sqlite/file/schema.py

A store that is there is never made again: it is what users have.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

START = 1_750_000_000_000
DAY = 86_400_000
# The paths in every store begin so, whoever makes it.
SHOP = Path(tempfile.gettempdir()) / "bowerbird-compat-shop"
# Of no project.
RECIPES = Path(tempfile.gettempdir()) / "bowerbird-compat-home" / "recipes"
FILES = {
    "README.md": "# The shop\n\nOpen from nine to six.\n\n## Till\n\nThe till speaks ESC/POS at 9100.\n",
    "notes/straße.md": "# Lieferanten\n\nDie Bäckerei liegt in der Süßen Straße in Łódź.\n",
    "notes/йогурт.md": "# Заказ\n\nКакой йогурт заказать? Домашний йогурт из Твери.\n",
    "src/till.py": '"""The till."""\n\n\ndef open_drawer(port):\n    return port.write(b"\\x1bp")\n',
    "talk.jsonl": "".join(
        f'{{"type":"{who}","sessionId":"s1","timestamp":"2025-06-1{day}T10:00:00Z",'
        f'"message":{{"role":"{who}","content":"{text}"}}}}\n'
        for day, who, text in (
            (5, "user", "Why does the receipt printer print umlauts as boxes?"),
            (5, "assistant", "It starts in code page 437; switch it to 858 before printing."),
            (6, "user", "And the euro sign?"),
            (6, "assistant", "Code page 858 holds the euro sign at D5."),
        )
    ),
}


class Hands:
    """A clock that is moved by hand, and by a second at each look."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        self.now += 1_000
        return self.now


def fill(path: str) -> None:
    """Write what a store of a few months holds."""
    from bowerbird import Bowerbird

    hands = Hands()
    note_beside(path)
    with Bowerbird.open(path, clock=hands) as bird:
        bird.index(SHOP)
        bird.index(RECIPES)
        port = bird.remember(
            "The receipt printer listens on port 9100.",
            kind="fact",
            tags=["printer", "network"],
            importance=0.8,
            files=["src/till.py"],
            session="morning",
            actor="ana",
        )
        pages = bird.remember(
            "Code page 858 has to be chosen before a receipt with a euro sign is printed.",
            kind="gotcha",
            modules=["till"],
            metadata={"seen": 3},
            confidence=0.9,
            actor="ana",
        )
        bird.remember("We keep prices in cents as integers.", kind="decision", priority="high")
        bird.remember("I prefer short receipts.", kind="preference", everywhere=True)
        bird.remember("The suppliers' list of Süße Straße is on paper.", kind="fact", tags=["süß"])
        # Takes the place of an older one, which holds less.
        bird.remember("The back door key hangs in the office.", kind="fact")
        longer = bird.remember(
            "The back door key hangs in the office behind the calendar.", kind="fact"
        )
        bird.link(port.id, pages.id, "causes", strength=0.7, actor="ana")
        bird.link(port.id, "file:src/till.py", "related_to")
        wrong = bird.remember("The shop's wifi channel is eleven.", kind="fact")
        bird.forget(wrong.id, "it is six", actor="ana")
        bird.revert(wrong.id, actor="ana")
        bird.forget(wrong.id, "it really is six", actor="ana")
        bird.remember("The flyer runs until the end of the week.", kind="fact", expires="7d")
        bird.remember(
            "A supplier's page says that invoices must be paid at once.", origin="tool_external"
        )
        bird.used([port.id, pages.id], "morning")
        (SHOP / "README.md").write_text(FILES["README.md"].replace("six", "seven"))
        hands.now += 40 * DAY
        bird.index(SHOP)
        bird.within("till").remember("The till's drawer sticks in winter.", kind="gotcha")
        bird.prune(actor="ana")
        hands.now += 40 * DAY
        bird.prune(actor="ana")
        bird.revert(longer.id, actor="ana")
        shown = bird.query("Which code page prints the euro sign?")
        assert any("858" in hit.text for hit in shown), "it has to find what it holds"


def note_beside(path: str) -> None:
    """What hooks leave for the first writer."""
    from bowerbird.core.foreign_file import DOWNLOADED, ForeignFile
    from bowerbird.storage.foreign_files import ForeignFiles
    from bowerbird.storage.shown import Shown

    os.makedirs(os.path.dirname(path), exist_ok=True)
    Shown(path).note(("morning",), "low")
    names = ("remote:example.org/ana/shop",)
    page = ForeignFile("notes/page.md", DOWNLOADED, "morning", START, names, str(SHOP))
    ForeignFiles(path).note((page,))


def main(target: str) -> None:
    """Fill a store in a process of its own, so that nothing holds it open, and pack the file."""
    shutil.rmtree(SHOP, ignore_errors=True)
    for name, text in FILES.items():
        (SHOP / name).parent.mkdir(parents=True, exist_ok=True)
        (SHOP / name).write_text(text)
    RECIPES.mkdir(parents=True, exist_ok=True)
    (RECIPES / "bread.md").write_text("Flour for Süßes.\n\n## Dough\n\nA pinch of salt.\n")
    # A repository that was never committed to, known by its remote.
    (SHOP / ".git").mkdir()
    (SHOP / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (SHOP / ".git" / "config").write_text(
        '[remote "origin"]\n\turl = https://example.org/ana/shop.git\n'
    )
    home = tempfile.mkdtemp()
    store = os.path.join(home, "memory.db")
    around = {"HOME": home, "PATH": os.environ["PATH"], "PYTHONPATH": os.environ["PYTHONPATH"]}
    own = [sys.executable, os.path.abspath(__file__), "--fill", store]
    subprocess.run(own, check=True, cwd=SHOP, env=around)
    # No name and no time in the header: the same store gives the same bytes.
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write(Path(store).read_bytes())
    for folder in (home, SHOP, RECIPES.parent):
        shutil.rmtree(folder)


if __name__ == "__main__":
    if sys.argv[1] != "--fill":
        main(sys.argv[1])
    else:
        fill(sys.argv[2])
