#!/usr/bin/env python3
"""What PyTorch says about products of quantized matrices and about quantizers: writes matmul.json beside this file.

CPython 3.11 with
    pip install torch==2.15.0 numpy==2.4.6
on the CPU. README.md says what is compared with what. Floats are written as their f32 bits, those of 16 bits as their own.
"""

import json
import pathlib

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
SEED = 20261201
SHAPES = [(24, 16, 32), (17, 40, 8), (19, 8, 96)]


def bits(x):
    """The bits of floats, as whole numbers."""
    as_integer = {torch.float32: torch.int32, torch.float16: torch.int16, torch.bfloat16: torch.int16}
    return x.contiguous().view(as_integer[x.dtype]).flatten().tolist()


def codes(rng, *shape, low=-128, high=127):
    return torch.from_numpy(rng.integers(low, high, size=shape, endpoint=True))


def scales(rng, count):
    return torch.from_numpy(rng.uniform(1e-3, 3e-2, size=count).astype(np.float32))


def products_of_codes(rng):
    for m, n, k in SHAPES:
        a, b = codes(rng, m, k).to(torch.int8), codes(rng, n, k).to(torch.int8)
        row_scales, col_scales = scales(rng, m), scales(rng, n)
        row_zeros, col_zeros = codes(rng, m), codes(rng, n)
        sums = torch._int_mm(a, b.t().contiguous())
        value = sums.to(torch.float32) * row_scales[:, None] * col_scales[None, :]
        centred = (a.long() - row_zeros[:, None]) @ (b.long() - col_zeros[:, None]).t()
        yield {
            "m": m, "n": n, "k": k,
            "a": a.flatten().tolist(), "b": b.flatten().tolist(),
            "row_scales": bits(row_scales), "col_scales": bits(col_scales),
            "row_zeros": row_zeros.tolist(), "col_zeros": col_zeros.tolist(),
            "sums": sums.flatten().tolist(), "centred": centred.flatten().tolist(),
            "f32": bits(value), "f16": bits(value.to(torch.float16)), "bf16": bits(value.to(torch.bfloat16)),
            "i8": value.round().clamp(-128, 127).to(torch.int8).flatten().tolist(),
        }


def products_with_wide_weights(rng):
    for m, n, k in SHAPES:
        a, weights = codes(rng, m, k), codes(rng, n, k, low=-32768, high=32767)
        zeros = codes(rng, n, low=-32768, high=32767)
        yield {
            "m": m, "n": n, "k": k, "a": a.flatten().tolist(), "weights": weights.flatten().tolist(),
            "zeros": zeros.tolist(), "sums": (a @ (weights - zeros[:, None]).t()).flatten().tolist(),
        }


def products_of_floats(rng):
    for dtype, name in [(torch.float16, "f16"), (torch.bfloat16, "bf16")]:
        for m, n, k in SHAPES:
            a, b = (torch.from_numpy(rng.standard_normal((rows, k))).to(dtype) for rows in (m, n))
            value = torch.nn.functional.linear(a.double(), b.double())
            yield {"type": name, "m": m, "n": n, "k": k, "a": bits(a), "b": bits(b), "f32": bits(value.float())}


def affine(rng):
    for scale, zero, dtype in [(0.02, 128, torch.quint8), (0.05, 0, torch.qint8), (0.37, -9, torch.qint8)]:
        x = torch.from_numpy((rng.standard_normal(1000) * 60 * scale).astype(np.float32))
        # Halfway between two codes, where nothing is lost: by a scale that is a power of two.
        ties = torch.arange(-300, 300, dtype=torch.float32) / 64
        for values, by in [(x, scale), (ties, 1 / 32)]:
            said = torch.quantize_per_tensor(values, by, zero, dtype).int_repr()
            yield {
                "scale": bits(torch.tensor([by], dtype=torch.float32))[0], "zero": zero,
                "type": "u8" if dtype == torch.quint8 else "i8", "x": bits(values), "codes": said.tolist(),
            }


def rows(rng):
    """Symmetric and per row, as torchao and vLLM define it: the largest magnitude becomes 127."""
    for n, k in [(9, 33), (4, 200)]:
        x = torch.from_numpy((rng.standard_normal((n, k)) * rng.uniform(0.1, 9, (n, 1))).astype(np.float32))
        x[n // 2] = 0
        scale = x.abs().amax(dim=1) / 127
        # In f64 the quotient of two f32 is never rounded onto a tie.
        steps = x.double() / torch.where(scale > 0, scale, 1).double()[:, None]
        near = (steps - steps.floor() - 0.5).abs() < 1e-5
        yield {
            "rows": n, "cols": k, "x": bits(x), "scales": bits(scale),
            "codes": steps.round().to(torch.int8).flatten().tolist(), "near_a_tie": near.flatten().tolist(),
        }


def main():
    rng = np.random.default_rng(SEED)
    golden = {
        "q8": list(products_of_codes(rng)), "hpq": list(products_with_wide_weights(rng)),
        "floats": list(products_of_floats(rng)), "affine": list(affine(rng)), "rows": list(rows(rng)),
    }
    with open(HERE / "matmul.json", "w", encoding="utf-8") as out:
        json.dump(golden, out, separators=(",", ":"))
        out.write("\n")


if __name__ == "__main__":
    main()
