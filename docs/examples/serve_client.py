#!/usr/bin/env python3
"""A viewer without a window, on top of `recto serve`: docs/examples/serve_client.py FILE [STEPS]

Scrolls through a PDF in equal steps and prints, for each, how long the window took to be complete.
Then cancels a request, and opens the file again."""
import base64, json, os, queue, shutil, subprocess, sys, threading, time


class Recto:
    """One engine. Requests are answered in order for one document; events come in between."""

    def __init__(self, *arguments):
        # RECTO names the program; else it is the one in PATH, else that of the source tree, which is built if need be.
        recto = (os.environ.get("RECTO") or shutil.which("recto")
                 or os.path.join(os.path.dirname(__file__), "../../scripts/recto"))
        self.process = subprocess.Popen([recto, "serve", "--stdio", *arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines, self.events, self.last = queue.Queue(), [], 0
        threading.Thread(target=self._read, daemon=True).start()
        self.hello = self.lines.get(timeout=60)  # the first line says what the engine can do
        if self.hello["protocol"] != 1:
            raise RuntimeError("unknown protocol")

    def _read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            if event.get("follows"):  # the picture is behind the line
                event["picture"] = self.process.stdout.read(event["bytes"])
            self.lines.put(event)
        self.lines.put(None)  # the engine has gone

    def next(self, timeout=60):
        """The next event; None when there will be none."""
        return self.events.pop(0) if self.events else self.lines.get(timeout=timeout)

    def send(self, op, **members):
        """Sends a request and returns its id."""
        self.last += 1
        self.write(id=self.last, op=op, **members)
        return self.last

    def write(self, **request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def cancel(self, request):
        """Takes a request back. It is answered in any case: as cancelled, or as usual."""
        self.write(op="cancel", id=request)

    def reply(self, request):
        """Waits for the reply to a request; what comes in between is kept for `next`."""
        while (line := self.lines.get(timeout=60)) is not None:
            if line.get("id") == request and "reply" in line:
                return line
            self.events.append(line)
        raise RuntimeError("the engine has gone")

    def ask(self, op, **members):
        """Sends a request and waits for its reply, which must not be an error."""
        reply = self.reply(self.send(op, **members))
        if "error" in reply:
            raise RuntimeError(reply["error"]["message"])
        return reply

    def end(self):
        """Closes the input, and waits until the engine has ended."""
        self.process.stdin.close()
        return self.process.wait()


def picture(event):
    """The PNG of a tile event, however it was sent."""
    if "file" in event:
        with open(event["file"], "rb") as file:
            return file.read()
    return base64.b64decode(event["data"]) if "data" in event else event["picture"]


def name(page, raster, tile):
    """What tells tiles apart."""
    return (page, raster["width"], raster["height"], tile["column"], tile["row"])


def wanted(scene):
    """The tiles a window consists of, as they will be named in events."""
    return {name(page["number"], page["raster"], tile)
            for spread in scene["spreads"] for page in spread["pages"] for tile in page.get("tiles", [])}


def complete(recto, scene, before={}):
    """Waits until every tile of the window is there; returns the window as it is then, and its pictures.

    Of `before`, the pictures of the window before, those that are still in sight are not sent again."""
    ready, failed = dict(before), set()
    while {tile for tile in wanted(scene) if tile[0] not in failed} - ready.keys():
        event = recto.next()
        if event["event"] == "tile":
            ready[name(event["page"], event["raster"], event)] = picture(event)
        elif event["event"] in ("geometry", "reopened", "reloaded"):
            if event["geometry"] > scene["geometry"]:  # else it came before the reply
                scene = event  # the window has moved with what it shows, or is another
        elif event["event"] == "error":
            failed.add(event.get("page"))
    return scene, {tile: ready[tile] for tile in wanted(scene) & ready.keys()}


if __name__ == "__main__":
    recto = Recto("--pictures", "bytes")
    scene = recto.ask("open", path=sys.argv[1], viewport={"width": 800, "height": 1000}, scale=2)
    tiles = {}
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    for step in range(steps):
        begun = time.monotonic()
        y = scene["content"]["height"] * step / steps
        scene = recto.ask("view", offset={"y": y}, geometry=scene["geometry"])
        scene, tiles = complete(recto, scene, tiles)
        size = sum(map(len, tiles.values()))
        print(f"page {scene.get('current')}: {(time.monotonic() - begun) * 1000:.0f} ms, {size} bytes")

    # A request that waits behind another, or is opening a file, can be taken back.
    request = recto.send("open", path=sys.argv[1])
    recto.cancel(request)
    reply = recto.reply(request)
    if "error" in reply:
        print("open:", reply["error"]["code"])
    else:
        print("open: too late to cancel")
        recto.ask("close", document=reply["document"])

    # `changed` tells that the file is another one; `reload` opens it at the same place.
    recto.ask("settings", pictures="base64")
    before = scene["anchor"]
    scene, tiles = complete(recto, recto.ask("reload", document=1))
    print(f"reloaded: page {before['page']} is page {scene['anchor']['page']}, {len(tiles)} tiles")
    print("exit code", recto.end())
