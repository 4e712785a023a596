"""One thread for products of small matrices.

OpenBLAS, which numpy brings, shares each product among a thread a core, which spin while they wait for
each other. For a sentence that never pays: alone on two cores it takes three times the CPU, and beside
other work 20 times the CPU and time.
"""

from contextlib import nullcontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Any


class Threads:
    """Knows the libraries of this process once numpy is loaded."""

    def __init__(self, *, single: bool) -> None:
        """`single`: this process was told to have one thread before numpy was loaded."""
        self._single = single
        self._controller: Any = None

    def one(self) -> "AbstractContextManager[Any]":
        """As long as it is entered, products are made by the thread that asks for them."""
        if self._single:
            return nullcontext()
        if self._controller is None:
            import threadpoolctl  # start-up: the command has set the variable

            self._controller = threadpoolctl.ThreadpoolController()
        limited: AbstractContextManager[Any] = self._controller.limit(limits=1, user_api="blas")
        return limited
