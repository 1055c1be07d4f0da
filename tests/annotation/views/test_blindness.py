"""Rule 6: nothing that a labeller can reach tells what they must not know.

Canary names are planted everywhere but in the texts of prompts and responses, row ids
start at numbers that occur nowhere else, and every reply is searched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotation.domain.outcomes import SlotChoice
from annotation.models import Assignment, ExposureKind, Label, Pair
from annotation.services.exposures import record_exposures
from annotation.services.round_members import add_members
from annotation.services.rounds import close_round
from config.accounts.roles import Role
from tests.annotation.crawling import Answered, ask, crawl
from tests.annotation.factory import Desk
from tests.annotation.planting import Planted, plant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.test import Client

    from config.accounts.models import User

NAMES = re.compile(r"canary[a-z]*", re.IGNORECASE)
# Words that no reply about a pair may hold. Tokens are random letters and digits, so a
# short word or number must stand by itself to count.
WORDS = re.compile(
    r"baseline|candidate|held_out|designed|external_id|pass_no"
    r"|(?<![0-9a-z])seed(?![0-9a-z])",
    re.IGNORECASE,
)
IDS = re.compile(r"(?<![0-9a-f])731\d{6}(?![0-9a-f])")
CHOICES = list(SlotChoice)


@pytest.fixture
def planted(make_user: Callable[..., Any]) -> Planted:
    return plant(make_user)


@pytest.fixture(params=[Role.REVIEWER, Role.ADJUDICATOR])
def labeller(
    request: pytest.FixtureRequest, planted: Planted, make_user: Callable[..., Any]
) -> User:
    """A member of the round who has seen results of one pair."""
    user: User = make_user("me", request.param)
    add_members(round_=planted.round, reviewers=[user], now=planted.clock.now)
    seen = Pair.objects.filter(gold_set=planted.gold_set).earliest("pk")
    record_exposures(
        user=user,
        pair_ids=[seen.pk],
        kind=ExposureKind.SYSTEMS,
        now=planted.clock.now,
    )
    return user


def leaks(planted: Planted, answers: list[Answered]) -> list[str]:
    """Where something shows that must not, and what."""
    found = []
    for answer in answers:
        hits = set(NAMES.findall(answer.text)) | set(IDS.findall(answer.text))
        hits |= {secret for secret in planted.secrets() if secret in answer.text}
        if "schema" not in answer.path:  # it names all fields there are, of no pair
            hits |= set(WORDS.findall(answer.text))
        if hits:
            found.append(
                f"{answer.method} {answer.path} {answer.status}: {sorted(hits)}"
            )
    return found


def work(client: Client, planted: Planted) -> Iterator[Answered]:
    """Label through page and API until nothing is left."""
    page, api = f"/label/{planted.round.pk}/", f"/api/v1/rounds/{planted.round.pk}/next"
    yield ask(client, "GET", page)
    for step in range(10):
        answer = ask(client, "POST", api)
        yield answer
        token = re.search(r'"token":"([^"]+)"', answer.text)
        if token is None:
            return
        choice = CHOICES[step % 4].value
        if step % 2:
            form = {
                "token": token[1], "choice": choice, "note": "mine",
                "abstain_reason": "broken_text",
            }  # fmt: skip
            url, rest = f"{page}answer", {"headers": {"HX-Request": "true"}}
            yield ask(client, "POST", url, form, **rest)
        else:
            url = f"/api/v1/assignments/{token[1]}/label"
            reason = "other" if choice == "abstain" else ""
            body = {"choice": choice, "abstain_reason": reason, "note": "mine"}
            yield ask(client, "POST", url, body, content_type="application/json")


def test_a_labeller_learns_nothing_before_or_after_the_round_closes(
    planted: Planted, labeller: User, client_of: Callable[[User], Client]
) -> None:
    client = client_of(labeller)
    ask(client, "GET", f"/label/{planted.round.pk}/")
    first = crawl(client, planted.values(labeller))
    worked = list(work(client, planted))
    labelled = Label.objects.filter(reviewer=labeller).count()
    close_round(round_=planted.round, by=None, now=timezone.now())
    after = crawl(client, planted.values(labeller))

    assert leaks(planted, [*first, *worked, *after]) == []
    # The walk must have got somewhere for its silence to mean anything.
    # The first walk gives its pairs back before it comes to the page's answers.
    assert {a.path for a in [*first, *worked] if a.status == 200} >= {
        "/",
        f"/label/{planted.round.pk}/",
        f"/label/{planted.round.pk}/answer",
        f"/label/{planted.round.pk}/mine/",
        "/label/draft",
        "/api/v1/rounds/",
        f"/api/v1/rounds/{planted.round.pk}/next",
    }
    assert any(re.search(r"Answer \d\d", answer.text) for answer in first)
    assert labelled >= 3
    assert any("This round is closed" in answer.text for answer in after)
    history = [a.text for a in after if a.path == f"/label/{planted.round.pk}/mine/"]
    assert any("Question " in text for text in history)
    assert {answer.status for answer in [*first, *worked, *after]}.isdisjoint({500})


@pytest.mark.parametrize("labeller", [Role.REVIEWER], indirect=True)
def test_the_search_finds_what_a_lead_may_see(
    planted: Planted, labeller: User, lead_client: Client
) -> None:
    """The same walk by somebody who is let in finds plenty: it is able to."""
    Desk(planted.round, labeller, planted.clock).claim()
    found = "\n".join(leaks(planted, crawl(lead_client, planted.values(labeller))))

    for name in ("canarysystemone", "canarycase", "canaryjudge", "731"):
        assert name in found


def test_opaque_tokens_differ_for_each_showing(
    planted: Planted, labeller: User
) -> None:
    """Two people who see one pair can't find that out by comparing addresses."""
    tokens = Assignment.objects.values_list("token", flat=True)
    Desk(planted.round, labeller, planted.clock).claim()
    assert len(set(tokens)) == Assignment.objects.count()
    assert all(token.version == 4 for token in tokens)
