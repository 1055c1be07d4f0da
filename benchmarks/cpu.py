"""CPU seconds of other processes, from /proc: on a shared machine rates say little."""

# ruff: noqa: INP001 - part of a script

from __future__ import annotations

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of_tree(root: int) -> float:
    """CPU seconds so far of a process and all its living descendants."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parents[int(entry.name)] = int(fields[1])
        # Its own time, and that of children it has waited for.
        used[int(entry.name)] = sum(map(int, fields[11:15])) / TICKS
    return sum(seconds for pid, seconds in used.items() if _below(pid, root, parents))


def _below(pid: int, root: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        if pid == root:
            return True
        pid = parents[pid]
    return False


def postmaster(home: Path) -> int | None:
    """The process id of the PostgreSQL server whose data is in ``home``/data."""
    try:
        return int((home / "data" / "postmaster.pid").read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return None
