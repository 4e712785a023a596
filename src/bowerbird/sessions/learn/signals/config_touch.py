"""Config touch: a configuration file that changes along with a part of the code.

Definition: in `SESSIONS` or more sessions a configuration file was edited, together with two or more
files of one folder. Source: edits.
"""

from bowerbird.sessions.learn.recurrence import recurring
from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.learn.touched_files import is_config, module, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "config_touch"
SESSIONS = 2
_FEWEST = 2
_AND = " & "


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the configuration files that changed together with a folder."""
    edited = [path for path, one in touched(session).items() if one.edits]
    configs = [path for path in edited if is_config(path)]
    code = [path for path in edited if path not in configs]
    folders = [module(path) for path in code]
    return {
        config + _AND + folder: Mark(files=(config,))
        for config in configs
        for folder in dict.fromkeys(folders)
        if folders.count(folder) >= _FEWEST
    }


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each configuration file and folder."""
    return recurring(NAME, "causal_dependency", SESSIONS, session, past, marks(session), _text)


def _text(key: str, _mark: Mark, _numbers: "Sequence[int]") -> str:
    config, _, folder = key.partition(_AND)
    return f"Changes to `{folder}` may need a change of `{config}`, too."
