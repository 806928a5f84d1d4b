"""Mutations of finished bytes: near structure, at the ends, in line ends."""

import re

WORDS = [b"/Count", b"/Kids", b"/Type", b"/Pages", b"/Page", b"/MediaBox", b"/CropBox", b"/Rotate", b"/Root", b"/Size", b"/Prev", b"/Parent",
         b"/Length", b"/Filter", b"/First", b"/N ", b"/W", b"/Index", b"/Info", b"/ID", b"xref", b"trailer", b"startxref", b"obj", b"endobj",
         b"stream", b"endstream", b"/Annots", b"/Contents", b"/Resources", b"/AcroForm", b"%%EOF", b" R", b"/Linearized", b"/DecodeParms",
         b"/PageLabels", b"/Nums", b"%PDF-"]


def structure(rng, data):
    """A place where a word of structure stands, and the word's length."""
    for _ in range(6):
        word = rng.choice(WORDS)
        places = [m.start() for m in re.finditer(re.escape(word), data)]
        if places:
            return rng.choice(places), len(word)
    return rng.randrange(max(1, len(data))), 1


def shifted(data, at, change):
    """Numbers of a table, `startxref` and `/Prev` as they have to be when bytes come or go at `at`."""
    def move(match):
        value = int(match.group(2))
        value = value + change if value > at else value
        return match.group(1) + (b"%010d" % max(0, value) if len(match.group(2)) == 10 else b"%d" % max(0, value)) + match.group(3)

    data = re.sub(rb"([\r\n ])(\d{10})( \d{5} n)", move, data)
    return re.sub(rb"((?:startxref|/Prev|/XRefStm)\s+)(\d{1,10})()", move, data)


def replace(rng, data, first, end, new):
    """Exchanges bytes; offsets stay right more often than not."""
    result = data[:first] + new + data[end:]
    change = len(new) - (end - first)
    return shifted(result, first, change) if change and rng.random() < 0.7 else result


def word_exchange(rng, data):
    place, size = structure(rng, data)
    other = rng.choice(WORDS)
    return replace(rng, data, place, place + size, other if rng.random() < 0.4 else (other + b" " * size)[:size])


def number_near(rng, data):
    place, size = structure(rng, data)
    match = re.compile(rb"-?\d+").search(data, place + size, place + size + 100)
    if not match or len(match.group()) > 18:
        return data
    value = int(match.group()) + rng.choice([-1, 1, 2, -2, 10, -10, 100])
    return replace(rng, data, match.start(), match.end(), b"%d" % value)


def digit_near(rng, data):
    place, size = structure(rng, data)
    match = re.compile(rb"\d+").search(data, place + size, place + size + 120)
    if not match:
        return data
    at = rng.randrange(match.start(), match.end())
    return data[:at] + b"%d" % rng.randrange(10) + data[at + 1 :]


def byte_near(rng, data):
    place, size = structure(rng, data)
    at = min(len(data) - 1, max(0, place + rng.randrange(-4, size + 24)))
    return data[:at] + bytes([rng.choice([0, 10, 13, 32, 37, 40, 41, 47, 48, 60, 62, 91, 93, rng.randrange(256)])]) + data[at + 1 :]


def insert_near(rng, data):
    place, size = structure(rng, data)
    at = min(len(data), place + rng.choice([0, size, size + 1]))
    new = rng.choice([b"#20", b"#00", b"%x\n", b"\0", b"\x0c", b" ", b"#41", b"\r", b"\n", b"<<", b">>", b"[", b"]", b"(", b")", b"0 ", b"/A ",
                      b"null ", b"endobj\n", b"\x80", b"R "])
    return replace(rng, data, at, at, new)


def delete_near(rng, data):
    place = structure(rng, data)[0]
    return replace(rng, data, place, min(len(data), place + rng.choice([1, 1, 2, 5, 20, 100])), b"")


def repeat_near(rng, data):
    place = structure(rng, data)[0]
    size = rng.choice([5, 20, 100, 400])
    return replace(rng, data, place, place, data[place : place + size])


def noise(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 3, 10])):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def truncate(rng, data):
    return data[: rng.randrange(len(data) // 2, len(data))] if rng.random() < 0.5 else data[: len(data) - rng.randrange(1, 30)]


def append(rng, data):
    return data + rng.choice([b"\n%%EOF", b"\nstartxref\n0\n%%EOF", b"garbage" * 50, b"\0" * 1100, b"\nstartxref\n16\n%%EOF\n", b"startxref",
                              b" " * 25000, b"\n1 0 obj\n<< >>\nendobj\n", b"trailer << /Root 1 0 R >>\n", b"\0" * 900, b"startxref 9", data[-200:],
                              b"x" * 1000])


def prepend(rng, data):
    return rng.choice([b"\n", b"junk\n", b"\0" * 100, b"x" * 1000, b"x" * 1018, b"x" * 1019, b"x" * 1020, b"x" * 1024, b"%PDF-1.4\n", b"%!PS\n", b"%PDF",
                       b"%%PDF-1.4\n", b"\xef\xbb\xbf"]) + data


def header(rng, data):
    end = data.find(b"\n") + 1
    return rng.choice([b"%PDF-9.9\n", b"%PDF-1.", b"%pdf-1.4\n", b"%PDF-x\n", b"%FDF-1.2\n", b"%PDF-\n", b"%PDF-1.7", b"%PDF-1.7" + b" " * 50 + b"\n",
                       b"%PDF-12345678901234567890\n"]).ljust(end if rng.random() < 0.7 else 0, b" ") + data[end:]


def line_ends(rng, data):
    style = rng.randrange(4)
    if style == 0:
        return data.replace(b"\n", b"\r")
    if style == 1:
        return data.replace(b"\n", b"\r\n")
    if style == 2:
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    place = [m.start() for m in re.finditer(b"\n", data)]
    if not place:
        return data
    at = rng.choice(place)
    return replace(rng, data, at, at + 1, rng.choice([b"\r", b"\r\n", b" ", b"", b"\n\n", b"\0", b"\n%c\n", b"\n\r"]))


def start_of_section(rng, data):
    match = list(re.finditer(rb"startxref\s+(\d+)", data))
    if not match:
        return data
    at = match[-1]
    value = int(at.group(1))
    new = rng.choice([b"%d" % (value + d) for d in (-2, -1, 1, 2, 5, 100)] + [
        b"0", b"-1", b"99999999", b"+%d" % value, b"0%d" % value, b"%d.0" % value, b"", b"%%c\n%d" % value, b"18446744073709551616", b"4294967296",
        b"x", b"16"])
    return data[: at.start(1)] + new + data[at.end(1) :]


def object_again(rng, data):
    """Another definition of an object behind the end, without a section that names it."""
    found = list(re.finditer(rb"(\d+) (\d+) obj(.{0,3000}?)endobj", data, re.S))
    if not found:
        return data
    one, other = rng.choice(found), rng.choice(found)
    last = re.findall(rb"startxref\s+(\d+)", data)
    return data + b"\n%s %s obj%sendobj\nstartxref\n%s\n%%%%EOF\n" % (one.group(1), one.group(2), other.group(3), last[-1] if last else b"0")


MUTATIONS = [
    (3, word_exchange), (4, number_near), (4, digit_near), (4, byte_near), (4, insert_near), (3, delete_near), (2, repeat_near), (2, noise),
    (1, truncate), (2, append), (2, prepend), (1, header), (2, line_ends), (2, start_of_section), (2, object_again),
]
