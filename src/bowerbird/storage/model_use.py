"""What models were asked: noted beside the store, and taken into its table by the next writer.

Questions to a model come from readers too: they would wait for the writer, and drop cached answers.
"""

from bowerbird.core.model_use import Use
from bowerbird.storage.side_file import TOKEN, WHAT, SideFile, lines_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Line = dict[str, Any]

# What a line of the side file records: a use of a model.
MODEL = "model"
_MARK = b'"what":"model"'
_LONGEST = 300


class ModelUses:
    """The uses of models over one store, of all processes."""

    def __init__(self, store: str, kept: "Callable[[int], Iterable[Line]]") -> None:
        """`kept` are the lines of the table since a time."""
        self._side = SideFile(store)
        self._kept = kept

    def note(self, use: Use) -> bool:
        """Record a use; whether that worked."""
        line = {WHAT: MODEL, **use.raw_dict(), "use": use.kind}
        del line["kind"]
        return self._side.append([line])

    def since(self, at: int) -> "Iterator[Use]":
        """The uses since a time, in the order in which they were recorded."""
        # The side file first: a line that is folded meanwhile is then seen twice rather than never.
        waiting = self._side.waiting()
        seen: set[object] = set()
        for line in (*self._kept(at), *lines_with(waiting, _MARK)):
            if line.get(TOKEN) in seen:
                continue
            seen.add(line.get(TOKEN))
            use = use_of(line)
            if use is not None and use.at >= at:
                yield use


def use_of(line: "Line") -> Use | None:
    """The use that a line records; None for one that no program of ours wrote."""
    try:
        return Use(
            int(line["at"]),
            str(line["use"])[:_LONGEST],
            str(line["model"])[:_LONGEST],
            str(line.get("task", ""))[:_LONGEST],
            int(line.get("read", 0)),
            int(line.get("written", 0)),
            float(line.get("cost", 0.0)),
            str(line.get("error", ""))[:_LONGEST],
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
