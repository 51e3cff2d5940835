#include "tepui/mesh/atlas.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/mesh/charts.h"
#include "tepui/mesh/subset.h"

namespace tepui {

namespace {

constexpr double full = 0.72;  ///< what share of the picture is tried first
constexpr double shrink = 0.95;
constexpr int most_tries = 120;
/// Of the floor of a solid.
constexpr double floor_share = 0.125;

/// The picture in squares of a few texels, at most 512 along a side: what is taken, 64 squares to a word.
class Board {
 public:
  Board(int size, int block) : side_(size / block), words_((side_ + 63) / 64) {
    rows_.assign(static_cast<size_t>(side_ * words_), 0);
  }
  int side() const { return side_; }
  bool get(int x, int y) const { return (rows_[index(x, y)] >> (x & 63) & 1u) != 0; }
  void set(int x, int y) { rows_[index(x, y)] |= uint64_t{1} << (x & 63); }
  /// The places of a row, 64 at a time, where a square `right` of them is taken; beyond the border all are.
  uint64_t taken(int y, int word, int right) const {
    const int from = 64 * word + right, first = from / 64, bit = from % 64;
    const uint64_t low = word_of(y, first), high = word_of(y, first + 1);
    return bit == 0 ? low : (low >> bit) | (high << (64 - bit));
  }
  int words() const { return words_; }

 private:
  size_t index(int x, int y) const { return static_cast<size_t>(y * words_ + x / 64); }
  uint64_t word_of(int y, int word) const {
    if (word >= words_) return ~uint64_t{0};
    const uint64_t own = rows_[static_cast<size_t>(y * words_ + word)];
    const int beyond = 64 * (word + 1) - side_;
    return beyond > 0 ? own | (~uint64_t{0} << (64 - beyond)) : own;
  }

  int side_, words_;
  std::vector<uint64_t> rows_;
};

/// A chart's outline in squares, with its gutter.
struct Outline {
  int width = 0, height = 0;
  std::vector<std::pair<int, int>> squares;
};

class Packer {
 public:
  Packer(const Mesh& mesh, const Charts& charts, const AtlasParams& params)
      : mesh_(mesh), charts_(charts), params_(params), block_(std::max(4, params.size / 512)) {
    const size_t count = charts.planes.size();
    shares_.assign(count, 1);
    low_.assign(count, {1e300, 1e300});
    high_.assign(count, {-1e300, -1e300});
    members_.resize(count);
    for (uint32_t i = 0; i < charts.of.size(); ++i) {
      const uint32_t c = charts.of[i];
      members_[c].push_back(i);
      const bool down = charts.planes[c].out.z < -0.9;
      if (members_[c].size() == 1 && down) shares_[c] = floor_share;
      for (const uint32_t vertex : mesh.triangles()[i]) {
        if (down && !on_floor(vertex)) shares_[c] = 1;
        const Vec2 p = flat(c, vertex);
        low_[c] = {std::min(low_[c].x, p.x), std::min(low_[c].y, p.y)};
        high_[c] = {std::max(high_[c].x, p.x), std::max(high_[c].y, p.y)};
      }
    }
  }

  /// Places all charts at this scale, or says that there is no room.
  bool place(double scale, const Context& context) {
    scale_ = scale;
    std::vector<Outline> outlines(members_.size());
    parallel_chunks(static_cast<int64_t>(members_.size()), 16, context, [&](int64_t begin, int64_t end) {
      for (auto c = static_cast<size_t>(begin); c < static_cast<size_t>(end); ++c)
        outlines[c] = outline(static_cast<uint32_t>(c));
    });
    Board board(params_.size, block_);
    size_t squares = 0;
    std::vector<uint32_t> order(outlines.size());
    for (uint32_t c = 0; c < outlines.size(); ++c) {
      order[c] = c;
      squares += outlines[c].squares.size();
      if (outlines[c].width > board.side() || outlines[c].height > board.side()) return false;
    }
    if (squares > static_cast<size_t>(board.side()) * static_cast<size_t>(board.side())) return false;
    std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
      const size_t first = outlines[a].squares.size(), second = outlines[b].squares.size();
      return first != second ? first > second : a < b;
    });
    at_.assign(outlines.size(), {0, 0});
    int from = 0;
    size_t last = 0;
    for (const uint32_t c : order) {
      // What is no larger than one before does not fit much further up.
      if (outlines[c].squares.size() != last) from = 0;
      last = outlines[c].squares.size();
      if (!settle(outlines[c], board, from, at_[c])) return false;
    }
    return true;
  }

  /// In texels from the lower left corner.
  Vec2 texel(uint32_t chart, uint32_t vertex) const {
    const Vec2 p = flat(chart, vertex);
    const double margin = params_.gutter + 0.5;
    const double scale = scale_ * shares_[chart];
    return {(p.x - low_[chart].x) * scale + margin + at_[chart].first * block_,
            (p.y - low_[chart].y) * scale + margin + at_[chart].second * block_};
  }

  double share(uint32_t chart) const { return shares_[chart]; }

  double area() const {
    double sum = 0;
    for (uint32_t i = 0; i < charts_.of.size(); ++i) {
      const MeshTriangle& t = mesh_.triangles()[i];
      const Vec2 a = flat(charts_.of[i], t[0]), b = flat(charts_.of[i], t[1]), c = flat(charts_.of[i], t[2]);
      sum += 0.5 * share(charts_.of[i]) * share(charts_.of[i]) *
             std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
    }
    return sum;
  }

 private:
  bool on_floor(uint32_t vertex) const {
    const auto low = static_cast<double>(mesh_.bounds().low[2]), high = static_cast<double>(mesh_.bounds().high[2]);
    return static_cast<double>(mesh_.positions()[vertex][2]) <= low + 0.005 * (high - low);
  }

  Vec2 flat(uint32_t chart, uint32_t vertex) const {
    const Vec3 p = to_vec(mesh_.positions()[vertex]);
    return {dot(p, charts_.planes[chart].across), dot(p, charts_.planes[chart].up)};
  }

  /// The squares that a triangle comes within a gutter of.
  Outline outline(uint32_t c) const {
    const double gutter = params_.gutter + 0.5, scale = scale_ * shares_[c];
    const auto squares = [&](double extent) {
      return static_cast<int>(std::floor((extent * scale + 2 * gutter) / block_)) + 1;
    };
    Outline result{squares(high_[c].x - low_[c].x), squares(high_[c].y - low_[c].y), {}};
    std::vector<uint8_t> taken(static_cast<size_t>(result.width) * static_cast<size_t>(result.height), 0);
    for (const uint32_t i : members_[c]) {
      Vec2 p[3];
      for (size_t k = 0; k < 3; ++k) {
        const Vec2 at = flat(c, mesh_.triangles()[i][k]);
        p[k] = {(at.x - low_[c].x) * scale + gutter, (at.y - low_[c].y) * scale + gutter};
      }
      mark(p, result, taken);
    }
    for (int y = 0; y < result.height; ++y)
      for (int x = 0; x < result.width; ++x)
        if (taken[static_cast<size_t>(y * result.width + x)] != 0) result.squares.emplace_back(x, y);
    return result;
  }

  void mark(const Vec2 (&p)[3], const Outline& outline, std::vector<uint8_t>& taken) const {
    const double reach = params_.gutter + 0.5;
    const auto [x_low, x_high] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [y_low, y_high] = std::minmax({p[0].y, p[1].y, p[2].y});
    const auto square = [&](double v, int count) {
      return std::clamp(static_cast<int>(std::floor(v / block_)), 0, count - 1);
    };
    const int x0 = square(x_low - reach, outline.width), x1 = square(x_high + reach, outline.width);
    const int y0 = square(y_low - reach, outline.height), y1 = square(y_high + reach, outline.height);
    const double half = 0.5 * block_ + reach;
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        bool apart = false;
        for (size_t k = 0; k < 3; ++k) {
          // A side that has all of the square on its other side parts the two.
          const Vec2 a = p[k], b = p[(k + 1) % 3], normal{b.y - a.y, a.x - b.x};
          const double middle = ((x + 0.5) * block_ - a.x) * normal.x + ((y + 0.5) * block_ - a.y) * normal.y;
          apart = apart || middle > half * (std::abs(normal.x) + std::abs(normal.y));
        }
        if (!apart) taken[static_cast<size_t>(y * outline.width + x)] = 1;
      }
  }

  /// The first place with room, row by row from `from` on.
  static bool settle(const Outline& outline, Board& board, int& from, std::pair<int, int>& at) {
    for (int y = from; y + outline.height <= board.side(); ++y)
      for (int word = 0; word < board.words(); ++word) {
        // Where the chart itself would go beyond the border.
        uint64_t taken = 0;
        for (const auto& [dx, dy] : outline.squares) {
          taken |= board.taken(y + dy, word, dx);
          if (taken == ~uint64_t{0}) break;
        }
        const int bit = std::countr_one(taken);
        if (bit == 64 || 64 * word + bit + outline.width > board.side()) continue;
        at = {64 * word + bit, y};
        from = y;
        for (const auto& [dx, dy] : outline.squares) board.set(at.first + dx, y + dy);
        return true;
      }
    return false;
  }

  const Mesh& mesh_;
  const Charts& charts_;
  AtlasParams params_;
  int block_;
  double scale_ = 1;
  std::vector<double> shares_;    ///< of the scale, of each chart
  std::vector<Vec2> low_, high_;  ///< of each chart on its plane
  std::vector<std::vector<uint32_t>> members_;
  std::vector<std::pair<int, int>> at_;  ///< of each chart, in squares
};

/// The vertices that each chart uses, in the order of the mesh, and the triangles by them.
struct Split {
  std::vector<uint32_t> sources, charts;
  std::vector<MeshTriangle> triangles;
};

Split split_at_seams(const Mesh& mesh, const Charts& charts) {
  std::vector<std::pair<uint32_t, uint32_t>> uses;  // vertex, chart
  uses.reserve(3 * charts.of.size());
  for (size_t i = 0; i < charts.of.size(); ++i)
    for (const uint32_t vertex : mesh.triangles()[i]) uses.emplace_back(vertex, charts.of[i]);
  std::ranges::sort(uses);
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  std::vector<size_t> firsts(mesh.positions().size() + 1, uses.size());
  for (size_t n = uses.size(); n-- > 0;) firsts[uses[n].first] = n;
  for (size_t v = mesh.positions().size(); v-- > 0;) firsts[v] = std::min(firsts[v], firsts[v + 1]);
  Split split;
  for (const auto& [vertex, chart] : uses) split.sources.push_back(vertex), split.charts.push_back(chart);
  for (size_t i = 0; i < charts.of.size(); ++i) {
    MeshTriangle t = mesh.triangles()[i];
    for (uint32_t& corner : t) {
      size_t n = firsts[corner];
      while (uses[n].second != charts.of[i]) ++n;
      corner = static_cast<uint32_t>(n);
    }
    split.triangles.push_back(t);
  }
  return split;
}

}  // namespace

Atlas make_atlas(const Mesh& mesh, const AtlasParams& params, const Context& context) {
  if (mesh.triangles().empty()) refuse("this mesh has no surface to lay out");
  const auto side = static_cast<double>(params.size);
  double area = 0;
  for (const MeshTriangle& t : mesh.triangles()) {
    const Vec3 a = to_vec(mesh.positions()[t[0]]);
    area += 0.5 * length(cross(to_vec(mesh.positions()[t[1]]) - a, to_vec(mesh.positions()[t[2]]) - a));
  }
  if (!(area > 0)) refuse("this mesh has no surface to lay out");
  const Charts charts = make_charts(mesh, 2 * std::sqrt(full * side * side / area), context.stage("charts", 0, 0.6));
  Packer packer(mesh, charts, params);
  Atlas atlas;
  atlas.size = params.size, atlas.gutter = params.gutter;
  double scale = std::sqrt(full * side * side / packer.area());
  const Context packing = context.stage("packing", 0.6, 0.9);
  for (int tries = 0; !packer.place(scale, packing.told_to(nullptr)); ++tries) {
    if (tries == most_tries)
      refuse(fmt::format("the {} pieces of this mesh do not fit a texture of {} texels", charts.planes.size(),
                         params.size),
             "a larger texture, or a mesh of larger cells");
    scale *= shrink;
  }
  Split split = split_at_seams(mesh, charts);
  MeshData data = pick_vertices(mesh, split.sources);
  data.coordinates.resize(split.sources.size());
  for (size_t i = 0; i < split.sources.size(); ++i) {
    const Vec2 p = packer.texel(split.charts[i], split.sources[i]);
    data.coordinates[i] = {static_cast<float>(p.x / side), static_cast<float>(1 - p.y / side)};
  }
  data.triangles = std::move(split.triangles);
  atlas.mesh = Mesh(std::move(data));
  atlas.sources = std::move(split.sources);
  atlas.charts = charts.of;
  for (uint32_t c = 0; c < charts.planes.size(); ++c) atlas.per_metre.push_back(scale * packer.share(c));
  return atlas;
}

std::vector<std::array<float, 4>> tangents_of(const Mesh& mesh) {
  std::vector<Vec3> sums(mesh.positions().size());
  std::vector<double> turns(mesh.positions().size(), 0);
  for (const MeshTriangle& t : mesh.triangles()) {
    const auto at = [&](size_t k) { return to_vec(mesh.positions()[t[k]]); };
    const auto uv = [&](size_t k) {
      const MeshCoordinate c = mesh.coordinates()[t[k]];
      // v goes down the picture.
      return Vec2{static_cast<double>(c[0]), 1 - static_cast<double>(c[1])};
    };
    const Vec3 one = at(1) - at(0), other = at(2) - at(0);
    const Vec2 a = uv(1) - uv(0), b = uv(2) - uv(0);
    const double turn = a.x * b.y - a.y * b.x;
    const Vec3 along = (one * b.y - other * a.y) * (turn < 0 ? -1.0 : 1.0);
    const double size = length(along);
    if (!(size > 0) || turn == 0) continue;
    const double weight = length(cross(one, other));
    for (const uint32_t corner : t) {
      sums[corner] = sums[corner] + along * (weight / size);
      turns[corner] += turn < 0 ? -weight : weight;
    }
  }
  std::vector<std::array<float, 4>> result(sums.size());
  for (size_t i = 0; i < sums.size(); ++i) {
    const Vec3 n = mesh.normals().empty() ? Vec3{0, 0, 1} : to_vec(mesh.normals()[i]);
    Vec3 t = sums[i] - n * dot(n, sums[i]);
    if (!(length(t) > 1e-9 * length(sums[i]))) t = cross(n, std::abs(n.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
    t = length(t) > 0 ? t * (1 / length(t)) : Vec3{1, 0, 0};
    result[i] = {static_cast<float>(t.x), static_cast<float>(t.y), static_cast<float>(t.z),
                 turns[i] < 0 ? -1.0f : 1.0f};
  }
  return result;
}

}  // namespace tepui
