import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import BOOK, ROOT


class DocumentationTests(unittest.TestCase):
    def test_examples_run_as_they_are(self):
        documents = [ROOT / "docs/PYTHON.md", ROOT / "Sources/python/README.md"]
        text = "".join(path.read_text() for path in documents)
        if importlib.util.find_spec("pyarrow") is None:
            text = re.sub("<!-- needs pyarrow -->\n```python\n.*?```", "", text, flags=re.S)
        examples = re.findall("```python\n(.*?)```", text, re.S)
        self.assertGreater(len(examples), 7)
        with ThreadPoolExecutor(2) as threads:
            for example, run in zip(examples, threads.map(run_example, examples)):
                with self.subTest(example):
                    self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_parameters_of_pdf2image_are_explained(self):
        from recto.pdf2image import convert_from_path, pdfinfo_from_path

        table = (ROOT / "docs/PYTHON.md").read_text().split("## In place of pdf2image")[1].split("## ")[0]
        for function in (convert_from_path, pdfinfo_from_path):
            for name in function.__code__.co_varnames[1 : function.__code__.co_argcount]:
                self.assertIn(f"`{name}`", table)


def run_example(code):
    """Runs an example in a folder that has the document which it opens."""
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(pathlib.Path(path).resolve()) for path in paths)}
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(BOOK, folder)
        command = [sys.executable, "-W", "error", "-c", code]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
