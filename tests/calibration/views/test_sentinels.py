"""Drift: pages and API, who may do what, and what they show."""

from __future__ import annotations

import pytest

from annotation.models import Case, Exposure
from calibration.models import SentinelAlarm, SentinelCheck, SentinelPanel
from tests.calibration.sentinels import finish, make_watched
from tests.calibration.services.sentinels.marking import mark
from tests.calibration.views.test_reports import words
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.pointwise_judges import pointwise_judge

pytestmark = pytest.mark.django_db
PAGES = ("/sentinels/", "/sentinels/panels/daily/")
APIS = ("/api/v1/sentinels/", "/api/v1/sentinels/daily/")
ACTS = (
    "/sentinels/panels/daily/check",
    "/sentinels/panels/daily/settle",
    "/sentinels/panels/daily/end",
    "/api/v1/sentinels/daily/check",
    "/api/v1/sentinels/daily/end",
)
FORM = {
    "name": "daily", "gold_set": "set-1", "judge": "judge", "parts": "2",
    "period_hours": "24", "seed": "1", "concurrency": "8",
}  # fmt: skip


@pytest.fixture
def watched(db):
    found = make_watched(8, parts=2)
    found.check("B")
    return found


@pytest.mark.parametrize("path", PAGES + APIS)
@pytest.mark.parametrize("role", ["lead", "auditor"])
def test_leads_and_auditors_read(watched, client_of, path, role, request):
    reply = client_of(request.getfixturevalue(role)).get(path)
    assert reply.status_code == 200
    assert "daily" in reply.content.decode()


@pytest.mark.parametrize("path", [*PAGES, *APIS, "/sentinels/new/"])
@pytest.mark.parametrize("role", ["reviewer", "adjudicator", "outsider"])
def test_nobody_else_reads(watched, client_of, path, role, request):
    reply = client_of(request.getfixturevalue(role)).get(path)
    assert reply.status_code == 403


@pytest.mark.parametrize("path", PAGES + APIS)
def test_strangers_do_not_read(watched, client, path):
    assert client.get(path).status_code in (302, 401, 403)


@pytest.mark.parametrize("path", [*ACTS, "/sentinels/new/", "/api/v1/sentinels/"])
@pytest.mark.parametrize("role", ["auditor", "reviewer", "adjudicator", "outsider"])
def test_only_leads_act(watched, client_of, path, role, request):
    before = SentinelCheck.objects.count()
    reply = client_of(request.getfixturevalue(role)).post(path)
    assert reply.status_code == 403
    assert SentinelCheck.objects.count() == before
    assert SentinelPanel.objects.get().ended_at is None


@pytest.mark.parametrize("path", ACTS)
def test_acts_want_a_post(watched, lead_client, path):
    assert lead_client.get(path).status_code == 405


class TestDefining:
    @pytest.fixture
    def ready(self, db):
        from tests.annotation.factory import make_set
        from tests.judging.factory import freeze_gold

        freeze_gold(make_set(8))
        make_judge(ADDRESS)

    def test_the_page_makes_a_panel_and_goes_there(self, ready, lead_client, lead):
        reply = lead_client.post("/sentinels/new/", FORM)
        assert reply["Location"] == "/sentinels/panels/daily/"
        panel = SentinelPanel.objects.get()
        assert (panel.created_by, panel.members.count()) == (lead, 8)
        text = words(lead_client.get("/sentinels/panels/daily/"))
        assert "Nothing has been measured yet" in text

    def test_a_refusal_keeps_what_was_filled_in(self, ready, lead_client):
        reply = lead_client.post("/sentinels/new/", FORM | {"parts": "9"})
        assert reply.status_code == 400
        assert "can&#x27;t be cut into 9 parts" in reply.content.decode()
        assert 'value="9"' in reply.content.decode()

    def test_the_api_makes_one_and_refuses_strays(self, ready, lead_client):
        sent = {"name": "daily", "gold_set": "set-1", "judge": "judge", "parts": 2}
        path, kind = "/api/v1/sentinels/", "application/json"
        wrong = lead_client.post(path, sent | {"part": 3}, content_type=kind)
        assert wrong.status_code == 400
        assert "part" in wrong.json()["detail"]
        made = lead_client.post(
            path, sent | {"least_agreement": "0.8"}, content_type=kind
        )
        assert made.status_code == 201
        assert (made.json()["parts"], made.json()["least_agreement"]) == (2, "0.800")
        again = lead_client.post(path, sent, content_type=kind)
        assert (again.status_code, again.json()["code"]) == (409, "sentinel_exists")


class TestReading:
    def test_a_reference_alone_answers_nothing(self, watched, lead_client):
        text = words(lead_client.get(PAGES[1]))
        assert "judge v1 has a reference, and nothing to compare with it yet" in text
        assert "No alarm." in text
        assert "8 of 8" in text

    def test_changes_and_evidence_are_shown_and_their_sight_is_noted(
        self, watched, lead_client, lead
    ):
        pair = watched.panel.members.filter(part=1).first().pair
        watched.check({pair.pk: "C"})
        text = words(lead_client.get(PAGES[1]))
        assert "1 of 4 verdicts differs from reference 1." in text
        assert "1 group of pairs got worse and 0 better" in text
        assert pair.case.external_id in text
        assert "part 1, against reference 1" in text
        seen = Exposure.objects.filter(user=lead).values_list("pair", flat=True)
        assert set(seen) == {pair.pk}

    def test_what_was_held_out_since_is_not_named(self, watched, lead_client, lead):
        pair = watched.panel.members.filter(part=1).first().pair
        watched.check({pair.pk: "C"})
        Case.objects.filter(pk=pair.case_id).update(split="held_out")
        for path in (PAGES[1], APIS[1]):
            assert pair.case.external_id not in lead_client.get(path).content.decode()
        assert not Exposure.objects.filter(user=lead).exists()

    def test_drift_is_said_first(self, lead_client):
        watched = make_watched(24, parts=4)
        watched.check("B")
        watched.check("C")
        text = words(lead_client.get(PAGES[1]))
        assert "judge v1 drifts to the worse." in text
        assert "drift of judge v1, 2030-05-08 09:00 UTC" in text

    def test_series_are_lines_of_their_own(self, watched, lead_client):
        watched.check("B")
        make_judge(ADDRESS, model="another")
        watched.check("B")
        watched.check("B")
        page = lead_client.get(PAGES[1]).content.decode()
        charts = page.split('class="forest time-chart"')
        agreement = charts[1]
        assert "Agreement with gold" in agreement
        assert agreement.count('class="trend line-0"') == 2  # the key, and one line
        assert agreement.count('class="trend line-1"') == 2
        assert "judge v1 (" in agreement
        assert "judge v2 (" in agreement

    def test_marks_stand_on_the_same_page(self, lead_client, lead):
        pointwise_judge(name="marker", scale={"kind": "pass_fail"})
        watched = make_watched(6, pointwise_judge="marker")
        for marks in ({}, {"v13": 0}):
            pairs, marked = watched.start()
            finish(pairs)
            mark(marked, marks)
            watched.settle()
        text = words(lead_client.get(PAGES[1]))
        assert "Responses passed by marker v1" in text
        assert "v13: passed, or mean" in text
        assert "3 groups lower, 0 higher" in text
        assert Exposure.objects.filter(user=lead).values("pair").distinct().count() == 3

    def test_the_api_gives_the_same(self, watched, lead_client):
        pair = watched.panel.members.filter(part=1).first().pair
        watched.check({pair.pk: "C"})
        found = lead_client.get(APIS[1]).json()
        assert found["part_sizes"] == [4, 4]
        (series,) = found["series"]
        assert [p["result"]["kind"] for p in series["points"]] == ["reference", "part"]
        assert series["changed"][0]["pair"] == pair.pk
        assert "changed" not in series["points"][0]["result"]
        listed = lead_client.get(APIS[0]).json()["results"]
        assert [one["name"] for one in listed] == ["daily"]

    def test_unknown_panels(self, lead_client):
        for path in ("/sentinels/panels/none/", "/api/v1/sentinels/none/"):
            assert lead_client.get(path).status_code == 404


class TestActing:
    def test_a_check_now_records_and_starts(self, lead_client, lead):
        watched = make_watched(8, parts=2)
        lead_client.post(ACTS[0])
        (first,) = SentinelCheck.objects.all()
        assert (first.kind, first.started_by) == ("reference", lead)
        assert "A check is under way" in words(lead_client.get(PAGES[1]))
        text = words(lead_client.post(ACTS[0], follow=True))
        assert "nothing, as a run is open" in text
        finish(first)
        reply = lead_client.post(ACTS[3])
        assert [one["part"] for one in reply.json()] == [1]
        assert watched.panel.series.get().checks.filter(point=None).count() == 1

    def test_settling_records_only(self, watched, lead_client):
        (part,) = watched.start()
        finish(part)
        text = words(lead_client.post(ACTS[1], follow=True))
        assert "1 recorded." in text
        assert SentinelCheck.objects.filter(point=None).count() == 0

    @pytest.mark.parametrize("path", [ACTS[2], ACTS[4]])
    def test_ending(self, watched, lead_client, lead, path):
        lead_client.post(path)
        assert SentinelPanel.objects.get().ended_by == lead
        text = words(lead_client.get(PAGES[1]))
        assert "ended" in text
        assert "Check now" not in text
        again = words(lead_client.post(ACTS[0], follow=True))
        assert "daily has been ended" in again
        assert "ended already" in words(lead_client.post(ACTS[2], follow=True))

    def test_alarms_and_notices_are_listed(self, watched, lead_client):
        alarm = SentinelAlarm.objects.create(
            panel=watched.panel, kind="overdue", key="overdue:1",
            detail="No check has been finished.", raised_at=watched.now,
        )  # fmt: skip
        alarm.notices.create(
            channel="webhook", attempt=1, sent=False,
            detail="answered with 500", tried_at=watched.now,
        )  # fmt: skip
        text = words(lead_client.get(PAGES[1]))
        assert "Webhook not sent: answered with 500" in text
        found = lead_client.get(APIS[1]).json()["alarms"]
        assert found[0]["notices"][0]["detail"] == "answered with 500"


def test_limits_of_a_panel_are_read_as_shares(lead_client):
    from decimal import Decimal

    make_watched(4, least_agreement=Decimal("0.805"), most_invalid=Decimal("0.05"))
    page = words(lead_client.get("/sentinels/panels/daily/"))
    assert "Agreement with gold at least 80.5 %" in page
    assert "Invalid verdicts at most 5 %" in page
