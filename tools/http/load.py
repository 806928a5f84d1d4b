"""What tools/http/load does: load.py ROOT PDF."""

import asyncio
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT, PDF = sys.argv[1], os.path.abspath(sys.argv[2])
SECONDS, ROUNDS = 5, 5


class Server:
    """`recto serve --http` on a free port."""

    def __init__(self, folder):
        environment = dict(
            os.environ,
            RECTO_HTTP_PROGRAM=f"{ROOT}/Server/.build/release/recto-http",
            RECTO_WORKER=f"{ROOT}/.build/release/recto-worker",
            XDG_CACHE_HOME=folder,
        )
        self.process = subprocess.Popen(
            [f"{ROOT}/.build/release/recto", "serve", PDF, "--http", "0", "--connections", "2000"],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        self.address = self.process.stdout.readline().strip().rstrip("/")
        self.port = int(self.address.rsplit(":", 1)[1])

    def get(self, path):
        with urllib.request.urlopen(self.address + path) as answer:
            return answer.headers, answer.read()

    def close(self):
        self.process.terminate()
        self.process.wait()


def tiles(server, count=64, side=512):
    """The addresses of tiles of the first pages at 2 pixels per point, without a conversation."""
    document = json.loads(server.get("/api/documents")[1])["documents"][0]["id"]
    found = []
    page = 1
    while len(found) < count:
        try:
            headers, info = server.get(f"/iiif/3/{document};{page}/info.json")
        except urllib.error.HTTPError:
            break
        version = headers["ETag"].strip('"')
        info = json.loads(info)
        # The image has 300 pixels per inch.
        width, height = (-(-info[key] * 144 * 10 // 3000) for key in ("width", "height"))
        for row in range(-(-height // side)):
            for column in range(-(-width // side)):
                name = f"{column}_{row}.png"
                found.append(f"/tiles/{document}/{version}/{page}/2.0x/{width}x{height}/0/{side}/{name}")
        page += 1
    return found[:count]


def wrk(port, paths, connections=64, seconds=SECONDS):
    """Requests per second, and milliseconds of the median and of the 99th percentile."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        listed = ",".join(f'"{path}"' for path in paths)
        script.write(
            f"local paths = {{{listed}}}\nlocal index = 0\n"
            "request = function() index = index % #paths + 1 return wrk.format('GET', paths[index]) end\n"
        )
        script.flush()
        text = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script.name]
            + [f"http://127.0.0.1:{port}/"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    if "Non-2xx" in text:
        raise SystemExit(f"wrong answers:\n{text}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    return rate, milliseconds(text, "50%"), milliseconds(text, "99%")


def milliseconds(text, line):
    number, unit = re.search(rf"{re.escape(line)}\s+([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def nginx(folder, server, paths):
    """nginx with the same tiles as files; returns the process and its port."""
    for path in paths:
        file = folder + path
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as output:
            output.write(server.get(path)[1])
    port = server.port + 1
    configuration = f"{folder}/nginx.conf"
    with open(configuration, "w") as file:
        file.write(
            f"worker_processes 2; daemon off; pid {folder}/pid; error_log stderr crit;\n"
            "events { worker_connections 4096; }\n"
            "http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;\n"
            "types { image/png png; } open_file_cache max=1000;\n"
            f"server {{ listen 127.0.0.1:{port}; root {folder}; }} }}\n"
        )
    process = subprocess.Popen(["nginx", "-c", configuration, "-p", folder])
    time.sleep(0.5)
    return process, port


def warm(server, paths):
    folder = tempfile.mkdtemp(dir="/dev/shm")
    peer, port = nginx(folder, server, paths)
    try:
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(wrk(server.port, paths))
            theirs.append(wrk(port, paths))
        rates = [statistics.median(run[0] for run in runs) for runs in (ours, theirs)]
        print(f"warm tiles, 64 connections: recto {rates[0]:.0f}/s, nginx {rates[1]:.0f}/s, {rates[0] / rates[1]:.2f} x")
        for name, runs in (("recto", ours), ("nginx", theirs)):
            median, last = (statistics.median(run[index] for run in runs) for index in (1, 2))
            print(f"  {name}: p50 {median:.2f} ms, p99 {last:.2f} ms")
    finally:
        peer.terminate()
        peer.wait()
        shutil.rmtree(folder)


async def misbehave(port, path, kind, end):
    """A connection that a server should not have to care about."""
    while time.time() < end:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 12)
        except OSError:
            await asyncio.sleep(0.2)
            continue
        try:
            if kind == "slow":
                for byte in f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX: ".encode():
                    writer.write(bytes([byte]))
                    await asyncio.sleep(0.3)
                    if time.time() > end:
                        break
            elif kind == "endless":
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n".encode())
                while time.time() < end:
                    writer.write(b"X-Header: " + b"x" * 500 + b"\r\n")
                    await writer.drain()
                    await asyncio.sleep(0.02)
            elif kind == "half-open":
                writer.write(b"GET / HT")
                await asyncio.sleep(2)
            else:
                for _ in range(200):
                    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                await asyncio.sleep(max(0, end - time.time()))
        except OSError:
            await asyncio.sleep(0.1)
        finally:
            writer.close()


def crowd(server, paths):
    """The 99th percentile of 475 connections, alone and with 25 others that misbehave."""
    results = {True: [], False: []}
    for _ in range(3):
        for is_hostile in (False, True):
            process = None
            if is_hostile:
                process = subprocess.Popen([sys.executable, __file__, ROOT, PDF, "misbehave", str(server.port), paths[0]])
                time.sleep(0.5)
            results[is_hostile].append(wrk(server.port, paths, 475))
            if process:
                process.wait()
    alone, among = (statistics.median(run[2] for run in results[key]) for key in (False, True))
    print(f"475 connections: p99 {alone:.1f} ms; with 25 that misbehave {among:.1f} ms, {among / alone:.2f} x")


def cold(folder):
    """Tiles that have to be drawn, over HTTP and by the engine alone, each with an empty cache."""
    rates = {"http": [], "engine": []}
    for round_number in range(3):
        cache = tempfile.mkdtemp(dir=folder)
        server = Server(cache)
        paths = tiles(server, 192)
        start = time.time()
        wrk_once(server, paths)
        rates["http"].append(len(paths) / (time.time() - start))
        server.close()
        pages = sorted({int(path.split("/")[4]) for path in paths})
        cache = tempfile.mkdtemp(dir=folder)
        start = time.time()
        subprocess.run(
            [f"{ROOT}/.build/release/recto", "render", PDF, "--pages", f"{pages[0]}-{pages[-1]}", "--viewport"]
            + ["100000x1000000", "--scale", "2", "--sizes", "exact"],
            check=True,
            stdout=subprocess.DEVNULL,
            env=dict(os.environ, XDG_CACHE_HOME=cache),
        )
        rates["engine"].append(len(paths) / (time.time() - start))
    http, engine = (statistics.median(rates[name]) for name in ("http", "engine"))
    print(f"cold tiles: {http:.0f}/s over HTTP, {engine:.0f}/s by recto render, {http / engine:.2f} x")


def wrk_once(server, paths):
    """Fetches each tile once, with 16 connections."""
    text = "\n".join(f"url = {server.address}{path}\noutput = /dev/null" for path in paths)
    subprocess.run(
        ["curl", "--silent", "--fail", "--parallel", "--parallel-max", "16", "--config", "-"],
        input=text.encode(),
        check=True,
    )


def main():
    if len(sys.argv) > 3:
        end = time.time() + SECONDS + 1
        kinds = ["slow", "endless", "half-open", "deaf"]

        async def run():
            await asyncio.gather(*(misbehave(int(sys.argv[4]), sys.argv[5], kinds[index % 4], end) for index in range(25)))

        asyncio.run(run())
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        server = Server(folder)
        try:
            paths = tiles(server)
            sizes = [len(server.get(path)[1]) for path in paths]
            print(f"{len(paths)} tiles of {statistics.mean(sizes) / 1000:.1f} KB")
            warm(server, paths)
            crowd(server, paths)
        finally:
            server.close()
        cold(folder)


main()
