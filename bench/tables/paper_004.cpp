// Table 1 of Mieloszyk 2017: land refined around a camera 2 m above the ground, to a level, with its whole planet and
// without, beside what the paper reports.
#include <fmt/format.h>

#include <memory>

#include "bench/bench.h"
#include "bench/planet/planets.h"
#include "tepui/planet/global_stage.h"

namespace tepui::bench {

namespace {

struct PaperLine {
  int level;
  int triangles;  ///< thousands
  double seconds;
};
constexpr PaperLine lines[] = {{10, 41, 0.75},  {12, 101, 2.15}, {14, 157, 3.89},
                               {16, 122, 5.87}, {18, 257, 7.81}, {20, 302, 10.70}};

Row view_row(const PaperLine& line, bool cold) {
  ViewSpec view{.direction = usual_place()};
  view.altitude = 2;
  view.detail = 0.03;
  view.beyond = 0.15;
  view.deepest = line.level;
  const auto land = std::make_shared<FineLand>();
  Row row;
  row.fast = [=] {
    std::shared_ptr<const Refiner> refiner = usual_refiner();
    if (cold) refiner = std::make_shared<Refiner>(std::make_shared<GlobalLand>(global_land({.key = 1}, Context())));
    *land = refiner->refine(ViewRegion(view), Context());
  };
  row.hash = [=] {
    const auto of = [](const auto& list) { return hash_large(list.data(), list.size() * sizeof(list[0])); };
    return Hasher().add(of(land->vertices.direction)).add(of(land->vertices.height)).add(of(land->triangles)).finish();
  };
  row.tells = [=] {
    return fmt::format("{:.0f} k triangles (paper: {} k)", static_cast<double>(land->triangles.size()) / 1e3,
                       line.triangles);
  };
  row.size = fmt::format("level {}", line.level);
  row.paper_seconds = line.seconds;
  return row;
}

[[maybe_unused]] const bool listed = [] {
  for (const PaperLine& line : lines) {
    Registrar(fmt::format("paper-004/level {}/warm", line.level), [&line] { return view_row(line, false); });
    Registrar(fmt::format("paper-004/level {}/cold", line.level), [&line] { return view_row(line, true); });
  }
  return true;
}();

}  // namespace

}  // namespace tepui::bench
