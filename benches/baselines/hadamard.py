"""What a user would pick instead of the Hadamard ops: PyTorch.

One round: medians of event timings on the device, the cache cleared before each run, JSON Lines to the file given.
"""
import argparse
import json
import statistics

import torch

RUNS, WARM_UP = 31, 5
FLUSH_BYTES = 256 << 20
# Rows, columns, elements from the start of a row to the start of the next.
SHAPES = [(1, 1 << 28, 1 << 28), (4096, 128, 128), (4096, 4096, 4104), (8192, 8192, 8200)]
DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def median_us(work, flush):
    for _ in range(WARM_UP):
        work()
    torch.cuda.synchronize()
    times = []
    for _ in range(RUNS):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        flush.zero_()
        start.record()
        work()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) * 1e3)
    return statistics.median(times)


def matrix(rows, cols, stride, dtype):
    """Random numbers; where there are gaps, a view of a wider matrix."""
    return torch.randn(rows, stride, device="cuda").to(dtype)[:, :cols]


def shape_name(rows, cols, stride):
    return f"{rows}x{cols}" if stride == cols else f"{rows}x{cols} stride {stride}"


def measure(flush):
    for name, dtype in DTYPES.items():
        for rows, cols, stride in SHAPES:
            a, b, dy, y, z = (matrix(rows, cols, stride, dtype) for _ in range(5))
            shape = shape_name(rows, cols, stride)

            def backward():
                torch.mul(dy, b, out=y)
                torch.mul(dy, a, out=z)

            works = [
                ("hadamard", "torch.mul", lambda: torch.mul(a, b, out=y)),
                ("hadamard_bwd", "2 x torch.mul", backward),
                ("hadamard_assign", "torch.mul_", lambda: a.mul_(b)),
            ]
            for op, baseline, work in works:
                us = median_us(work, flush)
                yield {"op": op, "shape": shape, "dtype": name, "us": us, "baseline": baseline}
            del a, b, dy, y, z


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, help="file for the measurements")
    arguments = parser.parse_args()
    l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 0)
    flush = torch.empty(max(FLUSH_BYTES, 4 * l2), dtype=torch.int8, device="cuda")
    with open(arguments.out, "w", encoding="utf-8") as out:
        for line in measure(flush):
            print(json.dumps(line), file=out, flush=True)


if __name__ == "__main__":
    main()
