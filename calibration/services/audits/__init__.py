"""Audit bundles: choosing what goes in, reading it row by row, writing the zip."""
