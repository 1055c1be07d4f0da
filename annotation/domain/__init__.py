"""Pure rules, importable without Django."""
