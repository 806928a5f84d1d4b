"""PDFs as objects, sections and hooks, and how they become bytes.

A mutation changes an object's words, or leaves a hook that changes what the writer is about to write:
rows of a cross-reference, a trailer, an object's header, an object stream. Offsets stay right unless a
mutation makes them wrong.
"""

import re
import struct
import zlib

TOKEN = re.compile(
    rb"\d+\s+\d+\s+R(?![^\s()<>\[\]{}/%])|<<|>>|\[|\]|/[^\s()<>\[\]{}/%]*"
    rb"|\((?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))*\)|<[0-9A-Fa-f\s]*>|[^\s()<>\[\]{}/%]+|[(){}<>]",
    re.S,
)


def tokens(words):
    """The words of an object, without white space and comments."""
    return TOKEN.findall(words)


def entries(parts, start=0):
    """(key, value start, value end) of a dictionary that begins at `start`, and where it ends."""
    found = []
    place = start + 1
    while place < len(parts) and parts[place] != b">>":
        if not parts[place].startswith(b"/"):
            place += 1
            continue
        first = place + 1
        if first >= len(parts) or parts[first] == b">>":
            break
        end = value_end(parts, first)
        found.append((place, first, end))
        place = end
    return found, place


def value_end(parts, place):
    """One behind a value."""
    depth = 0
    while place < len(parts):
        part = parts[place]
        if part in (b"<<", b"["):
            depth += 1
        elif part in (b">>", b"]"):
            if depth == 0:
                return place
            depth -= 1
        place += 1
        if depth == 0:
            return place
    return place


class Obj:
    """An object: its words, and its data when it is a stream."""

    __slots__ = ("gen", "words", "data")

    def __init__(self, words, data=None, gen=0):
        self.words, self.data, self.gen = words, data, gen

    def copy(self):
        return Obj(self.words, self.data, self.gen)

    def get(self, key):
        """The words of a value of the outermost dictionary; None when there is none."""
        parts = tokens(self.words)
        if parts[:1] != [b"<<"]:
            return None
        for name, first, end in entries(parts)[0]:
            if parts[name] == key:
                return b" ".join(parts[first:end])
        return None

    def set(self, key, value):
        """Puts a value in place of the one there is, or adds it."""
        parts = tokens(self.words)
        if parts[:1] != [b"<<"]:
            return
        for name, first, end in entries(parts)[0]:
            if parts[name] == key:
                parts[first:end] = [value] if value is not None else []
                if value is None:
                    del parts[name]
                break
        else:
            if value is not None:
                parts[1:1] = [key, value]
        self.words = b" ".join(parts)

    def body(self):
        """The words as they stand in a file."""
        if self.data is None:
            return self.words
        words = self.words
        if b"/Length" not in words:
            at = words.rfind(b">>")
            words = words[:at] + b" /Length %d " % len(self.data) + words[at:]
        return words + b"\nstream\n" + self.data + b"\nendstream"


class Revision:
    """What is written between two ends of file: objects and a cross-reference section."""

    def __init__(self, objs, kind):
        self.objs = objs
        self.kind = kind  # table, stream, packed (stream and object streams), hybrid
        self.trailer = []  # keys that replace those of the document in this section
        self.freed = []
        self.row_hooks = []  # change {number: (type, second, third)}
        self.line_hooks = []  # change the lines of a table
        self.trailer_hooks = []  # change the words of the trailer
        self.stream_hooks = []  # change the parts of a cross-reference stream
        self.packed_hooks = []  # change the parts of an object stream


class Doc:
    """A document before it is written."""

    def __init__(self):
        self.objs = {}
        self.trailer = []  # [key, value]
        self.header = b"%PDF-1.7\n"
        self.kind = "table"
        self.revisions = []  # updates behind the first revision
        self.first = None
        self.roles = {}
        self.decoys = []  # (number, words): definitions that no cross-reference names
        self.heads = {}  # number: words in place of `n g obj`
        self.ends = {}  # number: words in place of `endobj`
        self.linearized = None
        self.shuffle = None  # order of the objects
        self.compress = False
        self.predictor = False
        self.widths = (1, 4, 2)
        self.row_end = b" \n"
        self.pack_size = 8
        self.byte_hooks = []
        self.names = []
        self.listsHidden = False

    def begin(self):
        """The first revision, to put hooks on."""
        self.first = Revision(self.objs, self.kind)
        return self.first

    def all_revisions(self):
        return [self.first] + self.revisions

    def last_revision(self):
        return self.revisions[-1] if self.revisions else self.first

    def new_number(self):
        used = max(self.objs, default=0)
        for revision in self.revisions:
            used = max(used, max(revision.objs, default=0))
        return used + 1

    def add(self, words, data=None):
        number = self.new_number()
        self.objs[number] = Obj(words, data)
        return number

    def role(self, number, name):
        self.roles.setdefault(name, []).append(number)
        return number


class Writer:
    """Writes a document once."""

    def __init__(self, doc):
        self.doc = doc
        self.out = bytearray(doc.header)
        self.top = max([doc.new_number() - 1] + [0])
        self.previous = None

    def write(self):
        doc = self.doc
        if doc.linearized:
            return self.write_linearized()
        for index, revision in enumerate(doc.all_revisions()):
            self.revision(revision, decoys=doc.decoys if index == 0 else [])
        return bytes(self.out)

    def write_linearized(self):
        """The section stands behind the first object; numbers of fixed width, so two rounds do."""
        doc = self.doc
        length, rows = 0, {}
        for _ in range(2):
            self.out = bytearray(doc.header)
            self.top = doc.new_number() - 1
            number = self.top + 1
            values = dict(doc.linearized)
            if b"L" not in values:
                values[b"L"] = b"%010d" % length
            words = b" ".join(b"/%s %s" % pair for pair in values.items())
            self.out += b"%d 0 obj\n<< /Linearized 1 %s >>\nendobj\n" % (number, words)
            place = len(self.out)
            # Every row is there from the first round, so that the section keeps its size.
            for other in doc.objs:
                rows.setdefault(other, (1, 0, 0))
            rows[number] = (1, len(doc.header), 0)
            rows.setdefault(0, (0, 0, 65535))
            self.top = number
            self.section(doc.first, dict(rows), place, start=b"0")
            self.objects(doc.first, rows, doc.decoys)
            self.out += b"startxref\n%d\n%%%%EOF\n" % place
            length = len(self.out)
        return bytes(self.out)

    def revision(self, revision, decoys):
        rows = {}
        if revision is self.doc.first:
            rows[0] = (0, 0, 65535)
        for number in revision.freed:
            rows[number] = (0, 0, 1)
        packed = self.objects(revision, rows, decoys)
        place = len(self.out)
        if revision.kind == "hybrid":
            hidden = {n: row for n, row in rows.items() if n in packed}
            shown = {n: row for n, row in rows.items() if n not in packed}
            self.stream(revision, hidden, place, isHidden=True)
            revision.trailer = [e for e in revision.trailer if e[0] != b"/XRefStm"]
            revision.trailer.append([b"/XRefStm", b"%d" % place])
            if self.doc.listsHidden:
                for number in hidden:
                    shown[number] = (0, 0, 0)
            rows, place = shown, len(self.out)
        self.section(revision, rows, place)
        self.previous = place

    def objects(self, revision, rows, decoys):
        """Writes the objects; the numbers of those in object streams."""
        doc = self.doc
        numbers = sorted(revision.objs)
        if doc.shuffle is not None:
            doc.shuffle.shuffle(numbers)
        packed = set()
        if revision.kind in ("packed", "hybrid"):
            loose = [n for n in numbers if revision.objs[n].data is None and revision.objs[n].gen == 0]
            loose = [n for n in loose if n not in doc.heads and n not in doc.ends]
            for first in range(0, len(loose), doc.pack_size):
                self.pack(revision, loose[first : first + doc.pack_size], rows)
            packed = set(loose)
        for number in numbers:
            if number in packed:
                continue
            obj = revision.objs[number]
            rows[number] = (1, len(self.out), obj.gen)
            self.object(number, obj)
        for number, words in decoys:
            self.out += b"%d 0 obj\n%s\nendobj\n" % (number, words)
        return packed

    def object(self, number, obj):
        head = self.doc.heads.get(number)
        self.out += head if head is not None else b"%d %d obj\n" % (number, obj.gen)
        self.out += obj.body()
        end = self.doc.ends.get(number)
        self.out += end if end is not None else b"\nendobj\n"

    def pack(self, revision, numbers, rows):
        self.top += 1
        stream = self.top
        pairs, bodies = [], []
        offset = 0
        for index, number in enumerate(numbers):
            words = revision.objs[number].words
            pairs.append([number, offset])
            bodies.append(words)
            offset += len(words) + 1
            rows[number] = (2, stream, index)
        parts = {
            "pairs": pairs, "bodies": bodies, "N": b"%d" % len(pairs), "First": None, "extra": b"",
            "type": b"/ObjStm", "data": None, "number": stream,
        }
        for hook in revision.packed_hooks:
            hook(parts)
        if parts["data"] is None:
            head = b" ".join(b"%d %d" % tuple(pair) for pair in parts["pairs"]) + b"\n"
            if parts["First"] is None:
                parts["First"] = b"%d" % len(head)
            parts["data"] = head + b"\n".join(parts["bodies"]) + b"\n"
        data, filters = parts["data"], b""
        if self.doc.compress:
            data, filters = zlib.compress(data, 1), b" /Filter /FlateDecode"
        words = b"<< /Type %s /N %s /First %s%s %s >>" % (
            parts["type"], parts["N"], parts["First"], filters, parts["extra"])
        rows[stream] = (1, len(self.out), 0)
        self.object(stream, Obj(words, data))

    def keys(self, revision, size):
        """The trailer's entries in this section."""
        merged = [[b"/Size", b"%d" % size]] + [list(entry) for entry in self.doc.trailer]
        if self.previous is not None:
            merged.append([b"/Prev", b"%d" % self.previous])
        for key, value in revision.trailer:
            merged = [entry for entry in merged if entry[0] != key]
            if value is not None:
                merged.append([key, value])
        return merged

    def section(self, revision, rows, place, start=None):
        if revision.kind in ("stream", "packed"):
            self.stream(revision, rows, place)
        else:
            self.table(revision, rows)
        self.out += b"startxref\n%s\n%%%%EOF\n" % (start or b"%d" % place)

    def table(self, revision, rows):
        for hook in revision.row_hooks if rows else []:
            hook(rows)
        lines = [b"xref\n"]
        fills = revision.kind != "hybrid" or self.doc.listsHidden
        if revision is self.doc.first and not self.doc.linearized and fills:
            for number in range(self.top + 1):
                rows.setdefault(number, (0, 0, 0))
        for first, count in runs(rows):
            lines.append(b"%d %d\n" % (first, count))
            for number in range(first, first + count):
                kind, second, third = rows[number]
                mark = b"n" if kind == 1 else b"f"
                lines.append(b"%010d %05d %s%s" % (second, third, mark, self.doc.row_end))
        for hook in revision.line_hooks:
            hook(lines)
        self.out += b"".join(lines)
        trailer = self.keys(revision, self.top + 1)
        words = b"<< " + b" ".join(b"%s %s" % tuple(entry) for entry in trailer) + b" >>"
        for hook in revision.trailer_hooks:
            words = hook(words)
        self.out += b"trailer\n" + words + b"\n"

    def stream(self, revision, rows, place, isHidden=False):
        self.top += 1
        number = self.top
        rows[number] = (1, place, 0)
        if not isHidden:
            for hook in revision.row_hooks:
                hook(rows)
        widths = self.doc.widths
        parts = {
            "rows": rows, "widths": list(widths), "index": None, "size": b"%d" % (self.top + 1),
            "type": b"/XRef", "extra": b"", "data": None, "compress": self.doc.compress,
            "predictor": self.doc.predictor, "W": None, "damage": None, "head": None,
        }
        hooks = revision.stream_hooks
        for hook in hooks:
            hook(parts)
        ranges = list(runs(parts["rows"]))
        data = parts["data"]
        if data is None:
            data = b"".join(
                row_bytes(parts["rows"][n], parts["widths"]) for a, c in ranges for n in range(a, a + c))
        index = parts["index"]
        if index is None:
            index = b"[" + b" ".join(b"%d %d" % run for run in ranges) + b"]"
        width = parts["W"] or b"[" + b" ".join(b"%d" % w for w in parts["widths"]) + b"]"
        filters = b""
        if parts["predictor"]:
            size = max(1, sum(parts["widths"]))
            data = up_predicted(data, size)
            filters = b" /DecodeParms << /Predictor 12 /Columns %d >>" % size
        if parts["compress"] or parts["predictor"]:
            data = zlib.compress(data, 1)
            filters += b" /Filter /FlateDecode"
        if parts["damage"]:
            data = parts["damage"](data)
        trailer = self.keys(revision, self.top + 1)
        trailer[0][1] = parts["size"]
        entries = b"" if isHidden else b" ".join(b"%s %s" % tuple(entry) for entry in trailer[1:])
        words = b"<< /Type %s /Size %s /W %s /Index %s%s %s %s >>" % (
            parts["type"], trailer[0][1], width, index, filters, entries, parts["extra"])
        for hook in revision.trailer_hooks:
            words = hook(words)
        obj = Obj(words, data)
        self.out += parts["head"] or b"%d 0 obj\n" % number
        self.out += obj.body() + b"\nendobj\n"


def runs(rows):
    """(first, count) of consecutive numbers."""
    first, count = None, 0
    for number in sorted(rows):
        if first is not None and number == first + count:
            count += 1
            continue
        if first is not None:
            yield first, count
        first, count = number, 1
    if first is not None:
        yield first, count


def row_bytes(row, widths):
    return b"".join(
        (value % (1 << (8 * width))).to_bytes(width, "big") if width else b""
        for value, width in zip(row, widths))


def up_predicted(data, size):
    out = bytearray()
    before = bytes(size)
    for first in range(0, len(data), size):
        row = data[first : first + size].ljust(size, b"\0")
        out.append(2)
        out += bytes((a - b) & 255 for a, b in zip(row, before))
        before = row
    return bytes(out)
