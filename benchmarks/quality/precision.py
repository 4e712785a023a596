"""``quality precision``: the precision of recall, on cases that list what must not be recalled.

A folder with beliefs.seed.json and retrieval.cases.json, in the format of PrecisionMemBench. A user is a
store, a belief's scope a project (universal ones belong to none); aliases are tags. A belief that is
superseded or resolved is remembered and then forgotten. Questions go through `query` and `context`.
"""

import json
import os
import tempfile

from bowerbird.bench.metrics import mean
from bowerbird.bench.recall import SETTINGS
from bowerbird.bird import Bowerbird
from bowerbird.core.errors import BadInput
from bowerbird.core.kinds import DEFAULT, KINDS
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any

BELIEFS = "beliefs.seed.json"
CASES = "retrieval.cases.json"
# The user of cases that name none.
_USER = "test-user"
_UNIVERSAL = "user:universal"
# Beliefs that a case expects in separate fields, beside those recalled for the question.
_ASIDE = "open_question"
INTERFACES = ("query", "context")
# The measured relevance thresholds.
FLOORS = (0.1, 0.25, 0.5)


class Case(Record):
    """A question, the expected and the forbidden beliefs, and the maximum number."""

    text: str
    user: str
    scopes: list[str]
    only: set[str]
    wanted: set[str]
    forbidden: set[str]
    limit: int | None


def read_cases(folder: str) -> "tuple[list[dict[str, Any]], list[Case]]":
    """The beliefs and cases of a folder. Raises BadInput."""
    beliefs = _json(folder, BELIEFS)
    return beliefs, [_case(one) for one in _json(folder, CASES)]


def _json(folder: str, name: str) -> "Any":
    path = os.path.join(folder, name)
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: {error}", "see benchmarks/README.md") from error


def _case(found: "dict[str, Any]") -> Case:
    expected = found["expect"]
    only = set(expected.get("relevantBeliefs", {}).get("shouldOnlyInclude", ()))
    channels = [part for part in expected.values() if isinstance(part, dict)]
    wanted = only.union(*(part.get("mustInclude", ()) for part in channels))
    return Case(
        text=found["query"],
        user=found.get("userId", _USER),
        scopes=found["scope"],
        only=only,
        wanted=wanted,
        forbidden=set().union(*(part.get("mustExclude", ()) for part in channels)) - wanted,
        limit=found.get("budget", {}).get("maxBeliefs"),
    )


def measure(folder: str) -> "dict[str, Any]":
    """The figures of `query` and `context`, over every case of a folder."""
    beliefs, cases = read_cases(folder)
    aside = {one["_id"] for one in beliefs if _is_aside(one)}
    shown: dict[str, list[dict[str, float]]] = {interface: [] for interface in INTERFACES}
    with tempfile.TemporaryDirectory(prefix="bower-bench-") as home:
        users = {case.user for case in cases} | {one["user_id"] for one in beliefs}
        stores = {user: os.path.join(home, f"{i}.db") for i, user in enumerate(sorted(users))}
        names: dict[str, str] = {}
        for user, path in stores.items():
            with Bowerbird.open(path, project=_UNIVERSAL, settings=SETTINGS) as bird:
                for one in beliefs:
                    if one["user_id"] == user:
                        names[_remember(bird, one)] = one["_id"]
        for case in cases:
            for interface in INTERFACES:
                found = _recalled(stores[case.user], case, interface)
                shown[interface].append({names[id]: sure for id, sure in found.items()})
    return {
        "set": os.path.basename(os.path.abspath(folder)),
        "beliefs": len(beliefs),
        "cases": len(cases),
        **{interface: figures(cases, shown[interface], aside) for interface in INTERFACES},
        "floors": [
            {
                "floor": floor,
                **figures(cases, [_above(one, floor) for one in shown["query"]], aside),
            }
            for floor in FLOORS
        ],
    }


def _above(found: "Mapping[str, float]", floor: float) -> list[str]:
    return [name for name, relevance in found.items() if relevance >= floor]


def _is_aside(belief: "dict[str, Any]") -> bool:
    universal = _UNIVERSAL in belief["scope"]
    return bool(belief.get("pinned")) or universal or belief["type"] == _ASIDE


def _remember(bird: Bowerbird, belief: "dict[str, Any]") -> str:
    """Remembers a belief in the project of its scope, and returns its id."""
    scope = belief["scope"][0]
    universal = scope == _UNIVERSAL
    here = bird if universal else bird.within(scope)
    kept = here.remember(
        belief["content"],
        everywhere=universal,
        kind=belief["type"] if belief["type"] in KINDS else DEFAULT,
        tags=[belief["canonical_name"], *belief["aliases"]],
        pinned=bool(belief.get("pinned")),
        confidence=belief.get("confidence"),
        origin="user",
    )
    if belief["epistemic_status"] == "superseded" or belief.get("resolved_at"):
        here.forget(kept.id)
    return kept.id


def _recalled(store: str, case: Case, interface: str) -> dict[str, float]:
    """The beliefs returned for a case, by id, best first; none if the question or the limit is empty."""
    if not case.text.strip() or case.limit == 0:
        return {}
    found: dict[str, float] = {}
    with Bowerbird.open(store, project=_UNIVERSAL, settings=SETTINGS) as bird:
        for scope in case.scopes:
            here = bird.within(scope)
            if interface == "query":
                found |= {hit.id: hit.relevance for hit in here.query(case.text)}
            else:
                found |= {item.id: item.relevance for item in here.context(case.text)}
    return dict(sorted(found.items(), key=lambda item: -item[1])[: case.limit])


def figures(
    cases: "Iterable[Case]", shown: "Iterable[Collection[str]]", aside: "set[str]"
) -> "dict[str, float]":
    """The metrics of the beliefs returned for each case.

    Strictly, every returned belief counts, and one is right if the case expects it anywhere. Otherwise
    those that a case expects in separate fields (`aside`) are not counted, unless they are also expected
    as relevant, since this product does not decide on those fields.
    """
    pairs = list(zip(cases, shown, strict=True))
    strict = [(set(found) & case.wanted, set(found)) for case, found in pairs]
    loose = [
        (set(found) & case.only, {one for one in found if one in case.only or one not in aside})
        for case, found in pairs
    ]
    wanting = [(case, found) for case, found in pairs if case.only]
    recalled = sum(len(case.only & set(found)) for case, found in wanting)
    empty = [counted for (case, _), (_, counted) in zip(pairs, loose, strict=True) if not case.only]
    return {
        "precision": _precision(loose),
        "case_precision": _case_precision(loose),
        "strict_precision": _precision(strict),
        "strict_case_precision": _case_precision(strict),
        "recall": round(recalled / max(sum(len(case.only) for case, _ in wanting), 1), 4),
        "nothing_for_nothing": round(mean([float(not counted) for counted in empty]), 4),
        "shown_per_case": round(mean([float(len(found)) for _, found in pairs]), 2),
        "forbidden_shown": float(sum(len(case.forbidden & set(found)) for case, found in pairs)),
    }


def _precision(counted: "list[tuple[set[str], set[str]]]") -> float:
    """The share of right ones among all beliefs returned in all cases."""
    return round(
        sum(len(right) for right, _ in counted) / max(sum(len(all) for _, all in counted), 1), 4
    )


def _case_precision(counted: "list[tuple[set[str], set[str]]]") -> float:
    """The mean over the cases with at least one belief returned."""
    return round(mean([len(right) / len(all) for right, all in counted if all]), 4)
