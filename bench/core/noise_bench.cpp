#include "tepui/core/noise.h"

#include <memory>
#include <vector>

#include "bench/bench.h"
#include "reference/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"

namespace tepui {

TEPUI_BENCH("core/simplex_fbm_3d/1M") {
  struct Work {
    std::vector<double> x, y, z;
    std::vector<float> out;
  };
  constexpr size_t count = 1 << 20;
  NoiseSpec spec;
  spec.scale = 100;
  spec.octaves = 5;
  spec.key = 7;
  const auto work = std::make_shared<Work>();
  const Stream stream(1);
  for (size_t i = 0; i < count; ++i) {
    work->x.push_back(stream.uniform(i, 0, 0, 10'000));
    work->y.push_back(stream.uniform(i, 1, 0, 10'000));
    work->z.push_back(stream.uniform(i, 2, 0, 1'000));
  }
  work->out.resize(count);
  const Noise noise(spec);

  bench::Row row;
  row.size = "1M";
  row.items = count;
  row.fast = [work, noise] {
    parallel_chunks(count, 1 << 14, {}, [&](int64_t begin, int64_t end) {
      const auto first = static_cast<size_t>(begin), size = static_cast<size_t>(end - begin);
      noise.points(std::span(work->x).subspan(first, size), std::span(work->y).subspan(first, size),
                   std::span(work->z).subspan(first, size), std::span(work->out).subspan(first, size));
    });
  };
  row.reference = [work, spec, octaves = noise_octaves(spec)] {
    std::vector<float> plain(count);
    for (size_t i = 0; i < count; ++i)
      plain[i] = static_cast<float>(reference::noise(spec, octaves, work->x[i], work->y[i], work->z[i]));
  };
  row.hash = [work] { return hash_large(work->out.data(), work->out.size() * sizeof(float)); };
  return row;
}

}  // namespace tepui
