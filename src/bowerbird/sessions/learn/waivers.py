"""The comments by which code suppresses a checker's finding."""

import re

WAIVES = re.compile(
    r"(?i)nolint|noqa|eslint-disable|type: ?ignore|pylint:|rubocop:|ts-ignore|ts-expect|nosec"
    r"|#!?\[allow"
)
