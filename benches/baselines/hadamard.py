"""What a user would pick instead of the Hadamard ops: PyTorch.

One round: medians of event timings on the device, the cache cleared before each run, JSON Lines to the file given.
"""
import argparse
import json
import statistics

import torch

RUNS, WARM_UP = 31, 5
FLUSH_BYTES = 256 << 20
SHAPES = [(1, 1 << 28), (4096, 128)]
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


def measure(flush):
    for name, dtype in DTYPES.items():
        for rows, cols in SHAPES:
            a, b, dy = (torch.randn(rows, cols, device="cuda").to(dtype) for _ in range(3))
            y, z = torch.empty_like(a), torch.empty_like(a)

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
                yield {"op": op, "shape": f"{rows}x{cols}", "dtype": name, "us": us, "baseline": baseline}
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
