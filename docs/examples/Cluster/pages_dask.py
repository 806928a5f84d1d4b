"""Texts and thumbnails of all pages with Dask: python pages_dask.py LIST OUTPUT TASKS"""

import sys

import dask.dataframe
import pandas
import pyarrow
import recto


def pages(paths):
    table = pyarrow.Table.from_batches(recto.batches(paths, size=256, jobs=1), recto.batch_schema())
    return table.to_pandas(types_mapper=pandas.ArrowDtype)


with open(sys.argv[1]) as file:
    paths = file.read().splitlines()
parts = [paths[part :: int(sys.argv[3])] for part in range(int(sys.argv[3]))]
frame = dask.dataframe.from_map(pages, parts, meta=pages([]))
frame.to_parquet(sys.argv[2], write_index=False)
