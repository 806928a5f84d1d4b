#!/usr/bin/env python3
"""A viewer without a window, on top of `recto serve`: Examples/serve_client.py FILE [STEPS]

Scrolls through a PDF in equal steps and prints, for each, how long the window took to be complete."""
import json, os, queue, subprocess, sys, threading, time


class Recto:
    """One engine. Requests are answered in order for one document; events come in between."""

    def __init__(self, *arguments):
        recto = os.environ.get("RECTO", os.path.join(os.path.dirname(__file__), "../scripts/recto"))
        self.process = subprocess.Popen([recto, "serve", "--stdio", *arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines, self.events, self.last = queue.Queue(), [], 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)  # the engine has gone

    def next(self, timeout=60):
        """The next event; None when there will be none."""
        return self.events.pop(0) if self.events else self.lines.get(timeout=timeout)

    def send(self, op, **members):
        """Sends a request and returns its id."""
        self.last += 1
        request = {"id": self.last, "op": op, **members}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self.last

    def ask(self, op, **members):
        """Sends a request and waits for its reply; what comes in between is kept for `next`."""
        request = self.send(op, **members)
        while (line := self.lines.get(timeout=60)) is not None:
            if line.get("id") != request:
                self.events.append(line)
            elif "error" in line:
                raise RuntimeError(line["error"]["message"])
            else:
                return line
        raise RuntimeError("the engine has gone")


def name(page, raster, tile):
    """What tells tiles apart."""
    return (page, raster["width"], raster["height"], tile["column"], tile["row"])


def wanted(scene):
    """The tiles a window consists of, as they will be named in events."""
    return {name(page["number"], page["raster"], tile)
            for spread in scene["spreads"] for page in spread["pages"] for tile in page.get("tiles", [])}


def complete(recto, scene):
    """Waits until every tile of the window is there; returns the window as it is then."""
    ready, failed = set(), set()
    while {tile for tile in wanted(scene) if tile[0] not in failed} - ready:
        event = recto.next()
        if event["event"] == "tile":
            ready.add(name(event["page"], event["raster"], event))
        elif event["event"] == "geometry":
            scene = event  # sizes became known: the window has moved with what it shows
        elif event["event"] == "error":
            failed.add(event.get("page"))
    return scene


if __name__ == "__main__":
    recto = Recto()
    scene = recto.ask("open", path=sys.argv[1], viewport={"width": 800, "height": 1000}, scale=2)
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    for step in range(steps):
        begun = time.monotonic()
        y = scene["content"]["height"] * step / steps
        scene = recto.ask("view", offset={"y": y}, geometry=scene["geometry"])
        scene = complete(recto, scene)
        print(f"page {scene.get('current')}: {(time.monotonic() - begun) * 1000:.0f} ms")
