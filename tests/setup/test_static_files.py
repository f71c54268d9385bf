"""Static files as a deployment serves them."""

import json
from pathlib import Path
from unittest import mock

import pytest
from django.core.management import call_command
from pytest_django import Settings
from whitenoise.compress import Compressor


@pytest.fixture
def collected(tmp_path: Path, settings: Settings) -> Path:
    """Where all are collected; they are not packed, which takes ten seconds."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "config.storage.HashedStaticFiles"},
    }
    with mock.patch.object(Compressor, "compress", return_value=()):
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["redoc"])
    return tmp_path


def test_every_file_is_kept_under_a_name_with_its_hash_and_under_no_other(collected: Path) -> None:
    names = json.loads((collected / "staticfiles.json").read_text())["paths"]
    assert {"admin/css/base.css", "web/site.css", "web/rules.js"} < names.keys()
    assert any(name.startswith("drf_spectacular_sidecar/") for name in names)
    kept = {str(path.relative_to(collected)) for path in collected.rglob("*") if path.is_file()}
    assert kept == {*names.values(), "staticfiles.json"}
