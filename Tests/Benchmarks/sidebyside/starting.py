"""Row: starting the command, against a Swift program that does nothing."""

import os
import subprocess

from .run import Entrant, written_text
from .workloads import Row

PACKAGE = """\
// swift-tools-version:6.0
import PackageDescription

let package = Package(name: "empty", targets: [.executableTarget(name: "empty")])
"""
SOURCE = "@main enum Empty { static func main() {} }\n"


def starts(documents, recto, data):
    large = documents["large"]
    yield Row(
        "start", "start", f"starting recto; its cached window is the last page of {large.shown}",
        [
            recto.version(), EmptyProgram(data / "empty-program").entrant(),
            recto.window(large, large.pages, cached=True).called("recto, cached window"),
        ],
        quick=True, times=3)


class EmptyProgram:
    """A Swift program without a statement, linked as recto is; built when it is needed first."""

    def __init__(self, directory):
        self.directory = directory
        self.path = directory / ".build/release/empty"

    def build(self):
        if self.path.exists():
            return
        sources = self.directory / "Sources/empty"
        sources.mkdir(parents=True, exist_ok=True)
        (self.directory / "Package.swift").write_text(PACKAGE)
        (sources / "Empty.swift").write_text(SOURCE)
        done = subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib",
                               "--package-path", self.directory], capture_output=True, text=True)
        if done.returncode != 0 or not os.access(self.path, os.X_OK):
            raise SystemExit(f"bench: the empty program does not build: {(done.stdout + done.stderr)[-1500:]}")

    def entrant(self):
        return Entrant("empty program", "Swift", [[str(self.path)]],
                       "empty: @main enum Empty { static func main() {} }",
                       before=self.build, written=written_text)
