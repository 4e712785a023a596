"""The words of the pages in a language, with plurals, numbers and dates: `languages/`."""

import os
import re
import time
import tomllib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Patterns = list[tuple[re.Pattern[str], str]]

_FOLDER = os.path.join(os.path.dirname(__file__), "languages")
USUAL = "en"
_MINUTE, _HOUR, _DAY = 60_000, 3_600_000, 86_400_000
# How what stands in some places of a sentence looks: an id of a memory, the checks that a digest names.
_ID = "[0-9a-f-]{6,36}"
_CHECK = "(?:tests|lint|type check|build)"
_LOOKS = {"id": _ID, "other": _ID, "checks": f"{_CHECK}(?:, {_CHECK})*"}
# What stands for a number that is counted or measured; a number in a quoted text stays as it is written.
_NUMBERS = frozenset(("n", "m", "l", "d", "t", "s", "p", "free", "size", "low", "high"))


class Language:
    """One language. `say` fills a text; texts with `one` and `other` go by the number `n`."""

    def __init__(self, name: str) -> None:
        self.name = name
        with open(os.path.join(_FOLDER, name + ".toml"), "rb") as file:
            tables = tomllib.load(file)
        # Sentences of the verbs and errors, which are English, as patterns.
        self._told, self._failed, self._digest = (
            _patterns(tables.pop(one, {})) for one in ("told", "failed", "digest")
        )
        self.texts = flat(tables)
        self._thousands = self.texts["format.thousands"]
        self._decimal = self.texts["format.decimal"]

    def say(self, key: str, **values: "Any") -> str:
        """A text, with its values in place; numbers as this language writes them."""
        if key not in self.texts:
            key += ".one" if self._is_one(values.get("n", 0)) else ".other"
        shown = {
            name: self.number(one) if type(one) in {int, float} else one
            for name, one in values.items()
        }
        return str(self.texts[key]).format(**shown)

    def known(self, key: str, default: str) -> str:
        """A text of what others named, such as a kind; the name itself where there is none."""
        return str(self.texts.get(key, default))

    def fields(self, names: "Iterable[str]") -> str:
        """The names of fields of a memory, as a list."""
        return ", ".join(self.known(f"field.{one}", one) for one in names)

    def told(self, text: str) -> str:
        """A sentence of a verb in this language; as it is, in English, where it is not known."""
        return self._said(text, self._told)

    def listed(self, items: "Iterable[str]") -> str:
        """What a digest of a session lists, one after the other; what it quotes stays as it is."""
        return "; ".join(self._said(one, self._digest) for one in items)

    def failed(self, text: str) -> str:
        """An error, or its remedy, in this language; as it is where it is not known."""
        return self._said(text, [*self._failed, *self._told])

    def _said(self, text: str, patterns: "Patterns") -> str:
        for pattern, here in patterns:
            found = pattern.fullmatch(text)
            if found is None:
                continue
            values = {
                name: self._value(one) if name in _NUMBERS else one
                for name, one in found.groupdict().items()
            }
            if "fields" in values:
                values["fields"] = self.fields(values["fields"].split(", "))
            why = values.get("why")
            if why is not None:
                values["why"] = self.told(why)
                if values["why"] == why:
                    continue
            if "checks" in values:
                checks = values["checks"].split(", ")
                values["checks"] = ", ".join(self._said(one, self._digest) for one in checks)
            if "what" in values:
                values["what"] = self.told(values["what"])
            return str(here).format(**values)
        return text

    def _value(self, text: str) -> str:
        whole, dot, rest = text.partition(".")
        is_number = whole.replace(",", "").isdigit() and (rest.isdigit() or not dot)
        return self.number(float(text.replace(",", "")), len(rest)) if is_number else text

    def _is_one(self, number: float) -> bool:
        # French counts zero as one.
        return number == 1 or (self.name == "fr" and 0 <= number < 2)  # noqa: PLR2004 of French

    def number(self, value: float, digits: int = 0) -> str:
        """A number with the separators of the language."""
        text = f"{value:,.{digits}f}" if digits or type(value) is float else f"{value:,}"
        whole, dot, rest = text.partition(".")
        return whole.replace(",", self._thousands) + (self._decimal + rest if dot else "")

    def figures(self, text: str) -> str:
        """A formula, with its numbers as this language writes them."""
        return re.sub(r"(?<=\d)\.(?=\d)", self._decimal, text)

    def share(self, value: float | None) -> str:
        """A share from 0 to 1, as a number of two digits."""
        return "–" if value is None else self.number(float(value), 2)

    def day(self, at: int) -> str:
        """A time (UTC milliseconds) as a date, with the year unless it is this one."""
        when, now = time.localtime(at / 1000), time.localtime()
        month = self.texts["format.months"].split()[when.tm_mon - 1]
        year = f" {when.tm_year}" if when.tm_year != now.tm_year else ""
        return f"{when.tm_mday} {month}{year}"

    def hour(self, at: int) -> str:
        """A time as hours and minutes."""
        return time.strftime("%H:%M", time.localtime(at / 1000))

    def age(self, at: int, now: int) -> str:
        """How long ago a time is: minutes up to an hour, hours up to a day, then its date."""
        gone = max(0, now - at)
        if gone >= _DAY:
            return self.day(at)
        if gone >= _HOUR:
            return self.say("ago.hours", n=gone // _HOUR)
        return (
            self.say("ago.minutes", n=gone // _MINUTE) if gone >= _MINUTE else self.say("ago.now")
        )


def _patterns(said: "dict[str, str]") -> "Patterns":
    """Longer ones first: they are more exact."""
    return [
        (_pattern(one), here) for one, here in sorted(said.items(), key=lambda one: -len(one[0]))
    ]


def _pattern(said: str) -> "re.Pattern[str]":
    parts = re.split(r"{(\w+)}", said)
    named = (
        f"(?P<{one}>{_LOOKS.get(one, '.+?')})" if at % 2 else re.escape(one)
        for at, one in enumerate(parts)
    )
    return re.compile("".join(named), re.DOTALL)


def flat(tables: "dict[str, Any]", above: str = "") -> "dict[str, str]":
    """The texts of nested tables, by their names joined with dots."""
    found: dict[str, str] = {}
    for name, value in tables.items():
        key = f"{above}{name}"
        found |= flat(value, key + ".") if isinstance(value, dict) else {key: str(value)}
    return found


def available() -> "tuple[str, ...]":
    """The languages that there are, the usual one first."""
    names = sorted(one[:-5] for one in os.listdir(_FOLDER) if one.endswith(".toml"))
    return (USUAL, *(one for one in names if one != USUAL))


def preferred(accepted: str, names: "tuple[str, ...]") -> str:
    """The first language of an Accept-Language header that there is, by its order of weights."""
    weighed = []
    for at, part in enumerate(accepted.split(",")):
        tag, _, weight = part.partition(";q=")
        try:
            weighed.append((-float(weight or 1), at, tag.strip().partition("-")[0].lower()))
        except ValueError:
            continue
    return next((tag for _, _, tag in sorted(weighed) if tag in names), USUAL)
