"""The comments by which code suppresses a checker's finding."""

from bowerbird.core.pattern import late

WAIVES = late(
    r"(?i)nolint|noqa|eslint-disable|type: ?ignore|pylint:|rubocop:|ts-ignore|ts-expect|nosec"
    r"|#!?\[allow"
)
