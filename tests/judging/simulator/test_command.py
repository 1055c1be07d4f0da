from __future__ import annotations

import io
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from judging.simulator.running import fetch_stats

ROOT = Path(__file__).parents[3]


def test_the_command_prints_its_address_and_ends_when_told():
    process = subprocess.Popen(
        [sys.executable, "manage.py", "simulate_judge", "--port", "0"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "DEBUG": "1"},
    )
    try:
        line = process.stdout.readline()
        assert line.startswith("Simulated judge at http://127.0.0.1:")
        assert fetch_stats(line.split()[-1])["simulated"] is True
    finally:
        process.send_signal(signal.SIGTERM)
        _, _ = process.communicate(timeout=10)
    assert process.returncode == 0


def test_a_taken_port_is_a_plain_error():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match="in use"):
            call_command("simulate_judge", port=port, stdout=io.StringIO())


def test_an_impossible_rate_is_a_plain_error():
    with pytest.raises(CommandError, match="between 0 and 1"):
        call_command("simulate_judge", first_slot=1.5, stdout=io.StringIO())
