"""What plain CUDA C++ gets of DTW: the rate of its cells alone, as time for the cells of each shape.

No library does z-normalised DTW of every window on a GPU at these lengths. So the baseline is a bound that a kernel in CUDA
C++ does not pass without a better loop: dtw_cells.cu, compiled here by nvcc, computes cells and nothing else. One round, JSON
Lines to the file given; nothing where there is no nvcc.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).with_name("lib")))
import timing

# Points of a query, and cells of all windows: as in the bench cases of `dtw_profile`.
SHAPES = [(m, 100_000_000_000 if m <= 512 else 250_000_000_000) for m in (33, 100, 128, 256, 512, 1024, 1025, 2048, 4096)]
FULL = 2**31 - 1


def cells_per_second():
    source = pathlib.Path(__file__).with_name("dtw_cells.cu")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "dtw_cells"
        subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", "-o", program, source], check=True)
        return float(subprocess.run([program], check=True, capture_output=True, text=True).stdout)


def measure(wants):
    if not wants("dtw_profile", "f32"):
        return
    if not shutil.which("nvcc"):
        print("dtw.py: there is no nvcc, so no baseline", file=sys.stderr)
        return
    rate = cells_per_second()
    for m, cells in SHAPES + [(32, 32 * 32 * 100_000_000)]:
        windows = cells // (m * m)
        shape = f"1x{windows + m - 1}x1x{m} radius {FULL} z_norm 1"
        us = windows * m * m / rate * 1e6
        yield {"op": "dtw_profile", "shape": shape, "dtype": "f32", "us": us, "baseline": "CUDA C++, cells alone"}


if __name__ == "__main__":
    timing.run(__doc__, measure)
