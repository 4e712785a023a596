"""Converts an event to a line of the journal, truncated and without secrets. Pure."""

from bowerbird.core.config import FULL
from bowerbird.core.events import CALLED, CALLING, FAILED
from bowerbird.sessions.observe import calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bowerbird.core.events import Event

    Clean = Callable[[str], str]

# Maximum characters that are kept: of a prompt or a message, of a command, of a path.
_LONGEST_TEXT = 8_000
_LONGEST_COMMAND = 2_000
_LONGEST_PATH = 400
_LONGEST_TODO = 200
# Maximum lines and characters of an error.
_ERROR_LINES = 12
_LONGEST_ERROR = 1_500
# Characters of a tool's output that are searched for an error: `…
#
# tail` hides its exit code.
_OUTPUT = 20_000
_CODE = r"[Ee]xit(?:ed with)? (?:[Cc]ode|status)[: ]+(\d{1,3})"
_WRONG = (
    r"(?i)\b(?:error|errors|fail|failed|failure|panic|exception|traceback|fatal|cannot|undefined"
    r"|denied|not found|no such|exit code: [1-9]\d*)\b"
)
# What git prints for a commit, and the memory tool for a memory.
_COMMITTED = r"(?m)^\[[^\]\n]{1,100} [0-9a-f]{7,40}\]"
_STORED = r"\b(?:created|superseded|quarantined): \w+, id [0-9a-f-]{36}"
_ENVELOPE = "bowerbird-recall"
_OURS = rf"(?s)<{_ENVELOPE} nonce=\"([0-9a-f]+)\">.*?</{_ENVELOPE} nonce=\"\1\">"
# A line without any of these is no error: patterns cost a hook half a bare interpreter.
_WRONG_WORDS = (
    "error",
    "fail",
    "panic",
    "exception",
    "traceback",
    "fatal",
    "cannot",
    "undefined",
    "denied",
    "not found",
    "no such",
    "exit code: ",
)
# Minimum characters of a path's part that may be a secret: with digits, and without.
_LONG = 16
_LONGER = 32
_PATH_PARTS = str.maketrans("\\._-+ @", "///////")


def line(
    event: "Event", at: int, capture: str, clean: "Clean", *, external: str = ""
) -> "dict[str, Any]":
    """Return what the journal keeps of an event; `clean` removes secrets from a text.

    `external` says where the event brought in what others wrote (guard.reading).
    """
    kept: dict[str, Any] = {"at": at, "agent": event.agent, "event": event.name, "what": event.what}
    for name in ("cwd", "sub", "transcript", "tool", "use", "why"):
        value = getattr(event, name)
        if value:
            kept[name] = value[:_LONGEST_PATH]
    if external:
        kept["external"] = external
    full = capture == FULL
    if event.what in (CALLING, CALLED, FAILED):
        _call(event, kept, clean, full=full)
    elif full and event.text:
        kept["text"] = cut(event.text, _LONGEST_TEXT, clean)
    return kept


def _call(event: "Event", kept: "dict[str, Any]", clean: "Clean", *, full: bool) -> None:
    if found := calls.paths(event.given):
        kept["paths"] = [path_without_secrets(one, event.cwd, clean) for one in found]
    if event.what == CALLING:
        return
    kept.update(_named_in_answer(event))
    typed = calls.command(event.given)
    error = event.error or _output_error(event, typed)
    code = _exit_code(error[:_LONGEST_ERROR])
    if event.what == FAILED or code:
        kept["exit"] = 1 if code is None else code
    if full and typed:
        kept["command"] = cut(typed, _LONGEST_COMMAND, clean)
    if full and error:
        kept["error"] = cut(_first_lines(error), _LONGEST_ERROR, clean)
    todo = calls.undone(event.given)
    if full and todo is not None:
        kept["todo"] = [cut(one, _LONGEST_TODO, clean) for one in todo]
    if full and (searched := event.given.get("pattern")) and isinstance(searched, str):
        kept["pattern"] = cut(searched, _LONGEST_PATH, clean)


def _named_in_answer(event: "Event") -> "dict[str, str]":
    """Return what a commit or a stored memory is called, of which the answer alone tells."""
    typed = calls.command(event.given)
    commits = "git" in typed and "commit" in typed
    if event.what == FAILED or not (commits or "memory_store" in event.tool):
        return {}
    import re  # start-up: few calls commit or store

    name, sign = ("commit", _COMMITTED) if commits else ("stored", _STORED)
    found = re.search(sign, output_of(event.answer)[:_OUTPUT])
    return {name: found[0]} if found else {}


def _exit_code(error: str) -> int | None:
    if "xit" not in error:
        return None
    import re  # start-up: most calls succeed

    code = re.search(_CODE, error)
    return int(code[1]) if code else None


def _output_error(event: "Event", command: str) -> str:
    """Return the error lines of a command's output."""
    if not command:
        return ""
    output = output_of(event.answer)[:_OUTPUT]
    low = output.lower()
    lines = output.splitlines()
    if not any(word in low for word in _WRONG_WORDS):
        return "\n".join(filter(_is_finding, lines))
    import re  # start-up: most calls succeed

    return "\n".join(one for one in lines if re.search(_WRONG, one) or _is_finding(one))


def _is_finding(line: str) -> bool:
    """Return whether a line is a linter's or compiler's finding: many contain no word of an error."""
    message = line.partition("] ")[2] if line.startswith("[") else line
    file, _, rest = message.strip().partition(":")
    number, _, rest = rest.partition(":")
    column, behind, _ = rest.partition(":")
    located = bool(behind) and number.isdecimal() and column.isdecimal()
    return located and "." in file and " " not in file


def output_of(answer: "Any") -> str:
    """Return the text that a tool returned, in whatever structure the agent wraps it."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, dict):
        names = ("stderr", "stdout", "output", "llmContent", "content", "text", "error")
        return "\n".join(filter(None, (output_of(answer.get(name)) for name in names)))
    if isinstance(answer, list):
        return "\n".join(filter(None, map(output_of, answer)))
    return ""


def _first_lines(text: str) -> str:
    lines = [one.rstrip() for one in text.splitlines() if one.strip()]
    return "\n".join(lines[:_ERROR_LINES])


def cut(text: str, longest: int, clean: "Clean") -> str:
    """Return the beginning of a text, without secrets and without what was injected."""
    if _ENVELOPE in text:
        import re  # start-up: injected text is hardly ever quoted

        text = re.sub(_OURS, "", text)
    # Twice as much is cleaned before the cut: no rule detects half a secret.
    return clean(text[: 2 * longest])[:longest]


def path_without_secrets(path: str, cwd: str, clean: "Clean") -> str:
    """Return a path, relative to the working directory if it lies below.

    It is searched for secrets only if a part of it is long enough for one: almost every path is long, but
    hardly any part of one.
    """
    if cwd and path.startswith(cwd.rstrip("/\\") + "/"):
        path = path[len(cwd.rstrip("/\\")) + 1 :]
    return (path if _of_short_parts(path) else clean(path))[:_LONGEST_PATH]


def _of_short_parts(path: str) -> bool:
    return not any(
        len(part) >= _LONGER or (len(part) >= _LONG and any(map(str.isdigit, part)))
        for part in path.translate(_PATH_PARTS).split("/")
    )


def besides_paths(text: str, cwd: str) -> str:
    """Return the words of a text that are no plain paths: those that may contain a secret.

    Of 1,199 recorded commands .49 hold something as long as a secret or a word related to one, and .29
    besides their paths; the search takes a hook as long as all the rest.
    """
    words = (text.replace(cwd, "") if cwd else text).split()
    return " ".join(word for word in words if not _is_path(word))


def _is_path(word: str) -> bool:
    parts = word.translate(_PATH_PARTS)
    plain = word.isascii() and parts.replace("/", "").isalnum()
    return plain and "/" in word and _of_short_parts(word)
