"""Two copies of a store synchronise for the first time, then after one change.

    python benchmarks/syncing.py [--memories 100000] [--folder FOLDER]

Prints seconds of CPU and of the clock for what the one copy writes, what the other one merges, and for a
change on its way from the one to the other. The machine's load is printed with them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from bowerbird.core.exchange import Contents, Held
from bowerbird.core.exchange_lines import lines
from bowerbird.core.history import Version
from bowerbird.core.ids import new_id
from bowerbird.core.life import DAY
from bowerbird.core.memories import Fields

if TYPE_CHECKING:
    from collections.abc import Iterator

PASSPHRASE = "heron valve attic"  # noqa: S105 of folders that go at the end
# When the memories were written.
BEGUN = 1_767_225_600_000
VOCABULARY, WORDS = 30_000, (8, 40)


def main() -> None:
    """Measure it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--folder", help="where the stores stand: a disk, or memory (default)")
    asked = parser.parse_args()
    base = asked.folder or ("/dev/shm" if os.path.isdir("/dev/shm") else None)  # noqa: S108
    with tempfile.TemporaryDirectory(dir=base, prefix="syncing-") as folder:
        for name in ("DATA", "CONFIG", "STATE"):
            os.environ[f"XDG_{name}_HOME"] = os.path.join(folder, name.lower())
        os.chdir(folder)
        spans: dict[str, tuple[float, float]] = {}
        export, shared = os.path.join(folder, "memories.jsonl"), os.path.join(folder, "shared")
        with open(export, "w", encoding="utf-8") as file:
            file.writelines(lines(Contents(list(memories(asked.memories)), {})))
        with Bowerbird.open("one.db") as one, Bowerbird.open("other.db") as other:
            with timed(spans, "imported"):
                one.admin.import_from(export)
            with timed(spans, "first written"):
                sync(one, shared)
            with timed(spans, "first merged"):
                merged = sync(other, shared)
            kept = one.remember("The heron fishes below the weir", origin="user")
            with timed(spans, "a change written"):
                sync(one, shared)
            with timed(spans, "a change merged"):
                sync(other, shared)
            if merged.received.added != asked.memories or not other.get(kept.id).text:
                sys.exit("not all memories arrived")
    figures: dict[str, Any] = {
        name: {"cpu_s": round(cpu, 2), "s": round(clock, 2)} for name, (cpu, clock) in spans.items()
    }
    print(json.dumps({"memories": asked.memories, "load": os.getloadavg()[0], **figures}, indent=1))


def sync(bird: Bowerbird, shared: str) -> Any:
    """One round of a copy."""
    return bird.admin.sync(shared, passphrase=PASSPHRASE, personal=True)


@contextmanager
def timed(spans: dict[str, tuple[float, float]], name: str) -> Iterator[None]:
    """How much CPU it takes, and how long."""
    cpu, clock = time.process_time(), time.perf_counter()
    yield
    spans[name] = time.process_time() - cpu, time.perf_counter() - clock


def memories(count: int) -> Iterator[Held]:
    """Memories of words as frequent as those of a language, a second apart."""
    draw = random.Random(1)  # noqa: S311
    letters = "abcdefghijklmnoprstuvwy"
    words = ["".join(draw.choices(letters, k=draw.randint(3, 10))) for _ in range(VOCABULARY)]
    weights = [1 / (rank + 2) for rank in range(VOCABULARY)]
    replica = new_id(BEGUN)
    for number in range(count):
        at = BEGUN + number * 1_000
        id, version, stamp = new_id(at), new_id(at), f"{at:013d}-0000-{replica}"
        text = " ".join(draw.choices(words, weights, k=draw.randint(*WORDS))).capitalize()
        tags = tuple(sorted(set(draw.choices(words[:50], k=draw.randint(0, 3)))))
        fields = Fields(kind="fact", tags=tags, half_life=90.0)
        yield Held(
            id=id,
            project="",
            trust="normal",
            said=at,
            origin="user",
            source="user_taught",
            agent="",
            session="",
            tainted=False,
            importance=0.5,
            decay_rate=1.0,
            half_life=90.0,
            accessed=at + DAY,
            head=version,
            tags=tuple((name, True, stamp) for name in tags),
            uses={replica: draw.randint(0, 3)},
            versions=(Version(version, id, (), text, fields, "user", "", at, stamp),),
        )


if __name__ == "__main__":
    main()
