"""What rows about judges and results have to be beside rows of other tables.

A judge is frozen before it runs, a call is answered while its run runs, a report is
made of what is done, a decision comes after all that it rests on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.digests import digest_of
from calibration.domain.audit.beside_people import next_, not_before, set_
from calibration.domain.audit.material import BadRow, known, moment
from calibration.domain.audit.tables import CLOCKS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from calibration.domain.audit.beside_people import Seen

    Row = Mapping[str, Any]

DOORS = ("page", "api", "command")


def _provider(row: Row, seen: Seen) -> None:
    seen.rows["providers"][row["provider"]] = row


def _price(row: Row, seen: Seen) -> None:
    known(seen.rows["providers"], row["provider"], "a provider")


def _judge(row: Row, seen: Seen) -> None:
    if row["provider"] is not None:
        provider = known(seen.rows["providers"], row["provider"], "a provider")
        if row["spec"].get("provider", provider["provider"]) != row["provider"]:
            raise BadRow("its provider is not the one that its specification names")
    if row["retired_by"] and not row["retired_at"]:
        raise BadRow("it was retired by somebody at no time")
    key = row["name"], row["version"]
    if key in seen.rows["judges"]:
        raise BadRow("a judge of this name and version is there already")
    seen.rows["judges"][key] = seen.rows["judges"][row["judge"]] = row


def _run(row: Row, seen: Seen) -> None:
    not_before(row, "created_at", set_(row, seen), "created_at", "its set was made")
    judge = known(seen.rows["judges"], row["judge"], "a judge")
    not_before(row, "created_at", judge, "frozen_at", "its judge was frozen")
    if row["status"] in ("failed", "done") and (
        (row["status"] == "failed") != bool(row["failure"])
    ):
        raise BadRow("it failed without a reason, or has one and did not fail")
    if row["status"] in ("done", "failed") and row["finished_at"] is None:
        raise BadRow(f"it is {row['status']} and did not finish")
    if row["status"] in ("paused", "stopped") and row["halted_at"] is None:
        raise BadRow(f"it is {row['status']} and nobody halted it")
    if row["drawn"] is not None and row["purpose"] != "release":
        raise BadRow("its pairs were drawn, and it is no release run")
    _limits(row, judge)
    times = [note["at"] for note in row["notes"]]
    if times != sorted(times) or (times and times[0] < row["created_at"]):
        raise BadRow("its notes are not in the order of their times")
    seen.rows["runs"][row["run"]] = row


def _limits(row: Row, judge: Row) -> None:
    """What was set for a run belongs together."""
    if row["halted_at"] is None and (row["halted_by"] or row["halt_reason"]):
        raise BadRow("it was halted by somebody, or for a reason, at no time")
    if (row["max_cost"] is None) != (not row["currency"]):
        raise BadRow("its budget has an amount or a currency alone")
    if row["source_digest"] and not judge["recorded"]:
        raise BadRow("it came from a file, and its judge was asked")
    steps = bool(judge["spec"].get("rubric_step"))
    if judge["kind"] == "pairwise" and row["rubric_step"] != steps:
        raise BadRow("its judge writes rubrics and it does not, or the reverse")


def _call(row: Row, seen: Seen) -> None:
    run = known(seen.rows["runs"], row["run"], "a run")
    asked = row["case_id"], row["response"], row["pair"], row["order"], row["repeat"]
    if asked in seen.asked[row["run"]]:
        raise BadRow("the same was asked for twice")
    seen.asked[row["run"]].add(asked)
    judge = seen.rows["judges"][run["judge"]]
    if not 1 <= row["repeat"] <= judge["spec"].get("repeats", 1):
        raise BadRow("its judge does not ask as often as that")
    if (row["state"] == "done") != (row["reply"] is not None):
        raise BadRow("its state does not fit its reply")
    if row["reply"] is None or row["reply"]["answered_at"] is None:
        return
    own = row["answered_by"] == row["call"]
    if not own and not run["reuse"]:
        raise BadRow("its reply is another run's, and its run reuses none")
    _exchange(row, row["reply"], recorded=judge["recorded"])
    _when(row, run, own=own)


def _when(row: Row, run: Row, *, own: bool) -> None:
    """It was asked while its run ran, and then answered.

    Several may have asked at once, and a stopped run takes what comes late: only the
    first request has to lie before the reply.
    """
    answered, late = moment(row["reply"], "answered_at"), CLOCKS
    if own and answered < moment(run, "created_at") - late:
        raise BadRow("answered_at is before its run began")
    ended = run["status"] == "done" and run["finished_at"] is not None
    if ended and answered > moment(run, "finished_at") + late:
        raise BadRow("answered_at is after its run finished")
    sent = min((moment(one, "sent_at") for one in row["attempts"]), default=answered)
    if sent > answered + late or (own and sent < moment(run, "created_at") - late):
        raise BadRow("it was not sent between the begin of its run and its reply")


def _exchange(row: Row, reply: Row, *, recorded: bool) -> None:
    """What was sent and what came back stands in the reply as in its attempt."""
    attempts = row["attempts"]
    if reply["choice_was_stored"] and not recorded:
        raise BadRow("its choice was stored, and its judge was asked")
    if row["pair"] is not None and reply["subject_sha256"]:
        raise BadRow("it is about a pair and names another text")
    for one in attempts:
        same = all(one[name] == reply[name] for name in _TEXTS)
        if one["order"] not in ("", row["order"]) or not same:
            raise BadRow("an attempt of it is about something else")
    good = [one for one in attempts if not one["error"]]
    if good and not any(all(o[n] == reply[n] for n in _EXCHANGED) for o in good):
        raise BadRow("what is kept of its reply is not what an attempt brought")


_TEXTS = ("baseline_sha256", "candidate_sha256", "subject_sha256", "request_hash")
_EXCHANGED = ("finish_reason", "served_model", "fingerprint", "usage", "latency_ms")


def _report(row: Row, seen: Seen) -> None:
    run = known(seen.rows["runs"], row["run"], "a run")
    version = known(seen.rows["gold_versions"], row["version"], "a gold version")
    if run["status"] not in ("done", "stopped"):
        raise BadRow(f"its run is {run['status']}")
    if run["gold_set"] != version["gold_set"]:
        raise BadRow("its run and its gold are of two sets")
    not_before(row, "created_at", run, "finished_at", "its run finished")
    not_before(row, "created_at", version, "created_at", "its gold was frozen")
    seen.rows["reports"][row["report"]] = row


def _finding(row: Row, seen: Seen) -> None:
    run = known(seen.rows["runs"], row["run"], "a run")
    version = known(seen.rows["gold_versions"], row["version"], "a gold version")
    gold_set, _ = known(seen.pairs, row["pair"], "a pair")
    if not gold_set == run["gold_set"] == version["gold_set"]:
        raise BadRow("its run, gold and pair are of several sets")
    not_before(row, "decided_at", run, "finished_at", "its run finished")
    not_before(row, "decided_at", version, "created_at", "its gold was frozen")
    asked = {each[2] for each in seen.asked[row["run"]]}
    if asked and row["pair"] not in asked:
        raise BadRow("its run did not judge its pair")
    key = "finding", row["run"], row["version"], row["pair"]
    next_(seen, key, row["revision"], "revision")


def _look(row: Row, seen: Seen) -> None:
    owner = set_(row, seen)
    not_before(row, "looked_at", owner, "created_at", "its set was made")
    before = seen.rows["looks"].get(row["gold_set"])
    if before is not None:
        not_before(row, "looked_at", before, "looked_at", "the look before it")
    seen.rows["looks"][row["gold_set"]] = row
    seen.looks.append(row)
    if row["door"] not in DOORS:
        raise BadRow(f"its door is {row['door']!r}, which is none there is")
    if (row["report"] is None) == (not row["what"]):
        raise BadRow("it is a look at a report and at something else, or at nothing")
    _looked_at(row, seen)


def _looked_at(row: Row, seen: Seen) -> None:
    """Its report is the one that it names by number, digest and judge."""
    report = seen.rows["reports"].get(row["report"])
    if report is None:
        # It may be of a set beside, whose reports need not be here.
        digests = {own: n for n, each in seen.rows["reports"].items()
                   for own in subjects(each)}  # fmt: skip
        if row["report"] is not None and row["subject"] in digests:
            raise BadRow("it names another report by its number than by its digest")
        return
    not_before(row, "looked_at", report, "created_at", "its report was made")
    run = seen.rows["runs"][report["run"]]
    if run["gold_set"] != row["gold_set"]:
        raise BadRow("its report is of another set")
    judge = seen.rows["judges"][run["judge"]]
    if row["config_digest"] not in (None, "", judge["digest"]):
        raise BadRow("it names another judge than its report")
    if row["subject"] not in ("", *subjects(report)):
        raise BadRow("it names another report by its digest than by its number")


def subjects(report: Row) -> tuple[str, str, str]:
    """What a look at a report may be at: all of it, its word, its single pairs."""
    digest = report["digest"]
    return digest, *(digest_of([what, digest]) for what in ("sealed", "pairs of"))


def _decision(row: Row, seen: Seen) -> None:
    run = known(seen.rows["runs"], row["run"], "a run")
    policy = known(seen.rows["policies"], row["policy"], "a policy")
    if run["status"] != "done":
        raise BadRow(f"its run is {run['status']}")
    not_before(row, "decided_at", run, "finished_at", "its run finished")
    not_before(row, "decided_at", policy, "frozen_at", "its policy was frozen")
    if row["report"] is not None:
        report = known(seen.rows["reports"], row["report"], "a report")
        not_before(row, "decided_at", report, "created_at", "its report was made")
        known_looks = (*subjects(report), "")
        looks = [
            moment(each, "looked_at")
            for each in seen.looks
            if each["report"] == row["report"] and each["subject"] in known_looks
        ]
        judge = seen.rows["judges"][seen.rows["runs"][report["run"]]["judge"]]
        decided = moment(row, "decided_at") + CLOCKS
        if judge["kind"] != "panel" and not any(at <= decided for at in looks):
            raise BadRow("nobody had looked at its report, which deciding is")


def _policy(row: Row, seen: Seen) -> None:
    seen.rows["policies"][row["policy"]] = row


def _waiver(row: Row, seen: Seen) -> None:
    not_before(row, "asked_at", set_(row, seen), "created_at", "its set was made")


JUDGES: dict[str, Callable[[Row, Seen], None]] = {
    "providers": _provider,
    "prices": _price,
    "judges": _judge,
    "runs": _run,
    "calls": _call,
    "reports": _report,
    "findings": _finding,
    "looks": _look,
    "policies": _policy,
    "waivers": _waiver,
    "decisions": _decision,
}
