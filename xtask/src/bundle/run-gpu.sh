#!/bin/sh
# Runs the bundle on a machine that has NVIDIA's driver and no Rust.
#
#   run-gpu.sh test [FILTER]   every bundled test, with the PTX of both back ends; a skipped one is a failure
#   run-gpu.sh bench [FILTER]  baselines and ops in turn, five rounds, then the record; both back ends run by run
#   run-gpu.sh latency         appends of a point to a series: median and 99th percentile, to $OUT/append.jsonl
#   run-gpu.sh demo            the main job on the data in data/
#   run-gpu.sh sanitize        the differential tests under compute-sanitizer
#   run-gpu.sh golden          what the GPU gives for the programs of tests/golden, to $OUT/golden
#
# Records go to $OUT, or to ./out.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
out=${OUT:-$PWD/out}
command=${1:-}
[ $# -eq 0 ] || shift

# This bundle's PTX, and none of one that was here before.
rm -rf "$here/ptx"
tar -C "$here" -xzf "$here/ptx.tar.gz"

run() {
    echo "\$ $*"
    "$@"
}

# Whether the bundle has the PTX of a back end; says so where it has not.
has() {
    [ -d "$here/ptx/$1" ] || {
        echo "run-gpu.sh: there is no ptx/$1 in the bundle" >&2
        return 1
    }
}

# The oldest architecture's code by back end $1, on whatever GPU this is; the lanes of $2 would run the same PTX again.
test_oldest() {
    ptx="$here/ptx/$1/sm_80"
    other=$2
    shift 2
    for tests in differential accurate; do
        run env WARPSMITH_PTX="$ptx" "$here/$tests" --require-gpu \
            --skip cpu:: --skip sim_ --skip "gpu_$other::" "$@" || return 1
    done
}

run_tests() {
    status=0
    run "$here/differential" --require-gpu "$@" || status=1
    run "$here/accurate" --require-gpu "$@" || status=1
    has llvm && test_oldest llvm nvvm "$@" || status=1
    has nvvm && test_oldest nvvm llvm "$@" || status=1
    run "$here/gpu" --require-gpu "$@" || status=1
    run "$here/golden" --require-gpu "$@" || status=1
    return $status
}

run_benches() {
    mkdir -p "$out"
    has nvvm || echo "run-gpu.sh: timing the back end llvm alone" >&2
    # What an earlier run left would count as rounds of this one.
    rm -f "$out"/ours-*.json "$out"/baseline-*.json
    round=1
    while [ "$round" -le 5 ]; do
        for baseline in "$here"/baselines/*.py; do
            [ -e "$baseline" ] || continue
            name=$(basename "$baseline" .py)
            run python3 "$baseline" --out "$out/baseline-$name-$round.json" --filter "${1:-}"
        done
        run "$here/bench" --round "$round" --out "$out/ours-$round.json" "$@"
        round=$((round + 1))
    done
    run "$here/bench" --summary "$out" --record "$out/record.jsonl" --commit "$(cat "$here/COMMIT")"
}

run_latency() {
    mkdir -p "$out"
    run "$here/bench" --appends 5000 --out "$out/append.jsonl"
    cat "$out/append.jsonl"
}

case $command in
    test) run_tests "$@" ;;
    bench) run_benches "$@" ;;
    latency) run_latency ;;
    demo) run "$here/warpsmith" demo --data "$here/data" "$@" ;;
    # Not the driver's refusals: asking for a parameter past the last one is how a function's parameters are counted.
    sanitize) run compute-sanitizer --report-api-errors no --error-exitcode 1 \
        "$here/differential" --require-gpu --skip cpu:: --skip sim_ "$@" ;;
    golden) run "$here/golden" --record "$out/golden" ;;
    *)
        sed -n '2,11s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
esac
