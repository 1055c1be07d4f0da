"""Starting and stopping a simulated judge, from a program or the command line."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Self

from aiohttp import web

from judging.simulator.cli import arguments_for
from judging.simulator.options import Options
from judging.simulator.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_START_SECONDS = 10
_BACKLOG = 1024


class SimulatedJudge:
    """A simulated judge in a thread of its own, on a free loopback port.

    A context manager; ``base_url`` is what an :class:`Endpoint` needs. Setting
    ``options`` changes what is planted from the next request on.
    """

    def __init__(self, options: Options | None = None, *, port: int = 0) -> None:
        self._server = Server(options or Options())
        self._port = port
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._error: OSError | None = None

    @property
    def options(self) -> Options:
        """What is planted."""
        return self._server.options

    @options.setter
    def options(self, options: Options) -> None:
        self._server.options = options

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._port

    @property
    def base_url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._port}/v1"

    def start(self) -> Self:
        """Start serving; raise ``OSError`` if the port is taken."""
        self._thread = threading.Thread(
            target=self._run, name="simulated-judge", daemon=True
        )
        self._thread.start()
        if not self._ready.wait(_START_SECONDS):
            raise OSError("the simulated judge did not start")
        if self._error is not None:
            raise self._error
        return self

    def stop(self) -> None:
        """Stop serving and break what is still in flight."""
        if self._loop is not None and self._stop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread is not None:
            self._thread.join(_START_SECONDS)

    def stats(self) -> dict[str, object]:
        """Give the counters, as ``GET /stats`` does."""
        return fetch_stats(self.base_url)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            await serve(self._server, self._port, self._stop, self._listening)
        except OSError as error:
            self._error = error
            self._ready.set()

    def _listening(self, port: int) -> None:
        self._port = port
        self._ready.set()


async def serve(
    server: Server, port: int, stop: asyncio.Event, listening: Callable[[int], None]
) -> None:
    """Serve on loopback until ``stop`` is set; port 0 takes a free one."""
    runner = web.AppRunner(server.application(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port, backlog=_BACKLOG)
        await site.start()
        listening(runner.addresses[0][1])
        await stop.wait()
    finally:
        await runner.cleanup()


def serve_forever(
    options: Options, port: int, listening: Callable[[int], None]
) -> None:
    """Serve in this process until it is told to end (SIGINT or SIGTERM)."""

    async def main() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        await serve(Server(options), port, stop, listening)

    asyncio.run(main())


class SimulatedJudgeProcess:
    """A simulated judge in a process of its own, so that its work is not the client's.

    A context manager like :class:`SimulatedJudge`; its options stay as they are.
    """

    def __init__(self, options: Options | None = None, *, port: int = 0) -> None:
        self._options = options or Options()
        self._port = port
        self._process: subprocess.Popen[str] | None = None
        self.base_url = ""

    def start(self) -> Self:
        """Start serving; raise ``OSError`` if it ends before it listens."""
        with tempfile.TemporaryDirectory() as folder:
            oracle = Path(folder) / "oracle.json"
            oracle.write_text(json.dumps(dict(self._options.oracle)))
            self._launch(arguments_for(self._options, port=self._port, oracle=oracle))
        return self

    def _launch(self, arguments: list[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "judging.simulator", *arguments],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        line = self._process.stdout.readline() if self._process.stdout else ""
        if "http" not in line:
            self.stop()
            raise OSError("the simulated judge did not start")
        self.base_url = line.split()[-1]

    def stop(self) -> None:
        """End the process."""
        if self._process is None:
            return
        self._process.terminate()
        self._process.wait(_START_SECONDS)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def stats(self) -> dict[str, object]:
        """Give the counters, as ``GET /stats`` does."""
        return fetch_stats(self.base_url)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def fetch_stats(base_url: str) -> dict[str, object]:
    """Read the counters of a simulated judge, in whatever process it runs."""
    url = base_url.removesuffix("/v1") + "/stats"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=_START_SECONDS) as reply:
        stats: dict[str, object] = json.load(reply)
    return stats
