"""Cases by number: the same seed and number give the same bytes."""

import os
import random
import re
import zlib
from pathlib import Path

import mutate_bytes
import mutate_objects
import mutate_sections
from generate import arrange, document
from model import Doc, Obj, Writer, entries, tokens

#: Share of cases that begin with a file, and of those that are written anew before they are changed.
FROM_FILES, WRITTEN_ANEW = 0.25, 0.6
#: Bytes of a file up to which it is written anew.
ANEW_BYTES = 48 << 10


def weighted(table):
    return [function for _, function in table], [weight for weight, _ in table]


OBJECTS = weighted(mutate_objects.MUTATIONS)
SECTIONS = weighted(mutate_sections.MUTATIONS)
BYTES = weighted(mutate_bytes.MUTATIONS)


#: Files with pages that poppler does not finish in reasonable time.
ENDLESS = re.compile(r"endless|bomb|billion|_[12]00k_|deep_5000|shared-unnamed|pdfium__shade|691770|memory|crash")


class Seeds:
    """Files to begin with."""

    def __init__(self, folders, largest):
        self.paths = []
        for folder in folders:
            if os.path.isdir(folder):
                self.paths += [p for p in sorted(Path(folder).rglob("*.pdf")) if 0 < p.stat().st_size <= largest]
        self.paths = [path for path in self.paths if not ENDLESS.search(path.name)]
        # Small files are faster and no poorer.
        self.weights = [1 / (1 + path.stat().st_size / 8192) for path in self.paths]
        self.read = {}

    def choose(self, rng):
        path = rng.choices(self.paths, self.weights)[0]
        if path not in self.read:
            data = path.read_bytes()
            self.read[path] = data, None if len(data) > ANEW_BYTES else parsed(data)
        return (path.name, *self.read[path])


def parsed(data):
    """A file's objects; None where nothing useful is found. Encrypted files are of no use anew."""
    doc = Doc()
    if b"/Encrypt" in data:
        return None
    for match in re.finditer(rb"(?<!\d)(\d{1,7})\s+(\d{1,5})\s+obj\b", data):
        number, at = int(match.group(1)), match.end()
        end = data.find(b"endobj", at)
        words = data[at : end if end > 0 else len(data)]
        stream = re.search(rb"stream\r?\n", words)
        content = None
        if stream:
            stop = data.find(b"endstream", at + stream.end())
            content = data[at + stream.end() : stop if stop > 0 else len(data)].rstrip(b"\r\n")
            words = words[: stream.start()]
        parts = tokens(words)
        if content is not None:
            keep = Obj(b" ".join(parts))
            keep.set(b"/Length", b"%d" % len(content))
            words = keep.words
            if b"/ObjStm" in parts:
                unpack(doc, keep, content)
                continue
            if b"/XRef" in parts:
                take_trailer(doc, parts)
                continue
        else:
            words = b" ".join(parts)
        doc.objs[number] = Obj(words, content, int(match.group(2)) if int(match.group(2)) < 65536 else 0)
    for match in re.finditer(rb"trailer", data):
        parts = tokens(data[match.end() : match.end() + 2000])
        if parts[:1] == [b"<<"]:
            take_trailer(doc, parts)
    if not doc.objs or not doc.trailer or len(doc.objs) > 2000:
        return None
    for number, obj in doc.objs.items():
        doc.role(number, role(obj))
    if not doc.roles.get("catalog") or not doc.roles.get("pages") or not doc.roles.get("page"):
        return None
    return doc


def unpack(doc, obj, content):
    try:
        data = zlib.decompressobj().decompress(content) if b"/FlateDecode" in obj.words else content
        first, count = int(obj.get(b"/First")), int(obj.get(b"/N"))
        numbers = [int(word) for word in data[:first].split()[: 2 * count]]
    except (ValueError, TypeError, zlib.error):
        return
    starts = numbers[1::2] + [len(data) - first]
    for number, start, end in zip(numbers[::2], starts, starts[1:]):
        doc.objs[number] = Obj(b" ".join(tokens(data[first + start : first + end])))


def take_trailer(doc, parts):
    known = {entry[0] for entry in doc.trailer}
    for name, first, end in entries(parts)[0]:
        if parts[name] in (b"/Root", b"/Info", b"/ID") and parts[name] not in known:
            doc.trailer.append([parts[name], b" ".join(parts[first:end])])


def role(obj):
    """What an object is, by its words."""
    words = obj.words
    if obj.data is not None:
        return "drawing" if b"/Subtype" in words else "content"
    for mark, name in ((b"/Catalog", "catalog"), (b"/Pages", "pages"), (b"/Nums", "labels"), (b"/Subtype /Link", "annot"),
                       (b"/Annot", "annot"), (b"/Kids", "pages"), (b"/Producer", "info"), (b"/Fields", "form")):
        if mark in words and (mark != b"/Pages" or b"/Type /Pages" in words):
            return name
    return "page" if b"/Type /Page" in words else "resources" if b"/Font" in words else "other"


def copied(doc):
    new = Doc()
    new.objs = {number: obj.copy() for number, obj in doc.objs.items()}
    new.trailer = [list(entry) for entry in doc.trailer]
    new.roles = {name: list(numbers) for name, numbers in doc.roles.items()}
    return new


def make(seed, number, seeds, only=None):
    """(bytes, names of what was done to what) of a case; of its mutations `only` these, by place."""
    rng = random.Random(f"{seed}:{number}")
    count = rng.choice([0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4])

    def places():
        # Each mutation has a generator of its own, so that it is the same without the others.
        for place in range(count):
            if only is None or place in only:
                yield random.Random(f"{seed}:{number}:{place}")

    names, doc = ["new"], None
    if seeds.paths and rng.random() < FROM_FILES:
        names[0], data, doc = seeds.choose(rng)
        if doc is None or rng.random() > WRITTEN_ANEW:
            count = max(1, count)
            for own in places():
                data = change_bytes(own, data, names)
            return data, names
        doc = copied(doc)
    else:
        doc = document(rng)
    arrange(rng, doc)
    names[0] += ":" + doc.kind + ("+linearized" if doc.linearized else "")
    late = []
    for own in places():
        change(own, doc, names, late)
    if doc.revisions and doc.linearized:
        doc.linearized = None
    data = Writer(doc).write()
    for hook in doc.byte_hooks:
        data = hook(data)
    for own in late:
        data = change_bytes(own, data, names)
    return data, names


def change(rng, doc, names, late):
    """One mutation of a document; that of its bytes comes when it is written."""
    for _ in range(5):
        kind = rng.random()
        if kind < 0.12:
            late.append(rng)
            return
        function = rng.choices(*(OBJECTS if kind < 0.58 else SECTIONS))[0]
        if function(rng, doc) is not False:
            names.append(function.__name__)
            return


def change_bytes(rng, data, names):
    function = rng.choices(*BYTES)[0]
    names.append(function.__name__)
    return function(rng, data) or b"%PDF-1.4\n"
