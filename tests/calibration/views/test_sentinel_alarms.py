"""Alarms on the page, in the API and by command: headlines and acknowledgements."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from calibration.models import SentinelAcknowledgement, SentinelAlarm
from tests.calibration.sentinels import make_watched
from tests.calibration.views.test_reports import words

pytestmark = pytest.mark.django_db
PAGE, API = "/sentinels/panels/daily/", "/api/v1/sentinels/daily/"
NOTE = {"note": "The provider rolled back."}


def acts(alarm):
    return (
        f"{PAGE}alarms/{alarm.pk}/acknowledge",
        f"{API}alarms/{alarm.pk}/acknowledge",
    )


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Pages are looked at right after the last check, unless a test says later."""
    from tests.annotation.factory import START

    now = [START + timedelta(days=2)]
    monkeypatch.setattr("django.utils.timezone.now", lambda: now[0])
    return now


@pytest.fixture
def broken(db):
    """A judge whose replies can't be used any more."""
    watched = make_watched(8, parts=2, most_invalid=None)
    watched.check("B")
    watched.check("I")
    return watched


@pytest.fixture
def alarm(db):
    watched = make_watched(24, parts=4)
    watched.check("B")
    watched.check("C")
    return SentinelAlarm.objects.get()


class TestHeadlines:
    def test_unusable_replies_are_no_absence_of_drift(self, lead_client):
        watched = make_watched(16, parts=2)
        watched.check("B")
        watched.check("I")
        text = words(lead_client.get(PAGE))
        assert "Too many replies of judge v1 can&#x27;t be used." in text
        assert "8 more were invalid either time" in text
        assert "No drift" not in text
        (series,) = lead_client.get(API).json()["series"]
        assert series["standing"]["alarm"] == "invalid"

    def test_a_first_reference_that_can_not_be_used_says_so(self, lead_client):
        watched = make_watched(8)
        watched.check("I")
        text = words(lead_client.get(PAGE))
        assert "Too many replies of judge v1 can&#x27;t be used." in text
        assert "The alarms below say why. The first check judges all pairs" in text
        assert "got worse" not in text

    def test_a_few_unusable_ones_are_too_little_to_say(self, broken, lead_client):
        assert not SentinelAlarm.objects.exists()
        text = words(lead_client.get(PAGE))
        assert "Too little was judged again to say whether judge v1 drifts." in text
        assert "0 of 0 verdicts differ from reference 1; 4 more were invalid" in text
        assert "baseline baseline invalid not compared" in text

    def test_changes_that_balance_out_are_said(self, lead_client):
        watched = make_watched(24, parts=1)
        members = watched.panel.members.order_by("pk").values_list("pair", flat=True)
        first, second = set(members[:12]), set(members[12:])
        watched.check(dict.fromkeys(first, "C"))
        watched.check(dict.fromkeys(second, "C"))
        assert not SentinelAlarm.objects.exists()
        text = words(lead_client.get(PAGE))
        assert "24 of 24 verdicts of judge v1 have changed." in text
        assert "No drift" not in text
        (series,) = lead_client.get(API).json()["series"]
        assert (series["standing"]["stands"], series["standing"]["signs"]) == (
            "changed",
            ["rate"],
        )

    def test_nothing_shown_is_said_of_enough_verdicts_alone(self, lead_client):
        watched = make_watched(24, parts=1)
        watched.check("B")
        watched.check("B")
        text = words(lead_client.get(PAGE))
        assert "No drift of judge v1 is shown so far." in text
        assert "0 of 24 verdicts differ from reference 1." in text

    def test_a_gap_is_said_first_and_ends(self, clock, lead_client):
        watched = make_watched(24, parts=1)
        watched.check("B")
        watched.check("B")
        clock[0] = watched.now + timedelta(days=2)
        late = "No check has finished in time: what judge does now is not known."
        assert late in words(lead_client.get(PAGE))
        assert lead_client.get(API).json()["late"] is True
        watched.check("B", days=2)
        assert late not in words(lead_client.get(PAGE))

    def test_shares_have_a_column(self, alarm, lead_client):
        text = words(lead_client.get(PAGE))
        assert "Shares of verdicts" in text
        assert "Evidence of invalid" in text


class TestAcknowledging:
    def test_the_page_takes_note_and_shows_the_alarm_still(
        self, alarm, lead_client, lead
    ):
        reply = lead_client.post(acts(alarm)[0], NOTE, follow=True)
        text = words(reply)
        assert "The drift alarm is acknowledged." in text
        assert f"Acknowledged by {lead}, 2030" in text
        assert "The provider rolled back." in text
        assert alarm.detail in text
        assert "judge v1 drifts to the worse." in text
        assert "0 of 1" in words(lead_client.get("/sentinels/"))
        again = words(lead_client.post(acts(alarm)[0], NOTE, follow=True))
        assert f"has been acknowledged by {lead} already" in again

    def test_an_empty_note_is_refused(self, alarm, lead_client):
        text = words(lead_client.post(acts(alarm)[0], {"note": " "}, follow=True))
        assert "Say what the alarm was" in text
        assert not SentinelAcknowledgement.objects.exists()

    def test_the_api_does_the_same(self, alarm, lead_client, lead):
        kind = "application/json"
        before = lead_client.get(API).json()["alarms"][0]
        assert before["acknowledgement"] is None
        made = lead_client.post(acts(alarm)[1], NOTE, content_type=kind)
        assert (made.status_code, made.json()["by"]) == (201, lead.username)
        after = lead_client.get(API).json()["alarms"][0]["acknowledgement"]
        assert (after["note"], after["by"]) == (NOTE["note"], lead.username)
        again = lead_client.post(acts(alarm)[1], NOTE, content_type=kind)
        assert (again.status_code, again.json()["code"]) == (409, "alarm_acknowledged")
        stray = lead_client.post(acts(alarm)[1], {"text": "x"}, content_type=kind)
        assert stray.status_code == 400

    @pytest.mark.parametrize("role", ["auditor", "reviewer", "adjudicator", "outsider"])
    def test_only_leads_do(self, alarm, client_of, role, request):
        client = client_of(request.getfixturevalue(role))
        for path in acts(alarm):
            assert client.post(path, NOTE).status_code == 403
        assert not SentinelAcknowledgement.objects.exists()

    def test_auditors_read_it(self, alarm, client_of, auditor, lead_client):
        lead_client.post(acts(alarm)[0], NOTE)
        client = client_of(auditor)
        assert NOTE["note"] in words(client.get(PAGE))
        assert 'name="note"' not in client.get(PAGE).content.decode()
        log = words(client.get("/activity/"))
        assert "acknowledged an alarm" in log
        assert NOTE["note"] in log

    def test_unknown_alarms_and_other_panels(self, alarm, lead_client):
        for path in acts(alarm):
            wrong = path.replace("daily", "other"), path.replace(str(alarm.pk), "9999")
            for each in wrong:
                kind = {"content_type": "application/json"} if "api" in each else {}
                assert lead_client.post(each, NOTE, **kind).status_code == 404

    def test_the_command(self, alarm, capsys):
        call_command("acknowledge_alarm", str(alarm.pk), "--note", NOTE["note"])
        said = capsys.readouterr().out
        assert f"Alarm {alarm.pk} (drift of daily) is acknowledged." in said
        assert SentinelAcknowledgement.objects.get().actor
        with pytest.raises(CommandError, match="already"):
            call_command("acknowledge_alarm", str(alarm.pk), "--note", "again")
        with pytest.raises(CommandError, match="no alarm 9999"):
            call_command("acknowledge_alarm", "9999", "--note", "x")
