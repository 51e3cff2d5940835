#include "tepui/output/example.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tepui/geology/geology.h"
#include "tepui/mesh/mesh.h"
#include "tepui/planet/planet_value.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/operators.h"
#include "tepui/terrain/lines.h"
#include "tepui/volume/volume.h"
#include "tests/support/support.h"

namespace tepui::example_test {

namespace {

constexpr int64_t small = 129;

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

struct Look {
  bool finite = true;
  double low = 0, high = 0;
  double commonest = 0;  ///< share of the value that most cells have
};

Look look_at(const Grid<float>& grid) {
  std::vector<float> cells(grid.cells().begin(), grid.cells().end());
  Look look;
  look.finite = std::ranges::all_of(cells, [](float z) { return std::isfinite(z); });
  std::ranges::sort(cells);
  look.low = cells.front();
  look.high = cells.back();
  size_t run = 0, longest = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    run = i > 0 && cells[i] == cells[i - 1] ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  look.commonest = static_cast<double>(longest) / static_cast<double>(cells.size());
  return look;
}

void expect_worth_looking_at(const Terrain& land, const Example& example) {
  for (const Layer& layer : land.layers()) EXPECT_TRUE(look_at(layer.grid()).finite) << layer.name;
  const Look ground = look_at(land.height());
  EXPECT_GT(ground.high - ground.low, 0.5 * land.relief().span());
  // Of continents it is little beside their width.
  EXPECT_GT(ground.high - ground.low, std::min(0.05 * land.frame().shorter_side(), 1000.0));
  EXPECT_LT(ground.commonest, 0.5);
  if (!example.layer.empty()) {
    const Look layer = look_at(land.layer(example.layer).grid());
    EXPECT_GT(layer.high, layer.low);
    EXPECT_LT(layer.commonest, 0.75) << example.layer;
  }
  if (!example.before.empty()) {
    EXPECT_NE(land.hash(), example.before.hash());
  }
}

void expect_worth_looking_at(const Lines& lines, const Example& example) {
  const LinesExtent extent = extent_of(lines);
  EXPECT_GT(extent.points, 100u);
  EXPECT_GT(extent.high.z - extent.low.z, 0.05 * example.world.shorter_side());
}

/// Neither full nor empty, and its surface no box: rock here and there on the way through the middle.
void expect_worth_looking_at(const Volume& volume, const Example&) {
  const Box3 box = volume.support();
  ASSERT_FALSE(box.empty());
  constexpr int side = 24;
  int rock = 0;
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3 u{(i % side + 0.5) / side, (i / side % side + 0.5) / side, (i / side / side + 0.5) / side};
    rock += volume.inside({box.low.x + u.x * (box.high.x - box.low.x), box.low.y + u.y * (box.high.y - box.low.y),
                           box.low.z + u.z * (box.high.z - box.low.z)})
                ? 1
                : 0;
  }
  EXPECT_GT(rock, 0.02 * side * side * side);
  EXPECT_LT(rock, 0.98 * side * side * side);
}

void expect_worth_looking_at(const Mesh& mesh, const Example&) {
  const auto [low, high] = mesh.world_bounds();
  EXPECT_GT(mesh.triangles().size(), 1000u);
  EXPECT_GT(std::min({high.x - low.x, high.y - low.y, high.z - low.z}), 0);
}

/// Rock of several resistances, none of which is most of it.
void expect_worth_looking_at(const Geology& rock, const Example& example) {
  const Interval levels = rock.root().levels();
  EXPECT_LT(levels.low, levels.high);
  std::map<float, int> counts;
  constexpr int side = 32;
  for (int i = 0; i < side * side; ++i) {
    const double u = (i % side + 0.5) / side, v = (i / side + 0.5) / side;
    ++counts[rock.resistance({example.world.origin.x + u * example.world.size.x,
                              example.world.origin.y + 0.5 * example.world.size.y,
                              levels.low + v * (levels.high - levels.low)})];
  }
  for (const auto& [rho, count] : counts) EXPECT_LT(count, 0.75 * side * side) << rho;
}

/// Land and sea, mountains and deep floors.
void expect_worth_looking_at(const Planet& planet, const Example&) {
  const std::vector<double>& height = planet.land().height;
  const auto above = [&](double level) {
    return static_cast<double>(std::ranges::count_if(height, [&](double h) { return h > level; })) /
           static_cast<double>(height.size());
  };
  EXPECT_GT(above(0), 0.1);
  EXPECT_LT(above(0), 0.9);
  EXPECT_GT(above(1500), 0.005);
  EXPECT_LT(above(-3000), 0.8);
}

template <class T>
bool look_if(const Example& example) {
  const T* value = example.value.find<T>();
  if (value != nullptr) expect_worth_looking_at(*value, example);
  return value != nullptr;
}

}  // namespace

TEST(Examples, ShowTheirOperatorOnceInALineThatAShellTakes) {
  for (const Operator& op : operators()) {
    SCOPED_TRACE(op.name);
    const std::string line = example_line(op);
    EXPECT_TRUE(op.params.example.empty() || count_of(op.params.example, "{}") == 1) << op.params.example;
    EXPECT_EQ(count_of(" " + line + " ", " " + op.name + " "), 1u) << line;
    EXPECT_EQ(line.find('\''), std::string::npos) << line;
  }
}

TEST(Examples, EveryOperatorAtItsDefaultsIsWorthLookingAt) {
  Examples examples;
  for (const Operator& op : operators()) {
    SCOPED_TRACE(op.name + ": " + example_line(op));
    const Example example = examples.make(op, "", small, {});
    EXPECT_TRUE(example.recipe.warnings.empty());
    const bool looked = look_if<Terrain>(example) || look_if<Lines>(example) || look_if<Volume>(example) ||
                        look_if<Mesh>(example) || look_if<Geology>(example) || look_if<Planet>(example);
    EXPECT_TRUE(looked) << "nothing here knows what to look for";
  }
}

TEST(Examples, EveryOperatorHasAMainParameterWhoseValuesShow) {
  Examples examples;
  for (const Operator& op : operators()) {
    const auto swept = [](const Field& field) { return !field.sweep.empty(); };
    EXPECT_TRUE(std::ranges::any_of(op.params.fields, swept)) << op.name << " has no .sweep()";
    for (const Field& field : op.params.fields) {
      std::set<Hash> values;
      for (const std::string& value : field.sweep) {
        SCOPED_TRACE(op.name + " " + field.name + "=" + value);
        EXPECT_NO_THROW(values.insert(examples.make(op, field.name + "=" + value, small, {}).value.hash()));
      }
      EXPECT_TRUE(field.sweep.empty() || values.size() == 3) << op.name << " " << field.name;
    }
  }
}

TEST(Examples, AreColouredByTheLayerThatTheirOperatorAdds) {
  Examples examples;
  const std::map<std::string, std::string> added{{"materials", "material"},
                                                 {"hardness", "hardness"},
                                                 {"mask", "mask"},
                                                 {"slope", "slope"},
                                                 {"aspect", "aspect"},
                                                 {"curvature", "curvature"},
                                                 {"roughness", "roughness"},
                                                 {"hillshade", "hillshade"},
                                                 {"relative_height", "relative_height"},
                                                 {"accessibility", "accessibility"},
                                                 {"flow", "drainage"},
                                                 {"lakes", "water"},
                                                 {"plants", "grass"},
                                                 {"soil", "soil"},
                                                 {"strahler", "strahler"},
                                                 {"stream_power_index", "stream_power_index"},
                                                 {"watersheds", "watershed"},
                                                 {"wetness", "wetness"}};
  for (const Operator& op : operators()) {
    const auto found = added.find(op.name);
    EXPECT_EQ(examples.make(op, "", small, {}).layer, found == added.end() ? "" : found->second) << op.name;
  }
}

TEST(Examples, RefuseASettingThatTheOperatorDoesNotHave) {
  Examples examples;
  EXPECT_NE(test::error_of([&] { examples.make(require_operator("noise"), "octavs=3", small, {}); }).find("octaves"),
            std::string::npos);
}

}  // namespace tepui::example_test
