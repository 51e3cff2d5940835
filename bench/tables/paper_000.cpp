// Tables 2 and 3 of Warszawski et al. 2019, whose times are of a GTX 780.
#include <fmt/format.h>

#include "bench/bench.h"
#include "reference/circular_faults.h"
#include "reference/erode.h"
#include "reference/geology.h"
#include "reference/linear_faults.h"
#include "tepui/erode/gradation.h"
#include "tepui/generate/circular_faults.h"
#include "tepui/generate/linear_faults.h"
#include "tepui/geology/materials.h"

namespace tepui::bench {

namespace {

/// A line of the tables: millions of cells as the paper's grid of so many points, and milliseconds.
struct Size {
  int millions;
  int64_t width, height;
  double linear, circular;
};
constexpr Size sizes[] = {{1, 1000, 1000, 53, 38},   {2, 2000, 1000, 99, 69},   {3, 2000, 1500, 145, 100},
                          {4, 2000, 2000, 191, 132}, {5, 2500, 2000, 236, 163}, {6, 3000, 2000, 281, 195},
                          {7, 7000, 1000, 327, 227}, {8, 4000, 2000, 372, 258}, {9, 3000, 3000, 416, 290}};

Frame world_of(const Size& size) {
  return make_world({static_cast<double>(size.width - 1), static_cast<double>(size.height - 1)}, size.width);
}

Row row_of(const Size& size, double paper_milliseconds) {
  Row row;
  row.size = fmt::format("{}x{}", size.width, size.height);
  row.items = static_cast<double>(size.width * size.height);
  row.paper_seconds = paper_milliseconds / 1000;
  return row;
}

Row circular(const Size& size) {
  const Frame world = world_of(size);
  CircularFaultsParams params;
  params.faults = 1000;
  params.radius = {metres(250), metres(250)};
  Row row = row_of(size, size.circular);
  row.fast = [=] { circular_faults(world, params, Context()); };
  row.reference = [=] { reference::circular_faults(world, params); };
  row.hash = [=] { return circular_faults(world, params, Context()).hash(); };
  return row;
}

Row linear(const Size& size) {
  const Frame world = world_of(size);
  LinearFaultsParams params;
  params.faults = 1000;
  Row row = row_of(size, size.linear);
  row.fast = [=] { linear_faults(world, params, Context()); };
  row.reference = [=] { reference::linear_faults(world, params); };
  row.hash = [=] { return linear_faults(world, params, Context()).hash(); };
  return row;
}

/// The paper tells of the largest size only: not above 20 ms.
Row classification(const Size& size) {
  const Terrain land = circular_faults(world_of(size), {}, Context());
  const MaterialsParams nine{9};
  Row row = row_of(size, size.millions == 9 ? 20 : 0);
  row.fast = [=] { materials(land, nullptr, nine, Context()); };
  row.reference = [=] { reference::materials(land, nine); };
  row.hash = [=] { return materials(land, nullptr, nine, Context()).hash(); };
  return row;
}

/// Not above 60 ms.
Row grading(const Size& size) {
  const Terrain land = materials(circular_faults(world_of(size), {}, Context()), nullptr, {9}, Context());
  Row row = row_of(size, size.millions == 9 ? 60 : 0);
  row.fast = [=] { gradation(land, nullptr, {}, Context()); };
  row.reference = [=] { reference::gradation(land, {}); };
  row.hash = [=] { return gradation(land, nullptr, {}, Context()).hash(); };
  return row;
}

[[maybe_unused]] const bool listed = [] {
  for (const Size& size : sizes) {
    const auto add = [&](const char* what, Row (*prepare)(const Size&)) {
      Registrar(fmt::format("paper-000/{}/{} M cells", what, size.millions),
                [&size, prepare] { return prepare(size); });
    };
    add("table-2/circular faults", circular);
    add("table-2/linear faults", linear);
    add("table-3/classification", classification);
    add("table-3/gradation", grading);
  }
  return true;
}();

}  // namespace

}  // namespace tepui::bench
