#include "tepui/render/ground/rock_columns.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Columns do not stand on the lattices on which vertices lie.
constexpr double off_lattice = 0.4863;
/// What is less upright than that is a wall or a ceiling.
constexpr double least_upright = 0.3;

int64_t whole(double v) { return static_cast<int64_t>(std::floor(v)); }

}  // namespace

template <class Each>
void RockColumns::for_crossings(const Mesh& mesh, TriangleSpan span, const Each& each) const {
  const Vec3 shift = mesh.centre() - base_;
  for (const MeshTriangle& t : mesh.triangles().subspan(span.first, span.count)) {
    Vec3 p[3];
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 at = to_vec(mesh.positions()[t[k]]) + shift;
      p[k] = {at.x / cell_ - off_lattice, at.y / cell_ - off_lattice, at.z};
    }
    const double doubled = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (doubled == 0) continue;
    const auto [x_low, x_high] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [y_low, y_high] = std::minmax({p[0].y, p[1].y, p[2].y});
    const int64_t x0 = std::max<int64_t>(0, whole(std::ceil(x_low))), x1 = std::min(width_ - 1, whole(x_high));
    const int64_t y0 = std::max<int64_t>(0, whole(std::ceil(y_low))), y1 = std::min(height_ - 1, whole(y_high));
    for (int64_t y = y0; y <= y1; ++y)
      for (int64_t x = x0; x <= x1; ++x) {
        double share[3];
        for (size_t k = 0; k < 3; ++k) {
          const Vec3 &a = p[(k + 1) % 3], &b = p[(k + 2) % 3];
          const double at_x = static_cast<double>(x), at_y = static_cast<double>(y);
          share[k] = ((a.x - at_x) * (b.y - at_y) - (a.y - at_y) * (b.x - at_x)) / doubled;
        }
        if (share[0] < 0 || share[1] < 0 || share[2] < 0) continue;
        const double z = share[0] * p[0].z + share[1] * p[1].z + share[2] * p[2].z;
        each(static_cast<size_t>(y * width_ + x), Crossing{static_cast<float>(z), doubled > 0});
      }
  }
}

RockColumns::RockColumns(const Mesh& mesh, const Context& context) {
  double area = 0;
  for (const MeshTriangle& t : mesh.triangles()) {
    const Vec3 a = to_vec(mesh.positions()[t[0]]);
    area += length(cross(to_vec(mesh.positions()[t[1]]) - a, to_vec(mesh.positions()[t[2]]) - a));
  }
  lay_out(mesh.world_bounds(), std::sqrt(area / static_cast<double>(std::max<size_t>(mesh.triangles().size(), 1))));
  fill(mesh, context);
}

RockColumns::RockColumns(const Mesh& mesh, const std::array<Vec3, 2>& box, double spacing, const Context& context) {
  lay_out(box, spacing);
  fill(mesh, context);
}

void RockColumns::lay_out(const std::array<Vec3, 2>& box, double spacing) {
  const auto [low, high] = box;
  base_ = low;
  top_ = high.z - low.z;
  const double longer = std::max(high.x - low.x, high.y - low.y);
  cell_ = longer > 0 ? std::clamp(spacing, longer / static_cast<double>(most), longer / static_cast<double>(least)) : 1;
  const auto count = [&](double side) { return std::clamp<int64_t>(whole(side / cell_) + 1, 1, most + 1); };
  width_ = count(high.x - low.x), height_ = count(high.y - low.y);
}

void RockColumns::fill(const Mesh& mesh, const Context& context) {
  const TriangleSpan all{0, mesh.triangles().size()};
  starts_.assign(static_cast<size_t>(width_ * height_) + 1, 0);
  for_crossings(mesh, all, [&](size_t column, Crossing) { ++starts_[column + 1]; });
  context.check();
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  crossings_.resize(starts_.back());
  std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
  for_crossings(mesh, all, [&](size_t column, Crossing crossing) { crossings_[next[column]++] = crossing; });
  parallel_chunks(width_ * height_, 1 << 14, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      std::sort(crossings_.begin() + starts_[i], crossings_.begin() + starts_[i + 1], below);
  });
}

std::vector<RockColumns::InColumn> RockColumns::crossings_in(const Mesh& mesh,
                                                             std::span<const TriangleSpan> spans) const {
  std::vector<InColumn> list;
  for (const TriangleSpan& span : spans)
    for_crossings(mesh, span, [&](size_t column, Crossing crossing) { list.push_back({column, crossing}); });
  std::sort(list.begin(), list.end(), before);
  return list;
}

ColumnZone RockColumns::zone_of(std::span<const InColumn> some, std::span<const InColumn> others) const {
  constexpr double far = std::numeric_limits<double>::infinity();
  ColumnZone zone{{far, far, -far}, {-far, -far, -far}};
  for (const auto list : {some, others})
    for (const InColumn& one : list) {
      const double x = static_cast<double>(static_cast<int64_t>(one.column) % width_),
                   y = static_cast<double>(static_cast<int64_t>(one.column) / width_);
      zone.low = {std::min(zone.low.x, x), std::min(zone.low.y, y), zone.low.z};
      zone.high = {std::max(zone.high.x, x), std::max(zone.high.y, y),
                   std::max(zone.high.z, static_cast<double>(one.crossing.z))};
    }
  // A column tells of the places around it; one more for rounding.
  zone.low = Vec3{(zone.low.x + off_lattice - 1.5) * cell_, (zone.low.y + off_lattice - 1.5) * cell_, 0};
  zone.high = Vec3{(zone.high.x + off_lattice + 1.5) * cell_, (zone.high.y + off_lattice + 1.5) * cell_, zone.high.z};
  return zone;
}

RockColumns RockColumns::edited(const Mesh& old, std::span<const TriangleSpan> gone, const Mesh& now,
                                std::span<const TriangleSpan> come, std::optional<ColumnZone>& zone) const {
  const std::vector<InColumn> were = crossings_in(old, gone), are = crossings_in(now, come);
  std::vector<InColumn> out, in;
  std::set_difference(were.begin(), were.end(), are.begin(), are.end(), std::back_inserter(out), before);
  std::set_difference(are.begin(), are.end(), were.begin(), were.end(), std::back_inserter(in), before);
  zone.reset();
  if (out.empty() && in.empty()) return *this;
  zone = zone_of(out, in);
  RockColumns result;
  result.base_ = base_, result.cell_ = cell_, result.top_ = top_, result.width_ = width_, result.height_ = height_;
  result.starts_.resize(starts_.size());
  result.crossings_.reserve(crossings_.size() + in.size());
  // What is the same in both takes the place of what was there: columns in their order, and what lies in one, too.
  size_t copied = 0, o = 0, i = 0;
  const auto copy_to = [&](size_t end) {
    result.crossings_.insert(result.crossings_.end(), crossings_.begin() + static_cast<int64_t>(copied),
                             crossings_.begin() + static_cast<int64_t>(end));
    copied = end;
  };
  size_t told = 0;  // columns whose start is known
  const auto tell_to = [&](size_t column, int64_t shift) {
    for (; told <= column; ++told) result.starts_[told] = static_cast<uint32_t>(int64_t{starts_[told]} + shift);
  };
  while (o < out.size() || i < in.size()) {
    const size_t column =
        std::min(o < out.size() ? out[o].column : starts_.size(), i < in.size() ? in[i].column : starts_.size());
    copy_to(starts_[column]);
    tell_to(column, static_cast<int64_t>(i) - static_cast<int64_t>(o));
    std::vector<Crossing> rest;
    for (size_t at = starts_[column]; at < starts_[column + 1]; ++at)
      if (o < out.size() && out[o] == InColumn{column, crossings_[at]})
        ++o;
      else
        rest.push_back(crossings_[at]);
    for (; i < in.size() && in[i].column == column; ++i) rest.push_back(in[i].crossing);
    std::sort(rest.begin(), rest.end(), below);
    result.crossings_.insert(result.crossings_.end(), rest.begin(), rest.end());
    copied = starts_[column + 1];
  }
  copy_to(crossings_.size());
  tell_to(starts_.size() - 1, static_cast<int64_t>(i) - static_cast<int64_t>(o));
  return result;
}

/// The rays of shelter(): none goes more than 0.52 metres aside for a metre upwards.
bool RockColumns::is_sheltered_from(const ColumnZone& zone, Vec3 at, Vec3 normal) const {
  if (normal.z < least_upright) return false;
  const Vec3 from = start_of_shelter(at, normal);
  const double rise = zone.high.z - from.z;
  if (rise < -cell_) return false;
  const double reach = 0.52 * std::max(rise, 0.0) + cell_;
  return from.x > zone.low.x - reach && from.x < zone.high.x + reach && from.y > zone.low.y - reach &&
         from.y < zone.high.y + reach;
}

int64_t RockColumns::column_of(Vec3 place) const {
  const double x = std::round(place.x / cell_ - off_lattice), y = std::round(place.y / cell_ - off_lattice);
  if (!(x >= 0 && y >= 0 && x < static_cast<double>(width_) && y < static_cast<double>(height_))) return -1;
  return static_cast<int64_t>(y) * width_ + static_cast<int64_t>(x);
}

bool RockColumns::solid_in(int64_t column, double z) const {
  for (size_t i = starts_[static_cast<size_t>(column)]; i < starts_[static_cast<size_t>(column) + 1]; ++i)
    if (static_cast<double>(crossings_[i].z) > z) return crossings_[i].up;
  return false;
}

bool RockColumns::meets(int64_t column, double low, double high) const {
  for (size_t i = starts_[static_cast<size_t>(column)]; i < starts_[static_cast<size_t>(column) + 1]; ++i)
    if (const auto z = static_cast<double>(crossings_[i].z); z > low) return z < high || crossings_[i].up;
  return false;
}

bool RockColumns::solid(Vec3 at) const {
  const int64_t column = column_of(at - base_);
  return column >= 0 && solid_in(column, at.z - base_.z);
}

/// Column by column, until above all or beyond the plan.
bool RockColumns::hidden(Vec3 from, Vec3 way, int most_steps) const {
  const double flat = std::sqrt(way.x * way.x + way.y * way.y), step = cell_ / std::max(flat, 0.3);
  for (int i = 0; i < most_steps && from.z < top_ && from.z > 0; ++i, from = from + way * step) {
    const int64_t column = column_of(from);
    if (column < 0) return false;
    const double next = from.z + way.z * step;
    if (meets(column, std::min(from.z, next), std::max(from.z, next))) return true;
  }
  return false;
}

Vec3 RockColumns::start_of_shelter(Vec3 at, Vec3 normal) const {
  // Clear of the surface's own columns.
  return at - base_ + normal * (1.5 * cell_) + Vec3{0, 0, cell_};
}

float RockColumns::shelter(Vec3 at, Vec3 normal) const {
  if (normal.z < least_upright) return 0;
  const Vec3 from = start_of_shelter(at, normal);
  const int64_t column = column_of(from);
  int count = column >= 0 && meets(column, from.z, top_ + 1) ? 1 : 0;
  for (const Vec3 way : {Vec3{0.45, 0.1, 0.89}, Vec3{-0.31, 0.34, 0.89}, Vec3{-0.14, -0.44, 0.89}})
    count += hidden(from, way, 2 * most) ? 1 : 0;
  return 0.25f * static_cast<float>(count);
}

float RockColumns::openness(Vec3 at, Vec3 normal) const {
  constexpr int rays = 16, reach = 48;
  // Around the normal, as many the closer to it, by the golden angle.
  const Vec3 side = std::abs(normal.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  Vec3 across = cross(side, normal);
  across = across * (1 / length(across));
  const Vec3 along = cross(normal, across);
  const Vec3 from = at - base_ + normal * (1.5 * cell_);
  double c = 1, s = 0;
  int open = 0;
  for (int i = 0; i < rays; ++i) {
    const double share = (i + 0.5) / rays, out = std::sqrt(1 - share), flat = std::sqrt(share);
    const Vec3 way = normal * out + across * (flat * c) + along * (flat * s);
    open += hidden(from, way, reach) ? 0 : 1;
    const double turned = c * -0.7373688780783197 - s * 0.6754902942615238;
    s = c * 0.6754902942615238 + s * -0.7373688780783197;
    c = turned;
  }
  return static_cast<float>(open) / rays;
}

}  // namespace tepui
