"""The proxy of docker-compose.yml in front of a web server on this machine."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.services import free_port

CONFIG = Path(__file__).parents[2] / "deploy" / "nginx.conf"
START_TIMEOUT_S = 20
PLACES = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"


@contextmanager
def proxy(web_port: int) -> Iterator[int]:
    """Run it and give its port. Raises RuntimeError where there is no nginx."""
    program = shutil.which("nginx", path=PLACES)
    if program is None:
        raise RuntimeError(
            "nginx is needed for the proxy of the deployment (Debian, Ubuntu: apt install nginx-light)."
        )
    port = free_port()
    with TemporaryDirectory(prefix="pyramid-proxy-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        (place / "nginx.conf").write_text(_configuration(place, port, web_port))
        command = [program, "-c", str(place / "nginx.conf"), "-p", str(place), "-g", "daemon off;"]
        with (place / "log").open("wb") as log, subprocess.Popen(command, stderr=log) as process:
            try:
                _wait(port, place / "log")
                yield port
            finally:
                process.terminate()
                process.wait()


def _configuration(place: Path, port: int, web_port: int) -> str:
    """The deployment's, but for where things are."""
    text = CONFIG.read_text().replace("/tmp/", f"{place}/")
    return text.replace("web:8000", f"127.0.0.1:{web_port}").replace(
        "listen 8080", f"listen 127.0.0.1:{port}"
    )


def _wait(port: int, log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise RuntimeError(f"nginx did not start:\n{log.read_text()}") from None
            time.sleep(0.05)
