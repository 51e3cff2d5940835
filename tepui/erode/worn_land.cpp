#include "tepui/erode/worn_land.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/normalise.h"

namespace tepui {

namespace {

/// Rock so deep that there is always debris enough.
constexpr float bottomless = -0x1p24f;

const Grid<float>* optional_layer(const Terrain& land, const char* name) {
  const Layer* layer = land.find(name);
  return layer != nullptr ? &layer->grid() : nullptr;
}

const Grid<float>& layer_of_run(const Terrain& land, const char* name) {
  if (land.find(name) == nullptr)
    refuse(fmt::format("this land has no layer '{}', so it does not come from an earlier run", name),
           "remove 'from' to start a new run; to continue from a file, it must hold all layers of that run");
  return land.layer(name).grid();
}

/// What lies deeper than the land is high is never laid bare, and would only make the quanta coarse.
double cover_of(const Grid<float>& height, double cover, const Context& context) {
  constexpr double deep = 1000;
  const auto [low, high] = min_max(height, context);
  return std::min(cover, std::max(static_cast<double>(high) - static_cast<double>(low), deep));
}

/// Rock and ground of a cell in metres, now and before anything wore it. Exact where an earlier run left the land.
class StartReader {
 public:
  StartReader(const Terrain& land, const WornLandStart& start, const Context& context)
      : height_(land.height()),
        sediment_(start.all_loose ? nullptr
                  : start.resumed ? &layer_of_run(land, "sediment")
                                  : optional_layer(land, "sediment")),
        wear_(start.resumed && !start.all_loose ? &layer_of_run(land, "wear") : nullptr),
        deposits_(start.resumed ? &layer_of_run(land, "deposits") : nullptr),
        all_loose_(start.all_loose),
        cover_(start.cover > 0 ? cover_of(height_, start.cover, context) : 0) {}

  struct Cell {
    double rock, ground, first_rock, first_ground;
  };
  Cell operator()(int64_t x, int64_t y) const {
    Cell c{};
    c.ground = static_cast<double>(height_(x, y));
    c.rock = c.ground - (sediment_ != nullptr ? static_cast<double>((*sediment_)(x, y)) : cover_);
    c.first_rock = c.rock + (wear_ != nullptr ? static_cast<double>((*wear_)(x, y)) : 0);
    c.first_ground =
        c.first_rock + (c.ground - c.rock) - (deposits_ != nullptr ? static_cast<double>((*deposits_)(x, y)) : 0);
    if (all_loose_) c.first_rock = c.first_ground;
    return c;
  }

 private:
  const Grid<float>& height_;
  const Grid<float>*sediment_, *wear_, *deposits_;
  bool all_loose_;
  double cover_;
};

/// Of the land before anything wore it.
struct FirstRange {
  double low = std::numeric_limits<double>::max(),
         high = std::numeric_limits<double>::lowest();  ///< of rock; of ground
  double highest_rock = std::numeric_limits<double>::lowest();
  /// The first cell with less than no debris, now and then; the first where rock has been gained.
  int64_t hollow = INT64_MAX, first_hollow = INT64_MAX, grown = INT64_MAX;
};

FirstRange first_range(const StartReader& read, int64_t width, int64_t height, const Context& context) {
  return parallel_reduce(
      height, rows_per_chunk(width), context, FirstRange{},
      [&](int64_t begin, int64_t end) {
        FirstRange r;
        for (int64_t y = begin; y < end; ++y)
          for (int64_t x = 0; x < width; ++x) {
            const auto c = read(x, y);
            r.low = std::min(r.low, c.first_rock);
            r.high = std::max(r.high, c.first_ground);
            r.highest_rock = std::max(r.highest_rock, c.first_rock);
            const auto note = [&](bool flaw, int64_t& cell) {
              if (flaw) cell = std::min(cell, y * width + x);
            };
            note(!(c.rock <= c.ground), r.hollow);
            note(!(c.first_rock <= c.first_ground), r.first_hollow);
            note(!(c.rock <= c.first_rock), r.grown);
          }
        return r;
      },
      [](const FirstRange& a, const FirstRange& b) {
        return FirstRange{std::min(a.low, b.low),
                          std::max(a.high, b.high),
                          std::max(a.highest_rock, b.highest_rock),
                          std::min(a.hollow, b.hollow),
                          std::min(a.first_hollow, b.first_hollow),
                          std::min(a.grown, b.grown)};
      });
}

[[noreturn]] void refuse_changed(int64_t cell, int64_t width) {
  refuse(fmt::format("this land was changed after the earlier run: its layers do not agree at column {}, "
                     "row {} from the south",
                     cell % width, cell / width),
         "remove 'from' to start a new run");
}

void check(const FirstRange& range, const Terrain& land, const WornLandStart& start) {
  const int64_t width = land.height().width();
  if (range.hollow != INT64_MAX)
    refuse(fmt::format("the layer 'sediment' is negative: {} m at column {}, row {} from the south",
                       land.layer("sediment").grid().data()[range.hollow], range.hollow % width, range.hollow / width),
           "it is the depth of loose ground, at least 0");
  if (!start.resumed) return;
  const int64_t changed = std::min(range.first_hollow, start.all_loose ? INT64_MAX : range.grown);
  if (changed != INT64_MAX) refuse_changed(changed, width);
}

/// Cells are at(x, y).
template <class At>
Grid<float> grid_from(int64_t width, int64_t height, const Context& context, const At& at) {
  Grid<float> cells(width, height);
  parallel_chunks(height, rows_per_chunk(width), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < width; ++x) cells(x, y) = at(x, y);
  });
  return cells;
}

int64_t sum_of_ground(const Debris& debris, const Context& context) {
  return parallel_reduce(
      debris.height(), rows_per_chunk(debris.width()), context, int64_t{0},
      [&](int64_t begin, int64_t end) {
        int64_t sum = 0;
        for (int64_t y = begin; y < end; ++y)
          for (int64_t x = 0; x < debris.width(); ++x) sum += static_cast<int64_t>(debris.ground(y)[x]);
        return sum;
      },
      [](int64_t a, int64_t b) { return a + b; });
}

/// Of heights in metres, in quanta above the base.
int64_t sum_of_heights(const Grid<float>& heights, const HeightQuanta& quanta, const Context& context) {
  return parallel_reduce(
      heights.size(), 1 << 16, context, int64_t{0},
      [&](int64_t begin, int64_t end) {
        int64_t sum = 0;
        const double per_metre = 1 / quanta.quantum;
        for (int64_t i = begin; i < end; ++i)
          sum += static_cast<int64_t>((static_cast<double>(heights.data()[i]) - quanta.base) * per_metre);
        return sum;
      },
      [](int64_t a, int64_t b) { return a + b; });
}

double sum_of(const Grid<float>& cells, const Context& context) {
  return parallel_reduce(
      cells.size(), 1 << 16, context, 0.0,
      [&](int64_t begin, int64_t end) {
        double sum = 0;
        for (int64_t i = begin; i < end; ++i) sum += static_cast<double>(cells.data()[i]);
        return sum;
      },
      [](double a, double b) { return a + b; });
}

}  // namespace

WornLand::WornLand(const Terrain& in, const WornLandStart& how, TileSize tile, const Context& context)
    : start(how), debris(in.height().width(), in.height().height(), tile) {
  const Context quiet = context.told_to(nullptr);
  const StartReader read(in, start, quiet);
  const int64_t width = debris.width(), height = debris.height();
  if (width == 0 || height == 0) return;
  const FirstRange range = first_range(read, width, height, quiet);
  check(range, in, start);
  quanta = HeightQuanta::of({range.low, range.high});
  relief = std::max(quanta.quanta(range.highest_rock), 1.0f);
  const int64_t odd = parallel_reduce(
      height, rows_per_chunk(width), quiet, INT64_MAX,
      [&](int64_t begin, int64_t end) {
        int64_t first = INT64_MAX;
        for (int64_t y = begin; y < end; ++y)
          for (int64_t x = 0; x < width; ++x) {
            const auto c = read(x, y);
            debris.rock(y)[x] = start.all_loose ? bottomless : quanta.quanta(c.rock);
            debris.first_ground(y)[x] = quanta.quanta(c.ground);
            const auto is_whole = [&](double z) { return static_cast<double>(quanta.height(quanta.quanta(z))) == z; };
            const bool exact =
                is_whole(c.rock) && is_whole(c.ground) && is_whole(c.first_rock) && is_whole(c.first_ground);
            if (!exact) first = std::min(first, y * width + x);
          }
        return first;
      },
      [](int64_t a, int64_t b) { return std::min(a, b); });
  if (start.resumed && odd != INT64_MAX) refuse_changed(odd, width);
  first_sum = sum_of_ground(debris, quiet);
  debris.touch_all();
}

Grid<float> WornLand::first_rock(const Terrain& in, const Context& context) const {
  const StartReader read(in, start, context);
  return grid_from(debris.width(), debris.height(), context,
                   [&](int64_t x, int64_t y) { return quanta.quanta(read(x, y).first_rock); });
}

Grid<float> WornLand::first_ground(const Terrain& in, const Context& context) const {
  const StartReader read(in, start, context);
  return grid_from(debris.width(), debris.height(), context,
                   [&](int64_t x, int64_t y) { return quanta.quanta(read(x, y).first_ground); });
}

Talus WornLand::talus(Angle angle, const Frame& frame) const {
  const double slope = math::tan(math::radians(angle.degrees)) / quanta.quantum;
  return {to_cell(slope), to_cell(1 / frame.cell.x), to_cell(1 / frame.cell.y)};
}

Terrain WornLand::finish(const Terrain& in, const Context& context) {
  const Context quiet = context.told_to(nullptr);
  const StartReader read(in, start, quiet);
  const auto layer = [&](const char* name, const auto& at) {
    return make_layer(name, "m", LayerKind::continuous, grid_from(debris.width(), debris.height(), quiet, at));
  };
  const double cell_area = in.frame().cell.x * in.frame().cell.y;
  // In this order no more than six grids are held at a time.
  debris.forget_next();
  if (start.all_loose) debris.forget_rock();
  Terrain out = in;
  if (!start.all_loose)
    out = out.with(
        layer("sediment", [&](int64_t x, int64_t y) { return quanta.depth(debris.ground(y)[x] - debris.rock(y)[x]); }));
  out = out.with(layer("deposits", [&](int64_t x, int64_t y) {
    const auto c = read(x, y);
    const float first_ground = quanta.quanta(c.first_ground);
    if (start.all_loose) return quanta.depth(debris.ground(y)[x] - first_ground);
    const float first = first_ground - quanta.quanta(c.first_rock);
    return quanta.depth(debris.ground(y)[x] - debris.rock(y)[x] - first);
  }));
  out = out.with(layer("height", [&](int64_t x, int64_t y) { return quanta.height(debris.ground(y)[x]); }));
  debris.forget_ground();
  const int64_t drift = sum_of_heights(out.height(), quanta, quiet) - first_sum;
  context.tell("drift", static_cast<double>(drift) * quanta.quantum * cell_area, "m3");
  if (start.all_loose) {
    const Grid<float>& deposits = out.layer("deposits").grid();
    return out.with(layer("talus", [&](int64_t x, int64_t y) { return std::max(deposits(x, y), 0.0f); }));
  }
  out = out.with(layer("wear", [&](int64_t x, int64_t y) {
    return quanta.depth(quanta.quanta(read(x, y).first_rock) - debris.rock(y)[x]);
  }));
  context.tell("shed", sum_of(out.layer("wear").grid(), quiet) * cell_area, "m3");
  return out.with(layer("bedrock", [&](int64_t x, int64_t y) { return quanta.height(debris.rock(y)[x]); }));
}

}  // namespace tepui
