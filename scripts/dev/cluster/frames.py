"""Runs an example for DataFrames in docs/examples/Cluster on this machine, kills a process, and checks the rows."""

import argparse
import contextlib
import os
import pathlib
import runpy
import shutil
import signal
import subprocess
import sys
import threading
import time

import batch
import pyarrow.parquet
import recto

ROOT = pathlib.Path(__file__).resolve().parents[3]
SLOTS = 2  # tasks that run at the same time
BAD = {"not-a-pdf.pdf": "not-pdf", "zero-pages.pdf": "damaged"}


@contextlib.contextmanager
def spark(folder):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(f"local-cluster[{SLOTS},1,1024]").config("spark.ui.enabled", "false")
    for name in ("spark.local.dir", "spark.sql.warehouse.dir"):
        builder = builder.config(name, str(folder / "spark"))
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("FATAL")
    yield "CoarseGrainedExecutorBackend"
    session.stop()


@contextlib.contextmanager
def ray(folder):
    import ray

    os.environ.update(RAY_DATA_DISABLE_PROGRESS_BARS="1", RAY_AUTH_MODE="disabled")
    ray.init(num_cpus=SLOTS, include_dashboard=False, log_to_driver=False, object_store_memory=200 << 20)
    yield "ray::"
    ray.shutdown()


@contextlib.contextmanager
def dask(folder):
    from distributed import Client

    with Client(
        n_workers=SLOTS, threads_per_worker=1, local_directory=str(folder / "dask"), dashboard_address=None
    ):
        yield "multiprocessing"


def victim(words):
    """A process of the engine with a recto below it, in which a task is running; None if there is none."""
    known = batch.parents()
    for pid in batch.descendants(os.getpid()):
        while batch.name(pid) == "recto" and (pid := known.get(pid)):
            while pid and pid != os.getpid():
                with contextlib.suppress(OSError):
                    if words.encode() in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                        return pid
                pid = known.get(pid)
    return None


def run(example, listed, output, tasks, words=None):
    """Runs an example, and kills a process as soon as the first rows are written, if ``words`` of its command line are
    given. Returns the seconds."""
    failures = []

    def work():
        try:
            runpy.run_path(str(example), run_name="__main__")
        except BaseException as error:
            failures.append(error)

    sys.argv = [str(example), str(listed), str(output), str(tasks)]
    started = time.monotonic()
    thread = threading.Thread(target=work)
    thread.start()
    while words and thread.is_alive():
        if any(output.rglob("*.parquet")) and (pid := victim(words)):
            os.kill(pid, signal.SIGKILL)
            print(f"  killed {pid}")
            words = None
        time.sleep(0.002)
    thread.join()
    if failures:
        raise failures[0]
    if words:
        sys.exit("FAILED nothing was there to be killed")
    return time.monotonic() - started


def alone(program, paths, folder):
    """The seconds of as many processes as an engine has slots, without it."""
    command = [program, "pages", "--from", "-", "--lines", "pages", "--pictures", "inline", "--with-text"]
    command += ["--size", "256", "--jobs", "1", "--no-cache", "--quiet"]
    started = time.monotonic()
    running = []
    for slot in range(SLOTS):
        part = folder / f"part{slot}"
        part.write_text("".join(f"{path}\n" for path in paths[slot::SLOTS]))
        with part.open() as given, open(folder / f"lines{slot}", "wb") as lines:
            running.append(subprocess.Popen(command, stdin=given, stdout=lines, stderr=subprocess.DEVNULL))
    if any(process.wait() > 1 for process in running):
        sys.exit("FAILED recto")
    return time.monotonic() - started


def rows(output):
    table = pyarrow.parquet.read_table(output)
    return sorted(map(tuple, (row.values() for row in table.select(recto.batch_schema().names).to_pylist())), key=str)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=["spark", "ray", "dask"])
    parser.add_argument("recto", type=pathlib.Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--runs", type=int, default=3, help="runs that are timed; 0 for none")
    options = parser.parse_args()
    program = options.recto.resolve()
    os.environ["RECTO"] = str(program)
    os.environ["PYTHONPATH"] = str(ROOT / "Sources/python")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    example = ROOT / f"docs/examples/Cluster/pages_{options.engine}.py"
    with batch.checking("frames") as (folder, wrong):
        batch.write_library(folder / "library", options.count)
        for name in BAD:
            shutil.copy(ROOT / "Fixtures" / name, folder / "library")
        paths = sorted(map(str, (folder / "library").rglob("*.pdf")))
        listed = folder / "paths.txt"
        listed.write_text("".join(f"{path}\n" for path in paths))
        expected = [row for found in recto.batches(paths) for row in zip(*(c.to_pylist() for c in found.columns))]
        expected.sort(key=str)
        with {"spark": spark, "ray": ray, "dask": dask}[options.engine](folder) as words:
            # Many tasks, so that some are done when the process is killed.
            seconds = run(example, listed, folder / "killed", 8 * SLOTS, words)
            print(f"  {len(paths)} documents with a killed process: {seconds:.1f} s")
            made = rows(folder / "killed")
            if made != expected:
                wrong.append(f"{len(made)} rows, {len(expected)} expected, {len(set(made))} different ones")
            errors = {os.path.basename(row[0]): row[-2] for row in made if row[-2]}
            wrong += [f"errors are {errors}"] if errors != BAD else []
            pairs = []
            for number in range(options.runs):
                without = alone(program, paths, folder)
                pairs.append((without, run(example, listed, folder / f"timed{number}", 2 * SLOTS)))
            for without, seconds in pairs:
                print(f"  alone {len(paths) / without:.0f} documents/s, with the engine {len(paths) / seconds:.0f}")
            if pairs and max(without / seconds for without, seconds in pairs) < 0.8:
                wrong.append("the engine takes more than 20 % of the rate")


if __name__ == "__main__":
    main()
