"""Texts and thumbnails of all pages with Ray Data: python pages_ray.py LIST OUTPUT TASKS"""

import sys

import pyarrow
import ray.data
import recto


def pages(batch):
    for rows in recto.batches(batch["text"].to_pylist(), size=256, jobs=1):
        yield pyarrow.Table.from_batches([rows])


paths = ray.data.read_text(sys.argv[1]).repartition(int(sys.argv[3]))
paths.map_batches(pages, batch_size=None, batch_format="pyarrow").write_parquet(sys.argv[2])
