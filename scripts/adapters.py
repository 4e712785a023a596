"""Runs the tests of the adapters, and of Hermes, against the real packages: an environment for each.

    python scripts/adapters.py                 # all of them; some take minutes to install
    python scripts/adapters.py langgraph crewai

The environments are in `.adapters/`, which `make clean` removes. LangGraph's own tests of a store are in
the source of langgraph-checkpoint: they run over ours.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = ROOT / ".adapters"
PYTHON = (
    "anthropic",
    "autogen",
    "crewai",
    "google-adk",
    "hermes",
    "langchain",
    "langgraph",
    "llama-index",
    "openai-agents",
    "pydantic-ai",
)
VERCEL = "vercel-ai"
# What LangGraph's tests of its store in memory are to be run over.
_STORE = """
import tempfile
from bowerbird import Bowerbird
from bowerbird.surfaces.adapters.langgraph import BowerbirdStore


class InMemoryStore(BowerbirdStore):
    __slots__ = ("index_config",)

    def __init__(self, index=None):
        self.index_config = index
        place = tempfile.mkdtemp()
        super().__init__(Bowerbird.open(f"{place}/memory.db", project="x", resident=True))

    def batch(self, ops):
        return super().batch(ops)

    async def abatch(self, ops):
        return super().batch(ops)
"""
# They expect the cosines of an embedder that the test brings along.
_OTHERS_VECTORS = "not update_with_embedding and not test_embed_with_path"


def main(names: list[str]) -> int:
    """Run the tests of some frameworks, or of all. Returns how many failed."""
    unknown = [name for name in names if name not in (*PYTHON, VERCEL)]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; one of {', '.join((*PYTHON, VERCEL))}")
    failed = 0
    for name in names or (*PYTHON, VERCEL):
        ok = _vercel() if name == VERCEL else _python(name)
        print(f"{name}: {'ok' if ok else 'FAILED'}", flush=True)
        failed += not ok
    return failed


def _python(name: str) -> bool:
    place = PLACE / name
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
    # An agent is no extra of ours: its package is installed beside.
    ours = [ROOT, "hermes-agent"] if name == "hermes" else [f"{ROOT}[{name}]"]
    more = ["pytest", "hypothesis"]
    more += ["pytest-asyncio", "pytest-mock"] if name == "langgraph" else []
    _run([python, "-m", "pip", "install", "-q", "-e", *ours, *more])
    which = ["tests/adapters", "-q", "-rs", "-k", name.replace("-", "_")]
    tests: list[str | Path] = [python, "-m", "pytest", "-p", "no:asyncio", *which]
    return _ok(tests, ROOT) and (name != "langgraph" or _conforms(python, place))


def _conforms(python: Path, place: Path) -> bool:
    """LangGraph's own tests of a store, over ours."""
    fetch = "-m pip download -q --no-deps --no-binary :all: langgraph-checkpoint -d".split()
    _run([python, *fetch, place])
    (source,) = sorted(place.glob("langgraph_checkpoint-*.tar.gz"))[-1:]
    with tarfile.open(source) as packed:
        packed.extractall(place, filter="data")
    folder = place / source.name.removesuffix(".tar.gz")
    (folder / "over_bowerbird.py").write_text(_STORE)
    given = (folder / "tests" / "test_store.py").read_text()
    given = given.replace("from langgraph.store.memory import", "from over_bowerbird import")
    (folder / "tests" / "test_over_bowerbird.py").write_text(given)
    how: list[str | Path] = [
        "-q",
        "-o",
        "asyncio_mode=auto",
        "-p",
        "no:cacheprovider",
        "-k",
        _OTHERS_VECTORS,
    ]
    return _ok([python, "-m", "pytest", "tests/test_over_bowerbird.py", *how], folder)


def _vercel() -> bool:
    if shutil.which("npm") is None:
        print("npm is not installed")
        return False
    place = PLACE / VERCEL
    place.mkdir(parents=True, exist_ok=True)
    (place / "package.json").write_text('{"private": true, "type": "module"}')
    own = str(ROOT / "integrations" / "vercel-ai")
    subprocess.run(
        ["npm", "install", "--silent", "--install-links", own, "ai"], cwd=place, check=True
    )
    page = (ROOT / "docs" / "adapters" / "vercel-ai.md").read_text()
    program = re.search(r"```js\n(.*?)```", page, re.DOTALL)
    expected = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    if program is None or expected is None:
        return False
    (place / "program.mjs").write_text(program[1])
    around = {**os.environ, "BOWER_SERVE_TOKEN": "t" * 43}
    around["XDG_STATE_HOME"] = around["XDG_DATA_HOME"] = str(place / "home")
    shutil.rmtree(place / "home", ignore_errors=True)
    serve = [sys.executable, "-m", "bowerbird", "serve", "--port", "0"]
    with subprocess.Popen(
        serve, cwd=place, env=around, stderr=subprocess.PIPE, text=True
    ) as server:
        line = server.stderr.readline() if server.stderr is not None else ""
        address = re.search(r"http://[\d.:]+", line)
        around |= {"BOWER_URL": address[0] if address else "", "BOWER_TOKEN": "t" * 43}
        done = subprocess.run(
            ["node", "program.mjs"],
            cwd=place,
            env=around,
            capture_output=True,
            text=True,
            check=False,
        )
        server.terminate()
    if done.stdout != expected[1]:
        print(done.stdout, done.stderr)
    return done.stdout == expected[1]


def _run(command: "list[Path | str]") -> None:
    subprocess.run(command, check=True, cwd=ROOT)


def _ok(command: "list[str | Path]", folder: Path) -> bool:
    return subprocess.run(command, cwd=folder, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
