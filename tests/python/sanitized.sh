#!/bin/sh
# sanitized.sh: the tests of the Python module with a module whose bindings, and all that faces bytes from outside, are
# under the address and undefined-behaviour sanitizers. Leaks are not looked for: Python itself keeps what it made.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset readers -DTEPUI_PYTHON=ON >/dev/null
ninja -C build-readers tepui_python
LD_PRELOAD="$(c++ -print-file-name=libasan.so) $(c++ -print-file-name=libubsan.so)"
# A value that is gone must not be kept: a test counts the memory of 10,000 of them.
ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:quarantine_size_mb=1
export LD_PRELOAD ASAN_OPTIONS UBSAN_OPTIONS=print_stacktrace=1 PYTHONDONTWRITEBYTECODE=1 TEPUI_PROGRAM="$PWD/build/tepui"
exec /usr/bin/python3 tests/python/run.py build-readers/python/tepui \
  operators_test:values_test:exchange_test:work_test:live_test:recipes_test
