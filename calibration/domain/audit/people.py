"""Reading what people did, and whatever one row can tell by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from annotation.domain.digests import digest_of, text_digest
from annotation.domain.outcomes import Order, Outcome, SlotChoice, Split, outcome_of
from annotation.domain.pairs import pair_digest
from annotation.domain.same_texts import combined, text_mark
from annotation.domain.texts import text_digest_of, text_from_json, text_length
from calibration.domain.audit.material import (
    BadRow,
    CaseRow,
    ItemRow,
    LabelRow,
    Material,
    PairRow,
    ResponseRow,
    RulingRow,
    SetRow,
    VersionRow,
    get,
    known,
    maybe,
    moment,
    texts,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    Row = Mapping[str, Any]


def gold_sets(row: Row, _number: int, material: Material) -> None:
    """A set and its systems."""
    systems = tuple(str(known(each, "name", "a system")) for each in row["systems"])
    name = get(row, "gold_set", str)
    if name in material.sets:
        raise BadRow("the gold set is there twice")
    if len({*systems}) < len(systems):
        raise BadRow("a system of it is there twice")
    material.sets[name] = SetRow(
        name=name,
        systems=systems,
        wanted=get(row, "labels_per_pair", int),
        rule=get(row, "consensus_rule", str),
        simulated=get(row, "simulated", bool),
        created_by=maybe(row, "created_by", str),
    )


def guidelines(row: Row, _number: int, material: Material) -> None:
    """A version of a guideline: its digest is that of text and criteria."""
    text, criteria = get(row, "text", str), row.get("criteria", [])
    if criteria is None:
        raise BadRow("its criteria are null")
    digest = digest_of([text, criteria]) if criteria else text_digest(text)
    if digest != get(row, "digest", str):
        raise BadRow("its text does not fit its digest")
    material.guidelines.add(digest)


def cases(row: Row, _number: int, material: Material) -> None:
    """A case; its texts are checked through the digests of its pairs."""
    key = get(row, "gold_set", str), get(row, "case_id", str)
    known(material.sets, key[0], "a gold set")
    if key in material.cases:
        raise BadRow("the case is there twice")
    if material.dev_only and row["split"] != Split.DEV:
        raise BadRow("it is not dev, and the bundle says that it holds dev pairs alone")
    material.cases[key] = CaseRow(
        *key,
        prompt=row["prompt"],
        context=row["context"],
        reference=row["reference"],
        slices=get(row, "slices", dict),
        critical=get(row, "critical", bool),
        group=get(row, "group", str),
    )


def responses(row: Row, _number: int, material: Material) -> None:
    """A response: digest and length are those of its text."""
    key = get(row, "gold_set", str), get(row, "case_id", str)
    text = text_from_json(row["text"])
    found = ResponseRow(
        number=get(row, "response", int),
        case=known(material.cases, key, "a case"),
        system=get(row, "system", str),
        text=row["text"],
        sha256=get(row, "sha256", str),
        length=get(row, "length", int),
        meta=get(row, "meta", dict),
    )
    if found.sha256 != text_digest_of(text):
        raise BadRow("its text does not fit its digest")
    if found.length != text_length(text):
        raise BadRow("its length is not that of its text")
    if found.system not in material.sets[key[0]].systems:
        raise BadRow("its system is none of its gold set's")
    if found.number in material.responses:
        raise BadRow("the response is there twice")
    material.responses[found.number] = found


def pairs(row: Row, _number: int, material: Material) -> None:
    """A pair: its digest is over its case's texts and its responses' digests.

    Another is over the texts that seals and looks follow; pairs of bundles made before
    there was one lack it.
    """
    key = get(row, "gold_set", str), get(row, "case_id", str)
    case = known(material.cases, key, "a case")
    pair = PairRow(
        number=get(row, "pair", int),
        case=case,
        baseline=known(material.responses, row["baseline"], "a response"),
        candidate=known(material.responses, row["candidate"], "a response"),
        digest=get(row, "digest", str),
    )
    digest = pair_digest(
        case_id=case.case_id,
        prompt=text_from_json(case.prompt),
        context=None if case.context is None else text_from_json(case.context),
        reference=None if case.reference is None else text_from_json(case.reference),
        systems=pair.systems,
        responses=(pair.baseline.sha256, pair.candidate.sha256),
    )
    if digest != pair.digest:
        raise BadRow("its texts or systems do not fit its digest")
    texts = texts_digest_of(pair)
    if row.get("texts_digest", texts) != texts:
        raise BadRow("its texts do not fit the digest that looks follow")
    if pair.number in material.pairs:
        raise BadRow("the pair is there twice")
    material.pairs[pair.number] = pair


def texts_digest_of(pair: PairRow) -> str:
    """The digest over the prompt and responses of a pair, as looks follow it."""
    one, other = (
        text_mark(text_from_json(each.text), each.sha256)
        for each in (pair.baseline, pair.candidate)
    )
    return combined(text_mark(text_from_json(pair.case.prompt)), one, other)


def reviewers(row: Row, _number: int, material: Material) -> None:
    """Who labelled in a set."""
    author = maybe(row, "reviewer", str), get(row, "outside", str)
    material.draws[get(row, "gold_set", str)][author] = get(row, "draw", str)


def labels(row: Row, _number: int, material: Material) -> None:
    """A label: its outcome follows from what was chosen and the order shown."""
    pair = known(material.pairs, row["pair"], "a pair")
    outcome, order = Outcome(get(row, "outcome", str)), get(row, "order", str)
    if order or row["choice"]:
        choice = SlotChoice(get(row, "choice", str))
        if outcome_of(choice, Order(order)) is not outcome:
            raise BadRow("its outcome does not follow from its choice and order")
    author = maybe(row, "reviewer", str), get(row, "outside", str)
    known(material.draws[pair.case.gold_set], author, "a reviewer")
    if not get(row, "retest", bool):
        label = LabelRow(author, outcome, order, moment(row, "created_at"))
        material.labels[pair.number].append(label)


def adjudications(row: Row, number: int, material: Material) -> None:
    """A ruling; the chains are followed once all are there."""
    pair = known(material.pairs, row["pair"], "a pair")
    ruling = RulingRow(
        row=number,
        at=moment(row, "created_at"),
        outcome=Outcome(get(row, "outcome", str)),
        digest=get(row, "digest", str),
        after_judge=get(row, "after_judge", bool),
        raw=row,
    )
    material.rulings[pair.number].append(ruling)


def gold_versions(row: Row, _number: int, material: Material) -> None:
    """A frozen version."""
    version = VersionRow(
        number=get(row, "version", int),
        version=get(row, "number", int),
        gold_set=known(material.sets, row["gold_set"], "a gold set"),
        rule=get(row, "rule", str),
        digest=get(row, "digest", str),
        pairs=get(row, "pairs", int),
        left_open=get(row, "left_open", int),
        at=moment(row, "created_at"),
    )
    material.versions[version.number] = version


def gold_items(row: Row, number: int, material: Material) -> None:
    """A pair of a version."""
    version = known(material.versions, row["version"], "a gold version")
    split = get(row, "split", str)
    item = ItemRow(
        row=number,
        pair=known(material.pairs, row["pair"], "a pair"),
        split=Split(split) if split else None,
        outcome=outcome_in(row["outcome"]),
        source=get(row, "source", str),
        open_reason=get(row, "open_reason", str),
        labels=texts(row, "labels"),
        ruling=get(row, "ruling_digest", str),
    )
    if material.dev_only and item.split is not Split.DEV:
        raise BadRow("it is not dev, and the bundle says that it holds dev pairs alone")
    material.items[version.number].append(item)


def looks(row: Row, _number: int, material: Material) -> None:
    """A look: numbers run on within a set."""
    gold_set = get(row, "gold_set", str)
    material.looks[gold_set] += 1
    if get(row, "number", int) != material.looks[gold_set]:
        raise BadRow("a look before it is missing")


def look_plans(row: Row, _number: int, material: Material) -> None:
    """A plan of looks; the end of a seal has no limits."""
    gold_set = known(material.sets, row["gold_set"], "a gold set")
    if "sequence" in row:
        plan = moment(row, "at"), get(row, "limits", dict)
        material.plans[gold_set.name].append(plan)


def outcome_in(value: object) -> Outcome | None:
    """Read an outcome; "" and null are none. Raises :class:`BadRow`."""
    if value in ("", None):
        return None
    try:
        return Outcome(cast("str", value))
    except ValueError as error:
        raise BadRow("its outcome is none that there is") from error
