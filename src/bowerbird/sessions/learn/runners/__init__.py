"""Reads the outputs of test runners: a file per runner, from an output to the tests that failed."""
