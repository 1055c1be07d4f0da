"""The batch client, against the simulated judge's files and batches."""

from __future__ import annotations

import asyncio
import json
import uuid
from datetime import UTC, datetime

import pytest

from judging.clients.openai_batch import OpenAIBatchClient
from judging.domain.batches import custom_id, request_line
from judging.domain.ports import CallFailed, Endpoint, FailureKind
from judging.simulator.options import BatchFate, Options
from judging.simulator.running import SimulatedJudge

NOW = datetime(2026, 1, 5, tzinfo=UTC)
KEY = uuid.UUID(int=7)


def body(text):
    return {"model": "m", "messages": [{"role": "user", "content": text}]}


def talk(server, conversation, **environ):
    """Hold a conversation with a client; give its result."""

    async def main():
        client = OpenAIBatchClient(
            Endpoint(base_url=server.base_url, **environ), environ={}
        )
        try:
            return await conversation(client)
        finally:
            await client.close()

    return asyncio.run(main())


@pytest.fixture
def requests(tmp_path):
    path = tmp_path / "requests.jsonl"
    lines = [request_line(custom_id(KEY, n), body(f"Ünïcode\n{n}")) for n in (1, 2)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_a_file_becomes_a_batch_and_its_results_come_back(requests):
    async def conversation(client):
        file_id = await client.upload(requests, "name.jsonl")
        made = await client.create(file_id, KEY)
        info = await client.retrieve(made.id)
        return made, info, await client.content(info.output_file_id)

    with SimulatedJudge(Options()) as server:
        made, info, text = talk(server, conversation)
        assert server.stats()["batch_steps"] == {
            "upload": 1,
            "create": 1,
            "retrieve": 1,
            "content": 1,
        }
    assert made.status == "in_progress"
    assert (info.status, info.completed, info.total) == ("completed", 2, 2)
    assert info.metadata == {"evenhand_batch": str(KEY)}
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["custom_id"] for line in lines] == [
        custom_id(KEY, 1),
        custom_id(KEY, 2),
    ]
    assert all(line["response"]["status_code"] == 200 for line in lines)


def test_a_batch_whose_number_was_lost_is_found_by_its_key(requests):
    async def conversation(client):
        file_id = await client.upload(requests, "name.jsonl")
        mine = await client.create(file_id, KEY)
        for number in range(120):  # more than a page of others, made later
            await client.create(file_id, uuid.UUID(int=100 + number))
        found = await client.find(KEY, since=NOW)
        return mine, found, await client.find(uuid.UUID(int=9), since=NOW)

    with SimulatedJudge(Options(batch_seconds=60)) as server:
        mine, found, none = talk(server, conversation)
    assert found is not None
    assert found.id == mine.id
    assert none is None


def test_a_batch_can_be_cancelled_and_not_twice(requests):
    async def conversation(client):
        made = await client.create(await client.upload(requests, "n.jsonl"), KEY)
        cancelled = await client.cancel(made.id)
        info = await client.retrieve(made.id)
        with pytest.raises(CallFailed) as caught:
            await client.cancel(made.id)
        return cancelled, info, caught.value

    with SimulatedJudge(Options(batch_seconds=60)) as server:
        cancelled, info, refused = talk(server, conversation)
    assert cancelled.status == "cancelling"
    assert info.status == "cancelled"
    assert refused.status == 409


@pytest.mark.parametrize(
    ("fate", "why", "full"),
    [
        (BatchFate.FAILED, "The file could not be parsed.", False),
        (BatchFate.QUEUE_FULL, "Enqueued token limit reached for this model.", True),
    ],
)
def test_a_refused_batch_says_why(requests, fate, why, full):
    async def conversation(client):
        made = await client.create(await client.upload(requests, "n.jsonl"), KEY)
        return await client.retrieve(made.id)

    with SimulatedJudge(Options(batch_fates=(fate,))) as server:
        info = talk(server, conversation)
    assert (info.status, info.why, info.queue_is_full) == ("failed", why, full)
    assert not info.output_file_id


def test_what_is_not_there_is_an_error_and_not_a_result():
    async def conversation(client):
        with pytest.raises(CallFailed) as no_file:
            await client.content("file-none")
        with pytest.raises(CallFailed) as no_batch:
            await client.retrieve("batch-none")
        return no_file.value, no_batch.value

    with SimulatedJudge(Options()) as server:
        for failed in talk(server, conversation):
            assert failed.status == 404
            assert failed.kind is FailureKind.MODEL_NOT_FOUND


def test_a_wrong_key_stops_the_run(requests):
    async def conversation(client):
        file_id = await client.upload(requests, "n.jsonl")
        with pytest.raises(CallFailed) as caught:
            await client.create(file_id, KEY)
        return caught.value

    with SimulatedJudge(Options(api_key="right")) as server:
        failed = talk(server, conversation)
    assert failed.stop_run
    assert failed.kind is FailureKind.UNAUTHORISED


def test_an_endpoint_without_batches_stops_the_run(requests):
    with SimulatedJudge(Options()) as server:
        gone = Endpoint(base_url=server.base_url.replace("/v1", "/v2"))

        async def main():
            client = OpenAIBatchClient(gone, environ={})
            try:
                await client.upload(requests, "n.jsonl")
            finally:
                await client.close()

        with pytest.raises(CallFailed) as caught:
            asyncio.run(main())
    assert caught.value.stop_run
