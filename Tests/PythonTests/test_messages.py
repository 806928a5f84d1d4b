import json
import unittest

from recto import _pictures
from recto._messages import MessageReader, encoded


def read(data, sizes):
    """The messages in ``data``, received in pieces of at most these sizes in turn."""
    reader, messages, at, turn = MessageReader(), [], 0, 0
    while at < len(data):
        with reader.buffer() as place:
            count = min(sizes[turn % len(sizes)], len(place), len(data) - at)
            place[:count] = data[at : at + count]
        messages += reader.received(count)
        at, turn = at + count, turn + 1
    return messages


class MessageTests(unittest.TestCase):
    def test_messages_are_the_same_however_the_bytes_arrive(self):
        lines = [
            ({"event": "hello"}, None),
            ({"reply": "picture", "follows": True, "bytes": 5}, b"a\nb\n{"),
            ({"reply": "picture", "follows": True, "bytes": 0}, b""),
            ({"reply": "text", "text": "x" * 200_000}, None),
            ({"reply": "picture", "follows": True, "bytes": 300_000}, bytes(range(250)) * 1200),
            ({"event": "idle"}, None),
        ]
        data = b"".join(json.dumps(line).encode() + b"\n" + (picture or b"") for line, picture in lines)
        for sizes in ([1 << 20], [1, 2, 3], [65_536], [7, 100_000, 1], [299_999]):
            with self.subTest(sizes=sizes):
                messages = read(data, sizes)
                self.assertEqual(
                    [{**line, **({"picture": picture} if picture is not None else {})} for line, picture in lines],
                    messages,
                )

    def test_a_request_is_one_line_without_what_is_missing(self):
        self.assertEqual(
            encoded({"op": "search", "words": "a\nb", "pages": None}), b'{"op": "search", "words": "a\\nb"}\n'
        )


class PictureTests(unittest.TestCase):
    reply = {"width": 2, "height": 1, "picture": bytearray(b"P6\n2 1\n255\n\x01\x02\x03\xff\x00\x80")}

    def test_raw_pixels_are_an_array_without_a_copy(self):
        array = _pictures.array(self.reply)
        self.assertEqual(array.tolist(), [[[1, 2, 3], [255, 0, 128]]])
        array[0, 0, 0] = 9
        self.assertEqual(self.reply["picture"][-6], 9)
        array[0, 0, 0] = 1

    def test_raw_pixels_are_an_image(self):
        image = _pictures.image(self.reply)
        self.assertEqual((image.mode, image.size, image.getpixel((1, 0))), ("RGB", (2, 1), (255, 0, 128)))
