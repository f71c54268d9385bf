"""The service's settings without limits on how often one client may ask."""

from config.settings import *  # noqa: F403

THROTTLE_RATES = dict.fromkeys(THROTTLE_RATES, "100000000/minute")  # noqa: F405
