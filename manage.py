#!/usr/bin/env python3
"""Command line of Evenhand: `python manage.py help` lists the commands."""

from __future__ import annotations

import os
import sys

from config.management.refusals import run


def main() -> int:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    return run(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
