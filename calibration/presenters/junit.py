"""A decision as JUnit XML, for build servers: one test case a condition."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from calibration.presenters.decision_texts import waiver_text
from calibration.presenters.decisions import condition_rows, result_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What XML 1.0 can't hold, not even escaped.
_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(payload: Mapping[str, Any]) -> str:
    """Passed conditions pass, broken ones fail, those left open are errors.

    The result itself is the last test case: it passes only where everything ships.
    """
    rows = condition_rows(payload)
    run, policy = payload["run"], payload["policy"]
    failed = sum(row.result == "fail" for row in rows)
    open_ = sum(row.result not in ("pass", "fail") for row in rows)
    shipped = payload["result"] == "ship"
    suite = ET.Element(
        "testsuite",
        name=_clean(f"evenhand.decide.{policy['name']}.run{run['id']}"),
        tests=f"{len(rows) + 1}",
        failures=f"{failed + (not shipped)}",
        errors=f"{open_}",
        skipped="0",
    )
    group = _clean(f"evenhand.{run['gold_set']}")
    lacks, waived = _lacks(payload), _waived(payload)
    for row in rows:
        case = ET.SubElement(suite, "testcase", classname=group, name=row.key)
        if row.result != "pass":
            kind = "failure" if row.result == "fail" else "error"
            told = {"type": row.result, "message": _clean(row.sentence)}
            ET.SubElement(case, kind, told).text = _lines(lacks.get(row.key, ()))
        beside = (*lacks.get(row.key, ()), *waived.get(row.key, ()))
        ET.SubElement(case, "system-out").text = _lines((row.sentence, *beside))
    case = ET.SubElement(suite, "testcase", classname=group, name="result")
    said = _clean(result_text(payload))
    if not shipped:
        told = {"type": payload["result"], "message": said}
        ET.SubElement(case, "failure", told)
    every = (
        each for found in (lacks, waived) for one in found.values() for each in one
    )
    ET.SubElement(case, "system-out").text = _lines((said, *every))
    ET.indent(suite)
    text = ET.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _lacks(payload: Mapping[str, Any]) -> dict[str, list[str]]:
    """What is missing and who brings it, by condition."""
    found: dict[str, list[str]] = {}
    for one in payload["missing"]:
        line = f"missing: {one['what']} (from {one['owner']})"
        found.setdefault(one["condition"], []).append(line)
    return found


def _waived(payload: Mapping[str, Any]) -> dict[str, list[str]]:
    """The waivers that were used, with the condition that they lift."""
    used = [waiver_text(one) for one in payload["waivers"] if one["used"]]
    return {"criticalSliceRule": used} if used else {}


def _lines(found: Iterable[str]) -> str | None:
    return _clean("\n".join(found)) or None


def _clean(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)
