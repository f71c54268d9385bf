"""``python -m tests.audit``: whether anything in uv.lock is known to be vulnerable, as OSV knows it.

Ends with 0 when nothing is known, 1 when something is, and 75 when that could not be found out: a network
that does not reach OSV says nothing about the packages, so ``./run check`` tells of it and goes on.
"""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parents[1] / "uv.lock"
CLEAN, VULNERABLE, UNKNOWN = 0, 1, 75
ACCEPTED: dict[str, str] = {}
"""Advisories that do not touch this service, by their id, and why."""
UNREACHED = re.compile(r"^\S*(?:requests\.exceptions\.\w+|ServiceError|ConnectionError)\b.*", re.MULTILINE)
"""How pip-audit says that OSV did not answer, or not as it should."""


def main(osv_url: str = "https://api.osv.dev/v1/query") -> int:
    """Audit the lock, tell about it, and return how it ended."""
    with tempfile.TemporaryDirectory() as place:
        listed = Path(place, "locked.txt")
        listed.write_text("\n".join(locked(LOCK)))
        verdict, told = judge(ask(listed, osv_url))
    sys.stdout.write(told + "\n")
    return verdict


def judge(audited: subprocess.CompletedProcess[str]) -> tuple[int, str]:
    """The verdict of a run of pip-audit, and what to tell of it."""
    try:
        packages: list[dict[str, Any]] = json.loads(audited.stdout)["dependencies"]
    except ValueError:
        return failure(audited.stderr)
    if found := [advisory for package in packages for advisory in advisories(package)]:
        return VULNERABLE, "\n".join(found)
    return CLEAN, f"{len(packages)} packages, nothing known against them."


def failure(errors: str) -> tuple[int, str]:
    """Why there was no verdict; it is a fault of ours unless OSV could not be asked."""
    if said := UNREACHED.findall(errors):
        return UNKNOWN, f"not audited: OSV could not be asked ({said[-1][:200]})"
    return VULNERABLE, errors


def locked(lock: Path) -> list[str]:
    """Every package in the lock as a requirement, whatever platform it is for."""
    packages = tomllib.loads(lock.read_text())["package"]
    return [f"{each['name']}=={each['version']}" for each in packages if "registry" in each["source"]]


def ask(listed: Path, osv_url: str) -> subprocess.CompletedProcess[str]:
    """Run pip-audit over these requirements."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(listed), "--no-deps", "--disable-pip"]
    command += ["--vulnerability-service", "osv", "--osv-url", osv_url, "--timeout", "10"]
    command += [
        "--format",
        "json",
        "--progress-spinner",
        "off",
        "--cache-dir",
        str(listed.with_name("cache")),
    ]
    command += [option for known in ACCEPTED for option in ("--ignore-vuln", known)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def advisories(package: dict[str, Any]) -> list[str]:
    """What is known against a package, one sentence each."""
    return [
        f"{package['name']} {package['version']}: {known['id']}"
        f" {' '.join(known['aliases'])}, mended in {', '.join(known['fix_versions']) or 'no version yet'}"
        for known in package.get("vulns", ())
    ]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
