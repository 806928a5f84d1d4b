"""The exceptions of pdf2image."""


class PopplerNotInstalledError(Exception):
    """The program is not installed."""


class PDFInfoNotInstalledError(PopplerNotInstalledError):
    """The program ``recto`` is not installed."""


class PDFPageCountError(Exception):
    """The document cannot be opened: it is not a PDF, or the password is wrong."""


class PDFSyntaxError(Exception):
    """With ``strict``: the document has errors."""


class PDFPopplerTimeoutError(Exception):
    """The time is over."""
