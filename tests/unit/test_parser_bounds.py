"""Hostile source files are given up within the parser's bounds of memory and time."""

from __future__ import annotations

import subprocess
import sys

import pytest

MEASURE = """
import resource, sys, time
from bowerbird.code.syntax.outlining import outlined
part, suffix = sys.argv[1], sys.argv[2]
text = (part * (1_400_000 // len(part)))
found = outlined(text, suffix)
used = resource.getrusage(resource.RUSAGE_SELF)
# Not ru_maxrss: a child inherits the peak of the process that it was forked from.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(found is None, int(peak.split()[1]) // 1024, used.ru_utime + used.ru_stime)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process knows only its peak")
@pytest.mark.parametrize(
    ("part", "suffix"),
    [
        ("a<", ".ts"),
        ("a<", ".tsx"),
        ("(", ".js"),
        ("a? b:", ".ts"),
        ("a.", ".java"),
        ("f(", ".py"),
        ("{[", ".go"),
        ("[{", ".go"),
    ],
)
def test_a_bomb_of_source_is_not_parsed_and_takes_little_memory(part: str, suffix: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, part, suffix], capture_output=True, text=True, check=True
    )
    given_up, megabytes, seconds = done.stdout.split()
    assert given_up == "True"
    assert int(megabytes) < 300
    assert float(seconds) < 5
