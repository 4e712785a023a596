"""Recall, false positives and speed of the redactor.

    python benchmarks/redaction.py [--held] [FILE ...]
    python benchmarks/redaction.py --against FOLDER

The labelled texts are in `tests/data/secrets`; `--held` counts the held-out half, by kind only. FILEs
are texts, or JSON lines with a field `text`, in which speed and redactions are measured. `--against`
measures the package in a FOLDER, the `src` of another commit, alternately with this one.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bowerbird.guard import scan
from bowerbird.guard.redact import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CORPUS = Path(__file__).resolve().parents[1] / "tests" / "data" / "secrets" / "corpus.py"
# The size of a passage, and how much text is timed, in characters.
PASSAGE = 1600
TIMED = 5_000_000
ADVERSARIAL = 100_000
# Passages of each sort for a comparison of two commits, and processes of each commit.
COMPARED = 1_250
ROUNDS = 4
# The timing script, run with either commit: the best of three after warming up.
TIMER = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from bowerbird.guard.redact import redact
texts = json.load(sys.stdin)
for text in texts["loud"][:400]:
    redact(text)
def seconds(several):
    began = time.process_time()
    for text in several:
        redact(text)
    return time.process_time() - began
print(json.dumps({name: min(seconds(several) for _ in range(3)) for name, several in texts.items()}))
"""

# Texts that nearly match, or match, at every position.
HOSTILE = {
    "one letter": "a",
    "the word password": "password ",
    "password is": "password is ",
    "a password each 19 characters": "password=Abc12345x ",
    "a token each 41 characters": "ghp_" + "a1B2" * 9 + " ",
    "addresses without an end": "a://b:",
    "heads of keys": "-----BEGIN PRIVATE " + "KEY-----\nabc",
    "heads of JWTs": "eyJ" + "a" * 12 + ".",
    "cookies": "cookie: ",
    "headers": "authorization: bearer ",
    "commands": "mysql -pab12cd34 ",
    "blanks after a name": "password:\n\n",
    "marks": "[REDACTED:x] password is ",
    "every keyword": b" ".join(scan.keywords()).decode(),
}


def labelled() -> Any:
    """The module that generates the labelled texts."""
    spec = importlib.util.spec_from_file_location("secrets_corpus", CORPUS)
    if spec is None or spec.loader is None:
        sys.exit(f"{CORPUS} is not there")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def show_labelled(corpus: Any, half: str) -> None:
    """Secrets found by kind, and benign texts touched by source."""
    shapes = [shape for shape in corpus.shapes() if shape.half == half]
    lost = Counter(
        shape.kind
        for shape in shapes
        if any(secret in redact(shape.text).text for secret in shape.secrets)
    )
    texts = [benign for benign in corpus.benign() if benign.half == half]
    marked = Counter(
        benign.source.split("/")[0] for benign in texts if redact(benign.text).findings
    )
    total, missed = len(shapes), lost.total()
    print(f"\n{half}: {total - missed} of {total} secrets found ({1 - missed / total:.1%})")
    print(f"{half}: {marked.total()} of {len(texts)} benign texts touched {dict(marked)}")
    kinds = Counter(shape.kind for shape in shapes)
    for kind, count in kinds.items():
        print(f"| {kind} | {count - lost[kind]} of {count} |")


def rate(work: Callable[[], object], size: int) -> float:
    """Megabytes per second of CPU time, the best of three."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return size / 1e6 / min(times)


def milliseconds(text: str) -> float:
    """CPU time for one text, in milliseconds."""
    return 1e-3 / rate(lambda: redact(text), 1)


def show_speed(name: str, texts: Sequence[str]) -> None:
    """Print the reading speed and the number of redactions."""
    size = sum(len(text.encode()) for text in texts)
    speed = rate(lambda: [redact(text) for text in texts], size)
    marked = sum(bool(redact(text).findings) for text in texts)
    print(f"| {name} | {len(texts):,} | {size / 1e6:.1f} | {speed:.0f} | {marked} |")


def passages(corpus: Any, *, quiet: bool) -> list[str]:
    """Benign text in passages; quiet ones contain no keyword."""
    texts = [benign.text for benign in corpus.benign() if benign.source != "made"]
    if quiet:
        texts = [
            text
            for text in texts
            if not any(keyword in text.lower().encode() for keyword in scan.keywords())
        ]
    whole = "\n".join(texts)
    whole *= -(-TIMED // len(whole))
    return [whole[start : start + PASSAGE] for start in range(0, TIMED, PASSAGE)]


def against(folder: Path, corpus: Any) -> None:
    """The best of several alternating processes: MB/s for passages, ms for hostile texts."""
    texts = {
        "quiet": passages(corpus, quiet=True)[:COMPARED],
        "loud": passages(corpus, quiet=False)[:COMPARED],
        **{name: [hostile(part)] for name, part in HOSTILE.items()},
    }
    best: dict[tuple[str, int], float] = {}
    ours = Path(scan.__file__).resolve().parents[2]
    for _ in range(ROUNDS):
        for which, source in enumerate((ours, folder.resolve())):
            done = subprocess.run(  # noqa: S603 our own interpreter
                [sys.executable, "-c", TIMER, source],
                input=json.dumps(texts),
                capture_output=True,
                text=True,
                check=True,
            )
            for name, seconds in json.loads(done.stdout).items():
                best[name, which] = min(best.get((name, which), seconds), seconds)
    print("| texts | this | other | of the other's speed |\n|---|---|---|---|")
    for name, several in texts.items():
        mine, other = best[name, 0], best[name, 1]
        size = sum(len(text.encode()) for text in several) / 1e6
        cells = (
            [f"{size / one:.0f} MB/s" for one in (mine, other)]
            if len(several) > 1
            else [f"{one * 1e3:.1f} ms" for one in (mine, other)]
        )
        print(f"| {name} | {cells[0]} | {cells[1]} | {other / mine:.2f} |")


def hostile(part: str) -> str:
    """A part repeated up to the size that is timed."""
    return (part * (ADVERSARIAL // len(part) + 1))[:ADVERSARIAL]


def main() -> None:
    """Print the results in `secrets.md`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", action="store_true", help="count the held-out half too")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="the src of another commit")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    corpus = labelled()
    if options.against:
        against(options.against, corpus)
        return
    quiet = passages(corpus, quiet=True)
    print("| texts | number | MB | MB/s | touched |\n|---|---|---|---|---|")
    show_speed("without a keyword", quiet)
    show_speed("library code, two thirds about secrets", passages(corpus, quiet=False))
    for file in options.files:
        lines = file.read_text(encoding="utf-8").splitlines()
        is_jsonl = file.suffix == ".jsonl"
        texts = [json.loads(line)["text"] for line in lines] if is_jsonl else ["\n".join(lines)]
        show_speed(file.parent.name if is_jsonl else file.name, texts)
    show_labelled(corpus, corpus.DEV)
    if options.held:
        show_labelled(corpus, corpus.HELD)
    print(f"\n| {ADVERSARIAL // 1000} KB of | ms | twice as much |\n|---|---|---|")
    for name, part in HOSTILE.items():
        text = hostile(part)
        once = milliseconds(text)
        twice = milliseconds(text + text)
        print(f"| {name} | {once:.1f} | {twice:.1f} |")


if __name__ == "__main__":
    main()
