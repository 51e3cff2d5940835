#!/bin/sh
# setup.sh [full]: installs the packages of packages.txt that are missing, with `full` also those of `make test-full`.
# Silent, and without a call to apt, when nothing is missing. Exit code 2: the user has to do something first.
set -eu

house=$(dirname "$0")/..
scope=${1-}
options='--no-install-recommends --no-remove -y'

# Prints a column of packages.txt for the kinds given: `column 1 program library`.
column() {
  wanted_column=$1
  shift
  while read -r package kind name purpose; do
    case $package in '' | '#'*) continue ;; esac
    case " $* " in *" $kind "*) ;; *) continue ;; esac
    if [ "$purpose" = full ] && [ "$scope" != full ]; then continue; fi
    if [ "$wanted_column" = 1 ]; then echo "$package"; else echo "$name"; fi
  done <"$house/cmake/packages.txt"
}

have() { command -v "$1" >/dev/null 2>&1; }

# Without apt: CMake looks for the libraries and names those it cannot find.
probe() {
  absent=
  for program in $(column 3 program); do
    have "$program" || absent="$absent $program"
  done
  if [ -n "$absent" ]; then
    echo "Tepui needs these programs, which are not here:$absent" >&2
    exit 2
  fi
  if ! answer=$(cd "$house" && cmake --preset release 2>&1 >/dev/null); then
    printf '%s\n' "$answer" >&2
    exit 2
  fi
}

# Whether a package's command is there, whatever package it came from.
has_command() {
  while read -r row_package row_kind row_name _; do
    if [ "$row_package" = "$1" ] && [ "$row_kind" = command ] && have "$row_name"; then return 0; fi
  done <"$house/cmake/packages.txt"
  return 1
}

# Prints the packages that are not installed.
missing_packages() {
  wanted=$(column 1 program speed library module font python studio tool command)
  # shellcheck disable=SC2086
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null) || true
  for package in $wanted; do
    printf '%s\n' "$installed" | grep -qxF "installed $package" || has_command "$package" || printf ' %s' "$package"
  done
}

# What apt would do, in its own words; fails where it does not know a package.
# shellcheck disable=SC2086
plan() { LC_ALL=C apt-get install --print-uris $options $missing 2>&1; }

apt() {
  quiet=
  if [ ! -t 1 ] || [ -n "${CI-}" ]; then quiet='-q -o Dpkg::Use-Pty=0'; fi
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get $quiet -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

have apt-get && have dpkg-query || {
  probe
  exit 0
}
missing=$(missing_packages)
[ -n "$missing" ] || exit 0

echo "Tepui needs Debian packages that are not installed:$missing"
if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif have sudo; then
  as_root=sudo
  # Nobody is there to type a password.
  if [ -n "${CI-}" ]; then as_root='sudo -n'; fi
else
  plan | sed -n 's/^Need to get \(.*\) of archives\.$/Download: \1/p'
  echo "Installing them takes root, and there is no sudo. As root, run this and try again:" >&2
  echo "  apt-get update && apt-get install $options$missing" >&2
  exit 2
fi

fresh=no
refresh() {
  echo "Reading the package lists anew."
  apt update || true
  fresh=yes
}
if ! answer=$(plan); then
  refresh
  if ! answer=$(plan); then
    printf '%s\n' "$answer" >&2
    echo "apt cannot install these packages; Tepui is built and tested on Debian 12." >&2
    exit 2
  fi
fi
printf '%s\n' "$answer" | sed -n 's/^Need to get \(.*\) of archives\.$/Download: \1/p'

# shellcheck disable=SC2086
install() { apt install $options $missing; }
# The lists may name versions that the mirror no longer has.
if ! install && { [ "$fresh" = yes ] || ! { refresh && install; }; }; then
  echo "The packages could not be installed. When the reason above is mended, run the same command again." >&2
  exit 2
fi
