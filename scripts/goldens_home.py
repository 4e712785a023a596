"""A temporary home directory for scripts/goldens.py, and the normalisation of responses."""

import os
import re
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent.parent))
from tests.forked import COMMAND, Forks, at_start

NOTES = "# Auth\n\nRedis must be up before the auth tests.\n\n# Deploys\n\nFridays are for rest.\n"
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}(?:-[0-9a-f]{4}(?:-[0-9a-f]{4}-[0-9a-f]{12})?)?")
_NONCE = re.compile(r"\b[0-9a-f]{16}\b")
_STAMP = re.compile(r"\d{8}-\d{6}(?:_\d+)?")
# Ages are replaced: on a slow machine a run takes minutes.
_AGO = r"(?:just now|\d+ min ago)"
_AGED = (
    (re.compile(rf" {{2,}}([■□]+ \S+) +{_AGO}"), r"  \1  AGO"),
    (re.compile(rf"^(.{{60}}).*… +{_AGO}", re.MULTILINE), r"\1…  AGO"),
    (re.compile(rf" {{2,}}{_AGO}"), "  AGO"),
    (re.compile(_AGO), "AGO"),
)
_NUMBER = re.compile(r"\d+(?:[.:,-]\d+)*")

Json = Any


class Home:
    """A temporary home directory with a folder of notes, in which commands run."""

    def __init__(self, folder: Path) -> None:
        self.forks = Forks()
        self.folder = folder
        self.store = str(folder / "memory.db")
        work = folder / "work"
        (work / "notes").mkdir(parents=True)
        (work / "notes" / "auth.md").write_text(NOTES, encoding="utf-8")
        (work / "batch.jsonl").write_text('"CI needs Go 1.22"\n{"text": ""}\n', encoding="utf-8")
        self.work = work
        kept = {name: os.environ[name] for name in ("PATH", "VIRTUAL_ENV") if name in os.environ}
        kept |= at_start(os.environ)
        places = {
            f"XDG_{one}_HOME": str(folder / one.lower()) for one in ("DATA", "CONFIG", "STATE")
        }
        self.environment = kept | places | {"HOME": str(folder), "BOWER_STORE": self.store}

    def command(self, *words: str) -> list[str]:
        """The arguments that start the command line."""
        return [*COMMAND, *words]

    def run(self, *words: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error."""
        done = self.forks.run(words, b"", self.environment, self.work)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def plain(self, text: str) -> str:
        """A text without what differs between runs."""
        text = text.replace(str(self.work), "WORK").replace(str(self.folder), "HOME")
        text = text.replace(str(Path(sys.executable)), "PYTHON")
        for aged, plain in _AGED:
            text = aged.sub(plain, text)
        text = _NONCE.sub("NONCE", _STAMP.sub("STAMP", text))
        return _NUMBER.sub("N", _ID.sub("ID", text))

    def shape(self, value: Json) -> Json:
        """The types of a value by field; for errors the texts."""
        if isinstance(value, dict) and "error" in value and "remedy" in value:
            return {key: self.plain(str(inner)) for key, inner in value.items()}
        if isinstance(value, dict):
            # The set of stages is the ranking's concern, not this snapshot's.
            fields = {key: one for key, one in value.items() if key != "contributions"}
            return {key: self.shape(one) for key, one in fields.items()}
        if isinstance(value, list):
            shapes: list[Json] = []
            for one in map(self.shape, value):
                if one not in shapes:
                    shapes.append(one)
            return shapes
        return "null" if value is None else type(value).__name__
