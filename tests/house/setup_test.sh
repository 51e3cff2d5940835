#!/bin/sh
# cmake/setup.sh against a machine made of fakes: what it prints, which programs it calls, in which order, how it ends.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
setup=$root/cmake/setup.sh
unset CI || true

failures=0
expect() {
  if ! "$@"; then
    failures=$((failures + 1))
    echo "$scene: failed: $*" >&2
    sed 's/^/    /' "$machine/log" >&2
  fi
}
says() { grep -qF -- "$1" "$machine/log"; }
never_says() { ! says "$1"; }
ends_with() { [ "$code" = "$1" ]; }
in_order() { # every text on a later line than the one before
  line=0
  for text; do
    found=$(grep -nF -- "$text" "$machine/log" | cut -d: -f1 | while read -r n; do [ "$n" -le "$line" ] || { echo "$n"; break; }; done)
    [ -n "$found" ] || return 1
    line=$found
  done
}

# A program of the machine: `fake NAME <<BODY`. It is logged when it runs.
fake() {
  rm -f "$machine/bin/$1"
  {
    echo '#!/bin/sh'
    echo "echo \"+ $1 \$*\" >&2"
    cat
  } >"$machine/bin/$1"
  chmod +x "$machine/bin/$1"
}

# A fresh machine with the tools that every one has, and nothing else in the PATH.
scene() {
  scene=$1
  rm -rf "$machine/bin"
  mkdir "$machine/bin"
  rm -f "$machine/installed" "$machine/lists" "$machine/mirror"
  for tool in sh dirname grep sed cat cut env touch; do
    printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$tool")" >"$machine/bin/$tool"
  done
  chmod +x "$machine"/bin/*
}

# Debian: the packages named in $machine/installed are installed, the lists are there if $machine/lists is, and the
# mirror has what they name if $machine/mirror is.
debian() {
  uid=$1
  touch "$machine/installed" "$machine/lists" "$machine/mirror"
  fake dpkg-query <<BODY
shift 3
for package; do
  if grep -qxF "\$package" $machine/installed; then echo "installed \$package"; else echo "no \$package" >&2; missing=1; fi
done
exit \${missing:-0}
BODY
  fake apt-get <<BODY
case " \$* " in
  *' update '*) touch $machine/lists $machine/mirror; exit 0 ;;
  *' --print-uris '*)
    [ -e $machine/lists ] || { echo 'E: Unable to locate package cmake'; exit 100; }
    echo 'Need to get 177 MB of archives.' ;;
  *' install '*)
    [ -e $machine/mirror ] || { echo 'E: 404  Not Found'; exit 100; }
    sed -n 's/^\([a-z][^ ]*\).*/\1/p' $root/cmake/packages.txt >$machine/installed ;;
esac
BODY
  fake id <<BODY
echo $uid
BODY
}
installed() { printf '%s\n' "$@" >"$machine/installed"; }
all_packages() { sed -n 's/^\([a-z][^ ]*\).*/\1/p' "$root/cmake/packages.txt"; }
needed_packages() { sed -n '/ full$/d; s/^\([a-z][^ ]*\).*/\1/p' "$root/cmake/packages.txt"; }
sudo_is_there() {
  fake sudo <<'BODY'
[ "$1" != -n ] || shift
exec "$@"
BODY
}

run() {
  code=0
  PATH=$machine/bin sh "$setup" "$@" >"$machine/log" 2>&1 </dev/null || code=$?
}

scene "nothing is missing"
debian 0
# shellcheck disable=SC2046
installed $(needed_packages)
run
expect ends_with 0
expect never_says apt-get
expect [ "$(grep -cv '^+ dpkg-query' "$machine/log")" = 0 ]

scene "root, two packages missing"
debian 0
# shellcheck disable=SC2046
installed $(needed_packages | grep -v -e libhwy-dev -e libgdal-dev)
run
expect ends_with 0
expect in_order 'not installed: libhwy-dev libgdal-dev' 'Download: 177 MB' 'install --no-install-recommends'
expect in_order 'Download:' 'libhwy-dev libgdal-dev'
expect never_says 'libtbb-dev'
expect never_says 'update'
expect never_says 'clang-tidy'
run
expect ends_with 0
expect never_says apt-get

scene "commands from other packages"
debian 0
# shellcheck disable=SC2046
installed $(needed_packages | grep -vx -e nodejs -e npm -e python3-numpy)
for program in node npm python3; do fake "$program" </dev/null; done
run
expect ends_with 0
expect says 'not installed: python3-numpy'
expect never_says 'npm '

scene "a bare machine without package lists"
debian 0
rm "$machine/lists"
run
expect ends_with 0
expect in_order 'not installed: cmake' ' update' 'Download: 177 MB' 'install --no-install-recommends'

scene "lists that name versions the mirror has dropped"
debian 0
rm "$machine/mirror"
run
expect ends_with 0
expect in_order 'Download:' '404' ' update' 'install --no-install-recommends'

scene "packages that apt does not know"
debian 0
rm "$machine/lists"
fake touch </dev/null
run
expect ends_with 2
expect says 'Unable to locate package cmake'
expect says 'Debian 12'

scene "an ordinary user with sudo"
debian 1000
sudo_is_there
run
expect ends_with 0
expect in_order 'Download: 177 MB' '+ sudo env' 'install --no-install-recommends'
expect never_says '+ sudo -n'
installed cmake
CI=true run
expect says '+ sudo -n env'

scene "an ordinary user with sudo, nothing missing"
debian 1000
sudo_is_there
# shellcheck disable=SC2046
installed $(needed_packages)
run
expect ends_with 0
expect never_says sudo

scene "an ordinary user without sudo"
debian 1000
# shellcheck disable=SC2046
installed $(needed_packages | grep -v fmt)
run
expect ends_with 2
expect in_order 'not installed: libfmt-dev' 'Download: 177 MB' 'As root' 'apt-get update && apt-get install --no-install-recommends'
expect never_says '+ apt-get'

scene "the packages of the full round"
debian 0
# shellcheck disable=SC2046
installed $(needed_packages)
run full
expect ends_with 0
expect in_order 'not installed: clang clang-tidy' 'install --no-install-recommends'

scene "no apt and no CMake"
run
expect ends_with 2
expect says 'cmake ninja c++ pkg-config'
expect never_says clang-format

scene "no apt, and CMake does not find a library"
for program in ninja c++ pkg-config; do fake "$program" </dev/null; done
fake cmake <<'BODY'
echo 'TBB (Debian package libtbb-dev)' >&2
exit 1
BODY
run
expect ends_with 2
expect says '+ cmake --preset release'
expect says 'TBB (Debian package libtbb-dev)'

scene "no apt, and all libraries are there"
for program in ninja c++ pkg-config cmake; do fake "$program" </dev/null; done
run
expect ends_with 0
expect [ ! -s "$machine/log" ]

# CMake's part: every library it cannot find is named at once, with its package.
scene "CMake without any library"
code=0
mkdir "$machine/empty"
cmake -S "$root" -B "$machine/build" -G Ninja -DCMAKE_FIND_ROOT_PATH="$machine/empty" \
  -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
  -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DPKG_CONFIG_EXECUTABLE="$(command -v false)" \
  >"$machine/log" 2>&1 || code=$?
expect ends_with 1
for name in TBB HWY GDAL PNG nlohmann_json CLI11 fmt XXHASH GTest rapidcheck; do expect says " $name (Debian package "; done

[ "$failures" = 0 ]
