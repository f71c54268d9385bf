"""Django's PostgreSQL, asked more cheaply whether it is still there."""
