"""A small load client: keep-alive connections that send prepared requests as fast as answers come."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass
class Measured:
    """What a burst of requests took."""

    seconds: float = 0.0
    latencies_ms: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def per_second(self) -> float:
        """Answers a second."""
        return len(self.latencies_ms) / self.seconds

    def percentile(self, share: float) -> float:
        """The latency in ms that this share of the answers did not exceed."""
        ordered = sorted(self.latencies_ms)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def add(self, other: "Measured") -> None:
        """Take another burst in."""
        self.seconds += other.seconds
        self.latencies_ms += other.latencies_ms
        self.statuses += other.statuses


def request(method: str, path: str, *, token: str = "", body: bytes = b"", headers: str = "") -> bytes:
    """The bytes of an HTTP/1.1 request; ``headers`` are further lines, each ended by CR LF."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    lines += ["Content-Type: application/json"] if body else []
    lines += [f"Authorization: Bearer {token}"] if token else []
    return ("\r\n".join(lines) + f"\r\n{headers}\r\n").encode() + body


def burst(port: int, requests: Sequence[bytes], connections: int) -> Measured:
    """Send every request once over so many connections."""
    return asyncio.run(_burst(port, iter(requests), connections))


async def _burst(port: int, requests: Iterator[bytes], connections: int) -> Measured:
    measured, begun = Measured(), time.perf_counter()
    await asyncio.gather(*(_drain(port, requests, measured) for _ in range(connections)))
    measured.seconds = time.perf_counter() - begun
    return measured


async def _drain(port: int, requests: Iterator[bytes], measured: Measured) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for message in requests:
        begun = time.perf_counter()
        writer.write(message)
        status = await _read_answer(reader)
        measured.latencies_ms.append(1000 * (time.perf_counter() - begun))
        measured.statuses[status] += 1
    writer.close()


async def _read_answer(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    lowered = head.lower()
    if b"content-length: " in lowered:
        await reader.readexactly(int(lowered.split(b"content-length: ")[1].split(b"\r\n")[0]))
    return int(head[9:12])
