"""Checks the files for Kubernetes and AWS Batch against the schemas of both, and how their containers end."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import botocore.loaders
import botocore.model
import botocore.validate
import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "docs/examples/Cluster"
DEPLOYMENT = ROOT / "docs/examples/Deploy/deployment.yaml"
# The first version with all members of the Job.
OLDEST = (1, 29)
# Stands for recto: says that it runs, and how it was ended. It takes longer than the test waits.
RECTO = """#!/bin/sh
trap 'echo stopped >>"$SAID"; exit 143' TERM
echo started >>"$SAID"
sleep 60 &
wait
"""


def kubernetes(path):
    """What the schemas of Kubernetes say against a file."""
    resource = yaml.safe_load(path.read_text())
    versions = sorted(tuple(map(int, version.split(".")[:2])) for version in kubernetes_validate.utils.all_versions())
    versions = [version for version in dict.fromkeys(versions) if version >= OLDEST]
    wrong = []
    for major, minor in versions:
        try:
            kubernetes_validate.validate(resource, f"{major}.{minor}", strict=True)
        except kubernetes_validate.ValidationError as error:
            wrong.append(f"{path.name}: Kubernetes {major}.{minor}: {error.message}")
    print(f"{path.name}: Kubernetes {versions[0][0]}.{versions[0][1]} to {versions[-1][0]}.{versions[-1][1]}")
    return wrong if versions else [f"{path.name}: no version of Kubernetes is known"]


def batch(path):
    """What the model of AWS Batch says against a file."""
    loaded = botocore.loaders.Loader().load_service_model("batch", "service-2")
    shape = botocore.model.ServiceModel(loaded).operation_model("RegisterJobDefinition").input_shape
    report = botocore.validate.ParamValidator().validate(json.loads(path.read_text()), shape)
    print(f"{path.name}: RegisterJobDefinition")
    return [f"{path.name}: {report.generate_report()}"] if report.has_errors() else []


def ending(name, command, environment):
    """What is wrong with the end of a container: its first process gets SIGTERM, as from any container engine."""
    with tempfile.TemporaryDirectory() as folder:
        program, said = pathlib.Path(folder, "recto"), pathlib.Path(folder, "said")
        program.write_text(RECTO)
        program.chmod(0o755)
        said.touch()
        command = [word.replace("/output", folder) for word in command]
        container = subprocess.Popen(
            ["unshare", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc", *command],
            env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", SAID=str(said), **environment),
        )
        try:
            limit = time.monotonic() + 20
            while "started" not in said.read_text() and time.monotonic() < limit:
                time.sleep(0.02)
            first = pathlib.Path(f"/proc/{container.pid}/task/{container.pid}/children").read_text().split()[0]
            # Again and again: the shell sets its trap after it has started recto.
            while (status := container.poll()) is None:
                if time.monotonic() > limit:
                    return [f"{name}: the first process ignores SIGTERM"]
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(first), signal.SIGTERM)
                time.sleep(0.2)
            print(f"{name}: ended with {status} after SIGTERM")
            if "stopped" not in said.read_text() or status != 143:
                return [f"{name}: SIGTERM does not reach recto: {status}"]
        finally:
            container.kill()
            container.wait()
    return []


def main():
    job, definition = EXAMPLES / "job.yaml", EXAMPLES / "batch-definition.json"
    container = yaml.safe_load(job.read_text())["spec"]["template"]["spec"]["containers"][0]
    command = json.loads(definition.read_text())["containerProperties"]["command"]
    parameters = {"Ref::library": "/library", "Ref::output": "/output"}
    wrong = kubernetes(job) + kubernetes(DEPLOYMENT) + batch(definition)
    wrong += ending(job.name, container["command"] + container["args"],
                    {"JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "8"})
    wrong += ending(definition.name, [parameters.get(word, word) for word in command],
                    {"AWS_BATCH_JOB_ARRAY_INDEX": "0", "AWS_BATCH_JOB_ARRAY_SIZE": "8"})
    for words in wrong:
        print(f"FAILED {words}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
