#include "tepui/mesh/parting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/mesh/subset.h"

namespace tepui {

namespace {

constexpr double sliver = 2e-3;  ///< of a square of the lattice
constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

/// Where a vertex lies in plan: between the lattice's lines, or on them.
struct Spot {
  int64_t x = 0, y = 0;  ///< of the line that it is on, or the one before
  bool on_x = false, on_y = false;
  double share_x = 0, share_y = 0;  ///< of a cell, from that line
};

class Parting {
 public:
  Parting(const Volume& in, const Length& cell, Angle slope, const Context& context) {
    if (in.root().sketch().sheet == nullptr)
      refuse("this volume is not land: it has no ground that could have holes", "write it as a mesh");
    PolygonizeParams how;
    how.cell = cell;
    how.surface = PolygonizeSurface::open;
    lattice_ = polygonize_lattice(in, how);
    if (lattice_.nx < 2 || lattice_.ny < 2) refuse("this land is narrower than one cell", "use a smaller cell");
    mesh_ = polygonize_volume(in, how, context.stage("surface", 0, 0.8));
    lines_ = {lines(lattice_.nx), lines(lattice_.ny)};
    find_crossings();
    find_holes(math::cos(math::radians(std::clamp(slope.degrees, 0.0, 90.0))));
  }

  Terrain land(const Context& context) const {
    Grid<float> heights(lattice_.nx, lattice_.ny, 0), holes(lattice_.nx, lattice_.ny, 0);
    Grid<uint8_t> known(lattice_.nx, lattice_.ny, 0);
    for (int64_t y = 0; y < lattice_.ny; ++y)
      for (int64_t x = 0; x < lattice_.nx; ++x) {
        if (y > 0 && x + 1 < lattice_.nx && holes_(x, y - 1) != 0) holes(x, y) = 1;
        if (!is_ground(x, y)) continue;
        known(x, y) = 1;
        heights(x, y) = height_of(crossing_(x, y));
      }
    fill(heights, known, context);
    const auto [low, high] = std::minmax_element(heights.cells().begin(), heights.cells().end());
    Frame frame;
    frame.origin = {lattice_.origin.x, lattice_.origin.y};
    frame.size = {static_cast<double>(lattice_.nx - 1) * lattice_.cell,
                  static_cast<double>(lattice_.ny - 1) * lattice_.cell};
    frame.cell = {lattice_.cell, lattice_.cell};
    frame.width = lattice_.nx, frame.height = lattice_.ny;
    const Relief relief{static_cast<double>(*low), std::max(static_cast<double>(*high), static_cast<double>(*low) + 1)};
    return Terrain(frame, relief, std::move(heights)).with(make_layer("hole", "", LayerKind::mask, std::move(holes)));
  }

  Mesh parts() const {
    const std::vector<uint32_t> merged = merged_border();
    std::vector<MeshTriangle> kept;
    for (const MeshTriangle& t : mesh_.triangles()) {
      const auto [x, y] = cell_of(t);
      if (holes_(x, y) == 0) continue;
      const MeshTriangle m{merged[t[0]], merged[t[1]], merged[t[2]]};
      if (m[0] != m[1] && m[1] != m[2] && m[2] != m[0]) kept.push_back(m);
    }
    MeshData data = subset(mesh_, kept).data();
    // Heights stay those of the land, to the last bit.
    for (MeshPoint& p : data.positions) p[2] = static_cast<float>(data.centre.z + static_cast<double>(p[2]));
    data.centre.z = 0;
    return Mesh(std::move(data));
  }

 private:
  /// Where the lines of an axis are, as vertices have it.
  std::vector<float> lines(int64_t count) const {
    std::vector<float> result;
    for (int64_t i = 0; i < count; ++i)
      result.push_back(
          static_cast<float>((static_cast<double>(i) - 0.5 * static_cast<double>(count - 1)) * lattice_.cell));
    return result;
  }

  float height_of(uint32_t vertex) const {
    return static_cast<float>(mesh_.centre().z + static_cast<double>(mesh_.positions()[vertex][2]));
  }

  Spot spot_of(uint32_t vertex) const {
    const MeshPoint& p = mesh_.positions()[vertex];
    const auto along = [&](size_t axis, int64_t count, int64_t& line, bool& on, double& share) {
      const double at = static_cast<double>(p[axis]) / lattice_.cell + 0.5 * static_cast<double>(count - 1);
      line = std::clamp<int64_t>(static_cast<int64_t>(std::floor(at + 0.5)), 0, count - 1);
      on = p[axis] == lines_[axis][static_cast<size_t>(line)];
      if (!on) line = std::clamp<int64_t>(static_cast<int64_t>(std::floor(at)), 0, count - 2);
      share = on ? 0 : at - static_cast<double>(line);
    };
    Spot spot;
    along(0, lattice_.nx, spot.x, spot.on_x, spot.share_x);
    along(1, lattice_.ny, spot.y, spot.on_y, spot.share_y);
    return spot;
  }

  /// Every triangle lies within the column of one cell. One that lies in the plane between two goes to either: an
  /// upright triangle makes both of them holes.
  std::pair<int64_t, int64_t> cell_of(const MeshTriangle& t) const {
    const auto lowest = [&](auto line, int64_t count) {
      int64_t low = count - 2;
      for (const uint32_t corner : t) low = std::min(low, spots_[corner].*line);
      return low;
    };
    return {lowest(&Spot::x, lattice_.nx), lowest(&Spot::y, lattice_.ny)};
  }

  /// The vertex on each upright line of the lattice, where there is just one.
  void find_crossings() {
    crossing_ = Grid<uint32_t>(lattice_.nx, lattice_.ny, none);
    Grid<uint8_t> counts(lattice_.nx, lattice_.ny, 0);
    spots_.resize(mesh_.positions().size());
    for (uint32_t v = 0; v < spots_.size(); ++v) {
      const Spot spot = spots_[v] = spot_of(v);
      if (!spot.on_x || !spot.on_y) continue;
      crossing_(spot.x, spot.y) = counts(spot.x, spot.y) == 0 ? v : none;
      counts(spot.x, spot.y) = static_cast<uint8_t>(std::min(counts(spot.x, spot.y) + 1, 2));
    }
  }

  void find_holes(double least_up) {
    holes_ = Grid<uint8_t>(lattice_.nx - 1, lattice_.ny - 1, 0);
    for (int64_t y = 0; y < holes_.height(); ++y)
      for (int64_t x = 0; x < holes_.width(); ++x)
        for (const auto& [dx, dy] : {std::pair(0, 0), {1, 0}, {0, 1}, {1, 1}})
          if (crossing_(x + dx, y + dy) == none) holes_(x, y) = 1;
    for (const MeshTriangle& t : mesh_.triangles()) {
      const Vec3 a = to_vec(mesh_.positions()[t[0]]);
      const Vec3 n = cross(to_vec(mesh_.positions()[t[1]]) - a, to_vec(mesh_.positions()[t[2]]) - a);
      // A sliver, where the surface passes close by a point of the lattice, tells nothing of its slope.
      if ((n.z > 0 && n.z >= least_up * length(n)) || length(n) < sliver * lattice_.cell * lattice_.cell) continue;
      const auto [x, y] = cell_of(t);
      holes_(x, y) = 1;
      if (n.z != 0) continue;
      // Upright: it may lie in the plane between two columns.
      bool in_x = true, in_y = true;
      for (const uint32_t c : t) {
        in_x = in_x && spots_[c].on_x && spots_[c].x == spots_[t[0]].x;
        in_y = in_y && spots_[c].on_y && spots_[c].y == spots_[t[0]].y;
      }
      if (in_x && x > 0) holes_(x - 1, y) = 1;
      if (in_y && y > 0) holes_(x, y - 1) = 1;
    }
  }

  bool is_hole(int64_t x, int64_t y) const {
    return x >= 0 && y >= 0 && x < holes_.width() && y < holes_.height() && holes_(x, y) != 0;
  }
  /// Whether some cell around a sample is land.
  bool is_ground(int64_t x, int64_t y) const {
    for (const auto& [dx, dy] : {std::pair(0, 0), {-1, 0}, {0, -1}, {-1, -1}}) {
      const int64_t i = x + dx, j = y + dy;
      if (i >= 0 && j >= 0 && i < holes_.width() && j < holes_.height() && holes_(i, j) == 0) return true;
    }
    return false;
  }

  /// What each vertex becomes: between a hole and land, where the land has a straight edge, those along it become the
  /// nearer of its ends.
  std::vector<uint32_t> merged_border() const {
    std::vector<uint32_t> merged(spots_.size());
    for (uint32_t v = 0; v < merged.size(); ++v) {
      const Spot& spot = spots_[v];
      merged[v] = v;
      if (spot.on_x == spot.on_y) continue;
      const int64_t across_x = spot.on_x ? 1 : 0, across_y = spot.on_y ? 1 : 0;
      const bool here = is_hole(spot.x, spot.y), there = is_hole(spot.x - across_x, spot.y - across_y);
      if (here == there || !within(spot.x, spot.y) || !within(spot.x - across_x, spot.y - across_y)) continue;
      const int64_t next_x = spot.share_x > 0.5 ? 1 : 0, next_y = spot.share_y > 0.5 ? 1 : 0;
      merged[v] = crossing_(spot.x + next_x, spot.y + next_y);
    }
    return merged;
  }
  bool within(int64_t x, int64_t y) const { return x >= 0 && y >= 0 && x < holes_.width() && y < holes_.height(); }

  /// What is not known becomes the mean of what is around it, ring by ring.
  static void fill(Grid<float>& heights, Grid<uint8_t>& known, const Context& context) {
    const int64_t w = heights.width(), h = heights.height();
    std::vector<int64_t> rest;
    for (int64_t i = 0; i < heights.size(); ++i)
      if (known.data()[i] == 0) rest.push_back(i);
    // Without any land.
    if (static_cast<int64_t>(rest.size()) == heights.size()) return;
    while (!rest.empty()) {
      context.check();
      std::vector<int64_t> left, found;
      std::vector<float> values;
      for (const int64_t i : rest) {
        double sum = 0;
        int count = 0;
        for (int64_t y = std::max<int64_t>(i / w - 1, 0); y <= std::min(i / w + 1, h - 1); ++y)
          for (int64_t x = std::max<int64_t>(i % w - 1, 0); x <= std::min(i % w + 1, w - 1); ++x)
            if (known(x, y) != 0) sum += static_cast<double>(heights(x, y)), ++count;
        if (count == 0) {
          left.push_back(i);
          continue;
        }
        found.push_back(i);
        values.push_back(static_cast<float>(sum / count));
      }
      for (size_t n = 0; n < found.size(); ++n) heights.data()[found[n]] = values[n], known.data()[found[n]] = 1;
      rest.swap(left);
    }
  }

  SurfaceLattice lattice_;
  Mesh mesh_;
  std::array<std::vector<float>, 2> lines_;  ///< where the lattice's lines are, as vertices have it
  std::vector<Spot> spots_;                  ///< of every vertex
  Grid<uint32_t> crossing_;                  ///< of every upright line: its vertex; none where it has not just one
  Grid<uint8_t> holes_;                      ///< of every cell
};

}  // namespace

Terrain holed_land(const Volume& in, const Length& cell, Angle slope, const Context& context) {
  return Parting(in, cell, slope, context).land(context.stage("land", 0.8, 1));
}

Mesh parts_in_holes(const Volume& in, const Length& cell, Angle slope, const Context& context) {
  return Parting(in, cell, slope, context).parts();
}

}  // namespace tepui
