"""What a look at the store's health found, as every door tells it."""

from bowerbird.core.health import LEVELS, PROBLEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.health import Finding


def flat_findings(findings: "Sequence[Finding]") -> "dict[str, Any]":
    """What was found, and whether it is well."""
    return {
        "healthy": all(finding.level != PROBLEM for finding in findings),
        **{f"{level}s": _count(findings, level) for level in LEVELS[1:]},
        "findings": [finding.to_dict() for finding in findings],
    }


def _count(findings: "Sequence[Finding]", level: str) -> int:
    return sum(finding.level == level for finding in findings)
