#include "tepui/render/light/height_field.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "tepui/core/parallel.h"

// A ray is the sequence of its crossings of the grid's lines, ordered by their distances and, where those are equal, x
// before y. A distance is the same function of line and ray wherever it is needed, so is the side of the surface on
// which the ray is there, and rounding never changes the order of two lines. Every patch, block and square asks this
// sequence which part of the ray is its own; hence they agree, and a ray cannot change sides between two of them.

namespace tepui {

namespace {

constexpr int64_t block_side = 8, square_side = 32, blocks_across = square_side / block_side;
constexpr double endless = 1e100;   ///< farther than any ray goes; its square is finite
constexpr double parallel = 1e290;  ///< stands for 1 / 0: the next line is beyond the end
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Where the ray crosses a line of the grid.
double crossing_of(const HeightField::Ray& ray, int axis, double line) {
  return (line - ray.from[axis]) * ray.per[axis];
}

double place_at(const HeightField::Ray& ray, int axis, double distance) {
  return ray.from[axis] + distance * ray.direction[axis];
}

/// What a ray crosses to get somewhere: a line across axis 0 or 1 of the grid, or none (2), for it starts there.
struct Crossing {
  double distance;
  int axis;
};

struct Patches {
  int64_t first[2], last[2];  ///< the last are beyond
};

/// The way of a ray over cells of `size` patches, in the order in which it crosses their borders.
template <int size>
class Walk {
 public:
  /// Over `patches`, from where the ray comes in. A cell's index counts along rows that are `stride` apart.
  Walk(const HeightField::Ray& ray, Crossing entry, const Patches& patches, int64_t stride)
      : ray_(ray), entry_(entry), stride_{1, stride} {
    for (int axis = 0; axis < 2; ++axis) {
      const bool forward = ray.per[axis] > 0;
      const int64_t low = patches.first[axis] / size, high = (patches.last[axis] - 1) / size;
      const int64_t cell = entry.axis == axis ? (forward ? low : high) : cell_after(axis, entry, low, high);
      index_ += cell * stride_[axis];
      left_[axis] = forward ? high - cell : cell - low;
      stride_[axis] = forward ? stride_[axis] : -stride_[axis];
      corner_[axis] = static_cast<double>(cell * size);
      step_[axis] = forward ? size : -size;
      edge_[axis] = forward ? size : 0;
      last_[axis] = static_cast<double>(patches.last[axis]);
      aim(axis);
    }
    turn();
  }

  int64_t index() const { return index_; }
  /// The lower border of the cell, in patches.
  double corner(int axis) const { return corner_[axis]; }
  /// How the ray came into the cell, and how it leaves it.
  Crossing entry() const { return entry_; }
  Crossing leave() const { return {leave_[axis_], axis_}; }

  /// Into the next cell; false when there is none.
  bool step() {
    const int axis = axis_;
    if (left_[axis]-- == 0) return false;
    entry_ = {leave_[axis], axis};
    index_ += stride_[axis];
    corner_[axis] += step_[axis];
    aim(axis);
    turn();
    return true;
  }

 private:
  void aim(int axis) {
    double line = corner_[axis] + edge_[axis];
    if constexpr (size > 1) line = std::min(line, last_[axis]);
    leave_[axis] = crossing_of(ray_, axis, line);
  }
  void turn() { axis_ = leave_[1] < leave_[0] ? 1 : 0; }

  /// The cell along an axis that the ray is in right after a crossing of the other axis or its start.
  int64_t cell_after(int axis, Crossing entry, int64_t low, int64_t high) const {
    const bool forward = ray_.per[axis] > 0;
    const auto before = [&](int64_t border) {
      const double at = crossing_of(ray_, axis, static_cast<double>(border * size));
      return entry.axis < axis ? at < entry.distance : at <= entry.distance;
    };
    const double place = place_at(ray_, axis, entry.distance) * (1.0 / size);
    int64_t cell = static_cast<int64_t>(std::min(std::max(static_cast<double>(low), place), static_cast<double>(high)));
    // The place is rounded; the lines decide.
    while (cell < high && before(cell + 1) == forward) ++cell;
    while (cell > low && before(cell) != forward) --cell;
    return cell;
  }

  const HeightField::Ray& ray_;
  Crossing entry_;
  int axis_;
  int64_t index_ = 0, stride_[2], left_[2];  ///< how many cells there are after this one
  double corner_[2], step_[2], edge_[2], last_[2], leave_[2];
};

double between(double a, double b, double share) { return a + share * (b - a); }

/// A patch, by its corners.
struct Corners {
  Corners(const float* first, int64_t width)
      : sw(static_cast<double>(first[0])),
        se(static_cast<double>(first[1])),
        nw(static_cast<double>(first[width])),
        ne(static_cast<double>(first[width + 1])) {}
  double at(double u, double v) const { return between(between(sw, se, u), between(nw, ne, u), v); }
  double slope_x(double v) const { return between(se - sw, ne - nw, v); }
  double slope_y(double u) const { return between(nw - sw, ne - se, u); }
  double twist() const { return (ne - nw) - (se - sw); }

  double sw, se, nw, ne;
};

/// The height of a ray over a patch while it crosses it, x from 0 to 1: f0 + (f1 - f0) x - bend x (1 - x).
struct Over {
  double f0, f1, bend;
};

/// Where it changes sides in [0, 1]; a ray that is right on the surface at 0 comes from the side given.
double root_of(const Over& over, bool from_above) {
  const double slope = over.f1 - over.f0 - over.bend;
  if (over.f0 == 0 && (slope > 0) != from_above) return 0;
  const double root = std::sqrt(std::max(0.0, slope * slope - 4 * over.bend * over.f0));
  const double q = -0.5 * (slope + std::copysign(root, slope));
  double first = 2;
  if (q != 0 && over.f0 / q > 0) first = over.f0 / q;
  if (over.bend != 0 && q / over.bend > 0) first = std::min(first, q / over.bend);
  return first <= 1 ? first : std::clamp(over.f0 / (over.f0 - over.f1), 0.0, 1.0);
}

/// The first of two roots, where f0 and f1 have the same sign; 2 when there is none.
double first_of_two(const Over& over) {
  const double sign = over.f0 + over.f1 > 0 ? 1 : -1, bend = sign * over.bend, f0 = sign * over.f0;
  const double slope = sign * over.f1 - f0 - bend, within = slope * slope - 4 * bend * f0;
  if (bend <= 0 || slope >= 0 || -slope >= 2 * bend || within < 0) return 2;
  return std::min(1.0, 2 * f0 / (std::sqrt(within) - slope));
}

/// Whether a ray that starts right on a patch leaves it upward.
bool rises(const HeightField::Ray& ray, const Corners& patch, double u, double v) {
  const double dx = ray.direction[0], dy = ray.direction[1];
  const double rise = ray.direction[2] - patch.slope_x(v) * dx - patch.slope_y(u) * dy;
  return rise > 0 || (rise == 0 && patch.twist() * dx * dy < 0);
}

/// Casts a ray at the patches of a block, from where it comes in; any hit will do where only that is asked.
template <bool any>
bool cast_block(const Grid<float>& heights, const Patches& block, const HeightField::Ray& ray, Crossing entry,
                double far, HeightField::Hit& hit) {
  const int64_t width = heights.width();
  const int64_t ahead[2] = {ray.per[0] > 0 ? 1 : 0, ray.per[1] > 0 ? width : 0};  // a corner of the border in front
  const int64_t behind[2] = {1 - ahead[0], width - ahead[1]}, along[2] = {width, 1};
  Walk<1> walk(ray, entry, block, width);
  const auto height = [&](double distance) { return ray.from[2] + distance * ray.direction[2]; };
  // How high it is over the border of the patch, or over a point inside.
  const auto over_border = [&](Crossing at, int64_t corner) {
    const float* p = heights.data() + walk.index() + corner;
    const int other = 1 - at.axis;
    return height(at.distance) - between(static_cast<double>(p[0]), static_cast<double>(p[along[at.axis]]),
                                         place_at(ray, other, at.distance) - walk.corner(other));
  };
  const auto over_inside = [&](double distance) {
    const Corners patch(heights.data() + walk.index(), width);
    return height(distance) -
           patch.at(place_at(ray, 0, distance) - walk.corner(0), place_at(ray, 1, distance) - walk.corner(1));
  };

  double f0 = entry.axis == 2 ? over_inside(entry.distance) : over_border(entry, behind[entry.axis]);
  bool over = f0 > 0;
  if (f0 == 0 && entry.axis == 2)
    over = rises(ray, Corners(heights.data() + walk.index(), width), place_at(ray, 0, entry.distance) - walk.corner(0),
                 place_at(ray, 1, entry.distance) - walk.corner(1));
  while (true) {
    const Crossing leave = walk.leave();
    const double f1 = leave.distance > far ? over_inside(far) : over_border(leave, ahead[leave.axis]);
    const double twist = Corners(heights.data() + walk.index(), width).twist();
    const bool through = (f1 > 0) != over || (f1 == 0 && f0 != 0 && leave.distance >= far);
    // Without a change of sides, only a twisted patch can bend as far as the ray.
    if (through || std::abs(twist) >= 4 * std::min(std::abs(f0), std::abs(f1))) {
      if (any && through) return true;
      const double begin = walk.entry().distance, length = std::min(leave.distance, far) - begin;
      const Over way{f0, f1, -twist * (length * ray.direction[0]) * (length * ray.direction[1])};
      const double x = through ? root_of(way, over) : first_of_two(way);
      if (x <= 1) {
        hit.distance = std::min(begin + x * length, far);
        hit.u = std::clamp(place_at(ray, 0, hit.distance), walk.corner(0), walk.corner(0) + 1);
        hit.v = std::clamp(place_at(ray, 1, hit.distance), walk.corner(1), walk.corner(1) + 1);
        return true;
      }
    }
    if (leave.distance >= far || !walk.step()) return false;
    f0 = f1;
  }
}

}  // namespace

HeightField::HeightField(const Grid<float>& heights, const HeightPlacement& placement, const Context& context)
    : heights_(&heights), placement_(placement), patches_{heights.width() - 1, heights.height() - 1} {
  assert(patches_[0] > 0 && patches_[1] > 0 && placement.cell.x > 0 && placement.cell.y > 0 && placement.lift > 0);
  columns_ = (patches_[0] + square_side - 1) / square_side;
  const int64_t rows = (patches_[1] + square_side - 1) / square_side;
  squares_.resize(static_cast<size_t>(columns_ * rows));
  blocks_.resize(squares_.size() * blocks_across * blocks_across);
  std::vector<float> steepest(static_cast<size_t>(rows), 0.0f);
  parallel_chunks(rows, 1, context, [&](int64_t row, int64_t) {
    for (int64_t column = 0; column < columns_; ++column)
      measure_square(column, row, steepest[static_cast<size_t>(row)]);
  });
  steepest_ = static_cast<double>(*std::ranges::max_element(steepest));
  for (const Span& s : squares_)
    highest_ = std::max(highest_, static_cast<double>(std::max(std::abs(s.low), std::abs(s.high))));
}

void HeightField::measure_square(int64_t column, int64_t row, float& steepest) {
  const size_t square = static_cast<size_t>(row * columns_ + column);
  Span& span = squares_[square];
  span = {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
  for (int64_t j = 0; j < blocks_across; ++j)
    for (int64_t i = 0; i < blocks_across; ++i) {
      const int64_t x0 = column * square_side + i * block_side, y0 = row * square_side + j * block_side;
      if (x0 >= patches_[0] || y0 >= patches_[1]) continue;
      const int64_t x1 = std::min(x0 + block_side, patches_[0]), y1 = std::min(y0 + block_side, patches_[1]);
      const Grid<float>& z = *heights_;
      const float sw = z(x0, y0), se = z(x1, y0), nw = z(x0, y1), ne = z(x1, y1);
      float sx = 0.5f * ((se - sw) + (ne - nw)) / static_cast<float>(x1 - x0);
      float sy = 0.5f * ((nw - sw) + (ne - se)) / static_cast<float>(y1 - y0);
      if (!std::isfinite(sx) || !std::isfinite(sy)) sx = sy = 0;
      float low = std::numeric_limits<float>::max(), high = -low, flat_low = low, flat_high = high;
      for (int64_t y = y0; y <= y1; ++y) {
        const float* line = z.row(y);
        const float base = sy * static_cast<float>(y - y0);
        for (int64_t x = x0; x <= x1; ++x) {
          const float h = line[x], r = h - (base + sx * static_cast<float>(x - x0));
          low = std::min(low, r);
          high = std::max(high, r);
          flat_low = std::min(flat_low, h);
          flat_high = std::max(flat_high, h);
        }
      }
      // More than the rounding of what was just computed.
      const float margin = 1e-6f * std::max({std::abs(flat_low), std::abs(flat_high), flat_high - flat_low});
      blocks_[square * blocks_across * blocks_across + static_cast<size_t>(j * blocks_across + i)] = {
          low - margin, high + margin, sx, sy};
      span = {std::min(span.low, flat_low), std::max(span.high, flat_high)};
      steepest = std::max({steepest, std::abs(sx), std::abs(sy)});
    }
}

std::pair<Vec3, Vec3> HeightField::bounds(size_t square) const {
  const int64_t x0 = static_cast<int64_t>(square) % columns_ * square_side;
  const int64_t y0 = static_cast<int64_t>(square) / columns_ * square_side;
  const int64_t x1 = std::min(x0 + square_side, patches_[0]), y1 = std::min(y0 + square_side, patches_[1]);
  const auto corner = [&](int64_t x, int64_t y, float z) {
    return placement_.origin + Vec3{static_cast<double>(x) * placement_.cell.x,
                                    static_cast<double>(y) * placement_.cell.y,
                                    static_cast<double>(z) * placement_.lift};
  };
  return {corner(x0, y0, squares_[square].low), corner(x1, y1, squares_[square].high)};
}

HeightField::Ray HeightField::ray(Vec3 from, Vec3 direction) const {
  const Vec3 start = from - placement_.origin;
  Ray ray{{start.x / placement_.cell.x, start.y / placement_.cell.y, start.z / placement_.lift},
          {direction.x / placement_.cell.x, direction.y / placement_.cell.y, direction.z / placement_.lift},
          {},
          0};
  for (int axis = 0; axis < 3; ++axis) {
    if (!(std::abs(ray.direction[axis]) <= 1 / parallel)) {
      ray.per[axis] = 1 / ray.direction[axis];
      continue;
    }
    ray.per[axis] = parallel;
    if (axis == 2) break;
    // A ray along the border is on the land, whatever its start was rounded to; the last line is the last patch's.
    const double last = static_cast<double>(patches_[axis]), inside = std::clamp(ray.from[axis], 0.0, last);
    if (std::abs(inside - ray.from[axis]) < 1e-9) ray.from[axis] = inside;
    if (ray.from[axis] >= last) ray.per[axis] = -parallel;
  }
  ray.slack = 16 * epsilon *
              (std::abs(ray.from[2]) + highest_ + steepest_ * (std::abs(ray.from[0]) + std::abs(ray.from[1]) + 16));
  return ray;
}

std::optional<HeightField::Hit> HeightField::hit(size_t square, const Ray& ray, double near, double far) const {
  Hit found;
  if (!cast<false>(square, ray, near, far, found)) return std::nullopt;
  if (found.distance <= near) found.distance = std::nextafter(near, endless);
  return found;
}

bool HeightField::blocked(size_t square, const Ray& ray, double near, double far) const {
  Hit unused;
  return cast<true>(square, ray, near, far, unused);
}

template <bool any>
bool HeightField::cast(size_t square, const Ray& ray, double near, double far, Hit& hit) const {
  const int64_t first[2] = {static_cast<int64_t>(square) % columns_ * square_side,
                            static_cast<int64_t>(square) / columns_ * square_side};
  const Patches patches{{first[0], first[1]},
                        {std::min(first[0] + square_side, patches_[0]), std::min(first[1] + square_side, patches_[1])}};
  double enter[2], leave[2];
  for (int axis = 0; axis < 2; ++axis) {
    const double west = static_cast<double>(patches.first[axis]), east = static_cast<double>(patches.last[axis]);
    enter[axis] = crossing_of(ray, axis, ray.per[axis] > 0 ? west : east);
    leave[axis] = crossing_of(ray, axis, ray.per[axis] > 0 ? east : west);
  }
  Crossing entry = enter[1] >= enter[0] ? Crossing{enter[1], 1} : Crossing{enter[0], 0};
  if (!(entry.axis == 1 ? enter[1] < leave[0] : enter[0] <= leave[1])) return false;  // nor a ray that is no number
  // Only between these two distances it is between the lowest and the highest point; elsewhere its side is clear.
  const double low = (static_cast<double>(squares_[square].low) - ray.slack - ray.from[2]) * ray.per[2];
  const double high = (static_cast<double>(squares_[square].high) + ray.slack - ray.from[2]) * ray.per[2];
  const double start = std::max(near, std::min(low, high));
  far = std::min({far, endless, std::max(low, high)});
  if (!(entry.distance <= far && start <= far && start < std::min(leave[0], leave[1]))) return false;
  if (entry.distance <= start) entry = {start, 2};

  Walk<block_side> walk(ray, entry, patches, blocks_across);
  // The walk counts blocks from the first of the field, the list has them square by square.
  const int64_t shift = static_cast<int64_t>(square) * blocks_across * blocks_across -
                        (first[1] / block_side * blocks_across + first[0] / block_side);
  do {
    const Block& block = blocks_[static_cast<size_t>(walk.index() + shift)];
    const double sx = static_cast<double>(block.slope_x), sy = static_cast<double>(block.slope_y);
    const double base = ray.from[2] - sx * (ray.from[0] - walk.corner(0)) - sy * (ray.from[1] - walk.corner(1));
    const double rise = ray.direction[2] - sx * ray.direction[0] - sy * ray.direction[1];
    const double a = base + walk.entry().distance * rise, b = base + std::min(walk.leave().distance, far) * rise;
    if (std::max(a, b) >= static_cast<double>(block.low) - ray.slack &&
        std::min(a, b) <= static_cast<double>(block.high) + ray.slack) {
      const int64_t x = static_cast<int64_t>(walk.corner(0)), y = static_cast<int64_t>(walk.corner(1));
      if (cast_block<any>(*heights_,
                          {{x, y}, {std::min(x + block_side, patches_[0]), std::min(y + block_side, patches_[1])}}, ray,
                          walk.entry(), far, hit))
        return true;
    }
  } while (walk.leave().distance < far && walk.step());
  return false;
}

HeightField::Patch HeightField::patch_at(double u, double v) const {
  u = std::clamp(u, 0.0, static_cast<double>(patches_[0]));
  v = std::clamp(v, 0.0, static_cast<double>(patches_[1]));
  Patch patch;
  patch.x = std::min(static_cast<int64_t>(u), patches_[0] - 1);
  patch.y = std::min(static_cast<int64_t>(v), patches_[1] - 1);
  patch.s = u - static_cast<double>(patch.x);
  patch.t = v - static_cast<double>(patch.y);
  return patch;
}

double HeightField::height_at(double u, double v) const {
  const Patch p = patch_at(u, v);
  return placement_.origin.z + placement_.lift * Corners(heights_->row(p.y) + p.x, heights_->width()).at(p.s, p.t);
}

Vec3 HeightField::upright(double slope_x, double slope_y) const {
  const Vec3 n{-slope_x * (placement_.lift / placement_.cell.x), -slope_y * (placement_.lift / placement_.cell.y), 1};
  return n * (1 / length(n));
}

Vec3 HeightField::facet_at(double u, double v) const {
  const Patch p = patch_at(u, v);
  const Corners patch(heights_->row(p.y) + p.x, heights_->width());
  return upright(patch.slope_x(p.t), patch.slope_y(p.s));
}

Vec3 HeightField::normal_at(double u, double v) const {
  const Patch p = patch_at(u, v);
  double z[4][4];
  if (p.x > 0 && p.y > 0 && p.x + 2 < heights_->width() && p.y + 2 < heights_->height()) {
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i) z[j][i] = static_cast<double>(heights_->row(p.y + j - 1)[p.x + i - 1]);
  } else {
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i) z[j][i] = sample(p.x + i - 1, p.y + j - 1);
  }
  const auto east = [&](int i, int j) {
    return (z[j - 1][i + 1] - z[j - 1][i - 1]) + 2 * (z[j][i + 1] - z[j][i - 1]) + (z[j + 1][i + 1] - z[j + 1][i - 1]);
  };
  const auto north = [&](int i, int j) {
    return (z[j + 1][i - 1] - z[j - 1][i - 1]) + 2 * (z[j + 1][i] - z[j - 1][i]) + (z[j + 1][i + 1] - z[j - 1][i + 1]);
  };
  return upright(between(between(east(1, 1), east(2, 1), p.s), between(east(1, 2), east(2, 2), p.s), p.t) / 8,
                 between(between(north(1, 1), north(2, 1), p.s), between(north(1, 2), north(2, 2), p.s), p.t) / 8);
}

double HeightField::sample(int64_t x, int64_t y) const {
  if (x < 0) return 2 * sample(0, y) - sample(1, y);
  if (x > patches_[0]) return 2 * sample(patches_[0], y) - sample(patches_[0] - 1, y);
  if (y < 0) return 2 * sample(x, 0) - sample(x, 1);
  if (y > patches_[1]) return 2 * sample(x, patches_[1]) - sample(x, patches_[1] - 1);
  return static_cast<double>((*heights_)(x, y));
}

}  // namespace tepui
