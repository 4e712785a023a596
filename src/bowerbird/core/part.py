"""Parts of an object, whose classes are loaded when they are asked for: start-up loads what runs."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Part:
    """An attribute that makes a new value of its declared class each time, of other attributes."""

    __slots__ = ("_kind", "_module", "_of")

    def __init__(self, module: str, of: tuple[str, ...]) -> None:
        self._module = module
        self._of = of
        self._kind = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._kind = owner.__annotations__[name]

    def __get__(self, whole: object, owner: type) -> "Any":
        if whole is None:
            return self
        kind = getattr(__import__(self._module, fromlist=(self._kind,)), self._kind)
        return kind(*[getattr(whole, name) for name in self._of])


def part(module: str, *of: str) -> "Any":
    """Declares a part, by an attribute that is annotated with the name of a class in `module`.

    The class is called with the attributes `of` the whole.
    """
    return Part(f"bowerbird.{module}", of)
