"""The annotation app."""
