#include "tepui/generate/noise.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr int64_t cells_per_chunk = 1 << 14;
constexpr int64_t cells_per_run = 1 << 10;
constexpr int warp_octaves = 2;

/// One recipe over runs of cells; the positions of a run lie on the stack.
class Evaluator {
 public:
  explicit Evaluator(const NoiseRecipe& recipe)
      : sum_(recipe.sum), warp_x_(recipe.warp_x), warp_y_(recipe.warp_y), warp_(recipe.warp) {}

  void at(std::span<double> x, std::span<double> y, std::span<float> out) const {
    if (warp_ > 0) {
      std::array<float, cells_per_run> shift_x, shift_y;
      const size_t count = x.size();
      warp_x_.points(x, y, std::span(shift_x).first(count));
      warp_y_.points(x, y, std::span(shift_y).first(count));
      for (size_t i = 0; i < count; ++i) {
        x[i] += warp_ * static_cast<double>(shift_x[i]);
        y[i] += warp_ * static_cast<double>(shift_y[i]);
      }
    }
    sum_.points(x, y, out);
  }

 private:
  Noise sum_, warp_x_, warp_y_;
  double warp_;
};

Grid<float> evaluate(const Frame& frame, const Evaluator& evaluator, const Context& context) {
  Grid<float> raw(frame.width, frame.height);
  std::vector<double> columns(static_cast<size_t>(frame.width));
  for (int64_t i = 0; i < frame.width; ++i) columns[static_cast<size_t>(i)] = frame.x(i);
  // Runs go on over the ends of rows, so that narrow land fills them as well.
  parallel_chunks(raw.size(), cells_per_chunk, context, [&](int64_t begin, int64_t end) {
    std::array<double, cells_per_run> x, y;
    for (int64_t first = begin; first < end; first += cells_per_run) {
      const int64_t count = std::min(cells_per_run, end - first);
      for (int64_t done = 0; done < count;) {
        const int64_t row = (first + done) / frame.width, column = (first + done) % frame.width;
        const int64_t part = std::min(count - done, frame.width - column);
        std::copy_n(columns.data() + column, part, x.data() + done);
        std::fill_n(y.data() + done, part, frame.y(row));
        done += part;
      }
      const auto size = static_cast<size_t>(count);
      evaluator.at(std::span(x).first(size), std::span(y).first(size), std::span(raw.data() + first, size));
    }
  });
  return raw;
}

}  // namespace

void describe(Fields<NoiseParams>& f) {
  f.about("Hills, ridges or lumps from noise summed over octaves");
  reach_of_normalised(f);
  f("kind", &NoiseParams::kind, {"simplex", "value"},
    "kind of noise: simplex is smoother and has no preferred direction");
  f("sum", &NoiseParams::sum, {"fbm", "ridged", "billow"},
    "how octaves are summed: rolling land (fbm), crests (ridged) or lumps (billow)")
      .sweep("fbm", "ridged", "billow");
  f("scale", &NoiseParams::scale, Range{0.001, 1e9}, "distance between the largest hills")
      .slider(5, 200)
      .sweep("20%", "60%", "150%");
  f("octaves", &NoiseParams::octaves, Range{1, 16}, "number of layers of ever finer detail");
  f("lacunarity", &NoiseParams::lacunarity, Range{1, 4}, "how much finer each octave is than the one before")
      .slider(1.5, 3);
  f("gain", &NoiseParams::gain, Range{0, 1},
    "how much lower each octave is than the one before; auto: 0.46, of ridges 0.4")
      .slider(0.3, 0.7);
  f("height", &NoiseParams::height, Range{0, 1e6},
    "height from the lowest to the highest point; auto: 15 %, of ridges, which lie closer, 9 %")
      .slider(0, 40);
  f("warp", &NoiseParams::warp, Range{0, 1e9}, "largest distance by which hills are distorted").slider(0, 25);
  f("normalise", &NoiseParams::normalise, {"world", "samples", "none"},
    "where the range that becomes the height is measured: over the whole world, on these samples, or not at all");
  f.seed(&NoiseParams::seed);
}

double noise_gain(const NoiseParams& params) {
  return params.gain.value_or(params.sum == NoiseSum::ridged ? 0.4 : 0.46);
}

Length noise_height(const NoiseParams& params) {
  return params.height.value_or(percent(params.sum == NoiseSum::ridged ? 9 : 15));
}

NoiseRecipe noise_recipe(const Frame& world, const NoiseParams& params) {
  const Stream stream = params.seed.stream("noise");
  NoiseRecipe recipe;
  recipe.sum = {params.kind,       params.sum,         params.scale.in(world), params.octaves,
                params.lacunarity, noise_gain(params), stream.bits(0)};
  recipe.warp_x = recipe.sum;
  recipe.warp_x.kind = NoiseKind::simplex;
  recipe.warp_x.sum = NoiseSum::fbm;
  recipe.warp_x.octaves = std::min(params.octaves, warp_octaves);
  recipe.warp_y = recipe.warp_x;
  recipe.warp_x.key = stream.bits(1);
  recipe.warp_y.key = stream.bits(2);
  recipe.warp = params.warp.in(world);
  return recipe;
}

Terrain noise(const Frame& world, const NoiseParams& params, const Context& context) {
  return noise_land(world, noise_recipe(world, params), params.normalise, noise_height(params).in(world), context);
}

Terrain noise_land(const Frame& world, const NoiseRecipe& recipe, Normalise normalise, double height,
                   const Context& context) {
  require_fine_positions(world, recipe.sum, recipe.warp);
  const Evaluator evaluator(recipe);
  const auto stage = [&](double from, double to) { return context.stage("noise", from, to); };
  MinMax range{-1, 1};
  if (normalise == Normalise::world) {
    const Grid<float> lattice = evaluate(world.measuring_lattice(), evaluator, stage(0, 0.1));
    range = min_max(lattice, stage(0.1, 0.1));
  }
  Grid<float> raw = evaluate(world, evaluator, stage(0.1, 0.9));
  if (normalise == Normalise::samples) range = min_max(raw, stage(0.9, 0.95));
  return normalised_land(world, std::move(raw), range, height, stage(0.95, 1));
}

}  // namespace tepui
