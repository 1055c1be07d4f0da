"""The judging app."""
