"""Views parse, call one function of the rooms, and render."""
