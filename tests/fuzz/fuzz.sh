#!/usr/bin/env bash
# fuzz.sh PROGRAM SECONDS [TARGET...]: libFuzzer on each target for that long, JOBS targets at a time (as many as there
# are processors). What it learns goes to build-fuzz/corpus, what breaks a reader to build-fuzz/found: mend the reader,
# then keep the file in tests/fuzz/corpus.
set -euo pipefail
export program seconds corpora work
program=$(realpath "$1") seconds=$2
shift 2
corpora=$(realpath "$(dirname "$0")/corpus")
export LSAN_OPTIONS=suppressions=$(realpath "$(dirname "$0")/../leaks.supp"):print_suppressions=0
work=$(dirname "$program")
[ $# -gt 0 ] || set -- $(ls "$corpora")
mkdir -p "$work/found"

# One line for each target, when it is done; of a broken one also the end of its log.
run_target() {
  local target=$1 log=$work/found/$1.log
  mkdir -p "$work/corpus/$target"
  if "$program" --target="$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3072 -max_len=65536 \
    -artifact_prefix="$work/found/$target-" -print_final_stats=1 "$work/corpus/$target" "$corpora/$target" >"$log" 2>&1; then
    awk -v target="$target" '
      /^stat::number_of_executed_units/ { runs = $2 }
      /^stat::average_exec_per_sec/ { rate = $2 }
      END { printf "%-18s %10d runs, %6d a second\n", target, runs, rate }' "$log"
  else
    # In one write, so that the reports of targets do not mix.
    printf '%-18s broken\n%s\n' "$target" "$(tail -n 40 "$log" | sed 's/^/  /')"
    return 1
  fi
}
export -f run_target

jobs=${JOBS:-$(nproc)}
echo "$# targets, $seconds s each, $jobs at a time"
if ! printf '%s\n' "$@" | xargs -P "$jobs" -I{} bash -c 'run_target {}'; then
  echo "broken targets: their inputs are in $work/found" >&2
  exit 1
fi
