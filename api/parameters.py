"""Path and query parameters as the OpenAPI document names them."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from api.pagination import DEFAULT_LIMIT, MAX_LIMIT

DAY = OpenApiParameter(
    "day",
    {"type": "string", "pattern": r"^(today|20[0-9]{2}-[0-9]{2}-[0-9]{2})$"},
    OpenApiParameter.PATH,
    description="A UTC date, or `today`.",
)
LIMIT = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
    description="How many results a page holds.",
)
CURSOR = OpenApiParameter(
    "cursor", OpenApiTypes.STR, description="Opaque; from the `next` or `previous` of another page."
)
AROUND = OpenApiParameter(
    "around",
    OpenApiTypes.STR,
    description="`me` or a player's name: the page with that player in the middle.",
)
LEAGUE = OpenApiParameter(
    "league",
    OpenApiTypes.STR,
    description="Code of one of the caller's leagues: its members only, ranked among themselves.",
)
WEEK = OpenApiParameter(
    "period",
    {"type": "string", "pattern": r"^(current|20[0-9]{2}-W[0-9]{2})$"},
    OpenApiParameter.PATH,
    description="An ISO week such as `2026-W49`, or `current`.",
)
MONTH = OpenApiParameter(
    "period",
    {"type": "string", "pattern": r"^(current|20[0-9]{2}-[0-9]{2})$"},
    OpenApiParameter.PATH,
    description="A month such as `2026-11`, or `current`.",
)
NAME = OpenApiParameter(
    "name",
    OpenApiTypes.STR,
    OpenApiParameter.PATH,
    description="A player's name, in any case or look-alike spelling, or `me`.",
)
RULES = OpenApiParameter(
    "rules",
    OpenApiTypes.STR,
    description="Slug of the rule set to lay the deal out for; `endless` by default.",
)
