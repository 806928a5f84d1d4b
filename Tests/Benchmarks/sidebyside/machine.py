"""What the figures were taken on, and with which versions. No names of hosts, users or folders."""

import os
import platform
import re
import subprocess
from pathlib import Path


def first_line(*command):
    """The first line a command says, on either stream; empty when there is no such command."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except FileNotFoundError:
        return ""
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0].strip() if lines else ""


def package(name):
    return first_line("dpkg-query", "-W", "-f", "${Version}", name)


def machine():
    """Processor, cores, memory, kernel and distribution."""
    with open("/proc/cpuinfo") as file:
        info = file.read()
    model = re.search(r"^model name\s*: (.+)$", info, re.MULTILINE)
    with open("/proc/meminfo") as file:
        memory = int(re.search(r"MemTotal:\s+(\d+)", file.read()).group(1))
    release = platform.freedesktop_os_release()
    return {
        "processor": model.group(1).strip() if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "virtual": " hypervisor " in info,
        "memory": memory * 1024,
        "kernel": re.match(r"[\d.]+", platform.release()).group(0).rstrip("."),
        "system": release.get("PRETTY_NAME", "Linux"),
    }


def filesystem(path):
    """The type of the file system that a path is on, such as tmpfs; empty if it is unknown."""
    path, found = Path(path).resolve(), ("", "")
    with open("/proc/mounts") as mounts:
        for line in mounts:
            place, kind = line.split()[1:3]
            # Of two at the same place the later one hides the other.
            if path.is_relative_to(place) and len(place) >= len(found[0]):
                found = (place, kind)
    return found[1]


def versions(python):
    """Versions of recto's tools and of every peer; `python` is the peers' Python."""
    modules = subprocess.run(
        [python, "-c",
         "import pypdfium2, PIL, pymupdf, sys\n"
         "print(pypdfium2.PYPDFIUM_INFO, pypdfium2.PDFIUM_INFO, PIL.__version__,\n"
         "      pymupdf.pymupdf_version, pymupdf.mupdf_version, sys.version.split()[0], sep='\\n')"],
        capture_output=True, text=True, check=True).stdout.splitlines()
    swift = first_line("swift", "--version")
    return {
        "Swift": (re.search(r"Swift version (\S+)", swift) or [None, swift])[1],
        "poppler-utils": package("poppler-utils"),
        "libpoppler-glib": package("libpoppler-glib8"),
        "cairo": package("libcairo2"),
        "libdeflate": package("libdeflate0"),
        "mupdf-tools": package("mupdf-tools"),
        "libvips-tools": package("libvips-tools"),
        "vips reads PDF with": vips_reader(),
        "pypdfium2": modules[0], "PDFium": modules[1], "Pillow": modules[2],
        "PyMuPDF": modules[3], "MuPDF in PyMuPDF": modules[4], "Python": modules[5],
    }


def vips_reader():
    said = subprocess.run(["vips", "--vips-config"], capture_output=True, text=True).stdout
    found = [name for name, words in [("poppler", "PDF load with poppler-glib: true"),
                                      ("PDFium", "PDF load with PDFium: true")] if words in said]
    return " and ".join(found) or "unknown"


def commit(root):
    """The newest commit that changed the sources, and whether they differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True,
                              check=True).stdout.strip()

    changed = git("status", "--porcelain", "--", "Sources")
    return git("log", "-1", "--abbrev=7", "--format=%h", "--", "Sources"), bool(changed)
