"""What learning makes of the transcripts of a folder, in the order of time, in a store of its own."""

import json
import os
import tempfile

from bowerbird.bird import Bowerbird

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.ports.progress import Progress

_PROJECT = "learned"
_KEPT = frozenset({"created", "superseded", "quarantined"})


def measure(
    folder: str, out: str | None, progress: "Progress | None" = None
) -> "tuple[dict[str, Any], list[str]]":
    """Counts by signal; with `out` every kept memory with its evidence as JSON lines, for judging."""
    with tempfile.TemporaryDirectory() as place:
        store = os.path.join(place, "memory.db")
        with Bowerbird.open(store, project=_PROJECT) as bird:
            done = bird.admin.learn(folder, progress=progress)
    data = done.as_dict()
    lessons = data.pop("lessons")
    written = []
    if out is not None:
        os.makedirs(out, exist_ok=True)
        path = os.path.join(out, "learned.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for lesson in lessons:
                if lesson["decision"] in _KEPT:
                    file.write(json.dumps(lesson, ensure_ascii=False) + "\n")
        written.append(path)
    reasons: dict[str, int] = {}
    for lesson in lessons:
        reasons[lesson["decision"]] = reasons.get(lesson["decision"], 0) + 1
    return {**data, "decisions": reasons, "took_s": round(done.took_ms / 1000, 1)}, written
