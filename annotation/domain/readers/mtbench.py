"""MT-bench (FastChat): questions, model answers, and pairwise judgments.

Of a question with two turns come two cases of one group: in the second, a response is
the rest of the conversation. A judgment of the judge (``g1_winner``, ``g2_winner``) is
one verdict in each order: in game 1 the answer of ``model_1`` stood first, in game 2
that of ``model_2``. A judgment of a person (``winner``) is a label. Source: FastChat,
fastchat/llm_judge (gen_judgment.py, common.py: play_a_match_pair).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from annotation.domain.readers.base import FileKind, Reader, Wanted
from annotation.domain.readers.choosing import label_values, pair_and_order
from annotation.domain.readers.gathering import Cases, Others, or_error
from annotation.domain.readers.items import items_of
from annotation.domain.rows import Row
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from annotation.domain.readers.base import ReadOptions
    from annotation.domain.readers.items import Item
    from annotation.domain.rows import Problems

MOST_TURNS = 2
INVALID = "invalid"
GAME_1 = {"model_1": "first", "model_2": "second", "tie": "tie", "error": INVALID}
GAME_2 = {"model_2": "first", "model_1": "second", "tie": "tie", "error": INVALID}
PEOPLE = {
    "model_a": SlotChoice.FIRST,
    "model_b": SlotChoice.SECOND,
    "tie": SlotChoice.TIE,
}


def read(
    kind: FileKind, rows: Sequence[Row], options: ReadOptions, problems: Problems
) -> Iterable[Row]:
    """Turn questions and answers into cases, judgments into verdicts or labels."""
    items = list(items_of(rows, problems))
    if kind is FileKind.PAIRS:
        found: Iterable[Row] = _cases(items, options, problems)
    elif kind is FileKind.VERDICTS:
        found = _verdicts(items, options, problems)
    else:
        found = _labels(items, options, problems)
    return or_error(found, options, problems)


def _case_id(item: Item, turn: int) -> str | None:
    question = item.key("question_id")
    return None if question is None else f"{question}-{turn}"


# Cases


def _cases(
    items: Iterable[Item], options: ReadOptions, problems: Problems
) -> Iterator[Row]:
    cases, others = Cases(problems), Others(options)
    turns: dict[str, list[object]] = {}
    answers: list[Item] = []
    for item in items:
        if item.has("turns"):
            turns[str(item.values.get("question_id"))] = _question(cases, item)
        elif item.has("model_id", "choices"):
            answers.append(item)
        else:
            item.fail(None, "is neither a question (turns) nor an answer (choices)")
    for answer in answers:
        _answer(cases, answer, turns, others, options)
    others.report(problems)
    return cases.rows()


def _question(cases: Cases, item: Item) -> list[object]:
    turns = item.list_of("turns") or []
    references = item.values.get("reference")
    references = references if isinstance(references, list) else []
    for turn in range(1, len(turns) + 1):
        case_id = _case_id(item, turn)
        if case_id is None or turn > MOST_TURNS:
            item.fail("turns", f"{len(turns)} turns; at most {MOST_TURNS} are known")
            return turns
        slices: dict[str, object] = {"turn": str(turn)}
        if item.has("category"):
            slices["category"] = item.values["category"]
        cases.put(case_id, item.line, "prompt", turns[0])
        cases.put(case_id, item.line, "slices", slices)
        cases.put(case_id, item.line, "group", f"question-{item.key('question_id')}")
        if len(references) >= turn:
            cases.put(case_id, item.line, "reference", references[turn - 1] or None)
    return turns


def _answer(
    cases: Cases,
    item: Item,
    turns: dict[str, list[object]],
    others: Others,
    options: ReadOptions,
) -> None:
    model, question = item.key("model_id"), item.key("question_id")
    if model is None or question is None:
        return
    system = options.system(model)
    if others.skip(item.line, system):
        return
    asked = turns.get(question)
    if asked is None:
        item.fail("question_id", f"the files have no question {shown(question)}")
        return
    said = _said(item, len(asked))
    for turn in range(1, len(said) + 1):
        response: object = said[0] if turn == 1 else _dialogue(asked, said)
        cases.respond(f"{question}-{turn}", item.line, system, response)


def _said(item: Item, wanted: int) -> list[object]:
    """The turns of the one choice; several choices would be several systems."""
    choices = item.items("choices")
    if len(choices) != 1:
        item.fail("choices", f"holds {len(choices)} choices; one is needed")
        return []
    said = choices[0].list_of("turns") or []
    if len(said) != wanted:
        choices[0].fail("turns", f"holds {len(said)} turns, the question {wanted}")
        return []
    return said


def _dialogue(asked: list[object], said: list[object]) -> list[dict[str, object]]:
    """What follows the first question: answer, second question, second answer."""
    return [
        {"role": "assistant", "content": said[0]},
        {"role": "user", "content": asked[1]},
        {"role": "assistant", "content": said[1]},
    ]


# Judgments


def _turn(item: Item) -> int | None:
    turn = item.values.get("turn")
    if isinstance(turn, bool) or not isinstance(turn, int) or turn not in (1, 2):
        item.fail("turn", f"must be 1 or 2, not {shown(turn)}")
        return None
    return turn


def _verdicts(
    items: Iterable[Item], options: ReadOptions, problems: Problems
) -> Iterator[Row]:
    others = Others(options)
    judges: dict[str, int] = {}
    for item in items:
        if "g1_winner" not in item.values or "g2_winner" not in item.values:
            item.fail("g1_winner", "missing; no pairwise judgment in both orders")
        elif "m1_score" in item.values:
            item.fail("m1_score", "grades of single answers have no order")
        else:
            _note_judge(item, judges)
            yield from _games(item, options, others)
    others.report(problems)


def _note_judge(item: Item, judges: dict[str, int]) -> None:
    """One file, one judge: verdicts of two would be taken for one instrument."""
    judge = item.values.get("judge")
    name = judge[0] if isinstance(judge, list) and judge else judge
    if not isinstance(name, str):
        item.fail("judge", f"must name the judge, not {shown(judge)}")
        return
    judges.setdefault(name, item.line)
    first = next(iter(judges))
    if name != first:
        reason = f"is {shown(name)}, on line {judges[first]} it is {shown(first)}"
        item.fail("judge", f"{reason}; import one judge at a time")


def _games(item: Item, options: ReadOptions, others: Others) -> Iterator[Row]:
    one, two = item.key("model_1"), item.key("model_2")
    turn = _turn(item)
    if one is None or two is None or turn is None:
        return
    one, two = options.system(one), options.system(two)
    case_id = _case_id(item, turn)
    if case_id is None or others.skip(item.line, one, two):
        return
    systems, order = pair_and_order(one, two, options)
    for game, words, shown_order in (
        ("g1", GAME_1, order),
        ("g2", GAME_2, order.opposite),
    ):
        winner = item.values.get(f"{game}_winner")
        choice = words.get(winner) if isinstance(winner, str) else None
        if choice is None:
            known = ", ".join(words)
            item.fail(f"{game}_winner", f"must be {known}, not {shown(winner)}")
            continue
        values: dict[str, object] = {
            "case_id": case_id,
            "systems": systems,
            "order": shown_order.value,
            "choice": choice,
            "raw": item.text(f"{game}_judgment", required=False),
        }
        yield Row(item.line, values)


def _labels(
    items: Iterable[Item], options: ReadOptions, problems: Problems
) -> Iterator[Row]:
    others = Others(options)
    for item in items:
        one, two = item.key("model_a"), item.key("model_b")
        turn, reviewer = _turn(item), item.key("judge")
        if one is None or two is None or turn is None or reviewer is None:
            continue
        one, two = options.system(one), options.system(two)
        case_id = _case_id(item, turn)
        if case_id is None or others.skip(item.line, one, two):
            continue
        winner = item.values.get("winner")
        choice = PEOPLE.get(winner) if isinstance(winner, str) else None
        if choice is None:
            known = ", ".join(PEOPLE)
            item.fail("winner", f"must be {known}, not {shown(winner)}")
            continue
        said = label_values(choice, one, two, options)
        yield Row(item.line, {"case_id": case_id, "reviewer": reviewer, **said})
    others.report(problems)


READER = Reader(
    name="mtbench",
    title="MT-bench (FastChat)",
    takes="question.jsonl with model_answer/*.jsonl; or a file of pairwise judgments",
    mapping={
        FileKind.PAIRS: (
            ("case_id", "question_id and turn, such as 81-1"),
            ("prompt", "question: turns, the first"),
            ("responses.SYSTEM", "answer: choices[0].turns; SYSTEM is model_id"),
            ("reference", "question: reference of the turn"),
            ("slices", "question: category; turn"),
            ("group", "both turns of a question"),
        ),
        FileKind.LABELS: (
            ("case_id", "question_id and turn"),
            ("reviewer", "judge"),
            ("systems", "model_a and model_b"),
            ("outcome", "winner: model_a, model_b or tie"),
        ),
        FileKind.VERDICTS: (
            ("case_id", "question_id and turn"),
            ("systems", "model_1 and model_2"),
            ("order", "game 1: model_1 stood first; game 2: model_2"),
            ("choice", "g1_winner and g2_winner; error is invalid"),
            ("raw", "g1_judgment and g2_judgment"),
        ),
    },
    read=read,
    wants=frozenset({Wanted.NAMES}),
)
