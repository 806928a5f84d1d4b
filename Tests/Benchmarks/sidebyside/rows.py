"""All rows, in the order in which they are measured."""

from . import growth, many_documents, remote, starting, texts, workloads
from .machine import filesystem


def rows(documents, recto, peers, data, server, disk=None):
    """`data` is where inputs are kept; `disk`: recto with a cache on the disk, if there is a disk."""
    task = (documents, recto, peers)
    yield from starting.starts(documents, recto, data)
    yield from workloads.windows(*task)
    yield from workloads.geometry(*task)
    yield from workloads.ranges(*task)
    yield from workloads.jpegs(*task)
    yield from workloads.thumbnails(*task)
    yield from many_documents.many_documents(*task)
    yield from workloads.zooms(*task)
    yield from texts.texts(*task)
    yield from texts.searches(*task)
    yield from growth.growth(*task)
    yield from remote.remote(*task, server)
    # Last, because files on a disk disturb what comes after them.
    if disk:
        yield from workloads.on_disk(documents, disk, peers, filesystem(disk.work))
