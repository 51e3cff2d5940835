#!/bin/sh
# Every source reads as clang-format writes it.
set -eu
cd "$(dirname "$0")/../.."
tests/house/sources.sh | xargs clang-format --dry-run --Werror || {
  echo "run 'make format'" >&2
  exit 1
}
