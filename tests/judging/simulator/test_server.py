from __future__ import annotations

import argparse
import asyncio
import json
import time
import urllib.error
import urllib.request
from collections import Counter
from types import SimpleNamespace

import pytest

from judging.clients.openai_chat import OpenAIChatClient
from judging.domain.ports import (
    CallFailed,
    Endpoint,
    JudgeRequest,
    Message,
    RawReply,
    Role,
)
from judging.simulator import brain, server
from judging.simulator.brain import Rule, expected
from judging.simulator.cli import (
    add_arguments,
    arguments_for,
    options_from,
    read_oracle,
)
from judging.simulator.options import Fault, Menu, Options, Shape
from judging.simulator.running import SimulatedJudge, SimulatedJudgeProcess

EVERYTHING = Options(
    seed=3,
    menu=Menu.CHOICE_123,
    first_slot=0.2,
    second_slot=0.05,
    length=0.1,
    abstain=0.05,
    tie=0.15,
    accuracy=0.9,
    tie_margin=0.03,
    strong_margin=0.5,
    oracle={"0" * 64: 0.5, "1" * 64: None},
    shapes={Shape.EMPTY: 0.01, Shape.UNPARSED: 0.02},
    faults={Fault.RESET: 0.01},
    latency=0.01,
    latency_spread=0.005,
    rate_limit=1000.0,
    retry_after=2.0,
    quota=10_000,
    refuses_params=("seed", "logprobs"),
    only_model="judge-1",
    api_key="k",
    context_chars=5000,
)


def requests(count):
    return [
        JudgeRequest((Message(Role.USER, f"[[A>B]] {n}"),), "judge-1", total_timeout=10)
        for n in range(count)
    ]


def ask_all(base_url, asked):
    async def main():
        client = OpenAIChatClient(Endpoint(base_url), environ={})
        try:
            return await asyncio.gather(
                *(client.ask(each) for each in asked), return_exceptions=True
            )
        finally:
            await client.close()

    return asyncio.run(main())


def get(url, data=None):
    with urllib.request.urlopen(url, data=data, timeout=5) as reply:
        assert reply.headers["X-Simulated"] == "true"
        return json.load(reply)


class TestServing:
    def test_the_same_request_has_the_same_reply(self):
        asked = requests(20) * 2
        with SimulatedJudge(Options(first_slot=0.5)) as one:
            first = [each.body for each in ask_all(one.base_url, asked)]
        with SimulatedJudge(Options(first_slot=0.5)) as two:
            second = [each.body for each in ask_all(two.base_url, asked)]
        assert first == second
        assert first[:20] == first[20:]
        assert len(set(first)) == 20

    def test_counts_are_what_was_planted_and_bought(self):
        options = Options(first_slot=0.3, shapes={Shape.EMPTY: 0.2})
        asked = requests(100)
        with SimulatedJudge(options) as judge:
            ask_all(judge.base_url, [*asked, asked[0]])
            stats = judge.stats()
        planned = expected(options, [each.body for each in [*asked, asked[0]]])
        assert (stats["received"], stats["bought"], stats["distinct"]) == (
            101,
            101,
            100,
        )
        assert stats["by_hash"][asked[0].request_hash] == 2
        assert stats["rules"][Rule.FIRST_SLOT] == planned.rules[Rule.FIRST_SLOT] > 0
        assert stats["shapes"][Shape.EMPTY] == planned.shapes[Shape.EMPTY] > 0
        assert Counter(stats["choices"]) == Counter(planned.choices)
        assert stats["in_flight"] == 0

    def test_a_fault_passes_and_is_not_bought(self):
        asked = requests(40)
        faults = {Fault.RESET: 0.2, Fault.SERVER_ERROR: 0.2, Fault.RATE_LIMITED: 0.2}
        with SimulatedJudge(Options(faults=faults, retry_after=0)) as judge:
            rounds, left = 0, asked
            while left:
                found = ask_all(judge.base_url, left)
                pairs = zip(left, found, strict=True)
                left = [each for each, reply in pairs if isinstance(reply, CallFailed)]
                rounds += 1
            stats = judge.stats()
        assert rounds > 1
        assert stats["bought"] == 40
        assert set(stats["by_hash"].values()) == {1}
        assert sum(stats["faults"].values()) == stats["received"] - 40
        assert set(stats["faults"]) == set(faults)

    def test_models_health_and_reset_are_labelled(self):
        with SimulatedJudge() as judge:
            root = judge.base_url.removesuffix("/v1")
            models = get(f"{root}/v1/models")
            assert models["data"][0]["id"] == "simulated-judge"
            assert get(f"{root}/health") == {"status": "ok", "simulated": True}
            ask_all(judge.base_url, requests(2))
            assert get(f"{root}/stats")["received"] == 2
            assert get(f"{root}/stats/reset", data=b"")["received"] == 0

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff"])
    def test_a_body_that_is_no_object_is_refused(self, data):
        with SimulatedJudge() as judge:
            url = f"{judge.base_url}/chat/completions"
            with pytest.raises(urllib.error.HTTPError) as found:
                urllib.request.urlopen(url, data=data, timeout=5)
            with found.value as reply:
                assert reply.code == 400

    def test_a_taken_port_is_an_error(self):
        with SimulatedJudge() as judge, pytest.raises(OSError, match="in use"):
            SimulatedJudge(port=judge.port).start()

    def test_stopping_does_not_wait_for_a_hung_call(self):
        async def main(judge):
            client = OpenAIChatClient(Endpoint(judge.base_url), environ={})
            asking = asyncio.create_task(client.ask(requests(1)[0]))
            await asyncio.sleep(0.3)
            started = time.monotonic()
            await asyncio.to_thread(judge.stop)
            with pytest.raises(CallFailed):
                await asking
            await client.close()
            return time.monotonic() - started

        judge = SimulatedJudge(Options(faults={Fault.HANG: 1})).start()
        assert asyncio.run(main(judge)) < 5

    def test_many_calls_wait_side_by_side(self):
        with SimulatedJudge(Options(latency=0.3)) as judge:
            started = time.monotonic()
            found = ask_all(judge.base_url, requests(100))
            taken = time.monotonic() - started
            stats = judge.stats()
        assert all(isinstance(each, RawReply) for each in found)
        assert taken < 100 * 0.3 / 5
        assert stats["most_in_flight"] > 50

    def test_its_own_thinking_is_part_of_the_latency(self, monkeypatch):
        waits = []

        async def sleep(seconds):
            waits.append(seconds)

        def think(*asked):
            time.sleep(0.05)
            return brain.decide(*asked)

        monkeypatch.setattr(server, "asyncio", SimpleNamespace(sleep=sleep))
        monkeypatch.setattr(server, "decide", think)
        with SimulatedJudge(Options(latency=9.0)) as judge:
            [reply] = ask_all(judge.base_url, requests(1))
        assert isinstance(reply, RawReply)
        assert 0 < waits[0] <= 9.0 - 0.05


class TestCommandLine:
    def parse(self, arguments):
        parser = argparse.ArgumentParser(exit_on_error=False)
        add_arguments(parser)
        return options_from(vars(parser.parse_args(arguments)))

    def test_every_option_survives_the_command_line(self, tmp_path):
        oracle = tmp_path / "oracle.json"
        oracle.write_text(json.dumps(dict(EVERYTHING.oracle)))
        arguments = arguments_for(EVERYTHING, port=0, oracle=oracle)
        assert self.parse(arguments) == EVERYTHING

    def test_no_options_are_the_defaults(self):
        assert self.parse([]) == Options()

    @pytest.mark.parametrize("text", ["odd=0.1", "empty", "empty=x", "=1"])
    def test_an_unknown_shape_names_the_known_ones(self, text):
        with pytest.raises(argparse.ArgumentError, match="truncated"):
            self.parse(["--shape", text])

    @pytest.mark.parametrize("text", ["[]", '{"a": "b"}', '{"a": NaN}', "{"])
    def test_a_bad_oracle_is_refused(self, tmp_path, text):
        path = tmp_path / "oracle.json"
        path.write_text(text)
        with pytest.raises(ValueError, match=r"oracle|Expecting"):
            read_oracle(path)

    def test_a_process_of_its_own_serves_the_same(self):
        options = Options(first_slot=0.5, oracle={"0" * 64: 0.5})
        asked = requests(5)
        with (
            SimulatedJudge(options) as thread,
            SimulatedJudgeProcess(options) as process,
        ):
            here = [each.body for each in ask_all(thread.base_url, asked)]
            there = [each.body for each in ask_all(process.base_url, asked)]
            assert process.stats()["bought"] == 5
        assert here == there
