"""Open a client when a judge is asked, and load what it needs only then.

The openai package takes longer to load than most commands take to do their work, and
most of them ask no judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judging.domain.batches import BatchClient
    from judging.domain.ports import Endpoint, JudgeClient


def open_chat(endpoint: Endpoint) -> JudgeClient:
    """Connect to a provider of chat completions."""
    from judging.clients.openai_chat import OpenAIChatClient  # noqa: PLC0415 - as above

    return OpenAIChatClient(endpoint)


def open_batches(endpoint: Endpoint) -> BatchClient:
    """Connect to a provider that takes whole batches of requests."""
    from judging.clients.openai_batch import OpenAIBatchClient  # noqa: PLC0415 - as above

    return OpenAIBatchClient(endpoint)
