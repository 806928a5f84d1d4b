"""What the scripts about docs/DEPLOY.md share: nginx with the documented file, in front of servers of this machine."""

import contextlib
import os
import pathlib
import secrets
import socket
import subprocess
import time

from harness import HOST, ROOT, free_port

NAME = "recto.example"
EXAMPLE = ROOT / "docs/examples/Deploy/nginx.conf"


def configuration(directory, port, servers, example=EXAMPLE):
    """A file like that of docs/DEPLOY.md with ports and folders of this machine, in what surrounds it."""
    text = pathlib.Path(example).read_text()
    changes = {
        "10.0.0.1:8080": f"{HOST}:{servers[0]}",
        "10.0.0.2:8080": f"{HOST}:{servers[1]}",
        "/var/cache/nginx/recto": f"{directory}/cache",
        "listen 443": f"listen {HOST}:{port}",
        "/etc/nginx": directory,
        "reading-room.example": NAME,
    }
    for old, new in changes.items():
        if old not in text:
            raise SystemExit(f"{example} has no {old}")
        text = text.replace(old, new)
    text = text.replace("/run/recto-permitted", f"{directory}/permitted")
    folders = "".join(
        f"{name}_temp_path {directory}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"""daemon off; pid {directory}/pid; error_log {directory}/log; user root;
worker_processes {os.cpu_count()};
events {{ worker_connections 1024; }}
http {{
access_log off; keepalive_requests 100000000;
{folders}{text}}}
"""


def certificate(directory):
    """Writes a certificate for NAME and its key."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", f"{directory}/key.pem", "-out", f"{directory}/certificate.pem"],
        check=True, stderr=subprocess.DEVNULL,
    )


def token_file(directory):
    """A token, and the file that has it."""
    token, path = secrets.token_hex(16), pathlib.Path(directory, "token")
    path.write_text(token)
    path.chmod(0o600)
    return token, path


@contextlib.contextmanager
def nginx(directory, servers, example=EXAMPLE):
    """The port of nginx with TLS, in front of two servers."""
    port = free_port()
    path = os.path.join(directory, "nginx.conf")
    pathlib.Path(path).write_text(configuration(directory, port, servers, example))
    os.chmod(directory, 0o755)
    errors = pathlib.Path(directory, "errors")
    process = subprocess.Popen(["nginx", "-c", path], stderr=errors.open("w"))
    try:
        deadline = time.monotonic() + 10
        while True:
            with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
                break
            if time.monotonic() > deadline or process.poll() is not None:
                raise SystemExit(f"nginx does not start: {errors.read_text()}")
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(10)
