"""What a user would pick instead of the quantizers: the same formulas by torch.compile."""
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).with_name("lib")))
import timing

SHAPES = [(8192, 8192), (8192, 4096), (64, 8192), (1, 4096), (2048, 32768)]
DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def quantized(x):
    """Codes from -127 to 127 and the scale of each row; a row of zeros has scale 1."""
    x = x.float()
    scale = x.abs().amax(dim=1, keepdim=True) / 127
    scale = torch.where(scale == 0, 1.0, scale)
    return torch.round(x * (1 / scale)).to(torch.int8), scale


def measure(wants):
    flush = timing.flush_buffer()
    rows = torch.compile(quantized, dynamic=False)
    product = torch.compile(lambda a, b: quantized(a * b), dynamic=False)
    for name, dtype in DTYPES.items():
        for m, n in SHAPES:
            a, b = (torch.randn(m, n, device="cuda").to(dtype) for _ in range(2))
            works = [("quantize_rows", lambda: rows(a)), ("hadamard_quantize", lambda: product(a, b))]
            for op, work in works:
                if wants(op, name):
                    us = timing.median_us(work, flush)
                    yield {"op": op, "shape": f"{m}x{n}", "dtype": name, "us": us, "baseline": "torch.compile"}


if __name__ == "__main__":
    timing.run(__doc__, measure)
