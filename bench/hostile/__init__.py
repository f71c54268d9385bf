"""No input breaks it: hand-made and generated requests, and stalled senders, against a real server."""
