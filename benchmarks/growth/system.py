"""One system of the growth measurement, run in two processes: one that loads, one that answers."""

import json
import subprocess

from bowerbird.bench.latency import percentiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LIMIT = 10
# Untimed queries first: caches are warm by then, also at 1,000,000.
WARM_UP = 15
# Timeouts in seconds; a system that exceeds one is skipped with that reason: Chroma loads a million rows
# in some 40 minutes.
_LOADING_S = 5_400
_ANSWERING_S = 1_200


class System:
    """Runs the worker on one system's file, in one folder."""

    def __init__(
        self, command: "Sequence[str]", folder: str, environment: "dict[str, str]"
    ) -> None:
        self._command = command
        self.folder = folder
        self._environment = environment

    def loaded(self, texts: str, vectors: str) -> "dict[str, float]":
        """Loads the rows of two files; returns the seconds it took, wall and CPU time.

        Raises OSError and SubprocessError.
        """
        job = {"do": "load", "rows": texts, "vectors": vectors}
        took = self._do(job, _LOADING_S)
        return {"load_s": round(took["seconds"], 3), "load_cpu_s": round(took["cpu_s"], 3)}

    def asked(self, questions: "Sequence[dict[str, Any]]") -> "dict[str, Any]":
        """The figures of its answers, and the rows of each. Raises OSError and SubprocessError."""
        job = {"do": "ask", "questions": questions, "before": WARM_UP, "limit": LIMIT}
        answered = self._do(job, _ANSWERING_S)
        return {
            "version": answered["version"],
            "ms": percentiles(answered["ms"]),
            "cpu_ms": percentiles(answered["cpu_ms"]),
            "rss_mb": round(answered["rss_mb"], 1),
            "rows": answered["rows"],
        }

    def _do(self, job: "dict[str, Any]", patience: int) -> "dict[str, Any]":
        done = subprocess.run(  # noqa: S603 our own worker, no shell
            self._command,
            input=json.dumps({**job, "folder": self.folder}),
            env=self._environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=patience,
        )
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer
