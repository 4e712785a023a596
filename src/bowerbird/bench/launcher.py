"""Runs one program and tells what it cost; started as a script of its own, with nothing loaded.

A child's peak memory counts from that of the process it was split from, so whatever starts a
measured program has to be smaller than any of them.
"""

import os
import sys
from time import perf_counter


def main(output: str, program: str, *arguments: str) -> int:
    """Write CPU seconds, wall seconds, peak memory in bytes and exit code, a space apart."""
    target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    begin = perf_counter()
    child = os.posix_spawn(
        program,
        (program, *arguments),
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, target, 1), (os.POSIX_SPAWN_DUP2, target, 2)],
    )
    _, status, used = os.wait4(child, 0)
    wall = perf_counter() - begin
    # macOS counts bytes, Linux kilobytes.
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    code = os.waitstatus_to_exitcode(status)
    sys.stdout.write(f"{used.ru_utime + used.ru_stime} {wall} {peak} {code}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
