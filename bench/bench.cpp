#include "bench/bench.h"

#include <algorithm>

namespace tepui::bench {

namespace {

std::vector<Entry>& all() {
  static std::vector<Entry> rows;
  return rows;
}

}  // namespace

Registrar::Registrar(std::string name, std::function<Row()> prepare) {
  all().push_back({std::move(name), std::move(prepare)});
}

const std::vector<Entry>& entries() {
  std::ranges::sort(all(), {}, &Entry::name);
  return all();
}

}  // namespace tepui::bench
