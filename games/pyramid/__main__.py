"""`python -m games.pyramid`: deals, replays and games in a terminal."""

import sys

from games.pyramid.cli import main

sys.exit(main())
