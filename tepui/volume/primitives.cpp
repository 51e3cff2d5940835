#include "tepui/volume/primitives.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/volume/primitive_kernels.h"
#include "tepui/volume/space_order.h"

namespace tepui {

namespace {

constexpr double per_metre = 1 / place_quantum;

/// Of places of any size: where they are too far for whole numbers, there is nothing.
int64_t quanta(double metres) {
  const double place = nearest_place(metres);
  return static_cast<int64_t>(place > -0x1p62 ? std::min(place, 0x1p62) : -0x1p62);
}

/// Downwards or upwards to a float.
float below(double x) {
  const auto f = static_cast<float>(x);
  return static_cast<double>(f) > x ? std::nextafterf(f, -std::numeric_limits<float>::infinity()) : f;
}
float above(double x) { return -below(-x); }

PointList& scratch_list() {
  static thread_local PointList list;
  list.count = 0;
  return list;
}

std::vector<uint32_t>& scratch_indices() {
  static thread_local std::vector<uint32_t> indices;
  return indices;
}

constexpr int64_t everything = std::numeric_limits<int64_t>::max();

}  // namespace

/// Where a batch looks for points.
struct PointQuery {
  std::array<int64_t, 3> origin;  ///< in place quanta of the world
  float low[3], high[3];          ///< from the heap's origin
  int32_t shift[3];
  double half;  ///< of the widest side of the box

  PointQuery(const Box3& box, const std::array<int64_t, 3>& heap) {
    const double low_at[] = {box.low.x, box.low.y, box.low.z}, high_at[] = {box.high.x, box.high.y, box.high.z};
    half = 0;
    for (size_t k = 0; k < 3; ++k) {
      const double middle = 0.5 * (low_at[k] + high_at[k]);
      origin[k] = quanta(middle);
      // Half a quantum and more: places are rounded, too.
      low[k] = below(low_at[k] * per_metre - static_cast<double>(heap[k]) - 1);
      high[k] = above(high_at[k] * per_metre - static_cast<double>(heap[k]) + 1);
      shift[k] = static_cast<int32_t>(
          static_cast<uint32_t>(static_cast<uint64_t>(heap[k]) - static_cast<uint64_t>(origin[k])));
      half = std::max(half, (high_at[k] - low_at[k]) * (0.5 * per_metre));
    }
  }
};

namespace {

void to_places(const double* at, int64_t count, int64_t origin, float* out) {
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(nearest_place(at[i]) - static_cast<double>(origin));
}

FieldPoints part_of(const FieldPoints& at, int64_t first, int64_t count) {
  const double *x = at.x + first, *y = at.y + first, *z = at.z + first;
  return {x, y, z, count, box_around(x, y, z, count)};
}

/// Calls act(begin, end) for as many primitives at a time as may be added up in 32 bits.
template <class Act>
void in_parts(int64_t count, float strongest, const Act& act) {
  const auto most = static_cast<int64_t>(0x1p31 / (static_cast<double>(strongest) + 1)) - 1;
  for (int64_t begin = 0; begin < count; begin += most) act(begin, std::min(count, begin + most));
}

}  // namespace

PlacedPoint Primitives::point(size_t i) const {
  return {origin_[0] + x_[i], origin_[1] + y_[i], origin_[2] + z_[i], radius_[i], root_[i]};
}

void Primitives::list_boxes(std::vector<Box3>& boxes) const {
  for (size_t i = 0; i < count_; ++i) boxes.push_back(point(i).box());
  boxes.insert(boxes.end(), record_boxes_.begin(), record_boxes_.end());
}

/// Those that may reach the box, rising; or false where there are more than `most`.
bool Primitives::find_records(const Box3& box, size_t most, std::vector<uint32_t>& found) const {
  if (!record_tree_.near(box, most, found)) return false;
  size_t count = 0;
  for (const uint32_t i : found)
    if (box.meets(record_boxes_[i]) && (count == 0 || found[count - 1] != box_owners_[i]))
      found[count++] = box_owners_[i];
  found.resize(count);
  return true;
}

/// Batches are in some order of space: halves of one whose points lie far apart meet fewer records.
template <class Act>
void Primitives::for_records(const FieldPoints& at, int64_t first, const Act& act) const {
  constexpr size_t few = 64;
  if (records_.empty()) return;
  std::vector<uint32_t>& found = scratch_indices();
  const bool small = at.count <= 4 || at.box.longest_side() <= usual_side_;
  if (!find_records(at.box, small ? box_owners_.size() : few, found)) {
    const int64_t half = at.count / 2;
    for_records(part_of(at, 0, half), first, act);
    return for_records(part_of(at, half, at.count - half), first + half, act);
  }
  for (const uint32_t i : found) act(*records_[i], at, first);
}

PointTree Primitives::tree() const {
  PointTree tree{x_.data(), y_.data(), z_.data(), radius_.data(), root_.data(), static_cast<int>(levels_.size()), {}};
  for (size_t k = 0; k < levels_.size(); ++k) tree.boxes[k] = levels_[k].boxes.data();
  return tree;
}

void Primitives::add_one(Vec3 at, double& sum) const {
  const PointQuery query({at, at}, origin_);
  PointList& list = scratch_list();
  gather_points(tree(), query.low, query.high, query.shift, everything, list);
  in_parts(list.count, strongest_, [&](int64_t begin, int64_t end) { sum += add_single(list, begin, end); });
}

/// Lists the points that the batch has to look at; or tells that it is better taken apart, because its points lie so
/// far apart that they have few primitives in common, or too far for exact differences. Batches are in some order of
/// space, so that halves are smaller.
bool Primitives::find_points(const FieldPoints& at, const PointQuery& query, PointList& list) const {
  constexpr int64_t few = 64;
  if (at.count > 1 && query.half + static_cast<double>(widest_) > 0x1p23) return false;
  const bool small = at.count == 1 || at.lattice != nullptr || query.half < static_cast<double>(widest_);
  gather_points(tree(), query.low, query.high, query.shift, small ? everything : few, list);
  return small || list.count <= few;
}

void Primitives::add(const FieldPoints& at, double* sums) const {
  for_records(at, 0, [&](const ShapeRecord& record, const FieldPoints& some, int64_t first) {
    record.add(some, sums + first);
  });
  add_points(at, sums);
}

void Primitives::add_points(const FieldPoints& at, double* sums) const {
  if (!at.box.meets(points_box_)) return;
  if (at.count == 1) return add_one({at.x[0], at.y[0], at.z[0]}, sums[0]);
  const PointQuery query(at.box, origin_);
  PointList& list = scratch_list();
  if (!find_points(at, query, list)) {
    const int64_t half = at.count / 2;
    add_points(part_of(at, 0, half), sums);
    return add_points(part_of(at, half, at.count - half), sums + half);
  }
  if (list.count == 0) return;
  if (at.lattice != nullptr)
    add_lattice(*at.lattice, query.origin, list, sums);
  else
    add_scatter(at, query.origin, list, sums);
}

void Primitives::add_lattice(const FieldLattice& brick, const std::array<int64_t, 3>& origin, const PointList& list,
                             double* sums) const {
  float x[FieldPoints::most + 8], y[FieldPoints::most + 8], z[FieldPoints::most + 8];
  to_places(brick.x, brick.nx, origin[0], x);
  to_places(brick.y, brick.ny, origin[1], y);
  to_places(brick.z, brick.nz, origin[2], z);
  const int64_t row = BrickAxes::row(brick.nx);
  std::fill(x + brick.nx, x + row, far_place);
  std::fill(y + brick.ny, y + BrickAxes::row(brick.ny), far_place);
  std::fill(z + brick.nz, z + BrickAxes::row(brick.nz), far_place);
  int32_t part[FieldPoints::most * 8];
  in_parts(list.count, strongest_, [&](int64_t begin, int64_t end) {
    std::fill_n(part, row * brick.ny * brick.nz, 0);
    add_brick(list, begin, end, {x, y, z, brick.nx, brick.ny, brick.nz}, part);
    for (int64_t j = 0; j < brick.ny * brick.nz; ++j)
      for (int64_t i = 0; i < brick.nx; ++i) sums[j * brick.nx + i] += part[j * row + i];
  });
}

namespace {

struct ScatteredPlaces {
  float x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
  int64_t padded;

  ScatteredPlaces(const FieldPoints& at, const std::array<int64_t, 3>& origin) {
    padded = (at.count + widest_batch - 1) / widest_batch * widest_batch;
    to_places(at.x, at.count, origin[0], x);
    to_places(at.y, at.count, origin[1], y);
    to_places(at.z, at.count, origin[2], z);
    for (int64_t i = at.count; i < padded; ++i) x[i] = y[i] = z[i] = far_place;
  }
};

}  // namespace

void Primitives::add_scatter(const FieldPoints& at, const std::array<int64_t, 3>& origin, const PointList& list,
                             double* sums) const {
  const ScatteredPlaces places(at, origin);
  int32_t part[FieldPoints::most];
  in_parts(list.count, strongest_, [&](int64_t begin, int64_t end) {
    std::fill_n(part, places.padded, 0);
    add_scattered(list, begin, end, places.x, places.y, places.z, places.padded, part);
    for (int64_t i = 0; i < at.count; ++i) sums[i] += part[i];
  });
}

void Primitives::add_gradients(const FieldPoints& at, double* sums, double* dx, double* dy, double* dz) const {
  for_records(at, 0, [&](const ShapeRecord& record, const FieldPoints& some, int64_t first) {
    record.add_gradients(some, sums + first, dx + first, dy + first, dz + first);
  });
  add_point_gradients(at, sums, dx, dy, dz);
}

void Primitives::add_point_gradients(const FieldPoints& at, double* sums, double* dx, double* dy, double* dz) const {
  if (!at.box.meets(points_box_)) return;
  const PointQuery query(at.box, origin_);
  PointList& list = scratch_list();
  if (!find_points(at, query, list)) {
    const int64_t half = at.count / 2;
    add_point_gradients(part_of(at, 0, half), sums, dx, dy, dz);
    return add_point_gradients(part_of(at, half, at.count - half), sums + half, dx + half, dy + half, dz + half);
  }
  if (list.count == 0) return;
  const ScatteredPlaces places(at, query.origin);
  int32_t part[FieldPoints::most];
  double gx[FieldPoints::most], gy[FieldPoints::most], gz[FieldPoints::most];
  in_parts(list.count, strongest_, [&](int64_t begin, int64_t end) {
    std::fill_n(part, places.padded, 0);
    for (double* g : {gx, gy, gz}) std::fill_n(g, places.padded, 0.0);
    add_scattered_gradients(list, begin, end, places.x, places.y, places.z, places.padded, part, {gx, gy, gz});
    for (int64_t i = 0; i < at.count; ++i) {
      sums[i] += part[i];
      dx[i] += gx[i];
      dy[i] += gy[i];
      dz[i] += gz[i];
    }
  });
}

void Primitives::widen(const Box3& box, double& low, double& high) const {
  if (!records_.empty()) {
    std::vector<uint32_t>& found = scratch_indices();
    find_records(box, box_owners_.size(), found);
    for (const uint32_t i : found) records_[i]->widen(box, low, high);
  }
  if (count_ == 0 || !box.meets(points_box_)) return;
  const PointQuery query(box, origin_);
  const auto meets = [&](const Level& level, int64_t node) {
    const float* b = level.boxes.data() + node / 8 * 48 + node % 8;
    return b[0] <= query.high[0] && b[8] <= query.high[1] && b[16] <= query.high[2] && b[24] >= query.low[0] &&
           b[32] >= query.low[1] && b[40] >= query.low[2];
  };
  // From the top down while there are few nodes; then whole nodes count.
  constexpr size_t few = 64;
  size_t k = levels_.size() - 1;
  std::vector<int64_t> nodes;
  for (int64_t n = 0; n < levels_[k].nodes; ++n)
    if (meets(levels_[k], n)) nodes.push_back(n);
  for (; k > 0 && nodes.size() <= few; --k) {
    std::vector<int64_t> next;
    for (const int64_t n : nodes)
      for (int64_t c = n * 8; c < std::min(n * 8 + 8, levels_[k - 1].nodes); ++c)
        if (meets(levels_[k - 1], c)) next.push_back(c);
    nodes = std::move(next);
  }
  for (const int64_t n : nodes) {
    if (k > 0) {
      low += static_cast<double>(levels_[k].negative[static_cast<size_t>(n)]);
      high += static_cast<double>(levels_[k].positive[static_cast<size_t>(n)]);
    } else {
      for (size_t i = static_cast<size_t>(n) * 8; i < std::min(count_, static_cast<size_t>(n) * 8 + 8); ++i)
        widen_by_point(box, i, low, high);
    }
  }
}

/// From the nearest and the farthest place of the box.
void Primitives::widen_by_point(const Box3& box, size_t i, double& low, double& high) const {
  const Box3 own = point(i).box();
  if (!box.meets(own)) return;
  const Vec3 centre = (own.low + own.high) * 0.5;
  const double r = static_cast<double>(radius_[i]) * place_quantum;
  const auto near = [](double a, double b, double c) { return std::max({a - c, c - b, 0.0}); };
  const auto far = [](double a, double b, double c) { return std::max(std::abs(a - c), std::abs(b - c)); };
  const Vec3 n{near(box.low.x, box.high.x, centre.x), near(box.low.y, box.high.y, centre.y),
               near(box.low.z, box.high.z, centre.z)};
  const Vec3 f{far(box.low.x, box.high.x, centre.x), far(box.low.y, box.high.y, centre.y),
               far(box.low.z, box.high.z, centre.z)};
  const auto g = [&](double square) {
    const double u = std::max(1 - square / (r * r), 0.0);
    return u * u * u;
  };
  // Rounding of places and of the kernels: less than a thousandth of the energy on a metre, and one quantum.
  const double energy = point(i).energy(), more = primitive_quantum + std::abs(energy) * (4e-6 + 2 * place_quantum / r);
  const double strong = energy * g(dot(n, n)), weak = energy * g(dot(f, f));
  low += std::min({strong, weak}) - more;
  high += std::max({strong, weak}) + more;
}

size_t Primitives::bytes() const {
  size_t bytes = sizeof *this + x_.size() * 20 + records_.size() * sizeof(records_[0]);
  for (const Level& level : levels_)
    bytes += sizeof level + (level.boxes.size() + level.negative.size() + level.positive.size()) * sizeof(float);
  bytes += record_tree_.bytes() + record_boxes_.capacity() * sizeof(Box3) + box_owners_.capacity() * sizeof(uint32_t);
  for (const auto& record : records_) bytes += record->bytes();
  return bytes;
}

}  // namespace tepui
