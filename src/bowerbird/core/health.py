"""What a look at the store's health found."""

from bowerbird.core.value import Value

LEVELS = ("ok", "warning", "problem")
OK, WARNING, PROBLEM = LEVELS


class Finding(Value):
    """One thing looked at: `level` is one of LEVELS, `remedy` empty where nothing is to be done.

    Of a setting, `origin` is the file, variable or flag that its value came from.
    """

    __slots__ = ("check", "found", "level", "origin", "remedy")

    def __init__(
        self, check: str, found: str, level: str = OK, remedy: str = "", origin: str = ""
    ) -> None:
        self.check = check
        self.found = found
        self.level = level
        self.remedy = remedy
        self.origin = origin
