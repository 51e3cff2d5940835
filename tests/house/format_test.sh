#!/bin/sh
# Every source reads as clang-format writes it. If TEPUI_FORMATTED names a file, those that it lists from an earlier pass
# are not looked at again: one line for each, of its bytes, the style and the version of clang-format.
set -eu
cd "$(dirname "$0")/../.."
now=$(mktemp)
trap 'rm -f "$now"' EXIT
known=${TEPUI_FORMATTED:-}
[ -f "$known" ] || known=/dev/null
style=$(clang-format --version | cat - .clang-format | sha256sum | cut -c1-64)
tests/house/sources.sh | xargs sha256sum | sed "s/^/$style /" >"$now"
grep -vxFf "$known" "$now" | cut -d' ' -f4- | xargs -r clang-format --dry-run --Werror || {
  echo "run 'make format'" >&2
  exit 1
}
[ -z "${TEPUI_FORMATTED:-}" ] || cp "$now" "$TEPUI_FORMATTED"
