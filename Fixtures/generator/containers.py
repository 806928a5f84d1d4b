"""Fixtures about how objects are stored: object streams, linearization, updates, encryption."""

import hashlib
import subprocess
import tempfile
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from .boxes import plain
from .facts import Fixture, Page
from .pdf import PDF, document

SIZES = [(300, 420), (420, 300), (300, 420), (240, 240), (300, 420), (300, 600)]
PAGES = [Page(*size) for size in SIZES]


def source(caption):
    sheets = [plain(w, h, i, caption) for i, (w, h) in enumerate(SIZES, 1)]
    return document(sheets, "/Lang (en)", info=f"/Title ({caption.title()})", compress=True)


def qpdf(data, *options):
    """`data` rewritten by qpdf."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before.pdf"), Path(folder, "after.pdf")
        before.write_bytes(data)
        subprocess.run(["qpdf", *options, before, after], check=True)
        return after.read_bytes()


def object_streams():
    data = qpdf(source("OBJECT STREAMS"), "--object-streams=generate", "--deterministic-id")
    shows = "objects in object streams, a cross-reference stream"
    return Fixture("object-streams.pdf", shows, data, PAGES, title="Object Streams", by="qpdf")


def linearized():
    data = qpdf(
        source("LINEARIZED"), "--linearize", "--object-streams=disable", "--deterministic-id"
    )
    return Fixture(
        "linearized.pdf", "linearized: two tables", data, PAGES, title="Linearized", by="qpdf"
    )


def updated():
    """Two updates appended: the first replaces page 2's dictionary, the second its parent."""
    pdf = PDF()
    before = document([plain(300, 420, i, "AS FIRST WRITTEN") for i in (1, 2)], pdf=pdf)
    page, tree = 5, 2
    kids, body = pdf.objects[tree], pdf.objects[page]

    def append(data, reference, body):
        previous = data.rsplit(b"startxref\n", 1)[1].split(b"\n")[0]
        at = len(data)
        data += b"%d 0 obj\n" % reference + body + b"\nendobj\n"
        table = b"xref\n%d 1\n%010d 00000 n \n" % (reference, at)
        trailer = b"trailer\n<< /Size %d /Root 1 0 R /Prev %s >>\n" % (pdf.reserved + 1, previous)
        return data + table + trailer + b"startxref\n%d\n%%%%EOF\n" % (len(data))

    assert body.startswith(b"<< /Type /Page ") and kids.startswith(b"<< /Type /Pages ")
    data = append(before, page, body.replace(b"[0 0 300 420]", b"[0 120 300 420]"))
    data = append(data, tree, kids.replace(b"/Count 2", b"/Count 3").replace(b"]", b" 3 0 R]"))
    pages = [Page(300, 420), Page(300, 300), Page(300, 420)]
    shows = "two incremental updates: page 2 cut down, page 1 counted again as page 3"
    return Fixture("updated.pdf", shows, data, pages)


def cbc(key, vector, data):
    worker = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
    return worker.update(data) + worker.finalize()


def hash_2b(password, salt, extra=b""):
    """Algorithm 2.B of ISO 32000-2: the password hash of revision 6."""
    key = hashlib.sha256(password + salt + extra).digest()
    rounds = 0
    while True:
        block = cbc(key[:16], key[16:32], (password + key + extra) * 64)
        name = ("sha256", "sha384", "sha512")[sum(block[:16]) % 3]
        key = hashlib.new(name, block).digest()
        rounds += 1
        if rounds >= 64 and block[-1] <= rounds - 32:
            return key[:32]


def aes_256(pdf, user, owner):
    """Encrypts every stream of `pdf` and adds the /Encrypt dictionary; returns its number.

    Where the standard asks for random bytes, these come from a hash, so that a rerun gives the
    same file. Of strings there are none: the caller sees to it.
    """

    def some(what, count):
        return hashlib.sha512(b"recto fixture " + what.encode()).digest()[:count]

    key = some("key", 32)

    def password_entries(word, what, extra=b""):
        check, salt = some(what + " check", 8), some(what + " salt", 8)
        wrapped = cbc(hash_2b(word, salt, extra), bytes(16), key)
        return hash_2b(word, check, extra) + check + salt, wrapped

    u, ue = password_entries(user, "user")
    o, oe = password_entries(owner, "owner", u)
    permissions = (
        (-4 & 0xFFFFFFFF).to_bytes(4, "little") + b"\xff\xff\xff\xffTadb" + some("perms", 4)
    )
    perms = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(permissions)
    for reference, body in pdf.objects.items():
        if b"\nstream\n" in body:
            head, data = body.split(b"\nstream\n", 1)
            data = data.removesuffix(b"\nendstream")
            pad = 16 - len(data) % 16
            vector = some(f"vector {reference}", 16)
            secret = vector + cbc(key, vector, data + bytes([pad]) * pad)
            head = head.replace(b"/Length %d" % len(data), b"/Length %d" % len(secret))
            pdf.objects[reference] = head + b"\nstream\n" + secret + b"\nendstream"
    entries = " ".join(
        f"/{name} <{value.hex()}>"
        for name, value in (("U", u), ("UE", ue), ("O", o), ("OE", oe), ("Perms", perms))
    )
    method = "<< /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >>"
    crypt = f"/CF << /StdCF {method} >> /StmF /StdCF /StrF /StdCF"
    return pdf.add(f"<< /Filter /Standard /V 5 /R 6 /Length 256 /P -4 {entries} {crypt} >>")


def encrypted():
    pdf = PDF()
    document(
        [plain(w, h, i, "SECRET") for i, (w, h) in enumerate(SIZES, 1)], pdf=pdf, compress=True
    )
    number = aes_256(pdf, b"secret", b"owner")
    identity = hashlib.md5(b"recto fixture encrypted").hexdigest()
    data = pdf.file(1, f"/Encrypt {number} 0 R /ID [<{identity}> <{identity}>]")
    shows = "AES-256 (revision 6); user password `secret`, owner password `owner`"
    return Fixture("encrypted.pdf", shows, data, PAGES, password="secret", error="password-needed")


def encrypted_open():
    options = [
        "--encrypt",
        "",
        "owner",
        "128",
        "--use-aes=y",
        "--",
        "--static-id",
        "--static-aes-iv",
    ]
    data = qpdf(source("NO PASSWORD"), *options)
    shows = "AES-128 with an empty user password: opens without asking; owner password `owner`"
    return Fixture("encrypted-open.pdf", shows, data, PAGES, title="No Password", by="qpdf")


def make():
    return [object_streams(), linearized(), updated(), encrypted(), encrypted_open()]
