"""Mutations of how objects are written down: rows, cross-reference streams, trailers, headers, object
streams, updates."""

from model import Obj, Revision
from mutate_objects import ODD, pick


def revision(rng, doc):
    return rng.choice(doc.all_revisions())


def row_target(rng, rows):
    return rng.choice(sorted(rows))


def row_value(rng, doc):
    """One row that says something else."""
    def hook(rows):
        number = row_target(rng, rows)
        kind, second, third = rows[number]
        other = rows[row_target(rng, rows)]
        rows[number] = rng.choice([
            (kind, second + rng.choice([-10, -2, -1, 1, 2, 10, 1000]), third), (kind, 0, third), (kind, other[1], third),
            other, (0, second, third), (1, second, third), (2, second, third), (kind, second, third + 1),
            (kind, second, 65535), (3, second, third), (255, second, third), (kind, 99999999, third), (0, 0, 65535),
            (2, number, 0), (kind, second, rng.randrange(9)), (1, 16, 0)])

    revision(rng, doc).row_hooks.append(hook)
    return True


def row_drop(rng, doc):
    """A row left out, or one too many."""
    def hook(rows):
        style = rng.randrange(4)
        if style == 0:
            rows.pop(0, None)
        elif style == 1:
            rows.pop(row_target(rng, rows))
        elif style == 2:
            rows[max(rows) + rng.choice([1, 2, 50, 5000])] = (rng.choice([0, 1, 2]), rng.randrange(99), 0)
        else:
            number = row_target(rng, rows)
            rows[max(rows) + 1] = rows.pop(number)
        if not rows:
            rows[0] = (0, 0, 65535)

    revision(rng, doc).row_hooks.append(hook)
    return True


def row_words(rng, doc):
    """A line of a table that is not as it should be."""
    def hook(lines):
        rows = [i for i, line in enumerate(lines) if len(line) >= 18]
        if not rows:
            return
        i = rng.choice(rows)
        line = bytearray(lines[i])
        style = rng.randrange(13)
        if style < 3:
            line[rng.randrange(len(line))] = rng.choice(b"0123456789nfx %\r\n\0+-./")
        elif style == 3:
            line[17:18] = rng.choice([b"f", b"n", b"x", b"N", b"nn", b"fn", b""])
        elif style == 4:
            line = bytearray(line[:-2] + rng.choice([b"\n", b" ", b"", b"   \n", b"\n\n", b"\r", b"%c\n", b" \r\n", b"x\n"]))
        elif style == 5:
            j = rng.choice(rows)
            lines[i], lines[j] = lines[j], lines[i]
            return
        elif style == 6:
            line = bytearray(rng.choice([b"xxxxxxxxxx 00000 n \n", b"%000000000 00000 n \n", b"+000000000 00000 f \n",
                                         b"1 0 n 2 0 n 3 0 f  \n", b"0000000000 9999999 f\n", b"                    ",
                                         b"trailer             ", b"xref\n", b"0000000016,00000 n \n", b"-000000016 00000 n \n",
                                         b"9999999999 00000 n \n", b"0000000016 -0001 n \n", b"0.00000016 00000 n \n"]))
        elif style == 7:
            del lines[i]
            return
        elif style == 8:
            lines.insert(i, bytes(line))
            return
        elif style == 9:
            line[0:10] = rng.choice([b"16", b"00000000016", b"0000000016.5", b"99999999999", b"-1", b"4294967312", b"18446744073709551632"])
        elif style == 10:
            line[11:16] = rng.choice([b"0", b"000000", b"65536", b"99999", b"-1", b"65535", b"00001", b"2147483648"])
        elif style == 11:
            lines[:] = [line[:-2] + b"\n" if len(line) == 20 else line for line in lines]
            return
        else:
            lines[:] = [line[:-2] + b" \r\n" if len(line) == 20 else line for line in lines]
            return
        lines[i] = bytes(line)

    revision(rng, doc).line_hooks.append(hook)
    return True


def subsection_words(rng, doc):
    """The head of a table or of one of its subsections."""
    def hook(lines):
        heads = [i for i, line in enumerate(lines) if len(line) < 18 and line != b"xref\n"]
        if not heads or rng.random() < 0.2:
            lines[0] = rng.choice([b"xref ", b"xref\r", b"xref\n\n", b"xref %c\n", b"Xref\n", b"xref0", b"xref\n5 0\n", b" xref\n",
                                   b"xref\n0 0\n", b"xre\n", b""])
            return
        i = rng.choice(heads)
        numbers = lines[i].split()
        if len(numbers) != 2:
            return
        first, count = numbers
        f, c = int(first), int(count)
        lines[i] = rng.choice([
            b"%d %d\n" % (f + 1, c), b"%d %d\n" % (f, c + 1), b"%d %d\n" % (f, max(0, c - 1)), b"%d %d\n" % (1, c), b"%d %d \n" % (f, c),
            b"%d %d\r" % (f, c), b"%d\n%d\n" % (f, c), b"%d %d" % (f, c), b"%d %d %d\n" % (f, c, c), b"-1 %d\n" % c,
            b"%d 2147483647\n" % f, b"2147483647 %d\n" % c, b"%d.0 %d\n" % (f, c), b"%d %d %%c\n" % (f, c), b"0 0\n%d %d\n" % (f, c),
            b"%d 0\n" % f, b"%d %d\n\n\n" % (f, c), b"99999 0\n%d %d\n" % (f, c), b"+%d %d\n" % (f, c), b"%d %d\x00" % (f, c)])

    revision(rng, doc).line_hooks.append(hook)
    return True


def split_table(rng, doc):
    """The same rows in several subsections, some of them twice."""
    def hook(lines):
        heads = [i for i, line in enumerate(lines) if 2 < len(line) < 18 and line != b"xref\n"]
        if not heads:
            return
        i = rng.choice(heads)
        f, c = map(int, lines[i].split())
        if c < 2 or i + 1 + c > len(lines):
            return
        at = rng.randrange(1, c)
        rows = lines[i + 1 : i + 1 + c]
        again = rows[max(0, at - 1)]
        second = rows[at:] if rng.random() < 0.6 else [again] + rows[at:]
        lines[i : i + 1 + c] = [b"%d %d\n" % (f, at)] + rows[:at] + [b"%d %d\n" % (f + c - len(second), len(second))] + second

    revision(rng, doc).line_hooks.append(hook)
    return True


def stream_parts(rng, doc):
    """/W, /Index, /Size, the data or the filter of a cross-reference stream."""
    def hook(parts):
        style = rng.randrange(12)
        if style == 0:
            parts["widths"] = list(rng.choice([(1, 1, 0), (0, 4, 2), (1, 4, 0), (2, 4, 2), (1, 8, 8), (4, 4, 4), (1, 5, 3), (1, 7, 2)]))
        elif style == 1:
            parts["W"] = rng.choice([b"[1 2]", b"[1 2 1 1]", b"[1 2 -1]", b"[0 0 0]", b"[1 9 1]", b"[5 2 1]", b"[1 2 9]", b"null",
                                     b"[1.0 2 1]", b"99 0 R", b"[1 0 R 2 1]", b"[ 1 2 1", b"[2147483647 1 1]"])
        elif style == 2:
            parts["index"] = rng.choice([b"null", b"[0]", b"[0 5 7]", b"[]", b"[-1 5]", b"[0 2147483647]", b"[5 5 0 5]", b"[0 1 0 1 0 9]",
                                         b"99 0 R", b"[0.0 9]", b"[1 9]", b"[2147483640 9]", b"[0 0]", b"[0 0 1 9]", b"5"])
        elif style == 3:
            parts["size"] = rng.choice(ODD + [b"1", b"3", b"5", b"5000", b"60000000"])
        elif style == 4:
            parts["type"] = rng.choice([b"/Xref", b"/ObjStm", b"null", b"/XRef#00", b"(XRef)", b"99 0 R", b"/X"])
        elif style == 5:
            parts["damage"] = lambda data: data[: rng.randrange(len(data) + 1)]
        elif style == 6:
            def flip(data):
                data = bytearray(data)
                for _ in range(rng.choice([1, 1, 2, 5])):
                    if data:
                        data[rng.randrange(len(data))] = rng.choice([0, 1, 2, 3, 255, rng.randrange(256)])
                return bytes(data)
            parts["damage"] = flip
        elif style == 7:
            parts["extra"] = rng.choice([b"/Length 0", b"/Length 5", b"/Length 99 0 R", b"/Length 100000", b"/Length -1", b"/Filter null",
                                         b"/Filter [/FlateDecode /FlateDecode]", b"/DecodeParms [null]", b"/Filter []", b"/F (x)",
                                         b"/Filter /ASCIIHexDecode", b"/DecodeParms << /Predictor 15 >>", b"/Filter 99 0 R"])
        elif style == 8:
            parts["compress"] = True
            parts["predictor"] = rng.random() < 0.5
        elif style == 9:
            parts["head"] = rng.choice([b"1 0 obj\n", b"99999 0 obj\n", b"7 1 obj\n", b"7 0 obj9\n", b"7 0 0 obj\n", b"7 0 objx\n", b"-7 0 obj\n",
                                        b"07 00 obj", b"7 0 obj%c\n"])
        elif style == 10:
            parts["damage"] = lambda data: data + bytes(rng.randrange(256) for _ in range(rng.choice([1, 3, 7, 20])))
        else:
            parts["damage"] = lambda data: bytes(data[1:]) if rng.random() < 0.5 else b"\0" + data

    rev = revision(rng, doc)
    if rev.kind == "table":
        return False
    rev.stream_hooks.append(hook)
    return True


def trailer_key(rng, doc):
    """A trailer entry put in, exchanged or left out."""
    top = doc.new_number()
    key = rng.choice([b"/Info", b"/Info", b"/ID", b"/AcroForm", b"/Encrypt", b"/Size", b"/Size", b"/Prev", b"/XRefStm", b"/Root",
                      b"/Foo", b"/DocChecksum", b"/Type", b"/Length", b"/Pages"])
    value = rng.choice([
        b"%d 0 R" % (top + 9), b"99999 0 R", rng.choice(ODD), b"%d 0 R" % rng.randrange(0, top), b"%d 1 R" % rng.randrange(1, top),
        b"<< /Title 99 0 R >>", b"%d" % rng.choice([1, 2, 5, top - 1, top + 1, 5000, 60000000, 16, 20, 100, 33554433]), None, b"[(a) (b)]"])
    rev = revision(rng, doc)
    if rng.random() < 0.3 and value is not None:
        front = rng.random() < 0.5
        rev.trailer_hooks.append(
            lambda words: words.replace(b"<<", b"<< %s %s" % (key, value), 1) if front
            else words[: words.rfind(b">>")] + b"%s %s >>" % (key, value))
    else:
        rev.trailer.append([key, value])
    return True


def trailer_words(rng, doc):
    def hook(words):
        return rng.choice([
            words.replace(b"<<", b"", 1), words[:-2], words + b" >>", words.replace(b"/Root", b"/Roo#74", 1), words.replace(b"/Size", b"/Size#00", 1),
            words.replace(b"/Root", b"/Root#00", 1), words.replace(b" 0 R", b" 1 R", 1), b"%c\n" + words, words.replace(b"/Prev", b"/Pre#76", 1),
            b"[" + words + b"]", words + words, words.replace(b"/Root", b"/" + b"L" * 130 + b" 1 /Root", 1), b"null", words.replace(b" ", b"\0"),
            b"5 0 R", words.replace(b"/", b"\x0c/", 2)])

    revision(rng, doc).trailer_hooks.append(hook)
    return True


def previous(rng, doc):
    """/Prev that leads to a circle, to itself, or to nothing."""
    rev = doc.last_revision()
    rev.trailer.append([b"/Prev", rng.choice([b"0", b"1", b"16", b"-1", b"99999999", b"1 0 R", b"5.0", b"9223372036854775807",
                                              b"2147483648", b"4294967296", b"(0)", b"[9]", b"null", b"00000", b"9 0 R"])])
    if rng.random() < 0.5:
        place = rng.choice([b"self", b"first"])

        def hook(out):
            # The place of a section is known when all is written.
            at = out.rfind(b"startxref") if place == b"self" else out.find(b"startxref")
            number = out[at + 9 : at + 40].split()[:1]
            spot = out.rfind(b"/Prev 00000")
            if number and spot > 0 and number[0].isdigit():
                return out[:spot] + b"/Prev " + number[0].rjust(5, b"0") + out[spot + 11 :] if len(number[0]) <= 5 else out
            return out

        rev.trailer[-1][1] = b"00000"
        doc.byte_hooks.append(hook)
    return True


def object_head(rng, doc):
    number = pick(rng, doc)
    if number is None:
        return False
    n = b"%d" % number
    doc.heads[number] = rng.choice([
        n + b" 0 obj3\n", n + b" 0 obj3 ", n + b" 0 objx\n", n + b" 1 obj\n", b"%d 0 obj\n" % (number + 1), n + b" 0 obj\n%c\n", n + b" 0 OBJ\n",
        n + b" obj\n", n + b"  0\n obj", n + b" 0 obj 5\n", b" " + n + b" 0 obj\n", b"\n" + n + b" 0 obj\n", b"0" + n + b" 0 obj\n", n + b" 00 obj\n",
        n + b".0 0 obj\n", n + b" 0 R\n", n + b" 0 obj<", b"%" + n + b" 0 obj\n", b"x" + n + b" 0 obj\n", n + b" 0 obj[", n + b" 0 obj/X ",
        n + b" 0 0 obj\n", n + b" 0 objobj\n", n + b" 0 obj" + b"9" * 3 + b"\n", b"+" + n + b" 0 obj\n", n + b" -0 obj\n", n + b" 65536 obj\n", n + b"0 obj\n", b"",
        n + b" 0 obj\x00", n + b" 0 obj" + b"j" * 130 + b"\n"])
    return True


def object_end(rng, doc):
    number = pick(rng, doc)
    if number is None:
        return False
    doc.ends[number] = rng.choice([b"\n", b"", b"\nendobj", b"\nendob\n", b"\nENDOBJ\n", b" 5\nendobj\n", b"\nendobj endobj\n", b"\nendstream\nendobj\n",
                                   b"\nendobj\n9 0 R\n", b" >>\nendobj\n", b" stream\nendobj\n", b" R\nendobj\n", b"\nobj\n", b" 0 R endobj\n"])
    return True


def object_generation(rng, doc):
    number = pick(rng, doc)
    if number is None:
        return False
    doc.objs[number].gen = rng.choice([1, 2, 65535, 65536])
    if rng.random() < 0.6:
        old, new = b"%d 0 R" % number, b"%d %d R" % (number, doc.objs[number].gen)
        for obj in doc.objs.values():
            obj.words = obj.words.replace(b" " + old, b" " + new).replace(b"[" + old, b"[" + new)
        for entry in doc.trailer:
            if entry[1] == old:
                entry[1] = new
    return True


def object_removed(rng, doc):
    """An object that is named and not there."""
    number = pick(rng, doc)
    if number is None:
        return False
    if rng.random() < 0.5:
        doc.decoys.append((number, doc.objs[number].words))
    del doc.objs[number]
    return True


def object_twice(rng, doc):
    """Another definition that no cross-reference names."""
    number, other = pick(rng, doc), pick(rng, doc)
    if number is None or other is None:
        return False
    doc.decoys.append((number, doc.objs[other].words))
    return True


def packed_parts(rng, doc):
    """/N, /First, the pairs or the objects of an object stream."""
    state = {"left": rng.choice([0, 0, 1, 2])}

    def hook(parts):
        if state["left"]:
            state["left"] -= 1
            return
        state["left"] = 99
        pairs, bodies = parts["pairs"], parts["bodies"]
        style = rng.randrange(14)
        i = rng.randrange(len(pairs))
        if style == 0:
            parts["N"] = rng.choice([b"%d" % (len(pairs) - 1), b"%d" % (len(pairs) + 1), b"0", b"-1", b"2147483647", b"1000001", rng.choice(ODD)])
        elif style == 1:
            head = len(b" ".join(b"%d %d" % tuple(pair) for pair in pairs)) + 1
            parts["First"] = rng.choice([b"%d" % (head + d) for d in (-2, -1, 1, 2, 5)] + [b"0", b"-1", b"100000", rng.choice(ODD)])
        elif style == 2:
            pairs[i][1] += rng.choice([-1, 1, 2, 5, -5, 1000, 100000])
        elif style == 3:
            pairs[i][0] = rng.choice([pairs[i][0] + 1, 0, -1, 99999, rng.choice(pairs)[0], 2147483648])
        elif style == 4:
            j = rng.randrange(len(pairs))
            pairs[i], pairs[j] = pairs[j], pairs[i]
        elif style == 5:
            parts["extra"] = rng.choice([b"/Extends %d 0 R" % parts["number"], b"/Extends 99 0 R", b"/Extends 1 0 R", b"/Length 5", b"/Length 99 0 R",
                                         b"/Length 99999", b"/Filter /ASCIIHexDecode", b"/Filter null", b"/DecodeParms 5", b"/N 1", b"/First 3", b"/Crypt 1"])
        elif style == 6:
            parts["type"] = rng.choice([b"/XRef", b"null", b"/ObjStm#00", b"(ObjStm)", b"99 0 R", b"/objstm"])
        elif style == 7:
            bodies[i] = rng.choice([bodies[i] + b" endobj", b"%d 0 obj " % pairs[i][0] + bodies[i] + b" endobj", bodies[i] + b" 5", bodies[i][:-2],
                                    bodies[i] + b" %c", b"<< " + bodies[i], b"%d 0 R" % pairs[i][0], b"1 0 R", b"<< /Length 5 >> stream\nabcde\nendstream"])
        elif style == 8:
            pairs[i] = list(rng.choice(pairs))
        elif style == 9:
            del pairs[i]
        elif style == 10:
            head = b" ".join(b"%d %d" % tuple(pair) for pair in pairs) + b"\n"
            noise = rng.choice([b"%c\n", b"\0\0", b"   ", b"0 ", b"x ", b"1 2 3 "])
            parts["First"] = b"%d" % (len(head) + len(noise))
            parts["data"] = noise + head + b"\n".join(bodies) + b"\n"
        elif style == 11:
            head = b" ".join(b"%d %d" % tuple(pair) for pair in pairs) + b"\n"
            head = head.replace(b" ", rng.choice([b"\n", b" +", b".0 ", b"  ", b"\0", b"%\n"]), rng.choice([1, 2, 100]))
            parts["First"] = b"%d" % len(head)
            parts["data"] = head + b"\n".join(bodies) + b"\n"
        elif style == 12:
            gap = b" " * rng.choice([1, 5, 50])
            parts["First"] = b"%d" % len(b" ".join(b"%d %d" % tuple(pair) for pair in pairs) + b"\n")
            bodies[0] = gap + bodies[0]
        else:
            words = b"\n".join(bodies)
            parts["data"] = (b" ".join(b"%d %d" % tuple(pair) for pair in pairs) + b"\n" + words)[: rng.randrange(20, 20 + len(words))]
            parts["First"] = b"%d" % len(b" ".join(b"%d %d" % tuple(pair) for pair in pairs) + b"\n")

    revs = [rev for rev in doc.all_revisions() if rev.kind in ("packed", "hybrid")]
    if not revs:
        return False
    rng.choice(revs).packed_hooks.append(hook)
    return True


def update(rng, doc):
    """An incremental update that defines some objects anew, frees some, or adds nothing."""
    if doc.linearized or len(doc.revisions) > 3:
        return False
    objs = {}
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        number, other = pick(rng, doc), pick(rng, doc)
        if number is None:
            continue
        new = doc.objs[number].copy()
        style = rng.randrange(4)
        if style == 0 and other is not None:
            new = doc.objs[other].copy()
        elif style == 1:
            new.set(rng.choice([b"/MediaBox", b"/CropBox"]), b"[0 0 %d %d]" % (rng.randrange(20, 300), rng.randrange(20, 300)))
        elif style == 2:
            new.set(b"/Rotate", rng.choice([b"90", b"180", b"270"]))
        objs[number] = new
    same = "table" if doc.kind in ("table", "hybrid") else rng.choice(["stream", "packed"])
    rev = Revision(objs, same if rng.random() < 0.8 else rng.choice(["table", "stream", "packed", "hybrid"]))
    if rng.random() < 0.2:
        number = pick(rng, doc)
        if number is not None and number not in objs:
            rev.freed.append(number)
    if rng.random() < 0.3:
        rev.trailer.append([b"/Size", b"%d" % rng.choice([1, 3, 5, doc.new_number() + 40, 5000])])
    doc.revisions.append(rev)
    return True


def replaced(rng, doc):
    """The first revision has other words for some objects, an update brings the right ones."""
    if doc.linearized or doc.revisions:
        return False
    rev = Revision({}, "table" if doc.kind in ("table", "hybrid") else rng.choice(["stream", "packed"]))
    doc.first.objs = dict(doc.objs)
    for _ in range(rng.choice([1, 2, 4])):
        number = pick(rng, doc)
        if number is None:
            continue
        rev.objs[number] = doc.objs[number]
        if rng.random() < 0.5:
            doc.first.objs.pop(number, None)
        else:
            doc.first.objs[number] = Obj(rng.choice([b"null", b"<< >>", b"<< /Type /Page /MediaBox [0 0 9 9] >>", b"[]", b"<< /Type /Pages /Count 0 /Kids [] >>"]))
    doc.revisions.append(rev)
    return True


def linearization(rng, doc):
    """Entries of a linearization dictionary."""
    if doc.linearized is None:
        if doc.kind not in ("table", "stream") or doc.revisions:
            return False
        from generate import linearize
        linearize(rng, doc)
    if rng.random() < 0.3:
        return True
    key = rng.choice([b"L", b"N", b"O", b"H", b"E", b"T", b"P"])
    values = [b"0", b"1", b"2", b"9", b"-1", b"2147483647", b"99999", b"null", b"(x)", b"1.0", b"[ 0 9 ]", b"99 0 R", b"1 0 R"]
    doc.linearized[key] = rng.choice(values)
    return True


MUTATIONS = [
    (4, row_value), (3, row_drop), (6, row_words), (3, subsection_words), (2, split_table), (6, stream_parts), (6, trailer_key),
    (2, trailer_words), (2, previous), (5, object_head), (3, object_end), (2, object_generation), (3, object_removed), (2, object_twice),
    (6, packed_parts), (4, update), (3, replaced), (2, linearization),
]
