"""Stands in for the package xxhash, which the example imports, where it is not installed."""

from xxh3 import xxh3 as xxh3_64_digest  # noqa: F401
