"""What a user would pick instead of the Hadamard ops: PyTorch."""
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).with_name("lib")))
import timing

# Rows, columns, elements from the start of a row to the start of the next.
SHAPES = [(1, 1 << 28, 1 << 28), (4096, 128, 128), (4096, 4096, 4104), (8192, 8192, 8200)]
DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def matrix(rows, cols, stride, dtype):
    """Random numbers; where there are gaps, a view of a wider matrix."""
    return torch.randn(rows, stride, device="cuda").to(dtype)[:, :cols]


def shape_name(rows, cols, stride):
    return f"{rows}x{cols}" if stride == cols else f"{rows}x{cols} stride {stride}"


def measure(wants):
    flush = timing.flush_buffer()
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
                if wants(op, name):
                    us = timing.median_us(work, flush)
                    yield {"op": op, "shape": shape, "dtype": name, "us": us, "baseline": baseline}
            del a, b, dy, y, z


if __name__ == "__main__":
    timing.run(__doc__, measure)
