"""`bower dashboard`: the link that it prints leads to a page."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.surface.web.conftest import Pages


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


def test_a_link_to_a_running_server_is_in_the_answer_of_a_pipe(pages: Pages) -> None:
    command = [sys.executable, "-m", "bowerbird", "dashboard", "--print"]
    done = subprocess.run(
        command,
        env=pages.shop.environment,
        cwd=pages.shop.project,
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    assert answer["success"], done.stderr
    assert urlsplit(answer["data"]["link"]).fragment
