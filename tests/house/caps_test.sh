#!/bin/sh
# No source is longer than 600 lines.
set -eu
cd "$(dirname "$0")/../.."
long=$(tests/house/sources.sh | xargs wc -l | awk '$2 != "total" && $1 > 600 { print $1 " lines: " $2 }')
[ -z "$long" ] || {
  echo "longer than 600 lines; is each still one idea?" >&2
  echo "$long" >&2
  exit 1
}
