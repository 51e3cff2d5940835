#!/bin/sh
# manual_test.sh BUILD: the manual page is clean roff and tells every command, option, operator and preset.
set -eu
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
tepui=$build/tepui

fail() {
  echo "$1" >&2
  shift
  for file; do cat "$file" >&2; done
  exit 1
}

"$tepui" manual >tepui.1
groff -man -ww -z -Tutf8 tepui.1 2>warnings
[ ! -s warnings ] || fail "groff warns" warnings
if command -v mandoc >/dev/null; then
  mandoc -Tlint -W error tepui.1 >warnings || fail "mandoc finds errors" warnings
else
  echo "not checked: mandoc is not here"
fi
gzip -dc "$build/share/tepui.1.gz" | cmp - tepui.1 || fail "the built page is not the program's"

# As it is read, without the terminal's bold and underline, on lines that nothing has to be broken for.
groff -man -Tascii -P-cbou -rLL=1000n tepui.1 >page
tells() { grep -qF -- "$1" page || fail "the page does not tell $1"; }
tells "tepui $("$tepui" --version | sed -n '1s/tepui //p')"
"$tepui" ops | sed -n 's/^\([a-z_0-9]*\)  *[A-Z].*/\1/p' >names
"$tepui" presets --json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p' >>names
"$tepui" --help | sed -n '/^Subcommands:/,/^$/ s/^  \([a-z]*\) .*/\1/p' >commands
for list in names commands; do [ "$(wc -l <$list)" -gt 8 ] || fail "too few $list to check" $list; done
while read -r name; do grep -q "^ *$name\b" page || fail "the page does not tell $name"; done <names
while read -r command; do
  tells "tepui $command ["
  "$tepui" "$command" --help >help
  for option in $(sed -n '/^Options:/,/^$/ s/^  \(-[^ ]*\).*/\1/p' help | tr ',' ' '); do tells "$option"; done
done <commands
# What a shell takes stays as it is: no typographic hyphens or quotes.
groff -man -Tutf8 -P-cbou -rLL=1000n tepui.1 >page
tells "tepui make 'noise"
tells "--set"
