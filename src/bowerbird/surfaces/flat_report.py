"""What an index run did, as every door tells it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.answers import Report


def flat_report(report: "Report") -> "dict[str, Any]":
    """The counts, and what was left out why."""
    data = report.to_dict()
    data["skipped"] = [skipped.to_dict() for skipped in report.skipped]
    data["imported"] = [grounds.told() for grounds in report.imported]
    data["cut"] = [cut.to_dict() for cut in report.cut]
    made = data.pop("new_project")
    return data | {"new_project": made} if made else data
