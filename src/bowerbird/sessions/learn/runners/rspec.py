"""RSpec. Read from outputs of RSpec 3.12."""

import re

from bowerbird.sessions.learn.runners.report import FailedTest, Runner, block, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = re.compile(r"(?m)^ +\d+\) (?P<name>\S.*)\n +Failure/Error: ?(?P<code>.*)\n")
_LISTED = re.compile(r"(?m)^rspec (?:'|\./)?(?P<file>[^\s:\[']+)\S* # (?P<name>.+)$")
_LOCATION = re.compile(r"(?m)^ +# (?:\./)?(?P<file>\S+_spec\.rb):\d+:in ")
_ENDS = re.compile(r"^ +(?:# \S+:\d+:in|\(compared using)|^Finished in |^ +\d+\) ")


def _failures(text: str) -> "Iterator[FailedTest]":
    files = {one["name"]: one["file"] for one in _LISTED.finditer(text)}
    found: dict[str, FailedTest] = {}
    for one in _HEAD.finditer(text):
        said = block(text, one.end(), _ENDS)
        # The quoted code may have several lines, up to an empty one.
        details = said[next((at for at, line in enumerate(said) if not line.strip()), 0) :]
        place = _LOCATION.search(text, one.end())
        file = files.get(one["name"]) or (place["file"] if place else "")
        found[one["name"]] = FailedTest(one["name"], one["name"], file, message(details))
    for name, file in files.items():
        found.setdefault(name, FailedTest(name, name, file))
    yield from found.values()


RUNNER = Runner(
    "rspec",
    _failures,
    failed=(
        r"^\d+ examples?, [1-9]\d* failures?",
        r"^\d+ examples?, 0 failures, .*\b[1-9]\d* errors? occurred",
        r"^ +Failure/Error: ",
        r"^rspec \S+ # ",
    ),
    passed=(r"^[1-9]\d* examples?, 0 failures",),
)
