"""The version, as a constant: reading package metadata costs a cold command 20 ms."""

VERSION = "0.1.0"
