#!/bin/sh
# A kind of value is its own files and its rows in graph/ and output/: nothing else asks which kind a value is.
set -eu
cd "$(dirname "$0")/../.."
kinds='Terrain|Geology|Lines|Volume|Mesh|Image|FileList|Planet'
asked=$(grep -rnE "(\.|->)find<($kinds)>|[!=]= *&?kind_of<($kinds)>|kind_of<($kinds)>\(\) *[!=]=|holds_alternative<($kinds)>" \
  tepui apps --include='*.h' --include='*.cpp' | grep -vE '^tepui/(graph/(kept_[a-z]+|kinds)|output/[a-z]+_output)\.(h|cpp):' || true)
[ -z "$asked" ] || {
  echo "these ask for the kind of a value; a row of graph/kinds.cpp or output/output_kind.cpp should answer:" >&2
  echo "$asked" >&2
  exit 1
}
