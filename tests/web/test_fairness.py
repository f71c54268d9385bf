"""How fairness works, what was promised for a day, and what a settled day was made from."""

import html
import re
from hashlib import sha256

import pytest
from django.test import Client

from daily.models import Challenge
from leaderboard.models import Settlement
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import FrozenClock, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def settled(clock: FrozenClock, challenge: Challenge, ann: Player, bob: Player) -> Challenge:
    record(ann, challenge, cleared=20, elapsed_ms=60_000)
    record(bob, challenge, cleared=22, elapsed_ms=90_000)
    clock.advance(days=2)
    assert settle_due(clock.moment)
    return challenge


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_how_fairness_works_leads_to_the_last_day_to_verify(client: Client, settled: Challenge) -> None:
    page = read(client, "/fairness/")
    assert 'href="/days/2026-11-30/verify/"' in page
    assert 'href="/days/today/verify/"' in page


def test_how_fairness_works_can_be_read_before_any_day_is_settled(
    client: Client, challenge: Challenge
) -> None:
    assert "How fairness works" in read(client, "/fairness/")


def test_a_settled_day_shows_what_it_was_made_from(client: Client, settled: Challenge) -> None:
    page = read(client, "/days/2026-11-30/verify/")
    digest = Settlement.objects.get(challenge=settled).digest
    for part in (settled.commitment, settled.salt, settled.deck, settled.code, digest):
        assert f"<code>{part}</code>" in page
    assert f'data-digest="{digest}"' in page
    assert 'data-bundle="/api/v1/challenges/2026-11-30/bundle/"' in page


def test_the_line_to_type_makes_the_commitment(client: Client, settled: Challenge) -> None:
    [typed] = re.findall(
        r"printf %s '([^']*)' \| sha256sum", html.unescape(read(client, "/days/2026-11-30/verify/"))
    )
    assert sha256(typed.encode()).hexdigest() == settled.commitment


def test_the_other_lines_to_type_name_the_bundle_of_this_site(client: Client, settled: Challenge) -> None:
    page = read(client, "/days/2026-11-30/verify/")
    assert "curl -o bundle.ndjson http://testserver/api/v1/challenges/2026-11-30/bundle/" in page


def test_a_correction_is_a_revision_beside_the_old_one(client: Client, settled: Challenge) -> None:
    old = Settlement.objects.get(challenge=settled)
    new = settled.settlements.create(revision=2, digest="f" * 64, field_size=1, settled_at=old.settled_at)
    page = read(client, "/days/2026-11-30/verify/")
    assert page.index(f"<code>{new.digest}</code>") < page.index(f"<code>{old.digest}</code>")
    assert f'data-digest="{new.digest}"' in page


@pytest.mark.parametrize("day", ["today", "2026-11-30"])
def test_a_day_that_is_not_settled_shows_what_was_promised_and_when_the_rest_comes(
    client: Client, challenge: Challenge, day: str
) -> None:
    page = read(client, f"/days/{day}/verify/")
    assert f"<code>{challenge.commitment}</code>" in page
    assert "from 01:01 UTC on 1 December 2026" in page
    for secret in (challenge.salt, challenge.deck, challenge.code):
        assert secret not in page


def test_a_voided_day_says_so(client: Client, settled: Challenge) -> None:
    Challenge.objects.update(voided_at=settled.opens_at, void_reason="the deal leaked")
    assert "The reason given: the deal leaked" in read(client, "/days/2026-11-30/verify/")


def test_a_day_that_never_was_cannot_be_verified(client: Client, challenge: Challenge) -> None:
    assert client.get("/days/2020-01-01/verify/").status_code == 404
