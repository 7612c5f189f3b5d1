#!/usr/bin/env python3
"""What independent libraries say about dynamic time warping: writes dtw.json beside this file.

CPython 3.11 with
    pip install numpy==2.3.5 numba==0.63.1 pandas==3.0.6 aeon==1.6.0 dtaidistance==2.5.1 tslearn==0.10.0 stumpy==1.14.1
README.md says what is compared with what. Every input is a float32, so that all sides see the same numbers.
"""

import json
import pathlib

import aeon.datasets
import aeon.distances
import dtaidistance.dtw
import numpy as np
import pandas as pd
import stumpy
import tslearn.metrics
from numpy.lib.stride_tricks import sliding_window_view

HERE = pathlib.Path(__file__).parent
SEED = 20261130


def distance(x, y, radius):
    """The distance by three libraries, which must agree."""
    x, y = np.ascontiguousarray(x, dtype=np.float64), np.ascontiguousarray(y, dtype=np.float64)
    m = len(x)
    radius = min(radius, m - 1)
    # aeon truncates window * m; dtaidistance's window 0 means something else, so it is r + 1.
    by_aeon = float(aeon.distances.dtw_distance(x, y, window=min(1.0, (radius + 0.5) / m)))
    by_dtaidistance = dtaidistance.dtw.distance_fast(x, y, window=radius + 1, use_pruning=False) ** 2
    by_tslearn = tslearn.metrics.dtw(x, y, global_constraint="sakoe_chiba", sakoe_chiba_radius=radius) ** 2
    np.testing.assert_allclose([by_dtaidistance, by_tslearn], by_aeon, rtol=1e-12, atol=1e-12)
    return by_aeon


def normalized(x):
    """Mean 0, standard deviation 1; zeros where all points are equal. The shift only saves digits."""
    x = np.asarray(x, dtype=np.float64)
    if np.ptp(x) == 0:
        return np.zeros(len(x))
    x = x - x[0]
    return (x - x.mean()) / x.std()


def profile(series, query, radius, normalize):
    m = len(query)
    prepare = normalized if normalize else lambda x: x
    out = [None] * (m - 1)
    for window in sliding_window_view(series, m):
        finite = np.isfinite(window).all()
        out.append(distance(prepare(query), prepare(window), radius) if finite else None)
    if normalize and radius == 0 and m >= 3:  # stumpy takes no shorter ones
        # Its FFT loses the digits of a level; a shift changes no normalised window.
        shifted = [x.astype(np.float64) - float(x[0]) for x in (query, series)]
        by_stumpy = stumpy.mass(*shifted) ** 2
        ours = np.array([np.inf if d is None else d for d in out[m - 1:]])
        np.testing.assert_allclose(by_stumpy, ours, rtol=1e-6, atol=1e-6)
    return out


def rolling(series, window):
    """By pandas, and by numpy for every window alone; they must agree."""
    rows = pd.Series(series.astype(np.float64)).rolling(window)
    found = {"mean": rows.mean(), "min": rows.min(), "max": rows.max(), "variance": rows.var(ddof=0)}
    alone = sliding_window_view(series.astype(np.float64), window)
    numpy = {"mean": alone.mean(-1), "min": alone.min(-1), "max": alone.max(-1), "variance": alone.var(-1)}
    for name, values in found.items():
        np.testing.assert_allclose(values[window - 1:], numpy[name], rtol=1e-7, atol=1e-11, err_msg=name)
    return {name: numbers([np.nan] * (window - 1) + list(values)) for name, values in numpy.items()}


def numbers(values):
    """For JSON, which has no NaN."""
    return [None if v is None or np.isnan(v) else float(v) for v in values]


def all_series(rng):
    closes = pd.read_csv(HERE / "../../../data/sp500_daily.csv")["Close"].to_numpy()
    walk = np.cumsum(rng.integers(-8, 9, 160)) / 4
    holes = walk.copy()
    holes[[20, 90, 91]] = np.nan
    flat = np.concatenate([np.full(40, 0.1), walk[:40], np.full(40, 3.0)])
    series = {
        "closes": closes[:160],
        "walk": walk,
        "level": 1e4 + 0.01 * rng.standard_normal(160),
        "holes": holes,
        "flat": flat,
    }
    return {name: values.astype(np.float32) for name, values in series.items()}


def profiles(series):
    for name in ["closes", "walk", "level", "holes", "flat"]:
        for m in [1, 5, 32, 64]:
            # From the middle: the best match is the query itself.
            query = series["walk" if name in ("holes", "flat") else name][30:30 + m]
            for normalize in [False, True]:
                for radius in sorted({0, m // 10, 3, m - 1}):
                    if name in ("holes", "flat") and (m == 64 or radius == m // 10 > 0):
                        continue
                    yield {
                        "series": name,
                        "query": numbers(query),
                        "radius": radius,
                        "normalize": normalize,
                        "distances": profile(series[name], query, radius, normalize),
                    }


def pairs(rng):
    unit_test, _ = aeon.datasets.load_unit_test(split="train")
    x, y = unit_test[0].ravel(), unit_test[2].ravel()
    made = [(x, y, r) for r in [0, 2, len(x)]]
    for m in [1, 2, 31, 100]:
        x, y = rng.standard_normal((2, m)).astype(np.float32)
        made += [(x, y, r) for r in sorted({0, 1, m // 3, m + 5})]
    for x, y, radius in made:
        yield {"x": numbers(x), "y": numbers(y), "radius": radius, "distance": distance(x, y, radius)}


def subsequences(rng):
    for m, n in [(3, 11), (25, 5), (25, 4), (1, 30), (16, 120)]:
        query = rng.standard_normal(m).astype(np.float32)
        series = rng.standard_normal(n).astype(np.float32)
        cost = tslearn.metrics.subsequence_cost_matrix(
            query.astype(np.float64).reshape(-1, 1), series.astype(np.float64).reshape(-1, 1)
        )
        yield {"query": numbers(query), "series": numbers(series), "distances": numbers(cost[-1])}


def main():
    rng = np.random.default_rng(SEED)
    series = all_series(rng)
    windows = [(name, w) for name in series for w in [1, 5, 20]]
    golden = {
        "series": {name: numbers(values) for name, values in series.items()},
        "profiles": list(profiles(series)),
        "rolling": [{"series": name, "window": w, **rolling(series[name], w)} for name, w in windows],
        "pairs": list(pairs(rng)),
        "subsequences": list(subsequences(rng)),
    }
    lines = [f'"{part}": [\n' + ",\n".join(map(json.dumps, golden[part])) + "\n]" for part in list(golden)[1:]]
    text = f'{{\n"series": {json.dumps(golden["series"])},\n' + ",\n".join(lines) + "\n}\n"
    (HERE / "dtw.json").write_text(text)


if __name__ == "__main__":
    main()
