# `make help` lists the targets. The configurations are described in CMakePresets.json, the packages in cmake/packages.txt.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build

RECIPE ?= recipes/monuments.json
OUT ?= out
FIGURES ?= $(OUT)/papers
FUZZ_SECONDS ?= 60
PREFIX ?= $(HOME)/.local
VENV ?= $(OUT)/python

# Plain lines from Ninja, too, where nobody watches.
ifdef CI
export TERM := dumb
endif

configurations := build build-debug build-asan build-readers build-clang build-fuzz
preset = $(patsubst build-%,%,$(patsubst build,release,$(1)))

.PHONY: help setup setup-full build run docs figures install deb python test check test-full format tidy bench fuzz clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | while IFS=$$'\t' read -r name about; do \
	  printf '  make %-10s %s\n' "$$name" "$$about"; done

setup:  ## install the Debian packages that are missing
	@sh cmake/setup.sh

setup-full:
	@sh cmake/setup.sh full

# Once configured, Ninja runs CMake again by itself when a list file changes.
$(configurations:=/build.ninja): CMakePresets.json | setup
	@cmake --preset $(call preset,$(@D)) >$(@D).log || { cat $(@D).log; rm -f $(@D).log $@; exit 1; }
	@rm -f $(@D).log

build-clang/build.ninja build-fuzz/build.ninja: | setup-full

build: setup build/build.ninja  ## the program, at build/tepui
	@ninja -C build tepui

run: build  ## the default recipe, into out/; RECIPE= and OUT= choose others
	@build/tepui run $(RECIPE) -o $(OUT)

docs: build  ## a page per operator with pictures, in build/docs/
	@build/tepui docs -o build/docs

figures: build  ## every figure of the papers from recipes/papers/, into out/papers/; FIGURES= chooses another folder
	@for recipe in recipes/papers/*/*.json; do \
	  build/tepui run $$recipe -o $(FIGURES)/$$(basename $$(dirname $$recipe)); done

install: setup build/build.ninja  ## the program and the library, to ~/.local; PREFIX= chooses another folder
	@ninja -C build installable
	@prefix='$(PREFIX)'; prefix=$$(realpath -ms "$${prefix/#\~/$$HOME}"); \
	cmake --install build --prefix "$$prefix" >build/install.log || { cat build/install.log; exit 1; }; \
	echo "Tepui is installed in $$prefix"; \
	case ":$$PATH:" in *":$$prefix/bin:"*) ;; *) \
	  printf '%s\n' "To call it by its name, add this to your shell's start-up file:" \
	    "  export PATH=\"$$prefix/bin:\$$PATH\"" ;; esac

deb: setup build/build.ninja  ## Debian packages of the program and the library, in build/
	@ninja -C build installable
	@cd build && cpack -G DEB >package.log 2>&1 || { cat package.log; exit 1; }
	@ls build/*_$$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")/\1/p' build/CPackConfig.cmake)_*.deb

python: setup build/build.ninja  ## a wheel of the Python module, installed into out/python; VENV= chooses another folder
	@ninja -C build wheel
	@/usr/bin/python3 python/install.py build/tepui-*.whl $(VENV)

test: setup build/build.ninja build-readers/build.ninja  ## all tests, and those of readers under sanitizers
	@ninja -C build
	@ctest --preset release
	@ninja -C build-readers reader_tests
	@ctest --preset readers

check: setup build/build.ninja  ## build, fast tests that have changed since they passed, format
	@ninja -C build
	@tests/house/run_changed.py quick build

test-full: setup-full test build-asan/build.ninja build-debug/build.ninja build-clang/build.ninja  ## also all tests under sanitizers, with clang, in debug, 1,000 random trees, every recipe at full size
	@ninja -C build-asan unit_tests
	@ctest --preset asan
	@ninja -C build-debug
	@ctest --preset debug
	@ninja -C build-clang
	@ctest --preset clang
	@tests/python/sanitized.sh
	@TEPUI_ALL_RECIPES=1 TEPUI_ALL_PAGES=1 ctest --preset release -R '^(python|apps)_long$$|^studio_strokes$$'
	@for part in geology volume mesh; do RC_PARAMS="seed=2 max_success=1000" build/test_$$part --gtest_brief=1 || exit 1; done
	@tests/house/full_size.sh build/tepui build-clang/tepui build-debug/tepui
	@tests/house/grass_comparison.py build/tepui ../shared/data/dem
	@tests/look/look_test.sh build/tepui build/look

fuzz: setup-full build-fuzz/build.ninja  ## libFuzzer on every reader, FUZZ_SECONDS= each; FUZZ_TARGETS= chooses
	@ninja -C build-fuzz fuzz
	@tests/fuzz/fuzz.sh build-fuzz/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

format: setup  ## clang-format every source
	@tests/house/sources.sh | xargs clang-format -i

tidy: setup-full build/build.ninja  ## clang-tidy over the library and the program
	@tests/house/sources.sh | grep -E '^(apps|tepui)/.*\.cpp$$' | xargs -n 4 -P 2 clang-tidy --quiet -p build

bench: build  ## all benchmarks, on two threads
	@build/tepui bench --threads 2
	@if [ -e build/python/tepui ]; then /usr/bin/python3 python/bench.py build/python; fi

clean:  ## remove what was built; out/ stays
	@rm -rf $(configurations)
