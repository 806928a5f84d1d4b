"""Compares the expectations with pdfinfo, as far as pdfinfo can tell (it knows no UserUnit)."""

import re
import subprocess

# What pdfinfo says of a file that it cannot open.
REFUSALS = {
    "not-pdf": "May not be a PDF file",
    "damaged": "Couldn't",
    "password-needed": "Incorrect password",
}


def pdfinfo(path, *options):
    command = ["pdfinfo", "-enc", "UTF-8", *options, path]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20)


def sizes(text):
    """Displayed sizes as pdfinfo knows them: the crop box of each page, turned."""
    boxes = re.findall(r"^Page +(\d+) CropBox: +(\S+) +(\S+) +(\S+) +(\S+)", text, re.M)
    turns = dict(re.findall(r"^Page +(\d+) rot: +(\d+)", text, re.M))
    for number, *corners in boxes:
        x, y, right, top = map(float, corners)
        turn = int(turns[number])
        turn = 0 if turn % 90 else turn  # poppler reports 45 and draws the page as it is
        w, h = right - x, top - y
        yield (h, w, turn) if turn in (90, 270) else (w, h, turn)


def check(folder, fixture):
    """Sentences about everything that differs."""
    path = folder / fixture.name
    refused = pdfinfo(path)
    if fixture.error:
        if refused.returncode == 0 or REFUSALS[fixture.error] not in refused.stderr:
            yield f"{path.name}: expected {fixture.error}, pdfinfo says {refused.stderr.strip()!r}"
        if not fixture.password:
            return
    secret = ["-upw", fixture.password] if fixture.password else []
    answer = pdfinfo(path, *secret, "-box", "-f", "1", "-l", "-1").stdout
    fields = dict(re.findall(r"^(\w[\w ]*): +(.*)$", answer, re.M))
    if not fixture.pages:
        if "Invalid page count 0" not in refused.stderr:
            yield f"{path.name}: expected no pages, pdfinfo says {fields.get('Pages')}"
        return
    if int(fields.get("Pages", -1)) != len(fixture.pages):
        yield f"{path.name}: expected {len(fixture.pages)} pages, pdfinfo {fields.get('Pages')}"
    if fields.get("Title") != fixture.title:
        yield f"{path.name}: expected title {fixture.title!r}, pdfinfo says {fields.get('Title')!r}"
    found = list(sizes(answer))
    there = [page for page in fixture.pages if page.error != "page-missing"]
    if len(found) != len(there):
        yield f"{path.name}: expected {len(there)} sizes, pdfinfo has {len(found)}"
    for number, (page, (w, h, turn)) in enumerate(zip(there, found), 1):
        unit = page.user_unit
        if abs(page.width - w * unit) > 0.02 or abs(page.height - h * unit) > 0.02:
            size = f"{page.width}x{page.height}"
            yield f"{path.name}: page {number}: expected {size}, pdfinfo {w}x{h}"
        if page.rotation != turn:
            yield f"{path.name}: page {number}: expected rotation {page.rotation}, pdfinfo {turn}"
