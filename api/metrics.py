"""What is counted while the service serves, in the words of Prometheus.

The numbers are of this process; where ``PROMETHEUS_MULTIPROC_DIR`` names a folder, of all processes that
share it. Counting asks nobody and takes microseconds. What has to be asked for is in ``api.gauges``.
"""

from functools import cache

from prometheus_client import Counter, Histogram

BUCKETS_S = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

REQUESTS = Counter("pyramid_requests", "Requests answered, by the view's name.", ["view", "status"])
LATENCY = Histogram(
    "pyramid_request_seconds", "How long requests took in the application.", ["view"], buckets=BUCKETS_S
)
REFUSALS = Counter("pyramid_refusals", "Requests that a view refused, by problem code.", ["view", "code"])
SUBMITS = Counter(
    "pyramid_submits",
    "Submissions: ranked, unranked, repeated, or the code they were refused with.",
    ["result"],
)
REFUSED_MOVES = Counter("pyramid_refused_moves", "Logs refused for a move, by reason.", ["view", "reason"])


def count_request(view: str, status: int, seconds: float) -> None:
    """Count an answer. ``view`` is a route's name, of which there are few; never a path."""
    answers, latency = _counts_of(view, status // 100)
    answers.inc()
    latency.observe(seconds)


@cache
def _counts_of(view: str, status_class: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(view, f"{status_class}xx"), LATENCY.labels(view)


def count_refusal(view: str, code: str) -> None:
    """Count what a view refused."""
    REFUSALS.labels(view, code).inc()
    if view == "submit":
        SUBMITS.labels(code).inc()


def count_refused_move(view: str, reason: str) -> None:
    """Count a log that breaks off at a move the rules do not allow."""
    REFUSED_MOVES.labels(view, reason).inc()


def count_submit(*, is_new: bool, is_ranked: bool) -> None:
    """Count a submission that was taken."""
    ranked = "ranked" if is_ranked else "unranked"
    SUBMITS.labels(ranked if is_new else "repeated").inc()
