"""Verdict formats, one a module; ``registry`` finds them by name."""
