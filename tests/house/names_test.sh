#!/bin/sh
# An operator has one name in C++ and in recipes; but for `union`, which C++ keeps for itself. And no two headers define
# a type of the same name: a program that both are linked into would take the functions of one for those of the other.
set -eu
cd "$(dirname "$0")/../.."
other=$(sed -nE 's/^ *op<([a-z_]+)>\("[a-z_/]*\/([a-z_]+)".*/\1 \2/p' tepui/recipe/operators.cpp |
  awk '$1 != $2 && !($1 == "unite" && $2 == "union") { print "op<" $1 "> is called " $2 }')
count=$(grep -cE '^ *op<' tepui/recipe/operators.cpp)
[ "$count" -gt 40 ] || other="$other
only $count lines of the registry were found"
twice=$(grep -rhE '^(class|struct|enum class) [A-Za-z0-9]+' tepui --include='*.h' | grep -v '[;>]$' | grep -v '<' |
  sed -E 's/^(class|struct|enum class) ([A-Za-z0-9]+).*/\2/' | sort | uniq -d)
[ -z "$twice" ] || other="$other
defined in two headers: $twice"
[ -z "$other" ] || {
  echo "$other" >&2
  exit 1
}
