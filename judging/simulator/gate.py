"""What a simulated provider refuses before its judge looks at the prompt."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from judging.simulator.shapes import Answer, error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.simulator.options import Options


class RateLimit:
    """A bucket of one second's worth of requests that refills steadily."""

    def __init__(self, per_second: float, now: float) -> None:
        self._rate = per_second
        self._left = max(per_second, 1.0)
        self._at = now

    def allows(self, now: float) -> bool:
        """Take one request out of the bucket, if there is one; 0 means no limit."""
        if self._rate <= 0:
            return True
        full = max(self._rate, 1.0)
        self._left = min(full, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def refusal(
    options: Options, body: Mapping[str, object], authorization: str, bought: int
) -> Answer | None:
    """Give the error for a request that is wrong for this provider, if it is."""
    if options.api_key is not None and authorization != f"Bearer {options.api_key}":
        return error(HTTPStatus.UNAUTHORIZED, "invalid_api_key", "Incorrect API key")
    if options.only_model is not None and body.get("model") != options.only_model:
        message = f"The model {body.get('model')!r} does not exist"
        return error(HTTPStatus.NOT_FOUND, "model_not_found", message, param="model")
    for name in options.refuses_params:
        if name in body:
            message = f"Unsupported parameter: {name!r} is not available"
            return error(
                HTTPStatus.BAD_REQUEST, "unsupported_parameter", message, param=name
            )
    return _limits(options, body, bought)


def _limits(options: Options, body: Mapping[str, object], bought: int) -> Answer | None:
    if options.quota is not None and bought >= options.quota:
        message = "You exceeded your current quota"
        return error(HTTPStatus.TOO_MANY_REQUESTS, "insufficient_quota", message)
    limit = options.context_chars
    if limit is None:
        return None
    if len(json.dumps(body.get("messages"), ensure_ascii=False)) > limit:
        message = f"The maximum context length is {limit} characters"
        return error(
            HTTPStatus.BAD_REQUEST,
            "context_length_exceeded",
            message,
            param="messages",
        )
    return None
