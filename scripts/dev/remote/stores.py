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
import urllib.request

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


def fill(put):
    """Documents below a prefix, some of them damaged, two with the same last part."""
    slow = ("endless", "memory", "crash")
    fixtures = sorted(path for path in document.parent.glob("*.pdf") if not path.name.startswith(slow))[:24]
    for path in fixtures:
        put(f"2026/{path.name}", path.read_bytes())
    for name in ("more/book.pdf", "more/a+b é & c%20.PDF", "x/deep/book.pdf", "x//twice.pdf"):
        put(f"2026/{name}", document.read_bytes())
    put("2026/broken.pdf", b"%PDF-1.7\nnothing")
    put("2026/short.pdf", document.read_bytes()[:900])
    put("2026/.hidden/book.pdf", document.read_bytes())
    put("2026/note.txt", b"no PDF")


def pictures(name):
    root = folder / name
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.png")}


def lines(answer, prefix):
    """The lines of a command, without where documents and pictures are."""
    text = answer.stdout.decode().replace(prefix, "").replace(str(folder / "there"), "").replace(str(folder / "here"), "")
    return sorted(text.splitlines())


def check_lists(store, variables):
    """Compares thumbnails of a prefix with those of a directory."""
    here, prefix = folder / "shelf", "s3://library/2026/"

    def put(key, data):
        store.client.put_object(Bucket="library", Key=key, Body=data)
        path = here / key.removeprefix("2026/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    fill(put)
    there = run("thumbs", prefix, "-o", str(folder / "there"), **variables)
    local = run("thumbs", f"{here}/", "-o", str(folder / "here"))
    made = pictures("there")
    check("thumbs of a prefix: 30 documents", len(there.stdout.splitlines()) == 30, there)
    check("thumbs of a prefix: the same pictures", len(made) > 20 and made == pictures("here"), there)
    check("thumbs of a prefix: the same exit code", there.returncode == local.returncode == 1, there)
    other = {line.replace("x//", "x/") for line in lines(there, prefix)} ^ set(lines(local, f"{here}/"))
    check("thumbs of a prefix: the same lines", not other)
    print("\n".join(sorted(other)), end="")
    failed = [line for line in lines(there, prefix) if '"error"' in line]
    check("a line of messages for each failure", there.stderr.count(b"\n") >= len(failed) >= 3, there)
    stored = run("thumbs", prefix, "-o", "s3://library/thumbnails/", **variables)
    objects = {entry["Key"].removeprefix("thumbnails/"): store.client.get_object(Bucket="library", Key=entry["Key"])
               for entry in store.client.list_objects_v2(Bucket="library", Prefix="thumbnails/")["Contents"]}
    check("thumbs into a store: the same pictures", {key: found["Body"].read() for key, found in objects.items()} == made, stored)
    check("thumbs into a store: media types", {found["ContentType"] for found in objects.values()} == {"image/png"})
    address = f"{store.endpoint}/library/2026/book.pdf?signature=secret"
    (folder / "list").write_text(f"{prefix}\n{here}/book.pdf\n{address}\ns3://library/none.pdf\n")
    journal = folder / "journal"
    command = ["text", "--from", str(folder / "list"), "--journal", str(journal), "--resume", "--no-cache"]
    first, second = run(*command, **variables), run(*command, **variables)
    unchanged = second.stdout.count(b'"unchanged":true')
    # The document behind a signature is refused, and one is missing: both are tried again.
    check("a list that is resumed", unchanged == 31 and len(second.stdout.splitlines()) == 33, second)
    shown = first.stdout + first.stderr + second.stdout + second.stderr + journal.read_bytes()
    check("no secret in lines, messages and journal", b"secret" not in shown and store.secret.encode() not in shown)
    parts = [run("info", "--from", str(folder / "list"), "--shard", f"{part}/3", **variables) for part in (1, 2, 3)]
    paths = [json.loads(line)["path"] for part in parts for line in part.stdout.splitlines()]
    check("three shards", len(paths) == len(set(paths)) == 33, parts[0])
    check_server(prefix, variables)
    check_processes(["thumbs", prefix, "-o", str(folder / "again"), "--no-cache"], store.secret, variables)
    for number in range(2500):
        store.client.put_object(Bucket="library", Key=f"many/{number}.txt", Body=b"")
    store.client.put_object(Bucket="library", Key="many/9.pdf", Body=document.read_bytes())
    before = store.lists()
    answer = run("thumbs", "s3://library/many/", "-o", str(folder / "many"), **variables)
    check("2,501 keys: one document", answer.returncode == 0 and len(answer.stdout.splitlines()) == 1, answer)
    check("2,501 keys: three requests", store.lists() - before == 3)
    fails("a bucket that is not there", 66, "not found", "thumbs", "s3://nowhere/", "-o", str(folder / "no"), **variables)
    fails("a store that is not there", 69, "fetch", "thumbs", prefix, "-o", str(folder / "no"),
          **variables | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}"})


def check_server(prefix, variables):
    """Compares pictures of recto serve --http on a prefix with those of a directory."""
    def serve(source):
        environment = dict(os.environ, HOME=str(folder), XDG_CACHE_HOME=str(folder / "cache"), **variables)
        process = subprocess.Popen([recto, "serve", source, "--http", "0"], env=environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        return process, process.stdout.readline().strip().rstrip("/")

    def get(address):
        try:
            return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address).read()
        except urllib.error.HTTPError as error:
            return error.code

    found = []
    for source in (prefix, f"{folder / 'shelf'}/"):
        process, address = serve(source)
        try:
            documents = json.loads(get(f"{address}/api/documents"))["documents"]
            found.append({entry["id"]: (entry["name"], entry.get("folder", ""),
                                        get(f"{address}/iiif/3/{entry['id']};1/full/200,/0/default.png"))
                          for entry in documents})
        finally:
            process.terminate()
            process.wait()
    there, here = ({id: entry for id, entry in served.items() if "twice" not in entry[0]} for served in found)
    check("serve --http on a prefix: the same documents and pictures", len(there) >= 29 and there == here)
    print("".join(f"    {entry[:2]}\n" for id, entry in there.items() if here.get(id) != entry), end="")


def check_processes(arguments, secret, variables):
    """Checks that no command line of the processes of a run has a secret."""
    environment = dict(os.environ, HOME=str(folder), **variables)
    process = subprocess.Popen([recto, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen = set()
    while process.poll() is None:
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                seen.add(path.read_bytes())
            except OSError:
                pass
    check("no secret in the process list", any(b"recto-fetch" in line for line in seen)
          and not any(secret.encode() in line for line in seen))


class Store:
    """moto, which checks signatures with the library of Amazon."""

    def __init__(self):
        import boto3
        port = free_port()
        self.log = folder / "requests"
        # The first actions make a user; all others have to be signed by one that may do them.
        self.process = subprocess.Popen(
            [os.path.join(os.path.dirname(sys.executable), "moto_server"), "-H", "127.0.0.1", "-p", str(port)],
            env=dict(os.environ, INITIAL_NO_AUTH_ACTION_COUNT="4"), stdout=subprocess.DEVNULL, stderr=self.log.open("wb"))
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

    def lists(self):
        """How many lists of objects were asked for."""
        return self.log.read_text().count("list-type=2")

    def put(self, data):
        self.client.put_object(Bucket="library", Key=KEY, Body=data)


def check_store():
    store = Store()
    address = f"s3://library/{KEY}"
    named = {"AWS_ENDPOINT_URL": store.endpoint}
    keys = {"AWS_ACCESS_KEY_ID": store.key, "AWS_SECRET_ACCESS_KEY": store.secret}
    try:
        compare("keys in the environment", address, **named, **keys)
        check_lists(store, named | keys)
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
        # Its worker process ends with it only if it is asked to.
        server.terminate()
        server.wait()


try:
    check_store()
    check_nginx()
finally:
    shutil.rmtree(folder)
sys.exit(f"{len(failures)} wrong" if failures else 0)
