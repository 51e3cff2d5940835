#include <memory>

#include "bench/bench.h"
#include "reference/paint.h"
#include "tepui/core/random.h"
#include "tepui/terrain/lines_builder.h"

namespace tepui {

namespace {

/// Strokes of six points, a few brush widths long, all over a world of `size` metres.
Lines many_strokes(int count, double size) {
  constexpr const char* tools[] = {"raise", "lower", "level", "set"};
  const Stream stream(11);
  uint64_t draw = 0;
  const auto next = [&] { return stream.uniform(draw++); };
  LinesBuilder builder;
  const auto tool = builder.text("tool");
  const auto amount = builder.number("amount", "m");
  for (int i = 0; i < count; ++i) {
    builder.begin(FeatureShape::line);
    Vec3 at{size * next(), size * next(), 0};
    std::vector<Vec3> way;
    for (int k = 0; k < 6; ++k) {
      way.push_back(at);
      at = at + Vec3{60 * (next() - 0.5), 60 * (next() - 0.5), 0};
    }
    builder.part(way);
    builder.set(tool, tools[i % 4]);
    builder.set(amount, 8 * next());
  }
  return std::move(builder).build();
}

Terrain level_land(double size, int64_t side) {
  return Terrain(make_world({size, size}, side), {0, 1}, Grid<float>(side, side, 0.0f));
}

}  // namespace

TEPUI_BENCH("terrain/paint/2049x2049/1000_strokes") {
  constexpr int64_t side = 2049, plain_side = 129;
  constexpr int strokes = 1000, plain_strokes = 40;
  constexpr double size = 4096;
  PaintParams params;
  params.radius = metres(40);
  struct State {
    Terrain land, small, result;
    Lines strokes, few;
  };
  const auto state =
      std::make_shared<State>(State{level_land(size, side), level_land(size / 16, plain_side), Terrain(),
                                    many_strokes(strokes, size), many_strokes(plain_strokes, size / 16)});
  bench::Row row;
  row.fast = [=] { state->result = paint(state->land, state->strokes, params, Context()); };
  row.reference = [=] { reference::paint(state->small, state->few, params); };
  // The twin goes through all samples for every stroke.
  row.reference_part = static_cast<double>(plain_side * plain_side * plain_strokes) / (1.0 * side * side * strokes);
  row.hash = [=] { return state->result.hash(); };
  row.size = "1000 strokes";
  row.items = strokes;
  return row;
}

}  // namespace tepui
