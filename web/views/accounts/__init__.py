"""Accounts: becoming somebody, staying it, and leaving."""
