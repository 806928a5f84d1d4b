"""Many small distinct documents, made as scripts/dev/many-documents makes them."""

import importlib.machinery
import importlib.util
import pathlib


def many_documents():
    path = pathlib.Path(__file__).resolve().parents[1] / "many-documents"
    loader = importlib.machinery.SourceFileLoader("many_documents", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def write(folder, count):
    """Writes documents into a new folder; returns their paths."""
    many_documents().write_documents(folder, count)
    return sorted(folder.glob("*.pdf"))
