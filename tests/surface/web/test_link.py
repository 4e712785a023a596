"""`bower dashboard`: the link that it prints leads to a page."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("arguments", "leads_to"),
    [
        ([], "/ui/"),
        (["review"], "/ui/review"),
        (["remember", "--file", "src/auth.py"], "/ui/teach?file=src%2Fauth.py"),
    ],
)
def test_the_link_leads_to_the_page(tmp_path: Path, arguments: list[str], leads_to: str) -> None:
    command = [sys.executable, "-m", "bowerbird", "--store", str(tmp_path / "memory.db")]
    with subprocess.Popen(
        [*command, "dashboard", *arguments, "--print"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as running:
        assert running.stdout is not None
        link = urlsplit(running.stdout.readline())
        running.send_signal(signal.SIGINT)
        running.communicate()
    assert parse_qs(link.query)["to"] == [leads_to]
    assert link.path == "/ui/enter"
    assert link.fragment
