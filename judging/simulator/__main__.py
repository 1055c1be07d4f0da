"""``python -m judging.simulator``: the simulated judge without Django."""

from __future__ import annotations

import argparse
import sys

from judging.simulator.cli import DETAILS, SUMMARY, add_arguments, options_from
from judging.simulator.running import serve_forever


def main() -> None:
    """Parse the command line and serve until told to end."""
    parser = argparse.ArgumentParser(
        prog="python -m judging.simulator", description=SUMMARY, epilog=DETAILS
    )
    add_arguments(parser)
    values = vars(parser.parse_args())
    try:
        serve_forever(options_from(values), values["port"], _announce)
    except (OSError, ValueError) as error:
        parser.exit(1, f"error: {error}\n")


def _announce(port: int) -> None:
    sys.stdout.write(f"Simulated judge at http://127.0.0.1:{port}/v1\n")
    sys.stdout.flush()


main()
