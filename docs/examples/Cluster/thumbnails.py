"""Thumbnails of PDFs with Spark, in directories that all executors share.

spark-submit thumbnails.py documents LIST OUTPUT   documents whose paths are the lines of LIST
spark-submit thumbnails.py pages DOCUMENT OUTPUT   all pages of one document, a task for each 250

OUTPUT gets the pictures, the journals, and in OUTPUT/lines what recto printed. Run again, the program
does what is not done yet. `recto` has to be in PATH on every executor.
"""

import argparse
import collections
import json
import os
import subprocess

from pyspark.sql import SparkSession


def thumbs(options, journal, *arguments, accepted):
    """The lines of one command, which skips what its journal says is done."""
    command = ["recto", "thumbs", "--no-cache", "--resume", "--jobs", str(options.jobs)]
    command += ["--journal", journal, "-o", options.output, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as recto:
        for line in recto.stdout:
            yield line.decode().rstrip("\n")
    if recto.returncode not in accepted:
        raise RuntimeError(f"recto ended with {recto.returncode}: {' '.join(command)}")


def of_documents(context, options):
    """The lines of recto about documents; each task is one command for its part of LIST."""
    parts = range(1, options.tasks + 1)

    def lines(part):
        shard = f"{part}/{options.tasks}"
        journal = f"{options.output}/journal.jsonl"
        # All commands read the whole list: so documents of the same name get different names of pictures.
        # 1: some documents failed, and their lines say so. Anything else is a failure of the task.
        return thumbs(options, journal, "--shard", shard, "--from", options.input, accepted=(0, 1))

    return context.parallelize(parts, options.tasks).flatMap(lines)


def of_pages(context, options):
    """The lines of recto about ranges of pages; each task is one command for one range."""
    info = subprocess.run(
        ["recto", "info", "--json", options.input], check=True, stdout=subprocess.PIPE
    )
    count = json.loads(info.stdout)["document"]["pages"]
    ranges = [
        (first, min(first + options.range - 1, count))
        for first in range(1, count + 1, options.range)
    ]

    def lines(pages):
        first, last = pages
        journal = f"{options.output}/journals/{first:07}-{last:07}.jsonl"
        os.makedirs(os.path.dirname(journal), exist_ok=True)
        # 1, 65, 75: some or all pages failed, and the line says so.
        return thumbs(options, journal, "--pages", f"{first}-{last}", options.input, accepted=(0, 1, 65, 75))

    return context.parallelize(ranges, len(ranges)).flatMap(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["documents", "pages"])
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--tasks", type=int, default=4, help="tasks for documents")
    parser.add_argument("--range", type=int, default=250, help="pages of a task")
    parser.add_argument("--jobs", type=int, default=1, help="workers of a task")
    options = parser.parse_args()
    options.input = os.path.abspath(options.input)
    options.output = os.path.abspath(options.output)
    os.makedirs(options.output, exist_ok=True)
    spark = SparkSession.builder.appName("thumbnails").getOrCreate()
    of = of_documents if options.what == "documents" else of_pages
    lines = of(spark.sparkContext, options).map(lambda line: (line,)).toDF("value string")
    # Evaluated once, and written by the tasks: what one of them has written counts when it is complete.
    # The lines of an earlier run are replaced: this run prints them again.
    lines.write.mode("overwrite").text(f"file://{options.output}/lines")

    def codes(row):
        record = json.loads(row.value)
        errors = [record.get("error")] + [page.get("error") for page in record.get("thumbnails", [])]
        found = {error["code"] for error in errors if error}
        return [("documents", 1), *((code, 1) for code in found)]

    written = spark.read.text(f"file://{options.output}/lines").rdd
    counts = collections.Counter(dict(written.flatMap(codes).reduceByKey(int.__add__).collect()))
    for name, count in sorted(counts.items()):
        print(f"{name} {count}")
    spark.stop()


if __name__ == "__main__":
    main()
