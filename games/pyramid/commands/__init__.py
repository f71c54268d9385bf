"""The commands of `python -m games.pyramid`, one a module."""
