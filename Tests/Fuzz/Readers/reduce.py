"""Makes a file smaller as long as the readers differ in the same way.

Bytes are taken away with all offsets moved along, or become spaces where that does not do.
"""

import re

from mutate_bytes import shifted


def moved(data, first, end):
    """The file without some bytes, and offsets as they have to be then."""
    change = first - end
    result = shifted(data[:first] + data[end:], first, change)
    # A linearized file states its length.
    stated = re.search(rb"/L\s+(0*%d)\b" % len(data), result)
    if stated:
        words = (b"%d" % len(result)).rjust(len(stated.group(1)), b"0")
        result = result[: stated.start(1)] + words + result[stated.end(1) :]
    return re.sub(rb"(/W\s*\[\s*(\d)\s+(\d)\s+(\d)\s*\](?:(?!endobj|/Filter).)*?stream\r?\n)(.*?)(\r?\nendstream)",
                  lambda match: match.group(1) + moved_rows(match, first, change) + match.group(6), result, flags=re.S)


def moved_rows(match, at, change):
    """The rows of a cross-reference stream that is not compressed."""
    widths = [int(match.group(i)) for i in (2, 3, 4)]
    rows, size = bytearray(match.group(5)), sum(widths)
    if not size or widths[0] != 1 or not widths[1]:
        return bytes(rows)
    for start in range(0, len(rows) - size + 1, size):
        field = slice(start + 1, start + 1 + widths[1])
        value = int.from_bytes(rows[field], "big")
        if rows[start] == 1 and value > at:
            rows[field] = max(0, value + change).to_bytes(widths[1], "big")
    return bytes(rows)


#: Entries of dictionaries with a value that holds no other dictionary, and references in arrays.
ENTRY = (rb"/[^\s/<>\[\]()]+\s*(?:\d+ \d+ R|\[[^\[\]<>]*\]|<<[^<>]*>>|/[^\s/<>\[\]()]+|[-+.\d]+|\([^()]*\)"
         rb"|null|true|false)")
REFERENCE = rb"(?<=[\[\s])\d+ \d+ R(?=[\]\s])"
ROW = re.compile(rb"\d{10} \d{5} [nf]")
HEAD = re.compile(rb"\d+ \d+ obj")


def balance(data):
    """What opens and does not close, rows, headers that are none: it stays as it is, so that the
    reduced file differs for the reason for which the whole one does."""
    count = data.count
    return (count(b"<<") - count(b">>"), count(b"[") - count(b"]"), count(b" obj") - count(b"endobj"),
            count(b"stream") - 2 * count(b"endstream"), len(ROW.findall(data)), count(b" obj") - len(HEAD.findall(data)))


def parts(data, pattern):
    """(begin, end) of what a pattern finds, or of what lies between where it ends."""
    if pattern in (ENTRY, REFERENCE):
        return [match.span() for match in re.finditer(pattern, data)]
    cuts = sorted({0, len(data)} | {match.end() for match in re.finditer(pattern, data)})
    return list(zip(cuts, cuts[1:]))


def smaller(data, holds, pattern, limit):
    """Without every run of parts that can be missing; halves first, then quarters, down to one."""
    tries = 0
    kept = balance(data)
    count = max(1, len(parts(data, pattern)) // 2)
    if pattern in (ENTRY, REFERENCE):
        count = 1
    while count >= 1:
        at = 0
        while tries < limit:
            found = parts(data, pattern)
            if at >= len(found):
                break
            first, end = found[at][0], found[min(at + count, len(found)) - 1][1]
            blank = data[:first] + b" " * (end - first) + data[end:]
            for candidate in (moved(data, first, end), data[:first] + data[end:], blank):
                tries += 1
                if candidate != data and balance(candidate) == kept and holds(candidate):
                    data = candidate
                    at += count if candidate is blank else 0
                    break
            else:
                at += count
        count //= 2
    return data


def reduced(data, holds, limit=3000):
    for pattern in (rb"endobj\s", rb"\n", ENTRY, REFERENCE, rb"endobj\s", ENTRY):
        data = smaller(data, holds, pattern, limit)
    return data


def signature(kind, words):
    """What must stay: the kind, and which reader sees nothing or an upright page where the other does not."""
    if kind == "differ: count":
        ours, theirs = re.findall(r"\d+", words)[:2]
        return kind, ours == "0", theirs == "0", int(ours) < int(theirs)
    if kind == "differ: missing":
        return kind, "tree missing" in words
    if "subset" in kind or "pixels" in kind or "refuse" in kind:
        return kind, words.split(":")[0][:40]
    return (kind,)


def case_number(path):
    """The number in the name of a file that was kept; 0 for others."""
    found = re.search(r"-(\d+)(\.reduced)?\.pdf$", path.name)
    return int(found.group(1)) if found else 0


def reduce_file(readers, path):
    """Writes FILE.reduced.pdf; whether the readers differ at all."""
    data = path.read_bytes()
    # Which pages are drawn depends on the case's number.
    number = case_number(path)
    kind, words = readers.judge(data, number)
    if not kind.startswith("differ"):
        print(f"{path}\t{kind}\t{words}", flush=True)
        return False
    wanted = signature(kind, words)
    small = reduced(data, lambda candidate: signature(*readers.judge(candidate, number)) == wanted)
    target = path.with_suffix(".reduced.pdf")
    target.write_bytes(small)
    print(f"{target}\t{kind[8:]}\t{len(data)} -> {len(small)} bytes\t{readers.judge(small, number)[1][:200]}", flush=True)
    return True
