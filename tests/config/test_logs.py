from __future__ import annotations

import json
import logging
import sys

from config.logs import JsonFormatter


def line(**fields):
    record = logging.makeLogRecord(
        {
            "name": "judging",
            "levelname": "INFO",
            "msg": "run %s",
            "args": (7,),
            **fields,
        }
    )
    text = JsonFormatter().format(record)
    assert "\n" not in text
    return json.loads(text)


def test_a_record_becomes_one_line():
    shown = line(run=7, detail={"größe": 1})
    assert shown["message"] == "run 7"
    assert (shown["level"], shown["logger"]) == ("INFO", "judging")
    assert (shown["run"], shown["detail"]) == (7, {"größe": 1})
    assert shown["time"].endswith("+00:00")


def test_secrets_are_hidden():
    shown = line(api_key="k", Authorization="Bearer k", session_cookie="k", kind="k")
    assert shown["kind"] == "k"
    assert {shown[n] for n in ("api_key", "Authorization", "session_cookie")} == {
        "[hidden]"
    }


def test_a_traceback_stays_on_the_line():
    try:
        raise ValueError("broken\nline")  # noqa: TRY301 - a traceback is wanted
    except ValueError:
        shown = line(exc_info=sys.exc_info())
    assert "ValueError: broken" in shown["exception"]
