"""What tools/http/attack does: attack.py ROOT [PDF…]."""

import asyncio
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = sys.argv[1]
PDFS = sys.argv[2:] or sorted(glob.glob(f"{ROOT}/Fixtures/*.pdf"))
FAILURES = []


class Server:
    """`recto serve --http` on a free port, and what it uses."""

    def __init__(self, paths, folder, options=()):
        environment = dict(
            os.environ,
            RECTO_HTTP_PROGRAM=f"{ROOT}/Server/.build/release/recto-http",
            RECTO_WORKER=f"{ROOT}/.build/release/recto-worker",
            XDG_CACHE_HOME=folder,
        )
        self.process = subprocess.Popen(
            [f"{ROOT}/.build/release/recto", "serve", *paths, "--http", "0", *options],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        self.port = int(self.process.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])

    def usage(self):
        """Resident megabytes, descriptors, and processes that it has started."""
        process = self.process.pid
        with open(f"/proc/{process}/status") as file:
            memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        children = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True).stdout
        return memory / 1000, len(os.listdir(f"/proc/{process}/fd")), len(children.split())

    def close(self):
        self.process.terminate()
        self.process.wait()


async def send(port, data, seconds=30, is_closed=True):
    """The status of the answer to bytes, and the answer; 0 if there is none."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(data)
            await writer.drain()
        except OSError:
            pass
        answer = await asyncio.wait_for(reader.read(1 << 16), seconds)
        writer.close()
    except (OSError, asyncio.TimeoutError):
        return 0, b""
    parts = answer.split(b" ", 2)
    return (int(parts[1]) if answer.startswith(b"HTTP/") and len(parts) > 2 else 0), answer


def request(path, headers=(), method="GET", body=b"", host="localhost"):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


async def expect(port, name, data, statuses):
    status, answer = await send(port, data)
    if status not in statuses or b"root:" in answer:
        FAILURES.append(f"{name}: {status}, expected {sorted(statuses)}")


async def paths(port):
    """Nothing outside of the addresses is found, however it is written."""
    ways = ["..", "%2e%2e", "%2E%2e", "..%2f..", "..%5c..", "%252e%252e", "%c0%ae%c0%ae", ".%00.", "....//"]
    places = ["/{}/{}/etc/passwd", "/viewer/{}/{}/etc/passwd", "/tiles/{}/{}/etc/passwd", "/view/{}", "/iiif/3/{};1/info.json"]
    places += ["/thumbnails/{}/x/256/1.png", "/iiif/presentation/3/{}/manifest", "/api/{}/documents", "/deepzoom/{};1.dzi"]
    for way in ways:
        for place in places:
            await expect(port, place, request(place.replace("{}", way)), {404, 400})
    for target in ("http://localhost/etc/passwd", "//localhost/etc/passwd", "*", "etc/passwd", "\\etc\\passwd"):
        await expect(port, target, request(target), {400, 404, 421})


async def hosts(port):
    """Only the server's own names are answered."""
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::2]", "0x7f.1", "", "evil.example:80"):
        await expect(port, f"host {host}", request("/", host=host), {421, 400})
    await expect(port, "no host", b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", {400})
    await expect(port, "forwarded", request("/health", ["X-Forwarded-Host: evil.example"]), {200})
    await expect(port, "absolute", request("http://evil.example/", host="evil.example"), {421, 400, 404})


async def numbers(port, document):
    """Numbers of any kind are refused or answered within the limits."""
    image = f"/iiif/3/{document};1"
    wrong = ["-1", "nan", "inf", "1e9", "0x10", "99999999999999999999", "1.5.5", "", "%31", "+1", "١"]
    for number in wrong:
        for form in ("{},0,10,10/max", "0,0,{},10/max", "pct:{},0,10,10/max", "full/{},", "full/!{},10", "full/pct:{}", "full/^{},"):
            path = f"{image}/{form.replace('{}', number)}/0/default.png"
            await expect(port, path, request(path.encode().decode("latin-1")), {200, 400, 404})
        for path in (f"/iiif/3/{document};{number}/info.json", f"/deepzoom/{document};1_files/{number}/0_0.jpg"):
            await expect(port, path, request(path.encode().decode("latin-1")), {400, 404})
    for size in ("^99999,99999", "^999999999,", "^pct:99999999", "^!500000000,500000000"):
        await expect(port, size, request(f"{image}/full/{size}/0/default.png"), {400})


async def missing(port, document, count=100_000):
    """Many requests for pages that do not exist, over a few connections."""

    async def ask(first, number):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        done = 0
        while done < number:
            batch = min(100, number - done)
            for index in range(batch):
                page = 100_000 + first + done + index
                writer.write(f"GET /iiif/3/{document};{page}/info.json HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            await writer.drain()
            for _ in range(batch):
                head = await reader.readuntil(b"\r\n\r\n")
                if not head.startswith(b"HTTP/1.1 404"):
                    FAILURES.append(f"missing page: {head[:40]}")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                await reader.readexactly(length)
            done += batch
        writer.close()

    start = time.time()
    await asyncio.gather(*(ask(index * count // 20, count // 20) for index in range(20)))
    print(f"{count} requests for pages that do not exist: {time.time() - start:.1f} s")


async def forms(port):
    """Requests of wrong forms end their own connection."""
    await expect(port, "garbage", b"\x00\xff" * 1000, {0, 400})
    await expect(port, "endless line", b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", {0, 400, 414, 431})
    many = [f"X-{index}: {index}" for index in range(20_000)]
    await expect(port, "20,000 headers", request("/health", many), {0, 400, 431})
    await expect(port, "long header", request("/health", ["X: " + "x" * 100_000]), {0, 400, 431})
    both = b"POST /api/sessions/x/requests HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /etc"
    await expect(port, "two lengths", both, {0, 400, 404})
    await expect(port, "method", request("/", method="DELETE"), {405})
    await expect(port, "trace", request("/", method="TRACE"), {405, 400})
    for value in ("bytes=0-0,2-3,5-9", "bytes=9-1", "bytes=--1", "bytes=" + "1" * 500 + "-", "x"):
        await expect(port, f"range {value}", request("/viewer/index.html", [f"Range: {value}"]), {200, 206, 416})


async def conversations(port, document):
    """Conversations without end, without reading, and with too many requests."""
    names = [f"{index:032x}" for index in range(400)]
    streams = []
    for name in names:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /api/sessions/{name}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        streams.append((reader, writer))
    heads = [await asyncio.wait_for(reader.read(64), 30) for reader, _ in streams]
    accepted = sum(head.startswith(b"HTTP/1.1 200") for head in heads)
    refused = sum(head.startswith(b"HTTP/1.1 503") for head in heads)
    print(f"400 conversations: {accepted} begun, {refused} refused")
    if accepted + refused != 400 or accepted > 256:
        FAILURES.append(f"conversations: {accepted} begun, {refused} refused")
    flood = b"\n".join(b'{"op":"open","path":"%s"}' % document.encode() for _ in range(2000))
    await expect(port, "flood", request(f"/api/sessions/{names[0]}/requests", method="POST", body=flood), {429, 202})
    large = b"x" * (100 << 20)
    await expect(port, "100 MB", request(f"/api/sessions/{names[0]}/requests", method="POST", body=large), {0, 413})
    for name in ("x", "../../x", "g" * 32, "A" * 32):
        await expect(port, f"session {name}", request(f"/api/sessions/{name}/events"), {400, 404})
    for _, writer in streams:
        writer.close()


async def documents(port, names):
    """Every document by several clients at a time; each answer has a status."""

    async def ask(document, page):
        path = f"/iiif/3/{document};{page}/full/!300,300/0/default.jpg"
        status, _ = await send(port, request(path), 120)
        if status not in {200, 400, 403, 404, 422, 500, 503, 504}:
            FAILURES.append(f"{path}: {status}")
        return status

    start = time.time()
    statuses = await asyncio.gather(*(ask(name, page) for name in names for page in (1, 2) for _ in range(4)))
    counts = {status: statuses.count(status) for status in sorted(set(statuses))}
    print(f"{len(names)} documents by 8 requests each: {time.time() - start:.1f} s, statuses {counts}")


async def attack(server):
    port = server.port
    _, answer = await send(port, request("/api/documents"))
    listed = json.loads(answer.split(b"\r\n\r\n", 1)[1])["documents"] if b"}]}" in answer else []
    if not listed:
        raise SystemExit("the list of documents is too long for this tool")
    book = next((entry["id"] for entry in listed if entry["name"] == "book.pdf"), listed[0]["id"])
    await send(port, request(f"/iiif/3/{book};1/full/100,/0/default.png"))
    await asyncio.sleep(2)
    before = server.usage()
    await paths(port)
    await hosts(port)
    await numbers(port, book)
    await missing(port, book)
    await forms(port)
    await conversations(port, book)
    await documents(port, [entry["id"] for entry in listed])
    start = time.time()
    status, _ = await send(port, request("/health"))
    if status != 200 or time.time() - start > 1:
        FAILURES.append(f"/health: {status} after {time.time() - start:.2f} s")
    await asyncio.sleep(5)
    after = server.usage()
    print("megabytes, descriptors and processes before: %.0f, %d, %d; after: %.0f, %d, %d" % (*before, *after))
    if after[0] > before[0] + 250 or after[2] > before[2] + 6:
        FAILURES.append("memory or processes are not back at their level")


def main():
    with tempfile.TemporaryDirectory() as folder:
        server = Server(PDFS, folder, ["--timeout", "5"])
        try:
            asyncio.run(attack(server))
        finally:
            server.close()
    for failure in FAILURES:
        print(f"FAILED {failure}")
    sys.exit(1 if FAILURES else 0)


main()
