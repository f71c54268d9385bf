"""The share of the site: pages, forms, signing in, the admin site, what machines ask for."""

from urllib.parse import urlencode

from bench.hostile.api import GONE, named
from bench.hostile.requests import BOMB, FORM, PAGE, Hostile, Who

NOTHING = ""
"""In the place of a code: what comes back is no refusal, or has no body."""
BOUNDARY = "frontier"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"
SELF = "http://localhost"


def page(name: str, status: int, path: str, who: Who = "nobody", **headers: str) -> Hostile:
    """Ask for a page."""
    return Hostile(name, status, PAGE if status >= 400 else NOTHING, path, headers=named(headers), who=who)


def form(name: str, status: int, path: str, who: Who = "ann", /, **fields: str) -> Hostile:
    """Send a form as pages do."""
    return typed(name, status, path, urlencode(fields, safe="{}").encode(), FORM, who)


def typed(
    name: str, status: int, path: str, body: bytes, kind: str = FORM, who: Who = "ann", **headers: str
) -> Hostile:
    """Send whatever to a form, the token against forgery in a header."""
    code = PAGE if status >= 400 else NOTHING
    given = {"X-CSRFToken": "{csrf}"} | named(headers)
    if who == "nobody":
        given["Cookie"] = "csrftoken={csrf}"
    return Hostile(name, status, code, path, "POST", body, kind, given, who)


def forged(name: str, path: str, who: Who = "ann", body: bytes = b"name=ours", **headers: str) -> Hostile:
    """Send a form without a token, or with what is in ``headers``."""
    return Hostile(name, 403, PAGE, path, "POST", body, FORM, named(headers), who)


def other(name: str, status: int, method: str, path: str, who: Who = "nobody", **headers: str) -> Hostile:
    """Use another method on a page."""
    code = PAGE if status >= 400 and method != "HEAD" else NOTHING
    return Hostile(name, status, code, path, method, headers=named(headers), who=who)


def part(name: str, value: bytes, head: str = "") -> bytes:
    """A part of a multipart form."""
    lines = f"--{BOUNDARY}\r\nContent-Disposition: form-data; {name}\r\n{head}\r\n"
    return lines.encode("latin-1") + value + b"\r\n"


def parts(*given: bytes) -> bytes:
    """A multipart form."""
    return b"".join(given) + f"--{BOUNDARY}--\r\n".encode()


NAME = part('name="name"', b"Sunday Solvers")
LONG = "Z" * 60_000

PAGES = [
    # addresses
    page("no such page", 404, "/nothing/"),
    page("a long address", 404, f"/{'Z' * 8_000}/"),
    page("an address beyond all bounds", 400, f"/{LONG}/"),
    page("a slash too many", 404, "//"),
    page("another host in the path", 404, "//evil.example/%2e%2e/"),
    page("a semicolon", 404, "/play/;jsessionid=1/"),
    page("an encoded slash", 404, "/play%2F..%2Fadmin/"),
    page("dots", 404, "/../../etc/passwd"),
    page("encoded dots", 404, "/%2e%2e/%2e%2e/config/settings.py"),
    page("backslashes", 404, "/..%5c..%5cwindows/"),
    page("nul in a page's path", 400, "/players/a%00/"),
    page("nul in a page's query", 400, "/days/?month=2026-11%00"),
    page("half an escape in a page", 404, "/players/%/"),
    page("no utf-8 in a page", 404, "/players/%ff%fe/"),
    page("overlong utf-8 in a page", 404, "/players/%c0%af%c0%ae/"),
    page("a surrogate in a page", 404, "/players/%ed%a0%80/"),
    page("a turned-around name", 404, "/players/%E2%80%AEnna/"),
    page("a name that expands", 404, f"/players/{'%EF%B7%BA' * 3000}/"),
    page("a name of marks", 404, f"/players/a{'%CC%81' * 5000}/"),
    page("a name of a script", 404, "/players/%3Cscript%3Ealert(1)%3C/script%3E/"),
    page("a name of a template", 404, "/players/%7B%7B7*7%7D%7D/"),
    page("a name of sql", 404, "/players/'%20OR%201=1--/"),
    page("a name with a header", 404, "/players/a%0d%0aSet-Cookie:%20x=1/"),
    page("a name of slashes", 404, f"/players/{'/' * 5000}/"),
    page("a run that is none", 404, "/runs/1/"),
    page("an unknown run", 404, f"/runs/{GONE}/"),
    page("an unknown picture", 404, f"/runs/{GONE}/picture.png"),
    page("an unknown replay", 404, f"/runs/{GONE}/replay/"),
    page("a day that is none", 404, "/days/2026-02-30/"),
    page("the last day of time", 404, "/days/9999-12-31/"),
    page("the first day of time", 404, "/days/0001-01-01/"),
    page("a day before time", 404, "/days/0000-00-00/"),
    page("a day in other digits", 404, "/days/%D9%A2%D9%A0%D9%A2%D9%A6-11-30/"),
    page("verifying no day", 404, "/days/2020-02-29/verify/"),
    page("a week that is none", 404, "/boards/week/2026-W60/"),
    page("a week beyond time", 404, "/boards/week/9999-W53/"),
    page("a month that is none", 404, "/boards/month/2026-13/"),
    page("the last month of time", 404, "/boards/month/9999-12/"),
    page("rules that are code", 404, "/rules/__class__/"),
    page("a league of nobody's", 302, f"/leagues/{'A' * 8_000}/"),
    page("a league that is none", 404, f"/leagues/{'%F0%9F%82%A1' * 900}/", "ann"),
    page("a league's code that expands", 404, "/leagues/%EF%B7%BA%C3%9F/", "ann"),
    page("removing from no league", 404, "/leagues/00000-00000/remove/?member=ann", "ann"),
    page("removing nobody", 404, "/leagues/{league}/remove/?member=%E2%80%AE", "ann"),
    page("passing on to many", 404, f"/leagues/{{league}}/owner/?member={'a' * 8_000}", "ann"),
    # queries
    page("a month of the archive that is none", 404, "/days/?month=9999-99"),
    page("an endless month", 404, f"/days/?month={'9' * 8_000}"),
    page("a month before time", 404, "/days/?month=0001-01"),
    page("a board from nowhere", 200, f"/boards/all-time/?after={'f' * 32}"),
    page("a board from beyond", 200, f"/boards/all-time/?before={'0' * 32}"),
    page("a board from a long place", 200, f"/boards/all-time/?after={'f' * 8_000}"),
    page("a board around nobody", 200, "/boards/all-time/?around=%E2%80%AE%E2%81%A6%3Cb%3E"),
    page("a board around a long name", 200, f"/boards/all-time/?around={'a' * 8_000}"),
    page("a board of no league", 404, "/boards/all-time/?league=%F0%9F%82%A1", "ann"),
    page("a history before time", 200, "/players/ann/?before=0001-01-01"),
    page("a history after time", 200, "/players/ann/?after=9999-12-31"),
    page("a history of no day", 200, "/players/ann/?before=9999-99-99&after=%ff"),
    page("practice on no day", 200, "/practice/?day=%D9%A2%D9%A0"),
    page("practice on a day to come", 200, "/practice/?day=9999-12-31"),
    page("joining by an endless code", 200, f"/leagues/join/?code={'7' * 8_000}", "ann"),
    page("two thousand parameters", 400, f"/days/?{'&'.join(['a'] * 2000)}"),
    # links that were never mailed
    page("a link that was never mailed", 200, "/account/verify/a:b:c/"),
    page("a packed link", 200, "/account/reset/.eJwDAAAAAAE:a:b/"),
    page("an endless link", 200, f"/account/reset/{':' * 8_000}/"),
    page("a link of other letters", 200, "/account/verify/%F0%9F%82%A1%ff/"),
    # where to go on
    page("on to another host", 302, "/admin/login/?next=//evil.example/"),
    page("on to another host, backwards", 302, "/admin/login/?next=%5C%5Cevil.example"),
    page("on to a script", 302, "/admin/login/?next=javascript:alert(1)"),
    page("on to a header", 302, "/admin/login/?next=/%0d%0aSet-Cookie:%20x=1"),
    page("on to another host, signed in", 302, "/admin/login/?next=https://evil.example/", "keeper"),
    page("on from signing in", 200, "/account/login/?next=https:evil.example"),
    page("on from signing in, signed in", 302, "/account/login/?next=///evil.example", "keeper"),
    page("on from the leagues", 302, "/leagues/start/?next=%09//evil.example", "ann"),
    page("a slash at the end of another host", 404, "//evil.example"),
    # the admin site
    page("the admin as nobody", 302, "/admin/"),
    page("the admin as a guest", 302, "/admin/daily/challenge/", "ann"),
    page("no such table", 404, "/admin/auth/user/", "keeper"),
    page("a search that expands", 200, f"/admin/players/player/?q={'%EF%B7%BA' * 190}", "keeper"),
    page("a search for a hundred words", 200, f"/admin/daily/auditentry/?q={'a+' * 100}", "keeper"),
    page("a search for many words", 400, f"/admin/players/player/?q={'a+' * 4000}", "keeper"),
    page("a search for quotes", 200, "/admin/daily/run/?q=%22%27%5C", "keeper"),
    page("a filter on passwords", 400, "/admin/players/player/?password__startswith=a", "keeper"),
    page("a filter that is none", 302, "/admin/daily/run/?challenge__date=9999-99-99", "keeper"),
    page("an endless page number", 200, f"/admin/players/player/?p={'9' * 5000}", "keeper"),
    page("an order that is none", 200, "/admin/players/player/?o=99.-x..1", "keeper"),
    page("a player that is none", 302, f"/admin/players/player/{'9' * 60}/change/", "keeper"),
    page("a run that is none, for staff", 302, "/admin/daily/run/_00/change/", "keeper"),
    page("a completion of many words", 400, f"/admin/autocomplete/?term={'a+' * 4000}", "keeper"),
    page("a completion of nothing", 403, "/admin/autocomplete/?app_label=x", "keeper"),
    page("a shortcut to nothing", 404, "/admin/r/999999999999999999999/1/", "keeper"),
    page("a calendar of no year", 200, "/admin/daily/challenge/calendar/?month=99999-99", "keeper"),
    # headers
    page("a foreign host for a page", 400, "/", host="evil.example"),
    page("a host with a port that is none", 400, "/", host="localhost:x"),
    page("a host with a user", 400, "/", host="a@localhost"),
    page("a host that was passed on", 302, "/account/", "nobody", x_forwarded_host="evil.example"),
    page("an address that was rewritten", 200, "/rules/", x_original_url="/admin/", x_rewrite_url="/admin/"),
    page("forwarding that was made up", 200, "/rules/", x_forwarded_for="'; --, ::1", forwarded="for=_x"),
    page("a proxy that was made up", 200, "/rules/", x_forwarded_proto="https,http\t"),
    page("a session that is none", 200, "/rules/", cookie="sessionid=' OR 1=1--"),
    page("a long session", 200, "/rules/", cookie=f"sessionid={'a' * 20_000}"),
    page("a session of bytes", 200, "/rules/", cookie="sessionid=\xff\xfe; csrftoken=\xff"),
    page("a hundred cookies", 200, "/rules/", cookie="; ".join(f"c{n}={n}" for n in range(100))),
    page("a cookie of signs", 200, "/rules/", cookie=';;,=;"\\";$Version=1;sessionid'),
    page("messages that were made up", 200, "/rules/", "ann", cookie='messages="W1swLDAsIngiXV0:a:b"'),
    page("a tag that is none", 200, "/rules/", if_none_match='W/"' + "x" * 9000),
    page("a time that is none", 200, "/static/web/site.css", if_modified_since="Thu, 99 Foo 9999 99:99:99"),
    page("a range that is none", 416, "/static/web/site.css", range="bytes=99999999-"),
    page("a thousand ranges", 200, "/static/web/site.css", range="bytes=" + ",".join(["0-"] * 1000)),
    page("languages without end", 200, "/rules/", accept_language="a-b;q=0.1," * 5000),
    page("encodings without end", 200, "/static/web/site.css", accept_encoding="gzip;q=x," * 5000),
    # static files
    page("out of the static files", 404, "/static/../manage.py"),
    page("out of the static files, encoded", 404, "/static/%2e%2e/%2e%2e/pyproject.toml"),
    page("a static file by its place", 404, "/static//etc/passwd"),
    page("a static file with nul", 400, "/static/web/site.css%00.png"),
    page("a static folder", 404, "/static/web/"),
    page("a static file of a long name", 404, f"/static/{'a' * 5000}.css"),
]

OTHER_METHODS = [
    other("a page by another method", 403, "DELETE", "/rules/"),
    other("a page by a method of one's own", 403, "BREW", "/play/"),
    other("tracing a page", 405, "TRACE", "/rules/"),
    other("reading what only changes", 405, "GET", "/guests/"),
    other("reading a token's end", 405, "GET", "/account/tokens/1/revoke/", "ann"),
    other("a head of what is not there", 404, "HEAD", "/nothing/"),
    other("a head of what only changes", 405, "HEAD", "/guests/"),
    other("options of a page", 405, "OPTIONS", "/play/"),
    other("putting a file", 403, "PUT", "/robots.txt"),
    other("a method over another", 200, "GET", "/rules/", x_http_method_override="DELETE"),
    other("tracing the metrics", 405, "TRACE", "/metrics"),
]

FORMS = [
    # forgery
    forged("a form without its token", "/leagues/new/"),
    forged("a form with another's token", "/leagues/new/", x_csrftoken="a" * 32),
    forged("a form with half a token", "/leagues/new/", x_csrftoken="a"),
    forged("a form with a long token", "/leagues/new/", x_csrftoken="a" * 9000),
    forged("a form with a token of bytes", "/leagues/new/", x_csrftoken="\xff" * 32),
    forged("a form from elsewhere", "/leagues/new/", origin="https://evil.example", x_csrftoken="{csrf}"),
    forged("a form from nowhere", "/leagues/new/", origin="null", x_csrftoken="{csrf}"),
    forged("a form from no address", "/leagues/new/", origin="http://[", x_csrftoken="{csrf}"),
    forged("a guest without a token", "/guests/", "nobody", b""),
    forged("signing in without a token", "/account/login/", "nobody", b"name_or_email=a&password=b"),
    forged("signing out without a token", "/account/logout/", "ann", b""),
    forged("leaving without a token", "/account/delete/", "ann", b"name=ann"),
    forged("changing a deal without a token", "/admin/daily/challenge/2099-01-01/deal/", "keeper", b""),
    forged("a token in the address", "/leagues/new/?csrfmiddlewaretoken={csrf}"),
    # fields
    form("a league without a name", 200, "/leagues/new/"),
    form("a league of nul", 200, "/leagues/new/", name="a\0b c"),
    form("an endless league", 200, "/leagues/new/", name=LONG),
    form("a turned-around league", 200, "/leagues/new/", name="a\u202eb c"),
    form("a league of marks", 200, "/leagues/new/", name="a" + "\u0301" * 40),
    form("a league with an owner", 200, "/leagues/new/", owner="bob", id="1", pk="1"),
    form("joining by nul", 200, "/leagues/join/", code="7K3QZ\0MX04B"),
    form("joining by no code", 404, "/leagues/join/", code="00000-00000"),
    form("joining by an endless code, sent", 200, "/leagues/join/", code=LONG),
    form("removing nul", 404, "/leagues/{league}/remove/", member="\0"),
    form("removing who is not in", 404, "/leagues/{league}/remove/", member="nobody at all"),
    form("passing on to nul", 404, "/leagues/{league}/owner/", member="a\0b"),
    form("renaming to nul", 200, "/leagues/{league}/name/", name="\0"),
    form("renaming to nothing", 200, "/leagues/{league}/name/", name=" \u200b\u00a0"),
    form("a name of nul", 200, "/account/profile/", name="ann\0", country=""),
    form("a country that is none", 200, "/account/profile/", name="ann", country="<b>"),
    form("an endless name", 200, "/account/profile/", name=LONG, country="NL"),
    form("a name of somebody else", 200, "/account/profile/", name="KEEPER", country=""),
    form("an account of nul", 200, "/account/new/", email="a@b.example\0", password="seven\0swans\0"),
    form("an account of a header", 200, "/account/new/", email="a@b.example\nBcc: c@d.e", password="x" * 12),
    form("an account of nothing", 200, "/account/new/"),
    form("an endless password", 200, "/account/new/", email="a@b.example", password=LONG),
    form("signing in by nul", 200, "/account/login/", "nobody", name_or_email="\0", password="\0"),
    form("signing in by sql", 200, "/account/login/", "nobody", name_or_email="' OR 1=1--", password="x"),
    form("signing in by expansion", 200, "/account/login/", name_or_email="\ufdfa" * 250, password="x"),
    form(
        "signing in and on", 200, "/account/login/", name_or_email="x", password="x", next="//evil.example\0"
    ),
    form("a second step without a first", 302, "/account/login/step/", "nobody", code="123456"),
    form("a passkey of nothing", 302, "/account/login/passkey/", "nobody", credential="{}"),
    form("a passkey of nesting", 302, "/account/login/passkey/", "nobody", credential="[" * 25_000),
    form("a forgotten nothing", 200, "/account/reset/", "nobody", email="a@b\0"),
    form("a reset by no link", 200, "/account/reset/a:b:c/", "nobody", password="seven silent swans"),
    form("a confirmation by no link", 200, "/account/verify/a:b:c/", "nobody"),
    form("leaving by another's name", 200, "/account/delete/", name="bob\0"),
    form("a token of nul", 302, "/account/tokens/", label="\0"),
    form("an endless token", 302, "/account/tokens/", label=LONG),
    form("ending another's token", 404, f"/account/tokens/{'9' * 40}/revoke/"),
    form("ending token nought", 404, "/account/tokens/0/revoke/"),
    form("sending what is only read", 405, "/leagues/start/?next=//evil.example"),
    # kinds and sizes
    typed("a form of json", 200, "/leagues/new/", b'{"name": "ours"}', "application/json"),
    typed("a form of nothing", 200, "/leagues/new/", b"name=ours", ""),
    typed("a form in utf-7", 200, "/leagues/new/", b"name=+AG8Ac", f"{FORM}; charset=utf-7"),
    typed("a form in utf-16", 200, "/leagues/new/", "name=ours".encode("utf-16"), f"{FORM}; charset=utf-16"),
    typed("a form of bytes", 200, "/leagues/new/", b"\xff\xfe=\xff&name=\xff"),
    typed("a form that is packed", 415, "/leagues/new/", BOMB, content_encoding="gzip"),
    typed("a bomb for a form", 200, "/leagues/new/", BOMB),
    typed(
        "a bomb in a file", 200, "/leagues/new/", parts(part('name="f"; filename="f.gz"', BOMB)), MULTIPART
    ),
    typed("a flood of fields", 400, "/leagues/new/", b"&".join(b"f%d=1" % n for n in range(5000))),
    typed("a flood of fields to nowhere", 404, "/nothing/", b"&".join(b"f%d=1" % n for n in range(5000))),
    typed("a flood of fields to a broken address", 400, "/a%00/", b"f=1&" * 5000),
    typed("a form of bytes to nowhere", 404, "/rules/x/y/%ff/", b"\xff=\xff"),
    typed("a broken multipart form to nowhere", 404, "/nothing/", NAME, "multipart/form-data"),
    typed("a flood of fields to a closed door", 400, "/admin/daily/run/", b"f=1&" * 5000, who="ann"),
    typed("a flood of one field", 400, "/leagues/new/", b"name=a&" * 5000),
    typed("a form of 120,000 bytes", 413, "/leagues/new/", b"name=" + b"a" * 120_000),
    typed("a form of three megabytes", 413, "/leagues/new/", b"name=" + b"a" * 3_000_000),
    typed("a form whose length lies", 413, "/leagues/new/", b"name=a", content_length="99999999999"),
    typed("a multipart form without a boundary", 400, "/leagues/new/", NAME, "multipart/form-data"),
    typed("a multipart form of an endless boundary", 400, "/leagues/new/", NAME, f"{MULTIPART}{'x' * 900}"),
    typed("a multipart form without an end", 200, "/leagues/new/", part('name="x"', b"y"), MULTIPART),
    typed("a multipart form of nothing", 200, "/leagues/new/", b"", MULTIPART),
    typed("a multipart form of noise", 400, "/leagues/new/", b"\x00\xff" * 9000, MULTIPART),
    typed("a field without a name", 200, "/leagues/new/", parts(part("x=y", b"z")), MULTIPART),
    typed(
        "a bomb of parts",
        400,
        "/leagues/new/",
        parts(*(part(f'name="f{n}"', b"1") for n in range(1400))),
        MULTIPART,
    ),
    typed(
        "a bomb of files",
        400,
        "/leagues/new/",
        parts(*(part(f'name="f{n}"; filename="{n}"', b"1") for n in range(900))),
        MULTIPART,
    ),
    typed(
        "a file for a name",
        200,
        "/leagues/new/",
        parts(part('name="name"; filename="../../etc/passwd"', b"x" * 50_000)),
        MULTIPART,
    ),
    typed(
        "a part in base64 that is none",
        400,
        "/leagues/new/",
        parts(part('name="x"; filename="y"', b"!" * 101, "Content-Transfer-Encoding: base64\r\n")),
        MULTIPART,
    ),
    typed(
        "a part of an endless head",
        400,
        "/leagues/new/",
        parts(part('name="x"', b"y", f"X-Long: {'x' * 50_000}\r\n")),
        MULTIPART,
    ),
    typed(
        "a part in another charset",
        200,
        "/leagues/new/",
        parts(part('name="name"', b"+-", "Content-Type: text/plain; charset=utf-7\r\n")),
        MULTIPART,
    ),
    typed(
        "parts within parts",
        200,
        "/leagues/new/",
        parts(part('name="x"', NAME, f"Content-Type: multipart/mixed; boundary={BOUNDARY}\r\n")),
        f"{MULTIPART}; charset=hex",
    ),
    typed(
        "a deal of a day that is none",
        404,
        "/admin/daily/challenge/2099-01-01/deal/",
        b"given=%00",
        who="keeper",
    ),
    typed(
        "many players at once", 302, "/admin/players/player/", b"action=x&_selected_action=%00", who="keeper"
    ),
]

SITE = [*PAGES, *OTHER_METHODS, *FORMS]
