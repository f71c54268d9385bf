"""The share below HTTP: what is hardly a request, or several, or never ends."""

from bench.hostile.requests import Raw

HOST = "Host: localhost\r\n"
CLOSE = "Connection: close\r\n"
READ = "/api/v1/rules/"
WRITE = "/api/v1/replay/"
JSON = "Content-Type: application/json\r\n"
NEXT = f"GET {READ} HTTP/1.1\r\n{HOST}{CLOSE}\r\n".encode()
RUN = b'{"number": 1, "rules": "endless", "log": []}'


def get(line: str, headers: str = "", end: str = "\r\n") -> bytes:
    """A request without a body, of which all is open to change."""
    return f"{line}\r\n{HOST}{headers}{CLOSE}{end}".encode("latin-1")


def post(headers: str, body: bytes, rest: bytes = b"") -> bytes:
    """A dry run, framed by ``headers``."""
    return f"POST {WRITE} HTTP/1.1\r\n{HOST}{JSON}{headers}{CLOSE}\r\n".encode("latin-1") + body + rest


def alive(headers: str, body: bytes, rest: bytes) -> bytes:
    """A dry run on a connection that is kept, and what follows it."""
    return f"POST {WRITE} HTTP/1.1\r\n{HOST}{JSON}{headers}\r\n".encode("latin-1") + body + rest


def chunks(*pieces: bytes) -> bytes:
    """A body in chunks, without its end."""
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)


LENGTH = f"Content-Length: {len(RUN)}\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
END = b"0\r\n\r\n"

FRAMING = [
    # which bytes are the body
    Raw("a length and chunks", post(LENGTH + CHUNKED, END, NEXT), (400,), (400,)),
    Raw("chunks and a length", post(CHUNKED + "Content-Length: 4\r\n", chunks(RUN) + END), (200,), (400,)),
    Raw(
        "a request hidden behind chunks", alive("Content-Length: 5\r\n" + CHUNKED, END, NEXT), (400,), (400,)
    ),
    Raw("two lengths", post(f"Content-Length: 0\r\n{LENGTH}", RUN), (400,), (400,)),
    Raw("a length twice", post(LENGTH * 2, RUN), (200,), (400,)),
    Raw("two lengths in one", post("Content-Length: 44, 0\r\n", RUN), (400,), (400,)),
    Raw("a length with a sign", post("Content-Length: +44\r\n", RUN), (400,), (400,)),
    Raw("a length below nought", post("Content-Length: -1\r\n", RUN), (400,), (400,)),
    Raw("a length in base sixteen", post("Content-Length: 0x2c\r\n", RUN), (400,), (400,)),
    Raw("a length in other digits", post("Content-Length: \xd9\xa4\r\n", RUN), (400,), (400,)),
    Raw("a length beyond integers", post(f"Content-Length: {'9' * 30}\r\n", RUN), (400,), (400,)),
    Raw("a length of nothing", post("Content-Length:\r\n", RUN), (400,), (400,)),
    Raw(
        "a length with a space before its colon",
        post(f"Content-Length : {len(RUN)}\r\n", RUN),
        (400,),
        (400,),
    ),
    Raw(
        "chunks with a space before their colon", post("Transfer-Encoding : chunked\r\n", END), (400,), (400,)
    ),
    Raw("chunks by another name", post("Transfer-Encoding: xchunked\r\n", chunks(RUN) + END), (400,), (400,)),
    Raw("chunks that are not last", post("Transfer-Encoding: chunked, identity\r\n", END), (400,), (400,)),
    Raw(
        "chunks in chunks", post("Transfer-Encoding: chunked, chunked\r\n", chunks(RUN) + END), (200,), (400,)
    ),
    Raw("chunks twice", post(CHUNKED * 2, chunks(RUN) + END), (200,), (400,)),
    Raw(
        "packed chunks",
        post("Transfer-Encoding: gzip, chunked\r\n", chunks(b"\x1f\x8b") + END),
        (400,),
        (400,),
    ),
    Raw("chunks after a tab", post("Transfer-Encoding:\x0bchunked\r\n", chunks(RUN) + END), (400,), (400,)),
    Raw(
        "chunks on a folded line",
        post("Transfer-Encoding:\r\n chunked\r\n", chunks(RUN) + END),
        (400,),
        (400,),
    ),
    Raw(
        "chunks of an old protocol",
        post(CHUNKED, b"").replace(b"1.1", b"1.0") + chunks(RUN) + END,
        (400,),
        (400,),
    ),
    Raw("good chunks", post(CHUNKED, chunks(RUN[:9], RUN[9:]) + END), (200,), (200,)),
    Raw("chunks of one byte", post(CHUNKED, chunks(*(bytes([byte]) for byte in RUN)) + END), (200,), (200,)),
    Raw("chunks of nothing", post(CHUNKED, END), (400,), (400,)),
    Raw("chunks beyond the limit", post(CHUNKED, chunks(*[b"x" * 30_000] * 9) + END), (413,), (413,)),
    Raw("a chunk beyond integers", post(CHUNKED, b"FFFFFFFFFFFFFFFFF\r\n" + RUN), (400,), (400,)),
    Raw("a chunk below nought", post(CHUNKED, b"-1\r\n" + RUN + b"\r\n" + END), (400,), (400,)),
    Raw("a chunk of no size", post(CHUNKED, b"\r\n" + RUN + b"\r\n" + END), (400,), (400,)),
    Raw("a chunk of a word", post(CHUNKED, b"zz\r\n" + RUN + b"\r\n" + END), (400,), (400,)),
    Raw(
        "a chunk with a long extension",
        post(CHUNKED, b"2c;" + b"x" * 50_000 + b"\r\n" + RUN + b"\r\n" + END),
        (400,),
        (200,),
    ),
    Raw("a chunk whose size lies", post(CHUNKED, b"5\r\n" + RUN + b"\r\n" + END), (400,), (400,)),
    Raw("chunks between bare newlines", post(CHUNKED, b"2c\n" + RUN + b"\n0\n\n"), (400,), (200,)),
    Raw(
        "a trailer that gives a token",
        post(CHUNKED, chunks(RUN) + b"0\r\nAuthorization: Bearer x\r\n\r\n"),
        (200,),
        (200,),
    ),
    Raw(
        "an endless trailer",
        post(CHUNKED, chunks(RUN) + b"0\r\nX: " + b"x" * 500_000 + b"\r\n\r\n"),
        (200,),
        (200,),
    ),
    Raw("chunks that break off", post(CHUNKED, chunks(RUN)[:-9]), (400,), (), hangs_up=True),
    Raw("chunks that break off after all", post(CHUNKED, chunks(RUN)), (200,), (), hangs_up=True),
    Raw("a body that breaks off", post("Content-Length: 90\r\n", RUN[:9]), (400,), (), hangs_up=True),
    Raw("a body that breaks off after all", post("Content-Length: 90\r\n", RUN), (400,), (), hangs_up=True),
    Raw("a body that never comes", post("Content-Length: 90\r\n", b""), (400,), (), hangs_up=True),
    Raw("a body that was not announced", post("", RUN), (400,), (400,)),
    Raw(
        "a read with a body", get(f"GET {READ} HTTP/1.1", "Content-Length: 9\r\n") + b"x" * 9, (200,), (200,)
    ),
    Raw(
        "a read with a hidden request",
        alive("", b"", b"").replace(b"POST " + WRITE.encode(), b"GET " + READ.encode()) + NEXT,
        (200, 200),
        (200, 200),
    ),
    # the first line
    Raw(
        "no protocol",
        f"GET {READ}\r\n\r\n".encode(),
        (400,),
        (0,),
    ),
    Raw(
        "an old protocol without a host",
        f"GET {READ} HTTP/1.0\r\n\r\n".encode(),
        (400,),
        (400,),
    ),
    Raw(
        "no host",
        f"GET {READ} HTTP/1.1\r\n{CLOSE}\r\n".encode(),
        (400,),
        (400,),
    ),
    Raw("two hosts", get(f"GET {READ} HTTP/1.1", "Host: evil.example\r\n"), (400,), (400,)),
    Raw("a protocol to come", get(f"GET {READ} HTTP/9.9"), (400,), (400,)),
    Raw("a protocol of words", get(f"GET {READ} FTP/1.1"), (400,), (400,)),
    Raw("no method", get(f" {READ} HTTP/1.1"), (400,), (400,)),
    Raw("a method of signs", get(f"G@T\x01 {READ} HTTP/1.1"), (400,), (400,)),
    Raw("a method in small letters", get(f"get {READ} HTTP/1.1"), (200,), (400,)),
    Raw("a method without end", get(f"{'M' * 50_000} {READ} HTTP/1.1"), (405,), (400,)),
    Raw("a space in the address", get(f"GET {READ}a b HTTP/1.1"), (400,), (400,)),
    Raw("letters in the address", get(f"GET {READ}\xe9\xff HTTP/1.1"), (400,), (400,)),
    Raw("a nul in the address", get(f"GET {READ}\0 HTTP/1.1"), (400,), (400,)),
    Raw("a fragment in the address", get(f"GET {READ}#x HTTP/1.1"), (200,), (200,)),
    Raw("no slash at the front", get("GET api/v1/rules/ HTTP/1.1"), (400,), (400,)),
    Raw("an address of 70,000 bytes", get(f"GET {READ}?{'x' * 70_000} HTTP/1.1"), (414,), (400,)),
    Raw("an address of 9,000 bytes", get(f"GET {READ}?{'x' * 9_000} HTTP/1.1"), (400,), (400,)),
    Raw("a whole address", get(f"GET http://localhost{READ} HTTP/1.1"), (200,), (200,)),
    Raw("a whole address elsewhere", get(f"GET http://evil.example{READ} HTTP/1.1"), (200,), (200,)),
    Raw("a whole address of a file", get("GET file:///etc/passwd HTTP/1.1"), (400,), (400,)),
    Raw("a whole address with a user", get(f"GET http://a:b@localhost{READ} HTTP/1.1"), (200,), (400,)),
    Raw("a star", get("GET * HTTP/1.1"), (404,), (400,)),
    Raw("options of everything", get("OPTIONS * HTTP/1.1"), (404,), (400,)),
    Raw("a tunnel", get("CONNECT evil.example:443 HTTP/1.1"), (403,), (400,)),
    Raw("a tunnel to a page", get(f"CONNECT {READ} HTTP/1.1"), (405,), (405,)),
    Raw("tracing the api", get(f"TRACE {READ} HTTP/1.1"), (405,), (405,)),
    Raw("empty lines before", b"\r\n" * 3 + NEXT, (200,), (200,)),
    Raw("bare newlines", NEXT.replace(b"\r\n", b"\n"), (200,), (200,)),
    Raw("bare returns", NEXT.replace(b"\r\n", b"\r"), (400,), (400,), hangs_up=True),
    # headers
    Raw("a header of 9,000 bytes", get(f"GET {READ} HTTP/1.1", f"X: {'x' * 9_000}\r\n"), (200,), (400,)),
    Raw("a header of 500,000 bytes", get(f"GET {READ} HTTP/1.1", f"X: {'x' * 500_000}\r\n"), (431,), (400,)),
    Raw(
        "two hundred headers",
        get(f"GET {READ} HTTP/1.1", "".join(f"X{n}: y\r\n" for n in range(200))),
        (431,),
        (400,),
    ),
    Raw("a header without a name", get(f"GET {READ} HTTP/1.1", ": x\r\n"), (400,), (400,)),
    Raw("a header without a colon", get(f"GET {READ} HTTP/1.1", "x\r\n"), (400,), (200,)),
    Raw("a header of nul", get(f"GET {READ} HTTP/1.1", "X: a\0b\r\n"), (400,), (400,)),
    Raw("a header of returns", get(f"GET {READ} HTTP/1.1", "X: a\rSet-Cookie: b\r\n"), (400,), (400,)),
    Raw(
        "a header of signs",
        get(f"GET {READ} HTTP/1.1", "X: a\x01\x7fb\r\n"),
        (400,),
        (400,),
        is_wordless=True,
    ),
    Raw("a header of spaces", get(f"GET {READ} HTTP/1.1", "X y: z\r\n"), (400,), (400,)),
    Raw("a folded header", get(f"GET {READ} HTTP/1.1", "X: y\r\n z\r\n"), (400,), (400,)),
    Raw(
        "a folded first header",
        f"GET {READ} HTTP/1.1\r\n {HOST}{CLOSE}\r\n".encode(),
        (400,),
        (400,),
    ),
    Raw(
        "two tokens",
        get(f"GET {READ} HTTP/1.1", "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n"),
        (401,),
        (400,),
    ),
    Raw("two kinds", post(f"Content-Type: text/plain\r\n{LENGTH}", RUN), (200,), (200,)),
    Raw("cookies in a hundred headers", get("GET /rules/ HTTP/1.1", "Cookie: a=b\r\n" * 90), (200,), (200,)),
    Raw(
        "an underscore for a hyphen",
        get(f"GET {READ} HTTP/1.1", "X_Forwarded_For: 1.2.3.4\r\nContent_Length: 9\r\n"),
        (200,),
        (200,),
    ),
    Raw(
        "headers to be dropped",
        get(f"GET {READ} HTTP/1.1", "Connection: Host, Authorization\r\n"),
        (200,),
        (200,),
    ),
    Raw("what is expected first", post(f"Expect: 100-continue\r\n{LENGTH}", RUN), (200,), (200,)),
    Raw("something else expected", post(f"Expect: a miracle\r\n{LENGTH}", RUN), (200,), (200,)),
    Raw(
        "too much expected", post("Expect: 100-continue\r\nContent-Length: 99999999\r\n", b""), (413,), (413,)
    ),
    Raw(
        "another protocol wanted",
        get(f"GET {READ} HTTP/1.1", "Upgrade: websocket\r\nConnection: Upgrade\r\n"),
        (200,),
        (200,),
    ),
    Raw(
        "the next protocol wanted",
        get(f"GET {READ} HTTP/1.1", "Upgrade: h2c\r\nConnection: Upgrade\r\nHTTP2-Settings: AAMAAABk\r\n"),
        (200,),
        (200,),
    ),
    Raw("a range of the api", get(f"GET {READ} HTTP/1.1", "Range: bytes=0-0\r\n"), (200,), (200,)),
    # several, or none
    Raw("twenty at once", NEXT.replace(b"Connection: close\r\n", b"") * 19 + NEXT, (200,) * 20, (200,) * 20),
    Raw(
        "twenty and a broken one",
        NEXT.replace(b"Connection: close\r\n", b"") * 19 + b"nonsense\r\n\r\n",
        (*(200,) * 19, 400),
        (*(200,) * 19, 400),
    ),
    Raw("a second request in a body", post("Content-Length: 5\r\n", b"{}\r\n\r") + NEXT, (400,), (400,)),
    Raw(
        "the next protocol unasked",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0",
        (),
        (400,),
        hangs_up=True,
    ),
    Raw(
        "a handshake",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
        (400,),
        (400,),
        hangs_up=True,
    ),
    Raw("a proxy's greeting", b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n" + NEXT, (400,), (400,)),
    Raw("noise", bytes(range(256)) * 20 + b"\r\n\r\n", (400,), (400,)),
    Raw("nothing", b"", (), (), hangs_up=True),
    Raw("half a line", b"GET /api", (), (), hangs_up=True),
    Raw("half a head", f"GET {READ} HTTP/1.1\r\nHost: loc".encode(), (), (), hangs_up=True),
]
