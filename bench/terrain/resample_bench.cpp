#include "tepui/terrain/resample.h"

#include <memory>

#include "bench/bench.h"
#include "reference/resample.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

struct Lands {
  Terrain in, like, out;
};

/// Waves over a world of 4096 m on its own samples, to be brought to those of another.
std::shared_ptr<Lands> lands(int64_t resolution, int64_t wanted) {
  const auto on = [](int64_t samples) { return make_world({4096, 4096}, samples); };
  const Frame frame = on(resolution);
  Grid<float> z(frame.width, frame.height);
  for (int64_t y = 0; y < frame.height; ++y) {
    const double wave = math::sin(frame.y(y) / 190);
    for (int64_t x = 0; x < frame.width; ++x) z(x, y) = static_cast<float>(400 + 200 * wave * (frame.x(x) / 4096));
  }
  return std::make_shared<Lands>(
      Lands{Terrain(frame, {0, 600}, std::move(z)), Terrain(on(wanted), {0, 600}), Terrain()});
}

bench::Row row(int64_t resolution, int64_t wanted) {
  const auto l = lands(resolution, wanted);
  bench::Row result;
  result.fast = [l] { l->out = resample(l->in, &l->like, {}, Context()); };
  result.reference = [l] { reference::resample(l->in.height(), l->in.frame(), l->like.frame()); };
  result.hash = [l] { return l->out.hash(); };
  result.size = "4096x4096";
  result.items = 4096.0 * 4096.0;
  return result;
}

}  // namespace

TEPUI_BENCH("terrain/resample_down/4096x4096") { return row(4096, 1024); }

TEPUI_BENCH("terrain/resample_up/4096x4096") { return row(1024, 4096); }

}  // namespace tepui
