"""Recto and its peers, side by side: see docs/BENCHMARKS.md and `scripts/bench --help`."""
