"""Pages as images and as files."""

from __future__ import annotations

import concurrent.futures
import io
import itertools
import os
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import Future
from typing import IO, Any, NamedTuple, Union

import PIL.Image

from .. import _calls, _pictures
from .._documents import submit
from .._errors import UsageError
from .._handle import Handle, Shown, Source, ahead, wait
from .._messages import Message
from ..engine import default_engine
from ._info import opened
from .exceptions import PDFPopplerTimeoutError, PDFSyntaxError

_Path = Union[str, "os.PathLike[str]"]
_Size = Union[int, float, tuple[Any, ...], None]

_EXTENSIONS = {"ppm": "ppm", "png": "png", "jpeg": "jpg", "tiff": "tif"}


def convert_from_path(
    pdf_path: _Path | bytes,
    dpi: float = 200,
    output_folder: _Path | None = None,
    first_page: int | None = None,
    last_page: int | None = None,
    fmt: str = "ppm",
    jpegopt: dict[str, Any] | None = None,
    thread_count: int = 1,
    userpw: str | None = None,
    ownerpw: str | None = None,
    use_cropbox: bool = False,
    strict: bool = False,
    transparent: bool = False,
    single_file: bool = False,
    output_file: Any = None,
    poppler_path: _Path | None = None,
    grayscale: bool = False,
    size: _Size = None,
    paths_only: bool = False,
    use_pdftocairo: bool = False,
    timeout: float | None = None,
    hide_annotations: bool = False,
) -> list[PIL.Image.Image]:
    """The pages of a PDF as Pillow images, or, with ``output_folder`` and ``paths_only``, the paths of their files.

    The parameters are those of pdf2image. Pages are drawn by all processors whatever ``thread_count`` is.
    ``poppler_path`` has no effect. An encrypted document is drawn as with ``use_cropbox``, and refused with
    ``hide_annotations``.

    :raises PDFPageCountError: the document cannot be opened.
    :raises PDFPopplerTimeoutError: ``timeout`` seconds are over.
    :raises PDFSyntaxError: with ``strict``, the document has errors.
    :raises recto.PageError: a page cannot be drawn.
    """
    style = _Style(fmt, jpegopt, dpi, grayscale, transparent, use_pdftocairo)
    source = Source(pdf_path)
    shown = Shown("crop" if use_cropbox else "media", "off" if hide_annotations else "on")

    def open(password: str | None) -> Handle:
        try:
            return Handle(default_engine(), source, password, shown)
        except UsageError:
            if hide_annotations:
                raise
            return Handle(default_engine(), source, password)

    handle = opened(open, userpw, ownerpw)
    try:
        first, last = max(first_page or 1, 1), handle.pages if last_page is None else min(last_page, handle.pages)
        pages = range(first - 1, min(first, last) if single_file else last)
        if not pages:
            return []
        drawn = _Pages(handle, pages, dpi, size, timeout)
        if strict:
            drawn.check()
        pictures = drawn.transparent_pictures() if style.transparent else drawn.pictures()
        images = (style.image(picture) for picture in pictures)
        if output_folder is None:
            return [style.read_back(image) for image in images]
        paths = []
        for name, image in zip(_names(output_file, single_file, len(str(handle.pages)), pages, thread_count), images):
            paths.append(os.path.join(os.fspath(output_folder), f"{name}.{style.extension}"))
            style.save(image, paths[-1])
        return paths if paths_only else [PIL.Image.open(path) for path in paths]  # type: ignore[return-value]
    except (concurrent.futures.TimeoutError, subprocess.TimeoutExpired):
        raise PDFPopplerTimeoutError("Run poppler timeout.") from None
    finally:
        handle.close()


def convert_from_bytes(
    pdf_file: bytes,
    dpi: float = 200,
    output_folder: _Path | None = None,
    first_page: int | None = None,
    last_page: int | None = None,
    fmt: str = "ppm",
    jpegopt: dict[str, Any] | None = None,
    thread_count: int = 1,
    userpw: str | None = None,
    ownerpw: str | None = None,
    use_cropbox: bool = False,
    strict: bool = False,
    transparent: bool = False,
    single_file: bool = False,
    output_file: Any = None,
    poppler_path: _Path | None = None,
    grayscale: bool = False,
    size: _Size = None,
    paths_only: bool = False,
    use_pdftocairo: bool = False,
    timeout: float | None = None,
    hide_annotations: bool = False,
) -> list[PIL.Image.Image]:
    """As :func:`convert_from_path`, for the bytes of a PDF."""
    parameters = dict(locals())
    return convert_from_path(parameters.pop("pdf_file"), **parameters)


class _Style:
    """What images are made of pages, and how they are written."""

    def __init__(
        self,
        fmt: str,
        jpegopt: dict[str, Any] | None,
        dpi: float,
        gray: bool,
        transparent: bool,
        use_pdftocairo: bool,
    ) -> None:
        kind = fmt.lower().lstrip(".")
        kind = {"jpg": "jpeg", "tif": "tiff"}.get(kind, kind)
        if kind not in _EXTENSIONS or (kind == "ppm" and use_pdftocairo):
            kind = "png" if use_pdftocairo else "ppm"
        self.kind = kind
        self.transparent = transparent and kind in ("png", "tiff")
        self.extension = "pgm" if kind == "ppm" and gray else _EXTENSIONS[kind]
        self._gray = gray
        # pdftoppm writes gray PNG and JPEG in colors.
        self._keeps_gray = kind in ("ppm", "tiff") or use_pdftocairo
        self._options = {"png": {"compress_level": 1}, "jpeg": _jpeg_options(jpegopt or {})}.get(kind, {})
        if kind != "ppm":
            self._options["dpi"] = (dpi, dpi)

    def image(self, picture: PIL.Image.Image) -> PIL.Image.Image:
        """The image of a page."""
        if self._gray:
            mode = picture.mode
            picture = picture.convert("L")
            picture = picture if self._keeps_gray else picture.convert(mode)
        picture.format = self.kind.upper()
        return picture

    def read_back(self, image: PIL.Image.Image) -> PIL.Image.Image:
        """The image as if it was written and read: JPEG is not what it was before."""
        if self.kind != "jpeg":
            return image
        file = io.BytesIO()
        self.save(image, file)
        return PIL.Image.open(file)

    def save(self, image: PIL.Image.Image, file: str | IO[bytes]) -> None:
        """Writes the file of an image."""
        image.save(file, self.kind.upper(), **self._options)


def _jpeg_options(jpegopt: dict[str, Any]) -> dict[str, Any]:
    unknown = jpegopt.keys() - {"quality", "progressive", "optimize"}
    if unknown:
        raise ValueError(f"jpegopt: {unknown.pop()} is not an option")
    return {name: int(value) if name == "quality" else value in (True, "y") for name, value in jpegopt.items()}


class _Pages:
    """The pages that are converted, and the time until when."""

    def __init__(self, handle: Handle, pages: range, dpi: float, size: _Size, timeout: float | None) -> None:
        self._handle, self._pages, self._dpi, self._size = handle, pages, dpi, size
        self._end = None if timeout is None else time.monotonic() + timeout

    def pictures(self) -> Iterator[PIL.Image.Image]:
        """Pictures of the pages, drawn ahead."""
        scales = [self._scale(index) for index in self._pages]

        def draw(position: int) -> Future[Message]:
            scale, page = scales[position], self._pages[position]
            return submit(self._handle, _calls.picture(self._handle, page, _pictures.image, scale.dpi, scale.longer))

        replies = ahead(draw, range(len(scales)), self._handle.engine.ahead)
        for scale, reply in zip(scales, replies):
            yield scale.fitted(_pictures.image(wait(reply, self._left())))

    def transparent_pictures(self) -> Iterator[PIL.Image.Image]:
        """Pictures of the pages without paper."""
        for index in self._pages:
            scale = self._scale(index)
            option = ["--dpi", str(scale.dpi)] if scale.dpi else ["--size", f"{scale.longer}x{scale.longer}"]
            with tempfile.TemporaryDirectory() as folder:
                pages = self._command(str(index + 1), "--transparent", *option, "-o", os.path.join(folder, "page.png"))
                with PIL.Image.open(pages[0]["file"]) as picture:
                    yield scale.fitted(picture.convert("RGBA"))

    def check(self) -> None:
        """Raises the first warning of poppler about the pages, for which they are drawn once more, but small."""
        with tempfile.TemporaryDirectory() as folder:
            pages = self._command(f"{self._pages[0] + 1}-{self._pages[-1] + 1}", "--dpi", "9", "-o", folder + "/")
        for page in pages:
            if "warnings" in page:
                raise PDFSyntaxError(f"page {page['page']}: {page['warnings']['first']}")

    def _command(self, pages: str, *options: str) -> list[Any]:
        return self._handle.run("pages", *options, pages=pages, timeout=self._left())

    def _left(self) -> float | None:
        return None if self._end is None else max(self._end - time.monotonic(), 0)

    def _scale(self, index: int) -> _Scale:
        size = (self._size,) if isinstance(self._size, (int, float)) else self._size
        if size is None or size == (None, None):
            return _Scale(self._dpi, None, None)
        if not isinstance(size, tuple) or len(size) not in (1, 2):
            raise ValueError(f"Size {size} is not a tuple or an integer")
        if len(size) == 1:
            return _Scale(None, int(size[0]), None)
        # As in pdftoppm, width and height are those of the page before it is turned.
        facts = self._handle.facts(index)
        turned = facts.rotation % 180 != 0
        wanted, page = (size[::-1], facts.size) if turned else (size, facts.size)
        ratios = [pixels / points for pixels, points in zip(wanted, page) if pixels is not None]
        # A little less, so that rounding does not make it a pixel more.
        dpi = 72 * max(ratios) * (1 - 1e-9)
        return _Scale(dpi, None, None if None in wanted else (int(wanted[0]), int(wanted[1])))


class _Scale(NamedTuple):
    """How large a page is drawn: at a resolution, or by the pixels of its longer side; and what it is stretched to."""

    dpi: float | None
    longer: int | None
    stretched: tuple[int, int] | None

    def fitted(self, picture: PIL.Image.Image) -> PIL.Image.Image:
        return picture if self.stretched in (None, picture.size) else picture.resize(self.stretched)


def _names(output_file: Any, single_file: bool, digits: int, pages: range, thread_count: int) -> Iterator[str]:
    """The names of files as pdf2image chooses them: a prefix for each thread that it would have."""
    if output_file is None:
        prefixes: Iterator[str] = (str(uuid.uuid4()) for _ in itertools.count())
    elif hasattr(output_file, "__next__"):
        prefixes = output_file
    else:
        prefixes = iter([output_file]) if single_file else (f"{output_file}{n:04}" for n in itertools.count(1))
    threads = min(1 if single_file else max(thread_count, 1), len(pages))
    for thread in range(threads):
        prefix = next(prefixes)
        begin = sum(len(pages[other::threads]) for other in range(thread))
        for page in pages[begin : begin + len(pages[thread::threads])]:
            yield str(prefix) if single_file else f"{prefix}-{page + 1:0{digits}}"
