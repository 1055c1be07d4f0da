"""Asking the simulated server, or one that says something else, as the runner does."""

from __future__ import annotations

import asyncio
import contextlib
import re

from judging.clients.openai_chat import OpenAIChatClient
from judging.domain.ports import (
    CallFailed,
    Endpoint,
    JudgeRequest,
    Message,
    RawReply,
    Role,
)

KEY = "sk-test-0123456789abcdef"
PROMPT = "Which is better? [[A>>B]] [[A>B]] [[A=B]] [[B>A]] [[B>>A]] [[ABSTAIN]]"


def ask_all(endpoint, *requests, environ=None):
    """Ask with one client; failures are given back, not raised."""

    async def main():
        client = OpenAIChatClient(endpoint, environ=environ or {})
        try:
            return await asyncio.gather(
                *(client.ask(request) for request in requests), return_exceptions=True
            )
        finally:
            await client.close()

    found = asyncio.run(main())
    for each in found:
        assert isinstance(each, RawReply | CallFailed), repr(each)
    return found


def request(prompt=PROMPT, timeout=10.0, **params):
    return JudgeRequest(
        (Message(Role.USER, prompt),), "any-model", params, total_timeout=timeout
    )


def ask(server, asked=None, **endpoint) -> RawReply | CallFailed:
    return ask_all(Endpoint(server.base_url, **endpoint), asked or request())[0]


def http(body: bytes, status: bytes = b"200 OK") -> bytes:
    head = (
        b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    )
    return head % (status, len(body)) + body


def _whole(connection) -> bytes:
    """A request to the end of its body: who hangs up before that resets the line."""
    received, missing = b"", 1
    while missing > 0 and (more := connection.recv(65536)):
        received += more
        head, end, body = received.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        missing = (int(length[1]) if length else 0) - len(body) if end else 1
    return received


@contextlib.contextmanager
def raw_server(reply: bytes):
    """Serve fixed bytes; give the endpoint and what was received."""
    import socket
    import threading

    seen: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection:
                    seen.append(_whole(connection))
                    connection.sendall(reply)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield Endpoint(f"http://127.0.0.1:{listener.getsockname()[1]}/v1"), seen
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)
