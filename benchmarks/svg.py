"""A line chart as self-contained SVG, for light and dark backgrounds."""

import math
from html import escape

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMESPACE = "http://www.w3.org/2000/svg"
WIDTH = 640
HEIGHT = 380
_LEFT = 64
_RIGHT = 150
_TOP = 44
_BOTTOM = 52
# Distinguishable with colour blindness, on white and on black (Okabe and Ito, 2008, without black and
# yellow).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
# A grey that is readable on both.
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#767676}.title{font-size:14px;font-weight:600}"
    ".grid{stroke:#8884}.axis{stroke:#888}.limit{stroke-dasharray:2 4;opacity:.8}"
    "@media(prefers-color-scheme:dark){text{fill:#aaa}}"
)
# The label steps of a logarithmic axis within each power of ten.
_STEPS = (1, 2, 5)
_LABEL_GAP = 14


class Series(Value):
    """A line with its name; a `limit` is drawn thin and dotted, in the colour of its index."""

    __slots__ = ("colour", "limit", "name", "points")

    def __init__(
        self,
        name: str,
        points: "Sequence[tuple[float, float]]",
        colour: int = 0,
        limit: bool = False,
    ) -> None:
        self.name = name
        self.points = sorted(points)
        self.colour = COLOURS[colour % len(COLOURS)]
        self.limit = limit


def line_chart(
    title: str, across: str, up: str, series: "Sequence[Series]", times: "Sequence[float]" = ()
) -> str:
    """The chart. Both axes are logarithmic, so values must be above zero.

    With `times` the axis across is linear and marked at these; the lines have no dots.
    """
    across_values = [x for one in series for x, _ in one.points]
    xs = _Axis([*across_values, *times], _LEFT, WIDTH - _RIGHT, exact=True, linear=bool(times))
    ys = _Axis([y for one in series for _, y in one.points], HEIGHT - _BOTTOM, _TOP)
    name, middle = escape(title), (_LEFT + WIDTH - _RIGHT) / 2
    parts = [
        f'<svg xmlns="{_NAMESPACE}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{name}">',
        f"<style>{_STYLE}</style>",
        f'<text class="title" x="{_LEFT}" y="22">{name}</text>',
        f'<text x="{middle:g}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>',
        f'<text x="{_LEFT}" y="38">{escape(up)}</text>',
    ]
    for value in ys.ticks():
        y = ys.pixel(value)
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_short(value)}</text>'
        )
    for value in times or sorted({*across_values}):
        x = xs.pixel(value)
        parts.append(
            f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{HEIGHT - _BOTTOM}"'
            f' y2="{HEIGHT - _BOTTOM + 5}"/>'
            f'<text x="{x:.1f}" y="{HEIGHT - _BOTTOM + 20}" text-anchor="middle">'
            f"{_short(value)}</text>"
        )
    parts += [_drawn(one, xs, ys, dotted=not times) for one in series]
    parts += _names(series, ys)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _drawn(one: Series, xs: "_Axis", ys: "_Axis", *, dotted: bool) -> str:
    pixels = [(xs.pixel(x), ys.pixel(y)) for x, y in one.points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in pixels)
    if one.limit:
        return f'<polyline class="limit" points="{line}" fill="none" stroke="{one.colour}"/>'
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{one.colour}">'
        f"<title>{escape(one.name)}: {value:g}</title></circle>"
        for (x, y), (_, value) in zip(pixels, one.points, strict=True)
        if dotted
    )
    return f'<polyline points="{line}" fill="none" stroke="{one.colour}" stroke-width="2"/>{dots}'


def _names(series: "Sequence[Series]", ys: "_Axis") -> list[str]:
    """The labels at the ends of the lines, moved apart if lines end close together."""
    parts = []
    lowest = -math.inf
    for one in sorted(series, key=lambda one: ys.pixel(one.points[-1][1])):
        lowest = max(ys.pixel(one.points[-1][1]) + 4, lowest + _LABEL_GAP)
        # A style, since the stylesheet's text colour overrides an attribute.
        parts.append(
            f'<text x="{WIDTH - _RIGHT + 10}" y="{lowest:.1f}" style="fill:{one.colour}">'
            f"{escape(one.name)}</text>"
        )
    return parts


def _short(value: float) -> str:
    """100000 as 100k."""
    for unit, sign in ((1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:.3g}{sign}"
    return f"{value:g}"


class _Axis:
    """A scale from values to pixels, logarithmic unless `linear`, rounded outwards unless `exact`."""

    def __init__(
        self,
        values: "Sequence[float]",
        start: float,
        end: float,
        *,
        exact: bool = False,
        linear: bool = False,
    ) -> None:
        self._low, self._high = min(values), max(values)
        if not exact:
            self._low = self._round(self._low, up=False)
            self._high = self._round(self._high, up=True)
        if self._low == self._high:
            self._high *= 2
        self._start, self._end = start, end
        self._linear = linear

    @staticmethod
    def _round(value: float, *, up: bool) -> float:
        power = 10.0 ** math.floor(math.log10(value))
        fits = [step * power for step in (*_STEPS, 10)]
        if up:
            return next(figure for figure in fits if figure >= value * (1 - 1e-9))
        return max(figure for figure in fits if figure <= value * (1 + 1e-9))

    def pixel(self, value: float) -> float:
        """The pixel of a value."""
        if self._linear:
            share = (value - self._low) / (self._high - self._low)
        else:
            share = math.log(value / self._low) / math.log(self._high / self._low)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> list[float]:
        """Round values from one end to the other."""
        first, last = math.floor(math.log10(self._low)), math.ceil(math.log10(self._high))
        found = [step * 10.0**power for power in range(first, last + 1) for step in _STEPS]
        return [value for value in found if self._low * 0.999 <= value <= self._high * 1.001]
