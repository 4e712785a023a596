"""The kinds of memory, one row each, and the registry that adds the user's own kinds."""

from types import MappingProxyType

from bowerbird.core.errors import BadInput, UnknownName, nearest
from bowerbird.core.life import SCOPES
from bowerbird.core.pattern import late
from bowerbird.core.types import DIGEST, PASSAGE
from bowerbird.core.value import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

# The types of a payload's fields; a trailing `!` makes the field required.
SHAPES = ("text", "texts", "number", "count", "steps")

_NAME = late(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


class Kind(Frozen):
    """A kind of memory; frozen, because every Bowerbird of a process shares the built-in ones.

    `importance` is what it adds to a memory's importance (0 to 1), `half_life` the days after which
    confidence in an unused memory has halved (None: it does not fade), `scope` its default scope,
    `prunable` whether automatic pruning may remove it. `payload` maps each field of its structure to its
    shape; see `core.payloads`.
    """

    __slots__ = ("half_life", "importance", "meaning", "name", "payload", "prunable", "scope")

    def __init__(
        self,
        name: str,
        meaning: str,
        importance: float = 0.0,
        half_life: int | None = None,
        scope: str = "global",
        prunable: bool = True,
        payload: "Mapping[str, str] | None" = None,
    ) -> None:
        self.name = name
        self.meaning = meaning
        self.importance = importance
        self.half_life = half_life
        self.scope = scope
        self.prunable = prunable
        self.payload = None if payload is None else MappingProxyType(dict(payload))

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> "tuple[Any, ...]":
        # A view of a dictionary is neither pickled nor copied.
        payload = None if self.payload is None else dict(self.payload)
        scope = (self.half_life, self.scope, self.prunable, payload)
        return Kind, (self.name, self.meaning, self.importance, *scope)


DEFAULT = "fact"

_PREFETCH = {
    "always_read_files": "texts!",
    "frequently_read_files": "texts",
    "module_trigger": "text",
    "session_count": "count",
}
_CALIBRATION = {
    "module": "text!",
    "methodology": "text",
    "average_actual_steps": "number",
    "average_planned_steps": "number",
    "ratio": "number!",
    "sample_count": "count",
}
_DEAD_END = {
    "approach_tried": "text!",
    "why_it_failed": "text!",
    "alternative_used": "text",
    "task_context": "text",
    "command": "text",
}
_DIGEST = {
    "session": "text!",
    "branch": "text",
    "ended_on": "text",
    "began": "count",
    "ended": "count",
    "asked": "texts",
    "done": "texts",
    "decided": "texts",
    "refuted": "texts",
    "withdrawn": "texts",
    "put_off": "texts",
    "left": "texts",
    "edits": "count",
    "files": "texts",
    "checks": "texts",
    "answered": "texts",
}
# What learned memories are about, so that no check depends on the wording of their text. Errors are
# identified by hashes (agent.observe.errors), and so is the line of a definition: a memory repeats no
# output of a program, and no line of a file that others wrote.
_CURE = {
    "errors": "texts",
    "error_forms": "texts",
    "failed_command": "text",
    "cure_commands": "texts",
    "changed_file": "text",
    "removed": "text",
    "added": "text",
}
_DEFINITION = {"name": "text", "file": "text", "line": "text"}
_LENGTH = {"file": "text", "lines": "count"}
_RECIPE = {
    "task_pattern": "text",
    "steps": "steps!",
    "last_validated_at": "text",
    "success_count": "count",
}

# Importances (0 to 1) and half-lives (days) are start values, not measured.
_OURS = {
    kind.name: kind
    for kind in (
        Kind("fact", "something that is true"),
        Kind("pattern", "something that keeps coming back", 0.25),
        Kind("decision", "what was chosen, and why", 0.30, prunable=False),
        Kind("procedure", "how something is done", 0.20, prunable=False),
        Kind("context", "what one should know of the surroundings"),
        Kind("gotcha", "a trap and how to get around it", half_life=60, payload=_CURE),
        Kind("preference", "what somebody prefers"),
        Kind("requirement", "what must hold"),
        Kind("error_pattern", "an error and its cure", half_life=60, payload=_CURE),
        Kind(
            "module_insight",
            "how a part of the code works",
            half_life=90,
            scope="module",
            payload=_DEFINITION,
        ),
        Kind("prefetch_pattern", "files that are read together", scope="module", payload=_PREFETCH),
        Kind("work_state", "the state of a piece of work", half_life=7, scope="work_unit"),
        Kind("causal_dependency", "what changes when something else does", half_life=120),
        Kind(
            "task_calibration",
            "how estimates compare with reality",
            half_life=180,
            scope="module",
            payload=_CALIBRATION,
        ),
        Kind("e2e_observation", "what a test saw in a running system", half_life=30),
        Kind("dead_end", "an approach that failed, and why", half_life=90, payload=_DEAD_END),
        Kind("work_unit_outcome", "how a piece of work ended", scope="work_unit"),
        Kind("workflow_recipe", "steps that worked", half_life=120, payload=_RECIPE),
        Kind(DIGEST, "what a session asked, did and left open", half_life=120, payload=_DIGEST),
        Kind("context_cost", "what a piece of context costs", scope="module"),
        Kind("context_cost", "what a piece of context costs", scope="module", payload=_LENGTH),
    )
}


# The built-in kinds.
KINDS = MappingProxyType(_OURS)
# What people call them who label a note, in the languages of `lifecycle.classify`.
_CALLED = {
    "fact": "fact fakt tatsache hecho fait факт 事实",
    "pattern": "pattern muster patron motif паттерн 模式",
    "decision": "decision adr entscheidung entscheid beschluss decisión décision решение 决定 决策",
    "procedure": "procedure howto anleitung vorgehen procedimiento инструкция 步骤",
    "context": "context kontext contexto contexte контекст 背景",
    "gotcha": "gotcha pitfall trap falle stolperfalle trampa piège ловушка 陷阱",
    "preference": "preference vorliebe präferenz preferencia préférence предпочтение 偏好",
    "requirement": "requirement anforderung requisito exigence требование 要求",
    "error_pattern": "error_pattern fehlermuster",
    "module_insight": "module_insight",
    "work_state": "work_state",
    "causal_dependency": "causal_dependency",
    "dead_end": "dead_end sackgasse",
}
KIND_OF = {name: kind for kind, names in _CALLED.items() for name in names.split(" ")}


def kind_called(label: str) -> str:
    """The built-in kind that a label names, in one of several languages; empty if none."""
    name = label.casefold().strip().replace(" ", "_").replace("-", "_")
    return KIND_OF.get(name) or KIND_OF.get(name.removesuffix("s"), "")


class Kinds:
    """The kinds that one Bowerbird knows: the built-in ones and its user's own."""

    def __init__(self, own: "Iterable[Kind]" = ()) -> None:
        """Raises as `register` does."""
        self._known = dict(KINDS)
        for one in own:
            self.register(one)

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def __iter__(self) -> "Iterator[str]":
        return iter(self._known)

    def get(self, name: str) -> Kind:
        """The kind of that name. Raises UnknownName with the nearest known one, or how to declare it."""
        if name not in self._known:
            error = UnknownName.among("kind", name, list(self._known))
            if nearest(name, list(self._known)) is None and _NAME.fullmatch(name):
                error.remedy += f"; one of your own is declared in config.toml as [kinds.{name}]"
            raise error
        return self._known[name]

    def register(self, new: Kind) -> Kind:
        """Adds a kind to this Bowerbird and returns it.

        Raises BadInput for a name that is taken or not in snake_case, or a value out of range.
        """
        if not _NAME.fullmatch(new.name):
            raise BadInput(
                f"{new.name!r} cannot be the name of a kind", "write it in snake_case: house_rule"
            )
        if self._known.get(new.name, new) != new or new.name == PASSAGE:
            raise BadInput(f"there is a kind {new.name} already", "take another name")
        fades = new.half_life is None or new.half_life > 0
        if not 0.0 <= new.importance <= 1.0 or new.scope not in SCOPES or not fades:
            raise BadInput(
                f"the kind {new.name} is out of range",
                "importance is 0 to 1, half_life 1 or more days,"
                f" scope one of: {', '.join(SCOPES)}",
            )
        for field, shape in (new.payload or {}).items():
            if shape.removesuffix("!") not in SHAPES:
                raise BadInput(
                    f"the field {field} of the kind {new.name} cannot hold {shape!r}",
                    f"give it one of: {', '.join(SHAPES)}; with ! behind it where it must be there",
                )
        self._known[new.name] = new
        return new
