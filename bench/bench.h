#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tepui/core/hash.h"

// Bench rows register themselves: TEPUI_BENCH(name) { ...set up...; return bench::Row{...}; } in
// bench/MODULE/ALGORITHM_bench.cpp.

namespace tepui::bench {

/// The two sides of a row. Both run several times on a warm pool; set-up is not timed.
struct Row {
  std::function<void()> fast;
  std::function<void()> reference;       ///< the plain twin on one thread; may be empty
  std::function<Hash()> hash;            ///< of the fast side's result
  std::string size;                      ///< "3000x3000"
  double items = 0;                      ///< cells or points per run, for a rate; 0 for none
  std::string item;                      ///< what they are, where not cells or points: "steps"
  double reference_part = 1;             ///< of the work that the plain twin does; its time is told for all of it
  double paper_seconds = 0;              ///< what the paper reports; 0 for none
  std::function<std::string()> tells{};  ///< what else there is to say of the fast side; may be empty
};

struct Entry {
  std::string name;  ///< "generate/circular_faults/3000x3000"
  std::function<Row()> prepare;
};

/// Every row, sorted by name.
const std::vector<Entry>& entries();

struct Registrar {
  Registrar(std::string name, std::function<Row()> prepare);
};

#define TEPUI_BENCH_JOIN2(a, b) a##b
#define TEPUI_BENCH_JOIN(a, b) TEPUI_BENCH_JOIN2(a, b)
#define TEPUI_BENCH(name)                                                              \
  static ::tepui::bench::Row TEPUI_BENCH_JOIN(bench_row_, __LINE__)();                 \
  static const ::tepui::bench::Registrar TEPUI_BENCH_JOIN(bench_registrar_, __LINE__)( \
      name, TEPUI_BENCH_JOIN(bench_row_, __LINE__));                                   \
  static ::tepui::bench::Row TEPUI_BENCH_JOIN(bench_row_, __LINE__)()

}  // namespace tepui::bench
