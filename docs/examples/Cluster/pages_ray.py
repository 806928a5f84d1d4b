"""Texts and thumbnails of all pages with Ray Data: python pages_ray.py LIST OUTPUT TASKS"""

import sys

import pyarrow
import ray.data
import recto


def pages(batch):
    for rows in recto.batches(batch["path"].to_pylist(), size=256, jobs=1):
        yield pyarrow.Table.from_batches([rows])


with open(sys.argv[1]) as file:
    paths = [{"path": path} for path in file.read().splitlines()]
documents = ray.data.from_items(paths, override_num_blocks=int(sys.argv[3]))
documents.map_batches(pages, batch_size=None, batch_format="pyarrow").write_parquet(sys.argv[2])
