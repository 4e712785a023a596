"""Runs one system of the growth measurement in a separate process: loads rows into it, or queries it.

Started as a script with the file of a system; it takes a job as JSON on standard input and writes
its figures as JSON on standard output. It imports nothing from this package, so that a peer may have
an environment of its own. A system is a module with

- `VERSION`: the version of the measured system,
- `load(folder, texts, vectors)`: loads the rows; `vectors()` returns a float32 array,
- `opened(folder)`: a function from (text, vector, limit) to the numbers of the best rows, after
  reading their texts. The vector is a list of floats,

and, if a larger store would take hours, `MOST`, the maximum number of rows, and `WHY`, the reason.
"""

import importlib.util
import json
import os
import sys
from time import perf_counter, process_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray


def main(path: str) -> int:
    """Runs the job from standard input; output of the system goes to standard error."""
    job = json.load(sys.stdin)
    output = os.dup(1)
    os.dup2(2, 1)
    system = _module(path)
    found = _load(system, job) if job["do"] == "load" else _ask(system, job)
    found["version"] = system.VERSION
    os.write(output, json.dumps(found).encode())
    return 0


def _module(path: str) -> "ModuleType":
    spec = importlib.util.spec_from_file_location("system", path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _load(system: "ModuleType", job: "dict[str, Any]") -> "dict[str, Any]":
    with open(job["rows"], encoding="utf-8") as file:
        texts = [json.loads(line) for line in file]
    most = getattr(system, "MOST", len(texts))
    if len(texts) > most:
        raise ValueError(f"left out above {most:,} rows: {system.WHY}")

    def vectors() -> "NDArray[np.float32]":
        import numpy as np  # start-up: a system without vectors should not carry it

        return np.fromfile(job["vectors"], dtype=np.float32).reshape(len(texts), -1)

    begin, before = perf_counter(), process_time()
    system.load(job["folder"], texts, vectors)
    return {"seconds": perf_counter() - begin, "cpu_s": process_time() - before}


def _ask(system: "ModuleType", job: "dict[str, Any]") -> "dict[str, Any]":
    ask = system.opened(job["folder"])
    before = job["before"]
    for one in job["questions"][:before]:
        ask(one["text"], one["vector"], job["limit"])
    times, spent, rows = [], [], []
    for one in job["questions"][before:]:
        begin, before_cpu = perf_counter(), process_time()
        found = ask(one["text"], one["vector"], job["limit"])
        times.append((perf_counter() - begin) * 1000)
        spent.append((process_time() - before_cpu) * 1000)
        rows.append(found)
    return {"ms": times, "cpu_ms": spent, "rows": rows, "rss_mb": _memory() / 1e6}


def _memory() -> int:
    """Bytes of this process in memory now; the peak if the system reports no more."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource  # start-up: another system's way

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    # The folder of this script: its files must not shadow modules of other packages.
    sys.path.pop(0)
    sys.exit(main(sys.argv[1]))
