"""Pages of documents in DataFrames of Spark: needs PySpark 3.5 or later and pyarrow, here and on the executors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._batches import COLUMNS, batches

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

_SQL = {"string": "string", "int32": "int", "binary": "binary"}

#: The schema of what ``pages`` makes.
SCHEMA = ", ".join(f"{name} {_SQL[kind]}" for name, kind in COLUMNS.items())


def pages(df: DataFrame, *, path: str = "path", content: str | None = None, **options: Any) -> DataFrame:
    """A row for each page of the documents of a DataFrame, in the columns of ``recto.batch_schema``.

    The column ``path`` has paths, which each executor can read, or names if ``content`` names a column with the documents
    themselves; a column ``content`` is used if there is one, as in DataFrames of the format ``binaryFile``. Other columns
    are left out.

    ``options`` are those of ``recto.batches``. A task is one process of ``recto`` with as many jobs as a task has
    processors (``spark.task.cpus``), if ``jobs`` does not say otherwise.
    """
    if content is None and dict(df.dtypes).get("content") == "binary":
        content = "content"
    columns = [path] if content is None else [path, content]

    def make(found: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        from pyspark import TaskContext

        task = TaskContext.get()
        processors = task.cpus() if task else 1
        rows = (row for batch in found for row in zip(*batch.columns))
        if content is None:
            documents: Iterator[Any] = (name.as_py() for (name,) in rows)
        else:  # contents are not copied
            documents = ((name.as_py(), data.as_buffer()) for name, data in rows)
        return batches(documents, **{"jobs": processors, **options})

    return df.select(*columns).mapInArrow(make, SCHEMA)
