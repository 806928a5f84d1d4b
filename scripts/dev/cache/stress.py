"""What scripts/dev/cache-stress does: stress.py RECTO ROUNDS SECONDS."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

DOCUMENT = "Fixtures/book.pdf"
SCALES = ["0.5", "0.7", "1"]
PAGES = range(1, 13)
LIMIT = 300_000
# What is written within the seconds in which nothing is removed; see docs/CACHE.md.
BURST = 64 << 20


def window(page, scale):
    return ["render", DOCUMENT, "--page", str(page), "--viewport", "700x900", "--tile", "128",
            "--scale", scale]


class Cache:
    """A cache of its own, and the pixels that its tiles have to have."""

    def __init__(self, recto, folder):
        self.recto = recto
        self.folder = folder
        self.environment = dict(os.environ, XDG_CACHE_HOME=folder)

    def start(self, arguments, **options):
        return subprocess.Popen([self.recto] + arguments, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run(self, arguments, code=0):
        process = self.start(arguments)
        output, errors = process.communicate()
        if process.returncode != code or errors:
            sys.exit(f"{arguments}: exit {process.returncode}: {errors.decode()}")
        return output

    def size(self):
        total = 0
        for path, _, names in os.walk(self.folder):
            for name in names:
                try:
                    total += (os.stat(os.path.join(path, name)).st_size + 4095) // 4096 * 4096
                except FileNotFoundError:
                    pass
        return total


def tiles(output, read):
    """The bytes of each tile by its place."""
    found = {}
    for spread in json.loads(output)["spreads"]:
        for page in spread["pages"]:
            for tile in page["tiles"]:
                key = (page["number"], tile["column"], tile["row"])
                found[key] = (tile["source"], read(tile["file"]))
    return found


def contents(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None  # removed to keep the limit since it was named


def expected(recto, folder):
    """The tiles of every window, drawn without a cache."""
    plain = Cache(recto, folder)
    result = {}
    for page in PAGES:
        for scale in SCALES:
            out = os.path.join(folder, f"{page}-{scale}")
            output = plain.run(window(page, scale) + ["--no-cache", "-o", out])
            result[page, scale] = {key: value for key, (_, value) in tiles(output, contents).items()}
    return result


def compare(wanted, output, what):
    """Compares the tiles of an answer; those that are gone by now are passed over."""
    for key, (_, value) in tiles(output, contents).items():
        if value is not None and value != wanted[key]:
            sys.exit(f"{what}: wrong tile {key}")


def kill_rounds(cache, wanted, rounds):
    """Kills two commands at random moments, again and again."""
    killed = 0
    for number in range(rounds):
        processes = []
        for _ in range(2):
            kind = random.random()
            if kind < 0.75:
                arguments = window(random.choice(PAGES), random.choice(SCALES))
                arguments += ["--cache-size", random.choice(["300K", "1M", "unlimited"])]
            elif kind < 0.9:
                arguments = ["cache", "trim", "--cache-size", random.choice(["0", "100K", "300K"])]
            elif kind < 0.95:
                arguments = ["cache", "verify"]
            else:
                arguments = ["cache", "clear"] + ([DOCUMENT] if kind < 0.98 else [])
            processes.append(cache.start(arguments))
        for process in processes:
            try:
                process.wait(random.random() ** 2 * 0.25)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                killed += 1
            process.communicate()
        if number % 100 == 99:
            print(f"{number + 1} rounds, {killed} killed", flush=True)
    verified = json.loads(cache.run(["cache", "verify"]))
    if verified["damaged"]:
        sys.exit(f"damaged: {verified['damaged']}")
    print(f"verify: {verified['entries']} entries, none damaged")
    sources = {"disk": 0, "rendered": 0}
    for (page, scale), pixels in wanted.items():
        output = cache.run(window(page, scale) + ["--cache-size", "unlimited"])
        found = tiles(output, contents)
        for key, (source, value) in found.items():
            sources[source] += 1
            if value != pixels[key]:
                sys.exit(f"page {page} at {scale}: wrong tile {key} from {source}")
    print(f"read again: {sources}, all right")


def many(cache, wanted, seconds, count=16):
    """Many commands at once on a cache that is far too small."""
    end = time.monotonic() + seconds
    running = {}
    done = [0] * count
    largest = 0
    while running or time.monotonic() < end:
        for slot in range(count):
            if slot not in running and time.monotonic() < end:
                page, scale = random.choice(PAGES), random.choice(SCALES)
                process = cache.start(window(page, scale) + ["--cache-size", str(LIMIT)])
                running[slot] = (process, page, scale)
        for slot, (process, page, scale) in list(running.items()):
            if process.poll() is None:
                continue
            output, errors = process.communicate()
            if process.returncode or errors:
                sys.exit(f"exit {process.returncode}: {errors.decode()}")
            compare(wanted[page, scale], output, f"page {page} at {scale}")
            done[slot] += 1
            del running[slot]
        largest = max(largest, cache.size())
        time.sleep(0.02)
    print(f"{count} at once for {seconds} s: {sum(done)} commands, {min(done)} to {max(done)} each; "
          f"limit {LIMIT}, largest {largest} bytes")
    if largest > LIMIT + BURST or min(done) == 0:
        sys.exit("too large, or some made no progress")
    verified = json.loads(cache.run(["cache", "verify"]))
    if verified["damaged"]:
        sys.exit(f"damaged: {verified['damaged']}")
    trimmed = cache.run(["cache", "trim", "--cache-size", str(LIMIT)])
    print(f"after: {verified['entries']} entries, {trimmed.decode().strip()}, {cache.size()} bytes")


def main():
    recto, rounds, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    seed = int(os.environ.get("SEED", time.time()))
    print(f"SEED={seed}")
    random.seed(seed)
    with tempfile.TemporaryDirectory() as folder:
        wanted = expected(recto, folder)
        kill = os.path.join(folder, "kill")
        small = os.path.join(folder, "small")
        os.mkdir(kill, 0o700)
        os.mkdir(small, 0o700)
        kill_rounds(Cache(recto, kill), wanted, rounds)
        many(Cache(recto, small), wanted, seconds)


main()
