#!/bin/sh
# package_test.sh BUILD: the Debian packages hold what they should, ask for the libraries that the program loads, and
# the program runs from where they are unpacked.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  echo "$1" >&2
  shift
  for file; do cat "$file" >&2; done
  exit 1
}

# Private permissions of whoever builds must not travel into the package.
(umask 077 && cpack --config "$build/CPackConfig.cmake" -G DEB -B "$scratch/packages") >log 2>&1 || fail "cpack failed" log
version=$(sed -n 's/^project(tepui VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")
architecture=$(dpkg --print-architecture)
program=packages/tepui_${version}_$architecture.deb
library=packages/libtepui-dev_${version}_$architecture.deb
for package in "$program" "$library"; do [ -f "$package" ] || fail "there is no $package" log; done

holds() {
  dpkg-deb -c "$1" >list
  grep -q "$2\$" list || fail "$1 does not hold $2" list
}
lacks() {
  dpkg-deb -c "$1" >list
  ! grep "$2" list || fail "$1 holds $2"
}
for file in bin/tepui share/man/man1/tepui.1.gz share/bash-completion/completions/tepui \
  share/zsh/vendor-completions/_tepui share/fish/vendor_completions.d/tepui.fish share/doc/tepui/copyright; do
  holds "$program" " \./usr/$file"
done
for file in lib/libtepui.a lib/pkgconfig/tepui.pc lib/cmake/tepui/tepuiConfig.cmake include/tepui/core/version.h \
  share/doc/libtepui-dev/copyright; do
  holds "$library" " \./usr/$file"
done
lacks "$program" '/usr/include\|\.a$'
lacks "$library" '/usr/bin'
for package in "$program" "$library"; do
  dpkg-deb -c "$package" >list
  ! grep -v '^[d-]rw[x-]r-[x-]r-[x-] root/root .* \./usr/' list || fail "$package: not for every reader, not root's, or not in /usr"
done

is() {
  [ "$(dpkg-deb -f "$1" "$2")" = "$3" ] || fail "$1: $2 is '$(dpkg-deb -f "$1" "$2")', not '$3'"
}
is "$program" Package tepui
is "$program" Section graphics
is "$program" Version "$version"
is "$program" Architecture "$architecture"
is "$library" Package libtepui-dev
is "$library" Section libdevel
dpkg-deb -f "$program" Description | sed -n '2p' | grep -q . || fail "the description is one line"

# The packages of the libraries that the program names, as dpkg knows them, and no development package.
objdump -p "$build/tepui" | sed -n 's/^ *NEEDED *//p' >needed
[ -s needed ] || fail "cannot tell which libraries the program needs"
dpkg-deb -f "$program" Depends | sed 's/([^)]*)//g' | tr -d ' ' | tr ',' '\n' >depends
# Another architecture's package may have a library of that name too.
while read -r name; do
  dpkg-query -S "*/$name" | sed 's/:.*//' | grep -qxFf depends || fail "Depends names no package that has $name" depends
done <needed
! grep -e '-dev' depends || fail "the program asks for a development package"
# What a user of the library links: the packages of everything in tepui.pc.
dpkg-deb -f "$library" Depends | tr -d ' ' | tr ',' '\n' >depends
dpkg-deb -x "$library" unpacked
PKG_CONFIG_PATH=unpacked/usr/lib/pkgconfig pkg-config --print-requires tepui >modules
[ -s modules ] || fail "tepui.pc requires nothing"
while read -r module; do
  dpkg-query -S "*/$module.pc" | sed 's/:.*//' | grep -qxFf depends || fail "no package of Depends has $module.pc" depends
done <modules

dpkg-deb -x "$program" unpacked
mkdir empty
cd empty
env -i LC_ALL=C HOME="$scratch/empty" "$scratch/unpacked/usr/bin/tepui" run mesa --resolution 65 --only mesa.tif -o out >../log 2>&1 ||
  fail "the unpacked program fails" ../log
[ -s out/mesa.tif ] || fail "the unpacked program wrote no file" ../log
