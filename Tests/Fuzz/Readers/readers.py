"""The programs that answer, and what the difference between two answers is called."""

import os
import re
import resource
import select
import struct
import subprocess

#: Pages up to which all of a document are compared, and how many at its ends otherwise.
LIMIT, FIRST, LAST = 300, 20, 5


def bounds():
    # Poppler's parsers recurse as deep as a file nests; the worker has this stack too.
    resource.setrlimit(resource.RLIMIT_STACK, (512 << 20, 512 << 20))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Reader:
    """A process that answers one line for each file; started again when it is gone or too slow."""

    def __init__(self, command, seconds):
        self.command, self.seconds = command, seconds
        self.process = None
        self.rest = b""

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=bounds, bufsize=0)
        self.rest = b""

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None

    def send(self, data, number):
        if self.process is None or self.process.poll() is not None:
            self.stop()
            self.start()
        frame = memoryview(struct.pack("<II", len(data), number & 0x7FFFFFFF) + data)
        try:
            while frame:
                frame = frame[os.write(self.process.stdin.fileno(), frame) :]
        except BrokenPipeError:
            pass

    def answer(self):
        """The line; `dead …` or `slow` when there is none."""
        output = self.process.stdout.fileno()
        while b"\n" not in self.rest:
            if not select.select([output], [], [], self.seconds)[0]:
                self.stop()
                return "slow"
            part = os.read(output, 1 << 16)
            if not part:
                code = self.process.wait()
                self.stop()
                return f"dead {code}"
            self.rest += part
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode("utf-8", "replace")

    def ask(self, data, number=0):
        self.send(data, number)
        return self.answer()


class Readers:
    """Both readers, and the one that draws."""

    def __init__(self, programs, pixels, facts):
        numbers = [str(LIMIT), str(FIRST), str(LAST)]
        self.tree = Reader([programs / "ReaderFuzz", "tree", *numbers], 10)
        self.poppler = Reader([programs / "oracle", *numbers], 3)
        self.drawing = Reader([programs / "ReaderFuzz", "pixels"], 5) if pixels else None
        self.facts = facts

    def stop(self):
        for reader in (self.tree, self.poppler, self.drawing):
            if reader:
                reader.stop()

    def judge(self, data, number=0):
        """(kind, words): what the readers make of a file. Kinds that begin with `differ` matter."""
        self.tree.send(data, number)
        self.poppler.send(data, number)
        poppler, tree = self.poppler.answer(), self.tree.answer()
        kind, words = self.compare(tree, poppler)
        if kind == "agree" and self.drawing:
            return self.draw(data, number)
        return kind, words

    def compare(self, tree, poppler):
        if tree.startswith(("dead", "slow")):
            return f"differ: tree reader {tree.split()[0]}", tree
        if poppler.startswith(("dead", "slow")):
            refused = tree.startswith("no ")
            return ("refused, " if refused else "answered, ") + f"poppler {poppler.split()[0]}", f"{poppler} | {tree[:200]}"
        if tree.startswith("no "):
            reason = tree[3:].split(":")[0]
            if poppler.startswith("no "):
                return f"refused by both: {reason}", tree
            return f"refused: {reason}", tree
        if poppler.startswith("no "):
            return "differ: poppler refuses", f"{poppler} | tree {tree[:200]}"
        if tree == poppler:
            return "agree", ""
        ours, theirs = tree.split(), poppler.split()
        if ours[1] != theirs[1]:
            return "differ: count", f"tree {ours[1]}, poppler {theirs[1]}"
        found = {}
        for one, other in zip(ours[4:], theirs[4:]):
            if one.split(":")[1] == "repaired" and other.split(":")[1] != "missing":
                other = ":".join([other.split(":")[0], "repaired", other.split(":")[2]])
            if one != other:
                kind, words = difference(one, other)
                found.setdefault(kind, words)
        for kind in ("missing", "size", "rotation", "label"):
            if kind in found:
                return f"differ: {kind}", found[kind]
        for place, kind in ((2, "title"), (3, "layout")):
            if ours[place] != theirs[place] and self.facts:
                return f"differ: {kind}", f"tree {text(ours[place])}, poppler {text(theirs[place])}"
        return "agree", ""

    def draw(self, data, number):
        words = self.drawing.ask(data, number)
        if words.startswith("same"):
            return "agree, drawn", words
        if words.startswith("differ"):
            kind, words = words.split(" ", 2)[1:]
            return f"differ: {kind}", words
        if words.startswith("trusted"):
            return "agree, but for a count taken on trust", words
        if words.startswith("skip"):
            return "agree, not drawn: " + words[5:].split(":")[0] + "".join(re.findall(r"tree: ([a-z-]+)", words)), words
        return f"agree, drawing {words.split()[0]}", words


def text(word):
    if not re.fullmatch("([0-9a-f]{2})+", word):
        return word
    letters = bytes.fromhex(word).decode("utf-8", "replace")
    return repr(letters if len(letters) <= 40 else letters[:20] + f"… {len(letters)} letters … " + letters[-8:])


def difference(one, other):
    """Kind and words of the difference between two answers for one page."""
    index = int(one.split(":")[0])
    if "missing" in (one.split(":")[1], other.split(":")[1]):
        return "missing", f"page {index + 1}: tree {brief(one)}, poppler {brief(other)}"
    (box, label), (box2, label2) = one.split(":")[1:], other.split(":")[1:]
    kind = "size"
    if box == box2:
        kind = "label"
    elif box.split(",")[:4] == box2.split(",")[:4] and box.split(",")[6] != box2.split(",")[6]:
        kind = "rotation"
    words = f"tree {text(label)}, poppler {text(label2)}" if kind == "label" else f"tree {brief(one)}, poppler {brief(other)}"
    return kind, f"page {index + 1}: {words}"


def brief(answer):
    parts = answer.split(":")
    if len(parts) < 3:
        return parts[1]
    *numbers, rotation = parts[1].split(",")
    values = [struct.unpack(">d", int(number, 16).to_bytes(8, "big"))[0] for number in numbers[:4]]
    return "[" + " ".join(f"{value:.17g}" for value in values) + f"] {rotation}°"
