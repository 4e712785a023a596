"""Limits products of small matrices to one thread.

OpenBLAS, which numpy uses, splits each product among one thread per core, which busy-wait for each other.
For one sentence that never pays: on two idle cores it takes three times the CPU, and beside other work 20
times the CPU and time.
"""

from contextlib import nullcontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Any


class Threads:
    """Controls the BLAS threads of this process, once numpy is loaded."""

    def __init__(self, *, single: bool) -> None:
        """`single`: the process was limited to one thread before numpy was loaded."""
        self._single = single
        self._controller: Any = None

    def one(self) -> "AbstractContextManager[Any]":
        """A context in which matrix products run in the calling thread only."""
        if self._single:
            return nullcontext()
        if self._controller is None:
            import threadpoolctl  # start-up: the command has set the variable

            self._controller = threadpoolctl.ThreadpoolController()
        limited: AbstractContextManager[Any] = self._controller.limit(limits=1, user_api="blas")
        return limited
