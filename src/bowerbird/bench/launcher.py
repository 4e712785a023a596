"""Runs one program and reports its cost; started as a script, with no modules loaded.

A child's peak memory includes that of the process it was forked from, so the launcher has to be smaller
than any measured program.
"""

import os
import sys
from time import perf_counter


def main(output: str, program: str, *arguments: str) -> int:
    """Writes CPU seconds, wall seconds, peak memory in bytes and exit code, separated by spaces."""
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
    # Bytes on macOS, kilobytes on Linux.
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    code = os.waitstatus_to_exitcode(status)
    sys.stdout.write(f"{used.ru_utime + used.ru_stime} {wall} {peak} {code}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
