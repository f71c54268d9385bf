"""The hand-made requests, one after the other."""

from dataclasses import replace

from bench.hostile import api, framing, site
from bench.hostile.judging import Verdicts, code_of, faults_of, is_wordless
from bench.hostile.requests import PAGE, Cast, Hostile, Raw
from bench.hostile.rows import changed, contents
from bench.hostile.wire import Answer, Heard, ask

BY_MEMBERS = [replace(case, who="ann's program") for case in api.BY_MEMBERS]
CASES = [*api.BY_NOBODY, *BY_MEMBERS, *site.SITE]
NUMBER = len(CASES) + len(framing.FRAMING)


def send_all(port: int, cast: Cast, verdicts: Verdicts, *, is_proxied: bool) -> None:
    """Send every one on a connection of its own and hold the answer against the promises and its table."""
    for case in CASES:
        before = contents()
        heard = ask(port, cast.message_of(case))
        faults = list(faults_of(case.path, heard, is_proxied=is_proxied, has_body=case.method != "HEAD"))
        if not faults and not is_as_told(case, heard.answers, is_proxied=is_proxied):
            faults.append(f"answered {_told(heard)}, not {case.status} {case.code}")
        verdicts.add(case.name, heard, faults + _changes(before))
    send_framing(port, verdicts, is_proxied=is_proxied)


def send_framing(port: int, verdicts: Verdicts, *, is_proxied: bool) -> None:
    """Send what is hardly a request."""
    for raw in framing.FRAMING:
        before = contents()
        heard = ask(port, raw.sent, hangs_up=raw.hangs_up)
        verdicts.add(raw.name, heard, [*_faults_of_raw(raw, heard, is_proxied=is_proxied), *_changes(before)])


def is_as_told(case: Hostile, answers: list[Answer], *, is_proxied: bool) -> bool:
    """Whether the table says so; the proxy, or granian, may have refused before anybody could look closer."""
    if len(answers) != 1:
        return False
    [answer] = answers
    if is_proxied and (answer.status == 400 or case.method in NEVER_PASSED or case.path == "/metrics"):
        return True
    is_told = case.code in ("", PAGE) or case.method == "HEAD" or code_of(answer) == case.code
    return is_wordless(answer) or (answer.status == case.status and is_told)


NEVER_PASSED = {"TRACE", "CONNECT"}


def _faults_of_raw(raw: Raw, heard: Heard, *, is_proxied: bool) -> list[str]:
    statuses = tuple(answer.status for answer in heard.answers)
    expected = raw.proxied if is_proxied else raw.direct
    if statuses == expected == (0,):  # HTTP/0.9 has no statuses
        return []
    faults = list(faults_of("/", heard, is_proxied=is_proxied and not raw.is_wordless))
    return faults if statuses == expected else [*faults, f"answered {_told(heard)}, not {expected}"]


def _told(heard: Heard) -> str:
    return ", ".join(f"{answer.status} {code_of(answer)}".strip() for answer in heard.answers) or "nothing"


def _changes(before: dict[str, tuple[int, int]]) -> list[str]:
    return [f"changed {table}" for table in changed(before, contents())]
