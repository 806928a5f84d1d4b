"""Runs docs/examples/Cluster in a Slurm cluster of one machine: kills a task, lets the time of another one end,
cancels a run, and checks what is made."""

import argparse
import os
import pathlib
import signal
import socket
import subprocess
import time

import batch

ROOT = pathlib.Path(__file__).resolve().parents[3]
TASKS = 8
KILLED = 3
# Its time ends before its work.
LATE = 6
CONFIGURATION = """\
ClusterName=recto
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=3
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={port}
SlurmdPort={node_port}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Cluster:
    """A controller and a node, with all their files in one folder. No system service is used."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        self.environment = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"))

    def __enter__(self):
        folder = self.folder
        for name in ("state", "spool"):
            (folder / name).mkdir()
        key = folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(1024))
        ports = [free_port(), free_port()]
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=folder, host=socket.gethostname().split(".")[0], processors=os.cpu_count(),
            port=ports[0], node_port=ports[1]))
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.socket",
                   f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log",
                   f"--seed-file={folder}/munged.seed")
        batch.until(lambda: (folder / "munge.socket").exists(), "munged")
        self.start("slurmctld", "-D", "-i")
        self.start("slurmd", "-D")
        batch.until(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False), "the node", 60)
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()

    def start(self, *command):
        log = open(self.folder / f"{command[0]}.out", "wb")
        self.daemons.append(subprocess.Popen(command, env=self.environment, stdout=log, stderr=log))

    def run(self, *command, check=True, cwd=None, **variables):
        """The output of a command."""
        return subprocess.run(
            [str(word) for word in command], env=self.environment | variables, cwd=cwd,
            check=check, stdout=subprocess.PIPE, text=True,
        ).stdout

    def states(self, job):
        """The states of the tasks of a job that Slurm still knows."""
        return self.run("squeue", "-h", "-a", "-r", "-t", "all", "-j", job, "-o", "%K %T", check=False)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def processes(job, task):
    """The processes of a task, and the name of each."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        process = pathlib.Path("/proc") / name
        try:
            variables = (process / "environ").read_bytes().split(b"\0")
            if {b"SLURM_ARRAY_JOB_ID=%d" % job, b"SLURM_ARRAY_TASK_ID=%d" % task} <= set(variables):
                found[int(name)] = (process / "comm").read_text().strip()
        except OSError:
            pass
    return found


def kill(pids, number):
    """Sends a signal to processes that may have ended."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def has_pending(pid, number):
    """Whether a stopped process has a signal that it has not handled."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    masks = [int(line.split()[1], 16) for line in text.splitlines() if line.startswith(("SigPnd", "ShdPnd"))]
    return any(mask >> (number - 1) & 1 for mask in masks)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recto", type=pathlib.Path)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    options = parser.parse_args()
    with batch.checking("slurm") as (folder, wrong):
        folder.chmod(0o755)
        wrong += check(options.recto.resolve(), options.count, folder)


def check(recto, count, folder):
    library = folder / "library"
    batch.write_library(library, count)
    expected = batch.undisturbed(recto, library, folder / "expected")
    with Cluster(folder) as cluster:
        def submit(output, where):
            printed = cluster.run(
                ROOT / "docs/examples/Cluster/submit", library, output, "--cpus-per-task=1", "--mem=0",
                cwd=where, PATH=f"{recto.parent}:{os.environ['PATH']}")
            return [int(word) for word in printed.split()]

        return disturbed(cluster, submit, library, folder, count, expected) + cancelled(cluster, submit, folder, count)


def part(output, task):
    """The journal of a task."""
    return output / f"journals/{task}-of-{TASKS}.jsonl"


def disturbed(cluster, submit, library, folder, count, expected):
    """What is wrong with a run of which a task is killed, and the time of another one ends."""
    output, least = folder / "thumbnails", count // TASKS // 4
    started = time.monotonic()
    job, _ = submit(output, folder)
    batch.until(lambda: batch.line_count(part(output, KILLED)) >= least, "the task to be killed", 300)
    # As the end of a machine does.
    kill(processes(job, KILLED), signal.SIGKILL)
    before = batch.entries([part(output, KILLED)])
    print(f"job {job}: task {KILLED} killed after {len(before)} documents")
    batch.until(lambda: batch.line_count(part(output, LATE)) > 0, "the task that will be late", 300)
    # Looking for it takes as long as some documents.
    late = [pid for pid, name in processes(job, LATE).items() if name == "recto"]
    batch.until(lambda: batch.line_count(part(output, LATE)) >= least, "a part of its work", 300)
    # Stopped, its work takes longer than its time; Slurm itself sends the signal.
    kill(late, signal.SIGSTOP)
    cluster.run("scontrol", "update", f"JobId={job}_{LATE}", "TimeLimit=1")
    batch.until(lambda: any(has_pending(pid, signal.SIGTERM) for pid in late), "the end of its time", 120)
    stopped = len(batch.entries([part(output, LATE)]))
    kill(late, signal.SIGCONT)
    batch.until(lambda: f"{LATE} RUNNING" not in cluster.states(job), "the late task to be requeued", 60)
    print("states:", ", ".join(sorted(cluster.states(job).split("\n")[:-1])))
    cluster.run("scontrol", "update", f"JobId={job}_{LATE}", "TimeLimit=60")
    batch.until(lambda: f"{KILLED} RUNNING" not in cluster.states(job), "the end of the task", 60)
    cluster.run("scontrol", "requeue", f"{job}_{KILLED}")
    for task in (LATE, KILLED):  # Slurm waits for two minutes before a requeued task starts
        batch.until(lambda: f"{task} COMPLETING" not in cluster.states(job), "the requeued task", 60)
        # In the second in which it ended, slurmd takes the job for one that was killed, and does not start it.
        cluster.run("scontrol", "update", f"JobId={job}_{task}", "StartTime=now+2")
    batch.until(lambda: is_over(cluster.states(job)), "the job", 600)
    batch.until(lambda: not cluster.run("squeue", "-h"), "the report", 60)
    seconds = time.monotonic() - started
    print("states:", ", ".join(sorted(cluster.states(job).split("\n")[:-1])))
    journals = sorted((output / "journals").glob("*.jsonl"))
    wrong = batch.faults(library, journals, output, expected)
    if len(journals) != TASKS:
        wrong.append(f"{len(journals)} journals")
    unchanged = {line["path"] for line in batch.lines(folder / f"thumbnails-{KILLED}.jsonl") if line.get("unchanged")}
    if unchanged != {line["path"] for line in before}:
        wrong.append(f"{len(unchanged)} documents were left out, {len(before)} were done")
    total = len(batch.entries([part(output, LATE)]))
    if stopped == total:
        wrong.append(f"task {LATE} was not stopped in the middle")
    print(f"task {LATE}: {stopped} lines at the end of its time, {total} at the end")
    print(f"{count} documents in {TASKS} tasks, {seconds:.1f} s; left out by the second run of task {KILLED}: {len(unchanged)}")
    print((folder / "thumbnails-report.txt").read_text())
    return wrong


def cancelled(cluster, submit, folder, count):
    """What is wrong with a run that is cancelled in the middle, with its report."""
    output, where = folder / "cancelled", folder / "cancelled-run"
    where.mkdir()

    def lines():
        return len(batch.entries((output / "journals").glob("*.jsonl")))

    jobs = submit(output, where)
    batch.until(lambda: lines() >= count // 4, "a quarter of the run to be cancelled", 300)
    cluster.run("scancel", *jobs)
    # A task that puts itself back in the queue starts again within seconds.
    batch.until(lambda: not cluster.run("squeue", "-h"), "an empty queue", 60)
    at_once = lines()
    time.sleep(15)
    print(f"jobs {jobs} cancelled: {at_once} lines when the queue was empty, {lines()} after 15 s")
    wrong = []
    if cluster.run("squeue", "-h") or lines() != at_once:
        wrong.append("a cancelled run goes on")
    if at_once >= count:
        wrong.append("the run was not cancelled in the middle")
    if (where / "thumbnails-report.txt").exists():
        wrong.append("the report of a cancelled run was made")
    return wrong


def is_over(states):
    """Whether no task runs or waits any more."""
    return not any(word in states for word in ("RUNNING", "PENDING", "COMPLETING", "CONFIGURING", "REQUEUED"))


if __name__ == "__main__":
    main()
