#!/bin/sh
# Runs the bundle on a machine that has NVIDIA's driver and no Rust.
#
#   run-gpu.sh test [FILTER]   every bundled test; a skipped one is a failure
#   run-gpu.sh bench [FILTER]  baselines and ops in turn, five rounds, then the record
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

run() {
    echo "\$ $*"
    "$@"
}

run_tests() {
    status=0
    run "$here/differential" --require-gpu "$@" || status=1
    # The oldest architecture's code, on whatever GPU this is.
    WARPSMITH_PTX="$here/ptx/llvm/sm_80" run "$here/differential" --require-gpu "$@" || status=1
    run "$here/gpu" --require-gpu "$@" || status=1
    run "$here/golden" --require-gpu "$@" || status=1
    return $status
}

run_benches() {
    mkdir -p "$out"
    round=1
    while [ "$round" -le 5 ]; do
        for baseline in "$here"/baselines/*.py; do
            [ -e "$baseline" ] || continue
            name=$(basename "$baseline" .py)
            run python3 "$baseline" --out "$out/baseline-$name-$round.json"
        done
        run "$here/bench" --round "$round" --out "$out/ours-$round.json" "$@"
        round=$((round + 1))
    done
    run "$here/bench" --summary "$out" --record "$out/record.jsonl" --commit "$(cat "$here/COMMIT")"
}

case $command in
    test) run_tests "$@" ;;
    bench) run_benches "$@" ;;
    demo) run "$here/warpsmith" demo --data "$here/data" "$@" ;;
    # Not the driver's refusals: asking for a parameter past the last one is how a function's parameters are counted.
    sanitize) run compute-sanitizer --report-api-errors no --error-exitcode 1 \
        "$here/differential" --require-gpu --skip cpu:: --skip sim:: "$@" ;;
    golden) run "$here/golden" --record "$out/golden" ;;
    *)
        sed -n '2,10s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
esac
