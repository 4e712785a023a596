"""The document is true: what it says may be sent is taken or refused as it says, never a fault.

OPENAPI_EXAMPLES says how many requests of an operation are tried; `make openapi` tries 200.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from bowerbird.surfaces.http.openapi import document
from bowerbird.surfaces.http.service import SERVED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.http.conftest import Server

EXAMPLES = os.environ.get("OPENAPI_EXAMPLES", "")
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "ignored_auth",
)


def test_no_operation_names_a_parameter_twice() -> None:
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            asked = [(one["in"], one["name"]) for one in operation.get("parameters", ())]
            assert len(asked) == len(set(asked)), (method, path)


def test_every_verb_is_in_the_document(server: Server) -> None:
    paths = server.ask("GET", "/api/v1/openapi.json").data["paths"]
    assert set(paths) == {"/health"} | {
        "/api/v1" + (verb.route or ("", ""))[1] for verb, _ in SERVED
    }
    assert document()["paths"] == paths
    for path, operations in paths.items():
        for operation in operations.values():
            assert operation["responses"]["200"]
            assert path == "/health" or operation["responses"]["401"]
            assert operation["summary"]


def test_requests_made_of_the_document_meet_no_fault(server: Server) -> None:
    # For one project: requests that name none are not all refused for that.
    token = server.new_token("one", "--only", "shop")
    server.post("curate", token, content="Something to be found")
    try_all(server, token)


def test_what_is_of_the_whole_store_meets_no_fault(
    serve: Callable[..., Server], notes: Path
) -> None:
    server = serve("--index", str(notes))
    paths = {"/api/v1" + (verb.route or ("", ""))[1] for verb, _ in SERVED if not verb.reach}
    try_all(server, server.token, *(word for path in paths for word in ("--include-path", path)))


def try_all(server: Server, token: str, *only: str) -> None:
    """Requests of every operation, or of some."""
    done = subprocess.run(
        [
            sys.executable, "-m", "schemathesis.cli", "run",
            f"{server.address}/api/v1/openapi.json",
            "--url", server.address,
            "--header", f"Authorization: Bearer {token}",
            "--checks", ",".join(CHECKS),
            "--max-examples", EXAMPLES or "5",
            "--mode", "all",
            "--phases", "coverage,fuzzing" if EXAMPLES else "fuzzing",
            "--generation-deterministic",
            "--no-color",
            "--request-timeout", "600",
            *only,
        ],
        capture_output=True, text=True, check=False, cwd=server.folder,
    )  # fmt: skip
    sys.stdout.write(done.stdout[-1500:])
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert not [line for line in server.lines if '"fault"' in line]
