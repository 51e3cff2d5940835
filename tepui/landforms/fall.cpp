#include "tepui/landforms/fall.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "tepui/core/error.h"
#include "tepui/landforms/fallen_solid.h"
#include "tepui/landforms/solid_columns.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/volume/tree.h"

namespace tepui {

namespace {

/// Calls with every column and the runs in it.
template <class Act>
void for_columns(const RockRuns& all, const SolidColumns& columns, const Act& act) {
  size_t c = 0;
  for (int32_t j = 0; j < columns.height(); ++j)
    for (int32_t i = 0; i < columns.width(); ++i, ++c)
      for (uint32_t n = all.first[c]; n < all.first[c + 1]; ++n) act(i, j, n);
}

/// The points of a run that lie in a word.
uint64_t bits_of(SolidRun run, int32_t w) {
  const int32_t low = std::max(run.low - w * 64, 0), high = std::min(run.high - w * 64, 63);
  if (low > high) return 0;
  return (high == 63 ? ~uint64_t{0} : (uint64_t{1} << (high + 1)) - 1) & ~((uint64_t{1} << low) - 1);
}

void clear(SolidColumns& columns, int32_t i, int32_t j, SolidRun run) {
  for (int32_t w = run.low >> 6; w <= run.high >> 6; ++w)
    columns.set_word(i, j, w, columns.word(i, j, w) & ~bits_of(run, w));
}

struct Fallen {
  int64_t pieces = 0, pendants = 0, points = 0;
};

/// What is known of a piece of thin rock.
struct Hanging {
  int64_t points = 0;
  double sum = 0;  ///< of their heights, in points
  int32_t low = INT32_MAX, high = INT32_MIN;
  int32_t joined = INT32_MAX;  ///< the lowest thick rock beside it
};

/// The lowest of thick points beside a run.
int32_t lowest_beside(const SolidColumns& thick, int32_t i, int32_t j, SolidRun run) {
  if (thick.rock(i, j, run.low - 1)) return run.low - 1;
  constexpr int32_t beside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  int32_t lowest = thick.rock(i, j, run.high + 1) ? run.high + 1 : INT32_MAX;
  for (const auto& [dx, dy] : beside)
    for (int32_t w = run.low >> 6; w <= run.high >> 6; ++w)
      if (const uint64_t bits = thick.word(i + dx, j + dy, w) & bits_of(run, w); bits != 0) {
        lowest = std::min(lowest, w * 64 + std::countr_zero(bits));
        break;
      }
  return lowest;
}

void drop_pendants(SolidColumns& kept, int32_t side, Fallen& fallen, const Context& context) {
  const SolidColumns thick = kept.opened(side, context.stage("", 0, 0.6));
  const RockRuns thin = rock_runs(kept.without(thick), context.stage("", 0.6, 1));
  std::vector<Hanging> pieces(thin.runs.size());
  for_columns(thin, kept, [&](int32_t i, int32_t j, uint32_t n) {
    const SolidRun run = thin.runs[n];
    Hanging& piece = pieces[thin.piece[n]];
    const int64_t points = run.high - run.low + 1;
    piece.points += points;
    piece.sum += 0.5 * static_cast<double>(points) * (static_cast<double>(run.low) + static_cast<double>(run.high));
    piece.low = std::min(piece.low, run.low);
    piece.high = std::max(piece.high, run.high);
    piece.joined = std::min(piece.joined, lowest_beside(thick, i, j, run));
  });
  const auto falls = [&](const Hanging& piece) {
    return piece.points > 0 && piece.joined != INT32_MAX && piece.high - piece.low + 1 >= side &&
           static_cast<double>(piece.joined) > piece.sum / static_cast<double>(piece.points);
  };
  for (const Hanging& piece : pieces) fallen.pendants += falls(piece) ? 1 : 0;
  for_columns(thin, kept, [&](int32_t i, int32_t j, uint32_t n) {
    if (const Hanging& piece = pieces[thin.piece[n]]; falls(piece)) clear(kept, i, j, thin.runs[n]);
  });
}

/// By the number of a piece, whether it stays.
std::vector<uint8_t> staying(const RockRuns& all, const SolidColumns& columns, std::optional<int32_t> floor,
                             int64_t most) {
  std::vector<uint8_t> stays(all.runs.size());
  std::vector<int64_t> points(all.runs.size());
  for_columns(all, columns, [&](int32_t i, int32_t j, uint32_t n) {
    const SolidRun run = all.runs[n];
    const uint32_t piece = all.piece[n];
    points[piece] += run.high - run.low + 1;
    if (floor && run.low <= *floor && run.high >= *floor) stays[piece] = 1;
    // What goes on below the words that are kept is the body of the land.
    if (run.low < columns.first(i, j) * 64) stays[piece] = 1;
  });
  if (floor) return stays;
  std::vector<uint32_t> order;
  for (uint32_t n = 0; n < points.size(); ++n)
    if (points[n] > 0) order.push_back(n);
  std::ranges::stable_sort(order, std::greater<>(), [&](uint32_t n) { return points[n]; });
  for (size_t i = 0; i < order.size() && static_cast<int64_t>(i) < most; ++i) stays[order[i]] = 1;
  return stays;
}

void drop_loose(SolidColumns& kept, std::optional<int32_t> floor, int64_t most, Fallen& fallen,
                const Context& context) {
  const RockRuns all = rock_runs(kept, context);
  const std::vector<uint8_t> stays = staying(all, kept, floor, most);
  for (uint32_t n = 0; n < all.runs.size(); ++n) fallen.pieces += all.piece[n] == n && stays[n] == 0 ? 1 : 0;
  for_columns(all, kept, [&](int32_t i, int32_t j, uint32_t n) {
    if (stays[all.piece[n]] == 0) clear(kept, i, j, all.runs[n]);
  });
}

/// The points whose field goes: what fell, and the air around it that touches no rock that stays.
class Marks {
 public:
  Marks(const SolidColumns& rock, const SolidColumns& kept) : rock_(&rock), kept_(&kept) {}

  void add(int32_t i, int32_t j, int32_t k) {
    set(i, j, k);
    around(i, j, k, [&](int32_t x, int32_t y, int32_t z) {
      bool touches = rock_->rock(x, y, z);
      around(x, y, z, [&](int32_t a, int32_t b, int32_t c) { touches = touches || kept_->rock(a, b, c); });
      if (!touches) set(x, y, z);
    });
  }

  std::vector<MarkedBrick> bricks() const {
    std::vector<MarkedBrick> list;
    for (const auto& [at, bits] : bricks_) list.push_back({at, bits});
    return list;
  }

 private:
  template <class Act>
  static void around(int32_t i, int32_t j, int32_t k, const Act& act) {
    for (int32_t z = k - 1; z <= k + 1; ++z)
      for (int32_t y = j - 1; y <= j + 1; ++y)
        for (int32_t x = i - 1; x <= i + 1; ++x)
          if (x != i || y != j || z != k) act(x, y, z);
  }
  void set(int32_t i, int32_t j, int32_t k) {
    bricks_[{k >> 3, j >> 3, i >> 3}][static_cast<size_t>(k & 7)] |= uint64_t{1} << ((j & 7) * 8 + (i & 7));
  }

  const SolidColumns *rock_, *kept_;
  std::map<std::array<int32_t, 3>, std::array<uint64_t, 8>> bricks_;
};

std::vector<MarkedBrick> marked(const SolidColumns& rock, const SolidColumns& kept, Fallen& fallen,
                                const Context& context) {
  Marks marks(rock, kept);
  for (int32_t j = 0; j < rock.height(); ++j) {
    context.check();
    for (int32_t i = 0; i < rock.width(); ++i)
      for (int32_t w = rock.first(i, j); w < rock.last(i, j); ++w)
        for (uint64_t bits = rock.word(i, j, w) & ~kept.word(i, j, w); bits != 0; bits &= bits - 1) {
          ++fallen.points;
          marks.add(i, j, w * 64 + std::countr_zero(bits));
        }
  }
  return marks.bricks();
}

/// The lowest points that are not below the land's floor.
std::optional<int32_t> floor_of(const Volume& in, const SurfaceLattice& lattice, std::optional<FallKeep> keep) {
  const SurfaceSketch sketch = in.root().sketch();
  const bool land = sketch.sheet != nullptr && !sketch.ground.empty();
  if (keep == FallKeep::grounded && !land)
    refuse("this volume has no floor that rock could stand on", "give keep = largest");
  if (!land || keep == FallKeep::largest) return std::nullopt;
  return points_below(lattice, sketch.ground.low.z - 1e-6 * lattice.cell);
}

}  // namespace

void describe(Fields<FallParams>& f) {
  f.about("Let rock fall that nothing carries, and pendants too thin to hold");
  f.reach(Reach::whole);
  f.example("floating_islands islands=3 size=15%..30% | {}");
  f("cell", &FallParams::cell, open_range(0, 1e9),
    "distance of the points at which rock is looked for, best that of the mesh; % of the volume's longer horizontal "
    "side")
      .slider(0.1, 5);
  f("keep", &FallParams::keep, {"grounded", "largest"},
    "what stays: rock that stands on the land's floor, or the largest pieces; auto: grounded where there is land");
  f("pieces", &FallParams::pieces, Range{1, 1e6}, "how many of the largest pieces stay")
      .slider(1, 10)
      .sweep("1", "2", "3");
  f("thinnest", &FallParams::thinnest, Range{0, 1e6}, "hanging rock that is thinner than this falls; 0: none does")
      .slider(0, 10);
}

Volume fall(const Frame& world, const Volume& in, const FallParams& params, const Context& context) {
  Fallen fallen;
  double cell = 1;
  Volume out = in;
  if (!in.support().empty()) {
    PolygonizeParams mesh;
    mesh.cell = params.cell;
    const SurfaceLattice lattice = polygonize_lattice(in, mesh);
    cell = lattice.cell;
    const double thinnest = params.thinnest.in(world);
    const std::optional<int32_t> floor = floor_of(in, lattice, params.keep);
    const SolidColumns rock(in, lattice, context.stage("rock", 0, 0.7));
    SolidColumns kept = rock;
    const auto side = static_cast<int32_t>(std::min(std::ceil(thinnest / cell - 1e-9), 64.0));
    if (side > 1) drop_pendants(kept, side, fallen, context.stage("pendants", 0.7, 0.8));
    drop_loose(kept, floor, params.pieces, fallen, context.stage("pieces", 0.8, 0.9));
    std::vector<MarkedBrick> bricks = marked(rock, kept, fallen, context.stage("falling", 0.9, 1));
    if (!bricks.empty())
      out = in.with_root(modest_tree(fallen_solid(in.share(), lattice, std::move(bricks), in.threshold())));
  }
  context.tell("pieces", static_cast<double>(fallen.pieces));
  context.tell("pendants", static_cast<double>(fallen.pendants));
  context.tell("fallen", static_cast<double>(fallen.points) * cell * cell * cell, "m3");
  return out;
}

}  // namespace tepui
