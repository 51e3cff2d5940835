#include "tepui/volume/affine.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/volume/tree.h"

namespace tepui {

namespace {

/// Exact for quarter turns.
Vec2 direction(double angle) {
  const double quarters = angle / (math::pi / 2);
  if (quarters == std::floor(quarters) && std::abs(quarters) < 1e6) {
    static constexpr Vec2 exact[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return exact[static_cast<size_t>(((static_cast<int64_t>(quarters) % 4) + 4) % 4)];
  }
  return {math::cos(angle), math::sin(angle)};
}

struct Matrix {
  Vec3 rows[3];
};

Matrix around_z(double angle) {
  const Vec2 d = direction(angle);
  return {{{d.x, -d.y, 0}, {d.y, d.x, 0}, {0, 0, 1}}};
}
Matrix around_x(double angle) {
  const Vec2 d = direction(angle);
  return {{{1, 0, 0}, {0, d.x, -d.y}, {0, d.y, d.x}}};
}
Matrix transposed(const Matrix& m) {
  return {{{m.rows[0].x, m.rows[1].x, m.rows[2].x},
           {m.rows[0].y, m.rows[1].y, m.rows[2].y},
           {m.rows[0].z, m.rows[1].z, m.rows[2].z}}};
}
Matrix operator*(const Matrix& a, const Matrix& b) {
  const Matrix columns = transposed(b);
  Matrix product;
  for (int i = 0; i < 3; ++i)
    product.rows[i] = {dot(a.rows[i], columns.rows[0]), dot(a.rows[i], columns.rows[1]),
                       dot(a.rows[i], columns.rows[2])};
  return product;
}
Vec3 operator*(const Matrix& m, Vec3 p) { return {dot(m.rows[0], p), dot(m.rows[1], p), dot(m.rows[2], p)}; }

/// Without scale and moves.
Matrix rotation(const Motion& motion) {
  Matrix m = around_z(motion.turn);
  // North goes down by the tilt, once north is where the tilt looks.
  if (motion.tilt != 0) m = m * around_z(-motion.tilt_towards) * around_x(-motion.tilt) * around_z(motion.tilt_towards);
  if (motion.flip)
    for (Vec3& row : m.rows) row.z = -row.z;
  return m;
}

Affine about(const Matrix& m, double scale, Vec3 from, Vec3 to) {
  Affine affine;
  for (int i = 0; i < 3; ++i) affine.rows[i] = m.rows[i] * scale;
  const Vec3 turned = (m * from) * scale;
  affine.shift = to - turned;
  return affine;
}

class MovedSheet : public HeightSheet {
 public:
  MovedSheet(std::shared_ptr<const HeightSheet> sheet, Affine there, Affine back)
      : sheet_(std::move(sheet)), there_(there), back_(back) {}

  void heights(const double* x, const double* y, int64_t count, double* h) const override {
    constexpr int64_t step = 256;
    double px[step], py[step];
    for (int64_t begin = 0; begin < count; begin += step) {
      const int64_t few = std::min(step, count - begin);
      for (int64_t i = 0; i < few; ++i) {
        px[i] = back_.rows[0].x * x[begin + i] + back_.shift.x;
        py[i] = back_.rows[1].y * y[begin + i] + back_.shift.y;
      }
      sheet_->heights(px, py, few, h + begin);
    }
    for (int64_t i = 0; i < count; ++i) h[i] = there_.rows[2].z * h[i] + there_.shift.z;
  }
  Range range(Vec2 low, Vec2 high) const override {
    const Box3 back = beyond_rounding(back_(Box3{{low.x, low.y, 0}, {high.x, high.y, 0}}));
    const Range before = sheet_->range({back.low.x, back.low.y}, {back.high.x, back.high.y});
    const auto up = [&](double h) { return there_.rows[2].z * h + there_.shift.z; };
    return {up(before.low), up(before.high)};
  }
  bool is_same(const HeightSheet& other) const override {
    const auto* like = dynamic_cast<const MovedSheet*>(&other);
    return like != nullptr && like->there_ == there_ && like->back_ == back_ && like->sheet_->is_same(*sheet_);
  }

 private:
  std::shared_ptr<const HeightSheet> sheet_;
  Affine there_, back_;
};

class MovedSolid : public Solid {
 public:
  MovedSolid(SolidPointer part, const Affine& there, const Affine& back)
      : part_(std::move(part)), there_(there), back_(back), support_(beyond_rounding(there(part_->support()))) {}

  void values(const FieldPoints& at, float* v) const override {
    Moved moved;
    part_->values(move(at, moved), v);
  }
  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    Moved moved;
    part_->gradients(move(at, moved), v, dx, dy, dz);
    for (int64_t i = 0; i < at.count; ++i) {
      const Vec3 g{dx[i], dy[i], dz[i]};
      const Vec3 turned = back_.rows[0] * g.x + back_.rows[1] * g.y + back_.rows[2] * g.z;
      dx[i] = static_cast<float>(turned.x);
      dy[i] = static_cast<float>(turned.y);
      dz[i] = static_cast<float>(turned.z);
    }
  }
  FieldRange range(const Box3& box) const override { return part_->range(beyond_rounding(back_(box))); }
  Box3 support() const override { return support_; }

  SurfaceSketch sketch() const override {
    SurfaceSketch sketch = part_->sketch();
    // Of larger land the field is less steep than others may count on.
    const double size = there_.rows[2].z;
    const bool keeps_sheet =
        there_.is_straight() && there_.rows[0].x == size && there_.rows[1].y == size && size > 0 && size <= 1;
    if (sketch.sheet != nullptr && !keeps_sheet) sketch = {nullptr, {}, {part_->support()}, {}};
    for (Box3& box : sketch.boxes) box = beyond_rounding(there_(box));
    if (sketch.sheet == nullptr) return sketch;
    sketch.sheet = std::make_shared<MovedSheet>(sketch.sheet, there_, back_);
    sketch.ground = there_(sketch.ground);
    for (SurfaceSketch::Band& band : sketch.bands)
      band = {beyond_rounding(there_(band.where)), band.below * size, band.above * size, band.spread * size};
    if (changes_heights()) {
      const double slack = rounding_near(sketch.ground);
      sketch.bands.push_back({beyond_rounding(sketch.ground), slack, slack, 0});
    }
    return sketch;
  }

  Box3 difference_from(const Solid& other) const override {
    const auto* like = dynamic_cast<const MovedSolid*>(&other);
    if (like == nullptr || !(like->back_ == back_)) return Solid::difference_from(other);
    return beyond_rounding(there_(part_->difference_from(*like->part_)));
  }

  std::vector<SolidPointer> children() const override { return {part_}; }
  void hash(Hasher& hasher) const override {
    hasher.add("moved");
    for (const Vec3& row : back_.rows) hasher.add(row.x).add(row.y).add(row.z);
    hasher.add(back_.shift.x).add(back_.shift.y).add(back_.shift.z);
    part_->hash(hasher);
  }
  size_t bytes() const override { return sizeof *this + part_->bytes(); }

 private:
  struct Moved {
    double x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
    double axes[3 * FieldPoints::most];
    FieldLattice lattice;
  };

  /// The field compares h with z moved back, the sheet h moved there with z: rounding lets them differ.
  bool changes_heights() const {
    return back_.rows[2].z != 1 || there_.rows[2].z != 1 || back_.shift.z != 0 || there_.shift.z != 0;
  }
  double rounding_near(const Box3& ground) const {
    const double size = there_.rows[2].z;
    const double most = std::max({1.0, std::abs(ground.low.z), std::abs(ground.high.z), std::abs(there_.shift.z),
                                  size * std::abs(back_.shift.z)});
    return most * 0x1p-44;
  }

  FieldPoints move(const FieldPoints& at, Moved& to) const {
    for (int64_t i = 0; i < at.count; ++i) {
      const Vec3 q = back_(Vec3{at.x[i], at.y[i], at.z[i]});
      to.x[i] = q.x;
      to.y[i] = q.y;
      to.z[i] = q.z;
    }
    FieldPoints moved{to.x, to.y, to.z, at.count, box_around(to.x, to.y, to.z, at.count), nullptr};
    if (at.lattice == nullptr || !back_.is_straight()) return moved;
    const FieldLattice& l = *at.lattice;
    double *x = to.axes, *y = x + FieldPoints::most, *z = y + FieldPoints::most;
    for (int64_t i = 0; i < l.nx; ++i) x[i] = to.x[i];
    for (int64_t j = 0; j < l.ny; ++j) y[j] = to.y[j * l.nx];
    for (int64_t k = 0; k < l.nz; ++k) z[k] = to.z[k * l.nx * l.ny];
    to.lattice = {x, y, z, l.nx, l.ny, l.nz};
    moved.lattice = &to.lattice;
    return moved;
  }

  SolidPointer part_;
  Affine there_, back_;
  Box3 support_;
};

}  // namespace

Box3 Affine::operator()(const Box3& box) const {
  if (box.empty()) return box;
  const Vec3 middle = (*this)((box.low + box.high) * 0.5), half = (box.high - box.low) * 0.5;
  const auto reach = [&](Vec3 row) {
    return std::abs(row.x) * half.x + std::abs(row.y) * half.y + std::abs(row.z) * half.z;
  };
  const Vec3 out{reach(rows[0]), reach(rows[1]), reach(rows[2])};
  return {middle - out, middle + out};
}

bool Affine::is_straight() const {
  return rows[0].y == 0 && rows[0].z == 0 && rows[1].x == 0 && rows[1].z == 0 && rows[2].x == 0 && rows[2].y == 0;
}

Affine forward(const Motion& motion) {
  return about(rotation(motion), motion.scale, motion.pivot, motion.pivot + motion.move);
}

Affine backward(const Motion& motion) {
  return about(transposed(rotation(motion)), 1 / motion.scale, motion.pivot + motion.move, motion.pivot);
}

SolidPointer moved(SolidPointer part, const Affine& there, const Affine& back, double threshold) {
  if (back == Affine{}) return part;
  if (part->support().empty()) return empty_solid(threshold);
  return modest_tree(std::make_shared<MovedSolid>(std::move(part), there, back));
}

}  // namespace tepui
