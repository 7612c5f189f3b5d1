"""What a user would pick instead of the products: cuBLASLt and a kernel that dequantises, Triton with both in one kernel, torch.mm.

Of cuBLASLt (matmul_int8.cu, compiled here by nvcc) and Triton the faster one of each shape counts. Products of int8 by int16
have no baseline: no library multiplies them on tensor cores.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import torch

sys.path.insert(0, str(pathlib.Path(__file__).with_name("lib")))
import timing

# m, n, k: as in the bench cases of the products.
SHAPES = [(size, size, size) for size in (1024, 2048, 4096, 8192)] + [
    (64, 8192, 8192),
    (256, 8192, 8192),
    (1, 8192, 21760),
    (16, 8192, 21760),
]
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16}


def cublaslt():
    """Times of the best algorithm and a kernel that dequantises to f16, by shape; none where there is no nvcc."""
    if not shutil.which("nvcc"):
        print("matmul.py: there is no nvcc, so no cuBLASLt", file=sys.stderr)
        return {}
    source = pathlib.Path(__file__).with_name("matmul_int8.cu")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "matmul_int8"
        command = ["nvcc", "-O3", "-std=c++17", "-arch=native", "-o", program, source, "-lcublasLt"]
        subprocess.run(command, check=True)
        shapes = [str(extent) for shape in SHAPES for extent in shape]
        text = subprocess.run([program, *shapes], check=True, capture_output=True, text=True).stdout
    return {tuple(line["shape"]): line["us"] for line in map(json.loads, text.splitlines())}


def triton_product():
    """A product of int8 matrices with the scales in the same kernel, autotuned; None where there is no Triton."""
    try:
        import triton_int8
    except ImportError as error:
        print(f"matmul.py: no Triton ({error})", file=sys.stderr)
        return None
    return triton_int8.product


def quantized(flush):
    by_cublaslt, product = cublaslt(), triton_product()
    for m, n, k in SHAPES:
        times = {}
        if (m, n, k) in by_cublaslt:
            times["cuBLASLt + dequantisation"] = by_cublaslt[m, n, k]
        if product is not None:
            a, b = (torch.randint(-128, 128, (rows, k), dtype=torch.int8, device="cuda") for rows in (m, n))
            row_scales, col_scales = (torch.rand(rows, device="cuda") * 1e-2 for rows in (m, n))
            c = torch.empty(m, n, dtype=torch.float16, device="cuda")
            product(a, b, row_scales, col_scales, c)
            want = (a[0].double() @ b.double().t()) * row_scales[0] * col_scales
            assert torch.allclose(c[0].double(), want, rtol=2e-3), f"Triton's product of {m}x{n}x{k} is wrong"
            times["Triton, fused"] = timing.median_us(lambda: product(a, b, row_scales, col_scales, c), flush)
        if times:
            baseline = min(times, key=times.get)
            yield {"op": "matmul_q8", "shape": f"{m}x{n}x{k}", "dtype": "f16", "us": times[baseline], "baseline": baseline}


def floats(name, flush):
    # Sums in f32 to the end, as ours.
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    dtype = DTYPES[name]
    for m, n, k in SHAPES:
        a, b = (torch.randn(rows, k, device="cuda").to(dtype) for rows in (m, n))
        c = torch.empty(m, n, dtype=dtype, device="cuda")
        us = timing.median_us(lambda: torch.mm(a, b.t(), out=c), flush)
        yield {"op": "matmul", "shape": f"{m}x{n}x{k}", "dtype": name, "us": us, "baseline": "torch.mm"}


def measure(wants):
    flush = timing.flush_buffer()
    if wants("matmul_q8", "f16"):
        yield from quantized(flush)
    for name in DTYPES:
        if wants("matmul", name):
            yield from floats(name, flush)


if __name__ == "__main__":
    timing.run(__doc__, measure)
