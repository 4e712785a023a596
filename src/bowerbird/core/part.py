"""Parts of an object, whose classes are loaded when they are asked for: start-up loads what runs."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Part:
    """An attribute that makes a new value of its declared class each time, of other attributes."""

    __slots__ = ("kind", "module", "of")

    def __init__(self, module: str, of: tuple[str, ...]) -> None:
        self.module = module
        self.of = of
        self.kind = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.kind = owner.__annotations__[name]

    def __get__(self, whole: object, owner: type) -> "Any":
        if whole is None:
            return self
        kind = getattr(__import__(self.module, fromlist=(self.kind,)), self.kind)
        return kind(*[getattr(whole, name) for name in self.of])


def part(module: str, *of: str) -> "Any":
    """Declares a part, by an attribute that is annotated with the name of a class in `module`.

    The class is called with the attributes `of` the whole.
    """
    return Part(f"bowerbird.{module}", of)
