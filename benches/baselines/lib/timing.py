"""How baselines are timed, and where their measurements go."""
import argparse
import json
import statistics

import torch

RUNS, WARM_UP = 31, 5
FLUSH_BYTES = 256 << 20


def flush_buffer():
    """What is overwritten before each run, so that nothing of the run before is left in the cache."""
    l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 0)
    return torch.empty(max(FLUSH_BYTES, 4 * l2), dtype=torch.int8, device="cuda")


def median_us(work, flush):
    """The median of event timings on the device, in microseconds."""
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


def run(description, measure):
    """One round: writes what `measure(wants)` yields, JSON Lines; `wants(op, dtype)` says whether an op is asked for."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", required=True, help="file for the measurements")
    parser.add_argument("--filter", default="", help="only ops whose name, such as hadamard_bwd_f16, contains this")
    arguments = parser.parse_args()
    with open(arguments.out, "w", encoding="utf-8") as out:
        for line in measure(lambda op, dtype: arguments.filter in f"{op}_{dtype}"):
            print(json.dumps(line), file=out, flush=True)
