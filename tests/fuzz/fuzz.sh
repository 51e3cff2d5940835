#!/usr/bin/env bash
# fuzz.sh PROGRAM SECONDS [TARGET...]: libFuzzer on each target for that long. What it learns goes to build-fuzz/corpus, what
# breaks a reader to build-fuzz/found: mend the reader, then keep the file in tests/fuzz/corpus.
set -euo pipefail
program=$(realpath "$1") seconds=$2
shift 2
corpora=$(realpath "$(dirname "$0")/corpus")
export LSAN_OPTIONS=suppressions=$(realpath "$(dirname "$0")/../leaks.supp"):print_suppressions=0
work=$(dirname "$program")
[ $# -gt 0 ] || set -- $(ls "$corpora")
mkdir -p "$work/found"
broken=
for target in "$@"; do
  mkdir -p "$work/corpus/$target"
  echo "$target: $seconds s"
  log=$work/found/$target.log
  if "$program" --target="$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3072 -max_len=65536 \
    -artifact_prefix="$work/found/$target-" -print_final_stats=1 "$work/corpus/$target" "$corpora/$target" >"$log" 2>&1; then
    grep -E 'stat::number_of_executed_units|stat::average_exec_per_sec' "$log" | sed 's/^stat::/  /'
  else
    broken="$broken $target"
    tail -n 40 "$log"
  fi
done
if [ -n "$broken" ]; then
  echo "broken:$broken (the inputs are in $work/found)" >&2
  exit 1
fi
