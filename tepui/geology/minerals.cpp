#include "tepui/geology/minerals.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/params.h"
#include "tepui/core/text.h"

namespace tepui {

std::span<const Mineral> minerals() {
  static constexpr Mineral table[] = {
      {"none", 0},        {"talc", 1},     {"gypsum", 3},  {"calcite", 9},    {"fluorite", 21},  {"apatite", 48},
      {"orthoclase", 72}, {"quartz", 100}, {"topaz", 200}, {"corundum", 400}, {"diamond", 1500},
  };
  return table;
}

double mineral_hardness(std::string_view name) {
  const std::string small = lower_case(name);
  std::vector<std::string> known;
  for (const Mineral& mineral : minerals()) {
    if (mineral.name == small) return mineral.hardness();
    known.emplace_back(mineral.name);
  }
  refuse(fmt::format("there is no mineral '{}' in the hardness scale", name), suggest_name(small, known));
}

}  // namespace tepui
