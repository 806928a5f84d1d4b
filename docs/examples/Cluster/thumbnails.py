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
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession

THUMBS = ["recto", "thumbs", "--no-cache", "--resume"]


def of_documents(context, options):
    """The lines of recto about documents; each task is one command that reads paths."""
    paths = context.textFile(f"file://{os.path.abspath(options.input)}").filter(bool)
    names = paths.map(os.path.basename)
    if names.distinct().count() != paths.count():
        sys.exit("documents of the same name: each directory needs an OUTPUT of its own")
    command = shlex.join(
        [*THUMBS, "--jobs", str(options.jobs), "--from", "-", "-o", options.output]
        + ["--journal", f"{options.output}/journal.jsonl"]
    )
    # 1: some documents failed, and their lines say so. Anything else is a failure of the task.
    guarded = shlex.join(["sh", "-c", f"{command}; [ $? -le 1 ]"])
    # Without `env`, pipe() gives commands an empty environment.
    return paths.repartition(options.tasks).pipe(guarded, env={"PATH": os.environ["PATH"]}, checkCode=True)


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
        result = subprocess.run(
            [*THUMBS, "--jobs", str(options.jobs), "--pages", f"{first}-{last}"]
            + ["--journal", journal, "-o", options.output, options.input],
            stdout=subprocess.PIPE,
        )
        # 1, 65, 75: some or all pages failed, and the line says so.
        if result.returncode not in (0, 1, 65, 75):
            raise RuntimeError(f"pages {first}-{last}: recto ended with {result.returncode}")
        return result.stdout.decode().splitlines()

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
    # Evaluated once, and written by the tasks: what one of them has written counts when it is complete.
    of(spark.sparkContext, options).saveAsTextFile(f"file://{options.output}/lines")

    def codes(line):
        record = json.loads(line)
        errors = [record.get("error")] + [page.get("error") for page in record.get("thumbnails", [])]
        found = {error["code"] for error in errors if error}
        return [("documents", 1), *((code, 1) for code in found)]

    lines = spark.sparkContext.textFile(f"file://{options.output}/lines")
    counts = collections.Counter(dict(lines.flatMap(codes).reduceByKey(int.__add__).collect()))
    for name, count in sorted(counts.items()):
        print(f"{name} {count}")
    spark.stop()


if __name__ == "__main__":
    main()
