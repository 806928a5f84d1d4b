"""Texts and thumbnails of all pages with Dask: python pages_dask.py LIST OUTPUT TASKS"""

import sys

import dask.dataframe
import pandas
import pyarrow
import recto


def pages(paths):
    table = pyarrow.Table.from_batches(recto.batches(paths, size=256, jobs=1), recto.batch_schema())
    return table.to_pandas(types_mapper=pandas.ArrowDtype)


def main(listed, output, tasks):
    with open(listed) as file:
        paths = file.read().splitlines()
    parts = [paths[part::tasks] for part in range(tasks)]
    dask.dataframe.from_map(pages, parts, meta=pages([])).to_parquet(output, write_index=False)


# A worker that Dask starts on the same machine reads this file again.
if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
