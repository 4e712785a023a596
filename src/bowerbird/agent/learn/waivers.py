"""How code says that a checker's finding is to be passed over."""

import re

WAIVES = re.compile(
    r"(?i)nolint|noqa|eslint-disable|type: ?ignore|pylint:|rubocop:|ts-ignore|ts-expect|nosec"
    r"|#!?\[allow"
)
