"""What only the whole of a bundle can tell: digests and counts over many rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Order
from calibration.domain.audit.layout import table_file
from calibration.domain.audit.material import moment
from calibration.domain.audit.splits_again import check_drawn
from calibration.domain.audit.tables import CLOCKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.audit.beside_people import Seen
    from calibration.domain.audit.findings import Findings
    from calibration.domain.audit.material import Material, VersionRow

    Row = Mapping[str, Any]
    Key = tuple[str, str]

CASES, SPLITS = table_file("cases"), table_file("splits")
EXPOSURES, IMPORTS = table_file("exposures"), table_file("label_imports")
SETS, RUNS, LOOKS = table_file("gold_sets"), table_file("runs"), table_file("looks")


def check_whole(material: Material, seen: Seen, found: Findings) -> None:
    """Check what no row tells by itself."""
    _check_cases(material, seen, found)
    for name in material.sets:
        _check_splits(name, material, seen, found)
    _check_runs(material, seen, found)
    _check_looks(material, seen, found)
    _check_exposed(seen, found)


def check_imports(material: Material, seen: Seen, found: Findings) -> None:
    """Labels of no round came by an import: as many as it added, at its moment."""
    for key in sorted(seen.outside.keys() | seen.imports.keys()):
        count, added = seen.outside[key], seen.imports.get(key)
        name, at = key
        if added is None:
            what = f"{count} labels of {name} came from outside at {at}, by no import"
            found.add(IMPORTS, None, what)
        elif not material.dev_only and sum(added) != count:
            what = f"what was imported into {name} at {at} added {sum(added)} labels"
            found.add(IMPORTS, None, f"{what}; {count} are there")


def _check_exposed(seen: Seen, found: Findings) -> None:
    """Who ruled on a pair had seen its labels, and that was noted."""
    for row in seen.rulings:
        noted = seen.ruled.get((row["adjudicator"], row["pair"]))
        if noted is None or (
            moment(noted, "seen_at") > moment(row, "created_at") + CLOCKS
        ):
            what = f"nobody noted that {row['adjudicator']} saw pair {row['pair']}"
            found.add(EXPOSURES, None, f"{what} before ruling on it")


def _check_cases(material: Material, seen: Seen, found: Findings) -> None:
    """The digest of a case is over everything that came with it but its split."""
    responses: dict[Key, dict[str, Any]] = defaultdict(dict)
    for one in material.responses.values():
        responses[one.case.gold_set, one.case.case_id][one.system] = one
    designed: dict[Key, dict[str, str]] = defaultdict(dict)
    for number, outcome in seen.designed.items():
        pair = material.pairs[number]
        key = pair.case.gold_set, pair.case.case_id
        designed[key]["|".join(pair.systems)] = outcome
    for number_, (at, row) in enumerate(seen.rows["cases"].items(), start=1):
        systems = responses[at]
        content = {
            **{name: row[name] for name in _OF_CASE},
            "responses": {name: one.sha256 for name, one in systems.items()},
            "designed": designed[at],
            "response_meta": {n: one.meta for n, one in systems.items() if one.meta},
        }
        if digest_of(content) != row["digest"]:
            found.add(CASES, number_, "what came with it does not fit its digest")


_OF_CASE = (
    "prompt", "context", "reference", "slices", "critical", "group", "extra",
)  # fmt: skip


def _check_splits(name: str, material: Material, seen: Seen, found: Findings) -> None:
    """Splits are those that were assigned last, or that gold was frozen with."""
    splits = {
        case: row["split"]
        for (own, case), row in seen.rows["cases"].items()
        if own == name
    }
    last = seen.rows["splits"].get(name)
    if last is not None:
        counts = Counter(splits.values())
        said = {"dev": last["dev"], "held_out": last["held_out"]}
        if len(splits) > sum(said.values()):
            found.leave(
                f"whether splits of {name} are those assigned: cases came later"
            )
        elif digest_of([list(each) for each in sorted(splits.items())]) != (
            last["digest"]
        ) or any(counts[split] != n for split, n in said.items()):
            what = f"the splits of {name} are not those that were assigned last"
            found.add(SPLITS, None, what)
        else:
            check_drawn(name, splits, last, material, found)
    version = _newest(name, material)
    if version is None or (
        last is not None and moment(last, "assigned_at") > version.at
    ):
        return
    for item in material.items[version.number]:
        frozen = item.split.value if item.split else ""
        if splits.get(item.pair.case.case_id) != frozen:
            what = f"case {item.pair.case.case_id} is in another split than in its gold"
            found.add(CASES, None, what)


def _newest(name: str, material: Material) -> VersionRow | None:
    own = (each for each in material.versions.values() if each.gold_set.name == name)
    return max(own, key=lambda version: version.version, default=None)


def _check_runs(material: Material, seen: Seen, found: Findings) -> None:
    """Everything was asked in both orders as often as the judge asks."""
    for run in material.runs.values():
        first = seen.rows["gold_sets"][run.gold_set.name]["judged_at"]
        if first is None or moment({"at": first}, "at") > run.created + CLOCKS:
            what = f"the set was judged by run {run.number} before its judged_at"
            found.add(SETS, None, what)
        if run.status != "done" or run.judge.recorded or run.judge.kind == "panel":
            continue
        spec: Any = run.judge.spec
        expected = spec.repeats * (len(Order) if run.judge.kind == "pairwise" else 1)
        asked = Counter(each[:3] for each in seen.asked[run.number] if each[0] is None)
        short = sum(count != expected for count in asked.values())
        if short:
            what = f"run {run.number} asked too often or not often enough of {short}"
            found.add(RUNS, run.row, what)


def _sealed(plan: Row, look: Row, seen: Seen) -> bool:
    opened = seen.rows["unsealed"].get(plan["gold_set"])
    until = opened["unsealed_at"] if opened else None
    return plan["mode"] == "sealed" and (until is None or look["looked_at"] < until)


def _check_looks(material: Material, seen: Seen, found: Findings) -> None:
    """A look at a report is at the held-out pairs that the report speaks of."""
    reports = {row["report"]: row for _, row in material.reports}
    for number, row in enumerate(seen.looks, start=1):
        first = seen.rows["gold_sets"][row["gold_set"]]["held_out_seen_at"]
        if first is None or (
            moment({"at": first}, "at") > moment(row, "looked_at") + CLOCKS
        ):
            what = f"a look at {row['gold_set']} was taken before its held_out_seen_at"
            found.add(SETS, None, what)
        report = reports.get(row["report"])
        if report is None:
            continue
        plan = seen.rows["look_plans"].get(row["gold_set"])
        if plan is not None and _sealed(plan, row, seen) != bool(row["word"]):
            found.add(LOOKS, number, "it is open at a sealed set, or the reverse")
        run = material.runs[report["run"]]
        judged = set(run.readings) or {
            pair for each in run.members for pair in material.runs[each].readings
        }
        pairs = sorted(
            item.pair.digest
            for item in material.items[report["version"]]
            if item.split is not None and item.split.value == "held_out"
            and item.pair.number in judged
        )  # fmt: skip
        known = material.dev_only or row["held_out_digest"] in (None, "")
        if not known and row["held_out_digest"] != digest_of(pairs):
            found.add(LOOKS, number, "it names other held-out pairs than its report")
