"""Audit bundles: how they are laid out, and checking one without any database."""
