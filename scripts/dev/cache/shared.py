"""What scripts/dev/shared-cache does: shared.py RECTO PDF."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

recto, document = sys.argv[1:]
folder = tempfile.mkdtemp(prefix="recto-shared-")
SECONDS = 120


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def check(condition, words):
    if not condition:
        sys.exit(f"FAILED: {words}")


class Redis:
    """A Redis server, and a connection that damages what it has."""

    name = "redis"

    def __init__(self):
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/1?prefix=try"
        self.environment = {}
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--save", "", "--appendonly", "no"],
            cwd=folder, stdout=subprocess.DEVNULL)
        wait_for(self.port)

    def ask(self, *parts):
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            file = connection.makefile("rb")
            for command in [(b"SELECT", b"1"), parts]:
                text = b"*%d\r\n" % len(command)
                for part in command:
                    text += b"$%d\r\n%s\r\n" % (len(part), part)
                connection.sendall(text)
                answer = self.read(file)
            return answer

    def read(self, file):
        line = file.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"*":
            return [self.read(file) for _ in range(int(rest))]
        if kind == b"$":
            return file.read(int(rest) + 2)[:-2] if int(rest) >= 0 else None
        return rest

    def all(self):
        return {key: self.ask(b"GET", key) for key in self.ask(b"KEYS", b"*")}

    def put(self, key, value):
        self.ask(b"SET", key, value)

    def clear(self):
        self.ask(b"FLUSHALL")


class Bucket:
    """moto, which checks signatures with the library of Amazon."""

    name = "s3"

    def __init__(self):
        self.port = free_port()
        self.start()

    def start(self):
        import boto3
        # The first actions make a user; all others have to be signed by one that may do them.
        self.process = subprocess.Popen(
            [os.path.join(os.path.dirname(sys.executable), "moto_server"), "-H", "127.0.0.1", "-p",
             str(self.port)],
            env=dict(os.environ, INITIAL_NO_AUTH_ACTION_COUNT="4"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.port)
        endpoint = f"http://127.0.0.1:{self.port}"
        none = dict(endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="none",
                    aws_secret_access_key="none")
        iam = boto3.client("iam", **none)
        iam.create_user(UserName="recto")
        key = iam.create_access_key(UserName="recto")["AccessKey"]
        iam.put_user_policy(
            UserName="recto", PolicyName="all",
            PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [
                {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}))
        self.client = boto3.client(
            "s3", endpoint_url=endpoint, region_name="us-east-1",
            aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
        self.client.create_bucket(Bucket="tiles")
        self.url = f"s3://tiles/some/prefix?endpoint={endpoint}&timeout=2s"
        self.environment = {"AWS_ACCESS_KEY_ID": key["AccessKeyId"],
                            "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"]}

    def all(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="tiles")
        keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
        return {key: self.client.get_object(Bucket="tiles", Key=key)["Body"].read() for key in keys}

    def put(self, key, value):
        self.client.put_object(Bucket="tiles", Key=key, Body=value)

    def clear(self):
        for key in self.all():
            self.client.delete_object(Bucket="tiles", Key=key)


def wait_for(port):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit("the server does not start")


class Machine:
    """A cache of its own, and a `recto serve` that goes through the pages."""

    def __init__(self, store=None, url=None):
        self.cache = tempfile.mkdtemp(dir=folder)
        self.environment = dict(os.environ, XDG_CACHE_HOME=self.cache)
        self.options = []
        if store:
            self.environment.update(store.environment)
            self.options = ["--shared-cache", url or store.url]

    def serve(self, pages, at=lambda page: None):
        """The tiles of all pages by their place, their sources, and the seconds it took."""
        errors = tempfile.TemporaryFile()
        process = subprocess.Popen(
            [recto, "serve", document, "--stdio", "--viewport", "800x1100", "--tile", "256"]
            + self.options, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=errors, text=True)
        tiles, sources, longest = {}, {}, 0
        start = time.monotonic()
        for page in pages:
            at(page)
            begin = time.monotonic()
            request = {"op": "view", "id": page, "anchor": {"page": page}}
            print(json.dumps(request), file=process.stdin, flush=True)
            replied = False
            for line in process.stdout:
                event = json.loads(line)
                replied = replied or event.get("id") == page
                if event.get("event") == "tile":
                    place = (event["page"], event["column"], event["row"])
                    with open(event["file"], "rb") as file:
                        tiles[place] = file.read()
                    sources[event["source"]] = sources.get(event["source"], 0) + 1
                if replied and event.get("event") == "idle":
                    break
            longest = max(longest, time.monotonic() - begin)
        process.stdin.close()
        process.stdout.read()
        code = process.wait(SECONDS)
        seconds = time.monotonic() - start
        errors.seek(0)
        messages = errors.read().decode().splitlines()
        check(code == 0, f"exit {code}: {messages}")
        check(len(messages) <= 1, f"{messages}")
        return tiles, sources, seconds, longest, messages


def damage(store):
    """Replaces all values by such that are none."""
    values = store.all()
    whole = list(values.items())
    generator = random.Random(1)
    for index, (key, value) in enumerate(whole):
        other = whole[(index + 1) % len(whole)][1]
        store.put(key, [
            generator.randbytes(len(value)), b"", value[:-1], value + b"x", other,
            value[:64] + other[64:], value + bytes(3_000_000),
            value[:80] + bytes([value[80] ^ 1]) + value[81:],
        ][index % 8])
    return len(whole)


def line(words, result):
    _, sources, seconds, longest, messages = result
    print(f"  {words:44} {seconds * 1000:7.0f} ms, longest page {longest * 1000:5.0f} ms  {sources}"
          + "".join(f"\n    {text}" for text in messages), flush=True)


def share(store, pages):
    print(f"{store.name}: {len(pages)} pages of {document}")
    alone = Machine().serve(pages)
    line("without a shared cache", alone)
    expected = alone[0]

    def proved(words, result, only=None):
        line(words, result)
        wrong = [place for place, bytes in result[0].items() if expected.get(place, bytes) != bytes]
        check(not wrong and expected.keys() <= result[0].keys(), f"{words}: tiles differ: {wrong[:3]}")
        if only:
            check(set(result[1]) <= only, f"{words}: {result[1]}")

    first = Machine(store)
    proved("the first machine draws and shares", first.serve(pages))
    proved("a second machine", Machine(store).serve(pages), {"shared", "memory"})
    second = Machine(store)
    second.serve(pages)
    proved("the same again, from its disk", second.serve(pages), {"disk", "memory"})

    middle = pages[len(pages) // 2]
    count = [0]

    def garbage(page):
        if page == middle:
            count[0] = damage(store)

    proved("filled with garbage half-way", Machine(store).serve(pages, garbage))
    print(f"    {count[0]} entries were damaged")
    proved("another machine, after that", Machine(store).serve(pages))

    def stop(page):
        if page == middle:
            store.process.send_signal(signal.SIGSTOP)

    brief = store.url + ("&" if "?" in store.url else "?") + "timeout=250ms"
    if "timeout=2s" in store.url:
        brief = store.url.replace("timeout=2s", "timeout=250ms")
    proved("stands still half-way", Machine(store, brief).serve(pages, stop))
    store.process.send_signal(signal.SIGCONT)
    proved("goes on", Machine(store).serve(pages))

    def end(page):
        if page == middle:
            store.process.kill()
            store.process.wait()

    proved("killed half-way", Machine(store).serve(pages, end))
    proved("not there at all", Machine(store).serve(pages))
    store.start()
    proved("there again, empty", Machine(store).serve(pages))
    store.process.kill()
    store.process.wait()


def main():
    worker = os.path.join(os.path.dirname(os.path.realpath(recto)), "recto-worker")
    for program in [recto, worker]:
        names = subprocess.run(["nm", program], capture_output=True, text=True).stdout
        libraries = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        check("NIOCore" not in names + libraries and names, f"{program} has SwiftNIO in it")
    print("recto and recto-worker have no symbol of SwiftNIO")
    pages = list(range(1, 13))
    for kind in [Redis, Bucket]:
        store = kind()
        try:
            share(store, pages)
        finally:
            store.process.send_signal(signal.SIGCONT)
            store.process.kill()


try:
    main()
finally:
    shutil.rmtree(folder, ignore_errors=True)
