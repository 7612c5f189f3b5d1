"""A product of int8 matrices in Triton, with the scales of rows and columns in the same kernel."""
import triton
import triton.language as tl

# Rows, columns, elements of k; warps, stages.
TILES = [
    (128, 256, 128, 8, 3),
    (128, 256, 64, 8, 4),
    (256, 128, 128, 8, 3),
    (128, 128, 128, 8, 4),
    (128, 128, 128, 4, 4),
    (64, 256, 128, 4, 4),
    (64, 128, 128, 4, 4),
    (64, 64, 256, 4, 4),
    (16, 128, 256, 4, 4),
]
CONFIGS = [
    triton.Config({"ROWS": rows, "COLS": cols, "DEPTH": depth}, num_warps=warps, num_stages=stages)
    for rows, cols, depth, warps, stages in TILES
]
# Rows of tiles that are walked together, so that they find their columns in the cache.
BAND = 8


@triton.autotune(configs=CONFIGS, key=["m", "n", "k"])
@triton.jit
def kernel(
    a, b, row_scales, col_scales, c, m, n, k,
    ROWS: tl.constexpr, COLS: tl.constexpr, DEPTH: tl.constexpr, BAND: tl.constexpr,
):
    down, across = tl.cdiv(m, ROWS), tl.cdiv(n, COLS)
    tile = tl.program_id(0)
    first = tile // (BAND * across) * BAND
    height = min(down - first, BAND)
    inside = tile % (BAND * across)
    rows = (first + inside % height) * ROWS + tl.arange(0, ROWS)
    cols = inside // height * COLS + tl.arange(0, COLS)
    depth = tl.arange(0, DEPTH)
    from_a = a + (rows % m)[:, None] * k + depth[None, :]
    from_b = b + (cols % n)[None, :] * k + depth[:, None]
    sums = tl.zeros((ROWS, COLS), tl.int32)
    for _ in range(0, k, DEPTH):
        sums = tl.dot(tl.load(from_a), tl.load(from_b), sums, out_dtype=tl.int32)
        from_a += DEPTH
        from_b += DEPTH
    scaled = sums.to(tl.float32) * tl.load(row_scales + rows % m)[:, None]
    scaled = scaled * tl.load(col_scales + cols % n)[None, :]
    inside_c = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None].to(tl.int64) * n + cols[None, :], scaled.to(tl.float16), mask=inside_c)


def product(a, b, row_scales, col_scales, c):
    """c = a bᵀ, scaled; k is a multiple of 256."""
    (m, k), n = a.shape, b.shape[0]
    grid = lambda tile: (triton.cdiv(m, tile["ROWS"]) * triton.cdiv(n, tile["COLS"]),)
    kernel[grid](a, b, row_scales, col_scales, c, m, n, k, BAND=BAND)
