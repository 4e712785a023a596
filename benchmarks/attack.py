"""Repeats figures of an attack: bombs with their peak memory, secrets in commands, installations at once.

    python benchmarks/attack.py [bombs | secrets | installs ...] [--worst 10]

Everything runs through the real command in a home of its own. Exit code 1 if a promise was broken.
`attack.md` has the results.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import random
import subprocess
import sys
import tempfile
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bowerbird.guard.redact import redact

if TYPE_CHECKING:
    from collections.abc import Callable

# What a file of at most 4 MB may take: memory above that of the program, and CPU.
MOST_MB = 300
MOST_SECONDS = 5.0
# The first size is parsed, the second is beyond the parser's own limit.
SIZES = (1_400_000, 4_000_000)
CODE = (".py", ".js", ".ts", ".tsx", ".go", ".rs", ".java", ".c", ".cpp")
PARTS = (
    "a<",
    "(",
    "{[",
    "f(",
    "a.",
    "a? b:",
    "<a>",
    "((a)=>",
    "!",
    "a=",
    '"',
    "/*",
    "if(a)",
    "x;\n",
    "class A{",
    "template<",
    "@a\n",
    "def f():\n ",
    "`${",
    "1+",
)
TEXTS = {
    "turns": (".txt", "A: x\nB: y\n"),
    "lines": (".txt", "x\n"),
    "headings": (".md", "# a\n\nb\n"),
    "quotes": (".md", ">"),
    "links": (".md", "[[a]] "),
    "a row": (".csv", "a,"),
    "rows": (".csv", "a,b\n"),
    "lists": (".json", "["),
    "objects": (".json", '{"a":'),
    "keys": (".yaml", "a:\n "),
    "records": (".jsonl", '{"type":"user","sessionId":"s","message":{"content":"a"}}\n'),
    "tags": (".html", "<b>"),
    "text": (".html", "<p>a"),
    "one line": (".txt", "word and other "),
}
LARGE = {"a<": (".ts", "a<"), "(": (".js", "(")}
# The same with a number in each part: different names cost more than the same one repeated.
NAMES = {
    "different links": (".md", "[[n%d]] "),
    "different targets": (".md", "[a](b%d.md) "),
    "different sessions": (
        ".jsonl",
        '{"type":"user","sessionId":"s%d","message":{"content":"a"}}\n',
    ),
    "different keys": (".md", "k%d: v\n"),
    "different constants": (".go", "const A%d = 0\n"),
    "different functions": (".py", "def f%d(): pass\n"),
    "different imports": (".js", "import {a} from './m%d'\n"),
    "Chinese": (".md", "\u4f1a\u8bae\u8bb0\u5f55%d"),
}
EDIT = (
    '{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"WORD",'
    '"name":"Edit","input":{"file_path":"/a.py","old_string":"a","new_string":"b WORD"}}]}}\n'
)
# The same with random words: the first letter of an alphabet, how many there are, and those of a word.
SPELT = {
    "words": (".txt", "WORD ", ("a", 26, 7)),
    "names of five words": (".md", "WORDWordWORDWord ", ("a", 26, 6)),
    "Chinese sentences": (".md", "WORD\u3002\n", ("\u4e00", 20_000, 30)),
    "Arabic words": (".md", "WORD ", ("\u0628", 35, 6)),
    "accented words": (".md", "WORD ", ("\xe0", 31, 6)),
    "letters and digits": (".txt", "WORD ", ("0", 75, 12)),
    "edits": (
        ".jsonl",
        EDIT,
        ("a", 26, 7),
    ),
    "prompts of many lines": (
        ".jsonl",
        '{"type":"user","sessionId":"s","message":{"content":"' + "WORD\\n" * 20 + 'b"}}\n',
        ("a", 26, 7),
    ),
}
# Data that an encoding made of random bytes, in lines and in one.
ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "base64": base64.b64encode,
    "base85": base64.b85encode,
    "hexadecimal": base64.b16encode,
    "base32": base64.b32encode,
}
ENCODED = (
    ("lines", ".txt", "\n", "%s\n"),
    ("one line", ".md", "", "%s\n"),
    ("a string", ".py", "\n", 'A = """%s"""\n'),
    (
        "records",
        ".jsonl",
        "\\n",
        '{"type":"user","sessionId":"s","message":{"content":"%s"}}\n',
    ),
)
LINE = 76
# Before what is repeated.
BEGINS = {"different keys": "---\n"}
INDEX = """
import resource, sys
def peak():
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) // 1024
begun = peak()
from bowerbird.surfaces.cli.app import main
code = main(["index", sys.argv[1], "--format", "json"])
used = resource.getrusage(resource.RUSAGE_SELF)
print(code, peak() - begun, round(used.ru_utime + used.ru_stime, 2), file=sys.stderr)
"""
SEED = 7
ROUNDS = 8
AGENTS = ("claude-code", "codex", "gemini", "cursor")
SETTINGS = {
    ".claude.json": b'{"mcpServers": {"bowerbird": {"command": "mine", "env": {"K": "v"}}}}\n',
    ".claude/settings.json": b'{\n\t"theme": "dark", // mine\n\t"hooks": {}\n}',
    ".codex/config.toml": b'# mine\nmodel = "x"\n',
    ".gemini/settings.json": b'{"z": 1}',
    ".cursor/mcp.json": b'{"mcpServers": {}}\n',
}
DATA = Path(__file__).resolve().parents[1] / "tests" / "data" / "secrets"
# Put together here, so that no scanner of repositories finds them.
SECRETS = ("Harbor" + "-Lamp73", "hunter" + "2")


class Bomb(NamedTuple):
    """A file that was indexed: the exit code, the memory in MB and the CPU seconds that it took."""

    name: str
    code: int
    memory: int
    seconds: float


def bombs(worst: int) -> bool:
    """Index each file by itself; whether all stayed within their bounds."""
    small, large = SIZES
    parsed = [(part.strip(), end, part, small) for end in CODE for part in PARTS]
    texts = [(what, end, part, large) for what, (end, part) in (TEXTS | LARGE).items()]
    # One after the other: all texts together take a gigabyte.
    files = chain(
        (
            (f"{what} {end} {size}", end, part * (size // len(part)))
            for what, end, part, size in parsed + texts
        ),
        (
            (f"{what} {end}", end, _numbered(what, part, large))
            for what, (end, part) in NAMES.items()
        ),
        (
            (f"random {what} {end}", end, _spelt(part, alphabet, large))
            for what, (end, part, alphabet) in SPELT.items()
        ),
        (
            (f"{name} {suffix}, {how}", suffix, part % _encoded(name, end))
            for name in ENCODINGS
            for how, suffix, end, part in ENCODED
        ),
    )
    done = [_indexed(*one) for one in files]
    failed = [one for one in done if one.code]
    greedy = [one for one in done if one.memory > MOST_MB]
    slow = [one for one in done if one.seconds > MOST_SECONDS]
    print(f"{len(done)} files indexed: {len(failed)} failed, {len(greedy)} above {MOST_MB} MB,"
          f" {len(slow)} above {MOST_SECONDS:g} s of CPU")  # fmt: skip
    for title, place in (("memory, MB", 2), ("CPU, s", 3)):
        print(f"\n| most {title} | |\n|---|---|")
        for one in sorted(done, key=itemgetter(place), reverse=True)[:worst]:
            print(f"| `{one.name}` | {one[place]} |")
    return not (failed or greedy or slow)


def _numbered(what: str, part: str, size: int) -> str:
    """The different parts of a text of at most so many bytes."""
    begins = BEGINS.get(what, "")
    numbered = [part % one for one in range(size // len((part % 0).encode()))]
    text = (begins + "".join(numbered)).encode()[: size - len(begins) - 1].decode("utf-8", "ignore")
    return text + f"\n{begins}"


def _spelt(part: str, alphabet: tuple[str, int, int], size: int) -> str:
    """A text of at most so many bytes, with another word in each part."""
    first, letters, length = alphabet
    drawn = random.Random(SEED)  # noqa: S311 no secret
    text = bytearray()
    while len(text) < size:
        word = "".join(chr(ord(first) + one) for one in drawn.choices(range(letters), k=length))
        text += part.replace("WORD", word).replace("Word", word.capitalize()).encode()
    return text[: size - 1].decode("utf-8", "ignore") + "\n"


def _encoded(name: str, end: str) -> str:
    """Random bytes in an encoding, of the larger size; `end` is that of its lines, if it has any."""
    data = random.Random(SEED).randbytes(SIZES[1])  # noqa: S311 no secret
    text = ENCODINGS[name](data)[: SIZES[1] * LINE // (LINE + 2) - 100].decode()
    return end.join(text[at : at + LINE] for at in range(0, len(text), LINE)) if end else text


def _indexed(name: str, suffix: str, text: str) -> Bomb:
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "notes")
        notes.mkdir()
        (notes / f"a{suffix}").write_text(text, encoding="utf-8")
        done = subprocess.run(  # noqa: S603 our own interpreter
            [sys.executable, "-c", INDEX, str(notes)],
            capture_output=True,
            text=True,
            check=False,
            env=_home(folder),
        )
    try:
        code, memory, seconds = done.stderr.splitlines()[-1].split()
    except (IndexError, ValueError):
        return Bomb(name, done.returncode or 1, 0, 0)
    print(f"{name}: {memory} MB, {seconds} s", file=sys.stderr, flush=True)
    return Bomb(name, int(code), int(memory), float(seconds))


def secrets(_worst: int) -> bool:
    """Commands with a secret and without, as they are and as an agent's call quotes them."""
    typed, harmless = (
        (DATA / name).read_text(encoding="utf-8").splitlines()
        for name in ("typed.txt", "harmless.txt")
    )
    print("\n| commands | found or touched | of |\n|---|---|---|")
    whole = True
    for secret in SECRETS:
        for how, quoted in (("", str), (", in a call", _call)):
            lines = [quoted(line.replace("SECRET", secret)) for line in typed]
            found = sum(secret not in redact(line).text for line in lines)
            print(f"| with `{secret}`{how} | {found} | {len(lines)} |")
            whole = whole and (found == len(lines) or bool(how))
    touched = sum(bool(redact(line).findings) for line in harmless)
    print(f"| without a secret | {touched} | {len(harmless)} |")
    return whole and not touched


def _call(line: str) -> str:
    return json.dumps({"command": line, "timeout": 5})


def installs(_worst: int) -> bool:
    """Four agents are connected at once and disconnected at once; how many rounds restored every byte."""
    restored = 0
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as home:
            for name, data in SETTINGS.items():
                path = Path(home, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            codes = _at_once(home, "--yes") + _at_once(home, "--uninstall", "--yes")
            now = {name: Path(home, name).read_bytes() for name in SETTINGS}
            restored += now == SETTINGS and not any(codes)
    print(f"\n{restored} of {ROUNDS} rounds of {len(AGENTS)} agents at once restored byte for byte")
    return restored == ROUNDS


def _at_once(home: str, *options: str) -> list[int]:
    running = [
        subprocess.Popen(  # noqa: S603 our own interpreter
            [sys.executable, "-m", "bowerbird", "install", agent, *options],
            env=_home(home),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for agent in AGENTS
    ]
    return [one.wait() for one in running]


def _home(folder: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BOWER_")}
    below = {f"XDG_{name}_HOME": os.path.join(folder, name) for name in ("DATA", "CONFIG", "STATE")}
    return {**kept, **below, "HOME": folder}


PARTS_OF_IT = {"bombs": bombs, "secrets": secrets, "installs": installs}


def main() -> int:
    """Run some parts, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS_OF_IT)}; all by default")
    parser.add_argument("--worst", type=int, default=5, help="bombs that are listed")
    asked = parser.parse_args()
    if unknown := {*asked.parts} - {*PARTS_OF_IT}:
        parser.error(f"{', '.join(sorted(unknown))}: there are {', '.join(PARTS_OF_IT)}")
    held = [PARTS_OF_IT[name](asked.worst) for name in asked.parts or PARTS_OF_IT]
    return int(not all(held))


if __name__ == "__main__":
    sys.exit(main())
