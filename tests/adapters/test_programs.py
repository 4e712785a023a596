"""The program on each framework's page, run against the real package: it prints what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "adapters"
# The package by which each page's framework is known here.
NEEDS = {
    "anthropic": "anthropic",
    "autogen": "autogen_core",
    "crewai": "crewai",
    "google-adk": "google.adk",
    "langchain": "langchain",
    "langgraph": "langgraph",
    "llama-index": "llama_index",
    "openai-agents": "agents.memory",
    "pydantic-ai": "pydantic_ai",
}
QUIET = {"CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true"}


def installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def test_each_adapter_has_a_page_and_a_row() -> None:
    pages = {page.stem for page in PAGES.glob("*.md")} - {"README"}
    assert pages == {*NEEDS, "vercel-ai"}
    overview = (PAGES / "README.md").read_text()
    assert all(f"({page}.md)" in overview for page in pages)


@pytest.mark.parametrize("name", NEEDS, ids=lambda name: name.replace("-", "_"))
def test_the_program_of_the_page_prints_what_the_page_says(name: str, tmp_path: Path) -> None:
    if not installed(NEEDS[name]):
        pytest.skip(f"{NEEDS[name]} is not installed: make adapters ONLY={name}")
    page = (PAGES / f"{name}.md").read_text()
    program = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    expected = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    assert program is not None
    assert expected is not None
    done = subprocess.run(
        [sys.executable, "-c", program[1]],
        cwd=tmp_path,
        env={**os.environ, **QUIET, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == (expected[1], 0), done.stderr


@pytest.mark.parametrize("name", NEEDS)
def test_a_missing_package_is_named_with_the_line_that_installs_it(name: str) -> None:
    if installed(NEEDS[name]):
        pytest.skip(f"{NEEDS[name]} is installed")
    module = f"bowerbird.surfaces.adapters.{name.replace('-', '_')}"
    code = f"try:\n import {module}\nexcept Exception as e:\n print(type(e).__name__, e.remedy)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("MissingExtra ")
    assert f"[{name}]" in done.stdout
