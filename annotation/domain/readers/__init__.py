"""Readers of other tools' files: one small module each, from its rows to ours."""
