"""The one thread in which a runner talks to the database."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from django.db import connections

from judging.services.steadfast import steadfast

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class DatabaseThread:
    """Runs transactions one after the other, in the order in which they came."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="runner-db")

    async def call(
        self, function: Callable[..., T], *args: object, **kwargs: object
    ) -> T:
        """Call one transaction; it is repeated if the database is away for a moment."""
        transaction = partial(function, *args, **kwargs)
        return await self._in_thread(steadfast, lambda _again: transaction())

    async def insist(self, attempt: Callable[[bool], T]) -> T:
        """Carry out a transaction to its end although the caller is cancelled.

        ``attempt`` is told whether it may have been committed before.
        """
        return await asyncio.shield(self._in_thread(steadfast, attempt))

    async def close(self) -> None:
        """Close the thread's connections and end it."""
        await self._in_thread(connections.close_all)
        self._pool.shutdown()

    def _in_thread(
        self, function: Callable[..., T], *args: object
    ) -> asyncio.Future[T]:
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._pool, function, *args)
