// Windows of land have the samples that the whole land has there.
#include "tepui/graph/land_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tepui/core/pool.h"
#include "tepui/core/random.h"
#include "tepui/output/plan.h"
#include "tepui/recipe/operators.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::land_windows_test {

namespace {

Plan parse(const std::string& text, const Overrides& overrides = {}) {
  return plan(parse_recipe({"test.json", text}, overrides));
}

/// A window of the frame, its size and place drawn; every side may lie on the border.
Frame random_window(const Frame& frame, const Stream& stream, uint64_t index) {
  const auto draw = [&](uint64_t channel, int64_t count) {
    return static_cast<int64_t>(stream.uniform(index, channel, 0, static_cast<double>(count)));
  };
  const auto side = [&](uint64_t channel, int64_t count) {
    const int64_t a = draw(channel, count), b = draw(channel + 1, count);
    // One in four is a single row or column.
    return draw(channel + 2, 4) == 0 ? std::pair(a, a) : std::pair(std::min(a, b), std::max(a, b));
  };
  const auto [west, east] = side(0, frame.width);
  const auto [south, north] = side(3, frame.height);
  return frame.window(west, south, east - west + 1, north - south + 1);
}

Hash hash_of_crop(const Value& whole, const Frame& window) { return whole.kind().window(whole, window, {}).hash(); }

/// Whether the node is computed by windows; compares some of them with the whole.
bool compare_windows(const Graph& graph, int node, int count, uint64_t seed) {
  ValueCache cache(size_t{1} << 28);
  const Value whole = evaluate(graph, {node}, cache, {}).values[0];
  LandWindows windows = land_windows(graph, node, cache, {});
  EXPECT_EQ(windows.frame().hash(), whole.kind().lies(whole).hash());
  const Stream stream(seed);
  for (int i = 0; i < count; ++i) {
    const Frame frame = random_window(windows.frame(), stream, static_cast<uint64_t>(i));
    EXPECT_EQ(windows.window(frame, {}).hash(), hash_of_crop(whole, frame))
        << graph.node(node).name << " (" << graph.node(node).op->name << ") at " << frame.first_x << ", "
        << frame.first_y << ": " << frame_text(frame);
  }
  EXPECT_EQ(windows.window(windows.frame(), {}).hash(), whole.hash()) << graph.node(node).name;
  return LandChain(graph, node).is_by_windows();
}

/// Words of a recipe's nodes, grown at random from generators through operators that can be computed by windows.
class RandomChain {
 public:
  explicit RandomChain(uint64_t seed) : stream_(seed) {}

  std::string text() {
    add_generator();
    add_generator();
    const int more = 1 + draw(5);
    for (int i = 0; i < more; ++i) add_operator();
    const int resolution = draw(6) == 0 ? 1 + draw(4) : 17 + draw(60);
    return fmt::format(
        R"({{ "tepui": 1, "seed": {}, "world": {{ "size": [{}, {}], "resolution": {}, "origin": [{}, {}] }},
              "nodes": {{ {} }} }})",
        draw(1000), 100 + draw(900), 100 + draw(900), resolution, draw(3) * 512, draw(3) * 100 - 100,
        fmt::join(nodes_, ",\n"));
  }

 private:
  int draw(int count) { return static_cast<int>(stream_.uniform(index_++, 0, 0, count)); }

  void add(const std::string& words, int frame) {
    nodes_.push_back(fmt::format(R"("n{}": {{ {}, "doc": "" }})", nodes_.size(), words));
    frames_.push_back(frame);
    materials_.push_back(false);
  }

  void add_generator() {
    static const std::vector<std::string> words = {R"("op": "noise", "warp": "5%", "octaves": 4)",
                                                   R"("op": "noise", "sum": "ridged", "normalise": "none")",
                                                   R"("op": "brownian", "hurst": 0.4)",
                                                   R"("op": "circular_faults", "faults": 60)",
                                                   R"("op": "linear_faults", "faults": 50)",
                                                   R"("op": "uplift")",
                                                   R"("op": "diamond_square")",
                                                   R"("op": "shape", "kind": "pyramid", "rotation": 20)",
                                                   R"("op": "table_mountain", "faults": 40, "levelling": "3%")",
                                                   R"("op": "noise", "normalise": "samples")"};
    add(words[static_cast<size_t>(draw(static_cast<int>(words.size())))] + fmt::format(", \"height\": 80"), 0);
  }

  void add_operator() {
    const size_t from = nodes_.size() - 1 - static_cast<size_t>(draw(2));
    const int frame = frames_[from];
    const std::string in = fmt::format(R"("in": "n{}")", from);
    static const std::vector<std::string> by = {"height", "relief", "slope", "aspect", "curvature", "noise"};
    switch (draw(11)) {
      case 9:
        return add(fmt::format(R"("op": "soil", {}, "smoothing": "{}%")", in, 1 + draw(20)), frame);
      case 10:
        add(fmt::format(R"("op": "soil", {})", in), frame);
        add(fmt::format(R"("op": "climate", "in": "n{}")", nodes_.size() - 1), frame);
        return add(fmt::format(R"("op": "plants", "in": "n{}", "stands": 90)", nodes_.size() - 1), frame);
      case 0:
        return add(fmt::format(R"("op": "adjust", {}, "scale": 1.5, "terraces": {})", in, draw(6)), frame);
      case 1:
        return add(fmt::format(R"("op": "materials", {}, "count": {})", in, 2 + draw(5)), frame);
      case 2:
        return add(fmt::format(R"("op": "levelling", {}, "radius": "{}%")", in, draw(30)), frame);
      case 3:
        return add(fmt::format(R"("op": "mask", {}, "by": "{}", "range": [-50, 60], "scale": "{}%")", in,
                               by[static_cast<size_t>(draw(6))], 1 + draw(60)),
                   frame);
      case 4:
        return add(
            fmt::format(R"("op": "crop", {}, "x": ["{}%", "100%"], "y": ["0%", "{}%"])", in, draw(40), 60 + draw(40)),
            static_cast<int>(nodes_.size()));
      case 5:
        return add(fmt::format(R"("op": "resample", {}, "resolution": {})", in, 2 + draw(90)),
                   static_cast<int>(nodes_.size()));
      case 6: {
        const size_t with = static_cast<size_t>(draw(static_cast<int>(nodes_.size())));
        if (frames_[with] != frame) return add(fmt::format(R"("op": "resample", {}, "like": "n{}")", in, from), frame);
        return add(
            fmt::format(R"("op": "combine", {}, "with": "n{}", "mode": "{}")", in, with, draw(2) == 0 ? "max" : "add"),
            frame);
      }
      case 7:
        return add_measure(in, frame);
      default:
        add(fmt::format(R"("op": "materials", {}, "count": 4)", in), frame);
        return add(fmt::format(R"("op": "gradation", "in": "n{}", "erosion": 0.4)", nodes_.size() - 1), frame);
    }
  }

  void add_measure(const std::string& in, int frame) {
    static const std::vector<std::string> words = {R"("op": "slope", "distance": "{}%")",
                                                   R"("op": "aspect", "distance": "{}%")",
                                                   R"("op": "curvature", "distance": "{}%")",
                                                   R"("op": "curvature", "kind": "plan", "distance": "{}%")",
                                                   R"("op": "hillshade", "multidirectional": true, "distance": "{}%")",
                                                   R"("op": "roughness", "radius": "{}%")",
                                                   R"("op": "roughness", "measure": "range", "radius": "{}%")",
                                                   R"("op": "relative_height", "radius": "{}%")",
                                                   R"("op": "relative_height", "measure": "share", "radius": "{}%")",
                                                   R"("op": "accessibility", "radius": "{}%")"};
    std::string chosen = words[static_cast<size_t>(draw(static_cast<int>(words.size())))];
    chosen.replace(chosen.find("{}"), 2, std::to_string(1 + draw(40)));
    add(chosen + ", " + in, frame);
  }

  Stream stream_;
  uint64_t index_ = 0;
  std::vector<std::string> nodes_;
  std::vector<int> frames_;  ///< nodes of one number lie on the same samples
  std::vector<bool> materials_;
};

std::vector<std::string> shipped_recipes() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("recipes"))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

struct GuidedParams {};
void describe(Fields<GuidedParams>& f) {
  f.about("Land higher by the mean of its guide");
  f.reach(Reach::point);
}
Terrain guided(const Terrain& in, const Terrain& guide, const GuidedParams&, const Context& context) {
  double sum = 0;
  for (const float z : guide.height().cells()) sum += static_cast<double>(z);
  const auto mean = static_cast<float>(sum / static_cast<double>(guide.height().size()));
  Grid<float> raised = in.height().clone();
  for (float& z : raised.cells()) z += mean;
  context.tell("guide", static_cast<double>(guide.frame().width));
  context.warn("raised");
  return in.with_height(std::move(raised));
}
const Operator guided_op = [] {
  Operator made = op<guided>("test/guided", 1, "", {"in", "guide"});
  made.lattices[1] = [](const std::vector<ParamValue>&, const Frame& frame) {
    return make_world(frame.size, 9, frame.origin);
  };
  return made;
}();

/// The recipe with a node at its end whose guide is the node before it.
Plan with_guided(Plan recipe) {
  const int last = static_cast<int>(recipe.nodes.size()) - 1;
  recipe.nodes.push_back({"guided", &guided_op, {{{last, "", {}}}, {{last, "", {}}}}, {}, {}});
  return recipe;
}

double mean_of(const Value& land) {
  double sum = 0;
  for (const float z : get<Terrain>(land).height().cells()) sum += static_cast<double>(z);
  return sum / static_cast<double>(get<Terrain>(land).height().size());
}

constexpr const char* smooth = R"({ "tepui": 1, "seed": 5, "world": { "size": 640, "resolution": 65 }, "nodes": {
    "hills": { "op": "noise", "height": 90 },
    "land": { "op": "levelling", "in": "hills", "radius": 100 } } })";
constexpr const char* worn = R"({ "tepui": 1, "seed": 5, "world": { "size": 640, "resolution": 65 }, "nodes": {
    "hills": { "op": "noise", "height": 90 },
    "land": { "op": "thermal", "in": "hills", "steps": 4 } } })";

}  // namespace

TEST(LandWindows, LandOnSamplesOfAnOperatorsOwnIsComputedThere) {
  const Plan recipe = with_guided(parse(smooth));
  ValueCache cache(size_t{1} << 28);
  const Evaluation all = evaluate(recipe, {1, 2}, cache, {});
  const Plan coarse = parse(smooth, {.resolution = 9});
  const double mean = mean_of(evaluate(coarse, {1}, cache, {}).values[0]);
  const auto raised =
      static_cast<double>(get<Terrain>(all.values[1]).height()(3, 4) - get<Terrain>(all.values[0]).height()(3, 4));
  EXPECT_NEAR(raised, mean, 1e-3);
  EXPECT_EQ(all.facts[1].told, (std::vector<ToldNumber>{{"guide", 9, ""}}));
  // By windows, too.
  EXPECT_TRUE(compare_windows(recipe, 2, 8, 3));
  // Its guide is not computed on the land's samples for it, and its key follows what the guide is made of.
  const Plan other = with_guided(parse(smooth, {.set = {"land.radius=200"}}));
  EXPECT_NE(evaluate(other, {2}, cache, {}).facts[0].hash, all.facts[1].hash);
  EXPECT_TRUE(evaluate(with_guided(parse(smooth)), {2}, cache, {}).cached[0]);
}

TEST(LandWindows, LandThatCannotBeComputedElsewhereIsResampled) {
  const Plan recipe = with_guided(parse(worn));
  ValueCache cache(size_t{1} << 28);
  const Evaluation all = evaluate(recipe, {1, 2}, cache, {});
  const Value& land = all.values[0];
  const double mean = mean_of(land.kind().resampled(land, make_world({640, 640}, 9), {}));
  const auto raised =
      static_cast<double>(get<Terrain>(all.values[1]).height()(3, 4) - get<Terrain>(land).height()(3, 4));
  EXPECT_NEAR(raised, mean, 1e-3);
  EXPECT_TRUE(compare_windows(recipe, 2, 8, 3));
}

TEST(LandWindows, TakeTheMemoryOfWindows) {
  const Plan recipe = parse(R"({ "tepui": 1, "world": { "size": 65536, "resolution": 16385 }, "nodes": {
    "faults": { "op": "circular_faults", "faults": 300 }, "rock": { "op": "materials", "in": "faults" },
    "mesa": { "op": "gradation", "in": "rock" }, "even": { "op": "levelling", "in": "mesa", "radius": 200 },
    "hills": { "op": "noise", "octaves": 3 }, "land": { "op": "combine", "in": "even", "with": "hills" },
    "steep": { "op": "mask", "in": "land", "by": "curvature", "scale": 100 },
    "half": { "op": "resample", "in": "steep", "resolution": 8193 } } })");
  ValueCache cache(0);
  LandWindows windows = land_windows(recipe, recipe.find_node("half"), cache, {});
  EXPECT_EQ(windows.frame().width, 8193);
  pool_reset_peak();
  const size_t before = pool_use().used;
  for (const int64_t x : {0, 4096, 7680}) {
    const Value window = windows.window(windows.frame().window(x, 4096, 513, 513), {});
    EXPECT_EQ(window.kind().lies(window).width, 513);
  }
  EXPECT_LT(pool_use().peak - before, size_t{64} << 20);
}

TEST(LandWindows, AFailureNamesTheNode) {
  const Plan recipe = parse(R"({ "tepui": 1, "world": { "size": 100, "resolution": 33 }, "nodes": {
    "n": { "op": "noise" }, "h": { "op": "gradation", "in": "n" }, "s": { "op": "levelling", "in": "h" },
    "c": { "op": "crop", "in": "n", "x": [200, 300] }, "x": { "op": "combine", "in": "n", "with": "r" },
    "r": { "op": "resample", "in": "n", "resolution": 9 } } })");
  ValueCache cache(0);
  const auto refusal = [&](const char* node) {
    return test::error_of([&] {
      LandWindows windows = land_windows(recipe, recipe.find_node(node), cache, {});
      windows.window(windows.frame(), {});
    });
  };
  EXPECT_CONTAINS(refusal("s"), "node 'h': this land has neither");
  EXPECT_CONTAINS(refusal("c"), "node 'c': no sample lies within");
  EXPECT_CONTAINS(refusal("x"), "node 'x': 'in' (33 x 33 samples of 3.125 m) and 'with' (9 x 9");
}

TEST(LandWindows, WhatEveryWindowHasToSayIsSaidOnce) {
  class Said : public ProgressSink {
   public:
    void progress(int, std::string_view, double) override {}
    void warn(std::string_view message) override { list.emplace_back(message); }
    void told(int, std::string_view, double, std::string_view) override { ADD_FAILURE() << "of a window"; }
    std::vector<std::string> list;
  };
  const Plan recipe = with_guided(parse(smooth));
  ValueCache cache(0);
  LandWindows windows = land_windows(recipe, 2, cache, {});
  Said said;
  for (const int64_t x : {0, 10, 20}) windows.window(windows.frame().window(x, 0, 9, 9), Context(&said, nullptr));
  EXPECT_EQ(said.list, std::vector<std::string>{"raised"});
}

TEST(LandWindows, ACancelledWindowStops) {
  const Plan recipe = parse(smooth);
  ValueCache cache(0);
  LandWindows windows = land_windows(recipe, 1, cache, {});
  CancelFlag flag{true};
  try {
    windows.window(windows.frame(), Context(nullptr, &flag));
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_EQ(windows.window(windows.frame(), {}).hash(), evaluate(recipe, {1}, cache, {}).values[0].hash());
}

TEST(LandWindows, AWindowIsTheCropOfTheWholeInEveryRecipe) {
  int by_windows = 0;
  for (const std::string& path : shipped_recipes()) {
    SCOPED_TRACE(path);
    const Plan recipe = plan(load_recipe(path, {.test_size = true}));
    for (size_t i = 0; i < recipe.nodes.size(); ++i)
      if (recipe.nodes[i].op->output->has_samples())
        by_windows += compare_windows(recipe, static_cast<int>(i), 3, 17 * i + path.size());
  }
  EXPECT_GT(by_windows, 50);
}

RC_GTEST_PROP(LandWindows, AWindowIsTheCropOfTheWholeOfAnyChain, ()) {
  const auto seed = *rc::gen::arbitrary<uint32_t>();
  const std::string text = RandomChain(seed).text();
  const Plan recipe = parse(text);
  std::string refusal;
  try {
    ValueCache cache(0);
    evaluate(recipe, {static_cast<int>(recipe.nodes.size()) - 1}, cache, {});
  } catch (const Error& error) {
    refusal = error.message();
  }
  if (!refusal.empty()) RC_DISCARD(refusal);
  compare_windows(recipe, static_cast<int>(recipe.nodes.size()) - 1, 6, seed);
  if (::testing::Test::HasFailure()) RC_FAIL(text);
}

}  // namespace tepui::land_windows_test
