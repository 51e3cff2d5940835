#include "tepui/terrain/paint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "tepui/core/error.h"
#include "tepui/core/hash.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/brush_stroke.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Samples [x0, x1) x [y0, y1) of a frame.
struct Block {
  int64_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
  int64_t width() const { return x1 - x0; }
};

Block common(const Block& a, const Block& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

/// The first index whose place is not below `place`, within [0, count].
int64_t first_from(double place, double origin, double cell, int64_t first, int64_t count) {
  const double index = std::ceil((place - origin) / cell - static_cast<double>(first));
  return static_cast<int64_t>(std::clamp(index, 0.0, static_cast<double>(count)));
}

/// The samples within `margin` metres of what a stroke reaches.
Block reached(const Frame& f, const BrushStroke& s, double margin = 0) {
  return {first_from(s.low.x - margin, f.origin.x, f.cell.x, f.first_x, f.width),
          first_from(s.low.y - margin, f.origin.y, f.cell.y, f.first_y, f.height),
          first_from(std::nextafter(s.high.x + margin, 1e300), f.origin.x, f.cell.x, f.first_x, f.width),
          first_from(std::nextafter(s.high.y + margin, 1e300), f.origin.y, f.cell.y, f.first_y, f.height)};
}

/// The touches of one stroke on the samples of a block, its steps sorted out first.
class TouchedBlock {
 public:
  TouchedBlock(const Frame& frame, const BrushStroke& stroke, const Block& block) : frame_(frame), stroke_(stroke) {
    const double low_x = frame.x(block.x0) - stroke.radius, high_x = frame.x(block.x1 - 1) + stroke.radius;
    const double low_y = frame.y(block.y0) - stroke.radius, high_y = frame.y(block.y1 - 1) + stroke.radius;
    for (const StrokeStep& step : stroke.steps)
      if (std::max(step.from.x, step.to.x) >= low_x && std::min(step.from.x, step.to.x) <= high_x &&
          std::max(step.from.y, step.to.y) >= low_y && std::min(step.from.y, step.to.y) <= high_y)
        near_.push_back(&step);
  }

  bool nothing() const { return near_.empty() && stroke_.rings.empty(); }

  BrushTouch at(int64_t column, int64_t row) const {
    const double x = frame_.x(column), y = frame_.y(row);
    BrushTouch best;
    for (const StrokeStep* step : near_) {
      const BrushTouch touch = touch_of(stroke_, *step, x, y);
      if (touch.beats(best)) best = touch;
    }
    if (best.share < 1 && !stroke_.rings.empty() && is_inside(stroke_, x, y)) {
      if (best.share <= 0) best.height = stroke_.rings.front().front().z;
      best.share = 1;
    }
    best.share *= stroke_.strength;
    return best;
  }

 private:
  const Frame& frame_;
  const BrushStroke& stroke_;
  std::vector<const StrokeStep*> near_;
};

/// Between samples, linear; beyond the border as at it.
double height_at(const Frame& frame, const Grid<float>& z, double x, double y) {
  const auto along = [](double place, double origin, double cell, int64_t first, int64_t count) {
    const double index = (place - origin) / cell - static_cast<double>(first);
    return std::clamp(index, 0.0, static_cast<double>(count - 1));
  };
  const double column = along(x, frame.origin.x, frame.cell.x, frame.first_x, frame.width);
  const double row = along(y, frame.origin.y, frame.cell.y, frame.first_y, frame.height);
  const auto x0 = static_cast<int64_t>(column), y0 = static_cast<int64_t>(row);
  const int64_t x1 = std::min(x0 + 1, frame.width - 1), y1 = std::min(y0 + 1, frame.height - 1);
  const double u = column - static_cast<double>(x0), v = row - static_cast<double>(y0);
  return blend(blend(z(x0, y0), z(x1, y0), u), blend(z(x0, y1), z(x1, y1), u), v);
}

/// The means of `count` numbers, `stride` apart, over [i - half, i + half], where a number fills the unit around its
/// index and nothing lies beyond the ends. The width of the mean is exact, whatever the spacing of samples is.
void mean_along(double* values, int64_t count, int64_t stride, double half, std::vector<double>& sums) {
  sums.assign(static_cast<size_t>(count) + 1, 0);
  for (int64_t i = 0; i < count; ++i)
    sums[static_cast<size_t>(i) + 1] = sums[static_cast<size_t>(i)] + values[i * stride];
  const auto sum_to = [&](double edge) {
    const auto whole = std::min(static_cast<int64_t>(edge), count - 1);
    const double below = sums[static_cast<size_t>(whole)], above = sums[static_cast<size_t>(whole) + 1];
    return below + (edge - static_cast<double>(whole)) * (above - below);
  };
  const double end = static_cast<double>(count);
  for (int64_t i = 0; i < count; ++i) {
    const double from = std::max(static_cast<double>(i) + 0.5 - half, 0.0);
    const double to = std::min(static_cast<double>(i) + 0.5 + half, end);
    values[i * stride] = (sum_to(to) - sum_to(from)) / (to - from);
  }
}

/// The heights of a block after three means over squares, nearly a Gaussian, which reaches `radius` metres each way.
Grid<double> smoothed(const Frame& frame, const Grid<float>& height, const Block& block, double radius,
                      const Context& context) {
  constexpr int rounds = 3;
  Grid<double> z(block.width(), block.y1 - block.y0);
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) z(x, y) = height(block.x0 + x, block.y0 + y);
  for (int round = 0; round < rounds; ++round) {
    parallel_chunks(z.height(), rows_per_chunk(z.width()), context, [&](int64_t begin, int64_t end) {
      std::vector<double> sums;
      for (int64_t y = begin; y < end; ++y)
        mean_along(z.row(y), z.width(), 1, std::max(radius / rounds / frame.cell.x, 0.5), sums);
    });
    parallel_chunks(z.width(), rows_per_chunk(z.height()), context, [&](int64_t begin, int64_t end) {
      std::vector<double> sums;
      for (int64_t x = begin; x < end; ++x)
        mean_along(z.data() + x, z.height(), z.width(), std::max(radius / rounds / frame.cell.y, 0.5), sums);
    });
  }
  return z;
}

/// What has been painted after so many strokes.
struct Mark {
  size_t strokes = 0;
  std::shared_ptr<const Grid<float>> height{};
  std::vector<Layer> layers{};  ///< those painted, in the order in which strokes came to them

  size_t bytes() const { return height->bytes() * (1 + layers.size()); }
};

/// The layers while they are painted.
class Canvas {
  struct Painted {
    Layer layer;  ///< without its cells
    Grid<float> cells;
  };

 public:
  explicit Canvas(const Terrain& in) : in_(in), height_(in.height().clone()) {}
  /// As it was at the mark.
  Canvas(const Terrain& in, const Mark& mark) : in_(in), height_(mark.height->clone()) {
    for (const Layer& layer : mark.layers) painted_.push_back({layer, layer.grid().clone()});
  }

  Mark mark(size_t strokes) const {
    Mark mark{strokes, std::make_shared<const Grid<float>>(height_.clone())};
    for (const auto& [layer, cells] : painted_) mark.layers.push_back(layer.holding(cells.clone()));
    return mark;
  }

  const Grid<float>& height() const { return height_; }
  Grid<float>& height() { return height_; }

  /// Makes the layer ready, so that threads find it.
  void prepare(const BrushStroke& stroke) {
    if (stroke.tool != PaintTool::layer || find(stroke.layer) != nullptr) return;
    const Frame& frame = in_.frame();
    if (const Layer* there = in_.find(stroke.layer)) {
      painted_.push_back({*there, there->grid().clone()});
    } else {
      const LayerKind kind = stroke.layer == "mask" ? LayerKind::mask : LayerKind::continuous;
      painted_.push_back({make_layer(stroke.layer, "", kind, {}), Grid<float>(frame.width, frame.height, 0.0f)});
    }
  }

  /// The samples of a block after a stroke that looks at each of them alone.
  void apply(const BrushStroke& stroke, double level, const Block& block) {
    const TouchedBlock touched(in_.frame(), stroke, block);
    if (touched.nothing()) return;
    Painted* const layer = stroke.tool == PaintTool::layer ? find(stroke.layer) : nullptr;
    Grid<float>& cells = layer != nullptr ? layer->cells : height_;
    for (int64_t y = block.y0; y < block.y1; ++y)
      for (int64_t x = block.x0; x < block.x1; ++x) {
        const BrushTouch touch = touched.at(x, y);
        if (touch.share <= 0) continue;
        float& cell = cells(x, y);
        cell = layer != nullptr ? painted(layer->layer, cell, stroke.value, touch.share)
                                : to_cell(moved(stroke, level, touch, static_cast<double>(cell)));
      }
  }

  void smooth(const BrushStroke& stroke, const Context& context) {
    const Frame& frame = in_.frame();
    const Block block = reached(frame, stroke);
    if (block.empty()) return;
    const Block around = reached(frame, stroke, stroke.radius + std::max(frame.cell.x, frame.cell.y));
    const Grid<double> mean = smoothed(frame, height_, around, stroke.radius, context);
    const TouchedBlock touched(frame, stroke, block);
    parallel_chunks(block.y1 - block.y0, rows_per_chunk(block.width()), context, [&](int64_t begin, int64_t end) {
      for (int64_t y = block.y0 + begin; y < block.y0 + end; ++y)
        for (int64_t x = block.x0; x < block.x1; ++x)
          height_(x, y) = to_cell(blend(height_(x, y), mean(x - around.x0, y - around.y0), touched.at(x, y).share));
    });
  }

  Terrain result() && {
    Terrain land = in_.with_height(std::move(height_));
    for (auto& [layer, cells] : painted_) {
      Layer done = layer.holding(std::move(cells));
      if (done.kind == LayerKind::category)
        for (const float cell : done.grid().cells()) done.classes = std::max(done.classes, static_cast<int>(cell) + 1);
      land = land.with(std::move(done));
    }
    return land;
  }

 private:
  Painted* find(const std::string& name) {
    const auto found = std::ranges::find(painted_, name, [](const Painted& p) { return p.layer.name; });
    return found == painted_.end() ? nullptr : &*found;
  }

  static double moved(const BrushStroke& stroke, double level, const BrushTouch& touch, double z) {
    switch (stroke.tool) {
      case PaintTool::raise:
        return z + stroke.amount * touch.share;
      case PaintTool::lower:
        return z - stroke.amount * touch.share;
      case PaintTool::level:
        return blend(z, level, touch.share);
      case PaintTool::set:
        return blend(z, stroke.target.value_or(touch.height), touch.share);
      case PaintTool::smooth:
      case PaintTool::layer:
        break;
    }
    return z;
  }

  static float painted(const Layer& layer, float cell, double value, double share) {
    switch (layer.kind) {
      case LayerKind::category:
        return share >= 0.5 ? static_cast<float>(std::max(std::round(value), 0.0)) : cell;
      case LayerKind::mask:
        return to_cell(blend(cell, std::clamp(value, 0.0, 1.0), share));
      case LayerKind::continuous:
        break;
    }
    return to_cell(blend(cell, value, share));
  }

  const Terrain& in_;
  Grid<float> height_;
  std::vector<Painted> painted_;  ///< in the order in which strokes came to them
};

/// Strokes that look at one sample at a time wait here, until one comes that looks farther; then they are painted tile
/// by tile, side by side, each tile in the order of the strokes.
class Waiting {
 public:
  Waiting(const Frame& frame, const std::vector<BrushStroke>& strokes, Canvas& canvas)
      : frame_(frame), strokes_(strokes), canvas_(canvas) {}

  void add(size_t stroke, double level) {
    canvas_.prepare(strokes_[stroke]);
    const Block block = reached(frame_, strokes_[stroke]);
    if (block.empty()) return;
    for (int64_t row = block.y0 / side; row <= (block.y1 - 1) / side; ++row)
      for (int64_t column = block.x0 / side; column <= (block.x1 - 1) / side; ++column)
        tiles_[{row, column}].push_back({stroke, level, block});
  }

  void paint(const Context& context) {
    std::vector<std::pair<Place, std::vector<Item>>> tiles(tiles_.begin(), tiles_.end());
    tiles_.clear();
    parallel_chunks(static_cast<int64_t>(tiles.size()), 1, context, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto& [place, items] = tiles[static_cast<size_t>(i)];
        const Block tile{place.second * side, place.first * side, (place.second + 1) * side, (place.first + 1) * side};
        for (const Item& item : items) canvas_.apply(strokes_[item.stroke], item.level, common(tile, item.block));
      }
    });
  }

 private:
  static constexpr int64_t side = 64;
  using Place = std::pair<int64_t, int64_t>;
  struct Item {
    size_t stroke;
    double level;
    Block block;
  };

  const Frame& frame_;
  const std::vector<BrushStroke>& strokes_;
  Canvas& canvas_;
  std::map<Place, std::vector<Item>> tiles_;
};

/// The strokes [begin, end) of the list.
void paint_strokes(const Frame& frame, const std::vector<BrushStroke>& list, size_t begin, size_t end, Canvas& canvas,
                   const Context& context) {
  Waiting waiting(frame, list, canvas);
  for (size_t i = begin; i < end; ++i) {
    context.check();
    const BrushStroke& stroke = list[i];
    double level = stroke.target.value_or(0);
    if (stroke.tool == PaintTool::level && !stroke.target && !stroke.steps.empty()) {
      waiting.paint(context);
      level = height_at(frame, canvas.height(), stroke.steps.front().from.x, stroke.steps.front().from.y);
    }
    if (stroke.tool == PaintTool::smooth) {
      waiting.paint(context);
      canvas.smooth(stroke, context);
    } else {
      waiting.add(i, level);
    }
  }
  waiting.paint(context);
}

Hash hash_of(const BrushStroke& stroke) {
  static_assert(sizeof(StrokeStep) == 8 * sizeof(double) && sizeof(Vec3) == 3 * sizeof(double));
  Hasher hasher;
  hasher.add(static_cast<int>(stroke.tool)).add(stroke.radius).add(stroke.hardness).add(stroke.strength);
  hasher.add(stroke.amount).add(stroke.value).add(stroke.target.has_value()).add(stroke.target.value_or(0));
  hasher.add(stroke.layer).add(hash_bytes(stroke.steps.data(), stroke.steps.size() * sizeof(StrokeStep)));
  for (const std::vector<Vec3>& ring : stroke.rings) hasher.add(hash_bytes(ring.data(), ring.size() * sizeof(Vec3)));
  return hasher.finish();
}

bool same_land(const Terrain& a, const Terrain& b) {
  const auto same_layer = [](const Layer& one, const Layer& other) {
    return one.name == other.name && one.unit == other.unit && one.kind == other.kind && one.classes == other.classes &&
           (one.data == other.data || cells_hash(one.grid()) == cells_hash(other.grid()));
  };
  return a.frame().hash() == b.frame().hash() && a.relief() == b.relief() &&
         std::ranges::equal(a.layers(), b.layers(), same_layer);
}

}  // namespace

struct KeptPainting {
  Terrain in;
  std::vector<Hash> strokes;  ///< all that were painted last
  std::vector<Mark> marks;    ///< in their order; the strokes before each are the first of these

  /// Whether painting so many strokes leaves a mark after the first `at` of them.
  static bool is_marked(size_t at, size_t count) {
    constexpr size_t fine = 64, coarse = 1024;
    return at + 1 == count || at % coarse == 0 || (at % fine == 0 && at + coarse >= count);
  }

  /// Forgets what was painted with other strokes than these, or on other land.
  void begin(const Terrain& land, std::vector<Hash> list) {
    const auto same = static_cast<size_t>(std::ranges::mismatch(strokes, list).in1 - strokes.begin());
    const size_t valid = same_land(in, land) ? same : 0;
    std::erase_if(marks, [&](const Mark& mark) { return mark.strokes > valid; });
    in = land;
    strokes = std::move(list);
  }

  void add(Mark mark) {
    constexpr size_t most_bytes = size_t{256} << 20;
    std::erase_if(marks, [&](const Mark& known) { return !is_marked(known.strokes, strokes.size()); });
    marks.push_back(std::move(mark));
    size_t bytes = 0;
    for (const Mark& known : marks) bytes += known.bytes();
    // The last ones are the likeliest to be needed.
    while (bytes > most_bytes && marks.size() > 1) {
      bytes -= marks.front().bytes();
      marks.erase(marks.begin());
    }
  }
};

Terrain paint(const Terrain& in, const Lines& strokes, const PaintParams& params, const Context& context) {
  const std::vector<BrushStroke> list = brush_strokes(in.frame(), strokes, params);
  Canvas canvas(in);
  paint_strokes(in.frame(), list, 0, list.size(), canvas, context.stage("strokes", 0, 0));  // each has its own end
  context.progress(1);
  return std::move(canvas).result();
}

std::shared_ptr<KeptPainting> begin_painting() { return std::make_shared<KeptPainting>(); }

Terrain paint_again(const Terrain& in, const Lines& strokes, const PaintParams& params, KeptPainting& kept,
                    int64_t& painted, const Context& context) {
  const std::vector<BrushStroke> list = brush_strokes(in.frame(), strokes, params);
  std::vector<Hash> hashes;
  hashes.reserve(list.size());
  for (const BrushStroke& stroke : list) hashes.push_back(hash_of(stroke));
  kept.begin(in, std::move(hashes));
  Canvas canvas = kept.marks.empty() ? Canvas(in) : Canvas(in, kept.marks.back());
  size_t done = kept.marks.empty() ? 0 : kept.marks.back().strokes;
  const Context within = context.stage("strokes", 0, 0);  // each has its own end
  while (done < list.size()) {
    size_t next = done + 1;
    while (next < list.size() && !KeptPainting::is_marked(next, list.size())) ++next;
    paint_strokes(in.frame(), list, done, next, canvas, within);
    painted += static_cast<int64_t>(next - done);
    done = next;
    if (done < list.size()) kept.add(canvas.mark(done));
  }
  context.progress(1);
  return std::move(canvas).result();
}

}  // namespace tepui
