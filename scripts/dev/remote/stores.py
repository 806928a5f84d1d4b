"""Documents in a store and behind nginx: see scripts/dev/remote/stores."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

recto, document = sys.argv[1], pathlib.Path(sys.argv[2])
folder = pathlib.Path(tempfile.mkdtemp())
KEY = "shelf 1/a+b é & c.pdf"
failures = []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            pass
    sys.exit("a server does not start")


def run(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), "http_proxy": "", "https_proxy": ""}
    return subprocess.run([recto, *arguments], env=environment | variables, capture_output=True)


def check(name, is_right, answer=None):
    print(f"{'ok' if is_right else 'WRONG'}  {name}", flush=True)
    if not is_right:
        failures.append(name)
        if answer:
            print(f"    exit code {answer.returncode}: {answer.stderr.decode().strip()}")


def compare(name, address, **variables):
    """Checks that commands say the same of an address and of the file."""
    for command in (["render", "--page", "1", "--viewport", "400x500", "--image", "-"], ["text"], ["info"]):
        there = run(*command, address, **variables)
        here = run(*command, str(document))
        is_same = there.stdout.replace(address.encode(), str(document).encode()) == here.stdout
        check(f"{name}: {command[0]}", there.returncode == 0 and is_same, there)


def fails(name, code, words, *arguments, **variables):
    answer = run(*arguments, **variables)
    text = answer.stderr.decode()
    check(name, answer.returncode == code and words in text and text.count("\n") == 1, answer)
    check(f"{name}: no secret is shown", "secret" not in text)


class Store:
    """moto, which checks signatures with the library of Amazon."""

    def __init__(self):
        import boto3
        port = free_port()
        # The first actions make a user; all others have to be signed by one that may do them.
        self.process = subprocess.Popen(
            [os.path.join(os.path.dirname(sys.executable), "moto_server"), "-H", "127.0.0.1", "-p", str(port)],
            env=dict(os.environ, INITIAL_NO_AUTH_ACTION_COUNT="4"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(port)
        self.endpoint = f"http://127.0.0.1:{port}"
        iam = boto3.client("iam", endpoint_url=self.endpoint, region_name="us-east-1", aws_access_key_id="none",
                           aws_secret_access_key="none")
        iam.create_user(UserName="recto")
        made = iam.create_access_key(UserName="recto")["AccessKey"]
        everything = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
        iam.put_user_policy(UserName="recto", PolicyName="all",
                            PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [everything]}))
        self.key, self.secret = made["AccessKeyId"], made["SecretAccessKey"]
        self.client = boto3.client("s3", endpoint_url=self.endpoint, region_name="us-east-1",
                                   aws_access_key_id=self.key, aws_secret_access_key=self.secret)
        self.client.create_bucket(Bucket="library")
        self.put(document.read_bytes())

    def put(self, data):
        self.client.put_object(Bucket="library", Key=KEY, Body=data)


def check_store():
    store = Store()
    address = f"s3://library/{KEY}"
    named = {"AWS_ENDPOINT_URL": store.endpoint}
    keys = {"AWS_ACCESS_KEY_ID": store.key, "AWS_SECRET_ACCESS_KEY": store.secret}
    try:
        compare("keys in the environment", address, **named, **keys)
        settings = folder / ".aws"
        settings.mkdir()
        entries = f"aws_access_key_id = {store.key}\naws_secret_access_key = {store.secret}\n"
        (settings / "credentials").write_text(f"[default]\n{entries}[other]\naws_access_key_id = none\n"
                                              "aws_secret_access_key = secret-but-wrong\n")
        compare("keys in ~/.aws/credentials", address, **named)
        answer = run("info", address, "--s3-endpoint", store.endpoint, "--no-cache")
        check("the store in an option", answer.returncode == 0, answer)
        fails("a wrong secret", 77, "does not allow", "info", address, "--no-cache", AWS_PROFILE="other", **named)
        fails("a profile that is not there", 64, "no profile 'third'", "info", address, AWS_PROFILE="third", **named)
        fails("an object that is not there", 66, "not found", "info", "s3://library/none.pdf", **named)
        program = folder / "credentials"
        answer = {"Version": 1, "AccessKeyId": store.key, "SecretAccessKey": store.secret}
        program.write_text(f"#!/bin/sh\necho '{json.dumps(answer)}'\n")
        program.chmod(0o755)
        (settings / "config").write_text(f"[profile asks]\nregion = us-east-1\nendpoint_url = {store.endpoint}\n"
                                         f"credential_process = {program} --for recto\n"
                                         "[profile refuses]\ncredential_process = echo secret; false\n")
        compare("a program that tells credentials", address, AWS_PROFILE="asks")
        fails("a program that tells none", 77, "credential_process", "info", address, AWS_PROFILE="refuses", **named)
        (settings / "credentials").unlink()
        fails("without credentials", 77, "does not allow", "info", address, "--no-cache", **named)
        # A new version gets new answers, and no part of the one before.
        other = document.parent / "links.pdf"
        store.put(other.read_bytes())
        answer = run("text", address, **named, **keys)
        check("another version", answer.stdout == run("text", str(other)).stdout, answer)
    finally:
        store.process.kill()


def check_nginx():
    port = free_port()
    shutil.copy(document, folder / "document.pdf")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "own.pem"],
                   check=True, capture_output=True)
    (folder / "nginx.conf").write_text(f"""
daemon off; pid {folder}/pid; error_log {folder}/errors; worker_processes 1; events {{}}
http {{
  log_format ranges '$server_protocol $status $http_range'; access_log {folder}/log ranges; client_body_temp_path {folder}; proxy_temp_path {folder};
  fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{
    listen 127.0.0.1:{port} ssl http2; root {folder}; ssl_certificate {folder}/own.pem; ssl_certificate_key {folder}/key.pem;
  }}
}}
""")
    os.chmod(folder, 0o755)
    server = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-c", folder / "nginx.conf"])
    try:
        wait_for(port)
        address = f"https://localhost:{port}/document.pdf"
        compare("nginx with a certificate of its own", address, CURL_CA_BUNDLE=str(folder / "own.pem"))
        fails("a certificate of an unknown authority", 69, "fetch", "info", address, "--no-cache")
        log = (folder / "log").read_text().splitlines()
        check("HTTP/2 and ranges", bool(log) and all(line.startswith("HTTP/2.0 206") for line in log))
    finally:
        server.kill()


try:
    check_store()
    check_nginx()
finally:
    shutil.rmtree(folder)
sys.exit(f"{len(failures)} wrong" if failures else 0)
